"""Many tables share a commit: a store takes far more moves a second than it makes commits."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from foxden.server.store import Store, open_store
from tests.server.postgres import postgres
from tests.server.rows import move, table

SECONDS = 2.0
REPEATS = 5


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_moves_share_commits(kind: str, tmp_path: Path) -> None:
    url = postgres().new_database() if kind == "postgres" else f"sqlite:///{tmp_path}/foxden.db"
    rates = asyncio.run(_measure_all(url))
    assert rates[200] > 5 * rates[1]


async def _measure_all(url: str) -> dict[int, float]:
    """Returns the best rate of each number of tables; what else runs here can only slow it down."""
    store = open_store(url)
    await store.open()
    best: dict[int, float] = {}
    for repeat in range(REPEATS):
        for tables in (1, 16, 200):
            rate, p50, p99 = await _measure(store, f"{repeat}x{tables}", tables)
            best[tables] = max(best.get(tables, 0.0), rate)
            print(
                f"{url.partition(':')[0]}, {tables} in flight: {rate:,.0f} moves/s,"
                f" p50 {p50 * 1000:.2f} ms, p99 {p99 * 1000:.2f} ms"
            )
    await store.close()
    return best


async def _measure(store: Store, name: str, tables: int) -> tuple[float, float, float]:
    """Plays at so many tables at once, one move of each on its way to the disk."""
    ids = [f"{name}-{n}" for n in range(tables)]
    for id in ids:
        await store.add_table(table(id))
    waits: list[float] = []
    began = time.perf_counter()

    async def play(id: str) -> None:
        ply, asked = 0, time.perf_counter()
        while asked < began + SECONDS:
            ply += 1
            await store.append(move(id, ply))
            done = time.perf_counter()
            waits.append(done - asked)
            asked = done

    await asyncio.gather(*map(play, ids))
    taken = time.perf_counter() - began
    assert sum([len(await store.moves(id)) for id in ids]) == len(waits)
    waits.sort()
    return len(waits) / taken, waits[len(waits) // 2], waits[len(waits) * 99 // 100]
