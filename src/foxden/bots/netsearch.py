"""A network that looks ahead: a tree over a seat's own decisions; others follow the network.

Each simulation fills the seat's wiped state with a random world that fits what it knows, and walks
on: at its own decisions by the network's policy and the results of each action so far (PUCT), at
others' decisions by drawing from the network, from what *they* may know in that world. The walk
ends at its first new decision of its own, with the network's value of it.

So the others never learn what the searching seat holds, and no seat needs a value for another.
The n-th simulation of every legal action gets the same world and the same luck.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from foxden.bots import Position, position_of
from foxden.bots.ismcts import SearchRun
from foxden.bots.net import NetBot, Trained, like, networks, trained_for, understand
from foxden.engine.contract import (
    apply,
    features,
    imagine,
    is_over,
    legal,
    observe,
    resample,
    scores,
    seen,
    winners,
)
from foxden.engine.kernel import COMPILE, Entry, as_array, new_states, rule
from foxden.engine.match import Match
from foxden.engine.native import native
from foxden.engine.rng import STREAM, bits, split_seed, start_stream

if TYPE_CHECKING:
    from foxden.engine.game import Action, Game

LONGEST_PATH = 64  # decisions of its own
BEFORE_LONG = 64  # simulations after which every action is tried
USUAL_SECONDS = 0.3

Node = np.dtype(
    [
        ("first", "i4"),  # first child, 0 for none; children are a linked list …
        ("next", "i4"),  # … of siblings
        ("label", "i4"),  # the action as the searching seat sees it
        ("visits", "i4"),
        ("prior", "f8"),  # the network's probability of it
        ("value", "f8"),  # sum of the searching seat's results, 0 to 1
        ("square", "f8"),  # sum of their squares
    ],
    align=True,
)

# One record for a whole search, so it can run in chunks.
Search = np.dtype(
    [
        *STREAM,
        ("seat", "i8"),
        ("low", "i8"),  # the seed of the worlds, …
        ("high", "i8"),  # … in two words
        ("used", "i8"),  # nodes in use
        ("simulations", "i8"),
        ("explore", "f8"),
        ("doubt", "f8"),  # how far below the mean an untried action is assumed to be
        ("heat", "f8"),  # above 1 its own unlikely actions get more of a look
        ("habit", "f8"),  # share of worlds in which opponents have played by the game's habit
        ("margin", "f8"),  # how much of a result is the margin, as in training, …
        ("spread", "f8"),  # … which is measured in usual margins
    ],
    align=True,
)


@rule
def ask_network(states, mover, seen_by, net, out, n, here, there, chances, heat):
    """Writes the probability of each legal action; `here` is the last hidden layer."""
    first, rest, biases, policy, policy_bias = net
    states[2] = states[1]
    observe(states[2], mover)
    features(states[2], mover, seen_by)
    understand(seen_by, first, rest, biases, here, there)
    like(here, policy, policy_bias, out, n, chances)
    top = chances[0]
    for a in range(n):
        top = max(top, chances[a])
    total = 0.0
    for a in range(n):
        chances[a] = math.exp((chances[a] - top) / heat)
        total += chances[a]
    for a in range(n):
        chances[a] /= total


@rule
def draw(s, chances, n):
    """Draws the index of an action by the probabilities."""
    left = bits(s) / 4294967296.0
    for a in range(n - 1):
        left -= chances[a]
        if left < 0:
            return a
    return n - 1


@rule
def add_child(search, tree, node, label, prior):
    """Adds a node and returns its index, or -1 if the tree is full."""
    if search.used == len(tree):
        return -1
    into = search.used + 0
    search.used += 1
    tree[into].first = 0
    tree[into].next = tree[node].first
    tree[into].label = label
    tree[into].visits = 0
    tree[into].prior = prior
    tree[into].value = 0.0
    tree[into].square = 0.0
    tree[node].first = into
    return into


@rule
def child_of(search, tree, node, label):
    """Returns the node of a label, creating it if needed, or -1 if the tree is full."""
    child = tree[node].first
    while child > 0:
        if tree[child].label == label:
            return int(child)
        child = tree[child].next
    return add_child(search, tree, node, label, 0.0)


@rule
def choose_own(s, search, tree, node, out, n, slots, places):
    """Picks the child to walk into by PUCT; -1 if a legal action has no child yet.

    `places` gets each action's child, 0 for none. At the root every action is tried before long:
    a network that would never play one may be wrong about it.
    """
    child = tree[node].first
    while child > 0:
        slots[tree[child].label] = child
        child = tree[child].next
    known = True
    for i in range(n):
        places[i] = slots[seen(s, out[i], search.seat)]
        known = known and places[i] > 0
    child = tree[node].first
    while child > 0:
        slots[tree[child].label] = 0
        child = tree[child].next
    if not known:
        return -1
    if node == 0 and search.simulations >= BEFORE_LONG:
        for i in range(n):
            if tree[places[i]].visits == 0:
                return i
    total = 0
    value = 0.0
    mass = 0.0
    for i in range(n):
        total += tree[places[i]].visits
        value += tree[places[i]].value
        mass += tree[places[i]].prior
    untried = value / total - search.doubt if total > 0 else 0.5
    root = math.sqrt(total + 1.0) / max(mass, 1e-9)
    best = -1e18
    pick = 0
    for i in range(n):
        at = tree[places[i]]
        mean = at.value / at.visits if at.visits > 0 else untried
        bound = mean + search.explore * at.prior * root / (1.0 + at.visits)
        if bound > best:
            best = bound
            pick = i
    return pick


@rule
def outcome(s, search, points, won):
    """Returns the searching seat's result of a finished match, as in training but from 0 to 1."""
    winners(s, won)
    scores(s, points)
    count = 0
    best = -1e18
    seat = search.seat
    for p in range(s.seats):
        count += won[p]
        if p != seat:
            best = max(best, float(points[p]))
    share = won[seat] / count if count > 0 else 0.0
    even = 1.0 / s.seats
    victory = (share - even) / (1.0 - even)
    margin = math.tanh((points[seat] - best) / search.spread)
    return 0.5 + 0.5 * ((1.0 - search.margin) * victory + search.margin * margin)


