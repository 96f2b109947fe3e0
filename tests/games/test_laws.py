"""The laws, for every game, every number of seats and every set of options."""

import json
import os
import subprocess
import sys

import pytest

import foxden
from foxden.engine import laws
from tests.games.truths import truth

SETUPS = [
    (name, seats, options)
    for name in foxden.games()
    for seats, options in laws.setups(foxden.game(name), truth(name))
]
NAMES = [
    f"{name}-{seats}-{'-'.join(map(str, options.values()))}" for name, seats, options in SETUPS
]
TRIALS = [
    pytest.param(*setup, seed, id=name)
    for seed, (setup, name) in enumerate(zip(SETUPS, NAMES, strict=True))
]


@pytest.mark.parametrize("name", foxden.games())
def test_every_action_has_a_notation_that_leads_back_to_it(name: str) -> None:
    laws.check_notation(foxden.game(name))


@pytest.mark.parametrize(("name", "seats", "options", "seed"), TRIALS)
def test_laws_hold_in_random_play(
    name: str, seats: int, options: dict[str, object], seed: int
) -> None:
    assert laws.check_match(foxden.game(name), truth(name), seats, options, seed).is_over


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "options"), SETUPS, ids=NAMES)
def test_laws_hold_in_long_random_play(name: str, seats: int, options: dict[str, object]) -> None:
    for seed in range(100, 200):
        assert laws.check_match(foxden.game(name), truth(name), seats, options, seed).is_over


@pytest.mark.parametrize("name", foxden.games())
def test_interpreted_play_gives_the_same_bytes(name: str) -> None:
    compare_with_interpreted(name, every=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", foxden.games())
def test_interpreted_play_gives_the_same_bytes_with_every_setup(name: str) -> None:
    compare_with_interpreted(name, every=1)


def compare_with_interpreted(name: str, every: int) -> None:
    game = foxden.game(name)
    setups = list(laws.setups(game, truth(name)))[::every]
    tables = [(seats, dict(options), 5) for seats, options in setups]
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
