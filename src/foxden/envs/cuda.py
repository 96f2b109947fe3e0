"""The rules on a graphics card: batch random play as PTX, made without a card.

The rules are those of every other mode, compiled once more. A thread plays matches on a state of
its own; `play_numbered` is the same function on both sides, so a card can be held to the
processor's results match by match. `scripts/cuda_parity.py` does that.
"""

from __future__ import annotations

import importlib.util
import operator
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numba
import numpy as np
from numba.extending import overload
from numba.np.numpy_support import from_dtype

from foxden.engine import doors
from foxden.engine.contract import scores, winners
from foxden.engine.game import Game
from foxden.engine.kernel import record_bytes, records, rule
from foxden.engine.rng import start_stream

CAPABILITY = (7, 5)  # the oldest cards that CUDA 13 compiles for; newer ones take its PTX too
PTX_VERSION = "8.3"  # drivers from the end of 2023 on take it
ENTRY = "random_matches"


@rule
def play_numbered(
    states: Any, i: int, table: Any, number: int, seed: int, out: Any, matches: int
) -> int:
    """Plays random matches one after another at a configured table and returns the actions played.

    The first is the match of the seed `seed << 63 | number`; its stream goes on into the others.
    """
    states[i] = table[0]
    start_stream(states[i], number, seed)  # type: ignore[no-untyped-call]
    return doors.play_matches(states, i, out, matches)


@rule
def results(states: Any, i: int, points: Any, won: Any) -> None:
    """Writes the points and the winners of a finished match."""
    scores(states[i], points)
    winners(states[i], won)


@dataclass(frozen=True)
class Outcome:
    """What random matches came to: one row a match."""

    states: list[bytes]  # the final states
    plies: Any
    points: Any
    won: Any


def play_on_processor(
    game: Game,
    matches: int,
    *,
    seats: int,
    seed: int,
    options: Mapping[str, Any] | None = None,
) -> Outcome:
    """Plays what a card's threads 0 … matches - 1 play, here."""
    table, states = records(game.state, 1), records(game.state, 1)
    game.configure(table, 0, seats=seats, options=options)
    most = game.most_seats
    plies = np.zeros(matches, np.int64)
    points, won = np.zeros((matches, most), np.int64), np.zeros((matches, most), np.int64)
    out = np.zeros(game.actions, np.int64)
    finals = []
    for number in range(matches):
        plies[number] = play_numbered(states, 0, table, number, seed, out, 1)
        results(states, 0, points[number], won[number])
        finals.append(record_bytes(states, 0))
    return Outcome(finals, plies, points, won)


def array_arguments(address: int, length: int, itemsize: int) -> tuple[int, ...]:
    """Gives the seven 64-bit words in which a kernel takes a flat array."""
    return (0, 0, length, itemsize, address, length, itemsize)


def compile_random_play(
    game: Game, capability: tuple[int, int] = CAPABILITY, *, optimised: bool = True
) -> str:
    """Compiles batch random play of a game to PTX, with one kernel `random_matches`.

    It takes the table (one configured state), final states, plies, points and winners, each as
    a flat array in the form of `array_arguments`, then the first match's number, the seed and how
    many matches each thread plays, as 64-bit integers. One thread fills one place of the plies.
    Where the array of final states is empty, only plies are written back.
    """
    with _compiler(capability) as cuda:
        record, actions, most = from_dtype(game.state), game.actions, game.most_seats

        def random_matches(  # type: ignore[no-untyped-def]
            table, states, plies, points, won, first, seed, matches
        ):
            i = cuda.grid(1)
            if i < plies.shape[0]:
                # A thread's own memory: neighbours' accesses to one field fall side by side.
                own = cuda.local.array(1, record)
                out = cuda.local.array(actions, numba.int64)
                plies[i] = play_numbered(own, 0, table, first + i, seed, out, matches)
                if i < states.shape[0]:
                    results(own, 0, points[i * most : i * most + most], won[i * most :])
                    states[i] = own[0]

        flat = numba.types.Array(record, 1, "C")
        words = numba.types.Array(numba.int64, 1, "C")
        number = numba.int64
        signature = numba.void(flat, flat, words, words, words, number, number, number)
        text: str = cuda.compile_ptx(
            random_matches, signature, device=False, cc=capability, opt=optimised
        )[0]
    return _tidied(text)


def _tidied(ptx: str) -> str:
    """Gives the kernel its plain name, and asks for no newer PTX than its cards need."""
    mangled = re.search(r"^\.visible \.entry (\w+)\(", ptx, re.MULTILINE)
    if not mangled:
        raise ValueError("the compiler left no kernel behind")
    ptx = ptx.replace(mangled[1], ENTRY)
    # Tables of rules can be larger than the 64 KiB of constant memory: they lie in global memory.
    ptx = re.sub(r"\.const\b", ".global", ptx)
    # The compiler writes its own version there, which drivers older than itself refuse.
    return re.sub(r"^\.version .*", f".version {PTX_VERSION}", ptx, count=1, flags=re.MULTILINE)


@contextmanager
def _compiler(capability: tuple[int, int]) -> Iterator[Any]:
    """Lends Numba's CUDA compiler, which would otherwise ask a card for its capability."""
    from numba import cuda
    from numba.cuda import cuda_paths, dispatcher

    card = SimpleNamespace(compute_capability=capability)
    _use_wheel(cuda_paths.get_cuda_paths())
    _teach_extremes()
    asked = mock.patch.object(dispatcher, "get_current_device", return_value=card)
    with asked, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield cuda


@cache
def _teach_extremes() -> None:
    """Gives the CUDA target min and max of few numbers; Numba's own take *args, which it cannot."""
    for function, first in ((min, operator.le), (max, operator.ge)):
        _teach_extreme(function, first)


def _teach_extreme(function: Any, first: Any) -> None:
    @overload(function, target="cuda", strict=False)
    def of_two(a, b):  # type: ignore[no-untyped-def]
        return lambda a, b: a if first(a, b) else b

    @overload(function, target="cuda", strict=False)
    def of_three(a, b, c):  # type: ignore[no-untyped-def]
        return lambda a, b, c: function(function(a, b), c)


def _use_wheel(paths: dict[str, Any]) -> None:
    """Points Numba at the compiler of the extra `cuda`, whose file it does not know by its name."""
    spec = importlib.util.find_spec("nvidia")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        home = Path(folder) / "cuda_nvcc" / "nvvm"
        for lib, pattern in (("nvvm", "*/*nvvm*.[sd][ol]*"), ("libdevice", "libdevice/*.bc")):
            found = sorted(home.glob(pattern))
            if found:
                paths[lib] = paths[lib]._replace(by="extra cuda", info=str(found[0]))
