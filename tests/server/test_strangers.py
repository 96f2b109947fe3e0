"""What a determined stranger tries on undo, the daily deal, reviews and branches."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from typing import Any

import httpx
import pytest

from foxden.server import daily
from foxden.server.daily_api import _rank
from tests.server.inside import ROW
from tests.server.server import Person, Served, serving
from tests.server.test_looking_back import finish, problem

TOKEN = "a-token-for-administrators"


@pytest.fixture(scope="module")
def besieged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with limits, which must not once fail while all this goes on."""
    with serving(tmp_path_factory.mktemp("besieged"), FOXDEN_ADMIN_TOKEN=TOKEN) as one:
        yield one
        metrics = httpx.get(f"{one.address}/api/metrics").text
        assert "foxden_faults_total 0.0" in metrics, one.log.read_text()


def kind(answer: dict[str, Any]) -> str:
    """Returns what an answer over the socket is: its type, or why it was refused."""
    if answer["type"] != "refused":
        return str(answer["type"])
    assert 400 <= answer["problem"]["status"] < 500, answer
    return str(answer["problem"]["type"].removeprefix("/problems/"))


def test_a_storm_of_undos_beside_bots_is_answered_and_leaves_a_whole_match(
    besieged: Served,
) -> None:
    mia, eve = Person(besieged, "Mia"), Person(besieged, "Eve")
    id = mia.open_table("happy-fox", "me", "bot:3", access="listed")["id"]
    dice = random.Random(1)

    async def storm() -> Counter[str]:
        async with mia.sit(id) as seat, eve.sit(id) as spy:
            for ask in (
                {"type": "undo", "ply": 0},
                {"type": "hurry", "pace": "instant"},
                {"type": "standin", "seat": 0, "level": 1},
                {"type": "look", "seat": 0},
                {"type": "hint"},
            ):
                assert kind(await spy.ask(**ask)) == "forbidden"
            await seat.play_on(dice, until=6)
            answers: dict[int, str] = {}
            last = 1000
            for n in range(70):
                last += 1
                ply = dice.choice([seat.ply, seat.ply - 1, seat.ply + 1, 0, -1, 10**20])
                asked: dict[str, Any] = {"type": "undo", "ply": ply}
                if n % 7 == 0 and seat.view and seat.view["legal"]:
                    action = seat.view["legal"][0]["id"]
                    asked = {"type": "play", "seat": 0, "ply": seat.view["ply"], "action": action}
                elif n % 11 == 0:
                    asked = {"type": "standin", "seat": 0, "level": dice.choice([None, 1, 9])}
                await seat.socket.send(json.dumps(asked | {"ref": last}))
            while last not in answers:
                answer = await seat.take()
                if "ref" in answer:
                    answers[answer["ref"]] = kind(answer)
            assert len(answers) == 70
        return Counter(answers.values())

    assert asyncio.run(storm()).keys() <= {
        *("done", "stale-ply", "standin", "bad-request", "too-many-requests"),
        *("not-running", "not-your-turn", "match-over", "nothing-to-undo"),
    }

    async def end() -> None:
        async with mia.sit(id) as seat:
            await seat.ask("standin", seat=0, level=None)
            await seat.play_on(dice, alone=False)
            for ply in (seat.ply, 0):
                assert kind(await seat.ask("undo", ply=ply)) in ("match-over", "standin")
            assert kind(await seat.ask("standin", seat=0, level=3)) == "not-running"

    asyncio.run(end())
    record = mia.get(f"/tables/{id}/record").text
    assert record.startswith("foxden record 2")


def test_private_matches_answer_nothing_to_those_without_a_key(besieged: Served) -> None:
    mia, eve, nobody = (
        Person(besieged, "Mia"),
        Person(besieged, "Eve"),
        Person(besieged, None),
    )
    table = mia.open_table("happy-fox", "me", "bot:1", watch="seated")
    path = f"/tables/{table['id']}"
    for status in ("running", "over"):
        for who in (eve, nobody):
            for end in ("", "/reviews/0", "/record", "/positions/0", "/branches"):
                assert problem(who.get(path + end)) == (404, "not-found"), (status, end)
                assert who.get(path + end, key="a" * 16).status_code == 404
        for end, asked in (
            ("/reviews/0", None),
            ("/branches", {"ply": 0, "seat": 0}),
            ("/rematch", None),
            ("/seats/0/replace", None),
            ("/mutes", {"voice": "abc"}),
        ):
            assert problem(eve.post(path + end, asked)) == (404, "not-found"), (status, end)
        if status == "running":
            finish(mia, table)
    # Whoever has the key of such a table sees that it is there, and no more.
    key = table["invite"].partition("key=")[2]
    assert eve.get(path, key=key).status_code == 200
    for end in ("/record", "/reviews/0", "/branches", "/positions/0"):
        assert problem(eve.get(path + end, key=key)) == (403, "forbidden")


