"""Sets of numbers from 0 to 62 as bit masks; compiled, each function is one instruction."""

from __future__ import annotations


def lowest(members: int) -> int:
    """Returns the lowest member of a set that is not empty."""
    return (int(members) & -int(members)).bit_length() - 1


def count(members: int) -> int:
    """Counts a set."""
    return int(members).bit_count()
