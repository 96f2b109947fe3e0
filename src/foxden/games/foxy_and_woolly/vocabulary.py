"""The vocabulary of Foxy & Woolly: tokens, slots, arrows, and sets of sheep.

A slot is its number less one, 0 … 8. A farm is a set of slots with a sheep, one bit each.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, get_args

import numpy as np

MAX_SEATS = 4
SLOTS = 9
MAX_CUBES = 9  # of one seat at the start; parts.toml may ask for fewer
ALL_CUBES = MAX_SEATS * MAX_CUBES  # the most that one seat can hold

# The line of tokens (FW-6): three wolves, two specials, three wolves, …
LINE = 18
WOLVES = 12
SPECIALS = 6  # of the line; each seat draws one more (FW-5)
MAX_HELD = SPECIALS + 1
MOST_PLACES = 18  # with 2, 2, 2 and 1 *move sheep* tokens; see allocation

STEALS = 2  # cubes that a steal takes (FW-17)
GUN_STEP = 3  # how much a gun lowers a wolf's number (FW-16)


class Row(IntEnum):
    """The rows of a farm, from the top."""

    TOP = 0
    MID = 1
    LOW = 2


ROWS = 3


class Special(IntEnum):
    """The kinds of special token (FW-4): those that move sheep first, sets last."""

    LEFT_RIGHT = 0
    UP_DOWN = 1
    RISING = 2
    FALLING = 3
    GUN = 4
    STEAL = 5
    FLOCK = 6
    WAGES = 7
    TRIO = 8
    GUARD = 9
    PAIR = 10


KINDS = 11
MOVERS = 4  # kinds that move sheep: LEFT_RIGHT … FALLING
SETS = 3  # kinds that take a set of sheep and cubes once: TRIO, GUARD, PAIR

# A token of the line: 0 … 8 the wolves 1 … 9, 9 … 11 the wolves TOP, MID, LOW, then specials.
ROW_WOLF = SLOTS
SPECIAL = ROW_WOLF + ROWS

# The directions of arrows, clockwise, as (rows down, columns right).
Arrow = Literal["up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left"]
ARROWS: tuple[Arrow, ...] = get_args(Arrow)
ARROW_STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
WAYS = 8


class Fate(IntEnum):
    """The role of a sheep in the final count (FW-21)."""

    GONE = 0
    ALONE = 1  # on the farm without a cube
    WATCHED = 2  # on the farm with a cube
    TRIO = 3
    GUARD = 4
    PAIR = 5


class Source(IntEnum):
    """The sources of points (FW-21)."""

    FARM = 0
    FLOCK = 1
    WAGES = 2
    TRIO = 3
    GUARD = 4
    PAIR = 5
    FREE = 6


SOURCES = 7

# n * INVERSE[k] >> 16 is n // k for all cubes and all sizes of a set: cards divide slowly.
MOST_IN_SET = 9
INVERSE = np.array([0, *((1 << 16) // k + 1 for k in range(1, MOST_IN_SET + 1))])

# Sets of sheep: how many, the sum of the k highest numbers, and the rank of a farm among those
# with as many sheep; FARMS lists them all by number of sheep, from FIRST[k] to FIRST[k + 1].
ALL_FARMS = 1 << SLOTS
FULL = ALL_FARMS - 1
MOST_ALIKE = 126  # farms with the same number of sheep, 4 or 5 …
HALF = MOST_ALIKE // 2  # … of which a word holds half
COUNT = np.array([farm.bit_count() for farm in range(ALL_FARMS)])
HIGHEST = np.array(
    [
        [
            sum([n + 1 for n in range(SLOTS - 1, -1, -1) if farm >> n & 1][:k])
            for k in range(SLOTS + 1)
        ]
        for farm in range(ALL_FARMS)
    ],
    np.int8,  # small, because such tables on a GPU must fit 64 KiB
)
FARMS = np.array(sorted(range(ALL_FARMS), key=lambda farm: (farm.bit_count(), farm)))
FIRST = np.array([int(np.sum(k > COUNT)) for k in range(SLOTS + 2)])
RANK = np.array(
    [int(np.flatnonzero(farm == FARMS)[0] - FIRST[COUNT[farm]]) for farm in range(ALL_FARMS)]
)
