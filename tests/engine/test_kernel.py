"""The compile cache: a folder for every state of the sources, and a clear word when it fails."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import foxden
from foxden.engine import kernel

SOURCES = Path(foxden.__file__).parent


def run(code: str, *, sources: Path = SOURCES.parent, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(sources), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_an_edited_rule_is_never_served_from_the_cache(tmp_path: Path) -> None:
    """Numba would go on using callers compiled with the old rule."""
    copy = tmp_path / "foxden"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    # The hand after a deal: `start` calls `deal`, which calls the rule that is edited.
    code = (
        "import foxden; from foxden.engine import compiled, kernel;"
        "game = foxden.game('happy-fox'); states = kernel.new_states(game.state, 1);"
        "game.configure(states, 0, game.setup(2)); compiled.start(states, 0, 1, 0);"
        "print(foxden.__file__, type(states).__name__, states['hand'][0, 0].sum())"
    )
    cache = str(tmp_path / "cache")
    before = run(code, sources=tmp_path, FOXDEN_CACHE=cache)
    assert before.startswith(str(copy))
    assert before.endswith("ndarray 5")
    rules = copy / "games/happy_fox/rules.py"
    edited = rules.read_text().replace("while n < s.hand_limit", "while n < s.hand_limit - 2")
    assert edited != rules.read_text()
    rules.write_text(edited)
    assert run(code, sources=tmp_path, FOXDEN_CACHE=cache).endswith("ndarray 3")


def test_code_that_is_optimised_less_is_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = set()
    for level in (None, "1", "3"):
        monkeypatch.setattr(kernel, "NUMBA_OPT", level)
        folders.add(kernel.fingerprint())
    assert len(folders) == 3


def test_an_unwritable_cache_is_refused_with_a_way_out(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    code = (
        "import foxden\ntry:\n    foxden.new('happy-fox')\n"
        "except foxden.CacheUnwritable as refusal:\n    print(refusal)"
    )
    says = run(code, FOXDEN_CACHE=str(blocked))
    assert "cannot be kept" in says
    assert "set FOXDEN_CACHE" in says
    assert blocked.read_text() == "not a folder"


def test_stale_folders_are_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOXDEN_CACHE", str(tmp_path))
    old, fresh = tmp_path / "rules/old", tmp_path / "rules/fresh"
    old.mkdir(parents=True)
    fresh.mkdir()
    os.utime(old, (0, 0))
    kept = kernel.cache_folder.__wrapped__()
    assert kept.parent == tmp_path / "rules"
    assert not old.exists()
    assert fresh.exists()


def test_other_peoples_numba_cache_is_left_alone() -> None:
    assert str(kernel.cache_folder()) != numba.config.CACHE_DIR


def test_interpreted_records_copy_by_value_and_notice_overflow() -> None:
    dtype = np.dtype([("a", "i1"), ("b", "i1", 3)], align=True)
    states = kernel.Interpreted(dtype, 2)
    states[0].b[:] = [1, 2, 3]  # type: ignore[attr-defined]
    states[1] = states[0]
    states[0].b[0] = 9  # type: ignore[attr-defined]
    assert states[1].b.tolist() == [1, 2, 3]  # type: ignore[attr-defined]
    states[0].a = 300  # type: ignore[attr-defined]
    code = (
        "import numpy as np; from foxden.engine import kernel;"
        "s = kernel.Interpreted(np.dtype([('a', 'i1')]), 1); s[0].a = 300;"
        "kernel.bytes_of(s, 0)"
    )
    with pytest.raises(subprocess.CalledProcessError) as caught:
        run(code, NUMBA_DISABLE_JIT="1")
    assert "a = 300 does not fit" in caught.value.stderr or "out of bounds" in caught.value.stderr


def test_a_copy_of_interpreted_states_shares_nothing() -> None:
    states = kernel.Interpreted(np.dtype([("a", "i1"), ("b", "i1", (2,))]), 2)
    copies = states.copy()
    kernel.write_field(copies, 1, "a", 3)
    kernel.write_field(copies, 1, "b", [4, 0])
    assert kernel.bytes_of(states, 1) == bytes(3)
    assert kernel.bytes_of(copies, 1) == bytes([3, 4, 0])
    assert copies.dtype == states.dtype


def test_whatever_compiles_is_in_a_room_that_the_cache_watches() -> None:
    compiling = [
        file.relative_to(SOURCES).parts[0]
        for file in SOURCES.rglob("*.py")
        if "template" not in file.parts  # a package of its own
        if "@rule" in (text := file.read_text()) or "numba.njit" in text or "cuda.jit" in text
    ]
    assert set(compiling) <= set(kernel.COMPILED_ROOMS)
    assert len(compiling) > 10
