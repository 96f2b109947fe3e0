"""The server under load, beside boardgame.io's own: same game, clients, turns and counting.

Both sides have the same number of tables, with two sockets each, and one move at a time at each
table. A move counts when its player has the confirmation and both sockets have the new position;
then the next follows.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

import msgspec
import uvloop

from foxden.bench.row import FOXDEN, REPEATS, Row, Task
from foxden.bench.wire import Wire, connect
from foxden.engine.errors import FoxdenError

GAME = "happy-fox"
TABLES = 16
PLIES = 40  # per match; every match of Happy Fox is at least as long
PEER = "boardgame.io"
VERSION = "0.50.2"
RATE, MIDDLE, SLOW = "confirmed moves", "a move's way, median", "a move's way, 99th percentile"
SPENT = "processor time of the server"
UNITS = {RATE: "confirmed/s", MIDDLE: "ms", SLOW: "ms", SPENT: "µs a move"}


@dataclass
class Tally:
    """Moves counted, their total time, the server's work, and each move's latency."""

    moves: int = 0
    seconds: float = 0.0
    spent: list[float] = field(default_factory=list)  # by the server and others being watched
    ways: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """Returns the figures of one repeat."""
        cuts = statistics.quantiles(self.ways, n=100)
        return {
            RATE: self.moves / self.seconds,
            MIDDLE: cuts[49] * 1e3,
            SLOW: cuts[98] * 1e3,
            SPENT: self.spent[0] / self.moves * 1e6,
        }


def processor_time(pid: int) -> float:
    """Returns a process's processor time so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Duel(Protocol):
    """A table with its two sockets, both in the same position."""

    async def play(self, plies: int, tally: Tally) -> None:
        """Plays a number of moves."""

    def close(self) -> None:
        """Closes the sockets."""


class Paced:
    """What both sides' tables share: whose turn, who has seen what, when it was sent."""

    def __init__(self) -> None:
        """Starts without a position."""
        self.wires: list[Wire] = []
        self._left = 0
        self._sent = 0.0
        self._tally = Tally()
        self._over: asyncio.Future[None] | None = None

    async def play(self, plies: int, tally: Tally) -> None:
        """Plays a number of moves."""
        self._left, self._tally = plies, tally
        self._over = asyncio.get_running_loop().create_future()
        self.send()
        await self._over

    def send(self) -> None:
        """Sends the next move."""
        raise NotImplementedError

    def sending(self, seat: int, message: bytes) -> None:
        """Sends a move, and starts its timer."""
        self._sent = time.perf_counter()
        self.wires[seat].send(message)

    def confirmed(self) -> None:
        """Records that the move's player has the confirmation."""
        self._tally.ways.append(time.perf_counter() - self._sent)

    def moved(self) -> None:
        """Counts a move that everybody has seen, and sends the next."""
        self._tally.moves += 1
        self._left -= 1
        if self._left:
            self.send()
        elif self._over:
            self._over.set_result(None)

    def failed(self, why: str) -> None:
        """Fails the run with an error."""
        if self._over and not self._over.done():
            self._over.set_exception(FoxdenError(f"A move was refused: {why}"))

    def close(self) -> None:
        """Closes the sockets."""
        for wire in self.wires:
            wire.close()


# Foxden


class _Legal(msgspec.Struct):
    id: int


class View(msgspec.Struct):
    """The part of a view that a random client needs."""

    ply: int
    to_act: int | None
    legal: list[_Legal]


class _Told(msgspec.Struct):
    type: str
    view: View | None = None


read_told = msgspec.json.Decoder(_Told).decode


