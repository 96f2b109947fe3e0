"""Happy Fox: push your luck against hidden rows of geese and dogs, for 2 to 5 seats."""

from __future__ import annotations

from typing import Any

from foxden.engine.errors import BadParts
from foxden.engine.game import Game
from foxden.engine.kernel import Known
from foxden.engine.options import Flag
from foxden.engine.parts import Parts, number_between
from foxden.engine.registry import read_about
from foxden.games.happy_fox import knowledge, rules, words
from foxden.games.happy_fox.greedy import greedy


def fit_parts(parts: Parts) -> dict[str, Any]:
    """Checks the printed numbers and gives the state fields that hold them."""
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
    """Bounds a match: every card is played once, turned up at most once, and ends a grab once."""
    cards = known.geese + known.foxes + known.dogs
    return int(known.seats * (2 * cards + known.foxes))


GAME = Game(
    about=read_about("happy-fox", __name__),
    package=__name__,
    rules_version=rules.RULES_VERSION,
    state=rules.State,
    actions=rules.ACTIONS,
    hidden_actions=1,
    options=(
        Flag(
            "unknown_four",
            "Remove four unseen cards from each set, so that nobody can count them out.",
            ("HF-3",),
        ),
    ),
    tensor=knowledge.TENSOR,
    words=words,
    fit_parts=fit_parts,
    longest=longest,
    deal=rules.deal,
    legal=rules.legal,
    apply=rules.apply,
    scores=rules.scores,
    winners=rules.winners,
    observe=knowledge.observe,
    resample=knowledge.resample,
    seen=knowledge.seen,
    features=knowledge.features,
    greedy=greedy,
    believe=knowledge.believe,
)
