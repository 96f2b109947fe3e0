"""One thing measured, and how it is measured."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import statistics
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

REPEATS = 5
FOXDEN = "Foxden"


@dataclass(frozen=True)
class Row:
    """One thing measured: its median and range over repeats."""

    what: str
    who: str
    how: str
    unit: str  # a unit by the second is better when higher, any other when lower
    value: float
    low: float
    high: float

    @property
    def ours(self) -> bool:
        """Tells whether this is Foxden itself."""
        return self.who.startswith(FOXDEN)

    @property
    def spread(self) -> float:
        """Gives the range over repeats as a share of the median."""
        return (self.high - self.low) / self.value if self.value else 0.0

    def times(self, other: Row) -> float:
        """Tells how many times as good as another row of its kind this is."""
        return self.value / other.value if self.unit.endswith("/s") else other.value / self.value

    def to_json(self) -> dict[str, Any]:
        """Gives the row as plain data."""
        return asdict(self) | {"spread": self.spread}


@dataclass(frozen=True)
class Task:
    """Something to be measured: `once` gives one figure."""

    what: str
    who: str
    how: str
    unit: str
    once: Callable[[], float]
    costly: bool = False

    def measure(self) -> Row:
        """Measures a few times after one run that does not count; what is costly, three times."""
        if not self.costly:
            self.once()
        values = [self.once() for _ in range(3 if self.costly else REPEATS)]
        middle = statistics.median(values)
        return Row(self.what, self.who, self.how, self.unit, middle, min(values), max(values))


def resident() -> int:
    """Gives the memory of this process that is in use now, in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def bytes_each(make: Callable[[], Any], count: int) -> float:
    """Measures by how much the process grows with each of many things made and kept."""
    gc.collect()
    # What lies free in the heap would be taken first, and not be seen.
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    before = resident()
    kept = [make() for _ in range(count)]
    grown = resident() - before
    del kept
    return max(grown, 1) / count
