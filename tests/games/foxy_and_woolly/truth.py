"""Foxy & Woolly as the rulebook has it, for the laws: what is conserved and what is hidden."""

import random

from foxden.engine.kernel import Known
from foxden.engine.laws import Truth

OVER = 6


def conserved(known: Known) -> object:
    """FW-13: cubes never leave the table, nor do specials (FW-4 … FW-7); the line stays (FW-6)."""
    seats = range(known.seats)
    in_line = [token - 12 for token in known.line[known.at :] if token >= 12]
    specials = [
        known.out[kind]
        + in_line.count(kind)
        + sum(known.held[p][kind] for p in seats)
        + (sum(sum(known.lying[p][kind]) for p in seats) if kind < 4 else 0)
        for kind in range(11)
    ]
    tidy = not any(known.reach + known.rest) and (
        known.phase == OVER or not any(map(sum, known.fate))
    )
    return sum(known.cubes) + known.field, specials, known.line, tidy


def scramble(known: Known, seat: int, dice: random.Random) -> None:
    """FW-24: nothing is hidden but the random stream, so that is all that may change.

    The laws see that nobody is told of it.
    """
    known.rng ^= dice.getrandbits(32)


TRUTH = Truth(conserved, scramble)
