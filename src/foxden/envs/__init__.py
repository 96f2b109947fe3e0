"""Foxden's games for research code: one file a protocol, never one a game."""

from __future__ import annotations

from collections.abc import Sequence

POINTS = 100  # of a table that plays together make a reward of 1


def module_name(name: str) -> str:
    """Gives a game's name in the form that protocols like: happy_fox."""
    return name.replace("-", "_")


def rewards(
    seats: int, scores: Sequence[int], winners: Sequence[int], *, together: bool
) -> list[float]:
    """Gives each seat what the end of a match is worth to it.

    Winners share 1 and the others share -1, so that the rewards of a table add up to 0; where
    all win or none does, everybody gets 0. Seats that play together get their points / 100.
    """
    if together:
        return [score / POINTS for score in scores]
    losers = seats - len(winners)
    if not winners or not losers:
        return [0.0] * seats
    return [1 / len(winners) if seat in winners else -1 / losers for seat in range(seats)]
