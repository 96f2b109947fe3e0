"""The rules on a graphics card: steps and random play of many matches, as PTX built without one.

The rules are the same as everywhere, compiled once more. Each thread has its own match and runs the
same function (`foxden.envs.stepping`, `play_numbered`) as the processor, so the two can be compared
byte by byte. `scripts/cuda_parity.py` does that.
"""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import json
import operator
import os
import random
import re
import shutil
import subprocess
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest import mock

import numba
import numpy as np
from numba.extending import overload
from numba.np import arrayobj
from numba.np.numpy_support import from_dtype

from foxden.engine.compiled import play_matches
from foxden.engine.compiler import CACHE, twin
from foxden.engine.contract import scores, winners
from foxden.engine.game import Game
from foxden.engine.kernel import Entry, bytes_of, fingerprint, new_states
from foxden.engine.rng import start_stream
from foxden.envs.stepping import advance, ask, present

if TYPE_CHECKING:
    from foxden.envs.card import CardEnv, Kernel

CAPABILITY = (7, 5)  # the oldest cards that CUDA 13 supports; newer ones run its PTX too
PTX_VERSION = "8.3"  # drivers since the end of 2023 accept it
ENTRY = "random_matches"
STEP = "step_matches"
STEP_BLOCK = 32  # threads of a step's block; a sheet tells it to the card's side
SHARED_MOST = 1200  # bytes of a state in shared memory: of six warps on a multiprocessor
RESIDENT = 512  # threads of a step on a multiprocessor where states lie in the threads' own memory
MIXTURES = 80  # sets of several changed options that a sheet lists for a number of seats


_FLAG, _WHOLE, _REAL = numba.boolean, numba.int64, numba.float32
_NAMES = {_FLAG: "bool", _WHOLE: "int64", _REAL: "float32"}


def _array(kind: Any, axes: int) -> Any:
    return numba.types.Array(kind, axes, "C")


# What a step's kernel takes, in order. It is part of the sheet, and checked on the card's side.
STEP_ARGUMENTS = {
    "tables": _array(_WHOLE, 2),
    "states": _array(_WHOLE, 2),
    "chosen": _array(_FLAG, 1),
    "actions": _array(_WHOLE, 1),
    "numbers": _array(_WHOLE, 1),
    "seed": _WHOLE,
    "dealing": _WHOLE,
    "again": _WHOLE,
    "skip": _WHOLE,
    "by_score": _WHOLE,
    "observations": _array(_REAL, 2),
    "masks": _array(_FLAG, 2),
    "seats": _array(_WHOLE, 1),
    "rewards": _array(_REAL, 2),
    "terminations": _array(_FLAG, 1),
    "final_scores": _array(_WHOLE, 2),
    "final_winners": _array(_FLAG, 2),
    "truths": _array(_REAL, 2),
    "standings": _array(_WHOLE, 2),
    "advice": _array(_WHOLE, 1),
    "choices": _array(_WHOLE, 2),
}


def _told_arguments() -> list[str]:
    """Lists a step's arguments as in a sheet, such as `seed int64` and `states int64[2]`."""
    return [
        f"{name} {_NAMES[kind.dtype]}[{kind.ndim}]"
        if isinstance(kind, numba.types.Array)
        else f"{name} {_NAMES[kind]}"
        for name, kind in STEP_ARGUMENTS.items()
    ]


@Entry
def play_numbered(
    states: Any, i: int, table: Any, number: int, seed: int, out: Any, matches: int
) -> int:
    """Plays random matches one after another at a configured table and returns the actions played.

    The first is the match of the seed `seed << 63 | number`; its stream goes on into the others.
    """
    states[i] = table[0]
    start_stream(states[i], number, seed)  # type: ignore[no-untyped-call]
    plies: int = play_matches(states, i, out, matches)
    return plies


@Entry
def results(states: Any, i: int, points: Any, won: Any) -> None:
    """Writes the points and the winners of a finished match."""
    scores(states[i], points)
    winners(states[i], won)


@dataclass(frozen=True)
class Outcome:
    """Results of random matches: one row a match."""

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
    """Plays here what a card's threads 0 … matches - 1 play."""
    table = new_states(game.state, 1, compiled=True)
    states = new_states(game.state, 1, compiled=True)
    game.configure(table, 0, game.setup(seats, options))
    most = game.most_seats
    plies = np.zeros(matches, np.int64)
    points, won = np.zeros((matches, most), np.int64), np.zeros((matches, most), np.int64)
    out = np.zeros(game.actions, np.int64)
    finals = []
    for number in range(matches):
        plies[number] = play_numbered(states, 0, table, number, seed, out, 1)
        results(states, 0, points[number], won[number])
        finals.append(bytes_of(states, 0))
    return Outcome(finals, plies, points, won)


