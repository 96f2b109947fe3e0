"""Conversion of NumPy numbers to Python's."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np


def native(value: Any) -> Any:
    """Returns an integer or bool of NumPy (or similar) as Python's own; else the value itself."""
    if type(value) is int or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    try:
        return index(value)
    except TypeError:
        return value
