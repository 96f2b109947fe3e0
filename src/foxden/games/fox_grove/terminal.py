"""Fox Grove in a terminal, drawn from a view alone."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

STYLES = {
    "blue": "bright_blue",
    "purple": "magenta",
    "orange": "dark_orange",
    "yellow": "bright_yellow",
}
SIGNS = {"wood": "W", "nut": "N", "maple": "M", "any": "?"}
WIDTH = 80
LONGEST_NAME = 12


def draw(view: dict[str, Any]) -> RenderableType:
    """Draws the table: houses, seats, the trick, and the viewer's hand."""
    parts: list[RenderableType] = [_heading(view), _houses(view), _seats(view)]
    table, advance = view["table"], view["table"]["advance"]
    if table["trick"]["cards"] or any(seat["hand_size"] for seat in table["seats"]):
        parts.append(_trick(view))
    if advance and "house" in advance:
        parts.append(_advance(advance))
    if view["seat"] is not None:
        parts += _own(view)
    return Group(*parts)


def _heading(view: dict[str, Any]) -> Text:
    table = view["table"]
    text = Text("Fox Grove", style="bold")
    text.append(f"  round {table['round']} of {table['rounds']}", style="dim")
    text.append(f"  pile {table['pile']}  blackberries left {table['supply']}", style="dim")
    text.append("   W wood  N nut  M maple", style="dim")
    return text


def _name(view: dict[str, Any], seat: int | str) -> str:
    name = "Frank" if seat == "frank" else str(view["names"][seat])
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _units(units: dict[str, int]) -> str:
    return " ".join(f"{n}{SIGNS[kind]}" for kind, n in units.items() if n)


def _houses(view: dict[str, Any]) -> Table:
    """Draws the three houses from the top, with the number of each seat at its level."""
    table = view["table"]
    grid = Table(box=box.SIMPLE, width=WIDTH, padding=(0, 1), collapse_padding=True)
    grid.add_column("", justify="right", style="dim", width=2)
    for house in table["houses"]:
        grid.add_column(f"{house['name']} {house['side'].upper()}", no_wrap=True)
    grid.add_column("lowest", justify="right", style="dim", width=6)
    for level in range(7, -1, -1):
        row: list[Text | str] = [str(level)]
        for house in table["houses"]:
            text = Text()
            if level:
                page = house["levels"][level - 1]
                text.append(f"{page['points']:>2} ", style="bold")
                text.append(f"{_units(page['cost'])}{' ★' if page['bonus'] else ''}".ljust(12))
            else:
                text.append(" " * 15)
            here = [p for p, s in enumerate(table["seats"]) if s["levels"][house["name"]] == level]
            for p in here:
                text.append(str(p), style="bold green" if p == view["seat"] else "bold")
            row.append(text)
        row.append(f"+{table['track'][level - 1]}" if level else "0")
        grid.add_row(*row)
    return grid


def _seats(view: dict[str, Any]) -> Table:
    """Draws a line for each seat: resources, blackberries, owls, shown voids."""
    table = view["table"]
    grid = Table(box=box.SIMPLE, width=WIDTH, padding=(0, 1), collapse_padding=True)
    for title in ("", "hand", "W", "N", "M", "berries", "owls", "void", "pts"):
        numbers = title in ("hand", "W", "N", "M", "pts")
        grid.add_column(title, justify="right" if numbers else "left", no_wrap=title != "owls")
    for p, seat in enumerate(table["seats"]):
        name = Text("▶" if view["to_act"] == p else " ", style="bold green")
        name.append(f"{p} {_name(view, p)}", style="bold" if p == view["seat"] else "")
        if table["first"] == p:
            name.append(" ⚑", style="bright_red")
        berries = str(seat["berries"])
        if seat["berry_points"]:
            berries += f" ({' '.join(map(str, seat['berry_points']))})"
        owls = Text()
        for owl in seat["owls"]:
            sign, style = ("●", "green") if owl["active"] else ("○", "dim")
            owls.append(f"{sign}{owl['owl'].replace(' two', '2')} ", style=style)
        voids = Text()
        for colour in seat["voids"]:
            voids.append(f"{colour[0]}", style=STYLES[colour])
        grid.add_row(
            name,
            str(seat["hand_size"]),
            *[str(seat["resources"][kind]) for kind in ("wood", "nut", "maple")],
            berries,
            owls,
            voids,
            str(seat["points"]),
        )
    return grid


def _card(card: str) -> tuple[str, str]:
    return card, STYLES[card.split()[0]]


def _trick(view: dict[str, Any]) -> Text:
    """Draws the trick in the order of play; the winning card is marked."""
    trick = view["table"]["trick"]
    text = Text(f"trick {trick['number']} of {trick['of']}: ", style="bold")
    for k, played in enumerate(trick["cards"]):
        text.append("   " if k else "")
        text.append(f"{_name(view, played['seat'])} ", style="dim")
        card, style = _card(played["card"])
        best = played["card"] == trick["best"]
        text.append(f"[{card}]" if best else card, style=f"bold {style}" if best else style)
    if not trick["cards"]:
        text.append("nothing played yet", style="dim")
    for played in trick["discarded"]:
        text.append(f"   {_name(view, played['seat'])} discards ", style="dim")
        text.append(*_card(played["card"]))
    if trick["rewarding"]:
        text.append("\nrewarding ", style="dim")
        text.append(*_card(trick["rewarding"]))
        text.append(f": {view['table']['rewards'][trick['rewarding']]}", style="dim")
    return text


def _advance(advance: dict[str, Any]) -> Text:
    """Draws the payment being made."""
    text = Text(f"{advance['house']} house, level {advance['level']}: ", style="bold")
    text.append(_units(advance["price"]))
    for said, told in (
        (advance["dropped"], f"less {advance['dropped']}"),
        (advance["switched"], "with switch"),
        (advance["berries"], f"{advance['berries']} paid in blackberries"),
        (advance["wood"], f"{advance['wood']} in wood"),
    ):
        if said:
            text.append(f", {told}")
    return text


def _own(view: dict[str, Any]) -> list[RenderableType]:
    """Draws the viewer's hand by colour, and the cards it passed on or buried."""
    seat = view["table"]["seats"][view["seat"]]
    text = Text("hand: ", style="bold")
    for colour, cards in groupby(seat["hand"], key=lambda card: card.split()[0]):
        numbers = " ".join(card.split()[1] for card in cards)
        text.append(f"{colour} {numbers}   ", style=STYLES[colour])
    if not seat["hand"]:
        text.append("empty", style="dim")
    lines: list[RenderableType] = [text]
    known = []
    for passed in seat["passed"]:
        to = "under the pile" if passed["to"] == "pile" else f"to {_name(view, passed['to'])}"
        known.append(f"{passed['card']} {to}")
    known += [f"{card} buried" for card in seat["buried"]]
    if known:
        lines.append(Text("passed: " + ", ".join(known), style="dim"))
    return lines
