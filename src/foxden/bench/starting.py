"""Time to play: real processes, timed from outside, with no compiled cache unless a row says so."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import foxden
from foxden.bench.ours import new_process
from foxden.bench.row import FOXDEN, Row, Task, all_cores, measure_in_turn
from foxden.bench.server import FoxdenServer, View, read_told, run
from foxden.bench.wire import Wire, connect
from foxden.engine.errors import FoxdenError
from foxden.engine.game import Game

PAGE = "fresh clone to page"
DECISION = "page to first decision, nothing compiled"
MEANWHILE = "a move while games compile, 95th percentile"
AGAIN = "second start"
LIBRARY = "first decision of a new process, nothing compiled"
LEVELS = (1, 2, 3)
MOVES = 200
CHECKOUT = Path(__file__).parents[3]


def measure(tell: Callable[[str], None]) -> list[Row]:
    """Measures every way to start; takes a few minutes, most of it for the clone."""
    rows = []
    for section in (library, decisions, meanwhile, again, page):
        rows += measure_in_turn(list(section()), tell)
    return rows


@contextlib.contextmanager
def cold_server() -> Iterator[FoxdenServer]:
    """Starts a server with an empty cache and no tables."""
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        server = FoxdenServer(room / "data", patient=False, FOXDEN_CACHE=str(room / "cache"))
        try:
            yield server
        finally:
            server.close()


class Seat:
    """A person's seat at a table, as a browser sees it."""

    def __init__(self) -> None:
        """Starts without messages."""
        self.view: View | None = None
        self._wire: Wire | None = None
        self._told = asyncio.Event()

    async def sit(self, server: FoxdenServer, table: str) -> None:
        """Opens the socket."""
        path = f"/api/tables/{table}/live?seat=0"
        self._wire = await connect(server.port, path, self._hear, server.cookie)

    def _hear(self, raw: bytes) -> None:
        told = read_told(raw)
        if told.type == "refused":
            raise FoxdenError(raw.decode())
        if told.view is not None:
            self.view = told.view
        self._told.set()

    async def asked(self) -> View:
        """Waits until the seat is to act."""
        while self.view is None or not self.view.legal:
            self._told.clear()
            await self._told.wait()
        return self.view

    async def play(self, dice: random.Random) -> float:
        """Plays a random legal action, and returns the seconds until the new position arrives."""
        view = await self.asked()
        begin = time.perf_counter()
        action = dice.choice(view.legal).id
        play = f'{{"type":"play","seat":0,"ply":{view.ply},"action":{action}}}'
        assert self._wire is not None
        self._wire.send(play.encode())
        while self.view is view:
            self._told.clear()
            await self._told.wait()
        return time.perf_counter() - begin

    def close(self) -> None:
        """Closes the socket."""
        if self._wire is not None:
            self._wire.close()


def _open(server: FoxdenServer, game: Game, pace: str) -> str:
    bots = [{"kind": "bot", "level": LEVELS[n % 3]} for n in range(game.about.usual - 1)]
    return server.open_table({"kind": "me"}, *bots, game=game.name, pace=pace)


def first_decision(server: FoxdenServer, game: Game) -> float:
    """Returns the seconds from requesting the page to the first decision at a new table."""

    async def come() -> float:
        begin = all_cores()
        server.read("/games")
        seat = Seat()
        await seat.sit(server, _open(server, game, "brisk"))
        await seat.asked()
        seat.close()
        return all_cores() - begin

    return float(run(come()))


def decisions() -> Iterator[Task]:
    """A new visitor's first decision, for each game chosen first."""

    def once(name: str) -> float:
        with cold_server() as server:
            return first_decision(server, foxden.game(name))

    how = "server just started; usual seats, levels 1 to 3, brisk bots"
    for name in foxden.games():
        yield Task(DECISION, f"{FOXDEN} {name}", how, "s", partial(once, name), costly=True)


