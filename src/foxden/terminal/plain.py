"""Draws any game's table in a terminal, from the shapes of the view's values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from foxden.terminal import shapes
from foxden.terminal.shapes import Part, heading

WIDTH = 80
FACTS = (shapes.Counter, shapes.Label, shapes.Mark, shapes.Hidden)
NONE = "–"


def draw(view: dict[str, Any], title: str) -> RenderableType:
    """Draws the table: shared things first, then the others, the viewer last."""
    seats = len(view["names"])
    layout = shapes.lay_out(view["table"], seats)
    first = 0 if view["seat"] is None else view["seat"] + 1
    parts = layout.places or [[] for _ in range(seats)]
    order = [(first + k) % seats for k in range(seats)]
    places = [_place(view, seat, parts[seat]) for seat in order]
    shared = _parts(layout.shared)
    return Group(Panel(shared, title=Text(title, "bold"), title_align="left", width=WIDTH), *places)


def _place(view: dict[str, Any], seat: int, parts: list[Part]) -> Panel:
    """Draws what lies before a seat; the frame has its number, by which tables name seats."""
    name = view["names"][seat]
    if seat == view["seat"] and name != "You":
        name += " (you)"
    asked = seat == view["to_act"]
    return Panel(
        _parts(parts),
        title=Text.assemble(("▶ " if asked else "", "bold"), (name, "bold"), f"  seat {seat}"),
        title_align="left",
        border_style="green" if asked else "dim",
        width=WIDTH,
    )


def _parts(parts: Sequence[Part]) -> RenderableType:
    """Draws counters, labels and marks in a line, then each of the rest under its heading."""
    drawn: list[RenderableType] = []
    if facts := [_fact(part) for part in parts if isinstance(part, FACTS)]:
        drawn.append(_flow(facts))
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(style="dim", max_width=WIDTH // 4)
    grid.add_column(ratio=1)
    for part in parts:
        if not isinstance(part, (*FACTS, shapes.Empty)):
            grid.add_row(_heading(part), _zone(part))
    if grid.row_count:
        drawn.append(grid)
    if empty := [heading(part.name) for part in parts if isinstance(part, shapes.Empty)]:
        drawn.append(Text(f"empty: {', '.join(empty)}", "dim"))
    return Group(*drawn)


def _flow(texts: Sequence[Text]) -> RenderableType:
    """Sets texts side by side, as many as fit into a line."""
    return Columns(texts, padding=(0, 2))


def _fact(part: Part) -> Text:
    match part:
        case shapes.Counter(name, value):
            return Text.assemble((f"{heading(name)} " if name else "", "dim"), (f"{value}", "bold"))
        case shapes.Label(name, text):
            return Text.assemble((f"{heading(name)}: " if name else "", "dim"), text)
        case shapes.Mark(name):
            return Text(heading(name) or "Yes", "bold green")
    return Text.assemble((heading(part.name), "dim"), f" {NONE}")


def _heading(part: Part) -> Text:
    text = Text(heading(part.name))
    if isinstance(part, shapes.Cards):
        text.append(f" ({len(part.cards)})")
    elif isinstance(part, shapes.Counts) and part.size is not None:
        text.append(f" ({part.size})")
    return text


def _zone(part: Part) -> RenderableType:
    match part:
        case shapes.Cards(_, cards):
            if not any(cards):
                return Text("face down", "dim")
            return _flow([_card(card) for card in cards])
        case shapes.Counts(_, _, counts):
            return _flow([_count(name, count) for name, count in counts])
        case shapes.Numbers(_, numbers):
            return _flow([Text(NONE if number is None else f"{number}") for number in numbers])
        case shapes.Rows(_, rows):
            return _rows(rows)
        case shapes.Group(_, parts):
            return _parts(parts)
    raise TypeError(f"{part!r} cannot be drawn.")


def _count(name: str, count: float) -> Text:
    if not count:
        return Text(f"{name.replace('_', ' ')} {count}", "dim")
    return Text.assemble(name.replace("_", " "), " ", (f"{count}", "bold"))


def _card(face: str | None, about: Sequence[Part] = ()) -> Text:
    """Draws a card by its name, and in brackets what else is known of it."""
    text = Text("?", "dim") if face is None else Text(face)
    if about:
        known = [
            f"{part.name} {part.value}" if isinstance(part, shapes.Counter) else part.name
            for part in about
        ]
        text.append(f" ({', '.join(known)})", "dim")
    return text


def _rows(rows: Sequence[shapes.Row]) -> RenderableType:
    """Draws cards beside each other, and other entries one below the other."""
    faces = [_card(row.face, row.parts) for row in rows if row.face is not UNSET]
    if len(faces) == len(rows):
        return _flow(faces)
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(style="dim")
    grid.add_column(ratio=1)
    for row in rows:
        if row.face is not UNSET:
            grid.add_row("·", _card(row.face, row.parts))
        else:
            grid.add_row("·", _parts(row.parts) if row.parts else Text(NONE))
    return grid
