"""The reward of each seat at the end of a match, defined only here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foxden.engine.kernel import rule

POINTS = 100  # of a table that plays together make a reward of 1


def worth(points, wins, winners, seats, together):
    """Returns the reward of one seat.

    Winners share one win, and everyone's share is reduced by the average share, so rewards add up
    to 0 and their mean tells how often a seat wins. If nobody wins, everybody gets 0. Seats that
    play together get their points / 100.
    """
    if together:
        return points / POINTS
    if winners == 0:
        return 0.0
    return (1.0 / winners if wins else 0.0) - 1.0 / seats


compiled_worth: Any = rule(worth)


def rewards(
    seats: int, scores: Sequence[int], winners: Sequence[int], *, together: bool
) -> list[float]:
    """Returns each seat's reward, from Python."""
    return [
        worth(scores[seat], seat in winners, len(winners), seats, together) for seat in range(seats)
    ]
