#!/usr/bin/env python3
"""Compares a graphics card with the processor: 100,000 matches of every game, byte by byte.

    scripts/cuda_parity.py export FOLDER    where Foxden is installed; no card is needed
    scripts/cuda_parity.py run FOLDER       where the card is; needs python3 and its driver alone

`export` writes the kernels as PTX, the tables, and for every match a digest of its final state,
its length, points and winners as the processor has them. `run` plays the same matches on the card,
compares, and then measures moves a second.

    scripts/cuda_parity.py export-steps FOLDER [--arch sm_90]    likewise, for steps of many matches
    scripts/cuda_parity.py run-steps FOLDER                      needs torch and `src` of Foxden too

These step matches of every table with observations, masks, rewards and the advice of `greedy`, some
actions by chance and some as advised, and sum up every array after every step, each element weighed
by a random word, modulo 2^64: sums agree where every byte does, and else almost never.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import struct
import sys
import time
from pathlib import Path
from typing import Any

MATCHES = 100_000
SEED = 20_230_913
DIGEST = 8  # bytes a match
SHARED_SIZE = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
SECONDS = 1.0  # how long one measured launch takes, about
REPEATS = 5


def digest(state: Any, plies: int, points: Any, won: Any) -> bytes:
    """Hashes a match's result; points and winners as in memory."""
    hashed = hashlib.blake2b(state, digest_size=DIGEST)
    hashed.update(struct.pack("<q", plies))
    hashed.update(points)
    hashed.update(won)
    return hashed.digest()


# Here


def export(folder: Path, names: list[str]) -> None:
    """Writes everything `run` needs, for the named games or all."""
    import foxden
    from foxden.engine.kernel import bytes_of, new_states
    from foxden.envs import cuda

    folder.mkdir(parents=True, exist_ok=True)
    for name in names or foxden.games():
        game = foxden.game(name)
        begin = time.perf_counter()
        ptx = cuda.compile_random_play(game)
        spent = time.perf_counter() - begin
        (folder / f"{name}.ptx").write_text(ptx, encoding="ascii")
        every = list(cuda.tables(game))
        digests, sheets, moves = b"", [], 0
        for k, (seats, options) in enumerate(every):
            count = MATCHES * (k + 1) // len(every) - MATCHES * k // len(every)
            table = new_states(game.state, 1)
            game.configure(table, 0, game.setup(seats, options))
            done = cuda.play_on_processor(game, count, seats=seats, seed=SEED, options=options)
            for i, state in enumerate(done.states):
                points, won = done.points[i].tobytes(), done.won[i].tobytes()
                digests += digest(state, int(done.plies[i]), points, won)
            moves += int(done.plies.sum())
            sheets.append(
                {
                    "seats": seats,
                    "options": {option: str(value) for option, value in options.items()},
                    "matches": count,
                    "table": bytes_of(table, 0).hex(),
                }
            )
        (folder / f"{name}.digests").write_bytes(digests)
        sheet = {
            "entry": cuda.ENTRY,
            "block": cuda.STEP_BLOCK,
            "room": cuda.room_of(game),
            "state": game.state.itemsize,
            "most_seats": game.most_seats,
            "seed": SEED,
            "usual": game.about.usual,
            "tables": sheets,
        }
        (folder / f"{name}.json").write_text(json.dumps(sheet), encoding="ascii")
        print(
            f"{name}: {len(every)} tables, {MATCHES} matches, {moves} moves, "
            f"{len(ptx) // 1024} KiB of PTX in {spent:.1f} s"
        )


# Steps

ARRAYS = ("states", "observations", "truths", "masks", "seats", "rewards", "terminations")
ARRAYS += ("scores", "winners", "standings", "advice")
STEPS = 1200  # at most; a table is left when its matches have all ended
ADVISED = 3  # of eight actions are as `greedy` says, in a random pattern


def weights(n: int) -> Any:
    """Draws weights for the elements of an array; the same on every machine."""
    import numpy

    return numpy.random.PCG64(n).random_raw(n).view(numpy.int64) | 1


def picks(n: int, step: int) -> Any:
    """Draws a word for every match of a step, by which its action is chosen."""
    import numpy

    return (numpy.random.PCG64(step).random_raw(n) >> 16).view(numpy.int64)


