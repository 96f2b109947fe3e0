"""Rules and states: the decorator for rules, the cache of compiled rules, and state records.

Rules are plain functions over a flat record. Until they are compiled (`foxden.engine.compiler`),
they run as Python, which is fast enough for people. Compiled rules are faster by two orders of
magnitude, and produce the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import compress
from operator import ne
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np
import platformdirs

from foxden.engine.errors import CacheUnwritable

# Rules run as Python until speed is needed; "always" compiles at once, "never" does not.
COMPILE = os.environ.get("FOXDEN_COMPILE") or "when-asked"
# Playing needs no compiler, which is most of Foxden's size on disk.
if os.environ.get("NUMBA_DISABLE_JIT") == "1" or find_spec("numba") is None:
    COMPILE = "never"
# Bounds checks cost 2-8 %; the test suite always has them on.
CHECKED = os.environ.get("FOXDEN_CHECKS") == "1"
# Numba's optimisation level, if set.
NUMBA_OPT = os.environ.get("NUMBA_OPT")
# Packages with compiled code; edits elsewhere need no recompilation.
COMPILED_ROOMS = ("engine", "games", "bots", "envs", "lab", "review")
STALE_AFTER = 30 * 24 * 3600  # seconds after which a cache of other sources is stale

Rule = TypeVar("Rule", bound=Callable[..., Any])


class Known(SimpleNamespace):
    """A state's fields as ints and nested lists, for code outside rules; lists may be shared."""

    __slots__ = ("pieces", "raw")  # compiled play only: its bytes, by field and as a whole


def sources() -> Iterator[tuple[str, Path]]:
    """Lists the source files of compiled code; games of other packages have their own."""
    package = Path(__file__).parents[1]
    for room in COMPILED_ROOMS:
        for file in sorted((package / room).rglob("*.py")):
            yield file.relative_to(package).as_posix(), file


def fingerprint() -> str:
    """Hashes everything compiled code depends on.

    Numba checks only the caller's own file: after an edit to a game, cached callers would keep
    using the old rules. A separate folder for every state of the sources rules that out.
    """
    versions = (CHECKED, NUMBA_OPT, *map(version, ("numba", "llvmlite", "numpy")))
    digest = hashlib.sha256(repr(versions).encode())
    for name, file in sources():
        digest.update(name.encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """Creates the cache folder of compiled rules, checks it is writable, and removes stale ones."""
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


@dataclass(frozen=True)
class Plain:
    """A rule as Python, and whether its compiled form is cached on disk."""

    function: Callable[..., Any]
    kept: bool = True


RULES: dict[Any, Plain] = {}


def rule(function: Rule) -> Rule:
    """Marks a rule: plain Python that can be compiled. Returns the function unchanged."""
    RULES[function] = Plain(function)
    return function


def made_rule(function: Rule) -> Rule:
    """Marks a rule created at run time; its compiled form is not cached on disk."""
    RULES[function] = Plain(function, kept=False)
    return function


class Entry:
    """A rule over (states, …) for Python callers: compiled for arrays, else plain Python."""

    __slots__ = ("__name__", "_compiled", "plain")

    def __init__(self, function: Callable[..., Any]) -> None:
        """Takes the rule."""
        self.plain = function
        self._compiled: Any = function if COMPILE == "never" else None
        self.__name__ = function.__name__
        RULES[self] = Plain(function)

    def __call__(self, states: Any, *args: Any) -> Any:
        """Calls the rule in the form that fits the states."""
        if type(states) is np.ndarray:
            return (self._compiled or self.compiled)(states, *args)
        return self.plain(states, *args)

    @property
    def compiled(self) -> Any:
        """Returns the compiled form, for callers that have arrays and need speed."""
        if self._compiled is None:
            from foxden.engine import compiler

            self._compiled = compiler.compiled(self)
        return self._compiled


_ready: set[int] = set()  # layouts with compiled rules, by identity


def is_ready(dtype: np.dtype[Any]) -> bool:
    """Returns whether new states of a layout are made for compiled rules."""
    return COMPILE == "always" or id(dtype) in _ready


def set_ready(dtype: np.dtype[Any]) -> None:
    """Marks compiled rules as ready; new states are made for them from now on."""
    if COMPILE != "never":
        _ready.add(id(dtype))


# The field of the padding bytes that fill up whole words. No rule uses it, no output shows it.
HIDDEN = "_"
SPARE = f"{HIDDEN}spare"
WORD_SIZE = 8  # bytes


def layout(fields: Sequence[Any]) -> np.dtype[Any]:
    """Lays out a state so that every byte belongs to a field, the widest fields first.

    NumPy's own `align=True` leaves gaps, which copies fill with leftover memory.
    """
    packed = np.dtype(list(fields))
    names = sorted(packed.names or (), key=lambda name: -packed[name].base.itemsize)
    full: list[Any] = [(name, packed[name]) for name in names]
    spare = -packed.itemsize % WORD_SIZE
    return np.dtype([*full, (SPARE, "i1", (spare,))] if spare else full, align=True)


def marked(dtype: np.dtype[Any], folder: Path) -> np.dtype[Any]:
    """Returns a layout that differs for every change of the sources in a folder.

    So code compiled for the rules of a game from another package is never used for other versions
    of it, and nothing else has to be recompiled.
    """
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(folder.rglob("*.py"))))
    fields = [(name, dtype[name]) for name in dtype.names or ()]
    mark = (f"{HIDDEN}{digest.hexdigest()[:12]}", "i8")
    return np.dtype([*fields, mark], align=True)


