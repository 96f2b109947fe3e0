"""Rate limits: token buckets by person and by address.

An address may be one person or a school. So people's actions are counted by person, and an address
may do more the more players it has. New names are cheap, so they are counted by address.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Coroutine, Generator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from foxden.server.config import Config
from foxden.server.problems import Refusal
from foxden.server.rates import Bucket, Rate

T = TypeVar("T")
LONGEST_BODY = 64 * 1024  # bytes of a REST request
LONGEST_MESSAGE = 4 * 1024  # bytes of a socket message
LONGEST_CHAT = 500  # characters
REMEMBERED = 10_000  # people whose addresses are known
RATES = {
    "traffic": Rate(2000, 400),  # everything from one address
    "request": Rate(200, 20),  # any REST request of one person
    "stranger": Rate(1000, 30),  # REST requests from one address without a name
    "arrive": Rate(150, 0.5),  # new people from one address
    "table": Rate(20, 0.1),  # tables opened by one person
    "tables": Rate(300, 0.5),  # and from one address
    "link": Rate(10, 0.05),  # personal links created or tried
    "connect": Rate(60, 2),  # sockets
    "message": Rate(200, 40),  # messages over a person's sockets
    "sync": Rate(60, 4),  # resends of a whole table to one person
    "chat": Rate(10, 0.5),
    "hint": Rate(6, 0.2),
    "review": Rate(10, 0.05),  # reviews started by one person
}
PLAYER = Rate(20, 2)  # what each player adds to their address's traffic
MOST_PLAYERS = 300  # players counted at an address
LATELY = 600.0  # seconds after a move during which a person counts as a player
OWN_SOCKETS = 2  # of each person that do not count for the address
SHARE = 0.3  # of this process's time for the requests of one address
AT_ONCE = 0.05  # seconds of work without a pause
BESIDE = 0.0003  # extra seconds for reading a request and sending its answer
ABREAST = 4  # requests of one address in progress at a time
MOST_WAITING = 256  # queued requests of one address


class Limits:
    """The buckets of this process."""

    def __init__(self, config: Config) -> None:
        """Starts with full buckets."""
        self._on = config.limits
        self._config = config
        self._buckets: dict[tuple[str, str], Bucket] = {}  # by limit and person or address
        self._sockets: dict[str, int] = {}
        self._seen: dict[str, str] = {}  # each person's latest address
        self._players: dict[str, dict[str, float]] = {}  # by address: when each person last played
        self._lanes: dict[str, _Lane] = {}

    def spend(self, what: str, who: str) -> None:
        """Takes a token from a bucket, or refuses with the time to retry."""
        if not self._on:
            return
        rate = self._rate(what, who)
        bucket = self._buckets.get((what, who))
        if bucket is None:
            bucket = self._buckets[what, who] = Bucket(rate)
        if wait := bucket.take(rate):
            raise Refusal(
                "too-many-requests",
                429,
                f"Too many requests. Try again in {max(1, round(wait))} s.",
                retry=wait,
            )

    def met(self, person: str, address: str) -> None:
        """Remembers a person's address."""
        self._seen.pop(person, None)
        self._seen[person] = address
        if len(self._seen) > REMEMBERED:
            del self._seen[next(iter(self._seen))]

    def address_of(self, person: str) -> str:
        """Returns a person's latest address; unknown people stand for themselves."""
        return self._seen.get(person, f"person {person}")

    def played(self, person: str, address: str) -> None:
        """Records that a person plays; an address with many players may do more."""
        players = self._players.setdefault(address, {})
        players.pop(person, None)
        players[person] = time.monotonic()
        if len(players) > MOST_PLAYERS:
            del players[next(iter(players))]

    def _rate(self, what: str, who: str) -> Rate:
        rate = RATES[what]
        if what == "traffic" and (players := self._players.get(who)):
            more = len(players)
            return Rate(
                rate.burst + more * PLAYER.burst, rate.per_second + more * PLAYER.per_second
            )
        return rate

    @contextlib.asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[Turn]:
        """Waits for the turn of an address's request, and charges its cost to the address."""
        turn = Turn()
        if not self._on:
            yield turn
            return
        lane = self._lanes.get(address)
        if lane is None:
            lane = self._lanes[address] = _Lane()
        if lane.waiting >= MOST_WAITING:
            raise Refusal("too-many-requests", 429, "Too many requests wait already.", retry=2)
        lane.waiting += 1
        try:
            await lane.abreast.acquire()
        finally:
            lane.waiting -= 1
        turn.lane = lane
        try:
            while (wait := lane.free - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            turn.begin()
            yield turn
        finally:
            turn.end()

    def add_socket(self, person: str | None, address: str) -> list[str]:
        """Counts a socket that opens; returns the keys for `remove_sockets`.

        Each person's first sockets count as their own; all others share the address's limit.
        """
        keys = []
        if person is not None:
            keys.append(f"person {person}")
        if person is None or self._sockets.get(f"person {person}", 0) >= OWN_SOCKETS:
            keys.append(f"address {address}")
        most = {
            "address": self._config.sockets_per_address,
            "person": self._config.sockets_per_person,
        }
        if self._on:
            for key in keys:
                if self._sockets.get(key, 0) >= most[key.split()[0]]:
                    raise Refusal("too-many-sockets", 429, "Too many sockets are open.", retry=10)
        for key in keys:
            self._sockets[key] = self._sockets.get(key, 0) + 1
        return keys

    def remove_sockets(self, keys: list[str]) -> None:
        """Uncounts a closed socket."""
        for key in keys:
            self._sockets[key] -= 1
            if not self._sockets[key]:
                del self._sockets[key]

    def sweep(self) -> None:
        """Drops full buckets, empty lanes and former players."""
        now = time.monotonic()
        for key, bucket in list(self._buckets.items()):
            if bucket.is_full(self._rate(*key)):
                del self._buckets[key]
        for address, lane in list(self._lanes.items()):
            if not lane.busy and lane.free < now:
                del self._lanes[address]
        for address, players in list(self._players.items()):
            for person, then in list(players.items()):
                if now - then > LATELY:
                    del players[person]
            if not players:
                del self._players[address]


@dataclass
class _Lane:
    """The requests of one address."""

    waiting: int = 0
    abreast: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(ABREAST))
    free: float = 0.0  # when the next may start
    usual: float = 0.001  # recent cost of a request in seconds

    def take(self, seconds: float) -> None:
        """Delays the next request by the cost of this one."""
        self.free = max(self.free, time.monotonic() - AT_ONCE / SHARE) + seconds / SHARE

    @property
    def busy(self) -> bool:
        return self.waiting > 0 or self.abreast._value < ABREAST


