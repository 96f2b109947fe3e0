"""What both stores say in the same SQL; each adds how a statement reaches its disk."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from foxden.server.store import (
    ChatRow,
    IdTaken,
    MoveRow,
    Notice,
    PersonRow,
    SeatRow,
    TableFilter,
    TableGone,
    TableRow,
)

# A statement and its values, which it calls $1, $2, …
Step = tuple[str, Sequence[Any]]
Rows = list[tuple[Any, ...]]

# What is to be told of a write, from the rows of its first step.
Tell = Callable[[Rows], Notice]

TABLE = (
    "id, game, rules_version, options, parts, clock, access, watch, hints, pace, host, seed,"
    " status, created, stream, started, ended, scores, winners, rematch, version"
)
SEATS = "kind, person, name, level"
MOVES = "table_id, ply, seat, action, played_by, at"
CHAT = "table_id, number, person, name, seat, text, at"


def marks(count: int, first: int = 1) -> str:
    """Gives the names of so many values: `$1, $2, $3`."""
    return ", ".join(f"${n}" for n in range(first, first + count))


class SqlStore(ABC):
    """Keeps people, tables and chat in any database with our schema."""

    @abstractmethod
    async def read(self, statement: str, *values: Any) -> Rows:
        """Gives the rows of one statement; what was acknowledged before is in them."""

    @abstractmethod
    async def write(self, *steps: Step, tell: Tell | None = None) -> Rows:
        """Takes the steps in one transaction, tells of it, and gives the first step's rows.

        Where the first step has no rows, the others are not taken and nothing is told.
        """

    async def check(self) -> None:
        """Raises StoreDown where the store cannot be written."""
        await self.write(("UPDATE checks SET written = written + 1 RETURNING written", ()))

    # People

    async def add_person(self, person: PersonRow) -> None:
        """Adds somebody new."""
        added = await self.write(
            (
                "INSERT INTO people (id, name, token_hash, created) VALUES ($1, $2, $3, $4)"
                " ON CONFLICT (id) DO NOTHING RETURNING id",
                (person.id, person.name, person.token_hash, person.created),
            )
        )
        if not added:
            raise IdTaken(f"Somebody has the id {person.id!r} already.")

    async def person(self, id: str) -> PersonRow | None:
        """Finds somebody."""
        rows = await self.read("SELECT id, name, token_hash, created FROM people WHERE id = $1", id)
        return PersonRow(*rows[0]) if rows else None

    async def rename_person(self, id: str, name: str) -> None:
        """Gives somebody another name."""
        await self.write(("UPDATE people SET name = $2 WHERE id = $1 RETURNING id", (id, name)))

    async def add_link(self, token_hash: str, person: str, expires: float) -> None:
        """Keeps the hash of a personal link, and forgets those of days ago."""
        await self.write(
            (
                "INSERT INTO links (token_hash, person, expires) VALUES ($1, $2, $3)"
                " RETURNING token_hash",
                (token_hash, person, expires),
            ),
            ("DELETE FROM links WHERE expires < $1", (expires - 7 * 86400.0,)),
        )

    async def use_link(self, token_hash: str, now: float) -> str | None:
        """Gives the person of a link that is still good, and uses it up."""
        rows = await self.write(
            (
                "UPDATE links SET used = $2 WHERE token_hash = $1 AND used IS NULL"
                " AND expires > $2 RETURNING person",
                (token_hash, now),
            )
        )
        return str(rows[0][0]) if rows else None

    # Tables

    async def add_table(self, table: TableRow) -> None:
        """Adds a table."""
        values = _table_values(table)
        added = await self.write(
            (
                f"INSERT INTO tables ({TABLE}) VALUES ({marks(len(values))})"
                " ON CONFLICT (id) DO NOTHING RETURNING id",
                values,
            ),
            _add_seats(table),
            tell=lambda _: Notice(table.id, "table", table.version),
        )
        if not added:
            raise IdTaken(f"There is a table {table.id!r} already.")

    async def table(self, id: str) -> TableRow | None:
        """Finds a table."""
        tables = _tables(await self.read(_select_tables("WHERE id = $1"), id))
        return tables[0] if tables else None

    async def change_table(self, table: TableRow) -> bool:
        """Writes a changed row where its version is still the stored one, then counts it up."""
        values = _table_values(replace(table, version=table.version + 1))
        changed = await self.write(
            (
                f"UPDATE tables SET ({TABLE}) = ({marks(len(values))})"
                f" WHERE id = $1 AND version = ${len(values) + 1} RETURNING version",
                (*values, table.version),
            ),
            ("DELETE FROM seats WHERE table_id = $1", (table.id,)),
            _add_seats(table),
            tell=lambda _: Notice(table.id, "table", table.version + 1),
        )
        return bool(changed)

    async def remove_table(self, table: TableRow) -> bool:
        """Removes a table that is still open, where its version is still the stored one."""
        removed = await self.write(
            (
                "DELETE FROM tables WHERE id = $1 AND version = $2 AND status = 'open'"
                " RETURNING id",
                (table.id, table.version),
            ),
            ("DELETE FROM seats WHERE table_id = $1", (table.id,)),
            ("DELETE FROM chat WHERE table_id = $1", (table.id,)),
            tell=lambda _: Notice(table.id, "table", table.version + 1),
        )
        return bool(removed)

    async def tables(self, wanted: TableFilter) -> list[TableRow]:
        """Lists tables."""
        values: list[Any] = [*wanted.status]
        where = f"WHERE status IN ({marks(len(values))})"
        if wanted.listed:
            where += " AND access = 'listed'"
        if wanted.person is not None:
            values.append(wanted.person)
            where += f" AND id IN (SELECT table_id FROM seats WHERE person = ${len(values)})"
        values.append(wanted.limit)
        where += f" ORDER BY created DESC, id LIMIT ${len(values)}"
        return _tables(await self.read(_select_tables(where), *values))

    # Moves and chat

    async def moves(self, table: str, after: int = 0) -> Sequence[MoveRow]:
        """Gives a table's moves after a ply, in order."""
        rows = await self.read(
            f"SELECT {MOVES} FROM moves WHERE table_id = $1 AND ply > $2 ORDER BY ply",
            table,
            after,
        )
        return [MoveRow(*row) for row in rows]

    async def say(self, line: ChatRow) -> ChatRow:
        """Adds a line; the store gives it the table's next number."""
        # The table's row counts its lines, and holds back whoever speaks at the same moment.
        rows = await self.write(
            ("UPDATE tables SET lines = lines + 1 WHERE id = $1 RETURNING lines", (line.table,)),
            (
                f"INSERT INTO chat ({CHAT}) SELECT id, lines, $2, $3,"
                " CAST($4 AS INTEGER), $5, CAST($6 AS DOUBLE PRECISION) FROM tables WHERE id = $1",
                (line.table, line.person, line.name, line.seat, line.text, line.at),
            ),
            tell=lambda rows: Notice(line.table, "chat", rows[0][0]),
        )
        if not rows:
            raise TableGone(f"There is no table {line.table!r}.")
        return replace(line, number=rows[0][0])

    async def chat(self, table: str, after: int = 0) -> Sequence[ChatRow]:
        """Gives what was said at a table."""
        rows = await self.read(
            f"SELECT {CHAT} FROM chat WHERE table_id = $1 AND number > $2 ORDER BY number",
            table,
            after,
        )
        return [ChatRow(*row) for row in rows]


