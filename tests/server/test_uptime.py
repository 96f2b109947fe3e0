"""Clocks count the time that servers run: no change of the machine's clock gives or takes any."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from foxden.server.tables import Table
from foxden.server.uptime import Uptime
from tests.server.inside import Inside, inside
from tests.server.postgres import postgres

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("compiled")]
MINUTE = {"kind": "move", "seconds": 60}
MATCH = {"kind": "match", "minutes": 1, "increment": 0}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Where the store is; clocks get no time as a present after a restart."""
    here = {"grace": 0.0}
    return here if request.param == "sqlite" else here | {"database": postgres().new_database()}


class Clocks:
    """The machine's clocks, as far as Python reads them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = 0.0
        self.run = 0.0
        wall, monotonic = time.time, time.monotonic
        monkeypatch.setattr(time, "time", lambda: wall() + self.wall)
        monkeypatch.setattr(time, "monotonic", lambda: monotonic() + self.run)


async def begin(server: Inside, id: str, clock: dict[str, Any]) -> Table:
    people = await server.arrive("Mia", "Ben")
    return await server.open_table(id, "happy-fox", people, clock=clock, began=server.hub.uptime())


def left(table: Table) -> float:
    clock = table.clock()
    assert clock.due is not None
    return clock.due - clock.now


async def play(table: Table) -> None:
    match = table.playing()
    assert match.to_act is not None
    await table.play(match.to_act, match.ply, match.legal()[0].id, "person")


@pytest.mark.parametrize("clock", [MINUTE, MATCH])
@pytest.mark.parametrize("jump", [-7200.0, 7200.0])
async def test_a_clock_set_back_or_forward_gives_and_takes_no_time(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, Any],
    clock: dict[str, Any],
    jump: float,
) -> None:
    clocks = Clocks(monkeypatch)
    async with inside(tmp_path, **settings) as server:
        table = await begin(server, "jump", clock)
        await play(table)
        clocks.wall = jump
        assert 50 < left(table) <= 60
        await play(table)
        assert 50 < left(table) <= 60
        assert all(hand is None or 50 < hand <= 60 for hand in table.clock().left)


@pytest.mark.parametrize("jump", [-7200.0, 7200.0])
async def test_a_clock_goes_on_after_a_restart_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], jump: float
) -> None:
    clocks = Clocks(monkeypatch)
    async with inside(tmp_path, **settings) as server:
        table = await begin(server, "again", MINUTE)
        await play(table)
        clocks.run += 40
        assert 10 < left(table) <= 20
    clocks.wall = jump  # while no server runs
    clocks.run += 3600  # for an hour, in which nobody could move
    async with inside(tmp_path, **settings) as server:
        again = await server.hub.find("again")
        assert again is not None
        assert 5 < left(again) <= 20


async def test_a_crash_takes_at_most_what_was_not_agreed_on_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    clocks = Clocks(monkeypatch)
    async with inside(tmp_path, **settings) as server:
        table = await begin(server, "crash", MATCH)
        clocks.run += 30
        await play(table)
        moved = table.live.times[-1][1]
        # What the store would know after a crash: the move, and an uptime of long before.
        await server.hub.store.write(("UPDATE uptime SET seconds = 0 RETURNING id", ()))  # type: ignore[attr-defined]
        monkeypatch.setattr(server.hub.store, "raise_uptime", lambda seconds: _nothing())
    async with inside(tmp_path, **settings) as server:
        again = await server.hub.find("crash")
        assert again is not None
        assert server.hub.uptime() >= moved
        seat = again.live.times[-1][0]
        hand = again.clock().left[seat]
        assert hand is not None
        assert 20 < hand <= 31


async def _nothing() -> float:
    return 0.0


def test_uptime_never_goes_back() -> None:
    uptime = Uptime()
    uptime.raise_to(100.0)
    before = uptime()
    uptime.raise_to(50.0)
    assert before <= uptime() < 101


async def test_processes_agree_on_the_longest(tmp_path: Path) -> None:
    database = postgres().new_database()
    async with (
        inside(tmp_path, database=database) as one,
        inside(tmp_path, database=database) as two,
    ):
        one.hub.uptime.raise_to(5000.0)
        await one.hub._agree()
        await two.hub._agree()
        assert 5000 <= two.hub.uptime() < 5010
