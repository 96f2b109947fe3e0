"""Servers and databases are killed while people play: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from pathlib import Path

import pytest

from foxden.server.store import Store, open_store
from foxden.server.store.postgres import PATIENCE
from tests.server.crowd import Crowd, await_workers
from tests.server.nursery import Nursery, free_port
from tests.server.postgres import children, postgres
from tests.server.server import Served, start

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


def test_another_worker_goes_on_for_a_killed_one(tmp_path: Path) -> None:
    """Three workers of `foxden serve`, one of which is killed again and again."""
    url = postgres().new_database()
    served = start(tmp_path, "--database", url, "--workers", "3", FOXDEN_LIMITS="false")
    try:
        await_workers(served, 3)
        asyncio.run(_kill_workers(url, served, kills=3))
    finally:
        served.stop()


async def _kill_workers(url: str, served: Served, kills: int) -> None:
    dice = random.Random(4)
    crowd = Crowd([served] * 3, dice)  # one address; which worker answers is chance
    store = await _opened(url)
    async with crowd.playing(*TABLES):
        for _ in range(kills):
            await crowd.play(50)
            victim = dice.choice(children(served.pid))
            os.kill(victim, signal.SIGKILL)
            # The others play on at once, bots of the dead one's tables included.
            await crowd.play(50)
            await crowd.until(lambda dead=victim: _replaced(served.pid, dead))  # type: ignore[misc]
            await crowd.check(store)
    await crowd.check(store)
    await store.close()


def _replaced(parent: int, dead: int) -> bool:
    alive = children(parent)
    return dead not in alive and len(alive) == 3


def test_play_resumes_when_the_database_comes_back(tmp_path: Path) -> None:
    url = postgres().new_database()
    nursery = Nursery(tmp_path, url)
    try:
        servers = [nursery.start(free_port()) for _ in range(2)]
        asyncio.run(_kill_database(url, servers, kills=3))
    finally:
        nursery.close()


async def _kill_database(url: str, servers: list[Served], kills: int) -> None:
    crowd = Crowd(servers, random.Random(5))
    store = await _opened(url)
    async with crowd.playing(*TABLES):
        for n in range(kills):
            await crowd.play(50)
            await asyncio.to_thread(postgres().kill)
            # Away for longer than two commits wait, as the first may hold a bot's move only.
            await asyncio.sleep(0.5 if n else 2.5 * PATIENCE)
            await asyncio.to_thread(postgres().start)
            await crowd.play(50)
            await crowd.check(store)
    await crowd.check(store)
    await store.close()
    assert all(server.process.poll() is None for server in servers)
    assert crowd.refused["/problems/store-down"] > 0
