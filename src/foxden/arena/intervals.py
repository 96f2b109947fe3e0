"""Estimates with 95 % confidence intervals, for runs of a fixed length and for runs that may stop.

Whoever may stop when the answer looks clear must use the bounds that hold *at any time*
(`share_anytime`, `mean_anytime`): the chance that such an interval ever misses the truth, however
often it is looked at, is at most 5 %. An ordinary interval misses far more often then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Scores = Sequence[float] | np.ndarray[Any, np.dtype[Any]]

ERROR = 0.05  # how often an interval may miss
Z = 1.959964  # the normal distribution's quantile for it

# Student's t, the same quantile for 1 to 30 degrees of freedom.
_T = (
    *(12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281),
    *(2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860),
    *(2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423),
)

# Parts of the stake that are bet, spread evenly over 0 to 1 (Gauss-Legendre), and their weights.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
BETS, STAKES = (_NODES + 1) / 2, _WEIGHTS / 2

# The effect, in standard deviations, that `mean_anytime` is narrowest for; 0.3 is a level or so.
EFFECT = 0.3


@dataclass(frozen=True)
class Share:
    """An estimate with its 95 % confidence interval; without evidence the interval is infinite."""

    value: float
    low: float
    high: float

    @property
    def is_bounded(self) -> bool:
        """Returns whether the data says anything about where the truth lies."""
        return math.isfinite(self.low) or math.isfinite(self.high)

    def text(self, form: str) -> str:
        """Writes value and interval in a format such as `.2f`."""
        value = format(self.value, form)
        if not self.is_bounded:
            return f"{value} (no interval)"
        low, high = (format(end, form).replace("inf", "∞") for end in (self.low, self.high))
        return f"{value} ({low} to {high})"

    def __str__(self) -> str:
        """Writes value and interval."""
        return self.text(".3f")


def win_share(wins: float, matches: int) -> Share:
    """Estimates a share of independent matches (Wilson's interval); a win may be a fraction."""
    if not matches:
        return Share(math.nan, 0.0, 1.0)
    p, z2 = wins / matches, Z * Z / matches
    centre = (p + z2 / 2) / (1 + z2)
    half = Z / (1 + z2) * math.sqrt(max(0.0, p * (1 - p)) / matches + z2 / (4 * matches))
    return Share(p, max(0.0, centre - half), min(1.0, centre + half))


def mean(values: Sequence[float]) -> Share:
    """Estimates a mean of independent values (Student's t); one value, or all equal, bound none."""
    average, spread = _moments(values)
    half = student_t(len(values) - 1) * spread if spread else math.inf
    return Share(average, average - half, average + half)


def student_t(degrees: int) -> float:
    """Returns the quantile of Student's t for a 95 % interval."""
    if degrees <= len(_T):
        return _T[degrees - 1]
    # Cornish and Fisher's expansion: right to four digits from here on.
    z, n = Z, degrees
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n * n)


def is_above(scores: Scores, mean: float, error: float = ERROR) -> bool:
    """Returns whether scores from 0 to 1 show that their mean is above that one, at any time.

    A gambler bets before every deal that its score will be higher than `mean`. If that is the true
    mean the bets are fair: the stake is a martingale, and grows to k times itself in at most one
    of k runs, however long they are (Ville's inequality). So k says how sure one may be. Bets as in
    Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (2023), mixed
    evenly. Half of the error is for the other side.
    """
    values, counts = np.unique(np.asarray(scores, float), return_counts=True)
    return _stake(values, counts, mean) >= 2 / error


def share_anytime(scores: Scores, error: float = ERROR) -> Share:
    """Estimates the mean of independent scores from 0 to 1, with bounds that hold at any time.

    The interval holds the means that are not refuted, as `is_above` refutes them.
    """
    if not len(scores):
        return Share(math.nan, 0.0, 1.0)
    values, counts = np.unique(np.asarray(scores, float), return_counts=True)
    average = float(values @ counts) / len(scores)
    low = _lower(values, counts, average, error)
    high = 1 - _lower(1 - values, counts, 1 - average, error)
    return Share(average, low, high)


def share_p_anytime(scores: Scores, mean: float) -> float:
    """Returns how surprising scores from 0 to 1 are if that is their mean: a p-value at any time.

    It is one over what fair bets on either side have grown to, so it is above the error of the
    interval by `share_anytime` if the interval holds the mean, and below if it does not.
    """
    values, counts = np.unique(np.asarray(scores, float), return_counts=True)
    stake = max(_stake(values, counts, mean), _stake(1 - values, counts, 1 - mean))
    return min(1.0, 2 / stake)


def _lower(values: Any, counts: Any, average: float, error: float) -> float:
    """Returns the largest refuted mean below the average, or 0."""
    low, high = 0.0, average
    for _ in range(40):
        middle = (low + high) / 2
        refuted = _stake(values, counts, middle) >= 2 / error
        low, high = (middle, high) if refuted else (low, middle)
    return low


def _stake(values: Any, counts: Any, mean: float) -> float:
    """Returns what a stake of 1 has become by bets that scores are above the mean."""
    if mean <= 0:
        return math.inf if values.any() else 1.0
    grown = counts @ np.log1p(np.outer(values / mean - 1, BETS))
    # Clipped far above any threshold, where a number would overflow.
    return float(STAKES @ np.exp(np.minimum(grown, 600)))


def mean_anytime(values: Sequence[float], error: float = ERROR) -> Share:
    """Estimates a mean of about normal values, with bounds that hold at any time.

    The t-test whose Bayes factor for an effect of about `EFFECT` is a martingale, turned into an
    interval (Wang and Ramdas, "Anytime-valid t-tests and confidence sequences", 2025).
    """
    average, spread = _moments(values)
    if not spread:
        return Share(average, -math.inf, math.inf)
    n = len(values)
    shrink = 1 / (1 + n * EFFECT**2)
    ratio = (1 / (error * math.sqrt(shrink))) ** (2 / n)
    if shrink * ratio >= 1:
        return Share(average, -math.inf, math.inf)
    half = spread * math.sqrt((n - 1) * (ratio - 1) / (1 - shrink * ratio))
    return Share(average, average - half, average + half)


def mean_p_anytime(values: Sequence[float]) -> float:
    """Returns how surprising about normal values are if their mean is 0: a p-value at any time."""
    average, spread = _moments(values)
    if not spread:
        return 1.0
    n = len(values)
    shrink = 1 / (1 + n * EFFECT**2)
    t2 = (average / spread) ** 2 / (n - 1)
    log_factor = math.log(shrink) / 2 + n / 2 * (math.log1p(t2) - math.log1p(shrink * t2))
    return min(1.0, math.exp(-max(log_factor, 0.0)))


def _moments(values: Sequence[float]) -> tuple[float, float]:
    """Returns the mean and its standard error, 0 where the values do not tell it."""
    n = len(values)
    if not n:
        return math.nan, 0.0
    average = math.fsum(values) / n
    if n == 1 or min(values) == max(values):
        return average, 0.0
    return average, math.sqrt(math.fsum((v - average) ** 2 for v in values) / (n - 1) / n)
