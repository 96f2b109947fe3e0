"""The Slyest Fox in a terminal, drawn from a view alone."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

WIDTH = 80
STYLES = {
    "gossip": "magenta",
    "trap": "yellow",
    "universal-attack": "bright_red",
    "sneaky-attack": "bright_red",
    "weasel": "bright_cyan",
    "enough": "bright_white",
    "facts": "green",
    "caution": "blue",
    "universal-defence": "bright_green",
    "sneaky-defence": "bright_green",
    "dont-care": "cyan",
    "stop-it": "bright_white",
}
TEAM_SIGNS = {"gossip": "◆ gossip", "trap": "▲ trap"}


def draw(view: dict[str, Any]) -> RenderableType:
    """Draws the table: decks, the attack, one line a seat, and the viewer's own hand."""
    table = view["table"]
    parts: list[RenderableType] = [_heading(view), _piles(table)]
    if table["attack"]:
        parts.append(_attack(view))
    parts.append(_seats(view))
    if view["seat"] is not None:
        parts.append(_own_hand(view))
    return Group(*parts)


def _heading(view: dict[str, Any]) -> Text:
    table = view["table"]
    text = Text("The Slyest Fox", style="bold")
    text.append(f"  {view['names'][table['on_turn']]}'s turn", style="dim")
    if table["duel"]:
        text.append("  two players left: 2 to 6 cards, no characters", style="yellow")
    if table["quiet_turns"] * 2 >= table["quiet_limit"]:
        left = table["quiet_limit"] - table["quiet_turns"]
        text.append(f"  the match ends after {left} more quiet turns", style="yellow")
    return text


def _piles(table: dict[str, Any]) -> Table:
    """Draws decks and discard piles."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=8)
    grid.add_column(width=8)
    grid.add_column(width=WIDTH - 18)
    for name in ("attack", "defence"):
        deck = f"{table['decks'][name]:>3} left"
        grid.add_row(Text(name, style="bold"), Text(deck, style="dim"), _pile(table, name))
    return grid


def _pile(table: dict[str, Any], name: str) -> Text:
    text = Text("discarded: ", style="dim")
    return text.append_text(_cards(table["discards"][name]))


def _cards(cards: dict[str, int], several: str = "  ") -> Text:
    text = Text()
    for k, (card, n) in enumerate(cards.items()):
        count = f"{n}×" if n > 1 else ""
        text.append(f"{several if k else ''}{count}{card}", style=STYLES[card])
    return text if cards else Text("none", style="dim")


def _attack(view: dict[str, Any]) -> Panel:
    """Draws the current attack: the balance, and who has played what."""
    table, names = view["table"], view["names"]
    attack = table["attack"]
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=20, no_wrap=True, overflow="ellipsis")
    grid.add_column(width=WIDTH - 26)
    for seat, place in enumerate(table["seats"]):
        played = _cards(place["played"]) if place["played"] else Text()
        if place["character_used"]:
            played.append("  " * bool(place["played"]) + place["character"], style="bold")
        if played:
            grid.add_row(names[seat], played)
    if attack["stopped_by"] is not None:
        grid.add_row(Text("stop it!", style="bold"), names[attack["stopped_by"]])
    title = Text.assemble(
        (f"{attack['type']}", STYLES[attack["type"]]),
        f"  {names[attack['by']]} → {names[attack['target']]}  ",
        (f"{attack['attacks']} : {attack['defences']}", "bold"),
    )
    closed = "nobody may interfere" if attack["interfering_stopped"] else None
    return Panel(grid, title=title, title_align="left", subtitle=closed, width=WIDTH)


def _seats(view: dict[str, Any]) -> Table:
    """Draws one line for each seat; hand sizes only if the table shows them (SF-36)."""
    table = view["table"]
    sizes = view["options"]["show_hand_sizes"]
    grid = Table(box=None, padding=(0, 1), width=WIDTH, header_style="dim")
    grid.add_column("", width=1)
    grid.add_column("seat", ratio=3, no_wrap=True, overflow="ellipsis")
    grid.add_column("lives", width=5)
    grid.add_column("marks", width=9)
    grid.add_column("character", width=15)
    if sizes:
        grid.add_column("cards", width=5, justify="right")
    grid.add_column("", ratio=4)
    for seat, place in enumerate(table["seats"]):
        cells: list[RenderableType] = [
            Text("▶" if view["to_act"] == seat else "", style="bold green"),
            _name(view, seat),
            Text("♥" * place["lives"] or "out", style="red" if place["lives"] else "dim"),
            _marks(place),
            _character(place),
        ]
        if sizes:
            cells.append(str(place["hand_size"]))
        grid.add_row(*cells, _notes(view, seat), style="dim" if place["eliminated"] else "")
    return grid


def _name(view: dict[str, Any], seat: int) -> Text:
    name = view["names"][seat]
    mine = seat == view["seat"]
    text = Text(f"{seat} {name}", style="bold" if mine else "")
    return text.append(" (you)", style="dim") if mine and name != "You" else text


def _marks(place: dict[str, Any]) -> Text:
    text = Text("G" * place["gossiped"], style="magenta")
    return text.append("T" * place["trapped"], style="yellow")


def _character(place: dict[str, Any]) -> Text:
    if place["character"] is None:
        return Text("?", style="dim")
    return Text(place["character"], style="" if place["character_open"] else "italic")


def _notes(view: dict[str, Any], seat: int) -> Text:
    """Describes what else lies there: team, protection, and publicly known cards."""
    place = view["table"]["seats"][seat]
    notes = []
    if place["team"]:
        notes.append(Text(TEAM_SIGNS[place["team"]], style=STYLES[place["team"]]))
    if place["protected"]:
        notes.append(Text("I don't care", style="cyan"))
    if place["eliminated"] and place["hand_size"]:
        notes.append(Text("still interferes", style="bright_cyan"))
    if place["known"] and place["known"]["cards"]:
        notes.append(Text("has ").append_text(_cards(place["known"]["cards"], ", ")))
    return Text("  ").join(notes)


def _own_hand(view: dict[str, Any]) -> Panel:
    place = view["table"]["seats"][view["seat"]]
    size = place["hand_size"]
    title = f"your hand: {size} card{'s' * (size != 1)}, {place['character']}"
    if not place["character_open"]:
        title += " (secret)"
    return Panel(_cards(place["hand"], "   "), title=title, title_align="left", width=WIDTH)
