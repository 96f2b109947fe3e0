"""The tables of the home page, page by page, from rows; replays a match only if necessary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import msgspec

from foxden.engine.errors import UnknownGame
from foxden.engine.registry import find
from foxden.server.info import Standing, table_info
from foxden.server.messages import TableInfo
from foxden.server.presence import Presence
from foxden.server.problems import bad_field
from foxden.server.store import Listed, PersonRow, PresenceRow, TableFilter

if TYPE_CHECKING:
    from foxden.server.hub import Hub

PAGE = 20  # tables per page
PLACE = re.compile(r"([0-9]{1,15}\.[0-9]{1,15})-([a-z0-9]{1,32})")  # a table's time and id
ListName = Literal["mine", "open", "recent"]
NAMES: tuple[ListName, ...] = ("mine", "open", "recent")


class TableList(msgspec.Struct):
    """Tables for the home page, newest first."""

    mine: list[TableInfo]  # open or running, with a seat of the person
    open: list[TableInfo]  # listed, with open seats
    recent: list[TableInfo]  # over, with a seat of the person
    next: dict[str, str]  # for each list with more pages: the next `before`


async def table_list(
    hub: Hub, person: PersonRow | None, only: ListName | None = None, before: str = ""
) -> TableList:
    """Returns the first page of every list, or one page of one."""
    found = TableList([], [], [], {})
    cursor = _parse(before)
    for name in NAMES if only is None else (only,):
        wanted = _wanted(name, person, cursor)
        if wanted is not None:
            page = await hub.store.listed(wanted)
            if len(page) > PAGE:
                page = page[:PAGE]
                found.next[name] = f"{page[-1].row.created!r}-{page[-1].row.id}"
            setattr(found, name, await _infos(hub, person, page))
    return found


def _wanted(
    name: ListName, person: PersonRow | None, before: tuple[float, str] | None
) -> TableFilter | None:
    limit = PAGE + 1
    if name == "open":
        return TableFilter(("open",), listed=True, joinable=True, limit=limit, before=before)
    if person is None:
        return None
    if name == "mine":
        return TableFilter(("open", "running"), person=person.id, limit=limit, before=before)
    return TableFilter(("over",), person=person.id, limit=limit, before=before)


async def _infos(hub: Hub, person: PersonRow | None, page: list[Listed]) -> list[TableInfo]:
    absent = [listed.row.id for listed in page if hub.loaded(listed.row.id) is None]
    unfinished = [listed.row.id for listed in page if listed.row.status != "over"]
    here: dict[str, list[PresenceRow]] = {}
    for at in await hub.store.presence([id for id in unfinished if id in set(absent)]):
        here.setdefault(at.table, []).append(at)
    infos = []
    for listed in page:
        row = listed.row
        table = hub.loaded(row.id)
        try:
            if table is None and _must_play(listed):
                table = await hub.find(row.id)
            if table is not None:
                infos.append(table.info(person))
                continue
            presence = Presence(row.id, hub.workers.me, hub.uptime())
            presence.read(here.get(row.id, ()), hub.workers.alive)
            standing = Standing(
                status=row.status,
                ply=listed.ply,
                to_act=listed.rest.asked if listed.rest else None,
                changed=listed.changed,
                scores=row.scores,
                winners=row.winners,
                undone=listed.undone,
            )
            infos.append(
                table_info(
                    row,
                    find(row.game).title,
                    standing,
                    presence,
                    person,
                    people=hub.people,
                    uptime=hub.uptime(),
                )
            )
        except UnknownGame:
            continue  # a table of a removed game
    return infos


def _must_play(listed: Listed) -> bool:
    """Returns whether only replaying the match tells whose turn it is."""
    stale = listed.rest is None or listed.rest.ply != listed.number
    return listed.row.status == "running" and stale


def _parse(before: str) -> tuple[float, str] | None:
    if not before:
        return None
    found = PLACE.fullmatch(before)
    if found is None:
        raise bad_field("before", "This is not where a page ends.")
    return float(found[1]), found[2]
