"""A crowd that plays on whatever happens to the server, and remembers all that it was told."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import random
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import httpx
import websockets

from foxden.server.store import MoveRow, Store
from tests.server.server import COMPILING, Person, Seat, Served, Unavailable

GONE = (OSError, TimeoutError, httpx.HTTPError, websockets.WebSocketException)
AGAIN = ("/problems/store-down", "/problems/closing", "/problems/compiling", "/problems/stale-ply")


def await_workers(served: Served, workers: int) -> None:
    """Waits until every worker of a server has said in its log that it can play."""
    end = time.monotonic() + COMPILING
    while served.log.read_text().count("game=happy-fox") < workers:
        assert time.monotonic() < end, served.log.read_text()
        time.sleep(0.2)


class Game:
    """One match, and what the crowd knows about it."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.done: dict[int, tuple[int, int]] = {}  # ply -> seat and action that were acknowledged
        self.told: dict[int, list[Any]] = defaultdict(list)  # seat -> the log it was shown
        self.is_over = False


class Crowd:
    """People at several tables, each with a socket a seat; a new match follows each."""

    def __init__(self, served: list[Served], dice: random.Random) -> None:
        self.served = served  # replaced by whoever restarts servers
        self.dice = dice
        self.games: list[Game] = []
        self.acknowledged = 0
        self.refused: dict[str, int] = defaultdict(int)
        self.connected = 0
        self.ending = False  # matches are played to their end, and no new ones are begun
        self.wrong: list[str] = []

    @contextlib.asynccontextmanager
    async def playing(self, *tables: tuple[str, ...]) -> AsyncIterator[None]:
        """Plays at tables of these games and seats, until told to end."""
        people = [Person(self.served[0], f"Player {n}") for n in range(len(tables))]
        tasks = [
            asyncio.create_task(self._play_forever(person, *table))
            for person, table in zip(people, tables, strict=True)
        ]
        try:
            yield
            self.ending = True
            await asyncio.wait_for(asyncio.gather(*tasks), 300)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def until(self, condition: Callable[[], bool], seconds: float = 120.0) -> None:
        """Waits until something is so."""
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.002)

    async def play(self, moves: int) -> None:
        """Waits until so many moves more are acknowledged."""
        enough = self.acknowledged + moves
        await self.until(lambda: self.acknowledged >= enough)

    async def check(self, store: Store) -> None:
        """Asserts that all the crowd was told is in the store, in order, once."""
        over = [game for game in self.games if game.is_over]
        for game in list(self.games):
            known = copy.deepcopy(game)  # people may play on meanwhile
            check_moves(known, await store.moves(game.table))
        # A match that is over and checked cannot change any more.
        self.games = [game for game in self.games if game not in over]
        assert self.wrong == [], self.wrong

    async def _play_forever(self, person: Person, name: str, *seats: str) -> None:
        mine = [seat for seat, kind in enumerate(seats) if kind == "me"]
        while not self.ending:
            game = await self._open(person, name, seats)
            if game is not None:
                self.games.append(game)
                await asyncio.gather(*(self.play_seat(person, game, seat) for seat in mine))
                game.is_over = True

    async def _open(self, person: Person, name: str, seats: tuple[str, ...]) -> Game | None:
        self._turn_to(person, self.served)
        try:
            info = await asyncio.to_thread(person.open_table, name, *seats)
            return Game(info["id"])
        except Unavailable:
            self.refused["open"] += 1
        except GONE:
            pass
        await asyncio.sleep(0.1)
        return None

    async def play_seat(
        self, person: Person, game: Game, mine: int, servers: list[Served] | None = None
    ) -> None:
        """Plays one seat to the end of the match, over as many sockets as it takes."""
        over = False
        while not over:
            self._turn_to(person, servers or self.served)
            try:
                async with person.sit(game.table, seat=mine) as seat:
                    self.connected += 1
                    try:
                        self._compare(game, mine, seat)
                        await self._play_on(game, mine, seat)
                        over = True
                    finally:
                        self.connected -= 1
            except GONE:
                await asyncio.sleep(self.dice.uniform(0.02, 0.2))

    def _turn_to(self, person: Person, servers: list[Served]) -> None:
        person.served = self.dice.choice(servers)
        person.http.base_url = httpx.URL(f"{person.served.address}/api")

    async def _play_on(self, game: Game, mine: int, seat: Seat) -> None:
        while not seat.is_over:
            if not (seat.view and seat.view["legal"]):
                await seat.take()
                self._compare(game, mine, seat)
                continue
            ply, action = seat.ply, self.dice.choice(seat.view["legal"])["id"]
            answer = await seat.play(action)
            if answer["type"] == "done":
                if answer["ply"] != ply + 1 or ply + 1 in game.done:
                    self.wrong.append(f"{game.table}: ply {answer['ply']} was acknowledged twice")
                game.done[ply + 1] = (mine, action)
                self.acknowledged += 1
                while seat.ply <= ply:
                    await seat.take()
            else:
                problem = answer["problem"]["type"]
                self.refused[problem] += 1
                if problem not in AGAIN:
                    self.wrong.append(f"{game.table}: {answer['problem']}")
                if problem == "/problems/stale-ply":
                    await seat.expect("sync")
                else:
                    await asyncio.sleep(0.1)
            self._compare(game, mine, seat)

    def _compare(self, game: Game, mine: int, seat: Seat) -> None:
        """Sees that what a seat is told goes on from what it was told before."""
        before = game.told[mine]
        if seat.view is None or seat.log is before:
            return
        # Another server may be some milliseconds behind; one that was restarted must not be.
        shared = min(len(before), len(seat.log)) if len(self.served) > 1 else len(before)
        if seat.log[:shared] != before[:shared]:
            self.wrong.append(f"{game.table}: seat {mine} was told {before[-1]}, and then not")
        if len(seat.log) >= shared:
            game.told[mine] = seat.log


def check_moves(game: Game, moves: Sequence[MoveRow]) -> None:
    """Asserts that a match's moves in the store are those that people were told of."""
    assert [move.ply for move in moves] == list(range(1, len(moves) + 1)), game.table
    stored = {move.ply: (move.seat, move.action) for move in moves}
    lost = {ply: known for ply, known in game.done.items() if stored.get(ply) != known}
    assert not lost, f"{game.table}: acknowledged {lost}, {len(moves)} moves kept"
    for seat, log in game.told.items():
        assert len(log) <= len(moves), f"{game.table}: seat {seat} was told of {len(log)} moves"
