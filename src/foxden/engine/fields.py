"""A state declared field by field: its layout, its observation tensor and its spec sheet in one.

A game that declares `FIELDS` needs no `features` of its own: its tensor is the wiped state, each
number scaled to 0 … 1, and nobody counts offsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.extending import overload

from foxden.engine.contract import HEAD
from foxden.engine.game import Feature
from foxden.engine.kernel import COMPILED, OPTIONS, layout


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
        """Returns the field for a layout, arrays as small as their numbers allow."""
        small = self.shape and self.least >= -128 and self.most <= 127
        return (self.name, "i1" if small else "i8", *([self.shape] if self.shape else []))


# What every state begins with and a seat may know (foxden.engine.contract).
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
    write = _write_nothing
    for field in (*COMMON, *fields):
        write = _then(write, field.name, float(field.least), float(field.most - field.least))

    @_inner
    def features(s, seat, out):  # type: ignore[no-untyped-def]
        """Writes every field, scaled."""
        write(s, 0, out)

    return features


def _inner(function: Any) -> Any:
    """Compiles a function that is made here, for each game; whoever calls it is kept compiled."""
    return numba.njit(**OPTIONS)(function) if COMPILED else function


@_inner
def _write_nothing(s, place, out):  # type: ignore[no-untyped-def]
    """Begins."""
    return place


def _then(before: Any, name: str, least: float, spread: float) -> Any:
    """Returns a function that writes one more field."""

    @_inner
    def write(s, place, out):  # type: ignore[no-untyped-def]
        return _write(s[name], least, spread, before(s, place, out), out)

    return write


def _write(values: Any, least: float, spread: float, place: int, out: Any) -> int:
    """Writes one field from a place on and returns the place after it."""
    for value in np.ravel(values):
        out[place] = (value - least) / spread
        place += 1
    return place


def _compiled_write(values, least, spread, place, out):  # type: ignore[no-untyped-def]
    if isinstance(values, types.Integer):

        def write_one(values, least, spread, place, out):  # type: ignore[no-untyped-def]
            out[place] = (values - least) / spread
            return place + 1

        return write_one

    def write_all(values, least, spread, place, out):  # type: ignore[no-untyped-def]
        for value in values.flat:
            out[place] = (value - least) / spread
            place += 1
        return place

    return write_all


if COMPILED:
    overload(_write, strict=False, jit_options=OPTIONS)(_compiled_write)
