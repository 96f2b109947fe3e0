"""Getting a game compiled: its rules, and the search that plays it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from foxden.engine.kernel import COMPILE, cache_folder, sources
from foxden.engine.registry import folder_of, module_of

if TYPE_CHECKING:
    from foxden.engine.game import Game

SEARCH = 4  # what compiling the search weighs beside one rule


def prepare(game: Game, report: Callable[[float], None] = lambda done: None) -> None:
    """Compiles all that bots and tables need of a game, or loads it; reports how far it is."""
    from foxden.bots import ismcts
    from foxden.engine import compiled

    compiled.prepare(game, lambda done, of: report(done / (of + SEARCH)))
    ismcts.prepare(game)
    if COMPILE != "never":
        stamp(game.name).touch()


def is_prepared(game: str) -> bool:
    """Returns whether a game was compiled before, so that `prepare` only loads it."""
    return COMPILE != "never" and stamp(game).exists()


@cache
def _sources(game: str) -> str:
    """Names the files that were compiled as Numba does: by their places and times.

    The folder of compiled rules goes by the sources' content alone; two copies of them share it,
    and each has to be compiled.
    """
    files = [*(file for _, file in sources()), *sorted(folder_of(module_of(game)).rglob("*.py"))]
    facts = [(str(file), file.stat().st_mtime_ns) for file in files]
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def stamp(game: str) -> Path:
    """Returns the file that says that a game is compiled; beside the compiled rules themselves."""
    return cache_folder() / f"{game}-{_sources(game)}.compiled"
