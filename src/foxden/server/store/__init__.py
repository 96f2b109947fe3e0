"""Where tables are kept: their truth is a list of moves, and whoever writes a ply first is right.

A store is opened once a process. Reading and rare writing are coroutines; moves go through
`append`, whose future is done when the move is on disk. Many tables' moves share one commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from foxden.engine.errors import FoxdenError
from foxden.engine.rng import Stream

if TYPE_CHECKING:
    from foxden.server.store.sqlite import SqliteStore

Status = Literal["open", "running", "over"]


class PlyTaken(FoxdenError):
    """This ply is not open: somebody else has played it, or the match is not there yet, or over."""


class StoreDown(FoxdenError):
    """The store cannot be reached or written just now; nothing was acknowledged.

    Nothing was changed either, unless the connection broke in the very commit; the same move may
    be appended again in any case.
    """


class IdTaken(FoxdenError):
    """Somebody, or a table, has this id already."""


class TableGone(FoxdenError):
    """The table is not in the store."""


class BadStore(FoxdenError):
    """This address names no store that this Foxden can use: unknown, newer, or unfinished."""


@dataclass(frozen=True)
class PersonRow:
    """Somebody with a name."""

    id: str
    name: str
    created: float
    seen: float = 0.0  # when they last came, to the day
    admin: bool = False
    network: str = ""  # a keyed hash of the address they last came from


@dataclass(frozen=True)
class DeviceRow:
    """A browser that is a person; `token_hash` is what its cookie's secret must hash to."""

    id: str
    person: str
    token_hash: str
    created: float
    seen: float = 0.0


@dataclass(frozen=True)
class SeatRow:
    """Who sits in a seat of a table."""

    kind: Literal["open", "person", "bot"]
    person: str | None = None
    name: str | None = None
    level: int | None = None  # a bot's, or that of a person's stand-in
    resigned: bool = False  # a bot plays on for `person`, who gave the seat up


@dataclass(frozen=True)
class TableRow:
    """A table, without its moves. `version` grows with every change of the row or its seats."""

    id: str
    game: str
    rules_version: int
    seats: tuple[SeatRow, ...]
    options: dict[str, Any]
    parts: dict[str, Any]
    clock: dict[str, Any]
    access: str
    watch: str
    hints: bool
    pace: str
    host: str
    seed: int  # secret until the match is over
    status: Status
    created: float
    stream: Stream = "keyed"  # what the seed deals from; matches of older versions: "fast"
    started: float | None = None
    ended: float | None = None
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    rematch: str | None = None
    grace: int = 10  # minutes somebody may be away before others may ask a bot to play for them
    muted: tuple[str, ...] = ()  # people whom the host does not let speak
    kept_out: tuple[str, ...] = ()  # people whose seat the host freed
    began: float | None = None  # the store's uptime when the match began
    version: int = 0
    source: str | None = None  # the day's deal, or the table whose match this one branches from …
    origin: dict[str, Any] | None = None  # … and all that is needed to begin there

    @property
    def day(self) -> str | None:
        """Returns the day whose daily deal is played here, None at any other table."""
        return None if self.origin is None else self.origin.get("day")

    @property
    def branch(self) -> dict[str, Any] | None:
        """Returns in what position of another match this one began, None where it was dealt."""
        return self.origin if self.day is None else None

    @property
    def is_driven(self) -> bool:
        """Returns whether the match needs a process that plays its bots or minds its clock."""
        return self.status == "running" and (
            self.clock.get("kind", "none") != "none"
            or any(seat.kind != "open" and seat.level is not None for seat in self.seats)
        )


class MoveRow(NamedTuple):
    """One action played, or with `by` "undo" the return to the position after `action` actions."""

    table: str
    ply: int  # its number among the table's moves, from 1; an undo has one too
    seat: int
    action: int
    by: str  # "person", "bot", "clock" (time ran out), "undo"
    at: float  # the time of day, for people to read
    uptime: float = 0.0  # the store's uptime, which clocks count


UNDO = "undo"


