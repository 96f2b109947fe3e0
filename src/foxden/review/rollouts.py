"""Rollouts: worlds that fit what a seat knows, played out after each of its choices.

Every choice is played in the same worlds with the same luck, so differences are paired. How people
would play on is unknown, so reviews use two kinds of players. The greedy player plays every world
to its end. If a network was trained for the table, it also plays a while for all seats, drawing
from its policy, and then estimates the match's value to the seat.

Now and then the greedy player slips and plays a random action. People do, and a game without hidden
cards would otherwise have only one continuation.
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

SLIPS = int(0.04 * 2**32)  # random decisions per 2**32
LONGEST_LINE = 64  # actions kept of a rollout, for reasons
KNOWN, WORLD, BRANCH, WIPED = range(4)  # the states of a run
LEAD = 0.6  # usual margin of a victory, on the scale of the networks' training


class Way(NamedTuple):
    """How a network takes part in rollouts, if one was trained for the table."""

    near: int  # decisions it makes before the greedy player continues to the end
    ahead: int  # decisions it makes when playing alone, before it evaluates
    trust: float  # weight of its estimate in a chance
    toll: float  # microseconds charged for that per rollout


REVIEWING = Way(near=0, ahead=12, trust=0.4, toll=380.0)
# The proofs of shipped puzzles used this; they can be repeated as long as it stays.
PROVING = Way(near=4, ahead=0, trust=0.0, toll=250.0)
GREEDY = Way(near=0, ahead=0, trust=0.0, toll=0.0)  # without a network


class Net(NamedTuple):
    """The network in rollouts: its weights, work space, and the ends of its scale."""

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
    """Evaluates the network for the seat to act: the logits and the hidden layers."""
    states[WIPED] = states[BRANCH]
    seat = states[BRANCH].to_act + 0
    observe(states[WIPED], seat)
    features(states[WIPED], seat, net.seen)
    understand(net.seen, net.first, net.rest, net.biases, net.here, net.there)
    like(net.here, net.policy, net.policy_bias, out, n, net.likes)


@rule
def favourite(likes, n):
    """Returns the index of the highest logit."""
    best = 0
    for i in range(1, n):
        if likes[i] > likes[best]:
            best = i
    return best


@rule
def drawn(likes, n, luck):
    """Draws the index of an action from the network's policy."""
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
    """Keeps an action of a rollout if there is space, and terminates the list."""
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
    """Returns a seat's share of the win in a finished match."""
    winners(s, won)
    count = 0
    for p in range(s.seats):
        count += won[p]
    return won[seat] / count if count > 0 else 0.0


@rule
def look_ahead(states, seat, care, ahead, net, room, moves):
    """Lets the network play on; returns its estimate of the seat's chance to win.

    It evaluates at the seat's next decision. Until then the greedy player continues, which is
    cheaper: an eliminated seat never decides again. A match that ends earlier counts as it ended.
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

    shares and gains are indexed by action, world and seat. With a network, the seat's own share is
    mixed with the network's estimate. An action of -1 plays nothing first. Returns how many were
    played to the end.
    """
    plies = 0
    for w in range(shares.shape[1]):
        states[WORLD] = states[KNOWN]
        start_stream(states[WORLD], low ^ (begin + w), high)
        # Slips have separate luck: they are the same for every choice, and do not change the deck.
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
    """Rolls out from one position, using only the wiped state, from which its seed comes too."""

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

        Another salt draws other worlds. Without a network it is faster.
        """
        self.game = game
        self.seat = seat
        self.states = new_states(game.state, 4, compiled=True)
        self.states[KNOWN] = as_array(wiped)[0]
        # Only from what the seat knows, so it is the same for everybody.
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
        """Returns the network that plays beside the greedy player, if any."""
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
    """Returns the network's usual value of a lost match and of a won one.

    Its training goal included the margin of points, so these are not the ends of the scale.
    """
    if network is None:
        return 0.0, 1.0
    victory, lead = 1 - network.margin, LEAD * network.margin
    return -victory / (seats - 1) - lead, victory + lead


def _net(game: Game, network: Network | None, seats: int) -> Net:
    """Lays out the network for rollouts; without one, an unused stub."""
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
    """Compiles the rules and the rollouts of a game, or loads them; reports progress."""
    if COMPILE == "never":
        return
    compiled.prepare(game, lambda done, of: report(done / (of + 4)))
    match = Match(game, seed=0)
    seat = match.to_act or 0
    Rollouts(game, match.wiped(seat), seat).run([-1], 0, 1)
    report(1.0)
