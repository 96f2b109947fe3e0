"""Every test runs with bounds checks on, in this process and in those it starts."""

from __future__ import annotations

import os
from typing import Any

import pytest

os.environ["FOXDEN_CHECKS"] = "1"
if os.environ.get("NUMBA_DISABLE_JIT") != "1":
    os.environ.setdefault("FOXDEN_COMPILE", "always")

# What takes longest comes first, that nobody has to wait for it alone at the end.
FIRST = (
    "tests/web/",
    "tests/games/test_laws.py",
    "tests/server/",
    "tests/envs/",
    "tests/engine/test_laws.py",
    "tests/docs/test_tutorials.py",
    "tests/bench/",
    "tests/cli/",
)
# Files whose tests of different games share nothing.
BY_GAME = ("tests/envs/test_cuda.py", "tests/envs/test_vector.py", "tests/games/test_laws.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts what takes long first."""
    items.sort(
        key=lambda item: next(
            (place for place, start in enumerate(FIRST) if item.nodeid.startswith(start)),
            len(FIRST),
        )
    )


def pytest_xdist_auto_num_workers() -> int:
    """Returns two more than there are cores: tests often wait for servers and browsers."""
    return (os.cpu_count() or 1) + 2


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hands out files in their order: servers and browsers start once for each."""
    from xdist.scheduler import LoadScopeScheduling

    from foxden.games import NAMES

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            if file not in BY_GAME:
                return file
            return f"{file} {next((name for name in NAMES if name in nodeid), nodeid)}"

    config.option.loadscopereorder = False
    return ByFile(config, log)
