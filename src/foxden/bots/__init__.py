"""Bots: players that are given what their seat may know, and answer with an action."""

from __future__ import annotations

import difflib
import random
import re
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from foxden.engine import doors
from foxden.engine.errors import UnknownBot
from foxden.engine.game import Action, Game
from foxden.engine.match import Match
from foxden.engine.rng import derive_seed, split_seed


@dataclass(frozen=True)
class Position:
    """What a bot is given. `wiped` is a copy that holds nothing the seat may not know."""

    game: Game
    seat: int
    wiped: Any  # an array with one state; compiled rules take it as (wiped, 0, …)
    legal: tuple[Action, ...]
    seed: int  # for choices by chance, so that a series can be repeated
    seconds: float | None = None  # how long the bot may think


class Bot(Protocol):
    """Anything with a name that chooses one of the legal actions."""

    name: str

    def choose(self, position: Position) -> Action | int:
        """Gives the action to play, or its id."""


class RandomBot:
    """Plays any legal action, all equally likely."""

    name = "random"

    def choose(self, position: Position) -> Action:
        """Draws one."""
        return random.Random(position.seed).choice(position.legal)


class GreedyBot:
    """Plays what the game's own rule of thumb says."""

    name = "greedy"

    def choose(self, position: Position) -> int:
        """Asks the game."""
        out = np.zeros(position.game.actions, np.int64)
        return int(doors.greedy_of(position.wiped, 0, out, *split_seed(position.seed)))


BOTS = ("random", "greedy", "search")


def find_bot(name: str) -> Bot:
    """Makes the bot of that name; a search may be bounded, as in `search:500` or `search:0.1s`."""
    plain, colon, bound = name.partition(":")
    if plain not in BOTS:
        near = difflib.get_close_matches(plain, BOTS, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UnknownBot(f"There is no bot {name!r}; there are {', '.join(BOTS)}.{hint}")
    if plain == "search":
        from foxden.bots.ismcts import SearchBot  # compiles more, so only when it is wanted

        if not colon:
            return SearchBot()
        if bound.isdecimal() and int(bound) > 0:
            return SearchBot(name, simulations=int(bound))
        if re.fullmatch(r"[0-9]+(\.[0-9]+)?s", bound) and float(bound[:-1]) > 0:
            return SearchBot(name, seconds=float(bound[:-1]))
        raise UnknownBot(f"Bound a search as in search:500 or search:0.1s, not {name!r}.")
    if colon:
        raise UnknownBot(f"{plain.capitalize()} takes no bound, as in {name!r}.")
    return RandomBot() if plain == "random" else GreedyBot()


def position_of(match: Match, *, seed: int, seconds: float | None = None) -> Position:
    """Gives what a bot is told when it plays for the seat asked."""
    seat = match.to_act
    if seat is None:
        raise ValueError("nobody is asked: the match is over")
    return Position(
        game=match.game,
        seat=seat,
        wiped=match.wiped(seat),
        legal=match.legal(),
        seed=derive_seed(seed, match.ply),
        seconds=seconds,
    )


def ask(bot: Bot, match: Match, *, seed: int, seconds: float | None = None) -> Action:
    """Lets a bot choose for the seat asked, from what that seat may know."""
    return match.game.action(bot.choose(position_of(match, seed=seed, seconds=seconds)))
