"""Rollouts: worlds that fit what a seat knows, played on after each of its choices.

Every choice meets the same worlds and the same luck, so differences between choices are paired.
Nobody knows how people play on, so reviews listen to two kinds of players. The greedy player plays
every world to its end. And where a network was trained for the table, it plays a while for all
seats, as it would draw, and then says what the match is worth to the seat.

Now and then the greedy player slips and plays anything. People do, and a game without hidden cards
would have one continuation otherwise, however often it is played.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foxden.bots import Position
from foxden.bots.net import Network, NoNetwork, like, network_for, understand
from foxden.engine import compiled
from foxden.engine.contract import (
    apply,
    features,
    greedy,
    is_over,
    legal,
    observe,
    resample,
    scores,
    winners,
)
from foxden.engine.kernel import COMPILE, Entry, as_array, bytes_of, new_states, rule, to_known
from foxden.engine.match import Match
from foxden.engine.rng import SEED_BITS, WORD, mix, split_seed, start_stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from foxden.engine.game import Game

SLIPS = int(0.04 * 2**32)  # of 2**32 decisions, those that are left to chance
LONGEST_LINE = 64  # actions of a rollout that are kept, for telling why
KNOWN, WORLD, BRANCH, WIPED = range(4)  # the states of a run
LEAD = 0.6  # usual margin of a victory, on the scale of the networks' training


class Way(NamedTuple):
    """How a network takes part in rollouts, where one was trained for the table."""

    near: int  # decisions that it makes before the greedy player goes on to the end
    ahead: int  # decisions that it makes where it plays alone, until it says what that is worth
    trust: float  # share of what it says in a chance
    toll: float  # microseconds that all that counts in a rollout


REVIEWING = Way(near=0, ahead=12, trust=0.4, toll=380.0)
# The proofs that ship with puzzles were made so, and can be repeated as long as it stays.
PROVING = Way(near=4, ahead=0, trust=0.0, toll=250.0)
GREEDY = Way(near=0, ahead=0, trust=0.0, toll=0.0)  # no network is asked


class Net(NamedTuple):
    """The network that rollouts ask: its weights, room to think, and the ends of its scale."""

    first: Any
    rest: Any
    biases: Any
    policy: Any
    policy_bias: Any
    value: Any
    value_bias: Any
    seen: Any  # what the seat to act observes
    here: Any  # layers: the last one when it has understood …
    there: Any  # … and the one before
    likes: Any  # logits of the legal actions
    lost: float  # what a match that is lost, …
    gained: float  # … and one that is won, is usually worth to it


class Room(NamedTuple):
    """Memory that rollouts write to."""

    out: Any  # legal actions
    points: Any  # by seat
    won: Any  # by seat
    line: Any  # actions of the last rollout


@rule
def ask_network(states, net, out, n):
    """Asks the network for the seat to act in the branch: it likes each action, understands."""
    states[WIPED] = states[BRANCH]
    seat = states[BRANCH].to_act + 0
    observe(states[WIPED], seat)
    features(states[WIPED], seat, net.seen)
    understand(net.seen, net.first, net.rest, net.biases, net.here, net.there)
    like(net.here, net.policy, net.policy_bias, out, n, net.likes)


@rule
def favourite(likes, n):
    """Returns the place of the action that is liked best."""
    best = 0
    for i in range(1, n):
        if likes[i] > likes[best]:
            best = i
    return best


@rule
def drawn(likes, n, luck):
    """Returns the place of an action, each as likely as the network is to play it."""
    top = likes[favourite(likes, n)]
    total = 0.0
    for i in range(n):
        total += math.exp(likes[i] - top)
    left = total * luck / 2**32
    for i in range(n - 1):
        left -= math.exp(likes[i] - top)
        if left < 0:
            return i
    return n - 1


@rule
def noted(line, moves, action):
    """Keeps an action of a rollout, as long as there is room, and ends the line behind it."""
    if moves < len(line):
        line[moves] = action
    if moves + 1 < len(line):
        line[moves + 1] = -1
    return moves + 1


@rule
def play_out(states, care, near, net, room, moves):
    """Plays the branch to its end; returns how many actions there were."""
    s = states[BRANCH]
    out = room.out
    decided = 0
    while not is_over(s):
        n = legal(s, out)
        action = out[0]
        if n > 1:
            asks_net = decided < near
            decided += 1
            luck = mix(care ^ decided)
            if luck < SLIPS:
                action = out[mix(luck) % n]
            elif asks_net:
                ask_network(states, net, out, n)
                action = out[favourite(net.likes, n)]
            else:
                action = greedy(s, out, n)
        apply(s, action)
        moves = noted(room.line, moves, action)
    return moves


@rule
def share_of(s, seat, won):
    """Returns a seat's share of the win of a match that is over."""
    winners(s, won)
    count = 0
    for p in range(s.seats):
        count += won[p]
    return won[seat] / count if count > 0 else 0.0


