"""Tables in a terminal: drawn by the game, or from their shapes."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rich.console import RenderableType

from foxden.engine.game import Game
from foxden.terminal import plain


def draw(game: Game, view: dict[str, Any]) -> RenderableType:
    """Draws a view with the game's module `terminal`, or without one from its shapes."""
    own = f"{game.package}.terminal"
    if find_spec(own) is None:
        return plain.draw(view, game.title)
    drawing: RenderableType = import_module(own).draw(view)
    return drawing
