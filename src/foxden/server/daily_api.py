"""REST for the daily deal: play it once, then compare with everybody else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel

from foxden.engine.game import Game
from foxden.engine.match import Match
from foxden.engine.registry import find, registered
from foxden.server import daily
from foxden.server.api import (
    TABLE,
    InHub,
    Somebody,
    Whoever,
    check_holdings,
    count_table,
    table_answer,
)
from foxden.server.hub import Hub
from foxden.server.problems import Refusal, forbidden
from foxden.server.store import MoveRow, TableFilter, TableRow, kept_moves

router = APIRouter(prefix="/api/daily", tags=["daily deal"])
FIELD = 100  # people listed in a field

Day = Annotated[str, Path(max_length=10, description="In UTC, such as 2026-11-16.")]


class DailyGame(BaseModel):
    """A day's deal in one game."""

    game: str
    title: str
    seats: int
    level: int  # of the bots
    status: Literal["new", "running", "over"]  # for the person who asks
    table: str | None  # theirs
    finished: int  # people who have finished it


class Daily(BaseModel):
    """The deals of today."""

    day: str
    ends: float  # when the next day's begin
    games: list[DailyGame]


class Parted(BaseModel):
    """Where somebody's moves first differ from the reader's."""

    ply: int
    mine: str  # in words
    theirs: str


class Entry(BaseModel):
    """One person's result."""

    name: str
    mine: bool
    place: int  # in the field, from 1
    score: int
    lead: int  # over the best of the others at the table
    won: bool
    resigned: bool
    actions: int
    parted: Parted | None  # null: the same moves, or the reader has not played
    path: str | None  # to the match; when the day is over


class Field(BaseModel):
    """Everybody who has finished a deal, best first."""

    game: str
    title: str
    day: str
    over: bool  # the day is, and everything is open
    entries: list[Entry]


@router.get("")
async def today(hub: InHub, who: Whoever) -> Daily:
    """Lists the deals of today."""
    day = daily.today()
    games = []
    for name in registered():
        game = find(name)
        rows = await _rows(hub, name, day)
        mine = None
        if who.person is not None:
            mine = await hub.store.table(daily.table_of(hub.people, name, day, who.person.id))
        games.append(
            DailyGame(
                game=name,
                title=game.title,
                seats=daily.seats_of(game),
                level=daily.LEVEL,
                status="new" if mine is None else "over" if mine.status == "over" else "running",
                table=None if mine is None else mine.id,
                finished=len(rows),
            )
        )
    return Daily(day=day, ends=daily.ends(day), games=games)


@router.post("/{game}", responses={200: TABLE})
async def play(game: str, hub: InHub, who: Whoever, person: Somebody) -> Response:
    """Opens or finds the person's table of today's deal: everybody has one try."""
    found, day = find(game), daily.today()
    id = daily.table_of(hub.people, game, day, person.id)
    table = await hub.find(id)
    if table is None:
        if not hub.compiling.is_ready(game):
            hub.compiling.want(game)
            raise Refusal("compiling", 503, f"{found.title} is ready in a minute or so.", retry=10)
        count_table(hub, person)
        async with hub.holding(person, who.address) as held:
            check_holdings(hub, held)
            row = daily.new_table(hub.people, found, day, person, hub.uptime())
            table = await hub.add(row)
    return table_answer(table, person, False)


@router.get("/{game}/{day}")
async def field(game: str, day: Day, hub: InHub, who: Whoever) -> Field:
    """Compares everybody who finished a deal; for today's, the reader must have finished too."""
    found = find(game)
    daily.check_day(day)
    over = day < daily.today()
    mine = table = None
    if who.person is not None:
        table = await hub.find(daily.table_of(hub.people, game, day, who.person.id))
        if table is not None:
            await table.end()  # the row of a match that has just ended may not show it yet
            mine = table.row
    if not over and (mine is None or mine.status != "over"):
        raise forbidden("Play the deal to its end first; then you see how others did.")
    rows = await _rows(hub, game, day)
    line = kept_moves(await hub.store.moves(mine.id)) if mine is not None else []
    choices = cache(partial(_choices, None if table is None else table.match))
    entries = []
    for row in sorted(rows, key=_rank):
        moves = kept_moves(await hub.store.moves(row.id))
        own = mine is not None and row.id == mine.id
        entries.append(
            Entry(
                name=row.seats[daily.SEAT].name or "",
                mine=own,
                place=1 + sum(_rank(other) < _rank(row) for other in rows),
                score=(row.scores or (0,))[daily.SEAT],
                lead=_lead(row),
                won=daily.SEAT in (row.winners or ()),
                resigned=row.seats[daily.SEAT].resigned,
                actions=len(moves),
                parted=None if own or not line else _parted(found, choices, line, moves),
                path=f"/t/{row.id}?key={hub.people.invite_key(row.id)}" if over or own else None,
            )
        )
    return Field(game=game, title=found.title, day=day, over=over, entries=entries)


async def _rows(hub: Hub, game: str, day: str) -> list[TableRow]:
    wanted = TableFilter(("over",), source=daily.source_of(game, day), limit=FIELD)
    rules = find(game).rules_version
    return [row for row in await hub.store.tables(wanted) if row.rules_version == rules]


def _lead(row: TableRow) -> int:
    scores = row.scores or (0,)
    others = [score for seat, score in enumerate(scores) if seat != daily.SEAT]
    return scores[daily.SEAT] - max(others, default=0)


def _rank(row: TableRow) -> tuple[bool, bool, int, int]:
    """Orders a field: winners first, then by points, then by the lead.

    Whoever went on after the day could look everything up, and comes after all others.
    """
    scores = row.scores or (0,)
    late = row.day is not None and (row.ended or 0.0) >= daily.ends(row.day)
    return late, daily.SEAT not in (row.winners or ()), -scores[daily.SEAT], -_lead(row)


def _choices(match: Match | None, ply: int) -> dict[int, str]:
    """Says what the seat could choose at a ply of its match."""
    if match is None or ply >= match.ply:
        return {}
    legal = match.at(ply).seat_view(daily.SEAT).view.legal
    return {action.id: action.says for action in legal}


def _parted(
    game: Game,
    choices: Callable[[int], dict[int, str]],
    mine: Sequence[MoveRow],
    theirs: Sequence[MoveRow],
) -> Parted | None:
    """Finds the first action in which two lists of moves differ."""
    for ply, (one, other) in enumerate(zip(mine, theirs, strict=False)):
        if (one.seat, one.action) != (other.seat, other.action):
            said = choices(ply)
            told = (said.get(move.action) or str(game.labels[move.action]) for move in (one, other))
            return Parted(ply=one.ply, mine=next(told), theirs=next(told))
    return None
