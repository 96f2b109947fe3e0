"""Information-set tree search: one tree over what a seat can see, a world for each simulation.

One compiled module for all games, outside the GIL. Each simulation fills the seat's wiped state
with a random world that fits what it knows, walks the tree by upper confidence bounds that
count how often an action was *available* (Cowling, Powley and Whitehouse 2012), adds one node, and
plays the rest by the rollout policy. Every mover in the tree maximises its own result.

The n-th simulation of every legal action gets the same world and the same luck, which removes
shared noise from comparisons.
"""

from __future__ import annotations

import math
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from foxden.bots import Position, position_of
from foxden.engine.contract import (
    apply,
    greedy,
    imagine,
    is_over,
    legal,
    resample,
    scores,
    seen,
    winners,
)
from foxden.engine.kernel import COMPILE, Entry, as_array, new_states, rule
from foxden.engine.match import Match
from foxden.engine.native import native, whole
from foxden.engine.rng import STREAM, below, bits, split_seed, start_stream

if TYPE_CHECKING:
    from foxden.engine.game import Action, Game

LONGEST_PATH = 4096  # simulations leave the tree long before this
USUAL_SECONDS = 0.5
CHUNK = 0.01  # seconds: a compiled call cannot be interrupted, so calls are kept short

Node = np.dtype(
    [
        ("first", "i4"),  # first child, 0 for none; children are a linked list …
        ("next", "i4"),  # … of siblings
        ("label", "i4"),  # the action as the searching seat sees it
        ("mover", "i4"),
        ("visits", "i4"),
        ("available", "i4"),  # how often the action was legal when its parent was visited
        ("value", "f8"),  # sum of the mover's results
        ("square", "f8"),  # sum of their squares
    ],
    align=True,
)

# One record for a whole search, so it can run in chunks.
Search = np.dtype(
    [
        *STREAM,  # for choices at the root
        ("seat", "i8"),
        ("low", "i8"),  # the seed of the worlds, …
        ("high", "i8"),  # … in two words
        ("used", "i8"),  # nodes in use
        ("simulations", "i8"),
        ("explore", "f8"),
        ("trust", "f8"),  # prior bonus of the greedy player's choice, for one visit
        ("doubt", "f8"),  # how far below the mean an untried action is assumed to be
        ("margin", "f8"),  # how much of a result is the margin; the rest is winning
        ("greedy", "f8"),  # share of rollout moves that the game's greedy player makes
        ("habit", "f8"),  # share of worlds in which opponents have played by the game's habit
        ("horizon", "i8"),  # rollout moves before the current score decides; 0: to the end
        ("spread", "f8"),  # mean size of margins so far, which scales them
        ("level", "f8"),  # mean score so far, where all seats play together
    ],
    align=True,
)


@rule
def play_on(s, search, out):
    """Plays a world on by the rollout policy; returns whether it reached the end."""
    moves = 0
    informed = search.greedy * 4294967296.0
    while not is_over(s):
        if search.horizon > 0 and moves >= search.horizon:
            return False
        n = legal(s, out)
        if n > 1 and informed > 0 and bits(s) < informed:
            action = greedy(s, out, n)
        else:
            action = out[below(s, n)]
        apply(s, action)
        moves += 1
    return True


@rule
def judge(s, search, ended, points, won, gain):
    """Writes each seat's result, from 0 to 1: winning and the margin, mixed.

    A margin is the lead over the best other seat (over the mean so far, where all play together),
    measured in mean margins of this search, so games need no scale of their own.
    """
    scores(s, points)
    count = 0
    if ended:
        winners(s, won)
        for p in range(s.seats):
            count += won[p]
    pace = 1.0 / (search.simulations + 1.0)
    size = 0.0
    for p in range(s.seats):
        if s.together:
            lead = points[p] - search.level
        else:
            best = -1e18
            for q in range(s.seats):
                # Those who win together are not rivals.
                if q != p and not (count > 0 and won[p] == 1 and won[q] == 1):
                    best = max(best, float(points[q]))
            lead = points[p] - best if best > -1e18 else 0.0
        gain[p] = lead
        size += abs(lead) / s.seats
    search.spread += (size - search.spread) * pace
    search.level += (points[0] - search.level) * pace
    scale = max(search.spread, 1e-9)
    for p in range(s.seats):
        margin = 0.5 + 0.5 * math.tanh(gain[p] / scale)
        if count == 0:
            gain[p] = margin
        else:
            victory = (0.5 + 0.5 / count) * won[p]
            gain[p] = (1.0 - search.margin) * victory + search.margin * margin


