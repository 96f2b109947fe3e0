"""Foxden's own games, through every interface."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from foxden.bench.row import FOXDEN, Growth, Task, all_cores, one_core
from foxden.bots import Position, position_of
from foxden.bots.ismcts import SearchRun, Settings
from foxden.engine import compiled
from foxden.engine.contract import apply, deal, is_over, legal
from foxden.engine.game import Game
from foxden.engine.kernel import Entry, new_states
from foxden.engine.match import Match
from foxden.engine.rng import below, deal_key, split_seed
from foxden.envs.vector import VectorEnv
from foxden.lab.compare import summed_up
from foxden.lab.playing import Table
from foxden.lab.question import Question, completed

BATCH = 1024
DEALS = 8  # positions for searches and rollouts
SIMULATIONS = 1000  # per search, on both sides
WAY = 50  # moves before the end, so both sides' searches have equally far to go
PIECE = 200  # matches of the laboratory between readings of the clock
KEPT = 1000  # matches created at once to measure the memory of one
RANDOM_PLAY = "random play"
KEYED = "random play of matches dealt from the keyed stream, against the fast one"
ONE_MOVE = "one checked move from Python"
BY_IDS = "one move from Python, by ids alone"
SEARCH = "search from the deal"
SEARCH_NEAR = f"search from about {WAY} moves before the end"
STEPPING = "vectorised stepping"
MEMORY = "memory a match"
STATISTICS = "greedy matches with all statistics of the laboratory, against bare play"
FIRST_STATE = "start: import and first state"
START = "start: a whole match"


def random_play(game: Game, seconds: float) -> Task:
    """Plays whole random matches in compiled code, deals included."""
    seats = game.about.usual
    states = new_states(game.state, 1, compiled=True)
    out = np.zeros(game.actions, np.int64)
    game.configure(states, 0, game.setup(seats))
    compiled.start(states, 0, *split_seed(1))

    def once() -> float:
        moves, begin = 0, one_core()
        while (spent := one_core() - begin) < seconds:
            moves += compiled.play_matches(states, 0, out, 50)
        return moves / spent

    how = f"{seats} seats, compiled, one core; deals and legal moves included"
    return Task(RANDOM_PLAY, f"{FOXDEN} {game.name}", how, "moves/s", once)


@Entry
def play_with_dice(states: Any, i: int, dice: int, out: Any, matches: int) -> int:
    """Deals and plays random matches, choosing actions by another state's stream."""
    s = states[i]
    plies = 0
    for _ in range(matches):
        deal(s)
        while not is_over(s):
            choice = below(states[dice], legal(s, out))  # type: ignore[no-untyped-call]
            apply(s, out[choice])
            plies += 1
    return plies


def keyed_play(game: Game, seconds: float) -> Task:
    """Plays random matches of both streams in alternating batches; a fast one chooses in both."""
    seats = game.about.usual
    fast, keyed, dice = range(3)
    states = new_states(game.state, 3, compiled=True)
    out = np.zeros(game.actions, np.int64)
    for i in (fast, keyed, dice):
        game.configure(states, i, game.setup(seats))
        compiled.start(states, i, *split_seed(i))
    compiled.start_keyed(states, keyed, *deal_key(1))

    def once() -> float:
        moves, spent = [0, 0], [0.0, 0.0]
        while sum(spent) < 2 * seconds:
            for i in (fast, keyed):
                begin = one_core()
                moves[i] += play_with_dice(states, i, dice, out, 50)
                spent[i] += one_core() - begin
        return spent[keyed] / moves[keyed] / (spent[fast] / moves[fast])

    how = f"{seats} seats, compiled, one core; all that a match deals and draws, and legal moves"
    return Task(KEYED, f"{FOXDEN} {game.name}", how, "× the time", once)


def checked_moves(game: Game, seconds: float) -> Task:
    """Lists the legal moves and plays one through the Python API."""
    seats = game.about.usual

    def once() -> float:
        moves, spent, seed = 0, 0.0, 0
        while spent < seconds:
            compiled.ensure(game)
            match = Match(game, seats=seats, seed=seed)
            seed += 1
            begin = one_core()
            while not match.is_over:
                legal = match.legal()
                match.play(legal[moves % len(legal)])
                moves += 1
            spent += one_core() - begin
        return spent / moves * 1e6

    how = f"{seats} seats, Match.legal and Match.play: checked, kept for undo, record and reasons"
    return Task(ONE_MOVE, f"{FOXDEN} {game.name}", how, "µs", once)


def moves_by_ids(game: Game, seconds: float) -> Task:
    """Plays from Python through the compiled function that Match.play uses."""
    seats = game.about.usual
    states = new_states(game.state, 1, compiled=True)
    out = np.zeros(game.actions, np.int64)
    game.configure(states, 0, game.setup(seats))
    move, pick = compiled.move, out.item

    def once() -> float:
        moves, spent, seed = 0, 0.0, 0
        while spent < seconds:
            compiled.start(states, 0, seed, 0)
            seed += 1
            count = compiled.legal_of(states, 0, out)
            begin = one_core()
            while count:
                count = move(states, 0, pick(moves % count), out)
                moves += 1
            spent += one_core() - begin
        return spent / moves * 1e6

    how = f"{seats} seats, compiled.move: checks, plays and lists the next legal ids"
    return Task(BY_IDS, f"{FOXDEN} {game.name}", how, "µs", once)