@rule
def prize(here, value, value_bias):
    """Returns the network's value of the match for the seat to act, from 0 to 1."""
    total = float(value_bias[0])
    for j in range(len(here)):
        total += here[j] * value[j]
    return 0.5 + 0.5 * min(max(total, -1.0), 1.0)


@Entry
def look_ahead(
    states,
    searches,
    tree,
    path,
    out,
    slots,
    places,
    seen_by,
    net,
    value,
    value_bias,
    here,
    there,
    chances,
    points,
    won,
    simulations,
):
    """Runs simulations; states[0] is what the seat sees, the others are scratch."""
    search = searches[0]
    for _ in range(simulations):
        states[1] = states[0]
        s = states[1]
        n = legal(s, out)
        pick = choose_own(s, search, tree, 0, out, n, slots, places)
        before = tree[places[pick]].visits if pick >= 0 else 0
        start_stream(s, search.low ^ before, search.high)
        if search.habit > 0 and bits(s) < search.habit * 4294967296.0:
            imagine(s, search.seat)
        else:
            resample(s, search.seat)
        node = 0
        depth = 0
        while True:
            if is_over(s):
                result = outcome(s, search, points, won)
                break
            n = legal(s, out)
            mover = s.to_act + 0
            if mover != search.seat or n == 1:
                at = 0
                if n > 1:
                    ask_network(states, mover, seen_by, net, out, n, here, there, chances, 1.0)
                    at = draw(s, chances, n)
                if node >= 0:
                    node = child_of(search, tree, node, seen(s, out[at], search.seat))
                apply(s, out[at])
                continue
            if depth > 0 or pick < 0:
                pick = -1
                if node >= 0 and tree[node].first > 0 and depth < len(path):
                    pick = choose_own(s, search, tree, node, out, n, slots, places)
            if pick < 0:
                ask_network(states, mover, seen_by, net, out, n, here, there, chances, search.heat)
                fresh = node >= 0 and tree[node].first == 0
                room = node >= 0 and depth < len(path)
                for i in range(n):
                    if room and (fresh or places[i] == 0):
                        label = seen(s, out[i], search.seat)
                        room = add_child(search, tree, node, label, chances[i]) > 0
                if room and not fresh:  # a world with different legal actions
                    pick = choose_own(s, search, tree, node, out, n, slots, places)
            if pick < 0:
                result = prize(here, value, value_bias)
                break
            node = int(places[pick])
            path[depth] = node
            depth += 1
            apply(s, out[pick])
        if depth > 0:  # the first only evaluates the root
            search.simulations += 1
        for i in range(depth):
            child = path[i]
            tree[child].visits += 1
            tree[child].value += result
            tree[child].square += result * result