def has_gaps(dtype: np.dtype[Any]) -> bool:
    """Returns whether a record has bytes that belong to no field."""
    return sum(dtype[name].itemsize for name in dtype.names or ()) < dtype.itemsize


def field_names(dtype: np.dtype[Any]) -> tuple[str, ...]:
    """Names the fields, without padding."""
    return tuple(name for name in dtype.names or () if not name.startswith(HIDDEN))


class _Record:
    """A state in interpreted play: fields as attributes."""

    dtype: np.dtype[Any]

    def __getitem__(self, name: str) -> Any:
        """Returns a field by name, as compiled code does."""
        return getattr(self, name)


class Interpreted(list[_Record]):
    """Stands in for an array of records in interpreted play.

    Fields are Python ints and 64-bit arrays, the types that Numba computes with.
    """

    def __init__(self, dtype: np.dtype[Any], n: int) -> None:
        """Creates n zeroed records."""
        super().__init__()
        self.dtype = dtype
        for _ in range(n):
            record = _Record()
            record.dtype = dtype
            for name in field_names(dtype):
                shape = dtype[name].shape
                setattr(record, name, np.zeros(shape, np.int64) if shape else 0)
            self.append(record)

    def copy(self) -> Interpreted:
        """Returns a copy by value, like an array's; a list's copy would share its records."""
        other = Interpreted(self.dtype, len(self))
        for i, record in enumerate(self):
            other[i] = record
        return other

    def __setitem__(self, i: Any, source: Any) -> None:
        """Copies by value, as NumPy and Numba do."""
        for name in field_names(self.dtype):
            if self.dtype[name].shape:
                getattr(self[i], name)[...] = getattr(source, name)
            else:
                setattr(self[i], name, getattr(source, name))


def new_states(dtype: np.dtype[Any], n: int, *, compiled: bool | None = None) -> Any:
    """Creates n zeroed states in the form that rules take: arrays for compiled ones."""
    if compiled is None:
        compiled = is_ready(dtype)
    return np.zeros(n, dtype) if compiled and COMPILE != "never" else Interpreted(dtype, n)


def as_array(states: Any) -> Any:
    """Returns states as an array, for compiled rules."""
    if isinstance(states, np.ndarray) or COMPILE == "never":
        return states
    array = np.zeros(len(states), states.dtype)
    for i in range(len(states)):
        for name in field_names(states.dtype):
            array[name][i] = getattr(states[i], name)
    return array


def copied(states: Any, i: int) -> Any:
    """Returns an array with a copy of one record."""
    if isinstance(states, np.ndarray):
        copy = np.empty(1, states.dtype)
        # As bytes: NumPy copies records field by field, which takes ten times as long.
        copy.view(np.uint8)[:] = states[i : i + 1].view(np.uint8)
        return copy
    copies = Interpreted(states.dtype, 1)
    copies[0] = states[i]
    return copies


