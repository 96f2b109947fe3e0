"""Happy Fox in words: what people read."""

import pytest

import foxden
from foxden.engine import compiled
from foxden.engine.errors import BadParts
from foxden.engine.voice import Voice
from tests.games.happy_fox.test_rules import DOG, FOX_IN_HAND, GOOSE, table


def played(match: foxden.Match, *moves: str, seat: int | None) -> list[str]:
    """Plays on from an arranged position and tells the last move to a seat."""
    for move in moves[:-1]:
        match.play(move)
    before = match.known(seat)
    seer = -1 if seat is None else seat
    action = match.game.action(moves[-1])
    label = int(compiled.seen_of(match.truth(), 0, int(action), seer))
    match.play(action)
    voice = Voice(("Mia", "Eli", "Tom"), seer)
    happened = match.game.view.events(before, label, match.known(seat), voice.viewer)
    return match.game.words.tell(happened, voice)


def test_a_laid_card_is_named_to_its_owner_alone() -> None:
    for seat, says in ((0, "You lay a dog face down."), (1, "Mia lays a card face down.")):
        match = table([[], [], []], hands=[{DOG: 5}] * 3, turn=0)
        assert played(match, "lay dog", seat=seat)[0] == says


def test_a_draw_is_told_to_its_owner_alone() -> None:
    match = table([[], [], []], hands=[{DOG: 5}] * 3, turn=0, piles=[[GOOSE], [], []])
    assert played(match, "lay dog", seat=0)[1:] == ["You draw a goose."]
    match = table([[], [], []], hands=[{DOG: 5}] * 3, turn=0, piles=[[GOOSE], [], []])
    assert played(match, "lay dog", seat=2)[1:] == []


def test_a_grab_is_told_step_by_step() -> None:
    rows = [[], [GOOSE, GOOSE, DOG], [GOOSE, DOG]]
    assert played(table(rows, hands=FOX_IN_HAND), "fox", seat=2) == ["Mia sends out a fox."]
    match = table(rows, hands=FOX_IN_HAND)
    assert played(match, "fox", "turn 1", seat=1) == [
        "Mia turns over your card of turn 1: a goose."
    ]
    assert played(match, "turn 1", "turn 3", seat=None) == [
        "Mia turns over Eli's card of turn 3: a dog! The fox is caught by Eli.",
        "Saved: 1 goose for Eli and 1 goose for Tom.",
    ]


def test_stopping_and_running_out_are_told() -> None:
    match = table([[], [GOOSE, GOOSE], []], hands=FOX_IN_HAND, piles=[[], [], []])
    says = played(match, "fox", "turn 1", "stop", seat=0)
    assert says == ["You stop: 1 goose and the fox go to your win pile."]
    match = table([[], [GOOSE], []], hands=FOX_IN_HAND, piles=[[], [], []])
    says = played(match, "fox", "turn 1", seat=None)
    assert says == [
        "Mia turns over Eli's card of turn 1: a goose, and no card is left to turn; "
        "1 goose and the fox go to the win pile."
    ]
    match = table([[], [], []], hands=FOX_IN_HAND, piles=[[], [], []], turn=0)
    assert played(match, "fox", seat=1) == ["Mia sends out a fox, finds no prey, and keeps it."]


def test_the_end_is_told() -> None:
    match = table(
        [[GOOSE, DOG], [GOOSE]],
        hands=[{}, {GOOSE: 1}],
        piles=[[], []],
        to_act=1,
        turn=23,
        starter=0,
    )
    assert played(match, "lay goose", seat=0)[-2:] == [
        "The last card is played. Everyone adds their own row to their win pile.",
        "You and Eli win together with 2 cards.",
    ]


@pytest.mark.parametrize(
    ("move", "rule"),
    [("stop", "HF-5"), ("turn 2", "HF-7"), ("fox", "HF-5")],
)
def test_refusals_in_play_name_their_rule(move: str, rule: str) -> None:
    match = table([[], [GOOSE, GOOSE]], hands=[{GOOSE: 5}, {}])
    with pytest.raises(foxden.IllegalAction) as refusal:
        match.play(move)
    assert refusal.value.rule == rule
    assert str(refusal.value).endswith(f"({rule})")
    assert refusal.value.record.startswith("foxden record 2")


@pytest.mark.parametrize(
    ("move", "rule"), [("lay goose", "HF-10"), ("turn 1", "HF-11"), ("turn 9", "HF-8")]
)
def test_refusals_in_a_grab_name_their_rule(move: str, rule: str) -> None:
    match = table([[], [GOOSE, GOOSE]], hands=FOX_IN_HAND)
    match.play("fox")
    match.play("turn 1")
    with pytest.raises(foxden.IllegalAction) as refusal:
        match.play(move)
    assert refusal.value.rule == rule


def test_questions_speak_to_the_reader() -> None:
    match = table([[], [GOOSE, GOOSE]], hands=FOX_IN_HAND)
    match.names = ("Mia", "Eli")
    assert match.question(1) == "Waiting for Mia to play a card."
    assert match.question(0) == "Lay a goose face down, or send out a fox."
    match.play("fox")
    assert match.question(0) == "Turn over one of Eli's cards."
    assert match.question(1) == "Waiting for Mia to turn over one of your cards."
    match.play("turn 1")
    assert match.question(0) == "1 goose so far. Turn over one of Eli's cards, or stop and keep it."


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        ({"geese": 30}, "geese, foxes, dogs"),
        ({"hand_limit": 0}, "hand_limit"),
        ({"hens": 3}, "hens"),
        ({"dogs": "four"}, "dogs"),
        ({"unknown": 24}, "unknown"),
    ],
)
def test_broken_parts_are_refused_with_their_place(parts: dict[str, object], where: str) -> None:
    with pytest.raises(BadParts) as refusal:
        foxden.new("happy-fox", seats=2, parts=parts)
    assert refusal.value.where == where


def test_other_parts_are_played_and_recorded() -> None:
    match = foxden.new("happy-fox", seats=2, seed=1, parts={"geese": 10, "dogs": 0, "foxes": 2})
    while not match.is_over:
        match.play(match.legal()[-1])
    assert sum(match.scores) == 24
    assert "part: geese = 10" in match.record()
    again = foxden.Match.from_record(match.record())
    assert again.state_bytes() == match.state_bytes()
