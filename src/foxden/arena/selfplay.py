"""Self-play as training data: every decision of bots, with the result of its match.

Matches are pieces of work like any other here: on this machine or on a cluster, the same file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import foxden
from foxden.arena.chance import deal_seed, dice_seed, draw
from foxden.arena.cluster import Workers
from foxden.arena.extras import MissingPackage
from foxden.arena.ladder import measured
from foxden.arena.tournament import local
from foxden.bots import position_of
from foxden.engine import compiled
from foxden.engine.errors import FoxdenError
from foxden.engine.game import Game
from foxden.engine.match import Match

PIECE = 8  # matches
COLUMNS = ("match", "ply", "seat", "bot", "observation", "legal", "action", "win", "score")


@dataclass(frozen=True)
class SelfPlay:
    """All that decides the data: a longer run begins with the matches of a shorter one."""

    game: str
    bots: tuple[str, ...]  # they take turns at the seats, and move on one seat with each match
    seats: int
    matches: int
    seed: int = field(default_factory=draw)  # of the deals
    luck: int = field(default_factory=draw)  # of the bots
    options: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, Any] = field(default_factory=dict)


class Piece(NamedTuple):
    """Some matches in a row."""

    first: int
    matches: int


def decisions(plan: SelfPlay, piece: Piece) -> dict[str, Any]:
    """Plays a piece; returns columns with a row for each decision that had a choice."""
    game = foxden.game(plan.game)
    compiled.ensure(game)
    bots = [measured(name) for name in plan.bots]
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for number in range(piece.first, piece.first + piece.matches):
        match = Match(
            game,
            seats=plan.seats,
            seed=deal_seed(plan.seed, number),
            options=plan.options,
            parts=plan.parts,
        )
        luck, made = dice_seed(plan.luck, number), []
        while match.to_act is not None:
            seat = match.to_act
            bot = bots[(seat + number) % plan.seats % len(bots)]
            position = position_of(match, seed=luck)
            action = game.action(bot.choose(position))
            if len(position.legal) > 1:
                tensor = np.zeros(game.tensor_size, np.float32)
                compiled.features_of(position.wiped, 0, seat, tensor)
                legal = [one.id for one in position.legal]
                made.append((number, match.ply, seat, bot.name, tensor, legal, action.id))
            match.play(action)
        won, scores = match.winners, match.scores
        for row in made:
            seat = row[2]
            ended = (1 / len(won) if seat in won else 0.0, scores[seat])
            for name, value in zip(COLUMNS, (*row, *ended), strict=True):
                columns[name].append(value)
    return columns


def write_decisions(
    plan: SelfPlay,
    file: Path,
    *,
    workers: Workers | int = 1,
    report: Callable[[int], None] = lambda matches: None,
) -> int:
    """Plays, and writes decisions into a Parquet file in order; returns how many there are.

    `report` gets the number of newly played matches.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingPackage(
            "Parquet files need pyarrow: install it with pip install 'foxden[arena]'."
        ) from error
    game = foxden.game(plan.game)
    game.setup(plan.seats, plan.options, plan.parts)
    bots = [measured(name) for name in plan.bots]
    if len(bots) > plan.seats:
        raise FoxdenError(f"{len(bots)} bots cannot share {plan.seats} seats.")
    pieces = [
        Piece(first, min(PIECE, plan.matches - first)) for first in range(0, plan.matches, PIECE)
    ]
    schema = pa.schema(
        [
            ("match", pa.int32()),
            ("ply", pa.int32()),
            ("seat", pa.int8()),
            ("bot", pa.string()),
            ("observation", pa.list_(pa.float32(), game.tensor_size)),
            ("legal", pa.list_(pa.int16())),
            ("action", pa.int16()),
            ("win", pa.float32()),  # 1/k where k win together
            ("score", pa.int32()),
        ],
        metadata=_facts(game, plan),
    )
    here = local(game, bots, workers) if isinstance(workers, int) else nullcontext(workers)
    waiting: dict[Piece, dict[str, Any]] = {}
    rows = written = 0
    try:
        with here as pool, pq.ParquetWriter(file, schema, compression="zstd") as out:
            for piece, columns in pool.map(decisions, plan, pieces):
                waiting[piece] = columns
                report(piece.matches)
                while written < len(pieces) and pieces[written] in waiting:
                    ready = waiting.pop(pieces[written])
                    rows += len(ready["match"])
                    out.write_table(pa.table(_arrays(ready, schema), schema=schema))
                    written += 1
    except OSError as error:
        raise FoxdenError(f"{file} cannot be written: {error}.") from error
    return rows


def _facts(game: Game, plan: SelfPlay) -> dict[str, str]:
    """Returns what a file says of itself: the plan, and which rules and tensor it is about."""
    told = asdict(plan) | {"seed": str(plan.seed), "luck": str(plan.luck)}
    return {
        "plan": json.dumps(told),
        "rules": str(game.rules_version),
        "tensor": game.tensor_hash,
    }


def _arrays(columns: dict[str, Any], schema: Any) -> list[Any]:
    import pyarrow as pa

    found = []
    for name in COLUMNS:
        values, kind = columns[name], schema.field(name).type
        if name == "observation":
            flat = np.concatenate(values) if values else np.zeros(0, np.float32)
            found.append(pa.FixedSizeListArray.from_arrays(pa.array(flat), kind.list_size))
        else:
            found.append(pa.array(values, kind))
    return found
