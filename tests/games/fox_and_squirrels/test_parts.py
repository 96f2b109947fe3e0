"""A designer may change what a set, a run, a claim and the end of a round bring."""

from typing import Any

import pytest

import foxden
from tests.games.fox_and_squirrels.setting import acorns, play, set_table

REWARDS: dict[str, Any] = {"set_reward": 3, "run_reward": 5, "claim_reward": 4, "bonus": [6, 7, 8]}


@pytest.mark.parametrize(
    ("action", "brings"), [("set 9c 9d 9h", 3), ("run 4s 5s 6s", 5), ("claim 1 with 9c", 4)]
)
def test_rewards_follow_the_parts(action: str, brings: int) -> None:
    hands = ["9c 9d 9h 4s 5s 6s", "3c 7d"]
    match = set_table(hands, phase="plan", piles=((1, "9d 9s 9s"),), **REWARDS)
    play(match, action)
    assert acorns(match) == [brings, 0]


def test_bonuses_follow_the_parts() -> None:
    match = set_table(["9c", "3c 7d"], phase="discard", round=1, **REWARDS)
    play(match, "discard 9c")
    assert acorns(match) == [7, 0]


def test_parts_reach_the_state() -> None:
    match = foxden.new("fox-and-squirrels", seats=2, parts={"run": 3, "bonus": [0, 0, 16]})
    table = match.view(None)["table"]
    assert table["rewards"] == {"set": 1, "run": 3, "claim": 1}
    assert table["bonus"] == 0


@pytest.mark.parametrize(
    "parts", [{"set": -1}, {"run": 17}, {"bonus": [1, 2]}, {"bonus": [1, 2, "4"]}, {"fox": 1}]
)
def test_impossible_parts_are_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(foxden.BadParts):
        foxden.new("fox-and-squirrels", seats=2, parts=parts)
