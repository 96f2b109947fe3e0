"""Opening, finding, filling and leaving tables; replays and records."""

import asyncio
import random
from typing import Any

import pytest

import foxden
from foxden.engine.rng import seed_hash
from tests.server.server import Person, Served


def problem(answer: Any) -> tuple[int, str, str | None]:
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    told = answer.json()
    assert told["status"] == answer.status_code
    assert told["detail"]
    return answer.status_code, told["type"].removeprefix("/problems/"), told["field"]


def test_people_arrive_take_another_name_and_move_to_another_device(served: Served) -> None:
    nobody = Person(served, None)
    assert nobody.get("/me").json() is None
    assert problem(nobody.post("/tables", {"game": "happy-fox", "seats": []}))[0] == 401
    assert problem(nobody.post("/people", {"name": ""})) == (422, "bad-request", "name")
    assert problem(nobody.post("/people", {"name": "x" * 25}))[2] == "name"
    assert problem(nobody.post("/people", {"name": "\u200b"}))[2] == "name"
    assert problem(nobody.post("/people", {"name": "A", "admin": True}))[2] == "admin"
    mia = Person(served, " Mia  Fox ")
    assert mia.get("/me").json()["name"] == "Mia Fox"
    assert mia.http.patch("/me", json={"name": "Mia"}).json()["name"] == "Mia"
    path = mia.post("/me/link").json()["path"]
    phone = Person(served, None)
    token = path.removeprefix("/me/")
    assert phone.post("/me/claim", {"token": token}).json() == mia.get("/me").json()
    assert phone.get("/me").json() == mia.get("/me").json()
    assert problem(Person(served, None).post("/me/claim", {"token": token}))[0] == 404


def test_a_forged_cookie_is_nobodys(served: Served, mia: Person) -> None:
    value = mia.http.cookies["foxden"]
    said, seal = value.rsplit(".", 1)
    # Not the seal's last sign: base64 ignores some of its bits.
    other_seal = said + "." + ("B" if seal[0] == "A" else "A") + seal[1:]
    for forged in (other_seal, said, "x" + value, "", "a.b.c"):
        stranger = Person(served, None)
        stranger.http.cookies.set("foxden", forged)
        assert stranger.get("/me").json() is None


def test_games_options_levels_and_guides(mia: Person) -> None:
    games = mia.get("/games").json()
    assert [game["name"] for game in games] == list(foxden.games())
    for game in games:
        assert len(game["levels"]) == 5
        for option in game["options"]:
            assert option["help"]
            assert option["kind"] in ("flag", "choice", "number", "texts")
        guide = mia.get(f"/games/{game['name']}/guide").json()
        text = foxden.game(game["name"]).guide
        ids = {line.split("**")[1] for line in text.splitlines() if line.startswith("- **")}
        assert set(guide["rules"]) == ids
        assert all(f'<li id="{id}">' in guide["html"] for id in ids)
        assert "<script" not in guide["html"]
    assert problem(mia.get("/games/chess"))[:2] == (404, "unknown-game")


def test_what_cannot_be_played_names_its_field(mia: Person) -> None:
    def check(**asked: Any) -> Any:
        return mia.post("/games/happy-fox/check", asked)

    assert check(seats=4).status_code == 204
    assert problem(check(seats=9)) == (422, "bad-seats", "seats")
    assert problem(check(seats=2, options={"x": 1})) == (422, "bad-option", "options.x")
    bad = check(seats=2, options={"unknown_four": 7})
    assert problem(bad) == (422, "bad-option", "options.unknown_four")
    assert problem(check(seats=2, parts={"dogs": 99})) == (422, "bad-parts", "parts.dogs")
    assert problem(check(seats=2, parts={"cats": 1})) == (422, "bad-parts", "parts.cats")
    assert problem(check(seats="2")) == (422, "bad-request", "seats")
    assert problem(mia.post("/games/happy-fox/check", [1]))[0] == 422
    asked = {"game": "happy-fox", "seats": [{"kind": "me"}], "clock": {"kind": "move"}}
    assert problem(mia.post("/tables", asked))[2] == "clock.move.seconds"


