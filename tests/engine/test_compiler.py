"""How rules are compiled."""

import subprocess
import sys
from inspect import signature
from threading import Event, Thread
from typing import Any

import pytest

import foxden
from foxden.engine import contract, kernel

if kernel.COMPILE == "never":
    pytest.skip("rules run as Python here", allow_module_level=True)

import numba
from numba.core import types
from numba.np.numpy_support import from_dtype

from foxden.engine import compiler

RULES = """
def one(x):
    return x + 1

def two(x):
    return one(x) + 1
"""


def test_no_thread_gets_a_rule_whose_module_is_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {}
    exec(RULES, names)
    one, two = kernel.made_rule(names["one"]), kernel.made_rule(names["two"])
    entered, go, make = Event(), Event(), compiler._make

    def slow(function: Any) -> Any:
        if function is one:
            entered.set()
            go.wait()
        return make(function)

    monkeypatch.setattr(compiler, "_make", slow)
    found: list[Any] = []
    threads = [Thread(target=lambda: found.append(compiler.compiled(two))) for _ in range(2)]
    threads[0].start()
    entered.wait()
    threads[1].start()
    threads[1].join(0.5)
    early = len(found)
    go.set()
    for thread in threads:
        thread.join()
    assert not early
    assert found[0] is found[1]
    rule = found[0]
    assert numba.njit(lambda x: rule(x))(1) == 3  # Python itself has no way to call it


def test_code_that_processes_share_is_named_by_the_rule_that_it_calls() -> None:
    names = set()
    for name in ("happy-fox", "fox-grove"):
        record = from_dtype(foxden.game(name).state)
        for rule in ("apply", "observe", "resample"):
            resolve = compiler._resolver(rule, signature(contract.GENERIC[rule]))
            names.add(resolve(record, types.int64).__qualname__)
    assert len(names) == 6


MANGLED = """import sys, foxden; from foxden.engine import compiler
from numba.np.numpy_support import from_dtype
for name in sys.argv[1:]: print(name, from_dtype(foxden.game(name).state).mangling_args)"""


def test_names_of_compiled_code_are_the_same_in_every_process() -> None:
    """Each process compiles one game; another loads the code of all of them."""

    def named(*games: str) -> set[str]:
        command = [sys.executable, "-c", MANGLED, *games]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return set(done.stdout.splitlines())

    one, other = named("happy-fox"), named("fox-grove")
    assert one | other == named("fox-grove", "happy-fox")
    assert len({line.split(maxsplit=1)[1] for line in one | other}) == 2
