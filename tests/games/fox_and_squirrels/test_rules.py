"""The rules of Fox & Squirrels, one by one, from the rulebook and the rulings in the guide."""

import random
from collections import Counter
from typing import Any

import pytest

import foxden
from foxden.engine.kernel import Known
from tests.games.fox_and_squirrels.setting import (
    FOX,
    NAMES,
    acorns,
    cards,
    deck_of,
    discard_pile,
    hand,
    legal,
    pile,
    play,
    set_table,
    shown,
)
from tests.games.fox_and_squirrels.truth import conserved
from tests.games.positions import rearrange, truth

SEASONS = ("spring", "summer", "autumn")


def new(seats: int = 3, seed: int = 1, **options: Any) -> foxden.Match:
    return foxden.new("fox-and-squirrels", seats=seats, seed=seed, options=options)


def all_cards(match: foxden.Match) -> Counter[int]:
    return Counter(conserved(truth(match)))


def next_round(match: foxden.Match) -> foxden.Match:
    """Lets the seat asked end the round with its last card."""

    def change(known: Known) -> None:
        p = known.to_act
        known.hand[p] = [known.hand[p][0]] + [-1] * 10
        known.hand_size[p] = 1
        known.phase = 2

    rearrange(match, change)
    match.play(match.legal()[0])
    return match


def refusal(match: foxden.Match, action: str) -> str:
    """Returns the rule by which an action is refused."""
    assert action not in legal(match)
    return match.why_not(action)[1]


# Parts


def test_FS_1_two_decks_of_52_cards_without_jokers() -> None:
    assert all_cards(new()) == Counter(dict.fromkeys(range(52), 2))


@pytest.mark.parametrize(
    ("foxes", "number", "aces", "total"),
    [
        ("none", 0, 8, 104),
        ("jokers", 4, 8, 108),
        ("four_aces", 4, 0, 100),
        ("eight_aces", 8, 0, 104),
    ],
)
def test_FS_2_foxes_are_jokers_or_aces(foxes: str, number: int, aces: int, total: int) -> None:
    found = all_cards(new(foxes=foxes))
    assert found[FOX] == number
    assert sum(found[card] for card in range(4)) == aces
    assert found.total() == total
    assert all(found[card] == 2 for card in range(4, 52))


@pytest.mark.parametrize("foxes", ["four_aces", "eight_aces"])
def test_FS_2_where_aces_are_foxes_runs_go_from_two_to_king(foxes: str) -> None:
    match = set_table(
        ["5c 6c", "7d 8d"],
        piles=((1, "2h 3h 4h"), (1, "js qs ks")),
        phase="plan",
        options={"foxes": foxes},
    )
    assert pile(match, 1) == (1, "2h 3h 4h", "5h")
    assert pile(match, 2) == (1, "js qs ks", "10s")
    assert refusal(match, "claim 1 with ah") == "FS-2"
    assert refusal(match, "run ac 2c 3c") == "FS-2"
    assert refusal(match, "set ac ad ah") == "FS-2"


# The game


def test_FS_3_three_rounds_then_most_acorns_win() -> None:
    match = new(seats=2)
    seen = []
    for _ in range(3):
        seen.append(match.view(None)["table"]["season"])
        assert not match.is_over
        next_round(match)
    assert tuple(seen) == SEASONS
    assert match.is_over
    assert match.winners == (match.scores.index(max(match.scores)),)
    assert max(match.scores) > min(match.scores)


def test_FS_4_first_dealer_is_random_and_the_left_neighbour_begins() -> None:
    dealers: Counter[int] = Counter()
    for seed in range(300):
        match = new(seats=3, seed=seed)
        dealer = truth(match).dealer
        dealers[dealer] += 1
        assert match.to_act == (dealer + 1) % 3
    assert all(dealers[p] > 70 for p in range(3))


@pytest.mark.parametrize("ender", [0, 1, 2])
def test_FS_4_whoever_ended_a_round_deals_the_next(ender: int) -> None:
    hands = ["2c 4c 6c"] * 2 + ["8d 10d qd"]
    match = set_table(hands, to_act=ender, dealer=1)
    next_round(match)
    assert truth(match).dealer == ender
    assert match.to_act == (ender + 1) % 3


# Set-up of a round


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_FS_5_ten_cards_each_a_deck_and_one_card_turned_up(seats: int) -> None:
    known = truth(new(seats=seats))
    assert known.hand_size == [10] * seats + [0] * (5 - seats)
    assert known.discard_size == 1
    assert known.deck_size == 104 - 10 * seats - 1