@rule
def look_ahead(states, seat, care, ahead, net, room, moves):
    """Lets the network play the branch on; returns the chance to win that it sees for the seat.

    It says so where the seat decides next. Until then the greedy player goes on, which costs less:
    whoever is out of the match is asked no more. A match that ends before is what it is.
    """
    s = states[BRANCH]
    out = room.out
    decided = 0
    while not is_over(s):
        n = legal(s, out)
        action = out[0]
        if n > 1:
            near = decided < ahead
            decided += 1
            if near or s.to_act == seat:
                ask_network(states, net, out, n)
            if near:
                action = out[drawn(net.likes, n, mix(mix(care ^ decided)))]
            elif s.to_act == seat:
                total = float(net.value_bias[0])
                for j in range(len(net.here)):
                    total += net.here[j] * net.value[j]
                return min(max((total - net.lost) / (net.gained - net.lost), 0.0), 1.0)
            else:
                action = greedy(s, out, n)
        apply(s, action)
        moves = noted(room.line, moves, action)
    return share_of(s, seat, room.won)


@Entry
def roll_out(states, seat, low, high, begin, actions, way, net, room, shares, gains):
    """Plays worlds on after each action; writes every seat's share of the win, and its points.

    shares and gains go by action, world and seat. Where the network is trusted, the share of the
    seat itself is mixed with the chance that the network sees. An action of -1 plays nothing
    first. Returns how many were played to the end.
    """
    plies = 0
    for w in range(shares.shape[1]):
        states[WORLD] = states[KNOWN]
        start_stream(states[WORLD], low ^ (begin + w), high)
        # Slips have luck of their own: they strike every choice alike, and leave the deck as it is.
        care = mix(low + begin + w & WORD)
        resample(states[WORLD], seat)
        for a in range(len(actions)):
            moves = 0
            if actions[a] >= 0:
                moves = noted(room.line, moves, actions[a])
            states[BRANCH] = states[WORLD]
            s = states[BRANCH]
            if actions[a] >= 0:
                apply(s, actions[a])
            plies += play_out(states, care, way.near, net, room, moves)
            scores(s, room.points)
            for p in range(s.seats):
                shares[a, w, p] = share_of(s, p, room.won)
                gains[a, w, p] = room.points[p]
            if way.trust > 0:
                states[BRANCH] = states[WORLD]
                if actions[a] >= 0:
                    apply(s, actions[a])
                hope = look_ahead(states, seat, care, way.ahead, net, room, moves)
                shares[a, w, seat] += way.trust * (hope - shares[a, w, seat])
    return plies


@dataclass(frozen=True)
class Results:
    """A seat's results: a row for each action, a column for each world."""

    shares: Any  # of the win
    points: Any
    plies: int  # that were played for them


