"""Other libraries, measured as they are at their best for the same work."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

try:
    import pyspiel
except ImportError:
    pyspiel = None

# OpenSpiel's card games nearest to ours, with rollouts for each step of the search.
OPEN_SPIEL = {"hearts": 2000, "gin_rummy": 40}
DEALS = 8


@dataclass(frozen=True)
class Peer:
    """One measurement of another library."""

    who: str
    how: str
    once: Callable[[], float]


def missing() -> str:
    """Names the peers that are not installed."""
    return "" if pyspiel else "OpenSpiel"


def _dealt(game: Any, seed: int) -> Any:
    """Deals a game of OpenSpiel's by chance."""
    state, dice = game.new_initial_state(), random.Random(seed)
    while state.is_chance_node():
        _chance(state, dice)
    return state


def _chance(state: Any, dice: random.Random) -> None:
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(dice.choices(outcomes, weights)[0])


def _mean_length(state: Any) -> float:
    """Counts the moves, chance included, that random play takes to the end."""
    moves = 0
    for seed in range(100):
        copy, dice = state.clone(), random.Random(seed)
        while not copy.is_terminal():
            if copy.is_chance_node():
                _chance(copy, dice)
            else:
                copy.apply_action(dice.choice(copy.legal_actions()))
            moves += 1
    return moves / 100


def random_play(seconds: float) -> Iterator[Peer]:
    """Measures OpenSpiel's C++ games through the rollouts of its own C++ search."""
    if not pyspiel:
        return
    for name, rollouts in OPEN_SPIEL.items():
        game = pyspiel.load_game(name)
        states = [_dealt(game, seed) for seed in range(DEALS)]
        lengths = [_mean_length(state) for state in states]

        def once(
            game: Any = game,
            states: list[Any] = states,
            lengths: list[float] = lengths,
            rollouts: int = rollouts,
        ) -> float:
            moves, seed, begin = 0.0, 0, time.perf_counter()
            while (spent := time.perf_counter() - begin) < seconds:
                seed += 1
                evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
                # One simulation looks at the root alone: all rollouts start from the deal, and a
                # root with a single legal move cannot end the search early.
                bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, seed, False)
                bot.step(states[seed % DEALS])
                moves += rollouts * lengths[seed % DEALS]
            return moves / spent

        seats, length = game.num_players(), sum(lengths) / DEALS
        how = f"{seats} seats, C++ MCTS rollouts from {DEALS} deals, {length:.0f} moves each"
        yield Peer(f"OpenSpiel {name}", how, once)


def checked_moves(seconds: float) -> Iterator[Peer]:
    """Measures OpenSpiel's C++ hearts stepped from Python."""
    if not pyspiel:
        return
    start = _dealt(pyspiel.load_game("hearts"), 1)

    def once() -> float:
        moves, spent = 0, 0.0
        while spent < seconds:
            state = start.clone()
            begin = time.perf_counter()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[moves % len(legal)])
                moves += 1
            spent += time.perf_counter() - begin
        return spent / moves * 1e6

    yield Peer("OpenSpiel hearts", "4 seats, legal_actions and apply_action", once)
