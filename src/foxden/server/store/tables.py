"""Tables, seats, moves and chat, in SQL."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from foxden.server.store import (
    ChatRow,
    Holdings,
    IdTaken,
    Listed,
    MoveRow,
    Notice,
    Rest,
    SeatRow,
    TableFilter,
    TableGone,
    TableRow,
)
from foxden.server.store.statements import Rows, Statements, Step, marks

TABLE = (
    "id, game, rules_version, options, parts, clock, access, watch, hints, pace, host, seed,"
    " status, created, stream, started, ended, scores, winners, rematch, grace, muted, kept_out,"
    " began, version, source, origin"
)
SEATS = "kind, person, name, level, resigned"
MOVES = "table_id, ply, seat, action, played_by, at, uptime"
MOVES_READ = "table_id, ply, seat, action, played_by, at, COALESCE(uptime, at)"
CHAT = "table_id, number, person, name, seat, text, at"
CHAT_KEPT = 500  # lines of a table; older ones go when new ones come


class SqlTables(Statements):
    """Keeps tables, their moves and chat."""

    # Tables

    async def add_table(self, table: TableRow) -> None:
        """Adds a table."""
        values = _table_values(table)
        added = await self.write(
            (
                f"INSERT INTO tables ({TABLE}, touched, wake) VALUES ({marks(len(values) + 2)})"
                " ON CONFLICT (id) DO NOTHING RETURNING id",
                (*values, time.time(), 0.0 if table.is_driven else None),
            ),
            _add_seats(table),
            tell=lambda _: [Notice(table.id, "table", table.version)],
        )
        if not added:
            raise IdTaken(f"There is a table {table.id!r} already.")

    async def table(self, id: str) -> TableRow | None:
        """Finds a table."""
        tables = _tables(await self.read(_select_tables("WHERE id = $1"), id))
        return tables[0] if tables else None

    async def change_table(self, table: TableRow) -> bool:
        """Updates a row if its version is still current, and increments the version."""
        values = _table_values(replace(table, version=table.version + 1))
        n = len(values)
        wake = "COALESCE(wake, 0)" if table.is_driven else "NULL"
        changed = await self.write(
            (
                f"UPDATE tables SET ({TABLE}) = ({marks(n)}), touched = ${n + 1}, wake = {wake}"
                f" WHERE id = $1 AND version = ${n + 2} RETURNING version",
                (*values, time.time(), table.version),
            ),
            ("DELETE FROM seats WHERE table_id = $1", (table.id,)),
            _add_seats(table),
            tell=lambda _: [Notice(table.id, "table", table.version + 1)],
        )
        return bool(changed)

    async def remove_table(self, table: TableRow) -> bool:
        """Removes an unfinished table if its version is still current."""
        removed = await self.write(
            (
                "DELETE FROM tables WHERE id = $1 AND version = $2 AND status <> 'over'"
                " RETURNING id",
                (table.id, table.version),
            ),
            *(
                (f"DELETE FROM {name} WHERE table_id = $1", (table.id,))
                for name in ("seats", "moves", "chat", "presence", "reviews")
            ),
            tell=lambda _: [Notice(table.id, "table", table.version + 1)],
        )
        return bool(removed)

    async def tables(self, wanted: TableFilter) -> list[TableRow]:
        """Lists tables."""
        where, values = _where(wanted)
        return _tables(await self.read(_select_tables(where), *values))

    async def listed(self, wanted: TableFilter) -> list[Listed]:
        """Lists tables as a page shows them."""
        where, values = _where(wanted)
        rows = await self.read(_select_tables(where, LISTED), *values)
        facts = {row[0]: row[-6:] for row in rows}
        listed = []
        for table in _tables([row[:-6] for row in rows]):
            number, back, at, rest_ply, asked, undone = facts[table.id]
            changed = max(table.created, table.started or 0.0, table.ended or 0.0, at or 0.0)
            rest = None if rest_ply is None else Rest(rest_ply, asked)
            number = number or 0
            listed.append(Listed(table, number + (back or 0), number, changed, rest, undone))
        return listed

    async def holdings(self, person: str, network: str) -> Holdings:
        """Counts the tables and seats of a person and an address."""
        rows = await self.read(HOLDINGS, person, network)
        return Holdings(*rows[0])

    # Tables without visitors

    async def drive(self, table: str, worker: str) -> None:
        """Marks a process as the driver of a table's bots and clock."""
        await self.write(
            (
                "UPDATE tables SET driver = $2, wake = 0 WHERE id = $1 AND status = 'running'"
                " RETURNING id",
                (table, worker),
            )
        )

    async def rest(self, table: str, worker: str, wake: float | None, rest: Rest) -> None:
        """Releases a table, and notes at which uptime it next needs a driver."""
        await self.write(
            (
                "UPDATE tables SET rest_ply = $2, rest_asked = $3,"
                " wake = CASE WHEN driver = $4 THEN CAST($5 AS DOUBLE PRECISION) ELSE wake END,"
                " driver = CASE WHEN driver = $4 THEN NULL ELSE driver END"
                " WHERE id = $1 AND status = 'running' RETURNING id",
                (table, rest.ply, rest.asked, worker, wake),
            )
        )

    async def due(
        self, uptime: float, alive: Sequence[str], games: Sequence[str], limit: int
    ) -> list[str]:
        """Lists due running tables of some games without a living driver."""
        if not games:
            return []
        drivers, played = marks(len(alive), 3), marks(len(games), 3 + len(alive))
        rows = await self.read(
            "SELECT id FROM tables WHERE status = 'running' AND wake IS NOT NULL AND wake <= $1"
            f" AND (driver IS NULL OR driver NOT IN ({drivers})) AND game IN ({played})"
            " ORDER BY wake, id LIMIT $2",
            uptime,
            limit,
            *alive,
            *games,
        )
        return [row[0] for row in rows]

    # Moves and chat

    async def moves(self, table: str, after: int = 0) -> Sequence[MoveRow]:
        """Returns a table's moves after a ply, in order."""
        rows = await self.read(
            f"SELECT {MOVES_READ} FROM moves WHERE table_id = $1 AND ply > $2 ORDER BY ply",
            table,
            after,
        )
        return [MoveRow(*row) for row in rows]

    async def say(self, line: ChatRow) -> ChatRow:
        """Adds a line under the table's next number; keeps only the latest lines."""
        # The table's row counts its lines, and serialises concurrent writers.
        rows = await self.write(
            ("UPDATE tables SET lines = lines + 1 WHERE id = $1 RETURNING lines", (line.table,)),
            (
                f"INSERT INTO chat ({CHAT}) SELECT id, lines, $2, $3,"
                " CAST($4 AS INTEGER), $5, CAST($6 AS DOUBLE PRECISION) FROM tables WHERE id = $1",
                (line.table, line.person, line.name, line.seat, line.text, line.at),
            ),
            (
                "DELETE FROM chat WHERE table_id = $1 AND number <="
                f" (SELECT lines FROM tables WHERE id = $1) - {CHAT_KEPT}",
                (line.table,),
            ),
            tell=lambda rows: [Notice(line.table, "chat", rows[0][0])],
        )
        if not rows:
            raise TableGone(f"There is no table {line.table!r}.")
        return replace(line, number=rows[0][0])

    async def chat(
        self, table: str, after: int = 0, before: int | None = None, limit: int = CHAT_KEPT
    ) -> Sequence[ChatRow]:
        """Returns the latest lines between two numbers, in order."""
        rows = await self.read(
            f"SELECT {CHAT}, removed FROM chat WHERE table_id = $1 AND number > $2"
            " AND number < $3 ORDER BY number DESC LIMIT $4",
            table,
            after,
            2**31 - 1 if before is None else before,
            limit,
        )
        return [ChatRow(*(*row[:-1], bool(row[-1]))) for row in reversed(rows)]

    async def remove_chat(
        self, table: str | None, person: str | None = None, number: int | None = None
    ) -> int:
        """Clears lines of a table, of a person, or one line; returns how many."""
        conditions: list[str] = ["removed = 0"]
        values: list[Any] = []
        for column, value in (("table_id", table), ("person", person), ("number", number)):
            if value is not None:
                values.append(value)
                conditions.append(f"{column} = ${len(values)}")
        if not values:
            raise ValueError("nothing says which lines")
        rows = await self.write(
            (
                f"UPDATE chat SET text = '', removed = 1 WHERE {' AND '.join(conditions)}"
                " RETURNING table_id",
                values,
            ),
            tell=lambda rows: [Notice(id, "removal") for id in {row[0] for row in rows}],
        )
        return len(rows)


