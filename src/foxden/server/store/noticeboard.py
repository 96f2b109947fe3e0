"""Notices within one process: each listener gets the latest of every kind, and no backlog."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from foxden.server.store import Notice

BROUGHT = 16  # moves that an unread notice holds; whoever is further behind reads


class Noticeboard:
    """Hands notices to whoever listens; unread ones of one kind and id are one."""

    def __init__(self) -> None:
        """Begins without listeners."""
        self._listeners: list[_Listener] = []

    def post(self, notices: Iterable[Notice]) -> None:
        """Tells every listener."""
        if self._listeners:
            notices = list(notices)
            for listener in self._listeners:
                listener.take(notices)

    def listen(self) -> AsyncIterator[Notice]:
        """Returns what is posted from this call on."""
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
    """Returns the later notice, with the earlier one's moves where its own follow on them."""
    moves = earlier.moves + later.moves
    if not later.moves or later.moves[0].ply != earlier.number + 1 or len(moves) > BROUGHT:
        return later
    return later._replace(moves=moves)
