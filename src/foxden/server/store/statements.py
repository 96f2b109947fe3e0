"""How a statement reaches a database, whichever it is; both speak the same SQL."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from foxden.server.store import Notice

# A statement and its values, which it calls $1, $2, …
Step = tuple[str, Sequence[Any]]
Rows = list[tuple[Any, ...]]

# What is to be told of a write, from the rows of its first step.
Tell = Callable[[Rows], Iterable[Notice]]


class Statements(ABC):
    """A database with our schema."""

    @abstractmethod
    async def read(self, statement: str, *values: Any) -> Rows:
        """Returns the rows of one statement; what was acknowledged before is in them."""

    @abstractmethod
    async def write(self, *steps: Step, tell: Tell | None = None) -> Rows:
        """Takes the steps in one transaction, tells of it, and returns the first step's rows.

        Where the first step has no rows, the others are not taken and nothing is told.
        """


def marks(count: int, first: int = 1) -> str:
    """Returns the names of so many values: `$1, $2, $3`."""
    return ", ".join(f"${n}" for n in range(first, first + count))
