"""The tensor of Fox & Squirrels is complete: the facts of a view can be read off it."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.engine import compiled
from tests.games.fox_and_squirrels.setting import NAMES

CARDS = [*NAMES, "fox"]
FOXES = ("none", "jokers", "four_aces", "eight_aces")
SAME = (
    "phase",
    "round",
    "turn",
    "reforms",
    "dealer",
    "deck",
    "discard",
    "top",
    "may_be_in_deck",
)
SOURCES = ("sets", "runs", "claims", "bonuses", "foxes")


def blocks(match: foxden.Match, seat: int | None) -> dict[str, Any]:
    """Returns the tensor by its blocks."""
    game = match.game
    out = np.zeros(game.tensor_size, np.float32)
    compiled.features_of(match.wiped(seat), 0, -1 if seat is None else seat, out)
    found: dict[str, Any] = {}
    at = 0
    for feature in game.tensor:
        found[feature.name] = out[at : at + feature.size].reshape(feature.shape)
        at += feature.size
    assert at == len(out)
    return found


def hot(block: Any) -> int | None:
    """Reads a one-hot block; None where nothing is set."""
    places = np.flatnonzero(block)
    assert len(places) <= 1
    return int(places[0]) if len(places) else None


def whole(number: Any) -> int:
    nearest = round(float(number))
    assert abs(float(number) - nearest) < 1e-3
    return nearest


def counted(block: Any) -> list[str]:
    return [card for card, n in zip(CARDS, block * 2, strict=False) for _ in range(whole(n))]


def pile_cards(found: dict[str, Any], k: int) -> list[str]:
    low, high = (whole(end * 14) - 1 for end in found["ends"][k])
    kind = hot(found["kind"][k])
    copies = [whole(n * 13) for n in found["copies"][k]]
    if kind == 4:
        return [NAMES[low * 4 + suit] for suit in range(4) for _ in range(copies[suit])]
    assert kind is not None
    assert sum(copies) == copies[kind] == high - low + 1
    return [NAMES[rank % 13 * 4 + kind] for rank in range(low, high + 1)]


def rebuilt(match: foxden.Match, seat: int | None) -> dict[str, Any]:
    """Rebuilds the view's table from the tensor, seats counted as the match does."""
    found = blocks(match, seat)
    seats = hot(found["seats"])
    assert seats is not None
    seats += 2
    first = 0 if seat is None else seat

    def real(place: int | None) -> int | None:
        return None if place is None else (place + first) % seats

    order = [(p - first) % seats for p in range(seats)]
    earned = [[whole(n * 4096) for n in found["earned"][i]] for i in order]
    cooperative = bool(found["options"][3])
    discard = [CARDS[whole(n * 53) - 1] for n in found["order"] if n]
    places: list[dict[str, Any]] = []
    for p, i in enumerate(order):
        hid = float(found["hid"][i])
        places.append(
            {
                "hand_size": whole(found["hand_size"][i] * 11),
                "hand": counted(found["hand"]) if p == seat else None,
                "shown": counted(found["shown"][i]),
                "acorns": None if cooperative else sum(earned[p]),
                "earned": dict(zip(SOURCES, earned[p], strict=True)),
                "hid_foxes": whole(hid / (1 - hid)),
                "dare": whole(found["dare"][i] * 64) or None,
            }
        )
    top = hot(found["top"])
    sizes = [whole(n * 108) for n in found["sizes"]]
    assert sizes[1] == len(discard)
    assert sorted(discard) == sorted(
        counted(found["discarded"][:-1]) + ["fox"] * whole(found["discarded"][-1] * 8)
    )
    piles: list[dict[str, Any]] = [
        {"owner": real(hot(found["owner"][k])), "cards": pile_cards(found, k)}
        for k in range(15)
        if hot(found["owner"][k]) is not None
    ]
    # What the deck may hold by its last shuffle, less what this viewer sees elsewhere.
    seen = Counter(discard)
    for cards in [place["hand"] or place["shown"] for place in places]:
        seen.update(cards)
    for pile in piles:
        seen.update(pile["cards"])
    stock = zip(NAMES, found["stock"], strict=True)
    left = {card: min(whole(n * 2), 2 - seen[card]) for card, n in stock}
    return {
        "phase": ("draw", "plan", "discard", "over")[hot(found["phase"]) or 0],
        "round": (hot(found["round"]) or 0) + 1,
        "turn": whole(found["progress"][0] * 400),
        "reforms": whole(found["progress"][1] * 3),
        "dealer": real(hot(found["dealer"])),
        "to_act": real(hot(found["to_act"])),
        "foxes": FOXES[hot(found["foxes"]) or 0],
        "options": [bool(found["options"][k]) for k in (0, 2, 3)],
        "dares": whole(found["options"][1] * 64),
        "rewards": [whole(n * 16) for n in found["rewards"]],
        "deck": sizes[0],
        "discard": discard,
        "top": None if top is None else CARDS[top],
        "may_be_in_deck": {card: n for card, n in left.items() if n > 0},
        "piles": piles,
        "seats": places,
        "claims": [
            {card for card, n in zip(NAMES, found["claims"][i], strict=True) if n} for i in order
        ],
    }


def from_view(match: foxden.Match, seat: int | None) -> dict[str, Any]:
    """Returns the same facts from the view."""
    view = match.view(seat)
    table = view["table"]
    options = view["options"]
    return {
        **{key: table[key] for key in SAME},
        "to_act": view["to_act"],
        "foxes": options["foxes"],
        "options": [
            options["fox_demand"] == "dare",
            options["tie_break"],
            options["cooperative"],
        ],
        "dares": len(options["dares"]),
        "rewards": [*table["rewards"].values(), *match.parts["bonus"]],
        "piles": [{"owner": p["owner"], "cards": p["cards"]} for p in table["piles"]],
        "seats": [{k: v for k, v in p.items() if k != "piles"} for p in table["seats"]],
        "claims": [
            {card for pile in table["piles"] if pile["owner"] != p for card in pile["wants"]}
            for p in range(len(table["seats"]))
        ],
    }


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (3, {"foxes": "eight_aces", "fox_demand": "dare"}),
        (4, {"foxes": "four_aces", "tie_break": True}),
        (5, {"foxes": "jokers", "cooperative": True}),
    ],
)
def test_a_view_can_be_rebuilt_from_the_tensor(seats: int, options: dict[str, Any]) -> None:
    match = foxden.new("fox-and-squirrels", seats=seats, seed=seats, options=options)
    dice = random.Random(seats)
    while not match.is_over:
        match.play(dice.choice(match.legal()))
        if match.ply % 11 == 0 or match.is_over:
            for seat in (None, *range(seats)):
                assert rebuilt(match, seat) == from_view(match, seat)


def test_other_rewards_are_in_the_tensor() -> None:
    parts = {"set": 3, "run": 5, "claim": 2, "bonus": [6, 7, 8]}
    match = foxden.new("fox-and-squirrels", seats=2, seed=1, parts=parts)
    assert rebuilt(match, 0)["rewards"] == [3, 5, 2, 6, 7, 8]
