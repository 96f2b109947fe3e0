"""The store: a table is a list of moves, and the first to write a ply wins.

Each process opens its store once. Reads and rare writes are coroutines; moves go through `append`,
whose future is done when the move is on disk. Moves of many tables share one commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from foxden.engine.errors import FoxdenError
from foxden.engine.rng import Stream

if TYPE_CHECKING:
    from foxden.server.store.sqlite import SqliteStore

Status = Literal["open", "running", "over"]


class PlyTaken(FoxdenError):
    """The ply is taken, comes too early, or the match is over."""


class StoreDown(FoxdenError):
    """The store cannot be reached or written; nothing was acknowledged.

    Nothing changed either, unless the connection broke during the commit; the same move may be
    appended again in any case.
    """


class IdTaken(FoxdenError):
    """A person or table already has this id."""


class TableGone(FoxdenError):
    """The table is not in the store."""


class BadStore(FoxdenError):
    """The address names no usable store: unknown, newer, or unfinished."""


@dataclass(frozen=True)
class PersonRow:
    """A named person."""

    id: str
    name: str
    created: float
    seen: float = 0.0  # when they last came, to the day
    admin: bool = False
    network: str = ""  # a keyed hash of the address they last came from


@dataclass(frozen=True)
class DeviceRow:
    """A person's browser; `token_hash` is the hash of its cookie's secret."""

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
    resigned: bool = False  # a bot plays on for `person`, who resigned


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
    stream: Stream = "keyed"  # the seed's stream; matches of older versions: "fast"
    started: float | None = None
    ended: float | None = None
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    rematch: str | None = None
    grace: int = 10  # minutes of absence before others may let a bot play for somebody
    muted: tuple[str, ...] = ()  # people muted by the host
    kept_out: tuple[str, ...] = ()  # people whose seat the host freed
    began: float | None = None  # the store's uptime when the match began
    version: int = 0
    source: str | None = None  # the day's deal, or the table whose match this one branches from …
    origin: dict[str, Any] | None = None  # … and everything needed to begin there

    @property
    def day(self) -> str | None:
        """Returns the day of this table's daily deal, or None."""
        return None if self.origin is None else self.origin.get("day")

    @property
    def branch(self) -> dict[str, Any] | None:
        """Returns the position of another match where this one began, None if it was dealt."""
        return self.origin if self.day is None else None

    @cached_property  # asked after every move
    def is_driven(self) -> bool:
        """Returns whether the match needs a process for its bots or clock."""
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
    at: float  # the time of day, for display
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
    """A chat line at a table."""

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
    """A person's sockets at a table in one process; strangers are ''."""

    worker: str
    table: str
    person: str
    sockets: int
    since: float  # the uptime at which that began
    address: str = ""  # of the latest socket, while there is one


@dataclass(frozen=True)
class BanRow:
    """A ban of a person or a range of addresses."""

    id: str
    person: str | None
    network: str | None
    reason: str
    at: float
    until: float | None = None


@dataclass(frozen=True)
class AuditRow:
    """An action of an administrator."""

    number: int
    at: float
    actor: str
    action: str
    target: str
    detail: dict[str, Any]


@dataclass(frozen=True)
class ReviewRow:
    """The review of a seat, or its progress."""

    table: str
    seat: int
    version: int  # of the review's format
    at: float  # when it was last worked on
    done: float  # 0 to 1
    content: str | None = None  # JSON, when it is done


@dataclass(frozen=True)
class Rating:
    """The rating of a puzzle, or of a person in a game, and the number of tries."""

    rating: float
    tries: int


@dataclass(frozen=True)
class Holdings:
    """Unfinished tables and seats of a person, and of everybody at their address."""

    unfinished: int  # tables of the person, as host or in a seat
    open_tables: int  # open tables of the person
    seats: int  # the person's seats at open tables of others
    address_tables: int  # open tables of all who came from that address
    address_seats: int  # seats of theirs at open tables


@dataclass(frozen=True)
class Rest:
    """A match's state when it was unloaded: after move `ply`, `asked` was to act."""

    ply: int
    asked: int | None


@dataclass(frozen=True)
class Listed:
    """A table in a list, with what is known of its match without replaying it."""

    row: TableRow
    ply: int  # actions played, without those taken back
    number: int  # of the last move
    changed: float
    rest: Rest | None
    undone: int = 0  # number of undos


