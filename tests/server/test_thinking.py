"""Bots' thinking time is shared fairly: nobody's many tables make another's bot wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

import foxden
from foxden.bots import Position
from foxden.engine.match import Match
from foxden.server.thinking import LONGEST, ROUND, SHORTEST, WINDOW, Owner, Thinking

EVE, MIA = Owner("10.0.0.66", "eve"), Owner("10.0.0.1", "mia")
MATCH = foxden.new("happy-fox", seats=2, seed=1)


def think_until_told(position: Position) -> int:
    """Thinks as long as it may, as level 5 does."""
    end = time.perf_counter() + LONGEST
    while not position.cancelled() and time.perf_counter() < end:
        time.sleep(0.002)
    return 1


def think_a_moment(position: Position) -> int:
    time.sleep(0.002)
    return 1


async def ask(thinking: Thinking, owner: Owner, work: Callable[[Position], Any]) -> float:
    """Returns how long an answer took."""
    began = time.perf_counter()
    await thinking._think(MATCH, owner, work)
    return time.perf_counter() - began


@pytest.mark.anyio
@pytest.mark.parametrize("mine", [think_a_moment, think_until_told])
@pytest.mark.parametrize("names", [1, 20])
async def test_200_tables_of_another_do_not_make_my_bot_wait(
    mine: Callable[[Position], Any], names: int
) -> None:
    """Whether they are one person's, or those of many names at one address."""
    thinking = Thinking(1)
    flood = [
        asyncio.create_task(ask(thinking, Owner(EVE.address, f"eve {n % names}"), think_until_told))
        for n in range(200)
    ]
    try:
        await asyncio.sleep(0.1)
        for _ in range(5):
            waited = await ask(thinking, MIA, mine) - (LONGEST if mine is think_until_told else 0)
            assert waited < 2.0
    finally:
        thinking.close()
        for task in flood:
            task.cancel()
        await asyncio.gather(*flood, return_exceptions=True)


@pytest.mark.anyio
async def test_a_class_of_pupils_at_one_address_gets_answers_in_turn() -> None:
    thinking = Thinking(1)
    pupils = [Owner("school", f"pupil {n}") for n in range(90)]
    took = await asyncio.gather(*(ask(thinking, one, think_until_told) for one in pupils))
    thinking.close()
    assert max(took) < 2.0 + LONGEST


@pytest.mark.anyio
async def test_people_who_asked_less_go_first_and_nobody_saves_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("foxden.server.thinking.time.perf_counter", lambda: now)
    thinking = Thinking(1)
    order: list[str] = []
    gate = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def job(owner: Owner, name: str, cost: float) -> None:
        def work(position: Position) -> None:
            nonlocal now
            order.append(name)
            asyncio.run_coroutine_threadsafe(gate.wait(), loop).result()
            now += cost

        await thinking._think(MATCH, owner, work)

    tasks = [asyncio.create_task(job(EVE, f"eve {n}", 1.0)) for n in range(3)]
    await asyncio.sleep(0.05)
    tasks += [asyncio.create_task(job(MIA, f"mia {n}", 0.1)) for n in range(3)]
    await asyncio.sleep(0.05)
    gate.set()
    await asyncio.gather(*tasks)
    # Eve's first had begun; Mia's three together take less than it.
    assert order == ["eve 0", "mia 0", "mia 1", "mia 2", "eve 1", "eve 2"]
    assert thinking._lanes == {}
    thinking.close()


def test_time_is_shared_by_address_person_and_table(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("foxden.server.thinking.time.perf_counter", lambda: now)
    thinking = Thinking(1)

    def active(owner: Owner, jobs: int) -> None:
        thinking._queue(owner).active = jobs

    active(MIA, 1)
    assert thinking._allotted(MIA) == LONGEST
    active(EVE, 200)
    now += 1
    assert thinking._allotted(MIA) == pytest.approx(ROUND / 2)
    assert thinking._allotted(EVE) == SHORTEST
    active(Owner(EVE.address, "another name"), 1)
    assert thinking._allotted(MIA) == pytest.approx(ROUND / 2)
    assert thinking._allotted(Owner(EVE.address, "another name")) == pytest.approx(ROUND / 4)
    del thinking._lanes[EVE.address]
    assert thinking._allotted(MIA) == pytest.approx(ROUND / 2)  # others have just waited
    now += WINDOW + 2
    assert thinking._allotted(MIA) == LONGEST
    thinking.close()


@pytest.mark.anyio
async def test_a_bot_chooses_something_legal_in_no_time() -> None:
    match = Match(foxden.game("happy-fox"), seats=3, seed=5)
    thinking = Thinking(1)
    chosen = await asyncio.gather(*(thinking.choose(match, 5, EVE) for _ in range(60)))
    thinking.close()
    assert set(chosen) <= {action.id for action in match.legal()}
