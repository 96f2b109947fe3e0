"""The REST API: everything but play itself. Errors are RFC 9457 problems."""

from __future__ import annotations

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
from foxden.engine.game import Game
from foxden.engine.options import Choice, Flag, Number, Option, Texts
from foxden.engine.registry import find, registered
from foxden.engine.rng import SEED_BITS
from foxden.lessons import has_lesson
from foxden.server import daily, metrics, seating
from foxden.server.guides import guide_of
from foxden.server.hub import Hub
from foxden.server.info import begin_in
from foxden.server.lists import ListName, table_list
from foxden.server.messages import ChatPage, encode
from foxden.server.models import (
    Claim,
    Digits,
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
    Voice,
)
from foxden.server.network import network_of
from foxden.server.people import COOKIE, COOKIE_AGE, checked_name, new_id
from foxden.server.problems import Refusal, bad_field, conflict, forbidden, not_found
from foxden.server.requests import Asker
from foxden.server.store import Holdings, PersonRow, SeatRow, TableRow
from foxden.server.tables import Table

router = APIRouter(prefix="/api")
TABLE_LIST = {
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TableList"}}}
}
CHAT = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ChatPage"}}}}
LONGEST_SETUP = 16 * 1024  # bytes of JSON for a table's options and parts
CHAT_PAGE = 50  # lines of chat per response
TABLE = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/TableInfo"}}}}


