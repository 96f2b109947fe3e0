"""The benchmark measures what it says; its figures are no test."""

import pytest
from rich.console import Console

import foxden
from foxden import bench
from foxden.bench import Row


def test_rows_are_measured_and_laid_out_as_ratios() -> None:
    game = foxden.game("happy-fox")
    rows = [bench.random_play(game, 0.01), bench.checked_moves(game, 0.01)]
    assert all(row.low <= row.value <= row.high for row in rows)
    assert all(row.value > 0 for row in rows)
    rival = Row("random play", "Peer", "by hand", "moves/s", rows[0].value / 4, 1, 1)
    console = Console(width=160, record=True)
    console.print(bench.report([*rows, rival]))
    text = console.export_text()
    assert "4.0 ×" in text
    assert "times Peer" in text


def test_bounds_checks_are_never_measured() -> None:
    with pytest.raises(foxden.FoxdenError, match="FOXDEN_CHECKS"):
        bench.measure(0.1, lambda what: None)