@rule
def choose_child(s, search, tree, node, out, n, slots, guess):
    """Picks the child to walk into, or -1 - label for a new one, by availability-count UCB.

    The label of the greedy player's choice is tried first, with a bonus that shrinks with visits.
    The others wait as if they had one visit with a result below the mean.
    """
    child = tree[node].first
    while child > 0:
        slots[tree[child].label] = child
        child = tree[child].next
    fresh = 0
    new = -1
    first = False
    best = -1.0
    into = 0
    total = 0
    value = 0.0
    for i in range(n):
        label = seen(s, out[i], search.seat)
        child = slots[label]
        if child == 0:
            # One of the labels not yet in the tree, each equally likely.
            fresh += 1
            if below(s, fresh) == 0:
                new = label
            first = first or label == guess
        elif child > 0:
            slots[label] = -child  # several actions may look the same: count them once
            tree[child].available += 1
            visits = tree[child].visits
            total += visits
            value += tree[child].value
            bonus = math.sqrt(math.log(tree[child].available) / visits)
            bound = tree[child].value / visits + search.explore * bonus
            if label == guess:
                bound += search.trust / visits
            if bound > best:
                best = bound
                into = child
    child = tree[node].first
    while child > 0:
        slots[tree[child].label] = 0
        child = tree[child].next
    if node == 0 and into > 0 and search.used == len(tree):
        return into  # the tree is full
    if first:
        return -1 - guess
    if fresh > 0 and total > 0:
        bonus = math.sqrt(math.log(total + 1.0))
        if value / total - search.doubt + search.explore * bonus < best:
            return into
    return -1 - new if fresh > 0 else into


@rule
def action_behind(s, search, out, n, label):
    """Returns one of the actions that the seat sees under a label, each equally likely."""
    action = -1
    same = 0
    for i in range(n):
        if seen(s, out[i], search.seat) == label:
            same += 1
            if below(s, same) == 0:
                action = out[i]
    return action


@rule
def look(s, search, out):
    """Writes the legal actions; returns their number, the greedy player's choice, and its label."""
    n = legal(s, out)
    if search.trust > 0 and n > 1:
        likely = greedy(s, out, n)
        return n, likely, seen(s, likely, search.seat)
    return n, -1, -1


@Entry
def simulate(states, searches, tree, path, out, slots, points, won, gain, simulations):
    """Runs simulations; states[0] is what the seat sees, states[1] scratch."""
    search = searches[0]
    for _ in range(simulations):
        states[1] = states[0]
        s = states[1]
        s.rng = search.rng
        n, likely, guess = look(s, search, out)
        choice = choose_child(s, search, tree, 0, out, n, slots, guess)
        search.rng = s.rng
        before = tree[choice].visits if choice > 0 else 0
        start_stream(s, search.low ^ before, search.high)
        if search.habit > 0 and bits(s) < search.habit * 4294967296.0:
            imagine(s, search.seat)
        else:
            resample(s, search.seat)
        node = 0
        depth = 0
        while choice > 0 or search.used < len(tree):  # a full tree gets only rollouts
            into = choice
            if choice < 0:
                into = search.used
                search.used += 1
                tree[into].first = 0
                tree[into].next = tree[node].first
                tree[into].label = -1 - choice
                tree[into].mover = s.to_act
                tree[into].visits = 0
                tree[into].available = 1
                tree[into].value = 0.0
                tree[into].square = 0.0
                tree[node].first = into
            label = tree[into].label
            # Behind a label, others act like the greedy player as often as in rollouts.
            if label == guess and bits(s) < search.greedy * 4294967296.0:
                apply(s, likely)
            else:
                apply(s, action_behind(s, search, out, n, label))
            path[depth] = into
            depth += 1
            node = into
            if choice < 0 or is_over(s) or depth == len(path):
                break
            n, likely, guess = look(s, search, out)
            choice = choose_child(s, search, tree, node, out, n, slots, guess)
        ended = play_on(s, search, out)
        judge(s, search, ended, points, won, gain)
        search.simulations += 1
        for i in range(depth):
            child = path[i]
            result = gain[tree[child].mover]
            tree[child].visits += 1
            tree[child].value += result
            tree[child].square += result * result


