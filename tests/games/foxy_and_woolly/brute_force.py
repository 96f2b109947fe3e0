"""The final count of Foxy & Woolly by trying everything, from the rulebook's words alone (FW-21).

Nothing here knows which sheep are best given away or how cubes are best spread: every choice of
sheep for every token, of sheep that get a cube and of cubes for *wages* is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

LEFT_RIGHT = "7-8 8-9 4-5 5-6 1-2 2-3"
UP_DOWN = "7-4 4-1 8-5 5-2 9-6 6-3"
RISING = "1-5 5-9 4-8 2-6"
FALLING = "7-5 5-3 8-6 4-2"
PAIRS = {"left-right": LEFT_RIGHT, "up-down": UP_DOWN, "rising": RISING, "falling": FALLING}

Farm = frozenset[int]
Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Values:
    """What scores, as printed."""

    flock: int = 1
    wages: tuple[int, int] = (2, 3)  # cubes, points
    free: tuple[int, int] = (2, 1)
    sets: dict[str, tuple[int, int, int]] = field(  # sheep, cubes, points
        default_factory=lambda: {"trio": (2, 1, 10), "guard": (1, 3, 12), "pair": (2, 0, 8)}
    )

    def __hash__(self) -> int:
        return hash((self.flock, self.wages, self.free, *self.sets.items()))


PRINTED = Values()


def arrows(token: str) -> list[tuple[int, int]]:
    """Lists the steps of a move sheep token, both ways (FW-4)."""
    pairs = [tuple(map(int, pair.split("-"))) for pair in PAIRS[token].split()]
    return [(a, b) for a, b in pairs] + [(b, a) for a, b in pairs]


def farms_within_reach(farm: Farm, movers: Tokens) -> dict[Farm, int]:
    """Returns every farm the tokens can make, in any order, with the fewest tokens it takes."""
    fewest = {farm: 0}
    for k, token in enumerate(movers):
        rest = movers[:k] + movers[k + 1 :]
        for here, to in arrows(token):
            if here in farm and to not in farm:
                for found, used in farms_within_reach(farm - {here} | {to}, rest).items():
                    fewest[found] = min(used + 1, fewest.get(found, 99))
    return fewest


def givings(
    farm: Farm, cubes: int, tokens: Tokens, values: Values
) -> Iterator[tuple[Farm, int, int]]:
    """Tries every way to fill the tokens that want a set: (sheep at home, cubes left, points)."""
    if not tokens:
        yield farm, cubes, 0
        return
    yield from givings(farm, cubes, tokens[1:], values)
    sheep, paid, points = values.sets[tokens[0]]
    if paid <= cubes:
        for given in combinations(sorted(farm), sheep):
            for home, left, more in givings(farm - set(given), cubes - paid, tokens[1:], values):
                yield home, left, more + points


@cache
def loose_points(cubes: int, has_wages: bool, values: Values) -> int:
    """Tries every number of cubes on wages; the rest lies free."""
    per_wages, wages = values.wages
    per_free, free = values.free
    return max(
        (on // per_wages * wages if has_wages else 0) + (cubes - on) // per_free * free
        for on in range(cubes + 1)
    )


@cache
def farm_points(home: Farm, cubes: int, has_wages: bool, values: Values) -> int:
    """Tries every choice of sheep that get a cube."""
    return max(
        sum(watched) + loose_points(cubes - k, has_wages, values)
        for k in range(min(len(home), cubes) + 1)
        for watched in combinations(sorted(home), k)
    )


@cache
def points_of(farm: Farm, cubes: int, tokens: Tokens, values: Values) -> int:
    """Scores one farm at its best."""
    sets = tuple(token for token in tokens if token in values.sets)
    best = max(
        points + farm_points(home, left, "wages" in tokens, values)
        for home, left, points in givings(farm, cubes, sets, values)
    )
    return best + tokens.count("flock") * values.flock * len(farm)


def best_count(farm: Farm, cubes: int, tokens: Tokens, values: Values = PRINTED) -> tuple[int, int]:
    """Returns the most points, and the fewest move sheep tokens that bring them (FW-22)."""
    movers = tuple(token for token in tokens if token in PAIRS)
    others = tuple(sorted(token for token in tokens if token not in PAIRS))
    best = max(
        (points_of(found, cubes, others, values), -used)
        for found, used in farms_within_reach(farm, movers).items()
    )
    return best[0], -best[1]
