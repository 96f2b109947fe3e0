"""A table's match in this process, played only from moves that are on disk.

An action is checked, appended to the store, and played here once the append is done. So nothing
is ever revoked, and nobody is shown a move that could be lost. An undo is appended like an action,
and takes back those after the position it names.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from foxden.engine.game import Action, Game
from foxden.engine.match import Match
from foxden.review.branches import Branch
from foxden.server import metrics
from foxden.server.audience import Audience
from foxden.server.clocks import Reading, read_clock
from foxden.server.problems import Refusal, conflict
from foxden.server.store import UNDO, MoveRow, PlyTaken, Store, TableRow, kept_moves
from foxden.server.uptime import Uptime

By = Literal["person", "bot", "clock"]


class LiveMatch:
    """The match given by a table's row and moves."""

    def __init__(self, game: Game, store: Store, uptime: Uptime, audience: Audience) -> None:
        """Starts without a match; `load` creates it."""
        self.game = game
        self.match: Match | None = None
        self.times: list[tuple[int, float]] = []  # (seat, uptime) of every action
        self.last_at = 0.0  # time of day of the last move
        self.number = 0  # number of the last move; counts undos and what they took back
        self.undone = 0  # number of undos
        self._store = store
        self._uptime = uptime
        self._audience = audience
        self._loaded = uptime()
        self._names: list[str] = []  # names used in the match
        self._searched: dict[tuple[int, ...], tuple[int, bool]] = {}  # see `has_decided`
        self._turn = asyncio.Lock()  # one append at a time

    @property
    def ply(self) -> int:
        """Returns the number of actions played."""
        return len(self.times)

    @property
    def to_act(self) -> int | None:
        """Returns the seat to act, or None."""
        return None if self.match is None else self.match.to_act

    @property
    def is_over(self) -> bool:
        """Returns whether there is a match and it is over."""
        return self.match is not None and self.match.is_over

    async def load(self, row: TableRow) -> bool:
        """Builds the match from seed and moves; returns whether it was rebuilt.

        An existing match is rebuilt only if a name has changed: a player was deleted.
        """
        if self.match is not None and _names(row) == self._names:
            return False
        async with self._turn:
            if self.match is not None and _names(row) == self._names:
                return False
            moves = await self._store.moves(row.id)
            match = _begun(self.game, row)
            played = kept_moves(moves)
            match.replay([(move.seat, move.action) for move in played])
            self.match = match
            self._names = _names(row)
            self.times = [(move.seat, move.uptime) for move in played]
            self.number = len(moves)
            self.undone = sum(move.by == UNDO for move in moves)
            if moves:
                self.last_at = moves[-1].at
                self._uptime.raise_to(moves[-1].uptime)
        return True

    def playing(self, row: TableRow) -> Match:
        """Returns the running match, or raises why there is none."""
        if self.match is not None:
            return self.match
        if row.status == "open":
            raise conflict("not-started", "The match has not started.")
        self.check_rules(row)
        raise Refusal("loading", 503, "This table is still being loaded.", retry=1)

    def fits(self, row: TableRow) -> bool:
        """Returns whether the table uses the current version of the rules."""
        return row.rules_version == self.game.rules_version

    def check_rules(self, row: TableRow) -> None:
        """Refuses a table with another version of the rules."""
        if not self.fits(row):
            raise conflict(
                "other-rules",
                f"This table began with version {row.rules_version} of the rules of "
                f"{self.game.title}; here is version {self.game.rules_version}.",
            )

    async def play(self, row: TableRow, seat: int, ply: int, action: int, by: By) -> int:
        """Plays an action for a seat, and returns the new position once it is on disk."""
        async with self._turn:
            match = self.playing(row)
            if ply != match.ply:
                raise conflict("stale-ply", "The table has moved on since you chose.")
            chosen = match.check(action, seat)
            self._apply(match, await self._append(row, seat, chosen.id, by), chosen)
        return ply + 1

    async def undo(self, row: TableRow, seats: Sequence[int], ply: int) -> int:
        """Goes back to the last decision of some seats, and returns once that is on disk."""
        async with self._turn:
            match = self.playing(row)
            if match.is_over:
                raise conflict("match-over", "The match is over.")
            # Bots may have moved since, but none of these seats.
            if not 0 <= ply <= match.ply or any(seat in seats for seat, _ in match.moves[ply:]):
                raise conflict("stale-ply", "The table has moved on since you chose.")
            found = _last_decision(match, seats)
            if found is None:
                raise conflict("nothing-to-undo", "There is no decision to take back yet.")
            self._go_back(match, await self._append(row, match.moves[found][0], found, UNDO))
        return found

    def has_decided(self, seats: Sequence[int]) -> bool:
        """Returns whether one of the seats has made a decision that could be taken back."""
        if self.match is None:
            return False
        since, found = self._searched.get(tuple(seats), (0, False))
        if not found:  # a result stays valid until moves are taken back
            found = _last_decision(self.match, seats, since) is not None
            self._searched[tuple(seats)] = (self.match.ply, found)
        return found

    async def _append(self, row: TableRow, seat: int, action: int, by: str) -> MoveRow:
        """Appends the next move; refuses if another process was faster."""
        uptime = max(self._uptime(), self._moved(row))
        move = MoveRow(row.id, self.number + 1, seat, action, by, time.time(), uptime)
        try:
            await self._store.append(move)
        except PlyTaken:
            await self._catch_up(row)
            raise conflict("stale-ply", "Someone else was quicker.") from None
        return move

    async def refresh(self, row: TableRow, told: Sequence[MoveRow] = ()) -> None:
        """Plays what other processes have appended; reads moves that no notice brought."""
        if self.match is not None and not self.match.is_over:
            async with self._turn:
                await self._catch_up(row, told)

    async def _catch_up(self, row: TableRow, told: Sequence[MoveRow] = ()) -> None:
        moves = [move for move in told if move.ply > self.number]
        if told and not moves:
            return  # its own move, still being written when the notice came
        if not moves or moves[0].ply != self.number + 1:
            moves = list(await self._store.moves(row.id, after=self.number))
        for move in moves:
            match = self.playing(row)
            if move.by == UNDO:
                self._go_back(match, move)
            else:
                self._apply(match, move, match.check(move.action, move.seat))

    def _apply(self, match: Match, move: MoveRow, action: Action) -> None:
        self.times.append((move.seat, move.uptime))
        self._note(move)
        self._audience.show(match, action, move.seat)

    def _go_back(self, match: Match, move: MoveRow) -> None:
        # A new match: bots may still be thinking about this one.
        self.match = match.at(move.action)
        self._searched.clear()
        del self.times[move.action :]
        self.undone += 1
        self._note(move)
        self._audience.show_again()

    def _note(self, move: MoveRow) -> None:
        self.number = move.ply
        self.last_at = move.at
        metrics.MOVES_BY[move.by].inc()

    def _began(self, row: TableRow) -> float:
        return self._loaded if row.began is None else row.began

    def _moved(self, row: TableRow) -> float:
        """Returns the uptime of the last action, or of the start."""
        return self.times[-1][1] if self.times else self._began(row)

    def read_clock(self, row: TableRow, grace_until: float) -> Reading:
        """Reads the clock; nobody loses by time the server was down."""
        reading = read_clock(
            row.clock,
            seats=len(row.seats),
            began=self._began(row),
            played=self.times,
            to_act=self.to_act,
        )
        if reading.due is None:
            return reading
        return replace(reading, due=max(reading.due, grace_until))

    async def settled(self) -> None:
        """Waits until no append is pending."""
        async with self._turn:
            pass


def _last_decision(match: Match, seats: Sequence[int], since: int = 0) -> int | None:
    """Returns the last position since `since` where one of the seats had a choice."""
    for ply, (seat, _) in reversed(list(enumerate(match.moves))[since:]):
        if seat in seats and len(match.at(ply).legal()) > 1:
            return ply
    return None


def _begun(game: Game, row: TableRow) -> Match:
    """Deals a table's match, or starts it from the position in its origin."""
    match = Match(
        game,
        seats=len(row.seats),
        seed=row.seed,
        stream=row.stream,
        options=row.options,
        parts=row.parts,
        names=_names(row),
    )
    if row.branch is None:
        return match
    match.replay([(seat, action) for seat, action in row.branch["moves"]])
    world = row.branch["world"]
    return Branch(match, row.branch["seat"], None if world is None else int(world))


def _names(row: TableRow) -> list[str]:
    return [seat.name or "" for seat in row.seats]