def kept_moves(moves: Iterable[MoveRow]) -> list[MoveRow]:
    """Returns the moves that count: an undo takes back those after its position."""
    kept: list[MoveRow] = []
    for move in moves:
        if move.by == UNDO:
            del kept[move.action :]
        else:
            kept.append(move)
    return kept


@dataclass(frozen=True)
class ChatRow:
    """Something said at a table."""

    table: str
    number: int
    person: str
    name: str
    seat: int | None
    text: str
    at: float
    removed: bool = False  # its text is gone


@dataclass(frozen=True)
class PresenceRow:
    """How many sockets of a person one process has at a table; nobody in particular is ''."""

    worker: str
    table: str
    person: str
    sockets: int
    since: float  # the uptime at which that began
    address: str = ""  # of the latest socket, while there is one


@dataclass(frozen=True)
class BanRow:
    """A person or a range of addresses that is kept out."""

    id: str
    person: str | None
    network: str | None
    reason: str
    at: float
    until: float | None = None


@dataclass(frozen=True)
class AuditRow:
    """Something that an administrator did."""

    number: int
    at: float
    actor: str
    action: str
    target: str
    detail: dict[str, Any]


@dataclass(frozen=True)
class ReviewRow:
    """The review of a seat of a match, or how far it is."""

    table: str
    seat: int
    version: int  # of what reviews say
    at: float  # when it was last worked on
    done: float  # 0 to 1
    content: str | None = None  # JSON, when it is done


@dataclass(frozen=True)
class Rating:
    """How strong a puzzle is, or a person in a game, and after how many tries."""

    rating: float
    tries: int


@dataclass(frozen=True)
class Holdings:
    """What a person, and everybody at their address, hold in tables that are not over."""

    unfinished: int  # tables of the person, as host or in a seat
    open_tables: int  # those that wait for company, opened by the person
    seats: int  # the person's seats at open tables of others
    address_tables: int  # open tables of all who came from that address
    address_seats: int  # seats of theirs at open tables


@dataclass(frozen=True)
class Rest:
    """How a match stood when its process forgot it: after move `ply` `asked` was to act."""

    ply: int
    asked: int | None


@dataclass(frozen=True)
class Listed:
    """A table in a list, with as much of its match as is known without playing it."""

    row: TableRow
    ply: int  # actions played, without those taken back
    number: int  # of the last move
    changed: float
    rest: Rest | None
    undone: int = 0  # how often moves were taken back


What = Literal["moves", "table", "chat", "removal", "presence", "person", "bans"]


class Notice(NamedTuple):
    """Something changed, here or in another process; read it again from the store.

    `id` is a table's, or a person's. An empty one means that notices may have been lost: anything
    may have changed. A notice of moves may bring the last of them, one after the other without a
    gap: whoever has the one before need not read.
    """

    id: str
    what: What
    number: int = 0  # the last ply, the version, the last line: whoever has it need not read
    moves: tuple[MoveRow, ...] = ()


@dataclass(frozen=True)
class TableFilter:
    """Which tables are wanted, newest first."""

    status: tuple[Status, ...]
    person: str | None = None  # with a seat of this person
    listed: bool = False  # only those that the lobby shows
    joinable: bool = False  # only those with an open seat
    source: str | None = None  # only those that come from there
    limit: int = 50
    before: tuple[float, str] | None = None  # (created, id) of the last table of the page before


Purge = Literal["chat", "over", "running", "people", "audit"]


