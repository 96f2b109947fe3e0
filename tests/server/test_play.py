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
