"""Fields of a state are narrow, and hold the largest numbers that options and parts allow."""

import random
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.engine import compiled
from foxden.engine.kernel import bytes_of, new_states
from foxden.games import fox_and_squirrels, foxy_and_woolly
from foxden.games.fox_and_squirrels import rules as squirrels
from foxden.games.fox_grove import rules as grove
from foxden.games.foxy_and_woolly import vocabulary as woolly
from foxden.games.slyest_fox import rules as slyest

COLOURS = ("blue", "purple", "orange", "yellow")
LARGEST: dict[str, dict[str, Any]] = {
    "happy-fox": {"geese": 31, "foxes": 1, "dogs": 0, "hand_limit": 8},
    "fox-and-squirrels": {"set": 16, "run": 16, "claim": 16, "bonus": [16, 16, 16]},
    "fox-grove": {
        "reward": dict.fromkeys(COLOURS, ["6W", "6N", "6M", "6?"] * 2 + ["6W", "6N", "6?"]),
        "berries": [0, 0, 0, 28],
        "track": [99] * 7,
        "tree": {"a": {"cost": ["12W"] * 7, "bonus": [*range(1, 8)], "points": [99] * 7}},
        "leaf": {"a": {"cost": ["12?"] * 7, "bonus": [*range(1, 8)], "points": [99] * 7}},
    },
    "slyest-fox": {
        "characters": 4,
        "cards": {
            **dict.fromkeys(("gossip", "trap", "facts", "caution"), 16),
            **dict.fromkeys(("universal_attack", "universal_defence"), 16),
            **dict.fromkeys(("weasel", "dont_care"), 8),
        },
    },
    "foxy-and-woolly": {
        "tokens": {"flock": 9, "trio": 9, "wages": 9, "steal": 9},
        "flock": {"points": 60},
        "trio": {"sheep": 0, "cubes": 0, "points": 60},
        "wages": {"cubes": 1, "points": 9},
        "free": {"cubes": 1, "points": 9},
    },
}


@pytest.mark.parametrize("name", LARGEST)
def test_numbers_fit_their_fields_with_the_largest_parts(name: str) -> None:
    """Interpreted states hold any number, and refuse to become bytes if one does not fit."""
    game = foxden.game(name)
    states = new_states(game.state, 1, compiled=False)
    out = np.zeros(game.actions, np.int64)
    for seats in (game.about.seats[0], game.about.usual):
        dice = random.Random(seats)
        game.configure(states, 0, game.setup(seats, parts=LARGEST[name]))
        compiled.start(states, 0, seats, 0)
        bytes_of(states, 0)
        while count := compiled.legal_of(states, 0, out):
            compiled.replay(states, 0, out[dice.randrange(count) :][:1], 1)
            bytes_of(states, 0)


def largest(name: str, field: str) -> int:
    """Returns the largest number that a field of a game's state holds."""
    return int(np.iinfo(foxden.game(name).state[field].base).max)


def test_no_match_can_bring_more_than_its_fields_hold() -> None:
    # One source pays once a turn.
    acorns = squirrels.ROUNDS * squirrels.TURNS * fox_and_squirrels.MOST_REWARD
    assert acorns <= largest("fox-and-squirrels", "earned")
    # Two cards of every trick, doubled, and what was kept.
    stock = grove.HAND * 2 * 2 * grove.MAX_UNITS + grove.KEPT
    assert stock <= largest("fox-grove", "stock")
    assert largest("slyest-fox", "quiet") >= slyest.QUIET_TURNS * slyest.MAX_SEATS
    tokens = woolly.MAX_HELD * foxy_and_woolly.MOST_POINTS * woolly.SLOTS
    cubes = woolly.ALL_CUBES * 9
    numbers = sum(range(woolly.SLOTS + 1))
    assert tokens + cubes + numbers <= largest("foxy-and-woolly", "score")
    assert tokens <= largest("foxy-and-woolly", "points")
