"""Declares a state field by field: its layout, observation tensor and spec sheet in one.

A game that declares `FIELDS` needs no `features` of its own: its tensor is the wiped state, with
each number scaled to 0 … 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foxden.engine.contract import HEAD
from foxden.engine.game import Feature
from foxden.engine.kernel import layout, made_rule


@dataclass(frozen=True)
class Field:
    """One field of a state: whole numbers from `least` to `most`."""

    name: str
    most: int
    shape: tuple[int, ...] = ()
    meaning: str = ""
    least: int = 0

    @property
    def layout(self) -> tuple[Any, ...]:
        """Returns the field for a layout, with the smallest type for arrays."""
        small = self.shape and self.least >= -128 and self.most <= 127
        return (self.name, "i1" if small else "i8", *([self.shape] if self.shape else []))


# The common fields that a seat may know (foxden.engine.contract).
COMMON = (
    Field("seats", 16, meaning="how many seats play"),
    Field("to_act", 16, meaning="the seat asked, -1 when the match is over", least=-1),
)


def state_of(fields: Sequence[Field]) -> np.dtype[Any]:
    """Returns the layout of a state with these fields."""
    return layout([*HEAD, *(field.layout for field in fields)])


def tensor_of(fields: Sequence[Field]) -> tuple[Feature, ...]:
    """Returns the blocks of the observation tensor that `features_of` writes."""
    return tuple(
        Feature(field.name, field.shape or (1,), f"{field.meaning or field.name} ÷ {field.most}")
        for field in (*COMMON, *fields)
    )


def features_of(fields: Sequence[Field]) -> Any:
    """Returns the rule that writes the observation tensor of a wiped state."""
    write: Any = _write_nothing
    for field in (*COMMON, *fields):
        write = _then(write, field.name, float(field.least), float(field.most - field.least))

    @made_rule
    def features(s, seat, out):  # type: ignore[no-untyped-def]
        """Writes every field, scaled."""
        write(s, 0, out)

    return features


@made_rule
def _write_nothing(s, place, out):  # type: ignore[no-untyped-def]
    """Begins."""
    return place


def _then(before: Any, name: str, least: float, spread: float) -> Any:
    """Returns a function that writes one more field."""

    @made_rule
    def write(s, place, out):  # type: ignore[no-untyped-def]
        return write_field_to(s[name], least, spread, before(s, place, out), out)

    write.__qualname__ = f"write.{name}"  # see compiler: linked by name
    return write


def write_field_to(values: Any, least: float, spread: float, place: int, out: Any) -> int:
    """Writes one field from a place on and returns the place after it."""
    for value in np.ravel(values):
        out[place] = (value - least) / spread
        place += 1
    return place
