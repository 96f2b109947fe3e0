"""How reviews are computed beside a server: once, watched without a fall, and never forgotten."""

from __future__ import annotations

import asyncio
import sys
import textwrap
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import foxden
from foxden.review import VERSION
from foxden.server import reviews
from foxden.server.reviews import Reviews, Teller
from foxden.server.store import ReviewRow, Store, StoreDown, open_store
from foxden.server.tasks import Tasks

pytestmark = pytest.mark.anyio
MATCH: Any = foxden.new("happy-fox", seats=2, seed=1)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path}/foxden.db")
    await opened.open()
    yield opened
    await opened.close()


def scripted(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Lets the process that computes a review run another program."""
    usual = asyncio.create_subprocess_exec

    async def run(*_: Any, **more: Any) -> Any:
        return await usual(sys.executable, "-c", textwrap.dedent(script), **more)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", run)


async def watched(found: Reviews) -> list[float]:
    """Asks for a review until it is done; returns how far it was each time."""
    seen = []
    async with asyncio.timeout(60):
        while (row := await found.begin("t", 0, MATCH)).content is None:
            seen.append(row.done)
            await asyncio.sleep(0.02)
    return seen


def test_threads_that_report_at_once_tell_whole_lines_that_rise() -> None:
    told: list[str] = []

    def write(text: str) -> None:
        for sign in text:  # as slow as a stream may be
            told.append(sign)
            time.sleep(0)

    teller = Teller(write, pause=0.0)

    def report() -> None:
        for step in range(1, 200):
            teller.tell(step / 200)

    threads = [threading.Thread(target=report) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = "".join(told).split("\n")
    assert lines.pop() == ""
    found = [float(line) for line in lines]
    assert found == sorted(set(found))
    assert found[-1] == 0.995


async def test_what_else_is_printed_does_not_end_a_review(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "TOLD", 0.05)
    scripted(
        monkeypatch,
        """
        import time
        for line in ("0.25", "0.50.75", "", "a warning", "nan", "0.5", "0.1", "inf", '{"a": 1}'):
            print(line, flush=True)
            time.sleep(0.1)
        """,
    )
    tasks = Tasks()
    found = Reviews(store, tasks, 1.0)
    seen = await watched(found)
    assert seen == sorted(seen)
    assert all(0.0 <= done <= 1.0 for done in seen)
    row = await store.review("t", 0)
    assert row is not None
    assert (row.done, row.content) == (1.0, '{"a": 1}')
    await tasks.close()


async def test_a_review_that_waits_for_its_turn_is_not_given_up(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "TOLD", 0.05)
    monkeypatch.setattr(reviews, "SIGN", 0.2)
    monkeypatch.setattr(reviews, "STALE", 1.0)
    scripted(monkeypatch, "import time; time.sleep(3); print('{}')")
    tasks = Tasks()
    here, elsewhere = Reviews(store, tasks, 1.0), Reviews(store, tasks, 1.0)
    await here.begin("another", 0, MATCH)
    await here.begin("t", 0, MATCH)
    end = time.monotonic() + 2.5
    while time.monotonic() < end:
        row = await elsewhere.begin("t", 0, MATCH)
        assert row.content is None
        assert not elsewhere._running
        await asyncio.sleep(0.1)
    await watched(elsewhere)
    assert not elsewhere._running
    await tasks.close()


async def test_two_processes_that_begin_at_once_compute_one_review(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(monkeypatch, "import time; time.sleep(1); print('{}')")
    tasks = Tasks()
    several = [Reviews(store, tasks, 1.0) for _ in range(4)]
    asked = (one.begin("t", 0, MATCH) for one in several for _ in range(3))
    assert {row.done for row in await asyncio.gather(*asked)} == {0.0}
    assert sum(len(one._running) for one in several) == 1
    await watched(several[0])
    assert not any(one._running for one in several)
    await tasks.close()


async def test_a_store_that_is_away_neither_ends_a_review_nor_forgets_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "TOLD", 0.05)
    scripted(
        monkeypatch,
        """
        import time
        for line in ("0.25", "0.5", "0.75", "{}"):
            print(line, flush=True)
            time.sleep(0.2)
        """,
    )
    tasks = Tasks()
    found = Reviews(store, tasks, 1.0)
    put, begin = store.put_review, store.begin_review
    refused = 0

    async def fail(*_: Any, **__: Any) -> Any:
        nonlocal refused
        refused += 1
        raise StoreDown("The store is away.")

    monkeypatch.setattr(store, "begin_review", fail)
    with pytest.raises(StoreDown):
        await found.begin("t", 0, MATCH)
    assert not found._running
    monkeypatch.setattr(store, "begin_review", begin)
    monkeypatch.setattr(store, "put_review", fail)
    await found.begin("t", 0, MATCH)
    await asyncio.sleep(1.5)
    assert refused > 3
    monkeypatch.setattr(store, "put_review", put)
    async with asyncio.timeout(20):
        while found._running:
            await asyncio.sleep(0.05)
    row = await store.review("t", 0)
    assert row is not None
    assert row.content == "{}"
    await tasks.close()


async def test_a_review_that_ends_while_it_is_asked_for_is_not_missing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = Tasks()
    found = Reviews(store, tasks, 1.0)
    old = ReviewRow("t", 0, VERSION, time.time() - 2 * reviews.STALE, 0.9)
    found._running["t", 0] = 0.9

    async def read(table: str, seat: int) -> ReviewRow:
        found._running.clear()  # it is done just now
        return replace(old)

    monkeypatch.setattr(store, "review", read)
    assert await found.find("t", 0) == old
    assert await found.find("t", 0) is None


async def test_a_review_of_somebody_forgotten_meanwhile_is_made_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "TOLD", 0.05)
    scripted(monkeypatch, "import time; print('0.5', flush=True); time.sleep(1); print('{}')")
    tasks = Tasks()
    found = Reviews(store, tasks, 1.0)
    await found.begin("t", 0, MATCH)
    await asyncio.sleep(0.3)
    await store.write(("DELETE FROM reviews RETURNING seat", ()))  # type: ignore[attr-defined]
    async with asyncio.timeout(20):
        while found._running:
            await asyncio.sleep(0.05)
    assert await store.review("t", 0) is None
    await watched(found)
    await tasks.close()
