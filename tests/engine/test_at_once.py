"""Rules play as Python until they are compiled: the same match, with nothing to wait for."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

import foxden

AT_ONCE = """
import json, sys
import foxden
from foxden.bots import ask, find_bot
match = foxden.new(sys.argv[1], seed=7)
bots = [find_bot(name) for name in ("greedy", "level:1", "level:2", "level:3")]
while not match.is_over and match.ply < 40:
    match.play(ask(bots[match.ply % len(bots)], match, seed=1))
told = [match.view(0), match.view(None), match.log(1)]
print(json.dumps([match.is_compiled, "numba" in sys.modules, match.record(), told]))
"""

GOING_ON = """
import json
import foxden
from foxden.bots import ask, find_bot
from foxden.engine import compiled

def play(match):
    before = None
    while not match.is_over:
        if before is not None and match.ply == 12:
            compiled.prepare(match.game)
        before = match.seat_view(0)
        ((after, entry),) = match.play_and_view([before], ask(find_bot("greedy"), match, seed=1))
        assert after.known == match.known(0)
    return match

first = play(foxden.new("happy-fox", seed=7))
second = play(foxden.new("happy-fox", seed=7))
print(json.dumps([first.is_compiled, first.record() == second.record(),
    first.state_bytes() == second.state_bytes(), first.log(1) == second.log(1)]))
"""


def run(code: str, *args: str) -> Any:
    env = {**os.environ, "FOXDEN_COMPILE": "when-asked"}
    env.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-c", code, *args], env=env, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", foxden.games())
def test_a_match_begins_without_a_compiler(name: str) -> None:
    compiled, numba, record, told = run(AT_ONCE, name)
    assert not compiled
    assert not numba
    match = foxden.Match.from_record(record)
    assert [match.view(0), match.view(None), match.log(1)] == told


def test_a_match_goes_on_compiled_as_it_began() -> None:
    assert run(GOING_ON) == [True, True, True, True]
