"""The server's benchmark measures what it says; its figures are no test."""

import pytest
from rich.console import Console

from foxden import bench
from foxden.bench import crowd, server
from foxden.bench.row import Row


def text_of(rows: list[Row]) -> str:
    console = Console(width=160, record=True)
    console.print(bench.report(rows))
    return console.export_text()


def test_moves_are_counted_at_a_real_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "REPEATS", 1)
    rows = server.measure(0.01, lambda what: None, tables=2, peers=False)
    assert [row.what for row in rows] == list(server.UNITS)
    assert all(row.value > 0 and row.ours for row in rows)
    assert "moves/s" in text_of(rows)


def test_sockets_are_weighed_and_bots_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "TABLES", 3)
    monkeypatch.setattr(crowd, "WATCHERS", 5)
    monkeypatch.setattr(crowd, "EVERY", 1.0)
    assert "KiB" in text_of([crowd.measure_idle(lambda what: None, 40)])
    soaked = crowd.soak(0.05, lambda what: None)
    assert soaked.messages >= 5
    assert (soaked.errors, soaked.faults) == ([], 0.0)
    assert soaked.memory
    grown = crowd.Soaked(1.0, memory=[(60.0 * n, n << 20) for n in range(10)])
    assert grown.growth == pytest.approx(1.0)
