"""A table in this process: its row, match, bots, sockets and chat."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from foxden.engine.game import Game
from foxden.engine.match import Match
from foxden.engine.registry import find
from foxden.server import seating
from foxden.server.audience import Audience, Onlooker, Viewer
from foxden.server.chat import TableChat
from foxden.server.clocks import Reading
from foxden.server.compiling import Compiling
from foxden.server.driver import Driver
from foxden.server.info import Standing, replace_in, table_info
from foxden.server.limits import Limits
from foxden.server.live_match import By, LiveMatch
from foxden.server.messages import ClockInfo, Sync, TableInfo
from foxden.server.people import People
from foxden.server.presence import STRANGERS, Presence
from foxden.server.problems import Refusal, conflict, forbidden
from foxden.server.store import (
    ChatRow,
    MoveRow,
    PersonRow,
    PresenceRow,
    Status,
    Store,
    StoreDown,
    TableRow,
)
from foxden.server.tasks import Tasks
from foxden.server.thinking import Thinking
from foxden.server.uptime import Uptime
from foxden.server.workers import Workers

log = structlog.get_logger()
# Moves taken back are stored, and replayed when the match is loaded: without a bound, one match
# could grow until loading it blocks everybody else.
MOST_UNDONE = 1000


@dataclass(frozen=True)
class Services:
    """What tables use of their process."""

    store: Store
    people: People
    thinking: Thinking
    compiling: Compiling
    limits: Limits
    uptime: Uptime
    workers: Workers
    tasks: Tasks
    grace_until: Callable[[], float]  # no timeouts before this uptime


class Table:
    """One table in this process."""

    def __init__(
        self,
        services: Services,
        row: TableRow,
        chat: Sequence[ChatRow] = (),
        presence: Sequence[PresenceRow] = (),
    ) -> None:
        """Takes a table from the store; `deal` creates its match."""
        self.row = row
        self.used = time.monotonic()
        self._services = services
        store, uptime = services.store, services.uptime
        self.audience = Audience()
        self.live = LiveMatch(find(row.game), store, uptime, self.audience)
        self.chat = TableChat(row.id, chat, store, services.people, self.audience)
        self.presence = Presence(row.id, services.workers.me, uptime())
        self.presence.read(presence, services.workers.alive)
        self.driver = Driver(
            self,
            store=store,
            thinking=services.thinking,
            limits=services.limits,
            workers=services.workers,
            uptime=uptime,
            tasks=services.tasks,
        )

    # The match

    @property
    def game(self) -> Game:
        """Returns the table's game."""
        return self.live.game

    @property
    def match(self) -> Match | None:
        """Returns the match, if it has begun and its rules are available."""
        return self.live.match

    @property
    def ply(self) -> int:
        """Returns the number of actions played."""
        return self.live.ply

    @property
    def status(self) -> Status:
        """Returns the status; a finished match is over even before its row says so."""
        return "over" if self.live.is_over else self.row.status

    def playing(self) -> Match:
        """Returns the running match, or raises why there is none."""
        return self.live.playing(self.row)

    async def deal(self) -> bool:
        """Builds the match once it has begun; returns whether it was rebuilt."""
        if self.row.status == "open" or not self.live.fits(self.row):
            return False
        if self.match is None:
            self._services.compiling.want(self.row.game)
        renamed = self.match is not None
        made = await self.live.load(self.row)
        if made:
            if renamed:
                self.audience.forget_views()
            await self.end()
            self.driver.drive()
        return made

    async def play(self, seat: int, ply: int, action: int, by: By) -> int:
        """Plays an action for a seat, and returns the new position once it is on disk."""
        try:
            ply = await self.live.play(self.row, seat, ply, action, by)
        finally:
            self.driver.drive()  # even if another move came first
        if self.live.is_over:
            await self.end()
        return ply

    async def undo(self, person: PersonRow | None, ply: int) -> int:
        """Goes back to a person's last decision, and returns its ply once that is on disk."""
        mine = seating.check_undo(self.row, person)
        if self.live.undone >= MOST_UNDONE:
            raise conflict("undone", f"In this match {MOST_UNDONE} moves were taken back already.")
        try:
            return await self.live.undo(self.row, mine, ply)
        finally:
            self.driver.drive()

    async def refresh(self, told: Sequence[MoveRow] = ()) -> None:
        """Plays what other processes have appended; reads moves that no notice brought."""
        try:
            await self.live.refresh(self.row, told)
        finally:
            self.driver.drive()
        await self.end()

    async def end(self) -> None:
        """Writes the result into the row; after a crash, this happens when the table is loaded."""
        match = self.match
        if match is None or not match.is_over or self.row.status == "over":
            return

        def over(row: TableRow) -> TableRow:
            return replace(
                row,
                status="over",
                ended=self.live.last_at or time.time(),
                scores=match.scores,
                winners=match.winners,
            )

        try:
            await self.change(over, lambda row: row.status == "over")
        except StoreDown:
            log.warning("result not yet written", table=self.row.id)
            self.audience.push("table")

    # The row

    async def change(
        self,
        change: Callable[[TableRow], TableRow],
        done: Callable[[TableRow], bool] = lambda row: False,
    ) -> None:
        """Changes the row, retrying if somebody else changed it; `done` ends the retries."""
        while not done(self.row):
            new = change(self.row)
            if await self._services.store.change_table(new):
                self.row = replace(new, version=new.version + 1)
                break
            await self._reread()
        await self.row_changed()

    async def _reread(self) -> None:
        row = await self._services.store.table(self.row.id)
        if row is None:
            raise conflict("gone", "The table was closed.")
        self.row = row

    async def reread(self) -> None:
        """Rereads the row after another process changed it."""
        version = self.row.version
        await self._reread()
        if self.row.version != version:
            await self.row_changed()

    async def row_changed(self) -> None:
        """Broadcasts the changed row, and closes sockets that lost access."""
        made = await self.deal()
        for onlooker in list(self.audience.onlookers):
            person, seat = onlooker.person, onlooker.seat
            if not seating.may_watch(self.row, person, onlooker.invited):
                onlooker.dismiss("Only players can watch this table.")
            elif made or (seat is not None and not seating.is_mine(self.row, person, seat)):
                onlooker.push("sync")
            else:
                onlooker.push("table")
        self.driver.drive()

    # Seats

    async def replace_absent(self, seat: int, person: PersonRow) -> None:
        """Lets a bot play for a person absent longer than the table's grace period."""
        if not seating.is_host(self.row, person) and not seating.seats_of(self.row, person):
            raise forbidden("Only those who play here may do this.")
        seating.replace_absent(self.row, seat)
        wait = replace_in(self.row, seat, self.presence, self._services.uptime())
        if wait is None:
            raise conflict("present", f"{self.row.seats[seat].name} is here.")
        if wait > 0:
            raise Refusal(
                "too-early",
                409,
                f"{self.row.seats[seat].name} may be away for {self.row.grace} minutes.",
                retry=wait,
            )
        await self.change(lambda row: seating.replace_absent(row, seat))

    def playing_people(self) -> set[str]:
        """Returns the players who are present, or absent for less than the grace period."""
        uptime = self._services.uptime()
        return {
            seat.person
            for number, seat in enumerate(self.row.seats)
            if seat.kind == "person" and seat.person is not None
            if replace_in(self.row, number, self.presence, uptime) != 0.0
            and (seat.level is None or self.presence.is_here(seat.person))
        }

    async def start(self) -> None:
        """Starts the match; bots take open seats."""
        self.live.check_rules(self.row)
        uptime = self._services.uptime()
        await self.change(lambda row: seating.start(row, time.time(), uptime))

    # The clock

    @property
    def has_clock(self) -> bool:
        """Returns whether the table has a clock."""
        return bool(self.row.clock.get("kind", "none") != "none")

    def read_clock(self) -> Reading:
        """Reads the clock."""
        return self.live.read_clock(self.row, self._services.grace_until())

    def clock(self) -> ClockInfo:
        """Returns the clock as clients get it."""
        uptime = self._services.uptime()
        if not self.has_clock:
            return ClockInfo(uptime, None, [None] * len(self.row.seats))
        reading = self.read_clock()
        return ClockInfo(uptime, reading.due, reading.left)

    # Presence

    def join(self, onlooker: Onlooker) -> None:
        """Adds a socket."""
        self.audience.onlookers.add(onlooker)
        person = onlooker.person.id if onlooker.person else STRANGERS
        came = self.presence.join(person, onlooker.address, self._services.uptime())
        if came and seating.belongs(self.row, onlooker.person):
            self.audience.push("table")

    def part(self, onlooker: Onlooker) -> None:
        """Removes a socket."""
        self.audience.onlookers.discard(onlooker)
        self.audience.rest_viewers()
        self.used = time.monotonic()
        person = onlooker.person.id if onlooker.person else STRANGERS
        left = self.presence.part(person, self._services.uptime())
        if left and seating.belongs(self.row, onlooker.person):
            self.audience.push("table")

    async def read_presence(self) -> None:
        """Reads who is present through other processes."""
        rows = await self._services.store.presence([self.row.id])
        if self.presence.read(rows, self._services.workers.alive):
            self.audience.push("table")

    @property
    def is_idle(self) -> bool:
        """Returns whether the table may be unloaded; its driver knows when to wake it."""
        return not self.audience.onlookers and self.driver.is_idle

    def close(self) -> None:
        """Stops the clock and the bots."""
        self.driver.close()

    # What clients get

    def viewer(self, seat: int | None) -> Viewer:
        """Returns the viewer of a seat."""
        return self.audience.viewer(self.playing(), seat)

    def sync(self, person: PersonRow | None, seat: int | None, invited: bool) -> Sync:
        """Returns everything that a seat may know."""
        viewer = None if self.match is None else self.viewer(seat)
        return Sync(
            table=self.info(person, invited),
            seat=seat,
            view=viewer.seat_view.view if viewer else None,
            log=viewer.log if viewer else [],
            chat=self.chat.lines,
            clock=self.clock(),
            decided=self.live.has_decided(seating.seats_of(self.row, person)),
        )

    @property
    def standing(self) -> Standing:
        """Returns the current standing of the match."""
        row, match = self.row, self.match
        return Standing(
            status=self.status,
            ply=self.ply,
            to_act=self.live.to_act,
            changed=max(row.created, row.started or 0.0, row.ended or 0.0, self.live.last_at),
            scores=match.scores if match else row.scores,
            winners=match.winners if match else row.winners,
            undone=self.live.undone,
        )

    def info(self, person: PersonRow | None, invited: bool = False) -> TableInfo:
        """Returns the table as a person may see it."""
        return table_info(
            self.row,
            self.game.title,
            self.standing,
            self.presence,
            person,
            people=self._services.people,
            uptime=self._services.uptime(),
            invited=invited,
        )