def search(game: Game, seats: int, way: int | None, seconds: float) -> Task:
    """Searches by ISMCTS with random rollouts to the end, from positions with a choice."""
    positions = [position_of(_root(game, seats, seed, way), seed=seed) for seed in range(DEALS)]
    settings = Settings(greedy=0.0, horizon=0, nodes=SIMULATIONS + 1)
    SearchRun(positions[0], settings).run(1)

    def once() -> float:
        simulations, begin = 0, one_core()
        while (spent := one_core() - begin) < seconds or simulations == 0:
            thought = SearchRun(positions[simulations // SIMULATIONS % DEALS], settings)
            thought.run(SIMULATIONS)
            simulations += SIMULATIONS
        return simulations / spent

    length = sum(map(_mean_length, positions)) / DEALS
    how = f"{seats} seats, ISMCTS, one core; {searched(length)}"
    what = SEARCH if way is None else SEARCH_NEAR
    return Task(what, f"{FOXDEN} {game.name}, {seats} seats", how, "simulations/s", once)


def searched(length: float) -> str:
    """Describes the searches of the benchmark."""
    return (
        f"{SIMULATIONS} simulations from each of {DEALS} positions, random rollouts to the end, "
        f"{length:.0f} moves each"
    )


def _root(game: Game, seats: int, seed: int, way: int | None) -> Match:
    """Returns a match whose seat has a choice: dealt, or `way` random moves before its end."""
    compiled.ensure(game)
    match, dice = Match(game, seats=seats, seed=seed), random.Random(seed)
    if way is not None:
        while not match.is_over:
            match.play(dice.choice(match.legal()))
        match = match.at(max(match.ply - way, 0))
    while len(match.legal()) < 2:
        match.play(match.legal()[0])
    return match


def _mean_length(position: Position) -> float:
    """Returns the mean length of random play from worlds the seat can imagine."""
    out = np.zeros(position.game.actions, np.int64)
    states = new_states(position.game.state, 1, compiled=True)
    moves = 0
    for seed in range(100):
        states[0] = position.wiped[0]
        compiled.resample_of(states, 0, position.seat, seed, 0)
        moves += compiled.play_randomly(states, 0, out)
    return moves / 100


def stepping(game: Game, seconds: float, threads: int) -> Task:
    """Steps a vector of matches, with masks, observations and automatic resets."""
    env = VectorEnv(game, BATCH, threads=threads)

    def once() -> float:
        env.reset(seed=1)
        moves, spent = 0, 0.0
        while spent < seconds:
            # Choosing is the policy's work, so it is not timed.
            actions = env.sample(moves)
            begin = all_cores()
            env.step(actions)
            spent += all_cores() - begin
            moves += BATCH
        return moves / spent

    where = "one core" if threads == 1 else f"{threads} cores"
    how = f"{env.seats} seats, {BATCH} matches, {where}; checks, masks, observations, resets"
    return Task(STEPPING, f"{FOXDEN} {game.name}, {where}", how, "moves/s", once)


def statistics(game: Game, seconds: float) -> Task:
    """Plays greedy matches in alternating batches, with and without a report's statistics."""
    question = completed(Question(game=game.name, deals=2, seed=1, luck=2))
    table = Table(question, 0)

    def once() -> float:
        bare, noted, first, rows = 0.0, 0.0, 0, []
        while bare + noted < seconds or first < 10 * PIECE:
            begin = one_core()
            table.bare(first, PIECE)
            middle = one_core()
            rows.append(table.rows(first, PIECE))
            bare, noted = bare + middle - begin, noted + one_core() - middle
            first += PIECE
        begin = one_core()
        summed_up(question, [np.concatenate(rows)])
        return (noted + one_core() - begin) / bare

    how = f"{table.seats} seats, compiled, one core; deals, matches, rows, figures and intervals"
    return Task(STATISTICS, f"{FOXDEN} {game.name}", how, "× the time", once)


def memory(game: Game) -> Iterator[Task]:
    """Measures the process's growth for each match."""
    seats = game.about.usual
    who = f"{FOXDEN} {game.name}"
    yield Task(
        MEMORY,
        f"{who}, state",
        f"{seats} seats, a copy of a dealt state in an array, as searches and vectors keep it",
        "bytes",
        lambda: float(game.state.itemsize),
    )
    yield Task(
        MEMORY,
        f"{who}, Match",
        f"{seats} seats, a new Match, dealt; growth of the process with {KEPT}",
        "bytes",
        Growth(lambda: Match(game, seats=seats, seed=1), KEPT),
    )


def starts(name: str) -> Iterator[Task]:
    """Starts new processes, with and without a cache of compiled rules."""
    first = f"import foxden; match = foxden.new({name!r}, seed=1)\n"
    whole = f"{first}while not match.is_over: match.play(match.legal()[0])"

    def cold() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return new_process(whole, FOXDEN_CACHE=folder)

    who, warm = f"{FOXDEN} {name}", "new process, rules compiled before"
    yield Task(FIRST_STATE, who, warm, "s", lambda: new_process(first))
    yield Task(START, f"{who}, warm", warm, "s", lambda: new_process(whole))
    now = "new process, rules compiled now"
    yield Task(START, f"{who}, cold", now, "s", cold, costly=True)


def new_process(program: str, **environment: str) -> float:
    """Returns the seconds that a new Python process takes to run a program."""
    command = [sys.executable, "-c", program]
    begin = all_cores()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
    return all_cores() - begin