@Entry
def begin(searches, low, high):
    """Starts the stream for choices at the root."""
    start_stream(searches[0], low, high)


@dataclass(frozen=True)
class Settings:
    """How a search plays."""

    explore: float = 0.3
    trust: float = 3.0
    doubt: float = 0.3
    margin: float = 0.6
    greedy: float = 1.0
    habit: float = 0.0
    horizon: int = 0
    depth: int = LONGEST_PATH  # actions that the tree looks ahead; what follows is rolled out
    nodes: int = 400_000  # bounds memory: 40 bytes each

    def __post_init__(self) -> None:
        """Refuses an empty tree: compiled code would write outside it."""
        for name in ("depth", "nodes"):
            given = getattr(self, name)
            size = whole(given)
            if size is None or size < 1:
                raise ValueError(f"A search's {name} is a whole number from 1 on, not {given!r}.")


@dataclass(frozen=True)
class Hint:
    """A search's estimate of one action."""

    action: Action
    share: float  # of the simulations that went there
    result: float  # expected, from 0 (worst) to 1 (a clear win)
    spread: float  # standard error of the result


class SearchRun:
    """One search from one position; it can be continued at will."""

    def __init__(self, position: Position, settings: Settings) -> None:
        """Lays out the memory that the search needs."""
        game: Game = position.game
        self.position = position
        self.states = new_states(game.state, 2, compiled=True)
        self.states[0] = as_array(position.wiped)[0]
        self.searches = np.zeros(1, Search)
        self.searches["seat"] = position.seat
        self.searches["used"] = 1
        for name in ("explore", "trust", "doubt", "margin", "greedy", "habit", "horizon"):
            self.searches[name] = getattr(settings, name)
        low, high = split_seed(native(position.seed))
        self.searches["low"], self.searches["high"] = low, high
        begin(self.searches, low, high)
        self.tree = np.zeros(settings.nodes, Node)
        self.path = np.zeros(settings.depth, np.int64)
        self.out = np.zeros(game.actions, np.int64)
        self.slots = np.zeros(game.actions + game.hidden_actions, np.int64)
        self.points = np.zeros(game.most_seats, np.int64)
        self.won = np.zeros(game.most_seats, np.int64)
        self.gain = np.zeros(game.most_seats, np.float64)

    @property
    def simulations(self) -> int:
        """Counts the simulations so far."""
        return int(self.searches["simulations"][0])

    def run(self, simulations: int) -> None:
        """Runs more simulations, in one call that cannot be interrupted."""
        simulate(
            self.states,
            self.searches,
            self.tree,
            self.path,
            self.out,
            self.slots,
            self.points,
            self.won,
            self.gain,
            simulations,
        )

    def run_within(
        self, simulations: int | None, seconds: float | None, usual: float, *, patient: bool
    ) -> None:
        """Runs within the limits of bot and position; without any, for the default seconds."""
        bounds = [s for s in (seconds, self.position.seconds) if s is not None]
        if not bounds and simulations is None:
            bounds = [usual]
        self.run_on(simulations=simulations, seconds=min(bounds, default=None), patient=patient)

    def run_on(
        self, *, simulations: int | None = None, seconds: float | None = None, patient: bool = False
    ) -> None:
        """Runs in short calls until a limit is reached or the position's owner cancels.

        It also ends when no other action can overtake the most visited one, unless it is patient.
        """
        begin = time.perf_counter()
        chunk, fastest = 1, 0.0
        left = simulations if simulations is not None else 1 << 62
        while left > 0 and not self.position.cancelled():
            now = time.perf_counter()
            if seconds is not None and now - begin >= seconds:
                return
            chunk = min(chunk, left)
            self.run(chunk)
            left -= chunk
            took = max(time.perf_counter() - now, 1e-6)
            pace = chunk / took
            fastest = max(fastest, pace)
            short = CHUNK
            if seconds is not None:
                rest = max(seconds - (time.perf_counter() - begin), 0.0)
                short = min(CHUNK, rest)
                if simulations is None:
                    # At its best pace, so a busy machine does not stop it too soon.
                    left = math.ceil(fastest * rest)
            if not patient and self.lead() > left:
                return
            chunk = max(1, min(chunk * 4, int(pace * short)))

    def lead(self) -> int:
        """Returns the first action's lead in visits over the second; 0 if it is the only one."""
        visits = sorted(self.visits().values())
        return visits[-1] - visits[-2] if len(visits) > 1 else 0

    def visits(self) -> dict[int, int]:
        """Counts visits of each action, by its label."""
        found = {}
        child = int(self.tree[0]["first"])
        while child:
            node = self.tree[child]
            found[int(node["label"])] = int(node["visits"])
            child = int(node["next"])
        return found

    def hints(self) -> list[Hint]:
        """Lists the visited actions, the most visited first."""
        found = []
        child = int(self.tree[0]["first"])
        while child:
            node = self.tree[child]
            child = int(node["next"])
            visits = int(node["visits"])
            if not visits:
                continue
            mean = float(node["value"]) / visits
            variance = max(float(node["square"]) / visits - mean * mean, 0.0)
            found.append(
                Hint(
                    action=self.position.game.labels[int(node["label"])],
                    share=visits / self.simulations,
                    result=mean,
                    spread=math.sqrt(variance / visits),
                )
            )
        return sorted(found, key=lambda hint: (-hint.share, -hint.result))