def array_arguments(address: int, length: int, itemsize: int) -> tuple[int, ...]:
    """Returns the seven 64-bit words by which a kernel takes a flat array."""
    return (0, 0, length, itemsize, address, length, itemsize)


def compile_random_play(
    game: Game, capability: tuple[int, int] = CAPABILITY, *, optimised: bool = True
) -> str:
    """Compiles batch random play of a game to PTX, with one kernel `random_matches`.

    It takes the table (one configured state), final states, plies, points and winners, each as
    a flat array in the form of `array_arguments`, then the first match's number, the seed and how
    many matches each thread plays, as 64-bit integers. One thread fills one place of the plies.
    If the array of final states is empty, only plies are written back.
    """
    with _compiler(capability) as cuda:
        record, actions, most = game.state, game.actions, game.most_seats
        words, room = record.itemsize // 8, room_of(game) // 8

        def random_matches(  # type: ignore[no-untyped-def]
            table, states, plies, points, won, first, seed, matches
        ):
            i = cuda.grid(1)
            if i < plies.shape[0]:
                if room > 0:
                    begin = cuda.threadIdx.x * room
                    mine = cuda.shared.array(0, numba.int64)[begin : begin + words]
                else:
                    mine = cuda.local.array(words, numba.int64)
                own = mine.view(record)
                out = cuda.local.array(actions, numba.int64)
                plies[i] = play_numbered(own, 0, table, first + i, seed, out, matches)
                if i < states.shape[0]:
                    results(own, 0, points[i * most : i * most + most], won[i * most :])
                    states[i] = own[0]

        flat = numba.types.Array(from_dtype(record), 1, "C")
        whole = numba.types.Array(numba.int64, 1, "C")
        number = numba.int64
        signature = (flat, flat, whole, whole, whole, number, number, number)
        return _ptx(random_matches, signature, capability, optimised)


def compile_step(
    game: Game, capability: tuple[int, int] = CAPABILITY, *, optimised: bool = True
) -> str:
    """Compiles a step of many matches to PTX, with one kernel `step_matches`.

    Its arguments are those of the function below; `foxden.envs.card` hands them over. States lie
    word by word, a column a match: neighbouring threads then read and write side by side. While a
    step lasts a small state lies in shared memory: in a thread's own it would be fetched from far
    away again and again, because the states of all threads are several times a cache. Of large
    states too few fit into shared memory.
    """
    with _compiler(capability) as cuda:
        record, words, scratch = game.state, game.state.itemsize // 8, game.scratch
        width, room = game.actions + game.most_seats, room_of(game) // 8
        size, columns = game.tensor_size, game.own_columns

        def step_matches(  # type: ignore[no-untyped-def]
            tables,
            states,
            chosen,
            actions,
            numbers,
            seed,
            dealing,
            again,
            skip,
            by_score,
            observations,
            masks,
            seats,
            rewards,
            terminations,
            final_scores,
            final_winners,
            truths,
            standings,
            advice,
            choices,
        ):
            i = cuda.grid(1)
            if i >= numbers.shape[0]:
                return
            if room > 0:
                begin = cuda.threadIdx.x * room
                mine = cuda.shared.array(0, numba.int64)[begin : begin + words]
            else:
                mine = cuda.local.array(words, numba.int64)
            own = mine.view(record)
            out = cuda.local.array(width, numba.int32)  # holds small numbers, in half the room
            stepped = dealing == 0 or chosen[i]
            if dealing != 0 and stepped:
                table = i % tables.shape[1]
                for w in range(scratch, words):
                    mine[w] = tables[w, table]
            else:
                for w in range(scratch, words):
                    mine[w] = states[w, i]
            n = 0
            if stepped:
                for p in range(rewards.shape[0]):
                    rewards[p, i] = 0.0
                n, number, ended = advance(
                    own,
                    0,
                    dealing != 0,
                    actions[i],
                    numbers[i],
                    numbers.shape[0],
                    seed,
                    again != 0,
                    skip != 0,
                    rewards[:, i],
                    final_scores[:, i],
                    final_winners[:, i],
                    by_score != 0,
                    out,
                )
                numbers[i] = number
                terminations[i] = ended
                for w in range(scratch, words):
                    states[w, i] = mine[w]
            else:
                n = ask(own[0], out, False)
            seats[i] = own[0].to_act
            for k in range(n):
                masks[i, out[k]] = True
            for k in range(choices.shape[0]):
                choices[k, i] = out[k] if k < n else -1
            advise = i < advice.shape[0]
            advised = present(
                own[0],
                n,
                out,
                truths[:, i],
                size,
                columns,
                standings[:, i],
                observations[:, i],
                advise,
            )
            if advise:
                advice[i] = advised

        code = step_matches.__code__
        assert code.co_varnames[: code.co_argcount] == tuple(STEP_ARGUMENTS)
        signature = tuple(STEP_ARGUMENTS.values())
        least = 0 if room else RESIDENT // STEP_BLOCK
        return _bounded(_ptx(step_matches, signature, capability, optimised), least)


