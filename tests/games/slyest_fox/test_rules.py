"""The Slyest Fox, rule by rule. The ids are those of the guide."""

import random
from collections import Counter
from functools import partial
from typing import Any

import pytest

import foxden
from foxden.engine.errors import BadOption, BadParts
from foxden.engine.kernel import write_field
from tests.games.positions import rearrange, truth
from tests.games.slyest_fox.board import (
    ACT,
    CARDS,
    DEFEND,
    DISCARD,
    GOSSIP_FOX,
    HELP,
    INVENTIVE_FOX,
    MASTER_OF_TRAPS,
    OPEN,
    OVER,
    PLAIN,
    REFILL,
    SCHEMER,
    all_ready,
    hand,
    offered,
    pile,
    play,
    refused,
    table,
)
from tests.games.slyest_fox.truth import TRUTH


def dealt(seats: int, seed: int = 1, **options: Any) -> Any:
    return truth(foxden.new("slyest-fox", seats=seats, seed=seed, options=options))


def all_cards(known: Any) -> dict[str, int]:
    held = [known.deck[c] + sum(h[c] for h in known.hand) for c in range(12)]
    return {CARDS[c]: n for c, n in enumerate(held) if n}


# Parts

BASE = {
    "gossip": 14,
    "trap": 14,
    "universal-attack": 7,
    "weasel": 6,
    "facts": 14,
    "caution": 14,
    "universal-defence": 7,
    "dont-care": 6,
}


def test_SF_1_the_base_decks_have_41_cards_each() -> None:
    assert all_cards(dealt(6)) == BASE
    assert sum(BASE.values()) == 82


def test_SF_2_the_extension_adds_four_of_each_of_its_cards() -> None:
    more = {"sneaky-attack": 4, "enough": 4, "sneaky-defence": 4, "stop-it": 4}
    known = dealt(4, extension=True)
    assert all_cards(known) == BASE | more
    assert known.deck_size == [49 - 12, 49 - 12]


def test_SF_3_two_of_each_character_are_dealt_from() -> None:
    seen: set[int] = set()
    for seed in range(60):
        roles = dealt(8, seed, extension=True).role
        assert Counter(roles) == dict.fromkeys(range(4), 2)
        seen |= set(dealt(3, seed).role[:3])
    assert seen == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("role", "gossip", "trap", "facts", "caution"),
    [
        (GOSSIP_FOX, True, False, True, False),
        (SCHEMER, True, False, False, True),
        (MASTER_OF_TRAPS, False, True, False, True),
        (INVENTIVE_FOX, False, True, True, False),
    ],
)
def test_SF_3_each_character_can_be_one_attack_and_one_defence(
    role: int, gossip: bool, trap: bool, facts: bool, caution: bool
) -> None:
    for kind, attacks, defends in (("gossip", gossip, facts), ("trap", trap, caution)):
        match = table([PLAIN, PLAIN, PLAIN], roles=[role, role, role])
        play(match, f"0: attack 1 with {kind}")
        assert ("play character" in offered(match)) == defends
        play(match, f"1: play {'facts' if kind == 'gossip' else 'caution'}")
        assert ("play character" in offered(match)) == attacks


def test_SF_4_up_to_six_seats_with_the_base_cards_and_eight_with_the_extension() -> None:
    for seats in (3, 6):
        foxden.new("slyest-fox", seats=seats, seed=1)
    for seats in (7, 8):
        with pytest.raises(BadOption, match="SF-4"):
            foxden.new("slyest-fox", seats=seats, seed=1)
        foxden.new("slyest-fox", seats=seats, seed=1, options={"extension": True})


def test_SF_5_three_cards_of_each_deck_a_character_and_three_lives() -> None:
    for seats in range(3, 7):
        known = dealt(seats)
        for p in range(seats):
            assert sum(known.hand[p][:6]) == sum(known.hand[p][6:]) == 3
            assert known.role[p] in range(4)
            assert known.marks[p] == [0, 0]
        assert foxden.new("slyest-fox", seats=seats, seed=1).scores == (3,) * seats


def test_SF_5_too_few_cards_to_deal_are_refused() -> None:
    few = {"cards.gossip": 1, "cards.trap": 1}
    with pytest.raises(BadParts, match="SF-5"):
        foxden.new("slyest-fox", seats=3, seed=1, parts=few)


def test_SF_6_every_seat_can_be_the_first() -> None:
    starters = {dealt(5, seed).on_turn for seed in range(60)}
    assert starters == {0, 1, 2, 3, 4}


# A turn


def test_SF_7_protection_ends_when_the_own_turn_begins() -> None:
    match = table([PLAIN, PLAIN, PLAIN], shields=[1])
    play(match, "0: draw attack")
    known = truth(match)
    assert known.on_turn == 1
    assert known.shield == [0] * 8
    assert pile(match) == {"dont-care": 1}


def test_SF_7_protection_lasts_through_the_turns_of_others() -> None:
    match = table([PLAIN, PLAIN, PLAIN], shields=[2])
    play(match, "0: draw attack")
    assert truth(match).shield[2] == 1


def test_SF_8_an_open_moment_comes_before_the_action() -> None:
    match = table([PLAIN, PLAIN, PLAIN])
    play(match, "0: draw attack")
    assert truth(match).phase == OPEN
    assert refused(match, "draw attack") == "SF-8"
    assert refused(match, "attack 2 with gossip") == "SF-8"
    play(match, "1: ready", "2: ready", "0: ready")
    assert truth(match).phase == ACT
    assert truth(match).to_act == 1


def test_SF_9_a_turn_is_one_draw_or_an_attack_on_anybody() -> None:
    match = table([{"gossip": 1}, PLAIN, PLAIN, PLAIN])
    assert offered(match) == [
        "draw attack",
        "draw defence",
        "attack 1 with gossip",
        "attack 2 with gossip",
        "attack 3 with gossip",
    ]
    assert refused(match, "attack 0 with gossip") == "SF-9"
    assert refused(match, "attack 7 with gossip") == "SF-9"
    before = truth(match).deck_size
    play(match, "0: draw defence")
    assert truth(match).deck_size == [before[0], before[1] - 1]
    assert truth(match).size[0] == 2
    assert sum(truth(match).hand[0][6:]) == 1


def test_SF_10_an_empty_deck_is_formed_from_its_discards_when_a_card_is_drawn() -> None:
    match = table([PLAIN, PLAIN, PLAIN], discards={"gossip": 3, "facts": 2}, empty_decks=True)
    play(match, "0: draw attack")
    known = truth(match)
    assert known.deck_size == [2, 0]
    assert known.deck[0] == 2
    assert known.formed[:6] == [3, 0, 0, 0, 0, 0]
    assert pile(match) == {"facts": 2}  # not needed yet: still open to trades
    assert hand(match, 0)["gossip"] == 2


