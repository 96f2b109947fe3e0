"""Notices within one process: each listener gets the latest of every kind, without a backlog."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from foxden.server.store import Notice

BROUGHT = 16  # most moves in an unread notice; listeners further behind read the store


class Noticeboard:
    """Passes notices to listeners; merges unread ones of the same kind and id."""

    def __init__(self) -> None:
        """Begins without listeners."""
        self._listeners: list[_Listener] = []

    def post(self, notices: Iterable[Notice]) -> None:
        """Posts a notice to every listener."""
        if self._listeners:
            notices = list(notices)
            for listener in self._listeners:
                listener.take(notices)

    def listen(self) -> AsyncIterator[Notice]:
        """Yields notices posted after this call."""
        listener = _Listener()
        self._listeners.append(listener)
        return self._tell(listener)

    async def _tell(self, listener: _Listener) -> AsyncIterator[Notice]:
        try:
            while True:
                await listener.news.wait()
                for notice in listener.clear():
                    yield notice
        finally:
            self._listeners.remove(listener)


class _Listener:
    def __init__(self) -> None:
        self.news = asyncio.Event()
        self._unread: dict[tuple[str, str], Notice] = {}

    def take(self, notices: list[Notice]) -> None:
        for notice in notices:
            key = notice.id, notice.what
            known = self._unread.get(key)
            if known is None or known.number < notice.number:
                self._unread[key] = notice if known is None else _joined(known, notice)
        self.news.set()

    def clear(self) -> list[Notice]:
        notices = list(self._unread.values())
        self._unread.clear()
        self.news.clear()
        return notices


def _joined(earlier: Notice, later: Notice) -> Notice:
    """Merges two notices, joining their moves if they are consecutive."""
    moves = earlier.moves + later.moves
    if not later.moves or later.moves[0].ply != earlier.number + 1 or len(moves) > BROUGHT:
        return later
    return later._replace(moves=moves)
