"""Moves that wait for a commit: many tables' moves share one, each table has one in it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable

from foxden.server.store import MoveRow, PlyTaken

# Enough for any number of tables that one process can keep busy; a commit stays short.
MOST = 2000
GATHER = 0.001  # seconds between two commits while several tables play


class Waiting:
    """A move, and the future that its sender waits for."""

    __slots__ = ("done", "move")

    def __init__(self, move: MoveRow, done: asyncio.Future[None]) -> None:
        """Begins to wait."""
        self.move = move
        self.done = done


class Pace:
    """Lets moves gather for a moment: a commit costs the same for one of them and for twenty.

    A table that plays alone, or after a while, never waits.
    """

    def __init__(self) -> None:
        """Begins without a reason to wait."""
        self._next = 0.0

    def wait(self) -> float:
        """Returns the seconds until the next commit may begin."""
        return max(0.0, self._next - time.monotonic())

    def begin(self, moves: int) -> None:
        """Notes that a commit of so many moves begins."""
        self._next = time.monotonic() + GATHER if moves > 1 else 0.0


def take(queue: deque[Waiting]) -> list[Waiting]:
    """Takes the next commit's moves: the first of each table; its others wait their turn."""
    # One statement does not see its own rows, so it could not tell whether a ply follows another.
    batch: dict[str, Waiting] = {}
    later = []
    while queue and len(batch) < MOST:
        waiting = queue.popleft()
        if waiting.move.table in batch:
            later.append(waiting)
        else:
            batch[waiting.move.table] = waiting
    queue.extendleft(reversed(later))
    return list(batch.values())


def settle(settled: Iterable[tuple[Waiting, BaseException | None]]) -> None:
    """Tells the senders; it runs in their loop."""
    for waiting, error in settled:
        if not waiting.done.done():
            if error is None:
                waiting.done.set_result(None)
            else:
                waiting.done.set_exception(error)


def taken(move: MoveRow) -> PlyTaken:
    """Returns the error for a move that came too late."""
    return PlyTaken(f"Ply {move.ply} of table {move.table} is not open.")
