"""Sentences for a reader: "Mia lays a card" to one is "You lay a goose" to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Voice:
    """Speaks to one reader: a seat, or a spectator (-1)."""

    names: Sequence[str]
    viewer: int
    options: Mapping[str, Any] = field(default_factory=dict)  # the table's own texts are here

    def name(self, seat: int) -> str:
        """Names a seat at the start of a sentence."""
        return "You" if seat == self.viewer else self.names[seat]

    def object(self, seat: int) -> str:
        """Names a seat inside a sentence."""
        return "you" if seat == self.viewer else self.names[seat]

    def names_of(self, seats: Iterable[int]) -> str:
        """Names seats at the start of a sentence, the reader first: "You and Mia"."""
        return listed(map(self.name, sorted(seats, key=lambda seat: seat != self.viewer)))

    def whose(self, seat: int) -> str:
        """Returns the possessive inside a sentence."""
        return "your" if seat == self.viewer else f"{self.names[seat]}'s"

    def does(self, seat: int, verb: str, yours: str | None = None) -> str:
        """Begins a sentence: "Mia lays", "You lay"; your form is the verb less its s."""
        if seat == self.viewer:
            return f"You {yours or verb.removesuffix('s')}"
        return f"{self.names[seat]} {verb}"


def listed(things: Iterable[str]) -> str:
    """Joins things in a sentence: a, b and c."""
    *most, last = list(things) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def counted(n: int, one: str, many: str | None = None) -> str:
    """Counts things: 1 goose, 2 geese."""
    return f"{n} {one if n == 1 else many or one + 's'}"
