"""The REST API: everything that is not play. Problems are told as RFC 9457 has it."""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from foxden.bots.levels import levels
from foxden.engine.errors import UnknownGame
from foxden.engine.game import Game
from foxden.engine.options import Choice, Flag, Number, Option, Texts
from foxden.engine.rng import SEED_BITS
from foxden.engine.shelf import announced, find
from foxden.server import metrics
from foxden.server.guides import guide_of
from foxden.server.house import House
from foxden.server.messages import encode
from foxden.server.models import (
    Claim,
    GameInfo,
    Guide,
    LevelInfo,
    Network,
    NewPerson,
    NewTable,
    OptionInfo,
    Person,
    PersonalLink,
    PositionInfo,
    Setup,
    Sitter,
    TableList,
)
from foxden.server.network import network_of
from foxden.server.people import COOKIE, COOKIE_AGE, checked_name, new_id
from foxden.server.problems import Refusal, bad_field, conflict, forbidden, not_found
from foxden.server.requests import Asker
from foxden.server.store import PersonRow, SeatRow, TableFilter, TableRow
from foxden.server.tables import Table
from foxden.server.thinking import bot_name

router = APIRouter(prefix="/api")
LONGEST_SETUP = 16 * 1024  # bytes that options and parts of a table may take in JSON
TABLE = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/TableInfo"}}}}


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


async def _asker(request: Request) -> Asker:
    found: Asker = request.scope["asker"]
    return found


async def _person(who: Annotated[Asker, Depends(_asker)]) -> PersonRow:
    if who.person is None:
        raise Refusal("nobody", 401, "Enter a name first.")
    return who.person


InHouse = Annotated[House, Depends(_house)]
Whoever = Annotated[Asker, Depends(_asker)]
Somebody = Annotated[PersonRow, Depends(_person)]
Key = Annotated[str, Query(max_length=64, description="The key of an invitation.")]
TableId = Annotated[str, Path(max_length=32, pattern="^[a-z0-9]+$")]
SeatNumber = Annotated[int, Path(ge=0, le=63)]


def _told(table: Table, person: PersonRow | None, invited: bool, status: int = 200) -> Response:
    return Response(encode(table.info(person, invited)), status, media_type="application/json")


async def _table(house: House, who: Asker, id: str, key: str) -> tuple[Table, bool]:
    """Finds a table that exists for whoever asks."""
    table = await house.find(id)
    invited = house.people.is_invited(id, key)
    if table is None or not table.may_see(who.person, invited):
        raise not_found("table")
    return table, invited


# People


