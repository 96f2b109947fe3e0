"""Moves waiting for a commit: many tables share one, each with at most one move in it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable

from foxden.server.store import MoveRow, PlyTaken

# Enough for all tables that one process can keep busy, yet keeps a commit short.
MOST = 2000
GATHER = 0.001  # seconds between two commits while several tables are in play


class Waiting:
    """A move, and the future its sender awaits."""

    __slots__ = ("done", "move")

    def __init__(self, move: MoveRow, done: asyncio.Future[None]) -> None:
        """Takes a move and its future."""
        self.move = move
        self.done = done


class Pace:
    """Lets moves gather briefly: a commit costs the same for one of them as for twenty.

    A table that plays alone, or after a pause, never waits.
    """

    def __init__(self) -> None:
        """Starts without a wait."""
        self._next = 0.0

    def wait(self) -> float:
        """Returns the seconds until the next commit may begin."""
        return max(0.0, self._next - time.monotonic())

    def begin(self, moves: int) -> None:
        """Records the start of a commit of so many moves."""
        self._next = time.monotonic() + GATHER if moves > 1 else 0.0


def take(queue: deque[Waiting]) -> list[Waiting]:
    """Takes the moves of the next commit: the first of each table; later ones wait."""
    # A statement cannot see its own rows, so it could not check that one ply follows another.
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
    """Resolves the senders' futures; runs in their loop."""
    for waiting, error in settled:
        if not waiting.done.done():
            if error is None:
                waiting.done.set_result(None)
            else:
                waiting.done.set_exception(error)


def taken(move: MoveRow) -> PlyTaken:
    """Returns the error for a move that came too late."""
    return PlyTaken(f"Ply {move.ply} of table {move.table} is not open.")
