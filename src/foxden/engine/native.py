"""Python's own numbers, for whoever comes with NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np


def native(value: Any) -> Any:
    """Returns a whole number or a bool of NumPy as Python's own, and anything else as it is."""
    return value.item() if isinstance(value, (np.integer, np.bool_)) else value
