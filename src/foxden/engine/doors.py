"""The former name of `foxden.engine.compiled`; removed in the next version."""

from __future__ import annotations

import warnings
from typing import Any

from foxden.engine import compiled


def __getattr__(name: str) -> Any:
    """Returns a name of the new module, with a warning."""
    value = getattr(compiled, name)
    message = f"foxden.engine.doors.{name} is now foxden.engine.compiled.{name}."
    warnings.warn(message, DeprecationWarning, stacklevel=2)
    return value
