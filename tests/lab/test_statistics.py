"""Statistics one can trust: known answers, and false alarms counted."""

import math
from typing import Any

import numpy as np
import pytest

from foxden.arena.intervals import (
    mean_anytime,
    mean_p_anytime,
    share_anytime,
    share_p_anytime,
    student_t,
)
from foxden.lab.compare import compare, summed_up
from foxden.lab.question import Question, completed, question_from
from foxden.lab.statistics import difference, estimate, holm, t_tail
from foxden.lab.workers import gather, local


def asked(**changes: Any) -> Question:
    given = {"game": "happy-fox", "seats": 2, "seed": 1, "luck": 2, **changes}
    return completed(question_from(given))


@pytest.mark.parametrize("degrees", [1, 2, 5, 30, 400])
def test_the_tail_of_students_t(degrees: int) -> None:
    assert t_tail(student_t(degrees), degrees) == pytest.approx(0.05, abs=2e-4)
    assert t_tail(0.0, degrees) == pytest.approx(1.0, abs=1e-3)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_p_values_and_intervals_of_any_time_agree() -> None:
    dice = np.random.default_rng(1)
    for _ in range(20):
        values = dice.integers(0, 2, 60) * 1.0
        share = share_anytime(values)
        for mean in (0.3, 0.5, 0.7):
            inside = share.low < mean < share.high
            assert (share_p_anytime(values, mean) > 0.05) == inside
        normal = (dice.normal(0.4, 1.0, 40)).tolist()
        bounds = mean_anytime(normal)
        assert (mean_p_anytime(normal) > 0.05) == (bounds.low < 0 < bounds.high)
    assert mean_p_anytime([0.0, 0.0]) == 1.0


def test_deals_all_alike_bound_a_share() -> None:
    never = estimate(np.zeros(100), is_share=True, anytime=False)
    assert (never.value, never.low) == (0.0, 0.0)
    assert 0.03 < never.high < 0.04
    same, p = difference(np.zeros(100), is_share=True, anytime=False)
    assert same.low < 0 < same.high
    assert p == 1.0
    assert math.isnan(estimate(np.full(3, np.nan), is_share=True, anytime=False).value)


def test_a_real_difference_is_found() -> None:
    found = compare(asked(deals=300, variant=[{"parts": {"dogs": 8}}]))
    margin = found.tried[1].differences["margin"]
    assert margin.holds
    assert margin.change.high < 0  # more dogs, fewer geese to grab
    assert found.tried[0].differences == {}
    assert found.compared == len(found.measures)


def test_differences_are_paired_by_deal() -> None:
    question = asked(deals=80, variant=[{"name": "same", "parts": {"dogs": 4}}])
    found = compare(question)
    for apart in found.tried[1].differences.values():
        assert apart.change.value == 0
        assert not apart.holds


def test_a_run_stops_when_it_is_precise_and_not_before() -> None:
    found = compare(asked(until=0.06))
    share = found.tried[0].figures["first"]
    assert (share.high - share.low) / 2 <= 0.06
    assert found.precise
    assert 256 <= found.deals < 2000
    short = compare(asked(until=0.001, deals=300))
    assert short.deals == 300
    assert not short.precise


def false_alarms(experiments: int, deals: int, until: float | None) -> int:
    """Counts reports with a false alarm among comparisons of a game with itself."""
    alarms = 0
    for number in range(experiments):
        same = {"name": "same", "parts": {"dogs": 4}}
        question = asked(seed=number, bots=["random"], deals=deals, variant=[same], until=until)
        other = asked(seed=number, bots=["random"], deals=deals, luck=3)
        mine = gather(other, workers=local(other, 1))[0]
        theirs = gather(asked(seed=number, bots=["random"], deals=deals), workers=None)[0]
        found = summed_up(question, [theirs, mine])
        alarms += any(apart.holds for apart in found.tried[1].differences.values())
    return alarms


@pytest.mark.parametrize("until", [None, 0.01])
def test_null_experiments_raise_few_false_alarms(until: float | None) -> None:
    # 5 % of 40 are 2; 7 or more have a chance of 1 in 300. The seeds are fixed.
    assert false_alarms(40, 64, until) <= 6


@pytest.mark.slow
def test_many_null_experiments_raise_at_most_5_percent_false_alarms() -> None:
    assert false_alarms(1000, 200, None) <= 72  # 5 % and three standard errors
    assert false_alarms(1000, 200, 0.01) <= 72


def test_looking_again_and_again_does_not_raise_more() -> None:
    """Counts coins that an interval of any time calls biased at any of many looks."""
    dice = np.random.default_rng(7)
    alarms = 0
    for _ in range(100):
        tosses = dice.integers(0, 2, 640) - dice.integers(0, 2, 640)
        alarms += any(
            difference(tosses[:n] * 1.0, is_share=True, anytime=True)[1] < 0.05
            for n in range(64, 641, 64)
        )
    assert alarms <= 9  # 5 expected at most
