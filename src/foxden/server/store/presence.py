"""Presence in SQL: who is at which table, through which process."""

from __future__ import annotations

from collections.abc import Sequence

from foxden.server.store import Notice, PresenceRow
from foxden.server.store.statements import Statements, Step, marks

PRESENCE = "worker, table_id, person, sockets, since, address"


class SqlPresence(Statements):
    """Keeps who is where."""

    async def put_presence(self, rows: Sequence[PresenceRow]) -> None:
        """Writes who is where in one process."""
        # Ordered, to avoid deadlocks between two processes.
        ordered = sorted(rows, key=lambda row: (row.table, row.person))
        steps: list[Step] = [
            (
                f"INSERT INTO presence ({PRESENCE}) VALUES ({marks(6)})"
                " ON CONFLICT (table_id, person, worker) DO UPDATE SET"
                " sockets = excluded.sockets, since = excluded.since, address = excluded.address"
                " RETURNING worker",
                (row.worker, row.table, row.person, row.sockets, row.since, row.address),
            )
            for row in ordered
        ]
        tables = {row.table for row in rows}
        if steps:
            await self.write(*steps, tell=lambda _: [Notice(id, "presence") for id in tables])

    async def presence(self, tables: Sequence[str] | None = None) -> list[PresenceRow]:
        """Returns present and past visitors of some tables, or everybody present."""
        if tables is None:
            where, values = "sockets > 0", list[str]()
        else:
            where, values = f"table_id IN ({marks(len(tables))})", list(tables)
            if not tables:
                return []
        rows = await self.read(
            f"SELECT {PRESENCE} FROM presence WHERE {where} ORDER BY table_id, person, worker",
            *values,
        )
        return [PresenceRow(*row) for row in rows]

    async def drop_presence(self, alive: Sequence[str]) -> None:
        """Removes the visitors of dead processes."""
        await self.write(
            (
                "UPDATE presence SET sockets = 0, address = '' WHERE sockets > 0"
                f" AND worker NOT IN ({marks(len(alive))}) RETURNING table_id",
                tuple(alive),
            ),
            tell=lambda rows: [Notice(id, "presence") for id in {row[0] for row in rows}],
        )
