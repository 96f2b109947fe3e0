"""Where tables are kept: their truth is a list of moves, and whoever writes a ply first is right.

A store is opened once a process. Reading and rare writing are coroutines; moves go through
`append`, whose future is done when the move is on disk. Many tables' moves share one commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from foxden.engine.errors import FoxdenError
from foxden.engine.rng import Stream

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
    """Somebody with a name; `token_hash` is what a cookie's secret must hash to."""

    id: str
    name: str
    token_hash: str
    created: float


@dataclass(frozen=True)
class SeatRow:
    """Who sits in a seat of a table."""

    kind: Literal["open", "person", "bot"]
    person: str | None = None
    name: str | None = None
    level: int | None = None  # a bot's, or that of a person's stand-in


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
    version: int = 0


class MoveRow(NamedTuple):
    """One action played."""

    table: str
    ply: int  # the first action of a match is ply 1
    seat: int
    action: int
    by: str  # "person", "bot", "clock" (time ran out)
    at: float


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


@dataclass(frozen=True)
class Notice:
    """Something about a table changed, here or in another process; read it again from the store.

    An empty table means that notices may have been lost: any table may have changed.
    """

    table: str
    what: Literal["moves", "table", "chat"]
    number: int = 0  # the last ply, the version, the last line: whoever has it need not read


@dataclass(frozen=True)
class TableFilter:
    """Which tables are wanted, newest first."""

    status: tuple[Status, ...]
    person: str | None = None  # with a seat of this person
    listed: bool = False  # only those that the lobby shows
    limit: int = 50


class Store(Protocol):
    """Keeps people, tables, moves and chat."""

    async def open(self) -> None:
        """Connects, and brings the schema up to date."""

    async def close(self) -> None:
        """Finishes what was appended, then disconnects."""

    async def check(self) -> None:
        """Raises StoreDown where the store cannot be written."""

    # People

    async def add_person(self, person: PersonRow) -> None:
        """Adds somebody new."""

    async def person(self, id: str) -> PersonRow | None:
        """Finds somebody."""

    async def rename_person(self, id: str, name: str) -> None:
        """Gives somebody another name."""

    async def add_link(self, token_hash: str, person: str, expires: float) -> None:
        """Keeps the hash of a personal link."""

    async def use_link(self, token_hash: str, now: float) -> str | None:
        """Gives the person of a link that is still good, and uses it up."""

    # Tables

    async def add_table(self, table: TableRow) -> None:
        """Adds a table."""

    async def table(self, id: str) -> TableRow | None:
        """Finds a table."""

    async def change_table(self, table: TableRow) -> bool:
        """Writes a changed row where its version is still the stored one, then counts it up."""

    async def remove_table(self, table: TableRow) -> bool:
        """Removes a table that is still open, where its version is still the stored one."""

    async def tables(self, wanted: TableFilter) -> list[TableRow]:
        """Lists tables."""

    # Moves

    def append(self, move: MoveRow) -> asyncio.Future[None]:
        """Gives a future: done when the move is durable, failed with PlyTaken or StoreDown.

        A ply is taken only after the one before it, in a running match. To append the very same
        move again does no harm: it is done again.
        """

    async def moves(self, table: str, after: int = 0) -> Sequence[MoveRow]:
        """Gives a table's moves after a ply, in order."""

    # Chat

    async def say(self, line: ChatRow) -> ChatRow:
        """Adds a line; the store gives it the table's next number."""

    async def chat(self, table: str, after: int = 0) -> Sequence[ChatRow]:
        """Gives what was said at a table."""

    # Between processes

    def notices(self) -> AsyncIterator[Notice]:
        """Tells what changed; a lost connection is followed by a notice with an empty table."""

    async def beat(self, worker: str, now: float) -> None:
        """Says that a worker is alive, and forgets those long dead."""

    async def workers(self, since: float) -> list[str]:
        """Gives the workers that have beaten since then."""


def open_store(url: str) -> Store:
    """Gives the store at `sqlite:///PATH` or `postgresql://…`, still to be opened."""
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
    store = open_store(url)
    from foxden.server.store.sqlite import SqliteStore

    if not isinstance(store, SqliteStore):
        raise BadStore("PostgreSQL makes its own backups: use pg_dump.")
    store.backup(target)
