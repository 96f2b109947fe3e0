"""The API of the administrators' page: for a token, or for people marked as administrators."""

from __future__ import annotations

import hmac
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request

from foxden.server.hub import Hub
from foxden.server.models import (
    AuditEntry,
    BanInfo,
    Device,
    Digits,
    GuestInfo,
    NewBan,
    PersonFound,
    PersonInfo,
    Removed,
)
from foxden.server.oversight import Oversight
from foxden.server.problems import Refusal, bad_field, forbidden, not_found
from foxden.server.requests import Asker
from foxden.server.store import BanRow, PersonRow, TableFilter

router = APIRouter(prefix="/api/admin", tags=["administrators"])
Id = Annotated[str, Path(max_length=32, pattern="^[a-z0-9]+$")]
OptionalId = Annotated[str | None, Query(max_length=32, pattern="^[a-z0-9]+$")]


async def _administrator(
    request: Request, authorization: Annotated[str, Header(max_length=500)] = ""
) -> Oversight:
    hub: Hub = request.app.state.hub
    who: Asker = request.scope["asker"]
    token = authorization.removeprefix("Bearer ").encode()
    if hub.config.admin_token and authorization:
        hub.limits.spend("link", f"address {who.address}")  # a token cannot be tried out
        if hmac.compare_digest(token, hub.config.admin_token.encode()):
            return Oversight(hub.store, f"token from {who.address}")
        raise Refusal("nobody", 401, "This is not the administrators' token.")
    person = who.person and await hub.store.person(who.person.id)
    if person is None or not person.admin:
        raise forbidden("This is for administrators.")
    return Oversight(hub.store, f"{person.name} ({person.id})")


def _house(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


InHub = Annotated[Hub, Depends(_house)]
Administrator = Annotated[Oversight, Depends(_administrator)]


@router.get("/guests")
async def guests(admin: Administrator) -> list[GuestInfo]:
    """Lists who is online, in all processes."""
    return [GuestInfo(**asdict(guest)) for guest in await admin.who()]


@router.get("/people")
async def people(
    hub: InHub,
    admin: Administrator,
    name: Annotated[str, Query(min_length=1, max_length=64)],
) -> list[PersonFound]:
    """Finds people by a part of their name, or by their id."""
    if not name.isprintable():
        raise bad_field("name", "A name has printable signs alone.")
    return [_found(person) for person in await hub.store.find_people(name)]


@router.get("/people/{id}")
async def person(id: Id, hub: InHub, admin: Administrator) -> PersonInfo:
    """Returns a person's devices, and the tables that are not over."""
    row = await hub.store.person(id)
    if row is None:
        raise not_found("person")
    unfinished = await hub.store.tables(TableFilter(("open", "running"), person=id))
    return PersonInfo(
        **_found(row).model_dump(),
        devices=[
            Device(id=device.id, created=device.created, seen=device.seen)
            for device in await hub.store.devices(id)
        ],
        tables=[table.id for table in unfinished],
    )


def _found(row: PersonRow) -> PersonFound:
    return PersonFound(
        id=row.id, name=row.name, created=row.created, seen=row.seen, admin=row.admin
    )


@router.get("/people/{id}/export")
async def export(id: Id, admin: Administrator) -> dict[str, Any]:
    """Returns everything stored about a person."""
    return await admin.export(id)


@router.delete("/people/{id}", status_code=204)
async def forget(id: Id, admin: Administrator) -> None:
    """Deletes a person, with their name and chat everywhere."""
    await admin.forget(id)


@router.delete("/devices/{id}", status_code=204)
async def revoke(id: Id, admin: Administrator) -> None:
    """Signs a device out."""
    await admin.revoke(id)


@router.get("/bans")
async def bans(hub: InHub, admin: Administrator) -> list[BanInfo]:
    """Lists the bans."""
    return [await _ban(hub, row) for row in await hub.store.bans()]


@router.post("/bans", status_code=201)
async def ban(asked: NewBan, hub: InHub, admin: Administrator) -> BanInfo:
    """Bans a person or a range of addresses."""
    row = await admin.ban(
        person=asked.person, network=asked.network, reason=asked.reason, days=asked.days
    )
    return await _ban(hub, row)


async def _ban(hub: Hub, row: BanRow) -> BanInfo:
    person = await hub.store.person(row.person) if row.person else None
    return BanInfo(**asdict(row), name=person.name if person else "")


@router.delete("/bans/{id}", status_code=204)
async def lift(id: Id, admin: Administrator) -> None:
    """Lifts a ban."""
    await admin.lift(id)


@router.delete("/tables/{id}", status_code=204)
async def close_table(id: Id, admin: Administrator) -> None:
    """Removes a table that is not over."""
    await admin.close_table(id)


@router.delete("/chat")
async def remove_chat(
    admin: Administrator,
    table: OptionalId = None,
    person: OptionalId = None,
    number: Annotated[int | None, Query(ge=1, le=2**31 - 1), Digits] = None,
) -> Removed:
    """Removes the text of chat lines: all of a table, of a person, or one line."""
    return Removed(count=await admin.remove_chat(table=table, person=person, number=number))


@router.get("/audit")
async def audit(
    hub: InHub,
    admin: Administrator,
    before: Annotated[int | None, Query(ge=1, le=2**53), Digits] = None,
) -> list[AuditEntry]:
    """Lists what administrators did, latest first."""
    return [AuditEntry(**asdict(row)) for row in await hub.store.audit(before=before)]


@router.post("/tidy")
async def tidy(hub: InHub, admin: Administrator) -> dict[str, int]:
    """Removes data past its retention time now."""
    return {str(what): count for what, count in (await admin.tidy(hub.config)).items()}
