"""The Slyest Fox in words: what people read."""

import random
from io import StringIO

import pytest
from rich.console import Console

import foxden
from foxden.engine.errors import BadParts, IllegalAction
from foxden.engine.voice import Voice
from foxden.games.slyest_fox.terminal import draw
from tests.games.positions import rearrange
from tests.games.slyest_fox.board import GOSSIP_FOX, OPEN, PLAIN, SCHEMER, play, table

NAMES = ("Mia", "Eli", "Tom", "Ann")


def told(match: foxden.Match, *moves: str, seat: int | None) -> list[str]:
    """Plays moves and tells the last one to a seat."""
    play(match, *moves[:-1])
    before = match.known(seat)
    notation = moves[-1].partition(": ")[2]
    play(match, moves[-1])
    voice = Voice(NAMES, -1 if seat is None else seat)
    action = int(match.game.action(notation))
    happened = match.game.view.events(before, action, match.known(seat), voice.viewer)
    return match.game.words.tell(happened, voice)


def test_a_draw_names_the_card_to_its_owner_alone() -> None:
    for seat in (0, 1, None):
        match = table([PLAIN, PLAIN, PLAIN], discards={"facts": 1}, empty_decks=True)
        says = told(match, "0: draw defence", seat=seat)
        if seat == 0:
            assert says == [
                "You draw a card from the defence deck, reshuffled from its discard pile.",
                "You draw facts.",
                "Eli's turn begins.",
            ]
        else:
            assert "facts" not in " ".join(says)
            assert says[0].startswith("Mia draws a card from the defence deck")


def test_a_challenge_tells_the_card_to_two_seats_alone() -> None:
    expected = {
        0: [
            "You challenge Eli, who holds 4 cards, and lose a card.",
            "You lose a trap.",
        ],
        1: [
            "Mia challenges you, who hold 4 cards, and loses a card.",
            "You take a trap.",
        ],
        2: ["Mia challenges Eli, who holds 4 cards, and loses a card."],
    }
    for seat, says in expected.items():
        match = table([{"trap": 1}, PLAIN, PLAIN], phase=OPEN)
        assert told(match, "0: challenge 1", seat=seat) == says
    match = table([PLAIN, {"gossip": 11}, PLAIN], phase=OPEN)
    assert told(match, "0: challenge 1", seat=0) == [
        "You challenge Eli, who holds 11 cards, and take 2 of them.",
        "You take 2 × gossip.",
    ]
    match = table([PLAIN, {"gossip": 9}, PLAIN], phase=OPEN)
    assert told(match, "0: challenge 1", seat=2) == [
        "Mia challenges Eli, who holds 9 cards: nothing happens."
    ]
    match = table([{}, PLAIN, PLAIN], phase=OPEN)
    assert told(match, "0: challenge 1", seat=2) == [
        "Mia challenges Eli, who holds 4 cards, but has no card to lose."
    ]


def test_an_attack_is_told_to_its_end() -> None:
    match = table([PLAIN, PLAIN, PLAIN], roles=[GOSSIP_FOX, GOSSIP_FOX, SCHEMER])
    assert told(match, "0: attack 1 with gossip", seat=1) == ["Mia attacks you with gossip."]
    assert told(match, "1: play character", seat=2) == ["Eli turns up the gossip fox as facts."]
    assert told(match, "0: play character", seat=0) == ["You turn up your gossip fox as gossip."]
    assert told(match, "1: pass", seat=1) == ["You pass."]
    assert told(match, "2: pass", seat=1) == [
        "Tom passes.",
        "The attack succeeds: you are gossiped, with 2 lives left.",
        "Your turn begins.",
    ]


def test_elimination_tells_character_hand_and_what_changes() -> None:
    match = table([PLAIN, {"weasel": 1, "facts": 1}, PLAIN], marks={1: (1, 1)})
    says = told(match, "0: attack 1 with trap", "1: pass", "2: pass", seat=0)
    assert says == [
        "Tom passes.",
        "The attack succeeds: Eli is in a trap and out of the game.",
        "Eli was the inventive fox.",
        "Eli keeps 2 cards to interfere with.",
        "Two are left: 2 to 6 cards, no characters, no challenges.",
        "Tom's turn begins.",
    ]
    match = table([PLAIN, {"facts": 2}, PLAIN, PLAIN], marks={1: (1, 1)})
    says = told(match, "0: attack 1 with trap", "1: pass", "2: pass", "3: pass", seat=1)
    assert says[1:4] == [
        "The attack succeeds: you are in a trap and out of the game.",
        "You were the inventive fox.",
        "You lay 2 cards on the discard piles.",
    ]


