"""Fox Grove, rule by rule. The ids are those of the guide."""

from collections import Counter
from itertools import product
from typing import Any

import pytest

import foxden
from foxden.engine.errors import BadOption, IllegalAction
from foxden.engine.kernel import Known
from tests.games.fox_grove.tables import (
    KINDS,
    OWLS,
    card,
    cards,
    delivery,
    is_awake,
    legal,
    level,
    names_in,
    owls,
    play,
    stock,
    trick,
)
from tests.games.positions import rearrange, truth

SIDE_B = {"tree_side": "b", "mushroom_side": "b", "leaf_side": "b"}


def new(seats: int = 4, seed: int = 1, **options: Any) -> foxden.Match:
    return foxden.new("fox-grove", seats=seats, seed=seed, options=options)


def refused(match: foxden.Match, move: str) -> str | None:
    """Returns the rule that refuses a move."""
    with pytest.raises(IllegalAction) as caught:
        match.play(move)
    return caught.value.rule


def exchanged(match: foxden.Match) -> foxden.Match:
    """Lets everybody pass its lowest cards."""
    while legal(match)[0].startswith(("pass", "bury")):
        match.play(match.legal()[0])
    return match


# Parts


def test_FG_1_four_colours_of_thirteen_cards() -> None:
    rewards = new().view(None)["table"]["rewards"]
    colours = Counter(name.split()[0] for name in rewards)
    assert colours == {"blue": 13, "purple": 13, "orange": 13, "yellow": 13}


def test_FG_2_twelves_give_a_berry_and_thirteens_an_advance() -> None:
    rewards = new().view(None)["table"]["rewards"]
    for colour in ("blue", "purple", "orange", "yellow"):
        assert rewards[f"{colour} 12"] == "a blackberry"
        assert rewards[f"{colour} 13"] == "an advance"


def test_FG_3_what_the_other_cards_give() -> None:
    rewards = new().view(None)["table"]["rewards"]
    assert [rewards[f"blue {n}"][0] for n in range(1, 12)] == list("33333333221")
    for colour, kind in (("purple", "nut"), ("orange", "maple")):
        given = [rewards[f"{colour} {n}"] for n in range(1, 12)]
        assert [text[0] for text in given] == list("33222222211")
        assert all(kind in text for text in given)
    assert [rewards[f"yellow {n}"] for n in range(1, 12)] == [
        *["1 wood, 1 nut and 1 maple"] * 3,
        "1 wood and 1 nut",
        "1 wood and 1 maple",
        "1 nut and 1 maple",
        "2 wood",
        "2 nuts",
        "2 maple",
        "1 of any kind",
        "1 of any kind",
    ]


@pytest.mark.parametrize("number", [10, 11])
def test_FG_3_a_resource_of_choice(number: int) -> None:
    match = trick([f"yellow {number}", "yellow 1", "yellow 2", "yellow 3"])
    play(match, f"play yellow {number}", "play yellow 1", "play yellow 2", "play yellow 3")
    play(match, f"take yellow {number}")
    assert legal(match) == ["gain wood", "gain nut", "gain maple"]
    play(match, "gain maple")
    assert stock(match) == [0, 0, 1]


def test_FG_4_resources_never_run_out() -> None:
    plenty = [[90, 90, 90]] * 4
    match = trick(["blue 1", "blue 2", "blue 3", "blue 8"], stock=plenty)
    play(match, "play blue 1", "play blue 2", "play blue 3", "play blue 8", "take blue 8")
    assert stock(match, 3) == [93, 90, 90]


def test_FG_5_twenty_four_berries_and_no_more() -> None:
    known = truth(new())
    assert known.supply == [0, 6, 8, 6, 4]
    empty: dict[str, Any] = {"supply": [0] * 5, "in_supply": 0}
    match = trick(["blue 12", "blue 2", "blue 3", "blue 4"], **empty)
    play(match, "play blue 12", "play blue 2", "play blue 3", "play blue 4", "take blue 12")
    assert truth(match).berries == [0] * 4


def test_FG_5_a_spent_berry_leaves_the_game() -> None:
    match = delivery([1, 0, 0], berries=[3])
    play(match, "climb tree")
    known = truth(match)
    assert (known.berries[0], known.spent[0][3], known.supply[3]) == (0, 1, 5)


def test_FG_6_three_houses_and_a_marker_below_each() -> None:
    table = new().view(None)["table"]
    assert [house["name"] for house in table["houses"]] == ["tree", "mushroom", "leaf"]
    assert all(seat["levels"] == {"tree": 0, "mushroom": 0, "leaf": 0} for seat in table["seats"])


COSTS = {
    "tree a": "2W|3W*|4W 1N|4W 2M*|4W 1N 1M|4W 1N 1M*|4W 2N 1M",
    "mushroom a": "1N|2N*|3N 1W 1M|3N 2W 1M*|3N 1W 2M|3N 2W 1M*|4N 2W 1M",
    "leaf a": "1M|2M*|3M 1W 1N|3M 2W 1N*|3M 1W 2N|3M 2W 1N*|4M 2W 1N",
    "tree b": "1W 1?|2W 1?|3W 2?*|4W 2?|4W 2?*|4W 3?|4W 2N 2M*",
    "mushroom b": "1N 1?|1N 1W*|3N 2?|3N 1W 2?|3N 3?*|3N 2W 2M|4N 2W 2M*",
    "leaf b": "1M 1?|1M 1N|3M 2?*|3M 1W 2?|3M 3?|3M 2W 2N*|4M 2W 2N*",
}


@pytest.mark.parametrize("name", COSTS)
def test_FG_7_costs_and_bonuses_of_every_level(name: str) -> None:
    house, side = name.split()
    options: dict[str, Any] = {f"{house}_side": side}
    table = new(**options).view(None)["table"]
    levels = next(page for page in table["houses"] if page["name"] == house)["levels"]
    for printed, shown in zip(COSTS[name].split("|"), levels, strict=True):
        assert shown["bonus"] == printed.endswith("*")
        wanted = {"WNM?".index(unit[-1]): int(unit[0]) for unit in printed.strip("*").split()}
        assert list(shown["cost"].values()) == [wanted.get(kind, 0) for kind in range(4)]


def test_FG_8_points_of_levels_and_of_the_round_track() -> None:
    for side, points in (("a", [1, 3, 5, 8, 12, 17, 22]), ("b", [1, 2, 5, 8, 12, 18, 24])):
        table = new(tree_side=side, mushroom_side=side, leaf_side=side).view(None)["table"]
        for house in table["houses"]:
            assert [page["points"] for page in house["levels"]] == points
        assert table["track"] == [4, 9, 15, 18, 21, 24, 27]