def _house(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


async def _asker(request: Request) -> Asker:
    found: Asker = request.scope["asker"]
    return found


async def _person(request: Request, who: Annotated[Asker, Depends(_asker)]) -> PersonRow:
    person = who.person
    if person is not None and request.method not in ("GET", "HEAD"):
        # Write under the current name, even if another process has just changed it.
        person = await _house(request).store.person(person.id)
    if person is None:
        raise Refusal("nobody", 401, "Enter a name first.")
    return person


InHub = Annotated[Hub, Depends(_house)]
Whoever = Annotated[Asker, Depends(_asker)]
Somebody = Annotated[PersonRow, Depends(_person)]
Key = Annotated[str, Query(max_length=64, description="The key of an invitation.")]
TableId = Annotated[str, Path(max_length=32, pattern="^[a-z0-9]+$")]
VoiceName = Annotated[str, Path(max_length=32, pattern="^[a-z0-9]+$")]
SeatNumber = Annotated[int, Path(ge=0, le=63), Digits]


def table_answer(
    table: Table, person: PersonRow | None, invited: bool, status: int = 200
) -> Response:
    """Responds with a table as one person sees it."""
    return Response(encode(table.info(person, invited)), status, media_type="application/json")


async def find_table(hub: Hub, who: Asker, id: str, key: str) -> tuple[Table, bool]:
    """Finds a table that is visible to the asker."""
    table = await hub.find(id)
    invited = hub.people.is_invited(id, key)
    if table is None or not seating.may_see(table.row, who.person, invited):
        raise not_found("table")
    return table, invited


# People


def _with_cookie(
    request: Request, response: Response, hub: Hub, person: PersonRow, device: str
) -> Person:
    response.set_cookie(
        COOKIE,
        hub.people.cookie(device),
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return _told_person(person)


def _told_person(person: PersonRow) -> Person:
    return Person(id=person.id, name=person.name, admin=person.admin)


@router.post("/people", status_code=201, tags=["people"])
async def arrive(
    asked: NewPerson, request: Request, response: Response, hub: InHub, who: Whoever
) -> Person:
    """Creates a person, and remembers them by a cookie."""
    hub.limits.spend("arrive", f"address {who.address}")
    if who.person is not None:
        # A new person in the same browser would get a second try at the daily deal.
        raise conflict("known", "You have a name here already; change it instead.")
    person = await hub.people.arrive(asked.name, who.address)
    return _with_cookie(request, response, hub, person, person.id)


@router.get("/me", tags=["people"])
async def me(hub: InHub, who: Whoever) -> Person | None:
    """Returns the person who asks; null for a stranger."""
    person = who.person and await hub.store.person(who.person.id)
    return _told_person(person) if person else None


@router.patch("/me", tags=["people"])
async def rename(asked: NewPerson, hub: InHub, person: Somebody) -> Person:
    """Changes the person's name, from the next table on."""
    return _told_person(await hub.people.rename(person, asked.name))


@router.post("/me/link", tags=["people"])
async def make_link(hub: InHub, person: Somebody) -> PersonalLink:
    """Makes a link that turns another device into the same person, once."""
    hub.limits.spend("link", f"person {person.id}")
    token, expires = await hub.people.link(person)
    return PersonalLink(path=f"/me/{token}", expires=expires)


@router.post("/me/claim", tags=["people"])
async def claim(
    asked: Claim, request: Request, response: Response, hub: InHub, who: Whoever
) -> Person:
    """Redeems a personal link."""
    hub.limits.spend("link", f"address {who.address}")
    person, device = await hub.people.claim(asked.token)
    hub.bans.check_person(person)
    return _with_cookie(request, response, hub, person, device)


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
    "The best there is, and misses little.",
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
        lesson=has_lesson(game),
        ready=ready,
    )


@router.get("/games", tags=["games"])
async def games(hub: InHub) -> list[GameInfo]:
    """Lists the games."""
    return [game_info(find(name), hub.compiling.done[name]) for name in registered()]


@router.get("/games/{game}", tags=["games"])
async def game(game: str, hub: InHub) -> GameInfo:
    """Describes one game."""
    return game_info(find(game), hub.compiling.done.get(game, 0.0))


@router.get("/games/{game}/guide", tags=["games"])
async def guide(game: str) -> Guide:
    """Returns a game's guide, whole and rule by rule."""
    return _guide(find(game))


@cache
def _guide(game: Game) -> Guide:
    return guide_of(game)


@router.post("/games/{game}/check", status_code=204, tags=["games"])
async def check(game: str, asked: Setup) -> None:
    """Checks whether seats, options and parts can be combined; the problem names the field."""
    _checked(find(game), asked.seats, asked.options, asked.parts)


def _checked(
    game: Game, seats: int, options: Mapping[str, Any], parts: Mapping[str, Any]
) -> dict[str, Any]:
    """Refuses unplayable settings, and returns the options with defaults filled in."""
    if len(json.dumps([options, parts])) > LONGEST_SETUP:
        raise bad_field("options", "These house rules are too long.")
    setup = game.setup(seats, options, parts)
    game.fit_parts(setup.parts)
    return setup.options


# Tables


@router.get("/tables", responses={200: TABLE_LIST}, tags=["tables"])
async def tables(
    hub: InHub,
    who: Whoever,
    list: ListName | None = None,
    before: Annotated[str, Query(max_length=64, description="From `next` of a page.")] = "",
) -> Response:
    """Lists the tables of the home page: the first page of each list, or one page of one."""
    found = await table_list(hub, who.person, list, before)
    return Response(encode(found), media_type="application/json")


@router.post("/tables", status_code=201, responses={201: TABLE}, tags=["tables"])
async def open_table(asked: NewTable, hub: InHub, who: Whoever, person: Somebody) -> Response:
    """Opens a table; it starts at once when no seat is left open."""
    count_table(hub, person)
    game = find(asked.game)
    options = _checked(game, len(asked.seats), asked.options, asked.parts)
    seats: list[SeatRow] = []
    taken: set[str] = set()
    for number, sitter in enumerate(asked.seats):
        if sitter.kind == "me":
            seat = SeatRow("person", person.id, checked_name(sitter.name or person.name))
        elif sitter.kind == "bot":
            seat = SeatRow("bot", name=seating.bot_name(number, taken), level=sitter.level)
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
        grace=asked.grace,
        host=person.id,
        seed=secrets.randbits(SEED_BITS),
        status="running" if started else "open",
        created=now,
        started=now if started else None,
        began=hub.uptime() if started else None,
    )
    async with hub.holding(person, who.address) as held:
        check_holdings(hub, held, opening=not started)
        table = await hub.add(row)
    return table_answer(table, person, False, 201)


