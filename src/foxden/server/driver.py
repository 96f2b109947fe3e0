"""Bots and clocks: what keeps a table going by itself."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import structlog

from foxden.engine.errors import FoxdenError
from foxden.engine.game import Game
from foxden.server import daily, metrics, seating
from foxden.server.limits import Limits
from foxden.server.live_match import By
from foxden.server.store import Rest, Store, StoreDown
from foxden.server.tasks import Tasks
from foxden.server.thinking import Owner, Thinking
from foxden.server.uptime import Uptime
from foxden.server.workers import Workers

if TYPE_CHECKING:
    from foxden.server.tables import Table

log = structlog.get_logger()
PACES = {"relaxed": 1.2, "brisk": 0.5, "instant": 0.0}  # seconds between a bot's decisions
OPENING = 0.4  # seconds that bots pause in total before a person's first decision
RETRY = 0.5  # seconds until a bot retries when the store is down


def pause(game: Game, pace: str, level: int) -> float:
    """Returns the least seconds a bot takes: haste would show that it had no choice.

    At an instant table people have asked for haste.
    """
    return max(PACES[pace], Thinking.longest(game, level)) if PACES[pace] else 0.0


class Driver:
    """Plays one table's bots, and for people who run out of time."""

    def __init__(
        self,
        table: Table,
        *,
        store: Store,
        thinking: Thinking,
        limits: Limits,
        workers: Workers,
        uptime: Uptime,
        tasks: Tasks,
    ) -> None:
        """Takes the table to drive; `drive` starts it."""
        self.is_claimed = False  # the store knows that this process drives the table
        self._ref = weakref.ref(table)  # weak, so an unloaded table is freed at once
        self._store = store
        self._thinking = thinking
        self._limits = limits
        self._workers = workers
        self._uptime = uptime
        self._tasks = tasks
        self._claiming: asyncio.Task[None] | None = None
        self._bots: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._late = False  # a bot decides for a person out of time
        self._opening = OPENING  # what is left of it
        self._closed = False

    @property
    def _table(self) -> Table:
        table = self._ref()
        assert table is not None, "a task of the driver has to hold its table"
        return table

    def drive(self) -> None:
        """Starts bots and clocks, if this process drives the table."""
        self.stop()
        table = self._table
        if self._closed or not table.row.is_driven or table.live.to_act is None:
            return
        if not self._workers.owns(table.row.id):
            return
        if not self.is_claimed:
            self.claim()
        if self.bot_asked() is not None:
            if self._bots is None:
                self._bots = self._tasks.spawn(self._play_bots(table))
        elif table.has_clock and (due := table.read_clock().due) is not None:
            late = max(0.0, due - self._uptime())
            self._alarm = asyncio.get_running_loop().call_later(late, self._ring, table.live.number)

    def stop(self) -> None:
        """Stops the clock."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    def close(self) -> None:
        """Stops for good; bots of a removed table would be refused again and again."""
        self._closed = True
        self.stop()

    def nudge(self) -> None:
        """Restarts driving if it should be running but stopped, for whatever reason."""
        if self._closed or not self._table.row.is_driven:
            return
        if not self.is_claimed or (self._bots is None and self._alarm is None and not self._late):
            self.drive()

    @property
    def is_idle(self) -> bool:
        """Returns whether no decision is pending here."""
        return self._bots is None and not self._late

    def bot_asked(self) -> int | None:
        """Returns the level of the bot to act, None if a person is to act."""
        asked = self._table.live.to_act
        return None if asked is None else self._table.row.seats[asked].level

    # Which process drives

    def claim(self) -> None:
        """Records in the store that this process drives the table."""
        self.is_claimed = True
        self._claiming = self._tasks.spawn(self._claim(self._table.row.id))

    async def _claim(self, id: str) -> None:
        try:
            await self._store.drive(id, self._workers.me)
        except StoreDown:
            self.is_claimed = False  # `nudge` tries again

    async def claimed(self) -> None:
        """Waits until the claim is stored."""
        if self._claiming is not None:
            await self._claiming
            self._claiming = None

    def release(self, wake: float | None) -> Coroutine[Any, Any, None]:
        """Records that this process no longer drives the table, and when one is needed again."""
        return self._store.rest(self._table.row.id, self._workers.me, wake, self.rest)

    @property
    def wake(self) -> float | None:
        """Returns the uptime at which the table needs a process even without visitors."""
        if self._table.live.to_act is None:
            return None
        if self.bot_asked() is not None:
            return 0.0
        return self._table.read_clock().due if self._table.has_clock else None

    @property
    def rest(self) -> Rest:
        """Returns the match's state, so lists need not replay it."""
        return Rest(self._table.live.number, self._table.live.to_act)

    # Deciding

    @property
    def _owner(self) -> Owner:
        """Returns the owner of bots' thinking: whoever opened the table."""
        host = self._table.row.host
        return Owner(self._limits.address_of(host), host)

    async def _play_bots(self, table: Table) -> None:
        """Plays for bots until a person is to act."""
        try:
            while (level := self.bot_asked()) is not None and self._may_decide(table):
                match = table.playing()
                seat, ply, number = match.to_act, match.ply, table.live.number
                assert seat is not None
                began = time.perf_counter()
                luck = daily.luck_of(table.row)
                action = await self._thinking.choose(match, level, self._owner, luck)
                thought = time.perf_counter() - began
                metrics.BOT_SECONDS.observe(thought)
                await asyncio.sleep(max(0.0, self._pause(level) - thought))
                if self._closed or self.bot_asked() != level or table.live.number != number:
                    continue
                await self._play_for(seat, ply, action, "bot")
                if table.live.number == number:  # refused, though no other move came
                    await asyncio.sleep(RETRY)
        finally:
            self._bots = None

    def _may_decide(self, table: Table) -> bool:
        return not self._closed and self._workers.owns(table.row.id)

    def _pause(self, level: int) -> float:
        """Returns the least seconds for a bot; they shrink until a person has decided."""
        usual = pause(self._table.game, self._table.row.pace, level)
        seats = self._table.row.seats
        awaited = any(seat.kind == "person" and seat.level is None for seat in seats)
        if not awaited or any(seats[seat].kind == "person" for seat, _ in self._table.live.times):
            return usual
        wait = min(usual, self._opening / 2)
        self._opening -= wait
        return wait

    def _ring(self, number: int) -> None:
        self._alarm = None
        if (table := self._ref()) is not None:
            self._tasks.spawn(self._time_out(table, number))

    async def _time_out(self, table: Table, number: int) -> None:
        """Lets a bot decide for a person out of time, unless a move came after `number`."""
        live = table.live
        match = live.match
        if match is None or live.number != number or match.to_act is None or self._late:
            return
        seat, ply = match.to_act, match.ply
        self._late = True
        try:
            level = seating.bot_level(table.row)
            action = await self._thinking.choose(match, level, self._owner)
            while live.number == number:
                if self._closed or await self._play_for(seat, ply, action, "clock"):
                    break
                await asyncio.sleep(RETRY)
        finally:
            self._late = False

    async def _play_for(self, seat: int, ply: int, action: int, by: By) -> bool:
        """Plays a bot's decision; returns whether it or another move is on disk."""
        try:
            await self._table.play(seat, ply, action, by)
        except StoreDown:
            log.warning("bot waits for the store", table=self._table.row.id)
            return False
        except FoxdenError as error:
            log.info("bot was too late", table=self._table.row.id, why=str(error))
        return True
