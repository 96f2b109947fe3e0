"""Calibration: estimated chances against results."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foxden.bots import Bot, GreedyBot, ask
from foxden.engine.match import Match
from foxden.engine.rng import derive_seed
from foxden.review.judging import Budget, value
from foxden.review.rollouts import Rollouts, prepare

if TYPE_CHECKING:
    from foxden.engine.game import Game

BINS = 10
COLOURS = ("#a83f0b", "#2b568f", "#7a3a90", "#3b6a2f", "#8a5a00", "#9c2340", "#0f6a66", "#5b4a3d")
SIDE, EDGE = 360, 48  # of the plot


@dataclass(frozen=True)
class Bin:
    """Positions with about the same predicted chance."""

    count: int
    predicted: float  # mean
    happened: float  # share of wins
    error: float  # standard error of that share


@dataclass(frozen=True)
class Calibration:
    """One game's predicted chances compared with results."""

    game: str
    seats: int
    positions: int
    brier: float  # mean squared error of the predictions; 0 is perfect
    base: float  # the same for always predicting an even share
    bins: tuple[Bin, ...]

    @property
    def skill(self) -> float:
        """Returns the Brier skill score: 1 is perfect, 0 no better than an even share."""
        return 1 - self.brier / self.base if self.base else 0.0

    @property
    def bias(self) -> float:
        """Returns the mean distance of a bin from the diagonal, by its count."""
        return sum(b.count * abs(b.predicted - b.happened) for b in self.bins) / self.positions


def calibrate(
    game: Game,
    matches: int,
    seed: int,
    *,
    seats: int | None = None,
    bot: Bot | None = None,
    each: int = 4,
    budget: Budget | None = None,
    played: Callable[[], None] = lambda: None,
) -> Calibration:
    """Plays matches of a bot, by default the greedy one, and predicts winners midway.

    Predicts for one seat of each match, at a few of its positions, from what it knew.
    """
    prepare(game)
    bot = bot or GreedyBot()
    pairs: list[tuple[float, float]] = []
    for number in range(matches):
        match = Match(game, seats=seats, seed=derive_seed(seed, number))
        while not match.is_over:
            match.play(ask(bot, match, seed=derive_seed(match.seed, 1)))
        dice = random.Random(match.seed)
        seat = dice.randrange(match.seats)
        result = 1 / len(match.winners) if seat in match.winners else 0.0
        for ply in sorted(dice.sample(range(match.ply), min(each, match.ply))):
            then = match.at(ply)
            rollouts = Rollouts(game, then.wiped(seat), seat)
            pairs.append((value(rollouts, budget=budget)[0].value, result))
        played()
    even = 1 / match.seats
    return Calibration(
        game=game.name,
        seats=match.seats,
        positions=len(pairs),
        brier=sum((p - r) ** 2 for p, r in pairs) / len(pairs),
        base=sum((even - r) ** 2 for _, r in pairs) / len(pairs),
        bins=bins_of(pairs),
    )


def bins_of(pairs: list[tuple[float, float]]) -> tuple[Bin, ...]:
    """Sorts (predicted, happened) into tenths by what was predicted."""
    sorted_: dict[int, list[tuple[float, float]]] = {}
    for predicted, happened in pairs:
        sorted_.setdefault(min(BINS - 1, int(predicted * BINS)), []).append((predicted, happened))
    bins = []
    for _, members in sorted(sorted_.items()):
        n = len(members)
        happened = sum(result for _, result in members) / n
        bins.append(
            Bin(
                count=n,
                predicted=sum(p for p, _ in members) / n,
                happened=happened,
                error=math.sqrt(max(happened * (1 - happened), 1e-4) / n),
            )
        )
    return tuple(bins)


def reliability(found: Sequence[Calibration]) -> str:
    """Draws predicted chances against real ones as SVG; the diagonal is perfect."""

    def x(share: float) -> float:
        return EDGE + share * SIDE

    def y(share: float) -> float:
        return EDGE / 2 + (1 - share) * SIDE

    width, height = SIDE + EDGE * 5, SIDE + EDGE * 1.75
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width:g}" height="{height:g}" fill="#fbf4e4"/>',
        f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}" stroke="#8c7554" '
        'stroke-dasharray="4 4"/>',
        f'<rect x="{x(0)}" y="{y(1)}" width="{SIDE}" height="{SIDE}" fill="none" '
        'stroke="#2b1e13"/>',
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(
            f'<text x="{x(tick)}" y="{y(0) + 18}" text-anchor="middle">{tick:.0%}</text>'
            f'<text x="{x(0) - 8}" y="{y(tick) + 4}" text-anchor="end">{tick:.0%}</text>'
        )
    parts.append(
        f'<text x="{x(0.5)}" y="{y(0) + 38}" text-anchor="middle">predicted chance to win</text>'
        f'<text transform="rotate(-90 12 {y(0.5)})" x="12" y="{y(0.5)}" '
        'text-anchor="middle">share of wins</text>'
    )
    for number, one in enumerate(found):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(f"{x(b.predicted):.1f},{y(b.happened):.1f}" for b in one.bins)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
        for b in one.bins:
            low, high = max(0.0, b.happened - 2 * b.error), min(1.0, b.happened + 2 * b.error)
            parts.append(
                f'<line x1="{x(b.predicted):.1f}" x2="{x(b.predicted):.1f}" '
                f'y1="{y(low):.1f}" y2="{y(high):.1f}" stroke="{colour}"/>'
                f'<circle cx="{x(b.predicted):.1f}" cy="{y(b.happened):.1f}" r="4" '
                f'fill="{colour}"/>'
            )
        top = EDGE / 2 + 14 + 18 * number
        parts.append(
            f'<circle cx="{x(1) + 18}" cy="{top - 4}" r="4" fill="{colour}"/>'
            f'<text x="{x(1) + 28}" y="{top}">{one.game} ({one.brier:.3f})</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"
