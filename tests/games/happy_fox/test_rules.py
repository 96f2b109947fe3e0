"""Happy Fox, rule by rule. The ids are those of the guide."""

from collections import Counter

import pytest

import foxden
from foxden.engine.kernel import Known
from tests.games.positions import rearrange, truth

NONE, GOOSE, FOX, DOG = 0, 1, 2, 3
PLAY, GRAB, OVER = 0, 1, 2


def table(
    rows: list[list[int]],
    *,
    hands: list[dict[int, int]] | None = None,
    to_act: int = 0,
    turn: int | None = None,
    piles: list[list[int]] | None = None,
    starter: int | None = None,
    **options: bool,
) -> foxden.Match:
    """Sets up a position: the rows face down from turn 1 on, hands and piles as given."""
    match = foxden.new("happy-fox", seats=len(rows), seed=1, options=options)

    def change(known: Known) -> None:
        known.to_act = to_act
        known.starter = to_act if starter is None else starter
        known.turn = max(map(len, rows)) if turn is None else turn
        for p, row in enumerate(rows):
            known.row[p][: len(row)] = row
            down = [k for k, card in enumerate(row) if card]
            known.down[p] = len(down)
            known.turns_down[p][: len(down)] = down
            if hands:
                known.hand[p] = [0, *(hands[p].get(card, 0) for card in (GOOSE, FOX, DOG)), 0]
            if piles:
                known.in_pile[p] = len(piles[p])
                known.pile[p] = piles[p] + [NONE] * (32 - len(piles[p]))

    rearrange(match, change)
    return match


def won(match: foxden.Match, seat: int) -> Counter[int]:
    """Counts a win pile by card."""
    pile: Counter[int] = Counter()
    for cards in truth(match).won[seat]:
        pile.update({card: cards[card] for card in (GOOSE, FOX, DOG) if cards[card]})
    return pile


def notations(match: foxden.Match) -> list[str]:
    return [str(action) for action in match.legal()]


FOX_IN_HAND = [{FOX: 1, GOOSE: 4}] * 5


def test_HF_1_a_set_has_15_geese_5_foxes_and_4_dogs() -> None:
    known = truth(foxden.new("happy-fox", seats=3, seed=5))
    for p in range(3):
        cards = Counter(card for card in known.pile[p] if card)
        cards.update({card: known.hand[p][card] for card in (GOOSE, FOX, DOG)})
        assert cards == {GOOSE: 15, FOX: 5, DOG: 4}


def test_HF_2_five_cards_in_hand_and_nineteen_in_the_pile() -> None:
    known = truth(foxden.new("happy-fox", seats=4, seed=5))
    for p in range(4):
        assert sum(known.hand[p]) == 5
        assert known.in_pile[p] == 19


def test_HF_2_every_seat_has_a_shuffle_of_its_own() -> None:
    known = truth(foxden.new("happy-fox", seats=4, seed=5))
    assert len({tuple(pile) for pile in known.pile[:4]}) == 4


def test_HF_3_four_unseen_cards_leave_each_set() -> None:
    match = foxden.new("happy-fox", seats=2, seed=5, options={"unknown_four": True})
    assert match.view(0)["table"]["turns"] == 20
    assert [seat["pile"] for seat in match.view(0)["table"]["seats"]] == [15, 15]
    turns = Counter[int]()
    while not match.is_over:
        if match.view(None)["table"]["phase"] == "play":
            turns[match.to_act or 0] += 1
        match.play(match.legal()[-1])
    assert turns == {0: 20, 1: 20}
    assert sum(match.scores) == 40
    assert [truth(match).in_pile[p] for p in range(2)] == [4, 4]


def test_HF_4_the_starting_seat_is_drawn_by_lot() -> None:
    starters = Counter(foxden.new("happy-fox", seats=5, seed=s).to_act for s in range(300))
    assert set(starters) == {0, 1, 2, 3, 4}
    assert min(starters.values()) > 30


