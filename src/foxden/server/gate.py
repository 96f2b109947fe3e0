"""The gate: counts, limits and slows connections before anything parses their data.

Limits apply per remote address. A trusted reverse proxy carries many clients, so it is exempt and
has limits of its own.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import h11
import structlog
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from foxden.server.config import Config
from foxden.server.frames import FastSocket
from foxden.server.rates import Bucket, Rate
from foxden.server.requests import network

log = structlog.get_logger()
MOST_FILES = 1 << 16  # open files requested; the system may allow fewer
RESERVE = 128  # files kept for the store, the listening socket, pipes and threads
SHARE = 4  # one address has at most a quarter of all connections
HALF_OPEN = 128  # idle connections of one address
WHILE = 2.0  # seconds until a connection is idle; a class arriving at once does not evict itself
HEADERS = 10.0  # seconds in which a request's head has to arrive
STUCK = 20.0  # seconds before an unread response is dropped
LONGEST_HEAD = 16 * 1024  # bytes of a request before its body
READS = Rate(50, 300)  # packets that are read from one address
PACKET = 4096  # bytes; what is longer counts as several
ARRIVALS = Rate(1000, 200)  # connections that are taken from one address
TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: application/problem+json\r\n"
    b"Connection: close\r\nContent-Length: 0\r\n\r\n"
)
TICK = 0.01  # seconds between checks of delayed packets


def raise_file_limit() -> int:
    """Raises the limit of open files as far as the system allows, and returns it."""
    if sys.platform == "win32":  # no such limit here
        return MOST_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return MOST_FILES if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError) as error:
        log.warning("the limit of open files stays", files=soft, why=str(error))
        return soft
    return most


@dataclass
class Caller:
    """All connections of one address."""

    open: int = 0
    half_open: dict[Connection, None] = field(default_factory=dict)  # oldest first
    held: deque[Connection] = field(default_factory=deque)  # those with delayed packets
    reads: Bucket = field(default_factory=lambda: Bucket(READS))
    arrivals: Bucket = field(default_factory=lambda: Bucket(ARRIVALS))
    gone: float = 0.0  # when its last connection was closed


class Gate:
    """Tracks every connection of this process."""

    def __init__(self, config: Config, files: int) -> None:
        """Divides the files that may be open among addresses."""
        self._on = config.limits
        self.most = max(64, files - RESERVE)
        self.most_each = max(16, min(config.connections_per_address, self.most // SHARE))
        # Nothing is served by it; it alone knows how `proxies` is read.
        self._proxies = ProxyHeadersMiddleware(_nothing, config.proxies).trusted_hosts
        self._callers: dict[str, Caller] = {}
        self._open = 0
        self._holding: dict[str, Caller] = {}  # those with packets that wait
        self._ticking = False
        self._stuck: dict[Connection, float] = {}
        self.refused = 0

    def caller(self, peer: Any) -> str | None:
        """Returns by what a connection is counted; None for a proxy, and where limits are off."""
        host = peer[0] if isinstance(peer, tuple | list) and peer else ""
        if not self._on or host in self._proxies:
            return None
        return network(host)

    def enter(self, connection: Connection) -> bool:
        """Counts a connection, or returns that there are too many."""
        if connection.address is None:
            return True
        caller = self._callers.get(connection.address)
        if caller is None:
            caller = self._callers[connection.address] = Caller()
        if caller.arrivals.take(ARRIVALS):
            self.refused += 1
            return False
        if caller.open >= self.most_each and not _drop_oldest(caller):
            self.refused += 1
            return False
        if self._open >= self.most and not self._make_room():
            self.refused += 1
            return False
        caller.open += 1
        self._open += 1
        self.waits(connection)
        return True

    def _make_room(self) -> bool:
        """Drops a connection that asks for nothing, of the address that has most of those."""
        worst = max(self._callers.values(), key=lambda caller: len(caller.half_open))
        return _drop_oldest(worst)

    def closed(self, address: str) -> None:
        """Counts a connection that has ended."""
        caller = self._callers[address]
        caller.open -= 1
        self._open -= 1
        caller.gone = time.monotonic()

    def waits(self, connection: Connection) -> None:
        """Notes a connection with an unfinished request head; too many evict the oldest."""
        caller = self._callers.get(connection.address or "")
        if caller is None or connection in caller.half_open:
            return
        caller.half_open[connection] = None
        if len(caller.half_open) > HALF_OPEN:
            oldest = next(iter(caller.half_open))
            if time.monotonic() - oldest.since > WHILE:
                oldest.abort()

    def asked(self, connection: Connection) -> None:
        """Notes whether a connection has unread data."""
        if (caller := self._callers.get(connection.address or "")) is not None:
            caller.half_open.pop(connection, None)

    def may_read(self, connection: Connection, size: int) -> bool:
        """Returns whether a packet may be read now; one that may not is read later."""
        caller = self._callers.get(connection.address or "")
        if caller is None or (not caller.held and not caller.reads.take(READS, 1 + size // PACKET)):
            return True
        caller.held.append(connection)
        self._holding[connection.address or ""] = caller
        if not self._ticking:
            self._ticking = True
            asyncio.get_running_loop().call_later(TICK, self._tick)
        return False

    def _tick(self) -> None:
        for address, caller in list(self._holding.items()):
            while caller.held and not caller.reads.take(READS, 1 + caller.held[0].held // PACKET):
                caller.held.popleft().go_on()
            if not caller.held:
                del self._holding[address]
        self._ticking = bool(self._holding)
        if self._ticking:
            asyncio.get_running_loop().call_later(TICK, self._tick)

    def stuck(self, connection: Connection, is_stuck: bool) -> None:
        """Notes whether a client reads what it is sent."""
        if is_stuck:
            self._stuck.setdefault(connection, time.monotonic())
        else:
            self._stuck.pop(connection, None)

    def sweep(self, now: float) -> None:
        """Drops late connections, and forgets addresses without recent connections."""
        for address, caller in list(self._callers.items()):
            for connection in list(caller.half_open):
                if now - connection.since >= HEADERS:
                    connection.abort()
            if not caller.open and now - caller.gone > ARRIVALS.burst / ARRIVALS.per_second:
                del self._callers[address]
        for connection, since in list(self._stuck.items()):
            if now - since > STUCK:
                connection.abort()


async def _nothing(*_: Any) -> None:
    pass


def _drop_oldest(caller: Caller) -> bool:
    for connection in caller.half_open:
        connection.abort()
        return True
    return False


class Connection(H11Protocol):
    """One uvicorn HTTP connection behind the gate."""

    def __init__(self, *args: Any, gate: Gate, **more: Any) -> None:
        """Keeps the gate."""
        super().__init__(*args, **more)
        self.gate = gate
        self.address: str | None = None
        self.is_in = False
        self.since = 0.0  # when the head of a request began, or might have; 0 after its end
        self._held: bytes | None = None  # data received while this address is delayed
        self._head = 0  # bytes of the head received so far

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accepts a connection, or closes it before it costs anything."""
        self.address = self.gate.caller(transport.get_extra_info("peername"))
        self.since = time.monotonic()
        self.is_in = self.gate.enter(self)
        if self.is_in:
            super().connection_made(transport)
        else:
            self.transport = transport
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._leave()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def _leave(self, *, closed: bool = True) -> None:
        if self.is_in:
            self.is_in = False
            self._held = None
            self.gate.asked(self)
            self.gate.stuck(self, False)
            if closed and self.address is not None:
                self.gate.closed(self.address)

    def abort(self) -> None:
        """Ends the connection at once."""
        self._leave()
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Reads a packet, now or when this address may."""
        if not self.is_in:
            return
        if self._held is not None:
            self._held += data
        elif self.address is None or self.gate.may_read(self, len(data)):
            self._read(data)
        else:
            self._held = data
            self.gate.asked(self)
            self.transport.pause_reading()

    @property
    def held(self) -> int:
        """Counts the bytes that wait to be read."""
        return len(self._held or b"")

    def go_on(self) -> None:
        """Reads what was held back."""
        data, self._held = self._held, None
        if data is not None and not self.transport.is_closing():
            if not self.flow.read_paused:
                self.transport.resume_reading()
            self._read(data)

    def _read(self, data: bytes) -> None:
        if self._is_idle and self.conn.their_state is h11.IDLE and not self._fits(data):
            self.transport.write(TOO_LONG)
            self.transport.close()
            return
        super().data_received(data)
        if not self.is_in:
            return
        if self._is_idle:
            self.since = self.since or time.monotonic()
            self.gate.waits(self)
        else:
            self.since = 0.0
            self._head = 0
            self.gate.asked(self)

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _fits(self, data: bytes) -> bool:
        """Returns whether a head is short enough; h11 checks only heads in several packets."""
        self._head += len(data)
        return self._head <= LONGEST_HEAD or b"\r\n\r\n" in data[:LONGEST_HEAD]

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hands the connection to a FastSocket, which reports its end."""
        self._leave(closed=False)
        super().handle_websocket_upgrade(event)
        if self.address is None:
            return
        line = self.transport.get_protocol()
        if isinstance(line, FastSocket):
            line.on_lost = partial(self.gate.closed, self.address)
        else:  # uvicorn's own socket does not report; count it as a socket only
            self.gate.closed(self.address)

    def pause_writing(self) -> None:
        """Notes that the client stopped reading."""
        super().pause_writing()
        self.gate.stuck(self, True)

    def resume_writing(self) -> None:
        """Notes that the client reads again."""
        super().resume_writing()
        self.gate.stuck(self, False)
