"""Foxden beside named peers, measured in one run: what counts is the ratio, not the machine."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table

import foxden
from foxden.bench import peers
from foxden.engine import doors
from foxden.engine.game import Game
from foxden.engine.kernel import CHECKED, records
from foxden.engine.match import Match
from foxden.engine.rng import split_seed

REPEATS = 5


@dataclass(frozen=True)
class Row:
    """One thing measured: its median and range over repeats."""

    what: str
    who: str
    how: str
    unit: str
    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, Any]:
        """Gives the row as plain data."""
        return asdict(self)


def repeated(what: str, who: str, how: str, unit: str, once: Callable[[], float]) -> Row:
    """Measures a few times, after one run that does not count."""
    once()
    values = [once() for _ in range(REPEATS)]
    return Row(what, who, how, unit, statistics.median(values), min(values), max(values))


def measure(seconds: float, tell: Callable[[str], None]) -> list[Row]:
    """Measures everything, one after another, on one core."""
    if CHECKED:
        raise foxden.FoxdenError("Unset FOXDEN_CHECKS: bounds checks would be measured too.")
    return list(_rows(seconds / REPEATS, tell))


def _rows(seconds: float, tell: Callable[[str], None]) -> Iterator[Row]:
    names = foxden.games()
    for name in names:
        tell(f"random play of {name}")
        yield random_play(foxden.game(name), seconds)
    for peer in peers.random_play(seconds):
        tell(f"random play of {peer.who}")
        yield repeated("random play", peer.who, peer.how, "moves/s", peer.once)
    for name in names:
        tell(f"checked moves of {name}")
        yield checked_moves(foxden.game(name), seconds)
    for peer in peers.checked_moves(seconds):
        tell(f"moves from Python of {peer.who}")
        yield repeated("one move from Python", peer.who, peer.how, "µs", peer.once)
    tell("starting")
    yield from starts(names[0])


def random_play(game: Game, seconds: float) -> Row:
    """Measures whole random matches in compiled code, deals included."""
    seats = game.about.usual
    states = records(game.state, 1)
    out = np.zeros(game.actions, np.int64)
    game.configure(states, 0, seats=seats)
    doors.start(states, 0, *split_seed(1))

    def once() -> float:
        moves, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < seconds:
            moves += doors.play_matches(states, 0, out, 200)
        return moves / spent

    how = f"{seats} seats, whole matches, deal and legal moves included"
    return repeated("random play", f"Foxden {game.name}", how, "moves/s", once)


def checked_moves(game: Game, seconds: float) -> Row:
    """Measures legal + play + legal through the Python API."""
    seats = game.about.usual

    def once() -> float:
        moves, spent, seed = 0, 0.0, 0
        while spent < seconds:
            match = Match(game, seats=seats, seed=seed)
            seed += 1
            begin = time.perf_counter()
            while not match.is_over:
                legal = match.legal()
                match.play(legal[moves % len(legal)])
                moves += 1
            spent += time.perf_counter() - begin
        return spent / moves * 1e6

    how = f"{seats} seats, Match.legal and Match.play"
    return repeated("one move from Python", f"Foxden {game.name}", how, "µs", once)


def starts(name: str) -> Iterator[Row]:
    """Measures starts of new processes, with and without compiled rules at hand."""
    games = [sys.executable, "-m", "foxden", "games"]
    yield repeated("start", "foxden games", "new process", "s", lambda: _timed(games))
    match = [sys.executable, "-m", "foxden", "simulate", name, "--games", "1", "--bots", "greedy"]

    def cold() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return _timed(match, FOXDEN_CACHE=folder)

    what = f"one match of {name}"
    yield repeated("start", what, "new process, rules compiled before", "s", lambda: _timed(match))
    yield repeated("start", what, "new process, rules compiled now", "s", cold)


def _timed(command: list[str], **environment: str) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
    return time.perf_counter() - begin


def report(rows: list[Row]) -> RenderableType:
    """Lays the rows out, each peer's figure as a ratio to every Foxden figure of its kind."""
    tables: list[RenderableType] = []
    for what in dict.fromkeys(row.what for row in rows):
        kind = [row for row in rows if row.what == what]
        rivals = [row for row in kind if not row.who.startswith("Foxden")]
        table = Table(title=what, title_justify="left", title_style="bold", box=None)
        table.add_column("who", overflow="fold")
        table.add_column("median (range)", justify="right")
        compared = [r for r in rivals if r.unit != "s"]
        for rival in compared:
            table.add_column(f"times {rival.who}", justify="right")
        table.add_column("how", overflow="fold", style="dim")
        for row in kind:
            ratios = [_ratio(row, rival) for rival in compared]
            table.add_row(row.who, _range(row), *ratios, row.how)
        tables += [table, ""]
    missing = peers.missing()
    if missing:
        tables.append(f"Not measured, because not installed: {missing}. `make bench` installs it.")
    return Group(*tables)


def _ratio(row: Row, rival: Row) -> str:
    faster = row.value / rival.value if row.unit.endswith("/s") else rival.value / row.value
    return "" if row is rival else f"{faster:.1f} ×"


def _range(row: Row) -> str:
    if row.unit.endswith("/s"):
        return f"{row.value / 1e6:.2f} ({row.low / 1e6:.2f}–{row.high / 1e6:.2f}) M {row.unit}"
    return f"{row.value:.2f} ({row.low:.2f}–{row.high:.2f}) {row.unit}"
