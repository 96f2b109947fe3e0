"""The one decorator that compiles rules, the folder that keeps them compiled, and state records.

Rules are plain functions over a flat record. With `NUMBA_DISABLE_JIT=1` the same source runs
interpreted, which is slower by two orders of magnitude and gives the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
import platformdirs

from foxden.engine.errors import CacheUnwritable

COMPILED = not numba.config.DISABLE_JIT
# Bounds checks cost 2-8 %; the test-suite always has them on.
CHECKED = os.environ.get("FOXDEN_CHECKS") == "1"
# The rooms that hold compiled code; an edit in any other costs nobody a compilation.
COMPILED_ROOMS = ("engine", "games", "bots", "envs")
STALE_AFTER = 30 * 24 * 3600  # seconds that a folder of other sources stays unused

Rule = TypeVar("Rule", bound=Callable[..., Any])


class Known(SimpleNamespace):
    """A state's fields as ints and nested lists, for code outside rules; lists may be shared."""

    __slots__ = ("pieces",)  # the fields as bytes: what is still the same is not read anew


def fingerprint() -> str:
    """Hashes all that compiled code depends on.

    Numba looks only at the caller's own file: edit a game, and cached callers would go on with
    the old rules. A folder of its own for every state of the sources rules that out.
    """
    versions = (CHECKED, numba.__version__, llvmlite.__version__, np.__version__)
    digest = hashlib.sha256(repr(versions).encode())
    package = Path(__file__).parents[1]
    for file in sorted(file for room in COMPILED_ROOMS for file in (package / room).rglob("*.py")):
        digest.update(file.relative_to(package).as_posix().encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Makes the folder for compiled rules, checks that it can be written, and clears stale ones."""
    chosen = os.environ.get("FOXDEN_CACHE")
    root = Path(chosen) if chosen else platformdirs.user_cache_path("foxden")
    folder = root / "rules" / fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        for other in folder.parent.iterdir():
            if time.time() - other.stat().st_mtime > STALE_AFTER:
                shutil.rmtree(other, ignore_errors=True)
    except OSError as error:
        raise CacheUnwritable(
            f"Compiled rules cannot be kept in {folder} ({error.strerror}). "
            "Make that folder writable, or set FOXDEN_CACHE to one that is.",
            folder=folder,
        ) from error
    return folder


CACHE = cache_folder() if COMPILED else None


@contextmanager
def _caching_in(folder: Path | None) -> Iterator[None]:
    """Points Numba's cache at our folder while a rule is decorated, and only then."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or before)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


# Rules make no arrays, so none is counted: that took a tenth of the time of random play.
OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}


def rule(function: Rule) -> Rule:
    """Compiles a rule on its first call; the compiled form outlives the process."""
    with _caching_in(CACHE):
        compiled: Rule = numba.njit(cache=True, boundscheck=CHECKED, **OPTIONS)(function)
    return compiled


class _Record:
    """A state in interpreted play: fields as attributes."""

    dtype: np.dtype[Any]


class Interpreted(list[_Record]):
    """Stands in for an array of records in interpreted play.

    Fields are Python ints and 64-bit arrays, because that is what Numba computes with.
    """

    def __init__(self, dtype: np.dtype[Any], n: int) -> None:
        """Makes n zeroed records."""
        super().__init__()
        self.dtype = dtype
        for _ in range(n):
            record = _Record()
            record.dtype = dtype
            for name in dtype.names or ():
                shape = dtype[name].shape
                setattr(record, name, np.zeros(shape, np.int64) if shape else 0)
            self.append(record)

    def __setitem__(self, i: Any, source: Any) -> None:
        """Copies by value, as NumPy and Numba do."""
        for name in self.dtype.names or ():
            if self.dtype[name].shape:
                getattr(self[i], name)[...] = getattr(source, name)
            else:
                setattr(self[i], name, getattr(source, name))


def records(dtype: np.dtype[Any], n: int) -> Any:
    """Makes n zeroed records, in the form that rules take."""
    return np.zeros(n, dtype) if COMPILED else Interpreted(dtype, n)


def write_field(states: Any, i: int, field: str, value: Any) -> None:
    """Sets one field of one record, whatever the mode."""
    if not COMPILED:
        if states.dtype[field].shape:
            getattr(states[i], field)[...] = value
        else:
            setattr(states[i], field, int(value))
    else:
        states[field][i] = value


def record_bytes(states: Any, i: int) -> bytes:
    """Gives a record's bytes, the same in both modes."""
    if COMPILED:
        raw: bytes = states[i : i + 1].tobytes()
        return raw
    packed = np.zeros(1, states.dtype)
    for name in states.dtype.names:
        value = getattr(states[i], name)
        packed[name][0] = value
        if not np.array_equal(packed[name][0], value):
            raise OverflowError(f"{name} = {value} does not fit its type")
    return packed.tobytes()


class _Layout:
    """How a record's bytes become plain values."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype  # kept, so that no other gets its identity
        self.forms: list[tuple[str, Any, Any]] = []  # each field's name, type and shape
        cut, end = "=", 0
        for name in dtype.names or ():
            kind, start = dtype.fields[name][:2]  # type: ignore[index]
            self.forms.append((name, kind.base.char, kind.shape))
            cut += f"{start - end}x{kind.itemsize}s"
            end = start + kind.itemsize
        self.cut = struct.Struct(f"{cut}{dtype.itemsize - end}x").unpack
        # What each field was last read as: the seats of one match mostly see the same.
        self.last: list[tuple[bytes, Any]] = [(b"", None)] * len(self.forms)


_layouts: dict[int, _Layout] = {}  # by identity, because to hash a dtype takes long


def plain(states: Any, i: int, before: Known | None = None) -> Known:
    """Gives a record as plain ints and lists, which are shared with those of before if given."""
    known = Known()
    fields, dtype = vars(known), states.dtype
    if not COMPILED:
        for name in dtype.names:
            value = getattr(states[i], name)
            fields[name] = value.tolist() if isinstance(value, np.ndarray) else int(value)
        return known
    layout = _layouts.get(id(dtype))
    if layout is None:
        layout = _layouts[id(dtype)] = _Layout(dtype)
    known.pieces = layout.cut(states[i : i + 1].tobytes())
    if before is None:
        for (name, char, shape), piece in zip(layout.forms, known.pieces, strict=True):
            fields[name] = _read(piece, char, shape)
        return known
    fields.update(vars(before))
    for k, (piece, old) in enumerate(zip(known.pieces, before.pieces, strict=True)):
        if piece != old:
            name, char, shape = layout.forms[k]
            last, value = layout.last[k]
            if last != piece:
                value = _read(piece, char, shape)
                layout.last[k] = piece, value
            fields[name] = value
    return known


def _read(piece: bytes, char: Any, shape: Any) -> Any:
    view = memoryview(piece)
    return view.cast(char, shape).tolist() if shape else view.cast(char)[0]
