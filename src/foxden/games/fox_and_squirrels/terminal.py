"""A Game of Fox & Squirrels in a terminal, drawn from a view alone."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

WIDTH = 80
SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
STYLES = {"c": "bright_white", "d": "bright_red", "h": "bright_red", "s": "bright_white"}
FOX_STYLE = "bold dark_orange"
LONGEST = 30  # longest name on a frame
DISCARDS = 12  # cards of the discard pile to draw, from its top


def draw(view: dict[str, Any]) -> RenderableType:
    """Draws the table: the middle first, then the others, the viewer last."""
    seats = len(view["table"]["seats"])
    first = 0 if view["seat"] is None else view["seat"] + 1
    parts: list[RenderableType] = [_heading(view), _middle(view)]
    parts += [_seat(view, (first + k) % seats) for k in range(seats)]
    return Group(*parts)


def _card(name: str) -> Text:
    """Writes a card with its suit's sign, in its suit's colour."""
    if name == "fox":
        return Text("fox", style=FOX_STYLE)
    return Text(name[:-1].upper() + SIGNS[name[-1]], style=STYLES[name[-1]])


def _cards(names: list[str]) -> Text:
    return Text(" ").join(_card(name) for name in names)


def _acorns(n: int) -> str:
    return f"{n} acorn" if n == 1 else f"{n} acorns"


def _heading(view: dict[str, Any]) -> Text:
    table = view["table"]
    text = Text("Fox & Squirrels", style="bold")
    text.append(f"  {table['season']} ({table['round']} of 3), turn {table['turn']}")
    text.append(f"  bonus {table['bonus']}", style="dim")
    if table["heap"] is not None:
        text.append(f"  common heap: {_acorns(table['heap'])}", style="bold yellow")
    return text


def _middle(view: dict[str, Any]) -> Panel:
    """Draws the deck, and the discard pile with its top card."""
    table = view["table"]
    deck = Text(f"{table['deck']} cards", style="bold")
    if table["deck_foxes"]:
        deck.append(f", with foxes: {table['deck_foxes']}", style=FOX_STYLE)
    if table["reforms"]:
        deck.append(
            f"  reshuffled {table['reforms']} of {table['reforms_most']} times", style="dim"
        )
    if table["last_turn"] and table["phase"] != "over":
        deck.append("  last turn of the round", style="bold red")
    discard = Text()
    if table["top"] is None:
        discard.append("empty", style="dim")
    else:
        top = _card(table["top"])
        discard.append_text(Text.assemble("[", top, "]", style="bold reverse"))
        under = table["discard"][-2 : -2 - DISCARDS : -1]
        if under:
            discard.append(" on ", style="dim")
            discard.append_text(_cards(under))
        if len(table["discard"]) > 1 + len(under):
            discard.append(f" … {len(table['discard'])} cards", style="dim")
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim", width=7)
    grid.add_column()
    grid.add_row("deck", deck)
    grid.add_row("discard", discard)
    return Panel(grid, border_style="dim", width=WIDTH)


def _seat(view: dict[str, Any], seat: int) -> Panel:
    """Draws one seat: name, acorns and cards on the frame, piles and known cards inside."""
    table = view["table"]
    place = table["seats"][seat]
    mine = seat == view["seat"]
    asked = view["to_act"] == seat
    title = Text()
    title.append("▶ " if asked else "")
    name = view["names"][seat]
    title.append(name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…", style="bold")
    title.append(" (you)" if mine and name != "You" else "")
    if place["acorns"] is not None:
        title.append(f"  {_acorns(place['acorns'])}", style="bold yellow")
    title.append(f"  hand {place['hand_size']}  piles {len(place['piles'])}")
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim", width=7)
    grid.add_column()
    grid.add_row("piles", _piles(view, seat))
    if place["dare"]:
        grid.add_row("dare", Text(view["options"]["dares"][place["dare"] - 1], style=FOX_STYLE))
    if place["shown"]:
        grid.add_row("known", _cards(place["shown"]))
    if mine:
        hand = place["hand"]
        grid.add_row("hand", _cards(hand) if hand else Text("empty", style="dim"))
        if hand:
            grid.add_row("by suit", _by_suit(hand))
    return Panel(
        grid,
        title=title,
        title_align="left",
        subtitle="dealer" if table["dealer"] == seat else None,
        subtitle_align="right",
        border_style="green" if asked else "dim",
        width=WIDTH,
    )


def _by_suit(hand: list[str]) -> Text:
    suits = [[card for card in hand if card[-1] == suit] for suit in SIGNS]
    return Text("   ").join(_cards(cards) for cards in suits if cards)


def _piles(view: dict[str, Any], seat: int) -> Text:
    """Draws a seat's piles with their numbers, and the viewer's cards that can claim each."""
    table = view["table"]
    viewer = view["seat"]
    hand = [] if viewer is None else table["seats"][viewer]["hand"]
    text = Text()
    for pile in table["piles"]:
        if pile["owner"] != seat:
            continue
        chunk = Text(f"#{pile['number']}\N{NO-BREAK SPACE}", style="bold")
        chunk.append_text(_pile(pile))
        claims = [card for card in pile["wants"] if card in hand and seat != viewer]
        if claims:
            chunk.append("←", style="bold green")  # the viewer can claim it, with …
            chunk.append_text(Text("/").join(_card(card) for card in claims))
        text.append("   " if text else "")
        text.append_text(chunk)
    return text if text else Text("none", style="dim")


def _pile(pile: dict[str, Any]) -> Text:
    """Writes a pile in short form, so it never wraps: 9♣♥♥, 6♣–8♣."""
    cards = pile["cards"]
    if pile["kind"] == "run":
        return Text.assemble(_card(cards[0]), "–", _card(cards[-1]))
    text = Text(cards[0][:-1].upper())
    for card in cards:
        text.append(SIGNS[card[-1]], style=STYLES[card[-1]])
    return text
