"""Rate limits, by token buckets."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """A burst, and a number per second in the long run."""

    burst: float
    per_second: float


class Bucket:
    """A token bucket: what remains of a rate."""

    __slots__ = ("_level", "_then")

    def __init__(self, rate: Rate) -> None:
        """Begins full."""
        self._level = rate.burst
        self._then = time.monotonic()

    def _fill(self, rate: Rate) -> float:
        now = time.monotonic()
        self._level = min(rate.burst, self._level + (now - self._then) * rate.per_second)
        self._then = now
        return self._level

    def take(self, rate: Rate, number: float = 1.0) -> float:
        """Takes tokens if there is one, and returns 0; else the seconds until there is one.

        Taking more than there are leaves a debt.
        """
        level = self._fill(rate)
        if level < 1:
            return (1 - level) / rate.per_second
        self._level = level - number
        return 0.0

    def is_full(self, rate: Rate) -> bool:
        """Returns whether the bucket is full again."""
        return self._fill(rate) >= rate.burst
