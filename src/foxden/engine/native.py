"""Python's own numbers and texts, for whoever comes with NumPy's."""

from __future__ import annotations

import re
from operator import index
from typing import Any

import numpy as np

WRITTEN = re.compile(r"0|[1-9][0-9]*")


def native(value: Any) -> Any:
    """Returns a number, bool or text of NumPy, or its like, as Python's own; else the value."""
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
    """Returns a whole number as Python's own; None for anything else, 3.0 and True too."""
    number = native(value)
    return number if type(number) is int else None


def digits(text: str, most: int = 18) -> int | None:
    """Returns the number that is written there as a program writes it; None for anything else.

    Other digits than 0 to 9, signs, spaces and leading zeros write no number, nor do more than
    `most` digits.
    """
    return int(text) if len(text) <= most and WRITTEN.fullmatch(text) else None
