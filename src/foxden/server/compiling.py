"""Compiling the games in a process of its own, one by one, while the server already serves.

A cold compile in this process would hold up everybody's sockets for a tenth of a second at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import gc
import hashlib
import json
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

import structlog

from foxden.bots import ismcts
from foxden.engine import compiled
from foxden.engine.game import Game
from foxden.engine.kernel import CACHE, COMPILED, sources
from foxden.engine.registry import find, folder_of, module_of, registered
from foxden.server.parent_watch import end_with_parent

log = structlog.get_logger()
SEARCH = 4  # what compiling the search weighs beside one rule
WAIT = 5.0  # seconds until a compiling that broke down is tried again


class Compiling:
    """Knows how far each game is compiled; games are served in the order of the list."""

    def __init__(self, served: Callable[[str], None]) -> None:
        """`served` is called, in the loop, for each game that can be played from now on."""
        self.ready = dict.fromkeys(registered(), 0.0)
        self._served = served

    def is_ready(self, game: str) -> bool:
        """Returns whether a game can be played."""
        return self.ready.get(game, 0.0) >= 1.0

    async def run(self) -> None:
        """Gets all games ready, however often it takes."""
        if not COMPILED:
            self.ready = dict.fromkeys(self.ready, 1.0)
        while not all(map(self.is_ready, self.ready)):
            for game in self.ready:
                if _stamp(game).exists() and not self.is_ready(game):
                    await self._serve(game)
            if not all(map(self.is_ready, self.ready)):
                await self._cook()

    async def _cook(self) -> None:
        """Runs the process that compiles, and follows what it says."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, stdout=asyncio.subprocess.PIPE
        )
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                told = json.loads(line)
                game, done = told["game"], told["done"]
                if self.is_ready(game):
                    continue
                if done >= 1.0:
                    await self._serve(game)
                else:
                    self.ready[game] = done
            if await process.wait():
                log.error("compiling failed", status=process.returncode)
                await asyncio.sleep(WAIT)
        finally:
            if process.returncode is None:
                process.kill()

    async def _serve(self, game: str) -> None:
        """Loads what was compiled; that takes a thread a moment."""
        await _in_thread(lambda: prepare(find(game)))
        gc.freeze()  # compiled rules stay; looking through them for garbage would hold up play
        self.ready[game] = 1.0
        log.info("game ready", game=game)
        self._served(game)


async def _in_thread(work: Callable[[], None]) -> None:
    """Runs something in a thread that nobody waits for at the end, however long it takes."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def settle(error: BaseException | None) -> None:
        if not done.done():
            done.set_exception(error) if error else done.set_result(None)

    def run() -> None:
        failed: BaseException | None = None
        try:
            work()
        except BaseException as error:
            failed = error
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, failed)

    threading.Thread(target=run, name="compiling", daemon=True).start()
    await done


def prepare(game: Game, report: Callable[[float], None] = lambda done: None) -> None:
    """Compiles all that the server needs of a game, or loads it; reports how far it is."""
    compiled.prepare(game, lambda done, of: report(done / (of + SEARCH)))
    ismcts.prepare(game)


@cache
def _sources(game: str) -> str:
    """Names the files that were compiled as Numba does: by their places and times.

    The folder of compiled rules goes by the sources' content alone; two copies of them share it,
    and each has to be compiled.
    """
    files = [*(file for _, file in sources()), *sorted(folder_of(module_of(game)).rglob("*.py"))]
    facts = [(str(file), file.stat().st_mtime_ns) for file in files]
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def _stamp(game: str) -> Path:
    """Returns the file that says that a game is compiled; beside the compiled rules themselves."""
    assert CACHE is not None
    return CACHE / f"{game}-{_sources(game)}.compiled"


def main() -> None:
    """Compiles every game, and says on standard output how far it is."""

    def tell(game: str, done: float) -> None:
        print(json.dumps({"game": game, "done": round(done, 3)}), flush=True)

    end_with_parent()
    for name in registered():
        with _stamp(name).with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # several workers start at once, and one compiles
            if not _stamp(name).exists():
                prepare(find(name), lambda done, name=name: tell(name, done))  # type: ignore[misc]
                _stamp(name).touch()
        tell(name, 1.0)


if __name__ == "__main__":
    main()
