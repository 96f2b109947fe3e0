"""Where each game says what its laws are held to."""

from importlib import import_module
from importlib.util import find_spec

import foxden
from foxden.engine.laws import Truth


def truth(name: str) -> Truth:
    """Returns a game's truth: from its folder here, or from the test in its own package."""
    short = name.replace("-", "_")
    here = f"tests.games.{short}.truth"
    known = find_spec(f"tests.games.{short}") is not None
    found: Truth = import_module(
        here if known else f"{foxden.game(name).package}.test_{short}"
    ).TRUTH
    return found
