"""Each seat's chance to win at ten moments of a match, by rollouts.

A seat's chance is estimated from what that seat knew then, in worlds that fit it. Greedy players
play each to its end. For other bots, the network trained for the table plays a while instead, and
estimates the match's value. Rows hold whole numbers (per mille), so a report is the same on every
machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from foxden.engine import compiled
from foxden.engine.game import Game
from foxden.engine.kernel import copied, new_states
from foxden.lab.tracing import SCORE, SEATS
from foxden.review.calibration import Bin, bins_of
from foxden.review.rollouts import GREEDY, REVIEWING, Rollouts, Way

MOMENTS = 10  # at the deal, after a tenth of the decisions, after two tenths, …
HALF_TIME = MOMENTS // 2
WORLDS = 64  # of one estimate
UNKNOWN = -1  # not estimated
SCALE = 1000
# Greedy rollouts are far too confident about strong players, so only the network counts.
STRONG = REVIEWING._replace(trust=1.0)


def chances_of(game: Game, dealt: Any, script: Any, seats: int, way: Way = GREEDY) -> Any:
    """Estimates the chances of all seats in a match; [moment, seat] in one row, per mille."""
    found = np.zeros((MOMENTS, seats), np.int64)
    wiped = new_states(game.state, 1, compiled=isinstance(dealt, np.ndarray))
    for moment in range(MOMENTS):
        then, ply = copied(dealt, 0), len(script) * moment // MOMENTS
        compiled.replay(then, 0, script, ply)
        for seat in range(seats):
            compiled.wipe(then, 0, wiped, 0, seat)
            shares = Rollouts(game, wiped, seat, way=way).run([-1], 0, WORLDS).shares
            found[moment, seat] = round(SCALE * float(shares.mean()))
    return found.reshape(-1)


def table_of(rows: Any, ends: int) -> tuple[Any, Any]:
    """Returns the chances of the matches that have them, [match, moment, seat], and their wins.

    Each seat sees its own cards, so the chances of a moment need not add up to 1; they are scaled.
    """
    seats = int(rows[0, SEATS])
    at = SCORE + 2 * seats + ends
    some = rows[rows[:, -1] != UNKNOWN] if rows.shape[1] > at else rows[:0]
    chances = some[:, at:].reshape(len(some), -1, seats).astype(float)
    won = some[:, SCORE + seats : SCORE + 2 * seats].astype(float)
    total = chances.sum(axis=2, keepdims=True)
    even = np.full_like(chances, 1 / seats)
    return np.divide(chances, total, out=even, where=total > 0), won


def _spread(rows: Any, values: Any) -> Any:
    """Returns values of the matches with chances for all matches; the others have none."""
    found = np.full(len(rows), np.nan)
    found[rows[:, -1] != UNKNOWN] = values
    return found


def foreseen(rows: Any, ends: int) -> Any:
    """Returns the part of each match after which a winner stayed the favourite, else 1."""
    chances, won = table_of(rows, ends)
    right = _favourite_wins(chances, won)
    since = MOMENTS - np.cumprod(right[:, ::-1], axis=1).sum(axis=1)
    return _spread(rows, since / MOMENTS)


def favourite(rows: Any, ends: int) -> Any:
    """Returns whether the favourite at half-time has won."""
    chances, won = table_of(rows, ends)
    return _spread(rows, _favourite_wins(chances, won)[:, HALF_TIME])


def assured(rows: Any, ends: int) -> Any:
    """Returns the winner's chance at half-time; the sum if several win."""
    chances, won = table_of(rows, ends)
    return _spread(rows, (chances[:, HALF_TIME] * won).sum(axis=1))


def _favourite_wins(chances: Any, won: Any) -> Any:
    """Returns for each match and moment 1 if a winner had the best chance alone, else 0."""
    winning = won[:, None, :] > 0
    best = np.where(winning, chances, -1.0).max(axis=2)
    return (best > np.where(winning, -1.0, chances).max(axis=2)).astype(float)


def course(rows: Any, ends: int) -> Any:
    """Returns the winner's chance, [match, moment]."""
    chances, won = table_of(rows, ends)
    return (chances * won[:, None, :]).sum(axis=2)


def reliability(rows: Sequence[Any], ends: int) -> tuple[tuple[Bin, ...], float, float]:
    """Compares chances with results: bins, the Brier score, and that of even chances."""
    pairs: list[tuple[float, float]] = []
    base = 0.0
    for some in rows:
        chances, won = table_of(some, ends)
        share = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
        results = np.broadcast_to(share[:, None, :], chances.shape)
        pairs += zip(chances.reshape(-1).tolist(), results.reshape(-1).tolist(), strict=True)
        base += float(((results - 1 / max(1, chances.shape[2])) ** 2).sum())
    if not pairs:
        return (), float("nan"), float("nan")
    brier = sum((chance - result) ** 2 for chance, result in pairs) / len(pairs)
    return bins_of(pairs), brier, base / len(pairs)