def test_unlisted_tables_do_not_exist_for_strangers(mia: Person, ben: Person) -> None:
    table = mia.open_table("happy-fox", "me", "open")
    path = f"/tables/{table['id']}"
    key = table["invite"].split("key=")[1]
    for answer in (
        ben.get(path),
        ben.get(path, key="x" * 16),
        ben.post(f"{path}/seats/1", {"kind": "me"}),
        ben.get(f"{path}/positions/0"),
        ben.get(f"{path}/record"),
        ben.post(f"{path}/start"),
        ben.post(f"{path}/rematch"),
        ben.delete(path),
    ):
        assert problem(answer) == (404, "not-found", None)
    assert ben.get("/tables/aaaaaaaaaa").json() == ben.get(path).json()
    assert ben.get(path, key=key).status_code == 200
    assert table["id"] not in ben.get("/tables").text
    assert table["id"] in mia.get("/tables").text

    async def strangers() -> None:
        async with ben.connect(table["id"]) as socket:
            assert '"status":404' in await socket.recv()
            await socket.wait_closed()
            assert socket.close_code == 4404

    asyncio.run(strangers())


def test_seats_are_taken_freed_and_filled(mia: Person, ben: Person) -> None:
    table = mia.open_table("happy-fox", "me", "open", "open", access="listed")
    path = f"/tables/{table['id']}"
    assert table["id"] in [t["id"] for t in ben.get("/tables").json()["open"]]
    assert problem(ben.post(f"{path}/seats/0", {"kind": "me"}))[:2] == (409, "seat-taken")
    assert problem(ben.post(f"{path}/seats/1", {"kind": "bot"}))[0] == 403
    assert problem(ben.post(f"{path}/start"))[0] == 403
    assert problem(ben.delete(path))[0] == 403
    sat = ben.post(f"{path}/seats/1", {"kind": "me", "name": "Benny"}).json()
    assert (sat["seats"][1]["name"], sat["seats"][1]["mine"]) == ("Benny", True)
    assert problem(mia.post(f"{path}/seats/5", {"kind": "me"}))[2] == "seat"
    bot = mia.post(f"{path}/seats/2", {"kind": "bot", "level": 2}).json()["seats"][2]
    assert (bot["kind"], bot["level"], bot["here"]) == ("bot", 2, True)
    assert mia.post(f"{path}/seats/2", {"kind": "open"}).json()["seats"][2]["kind"] == "open"
    assert ben.delete(f"{path}/seats/1").json()["seats"][1]["kind"] == "open"
    begun = mia.post(f"{path}/start").json()
    assert [seat["kind"] for seat in begun["seats"]] == ["person", "bot", "bot"]
    assert len({seat["name"] for seat in begun["seats"]}) == 3
    assert problem(mia.post(f"{path}/start"))[:2] == (409, "started")
    other = mia.open_table("happy-fox", "me", "open")
    assert mia.delete(f"/tables/{other['id']}").status_code == 204
    assert problem(mia.get(f"/tables/{other['id']}"))[0] == 404


def test_bots_that_come_later_have_the_level_that_was_chosen(mia: Person, ben: Person) -> None:
    seats = [{"kind": "me"}, *[{"kind": "open", "level": 2}] * 3]
    table = mia.post("/tables", {"game": "happy-fox", "seats": seats}).json()
    assert [seat["level"] for seat in table["seats"]] == [None, 2, 2, 2]
    path, key = f"/tables/{table['id']}", table["invite"].split("key=")[1]
    sat = ben.post(f"{path}/seats/1", {"kind": "me"}, key=key).json()
    assert (sat["seats"][1]["level"], sat["seats"][1]["standin"]) == (None, False)
    # Who gets up leaves the seat to a bot like the others; so does who leaves the match.
    assert ben.delete(f"{path}/seats/1").json()["seats"][1]["level"] == 2
    ben.post(f"{path}/seats/1", {"kind": "me"}, key=key)
    begun = mia.post(f"{path}/start").json()
    assert [(seat["kind"], seat["level"]) for seat in begun["seats"]] == [
        ("person", None), ("person", None), ("bot", 2), ("bot", 2),
    ]  # fmt: skip
    assert ben.delete(f"{path}/seats/1", key=key).json()["seats"][1]["level"] == 2