class Turn:
    """One request's turn, and the time for which it kept the loop busy."""

    def __init__(self) -> None:
        """Starts without cost."""
        self.lane: _Lane | None = None
        self._spent = BESIDE
        self._paid = 0.0

    def begin(self) -> None:
        """Charges the usual cost in advance, so several requests do not start at once."""
        if self.lane is not None:
            self._paid = self.lane.usual
            self.lane.take(self._paid)

    def end(self) -> None:
        """Charges the actual cost to the address, and starts its next request."""
        if (lane := self.lane) is not None:
            self.lane = None
            lane.take(self._spent - self._paid)
            lane.usual += (self._spent - lane.usual) / 8
            lane.abreast.release()

    def timed(self, work: Coroutine[Any, Any, T]) -> _Timed[T]:
        """Measures the time awaited work keeps the loop busy, without its waits."""
        return _Timed(self, work)


class _Timed(Generic[T]):
    def __init__(self, turn: Turn, work: Coroutine[Any, Any, T]) -> None:
        self._turn = turn
        self._work = work

    def __await__(self) -> Generator[Any, Any, T]:
        steps = self._work.__await__()
        step: Any = steps.send
        given: Any = None
        while True:
            began = time.perf_counter()
            try:
                waits_for = step(given)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            finally:
                self._turn._spent += time.perf_counter() - began
            try:
                given = yield waits_for
                step = steps.send
            except BaseException as error:
                step, given = steps.throw, error
