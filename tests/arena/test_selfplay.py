"""Self-play as data to train from."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.arena.chance import deal_seed
from foxden.arena.extras import MissingPackage
from foxden.arena.local import Local
from foxden.arena.selfplay import SelfPlay, write_decisions
from foxden.engine import compiled
from foxden.engine.match import Match

PLAN = SelfPlay("happy-fox", ("greedy", "random"), seats=3, matches=10, seed=1, luck=2)


def read(file: Path) -> list[dict[str, Any]]:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet files need pyarrow")
    rows: list[dict[str, Any]] = parquet.read_table(file).to_pylist()
    return rows


def test_every_decision_is_a_row_that_a_match_bears_out(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files need pyarrow")
    file = tmp_path / "data.parquet"
    done: list[int] = []
    count = write_decisions(PLAN, file, report=done.append)
    rows = read(file)
    assert len(rows) == count > 100
    assert sum(done) == 10
    assert [row["match"] for row in rows] == sorted(row["match"] for row in rows)
    assert {row["match"] for row in rows} == set(range(10))
    game = foxden.game("happy-fox")
    chosen = {row["ply"]: row for row in rows if row["match"] == 3}
    match = Match(game, seats=3, seed=deal_seed(1, 3))
    while match.to_act is not None:
        legal = [action.id for action in match.legal()]
        if len(legal) == 1:
            match.play(legal[0])
            continue
        row = chosen.pop(match.ply)
        assert row["seat"] == match.to_act
        assert row["legal"] == legal
        assert row["bot"] == ("greedy", "random")[(row["seat"] + 3) % 3 % 2]
        seen = np.zeros(game.tensor_size, np.float32)
        compiled.features_of(match.wiped(match.to_act), 0, match.to_act, seen)
        assert row["observation"] == pytest.approx(seen.tolist())
        match.play(row["action"])
    assert not chosen
    for row in rows:
        if row["match"] == 3:
            won = row["seat"] in match.winners
            assert row["win"] == pytest.approx(won / len(match.winners))
            assert row["score"] == match.scores[row["seat"]]


def test_workers_make_no_difference_to_the_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files need pyarrow")
    one, two = tmp_path / "one.parquet", tmp_path / "two.parquet"
    write_decisions(PLAN, one)
    with Local(2, threads=True) as workers:
        write_decisions(PLAN, two, workers=workers)
    assert one.read_bytes() == two.read_bytes()


def test_a_file_says_what_it_is_about(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet files need pyarrow")
    write_decisions(PLAN, tmp_path / "data.parquet")
    told = parquet.read_schema(tmp_path / "data.parquet").metadata
    game = foxden.game("happy-fox")
    assert told[b"tensor"].decode() == game.tensor_hash
    assert json.loads(told[b"plan"])["bots"] == ["greedy", "random"]
    assert json.loads(told[b"plan"])["seed"] == "1"


def test_what_cannot_be_made_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    many = SelfPlay("happy-fox", ("greedy",) * 3, seats=2, matches=1, seed=1, luck=2)
    pytest.importorskip("pyarrow", reason="Parquet files need pyarrow")
    with pytest.raises(foxden.FoxdenError, match="cannot share 2 seats"):
        write_decisions(many, tmp_path / "data.parquet")
    with pytest.raises(foxden.FoxdenError, match="cannot be written"):
        write_decisions(PLAN, tmp_path / "no" / "data.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackage, match=r"foxden\[arena\]"):
        write_decisions(PLAN, tmp_path / "data.parquet")
