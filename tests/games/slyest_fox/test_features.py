"""The tensor of The Slyest Fox tells everything that the view tells."""

from typing import Any

import numpy as np
import pytest

import foxden
from foxden.bots import ask, find_bot
from foxden.engine import compiled
from foxden.games.slyest_fox.knowledge import TENSOR
from tests.games.slyest_fox.board import CARDS

PHASES = ("open", "act", "defend", "add", "shut", "help", "answer", "refill", "discard", "over")
CHARACTERS = ("gossip fox", "schemer", "master of traps", "inventive fox")
TYPES = ("gossip", "trap")


def blocks(tensor: Any) -> dict[str, Any]:
    """Cuts a tensor into its documented blocks."""
    found, at = {}, 0
    for feature in TENSOR:
        found[feature.name] = tensor[at : at + feature.size].reshape(feature.shape)
        at += feature.size
    assert at == len(tensor)
    return found


def whole(x: Any, scale: int) -> int:
    return round(float(x) * scale)


def cards(numbers: Any) -> dict[str, int]:
    return {CARDS[c]: whole(numbers[c], 16) for c in range(12) if numbers[c]}


def sure(numbers: Any) -> dict[str, Any]:
    attack, defence = whole(numbers[12], 64), whole(numbers[13], 64)
    return {"cards": cards(numbers[:12]), "attack": attack, "defence": defence}


def table_from(block: dict[str, Any], seats: int, viewer: int) -> dict[str, Any]:
    """Rebuilds the view's table from the tensor alone."""
    first = max(viewer, 0)

    def absolute(one_hot: Any) -> int | None:
        return int((np.argmax(one_hot) + first) % seats) if one_hot.any() else None

    assert np.argmax(block["seats"]) + 2 == seats
    _, extension, teams, _ = (bool(x) for x in block["options"])
    lives = {(first + i) % seats: 3 - whole(block["marks"][i].sum(), 2) for i in range(seats)}
    duel = seats > 2 and sum(n > 0 for n in lives.values()) == 2
    attacked = absolute(block["attacked"])
    attack = None
    if attacked is not None:
        attack = {
            "by": absolute(block["on_turn"]),
            "target": attacked,
            "type": TYPES[int(np.argmax(block["type"]))],
            "attacks": whole(block["balance"][0], 128),
            "defences": whole(block["balance"][1], 128),
            "interfering_stopped": bool(block["balance"][3]),
            "stopped_by": absolute(block["stopper"]),
        }
    out = {"sneaky-attack", "sneaky-defence"} if not extension else set()
    out |= {"weasel", "dont-care"} if seats == 2 else set()
    out |= {"enough", "stop-it"} if seats > 2 and not extension else set()
    piles = cards(block["discard"])
    places: list[dict[str, Any]] = [{} for _ in range(seats)]
    for i in range(seats):
        p = (first + i) % seats
        protected, barred, shown, used, kept = (bool(x) for x in block["signs"][i])
        role = int(np.argmax(block["role"][i])) if block["role"][i].any() else None
        mine = p == viewer
        places[p] = {
            "lives": lives[p],
            "gossiped": whole(block["marks"][i, 0], 2),
            "trapped": whole(block["marks"][i, 1], 2),
            "eliminated": lives[p] == 0,
            "hand_size": whole(block["size"][i, 1], 128),
            "hand": cards(block["hand"]) if mine else None,
            "known": None if mine else sure(block["known" if viewer >= 0 else "public"][i]),
            "public": sure(block["public"][i]),
            "keeps_hand": kept,
            "protected": protected,
            "may_not_protect": barred,
            "character": None if role is None else CHARACTERS[role],
            "character_open": shown,
            "character_used": used,
            "team": TYPES[role // 2] if teams and role is not None else None,
            "played": cards(block["played"][i]),
        }
    return {
        "phase": PHASES[int(np.argmax(block["phase"]))],
        "starter": absolute(block["starter"]),
        "on_turn": absolute(block["on_turn"]),
        "duel": duel,
        "least": 2 if duel else 3,
        "most": 6 if duel else 9,
        "quiet_turns": whole(block["quiet"][0], 240),
        "quiet_limit": 30 * seats,
        "challenged": sorted((first + i) % seats for i in range(seats) if block["dared"][i]),
        "attack": attack,
        "decks": {
            "attack": whole(block["deck_size"][0], 64),
            "defence": whole(block["deck_size"][1], 64),
        },
        "discards": {
            "attack": {card: n for card, n in piles.items() if card in CARDS[:6]},
            "defence": {card: n for card, n in piles.items() if card in CARDS[6:]},
        },
        "set": {
            CARDS[c]: whole(block["parts"][1 + c], 16) for c in range(12) if CARDS[c] not in out
        },
        "seats": places,
    }


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {}), (3, {}), (4, {"extension": True}), (6, {"teams": True}), (8, {"extension": True})],
)
def test_the_tensor_tells_everything_that_the_view_tells(
    seats: int, options: dict[str, bool]
) -> None:
    match = foxden.new("slyest-fox", seats=seats, seed=4, options=options)
    bot = find_bot("random")
    tensor = np.zeros(match.game.tensor_size, np.float32)
    while True:
        if match.ply % 3 == 0 or match.is_over:
            for viewer in (None, *range(seats)):
                number = -1 if viewer is None else viewer
                compiled.features_of(match.wiped(viewer), 0, number, tensor)
                rebuilt = table_from(blocks(tensor), seats, number)
                assert rebuilt == match.view(viewer)["table"]
        if match.is_over:
            break
        match.play(ask(bot, match, seed=2))
