"""Whole matches over real sockets, and what is refused at a table."""

import asyncio
import random

import pytest

import foxden
from tests.server.server import Person, Served


@pytest.mark.parametrize("game", foxden.games())
def test_two_people_and_bots_play_a_whole_match(served: Served, game: str) -> None:
    served.await_game(game)
    mia, ben = Person(served, "Mia"), Person(served, "Ben")
    seats = ["me", "open"] + ["bot:1"] * (foxden.game(game).about.usual - 2)
    table = mia.open_table(game, *seats)
    assert table["status"] == "open"
    key = table["invite"].split("key=")[1]
    assert ben.post(f"/tables/{table['id']}/seats/1", {"kind": "me"}, key=key).status_code == 200

    async def match() -> None:
        async with mia.sit(table["id"]) as one, ben.sit(table["id"]) as two:
            assert one.view is None
            assert mia.post(f"/tables/{table['id']}/start").json()["status"] == "running"
            dice = random.Random(1)
            await asyncio.gather(one.play_on(dice), two.play_on(dice))
            for seat in (one, two):
                while seat.table["status"] != "over":
                    await seat.expect("table")
            assert one.view is not None
            assert one.table["scores"] == one.view["scores"]
            record = ben.get(f"/tables/{table['id']}/record").text
            assert f"seed: {one.table['seed']}\n" in record
            replayed = foxden.Match.from_record(record)
            assert list(replayed.scores) == one.table["scores"]
            assert replayed.log(0) == one.log
            assert replayed.log(1) == two.log
            assert [e["ply"] for e in one.log] == list(range(1, one.ply + 1))

    asyncio.run(match())


def test_what_does_not_fit_is_refused_and_changes_nothing(mia: Person, ben: Person) -> None:
    table = mia.open_table("happy-fox", "me", "me", access="listed")

    async def talk() -> None:
        async with mia.sit(table["id"], seat=0) as one, ben.sit(table["id"]) as other:
            assert one.view is not None
            before = one.view
            asked, ply = before["to_act"], one.ply
            tries = [
                ({"seat": asked, "ply": ply + 1, "action": 0}, "stale-ply", 409),
                ({"seat": asked, "ply": -1, "action": 0}, "stale-ply", 409),
                ({"seat": 1 - asked, "ply": ply, "action": 1}, "not-your-turn", 409),
                ({"seat": 7, "ply": ply, "action": 1}, "bad-request", 422),
                ({"seat": asked, "ply": ply, "action": 0}, "illegal-action", 422),
                ({"seat": asked, "ply": ply, "action": 99999}, "unknown-action", 422),
                ({"seat": asked, "ply": ply, "action": "fox"}, "bad-message", 400),
                ({"seat": asked, "ply": ply, "action": 1, "more": 1}, "bad-message", 400),
                ({"seat": asked, "ply": ply}, "bad-message", 400),
            ]
            for fields, name, status in tries:
                answer = await one.ask("play", **fields)
                assert answer["type"] == "refused", fields
                assert answer["problem"]["type"] == f"/problems/{name}", answer
                assert answer["problem"]["status"] == status
                if name in ("stale-ply", "not-your-turn"):
                    assert (await one.expect("sync"))["view"] == before
            illegal = await one.ask("play", seat=asked, ply=ply, action=0)
            assert illegal["problem"]["rule"] == "HF-5"
            foreign = await other.ask("play", seat=asked, ply=ply, action=1)
            assert foreign["problem"]["status"] == 403
            assert (await other.ask("look", seat=0))["problem"]["status"] == 403
            assert (await other.ask("hint"))["problem"]["status"] == 403
            assert (await other.ask("standin", seat=0, level=3))["problem"]["status"] == 403
            for raw in ("", "{", "[]", "null", '{"type":"fly"}', '{"type":5}', "\x00", '"play"'):
                await one.socket.send(raw)
                assert (await one.expect("refused"))["problem"]["status"] == 400
            assert (await one.ask("ping"))["type"] == "pong"
            assert (await one.ask("look", seat=0))["type"] == "done"
            assert (await one.expect("sync"))["view"] == before

    asyncio.run(talk())


def test_a_person_with_two_seats_looks_through_one_at_a_time(mia: Person) -> None:
    table = mia.open_table("happy-fox", "me", "me")

    async def talk() -> None:
        async with mia.sit(table["id"], seat=0) as one:
            for seat in (1, None, 0):
                assert (await one.ask("look", seat=seat))["type"] == "done"
                sync = await one.expect("sync")
                assert sync["seat"] == seat
                hands = [at["hand"] is not None for at in sync["view"]["table"]["seats"]]
                assert hands == [seat == 0, seat == 1]

    asyncio.run(talk())


def test_a_reload_shows_exactly_where_the_match_is(mia: Person) -> None:
    table = mia.open_table("happy-fox", "me", "bot:1")

    async def talk() -> None:
        dice = random.Random(2)
        async with mia.sit(table["id"]) as one, mia.sit(table["id"]) as twin:
            await one.play_on(dice, until=20)
            while twin.ply < one.ply:
                await twin.take()
            while one.ply < twin.ply:
                await one.take()
            assert (twin.view, twin.log) == (one.view, one.log)
        async with mia.sit(table["id"]) as again:
            assert again.log[: len(one.log)] == one.log
            await again.play_on(dice)
            assert again.is_over

    asyncio.run(talk())