def test_SF_10_where_nothing_can_be_drawn_a_seat_attacks_or_passes() -> None:
    match = table([{"trap": 1}, PLAIN, PLAIN], empty_decks=True)
    assert refused(match, "draw attack") == "SF-10"
    assert refused(match, "pass") == "SF-10"
    assert offered(match) == ["attack 1 with trap", "attack 2 with trap"]
    match = table([{"weasel": 1}, PLAIN, PLAIN], empty_decks=True)
    assert offered(match) == ["pass"]
    play(match, "0: pass")
    assert truth(match).on_turn == 1


def test_SF_10_one_deck_may_be_empty_alone() -> None:
    match = table([{"weasel": 1}, PLAIN, PLAIN], discards={"facts": 1}, empty_decks=True)
    assert offered(match) == ["draw defence"]


def test_SF_11_all_seats_in_the_game_draw_up_to_three_clockwise() -> None:
    two = {"gossip": 1, "facts": 1}
    match = table([PLAIN, two, {"trap": 1}, two], marks={3: (2, 1)}, on_turn=2)
    play(match, "2: draw attack", "2: draw defence", "1: draw attack")
    known = truth(match)
    assert known.size[:4] == [4, 3, 3, 2]  # the eliminated seat draws nothing
    assert known.phase == OPEN


def test_SF_11_as_far_as_the_decks_reach() -> None:
    match = table([PLAIN, {}, {"gossip": 1}], discards={"facts": 2}, empty_decks=True)
    play(match, "0: draw defence", "1: draw defence")
    known = truth(match)
    assert known.size[:3] == [5, 1, 1]
    assert known.phase == OPEN


def test_SF_12_the_next_seat_still_in_the_game_follows() -> None:
    match = table([PLAIN, {}, {}, PLAIN, PLAIN], marks={1: (1, 2), 2: (2, 1)})
    play(match, "0: draw attack")
    assert truth(match).on_turn == 3


# An attack


def test_SF_13_an_attack_begins_with_a_card_declared_as_gossip_or_trap() -> None:
    cards = {"universal-attack": 1, "sneaky-attack": 1, "weasel": 1, "enough": 1, "facts": 1}
    match = table([cards, PLAIN, PLAIN], extension=True)
    kinds = [move for move in offered(match) if move.startswith("attack 1")]
    assert kinds == [
        "attack 1 with universal as gossip",
        "attack 1 with universal as trap",
        "attack 1 with sneaky as gossip",
        "attack 1 with sneaky as trap",
    ]
    assert refused(match, "attack 1 with gossip") == "SF-13"
    assert refused(match, "play character") == "SF-13"
    assert refused(match, "play universal-attack") == "SF-13"
    play(match, "0: attack 1 with sneaky as trap")
    assert truth(match).type == 1


def test_SF_14_who_cannot_be_attacked() -> None:
    cards = {"gossip": 1, "trap": 1}
    match = table(
        [cards, PLAIN, {}, PLAIN, PLAIN], shields=[1], marks={2: (2, 1), 3: (2, 0), 4: (0, 1)}
    )
    attacks = [move for move in offered(match) if move.startswith("attack")]
    assert attacks == ["attack 3 with trap", "attack 4 with gossip", "attack 4 with trap"]
    for move in ("attack 1 with gossip", "attack 2 with trap", "attack 3 with gossip"):
        assert refused(match, move) == "SF-14"


def test_SF_15_gossip_and_traps_never_mix() -> None:
    cards = {"gossip": 2, "trap": 1, "universal-attack": 1, "sneaky-attack": 1}
    match = table([cards, PLAIN, PLAIN], extension=True, roles=[MASTER_OF_TRAPS] * 3)
    play(match, "0: attack 1 with gossip", "1: play facts")
    assert offered(match) == [
        "pass",
        "play gossip",
        "play universal-attack",
        "play sneaky-attack",
    ]
    assert refused(match, "play trap") == "SF-15"
    assert refused(match, "play character") == "SF-15"
    assert refused(match, "play facts") == "SF-15"


def test_SF_16_what_defends_against_gossip_and_against_a_trap() -> None:
    cards = {"facts": 1, "caution": 1, "universal-defence": 1, "sneaky-defence": 1, "gossip": 1}
    right = ["play universal-defence", "play sneaky-defence"]
    for kind, good, bad in (("gossip", "facts", "caution"), ("trap", "caution", "facts")):
        roles = [GOSSIP_FOX, SCHEMER if kind == "gossip" else INVENTIVE_FOX, GOSSIP_FOX]
        match = table([PLAIN, cards, PLAIN], extension=True, roles=roles)
        play(match, f"0: attack 1 with {kind}")
        assert offered(match) == ["pass", f"play {good}", *right]
        assert refused(match, f"play {bad}") == "SF-16"
        assert refused(match, "play gossip") == "SF-16"
        assert refused(match, "play character") == "SF-16"


def test_SF_17_a_character_is_used_once_a_turn_and_stays_face_up() -> None:
    fox = {"gossip": 3, "trap": 1, "facts": 1}
    match = table([fox, {"facts": 3, "caution": 1}, PLAIN], roles=[GOSSIP_FOX] * 3)
    play(match, "0: attack 1 with gossip", "1: play facts", "0: play character")
    assert truth(match).shown[:3] == [1, 0, 0]
    play(match, "1: play facts")
    assert refused(match, "play character") == "SF-17"
    play(match, "0: pass", "2: pass")
    known = truth(match)
    assert known.shown[0] == 1
    assert known.used == [0] * 8
    assert known.role[0] == GOSSIP_FOX
    rearrange(match, lambda k: vars(k).update(on_turn=0, to_act=0, phase=ACT))
    play(match, "0: attack 1 with gossip", "1: play facts")
    assert "play character" in offered(match)  # again in a later turn


def test_SF_17_the_attacked_seat_may_answer_with_its_character_first() -> None:
    match = table([PLAIN, PLAIN, PLAIN], roles=[SCHEMER, INVENTIVE_FOX, SCHEMER])
    play(match, "0: attack 1 with gossip", "1: play character")
    known = truth(match)
    assert (known.attacks, known.defences, known.shown[1]) == (1, 1, 1)
    assert sum(hand(match, 1).values()) == 4


def test_SF_18_more_attack_cards_succeed_and_as_many_do_not() -> None:
    match = table([PLAIN, PLAIN, PLAIN])
    play(match, "0: attack 1 with trap", "1: pass", "2: pass")
    assert truth(match).marks[1] == [0, 1]
    match = table([PLAIN, PLAIN, PLAIN])
    play(match, "0: attack 1 with trap", "1: play caution", "0: pass", "2: pass")
    assert truth(match).marks[1] == [0, 0]
    assert truth(match).on_turn == 1


