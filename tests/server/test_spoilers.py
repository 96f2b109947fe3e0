"""People who spoil it for others: what they may take, and what a host and the others can do."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import foxden
from foxden.server import tidying
from foxden.server.seating import reseated
from foxden.server.store import PersonRow, SeatRow
from tests.server.inside import Inside, inside
from tests.server.postgres import postgres

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("compiled")]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["sqlite", "postgres"])
async def server(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Inside]:
    settings = {} if request.param == "sqlite" else {"database": postgres().new_database()}
    async with inside(tmp_path, limits=True, **settings) as found:
        yield found


async def ask(
    server: Inside, method: str, path: str, person: PersonRow, body: Any = None
) -> tuple[int, Any]:
    answer = await server.http.request(
        method, f"{server.address}/api{path}", headers=server.cookie(person), json=body
    )
    told: Any = answer.json() if answer.content else None
    if answer.status_code >= 400:
        return answer.status_code, told["type"].removeprefix("/problems/")
    return answer.status_code, told


async def open_table(
    server: Inside, person: PersonRow, *seats: str, **more: Any
) -> tuple[int, Any]:
    sitters = [{"kind": seat} for seat in seats]
    asked = {"game": "happy-fox", "seats": sitters, "pace": "instant", **more}
    return await ask(server, "POST", "/tables", person, asked)


# What one may take


async def test_one_person_cannot_take_every_open_seat(server: Inside) -> None:
    """Thirty tables, four free seats each; a stranger asks for all of them at once."""
    hosts = await server.arrive(*(f"Host {n}" for n in range(30)))
    ids = []
    for host in hosts:
        status, table = await open_table(
            server, host, "me", "open", "open", "open", "open", access="listed"
        )
        assert status == 201
        ids.append(table["id"])
    (spoiler,) = await server.arrive("Spoiler")
    asked = [
        ask(
            server,
            "POST",
            f"/tables/{id}/seats/{seat}",
            spoiler,
            {"kind": "me", "name": f"N{seat}"},
        )
        for seat in (1, 2, 3, 4)
        for id in ids
    ]
    answers = await asyncio.gather(*asked)
    assert sum(status == 200 for status, _ in answers) == server.hub.config.seats_per_person
    assert {told for status, told in answers if status != 200} <= {"too-many-tables", "seated"}
    (few,) = await server.arrive("Two seats")
    seats = [f"/tables/{ids[0]}/seats/{seat}" for seat in (3, 4)]
    sat = [await ask(server, "POST", path, few, {"kind": "me"}) for path in seats]
    assert (sat[0][0], sat[1]) == (200, (409, "seated"))
    # Everybody else still finds a seat.
    (ben,) = await server.arrive("Ben")
    _, lists = await ask(server, "GET", "/tables", ben)
    assert len(lists["open"]) == 20
    free = lists["open"][0]
    seat = next(s["seat"] for s in free["seats"] if s["kind"] == "open")
    assert (await ask(server, "POST", f"/tables/{free['id']}/seats/{seat}", ben, {"kind": "me"}))[
        0
    ] == 200


async def test_an_address_cannot_take_more_by_coming_as_many_people(server: Inside) -> None:
    server.hub.config.open_tables_per_address = 7
    server.hub.config.seats_per_address = 14
    crowd = [await server.hub.people.arrive(f"Sybil {n}", "127.0.0.1") for n in range(10)]
    answers = await asyncio.gather(
        *(open_table(server, one, "me", "open", "open") for one in crowd for _ in range(3))
    )
    assert sum(status == 201 for status, _ in answers) == 7
    opened = [told["id"] for status, told in answers if status == 201]
    keys = {id: server.hub.people.invite_key(id) for id in opened}
    others = [await server.hub.people.arrive(f"Other {n}", "127.0.0.1") for n in range(10)]
    sat = await asyncio.gather(
        *(
            ask(server, "POST", f"/tables/{id}/seats/{seat}?key={keys[id]}", one, {"kind": "me"})
            for one, seat in zip(others, [1, 2] * 5, strict=True)
            for id in opened
        )
    )
    assert sum(status == 200 for status, _ in sat) == 14 - 7


async def test_open_tables_and_unfinished_ones_have_bounds(server: Inside) -> None:
    server.hub.config.unfinished_per_person = 8
    (mia,) = await server.arrive("Mia")
    answers = [await open_table(server, mia, "me", "open") for _ in range(7)]
    assert [status for status, _ in answers] == [201] * 5 + [409] * 2
    assert answers[-1][1] == "too-many-tables"
    assert [(await open_table(server, mia, "me", "bot"))[0] for _ in range(4)] == [201] * 3 + [409]
    first = answers[0][1]["id"]
    assert (await ask(server, "DELETE", f"/tables/{first}", mia))[0] == 204
    assert (await open_table(server, mia, "me", "open"))[0] == 201


async def test_the_lobby_shows_what_can_be_joined_page_by_page(server: Inside) -> None:
    """Sixty full tables that nobody begins do not hide those with a free seat."""
    server.hub.config.open_tables_per_person = 1000
    (mia, spoiler, ben) = await server.arrive("Mia", "Spoiler", "Ben")
    joinable = []
    for _ in range(5):
        _, table = await open_table(server, mia, "me", "open", access="listed")
        joinable.append(table["id"])
    for n in range(60):
        table = await server.open_table(
            f"full{n}", "happy-fox", [spoiler, spoiler], status="open", created=time.time() + n
        )
        assert table.row.status == "open"
    _, lists = await ask(server, "GET", "/tables", ben)
    assert [table["id"] for table in lists["open"]] == joinable[::-1]
    for n in range(40):
        row = await server.open_table(f"free{n:02}", "happy-fox", [mia, mia], status="open")
        await row.change(lambda row: reseated(row, 1, SeatRow("open")))
    seen: list[str] = []
    before = ""
    pages = 0
    while True:
        _, page = await ask(server, "GET", f"/tables?list=open&before={before}", ben)
        assert len(page["open"]) <= 20
        seen += [table["id"] for table in page["open"]]
        pages += 1
        if "open" not in page["next"]:
            break
        before = page["next"]["open"]
    assert pages == 3
    assert len(seen) == len(set(seen)) == 45
    assert (await ask(server, "GET", "/tables?list=open&before=x-y", ben)) == (422, "bad-request")


async def test_a_table_that_nobody_begins_expires(server: Inside) -> None:
    (mia,) = await server.arrive("Mia")
    _, left = await open_table(server, mia, "me", "open")
    _, held = await open_table(server, mia, "me", "open")
    _, begun = await open_table(server, mia, "me", "bot")
    async with server.connect(held["id"], mia) as socket:
        await socket.recv()
        await server.hub._tell_presence()
        late = time.time() + server.hub.config.open_hours * 3600 + 60
        assert await tidying.expire_open(server.hub, late - 120) == 0
        assert await tidying.expire_open(server.hub, late) == 1
    assert (await ask(server, "GET", f"/tables/{left['id']}", mia))[0] == 404
    assert (await ask(server, "GET", f"/tables/{held['id']}", mia))[0] == 200
    assert (await ask(server, "GET", f"/tables/{begun['id']}", mia))[0] == 200


async def test_chat_is_bounded_and_paged(server: Inside) -> None:
    (mia,) = await server.arrive("Mia")
    _, table = await open_table(server, mia, "me", "open")
    found = await server.hub.find(table["id"])
    assert found is not None
    for n in range(520):
        await found.chat.say(found.row, mia, f"line {n}")
    assert len(found.chat.lines) == 50
    sync = found.sync(mia, 0, False)
    assert [line.number for line in sync.chat] == list(range(471, 521))
    kept: list[int] = []
    before = sync.chat[0].number
    while True:
        _, page = await ask(server, "GET", f"/tables/{table['id']}/chat?before={before}", mia)
        kept = [line["number"] for line in page["lines"]] + kept
        assert len(page["lines"]) <= 50
        if not page["more"] or not page["lines"]:
            break
        before = page["lines"][0]["number"]
    assert kept == list(range(21, 471))


# What a host can do


async def test_a_host_frees_a_seat_and_whoever_had_it_stays_out(server: Inside) -> None:
    mia, ben, tom = await server.arrive("Mia", "Ben", "Tom")
    _, table = await open_table(server, mia, "me", "open", "open", access="listed")
    path = f"/tables/{table['id']}"
    assert (await ask(server, "POST", f"{path}/seats/1", ben, {"kind": "me"}))[0] == 200
    assert (await ask(server, "POST", f"{path}/seats/1", tom, {"kind": "open"}))[0] == 403
    async with server.connect(table["id"], ben) as socket:
        while '"seat":1,"view"' not in await asyncio.wait_for(socket.recv(), 20):
            pass
        _, freed = await ask(server, "POST", f"{path}/seats/1", mia, {"kind": "open"})
        assert freed["seats"][1]["kind"] == "open"
        while '"seat":null,"view"' not in await asyncio.wait_for(socket.recv(), 20):
            pass
    assert (await ask(server, "POST", f"{path}/seats/1", ben, {"kind": "me"}))[0] == 403
    assert (await ask(server, "POST", f"{path}/seats/1", tom, {"kind": "me"}))[0] == 200
    _, replaced = await ask(server, "POST", f"{path}/seats/1", mia, {"kind": "bot", "level": 2})
    assert replaced["seats"][1]["level"] == 2


async def test_a_host_mutes_and_removes_and_only_a_host(server: Inside) -> None:
    mia, ben, tom = await server.arrive("Mia", "Ben", "Tom")
    _, table = await open_table(server, mia, "me", "open", access="listed")
    path = f"/tables/{table['id']}"
    found = await server.hub.find(table["id"])
    assert found is not None
    await found.chat.say(found.row, ben, "Rubbish")
    await found.chat.say(found.row, tom, "Hello")
    voices = [line.voice for line in found.sync(mia, 0, False).chat]
    assert len(set(voices)) == 2
    assert ben.id not in "".join(voices)
    assert (await ask(server, "POST", f"{path}/mutes", ben, {"voice": voices[1]}))[0] == 403
    assert (await ask(server, "POST", f"{path}/mutes", mia, {"voice": "nobody"}))[0] == 404
    _, muted = await ask(server, "POST", f"{path}/mutes", mia, {"voice": voices[0]})
    assert muted["muted"] == [voices[0]]
    with pytest.raises(foxden.FoxdenError, match="muted"):
        await found.chat.say(found.row, ben, "More rubbish")
    await found.chat.say(found.row, tom, "Peace")
    assert (await ask(server, "DELETE", f"{path}/chat/1", tom))[0] == 404
    assert (await ask(server, "DELETE", f"{path}/chat/2", tom))[0] == 204
    assert (await ask(server, "DELETE", f"{path}/chat/1", mia))[0] == 204
    await until(lambda: [line.removed for line in found.chat.lines] == [True, True, False])
    assert "Rubbish" not in str(found.sync(None, None, False).chat)
    assert (await ask(server, "DELETE", f"{path}/mutes/{voices[0]}", mia))[1]["muted"] == []
    await found.chat.say(found.row, ben, "Sorry")


async def until(holds: Any) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


async def test_a_host_closes_a_table_but_not_under_those_who_play(server: Inside) -> None:
    mia, ben = await server.arrive("Mia", "Ben")
    alone = await server.open_table("alone", "happy-fox", [mia, mia])
    await play(alone)
    assert (await ask(server, "DELETE", "/tables/alone", ben))[0] == 403
    assert (await ask(server, "DELETE", "/tables/alone", mia))[0] == 204
    assert (await ask(server, "GET", "/tables/alone", mia))[0] == 404
    assert await server.hub.store.moves("alone") == []
    table = await server.open_table("both", "happy-fox", [mia, ben], began=server.hub.uptime())
    assert (await ask(server, "DELETE", "/tables/both", mia)) == (409, "others-play")
    server.hub.uptime.raise_to(server.hub.uptime() + table.row.grace * 60 + 1)
    assert (await ask(server, "DELETE", "/tables/both", mia))[0] == 204


async def play(table: Any) -> None:
    match = table.playing()
    await table.play(match.to_act, match.ply, match.legal()[0].id, "person")


# Whoever is away, and whoever has had enough


async def test_an_absent_player_is_replaced_after_the_grace_and_may_come_back(
    server: Inside,
) -> None:
    mia, ben, tom = await server.arrive("Mia", "Ben", "Tom")
    hub = server.hub
    table = await server.open_table(
        "away", "happy-fox", [mia, ben], began=hub.uptime(), grace=5, host=tom.id
    )
    path = "/tables/away/seats/1/replace"
    async with server.connect("away", ben) as here:
        await here.recv()
        assert (await ask(server, "POST", path, mia)) == (409, "present")
        hub.uptime.raise_to(hub.uptime() + 3600)
        assert (await ask(server, "POST", path, mia)) == (409, "present")
    await until(lambda: not table.audience.onlookers)
    assert (await ask(server, "POST", path, mia)) == (409, "too-early")
    info = table.info(mia).seats[1]
    assert info.replace_in is not None
    assert 290 < info.replace_in <= 300
    hub.uptime.raise_to(hub.uptime() + 301)
    (stranger,) = await server.arrive("Stranger")
    assert (await ask(server, "POST", path, stranger))[0] == 403
    status, told = await ask(server, "POST", path, mia)  # not the host, who is away as well
    assert (status, told["seats"][1]["standin"]) == (200, True)
    while table.playing().to_act == 0:
        await play(table)
    await until(lambda: table.playing().to_act == 0 or table.playing().is_over)
    assert "bot" in {move.by for move in await hub.store.moves("away")}
    async with server.connect("away", ben, seat=1) as back:
        await back.recv()
        await back.send('{"type":"standin","ref":1,"seat":1,"level":null}')
        while '"done"' not in (answer := await back.recv()):
            assert '"refused"' not in answer
    assert table.row.seats[1].level is None


async def test_an_absence_outlives_a_restart(tmp_path: Path) -> None:
    async with inside(tmp_path) as server:
        mia, ben = await server.arrive("Mia", "Ben")
        await server.open_table("away", "happy-fox", [mia, ben], began=0.0, grace=5)
        async with server.connect("away", ben) as here:
            await here.recv()
        server.hub.uptime.raise_to(server.hub.uptime() + 200)
    async with inside(tmp_path) as server:
        assert (await ask(server, "POST", "/tables/away/seats/1/replace", mia))[1] == "too-early"
        server.hub.uptime.raise_to(server.hub.uptime() + 105)
        assert (await ask(server, "POST", "/tables/away/seats/1/replace", mia))[0] == 200


async def test_those_who_wait_begin_without_a_host_who_stays_away(server: Inside) -> None:
    mia, ben = await server.arrive("Mia", "Ben")
    _, table = await open_table(server, mia, "me", "open", "open", access="listed", grace=2)
    path = f"/tables/{table['id']}"
    assert (await ask(server, "POST", f"{path}/start", ben))[0] == 403
    assert (await ask(server, "POST", f"{path}/seats/1", ben, {"kind": "me"}))[0] == 200
    assert (await ask(server, "POST", f"{path}/start", ben)) == (409, "too-early")
    found = await server.hub.find(table["id"])
    assert found is not None
    async with server.connect(table["id"], mia) as here:
        await here.recv()
        assert (await ask(server, "POST", f"{path}/start", ben))[0] == 403
    await until(lambda: not found.audience.onlookers)
    assert (await ask(server, "POST", f"{path}/start", ben)) == (409, "too-early")
    server.hub.uptime.raise_to(server.hub.uptime() + 121)
    status, begun = await ask(server, "POST", f"{path}/start", ben)
    assert (status, begun["status"]) == (200, "running")


async def test_whoever_resigns_is_played_on_by_a_bot_and_the_record_stays_valid(
    server: Inside,
) -> None:
    mia, ben = await server.arrive("Mia", "Ben")
    table = await server.open_table("resigned", "happy-fox", [mia, ben], watch="seated")
    for _ in range(4):
        await play(table)
    status, told = await ask(server, "DELETE", "/tables/resigned/seats/1", ben)
    assert status == 200
    seat = told["seats"][1]
    assert (seat["kind"], seat["resigned"], seat["name"]) == ("bot", True, "Ben")
    assert (await ask(server, "GET", "/tables", ben))[1]["mine"] == []
    dice = random.Random(3)
    while not table.playing().is_over:
        match = table.playing()
        if match.to_act == 0:
            action = dice.choice(match.legal())
            await table.play(0, match.ply, action.id, "person")
        else:
            await asyncio.sleep(0.01)
    await until(lambda: table.row.status == "over")
    _, recent = await ask(server, "GET", "/tables", ben)
    assert [one["seats"][1]["resigned"] for one in recent["recent"]] == [True]
    answer = await server.ask("GET", "/tables/resigned/record", ben)
    again = foxden.Match.from_record(answer.text)
    assert (again.ply, again.scores) == (table.ply, table.playing().scores)
    _, rematch = await ask(server, "POST", "/tables/resigned/rematch", mia)
    assert sorted(seat["kind"] for seat in rematch["seats"]) == ["bot", "person"]
    assert "Ben" not in [seat["name"] for seat in rematch["seats"]]


async def test_seats_taken_at_the_same_moment_keep_to_the_bound(server: Inside) -> None:
    """The bound holds for requests that are on their way at once, not only one by one."""
    server.hub.config.open_tables_per_person = 3
    (mia,) = await server.arrive("Mia")
    answers = await asyncio.gather(*(open_table(server, mia, "me", "open") for _ in range(12)))
    assert sum(status == 201 for status, _ in answers) == 3
