"""Every test runs with bounds checks on, in this process and in those it starts."""

from __future__ import annotations

import gc
import os
from collections import Counter
from typing import Any

import pytest

os.environ["FOXDEN_CHECKS"] = "1"
if os.environ.get("NUMBA_DISABLE_JIT") != "1":
    os.environ.setdefault("FOXDEN_COMPILE", "always")
    # Tests compile much and run it for a short while; without optimising at all nothing is kept.
    os.environ.setdefault("NUMBA_OPT", "1")

# What collecting tests leaves in memory stays: to look through it time and again for garbage took a
# tenth of the time of tests that compute.
gc.set_threshold(50_000, 20, 100)


def pytest_collection_finish() -> None:
    """Keeps what was collected out of the garbage collector's sight."""
    gc.freeze()


# Tests that wait for servers and browsers, and tests that keep a core busy; the longest first.
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
# Files whose tests of different games share nothing; those that name none play the first one.
BY_GAME = ("tests/envs/test_cuda.py", "tests/envs/test_vector.py", "tests/games/test_laws.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts tests that wait at one end, the busy ones at the other, what is short between."""
    _tell_apart(items)

    def place(item: pytest.Item) -> int:
        for number, start in enumerate(WAITING, -len(WAITING)):
            if item.nodeid.startswith(start):
                return number
        busy = (number for number, start in enumerate(BUSY) if item.nodeid.startswith(start))
        return len(BUSY) - next(busy, len(BUSY))

    items.sort(key=place)


def _tell_apart(items: list[pytest.Item]) -> None:
    """Puts the path of the API into the ids of its tests; of those with one id only one is run."""
    ids = Counter(item.nodeid for item in items)
    for item in items:
        if ids[item.nodeid] > 1:
            named = f"{item.nodeid.partition('[')[0].rpartition('::')[0]}::{item.name}"
            item._id = type(item.id).parse(named)  # pytest has no other way
    assert len({item.nodeid for item in items}) == len(items)


def pytest_xdist_auto_num_workers() -> int:
    """Returns two more than there are cores: tests often wait for servers and browsers."""
    return (os.cpu_count() or 1) + 2


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hands out whole files from both ends, so that tests that wait run beside busy ones."""
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
