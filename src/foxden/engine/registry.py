"""The registry of games by name. Listing games does not need the compiler."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxden.engine.errors import UnknownGame

if TYPE_CHECKING:
    from foxden.engine.game import Game

GROUP = "foxden.games"  # the entry point by which other packages bring games
_modules: dict[str, str] = {}


@dataclass(frozen=True)
class About:
    """What is printed on a game's box: the file about.toml of its folder."""

    name: str  # as people type it: "happy-fox"
    title: str
    blurb: str  # one sentence
    seats: tuple[int, ...]  # the numbers of seats that can play, some with options of their own
    usual: int  # the default number of seats
    kind: str = "table game"
    minutes: str = "a few"
    quick: Mapping[str, Any] = field(default_factory=dict)  # the options if nobody chooses any


def register(name: str, module: str) -> None:
    """Registers a game's module; it is imported on first use."""
    _modules[name] = module


def register_installed() -> None:
    """Registers the games of other installed packages, by the entry point foxden.games."""
    for found in entry_points(group=GROUP):
        if found.name not in _modules:
            register(found.name, found.value)


def registered() -> tuple[str, ...]:
    """Names all games."""
    return tuple(_modules)


def folder_of(module: str) -> Path:
    """Returns a game's folder without importing the game."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise UnknownGame(f"There is no module {module}.")
    return Path(spec.origin).parent


def read_about(module: str) -> About:
    """Reads a game's box without importing the game."""
    facts = tomllib.loads((folder_of(module) / "about.toml").read_text(encoding="utf-8"))
    name = module.rpartition(".")[2].replace("_", "-")
    return About(**{"name": name} | facts | {"seats": tuple(facts["seats"])})


def about(name: str) -> About:
    """Returns what is printed on the box of the game of that name."""
    return read_about(module_of(name))


def find(name: str) -> Game:
    """Returns the game of that name."""
    game: Game = import_module(module_of(name)).GAME
    return game


def module_of(name: str) -> str:
    """Returns the module of a game."""
    if not isinstance(name, str) or name not in _modules:
        near = difflib.get_close_matches(str(name), _modules, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UnknownGame(f"There is no game {name!r}; there are {', '.join(_modules)}.{hint}")
    return _modules[name]