@pytest.mark.parametrize("lowest", range(8))
def test_FG_8_the_lowest_level_scores_on_the_round_track(lowest: int) -> None:
    match = delivery(level=[7, lowest, 7], round=3)
    track = [0, 4, 9, 15, 18, 21, 24, 27][lowest]
    points = [0, 1, 3, 5, 8, 12, 17, 22][lowest]
    assert match.scores[0] == 22 + points + 22 + track


def test_FG_9_there_are_six_owls() -> None:
    options = {option.name: option for option in foxden.game("fox-grove").options}
    assert options["owl_one"].samples() == OWLS


# Set-up


def test_FG_10_every_seat_gets_the_same_two_owls_active() -> None:
    for one, two in product(OWLS, OWLS):
        if one == two:
            with pytest.raises(BadOption) as caught:
                new(owl_one=one, owl_two=two)
            assert caught.value.rule == "FG-10"
        else:
            known = truth(new(seats=3, owl_one=one, owl_two=two))
            assert known.owls == known.awake == [owls(one, two)] * 3 + [0]


def test_FG_10_a_first_game_has_double_and_discount() -> None:
    assert truth(new()).owls[0] == owls("double", "discount")


def test_FG_11_sides_are_chosen_house_by_house() -> None:
    match = delivery([0, 1, 1], options={"leaf_side": "b"})
    assert legal(match) == ["stop", "climb mushroom", "climb leaf"]
    play(match, "climb leaf")  # side B: 1 maple and 1 of any kind
    assert stock(match) == [0, 0, 0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_FG_12_the_first_player_is_drawn_by_lot(seats: int) -> None:
    drawn = Counter(truth(new(seats=seats, seed=seed)).first for seed in range(200))
    assert set(drawn) == set(range(seats))
    assert min(drawn.values()) > 200 / seats / 2


# The exchange


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_FG_13_nine_cards_each_and_the_rest_is_the_pile(seats: int) -> None:
    known = truth(new(seats=seats))
    assert known.in_hand[:seats] == [9] * seats
    assert sum(mask.bit_count() for mask in known.hand) == 9 * seats
    assert known.pile.bit_count() == 52 - 9 * seats


@pytest.mark.parametrize("seats", [3, 4])
def test_FG_14_a_card_to_the_left_and_one_to_the_right(seats: int) -> None:
    match = new(seats=seats)
    first = match.to_act or 0
    dealt = truth(match).hand
    given = []
    for k in range(seats):
        seat = (first + k) % seats
        for _ in range(2):
            assert match.to_act == seat
            given.append(str(match.legal()[0]).removeprefix("pass "))
            match.play(match.legal()[0])
            if len(given) < 2 * seats:
                # Nobody sees a card before all have chosen.
                assert truth(match).hand == dealt
    hand = truth(match).hand
    for k in range(seats):
        seat = (first + k) % seats
        left, right = given[2 * k : 2 * k + 2]
        assert hand[(seat + 1) % seats] >> card(left) & 1
        assert hand[(seat - 1) % seats] >> card(right) & 1
        assert hand[seat].bit_count() == 9
    assert match.to_act == first  # FG-16
    assert all(move.startswith("play") for move in legal(match))


def test_FG_14_the_same_card_is_not_passed_twice() -> None:
    match = new()
    chosen = str(match.legal()[3])
    match.play(chosen)
    assert chosen not in legal(match)
    assert refused(match, chosen) == "FG-14"
    other = next(name for name in names_in(truth(match).pile))
    assert refused(match, f"pass {other}") == "FG-14"


def test_FG_14_passed_cards_are_unseen_until_all_have_chosen() -> None:
    match = new()
    first = match.to_act or 0
    play(match, legal(match)[0], legal(match)[1])
    assert match.known(first).gave_left[first] >= 0
    for seat in range(4):
        if seat != first:
            assert match.known(seat).gave_left[first] == -1
    exchanged(match)
    assert match.known((first + 1) % 4).gave_left[first] >= 0
    assert match.known((first + 2) % 4).gave_left[first] == -1


def test_FG_15_draw_two_and_bury_two() -> None:
    match = exchanged(new(owl_one="draw_two", owl_two="double"))
    first = match.to_act or 0
    assert legal(match) == ["no draw", "draw two"]
    hand, pile = truth(match).hand[first], truth(match).pile
    match.play("draw two")
    drawn = truth(match).hand[first] & ~hand
    assert drawn.bit_count() == 2
    assert drawn & ~pile == 0
    assert len(legal(match)) == 11
    buried = [move.removeprefix("bury ") for move in legal(match)[:2]]
    play(match, *[f"bury {name}" for name in buried])
    known = truth(match)
    assert known.hand[first].bit_count() == 9
    assert names_in(known.buried[first]) == buried
    assert not is_awake(match, "draw_two", first)
    assert match.to_act == (first + 1) % 4  # the next seat is asked
    play(match, "no draw")
    assert is_awake(match, "draw_two", (first + 1) % 4)
    play(match, "no draw", "no draw")
    assert match.to_act == first
    assert legal(match)[0].startswith("play")


def test_FG_15_only_seats_with_the_owl_active_are_asked() -> None:
    match = new(owl_one="draw_two", owl_two="double")
    rearrange(match, lambda known: vars(known).update(awake=[0, owls("draw_two"), 0, 0]))
    exchanged(match)
    assert match.to_act == 1
    play(match, "no draw")
    assert legal(match)[0].startswith("play")


# Tricks


def test_FG_16_the_marker_leads_and_then_the_winner_of_the_trick() -> None:
    match = exchanged(new(seed=5))
    assert match.to_act == truth(match).first
    match = trick(["blue 1, blue 2", "blue 13, purple 1", "blue 3, purple 2", "blue 4, purple 3"])
    play(match, "play blue 1", "play blue 13", "play blue 3", "play blue 4", "take blue 1")
    assert match.to_act == 1
    assert legal(match) == ["play purple 1"]


def test_FG_17_who_can_follow_must() -> None:
    hands = ["blue 4, purple 1", "blue 8, purple 9, yellow 2", "purple 2, yellow 1", "blue 2"]
    match = trick(hands)
    assert legal(match) == ["play blue 4", "play purple 1"]  # the leader plays any card
    play(match, "play blue 4")
    assert match.to_act == 1  # clockwise
    assert legal(match) == ["play blue 8"]
    assert refused(match, "play yellow 2") == "FG-17"
    assert refused(match, "play purple 9") == "FG-17"
    assert refused(match, "play blue 13") == "FG-17"
    assert "blue 8" in match.why_not("play yellow 2")[0]


def test_FG_17_trump_must_be_followed_too() -> None:
    match = trick(["yellow 4", "blue 8, yellow 2", "purple 2", "blue 2"])
    play(match, "play yellow 4")
    assert legal(match) == ["play yellow 2"]


def test_FG_18_who_cannot_follow_trumps_or_discards() -> None:
    match = trick(["blue 4", "purple 9, orange 1, yellow 2", "blue 1", "blue 2"])
    play(match, "play blue 4")
    assert legal(match) == ["play purple 9", "play orange 1", "play yellow 2"]
    match = trick(["yellow 4", "purple 9, orange 1", "blue 1", "blue 2"])
    play(match, "play yellow 4")
    assert legal(match) == ["play purple 9", "play orange 1"]
    match = trick(["blue 4", "yellow 9, yellow 1", "blue 1", "blue 2"])
    play(match, "play blue 4")
    assert legal(match) == ["play yellow 1", "play yellow 9"]


def test_FG_19_a_discard_pays_at_once_and_is_not_in_the_trick() -> None:
    match = trick(["blue 4", "purple 13", "blue 1", "blue 2"], stock=[[0] * 3, [2, 0, 0]] * 2)
    play(match, "play blue 4", "play purple 13")
    # The reward, bonus included, is finished before the next seat plays.
    assert match.to_act == 1
    play(match, "climb tree")
    assert level(match, 1) == [1, 0, 0]
    assert match.to_act == 2
    play(match, "play blue 1", "play blue 2")
    assert legal(match) == ["take blue 1", "take blue 2", "take blue 4"]
    assert refused(match, "take purple 13") == "FG-19"


def test_FG_20_the_highest_trump_wins_else_the_highest_of_the_suit() -> None:
    match = trick(["blue 4", "blue 9", "yellow 1", "yellow 3"])
    play(match, "play blue 4", "play blue 9", "play yellow 1", "play yellow 3")
    assert match.to_act == 3
    match = trick(["blue 4", "blue 9", "blue 10", "purple 11"])
    play(match, "play blue 4", "play blue 9", "play blue 10", "play purple 11")
    assert match.to_act == 2  # a discard never wins
    match = trick(["yellow 4", "yellow 9", "blue 11", "yellow 11"])
    play(match, "play yellow 4", "play yellow 9", "play blue 11", "play yellow 11")
    assert match.to_act == 3


def test_FG_21_the_winner_chooses_one_card_of_the_trick() -> None:
    match = trick(["blue 4, blue 5", "blue 9, purple 3", "blue 10, purple 1", "blue 11, purple 2"])
    play(match, "play blue 4", "play blue 9", "play blue 10", "play blue 11")
    assert legal(match) == ["take blue 4", "take blue 9", "take blue 10", "take blue 11"]
    play(match, "take blue 9")
    known = truth(match)
    assert known.stock[3] == [2, 0, 0]
    assert (known.lying, match.to_act) == (0, 3)


def test_FG_21_a_card_alone_in_the_trick_is_taken_unasked() -> None:
    match = trick(
        ["blue 4, blue 5", "purple 9, purple 3", "orange 3, orange 1", "orange 5, orange 2"]
    )
    play(match, "play blue 4", "play purple 9", "play orange 3", "play orange 5")
    assert stock(match, 0) == [3, 0, 0]
    assert legal(match) == ["play blue 5"]


PICK_TWO = {"owl_one": "pick_two", "owl_two": "double"}


def test_FG_22_pick_two_gives_two_rewards_in_the_order_chosen() -> None:
    hands = ["blue 4", "blue 12", "blue 13", "yellow 1"]
    match = trick(hands, awake=["pick_two"], options=PICK_TWO)
    play(match, "play blue 4", "play blue 12", "play blue 13", "play yellow 1")
    assert legal(match)[-1] == "pick two"
    play(match, "pick two")
    assert "pick two" not in legal(match)
    assert refused(match, "pick two") == "FG-22"
    play(match, "take blue 12")
    assert truth(match).berries[3] == 1
    assert legal(match) == ["take blue 4", "take blue 13", "take yellow 1"]
    play(match, "take yellow 1")
    assert stock(match, 3) == [1, 1, 1]
    assert not is_awake(match, "pick_two", 3)


def test_FG_22_not_with_one_card_and_not_twice_a_trick() -> None:
    match = trick(
        ["blue 4, blue 5", "purple 9, purple 3", "orange 3, orange 1", "orange 5, orange 2"],
        awake=["pick_two"],
        options=PICK_TWO,
    )
    play(match, "play blue 4", "play purple 9", "play orange 3", "play orange 5")
    assert is_awake(match, "pick_two")  # it was not even asked
    # A 13 reactivates the owl in the middle; it still serves no second time in this trick.
    match = trick(
        ["blue 4", "blue 13", "blue 3", "blue 2"],
        awake=["pick_two"],
        options=PICK_TWO,
        stock=[[2, 0, 0]] * 4,
        level=[[1, 0, 0]] * 4,
    )
    play(match, "play blue 4", "play blue 13", "play blue 3", "play blue 2")
    play(match, "pick two", "take blue 13", "climb tree", "reactivate")
    assert is_awake(match, "pick_two", 1)
    assert legal(match) == ["take blue 2", "take blue 3", "take blue 4"]


def test_FG_22_an_owl_reactivated_meanwhile_serves_the_second_card() -> None:
    match = trick(
        ["blue 4", "blue 13", "blue 3", "blue 2"],
        awake=["pick_two"],
        options=PICK_TWO,
        stock=[[2, 0, 0]] * 4,
        level=[[1, 0, 0]] * 4,
        round=3,  # so that nothing is given back after the trick
    )
    play(match, "play blue 4", "play blue 13", "play blue 3", "play blue 2")
    play(match, "pick two", "take blue 13", "climb tree", "reactivate", "take blue 4", "double")
    assert stock(match, 1) == [6, 0, 0]


def test_FG_23_the_winner_of_the_ninth_trick_gets_the_marker() -> None:
    match = trick(["blue 4", "blue 9", "blue 3", "blue 2"], stock=[[0, 1, 0]] * 4)
    play(match, "play blue 4", "play blue 9", "play blue 3", "play blue 2", "take blue 9")
    assert truth(match).first == 1
    assert match.to_act == 1  # FG-33: it also delivers first
    assert legal(match)[0] == "stop"


# Rewards


def rewarded(name: str, awake: list[str], **options: Any) -> foxden.Match:
    """Seat 0 wins a trick and takes the card of that name from it."""
    match = trick(
        [f"{name}, yellow 13", "yellow 12", "orange 1", "orange 2"],
        awake=awake,
        options=options,
        in_hand=[1, 1, 1, 1],
        tricks=8,
        stock=[[0, 0, 0], [9, 9, 9], [0, 0, 0], [0, 0, 0]],
    )

    def change(known: Known) -> None:
        known.hand[0] = cards("yellow 13")
        known.lying = cards(name)
        known.played = [cards(name), 0, 0, 0, 0]
        known.led, known.best, known.taker = 3, card("yellow 13"), 0
        known.turn, known.to_act = 4, 0
        known.won = known.picks = 1
        known.phase = 6
        known.lying |= cards("yellow 12")

    rearrange(match, change)
    return play(match, f"take {name}")


DOUBLE_CONVERT = {"owl_one": "double", "owl_two": "convert"}


def test_FG_24_double_takes_twice_the_resources() -> None:
    match = rewarded("blue 8", ["double"])
    assert legal(match) == ["as printed", "double"]
    play(match, "double")
    assert stock(match) == [6, 0, 0]
    assert not is_awake(match, "double")
    match = rewarded("yellow 4", ["double"])
    assert stock(play(match, "double")) == [2, 2, 0]
    match = rewarded("yellow 4", ["double"])
    assert stock(play(match, "as printed")) == [1, 1, 0]
    assert is_awake(match, "double")


def test_FG_24_convert_turns_all_units_of_one_kind() -> None:
    match = rewarded("blue 8", ["convert"], **DOUBLE_CONVERT)
    assert legal(match) == ["as printed", "convert wood to nut", "convert wood to maple"]
    assert refused(match, "convert nut to wood") == "FG-24"
    play(match, "convert wood to maple")
    assert stock(match) == [0, 0, 3]
    assert not is_awake(match, "convert")
    match = rewarded("yellow 5", ["convert"], **DOUBLE_CONVERT)
    assert stock(play(match, "convert maple to wood")) == [2, 0, 0]


def test_FG_24_never_both_owls_on_one_card() -> None:
    match = rewarded("blue 8", ["double", "convert"], **DOUBLE_CONVERT)
    assert {"double", "convert wood to nut"} <= set(legal(match))
    play(match, "double")
    assert stock(match) == [6, 0, 0]
    assert is_awake(match, "convert")


def test_FG_24_resources_of_choice_can_be_doubled_but_not_converted() -> None:
    match = rewarded("yellow 11", ["double", "convert"], **DOUBLE_CONVERT)
    assert legal(match) == ["as printed", "double"]
    play(match, "double", "gain wood", "gain nut")
    assert stock(match) == [1, 1, 0]


def test_FG_24_each_card_of_pick_two_may_have_its_own_owl() -> None:
    match = trick(["blue 4", "blue 12", "blue 3", "yellow 1"], options={"pro": True})
    every = owls(*OWLS)
    rearrange(match, lambda known: vars(known).update(owls=[every] * 4, awake=[every] * 4))
    play(match, "play blue 4", "play blue 12", "play blue 3", "play yellow 1", "pick two")
    play(match, "take blue 4", "double", "take blue 3", "convert wood to nut")
    assert stock(match, 3) == [6, 3, 0]


@pytest.mark.parametrize("name", ["blue 12", "purple 13"])
def test_FG_24_double_is_for_resources_only(name: str) -> None:
    match = rewarded(name, ["double"])
    assert "double" not in legal(match)
    assert is_awake(match, "double")


def test_FG_24_owls_serve_a_discard_too() -> None:
    match = trick(["blue 4", "purple 9", "blue 3", "blue 2"], awake=["double"])
    play(match, "play blue 4", "play purple 9")
    assert (match.to_act, legal(match)) == (1, ["as printed", "double"])
    play(match, "double")
    assert stock(match, 1) == [0, 4, 0]


def test_FG_25_a_twelve_brings_a_berry_seen_by_its_owner_only() -> None:
    match = rewarded("blue 12", [])
    assert truth(match).berries[0] == 1
    assert sum(match.known(0).held[0][1:]) == 1
    assert match.known(1).held[0] == [1, 0, 0, 0, 0]
    assert match.known(None).held[0] == [1, 0, 0, 0, 0]


def test_FG_26_a_berry_stands_for_any_resource_and_the_least_valuable_goes() -> None:
    match = delivery([0, 0, 0], berries=[4, 2, 3])
    assert legal(match) == ["stop", "climb tree", "climb mushroom", "climb leaf"]
    play(match, "climb tree")
    known = truth(match)
    assert known.held[0] == [0, 0, 0, 0, 1]
    assert known.spent[0] == [0, 0, 1, 1, 0]
    assert level(match) == [1, 0, 0]
    # What it was worth stays unseen by the others.
    assert match.known(1).spent[0] == [2, 0, 0, 0, 0]
    assert match.known(0).spent[0] == [0, 0, 1, 1, 0]


def test_FG_26_how_many_berries_are_spent_is_asked_where_it_matters() -> None:
    match = delivery([2, 0, 0], berries=[1, 1])
    play(match, "climb tree")
    assert legal(match) == ["pay 0 berries", "pay 1 berry", "pay 2 berries"]
    play(match, "pay 1 berry")
    assert (stock(match), truth(match).berries[0]) == ([1, 0, 0], 1)


def thirteen(stock_: list[int], **fields: Any) -> foxden.Match:
    """Seat 1 discards a 13 and is rewarded."""
    given = {"stock": [[0] * 3, stock_, [0] * 3, [0] * 3], **fields}
    match = trick(["blue 4, blue 1", "purple 13, orange 1", "blue 3, blue 5", "blue 2"], **given)
    return play(match, "play blue 4", "play purple 13")


def test_FG_27_a_thirteen_advances_at_once_for_one_less() -> None:
    match = thirteen([1, 0, 0])
    assert legal(match) == ["stop", "climb tree", "climb mushroom", "climb leaf"]
    play(match, "climb tree")
    assert (level(match, 1), stock(match, 1)) == ([1, 0, 0], [0, 0, 0])
    assert match.to_act == 2


def test_FG_27_it_may_be_declined_and_is_lost_if_nothing_can_be_paid() -> None:
    match = thirteen([0, 0, 0])
    assert legal(match) == ["stop", "climb mushroom", "climb leaf"]  # 1 less 1 is free
    assert refused(match, "climb tree") == "FG-27"
    play(match, "stop")
    assert level(match, 1) == [0, 0, 0]
    match = thirteen([0, 0, 0], level=[[1, 2, 2]] * 4)
    assert match.to_act == 2  # not asked
    assert level(match, 1) == [1, 2, 2]


def test_FG_27_which_unit_is_dropped_is_free() -> None:
    match = thirteen([4, 4, 4], level=[[2, 6, 6]] * 4)
    play(match, "climb tree")  # 4 wood and 1 nut, less 1
    assert legal(match) == ["pay 3 wood", "pay 4 wood"]
    play(match, "pay 4 wood")
    assert stock(match, 1) == [0, 4, 4]


def test_FG_27_two_thirteens_are_two_advances() -> None:
    match = trick(
        ["blue 13", "blue 4", "blue 3", "yellow 13"],
        awake=["pick_two"],
        options=PICK_TWO,
        stock=[[1, 0, 0]] * 4,
    )
    play(match, "play blue 13", "play blue 4", "play blue 3", "play yellow 13", "pick two")
    play(match, "take blue 13", "climb tree")
    assert (level(match, 3), stock(match, 3)) == ([1, 0, 0], [0, 0, 0])
    play(match, "take yellow 13")
    # Level 2 costs 3 wood: one less leaves 2, so reductions do not add up.
    assert legal(match) == ["stop", "climb mushroom", "climb leaf"]
    play(match, "climb leaf")
    assert level(match, 3) == [1, 0, 1]


# Advancing


def test_FG_28_everything_shown_is_paid_and_the_marker_moves_up() -> None:
    match = delivery([4, 1, 0], level=[2, 0, 0])
    play(match, "climb tree")
    assert (level(match), stock(match)) == ([3, 0, 0], [0, 0, 0])


def test_FG_28_the_seventh_level_is_the_last() -> None:
    match = delivery([9, 9, 9], level=[7, 6, 6])
    assert legal(match) == ["stop", "climb mushroom", "climb leaf"]
    assert refused(match, "climb tree") == "FG-28"
    play(match, "climb leaf")
    assert refused(match, "climb leaf") == "FG-28"


def test_FG_28_every_level_has_room_for_all() -> None:
    match = delivery([2, 0, 0], level=[0, 0, 0])
    rearrange(match, lambda known: known.level.__setitem__(slice(1, 4), [[1, 0, 0]] * 3))
    play(match, "climb tree")
    assert level(match) == [1, 0, 0]


SWITCH = {"owl_one": "discount", "owl_two": "switch"}


def test_FG_29_discount_drops_one_unit_of_choice() -> None:
    match = delivery([4, 1, 0], level=[2, 7, 7], awake=["discount"])
    play(match, "climb tree")
    assert legal(match) == ["no discount", "discount"]
    play(match, "discount")
    assert legal(match) == ["pay 3 wood", "pay 4 wood"]
    play(match, "pay 3 wood")
    assert stock(match) == [1, 0, 0]
    assert not is_awake(match, "discount")


def test_FG_29_discount_adds_to_a_thirteen() -> None:
    match = thirteen([0, 0, 0], awake=["discount"])
    assert "climb tree" in legal(match)  # 2 wood, less 1, less 1
    play(match, "climb tree")
    assert level(match, 1) == [1, 0, 0]
    assert not is_awake(match, "discount", 1)


def test_FG_29_no_owl_is_offered_when_nothing_is_left_to_pay() -> None:
    match = thirteen([1, 1, 1], awake=["discount", "switch"], options=SWITCH)
    play(match, "climb leaf")  # 1 maple, less 1
    assert level(match, 1) == [0, 0, 1]
    assert is_awake(match, "discount", 1)
    assert is_awake(match, "switch", 1)


def test_FG_29_switch_turns_all_units_of_one_kind() -> None:
    match = delivery([0, 5, 0], level=[2, 7, 7], awake=["switch"], options=SWITCH)
    play(match, "climb tree")  # 4 wood and 1 nut, with 5 nuts
    assert (level(match), stock(match)) == ([3, 7, 7], [0, 0, 0])
    assert not is_awake(match, "switch")


def test_FG_29_switch_is_asked_where_there_are_ways() -> None:
    match = delivery([2, 2, 2], awake=["switch"], options=SWITCH)
    play(match, "climb tree")
    assert legal(match) == ["no switch", "switch"]
    play(match, "switch")  # 2 wood become 2 nuts or 2 maple
    assert legal(match) == ["pay 0 nuts", "pay 2 nuts"]
    play(match, "pay 2 nuts")
    assert stock(match) == [2, 0, 2]


def test_FG_29_both_owls_on_one_advance() -> None:
    match = delivery([0, 4, 0], level=[2, 7, 7], awake=["switch", "discount"], options=SWITCH)
    play(match, "climb tree")
    assert (level(match), stock(match)) == ([3, 7, 7], [0, 0, 0])
    assert truth(match).awake[0] == 0


def test_FG_29_any_kind_needs_no_switch() -> None:
    options = {**SWITCH, "tree_side": "b"}
    match = delivery([1, 1, 0], level=[0, 7, 7], awake=["switch"], options=options)
    play(match, "climb tree", "no switch")  # 1 wood and 1 of any kind
    assert level(match) == [1, 7, 7]
    assert is_awake(match, "switch")


def test_FG_30_a_bonus_is_a_berry_or_owls_reactivated() -> None:
    match = delivery([3, 0, 0], level=[1, 0, 0], awake=[])
    play(match, "climb tree")
    assert legal(match) == [
        "berry",
        "reactivate",
        "reactivate discount",
        "reactivate double",
    ]
    assert refused(match, "reactivate switch") == "FG-30"
    assert refused(match, "new double") == "FG-36"
    assert truth(play(_bonus_position(), "berry")).berries[0] == 1
    assert truth(play(_bonus_position(), "reactivate")).awake[0] == owls("double", "discount")
    assert truth(play(_bonus_position(), "reactivate double")).awake[0] == owls("double")


def _bonus_position() -> foxden.Match:
    return play(delivery([3, 0, 0], level=[1, 0, 0], awake=[]), "climb tree")


def test_FG_30_reactivated_owls_can_be_used_at_once() -> None:
    match = delivery([3, 0, 0], level=[1, 0, 0], awake=[])
    play(match, "climb tree", "reactivate")
    assert legal(match) == ["stop", "climb mushroom", "climb leaf"]
    play(match, "climb leaf")  # 1 maple, less 1 by the discount
    assert level(match) == [2, 0, 1]


def test_FG_30_one_possible_choice_is_taken_and_none_is_nothing() -> None:
    both = ["double", "discount"]
    match = play(delivery([3, 0, 0], level=[1, 0, 0], awake=both), "climb tree", "no discount")
    assert truth(match).berries[0] == 1  # nothing to reactivate
    empty: dict[str, Any] = {"supply": [0] * 5, "in_supply": 0}
    match = play(delivery([3, 0, 0], level=[1, 0, 0], awake=["double"], **empty), "climb tree")
    assert is_awake(match, "discount")  # no berry is left
    match = delivery([3, 0, 0], level=[1, 0, 0], awake=both, **empty)
    play(match, "climb tree", "no discount")
    assert truth(match).berries[0] == 0
    assert level(match) == [2, 0, 0]


def test_FG_31_a_used_owl_is_inactive_from_round_to_round() -> None:
    match = rewarded("blue 8", ["double"])
    play(match, "double")
    seat = 0
    while truth(match).round == 0:
        match.play(match.legal()[0])
    assert not is_awake(match, "double", seat)
    assert truth(match).owls[seat] & owls("double")


def test_FG_31_any_number_of_owls_in_one_turn() -> None:
    match = delivery([0, 4, 0], level=[2, 7, 7], awake=["switch", "discount"], options=SWITCH)
    play(match, "climb tree")
    assert truth(match).awake[0] == 0


def all_ways(match: foxden.Match) -> Counter[tuple[object, ...]]:
    """Walks through every way to pay, and counts where each leads."""
    known = truth(match)
    found: Counter[tuple[object, ...]] = Counter()
    if known.house < 0:
        found[*known.stock[0], known.berries[0], known.awake[0]] += 1
        return found
    for action in match.legal():
        # Replaying is not possible from an arranged position, so copy the state.
        twin = delivery(options=match.options)
        rearrange(twin, lambda other: vars(other).update(vars(known)))
        twin.play(action)
        found += all_ways(twin)
    return found


def by_hand(
    stock_: tuple[int, ...], berries: int, price: list[int], *, can_drop: bool, can_switch: bool
) -> set[tuple[object, ...]]:
    """Pays unit by unit, in every way that the rules allow, and gives what is left."""
    left: set[tuple[object, ...]] = set()
    turns = (
        [None, *[(a, b) for a in range(3) for b in range(3) if a != b]] if can_switch else [None]
    )
    for turn, drop in product(turns, (0, 1) if can_drop else (0,)):
        due = list(price)
        if turn:
            if not due[turn[0]]:
                continue
            due[turn[1]] += due[turn[0]]
            due[turn[0]] = 0
        units = [kind for kind in range(4) for _ in range(due[kind])]
        awake = (0 if drop else owls("discount")) if can_drop else 0
        awake |= (0 if turn else owls("switch")) if can_switch else 0
        # Each unit is paid with one of the kinds, with a berry (3), or dropped (4).
        choices = [(*(range(3) if unit == 3 else [unit]), 3, 4) for unit in units]
        for paid in product(*choices):
            used = [paid.count(k) for k in range(5)]
            if used[4] == drop and used[3] <= berries:
                rest = tuple(stock_[k] - used[k] for k in range(3))
                if min(rest) >= 0:
                    left.add((*rest, berries - used[3], awake))
    return left


@pytest.mark.parametrize(
    ("stock_", "berries", "house", "level_", "awake", "sides"),
    [
        ((4, 2, 2), 0, 0, 2, [], {}),
        ((4, 2, 2), 1, 0, 2, ["discount"], {}),
        ((3, 2, 2), 2, 1, 2, ["discount", "switch"], {}),
        ((3, 3, 1), 1, 0, 2, ["discount"], SIDE_B),
        ((5, 3, 2), 1, 0, 2, ["discount", "switch"], SIDE_B),
        ((2, 4, 4), 2, 1, 4, ["switch"], SIDE_B),
        ((1, 1, 1), 1, 2, 0, ["discount", "switch"], SIDE_B),
    ],
)
def test_FG_32_every_way_of_paying_is_open_once(
    stock_: tuple[int, ...],
    berries: int,
    house: int,
    level_: int,
    awake: list[str],
    sides: dict[str, str],
) -> None:
    levels = [7, 7, 7]
    levels[house] = level_
    match = delivery(
        stock_, levels, berries=[2] * berries, awake=awake, options={**SWITCH, **sides}, round=3
    )
    known = truth(match)
    side = 1 if sides else 0
    price = known.cost[side][house][level_]
    # No bonus, and no round after this one, so that nothing blurs the count.
    rearrange(match, lambda other: vars(other).update(bonus=[[[0] * 8] * 3] * 2, turn=0))
    name = ("tree", "mushroom", "leaf")[house]
    match.play(f"climb {name}")
    ways = all_ways(match)
    wanted = by_hand(
        stock_, berries, price, can_drop="discount" in awake, can_switch="switch" in awake
    )
    assert set(ways) == wanted
    assert max(ways.values()) == 1  # ways that take the same are one


def test_FG_32_no_advance_starts_that_cannot_be_finished() -> None:
    match = delivery([3, 0, 0], level=[2, 0, 0], berries=[1])
    assert "climb tree" not in legal(match)  # 4 wood and 1 nut
    assert refused(match, "climb tree") == "FG-28"
    match = delivery([3, 0, 0], level=[2, 0, 0], berries=[1, 1])
    assert "climb tree" in legal(match)


# Phase 2


def test_FG_33_seats_deliver_clockwise_from_the_first_player() -> None:
    match = trick(
        ["blue 4", "blue 3", "blue 9", "blue 2"],
        stock=[[2, 0, 0], [0, 0, 0], [2, 0, 0], [2, 1, 0]],
    )
    play(match, "play blue 4", "play blue 3", "play blue 9", "play blue 2", "take blue 9")
    assert match.to_act == 2
    play(match, "climb tree")
    assert match.to_act == 3  # seat 2 can pay no more and is not asked again
    play(match, "climb tree", "climb mushroom")  # as many as can be paid, in any house
    assert level(match, 3) == [1, 1, 0]
    assert match.to_act == 0
    play(match, "stop")
    assert truth(match).round == 1  # seat 1 had nothing


def test_FG_34_three_resources_are_kept_and_all_berries() -> None:
    match = delivery([6, 0, 2], level=[7, 7, 7], berries=[1, 2])
    play(match, "stop")
    assert legal(match) == ["keep 3 wood", "keep 2 wood 1 maple", "keep 1 wood 2 maple"]
    assert refused(match, "keep 3 maple") == "FG-34"
    play(match, "keep 1 wood 2 maple")
    known = truth(match)
    assert (known.stock[0], known.berries[0], known.round) == ([1, 0, 2], 2, 1)


def test_FG_34_three_or_fewer_are_kept_unasked() -> None:
    match = play(delivery([1, 1, 1], level=[7, 7, 7]), "stop")
    assert (stock(match), truth(match).round) == ([1, 1, 1], 1)
    match = play(delivery([5, 0, 0], level=[7, 7, 7]), "stop")
    assert stock(match) == [3, 0, 0]  # there is only one way


def test_FG_34_seats_are_asked_after_all_have_passed_and_not_in_round_4() -> None:
    many = [[4, 4, 4]] * 4
    match = delivery(stock=[4, 4, 4], level=[7, 7, 7])
    rearrange(match, lambda known: vars(known).update(stock=many, level=[[7, 7, 7]] * 4))
    play(match, "stop")
    assert match.to_act == 0
    assert legal(match)[0] == "keep 3 wood"
    play(match, "keep 3 wood", "keep 3 nuts", "keep 3 maple", "keep 1 wood 1 nut 1 maple")
    assert truth(match).stock == [[3, 0, 0], [0, 3, 0], [0, 0, 3], [1, 1, 1]]
    match = delivery([6, 6, 6], level=[7, 7, 7], round=3)
    play(match, "stop")
    assert match.is_over


# The end


def finished(levels: list[list[int]], berries: list[list[int]]) -> foxden.Match:
    """Ends a match with these levels and berries."""
    match = delivery(round=3, seats=len(levels))

    def change(known: Known) -> None:
        for p, own in enumerate(levels):
            known.level[p] = own
            known.held[p] = [berries[p].count(points) for points in range(5)]
            known.berries[p] = len(berries[p])

    rearrange(match, change)
    return play(match, "stop")


def test_FG_35_levels_berries_and_the_round_track_are_added_up() -> None:
    match = finished([[1, 2, 3], [0, 4, 4]], [[4, 1], []])
    assert match.scores == (1 + 3 + 5 + 5 + 4, 0 + 8 + 8 + 0 + 0)
    assert match.winners == (0,)
    assert [list(line) for line in match.view(None)["tally"][0]] == [
        ["tree house, level 1", 1],
        ["mushroom house, level 2", 3],
        ["leaf house, level 3", 5],
        ["2 blackberries", 5],
        ["bonus for the lowest house, level 1", 4],
    ]


def test_FG_35_a_tie_goes_to_the_most_berries_or_is_shared() -> None:
    same = [[2, 2, 2], [2, 2, 2], [1, 1, 1]]
    assert finished(same, [[2, 2], [4], []]).winners == (0,)
    assert finished(same, [[4], [4], []]).winners == (0, 1)


# Pro variant


def test_FG_36_no_owls_at_first_and_one_of_a_kind_by_a_bonus() -> None:
    match = delivery([3, 0, 0], level=[1, 0, 0], options={"pro": True})
    assert truth(match).owls == [0] * 4
    play(match, "climb tree")
    new_owls = [f"new {owl.replace('_', ' ')}" for owl in OWLS]
    assert legal(match) == ["berry", *new_owls]  # nothing to reactivate
    play(match, "new discount")
    assert is_awake(match, "discount")
    play(match, "climb leaf")  # 1 maple, less 1: usable at once
    assert level(match) == [2, 0, 1]


def test_FG_36_reactivate_wakes_all_and_owned_kinds_are_not_offered() -> None:
    match = delivery([3, 0, 0], level=[1, 0, 0], options={"pro": True})
    three = owls("double", "discount", "convert")
    rearrange(match, lambda known: vars(known).update(owls=[three] * 4, awake=[0] * 4))
    play(match, "climb tree")
    assert legal(match) == ["berry", "reactivate", "new draw two", "new pick two", "new switch"]
    assert refused(match, "new double") == "FG-36"
    assert refused(match, "reactivate double") == "FG-36"
    play(match, "reactivate")
    assert truth(match).awake[0] == three


# Two players


def test_FG_37_one_card_across_one_under_the_pile_and_one_drawn() -> None:
    match = new(seats=2)
    first = match.to_act or 0
    other = 1 - first
    dealt, pile = truth(match).hand, truth(match).pile
    moves = []
    for seat in (first, first, other, other):
        assert match.to_act == seat
        moves.append(str(match.legal()[0]))
        match.play(match.legal()[0])
    assert [move.split()[0] for move in moves] == ["pass", "bury", "pass", "bury"]
    known = truth(match)
    for seat, (across, under) in ((first, moves[:2]), (other, moves[2:])):
        given, buried = card(across.removeprefix("pass ")), card(under.removeprefix("bury "))
        assert known.hand[1 - seat] >> given & 1
        assert known.gave_right[seat] == buried
        drawn = known.hand[seat] & pile
        assert drawn.bit_count() == 1
        assert known.hand[seat].bit_count() == 9
        kept = dealt[seat] & ~(1 << given | 1 << buried)
        assert kept & ~known.hand[seat] == 0
    assert legal(match)[0].startswith("play")


def test_FG_37_draw_two_follows_the_exchange() -> None:
    match = exchanged(new(seats=2, owl_one="draw_two", owl_two="double"))
    assert legal(match) == ["no draw", "draw two"]
    assert refused(match, "pass blue 1") == "FG-15"


def with_frank(frank: str, **fields: Any) -> foxden.Match:
    """Seat 0 leads blue 4 or blue 1; Frank can only turn up one card."""
    hands = ["blue 4, blue 1", "blue 8, purple 1"]
    return trick(hands, pile=frank, **fields)


def test_FG_38_frank_plays_between_the_two() -> None:
    match = with_frank("blue 6")
    play(match, "play blue 4")
    known = truth(match)
    assert names_in(known.played[4]) == ["blue 6"]
    assert known.pile == 0
    assert match.to_act == 1
    trick_ = match.view(None)["table"]["trick"]["cards"]
    assert trick_ == [{"seat": 0, "card": "blue 4"}, {"seat": "frank", "card": "blue 6"}]


def test_FG_39_franks_card_is_discarded_unless_it_follows_or_trumps() -> None:
    match = with_frank("purple 9")
    play(match, "play blue 4", "play blue 8")
    assert legal(match) == ["take blue 4", "take blue 8"]
    assert truth(match).stock == [[0] * 3] * 4
    match = with_frank("yellow 1")
    play(match, "play blue 4", "play blue 8")
    assert truth(match).leader == truth(match).first == 0  # Frank has won
    assert legal(match) == ["play blue 1"]


def test_FG_40_frank_loses_and_his_card_can_be_chosen() -> None:
    match = with_frank("blue 6")
    play(match, "play blue 4", "play blue 8")
    assert match.to_act == 1
    assert legal(match) == ["take blue 4", "take blue 6", "take blue 8"]
    play(match, "take blue 6")
    assert stock(match, 1) == [3, 0, 0]
    assert match.to_act == 1


@pytest.mark.parametrize("first", [0, 1])
def test_FG_40_frank_wins_and_the_marker_leads(first: int) -> None:
    match = with_frank("blue 13", first=first)
    play(match, "play blue 4", "play blue 8")
    assert truth(match).stock == [[0] * 3] * 4
    assert match.to_act == first


@pytest.mark.parametrize("first", [0, 1])
def test_FG_40_frank_wins_the_ninth_trick_and_the_marker_changes(first: int) -> None:
    match = trick(["blue 4", "blue 8"], pile="blue 13", first=first, stock=[[2, 1, 1]] * 4)
    play(match, "play blue 4", "play blue 8")
    assert truth(match).first == 1 - first
    assert match.to_act == 1 - first


# What is secret: test_knowledge.py has the rest


def test_FG_41_what_a_seat_sees_of_the_others() -> None:
    match = exchanged(new(seed=3))
    for seat in range(4):
        known = match.known(seat)
        assert known.pile == 0
        assert [mask > 0 for mask in known.hand] == [p == seat for p in range(4)]
        assert known.supply == [24, 0, 0, 0, 0]
    assert match.known(None).hand == [0] * 4


def test_FG_41_who_did_not_follow_is_known_to_be_void() -> None:
    match = trick(["blue 4", "purple 9", "yellow 1", "blue 2"])
    play(match, "play blue 4", "play purple 9", "play yellow 1", "play blue 2")
    voids = [seat["voids"] for seat in match.view(None)["table"]["seats"]]
    assert voids == [[], ["blue"], ["blue"], []]


def test_FG_41_the_discard_pile_is_open() -> None:
    match = trick(["blue 4, blue 5", "purple 9, purple 8", "blue 1, purple 7", "blue 2, purple 5"])
    play(match, "play blue 4", "play purple 9", "play blue 1", "play blue 2", "take blue 4")
    table = match.view(None)["table"]
    assert table["discard_pile"] == ["blue 1", "blue 2", "blue 4", "purple 9"]
    assert table["trick"]["cards"] == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_FG_42_every_hand_is_empty_after_a_round(seats: int) -> None:
    match = new(seats=seats, owl_one="draw_two", owl_two="double", seed=9)
    rounds = 0
    while not match.is_over:
        before = truth(match)
        match.play(match.legal()[-1])
        if truth(match).tricks == 9 and before.tricks == 8:
            rounds += 1
            assert truth(match).hand == [0] * 4
            known = truth(match)
            places = [known.pile, *known.buried, *known.played]
            if seats == 2:
                places += [1 << under for under in known.gave_right[:2]]
            assert sum(places) == (1 << 52) - 1
    assert rounds >= 3


# Worked examples


def test_FG_E1_blue_led_and_a_blue_card_in_hand_forbids_a_trump() -> None:
    match = trick(["blue 4", "blue 8, yellow 5", "blue 1", "blue 2"])
    play(match, "play blue 4")
    assert refused(match, "play yellow 5") == "FG-17"


def test_FG_E2_a_trump_wins_and_a_discard_pays() -> None:
    match = trick(["blue 4", "blue 8", "yellow 2, purple 1", "purple 9, orange 1"])
    play(match, "play blue 4", "play blue 8", "play yellow 2", "play purple 9")
    assert stock(match, 3) == [0, 2, 0]
    assert match.to_act == 2
    play(match, "take blue 8")
    assert stock(match, 2) == [3, 0, 0]


def test_FG_E3_a_thirteen_pays_one_nut_instead_of_two() -> None:
    match = thirteen([0, 1, 0], level=[[0, 1, 0]] * 4)
    play(match, "climb mushroom")
    assert (level(match, 1), stock(match, 1)) == ([0, 2, 0], [0, 0, 0])


def test_FG_E4_a_delivery_in_three_steps() -> None:
    match = delivery([4, 1, 0], level=[0, 1, 0], awake=["discount"])
    play(match, "climb tree", "no discount")
    assert (level(match), stock(match)) == ([1, 1, 0], [2, 1, 0])
    play(match, "climb tree")  # 2 wood and the discount for 3 wood
    assert (level(match), stock(match)) == ([2, 1, 0], [0, 1, 0])
    assert not is_awake(match, "discount")
    play(match, "berry", "climb mushroom")  # 1 nut and the berry for 2 nuts
    assert (level(match), stock(match), truth(match).berries[0]) == ([2, 2, 0], [0, 0, 0], 0)
    play(match, "reactivate")
    assert truth(match).awake[0] == owls("double", "discount")


def test_FG_E5_six_resources_left_and_three_kept() -> None:
    match = delivery([3, 1, 2], level=[7, 7, 7], berries=[2])
    play(match, "stop", "keep 1 wood 2 maple")
    assert (stock(match), truth(match).berries[0]) == ([1, 0, 2], 1)


def test_FG_E6_fifty_eight_points() -> None:
    match = finished([[3, 4, 7], [0, 0, 0]], [[4, 3, 1], []])
    assert match.scores[0] == 5 + 8 + 22 + 15 + 8 == 58


def test_kinds_are_named_alike_in_views() -> None:
    assert tuple(new().view(None)["table"]["seats"][0]["resources"]) == KINDS