def test_SF_19_while_ahead_the_attacked_is_asked_then_the_others_clockwise_from_it() -> None:
    match = table([PLAIN] * 5, on_turn=1)
    play(match, "1: attack 3 with gossip")
    asked = []
    while truth(match).attacked == 3:
        asked.append(match.to_act)
        match.play("pass")
    assert asked == [3, 4, 0, 2]


def test_SF_19_while_equal_the_attacker_is_asked_then_the_others_clockwise_from_it() -> None:
    match = table([PLAIN] * 5, on_turn=1)
    play(match, "1: attack 3 with gossip", "3: play facts")
    asked = []
    while truth(match).attacked == 3:
        asked.append(match.to_act)
        match.play("pass")
    assert asked == [1, 2, 4, 0]


def test_SF_19_after_every_card_the_asking_starts_again() -> None:
    helper = {"weasel": 1, "facts": 1, "gossip": 1}
    match = table([PLAIN, PLAIN, PLAIN, helper])
    play(match, "0: attack 1 with gossip", "1: pass", "2: pass", "3: weasel + facts", "0: pass")
    play(match, "2: pass", "3: pass")
    assert truth(match).marks[1] == [0, 0]


def test_SF_19_an_empty_hand_is_not_asked_but_a_hand_without_weasel_is() -> None:
    match = table([PLAIN, PLAIN, {}, {"trap": 1}])
    play(match, "0: attack 1 with gossip", "1: pass")
    assert match.to_act == 3
    assert offered(match) == ["pass"]


def test_SF_19_an_empty_hand_is_asked_for_a_character_that_may_fit_by_open_knowledge() -> None:
    for role in range(4):  # unseen: whatever it is, it may fit
        match = table([PLAIN, {}, PLAIN], roles=[SCHEMER, role, SCHEMER])
        play(match, "0: attack 1 with gossip")
        assert (match.to_act, truth(match).phase) == (1, DEFEND)
    for role, asked in ((GOSSIP_FOX, 1), (SCHEMER, 2)):  # face up: it fits or not
        match = table([PLAIN, {}, PLAIN], roles=[MASTER_OF_TRAPS, role, MASTER_OF_TRAPS])
        rearrange(match, lambda known: known.shown.__setitem__(1, 1))
        play(match, "0: attack 1 with gossip")
        assert match.to_act == asked


def test_SF_19_a_character_cannot_fit_when_all_that_would_are_face_up_elsewhere() -> None:
    match = table([PLAIN, {}, PLAIN, PLAIN, PLAIN, PLAIN], roles=[0, 1, 0, 3, 3, 2])
    rearrange(match, lambda known: vars(known).update(shown=[1, 0, 1, 1, 1, 0, 0, 0]))
    play(match, "0: attack 1 with gossip")
    assert match.to_act == 2


def test_SF_19_an_attacker_without_cards_or_character_is_not_asked() -> None:
    match = table([{"gossip": 1}, PLAIN, PLAIN], roles=[MASTER_OF_TRAPS] * 3)
    rearrange(match, lambda known: known.shown.__setitem__(0, 1))
    play(match, "0: attack 1 with gossip", "1: play facts")
    assert match.to_act == 2


def test_SF_20_success_leaves_a_mark_and_costs_a_life() -> None:
    match = table([PLAIN, PLAIN, PLAIN])
    play(match, "0: attack 1 with gossip", "1: pass", "2: pass")
    assert truth(match).marks[1] == [1, 0]
    assert match.scores == (3, 2, 3)


def test_SF_21_played_cards_are_discarded_and_characters_stay() -> None:
    helper = {"weasel": 1, "caution": 1, "gossip": 2}
    match = table([PLAIN, PLAIN, helper], roles=[MASTER_OF_TRAPS, SCHEMER, SCHEMER])
    play(match, "0: attack 1 with trap", "1: play caution", "0: play character", "1: pass")
    assert pile(match) == {}
    play(match, "2: weasel + caution", "0: pass", "2: pass")
    assert pile(match) == {"trap": 1, "caution": 2, "weasel": 1}
    assert truth(match).role[0] == MASTER_OF_TRAPS
    assert truth(match).discards == [2, 2]
    assert truth(match).played == [[0] * 12] * 8


# Interfering


def test_SF_22_a_weasel_goes_with_one_fitting_card() -> None:
    cards = {"weasel": 2, "facts": 1, "caution": 1, "universal-defence": 1, "gossip": 1}
    match = table([PLAIN, PLAIN, cards], roles=[0, 1, GOSSIP_FOX])
    play(match, "0: attack 1 with gossip", "1: pass")
    assert offered(match) == ["pass", "weasel + facts", "weasel + universal-defence"]
    for move in ("weasel + caution", "play facts", "play character", "weasel + weasel"):
        expected = "SF-19" if move == "weasel + weasel" else "SF-22"
        assert refused(match, move) == expected
    play(match, "2: weasel + facts")
    assert (truth(match).attacks, truth(match).defences) == (1, 1)  # the weasel does not count
    assert hand(match, 2) == {"weasel": 1, "caution": 1, "universal-defence": 1, "gossip": 1}


def test_SF_22_every_further_card_needs_a_further_weasel() -> None:
    match = table([{"gossip": 1}, PLAIN, {"weasel": 1, "gossip": 3}])
    play(match, "0: attack 1 with gossip", "1: play facts", "0: pass", "2: weasel + gossip")
    rearrange(match, lambda known: known.hand[1].__setitem__(6, 1))
    rearrange(match, lambda known: known.size.__setitem__(1, 4))
    play(match, "1: play facts", "0: pass")
    assert offered(match) == ["pass"]
    assert refused(match, "weasel + gossip") == "SF-22"


def test_SF_22_attacker_and_attacked_need_no_weasel() -> None:
    cards = {"weasel": 1, "gossip": 2, "facts": 2}
    match = table([cards, cards, PLAIN])
    play(match, "0: attack 1 with gossip")
    assert refused(match, "weasel + facts") == "SF-22"
    play(match, "1: play facts")
    assert refused(match, "weasel + gossip") == "SF-22"


def test_SF_23_sneaky_cards_need_no_weasel_and_take_none() -> None:
    cards = {"weasel": 1, "sneaky-attack": 1, "sneaky-defence": 1}
    match = table([PLAIN, PLAIN, cards], extension=True)
    play(match, "0: attack 1 with gossip", "1: pass", "0: pass")
    assert offered(match) == ["pass", "play sneaky-defence"]
    assert refused(match, "weasel + sneaky-defence") == "SF-23"
    play(match, "2: play sneaky-defence", "0: pass", "1: pass")
    assert offered(match) == ["pass", "play sneaky-attack"]
    play(match, "2: play sneaky-attack")
    assert hand(match, 2) == {"weasel": 1}
    assert truth(match).attacks == 2


