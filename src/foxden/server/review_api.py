"""REST for reviews of finished matches, and branches from their positions."""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from foxden.engine.match import Match
from foxden.engine.rng import SEED_BITS
from foxden.review import Review
from foxden.review.branches import Branch
from foxden.server import daily, insight, seating
from foxden.server.api import (
    TABLE,
    InHub,
    Key,
    SeatNumber,
    Somebody,
    TableId,
    Whoever,
    check_holdings,
    count_table,
    find_table,
    table_answer,
)
from foxden.server.hub import Hub
from foxden.server.models import Asked
from foxden.server.people import new_id
from foxden.server.problems import bad_field, conflict, forbidden
from foxden.server.requests import Asker
from foxden.server.store import ReviewRow, SeatRow, TableFilter
from foxden.server.tables import Table

router = APIRouter(prefix="/api")
BRANCHES = 50  # branches listed per match


class ReviewInfo(BaseModel):
    """A seat's review, or how far it is."""

    status: Literal["none", "running", "done"]
    done: float  # 0 to 1
    review: Review | None


class NewBranch(Asked):
    """From where to play on, and against whom."""

    ply: Annotated[int, Field(ge=0, le=1_000_000)]
    seat: Annotated[int, Field(ge=0, le=63)]
    open: bool = False  # keep everything as it was; else deal the seat's unknowns anew
    level: Annotated[int, Field(ge=1, le=5)] = 3  # of the bots in the other seats


class BranchInfo(BaseModel):
    """A branch of a match."""

    table: str
    path: str  # to open or to share
    name: str  # who plays it
    ply: int  # where it left the match
    seat: int
    open: bool
    status: Literal["open", "running", "over"]
    score: int | None  # the seat's, when it is over
    won: bool
    created: float


async def _finished(hub: Hub, who: Asker, id: str, seat: int, key: str) -> tuple[Table, Match]:
    """Finds a finished match that may be reviewed from a seat."""
    found, invited = await find_table(hub, who, id, key)
    if not seating.may_watch(found.row, who.person, invited):
        raise forbidden("Only players can watch this table.")
    match = found.playing()
    seating.check_seat(found.row, seat)
    if not match.is_over:
        seating.my_seat(found.row, who.person, seat)
        raise conflict("running", "The match is not over yet.")
    if isinstance(match, Branch):
        raise conflict("branch", "This was a branch; review the match it left.")
    return found, match


def _told(row: ReviewRow | None) -> Response:
    """Returns a review's stored JSON as it is, without parsing it."""
    status = "none" if row is None else "done" if row.content else "running"
    done = row.done if row is not None else 0.0
    content = row.content if row is not None and row.content else "null"
    body = f'{{"status": "{status}", "done": {json.dumps(done)}, "review": {content}}}'
    return Response(body, media_type="application/json")


@router.get("/tables/{id}/reviews/{seat}", response_model=ReviewInfo, tags=["looking back"])
async def review(id: TableId, seat: SeatNumber, hub: InHub, who: Whoever, key: Key = "") -> Any:
    """Returns a seat's review, or how far it is."""
    found, _ = await _finished(hub, who, id, seat, key)
    return _told(await hub.reviews.find(found.row.id, seat))


@router.post("/tables/{id}/reviews/{seat}", response_model=ReviewInfo, tags=["looking back"])
async def begin_review(
    id: TableId, seat: SeatNumber, hub: InHub, who: Whoever, key: Key = ""
) -> Any:
    """Begins to review a seat's match, once for everybody; returns an existing review."""
    found, match = await _finished(hub, who, id, seat, key)
    kept = await hub.reviews.find(found.row.id, seat)
    if kept is None:
        hub.limits.spend("review", who.key)
        kept = await hub.reviews.begin(found.row.id, seat, match)
    return _told(kept)


# Branches


@router.post(
    "/tables/{id}/branches", status_code=201, responses={201: TABLE}, tags=["looking back"]
)
async def branch(
    id: TableId, asked: NewBranch, hub: InHub, who: Whoever, person: Somebody, key: Key = ""
) -> Response:
    """Opens a table that plays on from a position of a match that is over."""
    found, match = await _finished(hub, who, id, asked.seat, key)
    if daily.is_under_way(found.row):
        raise conflict("daily", "Others still play this deal today; tomorrow you can play on.")
    if asked.ply >= match.ply:
        raise bad_field("ply", f"The match is over after {match.ply} actions; go back further.")
    count_table(hub, person)
    now = time.time()
    taken = {person.name}
    seats = []
    for number in range(match.seats):
        if number == asked.seat:
            seats.append(SeatRow("person", person.id, person.name))
        else:
            name = seating.bot_name(number, taken)
            taken.add(name)
            seats.append(SeatRow("bot", name=name, level=asked.level))
    world = None if asked.open else str(secrets.randbits(SEED_BITS))
    moves = [[seat, action.id] for seat, action in match.moves[: asked.ply]]
    row = replace(
        found.row,
        id=new_id(),
        seats=tuple(seats),
        clock={"kind": "none"},
        access="link",
        watch="anyone",
        hints=True,
        pace="brisk",
        host=person.id,
        status="running",
        created=now,
        started=now,
        began=hub.uptime(),
        ended=None,
        scores=None,
        winners=None,
        rematch=None,
        muted=(),
        kept_out=(),
        version=0,
        source=found.row.id,
        origin={"moves": moves, "seat": asked.seat, "world": world},
    )
    async with hub.holding(person, who.address) as held:
        check_holdings(hub, held)
        table = await hub.add(row)
    return table_answer(table, person, False, 201)


@router.get("/tables/{id}/branches", tags=["looking back"])
async def branches(id: TableId, hub: InHub, who: Whoever, key: Key = "") -> list[BranchInfo]:
    """Lists the branches of a match, the latest first."""
    found, _ = await _finished(hub, who, id, 0, key)
    wanted = TableFilter(("running", "over"), source=found.row.id, limit=BRANCHES)
    told = []
    for row in await hub.store.tables(wanted):
        assert row.branch is not None
        seat = row.branch["seat"]
        over = row.scores is not None and row.winners is not None
        told.append(
            BranchInfo(
                table=row.id,
                path=f"/t/{row.id}?key={hub.people.invite_key(row.id)}",
                name=row.seats[seat].name or "",
                ply=len(row.branch["moves"]),
                seat=seat,
                open=row.branch["world"] is None,
                status=row.status,
                score=row.scores[seat] if over and row.scores else None,
                won=bool(over and row.winners and seat in row.winners),
                created=row.created,
            )
        )
    return told


# My play


@router.get("/me/play", tags=["looking back"])
async def my_play(hub: InHub, person: Somebody) -> list[insight.GamePlay]:
    """Shows what costs the person most, by game and kind of decision, from their reviews."""
    rows = await hub.store.reviews_of(person.id)
    return insight.my_play([row.content for row in rows if row.content])
