"""Floods from one address: they are counted before they cost anything, and others play on.

An address is one of 127.0.0.x; 127.0.0.1 is a trusted proxy by default, so attackers use others.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import re
import resource
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvloop
import websockets

import foxden
from foxden.engine import compiled
from foxden.server import gate, limits, metrics
from foxden.server.config import Config
from foxden.server.limits import ABREAST, OWN_SOCKETS, RATES, SHARE, Limits
from foxden.server.problems import Refusal
from foxden.server.rates import Rate
from foxden.server.store import StoreDown
from tests.server.inside import Inside, inside
from tests.server.server import PATIENCE, Seat, Served, serving
from tests.server.test_frames import PING, TEXT, WHOLE, Raw, frame

EVE, MIA, SCHOOL = "127.0.0.66", "127.0.0.2", "127.0.0.90"
GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with its limits on."""
    with serving(tmp_path_factory.mktemp("guarded")) as one:
        yield one


@contextlib.asynccontextmanager
async def hub(tmp_path: Path, **settings: Any) -> AsyncIterator[Inside]:
    async with inside(tmp_path, limits=True, **settings) as server:
        yield server


async def call(address: str, frm: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    at = urlsplit(address)
    return await asyncio.open_connection(at.hostname, at.port, local_addr=(frm, 0))


async def is_open(reader: asyncio.StreamReader, seconds: float = 0.05) -> bool:
    """Returns whether the other side has not closed a connection."""
    try:
        return bool(await asyncio.wait_for(reader.read(1), seconds))
    except TimeoutError:
        return True
    except ConnectionError:
        return False


async def answered(address: str, frm: str, path: bytes = b"/api/health") -> bytes:
    """Asks once, and returns the first line of the answer, empty where there is none."""
    try:
        reader, writer = await call(address, frm)
        writer.write(GET % path)
        line = await asyncio.wait_for(reader.readline(), PATIENCE)
        writer.close()
        return line
    except ConnectionError:
        return b""


# Readiness


@pytest.mark.anyio
async def test_the_store_is_tried_once_however_many_ask_whether_it_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with inside(tmp_path) as server:
        tries = 0
        broken = False

        async def check() -> None:
            nonlocal tries
            tries += 1
            await asyncio.sleep(0.05)
            if broken:
                raise StoreDown("The store is away.")

        monkeypatch.setattr(server.hub.store, "check", check)
        monkeypatch.setattr("foxden.server.hub.FRESH", 0.5)

        async def ask() -> set[int]:
            asked = [server.http.get(f"{server.address}/api/ready") for _ in range(40)]
            return {answer.status_code for answer in await asyncio.gather(*asked)}

        assert await ask() == {200}
        assert await ask() == {200}
        assert tries <= 3
        broken = True
        await asyncio.sleep(0.6)
        assert await ask() == {503}
        broken = False
        await asyncio.sleep(0.6)
        assert await ask() == {200}


def test_counts_are_gathered_once_a_second_however_many_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, gathered = 100.0, 0

    def written() -> bytes:
        nonlocal gathered
        gathered += 1
        return b"counts"

    monkeypatch.setattr("foxden.server.metrics.time.monotonic", lambda: now)
    monkeypatch.setattr(metrics, "_written", written)
    monkeypatch.setattr(metrics, "_told", (0.0, b""))
    assert {metrics.scrape() for _ in range(50)} == {b"counts"}
    assert gathered == 1
    now += metrics.FRESH + 0.1
    metrics.scrape()
    assert gathered == 2


# Connections


def test_of_many_connections_a_few_are_accepted_before_others_get_their_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, init = 0, gate.Connection.__init__

    def counted(self: gate.Connection, *args: Any, **more: Any) -> None:
        nonlocal made
        made += 1
        init(self, *args, **more)

    monkeypatch.setattr(gate.Connection, "__init__", counted)

    async def work() -> None:
        async with hub(tmp_path) as server:
            at = urlsplit(server.address)
            to = (at.hostname or "", at.port or 0)
            # The system has all of them before the server looks.
            calls = [socket.create_connection(to, source_address=(EVE, 0)) for _ in range(100)]
            most = 0
            while made < len(calls):
                before = made
                await asyncio.sleep(0)  # one turn of the loop
                most = max(most, made - before)
            assert most <= 4
            for one in calls:
                one.close()

    uvloop.run(work())  # the loop that serves; asyncio's own accepts all at once


@pytest.mark.anyio
async def test_connections_that_ask_for_nothing_are_bounded_in_number_and_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "HALF_OPEN", 20)
    monkeypatch.setattr(gate, "WHILE", 0.2)
    monkeypatch.setattr(gate, "HEADERS", 2.0)
    async with hub(tmp_path) as server:
        began = time.monotonic()
        first = [await call(server.address, EVE) for _ in range(30)]
        for _, writer in first[:10]:
            writer.write(b"GET / HTTP/1.1\r\nHost:")  # and nothing more
        await asyncio.sleep(0.3)
        more = [await call(server.address, EVE) for _ in range(30)]
        states = [await is_open(reader) for reader, _ in first + more]
        assert sum(states) <= 35
        assert all(states[40:])  # it is the oldest that have gone
        assert b" 200 " in await answered(server.address, EVE)
        for _, writer in more:
            with contextlib.suppress(ConnectionError):
                writer.write(b"G")  # drop by drop, which does not help
                await asyncio.sleep(0.02)
        await asyncio.sleep(max(0.0, began + 4.5 - time.monotonic()))
        assert not any([await is_open(reader) for reader, _ in first + more])


