"""Series of matches, and the figures drawn from them."""

import json
import math

import pytest

import foxden
from foxden.arena.series import matches_of, mean, play_series, win_share
from foxden.bots import find_bot


def test_bots_change_seats_and_matches_differ() -> None:
    game = foxden.game("happy-fox")
    bots = [find_bot("greedy"), find_bot("random"), find_bot("random")]
    played = list(matches_of(game, bots, seats=3, matches=6, seed=1))
    assert [seating for _, seating in played[:3]] == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert len({match.seed for match, _ in played}) == 6
    assert played[1][0].names == ("random", "random", "greedy")


def test_fewer_bots_than_seats_share_them_evenly() -> None:
    game = foxden.game("happy-fox")
    series = play_series(
        game, [find_bot("greedy"), find_bot("random")], seats=4, matches=20, seed=1
    )
    assert [line.matches for line in series.bots] == [40, 40]
    assert [line.matches for line in series.by_seat] == [20] * 4


def test_the_same_seed_gives_the_same_series() -> None:
    game = foxden.game("happy-fox")
    runs = [play_series(game, [find_bot("random")], seats=2, matches=5, seed=9) for _ in range(2)]
    assert runs[0] == runs[1]
    assert json.loads(json.dumps(runs[0].to_json()))["matches"] == 5


def test_wins_add_up_to_the_matches() -> None:
    game = foxden.game("happy-fox")
    series = play_series(game, [find_bot("random")] * 3, seats=3, matches=40, seed=2)
    total = sum(line.wins.value * line.matches for line in series.bots)
    assert total == pytest.approx(40)


def test_intervals_are_the_textbook_ones() -> None:
    share = win_share(50, 100)
    assert (round(share.low, 4), round(share.high, 4)) == (0.4038, 0.5962)
    assert win_share(0, 10).low == 0.0
    assert math.isnan(win_share(0, 0).value)
    numbers = mean([1.0, 2.0, 3.0, 4.0])
    assert numbers.value == 2.5
    assert round(numbers.high - numbers.value, 4) == round(1.96 * math.sqrt(5 / 3 / 4), 4)