def room_of(game: Game) -> int:
    """Returns the bytes of shared memory of a match, 0 where states are too large for it.

    They are an odd number of 8-byte words: neighbouring threads' words lie in different banks.
    """
    return (game.state.itemsize // 8 | 1) * 8 if game.state.itemsize <= SHARED_MOST else 0


def tables(game: Game) -> Iterator[tuple[int, dict[str, Any]]]:
    """Lists every number of seats, with standard options and with single options changed."""
    changes: list[dict[str, Any]] = [{}]
    for option in game.options:
        changes += [{option.name: v} for v in option.samples() if v != option.standard]
    for seats in game.about.seats:
        for options in changes:
            if seats in game.seats_with(options):
                yield seats, options


def mixtures(game: Game, seats: int) -> Iterator[dict[str, Any]]:
    """Lists sets of several changed options at a number of seats: all, or a fixed random draw."""
    rows = itertools.product(*(option.samples() for option in game.options))
    changes = [
        {o.name: value for o, value in zip(game.options, row, strict=True) if value != o.standard}
        for row in rows
    ]
    several = [options for options in changes if len(options) > 1]
    random.Random(seats).shuffle(several)
    fitting = (options for options in several if seats in game.seats_with(options))
    return itertools.islice(fitting, MIXTURES)


def every_table(game: Game) -> Iterator[tuple[int, dict[str, str]]]:
    """Lists those of `tables` and `mixtures`, options as text."""
    texts = {option.name: option.text for option in game.options}
    mixed = ((seats, options) for seats in game.about.seats for options in mixtures(game, seats))
    for seats, options in itertools.chain(tables(game), mixed):
        yield seats, {name: texts[name](value) for name, value in options.items()}


def configured(
    game: Game,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    parts: Mapping[str, Any] | None = None,
) -> bytes:
    """Returns a table's state before the deal, as a card takes it."""
    table = new_states(game.state, 1, compiled=True)
    game.configure(table, 0, game.setup(seats, options, parts))
    return bytes_of(table, 0).ljust(game.state.itemsize, b"\0")


def step_kernel(game: Game) -> Kernel:
    """Loads a game's step onto this machine's card; compiles it once for every state of the rules.

    It needs torch and a card.
    """
    from foxden.envs.card import Kernel

    file = CACHE / f"{game.name}.step.ptx" if CACHE else None
    if file is None or not file.exists():
        ptx = compile_step(game)
        if file is None:
            return Kernel(step_sheet(game, {"ptx": ptx.encode()}), ptx.encode())
        part = file.with_suffix(f".{os.getpid()}")
        part.write_text(ptx, encoding="ascii")
        part.replace(file)
    image = file.read_bytes()
    return Kernel(step_sheet(game, {"ptx": image}), image)


def vector_on_card(
    game: Game,
    num_envs: int,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    parts: Mapping[str, Any] | None = None,
    **what: Any,
) -> CardEnv:
    """Makes an environment on this machine's card; `what` are the arguments of `CardEnv`."""
    from foxden.envs.card import CardEnv

    return CardEnv(step_kernel(game), num_envs, [configured(game, seats, options, parts)], **what)


def step_sheet(game: Game, images: Mapping[str, bytes]) -> dict[str, Any]:
    """Returns the metadata for stepping a game on a card: sizes, versions, tables.

    `images` are the kernels that it describes, by file name; others are refused.
    """
    sheets = [
        {"seats": seats, "options": options, "state": configured(game, seats, options).hex()}
        for seats, options in every_table(game)
    ]
    return {
        "game": game.name,
        "rules_version": game.rules_version,
        "tensor_hash": game.tensor_hash,
        "parts_hash": game.parts_hash,
        "sources": fingerprint(),
        "images": {name: hashlib.sha256(image).hexdigest() for name, image in images.items()},
        "entry": STEP,
        "block": STEP_BLOCK,
        "room": room_of(game),
        "arguments": _told_arguments(),
        "words": game.state.itemsize // 8,
        "tensor_size": game.tensor_size,
        "truth_size": game.truth_size,
        "actions": game.actions,
        "most_seats": game.most_seats,
        "usual": game.usual_seats(),
        "tables": sheets,
    }


def export(game: Game, folder: Path, *, assemble: str | None = None) -> None:
    """Writes a game's step for another machine: PTX and a sheet, optionally machine code.

    `assemble` names a card's architecture, as in `sm_90`: such code loads without compilation.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ptx = folder / f"{game.name}.ptx"
    ptx.write_text(compile_step(game), encoding="ascii")
    files = [ptx]
    if assemble:
        files.append(folder / f"{game.name}.{assemble}.cubin")
        made = ["-o", str(files[1]), str(ptx)]
        subprocess.run([assembler(), f"-arch={assemble}", *made], check=True)
    sheet = json.dumps(step_sheet(game, {file.name: file.read_bytes() for file in files}))
    (folder / f"{game.name}.json").write_text(sheet, encoding="utf-8")


def is_exported(game: Game, folder: Path, *, assemble: str | None = None) -> bool:
    """Returns whether a folder has a game's step, made from the sources as they are now."""
    file = folder / f"{game.name}.json"
    sheet = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    wanted = {f"{game.name}.ptx", *([f"{game.name}.{assemble}.cubin"] if assemble else [])}
    there = all((folder / name).exists() for name in wanted)
    return there and sheet.get("sources") == fingerprint() and wanted <= set(sheet["images"])


def assembler() -> str:
    """Finds NVIDIA's ptxas: of the extra `cuda`, or an installed CUDA toolkit's."""
    spec = importlib.util.find_spec("nvidia")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for file in (Path(folder) / "cuda_nvcc" / "bin").glob("ptxas*"):
            return str(file)
    return shutil.which("ptxas") or "ptxas"


def _ptx(kernel: Any, signature: Any, capability: tuple[int, int], optimised: bool) -> str:
    """Compiles a kernel to PTX that rounds as the processor does."""
    from numba.cuda.compiler import compile_cuda

    # A fused multiply-add rounds once instead of twice: the last bits would differ from the
    # processor's, and so would `greedy`'s choices between equal actions.
    how = {"opt": 3 if optimised else 0, "fma": False}
    void = numba.void
    made = compile_cuda(twin(kernel), void, signature, nvvm_options=how, cc=capability)
    code = kernel.__code__
    library, _ = made.target_context.prepare_cuda_kernel(
        made.library, made.fndesc, False, False, how, code.co_filename, code.co_firstlineno
    )
    return _tidied(library.get_asm_str(cc=capability), kernel.__name__)


def _tidied(ptx: str, entry: str) -> str:
    """Gives the kernel its plain name, and requires no newer PTX than its cards need."""
    mangled = re.search(r"^\.visible \.entry (\w+)\(", ptx, re.MULTILINE)
    if not mangled:
        raise ValueError("the compiler left no kernel behind")
    ptx = ptx.replace(mangled[1], entry)
    # Rule tables can exceed the 64 KiB of constant memory, so they go into global memory.
    ptx = re.sub(r"\.const\b", ".global", ptx)
    # The compiler writes its own version, which older drivers refuse.
    return re.sub(r"^\.version .*", f".version {PTX_VERSION}", ptx, count=1, flags=re.MULTILINE)


def _bounded(ptx: str, least: int) -> str:
    """Tells the assembler the size of a block, and how many a multiprocessor has at least."""
    bounds = f".maxntid {STEP_BLOCK}, 1, 1\n" + (f".minnctapersm {least}\n" if least else "")
    return re.sub(r"(\.visible \.entry [^)]*\)\n)", rf"\g<1>{bounds}", ptx, count=1)


@contextmanager
def _compiler(capability: tuple[int, int]) -> Iterator[Any]:
    """Lends Numba's CUDA compiler, which would otherwise ask a card for its capability."""
    from numba import cuda
    from numba.cuda import cuda_paths, dispatcher

    card = SimpleNamespace(compute_capability=capability)
    _use_wheel(cuda_paths.get_cuda_paths())
    _teach_extremes()
    asked = mock.patch.object(dispatcher, "get_current_device", return_value=card)
    # Rules never index from an array's end; checking for it is a sixth of all code.
    plain = mock.patch.object(arrayobj, "fix_integer_index", _index)
    with asked, plain, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield cuda


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Returns an index unchanged."""
    return context.cast(builder, index, kind, numba.intp if kind.signed else numba.uintp)


@cache
def _teach_extremes() -> None:
    """Gives CUDA min and max of a few numbers; it cannot call Numba's own, which take *args."""
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
    """Points Numba at the compiler of the extra `cuda`, whose file name it does not know."""
    spec = importlib.util.find_spec("nvidia")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        home = Path(folder) / "cuda_nvcc" / "nvvm"
        for lib, pattern in (("nvvm", "*/*nvvm*.[sd][ol]*"), ("libdevice", "libdevice/*.bc")):
            found = sorted(home.glob(pattern))
            if found:
                paths[lib] = paths[lib]._replace(by="extra cuda", info=str(found[0]))