def check_holdings(
    hub: Hub, held: Holdings, *, opening: bool = False, sitting: bool = False
) -> None:
    """Refuses a person who has reached the limit of tables or seats."""
    config = hub.config
    if not config.limits:
        return
    if (opening or not sitting) and held.unfinished >= config.unfinished_per_person:
        raise _too_many(f"You have {held.unfinished} tables that are not over", "finish or delete")
    if opening and held.open_tables >= config.open_tables_per_person:
        raise _too_many(f"{held.open_tables} tables of yours wait for company", "begin or close")
    if opening and held.address_tables >= config.open_tables_per_address:
        raise _too_many("Many tables of your address wait for company", "begin or close")
    if sitting and held.seats >= config.seats_per_person:
        raise _too_many(f"You sit at {held.seats} tables that have not begun", "get up from")
    if sitting and held.address_seats >= config.seats_per_address:
        raise _too_many("Many people of your address wait for a match", "begin or leave")


def _too_many(what: str, then: str) -> Refusal:
    return Refusal("too-many-tables", 409, f"{what}; {then} one first.")


@router.get("/tables/{id}", responses={200: TABLE}, tags=["tables"])
async def table(id: TableId, hub: InHub, who: Whoever, key: Key = "") -> Response:
    """Returns a table, without its match."""
    found, invited = await find_table(hub, who, id, key)
    return table_answer(found, who.person, invited)


@router.delete("/tables/{id}", status_code=204, tags=["tables"])
async def close_table(id: TableId, hub: InHub, who: Whoever, person: Somebody) -> None:
    """Closes the person's own unfinished table, unless somebody else still plays there."""
    found, _ = await find_table(hub, who, id, "")
    seating.check_closable(found.row, person, found.playing_people())
    while not await hub.remove(found.row):
        await found.reread()
        seating.check_closable(found.row, person, found.playing_people())


def count_table(hub: Hub, person: PersonRow) -> None:
    """Refuses a person who opens too many tables in a short time."""
    hub.limits.spend("table", f"person {person.id}")
    hub.limits.spend("tables", hub.limits.address_of(person.id))


@router.post("/tables/{id}/seats/{seat}", responses={200: TABLE}, tags=["tables"])
async def sit(
    id: TableId,
    seat: SeatNumber,
    asked: Sitter,
    hub: InHub,
    who: Whoever,
    person: Somebody,
    key: Key = "",
) -> Response:
    """Seats the person who asks; the host may also seat a bot, or open the seat."""
    found, invited = await find_table(hub, who, id, key)
    if asked.kind == "me":
        name = checked_name(asked.name or person.name)
        async with hub.holding(person, who.address) as held:
            check_holdings(hub, held, sitting=not seating.is_host(found.row, person))
            await found.change(lambda row: seating.sit(row, seat, person, name))
    else:
        seating.check_host(found.row, person)
        if asked.kind == "bot":
            await found.change(lambda row: seating.seat_bot(row, seat, asked.level))
        else:
            await found.change(lambda row: seating.free(row, seat, asked.level))
    return table_answer(found, person, invited)


@router.delete("/tables/{id}/seats/{seat}", responses={200: TABLE}, tags=["tables"])
async def leave(
    id: TableId, seat: SeatNumber, hub: InHub, who: Whoever, person: Somebody, key: Key = ""
) -> Response:
    """Leaves a seat; in a running match the person resigns, and a bot plays on for good."""
    found, invited = await find_table(hub, who, id, key)
    await found.change(lambda row: seating.leave(row, seat, person))
    return table_answer(found, person, invited)


