"""Lays siege to a server from one address, and looks how it goes for everybody else.

    python -m tests.soak.siege --seconds 20 [ATTACK …]

Three honest people at addresses of their own play on, and newcomers arrive all the time. Under each
attack the 99th percentile of the honest moves stays within three times that of quiet times, and
every newcomer is at a table within two seconds. Everything happens on this machine alone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import websockets

import foxden
from tests.server.server import COMPILED, PATIENCE, Seat, Served, serving
from tests.server.test_floods import EVE, cookie_of, open_table, raw_socket, visitor
from tests.server.test_frames import PING, TEXT, WHOLE, frame

HONEST = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
LOOK = 0.005  # seconds between two looks at the clock
PAUSE = 0.03  # seconds between two moves; people are held to 40 messages a second
TIMES = 3.0  # by which moves may slow down
IN_TIME = 2.0  # seconds in which a newcomer is at a table
MOST = 500_000  # packets of one attack
AT_ONCE = 64  # connections of an attack, unless it is about connections


# Attacks. Each runs in a process of its own, at a low priority, until it is ended.


class Hose(asyncio.Protocol):
    """Sends the same again whenever something comes back."""

    left = MOST

    def __init__(self, packet: bytes, lost: asyncio.Event) -> None:
        self.packet = packet
        self.lost = lost

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        transport.write(self.packet)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        Hose.left -= 1
        if Hose.left > 0:
            self.transport.write(self.packet)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


async def pour(address: str, packet: bytes, at_once: int = AT_ONCE) -> None:
    """Keeps so many connections asking."""
    at = urlsplit(address)
    loop = asyncio.get_running_loop()

    async def one() -> None:
        lost = asyncio.Event()
        while Hose.left > 0:
            lost.clear()
            with contextlib.suppress(OSError):
                await loop.create_connection(
                    lambda: Hose(packet, lost), at.hostname or "", at.port or 0, local_addr=(EVE, 0)
                )
                await lost.wait()
            await asyncio.sleep(0.001)

    await asyncio.gather(*(one() for _ in range(at_once)))


def request(path: str, body: bytes | None = None, method: str = "GET", **headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: x"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")


async def readiness(served: Served) -> None:
    await pour(served.address, request("/api/ready"))


async def requests(served: Served) -> None:
    await pour(served.address, request("/api/games"))


async def pages(served: Served) -> None:
    await pour(served.address, request("/"))


async def numbers(served: Served) -> None:
    await pour(served.address, request("/api/metrics"))


async def pipelines(served: Served) -> None:
    await pour(served.address, request("/api/games/happy-fox") * 500)


async def refused(served: Served) -> None:
    await pour(served.address, request("/api/tables", b'{"game": 1}', "POST"))


async def cookies(served: Served) -> None:
    await pour(served.address, request("/api/me", Cookie='foxden="' + '\\"' * 25_000))


async def arrivals(served: Served) -> None:
    await pour(served.address, request("/api/people", b'{"name": "Eve"}', "POST"))


async def setups(served: Served) -> None:
    options = ",".join(f'"x{n}": {n}' for n in range(3000))
    body = f'{{"seats": 2, "options": {{{options}}}}}'.encode()
    await pour(served.address, request("/api/games/happy-fox/check", body, "POST"))


async def connections(served: Served) -> None:
    """Connects and hangs up, as fast as it goes."""
    at = urlsplit(served.address)

    async def one() -> None:
        for _ in range(MOST // AT_ONCE):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(at.hostname, at.port, local_addr=(EVE, 0))
                writer.transport.abort()
            await asyncio.sleep(0.001)

    await asyncio.gather(*(one() for _ in range(AT_ONCE)))


async def half_open(served: Served) -> None:
    """Keeps 5,000 connections that begin a request and never end it."""
    await pour(served.address, b"GET / HTTP/1.1\r\nHost: x\r\nX: ", at_once=5000)


async def handshakes(served: Served) -> None:
    key = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    head = f"GET /api/tables/nothing/live HTTP/1.1\r\nHost: x\r\n{key}"
    await pour(
        served.address, head.encode() + b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    )


async def frames(served: Served, kind: bytes, start: bytes = b"", sockets: int = 32) -> None:
    """Sends frames over as many sockets as one person may have."""
    async with visitor(served, EVE) as eve:
        table = await open_table(eve, "me", "me")
        packet = kind * 1000

        async def one() -> None:
            raw = await raw_socket(served, table, cookie_of(eve), EVE)
            raw.writer.write(start)
            reading = asyncio.create_task(swallow(raw.reader))
            with contextlib.suppress(ConnectionError):
                for _ in range(MOST):
                    raw.writer.write(packet)
                    await raw.writer.drain()
            reading.cancel()

        await asyncio.gather(*(one() for _ in range(sockets)))
        await asyncio.sleep(3600)


async def swallow(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(ConnectionError):
        while await reader.read(1 << 16):
            pass


async def pings(served: Served) -> None:
    await frames(served, frame(WHOLE | PING, b""))


async def fragments(served: Served) -> None:
    await frames(served, frame(0, b""), start=frame(TEXT, b""))


async def messages(served: Served) -> None:
    await frames(served, frame(WHOLE | TEXT, b'{"type":"ping","ref":3}'))


async def looks(served: Served) -> None:
    await frames(served, frame(WHOLE | TEXT, b'{"type":"look","seat":0}'))


async def stale(served: Served) -> None:
    await frames(served, frame(WHOLE | TEXT, b'{"type":"play","seat":0,"ply":7,"action":1}'))


async def bots(served: Served) -> None:
    """Opens as many tables of the strongest bots as one address gets, under ten names."""
    async with contextlib.AsyncExitStack() as stack:
        for name in range(10):
            eve = await stack.enter_async_context(visitor(served, EVE, f"Eve {name}"))
            for _ in range(20):
                seats = [{"kind": "bot", "level": 5}] * 2
                asked = {"game": "happy-fox", "seats": seats, "pace": "instant"}
                await eve.post("/tables", json=asked)
        await asyncio.sleep(3600)


Attack = Callable[[Served], Coroutine[Any, Any, None]]
ATTACKS: tuple[Attack, ...] = (
    readiness, requests, pages, numbers, pipelines, refused, cookies, arrivals, setups, connections,
    half_open, handshakes, pings, fragments, messages, looks, stale, bots,
)  # fmt: skip


def attack(name: str, address: str) -> None:
    """Is the attacker's process."""
    os.nice(10)  # what is measured is the server, not who gets the processor
    attacks = {found.__name__: found for found in ATTACKS}
    served = Served(None, address, Path("/dev/null"))  # type: ignore[arg-type]
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(attacks[name](served))