def is_same(move: MoveRow, stored: MoveRow) -> bool:
    """Returns whether a stored move is this one; databases may round a time's last digit."""
    same_times = abs(move.at - stored.at) < 1e-6 and abs(move.uptime - stored.uptime) < 1e-6
    return move[:5] == stored[:5] and same_times


def _table_values(table: TableRow) -> tuple[Any, ...]:
    """Returns the values for the columns of TABLE."""
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
        table.grace,
        json.dumps(table.muted),
        json.dumps(table.kept_out),
        table.began,
        table.version,
        table.source,
        None if table.origin is None else json.dumps(table.origin),
    )


def _add_seats(table: TableRow) -> Step:
    values: list[Any] = [table.id, table.status, table.created]
    rows = []
    for seat, row in enumerate(table.seats):
        rows.append(f"($1, $2, $3, {marks(6, len(values) + 1)})")
        values += (seat, row.kind, row.person, row.name, row.level, int(row.resigned))
    columns = f"table_id, status, created, seat, {SEATS}"
    return f"INSERT INTO seats ({columns}) VALUES {', '.join(rows)}", values


def _where(wanted: TableFilter) -> tuple[str, list[Any]]:
    """Returns the conditions and order of a query for tables."""
    values: list[Any] = [*wanted.status]
    where = f"status IN ({marks(len(values))})"
    if wanted.before is not None:
        created, id = wanted.before
        values += [created, created, id]
        n = len(values)
        where += f" AND created <= ${n - 2} AND (created < ${n - 1} OR id_ < ${n})"
    if wanted.source is not None:
        values.append(wanted.source)
        where += f" AND source = ${len(values)}"
    if wanted.listed:
        where += " AND access = 'listed'"
    if wanted.joinable:
        where += " AND EXISTS (SELECT 1 FROM seats WHERE table_id = id_ AND kind = 'open')"
    values.append(wanted.limit)
    limit = f"LIMIT ${len(values)}"
    if wanted.person is None:
        where = where.replace("id_", "id")
        return f"WHERE {where} ORDER BY created DESC, id DESC {limit}", values
    # Uses the index on seats: a person may have ten thousand tables, but a page shows twenty.
    values.append(wanted.person)
    where = where.replace("id_", "table_id")
    return (
        "WHERE id IN (SELECT table_id FROM (SELECT DISTINCT created, table_id FROM seats"
        f" WHERE person = ${len(values)} AND (resigned = 0 OR status = 'over') AND {where}"
        f" ORDER BY created DESC, table_id DESC {limit}) AS page) ORDER BY created DESC, id DESC",
        values,
    )


