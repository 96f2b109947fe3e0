"""A trained player: it evaluates its network once and plays the first choice, or draws.

Networks are in a game's folder `nets`, each with the data of its training (`foxden.training`). A
network is used only at tables it was trained for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from foxden.bots import Position, position_of
from foxden.engine import compiled
from foxden.engine.contract import features
from foxden.engine.errors import FoxdenError
from foxden.engine.game import Game
from foxden.engine.kernel import Entry, new_states, rule, to_known
from foxden.engine.match import Match
from foxden.engine.options import ANY

FOLDER = "nets"
FORMAT = 1


class NoNetwork(FoxdenError):
    """No network was trained for this game and table."""


@rule
def understand(seen: Any, first: Any, rest: Any, biases: Any, here: Any, there: Any) -> None:
    """Writes the last hidden layer for an observation into `here`.

    Weights are stored by input, so inputs of 0 cost nothing: most are, and half of each layer.
    """
    width = len(here)
    for j in range(width):
        here[j] = biases[0, j]
    for k in range(len(seen)):
        x = seen[k]
        if x != 0:
            for j in range(width):
                here[j] += x * first[k, j]
    for layer in range(len(rest)):
        for j in range(width):
            there[j] = biases[layer + 1, j]
        for k in range(width):
            x = here[k]
            if x > 0:
                for j in range(width):
                    there[j] += x * rest[layer, k, j]
        for j in range(width):
            here[j] = there[j]
    for j in range(width):
        here[j] = max(here[j], np.float32(0))


@rule
def like(here: Any, policy: Any, policy_bias: Any, legal: Any, n: int, out: Any) -> None:
    """Writes the logits of the first n legal actions."""
    for a in range(n):
        total = policy_bias[legal[a]]
        for j in range(len(here)):
            total += here[j] * policy[legal[a], j]
        out[a] = total


@Entry
def likings(
    states: Any,
    i: int,
    seat: int,
    seen: Any,
    first: Any,
    rest: Any,
    biases: Any,
    policy: Any,
    policy_bias: Any,
    legal: Any,
    here: Any,
    there: Any,
    out: Any,
) -> None:
    """Writes the logit of every legal action, for the seat to act of a wiped state."""
    features(states[i], seat, seen)
    understand(seen, first, rest, biases, here, there)
    like(here, policy, policy_bias, legal, len(legal), out)


@dataclass(frozen=True, eq=False)
class Network:
    """A trained network: its weights and metadata."""

    told: Mapping[str, Any]
    first: Any
    rest: Any
    biases: Any
    policy: Any
    policy_bias: Any
    value: Any  # of the seat asked: how its match will end, on the scale of its training …
    value_bias: Any

    @classmethod
    def read(cls, file: Path) -> Network:
        """Reads a player that a training run wrote."""
        with np.load(file, allow_pickle=False) as data:
            told = json.loads(str(data["told"]))
            if told["format"] != FORMAT:
                raise NoNetwork(f"{file.name} has format {told['format']}, not {FORMAT}.")
            depth = told["layers"]
            weights, biases = (
                [data[f"{letter}{k}"].astype(np.float32) for k in range(depth + 2)]
                for letter in "wb"
            )
            for k in range(depth + 2):
                if f"s{k}" in data:  # weights are bytes, in units of steps
                    weights[k] = weights[k] * data[f"s{k}"].astype(np.float32)
        return cls(
            told=told,
            first=np.ascontiguousarray(weights[0].T),
            rest=np.stack([np.ascontiguousarray(w.T) for w in weights[1:depth]]),
            biases=np.stack(biases[:depth]),
            policy=weights[depth],
            policy_bias=biases[depth],
            value=weights[depth + 1][0],
            value_bias=biases[depth + 1],
        )

    @property
    def margin(self) -> float:
        """Returns the share of points in the goal of its training; the rest is winning."""
        return float(self.told["plan"]["margin"])

    def check(self, game: Game) -> None:
        """Refuses a game it was not trained for."""
        for name, now in (
            ("game", game.name),
            ("rules_version", game.rules_version),
            ("tensor_hash", game.tensor_hash),
            ("parts_hash", game.parts_hash),
        ):
            if self.told[name] != now:
                was = self.told[name]
                raise NoNetwork(f"This network was trained for {name} {was!r}, not {now!r}.")

    def logits(self, position: Position, legal: Any) -> Any:
        """Returns the network's logit of each legal action."""
        if not isinstance(position.wiped, np.ndarray):
            return self._logits_in_numpy(position, legal)
        width = len(self.biases[0])
        out = np.zeros(len(legal), np.float32)
        likings(
            position.wiped,
            0,
            position.seat,
            np.zeros(position.game.tensor_size, np.float32),
            self.first,
            self.rest,
            self.biases,
            self.policy,
            self.policy_bias,
            legal,
            np.zeros(width, np.float32),
            np.zeros(width, np.float32),
            out,
        )
        return out

    def _logits_in_numpy(self, position: Position, legal: Any) -> Any:
        """Returns the same for uncompiled rules."""
        seen = np.zeros(position.game.tensor_size, np.float32)
        compiled.features_of(position.wiped, 0, position.seat, seen)
        here = seen @ self.first + self.biases[0]
        for weights, bias in zip(self.rest, self.biases[1:], strict=False):
            here = np.maximum(here, 0) @ weights + bias
        return self.policy[legal] @ np.maximum(here, 0) + self.policy_bias[legal]


