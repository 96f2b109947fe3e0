"""Administrators' actions, from the command line and from their page; all are logged."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from foxden.server import tidying
from foxden.server.bans import parse_network
from foxden.server.config import Config
from foxden.server.people import new_id
from foxden.server.problems import bad_field, conflict, not_found
from foxden.server.store import BanRow, PersonRow, Purge, Store

DAY = 24 * 3600.0


@dataclass(frozen=True)
class Guest:
    """Somebody with open sockets at a table."""

    person: str  # empty for strangers
    name: str
    table: str
    sockets: int
    address: str


class Oversight:
    """An administrator at work; every act is logged before it is done."""

    def __init__(self, store: Store, actor: str) -> None:
        """Names who acts, for the audit log."""
        self._store = store
        self._actor = actor

    async def _note(self, action: str, target: str, **detail: Any) -> None:
        await self._store.note(time.time(), self._actor, action, target, detail)

    async def _person(self, id: str) -> PersonRow:
        person = await self._store.person(id)
        if person is None:
            raise not_found("person")
        return person

    # Looking

    async def who(self) -> list[Guest]:
        """Lists who is on."""
        names: dict[str, str] = {}
        guests = []
        for row in await self._store.presence():
            if row.person and row.person not in names:
                found = await self._store.person(row.person)
                names[row.person] = found.name if found else ""
            name = names.get(row.person, "")
            guests.append(Guest(row.person, name, row.table, row.sockets, row.address))
        return guests

    # Keeping out

    async def ban(
        self,
        *,
        person: str | None = None,
        network: str | None = None,
        reason: str = "",
        days: float | None = None,
    ) -> BanRow:
        """Keeps a person or a range of addresses out, for some days or for good."""
        if (person is None) == (network is None):
            raise bad_field("person", "Ban a person or a range of addresses.")
        if not reason.isprintable():  # no database keeps all of the others
            raise bad_field("reason", "A reason is one line of printable signs.")
        if person is not None:
            await self._person(person)
        else:
            network = parse_network(network or "")
        now = time.time()
        until = None if days is None else now + days * DAY
        ban = BanRow(new_id(), person, network, reason, now, until)
        await self._note("ban", person or network or "", id=ban.id, reason=reason, until=until)
        await self._store.add_ban(ban)
        return ban

    async def lift(self, id: str) -> None:
        """Lifts a ban."""
        if all(ban.id != id for ban in await self._store.bans()):
            raise not_found("ban")
        await self._note("lift ban", id)
        await self._store.remove_ban(id)

    # Tables and chat

    async def close_table(self, id: str) -> None:
        """Removes a table that is not over, with what was played there."""
        row = await self._store.table(id)
        if row is None:
            raise not_found("table")
        if row.status == "over":
            raise conflict("match-over", "The match is over; it goes when it is old.")
        await self._note("close table", id, game=row.game, status=row.status)
        while row is not None and not await self._store.remove_table(row):
            row = await self._store.table(id)
            if row is not None and row.status == "over":
                raise conflict("match-over", "The match has just ended.")

    async def remove_chat(
        self, *, table: str | None = None, person: str | None = None, number: int | None = None
    ) -> int:
        """Removes the text of lines; returns how many."""
        if table is None and (person is None or number is not None):
            raise bad_field("table", "Name a table, or a person, or a table and a line.")
        await self._note("remove chat", table or "", person=person, number=number)
        return await self._store.remove_chat(table, person, number)

    # People

    async def revoke(self, device: str) -> None:
        """Signs a device out."""
        if await self._store.device(device) is None:
            raise not_found("device")
        await self._note("revoke device", device)
        await self._store.remove_device(device)

    async def set_admin(self, person: str, admin: bool) -> None:
        """Makes somebody an administrator, or no longer."""
        await self._person(person)
        await self._note("make administrator" if admin else "no longer administrator", person)
        await self._store.set_admin(person, admin)

    async def export(self, person: str) -> dict[str, Any]:
        """Returns everything stored about a person."""
        await self._person(person)
        await self._note("export", person)
        return await self._store.export_person(person) or {}

    async def forget(self, person: str) -> None:
        """Deletes a person, with their name and chat everywhere."""
        await self._person(person)
        await self._note("delete person", person)
        await self._store.forget_person(person)

    async def tidy(self, config: Config) -> dict[Purge, int]:
        """Removes data past its retention time now."""
        await self._note("remove what is old", "", days=tidying.keeping(config))
        return await tidying.purge(self._store, config)