class Rollouts:
    """Rolls out from one position. All that it knows is the wiped state, its seed included."""

    def __init__(
        self,
        game: Game,
        wiped: Any,
        seat: int,
        *,
        salt: bytes = b"",
        way: Way = REVIEWING,
    ) -> None:
        """Takes a state that is wiped for the seat (-1: a spectator), and lays out the memory.

        Another salt draws other worlds. The greedy player alone is faster than with a network.
        """
        self.game = game
        self.seat = seat
        self.states = new_states(game.state, 4, compiled=True)
        self.states[KNOWN] = as_array(wiped)[0]
        # From what the seat knows and nothing else: the same for everybody who asks.
        told = bytes_of(self.states, KNOWN) + seat.to_bytes(1, signed=True) + salt
        digest = hashlib.blake2b(told, digest_size=16, person=b"foxden review").digest()
        self.seed = int.from_bytes(digest) >> 128 - SEED_BITS
        self.line = np.full(LONGEST_LINE, -1, np.int64)
        self._room = Room(
            out=np.zeros(game.actions, np.int64),
            points=np.zeros(game.most_seats, np.int64),
            won=np.zeros(game.most_seats, np.int64),
            line=self.line,
        )
        network = None if way is GREEDY else _network(game, wiped, seat)
        self.way = way if network is not None else GREEDY
        self._net = _net(game, network, to_known(self.states, KNOWN).seats)

    @property
    def player(self) -> str:
        """Returns who plays beside the greedy player: the network, or nobody else."""
        return "greedy" if self.way is GREEDY else "network"

    def run(self, actions: Sequence[int], begin: int, worlds: int) -> Results:
        """Plays the worlds from number `begin` on after each of the actions, for the seat."""
        shares, points, plies = self._roll_out(actions, begin, worlds)
        return Results(shares[..., self.seat], points[..., self.seat], plies)

    def chances(self, worlds: int) -> tuple[float, ...]:
        """Returns every seat's chance to win, as the position stands; they add up to 1."""
        shares, _, _ = self._roll_out([-1], 0, worlds)
        seats = to_known(self.states, KNOWN).seats
        return tuple(float(share) for share in shares[0].mean(axis=0)[:seats])

    def _roll_out(self, actions: Sequence[int], begin: int, worlds: int) -> tuple[Any, Any, int]:
        shape = (len(actions), worlds, self.game.most_seats)
        shares, points = np.zeros(shape), np.zeros(shape)
        plies = roll_out(
            self.states,
            self.seat,
            *split_seed(self.seed),
            begin,
            np.array(actions, np.int64),
            self.way,
            self._net,
            self._room,
            shares,
            points,
        )
        return shares, points, int(plies)


def _network(game: Game, wiped: Any, seat: int) -> Network | None:
    try:
        return network_for(Position(game, seat, wiped, (), 0))
    except NoNetwork:
        return None


def _ends(network: Network | None, seats: int) -> tuple[float, float]:
    """Returns what a match that is lost, and one that is won, is usually worth to the network.

    Its goal in training was partly the margin of points, so neither end is an end of the scale.
    """
    if network is None:
        return 0.0, 1.0
    victory, lead = 1 - network.margin, LEAD * network.margin
    return -victory / (seats - 1) - lead, victory + lead


def _net(game: Game, network: Network | None, seats: int) -> Net:
    """Lays out what rollouts ask; where there is no network, a speck is never asked."""
    width = 1 if network is None else len(network.biases[0])
    matrix, row = np.zeros((1, 1), np.float32), np.zeros(1, np.float32)
    weights: Any = (matrix, np.zeros((1, 1, 1), np.float32), matrix, matrix, row, row, row)
    if network is not None:
        told = (getattr(network, name) for name in Net._fields[: len(weights)])
        weights = tuple(np.ascontiguousarray(part, np.float32) for part in told)
    lost, gained = _ends(network, seats)
    named: dict[str, Any] = dict(zip(Net._fields, weights, strict=False))
    return Net(
        **named,
        seen=np.zeros(game.tensor_size, np.float32),
        here=np.zeros(width, np.float32),
        there=np.zeros(width, np.float32),
        likes=np.zeros(game.actions, np.float32),
        lost=lost,
        gained=gained,
    )


def prepare(game: Game, report: Callable[[float], None] = lambda done: None) -> None:
    """Compiles the rules and the rollouts of a game, or loads them; reports how far it is."""
    if COMPILE == "never":
        return
    compiled.prepare(game, lambda done, of: report(done / (of + 4)))
    match = Match(game, seed=0)
    seat = match.to_act or 0
    Rollouts(game, match.wiped(seat), seat).run([-1], 0, 1)
    report(1.0)
