"""Compiles what `kernel.rule` marks with Numba, on first use.

Rules call each other by their plain Python names, so a process that only plays never loads Numba.
To compile a rule, its code gets a copy of its module's globals with every rule compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from inspect import signature
from pathlib import Path
from threading import RLock
from types import CellType, FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload
from numba.np.numpy_support import from_dtype

from foxden.engine import contract, fields, kernel, sets

CACHE = kernel.cache_folder()
# No reference counting, because rules make no arrays: it took a tenth of random play's time.
OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}


# Code that was compiled in several processes is linked by names, in which Numba numbers the types
# of records as each process meets them: one name could mean two games. So names say the layout.


@cache
def _layout_number(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:7])


_named = property(lambda self: ("Record", (_layout_number(self.name),)))
types.Record.mangling_args = _named  # type: ignore[assignment, method-assign]

_making = RLock()  # a rule is complete only when all names of its module are
_compiled: dict[Any, Any] = {}  # by the plain function
_globals: dict[int, dict[str, Any]] = {}  # by the identity of a module's own globals


def compiled(function: Any) -> Any:
    """Returns a rule's compiled form, which Numba specialises for each type of state.

    Compiled code calls it; Python uses entries.
    """
    with _making:
        found = _compiled.get(function)
        if found is None:
            found = _compiled[function] = _make(function)
    return found


def _make(function: Any) -> Any:
    plain = kernel.RULES[function]
    # Python calls only entries; a Python wrapper is a tenth of compiling a function.
    called = isinstance(function, kernel.Entry)
    options = {**OPTIONS, "no_cpython_wrapper": not called, "no_cfunc_wrapper": True}
    with _caching_in(CACHE):
        compiling = numba.njit(cache=plain.kept, boundscheck=kernel.CHECKED, **options)
        return compiling(twin(plain.function))


def twin(function: Any) -> Any:
    """Returns a copy of a function that calls compiled rules instead of plain ones."""
    other = FunctionType(
        function.__code__,
        _twin_globals(function.__globals__),
        function.__name__,
        function.__defaults__,
        _twin_cells(function.__closure__),
    )
    other.__qualname__, other.__module__ = function.__qualname__, function.__module__
    return other


def _twin_globals(names: dict[str, Any]) -> dict[str, Any]:
    """Copies a module's globals; looks up rules when Numba asks for them."""
    twin = _globals.get(id(names))
    if twin is None:
        twin = _globals[id(names)] = dict(names)
        for name, value in names.items():
            if _is_rule(value):
                twin[name] = compiled(value)
    return twin


def _twin_cells(cells: tuple[CellType, ...] | None) -> tuple[CellType, ...] | None:
    if cells is None:
        return None
    contents = [cell.cell_contents for cell in cells]
    return tuple(CellType(compiled(c) if _is_rule(c) else c) for c in contents)


def _is_rule(value: Any) -> bool:
    return isinstance(value, (FunctionType, kernel.Entry)) and value in kernel.RULES


@contextmanager
def _caching_in(folder: Path | None) -> Iterator[None]:
    """Points Numba's cache at our folder, only while a rule is decorated."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or before)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


# The contract: the state's type selects the game's function.

_games: dict[Any, Any] = {}


def _game_of(record: Any) -> Any:
    """Finds the game whose states have a type."""
    if record not in _games:
        for layout, game in contract.games().items():
            _games[from_dtype(layout)] = game
    return _games[record]


def _resolver(name: str, parameters: Any) -> Callable[..., Any]:
    def resolve(s, *args):  # type: ignore[no-untyped-def]
        game = _game_of(s)
        chosen = compiled(getattr(game, name))

        def alone(s):  # type: ignore[no-untyped-def]
            return chosen(s)

        def with_one(s, a):  # type: ignore[no-untyped-def]
            return chosen(s, a)

        def with_two(s, a, b):  # type: ignore[no-untyped-def]
            return chosen(s, a, b)

        made = (alone, with_one, with_two)[len(args)]
        # Code from several processes is linked by name and a number that each counts for itself:
        # callers of different rules must never share a name.
        made.__qualname__ = f"{game.name}.{name}"
        return made

    resolve.__signature__ = parameters  # type: ignore[attr-defined]
    return resolve


for _name, _stub in contract.GENERIC.items():
    # No bounds checks, because nothing is indexed here and the CUDA target refuses them.
    overload(_stub, strict=False, jit_options=OPTIONS)(_resolver(_name, signature(_stub)))


# Sets of numbers as bit masks, in one instruction each.


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(typing: Any, members: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def _ones(typing: Any, members: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), build


@overload(sets.lowest, strict=False)  # type: ignore[untyped-decorator]
def _lowest(members: Any) -> Any:
    return lambda members: _trailing_zeros(members)


@overload(sets.count, strict=False)  # type: ignore[untyped-decorator]
def _count(members: Any) -> Any:
    return lambda members: _ones(members)


# The tensor of a declared state, field by field.


@overload(fields.write_field_to, strict=False, jit_options=OPTIONS)  # type: ignore[untyped-decorator]
def _write(values: Any, least: Any, spread: Any, place: Any, out: Any) -> Any:
    if isinstance(values, types.Integer):

        def write_one(values, least, spread, place, out):  # type: ignore[no-untyped-def]
            out[place] = (values - least) / spread
            return place + 1

        return write_one

    def write_all(values, least, spread, place, out):  # type: ignore[no-untyped-def]
        for value in values.flat:
            out[place] = (value - least) / spread
            place += 1
        return place

    return write_all
