"""What people see of High Card."""

from __future__ import annotations

from msgspec import Struct

from foxden.engine.kernel import Known
from high_card.rules import CARDS, HELD


class Place(Struct):
    """What lies before one seat."""

    hand: list[str] | None
    hand_size: int
    played: str | None


class Table(Struct):
    """The table."""

    deck: int  # cards face down
    seats: list[Place]


def notation(label: int) -> str:
    """Writes an action."""
    return f"play {label + 1}"


def table(known: Known, seat: int) -> Table:
    """Lays out the table as the seat sees it."""
    places = []
    for p in range(known.seats):
        played = known.played[p]
        hand = [str(card) for card in sorted(known.hand[p]) if card] if p == seat else None
        places.append(Place(hand, HELD - (played > 0), str(played) if played else None))
    return Table(CARDS - HELD * known.seats, places)
