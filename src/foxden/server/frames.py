"""Sockets as uvicorn has them, but several messages leave in one write, and reading seldom stops.

A move makes three messages; of what it costs to tell them, most is the system call for each.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EVENT = "foxden.frames"  # an ASGI event: `messages` are whole text messages, as bytes
WAITING = 8  # messages of one socket that may wait to be heard before reading stops
SHORT, MIDDLE = 126, 1 << 16


class Frames(WebSocketsSansIOProtocol):
    """One socket."""

    def handle_connect(self, event: Any) -> None:
        """Tells the application what it may send."""
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            self.scope["extensions"][EVENT] = {}

    def send_receive_event_to_app(self) -> None:
        """Stops reading only from those who send faster than they are heard."""
        few = not self.read_paused and self.queue.qsize() < WAITING
        self.read_paused = self.read_paused or few  # so that it is not stopped anew
        super().send_receive_event_to_app()
        if few:
            self.read_paused = False

    async def send(self, message: Any) -> None:
        """Sends one event of the application."""
        if message["type"] != EVENT:
            await super().send(message)
            return
        await self.writable.wait()
        if self.disconnected or self.close_sent:
            raise ClientDisconnected
        self.transport.write(b"".join([part for m in message["messages"] for part in _framed(m)]))


def _framed(message: bytes) -> tuple[bytes, bytes]:
    """Puts a text message into a frame; those of a server are not masked."""
    length = len(message)
    if length < SHORT:
        return bytes((0x81, length)), message
    if length < MIDDLE:
        return b"\x81\x7e" + length.to_bytes(2, "big"), message
    return b"\x81\x7f" + length.to_bytes(8, "big"), message
