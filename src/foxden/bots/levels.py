"""Levels: five opponents for each game, from one that a child beats to the strongest.

Each game defines its levels in levels.toml in its folder, tuned by playing.
"""

from __future__ import annotations

import contextlib
import random
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from foxden.bots import LEVELS, GreedyBot, Position
from foxden.bots.ismcts import SearchBot, read_levels
from foxden.bots.net import NetBot, NoNetwork, trained_for

if TYPE_CHECKING:
    from foxden.engine.game import Action, Game

# For unmeasured games: certainly in order, not evenly spaced.
UNMEASURED: tuple[dict[str, Any], ...] = (
    {"simulations": 0, "slips": 0.75},
    {"simulations": 0, "slips": 0.25},
    {"simulations": 100},
    {"simulations": 1000},
    {"seconds": 0.3, "worth": 30_000},
)
# Nothing can search before rules are compiled: levels up to this one slip, …
UNSEARCHED = 3
UNSEARCHED_SLIPS = (0.75, 0.4, 0.1, 0.0, 0.0)  # … and higher ones play by a network
GLANCE = 300  # simulations behind a blunder, …
EVEN = {"explore": 3.0, "trust": 0.0, "doubt": 0.0, "greedy": 0.0}  # … spread over all actions
MEASURED = 10  # a time limit is measured with this fraction of its simulations


@dataclass(frozen=True)
class Level:
    """The definition of a level."""

    number: int
    name: str
    simulations: int | None = None  # of each decision; 0 plays what the game's greedy player does
    seconds: float | None = None  # instead of simulations
    worth: int | None = None  # simulations those seconds allow on one idle core …
    worth_together: int | None = None  # … where all seats play for one result
    slips: float = 0.0  # share of random decisions
    blunders: float = 0.0  # share of decisions for the worst action of a short search
    # If a network was trained for the table, it replaces all that:
    temperature: float | None = None  # draws at this, in usual gaps; 0 plays its first choice
    look: float | None = None  # seconds that it looks ahead, …
    look_worth: int | None = None  # … and the simulations these allow on one idle core …
    look_heat: float = 1.0  # … with its policy flattened so far
    most_seats: int | None = None  # where more people sit, a search is stronger: no network

    @property
    def by_network(self) -> bool:
        """Returns whether a network plays, if one was trained for the table."""
        return self.temperature is not None

    def trusts_network(self, position: Position) -> bool:
        """Returns whether a network plays with so many seats, if one was trained for the table."""
        return self.by_network and (self.most_seats is None or position.seats <= self.most_seats)

    @property
    def searches(self) -> bool:
        """Returns whether it spends most of its time searching, given its network."""
        if self.by_network and self.most_seats is None:
            return bool(self.look)
        return self.simulations != 0

    @property
    def how(self) -> dict[str, float]:
        """Returns the settings with which its network looks ahead."""
        return {"heat": self.look_heat}

    @property
    def says(self) -> str:
        """Describes what the level does for each decision."""
        if self.look is not None:
            return f"the network, looking ahead {self.look:g} s ({self.look_worth:,} simulations)"
        if self.by_network:
            heat = self.temperature
            does = f"the network's choice{f', drawn at temperature {heat:g}' if heat else ''}"
            if self.most_seats:
                does += f"; with more than {self.most_seats} seats {self.seconds:g} s of search"
            return does
        if self.slips + self.blunders == 1:
            does = "any legal action"
        elif self.simulations == 0:
            does = "the greedy player's choice"
        elif self.simulations is not None:
            does = f"{self.simulations:,} simulations"
        else:
            does = f"{self.seconds:g} s, measured with {self.measured:,} simulations"
        if 0 < self.slips < 1 - self.blunders:
            does += f"; {self.slips:.0%} left to chance"
        return f"{does}; {self.blunders:.0%} blunders" if self.blunders else does

    @property
    def measured(self) -> int | None:
        """Returns the simulations that replace the time limit for repeatable results."""
        return self.simulations if self.worth is None else self.worth // MEASURED

    @property
    def measured_together(self) -> int | None:
        """Returns the same where all seats play for one result."""
        worth = self.worth_together
        return self.measured if worth is None else worth // MEASURED


@cache
def levels(game: Game) -> tuple[Level, ...]:
    """Returns the levels of a game, the weakest first."""
    found = read_levels(game).get("level", UNMEASURED)
    return tuple(
        Level(number, name, **facts)
        for number, (name, facts) in enumerate(zip(LEVELS, found, strict=True), 1)
    )


class LevelBot:
    """Plays any game at one level."""

    def __init__(self, number: int, *, measured: bool = False) -> None:
        """Takes the level's number, 1 to 5; a measured one is limited only by simulations."""
        self.number = number
        self.measured = measured
        self.name = f"level:{number}"
        self.title = LEVELS[number - 1]

    def choose(self, position: Position) -> Action | int:
        """Plays by the level's network; without one, slips now and then, or searches."""
        if len(position.legal) == 1:
            return position.legal[0]
        level = levels(position.game)[self.number - 1]
        if level.trusts_network(position):
            with contextlib.suppress(NoNetwork):
                return self._by_network(level, position)
        if not isinstance(position.wiped, np.ndarray):
            return self._without_search(position)
        dice = random.Random(f"slips {position.seed}")
        luck = dice.random()
        if luck < level.blunders:
            return worst(position)
        if luck < level.blunders + level.slips:
            return dice.choice(position.legal)
        if level.simulations == 0:
            return GreedyBot().choose(position)
        if self.measured:
            bound = level.measured_together if position.together else level.measured
            return SearchBot(simulations=bound).choose(position)
        return SearchBot(simulations=level.simulations, seconds=level.seconds).choose(position)

    def _by_network(self, level: Level, position: Position) -> Action | int:
        if level.look is None:
            heat = trained_for(position).gap * (level.temperature or 0.0)
            return NetBot(temperature=heat).choose(position)
        from foxden.bots.netsearch import NetSearchBot  # compiles more

        if self.measured:
            return NetSearchBot(simulations=level.look_worth, changes=level.how).choose(position)
        return NetSearchBot(seconds=level.look, changes=level.how).choose(position)

    def _without_search(self, position: Position) -> Action | int:
        """Plays about as well before the game's rules are compiled."""
        dice = random.Random(f"slips {position.seed}")
        if dice.random() < UNSEARCHED_SLIPS[self.number - 1]:
            return dice.choice(position.legal)
        if self.number > UNSEARCHED:
            with contextlib.suppress(NoNetwork):
                return NetBot().choose(position)
        return GreedyBot().choose(position)


def worst(position: Position) -> Action:
    """Returns the worst action of a short search."""
    found = SearchBot(simulations=GLANCE, changes=EVEN, patient=True).think(position).hints()
    return min(found, key=lambda hint: hint.result).action if found else position.legal[0]
