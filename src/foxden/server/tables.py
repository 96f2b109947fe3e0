"""Live tables: a row and its moves from the store, the match they make, and who looks on.

A match in memory holds only what is on disk: an action is checked, appended, and played here
when the append is done. So there is nothing to take back, and nobody is told what could be lost.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

import structlog

from foxden.engine.errors import FoxdenError
from foxden.engine.game import Action, Game
from foxden.engine.match import Match
from foxden.engine.registry import find
from foxden.engine.view import LogEntry, SeatView
from foxden.server import metrics, seating
from foxden.server.clocks import Reading, read_clock
from foxden.server.info import Standing, replace_in, table_info
from foxden.server.messages import (
    Chat,
    ChatLine,
    ClockInfo,
    Sync,
    TableInfo,
    Update,
    encode,
)
from foxden.server.presence import STRANGERS, Presence
from foxden.server.problems import Refusal, conflict, forbidden, not_found
from foxden.server.store import (
    ChatRow,
    MoveRow,
    PersonRow,
    PlyTaken,
    PresenceRow,
    Rest,
    SeatRow,
    Status,
    StoreDown,
    TableRow,
)
from foxden.server.thinking import Owner

if TYPE_CHECKING:
    from foxden.server.hub import Hub

log = structlog.get_logger()
PACES = {"relaxed": 1.2, "brisk": 0.5, "instant": 0.0}  # seconds between a bot's decisions
RETRY = 0.5  # seconds until a bot tries again to write to a store that is away
CHAT_TOLD = 50  # lines of chat that a Sync holds

By = Literal["person", "bot", "clock"]
News = Literal["sync", "update", "table"]


class Onlooker(Protocol):
    """A socket, as its table sees it."""

    person: PersonRow | None
    address: str
    device: str | None
    seat: int | None  # looked through
    invited: bool

    def push(self, news: News) -> None:
        """Says that there is something to be told; it is made when it is sent."""

    def tell(self, message: bytes) -> None:
        """Sends a message that is the same for everybody."""

    def dismiss(self, reason: str, seconds: float = 0.0) -> None:
        """Says goodbye."""

    def check_pulse(self, now: float) -> None:
        """Lets go of a socket that has not read for long."""


class Viewer:
    """What one seat, or the spectators, have been shown of a match; one for all their sockets."""

    def __init__(self, match: Match, seat: int | None) -> None:
        """Begins asleep, and is woken at once."""
        self.seat = seat
        self.log: list[LogEntry] = []
        self.awake = False  # somebody looks; else the log is kept, for whoever comes back
        self._last: tuple[int, bytes] = (-1, b"")
        self.wake(match)

    def wake(self, match: Match) -> None:
        """Catches up with the match."""
        self.awake = True
        self.seat_view: SeatView = match.seat_view(self.seat)
        self.log += match.entries(self.seat, since=len(self.log))

    def see(self, seat_view: SeatView, entry: LogEntry) -> None:
        """Sees the action that was just played."""
        self.seat_view = seat_view
        self.log.append(entry)

    def update(self, told: int, clock: Callable[[], ClockInfo]) -> bytes:
        """Writes what happened since position `told`; mostly the same for all who look."""
        ply = len(self.log)
        if told == ply - 1 and self._last[0] == ply:
            return self._last[1]
        message = encode(Update(self.seat_view.view, self.log[told:], clock()))
        if told == ply - 1:
            self._last = (ply, message)
        return message


class Table:
    """One table in this process."""

    def __init__(
        self,
        hub: Hub,
        row: TableRow,
        chat: Sequence[ChatRow] = (),
        presence: Sequence[PresenceRow] = (),
    ) -> None:
        """Takes a table from the store; its match is made by `deal`."""
        self.hub = hub
        self.row = row
        self.chat = list(chat)
        self.match: Match | None = None
        self.times: list[tuple[int, float]] = []  # (seat, uptime) of every action
        self.onlookers: set[Onlooker] = set()
        self.presence = Presence(row.id, hub.worker, hub.uptime())
        self.presence.read(presence, hub.workers)
        self.is_claimed = False  # the store knows that this process drives the table
        self._claiming: asyncio.Task[None] | None = None
        self._named: list[str] = []  # the names that the match knows
        self._last_at = 0.0  # the time of day of the last action
        self._loaded = hub.uptime()
        self.viewers: dict[int | None, Viewer] = {}
        self.used = time.monotonic()
        self._turn = asyncio.Lock()  # one action at a time on its way to the disk
        self._driver: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._late = False  # a bot decides for somebody whose time is out

    # The match

    @cached_property
    def game(self) -> Game:
        """Returns the table's game."""
        return find(self.row.game)

    @property
    def ply(self) -> int:
        """Counts the actions played."""
        return len(self.times)

    @property
    def status(self) -> Status:
        """Returns the status; a match that has ended is over even before its row says so."""
        return "over" if self.match is not None and self.match.is_over else self.row.status

    @property
    def fits(self) -> bool:
        """Returns whether the table began with the rules that are here now."""
        return self.row.rules_version == self.game.rules_version

    async def deal(self) -> None:
        """Makes the match from the seed and the moves, once the game's rules are there."""
        if self.match or self.row.status == "open" or not self.fits:
            return
        if not self.hub.compiling.is_ready(self.row.game):
            return
        async with self._turn:
            if self.match is None:
                self._take(await self.hub.store.moves(self.row.id))
        await self.end()
        self.drive()

    def _take(self, moves: Sequence[MoveRow]) -> None:
        """Makes the match that these moves make."""
        self.match = self._replayed(moves)
        self._named = self._names()
        self.times = [(move.seat, move.uptime) for move in moves]
        if moves:
            self._last_at = moves[-1].at
            self.hub.uptime.raise_to(moves[-1].uptime)

    def _replayed(self, moves: Sequence[MoveRow]) -> Match:
        match = Match(
            self.game,
            seats=len(self.row.seats),
            seed=self.row.seed,
            stream=self.row.stream,
            options=self.row.options,
            parts=self.row.parts,
            names=self._names(),
        )
        for move in moves:
            match.play(move.action, move.seat)
        return match

    def _names(self) -> list[str]:
        return [seat.name or "" for seat in self.row.seats]

    def playing(self) -> Match:
        """Returns the match, or says why there is none to play."""
        if self.match is not None:
            return self.match
        if self.row.status == "open":
            raise conflict("not-started", "The match has not started.")
        self.check_rules()
        raise Refusal("compiling", 503, f"{self.game.title} is still getting ready.", retry=2)

    def check_rules(self) -> None:
        """Refuses a table of another version of the rules."""
        if not self.fits:
            raise conflict(
                "other-rules",
                f"This table began with version {self.row.rules_version} of the rules of "
                f"{self.game.title}; here is version {self.game.rules_version}.",
            )

    async def play(self, seat: int, ply: int, action: int, by: By) -> int:
        """Plays an action for a seat; done when it is on disk. Gives the new position."""
        match = self.playing()
        async with self._turn:
            if ply != match.ply:
                raise conflict("stale-ply", "The table has moved on since you chose.")
            chosen = match.check(action, seat)
            uptime = max(self.hub.uptime(), self._moved)
            move = MoveRow(self.row.id, ply + 1, seat, chosen.id, by, time.time(), uptime)
            try:
                await self.hub.store.append(move)
            except PlyTaken:
                await self._catch_up()
                raise conflict("stale-ply", "Someone else was quicker.") from None
            self._apply(move, chosen)
        if match.is_over:
            await self.end()
        return ply + 1

    @property
    def _moved(self) -> float:
        """Returns the uptime of the last action, or of the beginning."""
        if self.times:
            return self.times[-1][1]
        return self._loaded if self.row.began is None else self.row.began

    def _apply(self, move: MoveRow, action: Action) -> None:
        """Plays an action that is on disk, and wakes whoever looks on."""
        watching = [viewer for viewer in self.viewers.values() if viewer.awake]
        views = [viewer.seat_view for viewer in watching]
        seen = self.playing().play_and_view(views, action, move.seat)
        self.times.append((move.seat, move.uptime))
        self._last_at = move.at
        for viewer, (seat_view, entry) in zip(watching, seen, strict=True):
            viewer.see(seat_view, entry)
        for onlooker in self.onlookers:
            onlooker.push("update")
        metrics.MOVES_BY[move.by].inc()
        self.drive()

    async def refresh(self) -> None:
        """Plays what other processes have appended meanwhile."""
        if self.match is not None and not self.match.is_over:
            async with self._turn:
                await self._catch_up()
            await self.end()

    async def _catch_up(self) -> None:
        match = self.playing()
        for move in await self.hub.store.moves(self.row.id, after=match.ply):
            self._apply(move, match.game.action(move.action))

    async def end(self) -> None:
        """Writes the result into the row; after a crash this happens when the table is loaded."""
        match = self.match
        if match is None or not match.is_over or self.row.status == "over":
            return

        def over(row: TableRow) -> TableRow:
            return replace(
                row,
                status="over",
                ended=self._last_at or time.time(),
                scores=match.scores,
                winners=match.winners,
            )

        try:
            await self.change(over, lambda row: row.status == "over")
        except StoreDown:
            log.warning("result not yet written", table=self.row.id)
            self.tell_table()

    # The row

    async def change(
        self,
        change: Callable[[TableRow], TableRow],
        done: Callable[[TableRow], bool] = lambda row: False,
    ) -> None:
        """Changes the row, again if somebody else changed it meanwhile; `done` says enough."""
        while not done(self.row):
            new = change(self.row)
            if await self.hub.store.change_table(new):
                self.row = replace(new, version=new.version + 1)
                break
            await self._reread()
        await self.row_changed()

    async def _reread(self) -> None:
        row = await self.hub.store.table(self.row.id)
        if row is None:
            raise conflict("gone", "The table was closed.")
        self.row = row

    async def reread(self) -> None:
        """Takes over what another process has changed."""
        version = self.row.version
        await self._reread()
        if self.row.version != version:
            await self.row_changed()

    async def row_changed(self) -> None:
        """Tells everybody of the changed row, and sends away who has no business here any more."""
        begun = self.match is None
        await self.deal()
        begun = begun and self.match is not None
        if self.match is not None and self._names() != self._named:
            # Somebody was forgotten; the match is made again without the name.
            async with self._turn:
                self._take(await self.hub.store.moves(self.row.id))
            self.viewers.clear()
            begun = True
        for onlooker in list(self.onlookers):
            if not self.may_watch(onlooker.person, onlooker.invited):
                onlooker.dismiss("Only players can watch this table.")
            elif begun or (
                onlooker.seat is not None and not self.is_mine(onlooker.person, onlooker.seat)
            ):
                onlooker.push("sync")
            else:
                onlooker.push("table")
        self.drive()

    def tell_table(self) -> None:
        """Tells everybody how the table stands."""
        for onlooker in self.onlookers:
            onlooker.push("table")

    # Who may do what

    def is_mine(self, person: PersonRow | None, seat: int) -> bool:
        """Returns whether a seat is the person's."""
        return seating.is_mine(self.row, person, seat)

    def my_seat(self, person: PersonRow | None, seat: int) -> SeatRow:
        """Returns the person's seat, refusing somebody else's."""
        return seating.my_seat(self.row, person, seat)

    def may_see(self, person: PersonRow | None, invited: bool) -> bool:
        """Returns whether the table exists at all for the person."""
        return seating.may_see(self.row, person, invited)

    def may_watch(self, person: PersonRow | None, invited: bool) -> bool:
        """Returns whether the person may follow the match."""
        return seating.may_watch(self.row, person, invited)

    # Seats

    async def replace_absent(self, seat: int, person: PersonRow) -> None:
        """Lets a bot play for somebody who has been away for longer than the table's grace."""
        if not seating.is_host(self.row, person) and not seating.seats_of(self.row, person):
            raise forbidden("Only those who play here may do this.")
        seating.replace_absent(self.row, seat)
        wait = replace_in(self.row, seat, self.presence, self.hub.uptime())
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
        """Returns who still plays: those who are here, or not yet away for the table's grace."""
        uptime = self.hub.uptime()
        return {
            seat.person
            for number, seat in enumerate(self.row.seats)
            if seat.kind == "person" and seat.person is not None
            if replace_in(self.row, number, self.presence, uptime) != 0.0
            and (seat.level is None or self.presence.is_here(seat.person))
        }

    async def start(self) -> None:
        """Begins the match; open seats get bots."""
        self.check_rules()
        uptime = self.hub.uptime()
        await self.change(lambda row: seating.start(row, time.time(), uptime))

    # Bots and clocks

    def bot_asked(self) -> int | None:
        """Returns the level of the bot that is asked now, None where it is a person's decision."""
        match = self.match
        if match is None or match.to_act is None:
            return None
        return self.row.seats[match.to_act].level

    @property
    def owner(self) -> Owner:
        """Returns for whom bots think here: whoever opened the table."""
        return Owner(self.hub.limits.address_of(self.row.host), self.row.host)

    @property
    def has_clock(self) -> bool:
        """Returns whether time can run out here."""
        return bool(self.row.clock.get("kind", "none") != "none")

    def drive(self) -> None:
        """Sees to it that bots play and clocks run, if this process is to do that."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        match = self.match
        if match is None or match.to_act is None or not self.hub.owns(self.row.id):
            return
        if self.row.is_driven and not self.is_claimed:
            self.claim()
        if self.bot_asked() is not None:
            if self._driver is None:
                self._driver = self.hub.spawn(self._drive())
        elif self.has_clock and (due := self.read_clock().due) is not None:
            late = max(0.0, due - self.hub.uptime())
            ply = match.ply
            self._alarm = asyncio.get_running_loop().call_later(
                late, lambda: self.hub.spawn(self._time_out(ply))
            )

    def claim(self) -> None:
        """Says in the store that this process drives the table."""
        self.is_claimed = True
        self._claiming = self.hub.spawn(self._claim())

    async def _claim(self) -> None:
        try:
            await self.hub.store.drive(self.row.id, self.hub.worker)
        except StoreDown:
            self.is_claimed = False  # `nudge` tries again

    async def claimed(self) -> None:
        """Waits until the store knows."""
        if self._claiming is not None:
            await self._claiming
            self._claiming = None

    @property
    def wake(self) -> float | None:
        """Returns the uptime at which the table needs a process though nobody comes."""
        if self.match is None or self.match.to_act is None:
            return None
        if self.bot_asked() is not None:
            return 0.0
        return self.read_clock().due if self.has_clock else None

    @property
    def rest(self) -> Rest:
        """Returns how the match stands, for lists that do not play it again."""
        return Rest(self.ply, None if self.match is None else self.match.to_act)

    def nudge(self) -> None:
        """Drives a table that should be driven and is not, whatever went wrong."""
        unclaimed = self.row.is_driven and not self.is_claimed
        if unclaimed or (self._driver is None and self._alarm is None and not self._late):
            self.drive()

    async def _drive(self) -> None:
        """Plays for bots until a person is asked."""
        try:
            while (level := self.bot_asked()) is not None and self.hub.owns(self.row.id):
                match = self.playing()
                seat, ply = match.to_act, match.ply
                assert seat is not None
                began = time.perf_counter()
                action = await self.hub.thinking.choose(match, level, self.owner)
                thought = time.perf_counter() - began
                metrics.BOT_SECONDS.observe(thought)
                await asyncio.sleep(max(0.0, self._pause(level) - thought))
                if self.bot_asked() == level and match.ply == ply:
                    await self._play_for(seat, ply, action, "bot")
        finally:
            self._driver = None

    def _pause(self, level: int) -> float:
        """Returns the seconds that a bot takes at least: haste would tell that it had no choice.

        At an instant table haste is what people asked for.
        """
        pace = PACES[self.row.pace]
        return max(pace, self.hub.thinking.longest(self.game, level)) if pace else 0.0

    async def _time_out(self, ply: int) -> None:
        """Lets a bot decide for somebody whose time is out."""
        self._alarm = None
        match = self.match
        if match is None or match.ply != ply or match.to_act is None or self._late:
            return
        seat = match.to_act
        self._late = True
        try:
            action = await self.hub.thinking.choose(match, seating.bot_level(self.row), self.owner)
            while match.ply == ply and not await self._play_for(seat, ply, action, "clock"):
                pass
        finally:
            self._late = False

    async def _play_for(self, seat: int, ply: int, action: int, by: By) -> bool:
        """Plays a bot's decision; tells whether it, or somebody else's, is on disk."""
        try:
            await self.play(seat, ply, action, by)
        except StoreDown:
            log.warning("bot waits for the store", table=self.row.id)
            await asyncio.sleep(RETRY)
            return False
        except FoxdenError as error:
            log.info("bot was too late", table=self.row.id, why=str(error))
        return True

    def read_clock(self) -> Reading:
        """Reads the clock; nobody loses for the time that the server was away."""
        match = self.match
        reading = read_clock(
            self.row.clock,
            seats=len(self.row.seats),
            began=self._loaded if self.row.began is None else self.row.began,
            played=self.times,
            to_act=None if match is None else match.to_act,
        )
        if reading.due is None:
            return reading
        return replace(reading, due=max(reading.due, self.hub.grace_until))

    # What people are told

    def join(self, onlooker: Onlooker) -> None:
        """Lets a socket look on."""
        self.onlookers.add(onlooker)
        person = onlooker.person.id if onlooker.person else STRANGERS
        came = self.presence.join(person, onlooker.address, self.hub.uptime())
        if came and seating.belongs(self.row, onlooker.person):
            self.tell_table()

    def part(self, onlooker: Onlooker) -> None:
        """Forgets a socket."""
        self.onlookers.discard(onlooker)
        self.rest_viewers()
        self.used = time.monotonic()
        person = onlooker.person.id if onlooker.person else STRANGERS
        left = self.presence.part(person, self.hub.uptime())
        if left and seating.belongs(self.row, onlooker.person):
            self.tell_table()

    async def read_presence(self) -> None:
        """Learns who is here through other processes."""
        rows = await self.hub.store.presence([self.row.id])
        if self.presence.read(rows, self.hub.workers):
            self.tell_table()

    def rest_viewers(self) -> None:
        """Lets viewers sleep through whom nobody looks any more."""
        looked = {onlooker.seat for onlooker in self.onlookers}
        for seat, viewer in self.viewers.items():
            viewer.awake = viewer.awake and seat in looked

    def viewer(self, seat: int | None) -> Viewer:
        """Returns what a seat has been shown."""
        match = self.playing()
        found = self.viewers.get(seat)
        if found is None:
            found = self.viewers[seat] = Viewer(match, seat)
        elif not found.awake:
            found.wake(match)
        return found

    def clock(self) -> ClockInfo:
        """Returns the clock as people are told it."""
        if not self.has_clock:
            return ClockInfo(self.hub.uptime(), None, [None] * len(self.row.seats))
        reading = self.read_clock()
        return ClockInfo(self.hub.uptime(), reading.due, reading.left)

    def sync(self, person: PersonRow | None, seat: int | None, invited: bool) -> Sync:
        """Returns everything that a seat may know."""
        viewer = None if self.match is None else self.viewer(seat)
        return Sync(
            table=self.info(person, invited),
            seat=seat,
            view=viewer.seat_view.view if viewer else None,
            log=viewer.log if viewer else [],
            chat=[self.line(row) for row in self.chat],
            clock=self.clock(),
        )

    @property
    def standing(self) -> Standing:
        """Returns how the match stands."""
        row, match = self.row, self.match
        return Standing(
            status=self.status,
            ply=self.ply,
            to_act=None if match is None else match.to_act,
            changed=max(row.created, row.started or 0.0, row.ended or 0.0, self._last_at),
            scores=match.scores if match else row.scores,
            winners=match.winners if match else row.winners,
        )

    def info(self, person: PersonRow | None, invited: bool = False) -> TableInfo:
        """Returns the table as a person is told it."""
        return table_info(
            self.row,
            self.game.title,
            self.standing,
            self.presence,
            person,
            people=self.hub.people,
            uptime=self.hub.uptime(),
            invited=invited,
        )

    # Chat

    async def say(self, person: PersonRow, text: str) -> None:
        """Says something to everybody at the table."""
        if person.id in self.row.muted:
            raise forbidden("The host has muted you at this table.")
        mine = seating.seats_of(self.row, person)
        seat = mine[0] if mine else None
        name = person.name if seat is None else self.row.seats[seat].name or person.name
        said = await self.hub.store.say(
            ChatRow(self.row.id, 0, person.id, name, seat, text, time.time())
        )
        if said.number == self._heard + 1:
            self._hear([said])
        else:
            await self.listen()

    async def listen(self) -> None:
        """Hears what was said through other processes."""
        store = self.hub.store
        self._hear(await store.chat(self.row.id, after=self._heard, limit=CHAT_TOLD))

    async def hear_again(self) -> None:
        """Reads the chat anew after lines were removed."""
        chat = list(await self.hub.store.chat(self.row.id, limit=CHAT_TOLD))
        if chat != self.chat:
            self.chat = chat
            for onlooker in self.onlookers:
                onlooker.push("sync")

    async def speaker(self, voice: str) -> str:
        """Returns the person whom a voice names at this table."""
        people = {seat.person for seat in self.row.seats if seat.kind == "person"}
        people |= {row.person for row in await self.hub.store.chat(self.row.id)}
        people |= set(self.row.muted)
        for person in people:
            if person and self.hub.people.voice(self.row.id, person) == voice:
                return person
        raise not_found("voice at this table")

    @property
    def _heard(self) -> int:
        return self.chat[-1].number if self.chat else 0

    def _hear(self, rows: Sequence[ChatRow]) -> None:
        for row in rows:
            if row.number > self._heard:
                self.chat.append(row)
                message = encode(Chat(self.line(row)))
                for onlooker in self.onlookers:
                    onlooker.tell(message)
        del self.chat[:-CHAT_TOLD]

    def line(self, row: ChatRow) -> ChatLine:
        """Returns what was said, without who the person is."""
        voice = self.hub.people.voice(self.row.id, row.person)
        return ChatLine(row.number, row.name, row.seat, row.text, row.at, voice, row.removed)

    @property
    def is_idle(self) -> bool:
        """Returns whether the table may be forgotten here; `wake` says when it is needed again."""
        return not self.onlookers and self._driver is None and not self._late

    def close(self) -> None:
        """Stops the clock."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    async def settled(self) -> None:
        """Waits until no action is on its way to the disk."""
        async with self._turn:
            pass
