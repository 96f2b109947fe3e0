"""Python's own numbers, for whoever comes with NumPy's."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np


def native(value: Any) -> Any:
    """Returns a whole number or a bool of NumPy, or its like, as Python's own; else the value."""
    if type(value) is int or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    try:
        return index(value)
    except TypeError:
        return value
