"""uvicorn's WebSockets, with a shorter path for frequent messages.

Messages go to a listener as they arrive, and several leave in one write: ASGI's queue, the task
that empties it and a system call for each message would cost more than playing a move. This uses
internals of uvicorn; if they are missing, the module `asgi` takes over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol

from uvicorn.protocols.utils import ClientDisconnected

try:
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    from websockets.frames import apply_mask  # type: ignore[attr-defined]
except ImportError:  # an older uvicorn: see `fits`
    WebSocketsSansIOProtocol = object  # type: ignore[assignment,misc]

EXTENSION = "foxden.socket"  # the key of the FastSocket in an ASGI scope
TEXT = 0x81  # first byte of a whole text message
WHOLE = 0x80  # from here on, a frame ends its message
MESSAGES = (0x81, 0x82)  # first bytes of whole messages, which listeners count
CLOSE = 0x88
MASKED = 0x80  # added to the length in clients' frames
# Internals of uvicorn that `FastSocket` uses; some are new in later versions, up to 0.53.
INTERNALS = frozenset(
    (
        *("close_sent", "close_timeout", "close_timer", "config", "conn", "curr_msg_data_type"),
        *("data_received", "disconnected", "frames", "handle_connect", "handle_parser_exception"),
        *("handshake_complete", "handshake_initiated", "loop", "queue", "read_paused"),
        *("resume_writing", "scope", "send_receive_event_to_app", "transport", "writable"),
    )
)
HEAD = 6  # bytes before the payload of a short client frame: two, and the mask
SHORT, MIDDLE = 126, 1 << 16  # from these lengths on, the length has its own bytes
AT_ONCE = 16  # frames of one socket read before others get their turn
AFTER_CLOSE = 256  # frames allowed after the server closed the socket


class Listener(Protocol):
    """Receives what arrives at a socket."""

    def heard(self, message: str | bytes) -> None:
        """Takes a message."""

    def writable(self) -> None:
        """Is called when the client reads again."""

    def overheard(self) -> float:
        """Counts a control frame; returns how many seconds to wait before reading it."""


class FastSocket(WebSocketsSansIOProtocol):
    """One socket."""

    on_lost: Callable[[], None] | None = None  # called when the connection has ended
    _listener: Listener | None = None
    _inbox: bytearray | None = None  # bytes received and not yet read
    _resting: asyncio.Handle | None = None  # scheduled to continue reading
    _full = False  # the listener can take no more for now
    _late = 0  # frames received after the close

    def handle_connect(self, event: Any) -> None:
        """Tells the application that the socket is open."""
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    async def send(self, message: Any) -> None:
        """Sends one ASGI message of the application."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # a refusal is also an answer, and not worth a log line

    def listen(self, listener: Listener) -> None:
        """Hands messages to a listener from now on; `receive` reports only the end."""
        self._listener = listener
        self.pause_reading(False)

    def leave(self) -> None:
        """Drops the listener, to break a reference cycle."""
        self._listener = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Breaks reference cycles so memory is freed at once."""
        super().connection_lost(exc)
        self.leave()
        self._inbox = None
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None
        if self.on_lost is not None:
            self.on_lost()
            self.on_lost = None
        self.conn.parser.close()  # this generator references its own connection
        if hasattr(self, "scope"):  # missing after an invalid handshake
            self.scope["extensions"].pop(EXTENSION, None)

    def pause_reading(self, pause: bool) -> None:
        """Pauses or resumes reading."""
        self._full = pause
        if not pause and self._inbox and self._resting is None:
            self._resting = self.loop.call_soon(self._read_on)
        self._regulate()

    def _regulate(self) -> None:
        """Pauses the network while messages are unread."""
        pause = self._full or self._resting is not None
        if pause != self.read_paused and not self.transport.is_closing():
            self.read_paused = pause
            (self.transport.pause_reading if pause else self.transport.resume_reading)()

    def data_received(self, data: bytes) -> None:
        """Reads a short complete message at once, everything else frame by frame."""
        if not self.handshake_initiated:
            self._shake_hands(data)
            return
        if (
            not self._inbox
            and self._listener is not None
            and len(data) > HEAD
            and data[0] == TEXT
            and data[1] == MASKED + len(data) - HEAD < MASKED + SHORT
            and not (self.close_sent or self.frames or self._full or self._resting)
        ):
            try:
                text = apply_mask(data[HEAD:], data[2:HEAD]).decode()
            except UnicodeDecodeError:
                pass  # it ends the socket, below
            else:
                self._listener.heard(text)
                return
        if self._inbox is None:
            self._inbox = bytearray()
        self._inbox += data
        if self._resting is None:
            self._read_on()

    def _shake_hands(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            # The handshake was too long for websockets; uvicorn would never send its answer.
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def _read_on(self) -> None:
        """Reads a few frames; anything that costs work is counted first."""
        self._resting = None
        for _ in range(AT_ONCE):
            if not self._inbox or self._full or self.transport.is_closing():
                break
            if self._listener is None and not self.close_sent:
                self._full = True  # until there is a listener
                break
            size = _size(self._inbox, self.config.ws_max_size)
            if self.close_sent:
                self._late += 1
                if self._late > AFTER_CLOSE:
                    self.transport.abort()
                    return
            elif self._inbox[0] not in (*MESSAGES, CLOSE) or size > len(self._inbox):
                assert self._listener is not None
                if wait := self._listener.overheard():
                    self._resting = self.loop.call_later(wait, self._read_on)
                    break
            if size > len(self._inbox):
                break
            frame = bytes(self._inbox[:size])
            del self._inbox[:size]
            super().data_received(frame)
        else:
            if self._inbox:
                self._resting = self.loop.call_soon(self._read_on)
        self._regulate()

    def send_receive_event_to_app(self) -> None:
        """Hands a message from uvicorn to the listener."""
        if self._listener is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        message: str | bytes = b"".join(self.frames)
        self.frames = []
        if self.curr_msg_data_type == "text":
            try:
                message = message.decode()  # type: ignore[union-attr]
            except UnicodeDecodeError:
                self.conn.send_close(1007)
                self.handle_parser_exception()
                return
        self._listener.heard(message)

    @property
    def is_writable(self) -> bool:
        """Returns whether the client reads what it is sent."""
        return self.writable.is_set()

    def tell(self, messages: Iterable[bytes]) -> None:
        """Sends text messages in one write."""
        if self.disconnected or self.close_sent:
            raise ClientDisconnected
        parts: list[bytes] = []
        for message in messages:
            parts += _head(len(message)), message
        self.transport.write(b"".join(parts))

    def abort(self) -> None:
        """Drops the connection at once."""
        self.transport.abort()

    def hang_up(self, code: int) -> None:
        """Closes the socket once everything is sent."""
        if not self.close_sent and not self.transport.is_closing():
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
            self.conn.send_close(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.pause_reading(False)  # to receive the client's close frame
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)

    def resume_writing(self) -> None:
        """Reports that there is room again."""
        super().resume_writing()
        if self._listener is not None:
            self._listener.writable()


def fits(protocol: type) -> bool:
    """Returns whether a uvicorn protocol has everything FastSocket needs."""
    names = set(dir(protocol))
    for kind in protocol.__mro__:
        for member in vars(kind).values():
            names.update(getattr(getattr(member, "__code__", None), "co_names", ()))
    return names >= INTERNALS


# The socket class for a server; "auto" is uvicorn's own choice.
SOCKETS: type[FastSocket] | Literal["auto"] = (
    FastSocket if fits(WebSocketsSansIOProtocol) else "auto"
)


def _size(data: bytearray, most: int) -> int:
    """Returns the size of the first frame, as far as its head has arrived.

    An oversized frame counts as what is there: reading its head refuses it.
    """
    if len(data) < 2:
        return 2
    head, length = 2 + 4 * (data[1] >= MASKED), data[1] & ~MASKED
    if length >= SHORT:
        more = 2 if length == SHORT else 8
        if len(data) < 2 + more:
            return 2 + more
        head, length = head + more, int.from_bytes(data[2 : 2 + more], "big")
    return len(data) if length > most else head + length


def _head(length: int) -> bytes:
    """Returns the head of a text frame; servers do not mask."""
    if length < SHORT:
        return bytes((TEXT, length))
    if length < MIDDLE:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")
