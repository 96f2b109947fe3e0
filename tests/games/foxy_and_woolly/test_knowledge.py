"""FW-24: everything is open, so resampling changes the random stream and nothing else."""

import random

import numpy as np
import pytest

import foxden
from foxden.engine import compiled
from foxden.engine.kernel import to_known
from tests.games.foxy_and_woolly.board import NAME, SPECIALS
from tests.games.positions import rearrange, truth


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_FW_24_a_resampled_world_is_the_world(seats: int) -> None:
    match = foxden.new(NAME, seats=seats, seed=6)
    dice = random.Random(6)
    while not match.is_over:
        for seat in (None, *range(seats)):
            streams = set()
            for k in range(4):
                states = match.wiped(seat)
                compiled.resample_of(
                    states, 0, -1 if seat is None else seat, dice.getrandbits(60), k
                )
                world, whole = vars(to_known(states, 0)), vars(truth(match))
                streams.add(world["rng"])
                whole |= {"rng": None, "key": None}
                world |= {"rng": None, "key": None}
                assert world == whole
            assert len(streams) == 4
        match.play(dice.choice(match.legal()))


def test_FW_24_after_the_set_up_nothing_is_left_to_chance() -> None:
    match = foxden.new(NAME, seats=4, seed=9)
    twin = foxden.new(NAME, seats=4, seed=9)
    rearrange(twin, lambda known: setattr(known, "rng", 12345))
    dice = random.Random(9)
    while not match.is_over:
        action = dice.choice(match.legal())
        match.play(action)
        twin.play(action)
        assert match.known(None) == twin.known(None)
    assert match.scores == twin.scores


def test_FW_24_the_specials_left_over_are_known_by_elimination() -> None:
    for seed in range(20):
        table = foxden.new(NAME, seats=3, seed=seed).view(None)["table"]
        seen = [token for token in table["line"] if token in SPECIALS]
        for place in table["seats"]:
            seen += place["tokens"]
        assert sorted(seen + table["out"]) == sorted(SPECIALS)


def test_the_random_stream_is_told_to_nobody() -> None:
    match = foxden.new(NAME, seats=2, seed=1)
    tensor = np.zeros(match.game.tensor_size, np.float32)
    other = tensor.copy()
    compiled.features_of(match.truth(), 0, 0, tensor)
    rearrange(match, lambda known: setattr(known, "rng", known.rng ^ 1))
    compiled.features_of(match.truth(), 0, 0, other)
    assert np.array_equal(tensor, other)
    assert match.known(0).rng == 0