@router.post("/tables/{id}/seats/{seat}/replace", responses={200: TABLE}, tags=["tables"])
async def replace_absent(
    id: TableId, seat: SeatNumber, hub: InHub, who: Whoever, person: Somebody
) -> Response:
    """Lets a bot play for somebody who has been away for the table's grace."""
    found, invited = await find_table(hub, who, id, "")
    await found.replace_absent(seat, person)
    return table_answer(found, person, invited)


@router.post("/tables/{id}/start", responses={200: TABLE}, tags=["tables"])
async def start(id: TableId, hub: InHub, who: Whoever, person: Somebody) -> Response:
    """Begins the match; open seats get bots. Anyone seated may, if the host stays away."""
    found, invited = await find_table(hub, who, id, "")
    wait = begin_in(found.row, person, found.presence, hub.uptime())
    if wait is None:
        seating.check_host(found.row, person)
    elif wait > 0:
        raise Refusal("too-early", 409, f"The host may be away for {found.row.grace} minutes.")
    await found.start()
    return table_answer(found, person, invited)


@router.post("/tables/{id}/rematch", responses={200: TABLE}, tags=["tables"])
async def rematch(id: TableId, hub: InHub, who: Whoever, person: Somebody) -> Response:
    """Opens a table for the same people with the seats rotated by one; once for each match.

    A branch begins again where it left its match, with what its seat did not know dealt anew.
    """
    found, _ = await find_table(hub, who, id, "")
    if not seating.seats_of(found.row, person):
        raise forbidden("Only those who played can ask for a rematch.")
    if found.status != "over":
        raise conflict("running", "The match is not over yet.")
    if found.row.branch is not None:
        found.playing()  # its position needs the rules it was played under
    count_table(hub, person)
    await found.change(
        lambda row: replace(row, rematch=new_id()), lambda row: row.rematch is not None
    )
    assert found.row.rematch is not None
    again = await hub.find(found.row.rematch)
    if again is None:  # this person is the first to ask, or the server died right after the first
        again = await hub.add(_again(found, found.row.rematch, hub.uptime()))
    return table_answer(again, person, False)


def _again(table: Table, id: str, uptime: float) -> TableRow:
    """Sets up a table for another match, the seats rotated by one."""
    game, now = table.game, time.time()
    old = replace(
        table.row,
        id=id,
        status="running",
        created=now,
        started=now,
        began=uptime,
        ended=None,
        scores=None,
        winners=None,
        rematch=None,
        version=0,
    )
    _checked(game, len(old.seats), old.options, old.parts)
    row = old
    for number, seat in enumerate(old.seats):
        if seat.kind == "person":
            row = seating.reseated(row, number, replace(seat, level=None))
        elif seat.resigned:
            row = seating.reseated(
                row, number, seating.new_bot(row, number, seating.bot_level(row))
            )
    if row.branch is not None:
        world = row.branch["world"] and str(secrets.randbits(SEED_BITS))
        return replace(row, origin={**row.branch, "world": world})
    first, *others = row.seats
    return replace(
        row,
        rules_version=game.rules_version,
        seats=(*others, first),
        seed=secrets.randbits(SEED_BITS),
        stream="keyed",
        source=None,
        origin=None,
    )


# Chat


@router.get("/tables/{id}/chat", responses={200: CHAT}, tags=["tables"])
async def chat(
    id: TableId,
    hub: InHub,
    who: Whoever,
    before: Annotated[int, Query(ge=1, le=2**31 - 1), Digits],
    key: Key = "",
) -> Response:
    """Returns a page of chat before a line."""
    found, invited = await find_table(hub, who, id, key)
    if not seating.may_watch(found.row, who.person, invited):
        raise forbidden("This table is for those who sit at it.")
    rows = await hub.store.chat(id, before=before, limit=CHAT_PAGE)
    page = ChatPage([found.chat.line(row) for row in rows], len(rows) == CHAT_PAGE)
    return Response(encode(page), media_type="application/json")