def test_SF_24_an_eliminated_seat_with_cards_interferes() -> None:
    match = table([PLAIN, PLAIN, {"weasel": 1, "facts": 1}, PLAIN], marks={2: (1, 2)})
    play(match, "0: attack 1 with gossip", "1: pass", "2: weasel + facts")
    assert truth(match).defences == 1


# Extension cards


def test_SF_25_stop_it_ends_attack_and_turn_without_a_life_lost() -> None:
    match = table([PLAIN, {"stop-it": 1, "facts": 3}, PLAIN], extension=True)
    play(match, "0: attack 1 with trap", "1: play stop-it")
    assert match.to_act == 0
    assert offered(match) == ["pass"]
    play(match, "0: pass")
    known = truth(match)
    assert known.marks[1] == [0, 0]
    assert known.on_turn == 1
    assert pile(match) == {"trap": 1, "stop-it": 1}


def test_SF_25_enough_is_enough_undoes_stop_it_and_does_not_stop_interfering() -> None:
    fox = {"trap": 1, "enough": 1, "gossip": 3}
    match = table([fox, {"stop-it": 1, "facts": 3}, PLAIN], extension=True)
    play(match, "0: attack 1 with trap", "1: play stop-it", "0: play enough")
    known = truth(match)
    assert (known.attacks, known.defences, known.closed, known.to_act) == (1, 0, 0, 1)
    play(match, "1: pass", "0: pass", "2: pass")
    assert truth(match).marks[1] == [0, 1]


def test_SF_25_an_interfering_seat_plays_stop_it_with_a_weasel() -> None:
    cards = {"weasel": 1, "stop-it": 1, "gossip": 2}
    match = table([PLAIN, PLAIN, cards], extension=True)
    play(match, "0: attack 1 with trap", "1: pass", "0: pass")
    assert offered(match) == ["pass", "weasel + stop-it"]
    assert refused(match, "play stop-it") == "SF-22"
    play(match, "2: weasel + stop-it", "0: pass")
    assert truth(match).marks[1] == [0, 0]
    # Not for the attack.
    match = table([PLAIN, PLAIN, cards], extension=True)
    play(match, "0: attack 1 with trap", "1: play caution", "0: pass", "1: pass")
    assert refused(match, "weasel + stop-it") == "SF-25"


def test_SF_25_an_attacker_without_cards_is_not_asked_for_an_answer() -> None:
    match = table([{"trap": 1}, {"stop-it": 1, "facts": 3}, PLAIN], extension=True)
    play(match, "0: attack 1 with trap", "1: play stop-it")
    assert truth(match).attacked == -1
    assert truth(match).phase == REFILL


def test_SF_26_enough_is_enough_stops_all_interfering_for_the_turn() -> None:
    helper = {"weasel": 2, "gossip": 2, "caution": 1, "stop-it": 1}
    match = table([{"trap": 2, "enough": 1, "gossip": 3}, PLAIN, helper, helper], extension=True)
    play(match, "0: attack 1 with trap", "1: pass")
    assert (match.to_act, offered(match)) == (0, ["pass", "play enough"])
    play(match, "0: play enough", "1: play caution")
    assert refused(match, "play enough") == "SF-26"
    play(match, "0: play trap", "1: pass")
    assert truth(match).marks[1] == [0, 1]  # nobody else was asked


def test_SF_26_the_attacked_is_asked_before_the_attack_is_helped() -> None:
    match = table([PLAIN, {**PLAIN, "enough": 1}, PLAIN], extension=True)
    play(match, "0: attack 1 with trap", "1: play caution", "0: pass")
    assert (match.to_act, offered(match)) == (1, ["pass", "play enough"])
    play(match, "1: play enough", "0: pass")
    assert truth(match).on_turn == 1


def test_SF_26_attacker_and_attacked_may_play_it_when_asked() -> None:
    match = table([{**PLAIN, "enough": 1}, {**PLAIN, "enough": 1}, PLAIN], extension=True)
    play(match, "0: attack 1 with trap")
    assert "play enough" in offered(match)
    play(match, "1: play caution")
    assert "play enough" in offered(match)
    play(match, "0: play enough")
    assert truth(match).closed == 1
    assert match.to_act == 0


def test_SF_26_it_is_not_offered_where_nobody_could_interfere() -> None:
    cards = {**PLAIN, "enough": 1}
    match = table([cards, cards, {}], extension=True)
    play(match, "0: attack 1 with trap")
    assert refused(match, "play enough") == "SF-26"
    play(match, "1: pass")
    assert truth(match).marks[1] == [0, 1]  # the attacker was not asked either


# Losing lives


def test_SF_27_three_marks_not_all_alike_eliminate() -> None:
    match = table([PLAIN, PLAIN, PLAIN], marks={1: (1, 1)})
    play(match, "0: attack 1 with trap", "1: pass", "2: pass")
    known = truth(match)
    assert known.marks[1] == [1, 2]
    assert known.alive == 2
    assert match.scores == (3, 0, 3)


def test_SF_28_a_hand_with_a_weasel_is_kept_and_another_discarded() -> None:
    kept = {"weasel": 1, "facts": 2}
    match = table([PLAIN, kept, PLAIN, PLAIN], marks={1: (1, 1)})
    play(match, "0: attack 1 with trap", "1: pass", "2: pass", "3: pass")
    assert hand(match, 1) == kept
    assert truth(match).keeps[1] == 1
    assert truth(match).shown[1] == 1
    match = table([PLAIN, {"gossip": 1, "facts": 2}, PLAIN, PLAIN], marks={1: (1, 1)})
    play(match, "0: attack 1 with trap", "1: pass", "2: pass", "3: pass")
    assert hand(match, 1) == {}
    assert pile(match) == {"trap": 1, "gossip": 1, "facts": 2}


@pytest.mark.parametrize("card", ["sneaky-attack", "sneaky-defence"])
def test_SF_28_a_sneaky_card_keeps_the_hand_too(card: str) -> None:
    match = table([PLAIN, {card: 1, "gossip": 1}, PLAIN, PLAIN], marks={1: (1, 1)}, extension=True)
    play(match, "0: attack 1 with trap", "1: pass", "0: pass", "2: pass", "3: pass")
    assert hand(match, 1) == {"gossip": 1, card: 1}


def test_SF_28_it_is_checked_again_at_the_end_of_each_turn() -> None:
    match = table([PLAIN, PLAIN, {"weasel": 1, "facts": 1, "trap": 2}, PLAIN], marks={2: (1, 2)})
    play(match, "0: attack 1 with gossip", "1: pass", "2: weasel + facts", "0: pass", "2: pass")
    assert hand(match, 2) == {"trap": 2}  # still in hand during the attack
    play(match, "3: pass")
    assert hand(match, 2) == {}
    assert pile(match)["trap"] == 2
    assert truth(match).size[2] == 0  # and it never draws


