"""Measures of a match, from its row; the unit of all statistics is the deal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from foxden.lab.chances import assured, favourite, foreseen
from foxden.lab.question import BadQuestion
from foxden.lab.tracing import (
    CHANGES,
    CHOICES,
    HALF,
    OPEN,
    PLIES,
    ROTATION,
    SCORE,
    SEATS,
    SETTLED,
    STARTER,
    TURNS,
)

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")


@dataclass(frozen=True)
class Measure:
    """One figure of a match; a share is from 0 to 1 and is shown in percent."""

    name: str
    title: str
    is_share: bool
    of: Callable[[Any], Any]  # rows -> a value for each match, NaN if none

    def by_deal(self, rows: Any, deals: int) -> Any:
        """Returns the mean of each deal; deals without a value are left out."""
        values = self.of(rows).reshape(deals, -1)
        counted = ~np.isnan(values)
        sums, counts = np.where(counted, values, 0.0).sum(axis=1), counted.sum(axis=1)
        return np.divide(sums, counts, out=np.full(deals, np.nan), where=counts > 0)

    def text(self, value: float, *, sign: bool = False) -> str:
        """Writes a value, or with its sign a difference; that of shares is in points."""
        plus = "+" if sign else ""
        if not np.isfinite(value):
            return "–"
        text = f"{100 * value:{plus}.1f}" if self.is_share else f"{value:{plus}.2f}"
        unit = " points" if sign else " %"
        return text.replace("-", "−") + unit * self.is_share


def wins(rows: Any) -> Any:
    """Returns each seat's part of the win: 1/k where k win together."""
    seats = int(rows[0, SEATS])
    won = rows[:, SCORE + seats : SCORE + 2 * seats].astype(float)
    return won / np.maximum(won.sum(axis=1, keepdims=True), 1)


def scores(rows: Any) -> Any:
    """Returns each seat's score."""
    seats = int(rows[0, SEATS])
    return rows[:, SCORE : SCORE + seats].astype(float)


def by_turn(rows: Any, values: Any) -> Any:
    """Returns values by seat in the order of turns: whoever starts comes first."""
    seats = values.shape[1]
    order = (rows[:, STARTER, None] + np.arange(seats)) % seats
    return np.take_along_axis(values, order, axis=1)


def by_player(rows: Any, values: Any) -> Any:
    """Returns values by seat in the order of players, who sit elsewhere in each rotation."""
    seats = values.shape[1]
    order = (np.arange(seats) + rows[:, ROTATION, None]) % seats
    return np.take_along_axis(values, order, axis=1)


def _margin(rows: Any) -> Any:
    best = np.sort(scores(rows), axis=1)
    return best[:, -1] - best[:, -2]


def _half(rows: Any) -> Any:
    led = rows[:, HALF]
    return np.where(led == 0, np.nan, led - 1.0)


def _column(column: int, over: int | None = None) -> Callable[[Any], Any]:
    def of(rows: Any) -> Any:
        values = rows[:, column].astype(float)
        return values if over is None else values / np.maximum(rows[:, over], 1)

    return of


def _place(values: Callable[[Any], Any], place: int) -> Callable[[Any], Any]:
    return lambda rows: by_turn(rows, values(rows))[:, place]


def _player(player: int) -> Callable[[Any], Any]:
    return lambda rows: by_player(rows, wins(rows))[:, player]


def _ended(k: int) -> Callable[[Any], Any]:
    return lambda rows: rows[:, SCORE + 2 * rows[0, SEATS] + k] / rows[0, SEATS]


def measures(
    seats: int,
    *,
    together: bool = False,
    players: int = 0,
    ends: Sequence[tuple[str, str, int]] = (),
    chances: bool = False,
) -> list[Measure]:
    """Lists the measures of a table; if `players` differ, their wins are counted too.

    If chances were estimated, they show how early the winner is known; else scores do.
    """
    found = [
        Measure(name, f"Seats that end with {field} {least} or more", True, _ended(k))
        for k, (name, field, least) in enumerate(ends)
    ]
    if not together:
        found += [
            Measure(PLACES[p], f"Wins of the {ORDINALS[p]} player", True, _place(wins, p))
            for p in range(seats)
        ]
        found += [
            Measure(f"player{k + 1}", f"Wins of player {k + 1}", True, _player(k))
            for k in range(players)
        ]
        found += [
            Measure("ties", "Shared wins", True, lambda rows: (wins(rows).max(axis=1) < 1) * 1.0),
            Measure("margin", "Margin of the best score", False, _margin),
        ]
    found += [
        Measure("score", "Mean score", False, lambda rows: scores(rows).mean(axis=1)),
        Measure("best", "Best score", False, lambda rows: scores(rows).max(axis=1)),
    ]
    if not together:
        found += [
            Measure(f"score{p + 1}", f"Score of the {ORDINALS[p]} player", False, _place(scores, p))
            for p in range(seats)
        ]
    found += [
        Measure("length", "Decisions of a match", False, _column(PLIES)),
        Measure("rounds", "Turns of a seat", False, _column(TURNS, SEATS)),
        Measure("choices", "Decisions with a real choice", True, _column(CHOICES, PLIES)),
        Measure("open", "Legal actions at a decision", False, _column(OPEN, PLIES)),
    ]
    if not together:
        found += [
            Measure("changes", "Lead changes", False, _column(CHANGES)),
            Measure("settled", "When the winner leads for good", True, _column(SETTLED, PLIES)),
            Measure("half", "Leader at half-time wins", True, _half),
        ]
    if chances and not together:
        found += [
            Measure(name, title, True, partial(of, ends=len(ends)))
            for name, title, of in (
                ("foreseen", "When the winner is the favourite for good", foreseen),
                ("favourite", "Favourite at half-time wins", favourite),
                ("assured", "Chance of the winner at half-time", assured),
            )
        ]
    return found


def find_measure(known: Sequence[Measure], name: str) -> Measure:
    """Finds a measure by its name."""
    for measure in known:
        if measure.name == name:
            return measure
    names = ", ".join(measure.name for measure in known)
    raise BadQuestion(f"There is no measure {name!r} at this table; there are {names}.")
