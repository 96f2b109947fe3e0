"""Steps many matches of one game at once in compiled code, like Gymnasium's vector environments.

    env = VectorEnv(foxden.game("happy-fox"), 1024, seats=4)
    observations, infos = env.reset(seed=7)
    while training:
        actions = policy(observations, infos["action_mask"], infos["seat"])
        observations, rewards, terminations, truncations, infos = env.step(actions)

Unlike Gymnasium's single agent, seats act one after another. `infos["seat"]` is each match's seat
to act; the observation and the mask are that seat's. Rewards have a column for every seat.
docs/research/vector.md has the details.
"""

from __future__ import annotations

import copy
import math
import secrets
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Literal, NoReturn

import numpy as np

from foxden.engine.contract import is_over
from foxden.engine.errors import BadSeed, FoxdenError
from foxden.engine.game import Game
from foxden.engine.kernel import Entry, bytes_of, field_names, new_states, to_known, write_field
from foxden.engine.native import native, whole
from foxden.engine.rng import STREAM, below, split_seed, start_stream
from foxden.envs.stepping import advance, ask, present

Autoreset = Literal["same_step", "disabled"]
Rewards = Literal["win", "score"]

SEED_BITS = 63  # the upper word of a match's seed; the lower is the match's number
ALIGNMENT = 64  # bytes; JAX copies unaligned arrays
DICE = np.dtype(STREAM)


class BadBatch(FoxdenError):
    """The given arrays do not fit this environment."""


class IllegalBatch(FoxdenError):
    """A batch contains an illegal action; no match was stepped."""

    def __init__(self, message: str, *, index: int, action: int, seat: int) -> None:
        """Keeps the first such match, its action, and the seat to act."""
        super().__init__(message)
        self.index = index
        self.action = action
        self.seat = seat


@dataclass(frozen=True)
class Arrays:
    """An environment's output arrays, one row a match; optionally the caller's own.

    All are C-contiguous NumPy arrays, so torch shares their memory; JAX does where they begin at a
    multiple of 64 bytes, as those of `new_arrays` do, and else silently copies.
    """

    observations: Any  # float32 [matches, tensor_size]: the tensor of the seat to act
    masks: Any  # bool [matches, actions]: the legal actions of the seat to act
    seats: Any  # int64 [matches]: the seat to act, -1 in a match that is over
    rewards: Any  # float32 [matches, seats]: 0 until a match ends
    terminations: Any  # bool [matches]: the match ended with this step
    truncations: Any  # bool [matches]: always false; matches end by themselves
    scores: Any  # int64 [matches, seats]: of the match that ended, kept until the next ends
    winners: Any  # bool [matches, seats]: likewise
    # Only for learning, as no seat may know all of it; None unless requested.
    truths: Any = None  # float32 [matches, truth_size]: the tensor of the whole state
    standings: Any = None  # int64 [matches, seats]: the points so far
    advice: Any = None  # int64 [matches]: what `greedy` would play, -1 in a match that is over


