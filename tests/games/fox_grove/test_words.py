"""Fox Grove in words, and in a terminal: what people read."""

import io
from typing import Any

import pytest
from rich.console import Console

import foxden
from foxden.bots import ask, find_bot
from foxden.engine import compiled
from foxden.engine.voice import Voice
from foxden.games.fox_grove.terminal import draw
from foxden.games.fox_grove.view import (
    AdvanceStarted,
    BerryTaken,
    BonusOffered,
    CardPlayed,
    Climb,
    LevelReached,
    OwlUsed,
    Payment,
    ResourcesKept,
    ResourcesTaken,
    RewardTaken,
    Stock,
    StopAdvancing,
    TrickCleared,
    TrickWon,
    Units,
)
from tests.games.fox_grove.tables import delivery, play, trick
from tests.games.fox_grove.truth import PRO, TABLES
from tests.games.positions import rearrange

NAMES = ("Mia", "Eli", "Tom", "Ann")


def happened(match: foxden.Match, *moves: str, seat: int | None = None) -> list[Any]:
    """Plays on from an arranged position and lists the events of the last move."""
    play(match, *moves[:-1])
    before = match.known(seat)
    seer = -1 if seat is None else seat
    action = match.game.action(moves[-1])
    label = int(compiled.seen_of(match.truth(), 0, int(action), seer))
    match.play(action)
    return match.game.view.events(before, label, match.known(seat), seer)


def told(match: foxden.Match, *moves: str, seat: int | None = None) -> list[str]:
    """Plays on from an arranged position and tells the last move to a seat."""
    voice = Voice(NAMES, -1 if seat is None else seat)
    return match.game.words.tell(happened(match, *moves, seat=seat), voice)


def question(match: foxden.Match, seat: int | None) -> str:
    seer = -1 if seat is None else seat
    return match.game.words.question(match.known(seat), Voice(NAMES, seer))


HANDS = ["blue 4, blue 5", "blue 8, purple 1", "yellow 2, orange 1", "purple 9, orange 2"]


def test_a_trick_is_told_card_by_card() -> None:
    match = trick(HANDS)
    assert told(match, "play blue 4") == ["Mia leads blue 4."]
    assert told(match, "play blue 8", seat=1) == ["You follow with blue 8."]
    assert told(match, "play yellow 2") == ["Tom trumps with yellow 2."]
    assert told(match, "play purple 9", seat=3) == [
        "You discard purple 9.",
        "You take purple 9's reward: 2 nuts.",
        "Tom wins the trick with yellow 2.",
    ]
    assert told(match, "take blue 8", seat=0) == ["Tom takes blue 8's reward: 3 wood."]


def test_owls_on_cards_are_told() -> None:
    match = trick(HANDS, awake=["double"])
    says = told(match, "play blue 4", "play blue 8", "play yellow 2", "play purple 9")
    assert says[1] == "Ann takes purple 9's reward."
    assert told(match, "double")[0] == "Ann uses double: 4 nuts."


def test_a_second_card_that_is_taken_unasked_is_told() -> None:
    match = trick(
        ["blue 8, blue 1", "blue 4, blue 2", "purple 1", "orange 1"],
        awake=["pick_two"],
        options={"owl_one": "pick_two", "owl_two": "double"},
    )
    play(match, "play blue 8", "play blue 4", "play purple 1", "play orange 1", "pick two")
    assert told(match, "take blue 8") == [
        "Mia takes blue 8's reward: 3 wood.",
        "Mia takes blue 4's reward: 3 wood.",
    ]


def test_a_second_card_is_told_when_the_first_is_through_and_berries_while_they_last() -> None:
    one_berry: dict[str, Any] = {"supply": [0, 0, 0, 0, 1], "in_supply": 1}
    match = trick(
        ["blue 12, blue 1", "blue 13, blue 2", "yellow 12", "purple 1"],
        awake=["pick_two"],
        options={"owl_one": "pick_two", "owl_two": "double"},
        **one_berry,
    )
    play(match, "play blue 12", "play blue 13", "play yellow 12", "play purple 1", "pick two")
    assert told(match, "take blue 12", seat=2) == ["You take blue 12's reward: a blackberry (4)."]
    assert told(match, "take yellow 12", seat=2) == [
        "You take yellow 12's reward, but no blackberry is left."
    ]


