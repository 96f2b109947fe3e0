"""Foxden: five fox-themed table games to play, to write bots for, and to design with."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from foxden.engine.errors import (
    BadNotation,
    BadOption,
    BadParts,
    BadRecord,
    BadSeats,
    BadSeed,
    CacheUnwritable,
    FoxdenError,
    IllegalAction,
    MatchOver,
    NothingToUndo,
    NotYourTurn,
    UnknownBot,
    UnknownGame,
    WrongRules,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foxden.engine.game import Action, Game
    from foxden.engine.match import Match
    from foxden.engine.rng import Stream

    __version__: str

    # At run time `foxden.games` is the package of that name, which is callable.
    def games() -> tuple[str, ...]:
        """Names all games."""


__all__ = [
    "Action",
    "BadNotation",
    "BadOption",
    "BadParts",
    "BadRecord",
    "BadSeats",
    "BadSeed",
    "CacheUnwritable",
    "FoxdenError",
    "Game",
    "IllegalAction",
    "Match",
    "MatchOver",
    "NotYourTurn",
    "NothingToUndo",
    "UnknownBot",
    "UnknownGame",
    "WrongRules",
    "__version__",
    "game",
    "games",
    "new",
    "prepare",
]

_HOMES = {
    "Action": "foxden.engine.game",
    "Game": "foxden.engine.game",
    "Match": "foxden.engine.match",
}


def __getattr__(name: str) -> Any:
    """Imports modules that are slow or need the compiler only on first use."""
    if name == "__version__":
        return import_module("importlib.metadata").version("foxden")
    if name == "games":
        return import_module("foxden.games")
    if name in _HOMES:
        import_module("foxden.games")  # so that records find their games
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'foxden' has no attribute {name!r}")


def game(name: str) -> Game:
    """Returns a game by its name."""
    import_module("foxden.games")
    from foxden.engine.registry import find

    return find(name)


def prepare(name: str) -> None:
    """Compiles a game's rules, or loads them: matches then play a hundred times as fast.

    Without it rules run as Python, which is fast enough for people and starts at once.
    """
    from foxden.engine.compiled import ensure

    ensure(game(name))


def new(
    name: str,
    *,
    seats: int | None = None,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    parts: Mapping[str, Any] | None = None,
    names: Sequence[str] | Mapping[int, str] = (),
    stream: Stream = "keyed",
) -> Match:
    """Deals a new match; defaults: printed parts, the usual seats, a random seed."""
    from foxden.engine.match import Match

    deal = partial(Match, game(name), seats=seats, seed=seed, stream=stream)
    return deal(options=options, parts=parts, names=names)