class FoxdenDuel(Paced):
    """A table of Happy Fox where both sockets get everything their seat may know."""

    def __init__(self, dice: random.Random) -> None:
        """Starts without positions."""
        super().__init__()
        self._dice = dice
        self._views: list[View | None] = [None, None]
        self._ply = 0
        self._done = True
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(self, seat: int, raw: bytes) -> None:
        """Handles a message."""
        told = read_told(raw)
        if told.type in ("update", "sync"):
            self._views[seat] = told.view
        elif told.type == "done":
            self._done = True
            self.confirmed()
        elif told.type == "refused":
            self.failed(raw.decode())
        else:
            return
        one, other = self._views
        if self._done and one and other and one.ply == other.ply == self._ply:
            if not self.ready.done():
                self.ready.set_result(None)
            else:
                self.moved()

    def send(self) -> None:
        """Plays a random legal action."""
        for seat, view in enumerate(self._views):
            if view is not None and view.legal:
                action = self._dice.choice(view.legal).id
                self._done = False
                self._ply = view.ply + 1
                play = f'{{"type":"play","seat":{seat},"ply":{view.ply},"action":{action}}}'
                self.sending(seat, play.encode())
                return
        self.failed("nobody is asked")


class FoxdenServer:
    """`foxden serve` in its own process, durable on this disk."""

    who = f"{FOXDEN} {GAME}"
    how = "2 seats, random legal moves, SQLite, each move synced to disk before it is told"

    def __init__(self, folder: Path, *, patient: bool = True, **environment: str) -> None:
        """Starts it; if `patient`, waits until the game is compiled."""
        quiet = {"FOXDEN_LIMITS": "false", "FOXDEN_LOG_LEVEL": "warning"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "foxden", "serve", "--port", "0", "--data", str(folder)],
            env={**os.environ, **quiet, **environment},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        found = re.search(r"http://[\d.]+:(\d+)", self.process.stdout.readline())
        if found is None:
            raise FoxdenError("The server did not start.")
        self.port = int(found[1])
        self.cookie = ""
        while patient and self.ask("GET", f"/games/{GAME}")["ready"] < 1:
            time.sleep(0.2)
        self.ask("POST", "/people", {"name": "Load"})
        self._dice = random.Random(1)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Sends an HTTP request, and returns the JSON."""
        return json.loads(self.read(path, method, body))

    def read(self, path: str, method: str = "GET", body: Any = None) -> str:
        """Sends an HTTP request, and returns the text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        sent = None if body is None else json.dumps(body)
        with contextlib.closing(connection):
            connection.request(method, f"/api{path}", sent, headers)
            answer = connection.getresponse()
            if cookie := answer.getheader("set-cookie"):
                self.cookie = cookie.split(";")[0]
            text = answer.read().decode()
            if answer.status >= 400:
                raise FoxdenError(f"{method} {path}: {text}")
            return text

    def open_table(self, *kinds: dict[str, Any], game: str = GAME, pace: str = "instant") -> str:
        """Opens a table, and returns its id."""
        asked = {"game": game, "seats": list(kinds), "pace": pace, "access": "listed"}
        return str(self.ask("POST", "/tables", asked)["id"])

    async def open(self) -> Duel:
        """Opens a table with two sockets of one person, one for each seat."""
        id, duel = self.open_table({"kind": "me"}, {"kind": "me"}), FoxdenDuel(self._dice)
        for seat in (0, 1):
            path = f"/api/tables/{id}/live?seat={seat}"
            heard = _for_seat(duel.hear, seat)
            duel.wires.append(await connect(self.port, path, heard, self.cookie))
        await duel.ready
        return duel

    def resident(self) -> int:
        """Returns the server's resident memory in bytes."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * 4096

    def close(self) -> None:
        """Stops the server."""
        self.process.terminate()
        self.process.wait(30)


def _for_seat(hear: Callable[[int, bytes], None], seat: int) -> Callable[[bytes], None]:
    return lambda raw: hear(seat, raw)


# boardgame.io


class _Context(msgspec.Struct):
    current: str = msgspec.field(name="currentPlayer")


class _Place(msgspec.Struct):
    up: bool


class _Seat(msgspec.Struct):
    hand: dict[str, int] | int  # for others just the number of cards
    row: list[_Place | None]


class _Grab(msgspec.Struct):
    victim: int
    shown: list[msgspec.Raw]


class _Happy(msgspec.Struct):
    seats: list[_Seat]
    grab: _Grab | None

    def legal(self, seat: int) -> list[tuple[str, list[Any]]]:
        """Lists a seat's moves in boardgame.io's form, from what that seat sees."""
        if self.grab is None:
            hand = self.seats[seat].hand
            assert isinstance(hand, dict)
            held = [card for card, count in hand.items() if count]
            return [("fox", []) if card == "fox" else ("lay", [card]) for card in held]
        row = self.seats[self.grab.victim].row
        turns: list[tuple[str, list[Any]]] = [
            ("turn", [k]) for k, place in enumerate(row) if place is not None and not place.up
        ]
        return [("stop", []), *turns] if self.grab.shown else turns


class _State(msgspec.Struct):
    game: _Happy = msgspec.field(name="G")
    ctx: _Context
    number: int = msgspec.field(name="_stateID")


class _Synced(msgspec.Struct):
    state: _State


_updated = msgspec.json.Decoder(tuple[str, str, _State, msgspec.Raw]).decode
_synced = msgspec.json.Decoder(tuple[str, str, _Synced]).decode
ROOM = b"/happy-fox,"


class PeerDuel(Paced):
    """A match of boardgame.io: socket.io's protocol over a plain WebSocket."""

    def __init__(self, match: str, dice: random.Random) -> None:
        """Starts without positions."""
        super().__init__()
        self._match = match
        self._dice = dice
        self._states: list[_State | None] = [None, None]
        self._number = 0
        self._mover = -1
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(self, seat: int, raw: bytes) -> None:
        """Handles a message."""
        wire = self.wires[seat] if seat < len(self.wires) else None
        if raw.startswith(b"0"):  # connected: join the room
            self._soon(seat, b"40" + ROOM)
        elif raw == b"2" and wire:
            wire.send(b"3")
        elif raw.startswith(b"40" + ROOM):
            join = json.dumps(["sync", self._match, str(seat), None, 2])
            self._soon(seat, b"42" + ROOM + join.encode())
        elif raw.startswith(b"42" + ROOM):
            self._take(seat, raw[2 + len(ROOM) :])

    def _soon(self, seat: int, message: bytes) -> None:
        """Sends once the wire is set; a message may arrive before `connect` returns it."""
        loop = asyncio.get_running_loop()
        if seat < len(self.wires):
            self.wires[seat].send(message)
        else:
            loop.call_later(0.001, self._soon, seat, message)

    def _take(self, seat: int, event: bytes) -> None:
        if event.startswith(b'["update"'):
            state = _updated(event)[2]
        elif event.startswith(b'["sync"'):
            state = _synced(event)[2].state
        else:
            return
        self._states[seat] = state
        if seat == self._mover and state.number > self._number:
            self._mover = -1
            self.confirmed()
        one, other = self._states
        if one is None or other is None:
            return
        if not self.ready.done():
            self.ready.set_result(None)
        elif self._over and one.number == other.number > self._number:
            self._number = one.number
            self.moved()

    def send(self) -> None:
        """Plays a random legal move."""
        first = self._states[0]
        assert first is not None
        self._mover = int(first.ctx.current)
        state = self._states[self._mover]
        assert state is not None
        self._number = state.number
        name, args = self._dice.choice(state.game.legal(self._mover))
        move = {"type": name, "args": args, "playerID": state.ctx.current}
        action = {"type": "MAKE_MOVE", "payload": move}
        event = ["update", action, state.number, self._match, state.ctx.current]
        self.sending(self._mover, b"42" + ROOM + json.dumps(event).encode())


