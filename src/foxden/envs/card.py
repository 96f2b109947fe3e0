"""Many matches of one game stepped on a CUDA card, as torch tensors that never leave it.

This file needs only torch, NumPy and the card's driver: kernels are compiled elsewhere, without a
card (`foxden.envs.cuda`), and come in a folder that `foxden.envs.cuda.export` wrote.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

SEED_BITS = 63
SHARED_SIZE = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


class CardError(RuntimeError):
    """The card's driver returned an error."""


class WrongKernel(RuntimeError):
    """A kernel does not match its sheet, or takes different arguments."""


class Driver:
    """The card's driver, in torch's context."""

    def __init__(self) -> None:
        """Opens it."""
        torch.zeros(1, device="cuda")  # torch makes its context current
        self.library = ctypes.CDLL("libcuda.so.1")

    def call(self, function: str, *arguments: Any) -> None:
        """Calls the driver and raises its errors."""
        code = getattr(self.library, function)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(code, ctypes.byref(text))
            raise CardError(f"{function}: {(text.value or b'?').decode()} ({code})")

    def load(self, image: bytes, entry: str) -> ctypes.c_void_p:
        """Loads PTX or machine code and returns its kernel."""
        module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(image + b"\0"))
        self.call("cuModuleGetFunction", ctypes.byref(kernel), module, entry.encode())
        return kernel

    def lend(self, kernel: ctypes.c_void_p, room: int) -> None:
        """Allows each block of a kernel so many bytes of shared memory, more than by default."""
        self.call("cuFuncSetAttribute", kernel, SHARED_SIZE, room)

    def launch(
        self, kernel: ctypes.c_void_p, threads: int, block: int, room: int, arguments: Any
    ) -> None:
        """Queues a kernel on torch's own stream, in blocks of so many threads."""
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        blocks = (threads + block - 1) // block
        shape = (blocks, 1, 1, block, 1, 1)
        self.call("cuLaunchKernel", kernel, *shape, room, stream, arguments, None)


def check_kernel(sheet: Mapping[str, Any], image: bytes) -> None:
    """Refuses an image that does not match its sheet: it may be for other rules or sizes."""
    missing = [name for name in ("block", "room", "arguments", "images") if name not in sheet]
    if missing:
        raise WrongKernel(
            f"This sheet lacks {', '.join(missing)}: another version of Foxden wrote it. "
            "Export the kernel again."
        )
    if hashlib.sha256(image).hexdigest() not in sheet["images"].values():
        raise WrongKernel(
            f"This kernel of {sheet['game']} is not the one that its sheet describes. "
            "Export both again."
        )


def check_arguments(told: Sequence[str], given: Mapping[str, Any]) -> None:
    """Refuses a kernel that takes different arguments: it would write anywhere."""
    here = [f"{name} {_form(value)}" for name, value in given.items()]
    for place in range(max(len(told), len(here))):
        takes, gets = (line[place] if place < len(line) else "nothing" for line in (told, here))
        if takes != gets:
            raise WrongKernel(
                f"As argument {place + 1} the kernel takes {takes}, and it would be given {gets}. "
                "Export it again with this version of Foxden."
            )


def _form(value: Any) -> str:
    """Describes an argument as sheets do: `int64`, or `float32[2]` for two axes."""
    if not isinstance(value, torch.Tensor):
        return "int64"
    return f"{str(value.dtype).removeprefix('torch.')}[{value.dim()}]"


class Kernel:
    """A game's compiled step with the game's metadata."""

    def __init__(self, sheet: dict[str, Any], image: bytes) -> None:
        """Loads it, where the sheet describes this very image."""
        check_kernel(sheet, image)
        self.sheet = sheet
        self.driver = Driver()
        self.function = self.driver.load(image, sheet["entry"])
        self.room: int = sheet["room"] * sheet["block"]
        self.driver.lend(self.function, self.room)

    @classmethod
    def read(cls, folder: Path, name: str) -> Kernel:
        """Reads an exported kernel; prefers machine code for this card to PTX."""
        sheet = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        major, minor = torch.cuda.get_device_capability()
        code = folder / f"{name}.sm_{major}{minor}.cubin"
        return cls(sheet, (code if code.exists() else folder / f"{name}.ptx").read_bytes())


def _words(array: torch.Tensor) -> list[int]:
    """Lists the words by which a kernel takes an array."""
    size = array.element_size()
    strides = [step * size for step in array.stride()]
    return [0, 0, array.numel(), size, array.data_ptr(), *array.shape, *strides]


