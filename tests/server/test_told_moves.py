"""Two workers on one PostgreSQL: each is told the other's moves, and reads only what it missed."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from foxden.server.store import UNDO, Notice
from foxden.server.store.postgres import PostgresStore
from foxden.server.tables import Table
from tests.server.inside import Inside, inside
from tests.server.postgres import postgres

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("compiled")]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Worker:
    """One of the servers, its table, and how often it has read moves."""

    server: Inside
    table: Table
    reads: int = 0
    deaf: bool = False  # it misses notices of moves
    heard: list[Notice] = field(default_factory=list)

    def __post_init__(self) -> None:
        store = self.server.hub.store
        assert isinstance(store, PostgresStore)
        read, post = store.read, store._board.post

        async def counted(statement: str, *values: Any) -> Any:
            self.reads += "FROM moves" in statement
            return await read(statement, *values)

        def heard(notices: Iterable[Notice]) -> None:
            told = list(notices)
            self.heard += told
            post(told if not self.deaf else [n for n in told if n.what != "moves"])

        store.read = counted  # type: ignore[method-assign]
        store._board.post = heard  # type: ignore[method-assign]

    @property
    def shown(self) -> list[Any]:
        """Returns all that people are told here, and what clocks count."""
        live = self.table.live
        views = [
            (self.table.viewer(seat).seat_view.view, self.table.viewer(seat).log)
            for seat in (0, 1, None)
        ]
        return [live.number, live.undone, live.last_at, live.times, *views]

    async def play(self, dice: random.Random) -> None:
        """Plays any action."""
        match = self.table.playing()
        assert match.to_act is not None
        action = dice.choice(match.legal()).id
        await self.table.play(match.to_act, match.ply, action, "person")

    async def undo(self) -> None:
        """Takes back the last decision."""
        live = self.table.live
        await live.undo(self.table.row, [0, 1], live.ply)


@contextlib.asynccontextmanager
async def two_workers(folder: Path, database: str) -> AsyncIterator[tuple[Worker, Worker]]:
    async with inside(folder, database=database) as one, inside(folder, database=database) as two:
        people = await one.arrive("Mia", "Ben")
        here = await one.open_table("table", "happy-fox", people)
        there = await two.hub.find("table")
        assert there is not None
        yield Worker(one, here), Worker(two, there)
        assert one.faults == two.faults == []


async def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


async def agree(one: Worker, two: Worker) -> None:
    """Waits until both know all moves; then they show the same."""
    await until(lambda: one.table.live.number == two.table.live.number)
    assert one.shown == two.shown


async def test_moves_of_the_other_worker_are_played_as_told(tmp_path: Path) -> None:
    dice = random.Random(1)
    async with two_workers(tmp_path, postgres().new_database()) as (one, two):
        for number in range(40):
            await dice.choice((one, two)).play(dice)
            await agree(one, two)
            if number % 10 == 9:
                await one.undo()
                await agree(one, two)
        assert one.table.live.undone == 4
        assert one.reads == two.reads == 0


@pytest.mark.parametrize("lost", ["move", "undo", "several"])
async def test_what_was_not_told_is_read(tmp_path: Path, lost: str) -> None:
    dice = random.Random(2)
    async with two_workers(tmp_path, postgres().new_database()) as (one, two):
        for _ in range(12):
            await one.play(dice)
        await agree(one, two)
        two.deaf = True
        for _ in range(5 if lost == "several" else 0):
            await one.play(dice)
        await (one.undo() if lost == "undo" else one.play(dice))
        last = one.table.live.number
        await until(lambda: any(n.what == "moves" and n.number == last for n in two.heard))
        assert two.table.live.number == 12
        two.deaf = False
        await one.play(dice)
        await agree(one, two)
        assert two.reads == 1
        await one.play(dice)
        await agree(one, two)
        assert two.reads == 1


async def test_a_worker_that_lags_is_refused_and_catches_up(tmp_path: Path) -> None:
    dice = random.Random(3)
    async with two_workers(tmp_path, postgres().new_database()) as (one, two):
        two.deaf = True
        await one.play(dice)
        with pytest.raises(Exception, match="Someone else was quicker"):
            await two.play(dice)
        await agree(one, two)


async def test_a_worker_that_was_cut_off_reads_what_it_missed(tmp_path: Path) -> None:
    dice = random.Random(4)
    database = postgres().new_database()
    async with two_workers(tmp_path, database) as (one, two):
        await one.play(dice)
        await agree(one, two)
        admin = await asyncpg.connect(database)
        await admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        await admin.close()
        for _ in range(5):
            await one.play(dice)
        await one.undo()
        await agree(one, two)


async def test_what_is_told_is_what_is_stored(tmp_path: Path) -> None:
    dice = random.Random(5)
    async with two_workers(tmp_path, postgres().new_database()) as (one, two):
        for _ in range(6):
            await one.play(dice)
        await one.undo()
        await agree(one, two)
        told = [move for notice in two.heard for move in notice.moves]
        assert told == await one.server.hub.store.moves("table")
        assert told[-1].by == UNDO


async def test_a_move_is_heeded_that_is_told_while_its_table_is_read(tmp_path: Path) -> None:
    dice = random.Random(6)
    database = postgres().new_database()
    async with (
        inside(tmp_path, database=database) as one,
        inside(tmp_path, database=database) as two,
    ):
        table = await one.open_table("table", "happy-fox", await one.arrive("Mia", "Ben"))
        here = Worker(one, table)
        store = two.hub.store
        assert isinstance(store, PostgresStore)
        read, post, heard = store.moves, store._board.post, asyncio.Event()

        def hear(notices: Iterable[Notice]) -> None:
            told = list(notices)
            post(told)
            if any(notice.what == "moves" for notice in told):
                heard.set()

        async def read_late(*args: Any, **kwargs: Any) -> Any:
            found = await read(*args, **kwargs)
            if not heard.is_set():
                await here.play(dice)
                await heard.wait()
                await asyncio.sleep(0.05)  # it is followed, or waits
            return found

        store._board.post = hear  # type: ignore[method-assign]
        store.moves = read_late  # type: ignore[method-assign]
        there = await two.hub.find("table")
        assert there is not None
        await agree(here, Worker(two, there))
