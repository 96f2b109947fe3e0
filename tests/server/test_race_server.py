"""Four servers at one database, and people who play the same ply through all of them."""

from __future__ import annotations

import asyncio
import copy
import random
import signal
from pathlib import Path

import pytest

from foxden.server.store import open_store
from tests.server.crowd import Crowd, Game, await_workers
from tests.server.nursery import Nursery, free_port
from tests.server.postgres import postgres
from tests.server.server import Person, Served, start

SERVERS = 4


def test_four_servers_play_each_ply_once(tmp_path: Path) -> None:
    url = postgres().new_database()
    nursery = Nursery(tmp_path, url)
    try:
        servers = [nursery.start(free_port()) for _ in range(SERVERS)]
        asyncio.run(_race(url, servers, matches=3))
    finally:
        nursery.close()


@pytest.mark.slow
def test_four_workers_play_each_ply_once(tmp_path: Path) -> None:
    url = postgres().new_database()
    served = start(tmp_path, "--database", url, "--workers", str(SERVERS), FOXDEN_LIMITS="false")
    try:
        await_workers(served, SERVERS)
        asyncio.run(_race(url, [served] * SERVERS, matches=10))
    finally:
        served.stop(signal.SIGTERM)


async def _race(url: str, servers: list[Served], matches: int) -> None:
    """Plays every seat through every server at once."""
    crowd = Crowd(servers, random.Random(3))
    mia = Person(servers[0])
    store = open_store(url)
    await store.open()
    for _ in range(matches):
        game = Game(mia.open_table("happy-fox", "me", "me")["id"])
        crowd.games.append(game)
        racers = []
        for server in servers:
            racer = copy.copy(mia)
            racers += [crowd.play_seat(racer, game, seat, [server]) for seat in (0, 1)]
        # Whoever was stuck would be so for ever.
        await asyncio.wait_for(asyncio.gather(*racers), 120)
        kept = len(await store.moves(game.table))
        assert len(game.done) == kept, "somebody was not told that a move was taken"
        assert {len(log) for log in game.told.values()} == {kept}
        await crowd.check(store)
    await store.close()
    assert set(crowd.refused) == {"/problems/stale-ply"}, "nobody was second: that was no race"
    print(f"{crowd.acknowledged} plies, {crowd.refused['/problems/stale-ply']} came second")
