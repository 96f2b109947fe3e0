"""Runs every test with bounds checks, in this process and in child processes."""

from __future__ import annotations

import gc
import os
from collections import Counter
from typing import Any

import pytest

os.environ["FOXDEN_CHECKS"] = "1"
if os.environ.get("NUMBA_DISABLE_JIT") != "1":
    os.environ.setdefault("FOXDEN_COMPILE", "always")
    # Tests compile a lot and run it briefly; without any optimisation nothing is cached.
    os.environ.setdefault("NUMBA_OPT", "1")

# Objects from test collection stay in memory: scanning them for garbage again and again took a
# tenth of the time of compute-bound tests.
gc.set_threshold(50_000, 20, 100)


def pytest_collection_finish() -> None:
    """Freezes the collected tests, hiding them from the garbage collector."""
    gc.freeze()


# Tests that wait for servers and browsers, and CPU-bound tests; the longest first.
WAITING = (
    "tests/web/test_tables.py",
    "tests/web/test_widths.py",
    "tests/server/test_store.py",
    "tests/server/test_no_leak.py",
    "tests/web/",
    "tests/server/",
)
BUSY = (
    "tests/games/test_laws.py",
    "tests/envs/",
    "tests/engine/test_laws.py",
    "tests/docs/test_tutorials.py",
    "tests/bench/",
    "tests/cli/",
    "tests/bots/",
)
# Files whose tests of different games share nothing; tests that name no game use the first.
BY_GAME = ("tests/envs/test_cuda.py", "tests/envs/test_vector.py", "tests/games/test_laws.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts waiting tests at one end, CPU-bound ones at the other, short ones between."""
    _tell_apart(items)

    def place(item: pytest.Item) -> int:
        for number, start in enumerate(WAITING, -len(WAITING)):
            if item.nodeid.startswith(start):
                return number
        busy = (number for number, start in enumerate(BUSY) if item.nodeid.startswith(start))
        return len(BUSY) - next(busy, len(BUSY))

    items.sort(key=place)


def _tell_apart(items: list[pytest.Item]) -> None:
    """Adds the API path to duplicate test ids; of tests with one id only one would run."""
    ids = Counter(item.nodeid for item in items)
    for item in items:
        if ids[item.nodeid] > 1:
            named = f"{item.nodeid.partition('[')[0].rpartition('::')[0]}::{item.name}"
            item._id = type(item.id).parse(named)  # pytest offers no other way
    assert len({item.nodeid for item in items}) == len(items)


def pytest_xdist_auto_num_workers() -> int:
    """Returns the number of cores plus two: tests often wait for servers and browsers."""
    return (os.cpu_count() or 1) + 2


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Schedules whole files from both ends, so waiting tests run beside CPU-bound ones."""
    from xdist.scheduler import LoadScopeScheduling

    from foxden.games import NAMES

    class FromBothEnds(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            if file not in BY_GAME:
                return file
            return f"{file} {next((name for name in NAMES if name in nodeid), NAMES[0])}"

        def _assign_work_unit(self, node: Any) -> None:
            if self.nodes.index(node) % 2 == 1:
                self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
            super()._assign_work_unit(node)

    config.option.loadscopereorder = False
    return FromBothEnds(config, log)