def test_SF_28_a_hand_is_sure_to_hold_such_a_card_only_until_one_is_played() -> None:
    cards = {"sneaky-defence": 2, "trap": 1}
    match = table([PLAIN, PLAIN, cards, PLAIN], marks={2: (1, 2)}, extension=True)
    rearrange(match, lambda known: known.keeps.__setitem__(2, 1))
    play(match, "0: attack 1 with gossip", "1: pass", "0: pass", "2: play sneaky-defence")
    assert truth(match).keeps[2] == 0  # the others cannot tell whether there is another
    play(match, "0: pass", "1: pass", "2: pass", "3: pass")
    assert truth(match).keeps[2] == 1


def test_SF_29_the_end_is_tested_before_anybody_draws_up() -> None:
    match = table(
        [{"trap": 1}, PLAIN, PLAIN], marks={1: (1, 1)}, ending="first_victim", roles=[0, 1, 2]
    )
    play(match, "0: attack 1 with trap", "1: pass", "2: pass")
    assert match.is_over
    assert truth(match).size[0] == 0
    assert pile(match)["trap"] == 2  # played cards and the victim's hand are discarded


def test_SF_29_the_limits_of_two_seats_hold_as_soon_as_two_are_left() -> None:
    big = {"gossip": 4, "facts": 4}
    match = table([{"trap": 1, "gossip": 2}, PLAIN, big], marks={1: (1, 1)})
    play(match, "0: attack 1 with trap", "1: pass", "2: pass")
    known = truth(match)
    assert known.size[0] == 2  # enough with two left
    assert (known.phase, known.to_act) == (DISCARD, 2)


# The open moment


def test_SF_30_everybody_still_in_is_asked_once_from_the_seat_on_turn() -> None:
    match = table([PLAIN, PLAIN, {"weasel": 1}, PLAIN], on_turn=3, marks={2: (1, 2)})
    play(match, "3: draw attack")
    asked = []
    while truth(match).phase == OPEN:
        asked.append(match.to_act)
        match.play("ready")
    assert asked == [0, 1, 3]
    assert refused(match, "ready") == "SF-30"
    assert refused(match, "challenge 1") == "SF-30"


def test_SF_30_a_seat_may_do_several_things_before_it_is_ready() -> None:
    cards = {"gossip": 4, "dont-care": 1}
    match = table([cards, PLAIN, PLAIN], phase=OPEN, discards={"trap": 1, "universal-attack": 1})
    play(match, "0: don't care", "0: trade gossip for trap", "0: trade gossip for universal-attack")
    play(match, "0: ready", "1: ready", "2: ready")
    assert truth(match).phase == ACT
    assert hand(match, 0) == {"trap": 1, "universal-attack": 1}


def test_SF_30_a_seat_that_can_do_nothing_by_open_knowledge_is_not_asked() -> None:
    marks = {2: (1, 2)}
    match = table([PLAIN, {}, {}], phase=OPEN, marks=marks)  # two left: nobody to challenge
    play(match, "0: ready")
    assert truth(match).phase == ACT
    match = table([PLAIN, {}, PLAIN], phase=OPEN)
    play(match, "0: ready")
    assert offered(match) == ["ready", "challenge 0", "challenge 2"]
    play(match, "1: challenge 0", "1: challenge 2")
    assert match.to_act == 2  # no cards, nobody left to challenge


def test_SF_30_eliminated_seats_are_not_challenged() -> None:
    match = table([PLAIN, PLAIN, {"weasel": 1}, PLAIN], phase=OPEN, marks={2: (2, 1)})
    assert refused(match, "challenge 2") == "SF-30"


def test_SF_31_nobody_can_attack_a_seat_that_does_not_care() -> None:
    match = table([PLAIN, {"dont-care": 2, "facts": 1}, PLAIN], phase=OPEN)
    play(match, "0: ready", "1: don't care")
    assert refused(match, "don't care") == "SF-31"  # never with one already there
    play(match, "1: ready", "2: ready")
    assert refused(match, "attack 1 with gossip") == "SF-14"
    assert refused(match, "don't care") == "SF-30"
    assert refused(match, "attack 2 with gossip") is None


def test_SF_31_not_twice_running() -> None:
    match = table([PLAIN, {"dont-care": 2, "facts": 2}, PLAIN], shields=[1])
    play(match, "0: draw attack")  # the protection of seat 1 ends
    assert match.to_act == 1
    assert refused(match, "don't care") == "SF-31"
    all_ready(match)
    play(match, "1: draw attack", "2: ready", "0: ready")
    assert refused(match, "don't care") == "SF-31"
    all_ready(match)
    play(match, "2: draw attack")
    all_ready(match)
    play(match, "0: draw attack")
    assert match.to_act == 1  # its next turn has begun
    assert "don't care" in offered(match)


def test_SF_31_not_during_an_attack() -> None:
    match = table([PLAIN, {"dont-care": 1, "facts": 1}, PLAIN])
    play(match, "0: attack 1 with gossip")
    assert refused(match, "don't care") == "SF-31"
    assert refused(match, "play dont-care") == "SF-31"


def test_SF_32_a_trade_gives_two_alike_for_one_of_the_same_deck() -> None:
    cards = {"gossip": 2, "trap": 1, "facts": 3}
    match = table([cards, PLAIN, PLAIN], phase=OPEN, discards={"weasel": 1, "caution": 1})
    trades = [move for move in offered(match) if move.startswith("trade")]
    assert trades == ["trade gossip for weasel", "trade facts for caution"]
    for move in ("trade gossip for caution", "trade trap for weasel", "trade facts for facts"):
        assert refused(match, move) == "SF-32"  # the own two are not there before the trade
    play(match, "0: trade gossip for weasel")
    assert hand(match, 0) == {"trap": 1, "weasel": 1, "facts": 3}
    assert pile(match) == {"gossip": 2, "caution": 1}
    match = table([PLAIN, PLAIN, PLAIN])
    play(match, "0: attack 1 with gossip")
    assert refused(match, "trade gossip for trap") == "SF-32"


def test_SF_33_a_challenge_is_for_the_open_moment() -> None:
    match = table([PLAIN, PLAIN, PLAIN])
    assert refused(match, "challenge 1") == "SF-30"
    play(match, "0: attack 1 with gossip")
    assert refused(match, "challenge 0") == "SF-33"


def test_SF_33_the_character_does_not_count_among_the_cards() -> None:
    match = table([PLAIN, {"gossip": 5, "facts": 4}, PLAIN], phase=OPEN)
    play(match, "0: challenge 1")  # 9 cards and a character
    assert truth(match).size[:2] == [4, 9]


