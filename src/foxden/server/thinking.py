"""Thinking of bots and hints: in a few threads, outside the GIL, on wiped states only.

Threads are shared fairly: among addresses, then among the people of an address, then among the
tables of a person. Whoever has used least goes first, and the more are waiting, the less time each
gets.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any

import structlog

from foxden.bots import GreedyBot, Position, hints, level_bot, position_of
from foxden.bots.levels import levels
from foxden.engine.kernel import COMPILE
from foxden.engine.rng import SEED_BITS
from foxden.server.problems import Refusal

if TYPE_CHECKING:
    from foxden.bots.ismcts import Hint
    from foxden.engine.game import Game
    from foxden.engine.match import Match

log = structlog.get_logger()
LONGEST = 1.0  # seconds that a bot may think
ROUND = 1.5  # seconds in which everybody waiting gets a turn
WINDOW = 3.0  # seconds over which the most waiting jobs count
SHORTEST = 0.01  # least seconds for a bot, however many are waiting


@dataclass(frozen=True)
class Owner:
    """For whom a bot thinks: a person at an address."""

    address: str
    person: str


@dataclass
class _Job:
    """One task for a thread."""

    owner: Owner
    done: asyncio.Future[Any]
    work: Callable[[], Any] = int
    began: float = 0.0
    seconds: float = LONGEST  # its limit


class _Most:
    """A recent maximum: the last of a round get no more time than the first."""

    def __init__(self) -> None:
        self._counts: deque[tuple[float, int]] = deque()  # times and counts; counts descending

    def count(self, number: int) -> int:
        """Adds the current number, and returns the maximum of the last seconds."""
        now = time.perf_counter()
        while self._counts and self._counts[-1][1] <= number:
            self._counts.pop()
        self._counts.append((now, number))
        while self._counts[0][0] < now - WINDOW:
            self._counts.popleft()
        return self._counts[0][1]


@dataclass
class _Queue:
    """One person's waiting jobs, and their use of the threads."""

    used: float
    jobs: deque[_Job] = field(default_factory=deque)
    active: int = 0  # waiting or running jobs
    most: _Most = field(default_factory=_Most)


@dataclass
class _Lane:
    """The people of one address."""

    used: float
    people: dict[str, _Queue] = field(default_factory=dict)
    most: _Most = field(default_factory=_Most)
    turn: float = 0.0  # prior use of the person served last


