"""Live tables: a row and its moves from the store, the match they make, and who looks on.

A match in memory holds only what is on disk: an action is checked, appended, and played here
when the append is done. So there is nothing to take back, and nobody is told what could be lost.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

import structlog

from foxden.engine.errors import FoxdenError
from foxden.engine.game import Action, Game
from foxden.engine.match import Glimpse, Match
from foxden.engine.rng import seed_hash
from foxden.engine.shelf import find
from foxden.server import metrics
from foxden.server.clocks import Reading, read_clock
from foxden.server.messages import (
    Chat,
    ChatLine,
    ClockInfo,
    LogEntry,
    SeatInfo,
    Sync,
    TableInfo,
    Update,
    encode,
)
from foxden.server.problems import Refusal, bad_field, conflict, forbidden
from foxden.server.store import (
    ChatRow,
    MoveRow,
    PersonRow,
    PlyTaken,
    SeatRow,
    StoreDown,
    TableRow,
)
from foxden.server.thinking import STAND_IN, Owner, bot_name

if TYPE_CHECKING:
    from foxden.server.house import House

log = structlog.get_logger()
PACES = {"relaxed": 1.2, "brisk": 0.5, "instant": 0.0}  # seconds between a bot's decisions
RETRY = 0.5  # seconds until a bot tries again to write to a store that is away

By = Literal["person", "bot", "clock"]
News = Literal["sync", "update", "table"]


class Onlooker(Protocol):
    """A socket, as its table sees it."""

    person: PersonRow | None
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
        self.glimpse: Glimpse = match.glimpse(self.seat)
        self.log += [LogEntry(**entry) for entry in match.log(self.seat, since=len(self.log))]

    def see(self, glimpse: Glimpse, entry: dict[str, Any]) -> None:
        """Sees the action that was just played."""
        self.glimpse = glimpse
        self.log.append(LogEntry(**entry))

    def update(self, told: int, clock: Callable[[], ClockInfo]) -> bytes:
        """Writes what happened since position `told`; mostly the same for all who look."""
        ply = len(self.log)
        if told == ply - 1 and self._last[0] == ply:
            return self._last[1]
        message = encode(Update(self.glimpse.view, self.log[told:], clock()))
        if told == ply - 1:
            self._last = (ply, message)
        return message


class Table:
    """One table in this process."""

    def __init__(self, house: House, row: TableRow, chat: Sequence[ChatRow]) -> None:
        """Takes a table from the store; its match is made by `deal`."""
        self.house = house
        self.row = row
        self.chat = list(chat)
        self.match: Match | None = None
        self.times: list[tuple[int, float]] = []  # (seat, time) of every action
        self.onlookers: set[Onlooker] = set()
        self._here: Counter[str] = Counter()  # sockets of each person
        self.viewers: dict[int | None, Viewer] = {}
        self.used = time.monotonic()
        self._turn = asyncio.Lock()  # one action at a time on its way to the disk
        self._driver: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._late = False  # a bot decides for somebody whose time is out

    # The match

    @cached_property
    def game(self) -> Game:
        """Gives the table's game."""
        return find(self.row.game)

    @property
    def ply(self) -> int:
        """Counts the actions played."""
        return len(self.times)

    @property
    def status(self) -> str:
        """Gives the table's status; a match that has ended is over even before its row says so."""
        return "over" if self.match is not None and self.match.is_over else self.row.status

    @property
    def fits(self) -> bool:
        """Tells whether the table began with the rules that are here now."""
        return self.row.rules_version == self.game.rules_version

    async def deal(self) -> None:
        """Makes the match from the seed and the moves, once the game's rules are there."""
        if self.match or self.row.status == "open" or not self.fits:
            return
        if not self.house.kitchen.is_ready(self.row.game):
            return
        async with self._turn:
            if self.match is None:
                moves = await self.house.store.moves(self.row.id)
                self.match = self._replayed(moves)
                self.times = [(move.seat, move.at) for move in moves]
        await self.end()
        self.drive()

    def _replayed(self, moves: Sequence[MoveRow]) -> Match:
        match = Match(
            self.game,
            seats=len(self.row.seats),
            seed=self.row.seed,
            stream=self.row.stream,
            options=self.row.options,
            parts=self.row.parts,
            names=[seat.name or "" for seat in self.row.seats],
        )
        for move in moves:
            match.play(move.action, move.seat)
        return match

    def playing(self) -> Match:
        """Gives the match, or says why there is none to play."""
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
            last = self.times[-1][1] if self.times else self.row.started or 0.0
            now = max(time.time(), last)
            move = MoveRow(self.row.id, ply + 1, seat, chosen.id, by, now)
            try:
                await self.house.store.append(move)
            except PlyTaken:
                await self._catch_up()
                raise conflict("stale-ply", "Someone else was quicker.") from None
            self._apply(move, chosen)
        if match.is_over:
            await self.end()
        return ply + 1

    def _apply(self, move: MoveRow, action: Action) -> None:
        """Plays an action that is on disk, and wakes whoever looks on."""
        watching = [viewer for viewer in self.viewers.values() if viewer.awake]
        glimpses = [viewer.glimpse for viewer in watching]
        seen = self.playing().play_before(glimpses, action, move.seat)
        self.times.append((move.seat, move.at))
        for viewer, (glimpse, entry) in zip(watching, seen, strict=True):
            viewer.see(glimpse, entry)
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
        for move in await self.house.store.moves(self.row.id, after=match.ply):
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
                ended=self.times[-1][1] if self.times else time.time(),
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
            if await self.house.store.change_table(new):
                self.row = replace(new, version=new.version + 1)
                break
            await self._reread()
        await self.row_changed()

    async def _reread(self) -> None:
        row = await self.house.store.table(self.row.id)
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
        """Tells whether a seat is the person's."""
        seats = self.row.seats
        return (
            person is not None
            and 0 <= seat < len(seats)
            and seats[seat].kind == "person"
            and seats[seat].person == person.id
        )

    def has_seat(self, person: PersonRow | None) -> bool:
        """Tells whether the person sits here."""
        return any(self.is_mine(person, seat) for seat in range(len(self.row.seats)))

    def is_host(self, person: PersonRow | None) -> bool:
        """Tells whether the person opened the table."""
        return person is not None and person.id == self.row.host

    def may_see(self, person: PersonRow | None, invited: bool) -> bool:
        """Tells whether the table exists at all for the person."""
        return (
            self.row.access == "listed" or invited or self.is_host(person) or self.has_seat(person)
        )

    def may_watch(self, person: PersonRow | None, invited: bool) -> bool:
        """Tells whether the person may follow the match."""
        if self.is_host(person) or self.has_seat(person):
            return True
        free = self.row.watch == "anyone" or self.row.status == "open"
        return free and self.may_see(person, invited)

    def my_seat(self, person: PersonRow | None, seat: int) -> SeatRow:
        """Gives the person's seat, refusing that of somebody else."""
        if not 0 <= seat < len(self.row.seats):
            raise bad_field("seat", f"There is no seat {seat} at this table.")
        if not self.is_mine(person, seat):
            raise forbidden(f"Seat {seat} is not yours.")
        return self.row.seats[seat]

    # Seats

    async def sit(self, seat: int, person: PersonRow, name: str) -> None:
        """Seats a person where nobody sits."""

        def taken(row: TableRow) -> TableRow:
            self._check_open(row, seat)
            at = row.seats[seat]
            if at.kind != "open" and not (at.kind == "bot" and row.host == person.id):
                raise conflict("seat-taken", f"Seat {seat} is taken.")
            return _reseated(row, seat, SeatRow("person", person.id, name))

        await self.change(taken)

    async def seat_bot(self, seat: int, level: int) -> None:
        """Seats a bot where no person sits."""

        def taken(row: TableRow) -> TableRow:
            self._check_open(row, seat)
            if row.seats[seat].kind == "person":
                raise conflict("seat-taken", f"Seat {seat} is taken.")
            return _reseated(row, seat, _new_bot(row, seat, level))

        await self.change(taken)

    async def free(self, seat: int, level: int) -> None:
        """Opens a seat that a bot or the host has; a bot of that level takes it if nobody comes."""

        def freed(row: TableRow) -> TableRow:
            self._check_open(row, seat)
            at = row.seats[seat]
            if at.kind == "person" and at.person != row.host:
                raise conflict("seat-taken", f"Seat {seat} is taken.")
            return _reseated(row, seat, SeatRow("open", level=level))

        await self.change(freed)

    @staticmethod
    def _check_open(row: TableRow, seat: int) -> None:
        if not 0 <= seat < len(row.seats):
            raise bad_field("seat", f"There is no seat {seat} at this table.")
        if row.status != "open":
            raise conflict("started", "The match has started, so seats cannot change.")

    async def leave(self, seat: int, person: PersonRow) -> None:
        """Gives a seat up: it is open again, or a bot plays on in it for good."""

        def left(row: TableRow) -> TableRow:
            if not 0 <= seat < len(row.seats):
                raise bad_field("seat", f"There is no seat {seat} at this table.")
            at = row.seats[seat]
            if at.kind != "person" or at.person != person.id:
                raise forbidden(f"Seat {seat} is not yours.")
            if row.status == "over":
                raise conflict("match-over", "The match is over.")
            if row.status == "open":
                return _reseated(row, seat, SeatRow("open", level=bot_level(row)))
            return _reseated(row, seat, SeatRow("bot", name=at.name, level=bot_level(row)))

        await self.change(left)

    async def stand_in(self, seat: int, person: PersonRow | None, level: int | None) -> None:
        """Lets a bot play for a person, or gives the seat back."""
        if level is not None and not 1 <= level <= 5:
            raise bad_field("level", "Levels go from 1 to 5.")

        def stood(row: TableRow) -> TableRow:
            at = self.my_seat(person, seat)
            if row.status != "running":
                raise conflict("not-running", "Bots stand in only during a match.")
            return _reseated(row, seat, replace(at, level=level))

        await self.change(stood)

    async def start(self) -> None:
        """Begins the match; open seats get bots."""
        self.check_rules()

        def begun(row: TableRow) -> TableRow:
            if row.status != "open":
                raise conflict("started", "The match has already started.")
            for seat, at in enumerate(row.seats):
                if at.kind == "open":
                    row = _reseated(row, seat, _new_bot(row, seat, at.level or bot_level(row)))
            return replace(row, status="running", started=time.time())

        await self.change(begun)

    # Bots and clocks

    def bot_asked(self) -> int | None:
        """Gives the level of the bot that is asked now, None where it is a person's decision."""
        match = self.match
        if match is None or match.to_act is None:
            return None
        return self.row.seats[match.to_act].level

    @property
    def owner(self) -> Owner:
        """Returns for whom bots think here: whoever opened the table."""
        return Owner(self.house.limits.address_of(self.row.host), self.row.host)

    @property
    def has_clock(self) -> bool:
        """Tells whether time can run out here."""
        return bool(self.row.clock.get("kind", "none") != "none")

    def drive(self) -> None:
        """Sees to it that bots play and clocks run, if this process is to do that."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        match = self.match
        if match is None or match.to_act is None or not self.house.owns(self.row.id):
            return
        if self.bot_asked() is not None:
            if self._driver is None:
                self._driver = self.house.spawn(self._drive())
        elif self.has_clock and (due := self.read_clock().due) is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(
                max(0.0, due - time.time()), lambda: self.house.spawn(self._time_out(match.ply))
            )

    def nudge(self) -> None:
        """Drives a table that should be driven and is not, whatever went wrong."""
        if self._driver is None and self._alarm is None and not self._late:
            self.drive()

    async def _drive(self) -> None:
        """Plays for bots until a person is asked."""
        try:
            while (level := self.bot_asked()) is not None and self.house.owns(self.row.id):
                match = self.playing()
                seat, ply = match.to_act, match.ply
                assert seat is not None
                began = time.perf_counter()
                action = await self.house.thinking.choose(match, level, self.owner)
                thought = time.perf_counter() - began
                metrics.BOT_SECONDS.observe(thought)
                await asyncio.sleep(max(0.0, self._pause(level) - thought))
                if self.bot_asked() == level and match.ply == ply:
                    await self._play_for(seat, ply, action, "bot")
        finally:
            self._driver = None

    def _pause(self, level: int) -> float:
        """Gives the seconds that a bot takes at least: haste would tell that it had no choice.

        At an instant table haste is what people asked for.
        """
        pace = PACES[self.row.pace]
        return max(pace, self.house.thinking.longest(self.game, level)) if pace else 0.0

    async def _time_out(self, ply: int) -> None:
        """Lets a bot decide for somebody whose time is out."""
        self._alarm = None
        match = self.match
        if match is None or match.ply != ply or match.to_act is None or self._late:
            return
        seat = match.to_act
        self._late = True
        try:
            action = await self.house.thinking.choose(match, bot_level(self.row), self.owner)
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
            started=self.row.started or self.row.created,
            played=self.times,
            to_act=None if match is None else match.to_act,
        )
        if reading.due is None:
            return reading
        return replace(reading, due=max(reading.due, self.house.grace_until))

    # What people are told

    def join(self, onlooker: Onlooker) -> None:
        """Lets a socket look on."""
        self.onlookers.add(onlooker)
        person = onlooker.person
        if person is not None:
            self._here[person.id] += 1
            if self._here[person.id] == 1 and self.has_seat(person):
                self.tell_table()

    def part(self, onlooker: Onlooker) -> None:
        """Forgets a socket."""
        self.onlookers.discard(onlooker)
        self.rest_viewers()
        self.used = time.monotonic()
        person = onlooker.person
        if person is not None:
            self._here[person.id] -= 1
            if not self._here[person.id]:
                del self._here[person.id]
                if self.has_seat(person):
                    self.tell_table()

    def rest_viewers(self) -> None:
        """Lets viewers sleep through whom nobody looks any more."""
        looked = {onlooker.seat for onlooker in self.onlookers}
        for seat, viewer in self.viewers.items():
            viewer.awake = viewer.awake and seat in looked

    def viewer(self, seat: int | None) -> Viewer:
        """Gives what a seat has been shown."""
        match = self.playing()
        found = self.viewers.get(seat)
        if found is None:
            found = self.viewers[seat] = Viewer(match, seat)
        elif not found.awake:
            found.wake(match)
        return found

    def clock(self) -> ClockInfo:
        """Gives the clock as people are told it."""
        if not self.has_clock:
            return ClockInfo(time.time(), None, [None] * len(self.row.seats))
        reading = self.read_clock()
        return ClockInfo(time.time(), reading.due, reading.left)

    def sync(self, person: PersonRow | None, seat: int | None, invited: bool) -> Sync:
        """Gives everything that a seat may know."""
        viewer = None if self.match is None else self.viewer(seat)
        return Sync(
            table=self.info(person, invited),
            seat=seat,
            view=viewer.glimpse.view if viewer else None,
            log=viewer.log if viewer else [],
            chat=[line(row) for row in self.chat],
            clock=self.clock(),
        )

    def info(self, person: PersonRow | None, invited: bool = False) -> TableInfo:
        """Gives the table as a person is told it."""
        row, status = self.row, self.status
        over = status == "over"
        match = self.match
        passes = invited or self.is_host(person) or self.has_seat(person)
        invite = f"/t/{row.id}?key={self.house.people.invite_key(row.id)}" if passes else None
        seated = {seat.person for seat in row.seats if seat.person is not None}
        watchers = len(self.onlookers) - sum(self._here[person] for person in seated)
        last = max(row.created, row.started or 0.0, row.ended or 0.0)
        return TableInfo(
            id=row.id,
            game=row.game,
            title=self.game.title,
            rules_version=row.rules_version,
            status=status,  # type: ignore[arg-type]
            seats=[self._seat_info(seat, person) for seat in range(len(row.seats))],
            options=row.options,
            parts=row.parts,
            clock=row.clock,
            access=row.access,  # type: ignore[arg-type]
            watch=row.watch,  # type: ignore[arg-type]
            hints=row.hints,
            pace=row.pace,  # type: ignore[arg-type]
            host=self.is_host(person),
            invite=invite,
            seed_hash=seed_hash(row.seed),
            seed=str(row.seed) if over else None,
            ply=self.ply,
            to_act=None if match is None else match.to_act,
            scores=list(match.scores if match else row.scores or ()) if over else None,
            winners=list(match.winners if match else row.winners or ()) if over else None,
            created=row.created,
            changed=max(last, self.times[-1][1]) if self.times else last,
            watchers=watchers,
            rematch=row.rematch,
        )

    def _seat_info(self, seat: int, person: PersonRow | None) -> SeatInfo:
        row = self.row.seats[seat]
        return SeatInfo(
            seat=seat,
            kind=row.kind,
            name=row.name or "",
            level=row.level,
            standin=row.kind == "person" and row.level is not None,
            mine=self.is_mine(person, seat),
            here=row.kind == "bot" or (row.person or "") in self._here,
        )

    # Chat

    async def say(self, person: PersonRow, text: str) -> None:
        """Says something to everybody at the table."""
        seat = next((s for s in range(len(self.row.seats)) if self.is_mine(person, s)), None)
        name = person.name if seat is None else self.row.seats[seat].name or person.name
        said = await self.house.store.say(
            ChatRow(self.row.id, 0, person.id, name, seat, text, time.time())
        )
        if said.number == self._heard + 1:
            self._hear([said])
        else:
            await self.listen()

    async def listen(self) -> None:
        """Hears what was said through other processes."""
        self._hear(await self.house.store.chat(self.row.id, after=self._heard))

    @property
    def _heard(self) -> int:
        return self.chat[-1].number if self.chat else 0

    def _hear(self, rows: Sequence[ChatRow]) -> None:
        for row in rows:
            if row.number > self._heard:
                self.chat.append(row)
                message = encode(Chat(line(row)))
                for onlooker in self.onlookers:
                    onlooker.tell(message)

    @property
    def idle(self) -> bool:
        """Tells whether nothing would be missed if the table were forgotten here."""
        busy = self._driver is not None or self._alarm is not None or self._late
        return not self.onlookers and not busy

    def close(self) -> None:
        """Stops the clock."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    async def settled(self) -> None:
        """Waits until no action is on its way to the disk."""
        async with self._turn:
            pass


def line(row: ChatRow) -> ChatLine:
    """Gives what was said, without who the person is."""
    return ChatLine(row.number, row.name, row.seat, row.text, row.at)


def is_driven(row: TableRow) -> bool:
    """Tells whether a table needs a process that plays its bots or minds its clock."""
    return row.clock.get("kind", "none") != "none" or any(
        seat.kind != "open" and seat.level is not None for seat in row.seats
    )


def bot_level(row: TableRow) -> int:
    """Returns the level of the table's bots, for one that comes later; STAND_IN without any."""
    levels = (seat.level for seat in row.seats if seat.kind != "person" and seat.level)
    return next(levels, STAND_IN)


def _reseated(row: TableRow, seat: int, sitter: SeatRow) -> TableRow:
    seats: list[Any] = list(row.seats)
    seats[seat] = sitter
    return replace(row, seats=tuple(seats))


def _new_bot(row: TableRow, seat: int, level: int) -> SeatRow:
    taken = {at.name or "" for other, at in enumerate(row.seats) if other != seat}
    return SeatRow("bot", name=bot_name(level, taken), level=level)
