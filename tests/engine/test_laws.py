"""The laws bite: a copy of a game that breaks one is caught."""

import dataclasses
import json
import os
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.engine import kernel, laws
from foxden.engine import match as matches
from foxden.engine.errors import LawBroken
from tests.engine.broken import BREAKERS
from tests.games.happy_fox.truth import TRUTH


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


def test_a_state_with_gaps_between_its_fields_is_refused() -> None:
    good = foxden.game("happy-fox")
    fields = [("small", "i1"), *((name, good.state[name]) for name in good.state.names or ())]
    with pytest.raises(TypeError, match="the state has gaps"):
        dataclasses.replace(good, state=np.dtype(fields, align=True))


def whole_bytes(states: Any, i: int) -> bytes:
    """Takes bytes of no field for the state's."""
    raw: bytes = states[i : i + 1].tobytes()
    return raw


@pytest.mark.parametrize("place", [laws, matches])
def test_bytes_of_no_field_break_a_law_where_they_count(
    place: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs compiled: interpreted states have no such bytes."""
    game = foxden.game("happy-fox")
    laws.check_match(game, TRUTH, 2, {}, 0)
    monkeypatch.setattr(place, "bytes_of", whole_bytes)
    with pytest.raises(LawBroken):
        laws.check_match(game, TRUTH, 2, {}, 0)


def test_bytes_of_no_field_are_not_read() -> None:
    states = np.zeros(2, kernel.layout([("a", "i1"), ("b", "i8"), ("c", "i2", 3)]))
    states["a"], states["b"], states["c"] = 1, 2, 3
    assert states.dtype.names == ("b", "c", "a", kernel.SPARE)
    states[kernel.SPARE][1] = 77
    assert kernel.bytes_of(states, 0) == kernel.bytes_of(states, 1)
    assert (
        kernel.to_known(states, 0)
        == kernel.to_known(states, 1)
        == kernel.Known(a=1, b=2, c=[3] * 3)
    )
