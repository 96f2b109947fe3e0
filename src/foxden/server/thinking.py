"""Where bots and hints think: in a few threads, outside the GIL, on wiped states only."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING

import structlog

from foxden.bots import LEVELS, GreedyBot, Position, hints, level_bot, position_of
from foxden.bots.levels import levels
from foxden.engine.rng import SEED_BITS

if TYPE_CHECKING:
    from foxden.bots.ismcts import Hint
    from foxden.engine.game import Game
    from foxden.engine.match import Match

log = structlog.get_logger()
LONGEST = 1.0  # seconds that a bot may think
STAND_IN = 4  # the level that plays for somebody who left, or is late, where no bot sits


class Thinking:
    """The threads of this process; what is asked first is thought first."""

    def __init__(self, threads: int) -> None:
        """Makes the threads; they start when they are needed."""
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._closing = Event()

    def close(self) -> None:
        """Ends what is being thought; it comes to nothing."""
        self._closing.set()
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def choose(self, match: Match, level: int) -> int:
        """Lets a bot of a level decide for the seat asked; a bot that fails gives way to greed."""
        position = self._position(match)
        if len(position.legal) == 1:
            return position.legal[0].id
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, self._decide, position, level
        )

    def _decide(self, position: Position, level: int) -> int:
        try:
            chosen = int(level_bot(level).choose(position))
            if chosen in {action.id for action in position.legal}:
                return chosen
            log.error("bot chose what is not legal", game=position.game.name, level=level)
        except Exception:
            log.exception("bot failed", game=position.game.name, level=level)
        return GreedyBot().choose(position)

    @staticmethod
    def longest(game: Game, level: int) -> float:
        """Gives the seconds that a level thinks at most, where it is bounded by time."""
        return levels(game)[level - 1].seconds or 0.0

    async def hints(self, match: Match) -> list[Hint]:
        """Thinks for the seat asked as strongly as there is, and lists its moves."""
        position = self._position(match)
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, hints, position, LONGEST
        )

    def _position(self, match: Match) -> Position:
        return position_of(
            match,
            seed=secrets.randbits(SEED_BITS),  # of its own: the match's seed stays where it is
            seconds=LONGEST,
            cancelled=self._closing.is_set,
        )


def bot_name(level: int, taken: set[str]) -> str:
    """Names a bot of a level so that no two at a table are called the same."""
    name, number = LEVELS[level - 1], 1
    while name in taken:
        number += 1
        name = f"{LEVELS[level - 1]} {number}"
    return name
