"""People, their devices, bans and the audit log, in SQL."""

from __future__ import annotations

import json
from typing import Any

from foxden.server.store import AuditRow, BanRow, DeviceRow, IdTaken, Notice, PersonRow
from foxden.server.store.statements import Statements, marks

PERSON = "id, name, created, seen, admin, network"
DEVICE = "id, person, token_hash, created, seen"
BAN = "id, person, network, reason, at, until"
NOBODY = "Somebody"  # the name of deleted people


class SqlPeople(Statements):
    """Keeps people."""

    async def add_person(self, person: PersonRow, device: DeviceRow) -> None:
        """Adds a new person, with their first device."""
        added = await self.write(
            (
                f"INSERT INTO people ({PERSON}) VALUES ({marks(6)})"
                " ON CONFLICT (id) DO NOTHING RETURNING id",
                (
                    person.id,
                    person.name,
                    person.created,
                    person.seen,
                    int(person.admin),
                    person.network,
                ),
            ),
            (f"INSERT INTO devices ({DEVICE}) VALUES ({marks(5)})", _device_values(device)),
        )
        if not added:
            raise IdTaken(f"Somebody has the id {person.id!r} already.")

    async def person(self, id: str) -> PersonRow | None:
        """Finds a person."""
        rows = await self.read(f"SELECT {PERSON} FROM people WHERE id = $1", id)
        return _person(rows[0]) if rows else None

    async def find_people(self, text: str, limit: int = 50) -> list[PersonRow]:
        """Lists people whose id is the text or whose name contains it, latest seen first."""
        escaped = text.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        rows = await self.read(
            f"SELECT {PERSON} FROM people WHERE id = $1 OR lower(name) LIKE $2 ESCAPE '\\'"
            " ORDER BY seen DESC, id LIMIT $3",
            text,
            f"%{escaped}%",
            limit,
        )
        return [_person(row) for row in rows]

    async def device(self, id: str) -> tuple[DeviceRow, PersonRow] | None:
        """Finds a device and its person."""
        rows = await self.read(
            f"SELECT {_of('devices', DEVICE)}, {_of('people', PERSON)} FROM devices"
            " JOIN people ON people.id = devices.person WHERE devices.id = $1",
            id,
        )
        return (DeviceRow(*rows[0][:5]), _person(rows[0][5:])) if rows else None

    async def devices(self, person: str) -> list[DeviceRow]:
        """Lists a person's devices."""
        rows = await self.read(
            f"SELECT {DEVICE} FROM devices WHERE person = $1 ORDER BY created, id", person
        )
        return [DeviceRow(*row) for row in rows]

    async def add_device(self, device: DeviceRow) -> None:
        """Adds a device to a person."""
        await self.write(
            (
                f"INSERT INTO devices ({DEVICE}) VALUES ({marks(5)}) RETURNING id",
                _device_values(device),
            )
        )

    async def remove_device(self, id: str) -> str | None:
        """Removes a device, and returns its person."""
        rows = await self.write(
            ("DELETE FROM devices WHERE id = $1 RETURNING person", (id,)),
            tell=lambda rows: [Notice(rows[0][0], "person")],
        )
        return str(rows[0][0]) if rows else None

    async def see(self, device: str, person: str, now: float, network: str) -> None:
        """Records a visit: when, and from where."""
        await self.write(
            (
                "UPDATE people SET seen = $2, network = $3 WHERE id = $1 RETURNING id",
                (person, now, network),
            ),
            ("UPDATE devices SET seen = $2 WHERE id = $1", (device, now)),
        )

    async def rename_person(self, id: str, name: str) -> None:
        """Renames a person."""
        await self.write(
            ("UPDATE people SET name = $2 WHERE id = $1 RETURNING id", (id, name)),
            tell=lambda _: [Notice(id, "person")],
        )

    async def set_admin(self, id: str, admin: bool) -> bool:
        """Grants or revokes administration; returns whether the person exists."""
        rows = await self.write(
            ("UPDATE people SET admin = $2 WHERE id = $1 RETURNING id", (id, int(admin))),
            tell=lambda _: [Notice(id, "person")],
        )
        return bool(rows)

    async def add_link(self, token_hash: str, person: str, expires: float) -> None:
        """Keeps the hash of a personal link, and deletes those days old."""
        await self.write(
            (
                "INSERT INTO links (token_hash, person, expires) VALUES ($1, $2, $3)"
                " RETURNING token_hash",
                (token_hash, person, expires),
            ),
            ("DELETE FROM links WHERE expires < $1", (expires - 7 * 86400.0,)),
        )

    async def use_link(self, token_hash: str, now: float) -> str | None:
        """Returns the person of a valid link, and uses it up."""
        rows = await self.write(
            (
                "UPDATE links SET used = $2 WHERE token_hash = $1 AND used IS NULL"
                " AND expires > $2 RETURNING person",
                (token_hash, now),
            )
        )
        return str(rows[0][0]) if rows else None

    async def forget_person(self, id: str) -> bool:
        """Deletes a person, with their name and chat everywhere; False if unknown."""
        sat = await self.read("SELECT DISTINCT table_id FROM seats WHERE person = $1", id)
        spoke = await self.read("SELECT DISTINCT table_id FROM chat WHERE person = $1", id)
        hosted = await self.read("SELECT id FROM tables WHERE host = $1", id)
        changed = sorted({row[0] for row in (*sat, *hosted)})
        rows = await self.write(
            ("DELETE FROM people WHERE id = $1 RETURNING id", (id,)),
            ("DELETE FROM devices WHERE person = $1", (id,)),
            ("DELETE FROM links WHERE person = $1", (id,)),
            ("DELETE FROM presence WHERE person = $1", (id,)),
            ("DELETE FROM tries WHERE person = $1", (id,)),
            ("DELETE FROM ratings WHERE who LIKE $1 || ' %'", (id,)),
            # Reviews name everybody at their table; the next request makes them without the name.
            (
                "DELETE FROM reviews WHERE table_id IN"
                " (SELECT table_id FROM seats WHERE person = $1)",
                (id,),
            ),
            (
                f"UPDATE chat SET person = '', name = '{NOBODY}', text = '', removed = 1"
                " WHERE person = $1",
                (id,),
            ),
            (
                "UPDATE tables SET version = version + 1 WHERE host = $1"
                " OR id IN (SELECT table_id FROM seats WHERE person = $1)",
                (id,),
            ),
            # A seat at a table that has not begun is free again; in a match a bot plays on.
            (
                "UPDATE seats SET kind = 'open', name = NULL, level = NULL, person = NULL"
                " WHERE person = $1 AND status = 'open'",
                (id,),
            ),
            (
                "UPDATE seats SET kind = 'bot', level = COALESCE(level, 4), resigned = 1,"
                f" name = '{NOBODY}', person = NULL WHERE person = $1 AND status = 'running'",
                (id,),
            ),
            (f"UPDATE seats SET name = '{NOBODY}', person = NULL WHERE person = $1", (id,)),
            (
                "UPDATE tables SET wake = 0, driver = NULL WHERE status = 'running'"
                " AND id IN (SELECT table_id FROM seats WHERE resigned = 1) AND wake IS NULL",
                (),
            ),
            ("UPDATE tables SET host = '' WHERE host = $1", (id,)),
            tell=lambda _: [
                Notice(id, "person"),
                *(Notice(table, "table", -1) for table in changed),
                *(Notice(row[0], "removal") for row in spoke),
            ],
        )
        return bool(rows)

    async def export_person(self, id: str) -> dict[str, Any] | None:
        """Returns everything stored about a person."""
        person = await self.person(id)
        if person is None:
            return None
        seats = await self.read(
            "SELECT seats.table_id, seats.seat, seats.name, tables.game, tables.status,"
            " tables.created, tables.started, tables.ended FROM seats"
            " JOIN tables ON tables.id = seats.table_id WHERE seats.person = $1"
            " ORDER BY tables.created, seats.table_id, seats.seat",
            id,
        )
        moves = await self.read(
            "SELECT moves.table_id, moves.ply, moves.seat, moves.action, moves.played_by, moves.at"
            " FROM moves"
            " JOIN seats ON seats.table_id = moves.table_id AND seats.seat = moves.seat"
            " WHERE seats.person = $1 AND moves.played_by IN ('person', 'undo')"
            " ORDER BY moves.table_id, moves.ply",
            id,
        )
        chat = await self.read(
            "SELECT table_id, number, name, text, at FROM chat WHERE person = $1"
            " ORDER BY at, table_id, number",
            id,
        )
        tries = await self.read(
            "SELECT puzzle, solved, at FROM tries WHERE person = $1 ORDER BY at, puzzle", id
        )
        return {
            "person": {"id": person.id, "name": person.name, "created": person.created}
            | {"seen": person.seen, "admin": person.admin},
            "devices": [
                {"id": device.id, "created": device.created, "seen": device.seen}
                for device in await self.devices(id)
            ],
            "tables": _named("table seat name game status created started ended", seats),
            "moves": _named("table ply seat action by at", moves),
            "chat": _named("table number name text at", chat),
            "puzzles": _named("puzzle solved at", tries),
        }

    # Bans and the audit log

    async def add_ban(self, ban: BanRow) -> None:
        """Adds a ban."""
        values = (ban.id, ban.person, ban.network, ban.reason, ban.at, ban.until)
        await self.write(
            (f"INSERT INTO bans ({BAN}) VALUES ({marks(6)}) RETURNING id", values),
            tell=lambda _: [Notice(ban.id, "bans")],
        )

    async def remove_ban(self, id: str) -> bool:
        """Lifts a ban."""
        rows = await self.write(
            ("DELETE FROM bans WHERE id = $1 RETURNING id", (id,)),
            tell=lambda _: [Notice(id, "bans")],
        )
        return bool(rows)

    async def bans(self) -> list[BanRow]:
        """Lists the bans."""
        rows = await self.read(f"SELECT {BAN} FROM bans ORDER BY at, id")
        return [BanRow(*row) for row in rows]

    async def note(
        self, at: float, actor: str, action: str, target: str, detail: dict[str, Any]
    ) -> None:
        """Adds to the audit log."""
        await self.write(
            (
                "INSERT INTO audit (at, actor, action, target, detail)"
                f" VALUES ({marks(5)}) RETURNING number",
                (at, actor, action, target, json.dumps(detail)),
            )
        )

    async def audit(self, limit: int = 100, before: int | None = None) -> list[AuditRow]:
        """Returns the audit log, latest first."""
        rows = await self.read(
            "SELECT number, at, actor, action, target, detail FROM audit WHERE number < $1"
            " ORDER BY number DESC LIMIT $2",
            2**62 if before is None else before,
            limit,
        )
        return [AuditRow(*(*row[:5], json.loads(row[5]))) for row in rows]


def _person(row: tuple[Any, ...]) -> PersonRow:
    return PersonRow(*(*row[:4], bool(row[4]), row[5]))


def _device_values(device: DeviceRow) -> tuple[Any, ...]:
    return (device.id, device.person, device.token_hash, device.created, device.seen)


def _of(table: str, columns: str) -> str:
    return ", ".join(f"{table}.{column}" for column in columns.split(", "))


def _named(columns: str, rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    return [dict(zip(columns.split(), row, strict=True)) for row in rows]
