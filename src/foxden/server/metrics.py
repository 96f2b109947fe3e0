"""Metrics for operators: Prometheus counts of this process, or of all workers together."""

from __future__ import annotations

import os
import time

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

MOVES = Counter("foxden_moves", "Actions played and on disk", ["by"])
MOVES_BY = {by: MOVES.labels(by) for by in ("person", "bot", "clock", "undo")}
MOVE_SECONDS = Histogram(
    "foxden_move_seconds",
    "From taking a person's action to its being on disk",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5),
)
REFUSALS = Counter("foxden_refusals", "Requests refused, by problem", ["problem"])
FAULTS = Counter("foxden_faults", "Internal errors; should stay 0")
SOCKETS = Gauge("foxden_sockets", "Sockets open", multiprocess_mode="livesum")
TABLES = Gauge("foxden_tables", "Tables in memory", multiprocess_mode="livesum")
BOT_SECONDS = Histogram(
    "foxden_bot_seconds",
    "From asking a bot to its answer",
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)


FRESH = 1.0  # seconds for which counts are cached
_told: tuple[float, bytes] = (0.0, b"")


def scrape() -> bytes:
    """Writes the metrics in Prometheus text format, at most once a second."""
    global _told
    now = time.monotonic()
    if not _told[1] or now - _told[0] > FRESH:
        _told = (now, _written())
    return _told[1]


def _written() -> bytes:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
