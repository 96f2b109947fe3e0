"""The golden records of Fox Grove show what they say."""

from collections.abc import Callable
from pathlib import Path

import pytest

import foxden
from foxden.engine.match import Match

FOLDER = Path(__file__).parents[2] / "records" / "fox-grove"


def told(match: Match) -> list[str]:
    """Returns what a spectator is told of each action."""
    return [" ".join(entry["says"]) for entry in match.log(None)]


def says(match: Match, *words: str) -> bool:
    """Returns whether one action brought all these words."""
    return any(all(word in line for word in words) for line in told(match))


def played(match: Match, *starts: str) -> bool:
    """Returns whether there is an action that starts so, for every start."""
    return all(any(str(action).startswith(start) for action in match.played) for start in starts)


def highest(match: Match) -> int:
    levels = [seat["levels"].values() for seat in match.view(None)["table"]["seats"]]
    return int(max(map(max, levels)))


SHOWN: dict[str, Callable[[Match], bool]] = {
    "keyed-stream": lambda match: match.stream == "keyed",
    "one-winner": lambda match: match.seats == 4 and len(match.winners) == 1,
    "three-seats": lambda match: match.seats == 3 and len(match.winners) == 1,
    "draw-two": lambda match: played(match, "draw two", "no draw", "bury"),
    "pick-two": lambda match: played(match, "pick two") and says(match, "uses pick two"),
    "discount": lambda match: played(match, "discount", "no discount"),
    "switch": lambda match: played(match, "switch") and says(match, "with switch"),
    "double": lambda match: played(match, "double") and says(match, "uses double"),
    "convert": lambda match: played(match, "convert") and says(match, "uses convert"),
    "thirteen-with-a-bonus": lambda match: thirteen_bonus(match),
    "frank-wins-the-last-trick": lambda match: (
        match.seats == 2 and says(match, "Frank wins the trick", "first player marker now")
    ),
    "tie-broken-by-berries": lambda match: (
        match.scores.count(max(match.scores)) > 1
        and len(match.winners) == 1
        and says(match, "by the number of blackberries")
    ),
    "shared-win": lambda match: len(match.winners) == 2 and says(match, "win together"),
    "pro": lambda match: bool(match.options["pro"]) and played(match, "new ", "reactivate"),
    "mixed-sides": lambda match: (
        {match.options[f"{house}_side"] for house in ("tree", "mushroom", "leaf")} == {"a", "b"}
    ),
    "seventh-level": lambda match: highest(match) == 7,
    "berries-run-out": lambda match: (
        match.parts["berries"] == [1, 1, 1, 1] and says(match, "no blackberry is left")
    ),
}


def thirteen_bonus(match: Match) -> bool:
    """Looks for a 13 whose advance reaches a bonus level in the middle of the tricks."""
    twin = match.at(0)
    for action in match.played:
        phase = twin.view(None)["table"]["phase"]
        rewarding = twin.view(None)["table"]["trick"]["rewarding"]
        if phase == "bonus" and rewarding and rewarding.endswith(" 13"):
            return True
        twin.play(action)
    return False


@pytest.mark.parametrize("name", SHOWN)
def test_a_record_shows_what_it_says(name: str) -> None:
    match = foxden.Match.from_record((FOLDER / f"{name}.record").read_text())
    assert match.is_over
    assert SHOWN[name](match)


def test_no_record_is_left_unexplained() -> None:
    assert {file.stem for file in FOLDER.glob("*.record")} == set(SHOWN)
