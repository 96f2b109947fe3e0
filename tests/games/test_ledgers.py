"""Nothing happens untold: what the log says accounts for every open counter, ply by ply.

Each game's `ledger.py` reads the counters off a spectator's view, and posts what events tell, or
what sentences say.
"""

import random
from importlib import import_module

import pytest

import foxden
from foxden.bots import ask, find_bot
from foxden.engine import laws
from foxden.games import NAMES as GAMES
from tests.games.truths import truth

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")

TRIALS = [
    pytest.param(name, seats, options, id=f"{name}-{seats}-{'-'.join(map(str, options.values()))}")
    for name in GAMES
    for seats, options in laws.setups(foxden.game(name), truth(name))
]


@pytest.mark.parametrize(("name", "seats", "options"), TRIALS)
def test_every_open_counter_is_accounted_for(
    name: str, seats: int, options: dict[str, object]
) -> None:
    book = import_module(f"tests.games.{name.replace('-', '_')}.ledger")
    bot = find_bot("greedy")
    for seed in range(2):
        match = foxden.new(name, seats=seats, seed=seed, options=options, names=NAMES[:seats])
        dice = random.Random(seed)
        counted = [book.counters(match.view(None))]
        while not match.is_over:
            slips = dice.random() < (0.2, 0.6)[seed]
            match.play(dice.choice(match.legal()) if slips else ask(bot, match, seed=seed))
            counted.append(book.counters(match.view(None)))
        for ply, entry in enumerate(match.log(None)):
            posted = dict(counted[ply])
            if hasattr(book, "post_events"):
                book.post_events(posted, NAMES[:seats], entry["events"])
            else:
                book.post(posted, NAMES[:seats], entry["says"])
            assert posted == counted[ply + 1], (ply, entry["says"], entry["events"])
