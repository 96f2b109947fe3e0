"""Other libraries, each measured at its best for the same work.

All are optional: the report names those that are not installed, and leaves them out.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from foxden.bench.ours import (
    BATCH,
    BY_IDS,
    DEALS,
    FIRST_STATE,
    KEPT,
    MEMORY,
    ONE_MOVE,
    RANDOM_PLAY,
    SEARCH,
    SEARCH_NEAR,
    SIMULATIONS,
    START,
    STEPPING,
    new_process,
    searched,
)
from foxden.bench.row import Growth, Task, all_cores, one_core

LIBRARIES = {"OpenSpiel": "pyspiel", "RLCard": "rlcard", "PettingZoo": "pettingzoo", "Pgx": "pgx"}
# OpenSpiel's card games nearest to ours, with rollouts for each search step.
OPEN_SPIEL = {"hearts": 2000, "gin_rummy": 40}
RLCARD = ("uno", "gin-rummy")
PETTING_ZOO = ("texas_holdem_v4", "connect_four_v3")
# The nearest of Pgx's games (hidden tiles, three seats), and its fastest card game.
PGX = ("sparrow_mahjong", "leduc_holdem")
PYTHON_BATCH = 32


def is_there(name: str) -> bool:
    """Returns whether a library is installed."""
    return importlib.util.find_spec(LIBRARIES[name]) is not None


def missing() -> str:
    """Names the peers that are not installed."""
    return ", ".join(name for name in LIBRARIES if not is_there(name))


Played = Iterator[None]  # yields after each move, without end


def _speed(play: Callable[[], Played], seconds: float) -> Callable[[], float]:
    """Returns moves a second of an iterator that yields after every move."""

    def once() -> float:
        moves, begin = 0, one_core()
        playing = play()
        while (spent := one_core() - begin) < seconds:
            moves += sum(1 for _ in islice(playing, 20))
        return moves / spent

    return once


def _pace(play: Callable[[], Played], seconds: float) -> Callable[[], float]:
    """Returns microseconds per move."""
    speed = _speed(play, seconds)
    return lambda: 1e6 / speed()


# OpenSpiel


def _spiel(name: str) -> Any:
    import pyspiel

    return pyspiel.load_game(name)


def _dealt(game: Any, seed: int) -> Any:
    """Deals one of OpenSpiel's games at random."""
    state, dice = game.new_initial_state(), random.Random(seed)
    while state.is_chance_node():
        _chance(state, dice)
    return state


def _chance(state: Any, dice: random.Random) -> None:
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(dice.choices(outcomes, weights)[0])


def _mean_length(state: Any) -> float:
    """Returns the mean number of moves, chance included, to the end of random play."""
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


def _spiel_rollouts(name: str, rollouts: int, seconds: float) -> Task:
    """Measures a C++ game through the rollouts of OpenSpiel's own C++ search."""
    import pyspiel

    game = _spiel(name)
    states = [_dealt(game, seed) for seed in range(DEALS)]
    lengths = [_mean_length(state) for state in states]

    def once() -> float:
        moves, seed, begin = 0.0, 0, one_core()
        while (spent := one_core() - begin) < seconds:
            seed += 1
            evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
            # One simulation looks at the root alone: all rollouts start from the deal, and a
            # root with a single legal move cannot end the search early.
            bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, seed, False)
            bot.step(states[seed % DEALS])
            moves += rollouts * lengths[seed % DEALS]
        return moves / spent

    seats, length = game.num_players(), sum(lengths) / DEALS
    how = f"{seats} seats, C++ MCTS rollouts from {DEALS} deals, {length:.0f} moves each, no deals"
    return Task(RANDOM_PLAY, f"OpenSpiel {name}, C++", how, "moves/s", once)


def _spiel_root(game: Any, seed: int, way: int | None) -> Any:
    """Returns a state where its player has a choice: dealt, or `way` moves before its end."""
    state, dice = _dealt(game, seed), random.Random(seed)
    if way is not None:
        past = [state.clone()]
        while not state.is_terminal():
            if state.is_chance_node():
                _chance(state, dice)
            else:
                state.apply_action(dice.choice(state.legal_actions()))
            past.append(state.clone())
        state = past[max(len(past) - 1 - way, 0)]
    # A search with one legal action at its root returns at once, whatever its limit.
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        if state.is_chance_node():
            _chance(state, dice)
        else:
            state.apply_action(state.legal_actions()[0])
    return state


def _spiel_search(name: str, way: int | None, seconds: float) -> Task:
    """Measures OpenSpiel's C++ ISMCTS on one of its C++ games."""
    import pyspiel

    game = _spiel(name)
    roots = [_spiel_root(game, seed, way) for seed in range(DEALS)]

    def once() -> float:
        simulations, begin = 0, one_core()
        while (spent := one_core() - begin) < seconds or simulations == 0:
            seed = simulations // SIMULATIONS
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            bot = pyspiel.ISMCTSBot(seed, evaluator, 1.0, SIMULATIONS)
            bot.step(roots[seed % DEALS])
            simulations += SIMULATIONS
        return simulations / spent

    length = sum(_mean_length(state) for state in roots) / DEALS
    how = f"{game.num_players()} seats, C++ ISMCTS; {searched(length)}"
    what = SEARCH if way is None else SEARCH_NEAR
    return Task(what, f"OpenSpiel {name}", how, "simulations/s", once)


