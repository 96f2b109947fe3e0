"""Players as files: a network's arrays in half precision, and all that is known of it.

python3 -m foxden.training.player RUN/player.npz src/foxden/games/GAME/nets/2.npz 2
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from foxden.training.plan import Table, read_table

FORMAT = 1


def write_player(file: Path, arrays: Mapping[str, Any], told: Mapping[str, Any]) -> None:
    """Writes a player, whole or not at all."""
    part = file.with_suffix(".part")
    with part.open("wb") as out:
        facts = json.dumps({**told, "format": FORMAT})
        np.savez_compressed(out, told=np.array(facts), **arrays)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)


def read_player(file: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Reads what `write_player` wrote: what is told, and the arrays."""
    with np.load(file, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    told: dict[str, Any] = json.loads(str(arrays.pop("told")))
    return told, arrays


def offer(source: Path, target: Path, tables: list[Table]) -> None:
    """Copies a player for some of its tables: where it is weak or stalls it is not to play."""
    told, arrays = read_player(source)
    known = {Table(one["seats"], one["options"]).name: one for one in told["tables"]}
    strange = [table.name for table in tables if table.name not in known]
    if strange:
        raise ValueError(f"{source} was not trained for {', '.join(strange)}.")
    write_player(target, arrays, told | {"tables": [known[table.name] for table in tables]})


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(offer.__doc__ or ""))
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("table", nargs="+", type=read_table, help="as in 4 or '4 unknown_four=yes'")
    given = parser.parse_args()
    given.target.parent.mkdir(parents=True, exist_ok=True)
    offer(given.source, given.target, given.table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