def meanwhile() -> Iterator[Task]:
    """A person's moves while the compiler uses the other core."""

    def once(name: str) -> float:
        with cold_server() as server:
            return float(run(_moves(server, foxden.game(name))))

    how = f"up to {MOVES} own moves in one minute, bots of levels 1 to 3"
    for name in foxden.games():
        yield Task(MEANWHILE, f"{FOXDEN} {name}", how, "ms", partial(once, name), costly=True)


async def _moves(server: FoxdenServer, game: Game) -> float:
    dice, ways, end = random.Random(1), list[float](), time.monotonic() + 60
    while len(ways) < MOVES and time.monotonic() < end:
        seat = Seat()
        await seat.sit(server, _open(server, game, "instant"))
        with contextlib.suppress(TimeoutError):
            while len(ways) < MOVES and time.monotonic() < end:
                async with asyncio.timeout(5):  # a finished match asks nobody
                    ways.append(await seat.play(dice))
        seat.close()
    return statistics.quantiles(ways, n=20)[-1] * 1e3


def again() -> Iterator[Task]:
    """Restarts of a server whose games were compiled before."""
    name = foxden.games()[0]
    foxden.prepare(name)

    def once(decide: bool) -> float:
        with tempfile.TemporaryDirectory() as folder:
            begin = all_cores()
            server = FoxdenServer(Path(folder), patient=False)
            try:
                if decide:
                    first_decision(server, foxden.game(name))
                return all_cores() - begin
            finally:
                server.close()

    how = "foxden serve, rules compiled before"
    yield Task(AGAIN, f"{FOXDEN}, page", how, "s", lambda: once(False))
    yield Task(AGAIN, f"{FOXDEN}, first decision in {name}", how, "s", lambda: once(True))


def library() -> Iterator[Task]:
    """New processes with an empty cache, for each way to use Foxden from a shell."""
    bare = "import foxden"
    yield Task(LIBRARY, f"{FOXDEN}, import", bare, "s", partial(_process, bare))
    for name in foxden.games():
        program = f"import foxden; m = foxden.new({name!r}, seed=1); m.play(m.legal()[0])"
        who, how = f"{FOXDEN} {name}", "foxden.new(…).play(…)"
        yield Task(LIBRARY, who, how, "s", partial(_process, program))
        yield Task(LIBRARY, f"{who}, terminal", "foxden play", "s", partial(_play, name))


def _process(program: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return new_process(program, FOXDEN_CACHE=folder)


def _play(name: str) -> float:
    """Starts a match in a terminal; without a keyboard it ends at the first question."""
    with tempfile.TemporaryDirectory() as folder:
        begin = all_cores()
        command = [sys.executable, "-m", "foxden", "play", name, "--seed", "1"]
        environment = {**os.environ, "FOXDEN_CACHE": folder}
        subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, cwd=folder
        )
        return all_cores() - begin


def page() -> Iterator[Task]:
    """From a fresh clone to the page, as in the README; needs a checkout."""
    if (CHECKOUT / ".git").exists():
        how = "make play, no cache of uv, pip or npm; what the network takes is in it"
        yield Task(PAGE, FOXDEN, how, "s", _clone_and_play, costly=True)


def _clone_and_play() -> float:
    with tempfile.TemporaryDirectory() as folder:
        clone = f"{folder}/foxden"
        subprocess.run(["git", "clone", "--quiet", str(CHECKOUT), clone], check=True)
        environment: dict[str, Any] = {
            **os.environ,
            "FOXDEN_CACHE": f"{folder}/rules",
            "FOXDEN_DATA": f"{folder}/data",
            "UV_CACHE_DIR": f"{folder}/uv",
            "PIP_CACHE_DIR": f"{folder}/pip",
            "npm_config_cache": f"{folder}/npm",
            "BROWSER": "true",
        }
        begin = all_cores()
        process = subprocess.Popen(
            ["make", "play"],
            cwd=clone,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if re.search(r"http://[\d.]+:\d+", line):
                    return all_cores() - begin
            raise FoxdenError("`make play` ended before it served a page.")
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)
