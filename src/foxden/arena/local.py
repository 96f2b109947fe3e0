"""Pieces of work on this machine: in threads where rules run compiled, else in processes."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    Executor,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    as_completed,
)
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any

MOST_LOST = 3  # kills in a row before giving up
# Processes take about so many seconds to start, each of them. A run is played here for as long
# first: a short one never pays for them, and no run takes more than twice as long as it need.
PATIENCE = 3.0


class Local:
    """Workers on this machine. Python holds its lock, so threads are for compiled work alone."""

    def __init__(
        self, workers: int | None = None, *, threads: bool, patience: float = PATIENCE
    ) -> None:
        """Starts nothing yet; one worker, usually one a core, needs neither."""
        self.workers = workers or cores()
        self.threads = threads
        self.patience = 0.0 if threads else patience
        self._pool: Executor | None = None

    def _made(self) -> Executor:
        if self.threads:
            return ThreadPoolExecutor(self.workers)
        # A fresh process: a copy of one that runs threads may hang.
        fresh = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.workers, mp_context=fresh)

    def map(
        self, play: Callable[[Any, Any], Any], shared: Any, pieces: Sequence[Any]
    ) -> Iterator[tuple[Any, Any]]:
        """Does pieces; repeats those of a killed process."""
        left, lost = list(pieces), 0
        while left and (self.workers == 1 or len(left) == 1 or self.patience > 0):
            began = time.perf_counter()
            piece = left.pop(0)
            result = play(shared, piece)
            self.patience -= time.perf_counter() - began
            yield piece, result
        if left and not self.threads and self._pool is None and not _can_travel(play, shared):
            self.threads = True
        while left:
            if self._pool is None:
                self._pool = self._made()
            try:
                waiting = {self._pool.submit(play, shared, piece): piece for piece in left}
                for done in as_completed(waiting):
                    result = done.result()
                    left.remove(waiting[done])
                    lost = 0
                    yield waiting[done], result
            except BrokenProcessPool:
                assert self._pool is not None
                self._pool.shutdown(wait=False)
                self._pool = None
                lost += 1
                if lost > MOST_LOST:
                    raise

    def __enter__(self) -> Local:
        """Starts nothing yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends the workers."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _can_travel(*what: Any) -> bool:
    """Returns whether another process can be given this: bots of one's own script cannot."""
    try:
        text = pickle.dumps(what)
    except (pickle.PicklingError, TypeError, AttributeError):
        return False
    return b"__main__" not in text


def cores() -> int:
    """Counts the cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS
    return len(affinity(0)) if affinity else os.cpu_count() or 1
