"""Which puzzle comes next."""

from collections import Counter

import pytest

import foxden
from foxden.review.puzzles import Puzzle, puzzles_of
from foxden.server.puzzles import AWAY, RECENT, START, first_rating, following
from foxden.server.store import Rating


def served(game: str, count: int) -> list[Puzzle]:
    """Serves puzzles to somebody whose strength stays where it is."""
    left = list(puzzles_of(foxden.game(game)).values())
    found: list[Puzzle] = []
    for _ in range(count):
        found.append(following(left, START.rating, {}, [puzzle.kind for puzzle in found]))
        left.remove(found[-1])
    return found


@pytest.mark.parametrize("game", [n for n in foxden.games() if puzzles_of(foxden.game(n))])
def test_kinds_take_turns_near_a_strength(game: str) -> None:
    found = served(game, 12)
    kinds = Counter(puzzle.kind for puzzle in found)
    assert len(kinds) >= 4
    assert max(kinds.values()) <= 5
    assert len({puzzle.kind for puzzle in found[:3]}) == 3
    for puzzle in found:
        assert abs(first_rating(puzzle).rating - START.rating) <= AWAY * RECENT


def test_a_kind_comes_again_where_there_is_no_other_near() -> None:
    one, other, *_ = [p for p in puzzles_of(foxden.game("happy-fox")).values() if p.kind == "stop"]
    lay = next(p for p in puzzles_of(foxden.game("happy-fox")).values() if p.kind == "lay")
    ratings = {other.id: Rating(1510.0, 9), lay.id: Rating(1520.0 + AWAY, 9)}
    assert following([other, lay], 1500.0, ratings, [one.kind]) == other
    assert following([other, lay], 1500.0, ratings, [one.kind] * 2) == lay
    assert following([other, lay], 1500.0, ratings, [one.kind] * 2 + ["lay"] * RECENT) == other


def test_of_one_kind_the_nearest_comes_first() -> None:
    stops = [p for p in puzzles_of(foxden.game("happy-fox")).values() if p.kind == "stop"]
    ratings = {puzzle.id: Rating(1000.0 + 50 * place, 1) for place, puzzle in enumerate(stops)}
    assert following(stops, 1260.0, ratings, ["stop"] * RECENT) == stops[5]
