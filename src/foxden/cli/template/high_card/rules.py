"""The rules of High Card, compiled. Rule ids (HC-…) are those of guide.md."""

from __future__ import annotations

from foxden.engine.fields import Field, state_of
from foxden.engine.kernel import rule
from foxden.engine.rng import hide_stream, shuffle

RULES_VERSION = 1
SEATS, CARDS, HELD = 4, 9, 2
ACTIONS = CARDS  # action c plays card c + 1
FIELDS = (
    Field("deck", CARDS, (CARDS,), "the cards nobody holds, first in the list; 0 unseen or none"),
    Field("hand", CARDS, (SEATS, HELD), "each seat's cards; 0 unseen or played"),
    Field("played", CARDS, (SEATS,), "the card each seat has played; 0 none"),
)
State = state_of(FIELDS)
LONGEST = SEATS


@rule
def deal(s):
    """Deals two cards to every seat (HC-1)."""
    for c in range(CARDS):
        s.deck[c] = c + 1
    shuffle(s, s.deck, CARDS)
    top = CARDS - 1
    for p in range(s.seats):
        s.played[p] = 0
        for k in range(HELD):
            s.hand[p, k] = s.deck[top]
            s.deck[top] = 0
            top -= 1
    s.to_act = 0


@rule
def legal(s, out):
    """Lists the cards of the seat asked, the lower first."""
    n = 0
    for c in range(CARDS):
        for k in range(HELD):
            if s.hand[s.to_act, k] == c + 1:
                out[n] = c
                n += 1
    return n


@rule
def apply(s, action):
    """Plays a card and asks the next seat (HC-2)."""
    p = s.to_act
    s.played[p] = action + 1
    for k in range(HELD):
        if s.hand[p, k] == action + 1:
            s.hand[p, k] = 0
    s.to_act = p + 1 if p + 1 < s.seats else -1


@rule
def scores(s, out):
    """Counts the card played; the most points win (HC-3)."""
    for p in range(s.seats):
        out[p] = s.played[p]


@rule
def observe(s, seat):
    """Wipes the deck and the others' hands."""
    hide_stream(s)
    for c in range(CARDS):
        s.deck[c] = 0
    for p in range(s.seats):
        if p != seat:
            for k in range(HELD):
                s.hand[p, k] = 0


@rule
def resample(s, seat):
    """Deals the unseen cards anew, every deal equally likely."""
    n = 0
    for c in range(1, CARDS + 1):
        seen = False
        for p in range(s.seats):
            seen = (
                seen or s.played[p] == c or (p == seat and (s.hand[p, 0] == c or s.hand[p, 1] == c))
            )
        if not seen:
            s.deck[n] = c
            n += 1
    shuffle(s, s.deck, n)
    for p in range(s.seats):
        if p != seat:
            for k in range(HELD - (s.played[p] > 0)):
                n -= 1
                s.hand[p, k] = s.deck[n]
                s.deck[n] = 0
