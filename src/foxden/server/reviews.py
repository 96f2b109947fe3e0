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
import time
from typing import TYPE_CHECKING

import structlog

from foxden.review import VERSION
from foxden.server.parent_watch import end_with_parent
from foxden.server.problems import Refusal
from foxden.server.store import ReviewRow, Store
from foxden.server.tasks import Tasks

if TYPE_CHECKING:
    from foxden.engine.match import Match

log = structlog.get_logger()
AT_ONCE = 1  # reviews that one process of the server computes at the same time
MOST_WAITING = 50
STALE = 30.0  # seconds without progress before a review counts as abandoned
TOLD = 1.0  # seconds between progress updates
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
        self._running: set[tuple[str, int]] = set()

    async def find(self, table: str, seat: int) -> ReviewRow | None:
        """Returns a seat's review, or its progress; None if abandoned."""
        row = await self._store.review(table, seat)
        if row is None or row.version != VERSION:
            return None
        given_up = row.content is None and time.time() - row.at > STALE
        return None if given_up and (table, seat) not in self._running else row

    async def begin(self, table: str, seat: int, match: Match) -> ReviewRow:
        """Begins to compute a seat's review, unless it is there or under way."""
        found = await self.find(table, seat)
        if found is not None:
            return found
        if len(self._running) >= MOST_WAITING:
            raise Refusal("busy", 503, "Many reviews are waiting; try again later.", retry=30)
        row = ReviewRow(table, seat, VERSION, time.time(), 0.0)
        if (table, seat) not in self._running:
            self._running.add((table, seat))
            await self._store.put_review(row)
            self._tasks.spawn(self._compute(table, seat, match.record()))
        return row

    async def _compute(self, table: str, seat: int, record: str) -> None:
        try:
            async with self._slots, asyncio.timeout(LONGEST):
                await self._run(table, seat, record)
        except TimeoutError:
            log.error("review took too long", table=table, seat=seat)
        finally:
            self._running.discard((table, seat))

    async def _run(self, table: str, seat: int, record: str) -> None:
        """Runs the process that computes a review, and stores its output."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", __name__, str(seat), str(self._effort)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LIMIT,
        )
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(record.encode())
            process.stdin.close()
            noted = 0.0
            async for line in process.stdout:
                if line.startswith(b"{"):
                    content = line.decode().strip()
                    done = ReviewRow(table, seat, VERSION, time.time(), 1.0, content)
                    await self._store.put_review(done)
                elif time.monotonic() - noted > TOLD:
                    noted = time.monotonic()
                    row = ReviewRow(table, seat, VERSION, time.time(), float(line))
                    await self._store.put_review(row)
            if await process.wait():
                log.error("review failed", table=table, seat=seat, status=process.returncode)
        finally:
            if process.returncode is None:
                process.kill()


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
    told = 0.0

    def tell(done: float) -> None:
        nonlocal told
        if time.monotonic() - told > TOLD / 2:
            told = time.monotonic()
            print(round(done, 3), flush=True)

    compiling = 0.1  # of the way
    prepare(match.game, lambda done: tell(compiling * done))
    found = review(
        match,
        int(sys.argv[1]),
        budget=Budget().times(float(sys.argv[2])),
        report=lambda done: tell(compiling + (1 - compiling) * done),
    )
    print(json.dumps(found.to_json(), ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
