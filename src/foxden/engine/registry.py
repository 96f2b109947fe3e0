"""Where games are found by name. Nothing here needs the compiler: a list of games is quick."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module, resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxden.engine.errors import UnknownGame

if TYPE_CHECKING:
    from foxden.engine.game import Game

_modules: dict[str, str] = {}


@dataclass(frozen=True)
class About:
    """What is printed on a game's box: the file about.toml of its folder."""

    name: str  # as people type it: "happy-fox"
    title: str
    blurb: str  # one sentence
    kind: str
    minutes: str
    seats: tuple[int, ...]  # the numbers of seats that can play, some with options of their own
    usual: int  # how many sit down if nobody says
    quick: Mapping[str, Any] = field(default_factory=dict)  # options where nobody chooses any


def register(name: str, module: str) -> None:
    """Says in which module a game is found; it is imported when first asked for."""
    _modules[name] = module


def registered() -> tuple[str, ...]:
    """Names all games."""
    return tuple(_modules)


def read_about(name: str, module: str) -> About:
    """Reads a game's box without opening it."""
    package, _, folder = module.rpartition(".")
    file = Path(str(resources.files(package))) / folder / "about.toml"
    facts = tomllib.loads(file.read_text(encoding="utf-8"))
    return About(name, **facts | {"seats": tuple(facts["seats"])})


def about(name: str) -> About:
    """Returns what is printed on the box of the game of that name."""
    return read_about(name, _module(name))


def find(name: str) -> Game:
    """Returns the game of that name."""
    game: Game = import_module(_module(name)).GAME
    return game


def _module(name: str) -> str:
    if name not in _modules:
        near = difflib.get_close_matches(str(name), _modules, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UnknownGame(f"There is no game {name!r}; there are {', '.join(_modules)}.{hint}")
    return _modules[name]
