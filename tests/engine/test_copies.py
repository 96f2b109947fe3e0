"""Copies, deep copies and pickles stand for themselves, in this process and in others."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.bots import Position, find_bot, position_of
from foxden.engine.errors import FoxdenError, LawBroken
from foxden.engine.kernel import write_field
from foxden.envs.vector import IllegalBatch, VectorEnv

Copying = Callable[[Any], Any]


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


WAYS: list[Copying] = [copy.copy, copy.deepcopy, pickled]


def some(name: str = "happy-fox", moves: int = 9) -> foxden.Match:
    """Plays so many moves, or as many as leave one to play."""
    match = foxden.new(name, seats=3, seed=5, names=["Mia", "Amara", "Jo"])
    while match.ply < moves:
        match.play(match.legal()[-1])
        if match.is_over:
            match.undo()
            break
    return match


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", foxden.games())
def test_a_copied_match_goes_its_own_way(name: str, way: Copying) -> None:
    match = some(name)
    moves = match.ply
    before = match.record(), match.state_bytes(), match.legal(), match.to_act
    twin = way(match)
    assert (twin.record(), twin.state_bytes(), twin.legal(), twin.to_act) == before
    assert (twin.game, twin.names, twin.options) == (match.game, match.names, match.options)
    twin.play(twin.legal()[0])
    assert (match.record(), match.state_bytes(), match.legal(), match.to_act) == before
    twin.undo(2)
    assert match.ply == moves
    for one in (match, twin):
        while not one.is_over:
            one.play(one.legal()[0])
        assert foxden.Match.from_record(one.record()).state_bytes() == one.state_bytes()


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_keeps_options_and_parts(way: Copying) -> None:
    match = foxden.new(
        "fox-and-squirrels", seed=1, options={"foxes": "jokers"}, parts={"set": 3}, seats=2
    )
    twin = way(match)
    assert (twin.options, twin.parts, twin.seed) == (match.options, match.parts, match.seed)
    assert twin.record() == match.record()


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy])
def test_a_state_that_was_written_to_is_copied_as_it_is(way: Copying) -> None:
    match = some()
    match.replace_truth(lambda states: write_field(states, 0, "turned", 3))
    assert way(match).state_bytes() == match.state_bytes()


def test_a_state_that_was_written_to_is_not_pickled_as_another() -> None:
    match = some()
    match.replace_truth(lambda states: write_field(states, 0, "turned", 3))
    stored = pickle.dumps(match)
    with pytest.raises(FoxdenError, match="does not replay"):
        pickle.loads(stored)


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_game_is_the_game(way: Copying) -> None:
    for name in foxden.games():
        assert way(foxden.game(name)) is foxden.game(name)
        assert name.encode() in pickle.dumps(foxden.game(name))


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_batch_goes_its_own_way(way: Copying) -> None:
    env = VectorEnv(foxden.game("happy-fox"), 6, seats=3, threads=2)
    env.reset(seed=4)
    for step in range(8):
        env.step(env.sample(step))
    before = [env.state_bytes(i) for i in range(6)]
    twin = way(env)
    assert [twin.state_bytes(i) for i in range(6)] == before
    for name in ("observations", "masks", "seats", "rewards"):
        mine, theirs = getattr(env.arrays, name), getattr(twin.arrays, name)
        assert np.array_equal(mine, theirs)
        assert not np.shares_memory(mine, theirs)
        assert theirs.ctypes.data % 64 == 0
    twin.step(twin.sample(9))
    assert [env.state_bytes(i) for i in range(6)] == before
    env.step(env.sample(9))
    for step in range(200):  # across ends and new deals
        actions = env.sample(step)
        assert np.array_equal(twin.sample(step), actions)
        one, other = env.step(actions), twin.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(one[:4], other[:4], strict=True))
    assert [env.match_seed(i) for i in range(6)] == [twin.match_seed(i) for i in range(6)]
    env.close()
    twin.close()


def choose(position: Position) -> int:
    return int(find_bot("greedy").choose(position))


def play_on(match: foxden.Match, moves: int) -> foxden.Match:
    for _ in range(moves):
        match.play(match.legal()[0])
    return match


def step(env: VectorEnv, actions: Any) -> VectorEnv:
    env.step(actions)
    return env


def fail(match: foxden.Match) -> None:
    match.play("stop")


def test_everything_goes_to_other_processes_and_back() -> None:
    match, game = some(), foxden.game("happy-fox")
    env = VectorEnv(game, 2, seats=3)
    env.reset(seed=1)
    actions = env.sample(1)
    position = position_of(match, seed=3)
    # A process that inherits nothing.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(getattr, game, "title").result() == "Happy Fox"
        played = pool.submit(play_on, match, 3).result()
        stepped = pool.submit(step, env, actions).result()
        chosen = pool.submit(choose, position).result()
        with pytest.raises(foxden.IllegalAction, match="there is no grab to stop") as refusal:
            pool.submit(fail, foxden.new("happy-fox", seats=3, seed=2)).result()
    assert (refusal.value.action, refusal.value.rule) == ("stop", "HF-5")
    assert played.record() == play_on(copy.copy(match), 3).record()
    env.step(actions)
    assert [stepped.state_bytes(i) for i in range(2)] == [env.state_bytes(i) for i in range(2)]
    assert chosen == choose(position)


@pytest.mark.parametrize(
    "error",
    [
        FoxdenError("No.", rule="XX-1"),
        foxden.BadOption("No.", option="wings", rule="XX-1"),
        foxden.BadRecord("No.", line=3, column=4),
        LawBroken("legal", "No."),
        IllegalBatch("No.", index=1, action=2, seat=0),
    ],
)
def test_a_refusal_comes_back_as_it_was(error: FoxdenError) -> None:
    for way in WAYS:
        again = way(error)
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))
