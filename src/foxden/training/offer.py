"""Puts a trained player into its game's folder, for the tables where it is good.

python3 -m foxden.training.offer RUN/player.npz src/foxden/games/GAME/nets/2.npz 2
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from foxden import game
from foxden.bots.net import networks, usual_gap
from foxden.training.plan import Table, read_table
from foxden.training.player import MOST, UNVEILED, in_bytes, read_player, write_player
from foxden.training.tables import tables_of


def offer(source: Path, target: Path, tables: list[Table], most: int = MOST) -> None:
    """Copies a player for some of its tables, which no other network of the game plays then."""
    told, arrays = read_player(source)
    if told.get("tensor_hash") == UNVEILED:
        raise ValueError(f"{source} sees every seat's cards, so no seat may play by it.")
    known = [(Table(one["seats"], one["options"]), one) for one in told["tables"]]
    kept = []
    for table in tables:
        fitting = [one for kind, one in known if kind.fits(table.seats, table.options)]
        if not fitting:
            raise ValueError(f"{source} was not trained for {table.name}.")
        kept.append(fitting[0] | {"options": dict(table.options)})
    # Of two networks for the same table nobody could say which one plays.
    others = [file for file in target.parent.glob("*.npz") if file not in (source, target)]
    smaller = []
    for file in others:
        theirs, stored = _raw(file)
        left = [t for t in theirs["tables"] if Table(t["seats"], t["options"]) not in tables]
        if not left:
            raise ValueError(f"{file} would be left without a table: remove it first.")
        if len(left) < len(theirs["tables"]):
            smaller.append((file, stored, theirs | {"tables": left}))
    write_player(target, in_bytes(arrays, most), told | {"tables": kept})
    for one in smaller:
        write_player(*one)


def _raw(file: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Reads a player's metadata, and its arrays as they are stored."""
    with np.load(file, allow_pickle=False) as data:
        stored = {name: data[name] for name in data.files if name != "told"}
        return json.loads(str(data["told"])), stored


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
    told, stored = _raw(file)
    networks.cache_clear()
    for table in told["tables"]:
        kind = Table(table["seats"], table["options"])
        setups = [asdict(one) for one in tables_of(game(told["game"]), [kind])]
        table["gap"] = round(usual_gap(game(told["game"]), setups), 3)
    write_player(file, stored, told)


if __name__ == "__main__":
    sys.exit(main())
