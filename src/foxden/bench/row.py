"""One thing measured, and how it is measured."""

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
# Work of one thread is timed by the processor time that it takes, which other work on the machine
# does not count into; what uses all cores, or other processes, by the clock on the wall.
one_core = time.process_time
all_cores = time.perf_counter


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
        """Returns whether this is Foxden itself."""
        return self.who.startswith(FOXDEN)

    @property
    def spread(self) -> float:
        """Returns the range over repeats as a share of the median."""
        return (self.high - self.low) / self.value if self.value else 0.0

    def times(self, other: Row) -> float:
        """Tells how many times as good as another row of its kind this is."""
        return self.value / other.value if self.unit.endswith("/s") else other.value / self.value

    def to_json(self) -> dict[str, Any]:
        """Returns the row as plain data."""
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

    @property
    def repeats(self) -> int:
        """Counts the figures that are taken; what is costly, and warms nothing up, has fewer."""
        return 3 if self.costly else REPEATS

    def row(self, values: list[float]) -> Row:
        """Returns the figures as a row."""
        middle = statistics.median(values)
        return Row(self.what, self.who, self.how, self.unit, middle, min(values), max(values))


def measure_in_turn(tasks: list[Task], tell: Callable[[str], None]) -> list[Row]:
    """Measures each task once and starts over, so that what else the machine does hits all alike.

    A first round does not count.
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
    """Returns the memory of this process that is in use now, in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


class Growth:
    """Measures by how much the process grows with each of many things made and kept.

    They are kept for good: memory that was given back would be taken again first, and not be
    seen. The run that does not count takes up what lay free before.
    """

    kept: ClassVar[list[Any]] = []

    def __init__(self, make: Callable[[], Any], count: int) -> None:
        """Notes what to make."""
        self.make = make
        self.count = count

    def __call__(self) -> float:
        """Makes them, and gives the bytes of one."""
        gc.collect()
        with contextlib.suppress(OSError, AttributeError):  # where there is no GNU C library
            ctypes.CDLL("libc.so.6").malloc_trim(0)
        before = resident()
        self.kept.append([self.make() for _ in range(self.count)])
        return max(resident() - before, 1) / self.count