def _spiel_moves() -> Played:
    """Plays hearts from Python, from deals made in advance."""
    starts = [_dealt(_spiel("hearts"), seed) for seed in range(DEALS)]
    moves = 0
    while True:
        for start in starts:
            state = start.clone()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[moves % len(legal)])
                moves += 1
                yield


def _spiel_by_ids(seconds: float, *, checked: bool) -> Callable[[], float]:
    """Times the bare loop, without the cost of yielding."""
    start = _dealt(_spiel("hearts"), 1)
    kind = type(start)
    play = kind.apply_action_with_legality_check if checked else kind.apply_action

    def once() -> float:
        moves, spent = 0, 0.0
        while spent < seconds:
            state = start.clone()
            begin = one_core()
            while not state.is_terminal():
                legal = state.legal_actions()
                play(state, legal[moves % len(legal)])
                moves += 1
            spent += one_core() - begin
        return spent / moves * 1e6

    return once


def _spiel_steps() -> Played:
    """Steps OpenSpiel's vector environment with random actions."""
    from open_spiel.python import rl_environment, vector_env
    from open_spiel.python.rl_agent import StepOutput

    dice = random.Random(1)
    games = [rl_environment.Environment("hearts") for _ in range(PYTHON_BATCH)]
    envs = vector_env.SyncVectorEnv(games)
    times = envs.reset()
    while True:
        actions = []
        for step in times:
            seen = step.observations
            legal = seen["legal_actions"][seen["current_player"]]
            actions.append(StepOutput(action=dice.choice(legal), probs=None))
        times = envs.step(actions, reset_if_done=True)[0]
        yield from [None] * PYTHON_BATCH


# RLCard and PettingZoo


def _rlcard_moves(name: str) -> Played:
    import rlcard

    dice = random.Random(1)
    env = rlcard.make(name, config={"seed": 1})
    while True:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(dice.choice(list(state["legal_actions"])))
            yield


def _zoo_moves(name: str) -> Played:
    dice = random.Random(1)
    env = importlib.import_module(f"pettingzoo.classic.{name}").env()
    seed = 0
    while True:
        env.reset(seed=seed)
        seed += 1
        for _ in env.agent_iter():
            seen, _, ended, cut, told = env.last()
            if ended or cut:
                env.step(None)
                continue
            mask = seen["action_mask"] if "action_mask" in seen else told["action_mask"]
            env.step(dice.choice(np.flatnonzero(mask).tolist()))
            yield


# Pgx


def _pgx_steps(name: str, seconds: float) -> Callable[[], float]:
    """Steps a compiled batch, with random legal actions drawn inside the compiled step."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def advance(states: Any, key: Any) -> Any:
        key, choosing, stepping = jax.random.split(key, 3)
        odds = jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choosing, odds, axis=-1)
        return jax.vmap(step)(states, actions, jax.random.split(stepping, BATCH)), key

    key = jax.random.PRNGKey(0)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(key, BATCH))

    def once() -> float:
        nonlocal states, key
        moves, begin = 0, all_cores()
        while (spent := all_cores() - begin) < seconds:
            states, key = advance(states, key)
            jax.block_until_ready(states)
            moves += BATCH
        return moves / spent

    return once


# By kind


def random_play(seconds: float) -> Iterator[Task]:
    """Whole random matches: compiled if the peer can, else from Python."""
    if is_there("OpenSpiel"):
        for name, rollouts in OPEN_SPIEL.items():
            yield _spiel_rollouts(name, rollouts, seconds)
        how = "4 seats, legal_actions and apply_action in a loop, no deals"
        once = _speed(_spiel_moves, seconds)
        yield Task(RANDOM_PLAY, "OpenSpiel hearts, from Python", how, "moves/s", once)
    if is_there("RLCard"):
        for name in RLCARD:
            once = _speed(lambda name=name: _rlcard_moves(name), seconds)  # type: ignore[misc]
            how = "2 seats, Env.step in a loop, deals and states for the seat included"
            yield Task(RANDOM_PLAY, f"RLCard {name}", how, "moves/s", once)
    if is_there("PettingZoo"):
        for name in PETTING_ZOO:
            once = _speed(lambda name=name: _zoo_moves(name), seconds)  # type: ignore[misc]
            how = "2 seats, last and step in a loop, resets and observations included"
            yield Task(RANDOM_PLAY, f"PettingZoo {name}", how, "moves/s", once)


def one_move(seconds: float) -> Iterator[Task]:
    """One move through each library's main interface."""
    if is_there("OpenSpiel"):
        how = "4 seats, legal_actions and apply_action_with_legality_check: checked, ids alone"
        once = _spiel_by_ids(seconds, checked=True)
        yield Task(ONE_MOVE, "OpenSpiel hearts", how, "µs", once)
    if is_there("RLCard"):
        how = "2 seats, Env.step: an illegal action is replaced by a random one"
        once = _pace(lambda: _rlcard_moves(RLCARD[0]), seconds)
        yield Task(ONE_MOVE, f"RLCard {RLCARD[0]}", how, "µs", once)
    if is_there("PettingZoo"):
        how = "2 seats, last and step: checked by the standard wrappers, observations included"
        once = _pace(lambda: _zoo_moves(PETTING_ZOO[1]), seconds)
        yield Task(ONE_MOVE, f"PettingZoo {PETTING_ZOO[1]}", how, "µs", once)


