"""Branches: playing on from a position of a match.

What a seat did not know there is dealt anew, fairly, or stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from foxden.engine import compiled
from foxden.engine.errors import FoxdenError
from foxden.engine.game import Setup
from foxden.engine.kernel import as_array, copied, is_ready
from foxden.engine.match import Match
from foxden.engine.rng import Stream, split_seed


class NoBranch(FoxdenError):
    """Is raised when a match cannot be continued: it is over there."""


@dataclass(frozen=True, eq=False)
class _Start:
    """The state in which a branch begins, instead of a deal."""

    setup: Setup
    states: Any

    def dealt(self, seed: int, stream: Stream) -> Any:
        """Returns a copy of the state."""
        return copied(self.states, 0)


class Branch(Match):
    """A match that begins in a position of another; its actions count from 0."""

    __slots__ = ("source", "viewer", "world")

    source: Match  # as it was when the branch left it
    viewer: int  # from whose knowledge
    world: int | None  # the seed of what was dealt anew; None: everything is as it was

    def __init__(self, source: Match, seat: int, world: int | None) -> None:
        """Branches off a match as it stands."""
        seat = source.check_seat(seat)
        if source.is_over:
            raise NoBranch("The match is over here; there is nothing left to play.")
        if isinstance(source, Branch):
            raise NoBranch("A branch has no branches of its own; begin at its match.")
        for name in Match.__slots__:
            setattr(self, name, getattr(source, name))
        self.source, self.viewer, self.world = source, seat, world
        start = source.truth()
        if world is not None:
            start = source.wiped(seat)
            compiled.resample_of(start, 0, seat, *split_seed(world))
        self._blank = _Start(source._blank.setup, start)  # type: ignore[assignment]
        self._states = copied(start, 0)
        self._played, self._actors = [], bytearray()
        self._look()

    def _quicken(self) -> None:
        if type(self._states) is not np.ndarray and is_ready(self.game.state):
            start = as_array(self._blank.states)
            self._blank = _Start(self._blank.setup, start)  # type: ignore[assignment]
            self._states = as_array(self._states)

    def __copy__(self) -> Branch:
        """Returns an independent copy of the branch."""
        twin = super().__copy__()
        assert isinstance(twin, Branch)
        twin.source, twin.viewer, twin.world = self.source, self.viewer, self.world
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the match, where the branch left it, and its own actions."""
        moves = [(seat, action.id) for seat, action in self.moves]
        return _unpickled, (self.source, self.viewer, self.world, moves)

    def record(self, *, tell_seed: bool = True) -> str:
        """Writes the match up to the branch as a record, and the branch as remarks in it."""
        world = "as it was" if self.world is None else f"world {self.world}"
        lines = [f"# branch of seat {self.viewer}, {world}"]
        for ply, (seat, action) in enumerate(self.moves, 1):
            lines.append(f"# {ply}. [{seat}] {action}")
        return self.source.record(tell_seed=tell_seed) + "\n".join(lines) + "\n"


def _unpickled(source: Match, seat: int, world: int | None, moves: list[tuple[int, int]]) -> Branch:
    branch = Branch(source, seat, world)
    branch.replay(moves)
    return branch