def test_the_only_card_of_a_trick_is_told_with_what_it_brings() -> None:
    hands = ["blue 13, blue 1", "purple 4, purple 1", "purple 3", "orange 9"]
    match = trick(hands, level=[[7, 7, 7]] * 4)
    play(match, "play blue 13", "play purple 4", "play purple 3")
    assert told(match, "play orange 9")[-2:] == [
        "Mia wins the trick with blue 13.",
        "Mia takes blue 13's reward, but cannot pay for an advance.",
    ]


def test_who_keeps_three_of_a_kind_is_told_though_another_is_asked() -> None:
    match = delivery([9, 0, 0], level=[7, 7, 7], seats=3, round=1)
    rearrange(match, lambda known: known.stock.__setitem__(1, [3, 3, 0]))
    rearrange(match, lambda known: known.level.__setitem__(1, [7, 7, 7]))
    says = told(match, "stop")
    assert match.view(None)["table"]["phase"] == "keep"
    assert "Mia keeps 3 wood." in says


def test_who_keeps_three_of_what_the_same_action_brought_is_told() -> None:
    """The last reward of a round, after which nobody can deliver."""
    hands = ["blue 8", "purple 13", "orange 13", "purple 12"]
    stock = [[2, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    match = trick(hands, level=[[7, 7, 7]] * 4, stock=stock)
    play(match, "play blue 8", "play purple 13", "play orange 13")
    events = happened(match, "play purple 12")
    assert ResourcesKept(0, Stock(3, 0, 0), Stock(2, 0, 0)) in events
    says = match.game.words.tell(events, Voice(NAMES, -1))
    assert says[2:5] == [
        "Mia wins the trick with blue 8.",
        "Mia takes blue 8's reward: 3 wood.",
        "Mia has the first player marker now.",
    ]
    assert "Mia keeps 3 wood." in says


def test_every_reward_is_an_event_of_its_own() -> None:
    match = trick(
        ["blue 8, blue 1", "blue 12, blue 2", "purple 1", "orange 13"],
        awake=["pick_two"],
        options={"owl_one": "pick_two", "owl_two": "double"},
        level=[[7, 7, 7]] * 4,
    )
    play(match, "play blue 8")
    assert happened(match, "play blue 12") == [CardPlayed(1, "blue 12", "follow")]
    assert happened(match, "play purple 1")[1:] == [
        RewardTaken(2, "purple 1", "resources"),
        ResourcesTaken(2, "purple 1", Units(0, 3, 0, 0)),
    ]
    assert happened(match, "play orange 13") == [
        CardPlayed(3, "orange 13", "discard"),
        RewardTaken(3, "orange 13", "no advance"),
        TrickWon(1, "blue 12"),
    ]
    assert happened(match, "pick two") == [OwlUsed(1, "pick two", asked=True)]
    assert happened(match, "take blue 12", seat=0) == [
        RewardTaken(1, "blue 12", "berry"),
        BerryTaken(1, None),
        RewardTaken(1, "blue 8", "resources"),
        ResourcesTaken(1, "blue 8", Units(3, 0, 0, 0)),
        TrickCleared([], 1),
    ]


def test_an_owl_that_is_used_unasked_is_an_event_when_it_falls_asleep() -> None:
    match = delivery([3, 0, 0], level=[1, 7, 7], awake=["discount"], berries=[1])
    assert happened(match, "climb tree") == [AdvanceStarted(0, "tree", 2)]
    assert happened(match, "discount")[0] == OwlUsed(0, "discount", asked=True)
    match = delivery([2, 0, 0], level=[1, 7, 7], awake=["discount"])
    assert happened(match, "climb tree") == [
        AdvanceStarted(0, "tree", 2),
        OwlUsed(0, "discount", asked=False),
        LevelReached(0, "tree", 2, Payment(2, 0, 0, 0, ["discount"]), bonus=True),
        BonusOffered(0),
    ]


@pytest.mark.parametrize(
    ("move", "facts"),
    [
        ("climb tree", Climb("tree", 1, Units(2, 0, 0, 0), 0, False, 1, None, 0, [])),
        (
            "climb leaf",
            Climb(
                *("leaf", 2, Units(0, 0, 2, 0), 0, True, 3),
                *(Payment(0, 0, 0, 1, ["discount"]), 0, []),
            ),
        ),
        ("stop", StopAdvancing(thirteen=False)),
    ],
)
def test_actions_carry_their_facts(move: str, facts: Any) -> None:
    match = delivery([2, 0, 0], level=[0, 7, 1], awake=["discount"], berries=[1])
    legal = {action.notation: action.facts for action in match.seat_view(0).view.legal}
    assert legal[move] == facts


@pytest.mark.parametrize(
    ("stock", "berries", "awake", "says"),
    [
        ([2, 0, 0], [], [], ""),
        ([5, 5, 5], [1], ["discount"], ""),
        ([1, 0, 0], [2], [], " You pay 1 wood and 1 blackberry."),
        ([1, 0, 0], [], ["discount"], " You pay 1 wood with discount."),
        ([0, 2, 0], [], ["switch"], " You pay 2 nuts with switch."),
        ([0, 1, 0], [1], ["switch"], " You pay 1 nut and 1 blackberry with switch."),
        ([0, 2, 0], [1, 1], ["switch"], " You are 2 short: use switch or blackberries."),
        ([1, 0, 0], [1], ["discount"], " You are 1 short: use discount or blackberries."),
    ],
)
def test_an_offer_to_advance_names_all_that_it_takes(
    stock: list[int], berries: list[int], awake: list[str], says: str
) -> None:
    options = {"owl_one": "discount", "owl_two": "switch"}
    match = delivery(stock, berries=berries, awake=awake, options=options)
    offer = "Advance to level 1 of the tree house for 2 wood."
    assert match.explain("climb tree") == offer + says


def test_an_offer_to_advance_names_a_berry_paid_for_any_kind() -> None:
    match = delivery([1, 0, 0], berries=[1], options={"tree_side": "b"})
    assert match.explain("climb tree").endswith(" You pay 1 wood and 1 blackberry.")


def test_a_berry_is_told_with_its_points_to_its_owner_alone() -> None:
    for seat, says in ((0, "You take blue 12's reward: a blackberry (4)."), (1, None)):
        only_fours: dict[str, Any] = {"supply": [0, 0, 0, 0, 4], "in_supply": 4}
        match = trick(["blue 12", "blue 2", "blue 3", "blue 4"], **only_fours)
        play(match, "play blue 12", "play blue 2", "play blue 3", "play blue 4")
        line = told(match, "take blue 12", seat=seat)[0]
        assert line == (says or "Mia takes blue 12's reward: a blackberry.")


def test_an_advance_is_told_with_all_that_was_paid() -> None:
    match = delivery([4, 0, 0], level=[0, 1, 0], awake=["discount"], berries=[3, 1])
    play(match, "climb tree", "discount")
    says = told(match, "pay 1 berry", seat=1)
    assert says == [
        "Mia chooses to pay 1 blackberry.",
        "Mia pays 1 blackberry with discount: level 1 of the tree house.",
    ]
    assert told(match, "climb tree", "pay 0 berries", seat=0) == [
        "You choose to pay 0 blackberries.",
        "You pay 3 wood: level 2 of the tree house.",
        "It is a bonus level.",
    ]
    assert told(match, "reactivate", seat=0) == ["You reactivate discount and double."]


def test_passing_is_told_to_giver_and_receiver() -> None:
    match = foxden.new("fox-grove", seats=3, seed=2, names=NAMES[:3])
    while not str(match.legal()[0]).startswith("play"):
        match.play(match.legal()[0])
    known = match.known(0)
    last = match.log(0)[-1]["says"]
    left, right = (match.game.words.notation(known.gave_left[2]), known.gave_right[1])
    assert last[-2] == "The cards change hands."
    assert left.removeprefix("pass ") in last[-1]
    assert match.game.words.notation(right).removeprefix("pass ") in last[-1]
    assert match.log(None)[-1]["says"][-1] == "The cards change hands."
    assert {entry["action"] for entry in match.log(None)} == {"pass card"}


def test_frank_is_told() -> None:
    match = trick(["blue 4, blue 1", "blue 8, purple 1"], pile="blue 13")
    assert told(match, "play blue 4") == ["Mia leads blue 4.", "Frank turns up blue 13."]
    assert told(match, "play blue 8")[-1] == (
        "Frank wins the trick with blue 13; nobody gets a reward."
    )


def test_seats_that_can_deliver_nothing_and_the_next_round_are_told() -> None:
    match = delivery([5, 0, 0], level=[7, 7, 7], seats=3)
    says = told(match, "stop", seat=1)
    assert says[:4] == [
        "Mia stops delivering.",
        "You cannot pay for an advance.",
        "Tom cannot pay for an advance.",
        "Mia keeps 3 wood.",
    ]
    assert says[4] == "Round 2 of 4 begins."
    assert says[5].startswith("You are dealt ")


def test_the_end_is_told() -> None:
    match = delivery(level=[2, 2, 2], seats=2, round=3)
    assert told(match, "stop", seat=0)[-3:] == [
        "The fourth round is over; blackberries are turned over.",
        "Points: you 18 and Eli 0.",
        "You win.",
    ]


@pytest.mark.parametrize(
    ("seat", "says"),
    [
        (0, "Advance in a house, or stop."),
        (1, "Waiting for Mia to advance in a house, or stop."),
    ],
)
def test_questions_are_put_to_the_one_asked(seat: int, says: str) -> None:
    assert question(delivery([4, 4, 4]), seat) == says


@pytest.mark.parametrize(
    ("move", "reason", "rule"),
    [
        ("play yellow 2", "you hold blue 8 and must follow blue", "FG-17"),
        ("play blue 13", "blue 13 is not in your hand", "FG-17"),
        ("climb tree", "the question is another one: play a card; blue was led", "FG-17"),
    ],
)
def test_refusals_in_a_trick(move: str, reason: str, rule: str) -> None:
    match = trick(["blue 4", "blue 8, yellow 2", "blue 1", "blue 2"])
    play(match, "play blue 4")
    assert match.why_not(move) == (reason, rule)


@pytest.mark.parametrize(
    ("moves", "move", "rule"),
    [
        ([], "climb mushroom", "FG-28"),
        (["climb tree"], "pay 3 berries", "FG-32"),
        (["climb tree"], "pay 0 berries", "FG-32"),
        (["climb tree", "pay 2 berries"], "new double", "FG-36"),
        (["climb tree", "pay 2 berries"], "reactivate switch", "FG-30"),
    ],
)
def test_refusals_in_a_delivery(moves: list[str], move: str, rule: str) -> None:
    match = delivery([2, 0, 0], level=[1, 2, 2], berries=[1, 1])
    play(match, *moves)
    assert match.why_not(move)[1] == rule


@pytest.mark.parametrize("options", [*TABLES, *PRO], ids=str)
def test_the_table_is_drawn_in_eighty_columns(options: Any) -> None:
    for seats in (2, 4):
        names = ["Maximiliane von und zu Bergen", "Eli", "Tom", "Ann"][:seats]
        match = foxden.new("fox-grove", seats=seats, seed=3, options=options, names=names)
        bot = find_bot("greedy")
        while not match.is_over:
            if match.ply % 29 == 0:
                for viewer in (None, match.to_act):
                    page = io.StringIO()
                    Console(file=page, width=100).print(draw(match.view(viewer)))
                    lines = page.getvalue().splitlines()
                    assert "Fox Grove" in lines[0]
                    own = [line for line in lines if line.startswith(("hand:", "passed:"))]
                    rest = [line.rstrip() for line in lines if line not in own]
                    drawn = [line for line in rest if "│" in line or "─" in line or "★" in line]
                    assert max(map(len, drawn)) <= 80
                    assert (viewer is None) == (not own)
            match.play(ask(bot, match, seed=1))
