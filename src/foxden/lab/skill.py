"""Skill and luck: the sources of a player's result, over bots of different strength.

Every deal is played in all rotations, so each player sits once in each place of it. The variance of
a player's part of the win then falls into

    skill       who plays, against whom
    turn order  whose turn comes first
    the deal    what a seat of this deal is worth to whoever sits there
    the rest    dice, later draws, and what goes together with who plays

The deal's share is the covariance of what different players win in the same seat of one deal, so
nothing that happens in one match alone gets into it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import foxden
from foxden.arena.chance import deal_seed
from foxden.arena.cluster import Workers
from foxden.arena.intervals import Share
from foxden.arena.tournament import elo
from foxden.lab.charts import Dot, intervals, shares
from foxden.lab.measures import scores, wins
from foxden.lab.question import BadQuestion, Question, variants_of
from foxden.lab.report import Report, Section, Table
from foxden.lab.tracing import DEAL, ROTATION, STARTER
from foxden.lab.workers import gather

RESAMPLES = 1000
SOURCES = ("skill", "turn order", "the deal", "the rest")


@dataclass(frozen=True)
class Split:
    """The sources of a result, as shares of its variance, and the gaps between bots."""

    sources: dict[str, Share]
    wins: dict[str, Share]  # of each bot
    elo: dict[str, Share]
    width: Share  # from the weakest bot to the strongest


def skill(
    question: Question,
    *,
    workers: Workers | None = None,
    journal: Path | None = None,
    report: Callable[[int, int], None] = lambda done, of: None,
) -> Report:
    """Answers a question about skill and luck."""
    if len(set(question.bots)) < 2:
        raise BadQuestion("Skill shows between bots that differ: name two or more.")
    game = foxden.game(question.game)
    setup = game.setup(question.seats, question.options, question.parts)
    if game.together(setup.seats, setup.options):
        raise BadQuestion("Nobody wins at a table that plays together, so skill cannot show.")
    rows = gather(question, workers=workers, journal=journal, report=report)
    return _told(question, split(question, rows), rows)


def split(question: Question, rows: Sequence[Any]) -> Split:
    """Splits the variance of results, with intervals by resampling deals."""
    groups = [[question.bots.index(bot) for bot in one.bots] for one in variants_of(question)]
    squares = np.stack([_squares(some) for some in rows])  # [group, deal, player, turn]
    deals, n = squares.shape[1], squares.shape[2]
    ahead = np.stack([_ahead(some, deals) for some in rows])  # [group, deal, player, player]
    dice = np.random.default_rng(deal_seed(question.chance[0], -1))
    drawn = dice.integers(deals, size=(RESAMPLES, deals))
    sources = _shares(squares)
    again = np.array([_shares(squares[:, some]) for some in drawn])
    known = [_seated(group, n) for group in groups]
    tables = [_table(ahead.sum(axis=1), known, len(question.bots))]
    tables += [_table(ahead[:, some].sum(axis=1), known, len(question.bots)) for some in drawn]
    ratings = elo(np.array(tables))
    spread = ratings.max(axis=1) - ratings.min(axis=1)
    won = squares.mean(axis=3)  # [group, deal, player]
    return Split(
        sources={
            name: _interval(sources[k], again[:, k], 0.0, 1.0) for k, name in enumerate(SOURCES)
        },
        wins={bot: _mean_of(won, known, number, drawn) for number, bot in enumerate(question.bots)},
        elo={
            bot: _interval(ratings[0, number], ratings[1:, number])
            for number, bot in enumerate(question.bots)
        },
        width=_interval(spread[0], spread[1:]),
    )


def _seated(group: list[int], seats: int) -> list[int]:
    return [group[k % len(group)] for k in range(seats)]


def _squares(rows: Any) -> Any:
    """Returns wins as [deal, player, turn]; in the rotations of a deal each pair meets once."""
    won = wins(rows)
    n = won.shape[1]
    deals = 1 + int(rows[-1, DEAL])
    found = np.zeros((deals, n, n))
    seats = np.arange(n)
    players = (seats - rows[:, ROTATION, None]) % n
    turns = (seats - rows[:, STARTER, None]) % n
    found[rows[:, DEAL, None], players, turns] = won
    return found


def _ahead(rows: Any, deals: int) -> Any:
    """Counts how often each player finished ahead of each other, by deal."""
    won, points = wins(rows), scores(rows)
    n = won.shape[1]
    order = (np.arange(n) + rows[:, ROTATION, None]) % n
    won = np.take_along_axis(won, order, axis=1)
    points = np.take_along_axis(points, order, axis=1)
    better = (won[:, :, None] > won[:, None]) | (
        (won[:, :, None] == won[:, None]) & (points[:, :, None] > points[:, None])
    )
    even = (won[:, :, None] == won[:, None]) & (points[:, :, None] == points[:, None])
    found = np.zeros((deals, n, n))
    np.add.at(found, rows[:, DEAL], better + 0.5 * even)
    return found


def _table(ahead: Any, groups: Sequence[Sequence[int]], bots: int) -> Any:
    """Puts counts by player together as counts by bot."""
    found = np.zeros((bots, bots))
    for counts, group in zip(ahead, groups, strict=True):
        for a, first in enumerate(group):
            for b, second in enumerate(group):
                if first != second:
                    found[first, second] += counts[a, b]
    return found


def _shares(squares: Any) -> Any:
    """Returns the shares of skill, turn order, the deal and the rest in the variance of wins.

    The variance that chance adds to means is subtracted, so few deals do not inflate a share.
    """
    _groups, deals, n, _ = squares.shape
    centred = squares - 1 / n
    total = float((centred**2).mean())
    if not total or deals < 2:
        return np.array([0.0, 0.0, 0.0, 1.0])
    by_player = centred.mean(axis=3)  # [group, deal, player]
    noise = by_player.var(axis=1, ddof=1).mean() / deals
    skill = float((by_player.mean(axis=1) ** 2).mean() - noise)
    by_turn = centred.mean(axis=(0, 2))  # [deal, turn]
    turn = float((by_turn.mean(axis=0) ** 2).mean() - by_turn.var(axis=0, ddof=1).mean() / deals)
    apart = centred - centred.mean(axis=1, keepdims=True)
    sums = apart.sum(axis=2)
    both = (sums**2 - (apart**2).sum(axis=2)) / (n * (n - 1))
    deal = float(both.mean() * deals / (deals - 1))
    parts = np.maximum(np.array([skill, turn, deal]) / total, 0)
    return np.array([*parts, max(0.0, 1 - parts.sum())])


def _interval(value: float, again: Any, least: float = -np.inf, most: float = np.inf) -> Share:
    low, high = np.quantile(again, [0.025, 0.975])
    ends = np.clip([value, low, high], least, most)
    return Share(*(float(end) for end in ends))


def _mean_of(won: Any, groups: Sequence[Sequence[int]], number: int, drawn: Any) -> Share:
    """Returns a bot's share of wins, over all groups that it plays in."""
    by_deal = np.mean(
        [
            won[g, :, p]
            for g, group in enumerate(groups)
            for p, bot in enumerate(group)
            if bot == number
        ],
        axis=0,
    )
    return _interval(by_deal.mean(), by_deal[drawn].mean(axis=1), 0.0, 1.0)


