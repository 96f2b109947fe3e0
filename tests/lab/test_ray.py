"""The laboratory on a real Ray cluster of several nodes in one machine."""

import os
import signal
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

import foxden
from foxden.arena import ladder, together
from foxden.arena.chance import Chance
from foxden.arena.cluster import OnRay
from foxden.arena.selfplay import SelfPlay, write_decisions
from foxden.arena.tournament import Plan, run
from foxden.bots import find_bot
from foxden.cli.arguments import OnRayCommand, Ray, WorkerCount
from foxden.lab.playing import Piece, play_piece
from foxden.lab.question import Question, completed, question_from
from foxden.lab.workers import gather, local


def asked(**changes: Any) -> Question:
    given = {"game": "happy-fox", "seats": 2, "seed": 1, "luck": 2, **changes}
    return completed(question_from(given))


def test_without_ray_the_refusal_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(foxden.FoxdenError, match=r"foxden\[ray\]"):
        OnRay()


def test_the_option_may_stand_alone() -> None:
    app = typer.Typer()

    @app.command(cls=OnRayCommand)
    def play(name: str, ray: Ray = None, workers: WorkerCount = None) -> None:
        print(name, ray, workers)

    def told(*words: str) -> str:
        return CliRunner().invoke(app, [*words]).output.strip()

    assert told("fox") == "fox None None"
    assert told("fox", "--ray") == "fox local None"
    assert told("--ray", "fox") == "fox local None"
    assert told("fox", "--ray", "--workers", "2") == "fox local 2"
    assert told("fox", "--ray", "local") == "fox local None"
    assert told("--ray", "10.0.0.7:6379", "fox") == "fox 10.0.0.7:6379 None"
    assert told("fox", "--ray", "ray://head:10001") == "fox ray://head:10001 None"
    assert told("fox", "--ray=auto") == "fox auto None"


def play_and_die_once(question: Question, piece: Piece) -> Any:
    """Plays a piece; the worker that has the fourth is killed the first time."""
    mark = os.environ["FOXDEN_TEST_MARK"]
    if piece.first == 3 * 4 and not os.path.exists(mark):
        with open(mark, "w", encoding="utf-8"):
            pass
        os.kill(os.getpid(), signal.SIGKILL)
    return play_piece(question, piece)


@pytest.mark.slow
def test_a_cluster_gives_the_same_rows_with_a_worker_killed_and_a_node_lost(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray", reason="the extra `ray`")
    from ray.cluster_utils import Cluster

    monkeypatch.setattr(ladder, "PAIRS", (("random", "level:1"),))
    monkeypatch.setattr(together, "STEPS", ("random", "greedy"))
    mark = tmp_path / "killed"
    monkeypatch.setenv("FOXDEN_TEST_MARK", str(mark))
    question = asked(bots=["level:1"], deals=40)
    expected = gather(question, workers=local(question, 1))[0]
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    lost = cluster.add_node(num_cpus=1)
    cluster.add_node(num_cpus=1)
    ray.init(
        address=cluster.address,
        runtime_env={"env_vars": {"FOXDEN_TEST_MARK": str(mark)}},
        log_to_driver=False,
    )
    try:
        pieces = [Piece(0, first, 4) for first in range(0, 40, 4)]
        found: dict[Piece, Any] = {}
        with OnRay() as workers:
            for piece, rows in workers.map(play_and_die_once, question, pieces):
                found[piece] = rows
                if len(found) == 3:
                    cluster.remove_node(lost)  # in mid-run
        assert mark.exists()
        assert np.array_equal(np.concatenate([found[piece] for piece in pieces]), expected)
        with OnRay() as workers:
            assert np.array_equal(gather(question, workers=workers)[0], expected)
            # The arena's matches are the same tasks.
            game, bots = foxden.game("happy-fox"), [find_bot("greedy"), find_bot("random")]
            plan = Plan(game.name, ("greedy", "random"), seats=2, deals=20, seed=1, luck=2)
            assert run(game, bots, plan, workers=workers) == run(game, bots, plan)
            # So are the levels' matches, and self-play as data.
            few: dict[str, Any] = {"seats": 2, "matches": 4, "seed": 3, "luck": 4, "early": False}
            assert ladder.climb(game, workers=workers, **few) == ladder.climb(game, **few)
            data = SelfPlay(game.name, ("level:1",), seats=2, matches=20, seed=1, luck=2)
            one, two = tmp_path / "one.parquet", tmp_path / "two.parquet"
            write_decisions(data, one)
            write_decisions(data, two, workers=workers)
            assert one.read_bytes() == two.read_bytes()
            shared = {"cooperative": True, "foxes": "jokers"}
            few = {"seats": 2, "matches": 2, "options": shared, "chance": Chance(5, 6)}
            other = foxden.game("fox-and-squirrels")
            assert together.gather(other, workers=workers, **few) == together.gather(other, **few)
    finally:
        ray.shutdown()
        cluster.shutdown()