What = Literal["moves", "table", "chat", "removal", "presence", "person", "bans"]


class Notice(NamedTuple):
    """Something changed, here or in another process; reread it from the store.

    `id` is a table's, or a person's. An empty one means that notices may have been lost: anything
    may have changed. A notice of moves may bring the last of them, one after the other without a
    gap: a process that has the one before need not read.
    """

    id: str
    what: What
    number: int = 0  # the last ply, version or line; a process that has it need not read
    moves: tuple[MoveRow, ...] = ()


@dataclass(frozen=True)
class TableFilter:
    """Which tables are wanted, newest first."""

    status: tuple[Status, ...]
    person: str | None = None  # with a seat of this person
    listed: bool = False  # only those that the lobby shows
    joinable: bool = False  # only those with an open seat
    source: str | None = None  # only those from this source
    limit: int = 50
    before: tuple[float, str] | None = None  # (created, id) of the last table of the page before


Purge = Literal["chat", "over", "running", "people", "audit"]


class Store(Protocol):
    """Keeps people, tables, moves and chat."""

    is_shared: bool  # several processes may serve from it

    async def open(self) -> None:
        """Connects, and migrates the schema."""

    async def close(self) -> None:
        """Finishes pending appends, then disconnects."""

    async def check(self) -> None:
        """Raises StoreDown if the store cannot be written."""

    def claim(self) -> None:
        """Locks a store that serves only one server; BadStore if another has it.

        It also starts slow parts of `open`, so call it early; calling it twice is harmless.
        """

    # People

    async def add_person(self, person: PersonRow, device: DeviceRow) -> None:
        """Adds a new person, with their first device."""

    async def person(self, id: str) -> PersonRow | None:
        """Finds a person."""

    async def find_people(self, text: str, limit: int = 50) -> list[PersonRow]:
        """Lists people whose id is the text or whose name contains it, latest seen first."""

    async def device(self, id: str) -> tuple[DeviceRow, PersonRow] | None:
        """Finds a device and its person."""

    async def devices(self, person: str) -> list[DeviceRow]:
        """Lists a person's devices."""

    async def add_device(self, device: DeviceRow) -> None:
        """Adds a device to a person."""

    async def remove_device(self, id: str) -> str | None:
        """Removes a device, and returns its person."""

    async def see(self, device: str, person: str, now: float, network: str) -> None:
        """Records a visit: when, and from where."""

    async def rename_person(self, id: str, name: str) -> None:
        """Renames a person."""

    async def set_admin(self, id: str, admin: bool) -> bool:
        """Grants or revokes administration; returns whether the person exists."""

    async def add_link(self, token_hash: str, person: str, expires: float) -> None:
        """Keeps the hash of a personal link."""

    async def use_link(self, token_hash: str, now: float) -> str | None:
        """Returns the person of a valid link, and uses it up."""

    async def forget_person(self, id: str) -> bool:
        """Deletes a person, with their name and chat everywhere; False if unknown."""

    async def export_person(self, id: str) -> dict[str, Any] | None:
        """Returns everything stored about a person."""

    # Tables

    async def add_table(self, table: TableRow) -> None:
        """Adds a table."""

    async def table(self, id: str) -> TableRow | None:
        """Finds a table."""

    async def change_table(self, table: TableRow) -> bool:
        """Updates a row if its version is still current, and increments the version."""

    async def remove_table(self, table: TableRow) -> bool:
        """Removes an unfinished table if its version is still current."""

    async def tables(self, wanted: TableFilter) -> list[TableRow]:
        """Lists tables."""

    async def listed(self, wanted: TableFilter) -> list[Listed]:
        """Lists tables as a page shows them."""

    async def holdings(self, person: str, network: str) -> Holdings:
        """Counts the tables and seats of a person and an address."""

    # Tables without visitors

    async def drive(self, table: str, worker: str) -> None:
        """Marks a process as the driver of a table's bots and clock."""

    async def rest(self, table: str, worker: str, wake: float | None, rest: Rest) -> None:
        """Releases a table, and notes at which uptime it next needs a driver."""

    async def due(
        self, uptime: float, alive: Sequence[str], games: Sequence[str], limit: int
    ) -> list[str]:
        """Lists due running tables of some games without a living driver."""

    # Moves

    def append(self, move: MoveRow) -> asyncio.Future[None]:
        """Returns a future: done when the move is durable, failed with PlyTaken or StoreDown.

        A ply is accepted only after the one before it, in a running match. Appending the same move
        again is harmless: it succeeds again.
        """

    async def moves(self, table: str, after: int = 0) -> Sequence[MoveRow]:
        """Returns a table's moves after a ply, in order, including undone ones and undos."""

    # Chat

    async def say(self, line: ChatRow) -> ChatRow:
        """Adds a line under the table's next number; keeps only the latest lines."""

    async def chat(
        self, table: str, after: int = 0, before: int | None = None, limit: int = 1000
    ) -> Sequence[ChatRow]:
        """Returns the latest lines between two numbers, in order."""

    async def remove_chat(
        self, table: str | None, person: str | None = None, number: int | None = None
    ) -> int:
        """Clears lines of a table, of a person, or one line; returns how many."""

    # Reviews and puzzles

    async def review(self, table: str, seat: int) -> ReviewRow | None:
        """Finds a seat's review."""

    async def begin_review(self, review: ReviewRow, given_up: float) -> bool:
        """Marks a review as begun; False if it exists, or had progress since `given_up`."""

    async def put_review(self, review: ReviewRow) -> None:
        """Updates a begun review's progress; a finished one stays, a deleted one stays deleted."""

    async def reviews_of(self, person: str, limit: int = 200) -> list[ReviewRow]:
        """Lists the finished reviews of a person's own seats, the latest first."""

    async def rating(self, who: str) -> Rating | None:
        """Finds the rating of a puzzle, or of a person in a game."""

    async def ratings(self, who: list[str]) -> dict[str, Rating]:
        """Finds several ratings; omits the unrated."""

    async def tries(self, person: str) -> dict[str, bool]:
        """Returns the puzzles a person has tried, the latest last, and whether they solved them."""

    async def add_try(
        self, person: str, puzzle: str, solved: bool, at: float, ratings: dict[str, Rating]
    ) -> bool:
        """Records a person's first try and the new ratings; False if it was not the first."""

    # Bans and the audit log

    async def add_ban(self, ban: BanRow) -> None:
        """Adds a ban."""

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

    # Old data

    async def stale_open(self, before: float, limit: int) -> list[str]:
        """Lists tables that have not begun and have not changed since a time."""

    async def purge(self, what: Purge, before: float, limit: int) -> int:
        """Removes data older than a time; returns how many, at most `limit` at once."""

    # Between processes

    def notices(self) -> AsyncIterator[Notice]:
        """Yields changes; a notice with an empty id follows a lost connection."""

    async def beat(self, worker: str, uptime: float) -> None:
        """Records a worker's heartbeat, and removes workers long dead."""

    async def workers(self, since: float) -> list[str]:
        """Returns the workers with a heartbeat since then."""

    async def raise_uptime(self, seconds: float) -> float:
        """Writes the uptime of the store's servers, and returns the longest known."""

    async def put_presence(self, rows: Sequence[PresenceRow]) -> None:
        """Writes who is where in one process."""

    async def presence(self, tables: Sequence[str] | None = None) -> list[PresenceRow]:
        """Lists present and past visitors of some tables, or everybody present."""

    async def drop_presence(self, alive: Sequence[str]) -> None:
        """Removes the visitors of dead processes."""


def open_store(url: str) -> Store:
    """Returns the store at `sqlite:///PATH` or `postgresql://…`, not yet open."""
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
    """Copies a SQLite store while it is in use; the copy is complete and checked."""
    _in_a_file(url, "backups: use pg_dump").backup(target)


def restore(url: str, source: Path) -> None:
    """Replaces a SQLite store that no server uses by a backup."""
    _in_a_file(url, "restoring: use pg_restore").restore(source)


def _in_a_file(url: str, instead: str) -> SqliteStore:
    store = open_store(url)
    from foxden.server.store.sqlite import SqliteStore

    if not isinstance(store, SqliteStore):
        raise BadStore(f"PostgreSQL has its own way of {instead}.")
    return store