def moves_by_ids(seconds: float) -> Iterator[Task]:
    """The same work on both sides: legal ids, one of them played, no text."""
    if is_there("OpenSpiel"):
        for checked, how in ((True, "apply_action_with_legality_check"), (False, "apply_action")):
            who = f"OpenSpiel hearts, {'checked' if checked else 'unchecked'}"
            once = _spiel_by_ids(seconds, checked=checked)
            yield Task(BY_IDS, who, f"4 seats, legal_actions and {how}", "µs", once)


def search(way: int | None, seconds: float) -> Iterator[Task]:
    """ISMCTS on the nearest games."""
    if is_there("OpenSpiel"):
        for name in OPEN_SPIEL:
            yield _spiel_search(name, way, seconds)


def stepping(seconds: float) -> Iterator[Task]:
    """Many matches at once, with everything a policy needs to choose."""
    if is_there("OpenSpiel"):
        how = f"4 seats, SyncVectorEnv of {PYTHON_BATCH}, Python; observations, resets"
        once = _speed(_spiel_steps, seconds)
        yield Task(STEPPING, "OpenSpiel hearts, SyncVectorEnv", how, "moves/s", once)
    if is_there("Pgx"):
        for name in PGX:
            how = (
                f"{BATCH} matches on the processor, all cores; masks, observations, resets, choices"
            )
            yield Task(STEPPING, f"Pgx {name}", how, "moves/s", _pgx_steps(name, seconds))


def memory() -> Iterator[Task]:
    """The process's growth for each match kept."""
    if is_there("OpenSpiel"):
        start = _dealt(_spiel("hearts"), 1)
        how = f"4 seats, clones of a dealt state; growth of the process with {KEPT}"
        yield Task(MEMORY, "OpenSpiel hearts", how, "bytes", Growth(start.clone, KEPT))
    if is_there("RLCard"):
        import rlcard

        def table() -> Any:
            env = rlcard.make(RLCARD[0], config={"seed": 1})
            env.reset()
            return env

        how = "2 seats, dealt environments; growth of the process with 200"
        name = f"RLCard {RLCARD[0]}"
        yield Task(MEMORY, name, how, "bytes", Growth(table, 200))
    if is_there("PettingZoo"):
        module = importlib.import_module(f"pettingzoo.classic.{PETTING_ZOO[1]}")

        def board() -> Any:
            env = module.env()
            env.reset(seed=1)
            return env

        how = "2 seats, environments reset once; growth of the process with 200"
        name = f"PettingZoo {PETTING_ZOO[1]}"
        yield Task(MEMORY, name, how, "bytes", Growth(board, 200))


# Programs that import a library and create the first state of a game; others also play it out.
SCRIPTS = {
    "OpenSpiel": (
        "hearts",
        "import pyspiel; s = pyspiel.load_game('hearts').new_initial_state()\n"
        "while s.is_chance_node(): s.apply_action(s.legal_actions()[0])\n",
        "while not s.is_terminal(): s.apply_action(s.legal_actions()[0])",
    ),
    "RLCard": (
        "uno",
        "import rlcard; e = rlcard.make('uno'); s, p = e.reset()\n",
        "while not e.is_over(): s, p = e.step(list(s['legal_actions'])[0])",
    ),
    "PettingZoo": (
        "connect_four_v3",
        "from pettingzoo.classic import connect_four_v3 as g; e = g.env(); e.reset(seed=1)\n",
        "for a in e.agent_iter():\n"
        "    o, r, t, c, i = e.last(); e.step(None if t or c else int(o['action_mask'].argmax()))",
    ),
    "Pgx": (
        "leduc_holdem",
        "import jax, pgx; e = pgx.make('leduc_holdem'); k = jax.random.PRNGKey(0)\n"
        "s = jax.jit(e.init)(k)\n",
        "step = jax.jit(e.step)\n"
        "while not s.terminated: s = step(s, s.legal_action_mask.argmax(), k)",
    ),
}


def starts() -> Iterator[Task]:
    """New processes that create the first state of a game, and that play a match."""
    for name, (game, first, rest) in SCRIPTS.items():
        if is_there(name):
            for what, program in ((FIRST_STATE, first), (START, first + rest)):
                once = lambda program=program: new_process(program)  # noqa: E731
                yield Task(what, f"{name} {game}", "new process", "s", once)