def export_steps(folder: Path, names: list[str], matches: int, arch: str | None) -> None:
    """Writes the kernels of steps, and the processor's sums of every array."""
    import numba
    import numpy

    import foxden
    from foxden.envs import cuda
    from foxden.envs.vector import VectorEnv

    @numba.njit
    def weighed(array: Any, rows: Any, columns: Any) -> int:
        total = 0
        for i in range(array.shape[0]):
            row = 0
            for k in range(array.shape[1]):
                row += array[i, k] * columns[k]
            total += row * rows[i]
        return total

    @numba.njit
    def choose(masks: Any, advice: Any, words: Any, actions: Any) -> None:
        for i in range(len(actions)):
            n = 0
            for a in range(masks.shape[1]):
                n += masks[i, a]
            left = (words[i] >> 3) % max(n, 1)
            actions[i] = max(advice[i], 0)
            if words[i] & 7 >= ADVISED:
                for a in range(masks.shape[1]):
                    if masks[i, a]:
                        if left == 0:
                            actions[i] = a
                        left -= 1

    def summed(env: Any) -> list[int]:
        sums = []
        for name in ARRAYS:
            if name == "states":
                array = env._states.view(numpy.int64).reshape(env.num_envs, -1)
            else:
                array = getattr(env.arrays, name)
            kind = {1: numpy.uint8, 4: numpy.int32, 8: numpy.int64}[array.itemsize]
            grid = array.view(kind).reshape(env.num_envs, -1)
            rows, columns = weights(env.num_envs), weights(grid.shape[1])
            sums.append(int(weighed(grid, rows, columns)))
        return sums

    folder.mkdir(parents=True, exist_ok=True)
    for name in names or foxden.games():
        game = foxden.game(name)
        begin = time.perf_counter()
        if not cuda.is_exported(game, folder, assemble=arch):
            cuda.export(game, folder, assemble=arch)
        spent = time.perf_counter() - begin
        every, sheets, ended = list(cuda.tables(game)), [], 0
        for k, (seats, options) in enumerate(every):
            count = matches * (k + 1) // len(every) - matches * k // len(every)
            env = VectorEnv(
                game,
                count,
                seats=seats,
                options=options,
                skip_forced=k % 2 == 1,
                truths=True,
                standings=True,
                advise=True,
                unchecked=True,
            )
            env.reset(seed=SEED + k)
            actions, sums = numpy.zeros(count, numpy.int64), [summed(env)]
            going = numpy.ones(count, bool)
            while going.any() and len(sums) < STEPS:
                words = picks(count, len(sums))
                choose(env.arrays.masks, env.arrays.advice, words, actions)
                env.step(actions)
                going &= ~env.arrays.terminations
                ended += int(env.arrays.terminations.sum())
                sums.append(summed(env))
            sheets.append({"table": k, "matches": count, "skip": k % 2, "sums": sums})
        told = json.dumps({"seed": SEED, "ended": ended, "tables": sheets})
        (folder / f"{name}.steps").write_text(told, encoding="ascii")
        print(f"{name}: {len(every)} tables, {ended} matches ended; compiled in {spent:.1f} s")


def run_steps(folder: Path) -> int:
    """Compares and measures every exported game; returns 0 if all agree."""
    import torch

    from foxden.envs.card import CardEnv, Kernel

    print(f"card: {torch.cuda.get_device_name()}", flush=True)

    def summed(env: Any, rows: Any, columns: Any) -> list[int]:
        sums = []
        for name in ARRAYS:
            array = getattr(env, name)
            kind = {1: torch.uint8, 4: torch.int32, 8: torch.int64}[array.element_size()]
            if name in ("states", "rewards", "scores", "winners", "standings"):
                array = array.t()
            array = array.contiguous().view(kind).reshape(env.num_envs, -1)
            if name in ("rewards", "scores", "winners", "standings"):
                array = array[:, : env.places]
            if array.shape[1] not in columns:
                columns[array.shape[1]] = torch.from_numpy(weights(array.shape[1])).cuda()
            weighed = (array.long() * columns[array.shape[1]]).sum(1) * rows
            sums.append(weighed.sum())
        return sums

    failed = 0
    for file in sorted(folder.glob("*.steps")):
        told, name = json.loads(file.read_text()), file.stem
        begin = time.perf_counter()
        kernel = Kernel.read(folder, name)
        loaded = time.perf_counter() - begin
        wrong: dict[str, str] = {}
        for sheet in told["tables"]:
            table = kernel.sheet["tables"][sheet["table"]]
            n = sheet["matches"]
            env = CardEnv(
                kernel,
                n,
                [bytes.fromhex(table["state"])],
                skip_forced=bool(sheet["skip"]),
                truths=True,
                standings=True,
                advise=True,
            )
            env.places = table["seats"]
            rows, columns = torch.from_numpy(weights(n)).cuda(), {}
            env.reset(told["seed"] + sheet["table"])
            found = [torch.stack(summed(env, rows, columns))]
            for step in range(1, len(sheet["sums"])):
                words = torch.from_numpy(picks(n, step)).cuda()
                open_ = env.masks.long()
                left = (words >> 3) % open_.sum(1).clamp(min=1)
                drawn = ((open_.cumsum(1) == (left + 1)[:, None]) & env.masks).long().argmax(1)
                advised = (words & 7 < ADVISED) | (open_.sum(1) == 0)
                env.step(torch.where(advised, env.advice.clamp(min=0), drawn))
                found.append(torch.stack(summed(env, rows, columns)))
            for step, sums in enumerate(torch.stack(found).tolist()):
                for array, ours, theirs in zip(ARRAYS, sums, sheet["sums"][step], strict=True):
                    if ours != theirs:
                        where = f"table {sheet['table']}, step {step}"
                        wrong.setdefault(array, where)
        failed += bool(wrong)
        verdict = f"DIFFER: {wrong}" if wrong else "all as on the processor"
        print(f"{name}: {told['ended']} matches, {verdict}; loaded in {loaded:.1f} s", flush=True)
        for n, what in ((65536, {}), (65536, {"observe": False}), (16384, {})):
            speed = step_speed(kernel, n, what)
            print(f"  {n} matches{what or ''}: {speed / 1e6:.1f} million steps/s", flush=True)
    print("PARITY HOLDS" if not failed else f"PARITY BROKEN in {failed} games")
    return 1 if failed else 0