@dataclass(frozen=True)
class Settings:
    """How a network looks ahead."""

    explore: float = 0.3
    doubt: float = 0.1
    heat: float = 1.0
    habit: float = 0.0
    nodes: int = 100_000  # bounds memory: 40 bytes each

    def __post_init__(self) -> None:
        """Refuses an empty tree: compiled code would write outside it."""
        if not isinstance(self.nodes, int) or self.nodes < 1:
            raise ValueError(f"A tree has a whole number of nodes from 1 on, not {self.nodes!r}.")
        if self.heat <= 0:
            raise ValueError(f"heat is a temperature above 0, not {self.heat!r}.")


class NetRun(SearchRun):
    """One look ahead from one position; it can be continued at will."""

    def __init__(self, position: Position, trained: Trained, settings: Settings) -> None:
        """Lays out the memory that it needs."""
        game: Game = position.game
        network = trained.network
        self.position = position
        self.states = new_states(game.state, 3, compiled=True)
        self.states[0] = as_array(position.wiped)[0]
        self.searches = np.zeros(1, Search)
        self.searches["seat"] = position.seat
        self.searches["used"] = 1
        self.searches["margin"], self.searches["spread"] = network.margin, trained.spread
        for name in ("explore", "doubt", "heat", "habit"):
            self.searches[name] = getattr(settings, name)
        self.searches["low"], self.searches["high"] = split_seed(native(position.seed))
        self.tree = np.zeros(settings.nodes, Node)
        width = len(network.biases[0])
        labels = game.actions + game.hidden_actions
        self.arguments = (
            np.zeros(LONGEST_PATH, np.int64),
            np.zeros(game.actions, np.int64),
            np.zeros(labels, np.int64),
            np.zeros(game.actions, np.int64),
            np.zeros(game.tensor_size, np.float32),
            (network.first, network.rest, network.biases, network.policy, network.policy_bias),
            network.value,
            network.value_bias,
            np.zeros(width, np.float32),
            np.zeros(width, np.float32),
            np.zeros(game.actions, np.float64),
            np.zeros(game.most_seats, np.int64),
            np.zeros(game.most_seats, np.int64),
        )

    def run(self, simulations: int) -> None:
        """Runs more simulations, in one call that cannot be interrupted."""
        look_ahead(self.states, self.searches, self.tree, *self.arguments, simulations)


class NetSearchBot:
    """Plays the best action after looking ahead with its network."""

    def __init__(
        self,
        name: str = "net:0.3s",
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        changes: Mapping[str, Any] | None = None,
        patient: bool = False,
    ) -> None:
        """Limits the look by simulations (repeatable) or by time, and changes its settings."""
        self.name = name
        self.simulations = simulations
        self.seconds = seconds
        self.settings = Settings(**changes or {})
        self.patient = patient

    def think(self, position: Position) -> NetRun:
        """Looks ahead within the limits of bot and position."""
        run = NetRun(position, trained_for(position), self.settings)
        run.run_within(self.simulations, self.seconds, USUAL_SECONDS, patient=self.patient)
        return run

    def choose(self, position: Position) -> Action | int:
        """Returns the most visited action, or before rules are compiled the likeliest."""
        if len(position.legal) == 1:
            return position.legal[0]
        if not isinstance(position.wiped, np.ndarray):
            return NetBot().choose(position)
        found = self.think(position).hints()
        return found[0].action if found else position.legal[0]


def prepare(game: Game) -> None:
    """Compiles the look ahead for a game that has a network, or loads what was compiled before."""
    known = networks(game)
    if COMPILE == "never" or not known:
        return
    match = Match(game, seed=0, **known[0].table)
    NetRun(position_of(match, seed=0), known[0], Settings(nodes=8)).run(1)