def test_HF_5_turns_go_clockwise_and_one_card_is_played() -> None:
    match = table([[], [], []], hands=[{GOOSE: 5}] * 3, to_act=1, turn=0)
    order = []
    for _ in range(6):
        seat = match.to_act
        assert seat is not None
        before = sum(truth(match).hand[seat])
        order.append(seat)
        match.play("lay goose")
        drawn = sum(truth(match).hand[seat]) - (before - 1)
        assert drawn == 1
    assert order == [1, 2, 0, 1, 2, 0]


def test_HF_5_any_card_of_the_hand_and_no_other() -> None:
    match = table([[], []], hands=[{GOOSE: 2, DOG: 3}, {}], turn=0)
    assert notations(match) == ["lay goose", "lay dog"]
    with pytest.raises(foxden.IllegalAction, match=r"you have no fox in your hand \(HF-5\)"):
        match.play("fox")


def test_HF_6_a_laid_card_lies_face_down_and_one_card_is_drawn() -> None:
    match = table([[], []], hands=[{DOG: 5}, {GOOSE: 5}], piles=[[GOOSE, FOX], []], turn=0)
    match.play("lay dog")
    known = truth(match)
    assert known.row[0][0] == DOG
    assert known.hand[0][1:4] == [0, 1, 4]  # the fox was on top
    assert known.in_pile[0] == 1
    assert match.view(1)["table"]["seats"][0]["row"] == [{"turn": 1, "card": None, "up": False}]


def test_HF_6_an_empty_pile_gives_nothing() -> None:
    match = table([[], []], hands=[{DOG: 2}, {GOOSE: 2}], piles=[[], []], turn=0)
    match.play("lay dog")
    assert sum(truth(match).hand[0]) == 1


def test_HF_7_a_fox_starts_a_grab() -> None:
    match = table([[], [GOOSE]], hands=FOX_IN_HAND)
    match.play("fox")
    assert truth(match).phase == GRAB
    assert match.to_act == 0
    assert match.view(1)["table"]["grab"] == {"by": 0, "victim": 1, "geese": []}


def test_HF_8_a_card_keeps_its_turn_and_leaves_a_gap() -> None:
    match = table([[], [GOOSE, NONE, GOOSE, DOG]], hands=FOX_IN_HAND)
    match.play("fox")
    assert notations(match) == ["turn 1", "turn 3", "turn 4"]
    match.play("turn 1")
    match.play("stop")
    row = match.view(1)["table"]["seats"][1]["row"]
    assert [(card["turn"], card["card"]) for card in row] == [(3, "goose"), (4, "dog")]
    with pytest.raises(foxden.NotYourTurn):
        match.play("turn 1", seat=0)


def test_HF_9_the_owner_alone_sees_its_face_down_row() -> None:
    match = table([[], [GOOSE, DOG]], hands=FOX_IN_HAND)
    seen = {
        viewer: [card["card"] for card in match.view(viewer)["table"]["seats"][1]["row"]]
        for viewer in (0, 1, None)
    }
    assert seen == {0: [None, None], 1: ["goose", "dog"], None: [None, None]}


def test_HF_10_the_first_victim_is_the_nearest_to_the_left_with_a_card() -> None:
    match = table([[GOOSE], [], [GOOSE], [GOOSE]], hands=FOX_IN_HAND)
    match.play("fox")
    assert truth(match).victim == 2


def test_HF_10_any_face_down_card_of_the_victim_may_be_turned() -> None:
    match = table([[], [GOOSE, DOG, GOOSE], [GOOSE]], hands=FOX_IN_HAND)
    match.play("fox")
    assert notations(match) == ["turn 1", "turn 2", "turn 3"]


def test_HF_11_after_a_goose_the_grab_goes_round_past_the_own_row() -> None:
    match = table([[GOOSE], [GOOSE] * 3, [GOOSE] * 3], hands=FOX_IN_HAND, to_act=1)
    match.play("fox")
    victims = []
    for k in (1, 1, 2):
        victims.append(truth(match).victim)
        match.play(f"turn {k}")
    assert victims == [2, 0, 2]
    assert truth(match).victim == 2  # seat 0 has no card left, seat 1 is the grabber


