"""Puts a trained player into its game's folder, for the tables where it is good.

python3 -m foxden.training.offer RUN/player.npz src/foxden/games/GAME/nets/2.npz 2
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np

from foxden import game
from foxden.bots.net import networks, usual_gap
from foxden.training.plan import Table, read_table
from foxden.training.player import MOST, in_bytes, read_player, write_player
from foxden.training.tables import tables_of


def offer(source: Path, target: Path, tables: list[Table], most: int = MOST) -> None:
    """Copies a player for some of its tables, leaving out those where it is weak or stalls."""
    told, arrays = read_player(source)
    known = [(Table(one["seats"], one["options"]), one) for one in told["tables"]]
    kept = []
    for table in tables:
        fitting = [one for kind, one in known if kind.fits(table.seats, table.options)]
        if not fitting:
            raise ValueError(f"{source} was not trained for {table.name}.")
        kept.append(fitting[0] | {"options": dict(table.options)})
    write_player(target, in_bytes(arrays, most), told | {"tables": kept})


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(offer.__doc__ or ""))
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("table", nargs="+", type=read_table, help="as in 4 or '4 unknown_four=yes'")
    parser.add_argument("--steps", type=int, default=MOST, help="of a weight; fewer, smaller file")
    given = parser.parse_args()
    given.target.parent.mkdir(parents=True, exist_ok=True)
    offer(given.source, given.target, given.table, given.steps)
    measure(given.target)
    return 0


def measure(file: Path) -> None:
    """Plays matches of a shipped player, and records its usual confidence at each table."""
    told, _ = read_player(file)
    networks.cache_clear()
    for table in told["tables"]:
        kind = Table(table["seats"], table["options"])
        setups = [asdict(one) for one in tables_of(game(told["game"]), [kind])]
        table["gap"] = round(usual_gap(game(told["game"]), setups), 3)
    with np.load(file, allow_pickle=False) as data:
        kept = {name: data[name] for name in data.files if name != "told"}
    write_player(file, kept, told)


if __name__ == "__main__":
    sys.exit(main())
