"""A greedy player of Happy Fox: counts cards, without lookahead."""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.engine.rng import below
from foxden.games.happy_fox.knowledge import unseen
from foxden.games.happy_fox.rules import STOP, Card, Phase, turns

# Both tuned by playing variants against each other, 600 matches each, 2 and 4 seats.
ENOUGH = 8  # face-down cards among the others that make a fox worth playing
CAUTION = 13  # tenths: how much likelier a dog is assumed to be than counting says


@rule
def greedy(s, legal, n):
    """Chooses for the seat to act, from what that seat knows."""
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
    # Dogs first: more dogs in a row deter more grabs.
    if s.hand[p, Card.DOG] > 0:
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
        # A goose adds one card, a dog costs the fox and all geese; rows hold more dogs than sets.
        if CAUTION * (s.turned + 2) * dogs >= 10 * (geese + dogs):
            return STOP
        first = 1
    return legal[first + below(s, n - first)]