class Store(Protocol):
    """Keeps people, tables, moves and chat."""

    is_shared: bool  # several processes may serve from it

    async def open(self) -> None:
        """Connects, and brings the schema up to date."""

    async def close(self) -> None:
        """Finishes what was appended, then disconnects."""

    async def check(self) -> None:
        """Raises StoreDown where the store cannot be written."""

    def claim(self) -> None:
        """Keeps other servers off a store that serves only one; BadStore where one is there.

        What `open` would wait for may begin with it, so it is best done early; done twice, it does
        no harm.
        """

    # People

    async def add_person(self, person: PersonRow, device: DeviceRow) -> None:
        """Adds somebody new, with their first device."""

    async def person(self, id: str) -> PersonRow | None:
        """Finds somebody."""

    async def find_people(self, text: str, limit: int = 50) -> list[PersonRow]:
        """Lists people whose id is the text or whose name holds it, latest seen first."""

    async def device(self, id: str) -> tuple[DeviceRow, PersonRow] | None:
        """Finds a device and whose it is."""

    async def devices(self, person: str) -> list[DeviceRow]:
        """Lists a person's devices."""

    async def add_device(self, device: DeviceRow) -> None:
        """Adds a device to a person."""

    async def remove_device(self, id: str) -> str | None:
        """Removes a device, and gives whose it was."""

    async def see(self, device: str, person: str, now: float, network: str) -> None:
        """Notes that a person came, and from where."""

    async def rename_person(self, id: str, name: str) -> None:
        """Returns somebody another name."""

    async def set_admin(self, id: str, admin: bool) -> bool:
        """Makes somebody an administrator, or no longer; tells whether there is such a person."""

    async def add_link(self, token_hash: str, person: str, expires: float) -> None:
        """Keeps the hash of a personal link."""

    async def use_link(self, token_hash: str, now: float) -> str | None:
        """Returns the person of a link that is still good, and uses it up."""

    async def forget_person(self, id: str) -> bool:
        """Deletes somebody, with their name and words wherever they are; False where unknown."""

    async def export_person(self, id: str) -> dict[str, Any] | None:
        """Returns everything that is kept about somebody."""

    # Tables

    async def add_table(self, table: TableRow) -> None:
        """Adds a table."""

    async def table(self, id: str) -> TableRow | None:
        """Finds a table."""

    async def change_table(self, table: TableRow) -> bool:
        """Writes a changed row where its version is still the stored one, then counts it up."""

    async def remove_table(self, table: TableRow) -> bool:
        """Removes a table that is not over, where its version is still the stored one."""

    async def tables(self, wanted: TableFilter) -> list[TableRow]:
        """Lists tables."""

    async def listed(self, wanted: TableFilter) -> list[Listed]:
        """Lists tables as a page shows them."""

    async def holdings(self, person: str, network: str) -> Holdings:
        """Counts what a person and an address hold."""

    # Tables that nobody is at

    async def drive(self, table: str, worker: str) -> None:
        """Says that a process plays a table's bots and minds its clock."""

    async def rest(self, table: str, worker: str, wake: float | None, rest: Rest) -> None:
        """Says that a process no longer does, and at which uptime somebody has to."""

    async def due(
        self, uptime: float, alive: Sequence[str], games: Sequence[str], limit: int
    ) -> list[str]:
        """Lists running tables of some games that need a process and have none alive."""

    # Moves

    def append(self, move: MoveRow) -> asyncio.Future[None]:
        """Returns a future: done when the move is durable, failed with PlyTaken or StoreDown.

        A ply is taken only after the one before it, in a running match. To append the very same
        move again does no harm: it is done again.
        """

    async def moves(self, table: str, after: int = 0) -> Sequence[MoveRow]:
        """Returns a table's moves after a ply, in order, undone ones and undos too."""

    # Chat

    async def say(self, line: ChatRow) -> ChatRow:
        """Adds a line; the store gives it the table's next number, and keeps the latest alone."""

    async def chat(
        self, table: str, after: int = 0, before: int | None = None, limit: int = 1000
    ) -> Sequence[ChatRow]:
        """Returns the latest lines between two numbers, in order."""

    async def remove_chat(
        self, table: str | None, person: str | None = None, number: int | None = None
    ) -> int:
        """Empties lines of a table, of a person, or one line; gives how many."""

    # Reviews and puzzles

    async def review(self, table: str, seat: int) -> ReviewRow | None:
        """Finds a seat's review."""

    async def begin_review(self, review: ReviewRow, given_up: float) -> bool:
        """Notes that a review begins; False where it is there, or worked on since `given_up`."""

    async def put_review(self, review: ReviewRow) -> None:
        """Writes how far a begun review is; one that is done stays, a deleted one is gone."""

    async def reviews_of(self, person: str, limit: int = 200) -> list[ReviewRow]:
        """Lists the reviews of a person's own seats that are done, the latest first."""

    async def rating(self, who: str) -> Rating | None:
        """Finds how strong a puzzle is, or a person in a game."""

    async def ratings(self, who: list[str]) -> dict[str, Rating]:
        """Finds how strong some are; whoever was never rated is left out."""

    async def tries(self, person: str) -> dict[str, bool]:
        """Returns the puzzles that a person has tried, the latest last, and which were solved."""

    async def add_try(
        self, person: str, puzzle: str, solved: bool, at: float, ratings: dict[str, Rating]
    ) -> bool:
        """Notes a person's first try and the ratings after it; False where it was not the first."""

    # Bans and what administrators did

    async def add_ban(self, ban: BanRow) -> None:
        """Keeps somebody out."""

    async def remove_ban(self, id: str) -> bool:
        """Lifts a ban."""

    async def bans(self) -> list[BanRow]:
        """Lists the bans."""

    async def note(
        self, at: float, actor: str, action: str, target: str, detail: dict[str, Any]
    ) -> None:
        """Adds to the audit log."""

    async def audit(self, limit: int = 100, before: int | None = None) -> list[AuditRow]:
        """Returns the audit log, latest first."""

    # What is old

    async def stale_open(self, before: float, limit: int) -> list[str]:
        """Lists tables that have not begun and were not touched since."""

    async def purge(self, what: Purge, before: float, limit: int) -> int:
        """Removes what is older than a time; gives how many, at most `limit` at once."""

    # Between processes

    def notices(self) -> AsyncIterator[Notice]:
        """Tells what changed; a lost connection is followed by a notice with an empty id."""

    async def beat(self, worker: str, uptime: float) -> None:
        """Says that a worker is alive, and forgets those long dead."""

    async def workers(self, since: float) -> list[str]:
        """Returns the workers that have beaten since then."""

    async def raise_uptime(self, seconds: float) -> float:
        """Writes how long servers of this store have run, and gives the longest that is known."""

    async def put_presence(self, rows: Sequence[PresenceRow]) -> None:
        """Writes who is where in one process."""

    async def presence(self, tables: Sequence[str] | None = None) -> list[PresenceRow]:
        """Lists who is, or was, at some tables, or who is at any."""

    async def drop_presence(self, alive: Sequence[str]) -> None:
        """Counts nobody any more at processes that are not alive."""