class CardEnv:
    """Steps many matches on a card; match i sits at table i mod T of those given.

    What `VectorEnv` calls rows are columns here, so that threads write side by side: `standings`,
    `scores`, `winners` and `rewards` are [seats, matches], seats counted for the largest table;
    `observations` and `truths` are views [matches, size] of such columns. Everything is
    rewritten by each step. Actions are not checked: an illegal one ruins its match.
    `choices` lists the legal actions of a match, up to the requested number, padded with -1.
    `advise` may be a number: that many matches, from the first on, are advised.
    """

    def __init__(
        self,
        kernel: Kernel,
        num_envs: int,
        tables: Sequence[bytes],
        *,
        again: bool = True,
        by_score: bool = False,
        observe: bool = True,
        skip_forced: bool = False,
        truths: bool = False,
        standings: bool = False,
        advise: bool | int = False,
        choices: int = 0,
    ) -> None:
        """Allocates the memory; `tables` are configured states, as in `Kernel.sheet`."""
        sheet, words = kernel.sheet, kernel.sheet["words"]
        self.kernel, self.num_envs = kernel, num_envs
        self.tensor_size, self.truth_size = sheet["tensor_size"], sheet["truth_size"]
        self.actions, self.seats_most = sheet["actions"], sheet["most_seats"]
        lines = torch.frombuffer(bytearray(b"".join(tables)), dtype=torch.int64)
        self._tables = lines.view(len(tables), words).t().contiguous().cuda()
        n, most, width = num_envs, self.seats_most, self.tensor_size
        flag, whole = torch.bool, torch.int64

        def zeros(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
            return torch.zeros(*shape, dtype=dtype, device="cuda")

        self.states = zeros(words, n, dtype=whole)
        self.chosen = zeros(n, dtype=flag)
        self.numbers = zeros(n, dtype=whole)
        self._actions = zeros(n, dtype=whole)
        self._observations = zeros(width * observe, n)
        self.masks = zeros(n, self.actions, dtype=flag)
        self.seats = zeros(n, dtype=whole)
        self.rewards = zeros(most, n)
        self.terminations = zeros(n, dtype=flag)
        self.truncations = zeros(n, dtype=flag)
        self.scores = zeros(most, n, dtype=whole)
        self.winners = zeros(most, n, dtype=flag)
        self._truths = zeros(self.truth_size * truths, n)
        self.standings = zeros(most * standings, n, dtype=whole)
        self._advice = zeros(n, dtype=whole)
        self._choices = zeros(choices, n, dtype=whole)
        self.advise = advise
        self._flags = [int(again), int(skip_forced), int(by_score)]
        self._packed: dict[int, Any] = {}
        self.seed: int | None = None

    @property
    def observations(self) -> torch.Tensor:
        """Returns what the seats to act know, [matches, tensor_size]."""
        return self._observations.t()

    @property
    def truths(self) -> torch.Tensor:
        """Returns the tensors of the whole states, [matches, truth_size]."""
        return self._truths.t()

    @property
    def advice(self) -> torch.Tensor:
        """Returns what `greedy` would play, -1 in a match that is over."""
        return self._advice

    @property
    def choices(self) -> torch.Tensor:
        """Returns lists of the legal actions, [matches, choices]."""
        return self._choices.t()

    @property
    def advised(self) -> int:
        """Counts the matches that are advised."""
        return self.num_envs if self.advise is True else int(self.advise)

    def reset(self, seed: int, mask: torch.Tensor | None = None) -> None:
        """Deals every match, or with the previous seed those of the mask."""
        if not 0 <= seed < 1 << SEED_BITS:
            raise ValueError(f"The seed of a batch is a whole number from 0 to 2^{SEED_BITS} - 1.")
        if mask is None:
            self.seed = seed
            self.chosen.fill_(True)
            torch.arange(self.num_envs, out=self.numbers)
        else:
            if seed != self.seed:
                raise ValueError("A partial reset goes on with the seed of a full one.")
            self.chosen.copy_(mask)
            self.numbers += self.chosen * self.num_envs
        self._packed = {}  # the seed is one of the arguments
        self._launch(dealing=True)

    def step(self, actions: torch.Tensor) -> None:
        """Plays one action in every match."""
        self._actions.copy_(actions)
        self._launch(dealing=False)

    def _launch(self, *, dealing: bool) -> None:
        if self.seed is None:
            raise ValueError("Call reset first: nothing was dealt.")
        self.masks.zero_()
        packed = None if dealing else self._packed.get(self.advised)
        if packed is None:
            packed = self._arguments(dealing)
            if not dealing:
                self._packed[self.advised] = packed
        # The whole of `packed` must live until the driver has read it.
        kernel, block = self.kernel, self.kernel.sheet["block"]
        kernel.driver.launch(kernel.function, self.num_envs, block, kernel.room, packed[0])

    def _arguments(self, dealing: bool) -> tuple[Any, Any]:
        """Packs the kernel's arguments; the memory they point to must stay alive."""
        again, skip, by_score = self._flags
        arguments: dict[str, Any] = {
            "tables": self._tables,
            "states": self.states,
            "chosen": self.chosen,
            "actions": self._actions,
            "numbers": self.numbers,
            "seed": self.seed,
            "dealing": int(dealing),
            "again": again,
            "skip": skip,
            "by_score": by_score,
            "observations": self._observations,
            "masks": self.masks,
            "seats": self.seats,
            "rewards": self.rewards,
            "terminations": self.terminations,
            "final_scores": self.scores,
            "final_winners": self.winners,
            "truths": self._truths,
            "standings": self.standings,
            "advice": self._advice[: self.advised],
            "choices": self._choices,
        }
        check_arguments(self.kernel.sheet["arguments"], arguments)
        line: list[int] = []
        for argument in arguments.values():
            line += _words(argument) if isinstance(argument, torch.Tensor) else [argument]
        values = (ctypes.c_int64 * len(line))(*line)
        first, size = ctypes.addressof(values), ctypes.sizeof(ctypes.c_int64)
        pointers = (ctypes.c_void_p * len(line))(*[first + k * size for k in range(len(line))])
        return pointers, values

    def snapshot(self) -> dict[str, Any]:
        """Returns everything that later matches depend on."""
        return {"seed": self.seed, "states": self.states, "numbers": self.numbers}

    def restore(self, kept: dict[str, Any]) -> None:
        """Restores a snapshot; rewrites what the seats to act see."""
        self.seed = kept["seed"]
        self.states.copy_(kept["states"])
        self.numbers.copy_(kept["numbers"])
        self.chosen.fill_(False)
        self._packed = {}
        self._launch(dealing=True)
