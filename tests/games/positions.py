"""Positions for rule tests: a match whose state is set by hand."""

from collections.abc import Callable
from typing import Any

import foxden
from foxden.engine.kernel import Known, to_known, write_field


def arranged(
    name: str, seats: int, *, seed: int = 1, options: Any = None, **fields: Any
) -> foxden.Match:
    """Deals a match and overwrites fields of its state."""
    match = foxden.new(name, seats=seats, seed=seed, options=options)
    rearrange(match, lambda known: vars(known).update(fields))
    return match


def rearrange(match: foxden.Match, change: Callable[[Known], object]) -> None:
    """Changes the state of a match through its plain form: `known.hand[0][1] = 3`."""
    known = truth(match)
    change(known)

    def write(states: Any) -> None:
        for name, value in vars(known).items():
            write_field(states, 0, name, value)

    match.replace_truth(write)


def truth(match: foxden.Match) -> Known:
    """Returns the whole state as plain ints and lists."""
    return to_known(match.truth(), 0)