def test_FS_5_all_cards_are_shuffled() -> None:
    places: Counter[int] = Counter()
    for seed in range(260):
        places[truth(new(seats=2, seed=seed)).discard[0]] += 1
    assert len(places) > 45
    assert max(places.values()) < 20


def test_FS_6_in_spring_foxes_join_the_deck_after_the_deal() -> None:
    depths = []
    for seed in range(60):
        known = truth(new(seats=5, seed=seed, foxes="eight_aces"))
        assert known.hid == [0] * 5
        assert known.deck.count(FOX) == 8
        depths += [i / known.deck_size for i, card in enumerate(known.deck) if card == FOX]
    assert 0.4 < sum(depths) / len(depths) < 0.6


def test_FS_7_later_foxes_are_dealt_hidden_again_and_replaced() -> None:
    hidden = []
    for seed in range(60):
        match = next_round(new(seats=5, seed=seed, foxes="eight_aces"))
        known = truth(match)
        assert known.hand_size == [10] * 5
        assert not any(FOX in held for held in known.hand)
        assert known.deck.count(FOX) == 8
        assert known.deck_size + known.discard_size == 104 - 50
        hidden.append(sum(known.hid))
    # 8 × 50 / 104 foxes are dealt, and some more come as replacements.
    assert 3.8 < sum(hidden) / len(hidden) < 6


def test_FS_7_how_many_foxes_a_seat_hid_is_open() -> None:
    match = new(seats=3, seed=1, foxes="eight_aces", fox_demand="dare")
    dice = random.Random(4)
    while truth(match).round == 0:
        match.play(dice.choice(match.legal()))
    hid = truth(match).hid[:3]
    assert sum(hid) > 0
    places = match.view(None)["table"]["seats"]
    assert [place["hid_foxes"] for place in places] == hid
    told = " ".join(match.log(None)[-1]["says"])
    assert told.count(" hides ") == sum(n > 0 for n in hid)


def test_FS_8_no_fox_starts_the_discard_pile() -> None:
    for seed in range(100):
        match = new(seats=2, seed=seed, foxes="eight_aces")
        for _ in range(3):
            known = truth(match)
            assert known.discard[0] != FOX
            assert known.deck.count(FOX) == 8
            assert all(card >= 0 for card in known.deck[: known.deck_size])
            next_round(match)


def test_FS_8_a_fox_turned_up_goes_back_to_a_random_place() -> None:
    ends = [0, 0]
    for seed in range(400):
        known = truth(new(seats=5, seed=seed, foxes="eight_aces"))
        ends[0] += known.deck[0] == FOX
        ends[1] += known.deck[known.deck_size - 1] == FOX
    # 8 foxes in 53 places: 60 in 400 at each end, with a deviation of 7.
    assert all(35 < n < 85 for n in ends)


def test_FS_9_acorns_stay_and_piles_do_not() -> None:
    match = set_table(["2c 3c", "4d 6d"], piles=((1, "9c 9d 9s"),), acorns=[5, 3])
    next_round(match)
    assert acorns(match) == [5 + 1, 3]
    known = truth(match)
    assert known.piles == 0
    assert all_cards(match).total() == 104
    assert known.shown_size[:2] == [0, 0]


# A turn


def test_FS_10_draw_from_the_deck_or_take_the_top_of_the_discard_pile() -> None:
    match = set_table(["2c 5d 8h", "3c 7d"], discard="4s 9h", deck_top="kd")
    assert legal(match) == ["draw", "take"]
    play(match, "draw")
    assert hand(match, 0) == "2c 5d 8h kd"
    assert discard_pile(match) == "4s 9h"
    match = set_table(["2c 5d 8h", "3c 7d"], discard="4s 9h", deck_top="kd")
    play(match, "take")
    assert hand(match, 0) == "2c 5d 8h 9h"
    assert discard_pile(match) == "4s"
    assert deck_of(match).endswith("kd")
    assert refusal(match, "draw") == "FS-10"


def test_FS_10_a_turn_begins_with_a_draw() -> None:
    match = set_table(["2c 2d 2h 5c", "3c 7d"])
    for action in ("plan", "set 2c 2d 2h", "discard 5c"):
        assert refusal(match, action) == "FS-10"