def test_SF_33_every_card_of_the_hand_can_be_the_one_that_is_lost() -> None:
    lost = set()
    for seed in range(40):
        match = table([PLAIN, PLAIN, PLAIN], phase=OPEN)
        rng = truth(match).rng - 7919 * seed
        match.replace_truth(partial(write_field, i=0, field="rng", value=rng))
        play(match, "0: challenge 1")
        lost |= set(PLAIN) - set(hand(match, 0))
    assert lost == set(PLAIN)


def test_SF_34_each_seat_is_challenged_once_by_a_seat_in_an_open_moment() -> None:
    match = table([PLAIN, PLAIN, PLAIN], phase=OPEN)
    play(match, "0: challenge 1")
    assert refused(match, "challenge 1") == "SF-34"
    assert refused(match, "challenge 2") is None
    play(match, "0: ready")
    assert refused(match, "challenge 0") is None  # another seat has its own challenges
    assert refused(match, "challenge 1") == "SF-33"
    all_ready(match)
    play(match, "0: draw attack", "1: ready", "2: ready")
    assert refused(match, "challenge 1") is None  # a new open moment


def test_SF_34_a_challenger_without_cards_loses_nothing() -> None:
    match = table([{}, PLAIN, PLAIN], phase=OPEN)
    play(match, "0: challenge 1")
    assert truth(match).size[:2] == [0, 4]


def test_SF_34_a_challenger_with_one_card_loses_it() -> None:
    match = table([{"trap": 1}, PLAIN, PLAIN], phase=OPEN)
    play(match, "0: challenge 1")
    assert truth(match).size[:2] == [0, 5]


def test_SF_35_drawing_beyond_nine_is_allowed() -> None:
    match = table([{"gossip": 5, "facts": 5}, PLAIN, PLAIN])
    play(match, "0: draw attack")
    assert truth(match).size[0] == 11
    assert truth(match).phase == OPEN


def test_SF_36_hand_sizes_are_always_in_the_view() -> None:
    for shown in (False, True):
        match = table([PLAIN, {"gossip": 2}, {}], show_hand_sizes=shown)
        view = match.view(None)
        assert [place["hand_size"] for place in view["table"]["seats"]] == [4, 2, 0]
        assert view["options"]["show_hand_sizes"] is shown


# Two seats left


def test_SF_37_six_cards_at_most_and_two_at_least() -> None:
    marks = {2: (1, 2)}
    match = table([{"gossip": 3, "facts": 3}, {"trap": 1}, {}], marks=marks)
    play(match, "0: draw attack")
    assert (truth(match).phase, match.to_act) == (DISCARD, 0)
    assert refused(match, "discard caution") == "SF-37"
    assert refused(match, "draw attack") == "SF-37"
    play(match, "0: discard facts")
    assert pile(match) == {"facts": 1}
    assert (truth(match).phase, match.to_act) == (REFILL, 1)
    assert refused(match, "ready") == "SF-11"
    play(match, "1: draw attack")
    assert truth(match).size[:2] == [6, 2]


def test_SF_37_no_characters_and_no_challenges() -> None:
    marks = {2: (1, 2)}
    match = table([PLAIN, PLAIN, {}], marks=marks, phase=OPEN)
    assert refused(match, "challenge 1") == "SF-37"
    all_ready(match)
    play(match, "0: attack 1 with gossip")
    assert refused(match, "play character") == "SF-37"
    match = table([{"gossip": 1}, {}, {}], marks=marks)
    play(match, "0: attack 1 with gossip")  # nobody can answer: no cards, no characters
    assert truth(match).marks[1] == [1, 0]


# How it ends


def test_SF_40_the_last_survivor_wins() -> None:
    match = table([{"gossip": 1}, {}, {}], marks={1: (1, 1), 2: (1, 2)})
    play(match, "0: attack 1 with gossip")
    assert match.is_over
    assert match.winners == (0,)


def test_SF_40_three_seats_go_on_after_the_first_victim() -> None:
    match = table([PLAIN, PLAIN, PLAIN], marks={1: (1, 1)})
    play(match, "0: attack 1 with gossip", "1: pass", "2: pass")
    assert not match.is_over


def first_victim(hands: list[dict[str, int]], marks: dict[int, tuple[int, int]]) -> foxden.Match:
    """Seat 0 eliminates seat 1 at a table that plays to the first victim."""
    match = table(hands, marks=marks, ending="first_victim")
    play(match, "0: attack 1 with gossip")
    while not match.is_over:
        match.play("pass")
    return match


def test_SF_41_the_first_victim_ends_it_and_most_lives_win() -> None:
    match = first_victim([{"gossip": 4}, {}, {"trap": 1}], {0: (0, 1), 1: (1, 1)})
    assert match.winners == (2,)


def test_SF_41_a_tie_is_broken_by_cards_counted_at_once() -> None:
    match = first_victim([{"gossip": 1}, {}, {"trap": 1}, {"trap": 2}], {1: (1, 1)})
    assert match.winners == (3,)


def test_SF_41_those_still_tied_win_together() -> None:
    match = first_victim([{"gossip": 3}, {}, {"trap": 1}, {"trap": 2}], {1: (1, 1)})
    assert match.winners == (0, 3)


def test_SF_42_thirty_quiet_turns_a_seat_end_the_match() -> None:
    match = table([PLAIN, {**PLAIN, "trap": 2}, PLAIN], quiet=88)
    play(match, "0: draw attack")
    assert not match.is_over
    all_ready(match)
    play(match, "1: draw attack")
    assert match.is_over
    assert match.winners == (1,)


def test_SF_42_a_lost_life_starts_the_count_again() -> None:
    match = table([PLAIN, PLAIN, PLAIN], quiet=89)
    play(match, "0: attack 1 with gossip", "1: pass", "2: pass")
    assert not match.is_over
    assert truth(match).quiet == 0


def test_SF_42_cards_count_after_drawing_up_and_only_seats_still_in() -> None:
    match = table([{}, {"trap": 2}, {"weasel": 9}], marks={2: (1, 2)}, quiet=89)
    play(match, "0: draw attack", "0: draw attack")
    assert match.is_over
    assert match.winners == (0, 1)


def test_SF_42_teams_compare_sums_of_lives_then_cards() -> None:
    roles = [GOSSIP_FOX, MASTER_OF_TRAPS, SCHEMER, INVENTIVE_FOX]
    match = table([PLAIN] * 4, roles=roles, quiet=119, teams=True, marks={1: (1, 0)})
    play(match, "0: draw attack")
    assert match.winners == (0, 2)
    match = table([PLAIN] * 4, roles=roles, quiet=119, teams=True)
    play(match, "0: draw attack")
    assert match.winners == (0, 2)  # by the card just drawn
    match = table([{"trap": 3}, PLAIN, PLAIN, PLAIN], roles=roles, quiet=119, teams=True)
    play(match, "0: draw attack")
    assert match.winners == (0, 1, 2, 3)