def test_a_thousand_reviews_asked_for_at_once_leave_the_server_answering(besieged: Served) -> None:
    mia, ben = Person(besieged, "Mia"), Person(besieged, "Ben")
    path = f"/tables/{finish(mia, mia.open_table('happy-fox', 'me', 'bot:1'))['id']}/reviews"
    with ThreadPoolExecutor(8) as pool:
        found = Counter(pool.map(lambda n: mia.post(f"{path}/{n % 3}").status_code, range(1000)))
    assert found.keys() <= {200, 422, 429}
    began = time.monotonic()
    assert ben.get("/me").json()["name"] == "Ben"
    assert time.monotonic() - began < 10


def test_the_page_of_administrators_is_shut_in_every_way(besieged: Served) -> None:
    eve, nobody = Person(besieged, "Eve"), Person(besieged, None)
    paths = httpx.get(f"{besieged.address}/api/openapi.json").json()["paths"]
    asked = 0
    for path, methods in paths.items():
        if "/admin/" not in path:
            continue
        url = re.sub(r"\{\w+\}", "abc", path)
        for method in methods:
            for who in (eve, nobody):
                for token in (None, "Bearer wrong", f"Bearer {TOKEN[:-1]}", "é", "Basic " + TOKEN):
                    headers = {} if token is None else {"Authorization": token.encode()}
                    answer = who.http.request(
                        method.upper(),
                        f"{besieged.address}{url}",
                        headers=headers,  # type: ignore[arg-type]
                        params={"name": "a", "table": "abc"},
                        json={} if method in ("post", "put", "patch") else None,
                    )
                    assert answer.status_code in (401, 403, 429), (method, url, answer.text)
                    asked += 1
    assert asked > 50


def test_a_daily_deal_tells_its_seed_nowhere_and_takes_no_help(served: Served) -> None:
    mia, eve = Person(served, "Mia"), Person(served, "Eve")
    table = mia.post("/daily/happy-fox").json()
    path = f"/tables/{table['id']}"

    async def help_oneself() -> None:
        async with mia.sit(table["id"]) as seat:
            assert kind(await seat.ask("standin", seat=0, level=5)) == "daily"
            assert kind(await seat.ask("undo", ply=0)) == "daily"
            assert kind(await seat.ask("hint")) == "forbidden"
            assert not seat.table["seats"][0]["standin"]

    asyncio.run(help_oneself())
    assert problem(mia.post(f"{path}/seats/0/replace")) == (409, "daily")
    over = finish(mia, table)
    again = mia.post(f"{path}/rematch").json()
    assert again["seed_hash"] != over["seed_hash"]
    assert again["origin"] is None
    assert problem(mia.post(f"{path}/branches", {"ply": 0, "seat": 0, "open": True})) == (
        409,
        "daily",
    )
    told = [
        over,
        mia.get("/tables").json(),
        mia.get(path).json(),
        mia.get("/daily").json(),
        mia.get(f"/daily/happy-fox/{table['origin']['day']}").json(),
        mia.get(f"{path}/positions/{over['ply']}", open=True).json(),
    ]

    async def sync() -> None:
        async with mia.sit(table["id"]) as seat:
            told.extend(map(json.loads, seat.frames))

    asyncio.run(sync())
    assert not list(seeds_in(told))
    assert "seed:" not in mia.get(f"{path}/record").text
    key = over["invite"].partition("key=")[2]
    for end in ("/record", "/positions/0", "/reviews/0"):
        assert problem(eve.get(path + end, key=key)) == (403, "forbidden")


def seeds_in(told: Any) -> Iterator[Any]:
    """Finds every seed that is told of a daily deal."""
    if isinstance(told, dict):
        if told.get("seed") is not None and (told.get("origin") or {}).get("kind") == "daily":
            yield told["seed"]
        for one in told.values():
            yield from seeds_in(one)
    elif isinstance(told, list):
        for one in told:
            yield from seeds_in(one)


def test_whoever_plays_a_deal_on_after_its_day_comes_after_those_who_did_not() -> None:
    day = date(2026, 11, 16).isoformat()
    end = daily.ends(day)
    row = replace(ROW, status="over", origin={"day": day})
    poor = replace(row, ended=end - 1, scores=(5, 9), winners=(1,))
    good = replace(row, ended=end - 9, scores=(9, 5), winners=(0,))
    late = replace(row, ended=end, scores=(99, 0), winners=(0,))
    assert sorted((late, poor, good), key=_rank) == [good, poor, late]
