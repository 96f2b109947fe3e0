"""Background tasks in the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from foxden.server import metrics
from foxden.server.store import StoreDown

log = structlog.get_logger()


class Tasks:
    """The tasks of one process. A failure is logged and ends only the task itself."""

    def __init__(self) -> None:
        """Begins with none."""
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Runs something in the background."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            metrics.FAULTS.inc()
            log.error("task failed", exc_info=error)

    def repeat(
        self, name: str, work: Callable[[], Coroutine[Any, Any, None]], pause: float
    ) -> asyncio.Task[Any]:
        """Repeats something, whatever happens."""
        return self.spawn(self._repeat(name, work, pause))

    async def _repeat(
        self, name: str, work: Callable[[], Coroutine[Any, Any, None]], pause: float
    ) -> None:
        while True:
            await self._tried(name, work)
            await asyncio.sleep(pause)

    def until_done(
        self, name: str, work: Callable[[], Coroutine[Any, Any, None]], pause: float
    ) -> asyncio.Task[Any]:
        """Retries something until it succeeds."""
        return self.spawn(self._until_done(name, work, pause))

    async def _until_done(
        self, name: str, work: Callable[[], Coroutine[Any, Any, None]], pause: float
    ) -> None:
        while not await self._tried(name, work):
            await asyncio.sleep(pause)

    @staticmethod
    async def _tried(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        try:
            await work()
        except StoreDown as error:
            log.warning("store is away", during=name, why=str(error))
        except Exception:
            metrics.FAULTS.inc()
            log.exception("background work failed", during=name)
        else:
            return True
        return False

    async def close(self) -> None:
        """Cancels everything and waits until it has ended."""
        tasks = list(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
