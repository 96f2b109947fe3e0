"""Happy Fox in a terminal, drawn from a view alone."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

LETTERS = {"goose": "G", "fox": "F", "dog": "D", None: "?"}
STYLES = {"goose": "yellow", "fox": "bright_red", "dog": "bright_blue", None: "dim"}
BY_LINE = 13  # cards per line at 80 columns


def draw(view: dict[str, Any]) -> RenderableType:
    """Draws the table: the others first, the viewer last."""
    table = view["table"]
    seats = len(table["seats"])
    first = 0 if view["seat"] is None else view["seat"] + 1
    order = [(first + k) % seats for k in range(seats)]
    parts: list[RenderableType] = [_heading(view)]
    parts += [_seat(view, seat) for seat in order]
    if table["grab"]:
        parts.append(_grab(view))
    return Group(*parts)


def _heading(view: dict[str, Any]) -> Text:
    table = view["table"]
    text = Text("Happy Fox", style="bold")
    text.append(f"  turn {table['turn']} of {table['turns']}", style="dim")
    if table["removed"]:
        text.append(f"  {table['removed']} cards of each set are unknown", style="dim")
    text.append("   G goose  D dog  ? face down", style="dim")
    return text


def _seat(view: dict[str, Any], seat: int) -> Panel:
    """Draws one seat: name and piles on the frame, row and hand inside."""
    table = view["table"]
    place = table["seats"][seat]
    mine = seat == view["seat"]
    name = view["names"][seat]
    if mine and name != "You":
        name += " (you)"
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim", width=4)
    grid.add_column()
    grid.add_row("row", _row(place["row"]))
    if mine:
        grid.add_row("hand", _hand(place["hand"]))
    asked = view["to_act"] == seat
    grabbed = table["grab"] and table["grab"]["victim"] == seat
    facts = f"hand {place['hand_size']}  pile {place['pile']}  won {place['score']}"
    won = "  ".join(f"{n}{LETTERS[card]}" for card, n in place["won"].items() if n)
    return Panel(
        grid,
        title=Text.assemble(("▶ " if asked else "", "bold"), (name, "bold"), f"  {facts}"),
        title_align="left",
        subtitle=f"win pile {won}" if won else None,
        subtitle_align="right",
        border_style="green" if asked else "red" if grabbed else "dim",
        width=80,
    )


def _row(row: list[dict[str, Any]]) -> Text:
    text = Text()
    for k, card in enumerate(row):
        if k and k % BY_LINE == 0:
            text.append("\n")
        label = f"{card['turn']}{LETTERS[card['card']]}"
        if card["up"]:
            text.append(f"[{label}]".ljust(5), style=f"bold {STYLES[card['card']]} reverse")
        else:
            text.append(f" {label} ".ljust(5), style=STYLES[card["card"]])
    return text if row else Text("empty", style="dim")


def _hand(hand: dict[str, int]) -> Text:
    text = Text()
    for card, n in hand.items():
        if n:
            text.append(f"{n} × {card}   ", style=STYLES[card])
    return text if text else Text("empty", style="dim")


def _grab(view: dict[str, Any]) -> Text:
    """Draws the current grab: who, from whom, and what was turned up."""
    grab, names = view["table"]["grab"], view["names"]
    text = Text(f"{names[grab['by']]}'s fox", style="bold bright_red")
    for goose in grab["geese"]:
        text.append(f" → a goose of {names[goose['seat']]}", style=STYLES["goose"])
    text.append(f" → now at {names[grab['victim']]}", style="dim")
    return text
