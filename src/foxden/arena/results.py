"""Results as plain data, ready for JSON."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

ROOTS = ("seed", "luck")  # written as digits: they are too large for JavaScript's numbers


def as_json(found: Any) -> dict[str, Any]:
    """Returns a result, which is a dataclass, as data that JSON can hold: unknown numbers as null.

    JSON has no infinity, and a reader must not take one for a number.
    """
    return {key: _plain(key, value) for key, value in asdict(found).items()}


def _plain(key: str, value: Any) -> Any:
    if key in ROOTS:
        return str(value)
    if isinstance(value, dict):
        return {inner: _plain(inner, held) for inner, held in value.items()}
    if isinstance(value, list | tuple):
        return [_plain("", held) for held in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
