"""The short way of messages: whatever shape they come in, they are heard whole and in order."""

import asyncio
import base64
import gc
import json
import os
import socket
import weakref
from collections.abc import Callable, Coroutine
from urllib.parse import urlsplit

import pytest
import uvicorn
from websockets.asyncio.client import connect

from foxden.server.frames import EXTENSION, FastSocket
from foxden.server.requests import Receive, Scope, Send
from tests.server.server import PATIENCE, Person

WHOLE, TEXT, BINARY, CLOSE, PING, PONG = 0x80, 1, 2, 8, 9, 10
MASK = b"\x5a\x00\xa5\x13"


def frame(first: int, payload: bytes, mask: bytes = MASK) -> bytes:
    """Makes a client's frame."""
    if len(payload) < 126:
        head = bytes((first, 0x80 | len(payload)))
    else:
        head = bytes((first, 0x80 | 126)) + len(payload).to_bytes(2, "big")
    return head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


def ping(ref: int, spaces: int = 0) -> bytes:
    return json.dumps({"type": "ping", "ref": ref}).encode() + b" " * spaces


def text(ref: int, spaces: int = 0) -> bytes:
    return frame(WHOLE | TEXT, ping(ref, spaces))


class Raw:
    """A socket, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def frame(self) -> tuple[int, bytes]:
        """Reads one frame of the server."""
        opcode, length = await self.reader.readexactly(2)
        if length >= 126:
            length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
        return opcode & 15, await self.reader.readexactly(length)

    async def until(self, wanted: Callable[[int, bytes], bool]) -> bytes:
        while True:
            opcode, payload = await self.frame()
            if wanted(opcode, payload):
                return payload

    async def refs(self, count: int) -> list[int]:
        """Reads so many pongs of Foxden's, and gives what they answer."""
        found: list[int] = []
        while len(found) < count:
            payload = await self.until(lambda opcode, payload: opcode == TEXT)
            told = json.loads(payload)
            assert told["type"] in ("pong", "sync", "table"), told
            found += [told["ref"]] if told["type"] == "pong" else []
        return found


async def knock(mia: Person) -> Raw:
    """Opens a socket; the server may not have found the table yet."""
    id = mia.open_table("happy-fox", "me", "me")["id"]
    address = urlsplit(mia.served.address)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    lines = [
        f"GET /api/tables/{id}/live HTTP/1.1",
        f"Host: {address.netloc}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        f"Cookie: {mia.cookie}",
    ]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert b" 101 " in head.split(b"\r\n")[0], head
    return Raw(reader, writer)


def run(work: Callable[[], Coroutine[None, None, None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(PATIENCE):
            await work()

    asyncio.run(bounded())


SHAPES = {
    "one frame": [text(1)],
    "two in one packet": [text(1) + text(2)],
    "cut in the head": [text(1)[:1], text(1)[1:]],
    "cut before the mask": [text(1)[:2], text(1)[2:]],
    "cut in the payload": [text(1)[:9], text(1)[9:] + text(2)],
    "a longer one": [text(1, spaces=300)],
    "in pieces": [frame(TEXT, ping(1)[:5]), frame(WHOLE, ping(1)[5:])],
    "in pieces, a ping between": [
        frame(TEXT, ping(1)[:5]),
        frame(WHOLE | PING, b"there?"),
        frame(WHOLE, ping(1)[5:]),
    ],
    "binary": [frame(WHOLE | BINARY, ping(1))],
    "a pong nobody asked for": [frame(WHOLE | PONG, b"x"), text(1)],
    "masked with nothing": [frame(WHOLE | TEXT, ping(1), mask=bytes(4))],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_messages_are_heard_whatever_their_shape(mia: Person, shape: str) -> None:
    async def work() -> None:
        raw = await knock(mia)
        expected = [1, 2] if shape in ("two in one packet", "cut in the payload") else [1]
        for packet in SHAPES[shape]:
            raw.writer.write(packet)
            await asyncio.sleep(0.02)  # so that it comes alone
        assert await raw.refs(len(expected)) == expected
        # Afterwards short messages are heard as before, alone and together.
        raw.writer.write(text(7))
        assert await raw.refs(1) == [7]
        raw.writer.write(text(8) + text(9))
        assert await raw.refs(2) == [8, 9]

    run(work)


def test_what_is_sent_at_once_is_heard_in_order(mia: Person) -> None:
    async def work() -> None:
        raw = await knock(mia)
        raw.writer.write(text(1) + text(2)[:4])
        await asyncio.sleep(0)
        raw.writer.write(text(2)[4:] + text(3))
        assert await raw.refs(3) == [1, 2, 3]

    run(work)


def test_a_ping_of_the_line_is_answered(mia: Person) -> None:
    async def work() -> None:
        raw = await knock(mia)
        raw.writer.write(frame(WHOLE | PING, b"there?"))
        assert await raw.until(lambda opcode, payload: opcode == PONG) == b"there?"

    run(work)


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (frame(WHOLE | TEXT, b'{"type":"ping","\xff":1}'), 1007),
        (frame(TEXT, b'{"type":"ping"') + frame(WHOLE, b"\xff}"), 1007),
        (bytes((WHOLE | TEXT, 2)) + b"{}", 1002),  # not masked
        (frame(WHOLE | TEXT, ping(1, spaces=5000)), 1009),
        (frame(WHOLE | 3, b"what?"), 1002),
    ],
)
def test_a_line_that_breaks_the_rules_is_closed(mia: Person, bad: bytes, code: int) -> None:
    async def work() -> None:
        raw = await knock(mia)
        raw.writer.write(bad)
        payload = await raw.until(lambda opcode, payload: opcode == CLOSE)
        assert int.from_bytes(payload[:2], "big") == code

    run(work)


def test_somebody_who_sends_without_reading_answers_is_slowed_down_and_not_lost(
    mia: Person,
) -> None:
    async def work() -> None:
        raw = await knock(mia)
        raw.writer.write(b"".join(text(ref) for ref in range(1, 201)))
        assert await raw.refs(200) == list(range(1, 201))

    run(work)


class Deaf:
    """Listens, and does nothing."""

    def heard(self, message: str | bytes) -> None:
        pass

    def writable(self) -> None:
        pass

    def overheard(self) -> float:
        return 0.0


@pytest.mark.anyio
@pytest.mark.parametrize("politely", [True, False])
async def test_a_closed_line_is_freed_without_the_garbage_collector(politely: bool) -> None:
    lines: weakref.WeakSet[FastSocket] = weakref.WeakSet()
    conns: weakref.WeakSet[object] = weakref.WeakSet()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        lines.add(scope["extensions"][EXTENSION])
        conns.add(scope["extensions"][EXTENSION].conn)
        scope["extensions"][EXTENSION].listen(Deaf())
        while (await receive())["type"] != "websocket.disconnect":
            pass

    door = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, ws=FastSocket, lifespan="off", log_level="warning"))
    serving = asyncio.create_task(server.serve([door]))
    gc.disable()
    try:
        for _ in range(3):
            client = await connect(f"ws://127.0.0.1:{door.getsockname()[1]}/")
            await client.send("hello")
            assert (len(lines), len(conns)) == (1, 1)
            if politely:
                await client.close()
            else:
                client.transport.abort()
            async with asyncio.timeout(PATIENCE):
                while lines or conns:
                    await asyncio.sleep(0.01)
    finally:
        gc.enable()
        server.should_exit = True
        await serving
