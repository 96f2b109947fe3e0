"""Servers and databases are killed while people play: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import random
import signal
from pathlib import Path

import pytest

from foxden.server.store import Store, open_store
from tests.server.crowd import Crowd
from tests.server.nursery import Nursery, free_port
from tests.server.postgres import postgres

# One game, so that nobody waits for another to be compiled or loaded after each start.
TABLES = (
    *[("happy-fox", "me", "me")] * 5,
    *[("happy-fox", "me", "bot:1", "me")] * 2,
    ("happy-fox", "bot:1", "me", "bot:2", "bot:1"),
)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_killed_server_has_lost_nothing(kind: str, tmp_path: Path) -> None:
    asyncio.run(_kill_servers(_address(kind, tmp_path), tmp_path, kills=6, seed=1))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_server_killed_200_times_has_lost_nothing(kind: str, tmp_path: Path) -> None:
    asyncio.run(_kill_servers(_address(kind, tmp_path), tmp_path, kills=200, seed=2))


def _address(kind: str, folder: Path) -> str:
    return postgres().new_database() if kind == "postgres" else f"sqlite:///{folder}/foxden.db"


async def _opened(url: str) -> Store:
    store = open_store(url)
    await store.open()
    return store


async def _kill_servers(url: str, folder: Path, kills: int, seed: int) -> None:
    """Kills a server at random moments of play, and looks after each what it has kept."""
    dice = random.Random(seed)
    port = free_port()
    nursery = Nursery(folder, url)
    served = nursery.start(port)
    crowd = Crowd([served], dice)
    store = await _opened(url)
    try:
        async with crowd.playing(*TABLES):
            for _ in range(kills):
                # Sometimes as soon as it is up, mostly in full play.
                await crowd.play(dice.choice([0, 1, 10, 50, 200]))
                await asyncio.sleep(dice.uniform(0.0, 0.05))
                served.stop(signal.SIGKILL)
                # What the dead server had sent before is read first.
                await crowd.until(lambda: crowd.connected == 0)
                await crowd.check(store)
                served = await asyncio.to_thread(nursery.start, port)
                crowd.served[:] = [served]
        await crowd.check(store)
    finally:
        nursery.close()
        await store.close()
    print(f"{kills} kills, {crowd.acknowledged} moves acknowledged, none lost")
