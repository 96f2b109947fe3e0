"""What seats of Happy Fox know: fair resampling, and a tensor that tells everything."""

from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.bots import ask, find_bot
from foxden.engine import compiled
from foxden.engine.kernel import to_known
from foxden.games.happy_fox.knowledge import TENSOR
from tests.games.positions import rearrange

GOOSE, FOX, DOG = 1, 2, 3


def small_match() -> foxden.Match:
    """Seat 1 has 2 geese, 1 fox and 2 dogs: 2 cards in its row, 2 in hand, 1 in its pile."""
    match = foxden.new(
        "happy-fox", seats=2, seed=1, parts={"geese": 2, "foxes": 1, "dogs": 2, "hand_limit": 2}
    )

    def change(known: Any) -> None:
        known.to_act = known.starter = 0
        known.turn = 2
        for p in range(2):
            known.row[p][:2] = [GOOSE, DOG]
            known.turns_down[p][:2] = [0, 1]
            known.down[p] = 2
            known.hand[p] = [0, 1, 1, 0, 0]
            known.pile[p] = [DOG] + [0] * 31
            known.in_pile[p] = 1

    rearrange(match, change)
    return match


def worlds(match: foxden.Match, seat: int, n: int) -> Counter[tuple[object, ...]]:
    """Counts resampled worlds by what seat 1 holds."""
    found: Counter[tuple[object, ...]] = Counter()
    wiped = match.wiped(seat)
    for k in range(n):
        copy = wiped.copy()
        compiled.resample_of(copy, 0, seat, k, 99)
        known = to_known(copy, 0)
        found[(*known.row[1][:2], *known.hand[1][1:4], known.pile[1][0])] += 1
    return found


def test_resampling_is_uniform_over_consistent_deals() -> None:
    n = 6000
    found = worlds(small_match(), 0, n)
    # The row is drawn from 2 geese and 2 dogs, then hand and pile from what is left and the fox.
    expected: dict[tuple[object, ...], float] = {}
    for row in [(GOOSE, GOOSE), (GOOSE, DOG), (DOG, GOOSE), (DOG, DOG)]:
        chance = 1 / 3 if row[0] != row[1] else 1 / 6
        left = Counter({GOOSE: 2, FOX: 1, DOG: 2}) - Counter(row)
        for pile in left:
            hand = left - Counter([pile])
            key = (*row, hand[GOOSE], hand[FOX], hand[DOG], pile)
            expected[key] = chance * left[pile] / 3
    assert abs(sum(expected.values()) - 1) < 1e-9
    assert set(found) == set(expected)
    chi2 = sum((found[key] - n * p) ** 2 / (n * p) for key, p in expected.items())
    assert chi2 < 30, (chi2, len(expected))  # 9 degrees of freedom: p < 0.001 beyond 27.9


def test_a_seat_keeps_its_own_cards_in_every_world() -> None:
    found = worlds(small_match(), 1, 200)
    assert {key[:5] for key in found} == {(GOOSE, DOG, 1, 1, 0)}


def test_counting_the_set_out_leaves_one_world() -> None:
    match = small_match()

    def change(known: Any) -> None:
        # Both geese and the fox of seat 1 have been won: only dogs are left.
        known.won[0][1] = [0, 2, 1, 0]
        known.row[1][:2] = [DOG, DOG]
        known.hand[1] = [0, 0, 0, 0, 0]
        known.pile[1] = [0] * 32
        known.in_pile[1] = 0

    rearrange(match, change)
    assert set(worlds(match, 0, 50)) == {(DOG, DOG, 0, 0, 0, 0)}


def test_a_row_of_an_opponent_is_never_resampled_with_a_fox() -> None:
    match = foxden.new("happy-fox", seats=3, seed=8)
    bot = find_bot("greedy")
    rows = set()
    while match.ply < 60:
        copy = match.wiped(0)
        compiled.resample_of(copy, 0, 0, match.ply, 5)
        rows |= {card for p in (1, 2) for card in to_known(copy, 0).row[p]}
        match.play(ask(bot, match, seed=1))
    assert FOX not in rows
    assert {GOOSE, DOG} <= rows


def blocks(tensor: Any) -> dict[str, Any]:
    """Cuts a tensor into its documented blocks."""
    found, at = {}, 0
    for feature in TENSOR:
        found[feature.name] = tensor[at : at + feature.size].reshape(feature.shape)
        at += feature.size
    assert at == len(tensor)
    return found


