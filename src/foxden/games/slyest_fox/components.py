"""Components of The Slyest Fox, by seat: cards in hand, and a character."""

from __future__ import annotations

import numpy as np

from foxden.engine.kernel import rule
from foxden.games.slyest_fox.rules import (
    ATTACK,
    CARE,
    CHARACTER,
    KINDS,
    OPENINGS,
    PLAY,
    ROLES,
    THROW,
    WEASEL_WITH,
    Card,
)
from foxden.games.slyest_fox.view import CARDS, CHARACTERS, OPENING_CARDS

COMPONENTS = (*CARDS, *CHARACTERS)
FIRST_ROLE = KINDS
OPENED_WITH = np.array(OPENING_CARDS, np.int64)


@rule
def holds(s, seat, out):
    """Counts a hand by kind, and marks the seat's character."""
    for card in range(KINDS):
        out[card] = s.hand[seat, card]
    for role in range(ROLES):
        out[FIRST_ROLE + role] = s.role[seat] == role


@rule
def component_of(s, action):
    """Returns the card played, or the character; traded and discarded cards do not count."""
    if action == CARE:
        return Card.DONT_CARE + 0
    if ATTACK <= action < PLAY:
        return OPENED_WITH[(action - ATTACK) % OPENINGS]
    if PLAY <= action < CHARACTER:
        return action - PLAY
    if action == CHARACTER:
        return FIRST_ROLE + s.role[s.to_act]
    if WEASEL_WITH <= action < THROW:
        return Card.WEASEL + 0
    return -1
