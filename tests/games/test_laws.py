"""The laws, for every game, every number of seats and every set of options."""

import json
import os
import subprocess
import sys

import pytest

import foxden
from foxden.engine import laws
from tests.games.truths import truth

TRIALS = [
    pytest.param(name, seats, options, id=f"{name}-{seats}-{'-'.join(map(str, options.values()))}")
    for name in foxden.games()
    for seats, options in laws.setups(foxden.game(name), truth(name))
]


@pytest.mark.parametrize("name", foxden.games())
def test_every_action_has_a_notation_that_leads_back_to_it(name: str) -> None:
    laws.check_notation(foxden.game(name))


@pytest.mark.parametrize(("name", "seats", "options"), TRIALS)
def test_laws_hold_in_random_play(name: str, seats: int, options: dict[str, object]) -> None:
    for seed in range(3):
        assert laws.check_match(foxden.game(name), truth(name), seats, options, seed).is_over


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "options"), TRIALS)
def test_laws_hold_in_long_random_play(name: str, seats: int, options: dict[str, object]) -> None:
    for seed in range(100, 200):
        assert laws.check_match(foxden.game(name), truth(name), seats, options, seed).is_over


@pytest.mark.parametrize("name", foxden.games())
def test_interpreted_play_gives_the_same_bytes(name: str) -> None:
    game = foxden.game(name)
    tables = [(seats, dict(options), 5) for seats, options in laws.setups(game, truth(name))]
    compiled = [laws.trace(game, *table) for table in tables]
    code = (
        "import sys, json, foxden; from foxden.engine import laws;"
        "name, tables = json.load(sys.stdin);"
        "print(json.dumps([laws.trace(foxden.game(name), *table) for table in tables]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps([name, tables]),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == compiled
