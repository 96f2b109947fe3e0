"""Several processes on one PostgreSQL: what one takes, all tell; what one loses, others take up."""

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.postgres import children, postgres
from tests.server.server import Person, Seat, Served, serving


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    database = postgres().new_database()
    settings = ("--workers", "3", "--database", database)
    with serving(tmp_path_factory.mktemp("several"), *settings, FOXDEN_LIMITS="false") as one:
        yield one


def workers(served: Served) -> list[int]:
    return children(served.pid)


def test_people_at_different_processes_play_one_match(several: Served) -> None:
    mia, ben = Person(several, "Mia"), Person(several, "Ben")
    table = mia.open_table("happy-fox", "me", "open", "bot:1")
    key = table["invite"].split("key=")[1]
    assert ben.post(f"/tables/{table['id']}/seats/1", {"kind": "me"}, key=key).status_code == 200

    async def match() -> None:
        async with contextlib.AsyncExitStack() as stack:
            watching = [await stack.enter_async_context(mia.sit(table["id"])) for _ in range(4)]
            two = await stack.enter_async_context(ben.sit(table["id"]))
            assert mia.post(f"/tables/{table['id']}/start").status_code == 200
            dice = random.Random(1)

            async def look_on(seat: Seat) -> None:
                while not seat.is_over:
                    await seat.take()

            await asyncio.gather(
                watching[0].play_on(dice), two.play_on(dice), *map(look_on, watching[1:])
            )
            assert all(seat.log == watching[0].log for seat in watching)

    asyncio.run(match())


def test_another_worker_takes_up_what_a_dead_one_leaves(several: Served) -> None:
    mia = Person(several, "Mia")
    tables = [mia.open_table("happy-fox", "me", "bot:1", "bot:1") for _ in range(3)]

    async def go_on(id: str) -> None:
        """Plays to the end, coming back whenever the socket is lost."""
        dice = random.Random(2)
        end = time.monotonic() + 120
        while time.monotonic() < end:
            with contextlib.suppress(Exception):
                async with mia.sit(id) as one:
                    if one.is_over:
                        return
                    await one.play_on(dice)
            await asyncio.sleep(0.1)
        raise AssertionError("the match did not go on")

    async def matches() -> None:
        playing = asyncio.gather(*(go_on(table["id"]) for table in tables))
        for _ in range(2):
            await asyncio.sleep(1)
            os.kill(random.choice(workers(several)), signal.SIGKILL)
        await playing

    asyncio.run(matches())
    end = time.monotonic() + 30
    while len(alive := workers(several)) < 3 and time.monotonic() < end:
        time.sleep(0.2)
    assert len(alive) == 3


def test_a_new_name_is_new_on_every_connection(several: Served) -> None:
    mia, ben = Person(several, "Mia"), Person(several, "Ben")
    table = mia.open_table("happy-fox", "me", "open", access="listed")

    async def rename() -> None:
        async with contextlib.AsyncExitStack() as stack:
            # Every worker knows Ben, by requests and by sockets, before the name changes.
            before = [await stack.enter_async_context(ben.sit(table["id"])) for _ in range(12)]
            for _ in range(24):
                assert fresh(ben).get("/me").json()["name"] == "Ben"
            assert ben.http.patch("/me", json={"name": "Benjamin"}).status_code == 200
            names = [fresh(ben).get("/me").json()["name"] for _ in range(24)]
            assert names == ["Benjamin"] * 24
            for socket in before:
                assert (await socket.ask("say", text="Hello"))["type"] == "done"
            async with mia.connect(table["id"]) as socket:
                seat = Seat(socket)
                lines = (await seat.expect("sync"))["chat"]
                while len(lines) < 12:  # this worker may not have heard the last of them yet
                    lines.append((await seat.expect("chat"))["line"])
                assert [line["number"] for line in lines] == list(range(1, 13))
                assert [line["name"] for line in lines] == ["Benjamin"] * 12
        for n in range(12):
            opened = fresh(ben).open_table("happy-fox", "me", "bot:1")
            assert opened["seats"][0]["name"] == "Benjamin", n

    asyncio.run(rename())


def fresh(person: Person) -> Person:
    """The same person through a connection of its own, which any worker may take."""
    again = Person(person.served, None)
    again.http.cookies = person.http.cookies
    return again


def test_everybody_is_counted_whichever_worker_they_came_to(several: Served) -> None:
    mia, ben = Person(several, "Mia"), Person(several, "Ben")
    table = mia.open_table("happy-fox", "me", "me", access="listed")

    def told() -> set[tuple[int, bool]]:
        infos = [fresh(ben).get(f"/tables/{table['id']}").json() for _ in range(12)]
        return {(info["watchers"], info["seats"][0]["here"]) for info in infos}

    def await_told(watchers: int, here: bool) -> None:
        end = time.monotonic() + 30
        while (found := told()) != {(watchers, here)}:
            assert time.monotonic() < end, found
            time.sleep(0.1)

    async def come_and_go() -> None:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(9):
                await stack.enter_async_context(ben.sit(table["id"]))
            first = await stack.enter_async_context(mia.sit(table["id"]))
            await asyncio.to_thread(await_told, 9, True)
            end = time.monotonic() + 30
            while first.table["watchers"] != 9:  # whoever looks on is told, too
                assert time.monotonic() < end
                await first.expect("table", "sync")
        await asyncio.to_thread(await_told, 0, False)

    asyncio.run(come_and_go())
    assert 'watchers":0' in fresh(mia).get("/tables").text.replace(" ", "")


def test_nobody_is_counted_at_a_worker_that_died(several: Served) -> None:
    mia, ben = Person(several, "Mia"), Person(several, "Ben")
    table = mia.open_table("happy-fox", "me", "me", access="listed")

    async def watch() -> None:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(9):
                await stack.enter_async_context(ben.sit(table["id"]))
            for pid in workers(several):
                os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(1)

    with contextlib.suppress(Exception):
        asyncio.run(watch())
    end = time.monotonic() + 60
    while True:
        with contextlib.suppress(httpx.HTTPError, KeyError):
            if fresh(mia).get(f"/tables/{table['id']}").json()["watchers"] == 0:
                break
        assert time.monotonic() < end
        time.sleep(0.3)


def test_all_workers_stop_in_good_order(tmp_path: Path) -> None:
    database = postgres().new_database()
    with serving(tmp_path, "--workers", "2", "--database", database) as served:
        pids = workers(served)
        assert len(pids) == 2
        assert served.stop() == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
