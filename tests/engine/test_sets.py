"""Sets as bit masks: the processor's instructions agree with Python."""

import random
from typing import Any

from foxden.engine import compiler
from foxden.engine.kernel import COMPILE, rule
from foxden.engine.sets import count, lowest


@rule
def lowest_of(members: int) -> int:
    return lowest(members)


@rule
def count_of(members: int) -> int:
    return count(members)


def fastest(function: Any) -> Any:
    return function if COMPILE == "never" else compiler.compiled(function)


def test_lowest_member_and_size_are_those_of_the_set() -> None:
    dice = random.Random(1)
    smallest, size_of = map(fastest, (lowest_of, count_of))
    for size in (1, 2, 5, 30, 63):
        members = set(dice.sample(range(63), size))
        mask = sum(1 << member for member in members)
        assert smallest(mask) == lowest(mask) == min(members)
        assert size_of(mask) == count(mask) == size
    assert size_of(0) == count(0) == 0
