"""Who looks on at a table, and what each is shown."""

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
    seat: int | None  # looked through
    invited: bool

    def push(self, news: News) -> None:
        """Says that there is something to be told; it is made when it is sent."""

    def tell(self, message: bytes) -> None:
        """Sends a message that is the same for everybody."""

    def dismiss(self, reason: str, seconds: float = 0.0) -> None:
        """Says goodbye."""

    def check_pulse(self, now: float) -> None:
        """Lets go of a socket that has not read for long."""


class Viewer:
    """What one seat, or the spectators, have been shown of a match; one for all their sockets."""

    def __init__(self, match: Match, seat: int | None) -> None:
        """Begins asleep, and is woken at once."""
        self.seat = seat
        self.log: list[LogEntry] = []
        self.awake = False  # somebody looks; else the log is kept, for whoever comes back
        self._last: tuple[int, bytes] = (-1, b"")
        self.wake(match)

    def wake(self, match: Match) -> None:
        """Catches up with the match."""
        self.awake = True
        self.seat_view: SeatView = match.seat_view(self.seat)
        self.log += map(_written, match.entries(self.seat, since=len(self.log)))

    def see(self, seat_view: SeatView, entry: LogEntry) -> None:
        """Sees the action that was just played."""
        self.seat_view = seat_view
        self.log.append(_written(entry))

    def update(self, told: int, clock: Callable[[], ClockInfo]) -> bytes:
        """Writes what happened since position `told`; mostly the same for all who look."""
        ply = len(self.log)
        if told == ply - 1 and self._last[0] == ply:
            return self._last[1]
        message = encode(Update(self.seat_view.view, self.log[told:], clock()))
        if told == ply - 1:
            self._last = (ply, message)
        return message


def _written(entry: LogEntry) -> LogEntry:
    """Writes an entry as JSON, in which it stands for itself in messages.

    Logs are most of what a table keeps. Bytes take a fraction of the memory, and the garbage
    collector need not look at them.
    """
    return cast(LogEntry, msgspec.Raw(encode(entry)))


class Audience:
    """The sockets at a table, and what each seat of theirs has been shown."""

    def __init__(self) -> None:
        """Begins with nobody."""
        self.onlookers: set[Onlooker] = set()
        self._viewers: dict[int | None, Viewer] = {}

    def push(self, news: News) -> None:
        """Says to everybody that there is something to be told."""
        for onlooker in self.onlookers:
            onlooker.push(news)

    def tell(self, message: bytes) -> None:
        """Sends everybody the same message."""
        for onlooker in self.onlookers:
            onlooker.tell(message)

    def dismiss(self, reason: str, seconds: float = 0.0) -> None:
        """Sends everybody away."""
        for onlooker in list(self.onlookers):
            onlooker.dismiss(reason, seconds)

    def viewer(self, match: Match, seat: int | None) -> Viewer:
        """Returns what a seat has been shown, up to now."""
        found = self._viewers.get(seat)
        if found is None:
            found = self._viewers[seat] = Viewer(match, seat)
        elif not found.awake:
            found.wake(match)
        return found

    def forget_views(self) -> None:
        """Forgets what was shown: names have changed, or moves were taken back."""
        self._viewers.clear()

    def show_again(self) -> None:
        """Shows everybody the position after moves were taken back."""
        self.forget_views()
        self.push("sync")

    def rest_viewers(self) -> None:
        """Pauses viewers that no socket watches."""
        looked = {onlooker.seat for onlooker in self.onlookers}
        for seat, viewer in self._viewers.items():
            viewer.awake = viewer.awake and seat in looked

    def show(self, match: Match, action: Action, seat: int) -> None:
        """Plays an action before the eyes of whoever looks on."""
        watching = [viewer for viewer in self._viewers.values() if viewer.awake]
        views = [viewer.seat_view for viewer in watching]
        seen = match.play_and_view(views, action, seat)
        for viewer, (view, entry) in zip(watching, seen, strict=True):
            viewer.see(view, entry)
        self.push("update")
