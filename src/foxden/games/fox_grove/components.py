"""Components of Fox Grove, by seat: cards in hand, owls, and levels of houses."""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.games.fox_grove.rules import (
    CARDS,
    CLIMB,
    CONVERT,
    DISCOUNT,
    DOUBLE,
    DRAW_TWO,
    GAIN,
    KEEP,
    NEW_OWL,
    NO_SWITCH,
    OWLS,
    PICK_TWO,
    PLAY,
    SWITCH,
    TAKE,
    TOP,
    Owl,
)
from foxden.games.fox_grove.view import CARD_NAMES, HOUSES, OWL_NAMES

COMPONENTS = (
    *CARD_NAMES,
    *(f"owl: {name}" for name in OWL_NAMES),
    *(f"{house} {level}" for house in HOUSES for level in range(1, TOP + 1)),
)
FIRST_OWL = CARDS
FIRST_LEVEL = FIRST_OWL + OWLS


@rule
def holds(s, seat, out):
    """Marks the cards, owls and levels of a seat."""
    for card in range(CARDS):
        out[card] = s.hand[seat] >> card & 1
    for owl in range(OWLS):
        out[FIRST_OWL + owl] = s.owls[seat] >> owl & 1
    for house in range(3):
        for level in range(TOP):
            out[FIRST_LEVEL + house * TOP + level] = s.level[seat, house] > level


@rule
def component_of(s, action):
    """Returns the card played, the owl used or taken, or the level to be reached."""
    if PLAY <= action < TAKE:
        return action - PLAY
    if action == DRAW_TWO:
        return FIRST_OWL + Owl.DRAW_TWO
    if action == PICK_TWO:
        return FIRST_OWL + Owl.PICK_TWO
    if action == DISCOUNT:
        return FIRST_OWL + Owl.DISCOUNT
    if action == SWITCH:
        return FIRST_OWL + Owl.SWITCH
    if action == DOUBLE:
        return FIRST_OWL + Owl.DOUBLE
    if CONVERT <= action < GAIN:
        return FIRST_OWL + Owl.CONVERT
    if NEW_OWL <= action < KEEP:
        return FIRST_OWL + action - NEW_OWL
    if CLIMB <= action < NO_SWITCH:
        house = action - CLIMB
        return FIRST_LEVEL + house * TOP + min(s.level[s.to_act, house], TOP - 1)
    return -1