def test_FS_11_an_empty_deck_is_made_of_the_discard_pile_less_its_top_card() -> None:
    gone = " ".join(NAMES[8:40])
    match = set_table(["2c 5d", "3c 7d"], discard=f"{gone} kd", deck="")
    play(match, "draw")
    known = truth(match)
    assert discard_pile(match) == "kd"
    assert known.deck_size == 32 - 1
    assert known.reforms == 1
    drawn = (set(hand(match, 0).split()) - {"2c", "5d"}).pop()
    assert sorted([*deck_of(match).split(), drawn]) == sorted(gone.split())
    assert deck_of(match).split() != [name for name in gone.split() if name != drawn]


def test_FS_11_taking_from_the_discard_pile_leaves_an_empty_deck_empty() -> None:
    match = set_table(["2c 5d 8h", "3c 7d"], discard="4s 6h 9h", deck="")
    play(match, "take", "plan", "discard 2c")
    assert truth(match).deck_size == 0
    assert truth(match).reforms == 0


def test_FS_12_at_most_one_play_in_a_turn() -> None:
    match = set_table(["2c 2d 2h 5c 6c 7c 9h", "3c 7d"], piles=((1, "9c 9d 9s"),), phase="plan")
    assert legal(match) == ["plan", "set 2c 2d 2h", "run 5c 6c 7c", "claim 1 with 9h"]
    play(match, "set 2c 2d 2h")
    assert legal(match) == ["discard 5c", "discard 6c", "discard 7c", "discard 9h"]
    for action in ("run 5c 6c 7c", "claim 1 with 9h", "plan"):
        assert refusal(match, action) == "FS-12"


def test_FS_12_playing_nothing_is_allowed_and_a_discard_comes_later() -> None:
    match = set_table(["2c 2d 2h 5c", "3c 7d"], phase="plan")
    assert refusal(match, "discard 5c") == "FS-12"
    play(match, "plan", "discard 5c")
    assert acorns(match) == [0, 0]
    assert match.to_act == 1


def test_FS_12_nobody_is_asked_to_plan_when_the_table_shows_that_nothing_can_be_played() -> None:
    mine = set_table(["2c", "3c 7d 9s"], piles=((0, "9c 9d 9h"),), deck_top="4d", discard="5h")
    play(mine, "draw")
    assert legal(mine) == ["discard 2c", "discard 4d"]
    # Two cards that fit nothing are a secret, so the question is asked.
    theirs = set_table(["2c", "3c 7d 9s"], piles=((1, "9c 9d 9h"),), deck_top="4d", discard="5h")
    play(theirs, "draw")
    assert legal(theirs) == ["plan"]
    complete = " ".join(name for name in NAMES if name[-1] == "h")
    full = set_table(["2c", "3c 7d 9s"], piles=((1, complete),), deck_top="4d", discard="5h")
    play(full, "take")
    assert legal(full) == ["discard 2c", "discard 5h"]


def test_FS_13_a_set_is_three_of_a_rank_and_brings_one_acorn() -> None:
    match = set_table(["9c 9d 9h 9h 4s", "3c 7d"], discard="5s", phase="plan")
    assert legal(match) == [
        "plan",
        "set 9c 9d 9h",
        "set 9c 9h 9h",
        "set 9d 9h 9h",
    ]
    play(match, "set 9c 9h 9h")
    assert pile(match, 1) == (0, "9c 9h 9h", "9c 9d 9s")
    assert hand(match, 0) == "4s 9d"
    assert acorns(match) == [1, 0]


def test_FS_13_every_three_of_the_eight_cards_of_a_rank_can_be_named() -> None:
    match = set_table(["kc kc kd kd kh kh ks ks 4s", "3c 7d"], phase="plan")
    sets = [action for action in legal(match) if action.startswith("set")]
    assert len(sets) == len(set(sets)) == 16
    assert refusal(match, "set 4c 4d 4s") == "FS-13"


def test_FS_13_two_of_a_rank_are_no_set() -> None:
    match = set_table(["9c 9d 4s 4h", "3c 7d"], discard="5s", phase="plan")
    assert legal(match) == ["plan"]
    assert refusal(match, "set 9c 9d 9h") == "FS-13"
    assert refusal(match, "set 9c 9c 9d") == "FS-13"


def test_FS_14_a_run_is_three_of_a_suit_in_sequence_and_brings_two_acorns() -> None:
    match = set_table(["6c 7c 8c 9c 7d", "3c 8d"], discard="5s", phase="plan")
    assert legal(match) == ["plan", "run 6c 7c 8c", "run 7c 8c 9c"]
    play(match, "run 7c 8c 9c")
    assert pile(match, 1) == (0, "7c 8c 9c", "6c 10c")
    assert hand(match, 0) == "6c 7d"
    assert acorns(match) == [2, 0]


