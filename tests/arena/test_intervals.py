"""Intervals: the textbook ones, and those that hold whenever one looks."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from foxden.arena.intervals import (
    Share,
    is_above,
    mean,
    mean_anytime,
    share_anytime,
    student_t,
    win_share,
)

Dice = np.random.Generator


def test_shares_have_the_textbook_interval() -> None:
    share = win_share(50, 100)
    assert (round(share.low, 4), round(share.high, 4)) == (0.4038, 0.5962)
    assert win_share(0, 10).low == 0.0
    assert win_share(0, 10).high == pytest.approx(0.2775, abs=1e-4)
    assert win_share(1, 1).low == pytest.approx(0.2065, abs=1e-4)
    assert math.isnan(win_share(0, 0).value)


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (4, 2.776), (40, 2.021), (99, 1.984)]
)
def test_students_t_is_the_textbook_one(degrees: int, quantile: float) -> None:
    assert student_t(degrees) == pytest.approx(quantile, abs=5e-4)


@pytest.mark.parametrize("degrees", [*range(1, 35), 100])
def test_students_t_leaves_a_fortieth_above(degrees: int) -> None:
    """The density, summed up to the quantile."""
    x = np.linspace(0, student_t(degrees), 20001)
    log = (
        math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(degrees * math.pi) / 2
    )
    density = np.exp(log - (degrees + 1) / 2 * np.log1p(x * x / degrees))
    assert np.trapezoid(density, x) == pytest.approx(0.475, abs=1e-5)


def test_small_samples_use_students_t() -> None:
    numbers = mean([1.0, 2.0, 3.0, 4.0])
    assert numbers.value == 2.5
    assert numbers.high - numbers.value == pytest.approx(3.1824 * math.sqrt(5 / 3 / 4))


@pytest.mark.parametrize("estimate", [mean, mean_anytime])
@pytest.mark.parametrize("values", [[7.0], [7.0] * 50])
def test_one_value_or_a_constant_bounds_nothing(
    estimate: Callable[[Any], Share], values: list[float]
) -> None:
    found = estimate(values)
    assert found.value == 7
    assert (found.low, found.high) == (-math.inf, math.inf)
    assert str(found) == "7.000 (no interval)"
    assert math.isnan(estimate([]).value)


def test_a_sweep_does_not_pretend() -> None:
    """All of n: the stake against m is the integral of (1 + θ(1/m - 1))^n over θ."""
    for n in (1, 5, 40):
        found = share_anytime([1.0] * n)
        assert (found.value, found.high) == (1, 1)
        gain = 1 / found.low - 1
        assert ((1 + gain) ** (n + 1) - 1) / (gain * (n + 1)) == pytest.approx(40, rel=1e-6)
    nothing = share_anytime([])
    assert (nothing.low, nothing.high) == (0, 1)


def test_a_bound_in_between_is_where_the_stake_has_grown_forty_times() -> None:
    """Counted by hand for wins, halves and losses, with a fine sum instead of the quadrature."""
    scores = [1.0] * 12 + [0.5] * 9 + [0.0] * 3
    found = share_anytime(scores)
    bets = (np.arange(100_000) + 0.5) / 100_000
    for bound, seen in ((found.low, scores), (1 - found.high, [1 - score for score in scores])):
        stake = np.ones_like(bets)
        for score in seen:
            stake *= 1 + bets * (score / bound - 1)
        assert stake.mean() == pytest.approx(40, rel=1e-4)
    assert found.low < found.value < found.high


def test_bounds_are_mirrored_and_less_error_is_wider() -> None:
    scores = np.array([1.0, 0.5, 0.75, 1.0, 0.0, 1.0, 1.0])
    found, mirrored = share_anytime(scores), share_anytime(1 - scores)
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - found.high, 1 - found.low))
    wider = share_anytime(scores, 0.01)
    assert wider.low < found.low < found.high < wider.high


def duplicate(p: float, ties: float) -> Callable[[Dice, int], Any]:
    """Returns scores of deals played twice, as between two bots: each match won, tied or lost."""

    def draw(dice: Dice, deals: int) -> Any:
        luck = dice.random((deals, 2))
        wins = (luck < p * (1 - ties)) + 0.5 * (luck >= 1 - ties)
        return wins.mean(axis=1)

    return draw


def lopsided(p: float, ties: float) -> Callable[[Dice, int], Any]:
    """Returns scores of deals that mostly decide the match: whoever gets the cards wins."""

    def draw(dice: Dice, deals: int) -> Any:
        decided = dice.random(deals) < 0.8
        return np.where(decided, 0.5, duplicate(p, ties)(dice, deals))

    return draw


def rare(p: float, ties: float) -> Callable[[Dice, int], Any]:
    """Returns skewed scores of the same mean: few great gains against many small losses."""

    def draw(dice: Dice, deals: int) -> Any:
        mean = p * (1 - ties) + ties / 2
        small = 0.95 * mean
        return np.where(dice.random(deals) < (mean - small) / (1 - small), 1.0, small)

    return draw


SCORES = [duplicate, lopsided, rare]
DEALS, RUNS = 200, 1000
Call = Callable[[Any], bool]


def apart(scores: Any) -> bool:
    """Returns whether scores set two bots apart, as the arena does."""
    return is_above(scores, 0.5) or is_above(1 - scores, 0.5)


def excludes(estimate: Callable[[Any], Share], truth: float) -> Call:
    """Makes a call from an interval."""

    def call(scores: Any) -> bool:
        found = estimate(scores)
        return found.low > truth or found.high < truth

    return call


def called(draw: Callable[[Dice, int], Any], looks: int, call: Call = apart) -> float:
    """Returns the share of runs in which some look sets two bots apart."""
    dice, calls = np.random.default_rng(5), 0
    for _ in range(RUNS):
        scores = draw(dice, DEALS)
        ends = np.linspace(DEALS / looks, DEALS, looks).astype(int)
        calls += any(call(scores[:deals]) for deals in ends)
    return calls / RUNS


def test_a_call_is_made_where_the_interval_ends() -> None:
    dice = np.random.default_rng(3)
    for draw in (duplicate(0.7, 0.1), lopsided(0.8, 0.0), rare(0.5, 0.0)):
        for deals in (1, 5, 20, 80):
            scores = draw(dice, deals)
            assert apart(scores) == excludes(share_anytime, 0.5)(scores)


@pytest.mark.slow
@pytest.mark.parametrize("looks", [2, 200])
@pytest.mark.parametrize("ties", [0.0, 0.2])
@pytest.mark.parametrize("scores", SCORES)
def test_equal_bots_are_seldom_set_apart_however_often_one_looks(
    scores: Any, ties: float, looks: int
) -> None:
    assert called(scores(0.5, ties), looks) < 0.05


@pytest.mark.slow
def test_an_ordinary_interval_would_not_do() -> None:
    """What the bounds are for: the same looks with Student's t call far more equal bots apart."""
    assert called(duplicate(0.5, 0.0), 200, excludes(mean, 0.5)) > 0.2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scores", "share", "power"),
    [(duplicate, 0.64, 0.97), (duplicate, 0.6, 0.8), (lopsided, 0.8, 0.9)],
)
def test_a_real_difference_is_found(scores: Any, share: float, power: float) -> None:
    """A level of 100 Elo wins 64 %; looked at after every batch of the arena."""
    assert called(scores(share, 0.0), DEALS // 16) > power


@pytest.mark.slow
@pytest.mark.parametrize("looks", [2, 200])
def test_means_hold_at_any_time_too(looks: int) -> None:
    def scores(dice: Dice, deals: int) -> Any:
        return 20 + 5 * dice.normal(size=deals)

    assert called(scores, looks, excludes(mean_anytime, 20)) < 0.05
