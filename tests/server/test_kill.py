"""Servers and databases are killed while people play: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import socket
from pathlib import Path

import pytest

from foxden.server.store import Store, open_store
from tests.server.crowd import Crowd
from tests.server.postgres import postgres
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


def _start(folder: Path, url: str, port: int) -> Served:
    return start(
        folder / str(port),
        "--database",
        url,
        FOXDEN_PORT=str(port),
        FOXDEN_SECRET="a secret of all servers",
        FOXDEN_LIMITS="false",
    )


def _free_port() -> int:
    """Gives a port that stays the server's while it is dead."""
    # Below those that the system gives to clients: one that knocks at such a port while nobody
    # listens there may be given the very port, and be connected to itself.
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


async def _opened(url: str) -> Store:
    store = open_store(url)
    await store.open()
    return store


async def _kill_servers(url: str, folder: Path, kills: int, seed: int) -> None:
    """Kills a server at random moments of play, and looks after each what it has kept."""
    dice = random.Random(seed)
    port = _free_port()
    served = _start(folder, url, port)
    served.await_game("happy-fox")
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
                served = await asyncio.to_thread(_start, folder, url, port)
                crowd.served[:] = [served]
        await crowd.check(store)
        assert served.stop() == 0
    finally:
        served.stop(signal.SIGKILL)
        await store.close()
    print(f"{kills} kills, {crowd.acknowledged} moves acknowledged, none lost")