def test_FS_14_an_ace_is_low_or_high_and_never_in_the_middle() -> None:
    low = set_table(["ad 2d 3d 4s", "3c 8d"], phase="plan")
    assert legal(low) == ["plan", "run ad 2d 3d"]
    assert pile(play(low, "run ad 2d 3d"), 1) == (0, "ad 2d 3d", "4d")
    high = set_table(["ad qd kd 4s", "3c 8d"], phase="plan")
    assert legal(high) == ["plan", "run qd kd ad"]
    assert pile(play(high, "run qd kd ad"), 1) == (0, "qd kd ad", "jd")
    middle = set_table(["kd ad 2d 4s", "3c 8d"], phase="plan")
    assert legal(middle) == ["plan"]
    assert refusal(middle, "run qd kd ad") == "FS-14"
    mixed = set_table(["5d 6c 7d 4s", "3c 8d"], phase="plan")
    assert legal(mixed) == ["plan"]


def test_FS_15_a_claim_adds_a_card_and_moves_the_pile() -> None:
    match = set_table(
        ["5c 9c 7d 3h 10h 4s", "3c 8d", "2s 2d"],
        piles=((1, "6c 7c 8c"), (2, "3c 3d 3d"), (2, "7h 8h 9h")),
        discard="5s",
        phase="plan",
        acorns=[0, 2, 3],
    )
    claims = ["claim 1 with 5c", "claim 1 with 9c", "claim 2 with 3h", "claim 3 with 10h"]
    assert legal(match) == ["plan", *claims]
    for action in ("claim 1 with 4s", "claim 1 with 10h", "claim 2 with 4s", "claim 4 with 5c"):
        assert refusal(match, action) == "FS-15"
    assert refusal(match, "claim 1 with 7d") == "FS-15"
    play(match, "claim 1 with 9c")
    assert pile(match, 1) == (0, "6c 7c 8c 9c", "5c 10c")
    assert hand(match, 0) == "3h 4s 5c 7d 10h"
    assert acorns(match) == [1, 2, 3]


def test_FS_15_equal_cards_are_one_answer() -> None:
    match = set_table(["3h 3h 4s", "3c 8d"], piles=((1, "3c 3d 3d"),), phase="plan")
    assert legal(match) == ["plan", "claim 1 with 3h"]


def test_FS_16_no_claim_of_ones_own_pile_but_of_one_that_was_taken() -> None:
    match = set_table(
        ["9h 9s 4s", "9c 8d 2s"],
        piles=((0, "9c 9d 9h"),),
        phase="plan",
        acorns=[1, 0],
        discard="5s",
    )
    assert legal(match) == ["plan"]
    assert refusal(match, "claim 1 with 9h") == "FS-16"
    play(match, "plan", "discard 4s", "draw", "claim 1 with 9c", "discard 8d")
    assert acorns(match) == [1, 1]
    play(match, "draw", "claim 1 with 9h")
    assert pile(match, 1)[0] == 0
    assert acorns(match) == [2, 1]


@pytest.mark.parametrize(
    ("run", "wants"),
    [
        ("qs ks as", "js"),
        ("as 2s 3s", "4s"),
        ("2s 3s 4s", "as 5s"),
        ("js qs ks", "as 10s"),
        ("2s 3s 4s 5s 6s 7s 8s 9s 10s js qs ks as", ""),
        ("as 2s 3s 4s 5s 6s 7s 8s 9s 10s js qs ks", ""),
        ("2s 3s 4s 5s 6s 7s 8s 9s 10s js qs ks", "as"),
        ("as 2s 3s 4s 5s 6s 7s 8s 9s 10s js qs", "ks"),
        ("3s 4s 5s 6s 7s 8s 9s 10s js qs ks as", "2s"),
    ],
)
def test_FS_17_a_run_ends_at_its_ace_and_has_only_one(run: str, wants: str) -> None:
    match = set_table(["2c 5d", "3c 7d"], piles=((1, run),), phase="plan")
    assert pile(match, 1) == (1, run, wants)


