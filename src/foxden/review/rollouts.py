"""Rollouts: worlds that fit what a seat knows, played to the end after each of its choices.

Every choice meets the same worlds and the same luck, so differences between choices are paired.
The game's network, where one was trained for the table, decides the next few actions of a
rollout; the greedy player, which is a hundred times as fast, plays the rest.

Now and then a player slips and plays anything. People do, and a game without hidden cards would
have one continuation otherwise, however often it is played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from foxden.bots import Position
from foxden.bots.net import Network, NoNetwork, likings, network_for
from foxden.engine import compiled
from foxden.engine.contract import (
    apply,
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

NEAR = 4  # decisions of a rollout that the network makes
SLIPS = int(0.04 * 2**32)  # of 2**32 decisions, those that are left to chance
LONGEST_LINE = 64  # actions of a rollout that are kept, for telling why
KNOWN, WORLD, BRANCH, WIPED = range(4)  # the states of a run


@rule
def chosen(
    states, out, n, first, rest, biases, policy, policy_bias, seen, here, there, likes, asks_net
):
    """Returns what the player plays in the branch: the network's favourite, or the greedy one's."""
    s = states[BRANCH]
    if not asks_net:
        return greedy(s, out, n)
    states[WIPED] = s
    seat = s.to_act
    observe(states[WIPED], seat)
    legal_now = out[:n]
    likings(
        states,
        WIPED,
        seat,
        seen,
        first,
        rest,
        biases,
        policy,
        policy_bias,
        legal_now,
        here,
        there,
        likes,
    )
    best = 0
    for i in range(1, n):
        if likes[i] > likes[best]:
            best = i
    return out[best]


@Entry
def roll_out(
    states,
    seat,
    low,
    high,
    begin,
    actions,
    near,
    first,
    rest,
    biases,
    policy,
    policy_bias,
    seen,
    here,
    there,
    likes,
    out,
    points,
    won,
    line,
    shares,
    gains,
):
    """Plays worlds on after each action; writes every seat's share of the win, and its points.

    shares and gains go by action, world and seat. An action of -1 plays nothing first. `line`
    keeps the last rollout's actions. Returns how many actions were played.
    """
    plies = 0
    for w in range(shares.shape[1]):
        states[WORLD] = states[KNOWN]
        start_stream(states[WORLD], low ^ (begin + w), high)
        # Slips have luck of their own: they strike every choice alike, and leave the deck as it is.
        care = mix(low + begin + w & WORD)
        resample(states[WORLD], seat)
        for a in range(len(actions)):
            states[BRANCH] = states[WORLD]
            s = states[BRANCH]
            moves = 0
            decided = 0
            if actions[a] >= 0:
                apply(s, actions[a])
                line[0] = actions[a]
                moves = 1
            while not is_over(s):
                n = legal(s, out)
                action = out[0]
                if n > 1:
                    asks_net = decided < near
                    decided += 1
                    luck = mix(care ^ decided)
                    if luck < SLIPS:
                        action = out[mix(luck) % n]
                    else:
                        action = chosen(
                            states,
                            out,
                            n,
                            first,
                            rest,
                            biases,
                            policy,
                            policy_bias,
                            seen,
                            here,
                            there,
                            likes,
                            asks_net,
                        )
                apply(s, action)
                if moves < len(line):
                    line[moves] = action
                moves += 1
            if moves < len(line):
                line[moves] = -1
            plies += moves
            scores(s, points)
            winners(s, won)
            count = 0
            for p in range(s.seats):
                count += won[p]
            for p in range(s.seats):
                shares[a, w, p] = won[p] / count if count > 0 else 0.0
                gains[a, w, p] = points[p]
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
        self, game: Game, wiped: Any, seat: int, *, salt: bytes = b"", greedy: bool = False
    ) -> None:
        """Takes a state that is wiped for the seat (-1: a spectator), and lays out the memory.

        Another salt draws other worlds. With `greedy` no network is asked, which is faster.
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
        self._out = np.zeros(game.actions, np.int64)
        self._points = np.zeros(game.most_seats, np.int64)
        self._won = np.zeros(game.most_seats, np.int64)
        network = None if greedy else _network(game, wiped, seat)
        self.player = "greedy" if network is None else "network"
        self._near = 0 if network is None else NEAR
        self._weights = _weights(game, network)

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
            self._near,
            *self._weights,
            self._out,
            self._points,
            self._won,
            self.line,
            shares,
            points,
        )
        return shares, points, int(plies)


def _network(game: Game, wiped: Any, seat: int) -> Network | None:
    try:
        return network_for(Position(game, seat, wiped, (), 0))
    except NoNetwork:
        return None


def _weights(game: Game, network: Network | None) -> tuple[Any, ...]:
    """Returns the network's weights and room for its layers; a game without one has a speck."""
    width = 1 if network is None else len(network.biases[0])
    matrix, row = np.zeros((1, 1), np.float32), np.zeros(1, np.float32)
    weights = (matrix, np.zeros((1, 1, 1), np.float32), matrix, matrix, row)
    if network is not None:
        told = (network.first, network.rest, network.biases, network.policy, network.policy_bias)
        weights = tuple(np.ascontiguousarray(part, np.float32) for part in told)  # type: ignore[assignment]
    seen = np.zeros(game.tensor_size, np.float32)
    layers = (np.zeros(width, np.float32), np.zeros(width, np.float32))
    return (*weights, seen, *layers, np.zeros(game.actions, np.float32))


def prepare(game: Game, report: Callable[[float], None] = lambda done: None) -> None:
    """Compiles the rules and the rollouts of a game, or loads them; reports how far it is."""
    if COMPILE == "never":
        return
    compiled.prepare(game, lambda done, of: report(done / (of + 4)))
    match = Match(game, seed=0)
    seat = match.to_act or 0
    Rollouts(game, match.wiped(seat), seat).run([-1], 0, 1)
    report(1.0)