def prepare(game: Game) -> None:
    """Compiles the search for a game, or loads what was compiled before."""
    if COMPILE == "never":
        return
    match = Match(game, seed=0)
    SearchRun(position_of(match, seed=0), Settings(nodes=8)).run(1)


@cache
def settings_of(game: Game, *, together: bool = False) -> Settings:
    """Returns a game's best search settings, from the table `search` of its levels.toml.

    The table `together` overrides them where all seats play for one result.
    """
    tables = read_levels(game)
    return Settings(**tables.get("search", {}) | (tables.get("together", {}) if together else {}))


def read_levels(game: Game) -> dict[str, Any]:
    """Reads a game's tuned settings; empty without a levels.toml."""
    file = game.folder / "levels.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


class SearchBot:
    """Plays a tree search's best action."""

    def __init__(
        self,
        name: str = "search",
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        changes: Mapping[str, Any] | None = None,
        patient: bool = False,
    ) -> None:
        """Limits the search by simulations (repeatable) or by time, and changes its settings.

        A patient search uses its whole limit, even when the answer is clear.
        """
        self.name = name
        self.simulations = simulations
        self.seconds = seconds
        self.changes = dict(changes or {})
        self.patient = patient

    def think(self, position: Position) -> SearchRun:
        """Searches within the limits of bot and position."""
        usual = settings_of(position.game, together=position.together)
        settings = replace(usual, **self.changes)
        if self.simulations is not None:  # a simulation adds one node at most, after the root
            settings = replace(settings, nodes=min(settings.nodes, self.simulations + 1))
        thought = SearchRun(position, settings)
        thought.run_within(self.simulations, self.seconds, USUAL_SECONDS, patient=self.patient)
        return thought

    def choose(self, position: Position) -> Action:
        """Returns the most visited action."""
        if len(position.legal) == 1:
            return position.legal[0]
        found = self.think(position).hints()
        return found[0].action if found else position.legal[0]