def test_FS_17_refusals_of_a_second_ace_and_of_cards_past_the_ace() -> None:
    match = set_table(
        ["ad 2d kd 4s 5h", "3c 7d"], piles=((1, "qd kd ad"), (1, "ac 2c 3c")), phase="plan"
    )
    assert refusal(match, "claim 1 with ad") == "FS-17"
    assert refusal(match, "claim 1 with 2d") == "FS-17"
    assert refusal(match, "claim 2 with ac") == "FS-17"
    assert refusal(match, "claim 2 with kc") == "FS-17"
    assert refusal(match, "claim 1 with kd") == "FS-15"


def test_FS_17_a_run_from_two_to_king_takes_one_ace_and_is_complete() -> None:
    run = "2s 3s 4s 5s 6s 7s 8s 9s 10s js qs ks"
    match = set_table(["as 5d 6d", "as 7d"], piles=((1, run),), phase="plan")
    assert legal(match) == ["plan", "claim 1 with as"]
    play(match, "claim 1 with as")
    assert pile(match, 1)[2] == ""
    assert sorted(pile(match, 1)[1].split()) == sorted([*run.split(), "as"])
    play(match, "discard 5d", "draw")
    assert not [action for action in legal(match) if action.startswith("claim")]
    assert refusal(match, "claim 1 with as") == "FS-17"


def test_FS_17_a_set_grows_to_eight_cards() -> None:
    match = set_table(
        ["9s 5d 6d", "2c 7d"], piles=((1, "9c 9c 9d 9d 9h 9h 9s"),), phase="plan", discard="4c"
    )
    assert pile(match, 1)[2] == "9s"
    assert refusal(match, "claim 1 with 9c") == "FS-17"
    play(match, "claim 1 with 9s")
    assert pile(match, 1) == (0, "9c 9c 9d 9d 9h 9h 9s 9s", "")


def test_FS_18_a_discard_ends_the_turn() -> None:
    match = set_table(["2c 2c 5d", "3c 7d", "9c jd"], phase="discard")
    assert legal(match) == ["discard 2c", "discard 5d"]
    assert refusal(match, "discard 3c") == "FS-18"
    play(match, "discard 2c")
    assert hand(match, 0) == "2c 5d"
    assert discard_pile(match) == "9h 2c"
    assert match.to_act == 1
    assert legal(match) == ["draw", "take"]
    play(match, "take")
    assert hand(match, 1) == "2c 3c 7d"


def test_FS_19_the_card_just_taken_may_be_discarded() -> None:
    match = set_table(["2c 5d 8h", "3c 7d"])
    play(match, "take", "plan", "discard 9h")
    assert discard_pile(match) == "9h"
    assert hand(match, 0) == "2c 5d 8h"


# Foxes

JOKERS = {"foxes": "jokers"}


def test_FS_20_a_fox_takes_an_acorn_and_the_turn() -> None:
    match = set_table(["2c 5d", "3c 7d"], deck_top="fox", options=JOKERS, acorns=[3, 2])
    play(match, "draw")
    assert acorns(match) == [2, 2]
    assert discard_pile(match) == "9h fox"
    assert hand(match, 0) == "2c 5d"
    assert match.to_act == 1
    assert truth(match).turn == 2


def test_FS_21_a_fox_on_the_discard_pile_cannot_be_drawn() -> None:
    match = set_table(["2c 5d", "3c 7d"], discard="9h fox", options=JOKERS)
    assert legal(match) == ["draw"]
    assert refusal(match, "take") == "FS-21"


def test_FS_21_a_fox_on_top_stays_there_when_the_deck_is_made_anew() -> None:
    match = set_table(["2c 5d", "3c 7d"], discard="9h 10h jh fox", deck="", options=JOKERS)
    play(match, "draw")
    assert discard_pile(match) == "fox"


DARES = {"foxes": "jokers", "fox_demand": "dare"}


def dares(match: foxden.Match) -> list[int | None]:
    return [place["dare"] for place in match.view(None)["table"]["seats"]]


def test_FS_22_a_dare_instead_of_an_acorn() -> None:
    match = set_table(["2c 5d", "3c 7d"], deck_top="4h fox", options=DARES, acorns=[3, 2])
    play(match, "draw")
    assert acorns(match) == [3, 2]
    assert discard_pile(match) == "9h fox"
    assert match.to_act == 1
    mine, other = dares(match)
    assert mine is not None
    assert 1 <= mine <= len(match.options["dares"])
    assert other is None


def test_FS_22_a_dare_is_shown_until_the_seat_draws_again() -> None:
    match = set_table(["2c 5d 8h", "3c 7d 8h"], deck_top="4h 5h fox", options=DARES)
    play(match, "draw", "draw", "plan", "discard 3c")
    assert match.to_act == 0
    assert dares(match)[0] is not None
    play(match, "draw")
    assert dares(match) == [None, None]


