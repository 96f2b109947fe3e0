"""Compiling a game: its rules, and the search that plays it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from foxden.engine.kernel import COMPILE, cache_folder, sources
from foxden.engine.registry import folder_of, module_of

if TYPE_CHECKING:
    from foxden.engine.game import Game

SEARCH = 4  # the cost of compiling the search, in rules


def prepare(game: Game, report: Callable[[float], None] = lambda done: None) -> None:
    """Compiles everything bots and tables need of a game, or loads it; reports progress."""
    from foxden.bots import ismcts
    from foxden.bots.levels import levels
    from foxden.engine import compiled

    compiled.prepare(game, lambda done, of: report(done / (of + SEARCH)))
    ismcts.prepare(game)
    if any(level.look for level in levels(game)):
        from foxden.bots import netsearch

        netsearch.prepare(game)
    if COMPILE != "never":
        stamp(game.name).touch()


class SecondHand:
    """A second process that compiles the same game from the other end."""

    def __init__(self, game: Game, *, search: bool) -> None:
        """Notes what to compile; `begin` starts it."""
        self._command = [sys.executable, "-m", __name__, game.name, *(["search"] if search else [])]
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Starts it once, if a second core could help."""
        if self._process is None and (os.cpu_count() or 1) > 1 and COMPILE != "never":
            self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)

    def wait(self) -> None:
        """Waits until it is done."""
        if self._process is not None:
            self._process.wait()

    def __enter__(self) -> SecondHand:
        """Begins with nothing."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends it; this process does the rest."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def main() -> None:
    """Compiles a named game, optionally its search first."""
    import foxden

    game = foxden.game(sys.argv[1])
    if "search" in sys.argv[2:]:
        from foxden.bots import ismcts

        ismcts.prepare(game)
        return
    from foxden.engine import compiled

    compiled.prepare(game, backwards=True)


def is_prepared(game: str) -> bool:
    """Returns whether a game was compiled before, so that `prepare` only loads it."""
    return COMPILE != "never" and stamp(game).exists()


@cache
def _sources(game: str) -> str:
    """Identifies the compiled files as Numba does: by path and time.

    The folder of compiled rules depends only on the sources' content; two copies of them share
    it, and each must be compiled.
    """
    files = [*(file for _, file in sources()), *sorted(folder_of(module_of(game)).rglob("*.py"))]
    facts = [(str(file), file.stat().st_mtime_ns) for file in files]
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def stamp(game: str) -> Path:
    """Returns the file that marks a game as compiled, beside the compiled rules."""
    return cache_folder() / f"{game}-{_sources(game)}.compiled"


if __name__ == "__main__":
    main()