class PeerServer:
    """boardgame.io's server, freshly installed from npm in a scratch folder."""

    who = f"{PEER} {VERSION}"
    how = "the same game written for it, random legal moves, states in memory as it ships"

    def __init__(self, folder: Path) -> None:
        """Installs and starts it."""
        npm, node = shutil.which("npm"), shutil.which("node")
        if not npm or not node:
            raise FoxdenError(f"{PEER} needs node and npm.")
        script = folder / "server.js"
        script.write_text(resources.files("foxden.bench").joinpath("boardgame.js").read_text())
        (folder / "package.json").write_text("{}")
        install = [npm, "install", "--silent", "--no-audit", "--no-fund", f"{PEER}@{VERSION}"]
        done = subprocess.run(install, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise FoxdenError(f"{PEER} could not be installed: {done.stderr.strip()[-300:]}")
        self.process = subprocess.Popen(
            [node, str(script)],
            cwd=folder,
            env={**os.environ, "NODE_ENV": "production"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip().isdecimal():
                self.port = int(line)
                break
        else:
            raise FoxdenError(f"{PEER} did not start.")
        self._matches = 0
        self._dice = random.Random(1)

    async def open(self) -> Duel:
        """Creates a match over HTTP, and opens two sockets."""
        self._matches += 1
        duel = PeerDuel(f"match{self._matches}", self._dice)
        for seat in (0, 1):
            path = "/socket.io/?EIO=4&transport=websocket"
            duel.wires.append(await connect(self.port, path, _for_seat(duel.hear, seat)))
        await duel.ready
        return duel

    def close(self) -> None:
        """Stops the server."""
        self.process.terminate()
        self.process.wait(30)


Server = FoxdenServer | PeerServer


async def load(server: Server, seconds: float, tables: int, *others: Callable[[], float]) -> Tally:
    """Plays rounds of new matches; neither the time nor `others` include opening them."""
    clocks = (lambda: processor_time(server.process.pid), *others)
    tally = Tally(spent=[0.0] * len(clocks))
    while tally.seconds < seconds:
        duels = [await server.open() for _ in range(tables)]
        await asyncio.sleep(0.05)  # lets the work of opening them finish
        begin, before = time.perf_counter(), [clock() for clock in clocks]
        await asyncio.gather(*(duel.play(PLIES, tally) for duel in duels))
        tally.seconds += time.perf_counter() - begin
        for k, clock in enumerate(clocks):
            tally.spent[k] += clock() - before[k]
        for duel in duels:
            duel.close()
    return tally


@contextlib.contextmanager
def _servers(tell: Callable[[str], None], peers: bool) -> Iterator[list[Server]]:
    """Starts both servers; names and skips a peer that is not available."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        found: list[Server] = []
        makers: list[type[Server]] = [FoxdenServer, *([PeerServer] if peers else [])]
        for make in makers:
            room = Path(folder) / make.__name__
            room.mkdir()
            tell(f"starting {make.who}")
            try:
                server = make(room)
            except FoxdenError as error:
                if make is FoxdenServer:
                    raise
                tell(f"{error} It is left out.")
                continue
            stack.callback(server.close)
            found.append(server)
        yield found


def measure(
    seconds: float, tell: Callable[[str], None], *, tables: int = TABLES, peers: bool = True
) -> list[Row]:
    """Measures both servers in turn, five times after a warm-up."""
    with _servers(tell, peers) as servers:
        figures: list[list[dict[str, float]]] = [[] for _ in servers]
        for repeat in range(REPEATS + 1):
            tell(f"{RATE}: {repeat} of {REPEATS}")
            for server, values in zip(servers, figures, strict=True):
                tally = run(load(server, seconds / REPEATS, tables))
                if repeat:
                    values.append(tally.figures())
    rows = []
    for what, unit in UNITS.items():
        for server, values in zip(servers, figures, strict=True):
            how = f"{tables} tables, 2 sockets each; {server.how}"
            task = Task(what, server.who, how, unit, float)
            rows.append(task.row([value[what] for value in values]))
    return rows


def run(work: Awaitable[Any]) -> Any:
    """Runs a coroutine in a fast event loop."""

    async def awaited() -> Any:
        return await work

    return uvloop.run(awaited())
