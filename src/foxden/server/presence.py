"""Who is at a table, through this process and the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from foxden.server.store import PresenceRow

STRANGERS = ""  # sockets of strangers


class Presence:
    """The sockets at one table; the store lists those of other processes."""

    def __init__(self, table: str, worker: str, uptime: float) -> None:
        """Begins with nobody here, everybody away since now."""
        self._table = table
        self._worker = worker
        self._began = uptime
        self._here: Counter[str] = Counter()
        self._addresses: dict[str, str] = {}
        self._elsewhere: dict[str, int] = {}
        self._since: dict[str, float] = {}  # when somebody's last socket opened or closed
        self._unwritten: set[str] = set()

    def join(self, person: str, address: str, uptime: float) -> bool:
        """Counts a socket; returns whether the person was away."""
        came = not self.is_here(person)
        self._here[person] += 1
        self._addresses[person] = address
        self.note(person, uptime)
        return came

    def part(self, person: str, uptime: float) -> bool:
        """Counts a closed socket; returns whether the person is away now."""
        self._here[person] -= 1
        if not self._here[person]:
            del self._here[person]
            self._addresses.pop(person, None)
        self.note(person, uptime)
        return not self.is_here(person)

    def note(self, person: str, uptime: float) -> None:
        """Notes that a person came or left; a table's host was there when it opened."""
        self._since[person] = uptime
        self._unwritten.add(person)

    def read(self, rows: Iterable[PresenceRow], alive: Collection[str]) -> bool:
        """Applies what other processes wrote; returns whether anything changed."""
        elsewhere: Counter[str] = Counter()
        for row in rows:
            if row.worker != self._worker and row.worker in alive and row.sockets:
                elsewhere[row.person] += row.sockets
            since = row.since
            if row.sockets and row.worker not in alive:
                since = max(since, self._began)  # its process died; nobody knows when they left
            self._since[row.person] = max(self._since.get(row.person, 0.0), since)
        changed = dict(elsewhere) != self._elsewhere
        self._elsewhere = dict(elsewhere)
        return changed

    def write(self) -> list[PresenceRow]:
        """Returns unsaved changes for the store, once."""
        rows = [
            PresenceRow(
                self._worker,
                self._table,
                person,
                self._here[person],
                self._since[person],
                self._addresses.get(person, ""),
            )
            for person in self._unwritten
        ]
        self._unwritten.clear()
        return rows

    def write_again(self, rows: Iterable[PresenceRow]) -> None:
        """Keeps unwritten changes for the next attempt."""
        self._unwritten |= {row.person for row in rows}

    def write_all_again(self) -> None:
        """Writes everybody again, in case other processes dropped them meanwhile."""
        self._unwritten |= set(self._here)

    @property
    def has_news(self) -> bool:
        """Returns whether there is something to write."""
        return bool(self._unwritten)

    def is_here(self, person: str | None) -> bool:
        """Returns whether a person has a socket open at this table, in any process."""
        return person is not None and bool(self._here.get(person) or self._elsewhere.get(person))

    def away(self, person: str, uptime: float, began: float) -> float | None:
        """Returns for how many seconds somebody has been away, None while they are here."""
        if self.is_here(person):
            return None
        return max(0.0, uptime - max(self._since.get(person, 0.0), began))

    def watchers(self, seated: Collection[str]) -> int:
        """Counts the sockets of those who do not play."""
        return sum(
            count
            for counts in (self._here, self._elsewhere)
            for person, count in counts.items()
            if person not in seated
        )
