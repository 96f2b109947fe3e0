"""Components of Fox & Squirrels, by seat: cards by rank, and piles."""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.games.fox_and_squirrels.rules import (
    CARDS,
    CLAIM,
    DISCARD,
    NO_SUIT,
    RANKS,
    RUN,
    SET,
    SUITS,
    TRIPLES,
)

COMPONENTS = (
    "ace",
    *(str(number) for number in range(2, 11)),
    *("jack", "queen", "king", "set in front", "run in front"),
)
SET_IN_FRONT, RUN_IN_FRONT = RANKS, RANKS + 1
TRIPLE_COUNT = len(TRIPLES)


@rule
def holds(s, seat, out):
    """Counts a hand by rank, and the piles in front of the seat."""
    for k in range(RUN_IN_FRONT + 1):
        out[k] = 0
    for i in range(s.hand_size[seat]):
        if 0 <= s.hand[seat, i] < CARDS:
            out[s.hand[seat, i] // SUITS] += 1
    for pile in range(s.piles):
        if s.owner[pile] == seat:
            out[SET_IN_FRONT if s.suit[pile] == NO_SUIT else RUN_IN_FRONT] += 1


@rule
def component_of(s, action):
    """Returns the rank of a set, or of the card that claims a pile; a run has three ranks."""
    if SET <= action < RUN:
        return (action - SET) // TRIPLE_COUNT
    if CLAIM <= action < DISCARD:
        return (action - CLAIM) % CARDS // SUITS
    return -1
