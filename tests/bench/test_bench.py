"""The benchmark measures what it says; its figures are no test."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

import foxden
from foxden import bench
from foxden.bench import Row, ours, peers, row
from foxden.bench.report import ratios
from foxden.bench.row import REPEATS, Growth, Task, measure_in_turn

GAME = foxden.game(foxden.games()[0])
ROWS = [
    Row("random play", "Foxden one", "compiled", "moves/s", 8e6, 7e6, 9e6),
    Row("random play", "Foxden two", "compiled", "moves/s", 4e6, 4e6, 4e6),
    Row("random play", "Peer", "by hand", "moves/s", 2e6, 1e6, 3e6),
    Row("start", "Foxden, warm", "new process", "s", 1.0, 1.0, 1.0),
    Row("start", "Peer", "new process", "s", 0.5, 0.5, 0.5),
]


# Made when a test runs: to make some of them loads the compiled search.
TASKS: dict[str, Callable[[], bench.Task]] = {
    "random play": lambda: ours.random_play(GAME, 0.005),
    "keyed play": lambda: ours.keyed_play(GAME, 0.005),
    "checked moves": lambda: ours.checked_moves(GAME, 0.005),
    "moves by ids": lambda: ours.moves_by_ids(GAME, 0.005),
    "search": lambda: ours.search(GAME, GAME.seats[0], None, 0.005),
    "search of one way": lambda: ours.search(GAME, GAME.seats[0], ours.WAY, 0.005),
    "stepping": lambda: ours.stepping(GAME, 0.005, 2),
    "statistics": lambda: ours.statistics(GAME, 0.005),
    "memory of a state": lambda: next(ours.memory(GAME)),
    "memory of a match": lambda: list(ours.memory(GAME))[1],
}


@pytest.mark.parametrize("task", TASKS)
def test_foxdens_own_rows_are_measured(task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row, "REPEATS", 3)
    (found,) = measure_in_turn([TASKS[task]()], lambda what: None)
    assert 0 < found.low <= found.value <= found.high
    assert found.ours
    assert found.how


def test_ratios_run_from_the_worst_game_to_the_best() -> None:
    assert ratios(ROWS[2], ROWS[:3]) == "2.0–4.0 ×"
    assert ratios(ROWS[4], ROWS[3:]) == "0.50 ×"
    assert ratios(ROWS[0], ROWS[:3]) == ""
    console = Console(width=160, record=True)
    console.print(bench.report(ROWS))
    text = console.export_text()
    assert "2.0–4.0 ×" in text
    assert "8.00 M moves/s" in text
    assert "7.00–9.00" in text


def test_repeats_of_all_tasks_take_turns() -> None:
    order: list[str] = []

    def task(name: str, costly: bool) -> Task:
        def once() -> float:
            order.append(name)
            return float(len(order))

        return Task("turns", name, "counts", "s", once, costly=costly)

    rows = measure_in_turn([task("a", False), task("b", True)], lambda what: None)
    assert "".join(order) == "a" + "ab" * 3 + "a" * (REPEATS - 3)
    assert [row.value for row in rows] == [6.0, 5.0]


def test_memory_is_seen_to_grow() -> None:
    growth = Growth(lambda: bytearray(b"x" * 100_000), 200)
    growth()
    assert 0.9e5 < growth() < 1.5e5


def test_peers_that_are_not_there_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert peers.missing() == "OpenSpiel, RLCard, PettingZoo, Pgx"
    for section in (peers.random_play, peers.one_move, peers.moves_by_ids, peers.stepping):
        assert list(section(1.0)) == []
    assert list(peers.search(None, 1.0)) == []
    assert list(peers.memory()) + list(peers.starts()) == []


def test_the_plot_is_a_file_or_a_reason(tmp_path: Path) -> None:
    if importlib.util.find_spec("matplotlib"):
        bench.plot(ROWS, tmp_path / "bench.png")
        assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")
    else:
        with pytest.raises(foxden.FoxdenError, match="matplotlib"):
            bench.plot(ROWS, tmp_path / "bench.png")


def test_bounds_checks_are_never_measured() -> None:
    with pytest.raises(foxden.FoxdenError, match="FOXDEN_CHECKS"):
        bench.measure(0.1, lambda what: None)
