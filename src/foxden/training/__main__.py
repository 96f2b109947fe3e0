"""Trains on a card where Foxden's rules are not installed, from a folder of exported kernels.

python3 -m foxden.training FOLDER RUNS GAME --tables 2,4 --iterations 400 [--set lesson=20 …]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from foxden.envs.card import CardEnv, Kernel
from foxden.training.plan import Plan, Table, line_up, read_settings, read_table
from foxden.training.run import Run


def card_env(kernel: Kernel, tables: tuple[Table, ...], num_envs: int, **what: Any) -> CardEnv:
    """Makes matches at tables that were exported."""
    sheets = kernel.sheet["tables"]
    places = line_up(tables, [(sheet["seats"], sheet["options"]) for sheet in sheets])
    states = [bytes.fromhex(sheets[place]["state"]) for place in places]
    return CardEnv(kernel, num_envs, states, skip_forced=True, **what)


def main() -> int:
    """Reads the command line and runs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("kernels", type=Path, help="the folder that was exported")
    parser.add_argument("runs", type=Path, help="where this run's folder is, or will be")
    parser.add_argument("game")
    parser.add_argument("--tag", help="the run's name, the game's unless given")
    parser.add_argument("--tables", type=lambda text: tuple(map(read_table, text.split(","))))
    parser.add_argument("--iterations", type=int, required=True)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop then, ready to resume")
    parser.add_argument("--start", type=Path, help="a player to begin with")
    parser.add_argument(
        "--rival",
        type=Path,
        action="append",
        default=[],
        help="a player that is a guest, forever as it is; repeat it",
    )
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--commit", default="")
    given = parser.parse_args()
    begin = time.perf_counter()
    kernel = Kernel.read(given.kernels, given.game)
    sheet = kernel.sheet
    tables = given.tables or (Table(sheet["usual"]),)
    settings = dict(pair.split("=", 1) for pair in given.set)
    plan = Plan(
        given.game,
        tables,
        given.iterations,
        rivals=len(given.rival),
        **read_settings(settings),
    )
    facts = {name: sheet[name] for name in ("rules_version", "tensor_hash", "parts_hash")}
    run = Run(
        plan,
        given.runs / (given.tag or given.game),
        partial(card_env, kernel, plan.tables),
        facts=facts | {"commit": given.commit},
        report=partial(print, flush=True),
    )
    if not (given.resume and run.resume()):
        run.begin(given.start, given.rival)
    print(f"{plan.game}: set up in {time.perf_counter() - begin:.1f} s", flush=True)
    done = run.go(given.seconds)
    if done or given.seconds < 1e9:
        for temperature in (0.0, 1.0):
            for rival, found in run.final(temperature=temperature).items():
                marks = {name: mark.plain for name, mark in found.items()}
                how = f"temperature {temperature:g}, against {rival}"
                print(f"{plan.game} end, {how}: {json.dumps(marks)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