@pytest.mark.anyio
async def test_a_second_request_has_a_deadline_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "HEADERS", 1.0)
    async with hub(tmp_path) as server:
        reader, writer = await call(server.address, EVE)
        writer.write(GET % b"/api/health")
        await reader.readuntil(b'{"status":"alive"}')
        ended = time.monotonic() + 8
        with contextlib.suppress(ConnectionError):
            for byte in GET % b"/api/health" * 100:
                writer.write(bytes((byte,)))
                await writer.drain()
                await asyncio.sleep(0.3)
                if reader.at_eof() or time.monotonic() > ended:
                    break
        assert time.monotonic() < ended


@pytest.mark.anyio
async def test_one_address_has_a_share_of_the_connections_and_others_get_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hub(tmp_path, connections_per_address=16) as server:
        busy = []
        for _ in range(16):
            reader, writer = await call(server.address, EVE)
            writer.write(b"POST /api/people HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
            busy.append((reader, writer))
        await asyncio.sleep(0.2)
        assert await answered(server.address, EVE) == b""
        assert b" 200 " in await answered(server.address, MIA)
        for _, writer in busy:
            writer.close()
        await asyncio.sleep(0.2)
        assert b" 200 " in await answered(server.address, EVE)


@pytest.mark.anyio
async def test_closed_sockets_and_connections_are_not_counted_any_more(tmp_path: Path) -> None:
    compiled.prepare(foxden.game("happy-fox"))
    async with inside(tmp_path, limits=True) as server:
        (mia,) = await server.arrive("Mia")
        await server.open_table("t", "happy-fox", [mia, mia])
        at = server.address.replace("http", "ws", 1) + "/api/tables/t/live"
        for _ in range(5):
            options: Any = {"additional_headers": server.cookie(mia), "local_addr": (EVE, 0)}
            async with websockets.connect(at, **options) as socket:
                await socket.recv()
                assert server.gate._callers[EVE].open == 1
                assert not server.gate._callers[EVE].half_open
            with contextlib.suppress(websockets.InvalidStatus):
                options["origin"] = "https://evil.example"
                async with websockets.connect(at, **options):
                    pass
            await asyncio.sleep(0.1)
            assert server.gate._callers[EVE].open == 0


@pytest.mark.anyio
async def test_a_flood_of_requests_is_read_slowly_and_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "READS", Rate(10, 40))
    async with hub(tmp_path) as server:
        done = 0

        async def flood() -> None:
            nonlocal done
            reader, writer = await call(server.address, EVE)
            while True:
                writer.write(GET % b"/api/health")
                await reader.readuntil(b'{"status":"alive"}')
                done += 1

        began = time.monotonic()
        floods = [asyncio.create_task(flood()) for _ in range(50)]
        await asyncio.sleep(1)
        asked = time.monotonic()
        assert b" 200 " in await answered(server.address, MIA)
        assert time.monotonic() - asked < 0.5
        await asyncio.sleep(1)
        for task in floods:
            task.cancel()
        assert not any(task.done() and task.exception() for task in floods)
        await asyncio.gather(*floods, return_exceptions=True)
        assert 10 < done <= 10 + 40 * (time.monotonic() - began) + 2


def test_the_server_asks_for_more_files(tmp_path: Path) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, %d));"
        "from foxden.server.gate import raise_file_limit; print(raise_file_limit());"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    for most, expected in ((min(hard, 5000), min(hard, 5000)), (256, 256)):
        told = subprocess.run(
            [sys.executable, "-c", code % most], capture_output=True, text=True, check=True
        )
        assert told.stdout.split() == [str(expected)] * 2
    small = gate.Gate(Config(), 256)
    assert small.most == 256 - gate.RESERVE
    assert small.most_each == small.most // gate.SHARE


# Frames