def step_speed(kernel: Any, n: int, what: dict[str, Any]) -> float:
    """Measures steps a second at the usual table, each of a real decision, actions drawn evenly."""
    import torch

    from foxden.envs.card import CardEnv

    sheet = kernel.sheet
    usual = next(t for t in sheet["tables"] if t["seats"] == sheet["usual"] and not t["options"])
    env = CardEnv(kernel, n, [bytes.fromhex(usual["state"])], skip_forced=True, **what)
    env.reset(1)
    spent = []
    for k in range(120):
        noise = torch.rand(env.masks.shape, device="cuda", dtype=torch.float16)
        actions = noise.mul_(env.masks).argmax(1)
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        env.step(actions)
        end.record()
        if k >= 80:
            spent.append((begin, end))
    torch.cuda.synchronize()
    times = sorted(begin.elapsed_time(end) / 1e3 for begin, end in spent)
    return n / times[len(times) // 2]


# There


class Card:
    """The first card, through the driver's own library."""

    def __init__(self, driver: Any = None) -> None:
        """Opens it."""
        self.driver = driver or ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, 100, device)
        self.name = name.value.decode()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, function: str, *arguments: Any) -> None:
        """Calls the driver; a failure ends the run with its name."""
        code = getattr(self.driver, function)(*arguments)
        if code:  # every other return than CUDA_SUCCESS
            text = ctypes.c_char_p()
            self.driver.cuGetErrorName(code, ctypes.byref(text))
            raise SystemExit(f"{function}: {(text.value or b'?').decode()} ({code})")

    def load(self, ptx: str, entry: str) -> ctypes.c_void_p:
        """Compiles PTX for this card and returns the kernel."""
        module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(1 << 16)
        names = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER, … _SIZE_BYTES
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            self.call(
                "cuModuleLoadDataEx",
                ctypes.byref(module),
                ctypes.c_char_p(ptx.encode()),
                2,
                names,
                values,
            )
        except SystemExit as error:
            raise SystemExit(f"{error}\n{log.value.decode(errors='replace')}") from None
        self.call("cuModuleGetFunction", ctypes.byref(kernel), module, entry.encode())
        return kernel

    def memory(self, size: int) -> int:
        """Allocates zeroed memory on the card."""
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 8)))
        self.call("cuMemsetD8_v2", address, ctypes.c_ubyte(0), ctypes.c_size_t(max(size, 8)))
        return address.value

    def free(self, address: int) -> None:
        """Frees memory."""
        self.call("cuMemFree_v2", ctypes.c_uint64(address))

    def write(self, address: int, data: bytes) -> None:
        """Copies to the card."""
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), data, ctypes.c_size_t(len(data)))

    def read(self, address: int, size: int) -> Any:
        """Copies from the card."""
        data = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", data, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return memoryview(data.raw)

    def launch(
        self, kernel: ctypes.c_void_p, threads: int, block: int, room: int, words: list[int]
    ) -> float:
        """Runs a kernel that takes 64-bit words, and returns its seconds."""
        values = [ctypes.c_int64(word) for word in words]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        self.call("cuCtxSynchronize")
        begin = time.perf_counter()
        grid = ((threads + block - 1) // block, 1, 1, block, 1, 1)
        self.call("cuLaunchKernel", kernel, *grid, room, None, pointers, None)
        self.call("cuCtxSynchronize")
        return time.perf_counter() - begin


def flat(address: int, length: int, itemsize: int) -> list[int]:
    """Returns an array in the seven words in which the kernels take one (envs/cuda.py)."""
    return [0, 0, length, itemsize, address, length, itemsize]


class Kernel:
    """One game's kernel with its memory."""

    def __init__(self, card: Card, folder: Path, name: str) -> None:
        """Loads an exported kernel."""
        self.card = card
        self.sheet = json.loads((folder / f"{name}.json").read_text())
        self.digests = (folder / f"{name}.digests").read_bytes()
        begin = time.perf_counter()
        self.function = card.load((folder / f"{name}.ptx").read_text(), self.sheet["entry"])
        self.load_seconds = time.perf_counter() - begin
        self.block = self.sheet["block"]
        self.room = self.sheet["room"] * self.block
        card.call("cuFuncSetAttribute", self.function, SHARED_SIZE, self.room)

    def play(
        self, table: str, threads: int, matches: int, *, keep: bool
    ) -> tuple[float, list[Any]]:
        """Plays; returns the seconds and plies (with `keep` also states, points and winners)."""
        card, sheet = self.card, self.sheet
        size, most = sheet["state"], sheet["most_seats"]
        kept = threads if keep else 0
        sizes = [size, kept * size, threads * 8, kept * most * 8, kept * most * 8]
        at = [card.memory(n) for n in sizes]
        card.write(at[0], bytes.fromhex(table))
        words = flat(at[0], 1, size) + flat(at[1], kept, size) + flat(at[2], threads, 8)
        words += flat(at[3], kept * most, 8) + flat(at[4], kept * most, 8)
        words += [0, sheet["seed"], matches]
        spent = card.launch(self.function, threads, self.block, self.room, words)
        told = [card.read(at[k], sizes[k]) for k in ((2, 1, 3, 4) if keep else (2,))]
        for address in at:
            card.free(address)
        return spent, told

    def check(self) -> tuple[int, int]:
        """Plays the matches of `export`; counts those compared and those that differ."""
        size, row = self.sheet["state"], self.sheet["most_seats"] * 8
        done = wrong = 0
        for table in self.sheet["tables"]:
            threads = table["matches"]
            counted = len(table["table"]) // 2  # what follows fills the state up, and is no field
            _, (plies, states, points, won) = self.play(table["table"], threads, 1, keep=True)
            for i in range(threads):
                found = digest(
                    states[i * size : i * size + counted],
                    struct.unpack_from("<q", plies, i * 8)[0],
                    points[i * row : (i + 1) * row],
                    won[i * row : (i + 1) * row],
                )
                wrong += found != self.digests[done * DIGEST : (done + 1) * DIGEST]
                done += 1
        return done, wrong

    def speed(self) -> list[float]:
        """Measures moves a second of random play at the usual table, deals included."""
        usual = next(t for t in self.sheet["tables"] if t["seats"] == self.sheet["usual"])
        threads, matches = 1 << 18, 1
        spent, _ = self.play(usual["table"], threads, matches, keep=False)
        matches = max(1, min(1000, int(SECONDS / spent)))
        speeds = []
        for _ in range(REPEATS):
            spent, (plies,) = self.play(usual["table"], threads, matches, keep=False)
            speeds.append(sum(struct.unpack(f"<{threads}q", plies)) / spent)
        return sorted(speeds)


def run(folder: Path) -> int:
    """Compares and measures every game; the exit status tells whether all agree."""
    card = Card()
    print(f"card: {card.name}", flush=True)
    failed = 0
    for file in sorted(folder.glob("*.json")):
        kernel = Kernel(card, folder, file.stem)
        done, wrong = kernel.check()
        failed += wrong
        verdict = "all as on the processor" if not wrong else f"{wrong} DIFFER"
        print(f"{file.stem}: {done} matches, {verdict}", end="", flush=True)
        speeds = [f"{speed / 1e6:,.0f}" for speed in kernel.speed()]
        print(
            f"; {speeds[REPEATS // 2]} ({speeds[0]} to {speeds[-1]}) million moves/s, "
            f"PTX loaded in {kernel.load_seconds:.1f} s",
            flush=True,
        )
    print("PARITY HOLDS" if not failed else f"PARITY BROKEN in {failed} matches")
    return 1 if failed else 0


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("what", choices=("export", "run", "export-steps", "run-steps"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("game", nargs="*", help="export these games alone")
    parser.add_argument("--matches", type=int, default=MATCHES, help="of export-steps")
    parser.add_argument("--arch", help="machine code for this architecture too, as in sm_90")
    given = parser.parse_args()
    if given.what == "run":
        return run(given.folder)
    if given.what == "run-steps":
        return run_steps(given.folder)
    if given.what == "export-steps":
        export_steps(given.folder, given.game, given.matches, given.arch)
    else:
        export(given.folder, given.game)
    return 0


if __name__ == "__main__":
    sys.exit(main())