@dataclass(frozen=True, eq=False)
class Trained:
    """A table that a network was trained for."""

    network: Network
    table: Mapping[str, Any]  # its seats and options, …
    free: frozenset[str]  # … of which these may be anything
    spread: float  # the usual margin of points there, the unit of the network's value
    gap: float  # the usual gap between its first and second choice
    fields: Mapping[bool, Mapping[str, bytes]]  # of its states: in arrays, and interpreted


@cache
def networks(game: Game) -> tuple[Trained, ...]:
    """Lists the tables that a game's networks were trained for."""
    found = []
    for file in sorted((game.folder / FOLDER).glob("*.npz")):
        network = Network.read(file)
        network.check(game)
        for told in network.told["tables"]:
            free = frozenset(name for name, value in told["options"].items() if value == ANY)
            table = {"seats": told["seats"], "options": _allowed(game, told, free)}
            fields = {}
            # A process may ask before its rules are compiled, and again afterwards.
            for compiled_form in (False, True):
                state = new_states(game.state, 1, compiled=compiled_form)
                game.configure(state, 0, game.setup(**table))
                known = _fields(game, state)
                kept = {name: value for name, value in known.items() if name not in free}
                fields[isinstance(state, np.ndarray)] = kept
            spread, gap = (float(told.get(name, 1.0)) for name in ("spread", "gap"))
            found.append(Trained(network, table, free, spread, gap, fields))
    return tuple(found)


def _allowed(game: Game, told: Mapping[str, Any], free: frozenset[str]) -> dict[str, Any]:
    """Returns a table's options, with the first values of the free ones that the game allows."""
    fixed = {name: value for name, value in told["options"].items() if name not in free}
    for values in product(*(o.samples() for o in game.options if o.name in free)):
        names = (option.name for option in game.options if option.name in free)
        options = fixed | dict(zip(names, values, strict=True))
        if told["seats"] in game.seats_with(options):
            return options
    raise NoNetwork(f"{game.title} allows no table with {told['seats']} seats and {fixed}.")


def _fields(game: Game, state: Any) -> dict[str, bytes]:
    """Reads the fields that identify a table: seats, options, printed numbers."""
    names = _field_names(game)
    if isinstance(state, np.ndarray):
        return {name: state[name].tobytes() for name in names}
    known = to_known(state, 0)
    return {name: repr(getattr(known, name)).encode() for name in names}


@cache
def _field_names(game: Game) -> tuple[str, ...]:
    """Lists those fields; cached, because checking printed numbers is slow."""
    return "seats", *(option.name for option in game.options), *game.fit_parts(game.printed)


def trained_for(position: Position) -> Trained:
    """Finds the network that was trained for a position's table."""
    game = position.game
    known = networks(game)
    if not known:
        raise NoNetwork(f"No network was trained for {game.title}.")
    here = _fields(game, position.wiped)
    form = isinstance(position.wiped, np.ndarray)
    fitting = [one for one in known if one.fields[form].items() <= here.items()]
    if fitting:
        return max(fitting, key=lambda one: len(one.fields[form]))  # trained for few tables
    trained = [one.fields[form] for one in known]
    nearest = min(trained, key=lambda f: sum(f[k] != here[k] for k in f))
    differs = ", ".join(name for name in nearest if nearest[name] != here[name])
    raise NoNetwork(f"No network of {game.title} was trained for this table ({differs}).")


def network_for(position: Position) -> Network:
    """Finds the network alone."""
    return trained_for(position).network


def usual_gap(game: Game, tables: Sequence[Mapping[str, Any]], choices: int = 300) -> float:
    """Returns the median gap between a network's first and second choice in its own matches."""
    gaps: list[float] = []
    seed = 0
    while len(gaps) < choices:
        match = Match(game, seed=seed, **tables[seed % len(tables)])
        seed += 1
        while not match.is_over and len(gaps) < choices:
            position = position_of(match, seed=seed)
            legal = np.array([action.id for action in position.legal], np.int64)
            if len(legal) > 1:
                second, first = np.sort(network_for(position).logits(position, legal))[-2:]
                gaps.append(float(first - second))
            match.play(NetBot(temperature=1.0).choose(position))
    return float(np.median(gaps))


class NetBot:
    """Plays by its network."""

    def __init__(self, *, temperature: float = 0.0) -> None:
        """Plays the network's first choice, or draws: from its policy at 1, more evenly above."""
        self.temperature = temperature
        drawn = "net:drawn" if temperature == 1 else f"net:drawn={temperature:g}"
        self.name = drawn if temperature else "net"

    def choose(self, position: Position) -> int:
        """Asks the network."""
        network = network_for(position)
        legal = np.array([action.id for action in position.legal], np.int64)
        if len(legal) == 1:
            return int(legal[0])
        logits = network.logits(position, legal)
        if self.temperature:
            luck = np.random.default_rng(position.seed).gumbel(size=len(legal))
            logits = logits / self.temperature + luck
        return int(legal[logits.argmax()])

    def shares(self, position: Position) -> dict[int, float]:
        """Returns the network's probability of each action."""
        legal = np.array([action.id for action in position.legal], np.int64)
        logits = network_for(position).logits(position, legal).astype(np.float64)
        likings = np.exp(logits - logits.max())
        return dict(zip(legal.tolist(), (likings / likings.sum()).tolist(), strict=True))
