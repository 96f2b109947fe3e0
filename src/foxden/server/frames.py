"""Sockets as uvicorn has them, with a shorter way for what is heard and told all the time.

Messages are handed to a listener as they come, and several leave in one write: ASGI's queue, the
task that empties it and a system call for each message would cost more than playing a move.
This takes internals of uvicorn; where they are missing, the module `asgi` does without.
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

EXTENSION = "foxden.socket"  # where an ASGI scope has its socket's FastSocket
TEXT = 0x81  # the first byte of a frame that is a whole text message
WHOLE = 0x80  # from here on, a frame is the last of its message
MESSAGES = (0x81, 0x82)  # first bytes of frames that are whole messages, which listeners count
CLOSE = 0x88
MASKED = 0x80  # added to the length of what clients send
# What `FastSocket` uses of uvicorn beside ASGI; it came bit by bit, up to version 0.53.
INTERNALS = frozenset(
    (
        *("close_sent", "close_timeout", "close_timer", "config", "conn", "curr_msg_data_type"),
        *("data_received", "disconnected", "frames", "handle_connect", "handle_parser_exception"),
        *("handshake_complete", "handshake_initiated", "loop", "queue", "read_paused"),
        *("resume_writing", "scope", "send_receive_event_to_app", "transport", "writable"),
    )
)
HEAD = 6  # bytes before the payload of a client's short frame: two, and the mask
SHORT, MIDDLE = 126, 1 << 16  # lengths from here on are written apart
AT_ONCE = 16  # frames of one socket that are read before others have their turn
AFTER_CLOSE = 256  # frames that may come after a socket was closed from here


class Listener(Protocol):
    """Whoever is told what arrives at a socket."""

    def heard(self, message: str | bytes) -> None:
        """Takes a message."""

    def writable(self) -> None:
        """Is told that the other side reads again."""

    def overheard(self) -> float:
        """Counts a frame that is no message; returns the seconds to wait before it is read."""


class FastSocket(WebSocketsSansIOProtocol):
    """One socket."""

    on_lost: Callable[[], None] | None = None  # called when the connection has ended
    _listener: Listener | None = None
    _inbox: bytearray | None = None  # what came and is not read yet
    _resting: asyncio.Handle | None = None  # goes on reading later
    _full = False  # the listener has enough for now
    _late = 0  # frames that came after the close

    def handle_connect(self, event: Any) -> None:
        """Tells the application that the socket is open."""
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    async def send(self, message: Any) -> None:
        """Sends one message of the application's."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # a refusal is an answer too, and not worth a log line

    def listen(self, listener: Listener) -> None:
        """Hands messages to a listener from now on; `receive` tells only of the end."""
        self._listener = listener
        self.pause_reading(False)

    def leave(self) -> None:
        """Lets go of the listener: two that hold each other are not freed before long."""
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
        self.conn.parser.close()  # a generator that holds its own connection
        if hasattr(self, "scope"):  # there is none after a handshake that nobody understood
            self.scope["extensions"].pop(EXTENSION, None)

    def pause_reading(self, pause: bool) -> None:
        """Stops reading, or goes on."""
        self._full = pause
        if not pause and self._inbox and self._resting is None:
            self._resting = self.loop.call_soon(self._read_on)
        self._regulate()

    def _regulate(self) -> None:
        """Takes no more from the network than is read."""
        pause = self._full or self._resting is not None
        if pause != self.read_paused and not self.transport.is_closing():
            self.read_paused = pause
            (self.transport.pause_reading if pause else self.transport.resume_reading)()

    def data_received(self, data: bytes) -> None:
        """Takes a short message that has come whole at once, and the rest frame by frame."""
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
                pass  # that ends the socket, below
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
            # The handshake was longer than websockets reads; uvicorn would leave its answer unsent.
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def _read_on(self) -> None:
        """Reads a few frames; what costs something is counted first, whatever it is."""
        self._resting = None
        for _ in range(AT_ONCE):
            if not self._inbox or self._full or self.transport.is_closing():
                break
            if self._listener is None and not self.close_sent:
                self._full = True  # until somebody listens
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
        """Hands on a message that uvicorn has read."""
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
        """Returns whether the other side reads what it is told."""
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
        """Ends the socket at once."""
        self.transport.abort()

    def hang_up(self, code: int) -> None:
        """Closes the socket, once what was told is through."""
        if not self.close_sent and not self.transport.is_closing():
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
            self.conn.send_close(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.pause_reading(False)  # for the other side's goodbye
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)

    def resume_writing(self) -> None:
        """Says that there is room again."""
        super().resume_writing()
        if self._listener is not None:
            self._listener.writable()


def fits(protocol: type) -> bool:
    """Returns whether a protocol of uvicorn has all that FastSocket needs."""
    names = set(dir(protocol))
    for kind in protocol.__mro__:
        for member in vars(kind).values():
            names.update(getattr(getattr(member, "__code__", None), "co_names", ()))
    return names >= INTERNALS


# What a server is to use for sockets; "auto" is uvicorn's own choice.
SOCKETS: type[FastSocket] | Literal["auto"] = (
    FastSocket if fits(WebSocketsSansIOProtocol) else "auto"
)


def _size(data: bytearray, most: int) -> int:
    """Returns the bytes that the first frame takes, as far as its head has come.

    A frame that is too long is as long as what is there: whoever reads its head refuses it.
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
    """Begins the frame of a text message; those of a server are not masked."""
    if length < SHORT:
        return bytes((TEXT, length))
    if length < MIDDLE:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")