def test_SF_42_cards_kept_by_eliminated_seats_do_not_count_for_their_team() -> None:
    roles = [GOSSIP_FOX, MASTER_OF_TRAPS, SCHEMER, INVENTIVE_FOX]
    hands = [PLAIN, {"trap": 3}, {"weasel": 5}, {}]
    marks = {0: (0, 0), 1: (0, 0), 2: (1, 2), 3: (1, 2)}
    match = table(hands, roles=roles, quiet=118, teams=True, marks=marks, on_turn=1)
    play(match, "1: draw attack")
    all_ready(match)
    play(match, "0: draw attack")
    assert match.winners == (0, 2)
    match = table(hands, roles=roles, quiet=119, teams=True, marks=marks, on_turn=1)
    play(match, "1: draw attack")
    assert match.winners == (0, 1, 2, 3)  # 4 cards each


def test_SF_42_bounds_a_match_in_which_everybody_does_all_there_is_to_do() -> None:
    for seats in (2, 3, 4):
        match = foxden.new("slyest-fox", seats=seats, seed=7)
        bound = match.game.longest(truth(match))
        dice = random.Random(seats)
        while not match.is_over:
            busy = [action for action in match.legal() if str(action) not in ("ready", "pass")]
            calm = [action for action in busy if not str(action).startswith("attack")]
            match.play(dice.choice(calm or busy or match.legal()))
            assert match.ply < bound
        assert truth(match).quiet == 30 * seats or min(match.scores) == 0


# Teams


