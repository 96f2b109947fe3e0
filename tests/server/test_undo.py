"""Going back to one's last decision, alone against bots."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import foxden
from foxden.engine.match import Match
from foxden.server import tables
from foxden.server.store import UNDO, PersonRow, SeatRow, TableFilter, kept_moves
from foxden.server.tables import Table
from tests.server.inside import Inside, inside
from tests.server.postgres import postgres
from tests.server.rows import move
from tests.server.server import Seat

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("compiled")]
HOOT = SeatRow("bot", name="Hoot", level=1)
FORCED = 3  # a seed with which Mia has no choice at first


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {} if request.param == "sqlite" else {"database": postgres().new_database()}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Inside]:
    async with inside(tmp_path) as found:
        yield found


def seated(person: PersonRow) -> SeatRow:
    return SeatRow("person", person.id, person.name)


async def alone(server: Inside, person: PersonRow, **changes: Any) -> Table:
    seats = (seated(person), HOOT)
    return await server.open_table("solo", "happy-fox", [person], **{"seats": seats} | changes)


async def decide(one: Seat, decisions: int, dice: random.Random) -> list[dict[str, Any]]:
    """Plays until so many decisions are made and another is due; returns what was seen at each."""
    seen: list[dict[str, Any]] = []
    while True:
        while not (one.view and one.view["legal"]):
            await one.take()
        view = one.view
        if len(view["legal"]) > 1:
            if len(seen) == decisions:
                return seen
            seen.append(view)
        assert (await one.play(dice.choice(view["legal"])["id"]))["type"] == "done"
        while one.ply <= view["ply"]:
            await one.take()


async def undo(one: Seat) -> dict[str, Any]:
    """Goes back, and takes what is shown then."""
    answer = await one.ask("undo", ply=one.ply)
    assert answer["type"] == "done", answer
    assert one.ply == answer["ply"]  # the Sync came first
    assert one.view is not None
    return one.view


async def test_one_goes_back_decision_by_decision_and_on_another_way(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    async with inside(tmp_path, **settings) as server:
        (mia,) = await server.arrive("Mia")
        table = await alone(server, mia)
        async with server.connect("solo", mia) as socket:
            one = Seat(socket)
            await one.expect("sync")
            assert one.table["can_undo"]
            seen = await decide(one, 4, random.Random(1))
            while seen:
                then = seen.pop()
                assert await undo(one) == then
                assert len(one.log) == then["ply"]
            assert one.table["undone"] == 4
            # Whoever has not yet seen what bots did goes back all the same.
            ply = one.ply
            await decide(one, 1, random.Random(5))
            assert one.ply > ply + 1
            assert (await one.ask("undo", ply=ply))["problem"]["type"] == "/problems/stale-ply"
            assert (await one.ask("undo", ply=ply + 1))["ply"] == ply == one.ply
            await decide(one, 3, random.Random(2))  # the other way
            last = one.view
            assert table.live.number > table.live.ply == one.ply
    async with inside(tmp_path, **settings) as server:  # all of it was on disk
        async with server.connect("solo", mia) as socket:
            again = Seat(socket)
            await again.expect("sync")
            assert (again.view, again.table["undone"]) == (last, 5)
            assert await undo(again) != last
            await again.play_on(random.Random(3))
            while again.table["status"] != "over":
                await again.expect("table")
            refused = await again.ask("undo", ply=again.ply)
            assert refused["problem"]["type"] == "/problems/match-over"
            assert not again.table["can_undo"]
        record = (await server.ask("GET", "/tables/solo/record", mia)).text
        match = foxden.Match.from_record(record)
        assert match.log(0) == again.log
        rows = await server.hub.store.moves("solo")
        assert [(m.seat, m.action) for m in kept_moves(rows)] == [(s, a.id) for s, a in match.moves]
        recent = (await server.ask("GET", "/tables", mia)).json()["recent"]
        assert [told["undone"] for told in recent] == [6]


async def test_a_match_does_not_grow_for_ever(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_UNDONE", 5)
    (mia,) = await server.arrive("Mia")
    table = await alone(server, mia)
    async with server.connect("solo", mia) as socket:
        one = Seat(socket)
        await one.expect("sync")
        for turn in range(5):
            await decide(one, 1, random.Random(turn))
            await undo(one)
        await decide(one, 1, random.Random(9))
        number, ply = table.live.number, one.ply
        answer = await one.ask("undo", ply=ply)
        assert answer["problem"]["type"] == "/problems/undone"
        assert answer["problem"]["status"] == 409
        assert (table.live.number, table.live.undone) == (number, 5)
        await one.play_on(random.Random(3))


async def test_a_list_of_tables_marks_those_with_undos_that_nobody_is_at(server: Inside) -> None:
    (mia,) = await server.arrive("Mia")
    table = await alone(server, mia)
    wanted = TableFilter(("running",), person=mia.id)
    async with server.connect("solo", mia) as socket:
        one = Seat(socket)
        await one.expect("sync")
        await decide(one, 2, random.Random(1))
        await undo(one)
        await undo(one)
        (listed,) = await server.hub.store.listed(wanted)
        assert (listed.ply, listed.number) == (one.ply, table.live.number)
        await decide(one, 2, random.Random(2))
        await undo(one)
        ply = one.ply
    row = table.row
    (listed,) = await server.hub.store.listed(wanted)
    assert (listed.undone, listed.ply, listed.number) == (3, ply, table.live.number)
    await server.hub.store.rest("solo", server.hub.workers.me, None, table.driver.rest)
    server.hub._drop(table)
    (told,) = (await server.ask("GET", "/tables", mia)).json()["mine"]
    assert (told["undone"], told["to_act"], told["can_undo"]) == (3, 0, True)
    assert told["ply"] == ply
    assert row.status == "running"
    assert ply == table.live.ply


async def test_what_was_no_choice_is_nothing_to_take_back(server: Inside) -> None:
    (mia,) = await server.arrive("Mia")
    await alone(server, mia, seed=FORCED)
    for decisions in (0, 1):
        async with server.connect("solo", mia) as socket:
            one = Seat(socket)
            await one.expect("sync")
            await decide(one, decisions, random.Random(1))
        async with server.connect("solo", mia) as socket:
            again = Seat(socket)
            assert (await again.expect("sync"))["decided"] == (decisions > 0)
            assert any(entry["seat"] == 0 for entry in again.log)  # moves of her own, all the same
            await again.ask("undo", ply=again.ply)
    async with server.connect("solo", mia) as socket:
        assert (await Seat(socket).expect("sync"))["decided"] is False


async def test_a_bot_that_thought_about_what_was_taken_back_plays_nothing(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its choice would fit the ply, and not the position."""
    (mia,) = await server.arrive("Mia")
    table = await alone(server, mia, pace="relaxed")
    async with server.connect("solo", mia) as socket:
        one = Seat(socket)
        await one.expect("sync")
        while not (one.view and len(one.view["legal"]) > 1):
            await one.take()
        first, other = (action["id"] for action in one.view["legal"][:2])
        ply = one.ply

        async def choose(match: Match, level: int, owner: object, luck: int | None = None) -> int:
            return match.legal()[0 if match.played[ply].id == first else -1].id

        monkeypatch.setattr(server.hub.thinking, "choose", choose)
        for action in (first, other):  # to the same ply, twice, while the bot takes its time
            await one.play(action)
            while one.ply <= ply:
                await one.take()
            if action == first:
                await undo(one)
        while one.ply < ply + 2:
            await one.take()
        assert table.match is not None
        assert len(table.match.at(ply + 1).legal()) > 1
        mine, bots = table.match.played[ply : ply + 2]
        assert (mine.id, bots) == (other, table.match.at(ply + 1).legal()[-1])


