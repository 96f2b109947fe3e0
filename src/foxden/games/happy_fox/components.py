"""Components of Happy Fox, by seat: cards in hand, and dogs in the row."""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.games.happy_fox.rules import MAX_SET, STOP, TURN, Card

COMPONENTS = ("goose", "fox", "dog", "dog in the row")
DOG_IN_ROW = 3


@rule
def holds(s, seat, out):
    """Counts the cards in a hand, and the dogs laid."""
    out[0] = s.hand[seat, Card.GOOSE]
    out[1] = s.hand[seat, Card.FOX]
    out[2] = s.hand[seat, Card.DOG]
    out[DOG_IN_ROW] = 0
    for turn in range(MAX_SET):
        out[DOG_IN_ROW] += s.row[seat, turn] == Card.DOG


@rule
def component_of(s, action):
    """Returns the card played; an action that plays one has the card's number."""
    return action - 1 if STOP < action < TURN else -1
