"""The terminal table of Fox & Squirrels fits 80 columns and shows what matters."""

import random
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

import foxden
from foxden.games.fox_and_squirrels.terminal import draw
from tests.games.fox_and_squirrels.setting import RANKS, play, set_table


def drawn(view: dict[str, Any], width: int = 80) -> list[str]:
    out = StringIO()
    Console(file=out, width=width, color_system=None).print(draw(view))
    return out.getvalue().splitlines()


def test_everything_of_a_table_is_seen_at_a_glance() -> None:
    match = set_table(
        ["5c 9c 2d", "3c 8d", "kh ks"],
        piles=((1, "6c 7c 8c"), (0, "9c 9d 9h"), (2, "2s 2s 2h")),
        acorns=[4, 1, 0],
        discard="4s 10h",
        options={"foxes": "jokers"},
    )
    lines = drawn(match.view(0))
    text = "\n".join(lines)
    assert "spring (1 of 3), turn 1" in lines[0]
    assert "[10♥] on 4♠" in text
    assert "with foxes: 4" in text
    assert "▶ Seat 0 (you)  4 acorns  hand 3  piles 1" in text
    assert "Seat 1  1 acorn  hand 2  piles 1" in text
    assert "#1\N{NO-BREAK SPACE}6♣–8♣←5♣/9♣" in text
    assert "#2\N{NO-BREAK SPACE}9♣♦♥" in text
    assert "#3\N{NO-BREAK SPACE}2♥♠♠←2♦" in text
    assert "hand    2♦ 5♣ 9♣" in text
    assert "by suit 5♣ 9♣   2♦" in text
    assert text.index("Seat 1") < text.index("Seat 2") < text.index("Seat 0 (you)")


def test_others_hands_are_not_drawn() -> None:
    match = set_table(["5c 9c 2d", "3c 8d"], discard="4s 10h")
    play(match, "take")
    text = "\n".join(drawn(match.view(1)))
    assert "known   10♥" in text
    assert "5♣" not in text
    spectator = "\n".join(drawn(match.view(None)))
    assert "3♣" not in spectator
    assert "hand 4" in spectator


def test_a_dare_is_drawn_with_its_text() -> None:
    options = {"foxes": "jokers", "fox_demand": "dare", "dares": ["Hop on one leg!"]}
    match = set_table(["5c 9c 2d", "3c 8d"], deck_top="fox", options=options)
    play(match, "draw")
    text = "\n".join(drawn(match.view(1)))
    assert "dare    Hop on one leg!" in text
    assert "[fox]" in text


def test_the_common_heap_and_the_last_turn_are_announced() -> None:
    match = set_table(["5c 9c 2d", "3c 8d"], acorns=[4, 1], turn=400, options={"cooperative": True})
    lines = drawn(match.view(0))
    assert lines[0].rstrip().endswith("common heap: 5 acorns")
    assert "last turn of the round" in lines[2]


@pytest.mark.parametrize("seats", [2, 5])
def test_80_columns_are_enough(seats: int) -> None:
    names = [chr(65 + p) * 40 for p in range(seats)]
    options = {"foxes": "eight_aces", "fox_demand": "dare", "dares": ["x" * 120]}
    match = foxden.new("fox-and-squirrels", seats=seats, seed=3, options=options, names=names)
    dice = random.Random(3)
    while not match.is_over:
        match.play(dice.choice(match.legal()))
        if match.ply % 20 == 0 or match.is_over:
            for seat in (None, *range(seats)):
                # On a wider console a line that is too long would show.
                lines = drawn(match.view(seat), 200)
                assert max(len(line.rstrip()) for line in lines) <= 80
                text = "\n".join(lines)
                for p, place in enumerate(match.view(None)["table"]["seats"]):
                    assert f"{names[p][:20]}" in text
                    assert f"hand {place['hand_size']}" in text


def test_many_piles_wrap_inside_their_frame() -> None:
    piles = tuple((1, f"{rank}c {rank}d {rank}h") for rank in RANKS[1:])
    match = set_table(["ac 2s", "as"], piles=piles, discard="ad")
    lines = drawn(match.view(0), 200)
    assert max(map(len, lines)) == 80
    assert all(f"#{k}\N{NO-BREAK SPACE}" in "\n".join(lines) for k in range(1, 13))