def test_a_kept_hand_that_goes_later_is_told() -> None:
    match = table([PLAIN, PLAIN, {"weasel": 1, "facts": 1, "trap": 2}, PLAIN], marks={2: (1, 2)})
    moves = ("0: attack 1 with gossip", "1: pass", "2: weasel + facts", "0: pass", "2: pass")
    says = told(match, *moves, "3: pass", seat=None)
    assert says[:3] == [
        "Ann passes.",
        "The attack fails.",
        "Tom lays 2 cards on the discard piles.",
    ]


def test_stop_it_and_its_answer_are_told() -> None:
    fox = {"trap": 1, "enough": 1, "gossip": 3}
    match = table([fox, {"stop-it": 2, "facts": 3}, PLAIN], extension=True)
    play(match, "0: attack 1 with trap")
    assert told(match, "1: play stop-it", seat=2) == ["Eli plays stop it."]
    assert told(match, "0: play enough", seat=1) == [
        "Mia plays enough is enough: your stop it is undone."
    ]
    play(match, "1: play stop-it")
    assert told(match, "0: pass", seat=2)[:2] == [
        "Mia passes.",
        "The attack is stopped; no life is lost.",
    ]


def test_protection_is_told_when_it_begins_and_ends() -> None:
    match = table([{"dont-care": 1}, PLAIN, PLAIN], phase=OPEN, shields=[1])
    assert told(match, "0: don't care", seat=1) == [
        "Mia plays I don't care: nobody can attack Mia until their next turn."
    ]
    play(match, "0: ready", "1: ready", "2: ready", "0: draw attack", "0: draw attack")
    assert (
        told(match, "0: draw attack", seat=2)[-1] == "Eli's turn begins, and the protection ends."
    )


def test_the_end_is_told_with_the_winners() -> None:
    match = table([{"gossip": 1}, {}, {}], marks={1: (1, 1), 2: (1, 2)})
    says = told(match, "0: attack 1 with gossip", seat=0)
    assert says[-1] == "The match is over. You win with 3 lives and 0 cards."
    match = table([PLAIN, PLAIN, PLAIN], quiet=89)
    says = told(match, "0: draw attack", seat=1)
    assert says[-1] == ("Nobody has lost a life for too long. Mia wins with 3 lives and 5 cards.")


def test_questions_speak_to_the_seat_asked_and_about_it_to_others() -> None:
    match = table([PLAIN, PLAIN, PLAIN])
    play(match, "0: attack 1 with gossip")
    words = match.game.words
    assert words.question(match.known(1), Voice(NAMES, 1)) == (
        "Defend against Mia's gossip, or pass? Attack 1, defence 0."
    )
    assert words.question(match.known(2), Voice(NAMES, 2)) == (
        "Waiting for Eli to defend against Mia's gossip (attack 1, defence 0)."
    )


def test_the_question_before_a_turn_offers_only_what_is_possible() -> None:
    for hand, asks in (
        ({"dont-care": 1, "gossip": 2}, "You may play I don't care, trade cards or challenge"),
        ({"dont-care": 1}, "You may play I don't care or challenge"),
        ({"facts": 1}, "You may challenge"),
    ):
        match = table(
            [PLAIN, hand, PLAIN], phase=OPEN, to_act=1, discards={"trap": 1, "caution": 1}
        )
        asked = match.game.words.question(match.known(1), Voice(NAMES, 1))
        assert asked == f"Anything before Mia's turn? {asks} someone. If not: Ready."
        watched = match.game.words.question(match.known(2), Voice(NAMES, 2))
        assert watched == "Waiting for Eli to be ready for Mia's turn."
    last = table([PLAIN, {"facts": 1}, {}], phase=OPEN, to_act=1, marks={2: (1, 2)})
    asked = last.game.words.question(last.known(1), Voice(NAMES, 1))
    assert asked == "Nothing to do before Mia's turn. Ready?"


def test_the_question_of_a_turn_offers_only_what_is_possible() -> None:
    for hand, empty, asks in (
        ({"gossip": 1}, False, "Draw a card or attack someone."),
        ({"facts": 1}, False, "Draw a card."),
        ({"gossip": 1}, True, "Attack someone."),
        ({"facts": 1}, True, "Pass."),
    ):
        match = table([hand, PLAIN, PLAIN], empty_decks=empty)
        assert match.game.words.question(match.known(0), Voice(NAMES, 0)) == asks


