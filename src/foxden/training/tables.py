"""The tables behind the kinds of tables that a plan names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foxden.engine.options import ANY
from foxden.training.plan import Table, line_up

if TYPE_CHECKING:
    from foxden.engine.game import Game


def tables_of(game: Game, kinds: Sequence[Table]) -> list[Table]:
    """Lists the tables of some kinds, in turn."""
    from foxden.envs.cuda import every_table

    known = [(kind.seats, dict(kind.options)) for kind in kinds if ANY not in kind.options.values()]
    if len(known) < len(kinds):
        known += [table for table in every_table(game) if table not in known]
    return [Table(*known[place]) for place in line_up(kinds, known)]