def test_HF_11_with_two_seats_the_opponent_is_always_next() -> None:
    match = table([[GOOSE], [GOOSE] * 3], hands=FOX_IN_HAND)
    match.play("fox")
    match.play("turn 2")
    assert truth(match).victim == 1
    assert notations(match) == ["stop", "turn 1", "turn 3"]


def test_HF_12_seats_without_a_face_down_card_are_passed_over() -> None:
    match = table([[], [GOOSE] * 2, [], [GOOSE]], hands=FOX_IN_HAND)
    match.play("fox")
    match.play("turn 1")
    assert truth(match).victim == 3
    match.play("turn 1")
    assert truth(match).victim == 1


def test_HF_13_the_first_card_must_be_turned() -> None:
    match = table([[], [GOOSE]], hands=FOX_IN_HAND)
    match.play("fox")
    assert "stop" not in notations(match)
    with pytest.raises(foxden.IllegalAction, match="HF-13"):
        match.play("stop")


def test_HF_13_with_nobody_to_grab_from_the_fox_is_won() -> None:
    match = table([[GOOSE], [], []], hands=FOX_IN_HAND, piles=[[GOOSE], [], []])
    match.play("fox")
    assert won(match, 0) == {FOX: 1}
    assert match.to_act == 1
    assert sum(truth(match).hand[0]) == 5  # HF-17 follows


def test_HF_14_after_the_last_face_down_card_the_grab_is_won() -> None:
    match = table([[GOOSE], [GOOSE], [GOOSE]], hands=FOX_IN_HAND)
    match.play("fox")
    match.play("turn 1")
    match.play("turn 1")
    assert won(match, 0) == {GOOSE: 2, FOX: 1}
    assert match.to_act == 1


def test_HF_15_stopping_wins_the_geese_and_the_fox_and_leaves_the_rest() -> None:
    match = table([[], [GOOSE, GOOSE], [GOOSE, DOG]], hands=FOX_IN_HAND)
    match.play("fox")
    match.play("turn 2")
    match.play("turn 1")
    match.play("stop")
    assert won(match, 0) == {GOOSE: 2, FOX: 1}
    assert truth(match).row[1][:2] == [GOOSE, NONE]
    assert truth(match).row[2][:2] == [NONE, DOG]


def test_HF_16_a_dog_gives_everyone_their_own_and_its_owner_the_fox() -> None:
    match = table([[], [GOOSE, GOOSE, DOG], [GOOSE, DOG]], hands=FOX_IN_HAND)
    for move in ("fox", "turn 1", "turn 1", "turn 3"):
        match.play(move)
    assert won(match, 0) == {}
    assert won(match, 1) == {GOOSE: 1, DOG: 1, FOX: 1}
    assert won(match, 2) == {GOOSE: 1}
    assert truth(match).won[1][0][FOX] == 1  # from seat 0's set
    assert truth(match).row[1][:3] == [NONE, GOOSE, NONE]
    assert truth(match).row[2][:2] == [NONE, DOG]
    assert match.to_act == 1


@pytest.mark.parametrize("last", [GOOSE, DOG])
def test_HF_17_the_hand_is_refilled_however_the_grab_ended(last: int) -> None:
    match = table(
        [[], [last]], hands=[{FOX: 1, GOOSE: 2}, {GOOSE: 5}], piles=[[DOG, DOG, DOG, DOG], []]
    )
    match.play("fox")
    match.play("turn 1")
    assert sum(truth(match).hand[0]) == 5
    assert truth(match).in_pile[0] == 1
    assert match.to_act == 1


def test_HF_17_the_refill_ends_with_the_pile() -> None:
    match = table([[], []], hands=[{FOX: 1, GOOSE: 2}, {GOOSE: 5}], piles=[[DOG], []], turn=0)
    match.play("fox")
    assert sum(truth(match).hand[0]) == 3


