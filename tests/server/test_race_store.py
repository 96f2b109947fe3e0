"""Four processes race for the plies of the same tables: each ply is played once."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from foxden.server.store import MoveRow, PlyTaken, open_store
from tests.server.postgres import postgres
from tests.server.rows import table

PROCESSES = 4
TABLES = ("t", "u", "v")
PLIES = 150


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_each_ply_is_played_once(kind: str, tmp_path: Path) -> None:
    url = postgres().new_database() if kind == "postgres" else f"sqlite:///{tmp_path}/foxden.db"
    asyncio.run(_set_up(url))
    start = time.time() + 2.0
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(_race, url, racer, start) for racer in range(PROCESSES)]
        results = [future.result(timeout=120) for future in futures]
    acknowledged = Counter(move for won, _ in results for move in won)
    stored = asyncio.run(_stored(url))
    assert sum(lost for _, lost in results) > 0, "nobody was ever second: that was no race"
    assert [move.ply for move in stored] == [*range(1, PLIES + 1)] * len(TABLES)
    assert acknowledged == Counter(stored)


async def _set_up(url: str) -> None:
    store = open_store(url)
    await store.open()
    for id in TABLES:
        await store.add_table(table(id))
    await store.close()


async def _stored(url: str) -> list[MoveRow]:
    store = open_store(url)
    await store.open()
    moves = [move for id in TABLES for move in await store.moves(id)]
    await store.close()
    return moves


def _race(url: str, racer: int, start: float) -> tuple[list[MoveRow], int]:
    return asyncio.run(_race_all(url, racer, start))


async def _race_all(url: str, racer: int, start: float) -> tuple[list[MoveRow], int]:
    """Plays at every table as fast as it can; gives what was acknowledged, and how often not."""
    store = open_store(url)
    await store.open()
    won: list[MoveRow] = []
    lost = 0

    async def play(id: str) -> None:
        nonlocal lost
        ply = 0
        while ply < PLIES:
            move = MoveRow(id, ply + 1, racer % 2, racer, "person", time.time())
            try:
                await store.append(move)
            except PlyTaken:
                lost += 1
                ply = len(await store.moves(id))
            else:
                won.append(move)
                ply += 1

    await asyncio.sleep(max(0.0, start - time.time()))
    await asyncio.gather(*map(play, TABLES))
    await store.close()
    return won, lost
