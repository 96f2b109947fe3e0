"""Reviews, branches, the daily deal and puzzles, over a real server."""

import asyncio
import random
import signal
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

import foxden
from foxden.review.puzzles import puzzles_of
from tests.server.server import COMPILED, PATIENCE, Person, Served, serving


def finish(person: Person, table: dict[str, Any], dice: int = 1) -> dict[str, Any]:
    """Plays a table to its end, at random."""

    async def play() -> None:
        async with person.sit(table["id"], seat=0) as seat:
            assert (await seat.ask("hurry", pace="instant"))["type"] == "done"
            await seat.play_on(random.Random(dice))

    asyncio.run(play())
    end = time.monotonic() + PATIENCE
    while (info := person.get(f"/tables/{table['id']}").json())["status"] != "over":
        assert time.monotonic() < end
    found: dict[str, Any] = info
    return found


def reviewed(person: Person, table: str, seat: int) -> dict[str, Any]:
    """Asks for a review until it is there."""
    path = f"/tables/{table}/reviews/{seat}"
    end = time.monotonic() + 3 * PATIENCE
    seen = 0.0
    while True:
        answer = person.post(path)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        assert told["done"] >= seen
        seen = told["done"]
        if told["status"] == "done":
            return told
        assert time.monotonic() < end, told
        time.sleep(0.2)


def problem(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].removeprefix("/problems/")


def test_a_review_is_computed_once_for_everybody(mia: Person, ben: Person) -> None:
    table = mia.open_table("happy-fox", "me", "bot:1")
    path = f"/tables/{table['id']}/reviews"
    assert problem(mia.post(f"{path}/0")) == (409, "running")
    assert problem(mia.post(f"{path}/1")) == (403, "forbidden")
    assert problem(ben.post(f"{path}/0")) == (404, "not-found")
    over = finish(mia, table)
    assert mia.get(f"{path}/0").json() == {"status": "none", "done": 0.0, "review": None}
    assert problem(mia.post(f"{path}/2")) == (422, "bad-request")
    told = reviewed(mia, table["id"], 0)
    review = told["review"]
    assert (review["game"], review["seat"]) == ("happy-fox", 0)
    assert review["scores"] == over["scores"]
    assert len(review["values"]) == over["ply"] + 1
    account = review["account"]
    parts = sum(account[part] for part in ("start", "deal", "draws", "others", "decisions"))
    assert abs(parts - account["result"]) < 1e-9
    key = over["invite"].partition("key=")[2]
    assert ben.get(f"{path}/0", key=key).json() == told
    play = mia.get("/me/play").json()
    assert [(one["game"], one["matches"]) for one in play] == [("happy-fox", 1)]
    assert sum(kind["decisions"] for kind in play[0]["kinds"]) == len(review["decisions"])
    assert problem(Person(mia.served, None).get("/me/play")) == (401, "nobody")


def test_a_branch_is_played_from_what_the_seat_knew(mia: Person, ben: Person) -> None:
    table = mia.open_table("happy-fox", "me", "bot:1")
    path = f"/tables/{table['id']}/branches"
    asked = {"ply": 4, "seat": 0}
    assert problem(mia.post(path, asked)) == (409, "running")
    over = finish(mia, table)
    assert problem(mia.post(path, asked | {"ply": over["ply"]})) == (422, "bad-request")
    assert problem(mia.post(path, asked | {"seat": 5})) == (422, "bad-request")
    assert problem(ben.post(path, asked)) == (404, "not-found")
    branch = mia.post(path, asked)
    assert branch.status_code == 201
    told = branch.json()
    origin = {"kind": "branch", "day": None, "table": table["id"], "ply": 4, "seat": 0}
    assert told["origin"] == origin | {"open": False}
    assert told["seed"] is None
    before = mia.get(f"/tables/{table['id']}/positions/4", seat=0).json()["view"]
    after = mia.get(f"/tables/{told['id']}/positions/0", seat=0).json()["view"]
    assert after["table"] == before["table"]
    assert after["legal"] == before["legal"]
    ended = finish(mia, told)
    assert problem(mia.post(f"/tables/{told['id']}/reviews/0")) == (409, "branch")
    assert problem(mia.post(f"/tables/{told['id']}/branches", asked)) == (409, "branch")
    opened = mia.post(path, asked | {"open": True}).json()
    assert opened["origin"]["open"] is True
    found = mia.get(path).json()
    assert [one["table"] for one in found] == [opened["id"], told["id"]]
    assert [one["open"] for one in found] == [True, False]
    assert found[1]["score"] == ended["scores"][0]
    # Again: from the same position, with what was hidden dealt anew, beside the match as before.
    again = mia.post(f"/tables/{told['id']}/rematch").json()
    assert again["origin"] == told["origin"]
    assert [seat["name"] for seat in again["seats"]] == [seat["name"] for seat in told["seats"]]
    assert mia.get(f"/tables/{again['id']}/positions/0", seat=0).json()["view"] == after
    assert again["id"] in [one["table"] for one in mia.get(path).json()]
    assert mia.post(f"/tables/{told['id']}/rematch").json()["id"] == again["id"]
    # Whoever gets the link sees it.
    link = found[1]["path"].partition("key=")[2]
    assert ben.get(f"/tables/{told['id']}", key=link).status_code == 200


