"""Beliefs: worlds as opponents of some habit leave them fit all that the seat knows."""

import numpy as np
import pytest

import foxden
from foxden.bots import ask, find_bot
from foxden.engine import compiled
from foxden.engine.kernel import bytes_of, new_states, to_known
from foxden.engine.rng import split_seed
from foxden.games.happy_fox.rules import Card

GAMES = [name for name in foxden.games() if foxden.game(name).believe]


@pytest.mark.parametrize("bot", ["greedy", "random"])
@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("name", GAMES)
def test_a_believed_world_looks_the_same_to_the_seat_and_can_be_played(
    name: str, seats: int, bot: str
) -> None:
    game = foxden.game(name)
    out = np.zeros(game.actions, np.int64)
    for options in ({}, {game.options[0].name: True}):
        match = foxden.new(name, seats=seats, seed=3, options=options)
        while not match.is_over:
            for seat in range(seats):
                states = new_states(game.state, 2)
                states[0] = match.wiped(seat)[0]
                states[1] = states[0]
                compiled.imagine_of(states, 1, seat, *split_seed(match.ply))
                compiled.wipe(states, 1, states, 0, seat)
                assert bytes_of(states, 0) == bytes_of(match.wiped(seat), 0)
                assert compiled.play_randomly(states, 1, out) > 0
            match.play(ask(find_bot(bot), match, seed=1))


def test_rows_are_believed_to_begin_with_dogs() -> None:
    match = foxden.new("happy-fox", seats=2, seed=1)
    while match.ply < 8:
        match.play("lay goose" if "lay goose" in map(str, match.legal()) else match.legal()[0])
    game, seat = match.game, 0
    dogs = np.zeros(32)
    for seed in range(2000):
        states = new_states(game.state, 1)
        states[0] = match.wiped(seat)[0]
        compiled.imagine_of(states, 0, seat, *split_seed(seed))
        dogs += [card == Card.DOG for card in to_known(states, 0).row[1]]
    # One of five cards of 24 is a dog with 1 - (20 over 5) / (24 over 5).
    first, *later = dogs[:4] / 2000
    assert first == pytest.approx(0.635, abs=0.04)
    assert all(share < first for share in later)
