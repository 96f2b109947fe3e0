"""Pictures for the site, drawn from the code and from stored measurements."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Callable
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

import foxden
from foxden.games import NAMES

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results"
# The runs whose curves are shown: those of each game's latest network.
RUNS = ("happy-fox", "fox-grove", "slyest-fox-3-8", "foxy-and-woolly-2", "fox-and-squirrels-third")

# The path of a move: a module, a function, and what happens there. Each step's function calls the
# next; `check_way` checks the list against the code.
CLIENT = ROOT / "web" / "src" / "api" / "live.svelte.ts"
WAY = (
    ("foxden.server.live", "Socket._answer", "reads the message, checks whose seat it is"),
    ("foxden.server.tables", "Table.play", "hands it to the table's match"),
    ("foxden.server.live_match", "LiveMatch.play", "one move at a time"),
    ("foxden.engine.match", "Match.check", "the rules: legal now, for this seat?"),
    ("foxden.server.store", "Store.append", "writes it to disk, or refuses"),
    ("foxden.server.live_match", "LiveMatch._apply", "only now can anybody see it"),
    ("foxden.server.audience", "Audience.show", "for every seat somebody watches from"),
    ("foxden.engine.match", "Match.play_and_view", "plays it; wipes the state for each seat"),
    ("foxden.server.audience", "Viewer.update", "view and events of one seat"),
    ("foxden.server.live", "Socket.push", "sends them to its sockets"),
)
# Each caller on that path, and the call.
CALLS = (
    ("foxden.server.live", "Socket._answer", "table.play("),
    ("foxden.server.tables", "Table.play", "self.live.play("),
    ("foxden.server.live_match", "LiveMatch.play", "match.check("),
    ("foxden.server.live_match", "LiveMatch.play", "self._append("),
    ("foxden.server.live_match", "LiveMatch._append", "self._store.append("),
    ("foxden.server.live_match", "LiveMatch.play", "self._apply("),
    ("foxden.server.live_match", "LiveMatch._apply", "self._audience.show("),
    ("foxden.server.audience", "Audience.show", "match.play_and_view("),
    ("foxden.server.audience", "Audience.show", 'self.push("update")'),
    ("foxden.server.live", "Socket._made", ".update("),
)


def layers() -> list[list[str]]:
    """Returns the packages from the top down, as import-linter separates them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (rows,) = (one["layers"] for one in contracts if "foxden.engine" in one.get("layers", ()))
    return [[name.strip() for name in row.split("|")] for row in rows]


def rooms() -> str:
    """Draws the packages, each above those it may import."""
    width, height, gap = 720, 46, 14
    parts = []
    y = 8
    for row in layers():
        each = (width - gap * (len(row) - 1)) / len(row)
        for k, name in enumerate(row):
            says = (inspect.getdoc(import_module(name)) or "").split("\n")[0]
            says = says.split(": ", 1)[-1].rstrip(".")
            x = k * (each + gap)
            room = int(each / 6.6)
            if len(says) > room:
                says = says[: room - 1].rsplit(" ", 1)[0].rstrip(",;:") + " …"
            parts.append(_box(x, y, each, height, name.removeprefix("foxden."), says))
        y += height + gap
    title = "The packages of Foxden: each may import those below it"
    return _svg(width, y, title, parts)


def check_way() -> None:
    """Fails if the code no longer follows the path in the picture."""
    for module, name, call in CALLS:
        source = inspect.getsource(_find(module, name))
        if call not in source:
            raise ValueError(f"{module}.{name} no longer calls {call}: fix the picture.")
    for module, name, _ in WAY:
        _find(module, name)
    if "type: 'play'" not in CLIENT.read_text(encoding="utf-8"):
        raise ValueError(f"{CLIENT} no longer sends a play: fix the picture.")


def _find(module: str, name: str) -> Any:
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def way() -> str:
    """Draws what happens between a click and every screen."""
    check_way()
    steps = [("web/src/api/live", "play", "a click on the board becomes a message")]
    steps += [(module, name, says) for module, name, says in WAY]
    steps += [("web/src/games", "Board", "draws the view, moves pieces by the events")]
    width, height, gap = 720, 40, 20
    parts = []
    for k, (where, name, says) in enumerate(steps):
        y = 8 + k * (height + gap)
        label = f"{where.removeprefix('foxden.')} · {name.rsplit('.', 1)[-1].strip('_')}"
        parts.append(_box(90, y, width - 180, height, label, says))
        if k:
            middle = width / 2
            parts.append(f'<path d="M{middle} {y - gap + 1} V{y - 6}" marker-end="url(#arrow)"/>')
    arrow = (
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>'
    )
    title = "The path of a move from a click to every screen"
    return _svg(width, 8 + len(steps) * (height + gap), title, [arrow, *parts])


