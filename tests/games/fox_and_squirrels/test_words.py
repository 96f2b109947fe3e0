"""Fox & Squirrels speaks clearly: notation, questions, explanations, the log, refusals."""

import pytest

import foxden
from tests.games.fox_and_squirrels.setting import NAMES, legal, play, set_table

ACTIONS = 1091
JOKERS = {"foxes": "jokers"}


def told(match: foxden.Match, seat: int | None = None) -> list[str]:
    """Tells the last action of a match that was played, not arranged."""
    lines: list[str] = match.log(seat)[-1]["says"]
    return lines


def said(match: foxden.Match, action: str, seat: int | None = None) -> list[str]:
    """Plays an action on an arranged table and tells it to a seat."""
    before = match.known(seat)
    chosen = match.play(action)
    viewer = -1 if seat is None else seat
    happened = match.game.view.events(before, chosen.id, match.known(seat), viewer)
    return match.game.words.tell(happened, match.voice(seat))


def says(match: foxden.Match, action: str) -> str:
    return match.explain(action)


def test_notation_is_what_the_guide_shows() -> None:
    game = foxden.game("fox-and-squirrels")
    assert game.actions == ACTIONS
    for written in (
        "draw",
        "take",
        "plan",
        "set 9c 9h 9h",
        "run qs ks as",
        "run ac 2c 3c",
        "claim 3 with 5c",
        "claim 15 with ks",
        "discard kd",
        "discard 10c",
    ):
        assert str(game.action(written)) == written
    assert str(game.action("  Claim 3 WITH 5c ")) == "claim 3 with 5c"
    with pytest.raises(foxden.BadNotation):
        game.action("set 9c 9c 9c")


def test_questions_name_the_choice() -> None:
    match = set_table(["2c 5d 8h", "3c 7d"], discard="9h")
    assert match.question(0) == ("Draw from the harvest deck, or take 9♥ from the discard pile.")
    assert match.question(1) == (
        "Waiting for Seat 0 to draw from the harvest deck, or take 9♥ from the discard pile."
    )
    play(match, "draw")
    assert match.question(0) == "Plan for winter: you have nothing to play."
    assert match.question(1) == "Waiting for Seat 0 to play, or plan for winter."
    hand, piles = "5c 9c 9d 9h 4s 5s 6s", ((1, "6c 7c 8c"),)
    for held, asks in (
        (hand, "Lay a set or a run, claim a pile, or plan for winter."),
        ("5c 9d 9h 4s 5s 6s", "Lay a run, claim a pile, or plan for winter."),
        ("9s 9d 9h 4s", "Lay a set, or plan for winter."),
        ("5c 9d 4s", "Claim a pile, or plan for winter."),
    ):
        assert set_table([held, "3c 7d"], phase="plan", piles=piles).question(0) == asks
    play(match, "plan")
    assert match.question(None) == "Waiting for Seat 0 to discard a card."
    fox = set_table(["2c 5d 8h", "3c 7d"], discard="9h fox", options=JOKERS)
    assert "a fox sits on the discard pile" in fox.question(0)


def test_explanations_tell_what_a_choice_brings() -> None:
    match = set_table(
        ["5c 9c 9c 9d 3h", "3c 8d"], piles=((1, "6c 7c 8c"), (1, "3c 3d 3d")), phase="plan"
    )
    assert says(match, "plan") == "Plan for winter: play nothing this turn."
    assert says(match, "set 9c 9c 9d") == "Lay the set 9♣ 9♣ 9♦: +1 acorn."
    assert says(match, "claim 1 with 5c") == (
        "Put 5♣ at the low end of Seat 1's run 6♣–8♣ and claim it: +1 acorn."
    )
    assert "at the high end of" in says(match, "claim 1 with 9c")
    assert "Put 3♥ onto Seat 1's set 3♣♦♦ and claim it" in says(match, "claim 2 with 3h")
    out = set_table(["4d 5d 6d", "3c 8d"], phase="plan", round=2)
    assert says(out, "run 4d 5d 6d") == (
        "Lay the run 4♦ 5♦ 6♦: +2 acorns. It empties your hand and ends the round: +4 acorns."
    )
    last = set_table(["4d", "3c 8d"], phase="discard")
    assert says(last, "discard 4d") == (
        "Discard 4♦. It empties your hand and ends the round: +1 acorn."
    )


def test_explanations_of_draws_count_cards_and_foxes() -> None:
    match = set_table(["2c 5d", "3c 7d"], deck="2h 3h fox", discard="9h fox 4c", options=JOKERS)
    assert says(match, "draw") == (
        "Draw the top card of the harvest deck (3 left, 3 foxes among them)."
    )
    assert says(match, "take") == "Take 4♣ from the discard pile, for all to see."
    empty = set_table(["2c 5d", "3c 7d"], deck="", discard="9h 10h 4c")
    assert says(empty, "draw") == (
        "Shuffle the discard pile into a new harvest deck and draw from it."
    )


