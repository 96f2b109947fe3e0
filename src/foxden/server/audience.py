"""The sockets at a table, and what each viewer has been sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, cast

import msgspec

from foxden.engine.game import Action
from foxden.engine.match import Match
from foxden.engine.view import LogEntry, SeatView
from foxden.server.messages import ClockInfo, Update, encode
from foxden.server.store import PersonRow

News = Literal["sync", "update", "table"]


class Onlooker(Protocol):
    """A socket, as its table sees it."""

    person: PersonRow | None
    address: str
    device: str | None
    seat: int | None  # whose view it gets
    invited: bool

    def push(self, news: News) -> None:
        """Queues news; the message is written when it is sent."""

    def tell(self, message: bytes) -> None:
        """Queues a message that is the same for everybody."""

    def dismiss(self, reason: str, seconds: float = 0.0) -> None:
        """Sends a goodbye and closes the socket."""

    def check_pulse(self, now: float) -> None:
        """Drops the socket if it has not read for too long."""


class Viewer:
    """The view and log of one seat, or of spectators, shared by all their sockets."""

    def __init__(self, match: Match, seat: int | None) -> None:
        """Starts paused, then wakes at once."""
        self.seat = seat
        self.log: list[LogEntry] = []
        self.awake = False  # some socket watches; the log is kept even while paused
        self._last: tuple[int, bytes] = (-1, b"")
        self.wake(match)

    def wake(self, match: Match) -> None:
        """Catches up with the match."""
        self.awake = True
        self.seat_view: SeatView = match.seat_view(self.seat)
        self.log += map(_written, match.entries(self.seat, since=len(self.log)))

    def see(self, seat_view: SeatView, entry: LogEntry) -> None:
        """Adds the action just played."""
        self.seat_view = seat_view
        self.log.append(_written(entry))

    def update(self, told: int, clock: Callable[[], ClockInfo]) -> bytes:
        """Returns the update since position `told` as JSON; usually cached for all sockets."""
        ply = len(self.log)
        if told == ply - 1 and self._last[0] == ply:
            return self._last[1]
        message = encode(Update(self.seat_view.view, self.log[told:], clock()))
        if told == ply - 1:
            self._last = (ply, message)
        return message


def _written(entry: LogEntry) -> LogEntry:
    """Encodes an entry as JSON bytes, which messages embed as they are.

    Logs are most of a table's memory. Bytes take a fraction of it, and the garbage collector
    skips them.
    """
    return cast(LogEntry, msgspec.Raw(encode(entry)))


class Audience:
    """The sockets at a table, with one viewer for each seat they watch."""

    def __init__(self) -> None:
        """Starts without sockets."""
        self.onlookers: set[Onlooker] = set()
        self._viewers: dict[int | None, Viewer] = {}

    def push(self, news: News) -> None:
        """Queues news for every socket."""
        for onlooker in self.onlookers:
            onlooker.push(news)

    def tell(self, message: bytes) -> None:
        """Broadcasts a message."""
        for onlooker in self.onlookers:
            onlooker.tell(message)

    def dismiss(self, reason: str, seconds: float = 0.0) -> None:
        """Closes every socket with a goodbye."""
        for onlooker in list(self.onlookers):
            onlooker.dismiss(reason, seconds)

    def viewer(self, match: Match, seat: int | None) -> Viewer:
        """Returns a seat's viewer, caught up with the match."""
        found = self._viewers.get(seat)
        if found is None:
            found = self._viewers[seat] = Viewer(match, seat)
        elif not found.awake:
            found.wake(match)
        return found

    def forget_views(self) -> None:
        """Drops all viewers: names have changed, or moves were taken back."""
        self._viewers.clear()

    def show_again(self) -> None:
        """Sends everybody the new position after moves were taken back."""
        self.forget_views()
        self.push("sync")

    def rest_viewers(self) -> None:
        """Pauses viewers that no socket watches."""
        looked = {onlooker.seat for onlooker in self.onlookers}
        for seat, viewer in self._viewers.items():
            viewer.awake = viewer.awake and seat in looked

    def show(self, match: Match, action: Action, seat: int) -> None:
        """Plays an action and updates the viewers that are awake."""
        watching = [viewer for viewer in self._viewers.values() if viewer.awake]
        views = [viewer.seat_view for viewer in watching]
        seen = match.play_and_view(views, action, seat)
        for viewer, (view, entry) in zip(watching, seen, strict=True):
            viewer.see(view, entry)
        self.push("update")
