"""Foxden beside named peers, measured in one run: compare ratios, not machines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import foxden
from foxden.bench import ours, peers
from foxden.bench.report import plot, report
from foxden.bench.row import REPEATS, Row, Task, measure_in_turn
from foxden.engine.kernel import CHECKED

__all__ = ["SECTIONS", "Row", "Task", "measure", "plot", "report"]


def measure(seconds: float, tell: Callable[[str], None]) -> list[Row]:
    """Measures everything, section by section."""
    if CHECKED:
        raise foxden.FoxdenError("Unset FOXDEN_CHECKS: bounds checks would be measured too.")
    rows = []
    for section in SECTIONS:
        rows += measure_in_turn(list(section(seconds / REPEATS)), tell)
    return rows


def random_play(seconds: float) -> Iterator[Task]:
    """Whole random matches."""
    for name in foxden.games():
        yield ours.random_play(foxden.game(name), seconds)
    yield from peers.random_play(seconds)


def keyed_play(seconds: float) -> Iterator[Task]:
    """The cost of deals that nobody can compute."""
    for name in foxden.games():
        yield ours.keyed_play(foxden.game(name), seconds)


def single_moves(seconds: float) -> Iterator[Task]:
    """One checked move from Python: with everything a match keeps, and with ids alone."""
    for name in foxden.games():
        yield ours.checked_moves(foxden.game(name), seconds)
    yield from peers.one_move(seconds)
    for name in foxden.games():
        yield ours.moves_by_ids(foxden.game(name), seconds)
    yield from peers.moves_by_ids(seconds)


def search(seconds: float) -> Iterator[Task]:
    """Tree search with random rollouts, from the deal and at an equal distance from the end."""
    for way in (None, ours.WAY):
        for name in foxden.games():
            game = foxden.game(name)
            # The fewest seats compare with peers for two, the usual number with peers for four.
            for seats in dict.fromkeys((game.seats[0], game.about.usual)):
                yield ours.search(game, seats, way, seconds)
        yield from peers.search(way, seconds)


def stepping(seconds: float) -> Iterator[Task]:
    """Many matches at once."""
    cores = len(os.sched_getaffinity(0))
    for threads in sorted({1, cores}):
        for name in foxden.games():
            yield ours.stepping(foxden.game(name), seconds, threads)
    yield from peers.stepping(seconds)


def statistics(seconds: float) -> Iterator[Task]:
    """The cost of the laboratory's statistics."""
    for name in foxden.games():
        yield ours.statistics(foxden.game(name), seconds)


def memory(seconds: float) -> Iterator[Task]:
    """The memory of one match."""
    for name in foxden.games():
        yield from ours.memory(foxden.game(name))
    yield from peers.memory()


def starts(seconds: float) -> Iterator[Task]:
    """New processes; the first game of the list stands for all."""
    yield from ours.starts(foxden.games()[0])
    yield from peers.starts()


# The sections, in order. A new kind of row is one more function: it yields Foxden's tasks, then
# the peers', all with the same `what`.
SECTIONS: tuple[Callable[[float], Iterator[Task]], ...] = (
    random_play,
    keyed_play,
    single_moves,
    search,
    stepping,
    statistics,
    memory,
    starts,
)
