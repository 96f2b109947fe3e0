"""A tournament as a Parquet file: a row for each seat of each match, typed, for data tools."""

from __future__ import annotations

from pathlib import Path

from foxden.arena.extras import MissingPackage
from foxden.arena.tournament import Outcome
from foxden.engine.errors import FoxdenError


def write_parquet(outcome: Outcome, file: Path) -> None:
    """Writes every match of a tournament."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingPackage(
            "Parquet files need pyarrow: install it with pip install 'foxden[arena]'."
        ) from error
    schema = pa.schema(
        [
            ("game", pa.string()),
            ("deal", pa.int32()),
            ("rotation", pa.int8()),
            ("seed", pa.string()),  # digits: it has more than 64 bits
            ("seat", pa.int8()),
            ("bot", pa.string()),
            ("score", pa.int32()),
            ("win", pa.float64()),  # 1/k where k win together
            ("plies", pa.int32()),
            ("faults", pa.list_(pa.string())),  # of the bot in this match, at whichever seat
        ],
        metadata={"plan": outcome.plan.digest(), "seats": str(outcome.plan.seats)},
    )
    rows = [
        {
            "game": outcome.plan.game,
            "deal": one.deal,
            "rotation": one.rotation,
            "seed": str(one.seed),
            "seat": seat,
            "bot": outcome.plan.bots[bot],
            "score": one.scores[seat],
            "win": one.wins[seat],
            "plies": one.plies,
            "faults": [what for number, what in one.faults if number == bot],
        }
        for one in outcome.matches
        for seat, bot in enumerate(one.bots)
    ]
    try:
        pq.write_table(pa.Table.from_pylist(rows, schema), file)
    except OSError as error:
        raise FoxdenError(f"{file} cannot be written: {error}.") from error
