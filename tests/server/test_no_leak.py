"""The no-leak law through the server itself: what is sent does not depend on what is hidden.

Two tables of one server are played alike. Then the hidden pieces of one change places, in a way
that a seat cannot notice by the rulebook, and everything that the two send to that seat over real
sockets and by HTTP must be the same bytes.
"""

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import uvicorn
import websockets

import foxden
from foxden.engine.kernel import Known, plain, write_field
from foxden.engine.match import SPECTATOR
from foxden.server import tables
from foxden.server.app import make_door
from foxden.server.config import Config
from foxden.server.house import House
from foxden.server.store import PersonRow, SeatRow, TableRow
from foxden.server.tables import Table, Viewer
from tests.games.test_laws import truth

NOW = 1_800_000_000.0
SEED = 0x5EC2E7 << 96 | 12345678901234567890
TWINS = ("aaaaaaaaaa", "bbbbbbbbbb")
TRIES = 4  # scrambles for each position and viewer
LOOKS = (0, 3, 9, 20, 45)  # positions that are looked at


class Cloak:
    """A server in this process, and twin tables in it."""

    def __init__(self, house: House, address: str) -> None:
        self.house = house
        self.address = address
        self.people: list[PersonRow] = []

    async def open_twins(self, game: str, seats: int) -> list[Table]:
        self.people = [await self.house.people.arrive(f"Fox {n}") for n in range(seats)]
        row = TableRow(
            id="",
            game=game,
            rules_version=foxden.game(game).rules_version,
            seats=tuple(SeatRow("person", one.id, one.name) for one in self.people),
            options={},
            parts={},
            clock={"kind": "none"},
            access="listed",
            watch="anyone",
            hints=True,
            pace="instant",
            host=self.people[0].id,
            seed=SEED,
            status="running",
            created=NOW,
            started=NOW,
        )
        return [await self.house.add(TableRow(**{**vars(row), "id": id})) for id in TWINS]

    def headers(self, viewer: int) -> dict[str, str]:
        if viewer == SPECTATOR:
            return {}
        return {"Cookie": f"foxden={self.house.people.cookie(self.people[viewer])}"}

    def connect(self, id: str, viewer: int) -> Any:
        address = self.address.replace("http", "ws", 1)
        return websockets.connect(
            f"{address}/api/tables/{id}/live", additional_headers=self.headers(viewer)
        )

    async def get(self, path: str, viewer: int) -> str:
        async with httpx.AsyncClient(headers=self.headers(viewer), timeout=60) as http:
            return (await http.get(f"{self.address}/api{path}")).text

    def plain(self, id: str, text: str) -> str:
        """Takes out by what the twins differ in any case: their id and its invitation."""
        return text.replace(self.house.people.invite_key(id), "KEY").replace(id, "TABLE")


@contextlib.asynccontextmanager
async def cloaked(data: Path) -> AsyncIterator[Cloak]:
    door = make_door(Config(data=data, port=0, limits=False))
    house = door.house
    house.kitchen.ready = dict.fromkeys(foxden.games(), 1.0)  # rules compile here when called
    server = uvicorn.Server(uvicorn.Config(door, port=0, log_level="error", ws="websockets-sansio"))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Cloak(house, f"http://127.0.0.1:{port}")
    finally:
        server.should_exit = True
        await running


@pytest.fixture(autouse=True)
def one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stops the tables' clock, so that times do not tell the twins apart."""
    import time

    still = SimpleNamespace(
        time=lambda: NOW, monotonic=time.monotonic, perf_counter=time.perf_counter
    )
    monkeypatch.setattr(tables, "time", still)


def scramble(table: Table, viewer: int, dice: random.Random) -> bool:
    """Moves hidden pieces about behind a viewer's back; tells whether anything changed."""
    match = table.match
    assert match is not None
    before = match.state_bytes()
    known = plain(match.truth(), 0)
    truth(table.row.game).scramble(known, viewer, dice)
    match.replace_truth(partial(_write, known))
    table.viewers.clear()
    return match.state_bytes() != before


def _write(known: Known, states: Any) -> None:
    for name, value in vars(known).items():
        write_field(states, 0, name, value)


