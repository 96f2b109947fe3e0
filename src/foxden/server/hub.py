"""The hub: everything one server process shares, and its loaded tables."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from weakref import WeakValueDictionary

import structlog

from foxden.engine.errors import FoxdenError
from foxden.server import chat, metrics, tidying
from foxden.server.bans import Bans
from foxden.server.compiling import Compiling
from foxden.server.config import Config
from foxden.server.limits import Limits
from foxden.server.people import People
from foxden.server.problems import Refusal
from foxden.server.reviews import Reviews
from foxden.server.store import (
    Holdings,
    IdTaken,
    Notice,
    PersonRow,
    Store,
    StoreDown,
    TableRow,
    open_store,
)
from foxden.server.tables import Services, Table
from foxden.server.tasks import Tasks
from foxden.server.thinking import Thinking
from foxden.server.uptime import Uptime
from foxden.server.workers import Workers

log = structlog.get_logger()
FRESH = 1.0  # seconds for which a check of the store stays valid
BEAT = 1.0  # seconds between heartbeats
DEAD = 5.0  # seconds without a heartbeat until other workers take over a worker's tables
KEPT = 60.0  # seconds that an unwatched table stays in memory
AGREE = 60.0  # seconds between updates of the uptime, if there is one process
AT_ONCE = 100  # tables checked without a pause
ATTENDED = 100  # tables that need a process, found in one query
TIDY = 600.0  # seconds between two cleanups
REMEMBERED = 10_000  # tables in other processes


class Hub:
    """One process: its store, people, bots and tables."""

    def __init__(self, config: Config, store: Store | None = None) -> None:
        """Takes the configuration, and the store if it is already claimed; `open` opens both."""
        self.config = config
        self.store: Store = store or open_store(config.url)
        self.people = People(self.store, config.find_secret())
        self.thinking = Thinking(config.thinkers)
        self.compiling = Compiling(self._game_ready, self._is_busy)
        self.limits = Limits(config)
        self.bans = Bans()
        self.uptime = Uptime()
        self.workers = Workers()
        self.tasks = Tasks()
        self.reviews = Reviews(self.store, self.tasks, config.review_effort)
        self.grace_until = 0.0
        self._services = Services(
            store=self.store,
            people=self.people,
            thinking=self.thinking,
            compiling=self.compiling,
            limits=self.limits,
            uptime=self.uptime,
            workers=self.workers,
            tasks=self.tasks,
            grace_until=lambda: self.grace_until,
        )
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Future[Table | None]] = {}
        self._agreed = 0.0  # when the uptime was last updated
        self._wanted = asyncio.Event()  # some table may need this process
        self._undriven: set[str] = set()  # tables elsewhere without bots or clocks to drive
        self._checking: asyncio.Future[None] | None = None
        self._checked = 0.0  # when the store was last checked
        self._holding: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self) -> None:
        """Opens the store and starts the background tasks."""
        self.store.claim()
        await self.store.open()
        await self._agree()
        self.grace_until = self.uptime() + self.config.grace
        self.bans.read(await self.store.bans())
        await self._beat()
        await self.store.drop_presence(self.workers.alive)
        for name, work in (
            ("notices", self._follow),
            ("beat", self._live),
            ("attending", self._attend),
            ("forgetting", self._forget_idle),
            ("presence", self._tell_presence),
            ("tidying", self._tidy),
        ):
            self.tasks.repeat(name, work, BEAT)
        self.tasks.until_done("compiling", self.compiling.run, BEAT)

    @property
    def closing(self) -> bool:
        """Returns whether the server is stopping."""
        return self.workers.closing

    async def farewell(self, seconds: float) -> None:
        """Accepts nothing new, finishes what is in flight, and says goodbye on all sockets."""
        self.workers.closing = True
        self.thinking.close()
        # Tables come and go meanwhile, so never iterate over the dictionary itself.
        for table in list(self._tables.values()):
            table.close()
        try:
            async with asyncio.timeout(self.config.shutdown):
                for table in list(self._tables.values()):
                    await table.live.settled()
        except TimeoutError:
            log.warning("a move is still on its way to the disk")
        for table in list(self._tables.values()):
            table.audience.dismiss("The server is being restarted.", seconds)

    async def close(self) -> None:
        """Stops everything; all appended moves are on disk afterwards."""
        self.workers.closing = True
        await self.tasks.close()
        self.thinking.close()
        try:
            async with asyncio.timeout(BEAT):
                await self.store.raise_uptime(self.uptime())
                await self._tell_presence()
        except (StoreDown, TimeoutError) as error:
            log.warning("store is away", during="closing", why=str(error))
        await self.store.close()

    def check_open(self) -> None:
        """Refuses changes while the server is stopping."""
        if self.closing:
            raise Refusal("closing", 503, "The server is being restarted.", retry=2)

    async def check_store(self) -> None:
        """Refuses if the store cannot be written; checks at most once a second."""
        now = time.monotonic()
        if self._checking is None or (self._checking.done() and now - self._checked > FRESH):
            self._checking = asyncio.ensure_future(self.store.check())
            self._checked = now
        await asyncio.shield(self._checking)

    # Tables

    async def find(self, id: str) -> Table | None:
        """Returns a table from memory or from the store."""
        if (table := self._tables.get(id)) is not None:
            table.used = time.monotonic()
            return table
        if id not in self._loading:
            self._loading[id] = self.tasks.spawn(self._load(id))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Table | None:
        try:
            row = await self.store.table(id)
            if row is None:
                return None
            said = await self.store.chat(id, limit=chat.LATEST)
            table = Table(self._services, row, said, await self.store.presence([id]))
            await table.deal()
            if id in self._tables:  # it was loaded here meanwhile
                table.close()
                return self._tables[id]
            self._tables[id] = table
            table.driver.drive()
            metrics.TABLES.set(len(self._tables))
            return table
        finally:
            del self._loading[id]

    async def add(self, row: TableRow) -> Table:
        """Adds a new table, unless it was loaded meanwhile."""
        try:
            await self.store.add_table(row)
        except IdTaken:
            found = await self.find(row.id)
            if found is None:
                raise
            return found
        # Its notice may have come first.
        table = self._tables.setdefault(row.id, Table(self._services, row))
        table.presence.note(row.host, self.uptime())
        await table.row_changed()
        metrics.TABLES.set(len(self._tables))
        return table

    def loaded(self, id: str) -> Table | None:
        """Returns a table if it is in memory."""
        return self._tables.get(id)

    async def remove(self, row: TableRow) -> bool:
        """Closes an unfinished table; returns whether its row was still current."""
        if not await self.store.remove_table(row):
            return False
        if (table := self._tables.get(row.id)) is not None:
            self._gone(table)
        return True

    def _gone(self, table: Table) -> None:
        self._drop(table)
        table.audience.dismiss("The table was closed.")

    def _drop(self, table: Table) -> None:
        table.close()
        if self._tables.get(table.row.id) is table:
            del self._tables[table.row.id]
        metrics.TABLES.set(len(self._tables))

    def _game_ready(self, game: str) -> None:
        """Lets bots use their full strength in a game that was just compiled."""
        self._wanted.set()

    def _is_busy(self) -> bool:
        return any(table.audience.onlookers for table in self._tables.values())

    # Between processes

    async def _beat(self) -> None:
        if self.store.is_shared or time.monotonic() - self._agreed > AGREE:
            await self._agree()
        now = self.uptime()
        await self.store.beat(self.workers.me, now)
        alive = await self.store.workers(now - DEAD)
        if alive != self.workers.alive and self.workers.me in alive:
            self.workers.alive = alive
            await self.store.drop_presence(alive)
            for table in list(self._tables.values()):
                self._hand_over(table)
                table.presence.write_all_again()
                table.driver.drive()
            self._wanted.set()

    async def _agree(self) -> None:
        """Agrees with other processes, and earlier ones, on the servers' uptime."""
        self.uptime.raise_to(await self.store.raise_uptime(self.uptime()))
        self._agreed = time.monotonic()

    def _hand_over(self, table: Table) -> None:
        """Releases a table that another process drives from now on."""
        if table.driver.is_claimed and not self.workers.owns(table.row.id):
            table.driver.is_claimed = False
            self.tasks.spawn(table.driver.release(0.0))

    async def _live(self) -> None:
        """Sends one heartbeat, follows which workers are alive, and cleans up."""
        await self._beat()
        now = time.monotonic()
        for number, table in enumerate(list(self._tables.values()), 1):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)  # lets play go on
            if self._tables.get(table.row.id) is not table:
                continue
            for onlooker in list(table.audience.onlookers):
                onlooker.check_pulse(now)
            table.driver.nudge()
            await table.end()
        self.limits.sweep()

    # Tables without visitors

    async def _attend(self) -> None:
        """Loads tables whose bots or clocks need this process, one by one."""
        while not self.closing:
            self._wanted.clear()
            games = list(self.compiling.done)
            found = await self.store.due(self.uptime(), self.workers.alive, games, ATTENDED)
            mine = [id for id in found if self.workers.owns(id)]
            for id in mine:
                await self._attend_to(id)
            if not mine:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(BEAT):
                        await self._wanted.wait()

    async def _attend_to(self, id: str) -> None:
        """Drives a table's bots and clock; unloads it if nothing is due."""
        table = await self.find(id)
        if table is None:
            return
        table.driver.drive()
        if not table.driver.is_claimed:  # it cannot be played: do not try again
            table.driver.claim()
        if table.is_idle:
            await self._forget(table)

    async def _forget_idle(self) -> None:
        """Unloads tables that have been unwatched for a while; once."""
        now = time.monotonic()
        for table in list(self._tables.values()):
            if table.is_idle and now - table.used > KEPT:
                await self._forget(table)

    async def _forget(self, table: Table) -> None:
        """Records when a table needs a process again, and unloads it."""
        await table.driver.claimed()
        if table.row.status == "running":
            await table.driver.release(table.driver.wake)
        table.driver.is_claimed = False
        if table.is_idle and not table.presence.has_news:
            self._drop(table)

    # Presence and old data

    async def _tell_presence(self) -> None:
        """Writes who came and left; once."""
        tables = [table for table in self._tables.values() if table.presence.has_news]
        rows = [row for table in tables for row in table.presence.write()]
        try:
            await self.store.put_presence(rows)
        except StoreDown:
            for table in tables:
                table.presence.write_again(row for row in rows if row.table == table.row.id)
            raise

    async def _tidy(self) -> None:
        """Removes old data, in one of the processes; once."""
        await asyncio.sleep(TIDY)
        if self.workers.owns("tidying"):
            await tidying.expire_open(self)
            await tidying.purge(self.store, self.config)

    # People

    async def person_changed(self, id: str) -> None:
        """Applies a person's changes, and closes the sockets of revoked devices."""
        self.people.forget(id)
        sockets = [
            onlooker
            for table in list(self._tables.values())
            for onlooker in table.audience.onlookers
            if onlooker.person is not None and onlooker.person.id == id
        ]
        if not sockets:
            return
        person = await self.store.person(id)
        devices = {device.id for device in await self.store.devices(id)}
        for onlooker in sockets:
            if person is None or onlooker.device not in devices:
                onlooker.dismiss("This device is no longer known here.")
            else:
                onlooker.person = person

    async def read_bans(self) -> None:
        """Reads the bans, and closes the sockets of banned people."""
        self.bans.read(await self.store.bans())
        for table in list(self._tables.values()):
            for onlooker in list(table.audience.onlookers):
                if why := self.bans.keeps_out(onlooker.person, onlooker.address):
                    onlooker.dismiss(why)

    @contextlib.asynccontextmanager
    async def holding(self, person: PersonRow, address: str) -> AsyncIterator[Holdings]:
        """Counts what a person and their address hold; it cannot change here meanwhile."""
        network = self.people.network(address)
        lock = self._holding.setdefault(network, asyncio.Lock())
        async with lock:
            yield await self.store.holdings(person.id, network)

    # Notices

    async def _follow(self) -> None:
        """Follows the store's notices."""
        async for notice in self.store.notices():
            if self._knows(notice):
                continue
            try:
                await self._heed(notice)
            except FoxdenError as error:
                log.warning("notice not followed", about=notice.id, why=str(error))

    def _knows(self, notice: Notice) -> bool:
        """Returns whether a notice is about a move played here; most are."""
        found = self._tables.get(notice.id)
        return found is not None and notice.what == "moves" and notice.number <= found.live.number

    async def _heed(self, notice: Notice) -> None:
        if not notice.id:  # something may have been missed
            await self._read_again()
            return
        if notice.what == "person":
            await self.person_changed(notice.id)
            return
        if notice.what == "bans":
            await self.read_bans()
            return
        if (loading := self._loading.get(notice.id)) is not None:
            await asyncio.wait([loading])  # what it has read may be older than the notice
        found = self._tables.get(notice.id)
        if found is None:
            await self._heed_elsewhere(notice)
        elif notice.what == "moves":
            await found.refresh(notice.moves)
        elif notice.what == "table":
            if notice.number != found.row.version:
                try:
                    await found.reread()
                except Refusal:  # it is gone
                    self._gone(found)
        elif notice.what == "presence":
            await found.read_presence()
        elif notice.what == "removal":
            await found.chat.hear_again()
        else:
            await found.chat.listen()

    async def _read_again(self) -> None:
        """Rereads everything, however long the store takes to answer."""
        self.people.forget()
        waiting = list(self._tables.values())
        people = {
            onlooker.person.id
            for table in waiting
            for onlooker in table.audience.onlookers
            if onlooker.person is not None
        }
        while True:
            try:
                await self.read_bans()
                for person in people:
                    await self.person_changed(person)
                while waiting:
                    await self._read_table_again(waiting[-1])
                    waiting.pop()
                break
            except StoreDown:
                await asyncio.sleep(BEAT)
        self._wanted.set()

    async def _read_table_again(self, table: Table) -> None:
        try:
            await table.reread()
            await table.refresh()
            await table.chat.hear_again()
            await table.read_presence()
        except Refusal:  # it is gone
            self._gone(table)

    async def _heed_elsewhere(self, notice: Notice) -> None:
        """Loads a table played elsewhere if this process drives its bots or clock."""
        if notice.what == "table":
            self._undriven.discard(notice.id)
        if notice.what not in ("moves", "table"):
            return
        if notice.id in self._undriven or not self.workers.owns(notice.id):
            return
        row = await self.store.table(notice.id)
        if row is not None and row.is_driven:
            await self.find(notice.id)
        else:
            self._undriven.add(notice.id)
            if len(self._undriven) > REMEMBERED:
                self._undriven.clear()
