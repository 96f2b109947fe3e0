"""A sensible player of Happy Fox that counts cards and thinks no further."""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.engine.rng import below
from foxden.games.happy_fox.knowledge import unseen
from foxden.games.happy_fox.rules import STOP, Card, Phase, turns

ENOUGH = 3  # face-down cards among the others that make a fox worth playing


@rule
def greedy(s, legal, n):
    """Chooses for the seat asked from what that seat knows."""
    if s.phase == Phase.GRAB:
        return grab_or_stop(s, legal, n)
    p = s.to_act
    prey = 0
    for q in range(s.seats):
        if q != p:
            prey += s.down[q]
    left = turns(s) - s.turn
    if s.hand[p, Card.FOX] > 0 and (prey >= ENOUGH or left <= s.hand[p, Card.FOX]):
        return Card.FOX + 0
    if s.hand[p, Card.DOG] > 0:
        guards = 0
        for k in range(s.turn):
            if s.row[p, k] == Card.DOG:
                guards += 1
        # One dog in four cards or so keeps thieves guessing.
        if s.hand[p, Card.GOOSE] == 0 or below(s, 4) >= 1 + 3 * guards:
            return Card.DOG + 0
    if s.hand[p, Card.GOOSE] > 0:
        return Card.GOOSE + 0
    return legal[n - 1]


@rule
def grab_or_stop(s, legal, n):
    """Goes on while the next goose is worth the risk; all cards of a row look alike."""
    first = 0
    if legal[0] == STOP:
        geese = unseen(s, s.victim, Card.GOOSE)
        dogs = unseen(s, s.victim, Card.DOG)
        # A dog costs the fox and all geese turned up; a goose adds one.
        if (s.turned + 2) * geese <= (s.turned + 1) * (geese + dogs):
            return STOP
        first = 1
    return legal[first + below(s, n - first)]
