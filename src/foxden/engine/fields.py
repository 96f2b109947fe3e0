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
from foxden.engine.kernel import COMPILED, OPTIONS, layout, rule


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
    every = (*COMMON, *fields)
    names = tuple(field.name for field in every)
    least = tuple(float(field.least) for field in every)
    spread = tuple(float(field.most - field.least) for field in every)

    @rule
    def features(s, seat, out):  # type: ignore[no-untyped-def]
        """Writes every field, scaled."""
        place = 0
        number = 0
        for name in numba.literal_unroll(names):
            place = _write(s[name], least[number], spread[number], place, out)
            number += 1  # noqa: SIM113 - Numba does not enumerate what it unrolls

    return features


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
