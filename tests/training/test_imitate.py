"""A network learns what a recorded bot chooses, and refuses records of other rules."""

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from foxden import game  # noqa: E402
from foxden.arena.selfplay import SelfPlay, write_decisions  # noqa: E402
from foxden.training import imitate  # noqa: E402
from foxden.training.player import read_player  # noqa: E402


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("recorded") / "greedy.parquet"
    plan = SelfPlay("happy-fox", ("greedy", "random"), seats=2, matches=60, seed=1, luck=2)
    write_decisions(plan, file)
    return file


def test_a_network_learns_the_choices_of_a_bot(
    recorded: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(imitate, "WIDTH", 64)
    monkeypatch.setattr(imitate, "DEPTH", 2)
    player = tmp_path / "greedy.npz"
    words = ["imitate", str(recorded), str(player), "--bot", "greedy", "--epochs", "12"]
    monkeypatch.setattr("sys.argv", words)
    assert imitate.main() == 0
    told, arrays = read_player(player)
    assert arrays["w0"].shape == (64, game("happy-fox").tensor_size)
    assert told["imitates"] == "greedy"
    # An even guess is right in about one of five.
    assert told["right"] > 0.45
    assert "choices of greedy; " in capsys.readouterr().out


def test_only_the_asked_bots_decisions_are_read(recorded: Path) -> None:
    one, other = (imitate.read_decisions(recorded, bot) for bot in ("greedy", "random"))
    for data in (one, other):
        assert len(data.actions) > 500
        # Every choice was legal, and there was another.
        assert not bool(data.closed.gather(1, data.actions[:, None]).any())
        assert bool(((~data.closed).sum(1) > 1).all())
        assert set(data.results.tolist()) <= {-1.0, 0.0, 1.0}
    assert one.results.mean() > other.results.mean()
    with pytest.raises(ValueError, match=r"no decisions of 'net'; it has \['greedy', 'random'\]"):
        imitate.read_decisions(recorded, "net")


def test_records_of_several_tables_are_learnt_from_together(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    three = tmp_path / "three.parquet"
    plan = SelfPlay("happy-fox", ("greedy", "random"), seats=3, matches=10, seed=1, luck=2)
    write_decisions(plan, three)
    parts = [imitate.read_decisions(file, "greedy") for file in (recorded, three)]
    data = imitate.join(parts)
    assert len(data.actions) == sum(len(part.actions) for part in parts)
    assert len(data.matches.unique()) == sum(len(part.matches.unique()) for part in parts)
    assert data.results[-len(parts[1].results) :].tolist() == parts[1].results.tolist()

    monkeypatch.setattr(imitate, "WIDTH", 16)
    monkeypatch.setattr(imitate, "DEPTH", 2)
    player = tmp_path / "greedy.npz"
    words = [str(recorded), str(three), str(player), "--bot", "greedy", "--epochs", "1"]
    monkeypatch.setattr("sys.argv", ["imitate", *words])
    assert imitate.main() == 0
    told, _ = read_player(player)
    assert [table["seats"] for table in told["tables"]] == [2, 3]


def test_records_of_two_games_are_refused(recorded: Path) -> None:
    one, other = (imitate.read_decisions(recorded, "greedy") for _ in range(2))
    other.plans[0]["game"] = "fox-grove"
    with pytest.raises(ValueError, match="one game, not fox-grove and happy-fox"):
        imitate.join([one, other])


def test_records_of_another_tensor_are_refused(recorded: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    table = pq.read_table(recorded)
    facts = dict(table.schema.metadata) | {b"tensor": b"other"}
    assert json.loads(facts[b"plan"])["game"] == "happy-fox"
    other = tmp_path / "other.parquet"
    pq.write_table(table.replace_schema_metadata(facts), other)
    with pytest.raises(ValueError, match="another tensor"):
        imitate.read_decisions(other, "greedy")
    pq.write_table(table.replace_schema_metadata(None), other)
    with pytest.raises(ValueError, match="not written by `foxden self-play`"):
        imitate.read_decisions(other, "greedy")
