"""Deletion of old data, in SQL."""

from __future__ import annotations

from foxden.server.store import Notice, Purge
from foxden.server.store.statements import Statements, Step, marks

# Finds data older than $1, at most $2 rows.
FIND: dict[Purge, str] = {
    "over": "SELECT id FROM tables WHERE status = 'over' AND ended < $1 LIMIT $2",
    "running": (
        "SELECT id FROM tables WHERE status = 'running' AND touched < $1 AND COALESCE((SELECT at"
        " FROM moves WHERE table_id = id ORDER BY ply DESC LIMIT 1), 0) < $1 LIMIT $2"
    ),
    "people": (
        "SELECT id FROM people WHERE seen < $1 AND admin = 0 AND NOT EXISTS"
        " (SELECT 1 FROM seats WHERE person = people.id) LIMIT $2"
    ),
    "audit": "SELECT number FROM audit WHERE at < $1 LIMIT $2",
}


class SqlRetention(Statements):
    """Removes old data."""

    async def stale_open(self, before: float, limit: int) -> list[str]:
        """Lists tables that have not begun and have not changed since a time."""
        rows = await self.read(
            "SELECT id FROM tables WHERE status = 'open' AND touched < $1"
            " AND NOT EXISTS (SELECT 1 FROM presence WHERE table_id = id AND sockets > 0)"
            " LIMIT $2",
            before,
            limit,
        )
        return [row[0] for row in rows]

    async def purge(self, what: Purge, before: float, limit: int) -> int:
        """Removes data older than a time; returns how many, at most `limit` at once."""
        if what == "chat":
            gone = await self.write(
                (
                    "DELETE FROM chat WHERE (table_id, number) IN"
                    " (SELECT table_id, number FROM chat WHERE at < $1 LIMIT $2) RETURNING number",
                    (before, limit),
                )
            )
            return len(gone)
        ids = [row[0] for row in await self.read(FIND[what], before, limit)]
        if not ids:
            return 0
        some = f"IN ({marks(len(ids))})"
        steps: list[Step]
        if what == "audit":
            steps = [(f"DELETE FROM audit WHERE number {some} RETURNING number", ids)]
        elif what == "people":
            steps = [
                (f"DELETE FROM people WHERE id {some} RETURNING id", ids),
                (f"DELETE FROM devices WHERE person {some}", ids),
                (f"DELETE FROM links WHERE person {some}", ids),
                (f"DELETE FROM tries WHERE person {some}", ids),
                (f"UPDATE chat SET person = '', name = 'Somebody' WHERE person {some}", ids),
            ]
        else:
            steps = [(f"DELETE FROM tables WHERE id {some} RETURNING id", ids)]
            steps += [
                (f"DELETE FROM {name} WHERE table_id {some}", ids)
                for name in ("seats", "moves", "chat", "presence", "reviews")
            ]
        kind = "person" if what == "people" else "table"
        rows = await self.write(
            *steps,
            tell=None
            if what == "audit"
            else lambda rows: [Notice(row[0], kind, -1) for row in rows],  # type: ignore[arg-type]
        )
        return len(rows)
