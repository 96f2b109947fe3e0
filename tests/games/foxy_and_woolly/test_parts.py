"""Other boxes: whatever parts.toml may hold is played to the end by the same rules."""

import random
from typing import Any

import pytest

import foxden
from foxden.games.foxy_and_woolly.vocabulary import ARROWS
from tests.games.foxy_and_woolly.board import NAME
from tests.games.foxy_and_woolly.truth import conserved
from tests.games.positions import truth


def random_box(dice: random.Random) -> dict[str, Any]:
    """Draws a farm, tokens and values within what the data file allows."""
    printed = foxden.game(NAME).printed
    slots = dice.sample(range(1, 10), 9)
    arrows = list(ARROWS)
    dice.shuffle(arrows)
    wolves = [dice.randrange(12) for _ in range(12)]
    tokens = {name: dice.randrange(4) for name in printed["tokens"]}
    tokens["rising"] += 10
    return {
        "cubes": dice.randrange(1, 10),
        "farm": {
            "top": slots[:3],
            "mid": slots[3:6],
            "low": slots[6:],
            "wolf_side": dice.choice(["left", "right"]),
        },
        "wolves": {
            "numbers": [wolves.count(k) for k in range(9)],
            "top": wolves.count(9),
            "mid": wolves.count(10),
            "low": wolves.count(11),
        },
        "tokens": {name: min(n, 9) for name, n in tokens.items()},
        "arrows": {
            "left_right": arrows[:3],
            "up_down": arrows[3:4],
            "rising": arrows[4:6],
            "falling": [],
        },
        "flock": {"points": dice.randrange(5)},
        "wages": {"cubes": dice.randrange(1, 4), "points": dice.randrange(6)},
        "trio": {"sheep": dice.randrange(4), "cubes": dice.randrange(4), "points": 60},
        "free": {"cubes": dice.randrange(1, 4), "points": dice.randrange(4)},
    }


@pytest.mark.parametrize("seed", range(12))
def test_any_box_is_played_to_the_end(seed: int) -> None:
    dice = random.Random(seed)
    seats = 2 + seed % 3
    match = foxden.new(NAME, seats=seats, seed=seed, parts=random_box(dice))
    pieces = conserved(truth(match))
    bound = match.game.longest(truth(match))
    while not match.is_over:
        match.play(dice.choice(match.legal()))
        assert conserved(truth(match)) == pieces
        assert match.ply <= bound
    sums = [sum(points for _, points in lines) for lines in match.view(None)["tally"]]
    assert tuple(sums) == match.scores
    assert foxden.Match.from_record(match.record()).state_bytes() == match.state_bytes()