def test_the_log_speaks_to_its_reader() -> None:
    match = set_table(["2c 5d 8h", "3c 7d"], deck_top="kd")
    assert said(match.at(0), "take") != []
    assert said(match, "draw", 0) == ["You draw K♦."]
    assert said(match, "plan", 0) == ["You plan for winter."]
    assert said(match, "discard kd", 1) == ["Seat 0 discards K♦."]
    assert said(match, "take", 0) == ["Seat 1 takes K♦ from the discard pile."]
    secret = set_table(["2c 5d 8h", "3c 7d"], deck_top="kd")
    assert said(secret, "draw", 1) == ["Seat 0 draws a card."]


def test_the_log_tells_plays() -> None:
    hands = ["5c 9c 9c 9d 3h 2s", "3c 8d"]
    piles = ((1, "6c 7c 8c"), (1, "3c 3d 3d"))
    match = set_table(hands, piles=piles, phase="plan")
    assert said(match, "set 9c 9c 9d", 0) == ["You lay the set 9♣ 9♣ 9♦ as pile 3: +1 acorn."]
    match = set_table(hands, piles=piles, phase="plan")
    assert said(match, "claim 1 with 5c") == [
        "Seat 0 puts 5♣ at the low end of the run 6♣–8♣ and claims pile 1 from Seat 1: +1 acorn."
    ]
    match = set_table(hands, piles=piles, phase="plan")
    assert said(match, "claim 2 with 3h", 1) == [
        "Seat 0 puts 3♥ onto the set 3♣♦♦ and claims pile 2 from you: +1 acorn."
    ]


def test_the_log_tells_foxes() -> None:
    def drawn(seat: int | None, **options: object) -> list[str]:
        return said(
            set_table(["2c 5d", "3c 7d"], deck_top="fox", options=JOKERS | options, acorns=[1, 0]),
            "draw",
            seat,
        )

    assert drawn(1) == ["Seat 0 draws a fox: it takes an acorn from Seat 0."]
    assert drawn(0) == ["You draw a fox: it takes an acorn from you."]
    assert drawn(1, cooperative=True) == [
        "Seat 0 draws a fox: it takes an acorn from the common heap."
    ]
    (dare,) = drawn(0, fox_demand="dare", dares=["Hop!"])
    assert dare == "You draw a fox. It dares you: Hop!"
    poor = set_table(["2c 5d", "3c 7d"], deck_top="fox", options=JOKERS)
    assert said(poor, "draw", 0) == ["You draw a fox, but there is no acorn to take."]


def test_the_log_tells_a_new_deck_and_a_last_turn() -> None:
    hands = ["2c 5d 8h", "3c 7d"]
    match = set_table(hands, deck="", discard="4s 4s 9h", reforms=1)
    assert said(match, "draw", 1) == [
        "The discard pile is shuffled into a new deck for the second time; 9♥ stays behind.",
        "Seat 0 draws a card.",
    ]
    match = set_table(hands, deck="kd", reforms=3)
    assert said(match, "draw", 1)[-1] == (
        "It is the last card of the deck, and the last turn of the round."
    )
    play(match, "plan")
    lines = said(match, "discard kd", 1)
    assert lines[1] == "The deck has run out for good: spring is over, without a bonus."
    match = set_table(hands, phase="discard", turn=400)
    assert said(match, "discard 2c")[1] == "After 400 turns spring is over, without a bonus."


def test_the_log_tells_the_next_deal() -> None:
    match = set_table(["2c", "3c 7d"], phase="discard")
    lines = said(match, "discard 2c", 1)
    assert lines[0] == "Seat 0 discards 2♣."
    assert lines[1] == "Seat 0 has no card left: spring is over, and the bonus is +1 acorn."
    assert lines[2] == "Seat 0 deals for summer."
    dealt = [name.upper() for name in match.view(1)["table"]["seats"][1]["hand"]]
    assert lines[3].startswith("You are dealt ")
    assert len(lines[3].removeprefix("You are dealt ").split()) == len(dealt) == 10
    assert lines[4].startswith("The discard pile begins with ")


