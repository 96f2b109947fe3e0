"""Bots: players that get what their seat may know, and return an action."""

from __future__ import annotations

import contextlib
import difflib
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from foxden.engine import compiled
from foxden.engine.errors import UnknownBot
from foxden.engine.game import Action, Game
from foxden.engine.kernel import copied, to_known
from foxden.engine.match import Match
from foxden.engine.native import digits, native, whole
from foxden.engine.rng import derive_seed, split_seed

if TYPE_CHECKING:
    from foxden.bots.ismcts import Hint

# The names of the levels, weakest first; each game's levels.toml defines them.
LEVELS = ("Cub", "Yearling", "Prowler", "Vixen", "Old Fox")


def never() -> bool:
    """Returns False."""
    return False


@dataclass(frozen=True)
class Position:
    """A bot's input. `wiped` is a copy without anything the seat may not know."""

    game: Game
    seat: int
    wiped: Any  # an array with one state; compiled rules take it as (wiped, 0, …)
    legal: tuple[Action, ...]
    seed: int  # for random choices, so runs can be repeated
    seconds: float | None = None  # how long the bot may think
    cancelled: Callable[[], bool] = never  # check it about every 10 ms; when true, return

    @property
    def seats(self) -> int:
        """Counts the seats."""
        return int(to_known(self.wiped, 0).seats)

    @property
    def together(self) -> bool:
        """Returns whether all seats play for one result."""
        return bool(to_known(self.wiped, 0).together)


class Bot(Protocol):
    """Anything with a name that chooses one of the legal actions."""

    name: str

    def choose(self, position: Position) -> Action | int:
        """Returns the action to play, or its id."""


class RandomBot:
    """Plays a random legal action, uniformly."""

    name = "random"

    def choose(self, position: Position) -> Action:
        """Draws one."""
        return random.Random(native(position.seed)).choice(position.legal)


class GreedyBot:
    """Plays by the game's own rule of thumb."""

    name = "greedy"

    def choose(self, position: Position) -> int:
        """Asks the game."""
        out = np.zeros(position.game.actions, np.int64)
        own = copied(position.wiped, 0)  # its stream goes into it
        return int(compiled.greedy_of(own, 0, out, *split_seed(native(position.seed))))


NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"
BOTS = ("random", "greedy", "search", "level", "net")


def find_bot(name: str) -> Bot:
    """Makes the bot of that name.

    A level is named by its number, as in `level:3`. A search takes a limit and settings, as in
    `search:500`, `search:0.1s` or `search:500:greedy=0.2:margin=0.5`. A network plays its first
    choice (`net`), draws from its policy (`net:drawn`, or `net:drawn=2.5` at a temperature), or
    looks ahead (`net:500`, `net:0.3s`).
    """
    plain, *rest = name.split(":")
    if plain not in BOTS:
        near = difflib.get_close_matches(plain, BOTS, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UnknownBot(f"There is no bot {name!r}; there are {', '.join(BOTS)}.{hint}")
    if plain == "level":
        number = digits(rest[0]) if len(rest) == 1 else None
        if number is None:
            raise UnknownBot(f"Name a level by its number, as in level:3, not {name!r}.")
        return level_bot(number)
    if plain == "search":
        return _search_bot(name, rest)
    if plain == "net":
        return _net_bot(name, rest)
    if rest:
        raise UnknownBot(f"{plain.capitalize()} takes no bound, as in {name!r}.")
    return RandomBot() if plain == "random" else GreedyBot()


def level_bot(number: int) -> Bot:
    """Makes the bot of a level, 1 to 5; it plays any game."""
    from foxden.bots.levels import LevelBot  # compiles more, so imported only when needed

    level = whole(number)
    if level is None or not 1 <= level <= len(LEVELS):
        names = ", ".join(f"{n} {title}" for n, title in enumerate(LEVELS, 1))
        raise UnknownBot(f"There is no level {number!r}; there are {names}.")
    return LevelBot(level)


def _search_bot(name: str, rest: list[str]) -> Bot:
    from foxden.bots.ismcts import SearchBot, Settings

    return SearchBot(name, **_read_bounds(name, rest or ["0.5s"], Settings))


def _net_bot(name: str, rest: list[str]) -> Bot:
    from foxden.bots.net import NetBot

    if not rest:
        return NetBot()
    if drawn := re.fullmatch(rf"drawn(?:=({NUMBER}))?", ":".join(rest)):
        temperature = float(drawn[1] or 1)
        if temperature == 0:
            raise UnknownBot("A temperature lies above 0; without one a network plays as net.")
        return NetBot(temperature=temperature)
    from foxden.bots.netsearch import NetSearchBot, Settings

    return NetSearchBot(name, **_read_bounds(name, rest, Settings))


def _read_bounds(name: str, rest: list[str], settings: type[Any]) -> dict[str, Any]:
    """Parses a bot's limit and settings."""
    plain = name.partition(":")[0]
    bound, *changes = rest
    found: dict[str, Any] = {}
    for change in changes:
        field, _, value = change.partition("=")
        if field not in settings.__annotations__ or not re.fullmatch(NUMBER, value):
            fields = ", ".join(settings.__annotations__)
            known = f"{fields}, as in {next(iter(settings.__annotations__))}=0.5"
            raise UnknownBot(f"Change {_a(plain)} by {known}, not {change!r}.")
        found[field] = float(value) if "." in value else int(value)
    try:
        settings(**found)
    except ValueError as error:
        raise UnknownBot(str(error)) from None
    if re.fullmatch(r"[1-9][0-9]{0,9}", bound):
        return {"simulations": int(bound), "changes": found}
    if re.fullmatch(f"{NUMBER}s", bound) and float(bound[:-1]) > 0:
        return {"seconds": float(bound[:-1]), "changes": found}
    raise UnknownBot(f"Bound {_a(plain)} as in {plain}:500 or {plain}:0.1s, not {name!r}.")


def _a(plain: str) -> str:
    return {"net": "a network"}.get(plain, f"a {plain}")


def hints(position: Position, seconds: float = 1.0) -> list[Hint]:
    """Thinks about a position and lists its actions, the best first.

    If the strongest level is a network that does not look ahead, its policy ranks the actions,
    and a search estimates their value.

    Call it in a thread: it runs outside the GIL. It ends early when `position.cancelled` says so.
    """
    from foxden.bots.ismcts import SearchBot
    from foxden.bots.levels import levels
    from foxden.bots.net import NetBot, NoNetwork

    strongest = levels(position.game)[-1]
    if strongest.look:
        from foxden.bots.netsearch import NetSearchBot

        with contextlib.suppress(NoNetwork):
            bot = NetSearchBot(seconds=seconds, changes=strongest.how, patient=True)
            return bot.think(position).hints()
    found = SearchBot(seconds=seconds, patient=True).think(position).hints()
    if strongest.trusts_network(position):
        with contextlib.suppress(NoNetwork):
            shares = NetBot().shares(position)
            found = [replace(hint, share=shares[hint.action.id]) for hint in found]
            found.sort(key=lambda hint: (-hint.share, -hint.result))
    return found


def position_of(
    match: Match,
    *,
    seed: int,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = never,
) -> Position:
    """Returns the position a bot gets for the seat to act."""
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
        cancelled=cancelled,
    )


def ask(bot: Bot, match: Match, *, seed: int, seconds: float | None = None) -> Action:
    """Lets a bot choose for the seat to act, from what that seat may know."""
    return match.game.action(bot.choose(position_of(match, seed=seed, seconds=seconds)))
