"""Thousands of tables: lists come from rows, and a match is loaded when somebody needs it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import random
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import httpx
import pytest

import foxden
from foxden.bench.server import FoxdenServer
from foxden.bots import Position
from foxden.engine.match import Match
from foxden.server.audience import Audience, Viewer
from foxden.server.driver import Driver
from foxden.server.hub import Hub
from foxden.server.lists import table_list
from foxden.server.live import Socket
from foxden.server.live_match import LiveMatch
from foxden.server.messages import encode
from foxden.server.store import PersonRow, SeatRow, Store, TableRow, open_store
from foxden.server.store.tables import SEATS, TABLE, _table_values
from foxden.server.tables import Table
from tests.server.inside import ROW, Inside, inside
from tests.server.postgres import postgres
from tests.server.server import COMPILED

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("compiled")]
NOW = 1_800_000_000.0
DAYS = {"kind": "days", "days": 3}
MINUTE = {"kind": "move", "seconds": 60}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {} if request.param == "sqlite" else {"database": postgres().new_database()}


def row(id: str, person: PersonRow, **changes: Any) -> TableRow:
    seats = (SeatRow("person", person.id, person.name), SeatRow("bot", name="Rusty", level=1))
    version = foxden.game("happy-fox").rules_version
    made = replace(ROW, id=id, game="happy-fox", rules_version=version, seats=seats, began=0.0)
    return replace(made, host=person.id, **changes)


def in_memory(hub: Hub) -> set[str]:
    return set(hub._tables)


async def test_finished_tables_are_listed_without_being_loaded(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    async with inside(tmp_path, **settings) as server:
        (mia,) = await server.arrive("Mia")
        store = server.hub.store
        over = {"status": "over", "ended": NOW, "scores": (3, 4), "winners": (1,)}
        for n in range(45):
            await store.add_table(row(f"over{n:02}", mia, created=NOW + n, **over))
        await store.add_table(row("running", mia, created=NOW))
        seen: list[str] = []
        before = ""
        while True:
            found = await table_list(server.hub, mia, "recent", before)
            seen += [info.id for info in found.recent]
            assert len(found.recent) <= 20
            assert all(info.winners == [1] and info.seed for info in found.recent)
            if "recent" not in found.next:
                break
            before = found.next["recent"]
        assert seen == [f"over{n:02}" for n in reversed(range(45))]
        assert in_memory(server.hub) <= {"running"}


async def test_a_list_knows_who_is_asked_without_playing_again(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    async with inside(tmp_path, **settings) as server:
        (mia,) = await server.arrive("Mia")
        table = await server.hub.add(row("mine", mia, created=NOW))
        while table.playing().to_act != 0:
            await asyncio.sleep(0.02)
        played = table.ply
        while not table.is_idle:
            await asyncio.sleep(0.02)
        await server.hub._tell_presence()
        await server.hub._forget(table)
        assert in_memory(server.hub) == set()
        (info,) = (await table_list(server.hub, mia)).mine
        assert (info.to_act, info.ply) == (0, played)
        assert in_memory(server.hub) == set()


async def test_a_table_that_is_forgotten_is_freed_at_once(tmp_path: Path) -> None:
    """A server of many tables would have to look for them as garbage, and grow until it does."""
    dice = random.Random(1)
    kinds = (Table, Driver, LiveMatch, Audience, Viewer, Match, Socket, Position)
    async with inside(tmp_path) as server:
        (mia,) = await server.arrive("Mia")
        people = (SeatRow("person", mia.id, "Mia"), SeatRow("person", mia.id, "Mia's cat"))
        gc.collect()
        gc.disable()
        try:
            before = alive(*kinds)
            for id in ("one", "two"):
                made = row(id, mia, created=NOW, clock=MINUTE, seats=people)
                table = await server.hub.add(made)
                async with listening(server, id, mia):
                    while (asked := (match := table.playing()).to_act) is not None:
                        chosen = dice.choice(match.legal()).id
                        await table.play(asked, match.ply, chosen, "person")
                while table.audience.onlookers or not table.is_idle:
                    await asyncio.sleep(0.001)
                await server.hub._tell_presence()
                await server.hub._forget(table)
                assert in_memory(server.hub) == set()
            del table, match
            await asyncio.sleep(0.01)  # what the last tasks have left to do
            assert alive(*kinds) == before
        finally:
            gc.enable()


async def test_what_was_sent_before_a_socket_closed_is_carried_out_and_it_is_freed(
    tmp_path: Path,
) -> None:
    async with inside(tmp_path) as server:
        (mia,) = await server.arrive("Mia")
        seats = (SeatRow("person", mia.id, "Mia"), SeatRow("person", mia.id, "Mia's cat"))
        table = await server.hub.add(row("one", mia, created=NOW, seats=seats))
        gc.collect()
        gc.disable()
        try:
            before, tasks = alive(Socket), len(server.hub.tasks._running)
            for ply in range(3):  # a socket that rests has answered a message, and awaits another
                match = table.playing()
                play = {"type": "play", "seat": match.to_act, "ply": ply}
                play["action"] = match.legal()[0].id
                async with server.connect("one", mia, 0) as socket:
                    await socket.send('{"type": "ping", "ref": 1}')
                    while ply and json.loads(await socket.recv())["type"] != "pong":
                        pass
                    await socket.send(json.dumps(play))
                async with asyncio.timeout(30):
                    while table.audience.onlookers or table.ply == ply:
                        await asyncio.sleep(0.001)
                    while len(server.hub.tasks._running) > tasks:
                        await asyncio.sleep(0.001)
            del socket
            await asyncio.sleep(0.01)  # what the last tasks have left to do
            assert alive(Socket) == before
        finally:
            gc.enable()


@contextlib.asynccontextmanager
async def listening(server: Inside, id: str, person: PersonRow) -> AsyncIterator[None]:
    """Reads whatever a table tells its first seat."""
    async with server.connect(id, person, 0) as socket:

        async def listen() -> None:
            async for _ in socket:
                pass

        task = asyncio.create_task(listen())
        yield
    await task


def alive(*kinds: type) -> list[str]:
    """Names the objects of some types that are there, garbage or not."""
    return sorted(type(thing).__name__ for thing in gc.get_objects() if type(thing) in kinds)


async def test_bots_of_a_table_that_was_closed_think_no_more(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    """Else anybody who opens and closes tables would keep all threads busy for good."""
    async with inside(tmp_path, **settings) as server:
        (mia,) = await server.arrive("Mia")
        bots = (SeatRow("bot", name="Rusty", level=1), SeatRow("bot", name="Nettle", level=1))
        table = await server.hub.add(row("mine", mia, created=NOW, seats=bots))
        while table.ply < 3:
            await asyncio.sleep(0.001)
        while not await server.hub.remove(table.row):
            await table.reread()
        assert not table.live.is_over
        async with asyncio.timeout(30):
            while not table.is_idle:
                await asyncio.sleep(0.01)
        table.driver.nudge()
        table.driver.drive()
        assert table.is_idle


async def test_play_leaves_nothing_to_the_garbage_collector(tmp_path: Path) -> None:
    """What lies in circles waits for it, and holds up everybody's moves when it comes."""
    async with inside(tmp_path) as server:
        (mia,) = await server.arrive("Mia")
        table = await server.hub.add(row("mine", mia, created=NOW))
        gc.collect()
        gc.disable()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            async with listening(server, "mine", mia):
                while (match := table.playing()).ply < 20:
                    if match.to_act == 0:
                        await table.play(0, match.ply, match.legal()[0].id, "person")
                    await asyncio.sleep(0.001)
            gc.collect()
            found = {type(thing).__qualname__ for thing in gc.garbage if is_ours(thing)}
            assert found == set()
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.enable()


