"""The greedy player: it prices wolves and tokens, and beats chance."""

import random

import numpy as np
import pytest

import foxden
from foxden.engine import compiled
from tests.games.foxy_and_woolly.board import NAME, play, position


def choice(match: foxden.Match) -> str:
    """Asks the greedy player what it would do for the seat asked."""
    out = np.zeros(match.game.actions, np.int64)
    action = compiled.greedy_of(match.wiped(match.to_act), 0, out, 1, 2)
    return str(match.game.action(int(action)))


def test_a_wolf_is_taken_when_the_field_outweighs_the_sheep() -> None:
    # A wolf for the best sheep is chased until enough cubes lie there.
    taken = [choice(position(3, "wolf 9", field=field)) == "take" for field in range(0, 25, 2)]
    assert not taken[0]
    assert taken[-1]
    assert taken == sorted(taken)
    # The worst sheep goes sooner, and an empty slot at once.
    cheap = [choice(position(3, "wolf 1", field=field)) == "take" for field in range(0, 25, 2)]
    assert sum(cheap) > sum(taken)
    assert choice(position(3, "wolf 9", sheep={0: [1, 2]})) == "take"


def highest_bid(token: str, sheep: list[int], cubes: int = 9) -> int:
    """Bids against the greedy player until it passes."""
    for bid in range(cubes + 1):
        match = position(2, token, then=["wolf 1"], cubes=[9, cubes], sheep={1: sheep})
        if choice(play(match, f"bid {bid}")) == "pass":
            return bid
    return cubes


def test_a_token_is_bid_for_in_proportion_to_its_worth() -> None:
    assert highest_bid("guard", [1, 2, 7, 8]) > highest_bid("flock", [1, 2, 7, 8])
    assert highest_bid("flock", list(range(1, 10))) > highest_bid("flock", [1])
    assert highest_bid("pair", []) == 0  # without sheep it brings nothing


def test_a_sheep_is_moved_out_of_danger() -> None:
    match = position(2, "wolf 6", then=["wolf 1"], sheep={0: [6, 5]}, held={0: ["up-down"]})
    assert choice(play(match, "take")) == "move 6 up"


def test_the_gun_is_fired_where_it_saves_most() -> None:
    spare = position(2, "wolf 9", then=["wolf 1"], sheep={0: [9]}, held={0: ["gun"]})
    assert choice(play(spare, "take")) == "fire"
    worse = position(
        2, "wolf 4", then=["wolf 1"], sheep={0: [1, 4]}, held={0: ["gun"]}, cubes=[0, 9]
    )
    assert choice(play(worse, "take")) == "hold fire"


@pytest.mark.parametrize(("seats", "share"), [(2, 0.9), (4, 0.75)])
def test_greedy_beats_chance(seats: int, share: float) -> None:
    won = 0.0
    for seed in range(60):
        match = foxden.new(NAME, seats=seats, seed=seed)
        dice = random.Random(seed)
        while not match.is_over:
            greedy = match.to_act == seed % seats
            match.play(choice(match) if greedy else dice.choice(match.legal()))
        won += (seed % seats in match.winners) / len(match.winners)
    assert won / 60 > share
