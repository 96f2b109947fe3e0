"""Any game's table can be drawn in a terminal, with everything that is on it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import foxden
from foxden.cli import creating
from foxden.engine import registry
from foxden.envs.pettingzoo import env
from foxden.games import happy_fox
from foxden.terminal import draw, plain

RECORDS = Path(__file__).parents[1] / "records"
WIDTH = 80


def drawn(renderable: Any) -> str:
    console = Console(width=WIDTH, color_system=None)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


def words(text: str) -> str:
    """Returns the words of a drawing, without frames and line breaks."""
    return f" {' '.join(re.sub('[│╭╮╰╯─▶·(),:]', ' ', text).split())} "


def leaves(value: Any) -> Iterator[str]:
    """Lists all values that must be told; what is of size 0 is told to be empty."""
    if isinstance(value, dict):
        for name, one in value.items():
            if not (name.endswith("_size") and one == 0):
                yield from leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)
    elif value is not None and not isinstance(value, bool) and value != "":
        yield from re.sub("[(),:]", " ", str(value)).split()


@pytest.mark.parametrize("name", foxden.games())
def test_every_seats_table_is_told_whole_within_80_columns(name: str) -> None:
    record = min((RECORDS / name).iterdir(), key=lambda file: file.stat().st_size)
    match = foxden.Match.from_record(record.read_text(encoding="utf-8"))
    for ply in (0, match.ply // 3, match.ply // 2, match.ply):
        for seat in (None, *range(match.seats)):
            view = match.at(ply).view(seat)
            text = drawn(plain.draw(view, match.game.title))
            assert max(map(len, text.splitlines())) <= WIDTH
            shared, *places = re.split(r"\n(?=╭─)", text)
            assert len(places) == match.seats
            first = 0 if seat is None else seat + 1
            table = dict(view["table"])
            held = table.pop("seats")
            expected = [table, *(held[(first + k) % match.seats] for k in range(match.seats))]
            for value, panel in zip(expected, (shared, *places), strict=True):
                told = words(panel)
                assert [leaf for leaf in leaves(value) if f" {leaf} " not in told] == []


VIEW: dict[str, Any] = {
    "names": ["Mia", "Jonas"],
    "seat": 0,
    "to_act": 1,
    "table": {
        "deck": 9,
        "last_round": True,
        "over": False,
        "seats": [
            {"hand": ["3", "4"], "hand_size": 2, "row": [{"turn": 1, "card": None, "up": True}]},
            {"hand": None, "hand_size": 5, "row": []},
        ],
    },
}


def test_a_small_table_looks_like_this() -> None:
    lines = [line.strip("│╭╮╰╯─ ") for line in drawn(plain.draw(VIEW, "Tiny")).splitlines()]
    assert [line for line in lines if line] == [
        "Tiny",
        "Deck 9  Last round",
        "▶ Jonas  seat 1",
        "Hand (5)  face down",
        "empty: Row",
        "Mia (you)  seat 0",
        "Hand (2)  3  4",
        "Row       ? (turn 1, up)",
    ]


@pytest.mark.parametrize("table", [None, 3, [], ["a"], {"seats": 5}, {"b": [[1], [True, {}]]}])
def test_a_table_of_any_shape_is_drawn(table: Any) -> None:
    text = drawn(plain.draw(VIEW | {"table": table}, "Tiny"))
    assert "▶ Jonas" in text


@pytest.fixture
def high_card(monkeypatch: pytest.MonkeyPatch) -> foxden.Game:
    """The game that `foxden new-game` writes, which draws nothing of its own."""
    monkeypatch.syspath_prepend(str(creating.TEMPLATE))
    monkeypatch.setitem(registry._modules, "high-card", "high_card")
    return foxden.game("high-card")


def test_a_game_without_a_drawing_is_drawn_by_its_shapes(high_card: foxden.Game) -> None:
    table = env("high-card", seats=2, render_mode="ansi")
    table.reset(seed=1)
    text = table.render()
    assert "High Card" in text
    assert re.search(r"│ Deck 5 .*╭─ Seat 1 .*Hand \(2\) +face down .*▶ Seat 0", text, re.DOTALL)


def test_a_games_own_drawing_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foxden.games.happy_fox.terminal.draw", lambda view: "its own")
    assert draw(happy_fox.GAME, VIEW) == "its own"