@pytest.mark.parametrize("options", [{}, {"teams": True, "extension": True}])
def test_questions_offer_what_the_rules_do(options: dict[str, bool]) -> None:
    offers = {"protect": "play I don't care", "trade": "trade cards"}
    offers |= {"challenge": "challenge someone", "draw": "raw a card", "attack": "ttack someone"}
    said = set()
    for seed in range(4):
        match = foxden.new("slyest-fox", seats=4, seed=seed, options=options)
        dice = random.Random(seed)
        while not match.is_over:
            view = match.view(match.to_act)
            if view["table"]["phase"] in ("open", "act"):
                kinds = {action["facts"]["kind"] for action in view["legal"]}
                asked = {kind for kind, words in offers.items() if words in view["question"]}
                assert asked == kinds - {"ready", "pass"}, view["question"]
                said |= asked
            match.play(dice.choice(match.legal()))
    assert said == set(offers)


def test_help_is_asked_for_by_name_with_the_balance() -> None:
    match = table([PLAIN, PLAIN, {"weasel": 1, "facts": 1}])
    play(match, "0: attack 1 with gossip", "1: pass")
    assert match.game.words.question(match.known(2), Voice(NAMES, 2)) == (
        "Help Eli? Attack 1, defence 0."
    )


def test_a_challenge_says_before_the_click_what_a_wrong_guess_costs() -> None:
    match = table([PLAIN, PLAIN, PLAIN], phase=OPEN)
    assert match.explain("challenge 1") == (
        "Challenge Seat 1: you take every card beyond 9, "
        "but lose one of yours if there are fewer than 9."
    )


def test_a_refusal_names_reason_and_rule() -> None:
    match = table([PLAIN, PLAIN, PLAIN], shields=[1])
    with pytest.raises(IllegalAction, match=r"is protected by I don't care \(SF-14\)") as caught:
        match.play("attack 1 with gossip")
    assert caught.value.rule == "SF-14"


def test_the_tally_adds_up_to_the_lives() -> None:
    match = table([{"gossip": 1}, {}, {}], marks={0: (1, 0), 1: (1, 1), 2: (1, 2)})
    play(match, "0: attack 1 with gossip")
    assert match.view(None)["tally"][0] == [["lives", 3], ["gossiped", -1], ["in a trap", 0]]
    assert match.view(None)["scores"] == [2, 0, 0]


def test_parts_that_cannot_be_played_are_refused() -> None:
    for parts in ({"cards.gossip": 17}, {"characters": 1}, {"cards.gossip": -1}):
        with pytest.raises(BadParts):
            foxden.new("slyest-fox", seats=3, seed=1, parts=parts)
    more = {f"cards.{name}": 16 for name in ("universal_attack", "weasel", "sneaky_attack")}
    with pytest.raises(BadParts, match="at most 64"):
        foxden.new("slyest-fox", seats=3, seed=1, parts=more)


def drawn(match: foxden.Match, seat: int | None) -> list[str]:
    """Draws the table in 80 columns."""
    out = StringIO()
    Console(file=out, width=80).print(draw(match.view(seat)))
    return out.getvalue().splitlines()


@pytest.mark.parametrize("options", [{}, {"extension": True, "show_hand_sizes": True}])
def test_the_terminal_draws_every_position_within_80_columns(options: dict[str, bool]) -> None:
    names = ["Mia", "Bartholomew the Extraordinary Fox", "Tom", "Ann", "Lou", "Kim"]
    match = foxden.new("slyest-fox", seats=6, seed=3, options=options, names=names)
    dice = random.Random(1)
    while not match.is_over:
        if match.ply % 7 == 0:
            for seat in (None, match.to_act):
                assert max(map(len, drawn(match, seat))) <= 80
        match.play(dice.choice(match.legal()))
    assert "out" in "".join(drawn(match, None))


def test_the_terminal_prints_hand_sizes_only_where_asked() -> None:
    plain = table([PLAIN, {"gossip": 7}, PLAIN])
    assert "cards" not in drawn(plain, None)[3]
    shown = table([PLAIN, {"gossip": 7}, PLAIN], show_hand_sizes=True)
    row = next(line for line in drawn(shown, None) if "Seat 1" in line)
    assert " 7" in row


def test_the_terminal_shows_no_hand_but_the_viewers_own() -> None:
    match = table([{"gossip": 1}, {"universal-defence": 1}, PLAIN])
    assert "universal-defence" not in "".join(drawn(match, 0))
    assert "universal-defence" in "".join(drawn(match, 1))
    rearrange(match, lambda known: known.known[1][0].__setitem__(8, 1))
    assert "has universal-defence" in "".join(drawn(match, None))
