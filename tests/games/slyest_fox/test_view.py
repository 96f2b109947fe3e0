"""The Slyest Fox as data: what actions mean and what happens."""

from typing import Any

import foxden
from foxden.engine.view import to_json
from tests.games.slyest_fox.board import GOSSIP_FOX, OPEN, PLAIN, SCHEMER, play, table


def happened(match: foxden.Match, *moves: str, seat: int | None = None) -> list[Any]:
    """Plays moves and lists the events of the last one, as a seat knows them."""
    play(match, *moves[:-1])
    asked, _, notation = moves[-1].partition(": ")
    ((_, entry),) = match.play_and_view([match.seat_view(seat)], notation, int(asked))
    events: list[Any] = to_json(entry.events)
    return events


def meant(match: foxden.Match, notation: str) -> Any:
    """Returns the facts of a legal action."""
    legal = match.view(match.to_act)["legal"]
    return next(action["facts"] for action in legal if action["notation"] == notation)


def test_actions_say_what_they_mean() -> None:
    fox = {"universal-attack": 1, "gossip": 2, "dont-care": 1}
    match = table([fox, PLAIN, PLAIN], phase=OPEN, discards={"trap": 1})
    assert meant(match, "ready") == {"kind": "ready"}
    assert meant(match, "don't care") == {"kind": "protect"}
    assert meant(match, "challenge 2") == {"kind": "challenge", "seat": 2}
    trade = {"kind": "trade", "given": "gossip", "taken": "trap"}
    assert meant(match, "trade gossip for trap") == trade
    match = table([fox, PLAIN, PLAIN], discards={"trap": 1}, empty_decks=True)
    assert meant(match, "draw attack") == {"kind": "draw", "deck": "attack", "reshuffles": True}
    assert meant(match, "attack 1 with universal as trap") == {
        "kind": "attack",
        "target": 1,
        "card": "universal-attack",
        "type": "trap",
    }


def test_answers_in_an_attack_say_what_they_mean() -> None:
    helper = {"weasel": 1, "facts": 1, "stop-it": 1, "sneaky-defence": 1}
    match = table([PLAIN, PLAIN, helper], extension=True)
    play(match, "0: attack 1 with gossip")
    facts = {"kind": "play", "card": "facts", "weasel": False, "side": "defence"}
    assert meant(match, "play facts") == facts
    play(match, "1: pass", "0: pass")
    assert meant(match, "weasel + facts") == facts | {"weasel": True}
    assert meant(match, "weasel + stop-it") == {
        "kind": "play",
        "card": "stop-it",
        "weasel": True,
        "side": None,
    }
    match = table([{"gossip": 2}, PLAIN, PLAIN], roles=[SCHEMER, GOSSIP_FOX, SCHEMER])
    play(match, "0: attack 1 with gossip")
    used = {"character": "gossip fox", "card": "facts", "side": "defence"}
    assert meant(match, "play character") == {"kind": "use-character"} | used
    assert happened(match, "1: play character") == [
        {"kind": "character-used", "seat": 1} | used | {"revealed": True}
    ]


def test_a_drawn_card_is_seen_by_its_owner_alone() -> None:
    for seat in (0, 1, None):
        match = table([PLAIN, PLAIN, PLAIN], discards={"facts": 1}, empty_decks=True)
        assert happened(match, "0: draw defence", seat=seat) == [
            {"kind": "deck-reshuffled", "deck": "defence", "cards": {"facts": 1}},
            {
                "kind": "card-drawn",
                "seat": 0,
                "deck": "defence",
                "card": "facts" if seat == 0 else None,
            },
            {"kind": "turn-began", "seat": 1},
        ]


def test_taken_cards_are_seen_by_two_alone() -> None:
    for seat in (0, 1, 2, None):
        match = table([PLAIN, {"gossip": 11}, PLAIN], phase=OPEN)
        assert happened(match, "0: challenge 1", seat=seat) == [
            {"kind": "challenged", "seat": 0, "target": 1, "held": 11, "gain": 2},
            {
                "kind": "cards-taken",
                "taker": 0,
                "loser": 1,
                "count": 2,
                "cards": ["gossip", "gossip"] if seat in (0, 1) else None,
            },
        ]


def test_the_last_card_counts_where_an_attack_ends_at_once() -> None:
    match = table([{"gossip": 1}, {"facts": 1}, {}], roles=[2, 2, 2])
    events = happened(match, "0: attack 1 with gossip", "1: play facts", "0: pass")
    ended = {"kind": "attack-ended", "by": 0, "target": 1, "type": "gossip"}
    failed = ended | {"attacks": 1, "defences": 1, "result": "failed", "lives": 3}
    assert events[1] == failed
    # Two seats are left, so no character: nobody can answer, and the attack ends as it begins.
    match = table([{"gossip": 1}, {}, {}], marks={2: (1, 2)})
    events = happened(match, "0: attack 1 with gossip")
    assert events[1] == ended | {"attacks": 1, "defences": 0, "result": "succeeded", "lives": 2}
    match = table([{"gossip": 1}, {"facts": 1}, {}], marks={2: (1, 2)})
    events = happened(match, "0: attack 1 with gossip", "1: play facts")
    assert events[1] == failed


def test_an_attack_that_is_stopped_costs_no_life() -> None:
    match = table([{"trap": 1}, {"stop-it": 1, "facts": 3}, PLAIN], extension=True)
    events = happened(match, "0: attack 1 with trap", "1: play stop-it")
    assert events[0]["side"] is None
    assert (events[1]["result"], events[1]["lives"]) == ("stopped", 3)


def test_hands_laid_down_at_once_are_told_without_the_cards_of_the_attack() -> None:
    out = {"weasel": 1, "facts": 1, "trap": 2}
    match = table([PLAIN, {"caution": 2}, out, PLAIN], marks={1: (1, 1), 2: (1, 2)}, shields=[3])
    moves = ("0: attack 1 with gossip", "1: pass", "2: weasel + facts", "0: play character")
    events = happened(match, *moves, "1: pass", "2: pass", "3: pass")
    kinds = [event["kind"] for event in events]
    assert kinds[:4] == ["passed", "attack-ended", "eliminated", "character-shown"]
    assert events[-4] == {"kind": "duel-began", "least": 2, "most": 6}
    assert events[-3] == {
        "kind": "hands-laid-down",
        "seats": [1, 2],
        "counts": [2, 2],
        "cards": ["trap", "trap", "caution", "caution"],
    }
    assert kinds[-2:] == ["turn-began", "protection-ended"]


def test_the_end_says_why_and_who_won() -> None:
    match = table([{"gossip": 1}, {}, {}], marks={1: (1, 1), 2: (1, 2)})
    assert happened(match, "0: attack 1 with gossip")[-1] == {
        "kind": "match-ended",
        "reason": "eliminated",
        "winners": [0],
        "lives": 3,
        "cards": 0,
    }
    match = table([PLAIN, PLAIN, PLAIN], quiet=89)
    assert happened(match, "0: draw attack")[-1] == {
        "kind": "match-ended",
        "reason": "quiet",
        "winners": [0],
        "lives": 3,
        "cards": 5,
    }