@router.delete("/tables/{id}/chat/{number}", status_code=204, tags=["tables"])
async def remove_line(
    id: TableId,
    number: Annotated[int, Path(ge=1, le=2**31 - 1), Digits],
    hub: InHub,
    who: Whoever,
    person: Somebody,
) -> None:
    """Removes the text of a chat line; for the host and the line's author."""
    await find_table(hub, who, id, "")
    row = await hub.store.table(id)
    mine = None if row is not None and seating.is_host(row, person) else person.id
    if not await hub.store.remove_chat(id, mine, number):
        raise not_found("line of yours")


@router.post("/tables/{id}/mutes", responses={200: TABLE}, tags=["tables"])
async def mute(id: TableId, asked: Voice, hub: InHub, who: Whoever, person: Somebody) -> Response:
    """Mutes somebody at the table; for the host."""
    found, invited = await find_table(hub, who, id, "")
    seating.check_host(found.row, person)
    muted = await found.chat.speaker(found.row, asked.voice)
    await found.change(lambda row: seating.mute(row, muted), lambda row: muted in row.muted)
    return table_answer(found, person, invited)


@router.delete("/tables/{id}/mutes/{voice}", responses={200: TABLE}, tags=["tables"])
async def unmute(
    id: TableId, voice: VoiceName, hub: InHub, who: Whoever, person: Somebody
) -> Response:
    """Unmutes somebody at the table; for the host."""
    found, invited = await find_table(hub, who, id, "")
    seating.check_host(found.row, person)
    muted = await found.chat.speaker(found.row, voice)
    await found.change(lambda row: seating.unmute(row, muted))
    return table_answer(found, person, invited)


# Looking back


@router.get("/tables/{id}/positions/{ply}", tags=["tables"])
async def position(
    id: TableId,
    ply: Annotated[int, Path(ge=0, le=1_000_000), Digits],
    hub: InHub,
    who: Whoever,
    seat: Annotated[int | None, Query(ge=0, le=63), Digits] = None,
    open: bool = False,
    key: Key = "",
) -> PositionInfo:
    """Returns a past position as a seat or a spectator knew it, or, after the end, fully open."""
    found, invited = await find_table(hub, who, id, key)
    if not seating.may_watch(found.row, who.person, invited):
        raise forbidden("Only players can watch this table.")
    match = found.playing()
    if not match.is_over:
        if open:
            raise forbidden("The cards are revealed when the match is over.")
        if seat is not None:
            seating.my_seat(found.row, who.person, seat)
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
async def record(id: TableId, hub: InHub, who: Whoever, key: Key = "") -> Response:
    """Returns the record of a match that is over."""
    found, invited = await find_table(hub, who, id, key)
    if not seating.may_watch(found.row, who.person, invited):
        raise forbidden("Only players can watch this table.")
    match = found.playing()
    if not match.is_over:
        raise conflict("running", "The record is available when the match is over.")
    name = f"{found.row.game}-{id}.record"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    text = match.record(tell_seed=not daily.is_under_way(found.row))
    return PlainTextResponse(text, headers=headers)


@router.get("/network", tags=["tables"])
async def network(request: Request, hub: InHub, who: Whoever) -> Network:
    """Returns the server's address in the network; only for requests from its own machine."""
    port = (request.scope.get("server") or ("", hub.config.port))[1]
    return network_of(hub.config, port, who.address)


# For operators


@router.get("/health", tags=["operators"])
async def health() -> dict[str, str]:
    """Answers while the process is alive."""
    return {"status": "alive"}


@router.get("/ready", tags=["operators"])
async def ready(hub: InHub) -> dict[str, Any]:
    """Answers when the store can be written, and says how far the games are compiled."""
    hub.check_open()
    await hub.check_store()
    return {"status": "ready", "games": hub.compiling.done}


@router.get("/metrics", response_class=PlainTextResponse, tags=["operators"])
async def scrape() -> Response:
    """Returns the metrics in Prometheus' format."""
    return Response(metrics.scrape(), media_type="text/plain; version=0.0.4; charset=utf-8")
