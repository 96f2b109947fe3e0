"""Foxy & Woolly in a terminal, drawn from a view alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

WIDTH = 80
ROW_NAMES = ("top", "mid", "low")
ROWS_IN_WORDS = {"top": "top", "mid": "middle", "low": "bottom"}
WOLF, TOKEN, SHEEP, CUBE = "bright_red", "yellow", "bold bright_white", "bright_blue"


def draw(view: dict[str, Any]) -> RenderableType:
    """Draws the line of tokens, the field, and the farms side by side."""
    table = view["table"]
    parts: list[RenderableType] = [_line(table), _field(view)]
    farms = Table.grid()
    for _ in table["seats"]:
        farms.add_column()
    farms.add_row(*(_seat(view, seat) for seat in range(len(table["seats"]))))
    parts.append(farms)
    if table["result"]:
        parts.append(_result(view))
    return Group(*parts)


def _line(table: dict[str, Any]) -> Text:
    """Draws the tokens in order: past ones dim, the one on offer highlighted."""
    text = Text("Foxy & Woolly ", style="bold")
    for place, token in enumerate(table["line"]):
        wolf = token.startswith("wolf")
        style = WOLF if wolf else TOKEN
        if place < table["at"]:
            style = "dim"
        elif place == table["at"]:
            style = f"bold {style} reverse"
        text.append(f" {token.removeprefix('wolf ')} " if wolf else f" {token} ", style=style)
    return text


def _field(view: dict[str, Any]) -> Text:
    """Describes the field and the current question."""
    table, names = view["table"], view["names"]
    text = Text("field ", style="dim")
    text.append(_cubes(table["field"]), style=CUBE)
    if table["offer"]:
        text.append("   on offer ", style="dim")
        style = WOLF if table["offer"].startswith("wolf") else TOKEN
        text.append(_named(table["offer"]), style=f"bold {style}")
    if table["auction"] and table["auction"]["bidder"] is not None:
        bid = f"{table['auction']['high']} by {names[table['auction']['bidder']]}"
        text.append("   highest bid ", style="dim")
        text.append(bid, style="bold")
    if table["danger"]:
        slot = table["danger"]["slot"]
        where = f"slot {slot}" if slot else "an empty row"
        text.append(f"   {_named(table['danger']['wolf'])} at {where}", style=f"bold {WOLF}")
    text.append(f"   out of the game: {', '.join(table['out']) or 'none'}", style="dim")
    return text


def _named(token: str) -> str:
    """Names a token for people: wolf 5, bottom-row wolf, gun."""
    row = ROWS_IN_WORDS.get(token.removeprefix("wolf "))
    return f"{row}-row wolf" if row else token


def _cubes(n: int) -> str:
    return f"{n} cube" if n == 1 else f"{n} cubes"


def _seat(view: dict[str, Any], seat: int) -> Panel:
    """Draws one farm with what lies beside it."""
    table = view["table"]
    place = table["seats"][seat]
    asked = view["to_act"] == seat
    won = seat in view.get("winners", ())
    name = view["names"][seat]
    if seat == view["seat"] and name != "You":
        name += " (you)"
    lines = [_row(table, seat, row) for row in ROW_NAMES]
    counts = Text(_cubes(place["cubes"]), style=CUBE)
    counts.append(f"  {place['score']} pts", style="dim")
    lines += [Text(), counts]
    if place["passed"]:
        lines.append(Text("passed", style="dim"))
    lines += [Text(token, style=TOKEN) for token in place["tokens"]]
    lines += [Text(f"{used['token']} on {used['slot']}", style="dim") for used in place["used"]]
    return Panel(
        Group(*lines),
        title=Text(("▶ " if asked else "★ " if won else "") + name, style="bold"),
        title_align="left",
        border_style="green" if asked or won else "dim",
        width=WIDTH // len(table["seats"]) if len(table["seats"]) > 2 else 28,
    )


def _row(table: dict[str, Any], seat: int, row: str) -> Text:
    """Draws a row: numbers of slots with a sheep, dots for empty ones, wolves at their end."""
    place, danger = table["seats"][seat], table["danger"]
    text = Text()
    for number in table["farm"]["rows"][row]:
        here = number in place["sheep"]
        hunted = danger and danger["seat"] == seat and danger["slot"] == number
        style = f"bold {WOLF} reverse" if hunted else SHEEP if here else "dim"
        text.append(f" {number if here else '·'} ", style=style)
    wolves = "W" * place["row_wolves"].count(row)
    if table["farm"]["wolf_side"] == "left":
        return Text.assemble((f"{wolves:<2}", WOLF), text)
    return Text.assemble(text, (f" {wolves}", WOLF))


def _result(view: dict[str, Any]) -> Table:
    """Draws each seat's count: sheep, tokens and free cubes."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", max_width=16, no_wrap=True)
    grid.add_column(justify="right", style="bold")
    grid.add_column()
    for seat, count in enumerate(view["table"]["result"]):
        grid.add_row(view["names"][seat], str(count["score"]), Text("; ".join(_counted(count))))
    return grid


def _counted(count: dict[str, Any]) -> list[str]:
    """Lists the parts of one seat's points."""
    lines = [f"moved {move['from']} → {move['to']} ({move['token']})" for move in count["moves"]]
    for does, where in (("watched", "with a cube"), ("alone", "without")):
        slots = [sheep["slot"] for sheep in count["sheep"] if sheep["does"] == does]
        if slots:
            lines.append(f"sheep {_numbers(reversed(slots))} {where} = {_points(count, does)}")
    for token in count["tokens"]:
        laid = [f"sheep {_numbers(token['sheep'])}"] if token["sheep"] else []
        if token["cubes"]:
            laid.append(_cubes(token["cubes"]))
        if token["token"] == "flock":
            laid = [f"{count['surviving']} alive"]
        lines.append(f"{token['token']} {', '.join(laid) or 'empty'} = {token['points']}")
    if count["free"]["cubes"]:
        lines.append(f"{_cubes(count['free']['cubes'])} free = {count['free']['points']}")
    return lines


def _numbers(slots: Iterable[int]) -> str:
    return " ".join(map(str, slots))


def _points(count: dict[str, Any], does: str) -> int:
    return sum(sheep["points"] for sheep in count["sheep"] if sheep["does"] == does)