def curves() -> str:
    """Draws how often networks beat greedy during training."""
    panels = []
    for run in RUNS:
        told = json.loads((ROOT / "training" / "runs" / f"{run}.json").read_text(encoding="utf-8"))
        points = told["curve"]
        plain = [table for table in points[0]["greedy"] if " " not in table]
        lines = [[(p["steps"] / 1e9, p["greedy"][table][0]) for p in points] for table in plain]
        panels.append((foxden.game(told["game"]).title, plain, lines))
    width, height, columns = 340, 190, 2
    parts = []
    for k, (title, tables, lines) in enumerate(panels):
        x, y = k % columns * (width + 30) + 40, k // columns * (height + 70) + 30
        most = max(at for line in lines for at, _ in line)
        parts.append(_label(x, y - 10, title))
        for share in (0, 0.5, 1):
            level = y + height * (1 - share)
            parts.append(f'<path class="grid" d="M{x} {level:.0f} h{width - 50}"/>')
            parts.append(_label(x - 6, level + 4, f"{share:.0%}", "end", "small"))
        parts.append(_label(x + width - 50, y + height + 18, f"{most:.1f} billion", "end", "small"))
        for number, (table, line) in enumerate(zip(tables, lines, strict=True)):
            along = [(x + (width - 50) * at / most, y + height * (1 - won)) for at, won in line]
            drawn = " L".join(f"{a:.1f} {b:.1f}" for a, b in along)
            parts.append(f'<path class="line-{number % 7}" d="M{drawn}"/>')
            beside = y + height - 14 * (len(tables) - number)
            parts.append(
                _label(x + width - 44, beside, f"{table} seats", "start", f"key-{number % 7}")
            )
    rows = -(-len(panels) // columns)
    title = "Wins against greedy during training, by decisions"
    return _svg(columns * (width + 40), rows * (height + 70) + 10, title, parts)


def ladders() -> str:
    """Draws how much stronger each level is than the one below, from the tables on the page."""
    page = (RESULTS / "strength.md").read_text(encoding="utf-8")
    row = re.compile(
        r"^\| (\d [\w ]+) \|[^|]*\| (?!greedy)([\w ]+) \| "
        r"(?:([+-]\d+) \(([+-]\d+) to ([+-]\d+)\)|all of \d+ matches \(([+-]\d+) or more\))",
        re.M,
    )
    parts, y = [], 24.0
    left, width, below, most = 190.0, 500.0, 470, 800

    def at(elo: int) -> float:
        return left + width * (elo + below) / (most + below)

    for name in NAMES:
        section = page.split(f"<!-- levels of {name} -->")[1].split("<!-- end")[0]
        parts.append(_label(0, y, foxden.game(name).title))
        for level, against, elo, low, high, least in row.findall(section):
            y += 20
            parts.append(_label(left - 12, y + 4, f"{level} over {against}", "end", "small"))
            # Who wins every match has no rating, only a bound.
            a, b = at(int(least or low)), left + width if least else at(int(high))
            parts.append(f'<path class="line-0" d="M{a:.0f} {y:.0f} H{b:.0f}"/>')
            if least:
                parts.append(_label(b, y + 4, "\u25b8", "end", "small"))
            else:
                dot = at(int(elo))
                parts.append(f'<circle class="dot" cx="{dot:.0f}" cy="{y:.0f}" r="4"/>')
        y += 34
    for elo in (-400, -200, 0, 200, 400, 600):
        x = at(elo)
        parts.insert(0, f'<path class="grid" d="M{x:.0f} 8 V{y - 24:.0f}"/>')
        parts.append(_label(x, y - 8, f"{elo:+d}" if elo else "0", "middle", "small"))
    title = "Elo of each level over the one below, two seats, with 95 % intervals"
    return _svg(left + width, y + 6, title, parts)


def _label(x: float, y: float, says: str, anchor: str = "start", kind: str = "") -> str:
    return (
        f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(says)}</text>'
    )


def _box(x: float, y: float, width: float, height: float, name: str, says: str) -> str:
    middle = x + width / 2
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height}" rx="8"/>'
        f'<text x="{middle:.0f}" y="{y + height / 2 - 4:.0f}" text-anchor="middle">'
        f"{escape(name)}</text>"
        f'<text class="small" x="{middle:.0f}" y="{y + height / 2 + 13:.0f}" '
        f'text-anchor="middle">{escape(says)}</text>'
    )


def _svg(width: float, height: float, title: str, parts: list[str]) -> str:
    return (
        f'<svg class="drawn" role="img" aria-label="{escape(title)}" '
        f'viewBox="-4 0 {width + 8:.0f} {height:.0f}" width="{width:.0f}">{"".join(parts)}</svg>'
    )


DRAWN: dict[str, Callable[[], str]] = {
    "rooms": rooms,
    "way of a move": way,
    "training curves": curves,
    "ladders": ladders,
}