def is_ours(thing: object) -> bool:
    """Says whether something is of Foxden itself, and not of a client in the same process."""
    named = thing if type(thing) is FunctionType else type(thing)
    return named.__module__.startswith("foxden.")


async def test_a_start_loads_no_table_that_nobody_needs(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    async with inside(tmp_path, **settings) as server:
        (mia,) = await server.arrive("Mia")
        people = (SeatRow("person", mia.id, "Mia"), SeatRow("person", mia.id, "Mia's cat"))
        for n in range(30):
            await server.hub.store.add_table(row(f"people{n}", mia, seats=people))
        for n in range(30):
            made = row(f"clock{n}", mia, seats=people, clock=DAYS, began=server.hub.uptime())
            await server.hub.store.add_table(made)
        await attended(server.hub.store, server.hub)
        for table in list(server.hub._tables.values()):
            await server.hub._forget(table)  # as it does a minute after the last look
        assert in_memory(server.hub) == set()
    async with inside(tmp_path, **settings) as server:
        await asyncio.sleep(1.5)
        assert in_memory(server.hub) == set()
        assert await server.hub.find("clock3") is not None
        assert in_memory(server.hub) == {"clock3"}


async def attended(store: Store, hub: Hub) -> None:
    """Waits until no table needs a process."""
    end = time.monotonic() + 30
    while await store.due(hub.uptime(), hub.workers.alive, list(foxden.games()), 10):
        assert time.monotonic() < end
        await asyncio.sleep(0.05)


async def test_bots_and_clocks_of_tables_that_nobody_is_at_go_on(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    async with inside(tmp_path, grace=0.0, **settings) as server:
        hub = server.hub
        (mia,) = await server.arrive("Mia")
        bot_first = (SeatRow("bot", name="Rusty", level=1), SeatRow("bot", name="Ash", level=1))
        # As a process that died would have left it: nobody drives it.
        await hub.store.add_table(row("bots", mia, seats=bot_first))
        people = (SeatRow("person", mia.id, "Mia"), SeatRow("person", mia.id, "Mia's cat"))
        made = row("clock", mia, seats=people, clock=MINUTE, began=hub.uptime())
        await hub.store.add_table(made)
        await attended(hub.store, hub)
        end = time.monotonic() + 60
        while len(await hub.store.moves("bots")) < 4:
            assert time.monotonic() < end
            await asyncio.sleep(0.1)
        if (clock := hub.loaded("clock")) is not None:
            await hub._forget(clock)
        assert len(await hub.store.moves("clock")) == 0
        hub.uptime.raise_to(hub.uptime() + 61)
        while not (moves := await hub.store.moves("clock")):
            assert time.monotonic() < end
            await asyncio.sleep(0.1)
        assert moves[0].by == "clock"


async def test_another_process_drives_what_a_dead_one_drove(tmp_path: Path) -> None:
    database = postgres().new_database()
    async with inside(tmp_path, database=database) as server:
        (mia,) = await server.arrive("Mia")
        bots = (SeatRow("bot", name="Rusty", level=1), SeatRow("bot", name="Ash", level=1))
        await server.hub.store.add_table(row("left", mia, seats=bots))
        await server.hub.store.drive("left", "a process that died")
        end = time.monotonic() + 60
        while len(await server.hub.store.moves("left")) < 4:
            assert time.monotonic() < end
            await asyncio.sleep(0.1)


async def test_looking_after_many_tables_lets_others_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing() -> None:
        pass

    async with inside(tmp_path) as server:
        hub = server.hub
        (mia,) = await server.arrive("Mia")
        people = (SeatRow("person", mia.id, "Mia"), SeatRow("person", mia.id, "Mia's cat"))
        tables = [await hub.add(row(f"t{n}", mia, seats=people)) for n in range(3)]
        nudged: list[str] = []
        for table in tables:
            monkeypatch.setattr(table.driver, "nudge", partial(nudged.append, table.row.id))
        monkeypatch.setattr("foxden.server.hub.AT_ONCE", 1)
        monkeypatch.setattr(hub, "_beat", nothing)
        looking = asyncio.create_task(hub._live())
        await asyncio.sleep(0)
        hub._drop(tables[2])
        await looking
        assert set(nudged) == {"t0", "t1"}


# Ten thousand of each: figures for the docs


def fill(path: Path, rows: Iterator[TableRow], moves: int) -> None:
    """Writes tables straight into the file."""
    seat_columns = f"table_id, status, created, seat, {SEATS}"
    with sqlite3.connect(path) as database:
        for table in rows:
            values = _table_values(table)
            wake = None
            if table.status == "running" and table.clock["kind"] != "none":
                wake = 1e12
            marks = ", ".join("?" * (len(values) + 1))
            database.execute(
                f"INSERT INTO tables ({TABLE}, wake) VALUES ({marks})", (*values, wake)
            )
            place = (table.id, table.status, table.created)
            for number, seat in enumerate(table.seats):
                database.execute(
                    f"INSERT INTO seats ({seat_columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (*place, number, seat.kind, seat.person, seat.name, seat.level, 0),
                )
            database.executemany(
                "INSERT INTO moves VALUES (?, ?, ?, ?, 'person', ?, ?)",
                [(table.id, ply, ply % 2, 0, NOW, 1.0) for ply in range(1, moves + 1)],
            )


async def _prepared(path: Path) -> PersonRow:
    store = open_store(f"sqlite:///{path}")
    await store.open()
    await store.close()
    return PersonRow("mia", "Mia", NOW)


@pytest.mark.slow
async def test_a_home_page_with_ten_thousand_results(tmp_path: Path) -> None:
    path = tmp_path / "foxden.sqlite"
    mia = await _prepared(path)
    over = {"status": "over", "ended": NOW, "scores": (3, 4), "winners": (1,)}
    fill(path, (row(f"t{n:05}", mia, created=NOW + n, **over) for n in range(10_000)), 60)
    async with inside(tmp_path) as server:
        for _ in range(5):
            encode(await table_list(server.hub, mia))
        began = time.process_time()
        for _ in range(50):
            encode(await table_list(server.hub, mia))
        spent = (time.process_time() - began) / 50
        print(f"home page with 10,000 results: {spent * 1000:.2f} ms of processor")
        assert in_memory(server.hub) == set()
        assert spent < 0.005


@pytest.mark.slow
async def test_a_start_with_ten_thousand_running_tables(tmp_path: Path) -> None:
    path = tmp_path / "foxden.sqlite"
    mia = await _prepared(path)
    people = (SeatRow("person", "mia", "Mia"), SeatRow("person", "ben", "Ben"))
    rows = (
        row(f"t{n:05}", mia, seats=people, clock=DAYS if n % 2 else {"kind": "none"})
        for n in range(10_000)
    )
    fill(path, rows, 60)
    began = time.monotonic()
    with contextlib.closing(FoxdenServer(tmp_path, patient=False, **COMPILED)) as served:
        started = time.monotonic() - began  # with the answer to somebody who comes
        waits = []
        with httpx.Client(base_url=f"http://127.0.0.1:{served.port}") as client:
            end = time.monotonic() + 10
            while time.monotonic() < end:
                asked = time.monotonic()
                assert client.get("/api/tables").status_code == 200
                waits.append(time.monotonic() - asked)
                time.sleep(0.01)
            metrics = client.get("/api/metrics").text.splitlines()
        print(f"answers after {started:.2f} s, imports included; longest wait {max(waits):.3f} s")
        print(next(line for line in metrics if line.startswith("foxden_tables")))
        assert max(waits) < 0.1