def test_the_daily_deal_is_played_once_and_compared(served: Served, mia: Person) -> None:
    ben, zoe = Person(served, "Ben"), Person(served, "Zoe")
    today = mia.get("/daily").json()
    day = today["day"]
    field = f"/daily/happy-fox/{day}"
    mine = {game["game"]: game for game in today["games"]}["happy-fox"]
    assert (mine["status"], mine["table"]) == ("new", None)
    assert today["ends"] > time.time()
    tables = [person.post("/daily/happy-fox").json() for person in (mia, ben)]
    assert len({table["id"] for table in tables}) == 2
    assert tables[0]["seed_hash"] == tables[1]["seed_hash"]
    assert tables[0]["origin"]["day"] == day
    assert tables[0]["hints"] is False
    # One try: the same table again, which cannot be thrown away, nor played under another name.
    assert mia.post("/daily/happy-fox").json()["id"] == tables[0]["id"]
    assert problem(mia.delete(f"/tables/{tables[0]['id']}")) == (409, "daily")
    assert problem(mia.post("/people", {"name": "Mia again"})) == (409, "known")
    assert tables[0]["can_undo"] is False
    assert problem(mia.get(field)) == (403, "forbidden")
    assert problem(zoe.get(f"/tables/{tables[0]['id']}")) == (404, "not-found")
    for person, table in zip((mia, ben), tables, strict=True):
        finish(person, table, dice=1 if person is mia else 2)
    assert problem(zoe.get(field)) == (403, "forbidden")
    assert ben.get(field).status_code == 200
    told = mia.get(field).json()
    assert not told["over"]
    own = [entry for entry in told["entries"] if entry["mine"]]
    other = [entry for entry in told["entries"] if entry["name"] == "Ben"]
    assert [entry["name"] for entry in own] == ["Mia"]
    assert own[0]["parted"] is None
    parted = other[0]["parted"]
    assert parted["mine"] != parted["theirs"]
    words = {
        action["says"]
        for action in mia.get(
            f"/tables/{tables[0]['id']}/positions/{parted['ply'] - 1}", seat=0
        ).json()["view"]["legal"]
    }
    assert {parted["mine"], parted["theirs"]} <= words
    assert other[0]["path"] is None
    assert sorted(entry["place"] for entry in told["entries"])[0] == 1
    over = mia.post("/daily/happy-fox").json()
    assert over["status"] == "over"
    # Others may still play the deal, so nobody is told its seed before the day is over.
    assert over["seed"] is None
    record = mia.get(f"/tables/{over['id']}/record").text
    assert over["seed_hash"] in record
    assert "seed:" not in record
    played_on = mia.post(f"/tables/{over['id']}/branches", {"ply": 1, "seat": 0, "level": 1})
    assert problem(played_on) == (409, "daily")
    yesterday = date.fromisoformat(day) - timedelta(days=1)
    past = zoe.get(f"/daily/happy-fox/{yesterday}").json()
    assert past["over"]
    assert past["entries"] == []
    tomorrow = date.fromisoformat(day) + timedelta(days=2)
    assert problem(zoe.get(f"/daily/happy-fox/{tomorrow}")) == (422, "bad-request")
    assert problem(zoe.get("/daily/happy-fox/2026-13-1")) == (422, "bad-request")


