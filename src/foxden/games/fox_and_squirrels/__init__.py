"""A Game of Fox & Squirrels: rummy with piles that change hands, for 2 to 5 seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foxden.engine.errors import BadParts
from foxden.engine.game import Game
from foxden.engine.kernel import Known
from foxden.engine.options import Choice, Flag, Texts
from foxden.engine.parts import Parts, number_between
from foxden.games.fox_and_squirrels import knowledge, rules

MOST_REWARD = 16
DARES = (
    "Sing a song of winter, one verse at least.",
    "Say something kind to everyone at the table.",
    "Hop around the table like a squirrel.",
    "Bring somebody a drink.",
    "Stand on one leg until your next turn.",
    "Speak in rhymes until your next turn.",
    "Show everyone your best fox face.",
    "Tell where you would hide a hundred acorns.",
)


def fit_parts(parts: Parts) -> dict[str, Any]:
    """Checks the rewards and returns the state fields that hold them."""
    fields: dict[str, Any] = {
        f"{name}_reward": number_between(parts, name, 0, MOST_REWARD)
        for name in ("set", "run", "claim")
    }
    bonus = parts["bonus"]
    good = all(type(n) is int and 0 <= n <= MOST_REWARD for n in bonus)
    if len(bonus) != rules.ROUNDS or not good:
        message = f"It must be {rules.ROUNDS} numbers from 0 to {MOST_REWARD}, and is {bonus!r}."
        raise BadParts(message, where="bonus", rule="FS-23")
    fields["bonus"] = bonus
    return fields


def longest(known: Known) -> int:
    """Bounds the length: a draw, a play and a discard in every turn that FS-24 allows."""
    return rules.ROUNDS * rules.TURNS * 3


def together(seats: int, options: Mapping[str, Any]) -> bool:
    """Returns whether all acorns go onto one heap (FS-26)."""
    return bool(options["cooperative"])


def coop_key(seats: int, options: Mapping[str, Any]) -> str:
    """Returns the name of the best list for a common heap of acorns (FS-26)."""
    return f"{seats} seats, {options['foxes']}, {options['fox_demand']}"


GAME = Game.from_package(
    __name__,
    options=(
        Choice(
            "foxes",
            "Which cards are foxes.",
            ("FS-2",),
            choices={
                "none": "no foxes",
                "jokers": "four jokers are foxes",
                "four_aces": "four aces are foxes, the other four are left out",
                "eight_aces": "all eight aces are foxes",
            },
            default="none",
        ),
        Choice(
            "fox_demand",
            "What a fox wants from the player who draws it.",
            ("FS-20", "FS-22"),
            choices={"acorn": "an acorn", "dare": "a dare from the list"},
            default="acorn",
        ),
        Texts(
            "dares",
            "The dares that a fox may ask for.",
            ("FS-22",),
            default=DARES,
            most=knowledge.MOST_DARES,
            longest=120,
        ),
        Flag("tie_break", "Ties are broken by the number of piles in front of you.", ("FS-25",)),
        Flag("cooperative", "All play together: acorns go into one common heap.", ("FS-26",)),
    ),
)
