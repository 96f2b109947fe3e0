"""A plain ASGI socket, for a uvicorn without the internals that `frames` relies on."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected

from foxden.server.frames import Listener
from foxden.server.requests import Receive, Send

GONE = {"type": "websocket.disconnect", "code": 1006}


class AsgiSocket:
    """One socket with the methods of `frames.FastSocket`; it needs a task for sending."""

    def __init__(self, receive: Receive, send: Send) -> None:
        """Takes the arguments of an ASGI application."""
        self._receive = receive
        self._send = send
        self._listener: Listener | None = None
        self._reading = asyncio.Event()
        self._reading.set()
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._outbox: deque[dict[str, Any]] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    async def receive(self) -> dict[str, Any]:
        """Waits for the next event, and hands a message to the listener."""
        await self._reading.wait()
        coming = asyncio.ensure_future(self._receive())
        try:
            either: set[asyncio.Future[Any]] = {coming, self._gone}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not coming.done():
                coming.cancel()
        if self._gone.done():
            return GONE
        event = coming.result()
        if event["type"] == "websocket.receive" and self._listener is not None:
            self._listener.heard(event.get("text") or event.get("bytes") or b"")
        return event

    def listen(self, listener: Listener) -> None:
        """Starts passing messages to a listener."""
        self._listener = listener

    def leave(self) -> None:
        """Drops the listener and stops sending."""
        self._listener = None
        self.abort()

    def pause_reading(self, pause: bool) -> None:
        """Pauses or resumes reading."""
        if pause and not self._gone.done():
            self._reading.clear()
        else:
            self._reading.set()

    @property
    def is_writable(self) -> bool:
        """Returns whether everything has been sent."""
        return self._writing is None

    def tell(self, messages: Iterable[bytes]) -> None:
        """Sends text messages one after the other."""
        if self._closed or self._gone.done():
            raise ClientDisconnected
        self._outbox += [{"type": "websocket.send", "text": m.decode()} for m in messages]
        self._write_soon()

    def hang_up(self, code: int) -> None:
        """Closes the socket once everything has been sent."""
        if not self._closed:
            self._closed = True
            self._outbox.append({"type": "websocket.close", "code": code})
            self._write_soon()

    def abort(self) -> None:
        """Drops the connection at once; the application sees a disconnect."""
        if not self._gone.done():
            self._gone.set_result(None)
        self._reading.set()
        self._outbox.clear()
        if self._writing is not None:
            self._writing.cancel()

    def _write_soon(self) -> None:
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        try:
            while self._outbox:
                await self._send(self._outbox.popleft())
        except (OSError, RuntimeError):  # it was closed meanwhile
            self._closed = True
        self._writing = None
        if self._closed:
            self.abort()
        elif self._listener is not None:
            self._listener.writable()