def test_FS_22_every_dare_of_a_table_comes_up_equally_often() -> None:
    options = DARES | {"dares": ["Hop!", "Hum.", "Bow."]}
    numbers: Counter[int | None] = Counter()
    for seed in range(300):
        match = set_table(["2c 5d", "3c 7d"], deck_top="fox fox", options=options, seed=seed)
        numbers.update(dares(play(match, "draw", "draw")))
    assert set(numbers) == {1, 2, 3}
    assert all(160 < n < 240 for n in numbers.values())


def test_FS_22_two_foxes_in_a_row_do_not_ask_the_same_each_time() -> None:
    equal = set()
    for seed in range(40):
        match = set_table(["2c 5d", "3c 7d"], deck_top="fox fox", options=DARES, seed=seed)
        one, other = dares(play(match, "draw", "draw"))
        equal.add(one == other)
    assert equal == {True, False}


def test_FS_22_cards_fall_as_they_would_without_dares() -> None:
    for seed in range(3):
        with_acorns = new(seats=4, seed=seed, foxes="eight_aces")
        with_dares = new(seats=4, seed=seed, foxes="eight_aces", fox_demand="dare")
        dice = random.Random(seed)
        asked = 0
        while not with_acorns.is_over:
            action = dice.choice(with_acorns.legal())
            with_acorns.play(action)
            with_dares.play(action)
            one, other = truth(with_acorns), truth(with_dares)
            asked += max(other.dare) >= 0
            assert (one.rng, one.deck, one.hand) == (other.rng, other.deck, other.hand)
        assert asked > 5


def test_FS_22_without_foxes_a_dare_never_comes() -> None:
    match = new(seats=2, fox_demand="dare")
    dice = random.Random(1)
    while not match.is_over:
        match.play(dice.choice(match.legal()))
        assert truth(match).dare == [-1] * 5


# The end


@pytest.mark.parametrize(("season", "bonus"), [(0, 1), (1, 2), (2, 4)])
def test_FS_23_discarding_the_last_card_ends_the_round(season: int, bonus: int) -> None:
    match = set_table(["9c 2d", "3c 7d"], piles=((1, "9d 9d 9s"),), phase="plan", round=season)
    play(match, "claim 1 with 9c", "discard 2d")
    assert acorns(match) == [1 + bonus, 0]
    assert match.is_over if season == 2 else truth(match).round == season + 1


@pytest.mark.parametrize(("season", "bonus"), [(0, 1), (1, 2), (2, 4)])
@pytest.mark.parametrize(("laid", "brings"), [("set 9c 9d 9s", 1), ("run 4d 5d 6d", 2)])
def test_FS_23_having_no_card_to_discard_ends_the_round(
    season: int, bonus: int, laid: str, brings: int
) -> None:
    match = set_table([laid[4:], "3c 7d"], phase="plan", round=season)
    play(match, laid)
    assert acorns(match) == [brings + bonus, 0]
    assert match.is_over if season == 2 else truth(match).round == season + 1


def test_FS_23_one_card_left_after_a_set_is_discarded_first() -> None:
    match = set_table(["9c 9d 9s 4h", "3c 7d"], phase="plan")
    play(match, "set 9c 9d 9s")
    assert truth(match).round == 0
    assert legal(match) == ["discard 4h"]


def test_FS_24_the_last_card_after_the_third_new_deck_ends_the_round() -> None:
    hands = ["2c 5d 8h", "3c 7d js", "4s 6s 10s"]
    match = set_table(hands, deck="kd", reforms=3, dealer=1, to_act=2, acorns=[1, 2, 3])
    play(match, "draw")
    assert match.view(None)["table"]["last_turn"]
    play(match, "plan")
    assert truth(match).round == 0
    play(match, "discard kd")
    known = truth(match)
    assert known.round == 1
    assert known.dealer == 1
    assert match.to_act == 2
    assert acorns(match) == [1, 2, 3]


def test_FS_24_a_fox_as_the_last_card_ends_the_round_too() -> None:
    match = set_table(["2c 5d", "3c 7d"], deck="fox", reforms=3, options=JOKERS, acorns=[1, 0])
    play(match, "draw")
    assert truth(match).round == 1
    assert acorns(match) == [0, 0]


