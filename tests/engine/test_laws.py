"""The laws bite: a copy of a game that breaks one is caught."""

import dataclasses
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import foxden
from tests.engine.broken import BREAKERS


def test_every_broken_copy_is_caught_by_its_law_and_a_sound_one_by_none() -> None:
    """Runs interpreted: compiling a dozen games would take minutes."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.broken"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    laws = {function.__name__: law for law, _, function in BREAKERS}
    assert json.loads(done.stdout) == {"sound": None, **laws}


def test_two_games_with_one_layout_are_refused() -> None:
    with pytest.raises(TypeError, match="one state layout"):
        dataclasses.replace(foxden.game("happy-fox"))


def test_a_state_without_a_field_for_an_option_is_refused() -> None:
    good = foxden.game("happy-fox")
    kept = [name for name in good.state.names or () if name != "unknown_four"]
    state = np.dtype([(name, good.state[name]) for name in kept], align=True)
    with pytest.raises(TypeError, match="the state lacks unknown_four"):
        dataclasses.replace(good, state=state)