async def everything_sent(cloak: Cloak, table: Table, viewer: int, action: int) -> list[str]:
    """Gathers what a viewer is sent: Sync, refusals, an Update, a position, the table."""
    id, match = table.row.id, table.match
    assert match is not None
    asked, ply, out = match.to_act, match.ply, []
    assert asked is not None
    async with cloak.connect(id, viewer) as socket:
        out.append(await socket.recv())
        open_now = {legal.id for legal in match.legal()}
        closed = [one for one in range(match.game.actions) if one not in open_now]
        for ref, wrong in enumerate((closed * 8)[:8], 1):
            seat = max(viewer, 0)
            play = {"type": "play", "ref": ref, "seat": seat, "ply": ply, "action": wrong}
            await socket.send(json.dumps(play))
            while json.loads(frame := await socket.recv()).get("ref") != ref:
                out.append(frame)
            out.append(frame)
        out.append(await cloak.get(f"/tables/{id}", viewer))
        seen = "" if viewer == SPECTATOR else f"?seat={viewer}"
        out.append(await cloak.get(f"/tables/{id}/positions/{ply}{seen}", viewer))
        out.append(await cloak.get(f"/tables/{id}/positions/{ply}?open=true", viewer))
        out.append(await cloak.get(f"/tables/{id}/positions/{ply}?seat={viewer + 1}", viewer))
        out.append(await cloak.get(f"/tables/{id}/record", viewer))
        await table.play(asked, ply, action, "person")
        while json.loads(frame := await socket.recv())["type"] != "update":
            out.append(frame)
        out.append(frame)
    return [cloak.plain(id, text) for text in out]


async def reload(cloak: Cloak) -> list[Table]:
    """Makes both tables anew from what is on disk."""
    for table in list(cloak.house._tables.values()):
        cloak.house._drop(table)
    found = [await cloak.house.find(id) for id in TWINS]
    return [table for table in found if table is not None]


async def look_from_everywhere(cloak: Cloak, game: str, seats: int) -> tuple[int, list[str]]:
    """Plays twins, and gives how many scrambles were looked at, and what differed."""
    one, other = await cloak.open_twins(game, seats)
    dice = random.Random(game)
    looked, leaks = 0, []
    while one.match is not None and not one.match.is_over and one.match.ply <= max(LOOKS):
        assert other.match is not None
        if one.match.ply not in LOOKS:
            action = dice.choice(one.match.legal()).id
            for table in (one, other):
                assert table.match is not None
                await table.play(table.match.to_act or 0, table.match.ply, action, "person")
            continue
        ply = one.match.ply
        for viewer in range(SPECTATOR, seats):
            for _ in range(TRIES):
                changed = scramble(other, viewer, dice)
                shared = {a.id for a in one.match.legal()} & {a.id for a in other.match.legal()}
                if not changed or not shared:
                    continue
                looked += 1
                action = dice.choice(sorted(shared))
                sent = [await everything_sent(cloak, t, viewer, action) for t in (one, other)]
                leaks += [f"{game} {ply} {viewer}: {a}\n{b}" for a, b in zip(*sent) if a != b]
                break
            one, other = await reload(cloak)
            assert one.match is not None
            assert other.match is not None
            if one.match.is_over:
                return looked, leaks
    return looked, leaks


@pytest.mark.parametrize("game", foxden.games())
def test_what_is_sent_does_not_depend_on_what_is_hidden(game: str, tmp_path: Path) -> None:
    async def run() -> tuple[int, list[str]]:
        async with cloaked(tmp_path) as cloak:
            return await look_from_everywhere(cloak, game, foxden.game(game).about.usual)

    looked, leaks = asyncio.run(run())
    assert not leaks, leaks[0]
    # Foxy & Woolly hides nothing but what is still to come.
    assert looked >= 3


def test_the_law_finds_a_server_that_shows_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Viewer.__init__

    def loose(self: Viewer, match: Any, seat: int | None) -> None:
        honest(self, match, 0 if seat is None else seat)

    monkeypatch.setattr(Viewer, "__init__", loose)

    async def run() -> tuple[int, list[str]]:
        async with cloaked(tmp_path) as cloak:
            return await look_from_everywhere(cloak, "happy-fox", 3)

    assert asyncio.run(run())[1]


@pytest.mark.parametrize("game", foxden.games())
def test_the_seed_is_sent_when_the_match_is_over_and_not_before(game: str, tmp_path: Path) -> None:
    digits = (str(SEED), f"{SEED:x}")

    async def run() -> None:
        async with cloaked(tmp_path) as cloak:
            seats = foxden.game(game).seats[0]
            table, _ = await cloak.open_twins(game, seats)
            dice = random.Random(1)
            viewers = range(SPECTATOR, seats)
            async with contextlib.AsyncExitStack() as stack:
                sockets = [
                    await stack.enter_async_context(cloak.connect(table.row.id, viewer))
                    for viewer in viewers
                ]
                match = table.match
                assert match is not None
                while not match.is_over:
                    action = dice.choice(match.legal()).id
                    await table.play(match.to_act or 0, match.ply, action, "person")
                    if match.ply % 16 == 0:
                        await asyncio.sleep(0)  # lets the sockets be told
                assert table.row.status == "over"
                for socket in sockets:
                    told = ""
                    while '"status":"over"' not in told:
                        told = await asyncio.wait_for(socket.recv(), 60)
                        over = '"status":"over"' in told
                        assert over or not any(text in told for text in digits)
                    assert json.loads(told)["table"]["seed"] == str(SEED)
            assert str(SEED) in await cloak.get(f"/tables/{table.row.id}/record", SPECTATOR)

    asyncio.run(run())
