"""The games. Only this list names them all; installed packages may add more."""

from __future__ import annotations

import sys
from types import ModuleType

from foxden.engine.registry import register, register_installed, registered

NAMES = ("happy-fox", "fox-and-squirrels", "foxy-and-woolly", "fox-grove", "slyest-fox")
for _name in NAMES:
    register(_name, f"{__name__}.{_name.replace('-', '_')}")
register_installed()


class _Games(ModuleType):
    """Lets `foxden.games()` return the games' names, although the package has the same name."""

    def __call__(self) -> tuple[str, ...]:
        """Returns the names of all games."""
        return registered()


sys.modules[__name__].__class__ = _Games
