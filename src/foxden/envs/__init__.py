"""Foxden's games for research code: one file a protocol, never one a game."""

from __future__ import annotations

from collections.abc import Sequence

POINTS = 100  # of a table that plays together make a reward of 1


def module_name(name: str) -> str:
    """Returns a game's name in the form that protocols like, with underscores."""
    return name.replace("-", "_")


def rewards(
    seats: int, scores: Sequence[int], winners: Sequence[int], *, together: bool
) -> list[float]:
    """Returns each seat what the end of a match is worth to it.

    Winners share one win, and from everyone's share is taken what the table expects of a seat, so
    that rewards add up to 0 and their mean tells how often a seat wins. Where nobody wins,
    everybody gets 0. Seats that play together get their points / 100.
    """
    if together:
        return [score / POINTS for score in scores]
    if not winners:
        return [0.0] * seats
    share = 1 / len(winners)
    return [(share if seat in winners else 0.0) - 1 / seats for seat in range(seats)]
