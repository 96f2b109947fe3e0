"""SQL that both stores share; each adds how it executes statements."""

from __future__ import annotations

from foxden.server.store.people import SqlPeople
from foxden.server.store.presence import SqlPresence
from foxden.server.store.retention import SqlRetention
from foxden.server.store.reviews import SqlReviews
from foxden.server.store.tables import SqlTables


class SqlStore(SqlPeople, SqlTables, SqlPresence, SqlReviews, SqlRetention):
    """Keeps people, tables and chat in any database with our schema."""

    async def check(self) -> None:
        """Raises StoreDown if the store cannot be written."""
        await self.write(("UPDATE checks SET written = written + 1 RETURNING written", ()))

    def claim(self) -> None:
        """Does nothing: several servers may share a store."""

    async def raise_uptime(self, seconds: float) -> float:
        """Writes the uptime of the store's servers, and returns the longest known."""
        rows = await self.write(
            (
                "UPDATE uptime SET seconds = CASE WHEN seconds < $1 THEN $1 ELSE seconds END"
                " RETURNING seconds",
                (seconds,),
            )
        )
        return float(rows[0][0])