def _aligned(shape: tuple[int, ...], dtype: Any) -> Any:
    """Makes a zeroed array that begins at a multiple of 64 bytes."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    raw = np.zeros(size + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + size].view(dtype).reshape(shape)


# What happens to all of them.


@Entry
def find_illegal(states: Any, actions: Any, bits: Any, count: int) -> int:
    """Finds the first match with an illegal action, -1 if there is none."""
    for i in range(len(actions)):
        action = actions[i]
        if not is_over(states[i]) and (
            action < 0 or action >= count or not bits[i, action >> 3] >> (action & 7) & 1
        ):
            return i
    return -1


@Entry
def work_through(
    states: Any,
    first: int,
    end: int,
    dealing: bool,
    chosen: Any,
    actions: Any,
    numbers: Any,
    seed: int,
    observations: Any,
    masks: Any,
    seats: Any,
    rewards: Any,
    terminations: Any,
    truncations: Any,
    final_scores: Any,
    final_winners: Any,
    truths: Any,
    size: int,
    columns: Any,
    standings: Any,
    advice: Any,
    by_score: bool,
    again: bool,
    skip: bool,
    bits: Any,
    wiped: Any,
    at: int,
    own: Any,
) -> None:
    """Steps every match from `first` up to `end`, or deals the chosen ones among them.

    Both are one function, because rules compiled twice would take twice as long to compile.
    Legality is the caller's duty. `wiped[at]` and `own[at]` are a thread's own memory.
    """
    advise = len(advice) > 0
    for i in range(first, end):
        if not dealing or chosen[i]:
            rewards[i, :] = 0.0
            truncations[i] = False
            n, numbers[i], terminations[i] = advance(
                states,
                i,
                dealing,
                actions[i],
                numbers[i],
                len(states),
                seed,
                again,
                skip,
                rewards[i],
                final_scores[i],
                final_winners[i],
                by_score,
                own[at],
            )
        else:
            n = ask(states[i], own[at], False)
        seats[i] = states[i].to_act
        masks[i, :] = False
        bits[i, :] = 0
        for k in range(n):
            action = own[at, k]
            masks[i, action] = True
            bits[i, action >> 3] |= 1 << (action & 7)
        if observations.shape[1] > 0 or truths.shape[1] > 0 or standings.shape[1] > 0 or advise:
            wiped[at] = states[i]
            advised = present(
                wiped[at],
                n,
                own[at],
                truths[i],
                size,
                columns,
                standings[i],
                observations[i],
                advise,
            )
            if advise:
                advice[i] = advised


@Entry
def sample_into(actions: Any, masks: Any, dice: Any) -> None:
    """Draws a legal action for every match, uniformly; 0 if none is legal."""
    for i in range(len(actions)):
        actions[i] = 0
        found = 0
        for action in range(masks.shape[1]):
            if masks[i, action]:
                found += 1
        if found > 0:
            left = below(dice[0], found)  # type: ignore[no-untyped-call]
            for action in range(masks.shape[1]):
                if masks[i, action]:
                    if left == 0:
                        actions[i] = action
                        break
                    left -= 1


@Entry
def start_dice(dice: Any, low: int, high: int) -> None:
    """Starts a stream outside any match."""
    start_stream(dice[0], low, high)  # type: ignore[no-untyped-call]


class VectorEnv:
    """Steps many matches of one game at one kind of table."""

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        parts: Mapping[str, Any] | None = None,
        autoreset: Autoreset = "same_step",
        rewards: Rewards = "win",
        observe: bool = True,
        skip_forced: bool = False,
        truths: bool = False,
        standings: bool = False,
        advise: bool = False,
        unchecked: bool = False,
        threads: int = 1,
        into: Arrays | None = None,
    ) -> None:
        """Sets the tables up; `reset` deals.

        `into` are the arrays to write into, new ones where nothing is said. `observe=False` leaves
        observations out. `skip_forced=True` plays what leaves no choice within the step. `truths`,
        `standings` and `advise` fill the arrays of those names. `unchecked=True` trusts every
        action: an illegal one then ruins its match and may write outside its memory.
        """
        matches, workers = whole(num_envs), whole(threads)
        if matches is None or workers is None or matches < 1 or workers < 1:
            raise BadBatch(f"{num_envs} matches in {threads} threads cannot be stepped.")
        num_envs, threads = matches, workers
        self.game = game
        self.num_envs = num_envs
        self._states = new_states(game.state, num_envs, compiled=True)
        setup = game.setup(seats, options, parts)
        self.seats, self.options, self.parts = setup.seats, setup.options, setup.parts
        game.configure(self._states, 0, setup)
        self.autoreset = _one_of(autoreset, ("same_step", "disabled"))
        self.rewards = _one_of(rewards, ("win", "score"))
        self.unchecked = unchecked
        self.metadata = {"autoreset_mode": self.autoreset}
        self.seed: int | None = None
        self.skip_forced = skip_forced
        self._width = game.tensor_size if observe else 0
        self._extras = {
            name: form
            for name, form, wanted in (
                ("truths", ((num_envs, game.truth_size), np.float32), truths),
                ("standings", ((num_envs, self.seats), np.int64), standings),
                ("advice", ((num_envs,), np.int64), advise),
            )
            if wanted
        }
        for i in range(1, num_envs):
            self._states[i] = self._states[0]
        self._numbers = np.zeros(num_envs, np.int64)
        # What is open, a bit an action: actions are checked against it and never against the
        # caller's masks, which the caller may have written to.
        self._bits = np.zeros((num_envs, (game.actions + 7) // 8), np.uint8)
        threads = min(threads, num_envs)
        edges = [num_envs * k // threads for k in range(threads + 1)]
        self._ranges = list(pairwise(edges))
        self._wiped = new_states(game.state, threads, compiled=True)
        # A row a thread, long enough for actions and then seats, and apart by a cache line.
        self._own = np.zeros((threads, game.actions + game.most_seats + 8), np.int64)
        self.arrays = self.new_arrays() if into is None else self.check_arrays(into)

    # Arrays

    def shapes(self) -> dict[str, tuple[tuple[int, ...], type]]:
        """Returns the shape and type of every array that the environment writes."""
        n, seats = self.num_envs, self.seats
        return {
            "observations": ((n, self._width), np.float32),
            "masks": ((n, self.game.actions), np.bool_),
            "seats": ((n,), np.int64),
            "rewards": ((n, seats), np.float32),
            "terminations": ((n,), np.bool_),
            "truncations": ((n,), np.bool_),
            "scores": ((n, seats), np.int64),
            "winners": ((n, seats), np.bool_),
            **self._extras,
        }

    def new_arrays(self) -> Arrays:
        """Makes a set of arrays that fits."""
        return Arrays(**{name: _aligned(*form) for name, form in self.shapes().items()})

    def check_arrays(self, arrays: Arrays) -> Arrays:
        """Refuses arrays that compiled code could not write into safely."""
        for name, (shape, dtype) in self.shapes().items():
            array = getattr(arrays, name)
            if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != dtype:
                found = f"{array.dtype} {array.shape}" if hasattr(array, "dtype") else repr(array)
                raise BadBatch(f"{name} is to be {np.dtype(dtype)} {shape}, not {found}.")
            if not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
                raise BadBatch(f"{name} is to be C-contiguous, aligned and writable.")
        return arrays

    # Gymnasium's verbs

    def reset(
        self,
        *,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        into: Arrays | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Deals every match, or those of `options["reset_mask"]`; a seed not given is random.

        Match i of a seed has the seed `match_seed(i)`; `foxden.new(…, stream="fast")` deals it.
        """
        arrays = self._use(into)
        mask = (options or {}).get("reset_mask")
        if mask is None:
            self.seed = secrets.randbits(SEED_BITS) if seed is None else _checked_seed(seed)
            self._numbers[:] = np.arange(self.num_envs)
            chosen = np.ones(self.num_envs, np.bool_)
        else:
            chosen = self._chosen(mask, seed)
            self._numbers[chosen] += self.num_envs
        self._work(arrays, dealing=True, chosen=chosen, actions=self._numbers)
        return arrays.observations, self._infos(arrays)

    def step(
        self, actions: Any, *, into: Arrays | None = None
    ) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays one action in every match: observations, rewards, terminations, truncations, infos.

        An illegal action raises `IllegalBatch`, and nothing is stepped. Actions for finished
        matches are ignored.
        """
        self._dealt_seed()
        chosen = self._checked_actions(actions)
        arrays = self._use(into)
        self._work(arrays, dealing=False, chosen=arrays.terminations, actions=chosen)
        infos = self._infos(arrays)
        return (
            arrays.observations,
            arrays.rewards,
            arrays.terminations,
            arrays.truncations,
            infos,
        )

    def close(self) -> None:
        """Ends the threads."""
        if "_pool" in self.__dict__:
            self._pool.shutdown()
            del self._pool

    # Copies

    def __getstate__(self) -> dict[str, Any]:
        """Omits the threads; a copy starts its own."""
        return {name: value for name, value in vars(self).items() if name != "_pool"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Copies everything into its own aligned memory."""
        vars(self).update(state)
        written = self.arrays
        self.arrays = self.new_arrays()
        for name in self.shapes():
            getattr(self.arrays, name)[...] = getattr(written, name)

    def __copy__(self) -> VectorEnv:
        """Returns a deep copy: both would write to shared arrays."""
        return copy.deepcopy(self)

    # Beside Gymnasium

    def match_seed(self, i: int) -> int:
        """Returns the seed of the match at place i, for `foxden.new(…, stream="fast")`."""
        return self._dealt_seed() << SEED_BITS | int(self._numbers[i])

    def sample(self, seed: int) -> Any:
        """Draws a random legal action for every match."""
        dice = new_states(DICE, 1, compiled=True)
        start_dice(dice, *split_seed(native(seed)))
        actions = np.zeros(self.num_envs, np.int64)
        sample_into(actions, self.arrays.masks, dice)
        return actions

    def state_bytes(self, i: int) -> bytes:
        """Returns a match's whole state as bytes, for comparison."""
        return bytes_of(self._states, i)

    def snapshot(self) -> bytes:
        """Returns everything that later matches depend on, including the whole truth."""
        states = b"".join(self.state_bytes(i) for i in range(self.num_envs))
        return self._dealt_seed().to_bytes(8, "little") + self._numbers.tobytes() + states

    def restore(self, snapshot: bytes) -> None:
        """Restores a snapshot of an identical environment; rewrites what the seats see."""
        n, head, full = self.num_envs, 8 + 8 * self.num_envs, self.game.state.itemsize
        size = len(bytes_of(self._states, 0))
        if len(snapshot) != head + n * size:
            raise BadBatch("This snapshot is of another environment.")
        self.seed = int.from_bytes(snapshot[:8], "little")
        self._numbers[:] = np.frombuffer(snapshot[8:head], np.int64)
        for i in range(n):
            raw = snapshot[head + i * size : head + (i + 1) * size].ljust(full, b"\0")
            state = np.frombuffer(raw, self.game.state)
            for name in field_names(self.game.state):
                write_field(self._states, i, name, state[name][0])
        nothing = np.zeros(n, np.bool_)
        self._work(self.arrays, dealing=True, chosen=nothing, actions=self._numbers)

    @property
    def bytes_a_match(self) -> int:
        """Returns the memory of one more match, including arrays."""
        shared = sum(getattr(self.arrays, name).nbytes for name in self.shapes())
        own = self.game.state.itemsize + self._numbers.itemsize + self._bits.shape[1]
        return own + int(shared) // self.num_envs

    # Inside

    def _dealt_seed(self) -> int:
        if self.seed is None:
            raise BadBatch("Call reset first: nothing was dealt.")
        return self.seed

    def _use(self, into: Arrays | None) -> Arrays:
        if into is not None and into is not self.arrays:
            self.arrays = self.check_arrays(into)
        return self.arrays

    def _chosen(self, mask: Any, seed: int | None) -> Any:
        if self.seed is None or seed is not None:
            raise BadBatch("A partial reset goes on with the seed of a full one.")
        chosen = np.ascontiguousarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            raise BadBatch(f"reset_mask is to be bool ({self.num_envs},).")
        return chosen

    def _checked_actions(self, actions: Any) -> Any:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise BadBatch(
                f"Actions are {self.num_envs} whole numbers, not {given.dtype} {given.shape}."
            )
        chosen = np.ascontiguousarray(given, np.int64)
        if not self.unchecked:
            bad = find_illegal(self._states, chosen, self._bits, self.game.actions)
            if bad >= 0:
                self._refuse(bad, int(chosen[bad]))
        return chosen

    def _refuse(self, index: int, action: int) -> NoReturn:
        known = 0 <= action < self.game.actions
        told = str(self.game.labels[action]) if known else f"{action}, which is no id"
        seat = to_known(self._states, index).to_act
        raise IllegalBatch(
            f"Match {index}: seat {seat} cannot play {told}. No match was stepped.",
            index=index,
            action=action,
            seat=seat,
        )

    def _work(self, arrays: Arrays, *, dealing: bool, chosen: Any, actions: Any) -> None:
        """Runs compiled work over all matches, one range per thread, without the GIL."""
        n = self.num_envs
        extras = (
            np.zeros((n, 0), np.float32) if arrays.truths is None else arrays.truths,
            self.game.tensor_size,
            self.game.own_columns,
            np.zeros((n, 0), np.int64) if arrays.standings is None else arrays.standings,
            np.zeros(0, np.int64) if arrays.advice is None else arrays.advice,
        )
        jobs = [
            partial(
                work_through,
                self._states,
                first,
                end,
                dealing,
                chosen,
                actions,
                self._numbers,
                self._dealt_seed(),
                arrays.observations,
                arrays.masks,
                arrays.seats,
                arrays.rewards,
                arrays.terminations,
                arrays.truncations,
                arrays.scores,
                arrays.winners,
                *extras,
                self.rewards == "score",
                self.autoreset == "same_step",
                self.skip_forced,
                self._bits,
                self._wiped,
                at,
                self._own,
            )
            for at, (first, end) in enumerate(self._ranges)
        ]
        others = [self._pool.submit(job) for job in jobs[1:]]
        jobs[0]()
        for other in others:
            other.result()

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self._ranges) - 1)

    def _infos(self, arrays: Arrays) -> dict[str, Any]:
        """Names Gymnasium's extras; `_x` says for which matches x was set in this step."""
        return {
            "action_mask": arrays.masks,
            "seat": arrays.seats,
            "final_scores": arrays.scores,
            "_final_scores": arrays.terminations,
            "final_winners": arrays.winners,
            "_final_winners": arrays.terminations,
        }


def _one_of(given: Any, allowed: tuple[str, ...]) -> str:
    if given not in allowed:
        raise BadBatch(f"{given!r} is none of {', '.join(allowed)}.")
    return str(given)


def _checked_seed(seed: int) -> int:
    number = native(seed)
    if type(number) is not int or not 0 <= number < 1 << SEED_BITS:
        raise BadSeed(f"The seed of a batch is a whole number from 0 to 2^{SEED_BITS} - 1.")
    return number