def _told(question: Question, found: Split, rows: Sequence[Any]) -> Report:
    game = foxden.game(question.game)
    main = found.sources["skill"]
    ordered = sorted(found.elo, key=lambda bot: -found.elo[bot].value)
    answer = (
        f"Among these bots skill explains {100 * main.value:.0f} % of who wins a single match "
        f"({100 * main.low:.0f} to {100 * main.high:.0f} %), the deal "
        f"{100 * found.sources['the deal'].value:.0f} %, the order of turns "
        f"{100 * found.sources['turn order'].value:.0f} %. From {ordered[-1]} to {ordered[0]} "
        f"the game is {found.width.value:.0f} Elo wide "
        f"({found.width.low:.0f} to {found.width.high:.0f})."
    )
    seats = question.seats or game.about.usual
    bar = [(name, max(0.0, share.value)) for name, share in found.sources.items()]
    sections = [
        Section(
            "Where the result comes from",
            [],
            [
                shares("Shares of the variance of wins", bar),
                Table(
                    ["source", "share (95 %)"],
                    [
                        [
                            name,
                            f"{_percent(share.value)} ({_percent(share.low)} to "
                            f"{_percent(share.high)})",
                        ]
                        for name, share in found.sources.items()
                    ],
                    "Skill is who plays against whom; the deal is what a seat's cards are worth to "
                    "whoever holds them; the rest is dice, later draws and all that goes together.",
                ),
            ],
        ),
        Section(
            "How far apart the bots are",
            [],
            [
                intervals(
                    "Elo, mean 0",
                    [Dot(bot, found.elo[bot]) for bot in ordered],
                    axis="Elo",
                    percent=False,
                    reference=0.0,
                ),
                Table(
                    ["bot", "Elo (95 %)", "wins (95 %)"],
                    [
                        [bot, found.elo[bot].text("+.0f"), _shown(found.wins[bot])]
                        for bot in ordered
                    ],
                ),
            ],
        ),
    ]
    deals = 1 + int(rows[0][-1, DEAL])
    how = [
        f"{sum(len(some) for some in rows):,} matches, {seats} seats: {deals:,} deals for each of "
        f"{len(rows)} {'group' if len(rows) == 1 else 'groups'} of bots, in all rotations.",
        "Shares are of the variance of one player's part of the win in one match, over a player "
        "and a table drawn at random from these. Other bots would give other shares: the wider "
        "their strength, the larger the part of skill.",
        "What chance alone adds to the variance of means is taken off. The deal's share is the "
        "covariance of what different players win in the same seat of one deal.",
        f"Intervals are 95 %, from {RESAMPLES:,} resamples of the deals. Elo is Bradley-Terry's, "
        "from who finished ahead of whom.",
        f"Seed {question.seed}, luck {question.luck}.",
    ]
    return Report(
        question=question,
        title=f"{game.title}: skill and luck",
        answer=answer,
        sections=sections,
        how=how,
        figures={"deals": deals, "skill": found},
        rows=rows,
    )


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _shown(share: Share) -> str:
    return f"{_percent(share.value)} ({_percent(share.low)} to {_percent(share.high)})"
