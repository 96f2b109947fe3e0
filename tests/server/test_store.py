"""Every store keeps to the same contract; each test runs against each of them."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from foxden.server.store import (
    BadStore,
    ChatRow,
    DeviceRow,
    IdTaken,
    Notice,
    PersonRow,
    PlyTaken,
    Rating,
    Rest,
    ReviewRow,
    SeatRow,
    Store,
    StoreDown,
    TableFilter,
    TableGone,
    backup,
    migrations,
    open_store,
)
from foxden.server.store.migrations import Migration
from foxden.server.store.noticeboard import BROUGHT, Noticeboard
from foxden.server.store.sql import SqlStore
from foxden.server.store.writer import GATHER, Pace
from tests.server.postgres import postgres, start_postgres
from tests.server.rows import move, table

pytestmark = pytest.mark.anyio
PHONE = DeviceRow("phone", "ann", "hash", 1.0)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return postgres().new_database()
    return f"sqlite:///{tmp_path}/foxden.db"


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with opened(url) as store:
        yield store


@contextlib.asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = open_store(url)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def outcomes(*futures: asyncio.Future[None]) -> list[str]:
    done = await asyncio.gather(*futures, return_exceptions=True)
    return ["done" if result is None else type(result).__name__ for result in done]


# People


async def test_people_are_kept_and_renamed(store: Store, url: str) -> None:
    ann = PersonRow("ann", "Ann 狐", 1_800_000_000.123456)
    await store.add_person(ann, PHONE)
    await store.rename_person("ann", "Anna")
    assert await store.person("bob") is None
    with pytest.raises(IdTaken):
        await store.add_person(replace(ann, name="Another Ann"), PHONE)
    await store.close()
    async with opened(url) as again:
        assert await again.person("ann") == replace(ann, name="Anna")


async def test_a_link_is_used_once_and_in_time(store: Store) -> None:
    await store.add_link("good", "ann", expires=1000.0)
    await store.add_link("late", "ann", expires=1000.0)
    assert await store.use_link("unknown", now=999.0) is None
    assert await store.use_link("late", now=1000.0) is None
    used = await asyncio.gather(*(store.use_link("good", now=999.0) for _ in range(8)))
    assert sorted(used, key=str) == [None] * 7 + ["ann"]


# Tables


async def test_a_table_is_read_as_it_was_written(store: Store) -> None:
    row = table("t")
    await store.add_table(row)
    assert await store.table("t") == row
    assert await store.table("u") is None
    with pytest.raises(IdTaken):
        await store.add_table(row)
    over = replace(
        row,
        seats=(*row.seats[:1], SeatRow("bot", name="Rusty", level=5)),
        status="over",
        started=2.5,
        ended=3.5,
        scores=(12, -3),
        winners=(0,),
        rematch="u",
    )
    assert await store.change_table(over)
    assert await store.table("t") == replace(over, version=1)


async def test_of_two_changes_of_one_version_only_one_is_written(store: Store) -> None:
    row = table("t")
    await store.add_table(row)
    changes = [replace(row, pace=f"pace {n}") for n in range(8)]
    written = await asyncio.gather(*map(store.change_table, changes))
    assert sum(written) == 1
    assert await store.table("t") == replace(changes[written.index(True)], version=1)
    assert not await store.change_table(table("unknown"))


async def test_only_a_table_that_is_not_over_is_removed(store: Store) -> None:
    row = table("t")
    await store.add_table(row)
    await store.say(ChatRow("t", 0, "ann", "Ann", None, "Anyone?", 1.0))
    await store.append(move("t", 1))
    assert await store.change_table(replace(row, status="over"))
    assert not await store.remove_table(row)
    assert not await store.remove_table(replace(row, version=1, status="over"))
    assert await store.change_table(replace(row, version=1))
    assert await store.remove_table(replace(row, version=2))
    assert await store.moves("t") == []
    assert await store.table("t") is None
    assert await store.chat("t") == []
    with pytest.raises(TableGone):
        await store.say(ChatRow("t", 0, "ann", "Ann", None, "Where am I?", 1.0))


async def test_tables_are_filtered_newest_first(store: Store) -> None:
    bob = (SeatRow("open"), SeatRow("person", "bob", "Bob"), SeatRow("person", "bob", "Bob's cat"))
    rows = {
        "a": table("a", created=1.0, status="open"),
        "b": table("b", created=3.0, status="open", access="link"),
        "c": table("c", created=2.0, status="open", seats=bob),
        "d": table("d", created=4.0, status="over", seats=bob),
    }
    for row in rows.values():
        await store.add_table(row)

    async def ids(wanted: TableFilter) -> str:
        found = await store.tables(wanted)
        assert found == [rows[row.id] for row in found]
        return "".join(row.id for row in found)

    assert await ids(TableFilter(("open",))) == "bca"
    assert await ids(TableFilter(("open",), listed=True)) == "ca"
    assert await ids(TableFilter(("open", "over"), person="bob")) == "dc"
    assert await ids(TableFilter(("running",))) == ""
    assert await ids(TableFilter(("open", "over"), limit=2)) == "db"


# Moves


async def test_moves_come_back_in_order_and_after_a_ply(store: Store, url: str) -> None:
    await store.add_table(table("t"))
    await store.add_table(table("u"))
    played = [move("t", ply, action=ply * 7, by="bot") for ply in range(1, 301)]
    for ply in range(1, 301):
        await asyncio.gather(store.append(played[ply - 1]), store.append(move("u", ply)))
    assert await store.moves("t") == played
    assert await store.moves("t", after=298) == played[298:]
    assert await store.moves("t", after=300) == []
    await store.close()
    async with opened(url) as again:
        assert await again.moves("t") == played


async def test_moves_sent_without_waiting_keep_their_order(store: Store) -> None:
    await store.add_table(table("t"))
    played = [move("t", ply) for ply in range(1, 51)]
    assert await outcomes(*map(store.append, played)) == ["done"] * 50
    assert await store.moves("t") == played


async def test_the_first_to_play_a_ply_is_right(store: Store, url: str) -> None:
    await store.add_table(table("t"))
    async with opened(url) as other:
        first, second = move("t", 1, action=5), move("t", 1, action=6)
        await store.append(first)
        assert await outcomes(other.append(second), store.append(second)) == ["PlyTaken"] * 2
        assert await other.moves("t") == [first]


async def test_rivals_in_one_commit_are_told_apart(store: Store) -> None:
    await store.add_table(table("t"))
    await store.add_table(table("u"))
    rivals = [move("t", 1, action=action) for action in range(8)]
    told = await outcomes(*map(store.append, rivals), store.append(move("u", 1)))
    assert told == ["done", *["PlyTaken"] * 7, "done"]
    assert await store.moves("t") == rivals[:1]


async def test_the_very_same_move_may_be_appended_again(store: Store) -> None:
    await store.add_table(table("t"))
    played = move("t", 1)
    assert await outcomes(store.append(played), store.append(played)) == ["done", "done"]
    await store.append(played)
    assert await store.moves("t") == [played]


@pytest.mark.parametrize("ply", [0, 2, 3])
async def test_a_ply_out_of_order_is_not_taken(store: Store, ply: int) -> None:
    await store.add_table(table("t"))
    with pytest.raises(PlyTaken, match=f"Ply {ply} of table t"):
        await store.append(move("t", ply))
    assert await store.moves("t") == []


@pytest.mark.parametrize("status", ["open", "over", None])
async def test_moves_are_taken_by_running_matches_only(store: Store, status: str | None) -> None:
    if status:
        await store.add_table(table("t", status=status))
    with pytest.raises(PlyTaken):
        await store.append(move("t", 1))
    assert await store.moves("t") == []


async def test_what_was_appended_is_finished_before_closing(store: Store, url: str) -> None:
    await store.add_table(table("t"))
    futures = [store.append(move("t", ply)) for ply in range(1, 21)]
    await store.close()
    assert await outcomes(*futures) == ["done"] * 20
    with pytest.raises(StoreDown, match="closed"):
        store.append(move("t", 21))
    with pytest.raises(StoreDown, match="closed"):
        await store.table("t")
    async with opened(url) as again:
        assert len(await again.moves("t")) == 20


async def test_a_sender_who_has_left_leaves_the_others_in_peace(store: Store) -> None:
    for id in "tu":
        await store.add_table(table(id))
    gone, here = store.append(move("t", 1)), store.append(move("u", 1))
    gone.cancel()
    await here
    assert len(await store.moves("t")) == 1


# Chat


async def test_lines_are_numbered_at_each_table(store: Store, url: str) -> None:
    for id in "tu":
        await store.add_table(table(id))
    async with opened(url) as other:
        lines = [
            ChatRow("t", 0, "ann", "Ann", n % 2 or None, f"Hello {n} 🦊", 1.5) for n in range(8)
        ]
        said = await asyncio.gather(
            *((store, other)[n % 2].say(row) for n, row in enumerate(lines))
        )
        alone = await store.say(ChatRow("u", 0, "bob", "Bob", None, "Nobody here?", 2.5))
    assert sorted(row.number for row in said) == list(range(1, 9))
    assert alone.number == 1
    assert await store.chat("t") == sorted(said, key=lambda row: row.number)
    assert await store.chat("t", after=6) == sorted(said, key=lambda row: row.number)[6:]


# Between processes


async def test_changes_are_told(store: Store, url: str) -> None:
    # An embedded store has one process only, so the teller is the listener's own store.
    async with opened(url) as other:
        teller = store if url.startswith("sqlite") else other
        notices = store.notices()

        async def next_notice() -> Notice:
            return await asyncio.wait_for(anext(notices), 5)

        row = table("t")
        await teller.add_table(row)
        assert await next_notice() == Notice("t", "table", 0)
        await teller.append(move("t", 1))
        assert await next_notice() == Notice("t", "moves", 1, (move("t", 1),))
        await teller.say(ChatRow("t", 0, "ann", "Ann", None, "Hello", 1.0))
        assert await next_notice() == Notice("t", "chat", 1)
        assert await teller.change_table(row)
        assert await next_notice() == Notice("t", "table", 1)
        # What was refused is not told.
        assert not await teller.change_table(row)
        assert await outcomes(teller.append(move("t", 1, action=9))) == ["PlyTaken"]
        assert await teller.change_table(replace(row, version=1))
        assert await next_notice() == Notice("t", "table", 2)


async def test_a_change_is_told_even_if_its_writer_has_gone(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/foxden.db") as store:
        notices = store.notices()
        writer = asyncio.create_task(store.add_table(table("t")))
        await asyncio.sleep(0)
        writer.cancel()
        assert await asyncio.wait_for(anext(notices), 5) == Notice("t", "table", 0)


async def test_a_slow_listener_gets_the_latest_and_no_backlog(store: Store) -> None:
    notices = store.notices()
    await store.add_table(table("t"))
    assert await asyncio.wait_for(anext(notices), 5) == Notice("t", "table", 0)
    for ply in range(1, 101):
        await store.append(move("t", ply))
    await asyncio.sleep(0.2)  # notices of another process take their time
    notice = await asyncio.wait_for(anext(notices), 5)
    assert notice[:3] == ("t", "moves", 100)
    # The last moves come along, not all of them.
    assert 0 < len(notice.moves) <= BROUGHT
    assert notice.moves == tuple(move("t", ply) for ply in range(1, 101))[-len(notice.moves) :]


def test_moves_that_follow_each_other_are_told_together() -> None:
    async def told(*plies: int) -> list[int]:
        board = Noticeboard()
        notices = board.listen()
        for ply in plies:
            board.post([Notice("t", "moves", ply, (move("t", ply),))])
        return [one.ply for one in (await anext(notices)).moves]

    assert asyncio.run(told(4, 5, 6)) == [4, 5, 6]
    assert asyncio.run(told(4, 6, 7)) == [6, 7]
    assert asyncio.run(told(4, 5, 5, 3)) == [4, 5]


async def test_many_tables_in_one_commit_are_all_told(store: Store) -> None:
    ids = [f"table-with-a-long-name-{n}" for n in range(400)]
    for id in ids:
        await store.add_table(table(id))
    heard: set[str] = set()

    async def listen() -> None:
        async for notice in store.notices():
            if notice.what == "moves":
                heard.add(notice.id)
            if len(heard) == len(ids):
                return

    task = asyncio.create_task(listen())
    await asyncio.sleep(0)
    await asyncio.gather(*(store.append(move(id, 1)) for id in ids))
    await asyncio.wait_for(task, 5)
    assert heard == set(ids)


async def test_workers_that_beat_are_known(store: Store) -> None:
    await store.beat("one", 100.0)
    await store.beat("two", 101.0)
    await store.beat("one", 102.0)
    assert await store.workers(since=100.5) == ["one", "two"]
    assert await store.workers(since=101.5) == ["one"]


# Tables that nobody is at


async def test_a_table_is_due_when_nobody_alive_drives_it(store: Store) -> None:
    await store.add_table(table("t"))
    people = (SeatRow("person", "ann", "Ann"), SeatRow("person", "bob", "Bob"))
    await store.add_table(table("u", clock={"kind": "none"}, seats=people))
    games = ["happy-fox"]
    assert await store.due(0.0, ["me"], games, 5) == ["t"]
    assert await store.due(0.0, ["me"], ["chess"], 5) == []
    await store.drive("t", "me")
    assert await store.due(0.0, ["me", "you"], games, 5) == []
    assert await store.due(0.0, ["you"], games, 5) == ["t"]  # its driver died
    await store.rest("t", "you", 5.0, Rest(3, 1))  # not the driver: only how the match stands
    assert await store.due(9.0, ["me"], games, 5) == []
    await store.rest("t", "me", 5.0, Rest(4, 0))
    assert await store.due(4.9, ["me"], games, 5) == []
    assert await store.due(5.0, ["me"], games, 5) == ["t"]
    rests = {one.row.id: one.rest for one in await store.listed(TableFilter(("running",)))}
    assert rests == {"t": Rest(4, 0), "u": None}
    await store.rest("t", "me", None, Rest(4, 0))
    row = await store.table("t")
    assert row is not None
    assert await store.change_table(replace(row, status="over", ended=1.0))
    assert await store.due(9.0, ["me"], games, 5) == []


# The schema

NEXT = len(migrations.read("sqlite")) + 1
NEWER = Migration(NEXT, ("ALTER TABLE people ADD COLUMN motto TEXT",))
BROKEN = Migration(
    NEXT, ("ALTER TABLE people ADD COLUMN motto TEXT", "ALTER TABLE nobody ADD x TEXT")
)


def _with(monkeypatch: pytest.MonkeyPatch, step: Migration) -> None:
    known = migrations.read
    monkeypatch.setattr(migrations, "read", lambda dialect: [*known(dialect), step])


async def test_matches_of_an_older_store_keep_the_stream_that_dealt_them(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {dialect: migrations.read(dialect)[:1] for dialect in ("sqlite", "postgres")}
    columns = (
        "id, game, rules_version, options, parts, clock, access, watch, hints, pace, host, seed,"
        " status, created, version"
    )
    with monkeypatch.context() as before:
        before.setattr(migrations, "read", first.__getitem__)
        async with opened(url) as old:
            for id in ("open", "running", "over"):
                row = f"'{id}', 'happy-fox', 1, '{{}}', '{{}}', '{{}}', 'listed', 'anyone', 1, ''"
                insert = (
                    f"INSERT INTO tables ({columns}) VALUES ({row}, 'ann', '7', '{id}', 1.0, 0)"
                )
                await old.write((f"{insert} RETURNING id", ()))  # type: ignore[attr-defined]
                seat = f"INSERT INTO seats VALUES ('{id}', 0, 'open', NULL, NULL, NULL)"
                await old.write((f"{seat} RETURNING seat", ()))  # type: ignore[attr-defined]
    async with opened(url) as store:
        rows = [await store.table(id) for id in ("open", "running", "over")]
        assert [row and row.stream for row in rows] == ["keyed", "fast", "fast"]


async def test_an_older_schema_is_brought_up_to_date(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = PersonRow("ann", "Ann", 1.0)
    await store.add_person(ann, PHONE)
    await store.close()
    _with(monkeypatch, NEWER)
    for _ in range(2):  # the second time there is nothing to do
        async with opened(url) as upgraded:
            assert await upgraded.person("ann") == ann


async def test_people_tables_and_clocks_of_an_older_store_go_on(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the store held before it knew of devices, absence and uptime."""
    known = migrations.read
    with monkeypatch.context() as past:
        past.setattr(migrations, "read", lambda dialect: known(dialect)[:2])
        async with opened(url) as old:
            assert isinstance(old, SqlStore)
            for statement in (
                "INSERT INTO people VALUES ('ann', 'Ann', 'hash', 1.0) RETURNING id",
                "INSERT INTO tables (id, game, rules_version, options, parts, clock, access,"
                " watch, hints, pace, host, seed, status, created, started, version) VALUES ('t',"
                " 'happy-fox', 1, '{}', '{}', '{\"kind\": \"none\"}', 'link', 'anyone', 1,"
                " 'brisk', 'ann', '7', 'running', 5.0, 100.0, 0) RETURNING id",
                "INSERT INTO seats VALUES ('t', 0, 'person', 'ann', 'Ann', NULL) RETURNING seat",
                "INSERT INTO seats VALUES ('t', 1, 'bot', NULL, 'Rusty', 2) RETURNING seat",
                "INSERT INTO moves VALUES ('t', 1, 0, 3, 'person', 130.5) RETURNING ply",
                "INSERT INTO chat VALUES ('t', 1, 'ann', 'Ann', 0, 'Hm', 131.0) RETURNING number",
            ):
                await old.write((statement, ()))
    async with opened(url) as store:
        found = await store.device("ann")  # whose cookie names the person where it names a device
        assert found is not None
        device, person = found
        assert (device.token_hash, person.name, person.admin) == ("hash", "Ann", False)
        (listed,) = await store.listed(TableFilter(("open", "running"), person="ann"))
        assert (listed.row.id, listed.ply, listed.changed) == ("t", 1, 130.5)
        assert [seat.resigned for seat in listed.row.seats] == [False, False]
        assert listed.row.began == 100.0
        (played,) = await store.moves("t")
        assert (played.at, played.uptime) == (130.5, 130.5)
        assert await store.raise_uptime(0.0) == 130.5  # so that the clock goes on from there
        assert [line.removed for line in await store.chat("t")] == [False]
        assert await store.due(131.0, ["me"], ["happy-fox"], 5) == ["t"]


