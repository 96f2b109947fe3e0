"""Positions of Foxy & Woolly in the words of the table."""

from collections.abc import Mapping, Sequence
from typing import Any

import foxden
from foxden.engine.kernel import Known
from tests.games.positions import rearrange

NAME = "foxy-and-woolly"
MOVERS = ["left-right", "up-down", "rising", "falling"]
SPECIALS = [*MOVERS, "gun", "steal", "flock", "wages", "trio", "guard", "pair"]  # FW-4
TOKENS = [f"wolf {n}" for n in range(1, 10)] + ["wolf top", "wolf mid", "wolf low", *SPECIALS]
ROWS = ("top", "mid", "low")
WOLF, AUCTION = 0, 1
ALL = range(1, 10)


def farm(slots: Sequence[int]) -> int:
    return sum(1 << slot - 1 for slot in slots)


def position(
    seats: int,
    offer: str,
    *,
    then: Sequence[str] = (),
    to_act: int = 0,
    field: int = 0,
    cubes: Sequence[int] | None = None,
    sheep: Mapping[int, Sequence[int]] | None = None,
    held: Mapping[int, Sequence[str]] | None = None,
    row_wolves: Mapping[int, Sequence[str]] | None = None,
    parts: Mapping[str, Any] | None = None,
) -> foxden.Match:
    """Sets up the token on offer and what follows; the line ends there. Seats hold nothing else."""
    match = foxden.new(NAME, seats=seats, seed=1, parts=parts)
    last = [offer, *then]

    def change(known: Known) -> None:
        known.line[18 - len(last) :] = [TOKENS.index(token) for token in last]
        known.at = 18 - len(last)
        known.phase = AUCTION if offer in SPECIALS else WOLF
        known.to_act = known.starter = to_act
        known.field = field
        for p in range(seats):
            known.cubes[p] = cubes[p] if cubes else 9
            known.sheep[p] = farm((sheep or {}).get(p, ALL))
            known.held[p] = [list((held or {}).get(p, ())).count(kind) for kind in SPECIALS]
            known.row_wolves[p] = [list((row_wolves or {}).get(p, ())).count(r) for r in ROWS]

    rearrange(match, change)
    return match


def choices(match: foxden.Match) -> list[str]:
    return [str(action) for action in match.legal()]


def seat(match: foxden.Match, p: int) -> Any:
    return match.view(None)["table"]["seats"][p]


def table(match: foxden.Match) -> Any:
    return match.view(None)["table"]


def play(match: foxden.Match, *moves: str) -> foxden.Match:
    for move in moves:
        match.play(move)
    return match


def refusal(match: foxden.Match, move: str) -> str:
    """Returns the rule that refuses a move."""
    assert move not in choices(match)
    return match.why_not(move)[1]


def retold(before: Known, match: foxden.Match, move: str, viewer: int | None = None) -> str:
    """Plays a move in a match that stood as `before` and tells it."""
    action = match.play(move)
    voice, after = match.voice(viewer), match.known(viewer)
    happened = match.game.view.events(before, action.id, after, voice.viewer)
    return " ".join(match.game.words.tell(happened, voice))
