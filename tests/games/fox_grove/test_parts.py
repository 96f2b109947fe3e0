"""The printed numbers of Fox Grove: other ones can be played, broken ones are refused by place."""

from typing import Any

import pytest

import foxden
from foxden.engine.errors import BadParts
from tests.games.positions import truth

A_LEVEL = ["2W", "3W", "4W 1N", "4W 2M", "4W 1N 1M", "4W 1N 1M"]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"tree.a.cost": A_LEVEL}, "tree.a.cost"),
        ({"tree.a.cost": [*A_LEVEL, "4X"]}, "tree.a.cost[7]"),
        ({"tree.a.cost": [*A_LEVEL, ""]}, "tree.a.cost[7]"),
        ({"tree.a.cost": [*A_LEVEL, 4]}, "tree.a.cost[7]"),
        ({"tree.a.cost": [*A_LEVEL, "9W 4N"]}, "tree.a.cost[7]"),
        ({"tree.a.cost[7]": "4X"}, "tree.a.cost[7]"),
        ({"tree.a": {"cost[7]": "9W 4N"}}, "tree.a.cost[7]"),
        ({"tree.a.cost[8]": "4W"}, "tree.a.cost[8]"),
        ({"berries[4]": 40}, "berries[4]"),
        ({"leaf.b.bonus": [3, 8]}, "leaf.b.bonus[2]"),
        ({"leaf.b.bonus": [3, 3]}, "leaf.b.bonus"),
        ({"leaf.b.bonus": ["3"]}, "leaf.b.bonus[1]"),
        ({"mushroom.b.points": [1, 2, 5, 8, 12, 18, 17]}, "mushroom.b.points[7]"),
        ({"mushroom.b.points": [1, 2, 5, 8, 12, 18, 100]}, "mushroom.b.points[7]"),
        ({"track": [1, 2, 3]}, "track"),
        ({"track": [-1, 2, 3, 4, 5, 6, 7]}, "track[1]"),
        ({"berries": [6, 8, 6]}, "berries"),
        ({"berries": [6, 8, 6, True]}, "berries[4]"),
        ({"berries": [20, 8, 6, 4]}, "berries"),
        ({"reward.blue": ["3W"] * 10}, "reward.blue"),
        ({"reward.yellow": ["1?"] * 10 + ["7?"]}, "reward.yellow[11]"),
        ({"reward": {"yellow": ["1?"] * 10 + [None]}}, "reward.yellow[11]"),
        ({"reward.green": ["3W"] * 11}, "reward.green"),
        ({"tree.a.price": A_LEVEL}, "tree.a.price"),
    ],
)
def test_a_broken_number_is_refused_with_its_place(changes: dict[str, Any], where: str) -> None:
    with pytest.raises(BadParts) as caught:
        foxden.new("fox-grove", seats=4, seed=1, parts=changes)
    assert caught.value.where == where


def test_other_numbers_are_played_and_written_down() -> None:
    changes = {"tree.a.cost": ["1?"] * 7, "berries": [0, 0, 0, 0], "reward.blue": ["2W 2?"] * 11}
    match = foxden.new("fox-grove", seats=2, seed=1, parts=changes)
    known = truth(match)
    assert known.cost[0][0] == [[0, 0, 0, 1]] * 7
    assert known.reward[0] == [2, 0, 0, 2]
    assert known.in_supply == 0
    while not match.is_over:
        match.play(match.legal()[-1])
    again = foxden.Match.from_record(match.record())
    assert again.scores == match.scores
    assert 'part: tree.a.cost = ["1?", ' in match.record()


@pytest.mark.parametrize("seats", [2, 4])
def test_a_match_ends_within_its_bound_whatever_is_printed(seats: int) -> None:
    # Every level is a bonus, every card gives as much as can be, every choice is asked.
    every = list(range(1, 8))
    changes: dict[str, Any] = {f"reward.{c}": ["6?"] * 11 for c in ("blue", "purple", "yellow")}
    for house in ("tree", "mushroom", "leaf"):
        changes[f"{house}.a.cost"] = ["1W 1N 1?"] * 7
        changes[f"{house}.a.bonus"] = every
    match = foxden.new("fox-grove", seats=seats, seed=6, parts=changes, options={"pro": True})
    bound = match.game.longest(truth(match))
    while not match.is_over:
        match.play(match.legal()[-1])
    assert match.ply <= bound