def test_FS_24_an_empty_deck_ends_nothing_before_it_was_made_anew_three_times() -> None:
    match = set_table(["2c 5d 8h", "3c 7d"], deck="kd", reforms=2, discard="4s 5s 9h")
    play(match, "draw", "plan", "discard kd")
    assert truth(match).round == 0
    play(match, "draw")
    assert truth(match).reforms == 3


@pytest.mark.parametrize(("turn", "ends"), [(399, False), (400, True)])
def test_FS_24_the_400th_turn_is_the_last(turn: int, ends: bool) -> None:
    match = set_table(["2c 5d 8h", "3c 7d"], turn=turn, dealer=0, round=1, to_act=1)
    play(match, "take", "plan", "discard 3c")
    assert truth(match).round == (2 if ends else 1)
    assert truth(match).dealer == 0
    assert acorns(match) == [0, 0]


def test_FS_24_the_bonus_is_paid_when_the_last_turn_ends_the_round_by_itself() -> None:
    match = set_table(["2c 5d", "7c 7d"], deck="7h", reforms=3, dealer=0, to_act=1)
    play(match, "draw", "set 7c 7d 7h")
    assert acorns(match) == [0, 1 + 1]
    assert truth(match).dealer == 1


def last_discard(
    acorns: list[int], piles: tuple[tuple[int, str], ...] = (), **options: Any
) -> foxden.Match:
    """Ends autumn without a bonus, on the 400th turn."""
    hands = ["2c 5d", "3c 7d", "js qh"]
    match = set_table(
        hands, phase="discard", turn=400, round=2, acorns=acorns, piles=piles, options=options
    )
    return play(match, "discard 2c")


THREES, FOURS, SIXES = "3c 3d 3h", "4c 4d 4h", "6c 6d 6h"


def test_FS_25_most_acorns_win_and_all_who_tie() -> None:
    assert last_discard([5, 7, 6]).winners == (1,)
    assert last_discard([7, 5, 7]).winners == (0, 2)
    assert last_discard([0, 0, 0]).winners == (0, 1, 2)
    # Piles do not matter unless the table says so.
    assert last_discard([7, 5, 7], ((2, FOURS),)).winners == (0, 2)


def test_FS_25_the_tie_break_looks_at_piles() -> None:
    piles = ((2, FOURS), (1, THREES), (1, SIXES))
    assert last_discard([7, 5, 7], piles, tie_break=True).winners == (2,)
    assert last_discard([7, 5, 6], piles, tie_break=True).winners == (0,)
    assert last_discard([7, 7, 7], piles, tie_break=True).winners == (1,)
    # Still equal: together.
    assert last_discard([7, 5, 7], ((2, FOURS), (0, THREES)), tie_break=True).winners == (0, 2)
    assert last_discard([7, 5, 7], ((1, FOURS),), tie_break=True).winners == (0, 2)


COOPERATIVE = {"cooperative": True, "foxes": "jokers"}


def test_FS_26_all_acorns_go_onto_one_heap() -> None:
    match = set_table(
        ["9c 2d", "3c 7d"],
        piles=((1, "9d 9d 9s"),),
        phase="plan",
        options=COOPERATIVE,
        round=2,
        acorns=[2, 3],
    )
    assert acorns(match) == [5, 5]
    play(match, "claim 1 with 9c", "discard 2d")
    assert acorns(match) == [5 + 1 + 4] * 2
    assert match.winners == ()
    assert [sum(n for _, n in lines) for lines in match.view(None)["tally"]] == [10, 10]


def test_FS_26_foxes_are_paid_from_the_heap() -> None:
    hands = ["2c 5d", "3c 7d"]
    match = set_table(hands, deck_top="fox fox", options=COOPERATIVE, acorns=[0, 1])
    play(match, "draw")
    assert acorns(match) == [0, 0]
    play(match, "draw")
    assert acorns(match) == [0, 0]


def test_FS_26_the_tie_break_does_nothing_and_hands_stay_hidden() -> None:
    match = last_discard([7, 5, 7], ((2, FOURS),), cooperative=True, tie_break=True)
    assert match.winners == ()
    assert match.view(0)["table"]["seats"][1]["hand"] is None


def test_FS_26_high_scores_are_kept_by_seats_foxes_and_demand() -> None:
    key = foxden.game("fox-and-squirrels").coop_key
    options = new().game.setup(5, COOPERATIVE).options
    assert key(5, options) == "5 seats, jokers, acorn"
    keys = {
        key(seats, options | {"foxes": foxes, "fox_demand": demand})
        for seats in (2, 3)
        for foxes in ("none", "jokers", "four_aces", "eight_aces")
        for demand in ("acorn", "dare")
    }
    assert len(keys) == 16


