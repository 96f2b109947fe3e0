"""Executing statements on either database; both use the same SQL."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from foxden.server.store import Notice

# A statement and its values, which it calls $1, $2, …
Step = tuple[str, Sequence[Any]]
Rows = list[tuple[Any, ...]]

# The notice of a write, from the rows of its first step.
Tell = Callable[[Rows], Iterable[Notice]]


class Statements(ABC):
    """A database with our schema."""

    @abstractmethod
    async def read(self, statement: str, *values: Any) -> Rows:
        """Returns the rows of one statement, including everything acknowledged before."""

    @abstractmethod
    async def write(self, *steps: Step, tell: Tell | None = None) -> Rows:
        """Runs the steps in one transaction, posts a notice, and returns the first step's rows.

        If the first step returns no rows, the others are skipped and no notice is posted.
        """


def marks(count: int, first: int = 1) -> str:
    """Returns placeholders for a number of values: `$1, $2, $3`."""
    return ", ".join(f"${n}" for n in range(first, first + count))
