"""The tables that environments are tried at."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import foxden
from foxden.engine.errors import FoxdenError
from foxden.engine.game import Game
from foxden.engine.match import Match
from foxden.envs.cuda import tables


def _param(name: str, seats: int, options: dict[str, Any]) -> Any:
    said = "-".join(f"{key}={value}" for key, value in options.items())
    return pytest.param(name, seats, options, id=f"{name}-{seats}{'-' if said else ''}{said}")


def every_seat_count() -> list[Any]:
    """Lists every game with every number of seats, with as few options as that takes."""
    found: dict[tuple[str, int], Any] = {}
    for name in foxden.games():
        for seats, options in tables(foxden.game(name)):
            found.setdefault((name, seats), _param(name, seats, options))
    return list(found.values())


def every_option() -> list[Any]:
    """Lists every game with every value of every option, with as few seats as that takes."""
    found: dict[tuple[str, str], Any] = {}
    for name in foxden.games():
        for seats, options in tables(foxden.game(name)):
            if options:
                found.setdefault((name, str(options)), _param(name, seats, options))
    return list(found.values())


def smallest() -> list[Any]:
    """Lists every game with the fewest seats."""
    return [_param(name, foxden.game(name).seats[0], {}) for name in foxden.games()]


def other_parts(game: Game) -> Iterator[dict[str, int]]:
    """Returns parts of which one printed number is changed, as far as the game allows it."""
    for path, value in numbers_in(game.printed):
        for changed in (value - 1, value + 1):
            try:
                Match(game, parts={path: changed})
            except FoxdenError:
                continue
            yield {path: changed}
            break


def numbers_in(parts: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, int]]:
    for name, value in parts.items():
        if isinstance(value, Mapping):
            yield from numbers_in(value, f"{prefix}{name}.")
        elif isinstance(value, int):
            yield f"{prefix}{name}", value