def write_field(states: Any, i: int, field: str, value: Any) -> None:
    """Sets one field of one record, in either mode."""
    if not isinstance(states, np.ndarray):
        if states.dtype[field].shape:
            getattr(states[i], field)[...] = value
        else:
            setattr(states[i], field, int(value))
    else:
        states[field][i] = value


def bytes_of(states: Any, i: int) -> bytes:
    """Returns the bytes of a record's fields, the same in both modes."""
    end = _layout(states.dtype).end
    if isinstance(states, np.ndarray):
        raw: bytes = states[i : i + 1].tobytes()
        return raw[:end]
    packed = np.zeros(1, states.dtype)
    for name in field_names(states.dtype):
        value = getattr(states[i], name)
        packed[name][0] = value
        if not np.array_equal(packed[name][0], value):
            raise OverflowError(f"{name} = {value} does not fit its type")
    return packed.tobytes()[:end]


# Codes of `struct` for numbers of fixed size, by NumPy's kind and size.
NUMBERS = {("i", 1): "b", ("i", 2): "h", ("i", 4): "i", ("i", 8): "q"}
NUMBERS |= {("u", size): code.upper() for (_, size), code in NUMBERS.items()}


class _Layout:
    """How to convert a record's bytes to plain values."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        if has_gaps(dtype):
            raise TypeError("This record has bytes that are no field; `layout` makes one without.")
        self.dtype = dtype  # keeps it alive, so its identity stays unique
        self.names = field_names(dtype)
        self.forms: list[tuple[Any, Any] | None] = []  # an array's type and shape
        cut, self.end = "=", 0  # where the padding begins
        for name in self.names:
            kind = dtype[name]
            self.forms.append((kind.base.char, kind.shape) if kind.shape else None)
            cut += f"{kind.itemsize}s" if kind.shape else NUMBERS[kind.kind, kind.itemsize]
            self.end += kind.itemsize
        # Numbers are unpacked, arrays stay bytes.
        self.cut = struct.Struct(f"{cut}{dtype.itemsize - self.end}x").unpack
        self.places = range(len(self.names))
        # Each field's last value: the seats of a match mostly see the same.
        self.last: list[tuple[Any, Any]] = [(None, None)] * len(self.names)

    def value(self, k: int, piece: Any) -> Any:
        """Reads one field."""
        form = self.forms[k]
        return piece if form is None else memoryview(piece).cast(*form).tolist()


# By identity, because hashing a dtype is slow; by value, because unpickling makes new ones.
_layouts: dict[int | np.dtype[Any], _Layout] = {}


def _layout(dtype: np.dtype[Any]) -> _Layout:
    layout = _layouts.get(id(dtype)) or _layouts.get(dtype)
    if layout is None:
        layout = _layouts[id(dtype)] = _layouts[dtype] = _Layout(dtype)
    return layout


def to_known(states: Any, i: int, before: Known | None = None) -> Known:
    """Converts a record to plain ints and lists; with `before`, only converts what changed."""
    known = Known()
    fields, dtype = vars(known), states.dtype
    if not isinstance(states, np.ndarray):
        for name in field_names(dtype):
            value = getattr(states[i], name)
            fields[name] = value.tolist() if isinstance(value, np.ndarray) else int(value)
        return known
    layout = _layout(dtype)
    known.raw = raw = states[i : i + 1].tobytes()
    known.pieces = pieces = layout.cut(raw)
    if before is None or not hasattr(before, "pieces"):
        for k, name in enumerate(layout.names):
            fields[name] = layout.value(k, pieces[k])
        return known
    fields.update(vars(before))
    names, forms, last = layout.names, layout.forms, layout.last
    for k in compress(layout.places, map(ne, pieces, before.pieces)):
        value = piece = pieces[k]
        if forms[k] is not None:
            read, value = last[k]
            if read != piece:
                value = layout.value(k, piece)
                last[k] = piece, value
        fields[names[k]] = value
    return known


def from_known(known: Known, dtype: np.dtype[Any]) -> Any:
    """Returns a one-record array from a converted record, for rules to work on."""
    if hasattr(known, "raw"):
        return np.frombuffer(bytearray(known.raw), dtype)
    states = Interpreted(dtype, 1)
    for name, value in vars(known).items():
        write_field(states, 0, name, value)
    return states