FLOODS = {
    "pings": frame(WHOLE | PING, b""),
    "empty fragments": frame(0, b""),
    "pongs": frame(WHOLE | 10, b"x"),
    "messages": frame(WHOLE | TEXT, b'{"type":"ping","ref":3}'),
}


async def raw_socket(served: Served, table: str, cookie: str, frm: str) -> Raw:
    reader, writer = await call(served.address, frm)
    key = base64.b64encode(os.urandom(16)).decode()
    head = f"""GET /api/tables/{table}/live HTTP/1.1
Host: {urlsplit(served.address).netloc}
Upgrade: websocket
Connection: Upgrade
Sec-WebSocket-Version: 13
Sec-WebSocket-Key: {key}
Cookie: {cookie}

"""
    writer.write(head.replace("\n", "\r\n").encode())
    assert b" 101 " in await reader.readline()
    await reader.readuntil(b"\r\n\r\n")
    return Raw(reader, writer)


@contextlib.asynccontextmanager
async def visitor(served: Served, frm: str, name: str = "Eve") -> AsyncIterator[httpx.AsyncClient]:
    """Somebody at an address."""
    # The server closes idle connections after five seconds; nobody asks just then.
    short = httpx.Limits(keepalive_expiry=2)
    # Nothing is encrypted here. Loading certificates takes 15 ms, in which nobody else here acts.
    transport = httpx.AsyncHTTPTransport(local_address=frm, limits=short, verify=False)
    async with httpx.AsyncClient(
        base_url=f"{served.address}/api", transport=transport, timeout=PATIENCE
    ) as http:
        answer = await http.post("/people", json={"name": name})
        assert answer.status_code == 201, answer.text
        yield http


async def open_table(http: httpx.AsyncClient, *kinds: str) -> str:
    seats = [{"kind": kind} | ({"level": 1} if kind == "bot" else {}) for kind in kinds]
    asked = {"game": "happy-fox", "seats": seats, "pace": "instant", "access": "listed"}
    answer = await http.post("/tables", json=asked)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def cookie_of(http: httpx.AsyncClient) -> str:
    return "; ".join(f"{name}={value}" for name, value in http.cookies.items())


