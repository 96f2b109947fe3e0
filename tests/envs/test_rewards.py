"""The one rule of rewards."""

import pytest

from foxden.envs.rewards import rewards


def test_winners_share_one_win_less_what_the_table_expects() -> None:
    assert rewards(4, [9, 1, 2, 3], [0], together=False) == [0.75, -0.25, -0.25, -0.25]
    assert rewards(4, [9, 9, 2, 3], [0, 1], together=False) == [0.25, 0.25, -0.25, -0.25]
    assert rewards(2, [1, 3], [1], together=False) == [-0.5, 0.5]
    assert sum(rewards(7, [0] * 7, [2, 3, 5], together=False)) == pytest.approx(0)


def test_where_all_win_or_none_does_nobody_gains() -> None:
    assert rewards(3, [4, 4, 4], [0, 1, 2], together=False) == [0, 0, 0]
    assert rewards(3, [0, 0, 0], [], together=False) == [0, 0, 0]


def test_a_table_that_plays_together_gets_its_points() -> None:
    assert rewards(2, [30, 30], [], together=True) == [0.3, 0.3]
