"""What Foxden's own games do, by every way in."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import numpy as np

from foxden.bench.row import FOXDEN, Growth, Task
from foxden.engine import doors
from foxden.engine.game import Game
from foxden.engine.kernel import records
from foxden.engine.match import Match
from foxden.engine.rng import split_seed
from foxden.envs.vector import VectorEnv

BATCH = 1024
KEPT = 500  # matches made at once to see how much memory one takes
RANDOM_PLAY = "random play"
ONE_MOVE = "one move from Python"
BY_IDS = "one move from Python, by ids alone"
STEPPING = "vectorised stepping"
MEMORY = "memory a match"
START = "start"


def random_play(game: Game, seconds: float) -> Task:
    """Plays whole random matches in compiled code, deals included."""
    seats = game.about.usual
    states = records(game.state, 1)
    out = np.zeros(game.actions, np.int64)
    game.configure(states, 0, seats=seats)
    doors.start(states, 0, *split_seed(1))

    def once() -> float:
        moves, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < seconds:
            moves += doors.play_matches(states, 0, out, 50)
        return moves / spent

    how = f"{seats} seats, compiled, one core; deals and legal moves included"
    return Task(RANDOM_PLAY, f"{FOXDEN} {game.name}", how, "moves/s", once)


def checked_moves(game: Game, seconds: float) -> Task:
    """Asks for legal moves and plays one through the Python API."""
    seats = game.about.usual

    def once() -> float:
        moves, spent, seed = 0, 0.0, 0
        while spent < seconds:
            match = Match(game, seats=seats, seed=seed)
            seed += 1
            begin = time.perf_counter()
            while not match.is_over:
                legal = match.legal()
                match.play(legal[moves % len(legal)])
                moves += 1
            spent += time.perf_counter() - begin
        return spent / moves * 1e6

    how = f"{seats} seats, Match.legal and Match.play: checked, kept for undo, record and reasons"
    return Task(ONE_MOVE, f"{FOXDEN} {game.name}", how, "µs", once)


def moves_by_ids(game: Game, seconds: float) -> Task:
    """Plays by the compiled door that Match.play uses, from Python."""
    seats = game.about.usual
    states = records(game.state, 1)
    out = np.zeros(game.actions, np.int64)
    game.configure(states, 0, seats=seats)
    move, pick = doors.move, out.item

    def once() -> float:
        moves, spent, seed = 0, 0.0, 0
        while spent < seconds:
            doors.start(states, 0, seed, 0)
            seed += 1
            count = doors.legal_of(states, 0, out)
            begin = time.perf_counter()
            while count:
                count = move(states, 0, pick(moves % count), out)
                moves += 1
            spent += time.perf_counter() - begin
        return spent / moves * 1e6

    how = f"{seats} seats, doors.move: checks, plays and lists the next legal ids"
    return Task(BY_IDS, f"{FOXDEN} {game.name}", how, "µs", once)


def stepping(game: Game, seconds: float, threads: int) -> Task:
    """Steps a vector of matches, with masks, observations and automatic resets."""
    env = VectorEnv(game, BATCH, threads=threads)

    def once() -> float:
        env.reset(seed=1)
        moves, spent = 0, 0.0
        while spent < seconds:
            # Choosing is the policy's work, and stays out of the time.
            actions = env.sample(moves)
            begin = time.perf_counter()
            env.step(actions)
            spent += time.perf_counter() - begin
            moves += BATCH
        return moves / spent

    where = "one core" if threads == 1 else f"{threads} cores"
    how = f"{env.seats} seats, {BATCH} matches, {where}; checks, masks, observations, resets"
    return Task(STEPPING, f"{FOXDEN} {game.name}, {where}", how, "moves/s", once)


def memory(game: Game) -> Iterator[Task]:
    """Sees by how much the process grows with each match."""
    seats = game.about.usual
    who = f"{FOXDEN} {game.name}"
    yield Task(
        MEMORY,
        f"{who}, state",
        f"{seats} seats, a copy of a dealt state in an array, as searches and vectors keep it",
        "bytes",
        lambda: float(game.state.itemsize),
    )
    match = Match(game, seats=seats, seed=1)
    yield Task(
        MEMORY,
        f"{who}, Match",
        f"{seats} seats, a whole Match; growth of the process with {KEPT}",
        "bytes",
        Growth(lambda: match.at(0), KEPT),
    )


def starts(name: str) -> Iterator[Task]:
    """Starts new processes, with and without compiled rules at hand."""
    games = [sys.executable, "-m", "foxden", "games"]
    match = [sys.executable, "-m", "foxden", "simulate", name, "--games", "1", "--bots", "greedy"]

    def cold() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return new_process(match, FOXDEN_CACHE=folder)

    one = f"new process, one match of {name}"
    yield Task(START, f"{FOXDEN}, list of games", "new process", "s", lambda: new_process(games))
    warm = "rules compiled before"
    yield Task(START, f"{FOXDEN}, warm", f"{one}, {warm}", "s", lambda: new_process(match))
    yield Task(START, f"{FOXDEN}, cold", f"{one}, rules compiled now", "s", cold, costly=True)


def new_process(command: list[str], **environment: str) -> float:
    """Gives the seconds that a command takes."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
    return time.perf_counter() - begin
