"""Happy Fox: push your luck against hidden rows of geese and dogs, for 2 to 5 seats."""

from __future__ import annotations

from typing import Any

from foxden.engine.errors import BadParts
from foxden.engine.game import Game
from foxden.engine.kernel import Known
from foxden.engine.options import Flag
from foxden.engine.parts import Parts, number_between
from foxden.games.happy_fox import rules


def fit_parts(parts: Parts) -> dict[str, Any]:
    """Checks the printed numbers and returns the state fields that hold them."""
    fields = {name: number_between(parts, name, 0, rules.MAX_SET) for name in ("geese", "dogs")}
    fields["foxes"] = number_between(parts, "foxes", 0, rules.MAX_SET)
    fields["hand_limit"] = number_between(parts, "hand_limit", 1, 8)
    size = sum(fields[name] for name in ("geese", "foxes", "dogs"))
    if not 1 <= size <= rules.MAX_SET:
        message = f"A set has 1 to {rules.MAX_SET} cards; these are {size}."
        raise BadParts(message, where="geese, foxes, dogs", rule="HF-1")
    fields["unknown"] = number_between(parts, "unknown", 0, size - 1)
    return fields


def longest(known: Known) -> int:
    """Bounds the length: every card is played once, turned up and ends a grab at most once."""
    cards = known.geese + known.foxes + known.dogs
    return int(known.seats * (2 * cards + known.foxes))


GAME = Game.from_package(
    __name__,
    options=(
        Flag(
            "unknown_four",
            "Remove four unseen cards from each set, so that nobody can count them out.",
            ("HF-3",),
        ),
    ),
)
