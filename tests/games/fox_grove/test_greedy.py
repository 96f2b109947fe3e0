"""The greedy player of Fox Grove: it values cards by what its houses need."""

from typing import Any

import pytest

import foxden
from foxden.bots import ask, find_bot
from tests.games.fox_grove.tables import delivery, play, trick


def choice(match: foxden.Match) -> str:
    return str(ask(find_bot("greedy"), match, seed=3))


@pytest.mark.parametrize(("stock", "wanted"), [([0, 9, 0], "orange 3"), ([0, 0, 9], "purple 3")])
def test_the_reward_is_chosen_that_a_house_needs(stock: list[int], wanted: str) -> None:
    match = trick(["yellow 13", "yellow 4", "yellow 5", "yellow 6"], stock=[stock] * 4)
    play(match, "play yellow 13", "play yellow 4", "play yellow 5", "play yellow 6")
    taken = {"orange 3": "take yellow 5", "purple 3": "take yellow 4"}  # maple, or nut, and wood
    assert choice(match) == taken[wanted]


def test_the_last_seat_takes_a_rich_trick_as_cheaply_as_it_can() -> None:
    match = trick(["blue 1, orange 1", "blue 2, orange 2", "blue 3, orange 3", "blue 9, blue 10"])
    play(match, "play blue 1", "play blue 2", "play blue 3")
    assert choice(match) == "play blue 9"


def test_a_discard_is_one_that_pays() -> None:
    hands = ["blue 4, blue 5", "purple 1, purple 11", "blue 1, blue 2", "blue 3, blue 6"]
    match = trick(hands, level=[[2, 2, 2]] * 4)
    play(match, "play blue 4")
    assert choice(match) == "play purple 1"


def test_a_delivery_goes_where_it_scores_and_berries_are_saved() -> None:
    match = delivery([4, 1, 0], level=[2, 3, 3], berries=[4])
    assert choice(match) == "climb tree"  # the lowest house, worth 2 points and 3 on the track
    play(match, "climb tree")
    assert choice(match) == "pay 0 berries"


@pytest.mark.parametrize("options", [{}, {"pro": True}])
def test_greedy_beats_random(options: dict[str, Any]) -> None:
    greedy, random = find_bot("greedy"), find_bot("random")
    wins = 0
    for seed in range(12):
        match = foxden.new("fox-grove", seats=4, seed=seed, options=options)
        while not match.is_over:
            bot = greedy if match.to_act == seed % 4 else random
            match.play(ask(bot, match, seed=seed))
        wins += seed % 4 in match.winners
    assert wins >= 11
