"""Sockets by plain ASGI, where uvicorn lacks the internals of the short way."""

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
import websockets
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

import foxden
from foxden.server import frames
from foxden.server.asgi import AsgiSocket
from tests.server.server import PATIENCE, Person, Served, serving

# What an older uvicorn comes to.
OLDER = """
from foxden.server import frames
frames.SOCKETS = "auto"
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "sitecustomize.py").write_text(OLDER)
    with serving(folder / "data", FOXDEN_LIMITS="false", PYTHONPATH=str(folder)) as one:
        yield one


def test_the_short_way_is_taken_only_with_all_that_it_uses() -> None:
    assert frames.fits(WebSocketsSansIOProtocol)
    assert frames.SOCKETS is frames.FastSocket
    assert not frames.fits(object)
    lacking = type("Older", (), {"__init__": lambda self: setattr(self, "queue", None)})
    assert not frames.fits(lacking)


def test_two_people_and_a_bot_play_a_whole_match(plain: Served) -> None:
    mia, ben = Person(plain, "Mia"), Person(plain, "Ben")
    table = mia.open_table("happy-fox", "me", "open", "bot:1")
    key = table["invite"].split("key=")[1]
    assert ben.post(f"/tables/{table['id']}/seats/1", {"kind": "me"}, key=key).status_code == 200

    async def match() -> None:
        async with mia.sit(table["id"]) as one, ben.sit(table["id"]) as two:
            assert mia.post(f"/tables/{table['id']}/start").json()["status"] == "running"
            dice = random.Random(1)
            await asyncio.gather(one.play_on(dice), two.play_on(dice))
            assert one.view is not None
            replayed = foxden.Match.from_record(ben.get(f"/tables/{table['id']}/record").text)
            assert list(replayed.scores) == one.view["scores"]
            assert (replayed.log(0), replayed.log(1)) == (one.log, two.log)

    asyncio.run(match())
    assert "Traceback" not in plain.log.read_text()


def test_messages_are_answered_in_order_and_refused_with_a_reason(plain: Served) -> None:
    mia = Person(plain)
    table = mia.open_table("happy-fox", "me", "me")["id"]

    async def talk() -> None:
        async with mia.sit(table) as seat:
            for ref in range(1, 201):
                await seat.socket.send(json.dumps({"type": "ping", "ref": ref}).encode())
            found = [(await seat.expect("pong"))["ref"] for _ in range(200)]
            assert found == list(range(1, 201))
            answer = await seat.ask("play", seat=7, ply=0, action=1)
            assert answer["problem"]["type"] == "/problems/bad-request"

    asyncio.run(talk())


def test_no_table_is_a_refusal_and_a_stop_is_a_goodbye(tmp_path: Any) -> None:
    (tmp_path / "sitecustomize.py").write_text(OLDER)
    with serving(tmp_path / "data", PYTHONPATH=str(tmp_path)) as one:
        mia = Person(one)
        table = mia.open_table("happy-fox", "me", "me")["id"]

        async def leave() -> None:
            async with mia.connect("nowhere") as socket:
                refused = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
                assert refused["problem"]["status"] == 404
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await asyncio.wait_for(socket.recv(), PATIENCE)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4404
            async with mia.sit(table) as seat:
                one.process.terminate()
                assert (await seat.expect("bye"))["seconds"] > 0
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await seat.take()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1012

        asyncio.run(leave())
        assert one.stop() == 0
        assert "Traceback" not in one.log.read_text()


class Deaf:
    """Counts what it is told."""

    def __init__(self) -> None:
        self.messages: list[str | bytes] = []
        self.free = 0

    def heard(self, message: str | bytes) -> None:
        self.messages.append(message)

    def writable(self) -> None:
        self.free += 1

    def overheard(self) -> float:
        return 0.0


@pytest.mark.anyio
async def test_a_line_waits_for_a_slow_reader_and_stops_reading_when_told() -> None:
    room, sent, coming = asyncio.Event(), [], asyncio.Queue[dict[str, Any]]()

    async def send(message: dict[str, Any]) -> None:
        await room.wait()
        sent.append(message)

    line, listener = AsgiSocket(coming.get, send), Deaf()
    line.listen(listener)
    assert line.is_writable
    line.tell([b"one", b"two"])
    assert not line.is_writable
    room.set()
    async with asyncio.timeout(PATIENCE):
        while not listener.free:
            await asyncio.sleep(0)
    assert line.is_writable
    assert [message["text"] for message in sent] == ["one", "two"]

    coming.put_nowait({"type": "websocket.receive", "text": "hello"})
    line.pause_reading(True)
    reading = asyncio.create_task(line.receive())
    await asyncio.sleep(0.02)
    assert not listener.messages
    line.pause_reading(False)
    assert (await reading)["type"] == "websocket.receive"
    assert listener.messages == ["hello"]

    reading = asyncio.create_task(line.receive())
    await asyncio.sleep(0)
    line.abort()
    assert (await reading)["type"] == "websocket.disconnect"
    with pytest.raises(ClientDisconnected):
        line.tell([b"too late"])
