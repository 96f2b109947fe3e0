"""The greedy player of Fox & Squirrels plays what it has and gives the next seat little."""

import hashlib
import random

import numpy as np
import pytest

import foxden
from foxden.engine import compiled
from tests.games.fox_and_squirrels.setting import NAMES, set_table


def choice(match: foxden.Match, seed: int = 0) -> str:
    """Returns what greedy chooses for the seat asked, from what that seat knows."""
    out = np.zeros(match.game.actions, np.int64)
    action = int(compiled.greedy_of(match.wiped(match.to_act), 0, out, seed, 5))
    return str(match.game.labels[action])


@pytest.mark.parametrize(
    ("top", "hand", "piles"),
    [
        ("9h", "9c 9s 2d", ()),
        ("9h", "7h 8h 2d", ()),
        ("9h", "8h 10h 2d", ()),
        ("9h", "10h jh 2d", ()),
        ("ah", "2h 3h 5d", ()),
        ("ah", "qh kh 5d", ()),
        ("9h", "2c 4d 6d", ((1, "9c 9d 9s"),)),
        ("9h", "2c 4d 6d", ((1, "6h 7h 8h"),)),
    ],
)
def test_it_takes_a_card_that_it_can_play(
    top: str, hand: str, piles: tuple[tuple[int, str], ...]
) -> None:
    assert choice(set_table([hand, "3c 7d"], discard=f"4s {top}", piles=piles)) == "take"


@pytest.mark.parametrize(
    ("top", "hand", "piles"),
    [
        ("9h", "9c 2d 4s", ()),
        ("9h", "8h js 2d", ()),
        ("ah", "kh 2h 5d", ()),
        ("9h", "2c 4d 6d", ((0, "9c 9d 9s"),)),
        ("fox", "2c 4d 6d", ()),
    ],
)
def test_it_draws_when_the_discard_pile_offers_nothing(
    top: str, hand: str, piles: tuple[tuple[int, str], ...]
) -> None:
    options = {"foxes": "jokers"}
    match = set_table([hand, "3c 7d"], discard=f"4s {top}", piles=piles, options=options)
    assert choice(match) == "draw"


def test_it_plays_the_run_before_a_set_and_a_set_or_claim_before_nothing() -> None:
    both = set_table(["9c 9d 9h 4s 5s 6s jd qc", "3c 7d"], phase="plan")
    assert choice(both) == "run 4s 5s 6s"
    one = set_table(["9c 9d 9h 4s 5s jd qc", "3c 7d"], phase="plan")
    assert choice(one) == "set 9c 9d 9h"
    claim = set_table(["9c 4s 5s jd qc", "3c 7d"], phase="plan", piles=((1, "9d 9d 9s"),))
    assert choice(claim) == "claim 1 with 9c"


def test_it_keeps_the_cards_of_a_future_run_when_it_chooses_a_set() -> None:
    match = set_table(["9c 9d 9h 9s 8s 2d qc", "3c 7d"], phase="plan")
    assert choice(match) == "set 9c 9d 9h"


def test_it_ends_the_round_when_it_can() -> None:
    match = set_table(["9c 9d 9h 4s", "3c 7d"], phase="plan", piles=((1, "4c 4d 4h"),))
    assert choice(match) == "set 9c 9d 9h"


def test_it_discards_what_is_of_no_use_to_itself() -> None:
    match = set_table(["9c 9d 5s 6s kh", "3c 7d"], phase="discard")
    assert choice(match) == "discard kh"


@pytest.mark.parametrize("seed", range(8))
def test_it_does_not_hand_the_next_seat_an_obvious_card(seed: int) -> None:
    # K♥ would claim pile 1 from seat 0, or pile 2 from seat 2; the 2♣ fits nothing.
    for owner in (0, 2):
        match = set_table(
            ["2c kh", "3c 7d", "4c 8d"], phase="discard", piles=((owner, "kc kd ks"),)
        )
        assert choice(match, seed) == "discard 2c"
    # The next seat is known to hold two fives, or queen and ace of hearts.
    for shown, gift in (("5c 5d", "5h"), ("ah qh", "kh")):
        pair = sorted(NAMES.index(name) for name in shown.split())
        match = set_table(
            [f"{gift} 2s", f"{shown} 9d"],
            phase="discard",
            shown=[[-1] * 11, pair + [-1] * 9, *[[-1] * 11] * 3],
            shown_size=[0, 2, 0, 0, 0],
        )
        assert choice(match, seed) == "discard 2s"


