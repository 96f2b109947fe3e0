"""One measurement, and how it is taken."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

REPEATS = 5
FOXDEN = "Foxden"
# Single-threaded work is timed by its processor time, which excludes other work on the machine;
# work on all cores, or in other processes, by the wall clock.
one_core = time.process_time
all_cores = time.perf_counter


@dataclass(frozen=True)
class Row:
    """One measurement: its median and range over repeats."""

    what: str
    who: str
    how: str
    unit: str  # higher is better for rates (units per second), lower for all others
    value: float
    low: float
    high: float

    @property
    def ours(self) -> bool:
        """Returns whether this is Foxden itself."""
        return self.who.startswith(FOXDEN)

    @property
    def spread(self) -> float:
        """Returns the range over repeats as a share of the median."""
        return (self.high - self.low) / self.value if self.value else 0.0

    def times(self, other: Row) -> float:
        """Returns how many times as good this is as another row of its kind."""
        return self.value / other.value if self.unit.endswith("/s") else other.value / self.value

    def to_json(self) -> dict[str, Any]:
        """Returns the row as plain data."""
        return asdict(self) | {"spread": self.spread}


@dataclass(frozen=True)
class Task:
    """A measurement to take: `once` returns one figure."""

    what: str
    who: str
    how: str
    unit: str
    once: Callable[[], float]
    costly: bool = False

    @property
    def repeats(self) -> int:
        """Returns the number of repeats; costly tasks that need no warm-up have fewer."""
        return 3 if self.costly else REPEATS

    def row(self, values: list[float]) -> Row:
        """Returns the figures as a row."""
        middle = statistics.median(values)
        return Row(self.what, self.who, self.how, self.unit, middle, min(values), max(values))


def measure_in_turn(tasks: list[Task], tell: Callable[[str], None]) -> list[Row]:
    """Measures each task once and starts over, so other load on the machine affects all alike.

    The first round is a warm-up and does not count.
    """
    for task in tasks:
        if not task.costly:
            tell(f"{task.what}: {task.who}")
            task.once()
    figures: list[list[float]] = [[] for _ in tasks]
    for repeat in range(REPEATS):
        tell(f"{tasks[0].what}: {repeat + 1} of {REPEATS}")
        for task, values in zip(tasks, figures, strict=True):
            if len(values) < task.repeats:
                values.append(task.once())
    return [task.row(values) for task, values in zip(tasks, figures, strict=True)]


def resident() -> int:
    """Returns the resident memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


class Growth:
    """Measures the process's growth for each of many objects created and kept.

    They are kept for good: freed memory would be reused first, and hide the growth. The warm-up
    uses up memory that was free before.
    """

    kept: ClassVar[list[Any]] = []

    def __init__(self, make: Callable[[], Any], count: int) -> None:
        """Takes the function that makes one, and the count."""
        self.make = make
        self.count = count

    def __call__(self) -> float:
        """Makes them, and returns the bytes of one."""
        gc.collect()
        with contextlib.suppress(OSError, AttributeError):  # without the GNU C library
            ctypes.CDLL("libc.so.6").malloc_trim(0)
        before = resident()
        self.kept.append([self.make() for _ in range(self.count)])
        return max(resident() - before, 1) / self.count