@pytest.mark.parametrize("option", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_tensor_tells_everything_that_the_view_tells(seats: int, option: bool) -> None:
    match = foxden.new("happy-fox", seats=seats, seed=4, options={"unknown_four": option})
    bot = find_bot("random")
    tensor = np.zeros(match.game.tensor_size, np.float32)
    while True:
        for viewer in (None, *range(seats)):
            number = -1 if viewer is None else viewer
            compiled.features_of(match.wiped(viewer), 0, number, tensor)
            rebuilt = table_from(blocks(tensor), seats, number)
            assert rebuilt == match.view(viewer)["table"]
        if match.is_over:
            break
        match.play(ask(bot, match, seed=2))


def table_from(block: dict[str, Any], seats: int, viewer: int) -> dict[str, Any]:
    """Rebuilds the view's table from the tensor alone."""
    first = max(viewer, 0)

    def whole(x: Any, scale: int) -> int:
        return round(float(x) * scale)

    def absolute(one_hot: Any) -> int:
        return int((np.argmax(one_hot) + first) % seats)

    def counts(cards: Any, scale: int) -> dict[str, int]:
        return {name: whole(cards[c], scale) for c, name in enumerate(("goose", "fox", "dog"))}

    assert np.argmax(block["seats"]) + 2 == seats
    geese, foxes, dogs, limit, unknown = (whole(x, 32) for x in block["parts"][:5])
    removed = unknown if block["parts"][5] else 0
    phase = ("play", "grab", "over")[int(np.argmax(block["phase"]))]
    turns = geese + foxes + dogs - removed
    places: list[dict[str, Any]] = [{} for _ in range(seats)]
    order: list[tuple[int, int, int]] = []
    for i in range(seats):
        p = (first + i) % seats
        row = []
        for t in range(32):
            kind = {0: "goose", 1: "dog", 2: None}
            if block["row"][i, t].any():
                row.append(
                    {"turn": t + 1, "card": kind[int(np.argmax(block["row"][i, t]))], "up": False}
                )
            elif block["shown"][i, t]:
                order.append((whole(block["shown"][i, t], 160), p, t + 1))
                row.append({"turn": t + 1, "card": "goose", "up": True})
        by_set = [counts(block["won"][i, (q - first) % seats], 32) for q in range(seats)]
        won = {name: sum(cards[name] for cards in by_set) for name in ("goose", "fox", "dog")}
        hand = counts(block["hand"][i], 8)
        places[p] = {
            "hand_size": sum(whole(x, 8) for x in block["hand"][i]),
            "hand": hand if p == viewer else None,
            "pile": whole(block["pile"][i], 32) - removed,
            "row": row,
            "won": won,
            "won_by_set": by_set,
            "score": sum(won.values()),
        }
    grab = None
    if phase == "grab":
        geese_up = [{"seat": p, "turn": t} for _, p, t in sorted(order)]
        grab = {
            "by": absolute(block["to_act"]),
            "victim": absolute(block["victim"]),
            "geese": geese_up,
        }
    return {
        "phase": phase,
        "turn": min(whole(block["turn"][0], 32) + 1, turns),
        "turns": turns,
        "starter": absolute(block["starter"]),
        "set": {"goose": geese, "fox": foxes, "dog": dogs},
        "removed": removed,
        "hand_limit": limit,
        "seats": places,
        "grab": grab,
    }


def test_hypergeometric_share_of_dogs_in_a_full_row() -> None:
    match = foxden.new("happy-fox", seats=2, seed=1)

    def change(known: Any) -> None:
        known.turn = 5
        known.row[1][:5] = [GOOSE] * 5
        known.turns_down[1][:5] = [0, 1, 2, 3, 4]
        known.down[1] = 5

    rearrange(match, change)
    dogs: Counter[int] = Counter()
    n = 3000
    for k in range(n):
        copy = match.wiped(0)
        compiled.resample_of(copy, 0, 0, k, 7)
        dogs[to_known(copy, 0).row[1][:5].count(DOG)] += 1
    for d in range(5):
        p = comb(4, d) * comb(15, 5 - d) / comb(19, 5)
        assert abs(dogs[d] - n * p) < 5 * (n * p * (1 - p)) ** 0.5 + 1
