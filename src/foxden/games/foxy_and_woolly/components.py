"""Components of Foxy & Woolly, by seat: special tokens, and waiting row wolves."""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.games.foxy_and_woolly.rules import BID, FIRE, MOVE, STEAL, TAKE
from foxden.games.foxy_and_woolly.view import ROW_NAMES, SPECIAL_NAMES
from foxden.games.foxy_and_woolly.vocabulary import (
    KINDS,
    ROW_WOLF,
    ROWS,
    SPECIAL,
    WAYS,
    Special,
)

COMPONENTS = (*SPECIAL_NAMES, *(f"wolf of the {row} row" for row in ROW_NAMES))


@rule
def holds(s, seat, out):
    """Counts unused specials and row wolves."""
    for kind in range(KINDS):
        out[kind] = s.held[seat, kind]
    for row in range(ROWS):
        out[KINDS + row] = s.row_wolves[seat, row]


@rule
def component_of(s, action):
    """Returns the special used or bid for, or the row wolf taken."""
    if action >= MOVE:
        return s.arrow[(action - MOVE) % WAYS] + 0
    if action >= BID:
        return s.line[s.at] - SPECIAL
    if action == STEAL:
        return Special.STEAL + 0
    if action == FIRE:
        return Special.GUN + 0
    if action == TAKE and s.line[s.at] >= ROW_WOLF:
        return KINDS + s.line[s.at] - ROW_WOLF
    return -1
