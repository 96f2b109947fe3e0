"""The house: all that one server process shares, and the tables that are alive in it."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from foxden.engine.errors import FoxdenError
from foxden.server import metrics
from foxden.server.config import Config
from foxden.server.kitchen import Kitchen
from foxden.server.limits import Limits
from foxden.server.people import People
from foxden.server.problems import Refusal
from foxden.server.store import IdTaken, Notice, Store, StoreDown, TableFilter, TableRow, open_store
from foxden.server.tables import Table, is_driven
from foxden.server.thinking import Thinking

log = structlog.get_logger()
FRESH = 1.0  # seconds for which it holds that the store could be written
BEAT = 1.0  # seconds between two signs of life
DEAD = 5.0  # seconds without one after which a worker's tables go to others
KEPT = 60.0  # seconds that a table stays in memory when nobody looks at it
ALL = 1_000_000
REMEMBERED = 10_000  # tables elsewhere


class House:
    """One process: its store, its people, its bots, its tables."""

    def __init__(self, config: Config) -> None:
        """Takes the configuration; `open` does the rest."""
        self.config = config
        self.worker = secrets.token_hex(8)
        self.store: Store = open_store(config.url)
        self.people = People(self.store, config.find_secret())
        self.thinking = Thinking(config.thinkers)
        self.kitchen = Kitchen(self._game_ready)
        self.limits = Limits(config)
        self.closing = False
        self.grace_until = time.time() + config.grace
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Future[Table | None]] = {}
        self._workers: list[str] = [self.worker]
        self._undriven: set[str] = set()  # tables elsewhere that need neither bots nor clocks
        self._tasks: set[asyncio.Task[Any]] = set()
        self._checking: asyncio.Future[None] | None = None
        self._checked = 0.0  # when the store was tried last

    async def open(self) -> None:
        """Opens the store, and begins what runs in the background."""
        await self.store.open()
        await self._beat()
        self.spawn(self._forever("notices", self._follow))
        self.spawn(self._forever("beat", self._live))
        self.spawn(self._forever("kitchen", self.kitchen.run, once=True))

    async def farewell(self, seconds: float) -> None:
        """Takes nothing new, finishes what is in flight, and says goodbye to all sockets."""
        self.closing = True
        self.thinking.close()
        # Tables come and go while this waits, so it never goes through the dictionary itself.
        for table in list(self._tables.values()):
            table.close()
        try:
            async with asyncio.timeout(self.config.shutdown):
                for table in list(self._tables.values()):
                    await table.settled()
        except TimeoutError:
            log.warning("a move is still on its way to the disk")
        for table in list(self._tables.values()):
            for onlooker in list(table.onlookers):
                onlooker.dismiss("The server is being restarted.", seconds)

    async def close(self) -> None:
        """Ends everything; what was appended is on disk when this is done."""
        self.closing = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinking.close()
        await self.store.close()

    def check_open(self) -> None:
        """Refuses what would change something while the server is being stopped."""
        if self.closing:
            raise Refusal("closing", 503, "The server is being restarted.", retry=2)

    async def check_store(self) -> None:
        """Refuses when the store cannot be written; whoever asks, it is tried once a second."""
        now = time.monotonic()
        if self._checking is None or (self._checking.done() and now - self._checked > FRESH):
            self._checking = asyncio.ensure_future(self.store.check())
            self._checked = now
        await asyncio.shield(self._checking)

    # Tasks

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Runs something beside everything else; a failure is logged, and ends only itself."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            metrics.FAULTS.inc()
            log.error("task failed", exc_info=error)

    async def _forever(
        self, name: str, work: Callable[[], Coroutine[Any, Any, None]], once: bool = False
    ) -> None:
        """Does something again and again, whatever happens."""
        while True:
            try:
                await work()
                if once:
                    return
            except StoreDown as error:
                log.warning("store is away", during=name, why=str(error))
            except Exception:
                metrics.FAULTS.inc()
                log.exception("background work failed", during=name)
            await asyncio.sleep(BEAT)

    # Tables

    async def find(self, id: str) -> Table | None:
        """Gives a table, from memory or from the store."""
        if (table := self._tables.get(id)) is not None:
            table.used = time.monotonic()
            return table
        if id not in self._loading:
            self._loading[id] = self.spawn(self._load(id))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Table | None:
        try:
            row = await self.store.table(id)
            if row is None:
                return None
            table = Table(self, row, await self.store.chat(id))
            await table.deal()
            if id in self._tables:  # it was opened right here, meanwhile
                return self._tables[id]
            self._tables[id] = table
            table.drive()
            metrics.TABLES.set(len(self._tables))
            return table
        finally:
            del self._loading[id]

    async def add(self, row: TableRow) -> Table:
        """Opens a new table, unless somebody has opened it meanwhile."""
        try:
            await self.store.add_table(row)
        except IdTaken:
            found = await self.find(row.id)
            if found is None:
                raise
            return found
        table = self._tables[row.id] = Table(self, row, ())
        await table.row_changed()
        metrics.TABLES.set(len(self._tables))
        return table

    async def remove(self, table: Table) -> bool:
        """Closes a table that was not begun; tells whether it could be done."""
        if not await self.store.remove_table(table.row):
            return False
        self._gone(table)
        return True

    def _gone(self, table: Table) -> None:
        self._drop(table)
        for onlooker in list(table.onlookers):
            onlooker.dismiss("The table was closed.")

    def _drop(self, table: Table) -> None:
        table.close()
        self._tables.pop(table.row.id, None)
        metrics.TABLES.set(len(self._tables))

    def _game_ready(self, game: str) -> None:
        for table in list(self._tables.values()):
            if table.row.game == game:
                self.spawn(table.row_changed())
        self.spawn(self._take_up())

    # Between processes

    def owns(self, id: str) -> bool:
        """Tells whether bots and clocks of a table are this process's (rendezvous hashing)."""
        if self.closing:
            return False
        if len(self._workers) == 1:
            return self._workers[0] == self.worker
        return self.worker == max(
            self._workers, key=lambda w: hashlib.blake2b(f"{w} {id}".encode()).digest()
        )

    async def _beat(self) -> None:
        now = time.time()
        await self.store.beat(self.worker, now)
        workers = await self.store.workers(now - DEAD)
        if workers != self._workers and self.worker in workers:
            self._workers = workers
            await self._take_up()

    async def _live(self) -> None:
        """Beats, follows who else is there, and clears up; once."""
        await self._beat()
        now = time.monotonic()
        for table in list(self._tables.values()):
            if table.idle and now - table.used > KEPT:
                self._drop(table)
            for onlooker in list(table.onlookers):
                onlooker.check_pulse(now)
            table.nudge()
            await table.end()
        self.limits.sweep()

    async def _take_up(self) -> None:
        """Goes on with the running matches whose bots and clocks are this process's."""
        running = await self.store.tables(TableFilter(status=("running",), limit=ALL))
        for row in running:
            if is_driven(row) and self.owns(row.id) and self.kitchen.is_ready(row.game):
                table = await self.find(row.id)
                if table is not None:
                    table.drive()

    async def _follow(self) -> None:
        """Follows what other processes write."""
        async for notice in self.store.notices():
            found = self._tables.get(notice.table)
            if found is not None and notice.what == "moves" and notice.number <= found.ply:
                continue  # mostly its own
            try:
                await self._heed(notice)
            except FoxdenError as error:
                log.warning("notice not followed", table=notice.table, why=str(error))

    async def _heed(self, notice: Notice) -> None:
        if not notice.table:  # something may have been missed
            await self._read_again()
            return
        found = self._tables.get(notice.table)
        if found is None:
            await self._heed_elsewhere(notice)
        elif notice.what == "moves":
            await found.refresh()
        elif notice.what == "table":
            if notice.number != found.row.version:
                try:
                    await found.reread()
                except Refusal:  # it is not there any more
                    self._gone(found)
        else:
            await found.listen()

    async def _read_again(self) -> None:
        """Reads every table once more, however long the store takes to answer."""
        waiting = list(self._tables.values())
        while waiting:
            table = waiting[-1]
            try:
                await table.reread()
                await table.refresh()
                await table.listen()
            except StoreDown:
                await asyncio.sleep(BEAT)
                continue
            except Refusal:  # it is not there any more
                self._gone(table)
            waiting.pop()
        await self._take_up()

    async def _heed_elsewhere(self, notice: Notice) -> None:
        """Takes up a table that others play at, if its bots or its clock are this process's."""
        if notice.what == "table":
            self._undriven.discard(notice.table)
        if notice.what == "chat" or notice.table in self._undriven or not self.owns(notice.table):
            return
        table = await self.find(notice.table)
        if table is not None and table.idle and not is_driven(table.row):
            self._drop(table)
            self._undriven.add(notice.table)
            if len(self._undriven) > REMEMBERED:
                self._undriven.clear()
