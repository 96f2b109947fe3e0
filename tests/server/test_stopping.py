"""Stopping under load and while loading, and workers that hang."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import foxden
from foxden.engine import compiled
from tests.server.crowd import Crowd, await_workers
from tests.server.inside import inside
from tests.server.nursery import Nursery, free_port
from tests.server.postgres import children, postgres
from tests.server.server import PATIENCE, serving

LOADING = """
import time
from pathlib import Path
from foxden.server import app, compiling, serving
from foxden.server.config import read_config

def prepare(game, report=None):
    print("loading", flush=True)
    time.sleep(600)

compiling.prepare = prepare
compiling.COMPILE = "when-asked"
compiling.stamp = lambda game: Path(__file__ if "__file__" in globals() else "/")
config = read_config()
raise SystemExit(serving.serve(config, serving.listen(config)))
"""


def test_a_server_that_loads_rules_stops_at_once(tmp_path: Path) -> None:
    settings = {"FOXDEN_DATA": str(tmp_path), "FOXDEN_PORT": "0"}
    server = subprocess.Popen(
        [sys.executable, "-c", LOADING],
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        assert server.stdout.readline() == "loading\n"
        began = time.monotonic()
        server.terminate()
        assert server.wait(60) == 0
        assert time.monotonic() - began < 10  # it would be 600 seconds
    finally:
        server.kill()


@pytest.mark.anyio
async def test_tables_that_come_and_go_do_not_disturb_a_farewell(tmp_path: Path) -> None:
    compiled.prepare(foxden.game("happy-fox"))
    async with inside(tmp_path) as server:
        (mia,) = await server.arrive("Mia")
        tables = [await server.open_table(f"t{n}", "happy-fox", [mia, mia]) for n in range(8)]
        hub = server.hub
        await tables[3].live._turn.acquire()  # a move is on its way to the disk
        leaving = asyncio.create_task(hub.farewell(1.0))
        await asyncio.sleep(0.05)
        assert not leaving.done()
        for n in range(8, 12):
            await server.open_table(f"t{n}", "happy-fox", [mia, mia])
        hub._drop(tables[5])
        tables[3].live._turn.release()
        await asyncio.wait_for(leaving, PATIENCE)


def test_a_server_under_load_stops_in_good_order(tmp_path: Path) -> None:
    """People connect, open tables and play while the server is told to stop, again and again."""

    async def work() -> None:
        port = free_port()
        nursery = Nursery(tmp_path, f"sqlite:///{tmp_path}/foxden.db")
        served = nursery.start(port)
        crowd = Crowd([served], random.Random(1))
        try:
            async with crowd.playing(*[("happy-fox", "me", "bot:1", "me")] * 12):
                for _ in range(6):
                    await crowd.play(100)
                    began = time.monotonic()
                    await asyncio.to_thread(served.stop, signal.SIGTERM)
                    assert time.monotonic() - began < 15
                    await crowd.until(lambda: crowd.connected == 0)
                    served = await asyncio.to_thread(nursery.start, port)
                    crowd.served[:] = [served]
        finally:
            nursery.close()

    asyncio.run(work())
    told = (tmp_path / "log").read_text()
    assert "Traceback" not in told, told
    assert "error" not in told.lower(), told


def test_a_worker_that_hangs_is_replaced_and_the_others_play_on(tmp_path: Path) -> None:
    url = postgres().new_database()
    settings = ("--database", url, "--workers", "3")
    with serving(tmp_path, *settings, FOXDEN_LIMITS="false", FOXDEN_WATCHDOG="4") as served:
        await_workers(served, 3)

        async def work() -> None:
            crowd = Crowd([served] * 3, random.Random(2))
            async with crowd.playing(*[("happy-fox", "me", "me")] * 6):
                await crowd.play(50)
                before = children(served.pid)
                os.kill(before[0], signal.SIGSTOP)
                await crowd.until(lambda: before[0] not in children(served.pid))
                await crowd.play(50)
                await crowd.until(lambda: len(children(served.pid)) == 3)
            assert crowd.wrong == []

        asyncio.run(work())
        assert "worker hangs" in served.log.read_text()
