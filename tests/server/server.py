"""A real server in a process of its own, and people who play at it over real sockets."""

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import websockets

PATIENCE = 120.0  # seconds; the machine may have much else to do
COMPILING = 400.0  # seconds, on a busy machine that compiles everything anew
# What a server needs that gives hints and reviews, with rules that are compiled or will be.
COMPILED = {"FOXDEN_COMPILE": "when-asked"}


class Unavailable(Exception):
    """The server is there, and cannot do what is asked just now."""


class Served:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], address: str, log: Path) -> None:
        self.process = process
        self.address = address
        self.log = log

    @property
    def pid(self) -> int:
        return self.process.pid

    def await_game(self, game: str) -> None:
        """Waits until a game is compiled."""
        end = time.monotonic() + COMPILING
        while httpx.get(f"{self.address}/api/games/{game}").json()["ready"] < 1:
            assert time.monotonic() < end, self.log.read_text()
            time.sleep(0.5)

    def stop(self, how: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(30)


def start(data: Path, *args: str, **settings: str) -> Served:
    """Starts `foxden serve` at a free port, and waits until it says where.

    Its rules run as Python unless a test needs more: to load those of all games, compiled, takes a
    server longer than most tests play.
    """
    data.mkdir(parents=True, exist_ok=True)
    log = data / "log"
    with log.open("a") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "foxden", "serve", "--data", str(data), *args],
            env={**os.environ, "FOXDEN_PORT": "0", "FOXDEN_COMPILE": "never", **settings},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    if found is None:
        process.kill()
        raise AssertionError(f"no server: {line!r}\n{log.read_text()}")
    served = Served(process, found[0], log)
    await_ready(served)
    return served


def await_ready(served: Served) -> None:
    end = time.monotonic() + COMPILING
    while True:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{served.address}/api/ready").status_code == 200:
                return
        if served.process.poll() is not None or time.monotonic() > end:
            served.process.kill()
            raise AssertionError(f"the server did not get ready:\n{served.log.read_text()}")
        time.sleep(0.1)


@contextlib.contextmanager
def serving(data: Path, *args: str, **settings: str) -> Iterator[Served]:
    served = start(data, *args, **settings)
    try:
        yield served
    finally:
        served.stop()


class Person:
    """Somebody with a cookie."""

    def __init__(
        self,
        served: Served,
        name: str | None = "Mia",
        trust: ssl.SSLContext | None = None,  # in a certificate of the tests' own
    ) -> None:
        self.served = served
        self.trust = trust
        self.http = httpx.Client(
            base_url=f"{served.address}/api", timeout=PATIENCE, verify=trust or True
        )
        if name is not None:
            assert self.post("/people", {"name": name}).status_code == 201

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.http.get(path, params=query)

    def post(self, path: str, body: Any = None, **query: Any) -> httpx.Response:
        return self.http.post(path, json=body, params=query)

    def delete(self, path: str, **query: Any) -> httpx.Response:
        return self.http.delete(path, params=query)

    def open_table(self, game: str = "happy-fox", *seats: str, **more: Any) -> dict[str, Any]:
        """Opens a table; seats are me, open, or bot:LEVEL."""
        sitters = []
        for seat in seats or ("me", "bot:1"):
            kind, _, level = seat.partition(":")
            sitters.append({"kind": kind} | ({"level": int(level)} if level else {}))
        asked = {"game": game, "seats": sitters, "pace": "instant", **more}
        answer = self.post("/tables", asked)
        if answer.status_code == 503:
            raise Unavailable(answer.text)
        assert answer.status_code == 201, answer.text
        info: dict[str, Any] = answer.json()
        return info

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    @contextlib.asynccontextmanager
    async def sit(self, table: str, **query: Any) -> AsyncIterator["Seat"]:
        """Opens a socket at a table and takes its first Sync."""
        async with self.connect(table, **query) as socket:
            seat = Seat(socket)
            await seat.expect("sync")
            yield seat

    def connect(self, table: str, headers: dict[str, str] | None = None, **query: Any) -> Any:
        address = self.served.address.replace("http", "ws", 1)
        url = httpx.URL(f"{address}/api/tables/{table}/live", params=query)
        return websockets.connect(
            str(url),
            additional_headers={"Cookie": self.cookie, **(headers or {})},
            max_size=None,
            ssl=self.trust,
        )


class Seat:
    """One socket, with everything that came over it."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self.view: dict[str, Any] | None = None
        self.table: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        self.ref = 0

    async def take(self) -> dict[str, Any]:
        """Takes the next message, and keeps what it says."""
        frame = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        self.frames.append(frame)
        message: dict[str, Any] = json.loads(frame)
        if message["type"] in ("sync", "update"):
            self.view = message["view"]
        if message["type"] in ("sync", "table"):
            self.table = message["table"]
        if message["type"] == "sync":
            self.log = message["log"]
        elif message["type"] == "update":
            assert message["log"][0]["ply"] == len(self.log) + 1
            self.log += message["log"]
        return message

    async def expect(self, *types: str) -> dict[str, Any]:
        """Takes messages up to one of a type."""
        while (message := await self.take())["type"] not in types:
            pass
        return message

    async def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """Sends a message and takes messages up to its answer."""
        self.ref += 1
        await self.socket.send(json.dumps({"type": type, "ref": self.ref, **fields}))
        while (message := await self.take()).get("ref") != self.ref:
            pass
        return message

    @property
    def ply(self) -> int:
        return self.view["ply"] if self.view else 0

    @property
    def is_over(self) -> bool:
        return self.view is not None and self.view["to_act"] is None

    async def play(self, action: int) -> dict[str, Any]:
        assert self.view is not None
        return await self.ask("play", seat=self.view["seat"], ply=self.ply, action=action)

    async def play_on(
        self, dice: random.Random, until: int | None = None, *, alone: bool = True
    ) -> None:
        """Plays at random, whenever asked, to the end or to a position.

        Who is not alone in playing a seat may come too late, and is told where the match is.
        """
        while not self.is_over and (until is None or self.ply < until):
            if self.view and self.view["legal"]:
                ply = self.ply
                answer = await self.play(dice.choice(self.view["legal"])["id"])
                if answer["type"] == "refused" and not alone:
                    assert answer["problem"]["type"] == "/problems/stale-ply"
                    await self.expect("sync")
                    continue
                assert answer["type"] == "done", answer
                assert answer["ply"] == ply + 1
                while self.ply <= ply:
                    await self.take()
            else:
                await self.take()