def is_same(move: MoveRow, stored: MoveRow) -> bool:
    """Says whether a stored move is this one; databases may round a time's last digit."""
    return move[:-1] == stored[:-1] and abs(move.at - stored.at) < 1e-6


def _table_values(table: TableRow) -> tuple[Any, ...]:
    """Gives what is written into the columns of TABLE."""
    return (
        table.id,
        table.game,
        table.rules_version,
        json.dumps(table.options),
        json.dumps(table.parts),
        json.dumps(table.clock),
        table.access,
        table.watch,
        int(table.hints),
        table.pace,
        table.host,
        str(table.seed),
        table.status,
        table.created,
        table.stream,
        table.started,
        table.ended,
        None if table.scores is None else json.dumps(table.scores),
        None if table.winners is None else json.dumps(table.winners),
        table.rematch,
        table.version,
    )


def _add_seats(table: TableRow) -> Step:
    values: list[Any] = [table.id]
    rows = []
    for seat, row in enumerate(table.seats):
        rows.append(f"($1, {marks(5, len(values) + 1)})")
        values += (seat, row.kind, row.person, row.name, row.level)
    return f"INSERT INTO seats (table_id, seat, {SEATS}) VALUES {', '.join(rows)}", values


def _select_tables(where: str) -> str:
    # One statement reads tables with their seats, so that both are of the same version.
    return (
        f"SELECT {TABLE}, s_kind, s_person, s_name, s_level FROM"
        f" (SELECT {TABLE} FROM tables {where}) AS t JOIN"
        " (SELECT table_id AS s_table, seat AS s_seat, kind AS s_kind, person AS s_person,"
        " name AS s_name, level AS s_level FROM seats) AS s ON s_table = id"
        " ORDER BY created DESC, id, s_seat"
    )


def _tables(rows: Iterable[Sequence[Any]]) -> list[TableRow]:
    """Reads tables from rows of a table and a seat each, a table's rows together."""
    width = TABLE.count(",") + 1
    seats: dict[str, list[SeatRow]] = {}
    tables: dict[str, Sequence[Any]] = {}
    for row in rows:
        tables.setdefault(row[0], row[:width])
        seats.setdefault(row[0], []).append(SeatRow(*row[width:]))
    return [_table(row, seats[id]) for id, row in tables.items()]


def _table(row: Sequence[Any], seats: Iterable[SeatRow]) -> TableRow:
    value = dict(zip(TABLE.split(", "), row, strict=True))
    for name in ("options", "parts", "clock"):
        value[name] = json.loads(value[name])
    for name in ("scores", "winners"):
        if value[name] is not None:
            value[name] = tuple(json.loads(value[name]))
    value["hints"] = bool(value["hints"])
    value["seed"] = int(value["seed"])
    return TableRow(seats=tuple(seats), **value)