def open_store(url: str) -> Store:
    """Returns the store at `sqlite:///PATH` or `postgresql://…`, still to be opened."""
    kind, _, rest = url.partition("://")
    if kind == "sqlite" and rest.startswith("/") and rest != "/":
        from foxden.server.store.sqlite import SqliteStore

        return SqliteStore(Path(rest[1:]))
    if kind in ("postgresql", "postgres"):
        try:
            from foxden.server.store.postgres import PostgresStore
        except ImportError as error:
            raise BadStore("PostgreSQL needs asyncpg: install foxden[postgres].") from error
        return PostgresStore(url)
    raise BadStore(f"{url!r} is no store: use sqlite:///PATH or postgresql://USER@HOST/DATABASE.")


def backup(url: str, target: Path) -> None:
    """Copies a SQLite store while it is in use; the copy is whole, checked, and opens as one."""
    _in_a_file(url, "backups: use pg_dump").backup(target)


def restore(url: str, source: Path) -> None:
    """Puts a backup in the place of a SQLite store that no server uses."""
    _in_a_file(url, "restoring: use pg_restore").restore(source)


def _in_a_file(url: str, instead: str) -> SqliteStore:
    store = open_store(url)
    from foxden.server.store.sqlite import SqliteStore

    if not isinstance(store, SqliteStore):
        raise BadStore(f"PostgreSQL has its own way of {instead}.")
    return store
