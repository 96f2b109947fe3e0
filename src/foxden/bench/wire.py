"""A minimal WebSocket client, so that the server is what is measured."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

LIMIT = 126  # from this length on, the length has its own bytes


class Wire(asyncio.Protocol):
    """One socket; passes whole text messages to `heard`."""

    def __init__(self, request: bytes, heard: Callable[[bytes], None]) -> None:
        """Takes the handshake, which is sent on connection."""
        self._request = request
        self._heard = heard
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sends the handshake."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Handles received bytes."""
        self._buffer += data
        if not self.opened.done():
            head, found, rest = bytes(self._buffer).partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self.opened.set_exception(ConnectionError(head.decode("latin-1")))
                return
            self._buffer = bytearray(rest)
            self.opened.set_result(None)
        self._take_frames()

    def _take_frames(self) -> None:
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            opcode, length, body = buffer[at] & 15, buffer[at + 1], at + 2
            if length >= LIMIT:
                extra = 2 if length == LIMIT else 8
                length = int.from_bytes(buffer[body : body + extra], "big")
                body += extra
            if len(buffer) < body + length:
                break
            at = body + length
            payload = bytes(buffer[body:at])
            if opcode == 1:
                self._heard(payload)
            elif opcode == 8:
                self._end(payload[2:].decode() or f"closed with {payload[:2].hex()}")
            elif opcode == 9:
                self._write(0x8A, payload)
        del buffer[:at]

    def send(self, text: bytes) -> None:
        """Sends a text message."""
        self._write(0x81, text)

    def _write(self, first: int, payload: bytes) -> None:
        assert self._transport is not None
        length = len(payload)
        if length < LIMIT:
            head = bytes((first, 0x80 | length))
        else:
            head = bytes((first, 0x80 | LIMIT)) + length.to_bytes(2, "big")
        # Clients must mask; a mask of zeros costs neither side anything.
        self._transport.write(head + b"\0\0\0\0" + payload)

    def connection_lost(self, exc: Exception | None) -> None:
        """Reports the end of the connection."""
        self._end(str(exc or "closed"))

    def _end(self, why: str) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(why))
        if not self.closed.done():
            self.closed.set_result(why)

    def close(self) -> None:
        """Closes the socket."""
        if self._transport:
            self._transport.close()


async def connect(port: int, path: str, heard: Callable[[bytes], None], cookie: str = "") -> Wire:
    """Opens a socket to a port of this machine."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    loop = asyncio.get_running_loop()
    _, wire = await loop.create_connection(lambda: Wire(request, heard), "127.0.0.1", port)
    await wire.opened
    return wire