LISTED = (
    ", (SELECT MAX(ply) FROM moves WHERE table_id = id) AS number"
    # The last undo says how many actions remain; all later ones count.
    ", (SELECT action - ply FROM moves WHERE table_id = id AND played_by = 'undo'"
    " ORDER BY ply DESC LIMIT 1) AS back"
    ", (SELECT at FROM moves WHERE table_id = id ORDER BY ply DESC LIMIT 1) AS last_at"
    ", rest_ply, rest_asked"
    ", (SELECT COUNT(*) FROM moves WHERE table_id = id AND played_by = 'undo') AS undone"
)
HOLDINGS = """
SELECT
  (SELECT COUNT(*) FROM (
    SELECT id FROM tables WHERE host = $1 AND status IN ('open', 'running')
    UNION SELECT table_id FROM seats
      WHERE person = $1 AND status IN ('open', 'running') AND resigned = 0
  ) AS unfinished),
  (SELECT COUNT(*) FROM tables WHERE host = $1 AND status = 'open'),
  (SELECT COUNT(*) FROM seats JOIN tables ON tables.id = seats.table_id
    WHERE seats.person = $1 AND seats.status = 'open' AND tables.host <> $1),
  (SELECT COUNT(*) FROM people JOIN tables ON tables.host = people.id AND tables.status = 'open'
    WHERE people.network = $2 AND $2 <> ''),
  (SELECT COUNT(*) FROM people JOIN seats ON seats.person = people.id AND seats.status = 'open'
    WHERE people.network = $2 AND $2 <> '')
"""


def _select_tables(where: str, more: str = "") -> str:
    # One statement reads tables with their seats, so both have the same version.
    names = ", number, back, last_at, rest_ply, rest_asked, undone" if more else ""
    return (
        f"SELECT {TABLE}, s_kind, s_person, s_name, s_level, s_resigned{names} FROM"
        f" (SELECT {TABLE}{more} FROM tables {where}) AS t JOIN"
        " (SELECT table_id AS s_table, seat AS s_seat, kind AS s_kind, person AS s_person,"
        " name AS s_name, level AS s_level, resigned AS s_resigned FROM seats) AS s"
        " ON s_table = id ORDER BY created DESC, id DESC, s_seat"
    )


def _tables(rows: Rows) -> list[TableRow]:
    """Reads tables from joined rows of table and seat, grouped by table."""
    width = TABLE.count(",") + 1
    seats: dict[str, list[SeatRow]] = {}
    tables: dict[str, Sequence[Any]] = {}
    for row in rows:
        tables.setdefault(row[0], row[:width])
        *seat, resigned = row[width:]
        seats.setdefault(row[0], []).append(SeatRow(*(*seat, bool(resigned))))
    return [_table(row, seats[id]) for id, row in tables.items()]


def _table(row: Sequence[Any], seats: Iterable[SeatRow]) -> TableRow:
    value = dict(zip(TABLE.split(", "), row, strict=True))
    for name in ("options", "parts", "clock"):
        value[name] = json.loads(value[name])
    for name in ("scores", "winners", "muted", "kept_out"):
        if value[name] is not None:
            value[name] = tuple(json.loads(value[name]))
    if value["origin"] is not None:
        value["origin"] = json.loads(value["origin"])
    value["hints"] = bool(value["hints"])
    value["seed"] = int(value["seed"])
    return TableRow(seats=tuple(seats), **value)
