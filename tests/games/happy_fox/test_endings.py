"""The golden records of Happy Fox show what they say."""

from collections.abc import Callable
from pathlib import Path

import pytest

import foxden
from foxden.engine.match import Match

FOLDER = Path(__file__).parents[2] / "records" / "happy-fox"


def last(match: Match) -> str:
    """Returns the last action with what is told of it."""
    return f"{match.played[-1]}: {' '.join(match.log(None)[-1]['says'])}"


SHOWN: dict[str, Callable[[Match], bool]] = {
    "keyed-stream": lambda match: match.stream == "keyed",
    "one-winner": lambda match: len(match.winners) == 1 and last(match).startswith("lay"),
    "shared-win": lambda match: len(match.winners) == 2 and match.seats == 4,
    "all-win": lambda match: match.winners == (0, 1) and match.scores == (24, 24),
    "last-grab-stopped": lambda match: last(match).startswith("stop: "),
    "last-grab-barked": lambda match: "a dog! The fox is caught" in last(match),
    "last-grab-cleared": lambda match: "no card is left to turn" in last(match),
    "last-fox-unfed": lambda match: "finds no prey" in last(match),
    "unknown-four": lambda match: sum(match.scores) == 100 and match.seats == 5,
}


@pytest.mark.parametrize("name", SHOWN)
def test_every_way_a_match_can_end_has_a_record(name: str) -> None:
    match = foxden.Match.from_record((FOLDER / f"{name}.record").read_text())
    assert match.is_over
    assert SHOWN[name](match)


def test_no_record_is_left_unexplained() -> None:
    assert {file.stem for file in FOLDER.glob("*.record")} == set(SHOWN)
