"""Clocks: each seat's time left, computed only from the uptimes of actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

DAY = 24 * 3600.0


@dataclass(frozen=True)
class Reading:
    """What a clock shows: when the seat to act runs out of time, and what each seat has left."""

    due: float | None
    left: list[float | None]


def read_clock(
    clock: Mapping[str, Any],
    *,
    seats: int,
    began: float,
    played: Iterable[tuple[int, float]],
    to_act: int | None,
) -> Reading:
    """Reads a table's clock after the actions played, each as (seat, uptime)."""
    kind = clock.get("kind", "none")
    if kind == "none":
        return Reading(None, [None] * seats)
    if kind == "match":
        return _read_match_clock(clock, seats, began, played, to_act)
    each = clock["seconds"] if kind == "move" else clock["days"] * DAY
    last = began
    for _, at in played:
        last = at
    left: list[float | None] = [float(each)] * seats
    return Reading(None if to_act is None else last + each, left)


def _read_match_clock(
    clock: Mapping[str, Any],
    seats: int,
    began: float,
    played: Iterable[tuple[int, float]],
    to_act: int | None,
) -> Reading:
    """Takes each seat's thinking from its minutes, and adds the increment after each action."""
    hand = [clock["minutes"] * 60.0] * seats
    last = began
    for seat, at in played:
        hand[seat] = max(0.0, hand[seat] - max(0.0, at - last)) + clock["increment"]
        last = max(last, at)
    return Reading(None if to_act is None else last + hand[to_act], list(hand))