@pytest.mark.anyio
async def test_visitors_load_no_certificates(
    guarded: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(*_: Any, **__: Any) -> None:
        raise AssertionError("This would make everybody else wait, and a siege measures waits.")

    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", load)
    monkeypatch.setattr(ssl.SSLContext, "load_default_certs", load)
    async with visitor(guarded, MIA, "Mia") as mia:
        assert (await mia.get("/me")).status_code == 200


@pytest.mark.parametrize("kind", FLOODS)
def test_frames_of_any_kind_are_counted_like_messages(guarded: Served, kind: str) -> None:
    async def work() -> None:
        async with visitor(guarded, EVE) as eve, visitor(guarded, MIA, "Mia") as mia:
            table = await open_table(eve, "me", "me")
            floods = [await raw_socket(guarded, table, cookie_of(eve), EVE) for _ in range(4)]
            honest = await raw_socket(guarded, table, cookie_of(mia), MIA)
            start = frame(TEXT, b"") if kind == "empty fragments" else b""
            packet = FLOODS[kind] * 1000
            answers = 0

            async def read(raw: Raw) -> None:
                nonlocal answers
                with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                    while True:
                        await raw.frame()
                        answers += 1

            async def write(raw: Raw) -> None:
                raw.writer.write(start)
                with contextlib.suppress(ConnectionError):
                    for _ in range(2000):  # many more than are ever read
                        raw.writer.write(packet)
                        await raw.writer.drain()

            tasks = [asyncio.create_task(do(raw)) for raw in floods for do in (read, write)]
            worst = 0.0
            for ref in range(20):
                asked = time.monotonic()
                honest.writer.write(frame(WHOLE | TEXT, b'{"type":"ping","ref":%d}' % ref))
                assert await asyncio.wait_for(honest.refs(1), 10) == [ref]
                worst = max(worst, time.monotonic() - asked)
                await asyncio.sleep(0.1)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            rate = RATES["message"]
            # Refusals of messages are answers too: one a second for each socket, and some before.
            assert answers < rate.burst + 10 * rate.per_second + 4 * 40
            assert worst < 2.0
            for raw in (*floods, honest):
                raw.writer.close()

    asyncio.run(work())
    assert re.search(
        r"^foxden_faults_total 0.0$",
        httpx.get(f"{guarded.address}/api/metrics").text,
        re.MULTILINE,
    )


# Turns


@pytest.mark.anyio
async def test_requests_of_one_address_take_turns_and_pay_for_their_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits_ = Limits(Config())

    async def work(seconds: float) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass
        await asyncio.sleep(0)

    async def ask(address: str, seconds: float) -> float:
        began = time.monotonic()
        async with limits_.turn(address) as turn:
            await turn.timed(work(seconds))
        return time.monotonic() - began

    began = time.monotonic()
    flood = [asyncio.create_task(ask(EVE, 0.02)) for _ in range(50)]
    await asyncio.sleep(0.3)
    assert await ask(MIA, 0.0) < 0.3
    await asyncio.gather(*flood)
    took = time.monotonic() - began
    assert took > (50 * 0.02 - limits.AT_ONCE) / SHARE * 0.9
    assert limits_._lanes[EVE].abreast._value == ABREAST
    monkeypatch.setattr(limits, "MOST_WAITING", 3)
    flood = [asyncio.create_task(ask(EVE, 0.02)) for _ in range(50)]
    done = await asyncio.gather(*flood, return_exceptions=True)
    refused = [one for one in done if isinstance(one, Refusal)]
    assert {one.status for one in refused} == {429}
    assert len(refused) >= 50 - ABREAST - 3 - 5


@pytest.mark.anyio
async def test_a_turn_that_fails_or_is_cancelled_is_given_back() -> None:
    limits_ = Limits(Config())

    async def fail() -> None:
        await asyncio.sleep(0)
        raise ValueError("broken")

    async def ask(work: Any) -> None:
        async with limits_.turn(EVE) as turn:
            await turn.timed(work)

    for _ in range(3 * ABREAST):
        with pytest.raises(ValueError, match="broken"):
            await ask(fail())
        task = asyncio.create_task(ask(asyncio.sleep(60)))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    await asyncio.wait_for(ask(asyncio.sleep(0)), 5)


# Crowds


def test_a_school_behind_one_address_arrives_at_once_and_plays(tmp_path: Path) -> None:
    pupils, moves = 90, 5

    async def pupil(served: Served, number: int) -> None:
        async with visitor(served, SCHOOL, f"Pupil {number}") as http:
            for path in ("/me", "/games", "/tables"):
                assert (await http.get(path)).status_code == 200
            table = await open_table(http, "me", "bot")
            at = served.address.replace("http", "ws", 1) + f"/api/tables/{table}/live"
            options: Any = {
                "additional_headers": {"Cookie": cookie_of(http)},
                "local_addr": (SCHOOL, 0),
                "open_timeout": PATIENCE,
            }
            async with websockets.connect(at, **options) as socket:
                seat = Seat(socket)
                await seat.expect("sync")
                played = 0
                while played < moves and not seat.is_over:
                    if seat.view and seat.view["legal"]:
                        ply = seat.ply
                        answer = await seat.play(seat.view["legal"][0]["id"])
                        assert answer["type"] == "done", answer
                        played += 1
                        while seat.ply <= ply:
                            await seat.take()
                    else:
                        await seat.take()

    async def work(served: Served) -> None:
        await asyncio.gather(*(pupil(served, number) for number in range(pupils)))
        # Names are cheap, though: there is an end to them.
        answers = []
        async with visitor(served, SCHOOL, "Eve") as eve:
            for number in range(120):
                answers.append(await eve.post("/people", json={"name": f"Eve {number}"}))
        assert answers[-1].status_code == 429

    with serving(tmp_path) as served:
        asyncio.run(work(served))


def test_sockets_of_a_crowd_are_told_from_those_of_one_person() -> None:
    config = Config(sockets_per_address=10, sockets_per_person=8)
    held = Limits(config)
    for number in range(90):
        for _ in range(OWN_SOCKETS):
            held.add_socket(f"pupil {number}", SCHOOL)
    alone = [held.add_socket("eve", SCHOOL) for _ in range(8)]
    with pytest.raises(Refusal, match="Too many sockets"):
        held.add_socket("eve", SCHOOL)
    for _ in range(10 - (8 - OWN_SOCKETS)):
        held.add_socket(None, SCHOOL)
    with pytest.raises(Refusal, match="Too many sockets"):
        held.add_socket(None, SCHOOL)
    held.add_socket("another pupil", SCHOOL)
    for keys in alone:
        held.remove_sockets(keys)
    held.add_socket(None, SCHOOL)


def test_players_let_their_address_do_more_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("foxden.server.limits.time.monotonic", lambda: now)
    held = Limits(Config())

    def spent() -> int:
        count = 0
        with contextlib.suppress(Refusal):
            while True:
                held.spend("traffic", SCHOOL)
                count += 1
        return count

    assert spent() == RATES["traffic"].burst
    for number in range(1000):
        held.played(f"pupil {number}", SCHOOL)
    now += 60
    most = RATES["traffic"].burst + limits.MOST_PLAYERS * limits.PLAYER.burst
    assert spent() == most
    now += limits.LATELY + 1
    held.sweep()
    assert spent() == RATES["traffic"].burst
