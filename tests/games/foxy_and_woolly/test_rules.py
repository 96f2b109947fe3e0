"""Foxy & Woolly, rule by rule."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import foxden
from tests.games.foxy_and_woolly.board import (
    ALL,
    NAME,
    ROWS,
    SPECIALS,
    TOKENS,
    choices,
    play,
    position,
    refusal,
    retold,
    seat,
    table,
)
from tests.games.foxy_and_woolly.brute_force import PAIRS, arrows
from tests.games.positions import truth

SEATS = (2, 3, 4)
WOLVES = TOKENS[:12]


def deals(seats: int, n: int) -> list[Any]:
    return [table(foxden.new(NAME, seats=seats, seed=seed)) for seed in range(n)]


# Parts


@pytest.mark.parametrize("seats", SEATS)
def test_FW_1_nine_sheep_and_nine_cubes_each(seats: int) -> None:
    match = foxden.new(NAME, seats=seats, seed=3)
    for p in range(seats):
        assert seat(match, p)["sheep"] == list(ALL)
        assert seat(match, p)["cubes"] == 9


def test_FW_1_a_slot_never_holds_two_sheep() -> None:
    match = position(2, "wolf 5", held={0: ["left-right"]}, sheep={0: [7, 8]})
    assert refusal(match, "move 7 right") == "FW-1"
    assert "move 8 right" in choices(match)


def test_FW_2_the_farm_is_three_rows_of_three() -> None:
    rows = table(foxden.new(NAME, seats=2, seed=1))["farm"]["rows"]
    assert rows == {"top": [7, 8, 9], "mid": [4, 5, 6], "low": [1, 2, 3]}
    match = position(2, "wolf 5", held={0: ["left-right"]}, sheep={0: [9]})
    assert refusal(match, "move 9 right") == "FW-2"


def test_FW_2_another_farm_needs_only_data() -> None:
    parts = {"farm": {"top": [1, 2, 3], "low": [7, 8, 9], "wolf_side": "left"}}
    match = position(2, "wolf 5", sheep={0: [1]}, held={0: ["up-down"]}, parts=parts)
    assert [move for move in choices(match) if "move" in move] == ["move 1 down"]
    assert seat(play(match, "move 1 down"), 0)["sheep"] == [4]
    attacked = position(2, "wolf top", sheep={0: [2, 3]}, parts=parts)
    assert seat(play(attacked, "take"), 0)["sheep"] == [3]


@pytest.mark.parametrize(
    "wrong",
    [
        {"farm.top": [7, 8, 8]},
        {"farm.top": [7, 8]},
        {"farm.top": [7, 8, 10]},
        {"farm.top": [7, 8, "9"]},
        {"farm.wolf_side": "above"},
        {"arrows.rising": ["sideways"]},
        {"arrows.rising": ["left"]},
        {"wolves.top": 2},
        {"wolves.numbers": [1, 1, 1]},
        {"cubes": 10},
        {"wages.cubes": 0},
        {"tokens.gun": -1},
    ],
)
def test_FW_2_and_FW_3_and_FW_4_data_that_cannot_be_played_is_refused(
    wrong: dict[str, Any],
) -> None:
    with pytest.raises(foxden.BadParts):
        foxden.new(NAME, seats=2, parts=wrong)


@pytest.mark.parametrize("seats", SEATS)
def test_FW_3_twelve_wolves(seats: int) -> None:
    for dealt in deals(seats, 20):
        assert sorted(token for token in dealt["line"] if "wolf" in token) == sorted(WOLVES)


def test_FW_3_other_wolves_need_only_data() -> None:
    parts = {"wolves": {"numbers": [0, 1, 1, 1, 1, 1, 1, 1, 1], "top": 2}}
    line = table(foxden.new(NAME, seats=2, seed=4, parts=parts))["line"]
    assert (line.count("wolf 1"), line.count("wolf top"), line.count("wolf 9")) == (0, 2, 1)


def test_FW_4_eleven_specials() -> None:
    match = foxden.new(NAME, seats=4, seed=8)
    found = [token for token in table(match)["line"] if token in SPECIALS] + table(match)["out"]
    for p in range(4):
        found += seat(match, p)["tokens"]
    assert sorted(found) == sorted(SPECIALS)


@pytest.mark.parametrize("token", PAIRS)
def test_FW_4_a_token_moves_along_its_arrows_both_ways(token: str) -> None:
    steps = set()
    for slot in ALL:
        match = position(2, "wolf 5", sheep={0: [slot]}, held={0: [token]})
        for move in choices(match):
            if "move" in move:
                twin = position(2, "wolf 5", sheep={0: [slot]}, held={0: [token]})
                steps.add((slot, *seat(play(twin, move), 0)["sheep"]))
    assert steps == set(arrows(token))


def counted(sheep: list[int], cubes: int, tokens: list[str], parts: Any = None) -> int:
    """Plays the last token so that seat 0 counts with these."""
    match = position(
        2, "flock", to_act=1, cubes=[cubes, 0], sheep={0: sheep}, held={0: tokens}, parts=parts
    )
    while not match.is_over:
        match.play(match.legal()[0])
    return match.scores[0]


def test_FW_4_what_the_scoring_tokens_are_worth() -> None:
    assert counted([1, 2, 3], 0, ["flock"]) == 3
    assert counted([1, 2], 1, ["trio"]) == 10
    assert counted([1], 3, ["guard"]) == 12
    assert counted([], 5, ["wages"]) == 6
    assert counted([1, 2], 0, ["pair"]) == 8
    # Once each, but for wages.
    assert counted([1, 2, 3, 4], 2, ["trio"]) == 14
    assert counted([1, 2], 6, ["guard"]) == 12 + 2 + 1
    assert counted([1, 2, 3, 4], 0, ["pair"]) == 8
    assert counted([], 8, ["wages"]) == 12


def test_FW_4_other_values_and_arrows_need_only_data() -> None:
    assert counted([1, 2, 3], 1, ["trio"], {"trio.sheep": 3, "trio.points": 20}) == 20
    assert counted([1, 2, 3], 0, ["flock"], {"flock.points": 4}) == 12
    parts = {"arrows": {"left_right": ["right"]}}
    match = position(2, "wolf 5", sheep={0: [5]}, held={0: ["left-right"]}, parts=parts)
    assert [move for move in choices(match) if "move" in move] == ["move 5 right"]
    assert table(match)["arrows"]["left-right"] == ["right"]


# Set-up


def test_FW_5_each_seat_draws_a_special_at_random() -> None:
    drawn: Counter[str] = Counter()
    for dealt in deals(4, 400):
        for place in dealt["seats"]:
            assert len(place["tokens"]) == 1
            drawn[place["tokens"][0]] += 1
    assert set(drawn) == set(SPECIALS)
    assert max(drawn.values()) < 1.5 * min(drawn.values())


@pytest.mark.parametrize("seats", SEATS)
def test_FW_6_three_wolves_and_two_specials_in_turn(seats: int) -> None:
    wolves = Counter[str]()
    specials = Counter[str]()
    for dealt in deals(seats, 300):
        kinds = "".join("s" if token in SPECIALS else "w" for token in dealt["line"])
        assert kinds == "wwwss" * 3 + "www"
        wolves[dealt["line"][0]] += 1
        specials[dealt["line"][14]] += 1
    assert set(wolves) == set(WOLVES)
    assert set(specials) == set(SPECIALS)


def test_FW_6_every_wolf_is_as_likely_in_every_place() -> None:
    places = np.zeros((12, 18), int)
    for dealt in deals(2, 2400):
        for place, token in enumerate(dealt["line"]):
            if token not in SPECIALS:
                places[WOLVES.index(token), place] += 1
    found = places[:, [k for k in range(18) if k % 5 < 3]]
    assert found.sum() == 12 * 2400
    assert found.min() > 150  # 200 are expected, give or take 14
    assert found.max() < 250


@pytest.mark.parametrize(("seats", "left"), [(2, 3), (3, 2), (4, 1)])
def test_FW_7_the_rest_is_out_of_the_game(seats: int, left: int) -> None:
    assert len(table(foxden.new(NAME, seats=seats, seed=2))["out"]) == left


@pytest.mark.parametrize("seats", SEATS)
def test_FW_7_too_few_specials_are_refused(seats: int) -> None:
    tokens = dict.fromkeys(foxden.game(NAME).printed["tokens"], 0)
    enough = tokens | {"gun": seats, "pair": 6}
    line = table(foxden.new(NAME, seats=seats, parts={"tokens": enough}))
    assert line["out"] == []
    with pytest.raises(foxden.BadParts) as refused:
        foxden.new(NAME, seats=seats, parts={"tokens": enough | {"pair": 5}})
    assert refused.value.rule == "FW-7"


def test_FW_8_the_first_player_is_random() -> None:
    first = Counter(foxden.new(NAME, seats=4, seed=seed).to_act for seed in range(400))
    assert min(first[p] for p in range(4)) > 70


# Bidding


def test_FW_9_chasing_costs_a_cube_and_goes_round_until_somebody_takes_the_wolf() -> None:
    match = position(3, "wolf 5", then=["wolf 6"], cubes=[2, 9, 9], to_act=1)
    asked = []
    for _ in range(5):
        asked.append(match.to_act)
        match.play("chase")
    assert asked == [1, 2, 0, 1, 2]
    assert table(match)["field"] == 5
    assert [seat(match, p)["cubes"] for p in range(3)] == [1, 7, 7]
    assert choices(match) == ["chase", "take"]
    match.play("take")
    assert [seat(match, p)["cubes"] for p in range(3)] == [6, 7, 7]
    assert table(match)["field"] == 0
    assert table(match)["offer"] == "wolf 6"


def test_FW_9_a_seat_with_no_cube_cannot_chase() -> None:
    match = position(2, "wolf 5", cubes=[0, 3], held={0: ["steal"]})
    assert choices(match) == ["take", "steal"]
    assert refusal(match, "chase") == "FW-9"
    assert refusal(match, "bid 0") == "FW-9"


def test_FW_9_with_one_answer_left_nobody_is_asked() -> None:
    match = position(2, "wolf 5", then=["wolf 6"], cubes=[0, 3], to_act=1)
    told = retold(truth(match), match, "chase")
    assert seat(match, 0)["cubes"] == 1
    assert 5 not in seat(match, 0)["sheep"]
    assert match.to_act == 1
    assert "Seat 0 has no cube left and must take wolf 5 and 1 cube" in told


@pytest.mark.parametrize("seats", SEATS)
def test_FW_9_and_FW_12_and_FW_18_nobody_is_ever_asked_without_a_choice(seats: int) -> None:
    for seed in range(40):
        match = foxden.new(NAME, seats=seats, seed=seed)
        dice = random.Random(seed)
        while not match.is_over:
            assert len(match.legal()) > 1
            match.play(dice.choice(match.legal()))


def test_FW_9_a_forced_seat_is_asked_while_it_could_move_a_sheep() -> None:
    match = position(
        2,
        "wolf 5",
        then=["wolf 6"],
        cubes=[0, 3],
        to_act=1,
        sheep={0: [1, 5]},
        held={0: ["falling"]},
    )
    match.play("chase")
    assert match.to_act == 0
    assert choices(match) == ["take", "move 5 down-right", "move 5 up-left"]
    match.play("move 5 up-left")
    # Now there is nothing left to choose.
    assert seat(match, 0)["sheep"] == [1, 7]
    assert seat(match, 0)["cubes"] == 1
    assert table(match)["offer"] == "wolf 6"


@pytest.mark.parametrize("number", ALL)
def test_FW_10_the_sheep_of_that_slot_is_lost_at_once(number: int) -> None:
    match = position(2, f"wolf {number}", then=["wolf top"])
    match.play("take")
    assert seat(match, 0)["sheep"] == [n for n in ALL if n != number]
    assert seat(match, 1)["sheep"] == list(ALL)
    assert table(match)["offer"] == "wolf top"
    assert "wolf" not in "".join(seat(match, 0)["tokens"] + seat(match, 0)["row_wolves"])


def test_FW_10_nothing_happens_if_the_slot_is_empty() -> None:
    match = position(2, "wolf 5", then=["wolf 6"], sheep={0: [4, 6]}, held={0: ["up-down", "gun"]})
    match.play("take")
    assert seat(match, 0)["sheep"] == [4, 6]
    assert match.to_act == 1  # nothing is in danger, so nothing is asked


@pytest.mark.parametrize("row", ROWS)
def test_FW_11_a_row_wolf_waits_by_its_row(row: str) -> None:
    match = position(2, f"wolf {row}", then=["wolf 6"], field=4)
    match.play("take")
    assert seat(match, 0)["row_wolves"] == [row]
    assert seat(match, 0)["sheep"] == list(ALL)
    assert seat(match, 0)["cubes"] == 13


def test_FW_12_the_opening_seat_must_bid() -> None:
    match = position(2, "gun", cubes=[3, 5])
    assert choices(match) == ["bid 0", "bid 1", "bid 2", "bid 3"]
    assert refusal(match, "pass") == "FW-12"
    assert refusal(match, "bid 4") == "FW-12"
    assert refusal(match, "take") == "FW-12"


def test_FW_12_a_bid_is_higher_than_the_last_and_covered() -> None:
    match = position(3, "gun", cubes=[3, 5, 9])
    play(match, "bid 2")
    assert choices(match) == ["pass", "bid 3", "bid 4", "bid 5"]
    assert refusal(match, "bid 2") == "FW-12"
    assert refusal(match, "bid 6") == "FW-12"


def test_FW_12_a_pass_is_final_and_only_the_winner_pays() -> None:
    match = position(3, "gun", then=["wolf 1"], field=1)
    play(match, "bid 1", "pass", "bid 2", "bid 3", "bid 4")
    assert match.to_act == 0  # seat 1 is not asked again
    play(match, "pass")
    assert seat(match, 2)["tokens"] == ["gun"]
    assert [seat(match, p)["cubes"] for p in range(3)] == [9, 9, 5]
    assert table(match)["field"] == 5
    assert table(match)["offer"] == "wolf 1"


def test_FW_12_who_cannot_bid_higher_passes_without_being_asked() -> None:
    match = position(3, "gun", then=["wolf 1"], cubes=[4, 4, 2])
    match.play("bid 4")
    assert seat(match, 0)["tokens"] == ["gun"]
    match = position(
        3, "gun", then=["wolf 1"], cubes=[4, 4, 2], held={1: ["rising"]}, sheep={1: [1]}
    )
    match.play("bid 4")
    assert (match.to_act, choices(match)) == (1, ["pass", "move 1 up-right"])


def test_FW_12_who_begins_without_a_cube_opens_with_nothing() -> None:
    match = position(2, "wolf 1", then=["gun", "wolf 2"], cubes=[9, 0])
    match.play("take")
    assert match.to_act == 0  # seat 1 has opened with 0
    assert table(match)["auction"] == {"high": 0, "bidder": 1}
    assert choices(match)[:2] == ["pass", "bid 1"]


def test_FW_13_cubes_paid_for_specials_go_with_the_next_wolf() -> None:
    match = position(2, "gun", then=["pair", "wolf 1", "wolf 2"])
    play(match, "bid 3", "pass", "bid 2", "pass")
    assert table(match)["field"] == 5
    play(match, "chase", "take")
    assert table(match)["field"] == 0
    assert [seat(match, p)["cubes"] for p in range(2)] == [5, 7 + 6]


@pytest.mark.parametrize("seats", SEATS)
def test_FW_13_no_cube_leaves_the_table(seats: int) -> None:
    for seed in range(30):
        match = foxden.new(NAME, seats=seats, seed=seed)
        dice = random.Random(seed)
        while not match.is_over:
            match.play(dice.choice(match.legal()))
            known = truth(match)
            assert sum(known.cubes) + known.field == 9 * seats


def test_FW_14_the_seat_left_of_the_taker_begins() -> None:
    match = position(3, "wolf 5", then=["gun", "wolf 6", "wolf 7"], to_act=2)
    play(match, "chase", "chase", "take")
    assert (match.to_act, table(match)["starter"]) == (2, 2)
    play(match, "bid 0", "bid 1", "pass", "pass")
    assert seat(match, 0)["tokens"] == ["gun"]
    assert match.to_act == 1
    play(match, "take")
    assert match.to_act == 2


# Using specials


def test_FW_15_sheep_move_on_your_turn_at_a_wolf_or_a_special() -> None:
    for offer, answers in (("wolf 5", ["chase", "take"]), ("gun", ["bid 0", "bid 1"])):
        match = position(
            2, offer, then=["wolf 1"], cubes=[1, 1], sheep={0: [1, 2]}, held={0: ["up-down"]}
        )
        assert choices(match) == [*answers, "move 1 up", "move 2 up"]
        match.play("move 2 up")
        assert (match.to_act, choices(match)) == (0, answers)  # still its turn
        assert seat(match, 0)["sheep"] == [1, 5]
        assert seat(match, 0)["tokens"] == []  # used once
        assert seat(match, 0)["used"] == [{"token": "up-down", "slot": 2}]
        assert refusal(match, "move 1 up") == "FW-15"


def test_FW_15_not_on_the_turn_of_another_seat() -> None:
    match = position(2, "wolf 5", held={1: ["up-down"]}, sheep={1: [1]})
    assert choices(match) == ["chase", "take"]
    with pytest.raises(foxden.NotYourTurn):
        match.play("move 1 up", 1)


def test_FW_15_before_a_numbered_wolf_strikes() -> None:
    match = position(
        2, "wolf 5", then=["wolf 6"], sheep={0: [5, 6]}, held={0: ["left-right", "up-down"]}
    )
    match.play("take")
    assert match.to_act == 0
    assert choices(match) == [
        "stay",
        "move 5 up",
        "move 5 down",
        "move 5 left",
        "move 6 up",
        "move 6 down",
    ]
    assert refusal(match, "chase") == "FW-10"
    match.play("move 6 up")
    assert match.to_act == 0  # the sheep in slot 5 is still in danger, and a token is left
    match.play("move 5 right")
    assert seat(match, 0)["sheep"] == [6, 9]
    assert (match.to_act, table(match)["offer"]) == (1, "wolf 6")


def test_FW_15_once_the_sheep_is_saved_play_goes_on() -> None:
    match = position(
        2, "wolf 5", then=["wolf 6"], sheep={0: [1, 5]}, held={0: ["left-right", "up-down"]}
    )
    play(match, "take", "move 5 right")
    assert seat(match, 0)["tokens"] == ["up-down"]  # kept for later
    assert (match.to_act, table(match)["offer"]) == (1, "wolf 6")


def test_FW_15_staying_loses_the_sheep() -> None:
    match = position(2, "wolf 5", then=["wolf 6"], sheep={0: [5, 6]}, held={0: ["left-right"]})
    play(match, "take", "stay")
    assert seat(match, 0)["sheep"] == [6]
    assert seat(match, 0)["tokens"] == ["left-right"]


def test_FW_15_a_token_that_cannot_be_used_is_not_asked_for() -> None:
    # Every slot that an arrow leads to has a sheep.
    match = position(2, "wolf 5", then=["wolf 6"], held={0: ["left-right"]})
    assert choices(match) == ["chase", "take"]
    match.play("take")
    assert match.to_act == 1


def test_FW_15_a_used_token_blocks_nothing() -> None:
    match = position(2, "wolf 9", sheep={0: [1]}, held={0: ["left-right", "left-right", "up-down"]})
    play(match, "move 1 right", "move 2 left", "move 1 up")
    assert seat(match, 0)["sheep"] == [4]
    slots = [used["slot"] for used in seat(match, 0)["used"]]
    assert sorted(slots) == [1, 1, 2]


def test_FW_15_before_each_attack_of_a_row_wolf() -> None:
    match = position(
        2,
        "wolf top",
        sheep={0: [2, 8, 9]},
        held={0: ["up-down", "left-right"]},
        row_wolves={0: ["low"]},
    )
    play(match, "take")
    assert choices(match) == ["face top", "face low"]
    assert refusal(match, "move 9 down") == "FW-15"  # the wolf is chosen first
    match.play("face top")
    assert "move 9 down" in choices(match)
    play(match, "move 9 down", "stay")  # wolf top takes the sheep in slot 8
    assert seat(match, 0)["sheep"] == [2, 6]
    # Wolf low comes by itself, but a sheep may be moved first.
    assert choices(match) == ["stay", "move 2 right", "move 2 left", "move 6 left"]
    assert refusal(match, "face low") == "FW-18"
    match.play("stay")
    assert match.is_over
    assert match.view(None)["table"]["result"][0]["surviving"] == 1


def test_FW_15_after_the_last_attack_nobody_is_asked() -> None:
    match = position(2, "wolf 9", sheep={0: [1], 1: [1]}, held={0: ["up-down"], 1: ["rising"]})
    match.play("take")
    assert match.is_over
    assert seat(match, 0)["sheep"] == [4]  # FW-22 has used the token
    assert seat(match, 1)["sheep"] == [5]


def test_FW_16_the_gun_turns_a_numbered_wolf_to_three_less() -> None:
    match = position(
        2, "wolf 8", then=["wolf 6"], held={0: ["gun", "up-down"]}, sheep={0: [5, 8, 1]}
    )
    match.play("take")
    assert choices(match) == ["fire", "hold fire"]  # before moves
    assert refusal(match, "move 1 up") == "FW-16"
    assert refusal(match, "stay") == "FW-16"
    out = table(match)["out"]
    match.play("fire")
    assert table(match)["out"].count("gun") == out.count("gun") + 1
    assert seat(match, 0)["tokens"] == ["up-down"]
    assert table(match)["danger"] == {"seat": 0, "wolf": "wolf 8", "slot": 5}
    assert "move 5 down" in choices(match)
    match.play("stay")
    assert seat(match, 0)["sheep"] == [1, 8]


def test_FW_16_holding_fire_keeps_the_gun() -> None:
    match = position(2, "wolf 8", then=["wolf 6"], held={0: ["gun"]})
    play(match, "take", "hold fire")
    assert seat(match, 0)["tokens"] == ["gun"]
    assert 8 not in seat(match, 0)["sheep"]


def test_FW_16_not_against_a_row_wolf_nor_for_an_empty_slot() -> None:
    match = position(
        2, "wolf top", then=["wolf 6", "wolf 5"], held={0: ["gun"], 1: ["gun"]}, sheep={1: [1]}
    )
    match.play("take")
    assert match.to_act == 1
    match.play("take")
    assert match.to_act == 0
    assert refusal(match, "fire") == "FW-16"
    assert refusal(match, "hold fire") == "FW-16"


@pytest.mark.parametrize(("field", "stolen"), [(5, 2), (2, 2), (1, 1), (0, 0)])
@pytest.mark.parametrize("wolf", ["wolf 4", "wolf mid"])
def test_FW_17_a_steal_takes_up_to_two_cubes_and_skips_the_turn(
    wolf: str, field: int, stolen: int
) -> None:
    match = position(2, wolf, field=field, held={0: ["steal"]})
    assert choices(match) == ["chase", "take", "steal"]
    out = table(match)["out"]
    match.play("steal")
    assert seat(match, 0)["cubes"] == 9 + stolen
    assert table(match)["field"] == field - stolen
    assert match.to_act == 1
    assert seat(match, 0)["tokens"] == []
    assert table(match)["out"].count("steal") == out.count("steal") + 1
    match.play("chase")
    assert refusal(match, "steal") == "FW-17"  # used once


def test_FW_17_not_while_a_special_is_on_offer() -> None:
    match = position(2, "gun", field=5, held={0: ["steal"]})
    assert "steal" not in choices(match)
    assert refusal(match, "steal") == "FW-17"


# The end


def test_FW_18_each_row_wolf_takes_one_sheep_of_its_row() -> None:
    match = position(2, "wolf top", row_wolves={0: ["mid"], 1: ["low"]}, sheep={1: [4, 7]})
    match.play("take")
    assert choices(match) == ["face top", "face mid"]
    assert refusal(match, "face low") == "FW-18"
    assert refusal(match, "take") == "FW-18"
    match.play("face mid")
    assert match.is_over
    assert seat(match, 0)["sheep"] == [1, 2, 3, 4, 5, 7, 8]
    assert seat(match, 1)["sheep"] == [4, 7]  # none in the row, nothing happens
    assert [seat(match, p)["row_wolves"] for p in range(2)] == [[], []]


def test_FW_18_row_wolves_wait_until_the_line_is_empty() -> None:
    match = position(2, "wolf top", then=["wolf 1"])
    match.play("take")
    assert refusal(match, "face top") == "FW-18"
    assert refusal(match, "stay") == "FW-15"
    match.play("take")
    assert match.is_over
    assert 9 not in seat(match, 0)["sheep"]


@pytest.mark.parametrize(
    ("sheep", "left"),
    [([7, 8, 9], [7, 8]), ([7, 8], [7]), ([7, 1], [1]), ([9, 1], [1]), ([4, 6], [4, 6])],
)
def test_FW_19_the_rightmost_sheep_of_the_row_is_taken(sheep: list[int], left: list[int]) -> None:
    match = position(2, "wolf top", sheep={0: sheep})
    match.play("take")
    assert seat(match, 0)["sheep"] == sorted(left)


def test_FW_20_row_wolves_go_seat_by_seat_from_the_left_of_the_last_taker() -> None:
    both = {p: ["top", "mid"] for p in range(3)}
    match = position(3, "wolf 9", to_act=1, row_wolves=both)
    match.play("take")
    asked = []
    while not match.is_over:
        asked.append(match.to_act)
        match.play("face top")
    assert asked == [2, 0, 1]


def test_FW_21_a_sheep_scores_its_slot_with_a_cube_and_nothing_without() -> None:
    assert counted([9, 8, 1], 2, []) == 17
    assert counted([9, 8, 1], 0, []) == 0


def test_FW_21_two_free_cubes_are_a_point_and_one_is_nothing() -> None:
    assert [counted([], cubes, []) for cubes in range(6)] == [0, 0, 1, 1, 2, 2]


def test_FW_21_a_sheep_on_a_token_has_left_the_farm_but_counts_for_the_flock() -> None:
    # Both sheep go to pair, and both are alive.
    assert counted([1, 2], 0, ["pair", "flock"]) == 8 + 2
    assert counted([1, 2, 9], 1, ["pair", "flock"]) == 8 + 9 + 3


def test_FW_22_the_view_and_the_tally_show_the_allocation() -> None:
    match = position(
        2,
        "wages",
        to_act=0,
        cubes=[9, 0],
        sheep={0: [1, 2, 5, 6, 7], 1: [3]},
        held={0: ["trio", "flock", "guard", "up-down"]},
    )
    play(match, "bid 0")
    assert match.is_over
    shown = table(match)["result"][0]
    assert shown["moves"] == [{"token": "up-down", "from": 6, "to": 9}]
    assert shown["sheep"] == [
        {"slot": 1, "does": "trio", "points": 0},
        {"slot": 2, "does": "trio", "points": 0},
        {"slot": 5, "does": "guard", "points": 0},
        {"slot": 7, "does": "watched", "points": 7},
        {"slot": 9, "does": "watched", "points": 9},
    ]
    assert shown["tokens"] == [
        {"token": "flock", "sheep": [], "cubes": 0, "points": 5},
        {"token": "wages", "sheep": [], "cubes": 2, "points": 3},
        {"token": "trio", "sheep": [1, 2], "cubes": 1, "points": 10},
        {"token": "guard", "sheep": [5], "cubes": 3, "points": 12},
    ]
    assert shown["free"] == {"cubes": 1, "points": 0}
    assert (shown["surviving"], shown["score"]) == (5, 46)
    assert match.view(0)["tally"][0] == [
        *[[f"slot {slot}", slot if slot in (7, 9) else 0] for slot in range(9, 0, -1)],
        ["flock", 5],
        ["wages", 3],
        ["trio", 10],
        ["guard", 12],
        ["pair", 0],
        ["free cubes", 0],
    ]
    assert table(match)["result"][1]["sheep"] == [{"slot": 3, "does": "alone", "points": 0}]


def end_with(*places: tuple[list[int], int], held: Any = None) -> foxden.Match:
    """Ends a match in which each seat has these sheep and cubes: a wolf is taken for nothing."""
    seats = len(places)
    match = position(
        seats,
        "wolf 9",
        cubes=[cubes for _, cubes in places],
        sheep={p: sheep for p, (sheep, _) in enumerate(places)},
        held=held,
    )
    match.play("take")
    assert match.is_over
    return match


def test_FW_23_most_points_win() -> None:
    match = end_with(([1, 2, 3], 3), ([8], 1), ([4], 1))
    assert (match.scores, match.winners) == ((6, 8, 4), (1,))


def test_FW_23_a_tie_goes_to_the_most_sheep() -> None:
    match = end_with(([8], 1), ([5, 3, 2], 2), ([7], 1))
    assert (match.scores, match.winners) == ((8, 8, 7), (1,))


def test_FW_23_still_tied_they_win_together() -> None:
    match = end_with(([8, 1], 1), ([5, 3], 2), ([8], 1))
    assert (match.scores, match.winners) == ((8, 8, 8), (0, 1))


def test_FW_24_everybody_sees_the_same() -> None:
    match = foxden.new(NAME, seats=4, seed=11)
    dice = random.Random(24)
    while not match.is_over:
        views = [match.view(p)["table"] for p in (None, 0, 1, 2, 3)]
        assert all(view == views[0] for view in views)
        known, whole = vars(match.known(None)), vars(truth(match))
        assert {name for name in whole if known[name] != whole[name]} == {"rng", "key"}
        match.play(dice.choice(match.legal()))


# Worked examples


def test_FW_E1_five_sheep_with_a_cube_each() -> None:
    assert counted([7, 8, 4, 5, 6], 5, []) == 30


def test_FW_E2_four_sheep_a_token_and_two_free_cubes() -> None:
    assert counted([7, 4, 6, 3, 1], 9, ["guard"]) == 33
    assert counted([7, 4, 6, 3, 1, 2], 7, ["trio"]) == 31
    # With the sheep and cubes where the book has them.
    for token, sheep, cubes in (("guard", [7, 4, 6, 3, 1], 9), ("trio", [7, 4, 6, 3, 1, 2], 7)):
        match = end_with((sheep, cubes), ([], 0), held={0: [token]})
        shown = table(match)["result"][0]
        watched = [one["slot"] for one in shown["sheep"] if one["does"] == "watched"]
        assert watched == [3, 4, 6, 7]
        assert shown["free"] == {"cubes": 2, "points": 1}


def test_FW_E3_the_gun_against_wolf_8_and_wolf_3() -> None:
    match = position(2, "wolf 8", then=["wolf 6"], held={0: ["gun"]}, sheep={0: [8, 9]})
    play(match, "take", "fire")
    assert seat(match, 0)["sheep"] == [8, 9]
    match = position(2, "wolf 3", then=["wolf 6"], held={0: ["gun"]})
    play(match, "take", "fire")
    assert seat(match, 0)["sheep"] == list(ALL)
    assert match.to_act == 1


def test_FW_E4_c_chases_d_steals_b_chases_a_must_choose() -> None:
    # Clockwise C, D, B, A are the seats 0, 1, 2, 3.
    match = position(4, "wolf 5", held={1: ["steal"]})
    play(match, "chase", "steal", "chase")
    assert seat(match, 1)["cubes"] == 10  # the one cube that lay there
    assert table(match)["field"] == 1
    assert (match.to_act, choices(match)) == (3, ["chase", "take"])


def test_FW_E5_an_opening_bid_of_nothing_takes_the_token() -> None:
    match = position(3, "pair", then=["wolf 5"])
    play(match, "bid 0", "pass", "pass")
    assert seat(match, 0)["tokens"] == ["pair"]
    assert seat(match, 0)["cubes"] == 9
    assert match.to_act == 1