async def test_another_process_goes_back_too(tmp_path: Path) -> None:
    database = postgres().new_database()
    async with (
        inside(tmp_path / "a", database=database, secret="a secret of the tests") as here,
        inside(tmp_path / "b", database=database, secret="a secret of the tests") as there,
    ):
        (mia,) = await here.arrive("Mia")
        await alone(here, mia)
        async with here.connect("solo", mia) as near, there.connect("solo", mia) as far:
            one, other = Seat(near), Seat(far)
            await one.expect("sync")
            await other.expect("sync")
            seen = await decide(one, 3, random.Random(1))
            while other.ply < one.ply:
                await other.take()
            assert await undo(other) == seen[-1]
            while one.view != seen[-1]:
                await one.take()
            await decide(one, 2, random.Random(2))  # and it goes on, through either
            while other.view != one.view:
                await other.take()
            assert one.table["undone"] == other.table["undone"] == 1


REFUSED: list[tuple[str, dict[str, Any], str, int]] = [
    ("a friend", {"seats": ("mia", "ben")}, "not-alone", 409),
    ("a friend who resigned", {"seats": ("mia", "gone")}, "not-alone", 409),
    ("a clock", {"clock": {"kind": "move", "seconds": 3000}}, "clock", 409),
    ("a stand-in", {"seats": ("away", "bot")}, "standin", 409),
    ("nothing played", {}, "nothing-to-undo", 409),
    ("an older position", {"ply": -1}, "stale-ply", 409),
    ("a spectator", {"who": "ben"}, "forbidden", 403),
]


@pytest.mark.parametrize(("why", "case", "name", "status"), REFUSED, ids=[r[0] for r in REFUSED])
async def test_what_cannot_be_taken_back_is_refused_and_changes_nothing(
    server: Inside, why: str, case: dict[str, Any], name: str, status: int
) -> None:
    mia, ben = await server.arrive("Mia", "Ben")
    sitters = {
        "mia": seated(mia),
        "ben": seated(ben),
        "gone": SeatRow("bot", ben.id, "Ben", 1, resigned=True),
        "away": replace(seated(mia), level=1),
        "bot": HOOT,
    }
    changes = {key: value for key, value in case.items() if key == "clock"}
    seats = tuple(sitters[name] for name in case.get("seats", ("mia", "bot")))
    # A slow pace: no bot plays while this goes on.
    table = await alone(server, mia, seats=seats, pace="relaxed", **changes)
    async with server.connect("solo", {"ben": ben}.get(case.get("who", ""), mia)) as socket:
        one = Seat(socket)
        await one.expect("sync")
        assert one.table["can_undo"] == (name in ("nothing-to-undo", "stale-ply"))
        number = table.live.number
        answer = await one.ask("undo", ply=one.ply + case.get("ply", 0))
        assert answer["type"] == "refused", why
        assert answer["problem"]["type"] == f"/problems/{name}"
        assert answer["problem"]["status"] == status
        assert table.live.number == number
        assert not table.live.undone


def test_an_undo_takes_back_what_came_after_its_position() -> None:
    rows = [move("t", 1), move("t", 2), move("t", 3), move("t", 4, action=1, by=UNDO)]
    rows += [move("t", 5), move("t", 6, action=2, by=UNDO), move("t", 7)]
    assert [row.ply for row in kept_moves(rows)] == [1, 5, 7]
    assert kept_moves([*rows, move("t", 8, action=0, by=UNDO)]) == []
