"""Estimates and tests of the laboratory, on values by deal, because a deal's matches are dependent.

A run of fixed length has ordinary intervals (Student's t). A run that may stop when it is precise
enough has intervals that hold at any time (`foxden.arena.intervals`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foxden.arena.intervals import (
    ERROR,
    Share,
    mean_anytime,
    mean_p_anytime,
    share_anytime,
    share_p_anytime,
    student_t,
)


@dataclass(frozen=True)
class Difference:
    """How much a variant differs from the one it is compared with, deal by deal."""

    change: Share
    p: float  # by itself
    p_of_all: float  # among all comparisons of the report, by Holm's method

    @property
    def holds(self) -> bool:
        """Returns whether it differs from 0, corrected for all comparisons."""
        return self.p_of_all < ERROR


def estimate(values: Any, *, is_share: bool, anytime: bool) -> Share:
    """Estimates the mean of values by deal."""
    values = values[~np.isnan(values)]
    if not len(values):
        return Share(math.nan, -math.inf, math.inf)
    if anytime:
        return share_anytime(values) if is_share else mean_anytime(values.tolist())
    return _bounded(values, 0.0, 1.0) if is_share else _student(values)


def difference(values: Any, *, is_share: bool, anytime: bool) -> tuple[Share, float]:
    """Estimates a mean difference by deal, with the p-value of there being none."""
    values = values[~np.isnan(values)]
    if not len(values):
        return Share(math.nan, -math.inf, math.inf), 1.0
    if anytime and is_share:
        half = share_anytime((values + 1) / 2)
        change = Share(*(2 * end - 1 for end in (half.value, half.low, half.high)))
        return change, share_p_anytime((values + 1) / 2, 0.5)
    if anytime:
        p = mean_p_anytime(values.tolist()) if _spread(values) else _p_student(values)
        return mean_anytime(values.tolist()), p
    change = _bounded(values, -1.0, 1.0) if is_share else _student(values)
    return change, _p_student(values)


def _student(values: Any) -> Share:
    average, n = float(values.mean()), len(values)
    spread = _spread(values)
    half = student_t(n - 1) * spread if spread else math.inf
    return Share(average, average - half, average + half)


def _bounded(values: Any, least: float, most: float) -> Share:
    """Bounds a mean of values from `least` to `most`; deals that are all alike bound it, too."""
    found = _student(values)
    if math.isinf(found.high):
        # The chance of another value after this many deals without one (Clopper and Pearson).
        rare = 1 - (ERROR / 2) ** (1 / len(values))
        low = found.value - rare * (found.value - least)
        high = found.value + rare * (most - found.value)
        return Share(found.value, low, high)
    return Share(found.value, max(found.low, least), min(found.high, most))


def _spread(values: Any) -> float:
    """Returns the standard error of a mean, 0 if undefined."""
    n = len(values)
    if n == 1 or values.min() == values.max():
        return 0.0
    return float(values.std(ddof=1)) / math.sqrt(n)


def _p_student(values: Any) -> float:
    n, spread = len(values), _spread(values)
    if not spread:
        # All deals differ by the same: a coin would have to fall on one side every time.
        return 1.0 if values[0] == 0 else max(2.0 ** (1 - n), 1e-300)
    return t_tail(abs(float(values.mean())) / spread, n - 1)


def t_tail(t: float, degrees: int) -> float:
    """Returns how often Student's t is at least so far from 0, on either side."""
    # With x = sqrt(n) tan(a) the density becomes cos(a)^(n - 1), which sums exactly enough.
    start = math.atan(t / math.sqrt(degrees))
    angles, weights = np.polynomial.legendre.leggauss(64)
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)
    # In the tail the mass is at the near end, so the far end is cut off where nothing is left.
    end = min(math.pi / 2, start + 12 / math.sqrt(max(degrees, 1)))
    middle, half = (end + start) / 2, (end - start) / 2
    density = np.cos(middle + half * angles) ** (degrees - 1)
    return min(1.0, 2 * scale * half * float(weights @ density))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusts p-values so that the chance of any false alarm among all stays at 5 %."""
    order = sorted(range(len(p_values)), key=lambda k: p_values[k])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for place, k in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - place) * p_values[k]))
        adjusted[k] = largest
    return adjusted
