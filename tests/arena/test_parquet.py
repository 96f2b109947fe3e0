"""Tournaments as Parquet files."""

import sys
from pathlib import Path

import pytest

import foxden
from foxden.arena.extras import MissingPackage
from foxden.arena.parquet import write_parquet
from foxden.arena.tournament import Outcome, Plan, run
from foxden.bots import find_bot


def played() -> Outcome:
    plan = Plan(game="happy-fox", bots=("greedy", "random"), seats=3, deals=2, seed=1)
    bots = [find_bot("greedy"), find_bot("random")]
    return run(foxden.game("happy-fox"), bots, plan)


def test_every_seat_of_every_match_is_a_row(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet files need pyarrow")
    found, file = played(), tmp_path / "matches.parquet"
    write_parquet(found, file)
    rows = parquet.read_table(file).to_pylist()
    assert len(rows) == 2 * 3 * 3
    first = [row for row in rows if (row["deal"], row["rotation"]) == (0, 0)]
    assert tuple(row["score"] for row in first) == found.matches[0].scores
    assert [row["bot"] for row in first] == [found.plan.bots[b] for b in found.matches[0].bots]
    assert sum(row["win"] for row in rows) == pytest.approx(6)
    assert all(row["faults"] == [] for row in rows)


def test_without_pyarrow_the_refusal_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackage, match=r"foxden\[arena\]"):
        write_parquet(played(), tmp_path / "matches.parquet")
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_a_refusal(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files need pyarrow")
    with pytest.raises(foxden.FoxdenError, match="cannot be written"):
        write_parquet(played(), tmp_path / "nowhere" / "matches.parquet")