def test_SF_45_two_equal_teams_for_4_6_or_8_seats() -> None:
    for seats in (4, 6, 8):
        seen = set()
        for seed in range(30):
            roles = dealt(seats, seed, teams=True, extension=True).role[:seats]
            assert sum(role < 2 for role in roles) == seats // 2
            assert all(roles.count(role) <= 2 for role in range(4))
            seen.add(tuple(role // 2 for role in roles))
        assert len(seen) > 4  # the teams sit in many ways
    for seats in (2, 3, 5, 7):
        options = {"teams": True, "extension": seats == 7}
        with pytest.raises(BadOption, match="SF-45"):
            foxden.new("slyest-fox", seats=seats, seed=1, options=options)


def test_SF_46_with_teams_all_characters_are_known() -> None:
    for seats in (4, 6):
        match = foxden.new("slyest-fox", seats=seats, seed=3, options={"teams": True})
        for viewer in (None, 0):
            places = match.view(viewer)["table"]["seats"]
            assert all(place["character"] and place["team"] for place in places)
    secret = foxden.new("slyest-fox", seats=4, seed=3).view(0)["table"]["seats"]
    assert [place["character"] is not None for place in secret] == [True, False, False, False]


TEAMS = [GOSSIP_FOX, MASTER_OF_TRAPS, SCHEMER, INVENTIVE_FOX]


def test_SF_47_ones_own_team_is_not_attacked() -> None:
    match = table([PLAIN] * 4, roles=TEAMS, teams=True)
    assert refused(match, "attack 2 with gossip") == "SF-47"
    assert refused(match, "attack 1 with gossip") is None


def test_SF_47_a_team_wins_with_its_eliminated_members() -> None:
    marks = {1: (1, 1), 2: (1, 2), 3: (2, 1)}
    match = table([{"gossip": 1}, {}, {}, {}], roles=TEAMS, teams=True, marks=marks)
    play(match, "0: attack 1 with gossip")
    assert match.is_over
    assert match.winners == (0, 2)
    assert match.scores == (3, 0, 0, 0)


def test_SF_47_it_ends_when_one_team_is_out_however_many_the_other_has_left() -> None:
    marks = {1: (1, 1), 3: (2, 1)}
    match = table([{"gossip": 1}, {}, {}, {}], roles=TEAMS, teams=True, marks=marks)
    play(match, "0: attack 1 with gossip")
    assert match.is_over
    assert match.winners == (0, 2)
    assert match.scores == (3, 0, 3, 0)


def test_SF_47_interfering_for_either_side_is_free() -> None:
    cards = {"weasel": 2, "gossip": 1, "facts": 1}
    match = table([{"gossip": 1}, PLAIN, cards, cards], roles=TEAMS, teams=True)
    play(match, "0: attack 1 with gossip", "1: pass")
    assert "weasel + facts" in offered(match)  # against its own team
    play(match, "2: weasel + facts", "0: pass", "2: pass")
    assert "weasel + gossip" in offered(match)


def test_SF_47_the_ending_option_does_not_apply() -> None:
    options = {"teams": True, "ending": "first_victim"}
    with pytest.raises(BadOption, match="SF-47"):
        foxden.new("slyest-fox", seats=4, seed=1, options=options)


def test_SF_47_one_seat_of_each_team_left_is_two_seats_left() -> None:
    marks = {2: (1, 2), 3: (2, 1)}
    match = table([PLAIN, PLAIN, {}, {}], roles=TEAMS, teams=True, marks=marks)
    play(match, "0: attack 1 with gossip")
    assert refused(match, "play character") == "SF-37"


# Two players


def test_SF_48_two_seats_play_with_a_set_of_their_own() -> None:
    known = dealt(2)
    cards = {card: n for card, n in BASE.items() if card not in ("weasel", "dont-care")}
    assert all_cards(known) == cards | {"stop-it": 4, "enough": 4}
    assert known.size[:2] == [6, 6]
    with pytest.raises(BadOption, match="SF-48"):
        foxden.new("slyest-fox", seats=2, seed=1, options={"extension": True})


def test_SF_48_stop_it_and_its_answer_work_for_two() -> None:
    match = table([{"gossip": 2, "enough": 1}, {"stop-it": 1, "trap": 2}], roles=[0, 1])
    play(match, "0: attack 1 with gossip")
    assert refused(match, "play enough") == "SF-26"  # nobody could interfere
    play(match, "1: play stop-it", "0: play enough", "1: pass")
    assert truth(match).marks[1] == [1, 0]


def test_SF_48_limits_of_nine_and_three_characters_and_challenges_stay() -> None:
    match = table([{"gossip": 7, "facts": 3}, {"trap": 1, "facts": 1}], phase=OPEN, roles=[0, 1])
    play(match, "0: ready", "1: challenge 0")
    assert truth(match).size[:2] == [9, 3]
    play(match, "1: ready", "0: attack 1 with gossip")
    assert truth(match).phase == DEFEND
    play(match, "1: play facts", "0: play character", "1: pass")
    assert truth(match).phase == REFILL  # the least is three
    play(match, "1: draw attack")
    assert truth(match).size[1] == 3


# Hidden


def test_SF_50_hands_decks_and_unshown_characters_are_hidden() -> None:
    match = table([PLAIN, {"gossip": 2, "stop-it": 1}, PLAIN], extension=True)
    for viewer in (None, 0, 2):
        known = match.known(viewer)
        assert known.hand[1] == [0] * 12
        assert known.deck == [0] * 12
        assert known.role[1] == 4
        assert known.size[1] == 3
    assert match.known(1).hand[1][0] == 2
    assert match.known(1).role[1] == INVENTIVE_FOX


def test_SF_50_the_deck_of_a_drawn_card_and_a_traded_card_are_known_to_all() -> None:
    match = table([{"gossip": 2}, PLAIN, PLAIN], discards={"trap": 1}, phase=OPEN)
    play(match, "0: trade gossip for trap")
    all_ready(match)
    play(match, "0: draw defence", "0: draw attack")
    for viewer in (None, 1, 2):
        place = match.view(viewer)["table"]["seats"][0]
        assert place["known"] == {"cards": {"trap": 1}, "attack": 1, "defence": 1}


def test_SF_50_a_card_lost_to_a_challenge_is_seen_by_two() -> None:
    match = table([{"gossip": 1, "facts": 1}, PLAIN, PLAIN], phase=OPEN)
    play(match, "0: challenge 1")
    lost = ({"gossip", "facts"} - set(hand(match, 0))).pop()
    seen = {viewer: match.view(viewer)["table"]["seats"] for viewer in (None, 0, 1, 2)}
    assert seen[0][1]["known"]["cards"] == {lost: 1}
    # The taker knows that the other card is left, by its deck; others know nothing of either.
    left = "defence" if lost == "gossip" else "attack"
    assert seen[1][0]["known"][left] == 1
    for viewer in (None, 2):
        assert seen[viewer][0]["known"] == {"cards": {}, "attack": 0, "defence": 0}
        assert seen[viewer][1]["known"] == {"cards": {}, "attack": 2, "defence": 2}


# Laws and examples


def test_SF_51_cards_and_marks_are_conserved_in_greedy_play() -> None:
    from foxden.bots import ask, find_bot

    bot = find_bot("greedy")
    for seats, options in ((3, {}), (4, {"extension": True}), (6, {"teams": True})):
        match = foxden.new("slyest-fox", seats=seats, seed=9, options=options)
        whole = TRUTH.conserved(truth(match))
        while not match.is_over:
            match.play(ask(bot, match, seed=1))
            assert TRUTH.conserved(truth(match)) == whole
            known = truth(match)
            lives = [3 - sum(known.marks[p]) for p in range(seats)]
            assert list(match.scores) == lives
            assert max(max(marks) for marks in known.marks) <= 2


TEN_STEPS = (
    "0: attack 1 with gossip",
    "1: play facts",
    "0: play character",
    "1: play character",
    "0: play universal-attack",
    "1: play facts",
    "0: pass",
    "2: weasel + gossip",
    "1: play universal-defence",
    "0: pass",
    "2: weasel + universal-attack",
    "1: pass",
    "2: pass",
)


def test_SF_E1_the_ten_steps_of_the_book() -> None:
    match = table(
        [
            {"gossip": 1, "universal-attack": 1, "trap": 1, "caution": 3},
            {"facts": 2, "universal-defence": 1, "trap": 3},
            {"weasel": 2, "gossip": 1, "universal-attack": 1, "facts": 3},
        ],
        roles=[GOSSIP_FOX, INVENTIVE_FOX, SCHEMER],
    )
    play(match, *TEN_STEPS[:-2])
    assert (truth(match).attacks, truth(match).defences) == (5, 4)
    play(match, *TEN_STEPS[-2:])
    assert truth(match).marks[1] == [1, 0]
    assert truth(match).shown[:3] == [1, 1, 0]
    assert match.scores == (3, 2, 3)


def test_SF_E2_two_gossips_close_the_way_for_gossip_alone() -> None:
    cards = {"gossip": 1, "trap": 1, "universal-attack": 1}
    for move in ("attack 1 with trap", "attack 1 with universal as trap"):
        match = table([cards, {}, PLAIN], marks={1: (2, 0)})
        assert refused(match, "attack 1 with gossip") == "SF-14"
        assert refused(match, "attack 1 with universal as gossip") == "SF-14"
        play(match, f"0: {move}", "1: pass", "2: pass")
        assert match.scores[1] == 0
        assert truth(match).alive == 2


@pytest.mark.parametrize(("size", "mine", "theirs"), [(11, 6, 9), (8, 3, 9), (9, 4, 9)])
def test_SF_E3_challenges_against_11_8_and_9_cards(size: int, mine: int, theirs: int) -> None:
    match = table([PLAIN, {"gossip": 6, "facts": size - 6}, PLAIN], phase=OPEN)
    play(match, "0: challenge 1")
    assert truth(match).size[:2] == [mine, theirs]


def test_SF_E4_trades_within_a_deck_are_fine_and_across_refused() -> None:
    cards = {"gossip": 2, "weasel": 2, "trap": 2}
    there = {"universal-attack": 1, "trap": 1, "dont-care": 1}
    match = table([cards, PLAIN, PLAIN], phase=OPEN, discards=there)
    assert refused(match, "trade trap for dont-care") == "SF-32"
    play(match, "0: trade gossip for universal-attack", "0: trade weasel for trap")
    assert hand(match, 0) == {"trap": 3, "universal-attack": 1}


def test_SF_E5_a_seat_with_one_card_draws_two() -> None:
    match = table([PLAIN, {"gossip": 1}, PLAIN])
    play(match, "0: draw attack", "1: draw defence", "1: draw defence")
    assert truth(match).size[1] == 3
    assert truth(match).phase == OPEN


def test_SF_19_helpers_are_asked_in_phase_help_whatever_they_hold() -> None:
    match = table([PLAIN, PLAIN, {"gossip": 1}, {"weasel": 1, "facts": 1}])
    play(match, "0: attack 1 with gossip", "1: pass")
    asked = []
    while truth(match).phase == HELP:
        asked.append(match.to_act)
        match.play("pass")
    assert asked == [2, 3]


def test_the_match_is_over_for_everybody_at_the_end() -> None:
    match = table([{"gossip": 1}, {}], marks={1: (1, 1)}, roles=[0, 1])
    rearrange(match, lambda known: known.shown.__setitem__(1, 1))
    play(match, "0: attack 1 with gossip")
    assert truth(match).phase == OVER
    assert match.to_act is None
    assert match.winners == (0,)