def _with_cookie(request: Request, response: Response, house: House, person: PersonRow) -> Person:
    response.set_cookie(
        COOKIE,
        house.people.cookie(person),
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return Person(id=person.id, name=person.name)


@router.post("/people", status_code=201, tags=["people"])
async def arrive(
    asked: NewPerson, request: Request, response: Response, house: InHouse, who: Whoever
) -> Person:
    """Takes in somebody new, and remembers them by a cookie."""
    house.limits.spend("arrive", f"address {who.address}")
    return _with_cookie(request, response, house, await house.people.arrive(asked.name))


@router.get("/me", tags=["people"])
async def me(who: Whoever) -> Person | None:
    """Tells who asks; null for a stranger."""
    return Person(id=who.person.id, name=who.person.name) if who.person else None


@router.patch("/me", tags=["people"])
async def rename(asked: NewPerson, house: InHouse, person: Somebody) -> Person:
    """Gives somebody another name, from the next table on."""
    row = await house.people.rename(person, asked.name)
    return Person(id=row.id, name=row.name)


@router.post("/me/link", tags=["people"])
async def make_link(house: InHouse, person: Somebody) -> PersonalLink:
    """Makes a link that turns another device into the same person, once."""
    house.limits.spend("link", f"person {person.id}")
    token, expires = await house.people.link(person)
    return PersonalLink(path=f"/me/{token}", expires=expires)


@router.post("/me/claim", tags=["people"])
async def claim(
    asked: Claim, request: Request, response: Response, house: InHouse, who: Whoever
) -> Person:
    """Uses a personal link up."""
    house.limits.spend("link", f"address {who.address}")
    return _with_cookie(request, response, house, await house.people.claim(asked.token))


# Games


def option_info(option: Option) -> OptionInfo:
    """Describes an option for a form."""
    facts: dict[str, Any] = {}
    if isinstance(option, Flag):
        kind = "flag"
    elif isinstance(option, Choice):
        kind, facts = "choice", {"choices": dict(option.choices)}
    elif isinstance(option, Number):
        kind, facts = "number", {"low": option.low, "high": option.high}
    elif isinstance(option, Texts):
        kind, facts = "texts", {"most": option.most, "longest": option.longest}
    else:
        raise TypeError(f"{type(option).__name__} is no kind of option that a form knows")
    return OptionInfo(
        name=option.name,
        kind=kind,  # type: ignore[arg-type]
        help=option.help,
        rules=list(option.rules),
        standard=option.standard,
        **facts,
    )


LEVEL_SAYS = (
    "Easygoing: good for a first match.",
    "Knows a few tricks, and forgets some.",
    "Plays a solid game.",
    "Sharp, and gives little away.",
    "Takes a second to think, and misses little.",
)


def game_info(game: Game, ready: float) -> GameInfo:
    """Describes a game."""
    about = game.about
    return GameInfo(
        name=game.name,
        title=game.title,
        blurb=about.blurb,
        kind=about.kind,
        minutes=about.minutes,
        seats=list(about.seats),
        usual=about.usual,
        quick=dict(about.quick),
        rules_version=game.rules_version,
        options=[option_info(option) for option in game.options],
        levels=[
            LevelInfo(level=level.number, name=level.name, says=says)
            for level, says in zip(levels(game), LEVEL_SAYS, strict=True)
        ],
        ready=ready,
    )


@router.get("/games", tags=["games"])
async def games(house: InHouse) -> list[GameInfo]:
    """Lists the games on the shelf."""
    return [game_info(find(name), house.kitchen.ready[name]) for name in announced()]


@router.get("/games/{game}", tags=["games"])
async def game(game: str, house: InHouse) -> GameInfo:
    """Describes one game."""
    return game_info(find(game), house.kitchen.ready.get(game, 0.0))


@router.get("/games/{game}/guide", tags=["games"])
async def guide(game: str) -> Guide:
    """Gives a game's guide, whole and rule by rule."""
    return _guide(find(game))


@cache
def _guide(game: Game) -> Guide:
    return guide_of(game)


@router.post("/games/{game}/check", status_code=204, tags=["games"])
async def check(game: str, asked: Setup) -> None:
    """Says whether seats, options and parts go together; the problem names the field."""
    _checked(find(game), asked.seats, asked.options, asked.parts)


def _checked(
    game: Game, seats: int, options: Mapping[str, Any], parts: Mapping[str, Any]
) -> dict[str, Any]:
    """Refuses what cannot be played, and gives the options completed."""
    if len(json.dumps([options, parts])) > LONGEST_SETUP:
        raise bad_field("options", "These house rules are too long.")
    _, checked, printed = game.table(seats, options, parts)
    game.fit_parts(printed)
    return checked


# Tables


@router.get("/tables", tags=["tables"])
async def tables(house: InHouse, who: Whoever) -> TableList:
    """Lists the tables of the home page."""
    person = who.person

    async def found(wanted: TableFilter) -> list[Any]:
        infos = []
        for row in await house.store.tables(wanted):
            with contextlib.suppress(UnknownGame):  # a table of a game that was taken away
                if (table := await house.find(row.id)) is not None:
                    infos.append(msgspec.to_builtins(table.info(person)))
        return infos

    mine: list[Any] = []
    recent: list[Any] = []
    if person is not None:
        mine = await found(TableFilter(status=("open", "running"), person=person.id))
        recent = await found(TableFilter(status=("over",), person=person.id, limit=20))
    listed = await found(TableFilter(status=("open",), listed=True))
    has_room = [info for info in listed if any(s["kind"] == "open" for s in info["seats"])]
    return TableList(mine=mine, open=has_room, recent=recent)


@router.post("/tables", status_code=201, responses={201: TABLE}, tags=["tables"])
async def open_table(asked: NewTable, house: InHouse, person: Somebody) -> Response:
    """Opens a table; it starts at once when no seat is left open."""
    _count_table(house, person)
    game = find(asked.game)
    options = _checked(game, len(asked.seats), asked.options, asked.parts)
    seats: list[SeatRow] = []
    taken: set[str] = set()
    for sitter in asked.seats:
        if sitter.kind == "me":
            seat = SeatRow("person", person.id, checked_name(sitter.name or person.name))
        elif sitter.kind == "bot":
            seat = SeatRow("bot", name=bot_name(sitter.level, taken), level=sitter.level)
        else:
            seat = SeatRow("open", level=sitter.level)
        taken.add(seat.name or "")
        seats.append(seat)
    now = time.time()
    started = all(seat.kind != "open" for seat in seats)
    row = TableRow(
        id=new_id(),
        game=game.name,
        rules_version=game.rules_version,
        seats=tuple(seats),
        options=msgspec.to_builtins(options),
        parts=asked.parts,
        clock=asked.clock.model_dump(),
        access=asked.access,
        watch=asked.watch,
        hints=asked.hints,
        pace=asked.pace,
        host=person.id,
        seed=secrets.randbits(SEED_BITS),
        status="running" if started else "open",
        created=now,
        started=now if started else None,
    )
    return _told(await house.add(row), person, False, 201)


@router.get("/tables/{id}", responses={200: TABLE}, tags=["tables"])
async def table(id: TableId, house: InHouse, who: Whoever, key: Key = "") -> Response:
    """Tells how a table stands."""
    found, invited = await _table(house, who, id, key)
    return _told(found, who.person, invited)


@router.delete("/tables/{id}", status_code=204, tags=["tables"])
async def close_table(id: TableId, house: InHouse, who: Whoever, person: Somebody) -> None:
    """Closes a table that has not begun."""
    found, _ = await _table(house, who, id, "")
    _check_host(found, person)
    while not await house.remove(found):
        await found.reread()
        if found.row.status != "open":
            raise conflict("started", "The match has started, so the table cannot be closed.")


def _count_table(house: House, person: PersonRow) -> None:
    house.limits.spend("table", f"person {person.id}")
    house.limits.spend("tables", house.limits.address_of(person.id))


def _check_host(table: Table, person: PersonRow) -> None:
    if not table.is_host(person):
        raise forbidden("Only the host can do this.")


@router.post("/tables/{id}/seats/{seat}", responses={200: TABLE}, tags=["tables"])
async def sit(
    id: TableId,
    seat: SeatNumber,
    asked: Sitter,
    house: InHouse,
    who: Whoever,
    person: Somebody,
    key: Key = "",
) -> Response:
    """Seats somebody: the person who asks; a bot, or nobody, if the host asks."""
    found, invited = await _table(house, who, id, key)
    if asked.kind == "me":
        await found.sit(seat, person, checked_name(asked.name or person.name))
    else:
        _check_host(found, person)
        if asked.kind == "bot":
            await found.seat_bot(seat, asked.level)
        else:
            await found.free(seat, asked.level)
    return _told(found, person, invited)


@router.delete("/tables/{id}/seats/{seat}", responses={200: TABLE}, tags=["tables"])
async def leave(
    id: TableId, seat: SeatNumber, house: InHouse, who: Whoever, person: Somebody, key: Key = ""
) -> Response:
    """Gives a seat up; in a running match a bot plays on in it for good."""
    found, invited = await _table(house, who, id, key)
    await found.leave(seat, person)
    return _told(found, person, invited)


@router.post("/tables/{id}/start", responses={200: TABLE}, tags=["tables"])
async def start(id: TableId, house: InHouse, who: Whoever, person: Somebody) -> Response:
    """Begins the match; open seats get bots."""
    found, invited = await _table(house, who, id, "")
    _check_host(found, person)
    await found.start()
    return _told(found, person, invited)


@router.post("/tables/{id}/rematch", responses={200: TABLE}, tags=["tables"])
async def rematch(id: TableId, house: InHouse, who: Whoever, person: Somebody) -> Response:
    """Opens a table for the same people with the seats rotated by one; once for each match."""
    found, _ = await _table(house, who, id, "")
    if not found.has_seat(person):
        raise forbidden("Only those who played can ask for a rematch.")
    if found.status != "over":
        raise conflict("running", "The match is not over yet.")
    _count_table(house, person)
    await found.change(
        lambda row: replace(row, rematch=new_id()), lambda row: row.rematch is not None
    )
    assert found.row.rematch is not None
    again = await house.find(found.row.rematch)
    if again is None:  # this person is the first to ask, or the server died right after that
        again = await house.add(_again(found, found.row.rematch))
    return _told(again, person, False)


def _again(table: Table, id: str) -> TableRow:
    """Sets up a table for another match, the seats rotated by one."""
    game, old, now = table.game, table.row, time.time()
    _checked(game, len(old.seats), old.options, old.parts)
    first, *others = (
        replace(seat, level=None) if seat.kind == "person" else seat for seat in old.seats
    )
    return replace(
        old,
        id=id,
        rules_version=game.rules_version,
        seats=(*others, first),
        seed=secrets.randbits(SEED_BITS),
        stream="keyed",
        status="running",
        created=now,
        started=now,
        ended=None,
        scores=None,
        winners=None,
        rematch=None,
        version=0,
    )


# Looking back


@router.get("/tables/{id}/positions/{ply}", tags=["tables"])
async def position(
    id: TableId,
    ply: Annotated[int, Path(ge=0, le=1_000_000)],
    house: InHouse,
    who: Whoever,
    seat: Annotated[int | None, Query(ge=0, le=63)] = None,
    open: bool = False,
    key: Key = "",
) -> PositionInfo:
    """Gives a position of the match as a seat, a spectator or, at the end, everybody knew it."""
    found, invited = await _table(house, who, id, key)
    if not found.may_watch(who.person, invited):
        raise forbidden("Only players can watch this table.")
    match = found.playing()
    if not match.is_over:
        if open:
            raise forbidden("The cards are revealed when the match is over.")
        if seat is not None:
            found.my_seat(who.person, seat)
    match.check_seat(seat)
    then = match.at(ply)
    return PositionInfo(
        ply=ply,
        plies=match.ply,
        seat=None if open else seat,
        open=open,
        view=then.open_view() if open else then.view(seat),
        log=then.log(None if open else seat, since=ply - 1) if ply else [],
    )


@router.get(
    "/tables/{id}/record",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    tags=["tables"],
)
async def record(id: TableId, house: InHouse, who: Whoever, key: Key = "") -> Response:
    """Gives the record of a match that is over."""
    found, invited = await _table(house, who, id, key)
    if not found.may_watch(who.person, invited):
        raise forbidden("Only players can watch this table.")
    match = found.playing()
    if not match.is_over:
        raise conflict("running", "The record is available when the match is over.")
    name = f"{found.row.game}-{id}.record"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(match.record(), headers=headers)


@router.get("/network", tags=["tables"])
async def network(request: Request, house: InHouse, who: Whoever) -> Network:
    """Tells somebody at the server's own machine how friends in the same network reach it."""
    port = (request.scope.get("server") or ("", house.config.port))[1]
    return network_of(house.config, port, who.address)


# For operators


@router.get("/health", tags=["operators"])
async def health() -> dict[str, str]:
    """Says that the process is alive."""
    return {"status": "alive"}


@router.get("/ready", tags=["operators"])
async def ready(house: InHouse) -> dict[str, Any]:
    """Says that the store can be written, and how far the games are compiled."""
    house.check_open()
    await house.check_store()
    return {"status": "ready", "games": house.kitchen.ready}


@router.get("/metrics", response_class=PlainTextResponse, tags=["operators"])
async def scrape() -> Response:
    """Gives Prometheus its numbers."""
    return Response(metrics.scrape(), media_type="text/plain; version=0.0.4; charset=utf-8")
