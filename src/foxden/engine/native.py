"""Conversion of NumPy's numbers and texts, and of digits, to Python's."""

from __future__ import annotations

import re
from operator import index
from typing import Any

import numpy as np

WRITTEN = re.compile(r"0|[1-9][0-9]*")


def native(value: Any) -> Any:
    """Returns an integer, bool or text of NumPy (or similar) as Python's; else the value itself."""
    if type(value) is int or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, np.bool_):
        return bool(value)
    try:
        return index(value)
    except TypeError:
        return value


def whole(value: Any) -> int | None:
    """Returns a whole number as Python's own; None for anything else, including 3.0 and True."""
    number = native(value)
    return number if type(number) is int else None


def digits(text: str, most: int = 18) -> int | None:
    """Reads a number as programs write it; returns None for anything else.

    It refuses digits other than 0 to 9, signs, spaces, leading zeros, and more than `most` digits.
    """
    return int(text) if len(text) <= most and WRITTEN.fullmatch(text) else None
