"""Ratings of puzzles and people: Elo, with each try a match between the two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from foxden.review.puzzles import Puzzle
from foxden.server.store import Rating

START = Rating(1500.0, 0)  # of a person
SCALE = 400.0  # points that make ten times the odds
NEW, SETTLED = 60.0, 20.0  # how far a try moves a rating, early and later
EARLY = 15  # tries that count as the first
RECENT = 5  # recent tries that delay puzzles of their kind, …
AWAY = 100.0  # … each as if those were this many points further from the person's strength


def person_key(person: str, game: str) -> str:
    """Names a person's rating in a game."""
    return f"{person} {game}"


def first_rating(puzzle: Puzzle) -> Rating:
    """Guesses how hard a puzzle is: small gaps and many choices are harder to see."""
    hardness = 600.0 * (0.2 - min(puzzle.gap, 0.4)) + 12.0 * min(len(puzzle.values) - 4, 20)
    return Rating(1500.0 + hardness, 0)


def following(
    puzzles: Iterable[Puzzle],
    strength: float,
    ratings: Mapping[str, Rating],
    kinds: Sequence[str],
) -> Puzzle:
    """Returns a puzzle near a strength, preferring kinds not tried recently.

    In some games most puzzles are of one kind, and would crowd out the rest.
    """
    recent = kinds[-RECENT:]

    def distance(puzzle: Puzzle) -> float:
        off = abs((ratings.get(puzzle.id) or first_rating(puzzle)).rating - strength)
        return off + AWAY * recent.count(puzzle.kind)

    return min(puzzles, key=lambda puzzle: (distance(puzzle), puzzle.id))


def rated(person: Rating, puzzle: Rating, solved: bool) -> tuple[Rating, Rating]:
    """Returns both ratings after a try."""
    expected = 1 / (1 + 10 ** ((puzzle.rating - person.rating) / SCALE))
    surprise = solved - expected
    return (
        Rating(person.rating + _pace(person) * surprise, person.tries + 1),
        Rating(puzzle.rating - _pace(puzzle) * surprise, puzzle.tries + 1),
    )


def _pace(rating: Rating) -> float:
    return NEW if rating.tries < EARLY else SETTLED