def test_FS_26_one_heap_is_played_for_together() -> None:
    assert new(cooperative=True).together
    assert not new().together


# What is hidden, and what always holds


def test_FS_27_a_card_taken_openly_is_known_until_one_like_it_leaves() -> None:
    match = set_table(["9h 5d 8h", "3c 7d js"], deck_top="4c 6c")
    play(match, "take")
    assert shown(match, 0) == "9h"
    assert match.view(1)["table"]["seats"][0]["shown"] == ["9h"]
    play(match, "plan", "discard 9h")
    # The other copy is still there, but nobody can know that.
    assert hand(match, 0) == "5d 8h 9h"
    assert shown(match, 0) == ""
    match = set_table(["9c 9d 8h", "3c 7d js"], discard="9h")
    play(match, "take", "set 9c 9d 9h")
    assert shown(match, 0) == ""


def test_FS_27_two_copies_taken_openly_are_two_known_cards() -> None:
    match = set_table(["5d 8h", "3c 7d"], discard="9h")
    play(match, "take", "plan", "discard 5d", "draw")
    rearrange(match, lambda known: vars(known).update(phase=2))
    play(match, f"discard {hand(match, 1).split()[0]}")
    rearrange(
        match, lambda known: known.discard.__setitem__(known.discard_size - 1, cards("9h")[0])
    )
    play(match, "take")
    assert shown(match, 0) == "9h 9h"
    play(match, "plan", "discard 9h")
    assert shown(match, 0) == "9h"


def test_FS_27_hands_and_deck_are_hidden_and_the_discard_pile_is_open() -> None:
    match = set_table(["2c 5d 8h", "3c 7d"], discard="4s 6s 9h")
    for seat in (0, 1, None):
        table = match.view(seat)["table"]
        assert table["discard"] == ["4s", "6s", "9h"]
        assert [place["hand"] is not None for place in table["seats"]] == [seat == 0, seat == 1]
        known = match.known(seat)
        assert set(known.deck[: known.deck_size]) == {53}
        for other in {0, 1} - {seat}:
            assert set(known.hand[other][: known.hand_size[other]]) == {53}


@pytest.mark.parametrize("foxes", ["none", "jokers", "four_aces", "eight_aces"])
def test_FS_28_all_cards_are_accounted_for(foxes: str) -> None:
    total = {"none": 104, "jokers": 108, "four_aces": 100, "eight_aces": 104}[foxes]
    for seats in (2, 5):
        match = new(seats=seats, seed=seats, foxes=foxes)
        dice = random.Random(seats)
        before = all_cards(match)
        assert before.total() == total
        while not match.is_over:
            known = truth(match)
            if known.phase == 0:
                assert known.deck_size + known.discard_size == total - 10 * seats
            match.play(dice.choice(match.legal()))
            # `conserved` holds foxes out of hands and piles, and piles to their shape.
            assert all_cards(match) == before


# Examples


def test_FS_E1_claiming_a_run_at_its_low_end() -> None:
    match = set_table(["5c 2d 8h", "3c 7d"], piles=((1, "6c 7c 8c"),), phase="plan", acorns=[0, 2])
    play(match, "claim 1 with 5c")
    assert pile(match, 1)[:2] == (0, "5c 6c 7c 8c")
    assert acorns(match) == [1, 2]


def test_FS_E2_claiming_a_set_and_not_ones_own() -> None:
    match = set_table(
        ["9h 2d 8h", "3c 7d"], piles=((1, "9c 9d 9d"), (0, "9c 9h 9s")), phase="plan", discard="4s"
    )
    assert refusal(match, "claim 2 with 9h") == "FS-16"
    play(match, "claim 1 with 9h")
    assert acorns(match) == [1, 0]


def test_FS_E3_the_last_card_of_autumn_brings_four_acorns() -> None:
    match = set_table(["2d", "3c 7d"], phase="discard", round=2, acorns=[1, 3])
    play(match, "discard 2d")
    assert acorns(match) == [5, 3]
    assert match.is_over
    assert match.winners == (0,)


def test_FS_E4_a_fox_finds_no_acorn() -> None:
    match = set_table(["2c 5d", "3c 7d"], deck_top="fox", options=JOKERS)
    play(match, "draw")
    assert acorns(match) == [0, 0]
    assert discard_pile(match).endswith("fox")
    assert match.to_act == 1
