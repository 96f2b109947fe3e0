"""Compiles all games once, on all cores, before tests begin: `python -m tests.compiling`.

Tests that meet a game first would each compile it, in every process that has not got it yet. The
same holds for the tests' own modules, whose asserts pytest rewrites.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import tests.conftest  # noqa: F401  (bounds checks are on, as in tests)
from foxden.games import NAMES


def compile_game(name: str) -> None:
    """Compiles a game in a process of its own, as a server does; here there is memory enough."""
    code = "import gc; gc.disable(); from foxden.server.compiling import main; main()"
    subprocess.run([sys.executable, "-c", code, name], stdout=subprocess.DEVNULL, check=True)


def rewrite_tests() -> None:
    """Collects the tests, without compiling rules; what cannot be collected pytest says later."""
    # Schemathesis would think up its cases, for seconds.
    without = ["-p", "no:schemathesis"]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", *without]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        # The largest game comes last in the list: it must not be the one that is waited for.
        games = threads.map(compile_game, reversed(NAMES))
        threads.submit(rewrite_tests)
        list(games)