def test_a_quick_match_can_be_played_with_any_number_of_seats(mia: Person) -> None:
    for game in mia.get("/games").json():
        for seats in (game["usual"], game["seats"][0]):
            asked = {"seats": seats, "options": game["quick"]}
            assert mia.post(f"/games/{game['name']}/check", asked).status_code == 204
        standard = {option["name"]: option["standard"] for option in game["options"]}
        assert all(standard[name] != value for name, value in game["quick"].items())
    box = mia.get("/games/fox-and-squirrels").json()
    assert "fox" in box["blurb"]
    assert box["quick"]["foxes"] != "none"


def test_a_table_for_the_seated_has_no_watchers(mia: Person, ben: Person) -> None:
    table = mia.open_table("happy-fox", "me", "bot:1", access="listed", watch="seated")
    assert problem(ben.get(f"/tables/{table['id']}/positions/0"))[0] == 403

    async def watch() -> None:
        async with ben.connect(table["id"]) as socket:
            assert '"status":403' in await socket.recv()

    asyncio.run(watch())


@pytest.fixture
def over(mia: Person) -> dict[str, Any]:
    table = mia.open_table("happy-fox", "me", "bot:1", "bot:2", access="listed")
    assert problem(mia.get(f"/tables/{table['id']}/record"))[0] == 409
    assert problem(mia.post(f"/tables/{table['id']}/rematch"))[0] == 409

    async def match() -> dict[str, Any]:
        async with mia.sit(table["id"]) as one:
            await one.play_on(random.Random(5))
            while one.table["status"] != "over":
                await one.expect("table")
            return one.table

    return asyncio.run(match())


def test_a_match_that_is_over_is_replayed_from_any_seat_and_with_all_open(
    mia: Person, ben: Person, over: dict[str, Any]
) -> None:
    path = f"/tables/{over['id']}"
    assert over["seed_hash"] == seed_hash(int(over["seed"]))
    match = foxden.Match.from_record(ben.get(f"{path}/record").text)
    for ply in (0, 1, 20, match.ply):
        then = match.at(ply)
        for seat in (None, 0, 1, 2):
            query = {} if seat is None else {"seat": seat}
            told = ben.get(f"{path}/positions/{ply}", **query).json()
            assert told["view"] == then.view(seat)
            assert told["plies"] == match.ply
            assert told["log"] == then.log(seat, since=max(ply - 1, 0))
        told = ben.get(f"{path}/positions/{ply}", open=True).json()
        assert told["view"] == then.open_view()
        assert all(seat["hand"] is not None for seat in told["view"]["table"]["seats"])
    assert problem(ben.get(f"{path}/positions/{match.ply + 1}"))[0] == 404
    assert problem(ben.get(f"{path}/positions/0", seat=3))[0] == 422
    assert over["id"] in [t["id"] for t in mia.get("/tables").json()["recent"]]


def test_a_running_match_is_looked_back_at_only_with_ones_own_eyes(
    mia: Person, ben: Person
) -> None:
    table = mia.open_table("happy-fox", "me", "me", access="listed")
    path = f"/tables/{table['id']}/positions/0"
    own = mia.get(path, seat=1).json()
    assert own["view"]["table"]["seats"][1]["hand"]
    assert own["view"]["table"]["seats"][0]["hand"] is None
    assert mia.get(path).json()["view"]["table"]["seats"][0]["hand"] is None
    assert problem(ben.get(path, seat=1))[0] == 403
    assert problem(mia.get(path, open=True))[0] == 403
    assert table["seed"] is None
    assert mia.get(f"/tables/{table['id']}").json()["seed"] is None


def test_a_rematch_rotates_the_seats_once(mia: Person, ben: Person, over: dict[str, Any]) -> None:
    path = f"/tables/{over['id']}/rematch"
    again = mia.post(path).json()
    names = [seat["name"] for seat in over["seats"]]
    assert [seat["name"] for seat in again["seats"]] == [*names[1:], names[0]]
    assert again["status"] == "running"
    assert again["seed_hash"] != over["seed_hash"]
    assert mia.post(path).json()["id"] == again["id"]
    assert mia.get(f"/tables/{over['id']}").json()["rematch"] == again["id"]
    assert problem(ben.post(path))[0] == 403