class Thinking:
    """The threads of this process."""

    def __init__(self, threads: int) -> None:
        """Creates the threads; they start when needed."""
        self._count = threads
        self._free = threads
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._closing = Event()
        self._lanes: dict[str, _Lane] = {}  # by address, while jobs wait or run
        self._most = _Most()
        self._turn_of = 0.0  # prior use of the address served last
        self._running: list[_Job] = []

    def close(self) -> None:
        """Cancels all thinking."""
        self._closing.set()
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def choose(self, match: Match, level: int, owner: Owner, luck: int | None = None) -> int:
        """Lets a bot of a level decide for the seat to act; falls back to greedy on an error.

        With `luck`, it decides the same in the same position, as far as its level can.
        """
        legal = match.legal()
        if len(legal) == 1:
            return legal[0].id
        chosen: int = await self._think(
            match, owner, lambda position: _decide(position, level), luck
        )
        return chosen

    async def hints(self, match: Match, owner: Owner) -> list[Hint]:
        """Thinks at the highest strength for the seat to act, and lists its moves."""
        if COMPILE == "never":
            raise Refusal("no-compiler", 501, "Hints need Numba, which this server does without.")
        if not match.is_compiled:
            raise Refusal("compiling", 503, "Hints are ready in a minute or so.", retry=10)
        found: list[Hint] = await self._think(match, owner, lambda p: hints(p, LONGEST))
        return found

    @staticmethod
    def longest(game: Game, level: int) -> float:
        """Returns a level's time limit in seconds, if it has one."""
        return levels(game)[level - 1].seconds or 0.0

    # Turns

    async def _think(
        self,
        match: Match,
        owner: Owner,
        work: Callable[[Position], Any],
        luck: int | None = None,
    ) -> Any:
        if self._closing.is_set():
            raise asyncio.CancelledError
        job = _Job(owner, asyncio.get_running_loop().create_future())
        position = position_of(
            match,
            # Its own seed: the match's must stay secret.
            seed=secrets.randbits(SEED_BITS) if luck is None else luck,
            seconds=LONGEST,
            cancelled=lambda: self._is_up(job),
        )
        job.work = lambda: work(position)
        queue = self._queue(owner)
        queue.jobs.append(job)
        queue.active += 1
        for other in self._running:
            other.seconds = min(other.seconds, self._allotted(other.owner))
        self._turn()
        return await job.done

    def _queue(self, owner: Owner) -> _Queue:
        """Returns a person's queue; a new one starts level with the one served last."""
        lane = self._lanes.get(owner.address)
        if lane is None:
            lane = self._lanes[owner.address] = _Lane(self._turn_of)
        queue = lane.people.get(owner.person)
        if queue is None:
            queue = lane.people[owner.person] = _Queue(lane.turn)
        return queue

    def _allotted(self, owner: Owner) -> float:
        """Returns the time in seconds that a job may take now."""
        lane = self._lanes[owner.address]
        queue = lane.people[owner.person]
        lanes, people = self._most.count(len(self._lanes)), lane.most.count(len(lane.people))
        sharing = lanes * people * queue.most.count(queue.active)
        return min(LONGEST, max(SHORTEST, ROUND * self._count / sharing))

    def _is_up(self, job: _Job) -> bool:
        """Returns, in the bot's thread, whether its time is up; new jobs may have shortened it."""
        if self._closing.is_set() or job.done.done():
            return True
        return time.perf_counter() - job.began >= job.seconds

    def _turn(self) -> None:
        """Hands waiting jobs to free threads; owners who used least go first."""
        while self._free and not self._closing.is_set():
            lanes = [
                lane
                for lane in self._lanes.values()
                if any(queue.jobs for queue in lane.people.values())
            ]
            if not lanes:
                return
            lane = min(lanes, key=lambda lane: lane.used)
            queue = min(
                (queue for queue in lane.people.values() if queue.jobs), key=lambda q: q.used
            )
            job = queue.jobs.popleft()
            job.seconds = self._allotted(job.owner)
            self._turn_of, lane.turn = lane.used, queue.used
            # Charged in advance, so several free threads do not all go to one owner.
            lane.used += job.seconds
            queue.used += job.seconds
            self._free -= 1
            self._running.append(job)
            estimate = job.seconds
            job.began = time.perf_counter()
            # The work references its job; dropping it breaks the cycle.
            work, job.work = job.work, int
            running = asyncio.get_running_loop().run_in_executor(self._threads, work)
            running.add_done_callback(
                lambda running, job=job, estimate=estimate: self._end(running, job, estimate)  # type: ignore[misc]
            )

    def _end(self, running: asyncio.Future[Any], job: _Job, estimate: float) -> None:
        self._free += 1
        self._running.remove(job)
        lane = self._lanes[job.owner.address]
        queue = lane.people[job.owner.person]
        spent = time.perf_counter() - job.began
        lane.used += spent - estimate
        queue.used += spent - estimate
        queue.active -= 1
        # Idle owners are dropped: nobody saves up credit, and no entries pile up.
        if not queue.active:
            del lane.people[job.owner.person]
        if not lane.people:
            del self._lanes[job.owner.address]
        if not job.done.done():
            if running.cancelled():
                job.done.cancel()
            elif (error := running.exception()) is not None:
                job.done.set_exception(error)
            else:
                job.done.set_result(running.result())
        if not self._closing.is_set():
            self._turn()


def _decide(position: Position, level: int) -> int:
    """Chooses an action, in the bot's thread."""
    try:
        chosen = int(level_bot(level).choose(position))
        if chosen in {action.id for action in position.legal}:
            return chosen
        log.error("bot chose what is not legal", game=position.game.name, level=level)
    except Exception:
        log.exception("bot failed", game=position.game.name, level=level)
    return int(GreedyBot().choose(position))
