"""Bots of an experiment, by name: Foxden's own, or a class in a file (`mybots.py:Mine`)."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

from foxden.bots import Bot, find_bot
from foxden.bots.levels import LevelBot
from foxden.engine.errors import UnknownBot
from foxden.lab.tracing import GREEDY, RANDOM

COMPILED = {"random": RANDOM, "greedy": GREEDY}  # bots whose whole matches run compiled


def find_player(name: str) -> Bot:
    """Makes a bot by name; a level is limited by simulations, to be repeatable."""
    file, colon, inside = name.rpartition(":")
    if colon and file.endswith(".py"):
        return _own(file, inside)
    bot = find_bot(name)
    if isinstance(bot, LevelBot):
        return LevelBot(bot.number, measured=True)
    if getattr(bot, "seconds", None) is not None:
        message = f"{name} is bounded by time, so no result could be repeated: write search:500."
        raise UnknownBot(message)
    return bot


def _own(file: str, inside: str) -> Bot:
    kind = getattr(_module(str(Path(file).resolve())), inside, None)
    if kind is None:
        raise UnknownBot(f"{file} has no {inside!r}.")
    bot: Bot = kind() if isinstance(kind, type) else kind
    if not callable(getattr(bot, "choose", None)):
        raise UnknownBot(f"{inside} of {file} is no bot: it has no method `choose`.")
    return bot


@cache
def _module(file: str) -> Any:
    """Runs a file as a module."""
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    if spec is None or spec.loader is None or not Path(file).exists():
        raise UnknownBot(f"{file} cannot be read.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UnknownBot(f"{file} cannot be run: {type(error).__name__}: {error}.") from error
    return module


def all_compiled(bots: list[str]) -> bool:
    """Returns whether whole matches between these bots run compiled."""
    return all(name in COMPILED for name in bots)