def test_HF_18_a_match_has_24_turns_each_and_an_empty_pile_does_not_end_it() -> None:
    match = foxden.new("happy-fox", seats=3, seed=2)
    turns = Counter[int]()
    while not match.is_over:
        if truth(match).phase == PLAY:
            turns[match.to_act or 0] += 1
        match.play(match.legal()[0])
    assert turns == {0: 24, 1: 24, 2: 24}


def test_HF_18_the_last_fox_finishes_its_grab() -> None:
    match = table(
        [[GOOSE], [GOOSE]], hands=[{}, {FOX: 1}], piles=[[], []], to_act=1, turn=23, starter=0
    )
    match.play("fox")
    assert not match.is_over
    match.play("turn 1")
    assert match.is_over
    assert match.scores == (0, 3)  # goose, fox, and the own goose of the row


def test_HF_19_rows_are_added_and_the_most_cards_win() -> None:
    match = table(
        [[GOOSE, DOG], [GOOSE]],
        hands=[{}, {GOOSE: 1}],
        piles=[[], []],
        to_act=1,
        turn=23,
        starter=0,
    )
    match.play("lay goose")
    assert match.is_over
    assert match.scores == (2, 2)
    assert match.winners == (0, 1)  # all who tie for most
    assert truth(match).row[0][:2] == [NONE, NONE]


def test_HF_19_one_card_more_wins_alone() -> None:
    match = table(
        [[GOOSE, DOG], []], hands=[{}, {GOOSE: 1}], piles=[[], []], to_act=1, turn=23, starter=0
    )
    match.play("lay goose")
    assert match.winners == (0,)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize(("option", "cards"), [(False, 24), (True, 20)])
def test_HF_20_the_win_piles_hold_every_card(seats: int, option: bool, cards: int) -> None:
    match = foxden.new("happy-fox", seats=seats, seed=3, options={"unknown_four": option})
    while not match.is_over:
        match.play(match.legal()[match.ply % len(match.legal())])
    assert sum(match.scores) == cards * seats


def test_HF_21_hands_and_piles_are_hidden_and_win_piles_open() -> None:
    match = table([[], [GOOSE, DOG]], hands=[{FOX: 1, GOOSE: 4}, {DOG: 2, GOOSE: 3}])
    for move in ("fox", "turn 1", "stop"):
        match.play(move)
    known = match.known(0)
    assert known.hand[1] == [0, 0, 0, 0, 5]
    assert not any(card for pile in known.pile for card in pile)
    assert match.known(None).hand[0] == [0, 0, 0, 0, 5]
    assert match.view(None)["table"]["seats"][0]["won"] == {"goose": 1, "fox": 1, "dog": 0}
    assert match.view(0)["table"]["seats"][0]["won_by_set"][1] == {"goose": 1, "fox": 0, "dog": 0}


def book_example(third: int) -> foxden.Match:
    """M, E and T have laid three cards each; M plays a fox."""
    rows = [[GOOSE] * 3, [GOOSE, third, DOG if third == GOOSE else GOOSE], [GOOSE, DOG, GOOSE]]
    match = table(rows, hands=FOX_IN_HAND)
    for move in ("fox", "turn 1", "turn 1", "turn 2"):
        match.play(move)
    return match


def test_HF_E1_three_geese_and_stop() -> None:
    match = book_example(GOOSE)
    match.play("stop")
    assert won(match, 0) == {GOOSE: 3, FOX: 1}


def test_HF_E2_the_third_card_is_a_dog() -> None:
    match = book_example(DOG)
    assert won(match, 0) == {}
    assert won(match, 1) == {GOOSE: 1, DOG: 1, FOX: 1}
    assert won(match, 2) == {GOOSE: 1}


def test_HF_E3_a_dog_at_the_first_card() -> None:
    match = table([[], [DOG, GOOSE], [GOOSE]], hands=FOX_IN_HAND)
    match.play("fox")
    match.play("turn 1")
    assert won(match, 1) == {DOG: 1, FOX: 1}
    assert match.to_act == 1