def test_the_log_tells_the_result() -> None:
    def result(acorns: list[int], seat: int | None, **options: object) -> str:
        match = set_table(
            ["2c", "3c 7d", "4c 8d"],
            phase="discard",
            round=2,
            acorns=acorns,
            options=options,
            piles=((1, "9c 9d 9h"),),
            discard="5s",
        )
        return said(match, "discard 2c", seat)[-1]

    assert result([3, 2, 1], 0) == "Winter is here. You win with 7 acorns."
    assert result([3, 9, 1], 0) == "Winter is here. Seat 1 wins with 9 acorns."
    assert result([3, 7, 1], 1) == "Winter is here. You and Seat 0 win together with 7 acorns."
    assert result([3, 7, 1], 2, tie_break=True) == (
        "Winter is here. Seat 1 wins with 7 acorns and 1 pile."
    )
    assert result([3, 2, 1], 0, cooperative=True) == (
        "Winter is here, with 10 acorns in the common heap."
    )


def test_refusals_give_a_reason_and_its_rule() -> None:
    match = set_table(
        ["5c 9c 9d ad kd 4s", "3c 8d"],
        piles=((1, "6c 7c 8c"), (0, "9c 9d 9h"), (1, "qd kd ad")),
        phase="plan",
    )
    refused = {action: match.why_not(action) for action in REASONS}
    assert refused == REASONS


REASONS = {
    "draw": ("you have already drawn", "FS-10"),
    "discard 5c": ("first play something, or plan for winter", "FS-12"),
    "set 9c 9c 9d": ("there is only one 9♣ in your hand", "FS-13"),
    "set 9c 9d 9h": ("there is no 9♥ in your hand", "FS-13"),
    "run 5c 6c 7c": ("there is no 6♣ in your hand", "FS-14"),
    "claim 4 with 5c": ("there is no pile 4", "FS-15"),
    "claim 1 with 4s": ("4♠ is of another suit than the run 6♣–8♣", "FS-15"),
    "claim 1 with 4c": ("4♣ is not next to an end of the run 6♣–8♣", "FS-15"),
    "claim 2 with 9c": ("you cannot claim your own pile 2", "FS-16"),
    "claim 3 with ad": ("the run Q♦–A♦ has its ace already", "FS-17"),
    "claim 3 with 2d": ("the run Q♦–A♦ ends with its ace", "FS-17"),
    "claim 3 with jd": ("there is no J♦ in your hand", "FS-15"),
}


def test_every_closed_action_of_a_phase_is_refused_by_a_rule_of_that_phase() -> None:
    match = set_table(["2c 5d 8h", "3c 7d"], discard="9h fox", options=JOKERS)
    rules = {match.why_not(a)[1] for a in range(match.game.actions) if a != 0}
    assert rules == {"FS-10", "FS-21"}
    match = set_table(["2c 5d 8h", "3c 7d"], phase="discard")
    closed = set(range(match.game.actions)) - {action.id for action in match.legal()}
    assert {match.why_not(a)[1] for a in closed} == {"FS-10", "FS-12", "FS-18"}


def test_the_view_holds_what_a_client_draws() -> None:
    match = set_table(
        ["5c 9c", "3c 8d"],
        piles=((1, "6c 7c 8c"), (0, "9c 9d 9h")),
        acorns=[4, 2],
        discard="4s 10h",
    )
    table = match.view(0)["table"]
    assert table["piles"][0] == {
        "number": 1,
        "owner": 1,
        "kind": "run",
        "cards": ["6c", "7c", "8c"],
        "wants": ["5c", "9c"],
    }
    assert table["piles"][1]["kind"] == "set"
    assert table["top"] == "10h"
    assert table["discard"] == ["4s", "10h"]
    assert [place["acorns"] for place in table["seats"]] == [4, 2]
    assert [place["piles"] for place in table["seats"]] == [[2], [1]]
    assert table["seats"][0]["hand"] == ["5c", "9c"]
    assert table["heap"] is None
    assert table["deck"] == 104 - 4 - 6 - 2
    # Both copies of a card but those that lie open or in the viewer's own hand.
    gone = {"5c": 1, "9c": 2, "6c": 1, "7c": 1, "8c": 1, "9d": 1, "9h": 1, "4s": 1, "10h": 1}
    left = {name: 2 - gone.get(name, 0) for name in NAMES}
    assert table["may_be_in_deck"] == {name: n for name, n in left.items() if n}
    assert match.view(1)["table"]["may_be_in_deck"]["5c"] == 2
    assert match.view(None)["table"]["may_be_in_deck"]["9c"] == 1


def test_rules_now_are_in_the_guide() -> None:
    match = set_table(["5c 9c 9h 2d", "3c 8d"], options=JOKERS)
    for action in ("draw", "plan", "discard 5c"):
        for rule in match.view(0)["rules_now"]:
            assert f"**{rule}**" in match.game.guide
        play(match, action)
    assert legal(match)
