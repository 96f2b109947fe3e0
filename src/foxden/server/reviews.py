"""Reviews of finished matches: computed in separate processes, and stored.

A review is the same for everybody, so each seat has one. Its progress is in the store, for every
process of the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog

from foxden.review import VERSION
from foxden.server.parent_watch import end_with_parent
from foxden.server.problems import Refusal
from foxden.server.store import ReviewRow, Store, StoreDown
from foxden.server.tasks import Tasks

if TYPE_CHECKING:
    from foxden.engine.match import Match

log = structlog.get_logger()
AT_ONCE = 1  # reviews that one process of the server computes at the same time
MOST_WAITING = 50
STALE = 30.0  # seconds without progress before a review counts as abandoned
TOLD = 1.0  # seconds between progress updates
SIGN = 10.0  # seconds without progress before a sign of life is written
LONGEST = 900.0  # seconds
LIMIT = 64 * 1024 * 1024  # bytes of one line of a review's process
NICE = 10  # people who play come first


class Reviews:
    """The reviews that this process computes."""

    def __init__(self, store: Store, tasks: Tasks, effort: float) -> None:
        """Begins with none."""
        self._effort = effort
        self._store = store
        self._tasks = tasks
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._running: dict[tuple[str, int], float] = {}  # progress, by table and seat

    async def find(self, table: str, seat: int) -> ReviewRow | None:
        """Returns a seat's review, or its progress; None if abandoned."""
        mine = (table, seat) in self._running  # it may finish before the store answers
        row = await self._store.review(table, seat)
        if row is None or row.version != VERSION:
            return None
        given_up = row.content is None and time.time() - row.at > STALE
        return None if given_up and not mine else row

    async def begin(self, table: str, seat: int, match: Match) -> ReviewRow:
        """Begins to compute a seat's review, unless it is there or under way anywhere."""
        found = await self.find(table, seat)
        if found is not None:
            return found
        row = ReviewRow(table, seat, VERSION, time.time(), 0.0)
        if (table, seat) in self._running:
            return row
        if len(self._running) >= MOST_WAITING:
            raise Refusal("busy", 503, "Many reviews are waiting; try again later.", retry=30)
        self._running[table, seat] = 0.0
        try:
            is_first = await self._store.begin_review(row, given_up=row.at - STALE)
        except BaseException:
            del self._running[table, seat]
            raise
        if not is_first:
            del self._running[table, seat]
            return await self._store.review(table, seat) or row
        self._tasks.spawn(self._compute(table, seat, match.record()))
        return row

    async def _compute(self, table: str, seat: int, record: str) -> None:
        signs = self._tasks.spawn(self._give_signs(table, seat))
        try:
            async with self._slots, asyncio.timeout(LONGEST):
                content = await self._run(table, seat, record)
                if content is not None:
                    await self._keep(ReviewRow(table, seat, VERSION, time.time(), 1.0, content))
        except TimeoutError:
            log.error("review took too long", table=table, seat=seat)
        finally:
            signs.cancel()
            del self._running[table, seat]

    async def _give_signs(self, table: str, seat: int) -> None:
        """Writes a review's progress, even while it waits: otherwise it would seem abandoned."""
        noted, at = 0.0, time.monotonic()
        while True:
            await asyncio.sleep(TOLD)
            done = self._running[table, seat]
            if done > noted or time.monotonic() - at > SIGN:
                with contextlib.suppress(StoreDown):  # the next one says more
                    await self._store.put_review(ReviewRow(table, seat, VERSION, time.time(), done))
                    noted, at = done, time.monotonic()

    async def _keep(self, row: ReviewRow) -> None:
        """Stores a finished review, retrying while the store is down."""
        while True:
            try:
                await self._store.put_review(row)
            except StoreDown as error:
                log.warning("store is away", during="review", why=str(error))
                await asyncio.sleep(TOLD)
            else:
                return

    async def _run(self, table: str, seat: int, record: str) -> str | None:
        """Runs the process that computes a review; returns the review and tracks its progress."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", __name__, str(seat), str(self._effort)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LIMIT,
        )
        content = None
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(record.encode())
            process.stdin.close()
            async for line in process.stdout:
                if line.startswith(b"{"):
                    content = line.decode().strip()
                else:
                    with contextlib.suppress(ValueError):  # other output
                        done = max(self._running[table, seat], float(line))
                        self._running[table, seat] = min(done, 1.0)
            if await process.wait():
                log.error("review failed", table=table, seat=seat, status=process.returncode)
        finally:
            if process.returncode is None:
                process.kill()
        return content


class Teller:
    """Reports a review's progress now and then: one line at a time, from any thread."""

    def __init__(self, write: Callable[[str], object], pause: float = TOLD / 2) -> None:
        """Takes what writes a line."""
        self._write = write
        self._pause = pause
        self._lock = threading.Lock()
        self._done = 0.0
        self._at = 0.0

    def tell(self, done: float) -> None:
        """Reports it, unless a moment ago, or another thread is further."""
        with self._lock:
            now = time.monotonic()
            if done > self._done and now - self._at > self._pause:
                self._done, self._at = done, now
                self._write(f"{done:.3f}\n")


def main() -> None:
    """Reviews a seat of the record on standard input; prints progress, then the review."""
    from foxden.engine.match import Match
    from foxden.review import Budget, review
    from foxden.review.rollouts import prepare

    end_with_parent()
    with contextlib.suppress(OSError):
        os.nice(NICE)
    import foxden.games  # noqa: F401  (registers them)

    match = Match.from_record(sys.stdin.read())
    teller = Teller(_say)
    compiling = 0.1  # of the way
    prepare(match.game, lambda done: teller.tell(compiling * done))
    found = review(
        match,
        int(sys.argv[1]),
        budget=Budget().times(float(sys.argv[2])),
        report=lambda done: teller.tell(compiling + (1 - compiling) * done),
    )
    _say(json.dumps(found.to_json(), ensure_ascii=False) + "\n")


def _say(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