def test_the_host_changes_the_pace_at_any_time(mia: Person, ben: Person) -> None:
    table = mia.open_table("happy-fox", "me", "open", "bot:1", pace="relaxed")
    key = table["invite"].split("key=")[1]
    assert ben.post(f"/tables/{table['id']}/seats/1", {"kind": "me"}, key=key).status_code == 200
    mia.post(f"/tables/{table['id']}/start")

    async def talk() -> None:
        async with mia.sit(table["id"]) as one, ben.sit(table["id"]) as other:
            assert (await other.ask("hurry", pace="instant"))["problem"]["status"] == 403
            assert (await one.ask("hurry", pace="at once"))["problem"]["status"] == 400
            assert one.table["pace"] == "relaxed"
            assert (await one.ask("hurry", pace="instant"))["type"] == "done"
            while other.table["pace"] != "instant":
                await other.take()

    asyncio.run(talk())


def test_a_bot_stands_in_and_gives_the_seat_back(mia: Person) -> None:
    table = mia.open_table("happy-fox", "me", "bot:1")

    async def talk() -> None:
        async with mia.sit(table["id"]) as one:
            assert (await one.ask("standin", seat=0, level=9))["problem"]["status"] == 422
            assert (await one.ask("standin", seat=0, level=1))["type"] == "done"
            while one.ply < 12:
                await one.take()
            assert one.table["seats"][0]["standin"]
            refused = await one.ask("play", seat=0, ply=one.ply, action=1)
            assert refused["problem"]["type"] in ("/problems/standin", "/problems/stale-ply")
            if not one.is_over:
                assert (await one.ask("standin", seat=0, level=None))["type"] == "done"
                await one.play_on(random.Random(3), alone=False)
            assert one.is_over

    asyncio.run(talk())


def test_who_leaves_sees_no_more_than_a_spectator(mia: Person, ben: Person) -> None:
    table = mia.open_table("happy-fox", "me", "open", pace="relaxed")
    key = table["invite"].split("key=")[1]
    assert ben.post(f"/tables/{table['id']}/seats/1", {"kind": "me"}, key=key).status_code == 200
    mia.post(f"/tables/{table['id']}/start")

    async def talk() -> None:
        async with ben.sit(table["id"], key=key) as two, mia.sit(table["id"]) as one:
            assert two.view is not None
            assert two.view["table"]["seats"][1]["hand"]
            left = ben.delete(f"/tables/{table['id']}/seats/1", key=key).json()
            assert left["seats"][1]["kind"] == "bot"
            assert not left["seats"][1]["mine"]
            sync = await two.expect("sync")
            assert sync["seat"] is None
            assert sync["view"]["table"]["seats"][1]["hand"] is None
            assert (await two.ask("look", seat=1))["problem"]["status"] == 403
            at = ben.get(f"/tables/{table['id']}/positions/0", seat=1, key=key)
            assert at.status_code == 403
            while one.table["seats"][1]["kind"] == "person":
                await one.expect("table")
            assert one.table["seats"][1]["level"] == 4
        assert ben.delete(f"/tables/{table['id']}/seats/1", key=key).status_code == 403

    asyncio.run(talk())


def test_hints_and_chat(mia: Person, ben: Person) -> None:
    table = mia.open_table("happy-fox", "me", "me", access="listed")
    shy = mia.open_table("happy-fox", "me", "me", hints=False)

    async def talk() -> None:
        async with mia.sit(table["id"]) as one, ben.sit(table["id"]) as other:
            asked = one.view["to_act"] if one.view else 0
            await one.ask("look", seat=1 - asked)
            assert (await one.ask("hint"))["problem"]["type"] == "/problems/not-your-turn"
            await one.ask("look", seat=asked)
            await one.expect("sync")
            hints = await one.ask("hint")
            assert hints["type"] == "hints"
            assert one.view is not None
            assert {m["action"] for m in hints["moves"]} == {m["id"] for m in one.view["legal"]}
            assert all(m["says"] for m in hints["moves"])
            assert abs(sum(m["share"] for m in hints["moves"]) - 1) < 1e-6
            assert (await one.ask("say", text="  good   luck "))["type"] == "done"
            line = (await other.expect("chat"))["line"]
            assert (line["name"], line["text"], line["seat"]) == ("Mia", "good luck", 0)
            assert (await other.ask("say", text="thanks"))["type"] == "done"
            assert (await one.expect("chat"))["line"]["seat"] is None
            for text in ("", "   ", "x" * 501, "a\x00b"):
                assert (await one.ask("say", text=text))["problem"]["field"] == "text"
        async with mia.sit(table["id"]) as back:
            sync = await back.ask("look", seat=0) and await back.expect("sync")
            assert [line["text"] for line in sync["chat"]] == ["good luck", "thanks"]
        async with mia.sit(shy["id"]) as one:
            assert (await one.ask("hint"))["problem"]["status"] == 403

    asyncio.run(talk())


def test_time_runs_out_and_a_bot_decides(mia: Person) -> None:
    clock = {"kind": "move", "seconds": 5}
    table = mia.open_table("happy-fox", "me", "me", clock=clock)

    async def talk() -> None:
        async with mia.sit(table["id"]) as one:
            update = await one.expect("update")
            assert update["log"][0]["ply"] == 1
            assert update["clock"]["due"] > update["clock"]["now"]

    asyncio.run(talk())
