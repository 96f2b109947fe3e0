"""REST for puzzles: the next one near a person's strength, and their answers."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from foxden.engine.registry import find, registered
from foxden.engine.view import LegalAction
from foxden.review.puzzles import Puzzle, puzzles_of
from foxden.server import puzzles, seating
from foxden.server.api import InHub, Somebody, Whoever
from foxden.server.models import Asked
from foxden.server.problems import Refusal, bad_field, not_found
from foxden.server.store import Rating

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"])
PuzzleId = Annotated[str, Path(max_length=10, pattern="^[0-9a-f]+$")]


class PuzzleGame(BaseModel):
    """The puzzles of one game, and the person's progress."""

    game: str
    title: str
    puzzles: int
    tried: int
    solved: int
    rating: float | None


class PuzzleInfo(BaseModel):
    """A position, as the seat that decides knew it."""

    id: str
    game: str
    title: str
    kind: str
    rating: float
    view: dict[str, Any]
    log: list[Any]  # what happened last, as LogEntry


class PuzzleAnswer(Asked):
    """A person's answer."""

    action: Annotated[int, Field(ge=0, le=1_000_000)]


class PuzzleValue(BaseModel):
    """The value of one choice."""

    action: int
    notation: str
    says: str
    chance: float
    margin: float


class PuzzleResult(BaseModel):
    """Whether it was the best choice, and the value of each."""

    solved: bool
    best: int
    values: list[PuzzleValue]  # the best first
    rating: float  # of the person, after this
    change: float  # 0 where it was tried before


@router.get("")
async def games(hub: InHub, who: Whoever) -> list[PuzzleGame]:
    """Lists the games that have puzzles."""
    tried = await hub.store.tries(who.person.id) if who.person else {}
    found = []
    for name in registered():
        game = find(name)
        known = puzzles_of(game)
        if not known:
            continue
        mine = {id: solved for id, solved in tried.items() if id in known}
        rating = None
        if who.person is not None:
            kept = await hub.store.rating(puzzles.person_key(who.person.id, name))
            rating = kept.rating if kept else None
        found.append(
            PuzzleGame(
                game=name,
                title=game.title,
                puzzles=len(known),
                tried=len(mine),
                solved=sum(mine.values()),
                rating=rating,
            )
        )
    return found


@router.get("/{game}/next")
async def following(
    game: str,
    hub: InHub,
    who: Whoever,
    kind: Annotated[str, Query(max_length=64, description="Only of this kind.")] = "",
) -> PuzzleInfo:
    """Returns an untried puzzle near the person's strength, varying the kind."""
    known = puzzles_of(find(game))
    tried = await hub.store.tries(who.person.id) if who.person else {}
    left = [puzzle for puzzle in known.values() if puzzle.id not in tried]
    if kind:
        left = [puzzle for puzzle in left if puzzle.kind == kind]
    if not left:
        of_kind = " of this kind" if kind else ""
        none = f"{find(game).title} has no puzzles{of_kind} that you have not tried."
        raise Refusal("not-found", 404, none)
    ratings = await hub.store.ratings([puzzle.id for puzzle in left])
    person = None
    if who.person is not None:
        person = await hub.store.rating(puzzles.person_key(who.person.id, game))
    strength = (person or puzzles.START).rating
    kinds = [known[id].kind for id in tried if id in known]
    chosen = puzzles.following(left, strength, ratings, kinds)
    return await asyncio.to_thread(_told, game, chosen, ratings.get(chosen.id))


@router.get("/{game}/{id}")
async def puzzle(game: str, id: PuzzleId, hub: InHub) -> PuzzleInfo:
    """Returns a puzzle."""
    return await asyncio.to_thread(_told, game, _find(game, id), await hub.store.rating(id))


@router.post("/{game}/{id}")
async def answer(
    game: str, id: PuzzleId, asked: PuzzleAnswer, hub: InHub, person: Somebody
) -> PuzzleResult:
    """Says whether an answer is the best choice; the first one counts for both ratings."""
    found = _find(game, id)
    legal = await asyncio.to_thread(_legal, game, found)
    if asked.action not in legal:
        raise bad_field("action", "This is not open here.")
    solved = asked.action == found.best
    key = puzzles.person_key(person.id, game)
    kept = await hub.store.ratings([key, id])
    mine, its = kept.get(key) or puzzles.START, kept.get(id) or puzzles.first_rating(found)
    after = puzzles.rated(mine, its, solved)
    counted = await hub.store.add_try(
        person.id, id, solved, time.time(), {key: after[0], id: after[1]}
    )
    return PuzzleResult(
        solved=solved,
        best=found.best,
        values=[
            PuzzleValue(
                action=value.action,
                notation=legal[value.action].notation,
                says=legal[value.action].says,
                chance=value.chance,
                margin=value.margin,
            )
            for value in found.values
        ],
        rating=after[0].rating if counted else mine.rating,
        change=after[0].rating - mine.rating if counted else 0.0,
    )


def _find(game: str, id: str) -> Puzzle:
    found = puzzles_of(find(game)).get(id)
    if found is None:
        raise not_found("puzzle")
    return found


def _legal(game: str, found: Puzzle) -> dict[int, LegalAction]:
    match = found.match(find(game), seating.BOT_NAMES[: found.seats])
    view = match.seat_view(found.seat).view
    return {action.id: action for action in view.legal}


def _told(game: str, found: Puzzle, rating: Rating | None) -> PuzzleInfo:
    match = found.match(find(game), seating.BOT_NAMES[: found.seats])
    return PuzzleInfo(
        id=found.id,
        game=game,
        title=find(game).title,
        kind=found.kind,
        rating=(rating or puzzles.first_rating(found)).rating,
        view=match.view(found.seat),
        log=match.log(found.seat, since=max(0, match.ply - match.seats)),
    )
