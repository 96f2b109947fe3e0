"""Compiles the games in separate processes, while people already play.

A cold compile in this process would hold up everybody's sockets for a tenth of a second at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import sys
import threading
from collections.abc import Callable

import structlog

import foxden.games  # noqa: F401  (registers them)
from foxden.bots.preparing import prepare, stamp
from foxden.engine.kernel import COMPILE
from foxden.engine.registry import find, registered
from foxden.server.file_lock import lock_file
from foxden.server.parent_watch import end_with_parent

log = structlog.get_logger()
WAIT = 5.0  # seconds before a failed compilation is retried
MOST = 0.99  # before it is loaded too
HEAD_START = 2.0  # seconds a new server reserves for its first pages and tables
NICE = 10  # people who play come first


class Compiling:
    """Tracks how far each game is compiled; people play meanwhile, a little slower."""

    def __init__(self, compiled: Callable[[str], None], is_busy: Callable[[], bool]) -> None:
        """`compiled` is called, in the loop, for each game; `is_busy` says whether people play."""
        self.done = dict.fromkeys(registered(), 0.0)
        self._compiled = compiled
        self._is_busy = is_busy
        self._wanted: list[str] = []  # games somebody has opened, in that order
        self._running: dict[str, asyncio.Task[None]] = {}

    def is_ready(self, game: str) -> bool:
        """Returns whether a game's rules and its search are compiled."""
        return self.done.get(game, 0.0) >= 1.0

    def want(self, game: str) -> None:
        """Moves a game ahead of those that nobody plays."""
        if game not in self._wanted:
            self._wanted.append(game)

    async def run(self) -> None:
        """Compiles all games, retrying until it succeeds."""
        if COMPILE == "never":
            for game in self.done:
                self._set_ready(game)
        if any(stamp(game).exists() for game in self._left()):
            await asyncio.sleep(HEAD_START)  # yield to requests between loads
        while compiled := [game for game in self._left() if stamp(game).exists()]:
            await self._load(compiled[0])
        try:
            while not all(map(self.is_ready, self.done)):
                for game in self._next():
                    self._running[game] = asyncio.create_task(self._compile(game))
                running = self._running.values()
                await asyncio.wait(running, timeout=1.0, return_when=asyncio.FIRST_COMPLETED)
                for game, task in list(self._running.items()):
                    if task.done():
                        del self._running[game]
                        task.result()
        finally:
            for task in self._running.values():
                task.cancel()

    def _next(self) -> list[str]:
        """Chooses what to compile now: on all cores, or on all but one while people play."""
        cores = os.cpu_count() or 1
        free = max(1, cores - self._is_busy()) - len(self._running)
        return self._left()[: max(0, free)]

    def _left(self) -> list[str]:
        """Lists games neither ready nor being compiled, opened ones first."""
        games = [game for game in dict.fromkeys([*self._wanted, *self.done]) if game in self.done]
        return [game for game in games if not self.is_ready(game) and game not in self._running]

    async def _compile(self, game: str) -> None:
        """Runs the process that compiles a game, and follows its progress."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, game, stdout=asyncio.subprocess.PIPE
        )
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                self.done[game] = min(json.loads(line), MOST)
            if await process.wait():
                log.error("compiling failed", game=game, status=process.returncode)
                await asyncio.sleep(WAIT)
                return
        finally:
            if process.returncode is None:
                process.kill()
        await self._load(game)

    async def _load(self, game: str) -> None:
        """Loads a compiled game in a thread; that takes a moment."""
        await _in_thread(lambda: prepare(find(game)))
        gc.freeze()  # compiled rules stay in memory; scanning them for garbage would delay play
        self._set_ready(game)

    def _set_ready(self, game: str) -> None:
        """Announces that a game is fully compiled."""
        self.done[game] = 1.0
        log.info("game ready", game=game)
        self._compiled(game)


async def _in_thread(work: Callable[[], None]) -> None:
    """Runs something in a daemon thread, which never delays shutdown."""
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

    threading.Thread(target=run, name="loading", daemon=True).start()
    await done


def main() -> None:
    """Compiles a game, and reports progress on standard output."""
    end_with_parent()
    with contextlib.suppress(OSError):
        os.nice(NICE)
    name = sys.argv[1]
    with stamp(name).with_suffix(".lock").open("w") as lock:
        lock_file(lock, wait=True)
        if not stamp(name).exists():  # several workers start at once, but only one compiles
            prepare(find(name), lambda done: print(round(done, 3), flush=True))


if __name__ == "__main__":
    main()
