"""Sets as bit masks: the processor's instructions agree with Python."""

import random
from typing import Any

import numpy as np

from foxden.engine.kernel import Entry
from foxden.engine.sets import count, lowest


@Entry
def lowest_of(masks: Any, i: int) -> int:
    return lowest(masks[i])


@Entry
def count_of(masks: Any, i: int) -> int:
    return count(masks[i])


def test_lowest_member_and_size_are_those_of_the_set() -> None:
    dice = random.Random(1)
    for size in (1, 2, 5, 30, 63):
        members = set(dice.sample(range(63), size))
        mask = sum(1 << member for member in members)
        masks = np.array([mask])
        assert lowest_of(masks, 0) == lowest(mask) == min(members)
        assert count_of(masks, 0) == count(mask) == size
    assert count_of(np.zeros(1, np.int64), 0) == count(0) == 0
