"""The tables behind the kinds of tables that a plan names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from foxden.engine.options import ANY
from foxden.training.plan import Table

if TYPE_CHECKING:
    from foxden.engine.game import Game


def line_up(kinds: Sequence[Table], known: Sequence[tuple[int, Mapping[str, str]]]) -> list[int]:
    """Lists known tables, by their places, so that the kinds take turns.

    Every kind comes an odd number of times, so that a network which plays every second of its
    matches from the first seat does so at each table.
    """
    found = [[k for k, table in enumerate(known) if kind.fits(*table)] for kind in kinds]
    for kind, places in zip(kinds, found, strict=True):
        if not places:
            raise ValueError(f"No table {kind.name!r} is known; see the options of the game.")
    rounds = max(map(len, found))
    rounds += rounds % 2 == 0
    return [places[turn % len(places)] for turn in range(rounds) for places in found]


def tables_of(game: Game, kinds: Sequence[Table]) -> list[Table]:
    """Lists the tables of some kinds, in turn."""
    from foxden.envs.cuda import every_table

    known = [(kind.seats, dict(kind.options)) for kind in kinds if ANY not in kind.options.values()]
    if len(known) < len(kinds):
        known += [table for table in every_table(game) if table not in known]
    return [Table(*known[place]) for place in line_up(kinds, known)]