def test_the_same_moves_meet_the_same_bots(served: Served) -> None:
    lines = []
    for name in ("Ann", "Bea"):
        person = Person(served, name)
        table = person.post("/daily/happy-fox").json()
        finish(person, table, dice=5)
        record = person.get(f"/tables/{table['id']}/record").text
        lines.append([line for line in record.splitlines() if line[:1].isdigit()])
    assert lines[0] == lines[1]


def test_a_puzzle_is_solved_once_for_a_rating(served: Served, mia: Person) -> None:
    known = puzzles_of(foxden.game("happy-fox"))
    told = mia.get("/puzzles/happy-fox/next").json()
    puzzle = known[told["id"]]
    assert told["view"]["seat"] == puzzle.seat
    legal = {action["id"] for action in told["view"]["legal"]}
    assert puzzle.best in legal
    path = f"/puzzles/happy-fox/{puzzle.id}"
    assert problem(mia.post(path, {"action": 999_999})) == (422, "bad-request")
    wrong = mia.post(path, {"action": puzzle.greedy}).json()
    assert (wrong["solved"], wrong["best"]) == (False, puzzle.best)
    assert wrong["change"] < 0
    again = mia.post(path, {"action": puzzle.best}).json()
    assert again["solved"] is True
    assert again["change"] == 0
    assert again["rating"] == wrong["rating"]
    ben = Person(served, "Ben")
    right = ben.post(path, {"action": puzzle.best}).json()
    assert right["change"] > 0
    assert mia.get("/puzzles/happy-fox/next").json()["id"] != puzzle.id
    mine = {game["game"]: game for game in mia.get("/puzzles").json()}["happy-fox"]
    assert (mine["tried"], mine["solved"]) == (1, 0)
    assert problem(mia.get("/puzzles/happy-fox/0000000000")) == (404, "not-found")
    assert problem(mia.get("/puzzles/happy-fox/next", kind="none-such")) == (404, "not-found")


@pytest.mark.slow
def test_where_all_play_together_a_review_counts_points(tmp_path: Path) -> None:
    # A random player is faster than a person may be.
    settings = {"FOXDEN_REVIEW_EFFORT": "0.01", "FOXDEN_LIMITS": "false", **COMPILED}
    with serving(tmp_path, **settings) as served:
        mia = Person(served, "Mia")
        options = {"cooperative": "yes"}
        table = mia.open_table("fox-and-squirrels", "me", "bot:1", options=options)
        over = finish(mia, table)
        review = reviewed(mia, table["id"], 0)["review"]
        assert (review["measure"], review["winners"]) == ("points", [])
        assert review["account"]["result"] == over["scores"][0]
        assert mia.get("/me/play").json() == []  # no chances are in it


@pytest.mark.slow
def test_a_branch_and_a_review_survive_a_kill(tmp_path: Path) -> None:
    effort = {"FOXDEN_REVIEW_EFFORT": "0.01", **COMPILED}
    with serving(tmp_path, **effort) as first:
        mia = Person(first, "Mia")
        table = finish(mia, mia.open_table("happy-fox", "me", "bot:1"))
        review = reviewed(mia, table["id"], 0)
        branch = mia.post(f"/tables/{table['id']}/branches", {"ply": 6, "seat": 0}).json()
        position = f"/tables/{branch['id']}/positions/0"
        before = mia.get(position, seat=0).json()["view"]
        first.stop(signal.SIGKILL)
    with serving(tmp_path, **effort) as second:
        mia.http = httpx.Client(
            base_url=f"{second.address}/api", cookies=mia.http.cookies, timeout=PATIENCE
        )
        mia.served = second
        assert mia.get(position, seat=0).json()["view"] == before
        assert mia.get(f"/tables/{table['id']}/reviews/0").json() == review
        finish(mia, branch)