# Everybody else


class Honest:
    """People who play, each at an address of their own, and how long their moves took."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.took: list[float] = []
        self.bots_took: list[float] = []
        self.arrived: list[float] = []
        self.late: list[float] = []  # by how much this very process was late

    async def look_at_the_clock(self) -> None:
        """Measures how late this process is: what it measures of the server may be its own."""
        while True:
            due = time.perf_counter() + LOOK
            await asyncio.sleep(LOOK)
            self.late.append(time.perf_counter() - due)

    async def play(self, frm: str) -> None:
        while True:
            async with visitor(self.served, frm, "Honest") as http:
                for _ in range(10):
                    table = await open_table(http, "me", "me")
                    await self._match(http, table, frm)

    def _connect(self, http: httpx.AsyncClient, table: str, frm: str, **query: int) -> Any:
        at = f"{self.served.address.replace('http', 'ws', 1)}/api/tables/{table}/live"
        url = httpx.URL(at, params=query)
        options: Any = {"local_addr": (frm, 0), "open_timeout": PATIENCE}
        return websockets.connect(
            str(url), additional_headers={"Cookie": cookie_of(http)}, **options
        )

    async def _match(self, http: httpx.AsyncClient, table: str, frm: str) -> None:
        dice = random.Random(table)
        async with (
            self._connect(http, table, frm, seat=0) as first,
            self._connect(http, table, frm, seat=1) as second,
        ):
            seats = [Seat(first), Seat(second)]
            for seat in seats:
                await seat.expect("sync")
            ply = 0
            while not seats[0].is_over:
                for seat in seats:
                    while seat.ply < ply:
                        await seat.take()
                mover = next((seat for seat in seats if seat.view and seat.view["legal"]), None)
                if mover is None or mover.view is None:
                    return
                await asyncio.sleep(dice.uniform(0.5, 1.5) * PAUSE)
                began = time.perf_counter()
                answer = await mover.play(dice.choice(mover.view["legal"])["id"])
                assert answer["type"] == "done", answer
                self.took.append(time.perf_counter() - began)
                ply += 1

    async def play_a_bot(self, frm: str) -> None:
        """Plays against level 1, and looks how long it takes to answer."""
        while True:
            async with visitor(self.served, frm, "Bot's friend") as http:
                table = await open_table(http, "me", "bot")
                async with self._connect(http, table, frm) as socket:
                    seat = Seat(socket)
                    await seat.expect("sync")
                    while not seat.is_over:
                        if not (seat.view and seat.view["legal"]):
                            await seat.take()
                            continue
                        await asyncio.sleep(0.2)
                        ply = seat.ply
                        await seat.play(seat.view["legal"][0]["id"])
                        began = time.perf_counter()
                        while seat.ply <= ply or not (seat.is_over or seat.view["legal"]):
                            await seat.take()
                        self.bots_took.append(time.perf_counter() - began)

    async def arrive(self) -> None:
        """Comes for the first time, again and again, from one address after the other."""
        number = 0
        while True:
            number = number % 200 + 1
            frm = f"127.0.1.{number}"
            began = time.perf_counter()
            async with visitor(self.served, frm, "Newcomer") as http:
                for path in ("/me", "/games", "/tables"):
                    (await http.get(path)).raise_for_status()
                table = await open_table(http, "me", "bot")
                async with self._connect(http, table, frm) as socket:
                    await Seat(socket).expect("sync")
                    self.arrived.append(time.perf_counter() - began)
            await asyncio.sleep(0.5)


def p(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


async def besiege(served: Served, seconds: float, names: list[str]) -> list[dict[str, Any]]:
    """Returns how quiet times and each attack went."""
    honest = Honest(served)
    people = [
        *(asyncio.create_task(honest.play(frm)) for frm in HONEST),
        asyncio.create_task(honest.play_a_bot("127.0.0.5")),
        asyncio.create_task(honest.arrive()),
        asyncio.create_task(honest.look_at_the_clock()),
    ]
    rows: list[dict[str, Any]] = []

    async def watch(name: str) -> None:
        for values in (honest.took, honest.bots_took, honest.arrived, honest.late):
            values.clear()
        end = time.monotonic() + seconds
        # What a newcomer of the last second met is known when they are in, or late.
        while time.monotonic() < end or not (honest.took and honest.arrived):
            await asyncio.sleep(0.1)
            for task in people:
                if task.done():
                    task.result()
            if time.monotonic() > end + 30:
                break
        rows.append({
            "what": name,
            "moves": len(honest.took),
            "p50": p(honest.took, 0.5),
            "p99": p(honest.took, 0.99),
            "bot": max(honest.bots_took, default=99.0),
            "newcomer": max(honest.arrived, default=99.0),
            "late": p(honest.late, 0.99),
        })  # fmt: skip
        row = rows[-1]
        print(
            f"{name:12} {row['moves']:6} moves  p50 {row['p50'] * 1000:7.1f} ms  "
            f"p99 {row['p99'] * 1000:7.1f} ms  bot {row['bot']:5.2f} s  "
            f"newcomer {row['newcomer']:5.2f} s  siege itself late {row['late'] * 1000:5.1f} ms",
            flush=True,
        )

    await asyncio.sleep(3)
    await watch("quiet")
    context = multiprocessing.get_context("spawn")
    for name in names:
        process = context.Process(target=attack, args=(name, served.address), daemon=True)
        process.start()
        await asyncio.sleep(4)
        await watch(name)
        process.terminate()
        await asyncio.to_thread(process.join, 5)
        process.kill()  # one that has not ended by itself
        await asyncio.to_thread(process.join)
        await asyncio.sleep(5)  # its traces settle
    await watch("quiet")
    for task in people:
        task.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    return rows


def main() -> None:
    """Lays siege, and fails where it hurt."""
    names = [found.__name__ for found in ATTACKS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each attack")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("attacks", nargs="*", choices=[[], *names], default=[])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), **COMPILED) as served:
        for game in foxden.games():  # compiling or loading them would be another siege
            served.await_game(game)
        rows = asyncio.run(besiege(served, given.seconds, given.attacks or names))
        faults = [
            line
            for line in httpx.get(f"{served.address}/api/metrics").text.splitlines()
            if line.startswith("foxden_faults_total")
        ]
        errors = [line for line in served.log.read_text().splitlines() if "rror" in line]
    if given.json:
        print(json.dumps(rows, indent=1))
    quiet = statistics.mean(row["p99"] for row in rows if row["what"] == "quiet")
    bad = [
        row["what"]
        for row in rows
        if row["p99"] > TIMES * quiet or row["newcomer"] > IN_TIME or row["bot"] > IN_TIME
    ]
    worst = max(rows, key=lambda row: row["p99"])
    print(f"worst: {worst['what']}, {worst['p99'] / quiet:.1f} times the quiet p99; {faults}")
    if bad or errors or faults != ["foxden_faults_total 0.0"]:
        sys.exit(f"hurt by {bad}; {errors[:5]}")


if __name__ == "__main__":
    main()
