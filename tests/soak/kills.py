"""Kills servers again and again while people play, and looks after each what was kept.

    python -m tests.soak.kills --store sqlite --kills 2000
    python -m tests.soak.kills --store postgres --workers 3 --kills 2000

It fails at the first acknowledged move that is not in the store.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import tempfile
import time
from pathlib import Path

from foxden.server.store import open_store
from tests.server.crowd import Crowd
from tests.server.nursery import Nursery, free_port
from tests.server.postgres import postgres

TABLES = (
    *[("happy-fox", "me", "me")] * 20,
    *[("happy-fox", "me", "bot:1", "me")] * 2,
    ("happy-fox", "bot:1", "me", "bot:2", "bot:1"),
)
PAUSES = (0, 1, 10, 50, 200, 500)  # moves between two kills


async def kill(url: str, folder: Path, workers: int, kills: int, seed: int) -> None:
    """Kills one of the servers at random moments of play; it comes back at its own address."""
    dice = random.Random(seed)
    nursery = Nursery(folder, url)
    served = [nursery.start(free_port()) for _ in range(workers)]
    crowd = Crowd(served, dice)
    store = open_store(url)
    await store.open()
    playing = 0.0
    began = time.monotonic()
    try:
        async with crowd.playing(*TABLES):
            for number in range(1, kills + 1):
                start = time.monotonic()
                await crowd.play(dice.choice(PAUSES))
                playing += time.monotonic() - start
                await asyncio.sleep(dice.uniform(0.0, 0.02))
                victim = dice.randrange(workers)
                port = int(served[victim].address.rpartition(":")[2])
                served[victim].stop(signal.SIGKILL)
                if workers == 1:
                    # What the dead server had sent before is read first.
                    await crowd.until(lambda: crowd.connected == 0)
                    await crowd.check(store)
                served[victim] = await asyncio.to_thread(nursery.start, port)
                if workers > 1:
                    await crowd.check(store)
                if number % 100 == 0:
                    rate = crowd.acknowledged / playing
                    print(
                        f"{number} kills in {time.monotonic() - began:.0f} s, "
                        f"{crowd.acknowledged:,} moves acknowledged, {rate:.0f} a second of play",
                        flush=True,
                    )
        await crowd.check(store)
    finally:
        nursery.close()
        await store.close()
    print(f"{kills} kills, {workers} workers, {crowd.acknowledged:,} moves acknowledged, none lost")


def main() -> None:
    """Kills, and says what was kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kills", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shared = given.store == "postgres"
        url = postgres().new_database() if shared else f"sqlite:///{folder}/foxden.db"
        asyncio.run(kill(url, folder, given.workers, given.kills, given.seed))


if __name__ == "__main__":
    main()