TOGETHER = {"cooperative": True}
FOXES = {"cooperative": True, "foxes": "jokers"}


def test_it_helps_the_next_seat_where_all_play_together() -> None:
    match = set_table(
        ["2c kh", "3c 7d", "4c 8d"], phase="discard", piles=((0, "kc kd ks"),), options=TOGETHER
    )
    assert choice(match) == "discard kh"
    own = set_table(
        ["2c kh", "3c 7d", "4c 8d"], phase="discard", piles=((2, "kc kd ks"),), options=TOGETHER
    )
    assert choice(own) == "discard 2c"  # it can claim with the king itself


def test_it_keeps_what_a_run_may_grow_to_where_all_play_together() -> None:
    hands = ["jh 2c 7s", "3c 7d"]
    for options in (TOGETHER, {}):
        match = set_table(hands, phase="discard", piles=((1, "7h 8h 9h"),), options=options)
        choices = {choice(match, seed) for seed in range(20)}
        assert ("discard jh" in choices) == (not options)


@pytest.mark.parametrize("options", [TOGETHER, FOXES])
def test_it_does_not_end_a_common_round_while_others_hold_many_cards(
    options: dict[str, object],
) -> None:
    hands = ["9c 4s", "3c 7d 5h 6h js qs kd ac", "4c 8d 2s 3s 10h qd kh ah"]
    piles = ((1, "9d 9d 9s"), (2, "5d 6d 7d"))
    assert choice(set_table(hands, phase="plan", piles=piles, options=options)) == "plan"
    alone = set_table(hands, phase="plan", piles=piles, options=options | {"cooperative": False})
    assert choice(alone) == "claim 1 with 9c"
    # When the others are down to their last cards, or time is out, the bonus is worth more.
    bare = set_table(["9c 4s", "3c", "4c"], phase="plan", piles=piles, options=FOXES)
    assert choice(bare) == "claim 1 with 9c"
    late = set_table(hands, phase="plan", piles=piles, options=TOGETHER, turn=100)
    assert choice(late) == "claim 1 with 9c"


def test_it_saves_cards_for_claims_where_all_play_together_and_foxes_take_nothing() -> None:
    hand, piles = "9c 9d 9h 4s js", ((1, "4c 5c 6c"), (1, "qc qd qs"))
    hands = [hand, "3c 7d 5h 6h kd ac"]
    assert choice(set_table(hands, phase="plan", piles=piles, options=TOGETHER)) == "plan"
    for options in (FOXES, {}):
        match = set_table(hands, phase="plan", piles=piles, options=options)
        assert choice(match) == "set 9c 9d 9h"
    # A dare costs no acorn, so there is time to wait; the first pile is laid at once.
    dare = FOXES | {"fox_demand": "dare"}
    assert choice(set_table(hands, phase="plan", piles=piles, options=dare)) == "plan"
    assert choice(set_table(hands, phase="plan", options=TOGETHER)) == "set 9c 9d 9h"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_it_gathers_clearly_more_than_random_play_where_all_play_together(seats: int) -> None:
    gathered = []
    for is_greedy in (False, True):
        total = 0
        for seed in range(6):
            match = foxden.new("fox-and-squirrels", seats=seats, seed=seed, options=TOGETHER)
            dice = random.Random(seed)
            while not match.is_over:
                match.play(choice(match, match.ply) if is_greedy else dice.choice(match.legal()))
            total += match.scores[0]
        gathered.append(total / 6)
    assert gathered[1] > gathered[0] + 2 * seats


def test_where_seats_play_for_themselves_it_plays_as_it_always_has() -> None:
    played = hashlib.sha256()
    for seats in (2, 3, 4, 5):
        for foxes in ("none", "jokers", "four_aces", "eight_aces"):
            match = foxden.new(
                "fox-and-squirrels", seats=seats, seed=seats, options={"foxes": foxes}
            )
            while not match.is_over:
                match.play(choice(match, match.ply))
            played.update(match.record().encode())
    assert played.hexdigest()[:16] == "5a33d7b7e8ef815b"


def test_it_beats_random_play_clearly() -> None:
    wins = 0
    for seed in range(40):
        match = foxden.new("fox-and-squirrels", seats=4, seed=seed, options={"foxes": "jokers"})
        dice = random.Random(seed)
        while not match.is_over:
            greedy = match.to_act == seed % 4
            match.play(choice(match, match.ply) if greedy else dice.choice(match.legal()))
        wins += match.winners == (seed % 4,)
    assert wins >= 32
