"""Notices within one process: each listener gets the latest of every kind, and no backlog."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from foxden.server.store import Notice


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
                self._unread[key] = notice
        self.news.set()

    def clear(self) -> list[Notice]:
        notices = list(self._unread.values())
        self._unread.clear()
        self.news.clear()
        return notices
