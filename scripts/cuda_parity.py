#!/usr/bin/env python3
"""Holds a graphics card to the processor: 100,000 random matches of every game, byte by byte.

    scripts/cuda_parity.py export FOLDER    where Foxden is installed; no card is needed
    scripts/cuda_parity.py run FOLDER       where the card is; needs python3 and its driver alone

`export` writes the kernels as PTX, the tables, and for every match a digest of its final state,
its length, points and winners as the processor has them. `run` plays the same matches on the card,
compares, and then measures moves a second.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MATCHES = 100_000
SEED = 20_230_913
DIGEST = 8  # bytes a match
BLOCK = 128  # threads
SECONDS = 1.0  # how long one measured launch takes, about
REPEATS = 5


def digest(state: Any, plies: int, points: Any, won: Any) -> bytes:
    """Hashes what a match came to; points and winners as they lie in memory."""
    hashed = hashlib.blake2b(state, digest_size=DIGEST)
    hashed.update(struct.pack("<q", plies))
    hashed.update(points)
    hashed.update(won)
    return hashed.digest()


# Here


def export(folder: Path, names: list[str]) -> None:
    """Writes everything that `run` needs, of the games named or of all."""
    import foxden
    from foxden.engine.kernel import record_bytes, records
    from foxden.envs import cuda

    folder.mkdir(parents=True, exist_ok=True)
    for name in names or foxden.games():
        game = foxden.game(name)
        begin = time.perf_counter()
        ptx = cuda.compile_random_play(game)
        spent = time.perf_counter() - begin
        (folder / f"{name}.ptx").write_text(ptx, encoding="ascii")
        every = list(tables(game))
        digests, sheets, moves = b"", [], 0
        for k, (seats, options) in enumerate(every):
            count = MATCHES * (k + 1) // len(every) - MATCHES * k // len(every)
            table = records(game.state, 1)
            game.configure(table, 0, seats=seats, options=options)
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
                    "table": record_bytes(table, 0).hex(),
                }
            )
        (folder / f"{name}.digests").write_bytes(digests)
        sheet = {
            "entry": cuda.ENTRY,
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


def tables(game: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Lists every number of seats, with standard options and with each option changed alone."""
    from foxden.engine.errors import BadOption

    changes: list[dict[str, Any]] = [{}]
    for option in game.options:
        changes += [{option.name: v} for v in option.samples() if v != option.standard]
    for seats in game.about.seats:
        for options in changes:
            try:
                game.table(seats, options)
            except BadOption:
                continue
            yield seats, options


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
        """Compiles PTX for this card and gives the kernel."""
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
        """Takes zeroed memory on the card."""
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 8)))
        self.call("cuMemsetD8_v2", address, ctypes.c_ubyte(0), ctypes.c_size_t(max(size, 8)))
        return address.value

    def free(self, address: int) -> None:
        """Gives memory back."""
        self.call("cuMemFree_v2", ctypes.c_uint64(address))

    def write(self, address: int, data: bytes) -> None:
        """Copies to the card."""
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), data, ctypes.c_size_t(len(data)))

    def read(self, address: int, size: int) -> Any:
        """Copies from the card."""
        data = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", data, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return memoryview(data.raw)

    def launch(self, kernel: ctypes.c_void_p, threads: int, words: list[int]) -> float:
        """Runs a kernel that takes 64-bit words, and gives the seconds it took."""
        values = [ctypes.c_int64(word) for word in words]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        self.call("cuCtxSynchronize")
        begin = time.perf_counter()
        blocks = (threads + BLOCK - 1) // BLOCK
        self.call("cuLaunchKernel", kernel, blocks, 1, 1, BLOCK, 1, 1, 0, None, pointers, None)
        self.call("cuCtxSynchronize")
        return time.perf_counter() - begin


def flat(address: int, length: int, itemsize: int) -> list[int]:
    """Gives an array in the seven words in which the kernels take one (envs/cuda.py)."""
    return [0, 0, length, itemsize, address, length, itemsize]


class Kernel:
    """One game's kernel with the memory that it works on."""

    def __init__(self, card: Card, folder: Path, name: str) -> None:
        """Loads what `export` wrote."""
        self.card = card
        self.sheet = json.loads((folder / f"{name}.json").read_text())
        self.digests = (folder / f"{name}.digests").read_bytes()
        begin = time.perf_counter()
        self.function = card.load((folder / f"{name}.ptx").read_text(), self.sheet["entry"])
        self.load_seconds = time.perf_counter() - begin

    def play(
        self, table: str, threads: int, matches: int, *, keep: bool
    ) -> tuple[float, list[Any]]:
        """Plays; gives the seconds, and plies (with `keep` states, points and winners too)."""
        card, sheet = self.card, self.sheet
        size, most = sheet["state"], sheet["most_seats"]
        kept = threads if keep else 0
        sizes = [size, kept * size, threads * 8, kept * most * 8, kept * most * 8]
        at = [card.memory(n) for n in sizes]
        card.write(at[0], bytes.fromhex(table))
        words = flat(at[0], 1, size) + flat(at[1], kept, size) + flat(at[2], threads, 8)
        words += flat(at[3], kept * most, 8) + flat(at[4], kept * most, 8)
        spent = card.launch(self.function, threads, [*words, 0, sheet["seed"], matches])
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
    parser.add_argument("what", choices=("export", "run"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("game", nargs="*", help="export these games alone")
    given = parser.parse_args()
    if given.what == "run":
        return run(given.folder)
    export(given.folder, given.game)
    return 0


if __name__ == "__main__":
    sys.exit(main())