async def test_a_newer_schema_is_refused(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.close()
    with monkeypatch.context() as future:
        _with(future, NEWER)
        async with opened(url):
            pass
    with pytest.raises(BadStore, match=f"is version {NEXT}, and this Foxden knows {NEXT - 1}"):
        await open_store(url).open()


async def test_a_step_that_fails_changes_nothing(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.add_person(PersonRow("ann", "Ann", 1.0), PHONE)
    await store.close()
    with monkeypatch.context() as future:
        _with(future, BROKEN)
        with pytest.raises(BadStore, match="nobody"):
            await open_store(url).open()
    async with opened(url) as unchanged:
        assert await unchanged.person("ann")
    _with(monkeypatch, NEWER)  # its first statement was undone, or this could not be done
    async with opened(url):
        pass


async def test_several_processes_may_open_a_new_store_at_once(url: str) -> None:
    stores = [open_store(url) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))
    await stores[0].add_table(table("t"))
    assert await stores[3].table("t")
    for store in stores:
        await store.close()


async def test_opening_waits_for_another_that_makes_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "foxden.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        # SQLite itself does not wait here: the file is not in WAL mode yet, and being written.
        other.execute("BEGIN IMMEDIATE")
        store = open_store(f"sqlite:///{path}")
        opening = asyncio.create_task(store.open())
        await asyncio.sleep(0.3)
        assert not opening.done()
        other.execute("COMMIT")
        await opening
        await store.close()


@pytest.mark.parametrize("address", ["mysql://x", "sqlite://", "foxden.db", "sqlite:///"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(BadStore, match="no store"):
        open_store(address)


# Trouble


async def test_a_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/foxden.db") as store:
        await store.add_table(table("t"))
        await store.append(move("t", 1))
        await store.check()
        usual = resource.getrlimit(resource.RLIMIT_FSIZE)
        written = (tmp_path / "foxden.db-wal").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (written + 20_000, usual[1]))
        try:
            ply = await _play_until_down(store)
            with pytest.raises(StoreDown):
                await store.check()
            with pytest.raises(StoreDown):
                await store.add_person(PersonRow("ann", "Ann", 1.0), PHONE)
            assert len(await store.moves("t")) == ply - 1
            assert await store.person("ann") is None
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        await store.check()
        await store.append(move("t", ply))
        assert [row.ply for row in await store.moves("t")] == list(range(1, ply + 1))


async def test_a_full_disk_of_the_database_refuses_and_recovers() -> None:
    # A server of its own: to move tables to another disk, all that it holds is written out.
    server = start_postgres()
    try:
        with _small_disk(server.folder / "disk") as disk:
            await _fill_disk(server.new_database(), disk)
    finally:
        server.remove()


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m,mode=777", "none", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"POSTGRESQL ON A FULL DISK IS NOT TESTED: {mounted.stderr}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


async def _fill_disk(url: str, disk: Path) -> None:
    space, filler = disk / "space", disk / "filler"
    space.mkdir()
    shutil.chown(space, "postgres")  # only root can mount, and root's server runs as this one
    async with opened(url) as store:
        await store.add_table(table("t"))
        admin = await asyncpg.connect(url)
        await admin.execute(f"CREATE TABLESPACE small LOCATION '{space}'")
        await admin.execute("ALTER TABLE moves SET TABLESPACE small")
        await admin.execute("ALTER INDEX moves_pkey SET TABLESPACE small")
        await admin.close()
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"0" * 4096)
        ply = await _play_until_down(store)
        assert len(await store.moves("t")) == ply - 1
        filler.unlink()
        await store.append(move("t", ply))
        assert [row.ply for row in await store.moves("t")] == list(range(1, ply + 1))


async def _play_until_down(store: Store) -> int:
    """Plays until the store refuses, and gives the ply that it refused."""
    ply = len(await store.moves("t"))
    while ply < 5000:
        ply += 1
        if await outcomes(store.append(move("t", ply))) == ["StoreDown"]:
            return ply
    raise AssertionError("the disk is never full")


async def test_a_database_that_cannot_be_written_refuses_and_recovers() -> None:
    url = postgres().new_database()
    admin = await asyncpg.connect(url)

    async def turn(read_only: str) -> None:
        name = await admin.fetchval("SELECT current_database()")
        await admin.execute("SET default_transaction_read_only = off")
        await admin.execute(
            f"ALTER DATABASE {name} SET default_transaction_read_only = {read_only}"
        )
        await admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

    async with opened(url) as store:
        await store.add_table(table("t"))
        await turn("on")
        with pytest.raises(StoreDown, match="read-only"):
            await store.append(move("t", 1))
        with pytest.raises(StoreDown, match="read-only"):
            await store.check()
        assert await store.moves("t") == []
        await turn("off")
        await store.append(move("t", 1))
        await store.check()
    await admin.close()


async def test_a_lost_connection_is_followed_by_a_notice_of_a_gap() -> None:
    url = postgres().new_database()
    async with opened(url) as store:
        notices = store.notices()
        admin = await asyncpg.connect(url)
        await admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        await admin.close()
        assert await asyncio.wait_for(anext(notices), 5) == Notice("", "moves")
        await store.add_table(table("t"))
        assert await asyncio.wait_for(anext(notices), 5) == Notice("t", "table", 0)


async def test_moves_wait_for_a_database_that_comes_back_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("foxden.server.store.postgres.PATIENCE", 60.0)
    url = postgres().new_database()
    async with opened(url) as store:
        await store.add_table(table("t"))
        await store.append(move("t", 1))
        await asyncio.to_thread(postgres().stop)
        with pytest.raises(StoreDown):
            await store.moves("t")
        waiting = store.append(move("t", 2))
        await asyncio.to_thread(postgres().start)
        await waiting
        assert await store.moves("t") == [move("t", 1), move("t", 2)]


async def test_a_database_that_stays_away_refuses_and_recovers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("foxden.server.store.postgres.PATIENCE", 0.3)
    url = postgres().new_database()
    async with opened(url) as store:
        await store.add_table(table("t"))
        await asyncio.to_thread(postgres().kill)
        with pytest.raises(StoreDown):
            await store.append(move("t", 1))
        with pytest.raises(StoreDown):
            await store.check()
        await asyncio.to_thread(postgres().start)
        await store.append(move("t", 1))
        await store.check()
        assert await store.moves("t") == [move("t", 1)]


async def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foxden.db"
    path.write_bytes(b"This is a letter to a friend, not a database. " * 100)
    with pytest.raises(BadStore, match="not a database"):
        await open_store(f"sqlite:///{path}").open()


async def test_a_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/new/foxden.db") as store:
        await store.check()
        modes = [file.stat().st_mode & 0o777 for file in (tmp_path / "new").iterdir()]
        assert modes == [0o600] * 3


async def test_a_claim_may_come_early_and_twice(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/foxden.db"
    store = open_store(url)
    store.claim()
    store.claim()
    with pytest.raises(BadStore, match="uses"):
        open_store(url).claim()
    await store.open()
    await store.check()
    await store.close()
    again = open_store(url)
    again.claim()
    await again.close()


async def test_what_is_wrong_with_a_claimed_file_is_told_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "foxden.db"
    path.write_bytes(b"This is a letter to a friend, not a database. " * 100)
    store = open_store(f"sqlite:///{path}")
    store.claim()
    with pytest.raises(BadStore, match="not a database"):
        await store.open()


# Commits


def test_moves_gather_only_while_several_tables_play(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("foxden.server.store.writer.time.monotonic", lambda: now)
    pace = Pace()
    assert pace.wait() == 0.0
    pace.begin(1)
    assert pace.wait() == 0.0
    pace.begin(2)
    assert pace.wait() == pytest.approx(GATHER)
    now += GATHER / 2
    assert pace.wait() == pytest.approx(GATHER / 2)
    now += GATHER
    assert pace.wait() == 0.0
    pace.begin(2)
    pace.begin(1)
    assert pace.wait() == 0.0


# Backup


async def test_a_backup_taken_while_moves_are_written_is_whole(tmp_path: Path) -> None:
    url, copy = f"sqlite:///{tmp_path}/foxden.db", tmp_path / "copy.db"
    async with opened(url) as store:
        ids = [f"t{n}" for n in range(20)]
        for id in ids:
            await store.add_table(table(id))
        before = dict.fromkeys(ids, 0)
        stop = asyncio.Event()

        async def play(id: str) -> None:
            while not stop.is_set():
                await store.append(move(id, before[id] + 1))
                before[id] += 1

        players = [asyncio.create_task(play(id)) for id in ids]
        await asyncio.sleep(0.2)
        acknowledged = dict(before)
        await asyncio.to_thread(backup, url, copy)
        stop.set()
        await asyncio.gather(*players)
        kept = {id: await store.moves(id) for id in ids}
    assert copy.stat().st_mode & 0o777 == 0o600
    async with opened(f"sqlite:///{copy}") as restored:
        for id in ids:
            moves = await restored.moves(id)
            assert len(moves) >= acknowledged[id] > 0
            assert moves == kept[id][: len(moves)]
            assert await restored.table(id) == table(id)
            await restored.append(move(id, len(moves) + 1))
    assert sorted(file.name for file in tmp_path.glob("*unfinished*")) == []


async def test_a_backup_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/foxden.db"
    async with opened(url) as store:
        await store.check()
        with pytest.raises(BadStore, match="cannot be written: No such file"):
            backup(url, tmp_path / "nowhere" / "copy.db")
        (tmp_path / "copies").mkdir()
        (tmp_path / "copies" / "copy.db").mkdir()
        with pytest.raises(BadStore, match="cannot be written: Is a directory"):
            backup(url, tmp_path / "copies" / "copy.db")
        assert [file.name for file in (tmp_path / "copies").iterdir()] == ["copy.db"]


def test_a_backup_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="no store at"):
        backup(f"sqlite:///{tmp_path}/foxden.db", tmp_path / "copy.db")
    with pytest.raises(BadStore, match="pg_dump"):
        backup("postgresql://nowhere/foxden", tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


async def test_a_review_that_is_done_stays(store: Store) -> None:
    await store.add_table(table("t", status="over"))
    assert await store.review("t", 0) is None
    await store.put_review(ReviewRow("t", 0, 1, 4.0, 0.25))  # nobody has begun it
    assert await store.review("t", 0) is None
    assert await store.begin_review(ReviewRow("t", 0, 1, 4.0, 0.0), given_up=1.0)
    await store.put_review(ReviewRow("t", 0, 1, 5.0, 0.25))
    assert await store.review("t", 0) == ReviewRow("t", 0, 1, 5.0, 0.25)
    done = ReviewRow("t", 0, 1, 6.0, 1.0, '{"a": 1}')
    await store.put_review(done)
    await store.put_review(ReviewRow("t", 0, 1, 7.0, 0.5))  # another process was slower
    assert await store.review("t", 0) == done
    assert await store.reviews_of("ann") == [done]
    assert await store.reviews_of("ben") == []
    renewed = ReviewRow("t", 0, 2, 8.0, 0.1)
    await store.put_review(renewed)
    assert await store.review("t", 0) == done
    assert await store.begin_review(renewed, given_up=1.0)
    assert await store.review("t", 0) == renewed


async def test_a_review_is_begun_by_one_process(store: Store) -> None:
    await store.add_table(table("t", status="over"))
    assert await store.begin_review(ReviewRow("t", 0, 1, 5.0, 0.0), given_up=1.0)
    assert not await store.begin_review(ReviewRow("t", 0, 1, 6.0, 0.0), given_up=1.0)
    await store.put_review(ReviewRow("t", 0, 1, 7.0, 0.5))
    assert not await store.begin_review(ReviewRow("t", 0, 1, 8.0, 0.0), given_up=7.0)
    assert await store.review("t", 0) == ReviewRow("t", 0, 1, 7.0, 0.5)
    again = ReviewRow("t", 0, 1, 50.0, 0.0)
    assert await store.begin_review(again, given_up=20.0)
    assert await store.review("t", 0) == again
    await store.put_review(ReviewRow("t", 0, 1, 51.0, 1.0, "{}"))
    assert not await store.begin_review(ReviewRow("t", 0, 1, 99.0, 0.0), given_up=90.0)
    renewed = ReviewRow("t", 0, 2, 99.0, 0.0)
    assert await store.begin_review(renewed, given_up=90.0)
    assert await store.review("t", 0) == renewed


async def test_a_review_goes_with_its_table_and_with_whom_it_names(store: Store) -> None:
    await store.add_person(PersonRow("ann", "Ann", 1.0), PHONE)
    for id in ("old", "new"):
        await store.add_table(table(id, status="over", ended=10.0 if id == "old" else 99.0))
        await store.begin_review(ReviewRow(id, 1, 1, 5.0, 0.0), given_up=1.0)
        await store.put_review(ReviewRow(id, 1, 1, 5.0, 1.0, "{}"))
    assert await store.purge("over", 50.0, 10) == 1
    assert await store.review("old", 1) is None
    assert await store.review("new", 1) is not None
    await store.add_try("ann", "p", True, 1.0, {"ann happy-fox": Rating(1510.0, 1)})
    told = await store.export_person("ann")
    assert told is not None
    assert told["puzzles"] == [{"puzzle": "p", "solved": 1, "at": 1.0}]
    assert await store.forget_person("ann")
    assert await store.review("new", 1) is None
    await store.put_review(ReviewRow("new", 1, 1, 6.0, 1.0, '{"names": ["Ann"]}'))
    assert await store.review("new", 1) is None  # it was under way, and names her
    assert await store.tries("ann") == {}
    assert await store.rating("ann happy-fox") is None


async def test_where_a_table_comes_from_is_kept(store: Store) -> None:
    origin = {"moves": [[0, 3], [1, 2]], "seat": 1, "world": str(2**125)}
    branch = table("b", source="t", origin=origin)
    await store.add_table(table("t", status="over"))
    await store.add_table(branch)
    assert await store.table("b") == branch
    wanted = TableFilter(("running", "over"), source="t")
    assert [row.id for row in await store.tables(wanted)] == ["b"]


async def test_only_a_first_try_counts(store: Store) -> None:
    first = {"ann happy-fox": Rating(1480.0, 1), "p": Rating(1520.0, 1)}
    assert await store.add_try("ann", "p", False, 1.0, first)
    again = {"ann happy-fox": Rating(1600.0, 2), "p": Rating(1400.0, 2)}
    assert not await store.add_try("ann", "p", True, 2.0, again)
    assert await store.tries("ann") == {"p": False}
    assert await store.ratings(["ann happy-fox", "p", "q"]) == first


async def test_tries_are_listed_in_their_order(store: Store) -> None:
    for at, puzzle in enumerate("cab"):
        assert await store.add_try("ann", puzzle, True, float(at), {})
    assert list(await store.tries("ann")) == ["c", "a", "b"]
