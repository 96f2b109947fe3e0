"""Trains a network to choose as a recorded bot does, so that it can be a rival in training.

foxden self-play happy-fox --bots search:10000,net:drawn --seats 2 --out search.parquet
python3 -m foxden.training.imitate search.parquet search.npz --bot search:10000

It also learns from several files: matches with different numbers of seats, for example.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as functional

from foxden import game
from foxden.training.learner import CLOSED
from foxden.training.network import Network
from foxden.training.plan import Plan
from foxden.training.player import read_player, write_player

WIDTH, DEPTH = Plan.width, Plan.depth
LOOKS = 20_000  # about so many observations set the inputs' scale
BATCH = 1024
RATE = 1e-3
UNSEEN = 20  # one match of so many is not learnt from, but tells how good the imitation is


@dataclass
class Decisions:
    """Recorded decisions of one bot."""

    plans: list[dict[str, Any]]  # of the self-play that they are from
    matches: torch.Tensor
    observations: torch.Tensor  # half precision
    closed: torch.Tensor  # whether an action is illegal
    actions: torch.Tensor
    results: torch.Tensor  # 1 for a win, and even for each table's average


def read_decisions(file: Path, bot: str) -> Decisions:
    """Reads what `foxden self-play` wrote."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    data = pq.ParquetFile(file)
    facts = {k.decode(): v.decode() for k, v in (data.schema_arrow.metadata or {}).items()}
    if not {"plan", "tensor", "rules"} <= facts.keys():
        raise ValueError(f"{file} was not written by `foxden self-play`.")
    plan = json.loads(facts["plan"])
    rules = game(plan["game"])
    if facts["tensor"] != rules.tensor_hash or int(facts["rules"]) != rules.rules_version:
        raise ValueError(f"{file} was recorded with other rules or another tensor.")
    parts: list[tuple[Any, ...]] = []
    for batch in data.iter_batches():
        rows = batch.filter(pc.equal(batch["bot"], bot))
        if not len(rows):
            continue
        seen = rows["observation"].flatten().to_numpy().reshape(len(rows), -1)
        closed = np.ones((len(rows), rules.actions), bool)
        legal = rows["legal"]
        closed[np.repeat(np.arange(len(rows)), legal.value_lengths()), legal.flatten()] = False
        told = (rows[name].to_numpy() for name in ("action", "win", "match"))
        parts.append((seen.astype(np.float16), closed, *told))
    if not parts:
        raise ValueError(f"{file} has no decisions of {bot!r}; it has {plan['bots']}.")
    columns = [torch.from_numpy(np.concatenate(column)) for column in zip(*parts, strict=True)]
    observations, closed, actions, wins, matches = columns
    even = 1 / plan["seats"]
    results = (wins - even) / (1 - even)
    return Decisions([plan], matches, observations, closed, actions.long(), results)


def join(parts: Sequence[Decisions]) -> Decisions:
    """Puts decisions of one game's tables together."""
    plans = [plan for part in parts for plan in part.plans]
    games = sorted({plan["game"] for plan in plans})
    if len(games) > 1:
        raise ValueError(f"A network learns one game, not {' and '.join(games)}.")
    matches, past = [], 0
    for part in parts:
        matches.append(part.matches + past)
        past += int(part.matches.max()) + 1
    names = ("observations", "closed", "actions", "results")
    columns = (torch.cat([getattr(part, name) for part in parts]) for name in names)
    return Decisions(plans, torch.cat(matches), *columns)


def imitate(
    data: Decisions, actions: int, *, epochs: int, seed: int, start: Path | None = None
) -> tuple[Network, float]:
    """Returns a network, and how many choices of unseen matches it has right."""
    torch.manual_seed(seed)
    size = data.observations.shape[1]
    network = Network(size, WIDTH, DEPTH, [actions, 1])
    some = data.observations[:: max(1, len(data.observations) // LOOKS)].float()
    network.scale_inputs(some.mean(0), some.std(0), some.abs().amax(0))
    if start:
        network.take(read_player(start)[1])
    rate = RATE / 4 if start else RATE
    width = len(network.mean)

    def ask(rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = functional.pad(data.observations[rows].float(), (0, width - size))
        logits, value = network(seen)
        return logits.masked_fill(data.closed[rows], CLOSED), value[:, 0]

    known = (data.matches % UNSEEN != 0).nonzero()[:, 0]
    unseen = (data.matches % UNSEEN == 0).nonzero()[:, 0]
    optimizer = torch.optim.Adam(network.parameters(), rate)
    rounds = epochs * math.ceil(len(known) / BATCH)
    done = 0
    for _ in range(epochs):
        for rows in known[torch.randperm(len(known))].split(BATCH):
            optimizer.param_groups[0]["lr"] = rate * (1 - done / rounds)
            logits, value = ask(rows)
            loss = functional.cross_entropy(logits, data.actions[rows])
            loss = loss + 0.25 * functional.mse_loss(value, data.results[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            done += 1
    with torch.no_grad():
        right = [(ask(r)[0].argmax(1) == data.actions[r]).float() for r in unseen.split(BATCH)]
    return network, float(torch.cat(right).mean()) if right else 0.0


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("data", type=Path, nargs="+", help="what `foxden self-play` wrote")
    parser.add_argument("player", type=Path)
    parser.add_argument("--bot", required=True, help="whose decisions, as in search:10000")
    parser.add_argument("--start", type=Path, help="a player to begin with")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    data = join([read_decisions(file, given.bot) for file in given.data])
    rules = game(data.plans[0]["game"])
    how = {"epochs": given.epochs, "seed": given.seed, "start": given.start}
    network, right = imitate(data, rules.actions, **how)
    told = {
        "game": rules.name,
        "tables": [{"seats": plan["seats"], "options": plan["options"]} for plan in data.plans],
        "rules_version": rules.rules_version,
        "tensor_hash": rules.tensor_hash,
        "parts_hash": rules.parts_hash,
        "seed": given.seed,
        "steps": len(data.actions),
        "layers": DEPTH,
        "imitates": given.bot,
        "right": round(right, 4),
        "recorded": data.plans,
    }
    write_player(given.player, network.arrays(rules.tensor_size), told)
    learnt = f"{len(data.actions):,} choices of {given.bot}"
    print(f"{rules.name}: learnt from {learnt}; {right:.1%} of unseen ones right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
