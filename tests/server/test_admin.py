"""What an operator can do, from the command line and from the page, with one worker or three."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import websockets

from foxden.server.config import BadConfig, Config
from foxden.server.oversight import Oversight
from foxden.server.people import People
from foxden.server.store import ChatRow, DeviceRow, PersonRow, Store, open_store
from foxden.server.tidying import DAY, purge
from tests.cli.command import run as in_process
from tests.cli.command import start
from tests.server.postgres import postgres
from tests.server.rows import move, table
from tests.server.server import Person, Served, serving

TOKEN = "a token for the tests"


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Served, list[str]]]:
    """A server, and how `foxden admin` finds its tables."""
    data = tmp_path_factory.mktemp("site")
    arguments: list[str] = []
    if request.param == "postgres":
        arguments = ["--database", postgres().new_database()]
    workers = ["--workers", "3"] if request.param == "postgres" else []
    settings = {"FOXDEN_ADMIN_TOKEN": TOKEN, "FOXDEN_LIMITS": "false"}
    with serving(data, *arguments, *workers, **settings) as served:
        yield served, [*arguments, "--data", str(data)]


@pytest.fixture
def served(site: tuple[Served, list[str]]) -> Served:
    return site[0]


@pytest.fixture
def admin(site: tuple[Served, list[str]]) -> Any:
    def run(*arguments: str) -> str:
        # A ban comes from a process of its own, as an operator's does.
        command = start if arguments[0] == "ban" else in_process
        done = command("admin", *site[1], *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def id_of(person: Person) -> str:
    return str(person.get("/me").json()["id"])


def until(holds: Any) -> None:
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_banned_person_is_sent_away_and_kept_out(served: Served, admin: Any) -> None:
    mia, ben = Person(served, "Mia"), Person(served, "Ben")
    id = mia.open_table("happy-fox", "me", "me", access="listed")["id"]
    banned = id_of(ben)

    async def play() -> None:
        async with ben.sit(id) as socket:
            told = await asyncio.to_thread(admin, "ban", banned, "--reason", "Be kind.")
            assert "is banned" in told
            bye = await socket.expect("bye")
            assert "Be kind." in bye["reason"]

    asyncio.run(play())
    for _ in range(12):  # whichever worker takes the connection
        again = Person(served, None)
        again.http.cookies = ben.http.cookies
        answer = again.get("/tables")
        assert (answer.status_code, answer.json()["type"]) == (403, "/problems/banned")
        assert "Be kind." in answer.json()["detail"]
    assert mia.get("/tables").status_code == 200
    ban = next(line for line in admin("bans").splitlines() if banned in line)
    admin("lift", ban.split()[1])
    until(lambda: ben.get("/tables").status_code == 200)
    assert "lift ban" in admin("audit")


def test_an_address_range_is_kept_out(served: Served, admin: Any) -> None:
    visitors = {"X-Forwarded-For": "198.51.100.7"}
    others = {"X-Forwarded-For": "198.51.101.7"}
    mia = Person(served, "Mia")
    assert mia.http.get("/tables", headers=visitors).status_code == 200
    made = admin("ban", "198.51.100.0/24", "--days", "2")
    until(lambda: mia.http.get("/tables", headers=visitors).status_code == 403)
    for _ in range(12):
        again = Person(served, None)
        until(lambda again=again: again.http.get("/games", headers=visitors).status_code == 403)
        assert again.http.get("/games", headers=others).status_code == 200
    id = mia.open_table("happy-fox", "me", "me")["id"]

    async def come() -> None:
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with mia.connect(id, headers=visitors):
                pass
        assert refused.value.response.status_code == 403

    asyncio.run(come())
    admin("lift", made.split("lift ")[1].split("`")[0])


def test_a_revoked_device_is_nobody_and_the_other_one_stays(served: Served, admin: Any) -> None:
    mia = Person(served, "Mia")
    phone = Person(served, None)
    token = mia.post("/me/link").json()["path"].removeprefix("/me/")
    assert phone.post("/me/claim", {"token": token}).status_code == 200
    id = mia.open_table("happy-fox", "me", "me")["id"]
    lines = admin("devices", id_of(mia)).splitlines()
    devices = [line.split()[1] for line in lines if "│" in line]
    assert len(devices) == 2

    async def lose() -> None:
        async with phone.sit(id) as lost, mia.sit(id) as kept:
            await asyncio.to_thread(admin, "revoke", devices[1])
            assert "no longer known" in (await lost.expect("bye"))["reason"]
            assert (await kept.ask("ping"))["type"] == "pong"

    asyncio.run(lose())
    for _ in range(12):
        again = Person(served, None)
        again.http.cookies = phone.http.cookies
        assert again.get("/me").json() is None
    assert mia.get("/me").json()["name"] == "Mia"


def test_a_table_is_closed_and_chat_is_removed(served: Served, admin: Any) -> None:
    mia = Person(served, "Mia")
    id = mia.open_table("happy-fox", "me", "me")["id"]

    async def talk() -> None:
        async with mia.sit(id) as socket:
            assert (await socket.ask("say", text="Something foul"))["type"] == "done"
            assert "1 lines" in await asyncio.to_thread(admin, "unsay", "--table", id)
            sync = await socket.expect("sync")
            assert sync["chat"][0]["removed"]
            assert "foul" not in json.dumps(sync)
            await asyncio.to_thread(until, lambda: id in admin("who"))  # written every second
            await asyncio.to_thread(admin, "close", id)
            assert "closed" in (await socket.expect("bye"))["reason"]

    asyncio.run(talk())
    assert mia.get(f"/tables/{id}").status_code == 404


def test_somebody_is_exported_and_forgotten(served: Served, admin: Any) -> None:
    mia, ben = Person(served, "Mia"), Person(served, "Benedict Unusual")
    id = mia.open_table("happy-fox", "me", "open", access="listed")["id"]
    assert ben.post(f"/tables/{id}/seats/1", {"kind": "me"}).status_code == 200
    gone = id_of(ben)

    async def play() -> None:
        async with ben.sit(id) as socket:
            assert mia.post(f"/tables/{id}/start").status_code == 200
            assert (await socket.ask("say", text="My secret diary"))["type"] == "done"

    asyncio.run(play())
    kept = json.loads(admin("export", gone))
    assert (kept["person"]["name"], kept["chat"][0]["text"]) == (
        "Benedict Unusual",
        "My secret diary",
    )
    assert [entry["table"] for entry in kept["tables"]] == [id]
    assert gone in admin("people", "dict unus")
    admin("forget", gone, "--yes")
    until(lambda: ben.get("/me").json() is None)
    until(lambda: mia.get(f"/tables/{id}").json()["seats"][1]["resigned"])
    seat = mia.get(f"/tables/{id}").json()["seats"][1]
    assert (seat["name"], seat["kind"]) == ("Somebody", "bot")

    async def look() -> None:
        async with mia.sit(id) as socket:
            assert "diary" not in json.dumps(socket.frames)
            assert "Unusual" not in json.dumps(socket.frames)

    asyncio.run(look())
    assert "Nobody" in admin("people", "dict unus")
    log = admin("audit")
    assert "export" in log
    assert "delete" in log


# The page's API


def test_the_page_opens_for_the_token_and_for_administrators_alone(
    served: Served, admin: Any
) -> None:
    mia, ben = Person(served, "Mia"), Person(served, "Ben")
    paths = ("guests", "bans", "audit", "people?name=Mia")

    def ask(person: Person, token: str | None = None) -> set[int]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        found = {person.http.get(f"/admin/{path}", headers=headers).status_code for path in paths}
        written = person.http.post("/admin/bans", headers=headers, json={"network": "x"})
        return found | ({written.status_code} - {422})

    assert ask(Person(served, None)) == {403}
    assert ask(ben) == {403}
    assert ask(ben, "not the token") == {401}
    assert ask(ben, TOKEN) == {200}
    admin("promote", id_of(mia))
    assert ask(mia) == {200}
    found = mia.get("/admin/people", name="Mia").json()
    assert id_of(mia) in [one["id"] for one in found]
    about = mia.get(f"/admin/people/{id_of(ben)}").json()
    assert len(about["devices"]) == 1
    made = mia.post("/admin/bans", {"person": id_of(ben), "days": 1})
    assert made.status_code == 201
    until(lambda: ben.get("/tables").status_code == 403)
    assert mia.delete(f"/admin/bans/{made.json()['id']}").status_code == 204
    assert mia.delete("/admin/bans/nothing").status_code == 404
    for bad in ({}, {"person": "x", "network": "y"}, {"network": "0.0.0.0/0"}, {"network": "x"}):
        assert mia.post("/admin/bans", bad).status_code == 422
    entry = mia.get("/admin/audit").json()[0]
    assert (entry["action"], entry["actor"]) == ("lift ban", f"Mia ({id_of(mia)})")
    assert mia.post("/admin/tidy").status_code == 200
    admin("demote", id_of(mia))
    assert ask(mia) == {403}


def test_a_short_token_is_refused() -> None:
    with pytest.raises(BadConfig, match="token"):
        Config(admin_token="short").check()


# What is old goes


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    url = f"sqlite:///{tmp_path}/foxden.db"
    found = open_store(postgres().new_database() if request.param == "postgres" else url)
    await found.open()
    yield found
    await found.close()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_what_is_old_goes_and_the_rest_stays(store: Store) -> None:
    now = time.time()
    config = Config()
    for name, age in (("old", 800.0), ("new", 1.0)):
        then = now - age * DAY
        person = PersonRow(name, name.title(), then, then)
        await store.add_person(person, DeviceRow(name, name, "hash", then, then))
        seats = table("x").seats
        await store.add_table(table(f"over{name}", status="over", ended=then, seats=seats))
        await store.say(ChatRow(f"over{name}", 0, "ann", "Ann", None, "Hm", then))
    await store.add_table(table("idle"))
    await store.append(move("idle", 1, at=now - 200 * DAY))
    await store.add_table(table("busy"))
    await store.append(move("busy", 1, at=now))
    later = now + 181 * DAY  # all rows were written just now
    gone = await purge(store, config, now)
    assert gone == {"chat": 1, "over": 1, "running": 0, "people": 1, "audit": 0}
    assert await store.person("old") is None
    assert await store.device("old") is None
    assert await store.table("overold") is None
    assert await store.person("new") is not None
    assert await store.table("overnew") is not None
    assert len(await store.chat("overnew")) == 1
    await Oversight(store, "a test").tidy(config)
    gone = await purge(store, config, later)
    assert gone["running"] == 2
    assert await store.moves("idle") == []
    for_ever = Config(keep_results=0, keep_chat=0, keep_people=0, keep_unfinished=0, keep_audit=0)
    assert not any((await purge(store, for_ever, now + 10000 * DAY)).values())
    assert [entry.action for entry in await store.audit()] == ["remove what is old"]


@pytest.mark.anyio
async def test_a_device_that_is_revoked_while_it_asks_is_nobody_from_then_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = People(store, "a secret for the tests, long enough")
    mia = await people.arrive("Mia")
    cookie = people.cookie(mia.id)
    people.forget()
    read = store.device

    async def revoked_meanwhile(id: str) -> tuple[DeviceRow, PersonRow] | None:
        found = await read(id)
        await store.remove_device(id)
        people.forget(mia.id)  # the notice of it comes before the answer
        return found

    monkeypatch.setattr(store, "device", revoked_meanwhile)
    await people.of_cookie(cookie)
    monkeypatch.setattr(store, "device", read)
    assert await people.of_cookie(cookie) is None
