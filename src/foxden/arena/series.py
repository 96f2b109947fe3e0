"""A series of matches between bots that change seats from match to match."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from foxden.bots import Bot, ask
from foxden.engine.game import Game
from foxden.engine.match import Match
from foxden.engine.rng import derive_seed

Z = 1.96  # 95 % confidence


@dataclass(frozen=True)
class Share:
    """An estimate with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Writes value and interval."""
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


def win_share(wins: float, matches: int) -> Share:
    """Estimates a share of wins (Wilson's interval); a win shared by k counts 1/k."""
    if not matches:
        return Share(math.nan, 0.0, 1.0)
    p, z2 = wins / matches, Z * Z / matches
    centre = (p + z2 / 2) / (1 + z2)
    half = Z / (1 + z2) * math.sqrt(p * (1 - p) / matches + z2 / (4 * matches))
    return Share(p, max(0.0, centre - half), min(1.0, centre + half))


def mean(values: Sequence[float]) -> Share:
    """Estimates a mean (normal interval)."""
    n = len(values)
    if not n:
        return Share(math.nan, math.nan, math.nan)
    average = sum(values) / n
    spread = math.sqrt(sum((v - average) ** 2 for v in values) / max(1, n - 1) / n)
    return Share(average, average - Z * spread, average + Z * spread)


@dataclass(frozen=True)
class Line:
    """What one bot, or one seat, has to show after a series."""

    name: str
    matches: int
    wins: Share
    score: Share


@dataclass(frozen=True)
class Series:
    """The outcome of a series."""

    game: str
    seats: int
    matches: int
    seed: int
    options: Mapping[str, Any]
    bots: tuple[Line, ...]
    by_seat: tuple[Line, ...]
    length: Share  # actions a match

    def to_json(self) -> dict[str, Any]:
        """Gives the outcome as plain data."""
        return asdict(self)


def play_match(match: Match, bots: Sequence[Bot], seed: int) -> Match:
    """Plays a match to its end; bots[seat] plays that seat."""
    while match.to_act is not None:
        match.play(ask(bots[match.to_act], match, seed=seed))
    return match


def matches_of(
    game: Game,
    bots: Sequence[Bot],
    *,
    seats: int,
    matches: int,
    seed: int,
    options: Mapping[str, Any] | None = None,
    parts: Mapping[str, Any] | None = None,
) -> Iterator[tuple[Match, list[int]]]:
    """Plays the matches one by one, each with the number of the bot in every seat."""
    for index in range(matches):
        number = derive_seed(seed, index)
        # Everybody moves one seat on, so that no bot gains by where it sits.
        seating = [(seat + index) % seats % len(bots) for seat in range(seats)]
        names = [bots[k].name for k in seating]
        match = Match(game, seats=seats, seed=number, options=options, parts=parts, names=names)
        yield play_match(match, [bots[k] for k in seating], number), seating


def play_series(
    game: Game,
    bots: Sequence[Bot],
    *,
    seats: int,
    matches: int,
    seed: int,
    options: Mapping[str, Any] | None = None,
    parts: Mapping[str, Any] | None = None,
    report: Callable[[Match], None] = lambda match: None,
) -> Series:
    """Plays a series and counts; `report` is given every finished match."""
    seats, checked, _ = game.table(seats, options, parts)
    by_bot = [_Tally(bot.name) for bot in bots]
    by_seat = [_Tally(f"seat {seat}") for seat in range(seats)]
    lengths = []
    for match, seating in matches_of(
        game, bots, seats=seats, matches=matches, seed=seed, options=options, parts=parts
    ):
        scores, winners = match.scores, match.winners
        for seat, bot in enumerate(seating):
            won = 1 / len(winners) if seat in winners else 0.0
            by_bot[bot].add(won, scores[seat])
            by_seat[seat].add(won, scores[seat])
        lengths.append(match.ply)
        report(match)
    return Series(
        game=game.name,
        seats=seats,
        matches=matches,
        seed=seed,
        options=checked,
        bots=tuple(tally.line() for tally in by_bot),
        by_seat=tuple(tally.line() for tally in by_seat),
        length=mean(lengths),
    )


class _Tally:
    def __init__(self, name: str) -> None:
        self.name = name
        self.wins = 0.0
        self.scores: list[int] = []

    def add(self, won: float, score: int) -> None:
        self.wins += won
        self.scores.append(score)

    def line(self) -> Line:
        n = len(self.scores)
        return Line(self.name, n, win_share(self.wins, n), mean(self.scores))
