"""Sockets and requests that send whatever comes to mind, while others play: nothing breaks."""

import asyncio
import contextlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
import websockets

import foxden
from foxden.engine import compiled
from foxden.server import metrics
from foxden.server.app import rest
from foxden.server.limits import LONGEST_CHAT, LONGEST_MESSAGE
from foxden.server.store import PersonRow
from foxden.server.tables import Table
from tests.server.inside import Inside, inside
from tests.server.server import Seat

TABLE = "fuzzedfuzz"
FAR = 10**6  # plies that no match gets to
BURST = 120  # messages sent before the answers are read
ODD: list[Any] = [None, True, -1, 0, 1, 2**31, 2**63, 2**64, -(2**70), 1.5, 1e400, "", "0", [], {}]
FIELDS: dict[str, tuple[str, ...]] = {
    "play": ("seat", "ply", "action"),
    "look": ("seat",),
    "say": ("text",),
    "standin": ("seat", "level"),
    "hurry": ("pace",),
    "undo": ("ply",),
}

NAMES = ("happy-fox", "slyest-fox", "me", "bot", "open", "none", "move", "listed", "link", "anyone")
Frame = tuple[str | bytes, bool]  # what is sent, and whether it is sent as text


class Mischief:
    """Makes frames that must not change anything."""

    def __init__(self, dice: random.Random, table: Table, seat: int | None) -> None:
        self.dice = dice
        self.table = table
        self.seat = seat  # of the one who sends, if any

    def frame(self) -> Frame:
        """Makes one frame; all but those that break the socket get exactly one answer."""
        makers: list[Callable[[], Any]] = [
            self.noise, self.cut, self.nested, self.odd_field, self.odd_type, self.mistimed,
            self.mistimed, self.unknown_action, self.not_mine, self.bad_chat, self.pointless,
        ]  # fmt: skip
        made = self.dice.choice(makers)()
        raw = made if isinstance(made, str | bytes) else json.dumps(made)
        as_text = self.dice.random() < 0.8
        return raw, as_text

    def breaking(self) -> Frame:
        """Makes a frame for which the socket is closed."""
        if self.dice.random() < 0.5:
            return "x" * self.dice.randrange(LONGEST_MESSAGE + 1, 3 * LONGEST_MESSAGE), True
        return b"\xff\xfe\xfa", True

    def noise(self) -> str:
        signs = [chr(self.dice.randrange(1, 0x2FFF)) for _ in range(self.dice.randrange(60))]
        return "".join(signs)

    def cut(self) -> str:
        whole = json.dumps(self.mistimed())
        at = self.dice.randrange(len(whole))
        return whole[:at] if self.dice.random() < 0.5 else whole[:at] + self.noise() + whole[at:]

    def nested(self) -> str:
        depth = self.dice.randrange(1, LONGEST_MESSAGE // 8)
        return self.dice.choice(('{"type":', "[")) * depth

    def odd_field(self) -> dict[str, Any]:
        """Returns some field a value that it cannot have."""
        type = self.dice.choice(list(FIELDS))
        broken = "ply" if type == "play" else FIELDS[type][0]
        value = self.dice.choice([-1, 2**64, 1.5, [], {}])
        ref = self.dice.choice(ODD)
        return {"type": type, "ref": ref} | dict.fromkeys(FIELDS[type], FAR) | {broken: value}

    def odd_type(self) -> Any:
        message = {"type": self.dice.choice([*ODD, "sync", "done", "PLAY", "нет"])}
        return self.dice.choice([message, [message], message["type"], {"ref": 3}])

    def mistimed(self) -> dict[str, Any]:
        """Plays something, legal or not, in a position of the past or of a far future."""
        ply = self.dice.choice([-1, self.table.ply - 1 - self.dice.randrange(20), FAR])
        seat = self.dice.choice([self.seat, 0, 1, 7, -3])
        action = self.dice.randrange(-2, self.table.game.actions + 3)
        return {"type": "play", "ref": 5, "seat": seat, "ply": ply, "action": action}

    def unknown_action(self) -> dict[str, Any]:
        action = self.dice.choice([-1, self.table.game.actions, 10**9])
        seat = self.seat or 0
        return {"type": "play", "seat": seat, "ply": self.table.ply, "action": action}

    def not_mine(self) -> dict[str, Any]:
        """Plays, looks and stands in for another seat, with what would be legal for it."""
        seat = self.dice.choice([s for s in range(len(self.table.row.seats)) if s != self.seat])
        legal = self.table.match.legal() if self.table.match else ()
        action = self.dice.choice(legal).id if legal else 0
        return self.dice.choice([
            {"type": "play", "seat": seat, "ply": self.table.ply, "action": action},
            {"type": "look", "seat": seat},
            {"type": "standin", "seat": seat, "level": 1},
            {"type": "standin", "seat": self.seat or 0, "level": 9},
        ])  # fmt: skip

    def bad_chat(self) -> dict[str, Any]:
        text = self.dice.choice(["", "   ", "\0", "a\u2028\u202eb\x07", "x" * (LONGEST_CHAT + 1)])
        return {"type": "say", "text": text, "ref": -7}

    def pointless(self) -> dict[str, Any]:
        """Asks for what is allowed, and does nothing."""
        hint = [{"type": "hint"}] if self.seat is None else []
        return self.dice.choice([{"type": "ping", "ref": 2**40}, *hint])


class Requests:
    """Makes requests of all kinds, from what the schema says there is."""

    def __init__(self, dice: random.Random, cookies: list[str], tables: list[str]) -> None:
        self.dice = dice
        self.cookies = cookies
        self.tables = tables
        schema = rest().openapi()
        self.paths = list(schema["paths"].items())
        models = schema["components"]["schemas"].values()
        self.fields = sorted({name for model in models for name in model.get("properties", ())})

    def request(self) -> bytes:
        """Makes one request; the server may close the connection after its answer."""
        if self.dice.random() < 0.02:
            return self.dice.randbytes(self.dice.randrange(1, 200)) + b"\r\n\r\n"
        path, methods = self.dice.choice(self.paths)
        method = self.dice.choice([*map(str.upper, methods), "GET", "POST", "DELETE", "PUT", "X"])
        path = re.sub(r"\{\w+\}", lambda _: quote(str(self.word()), safe="%"), path)
        if self.dice.random() < 0.3:
            query = [(self.dice.choice(("key", "seat", "open", "x")), self.word())]
            path += "?" + "&".join(f"{name}={quote(str(value))}" for name, value in query)
        body = b"" if method == "GET" and self.dice.random() < 0.9 else self.body()
        kind = self.dice.choice(["application/json"] * 4 + ["text/plain", "x", "a/b; charset=x"])
        headers = {"Host": "x", "Content-Length": str(len(body)), "Content-Type": kind}
        if self.dice.random() < 0.6:
            headers["Cookie"] = self.dice.choice([*self.cookies, "foxden=", 'foxden="\\"', ";;="])
        if self.dice.random() < 0.1:
            headers["Origin"] = self.dice.choice(["http://x", "null", "http://[", "https://y"])
        if self.dice.random() < 0.1:
            headers["X-Forwarded-For"] = self.dice.choice(["1.2.3.4", "::1", "x", ",,", "9" * 300])
        if self.dice.random() < 0.1:
            headers["Accept-Encoding"] = self.dice.choice(["gzip", "\x80", "*"])
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {headers[name]}" for name in headers)]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body

    def word(self) -> Any:
        """Makes something to stand in a path, a query or a field."""
        odd = ["..", "%00", "%ff", "\u202e", "x" * 300, "a/b", "-1", "1e9", "0x1", "null", 2**70]
        return self.dice.choice([*self.tables, *NAMES, *odd, 0, 1, 7, 63, 64])

    def body(self) -> bytes:
        """Makes a body: mostly JSON with fields that somebody knows."""
        luck = self.dice.random()
        if luck < 0.1:
            return self.dice.randbytes(self.dice.randrange(100))
        if luck < 0.15:
            return self.dice.choice((b"[", b'{"a":', b'"\\', b"1")) * self.dice.randrange(1, 9000)
        made = json.dumps(self.value(0)).encode()
        if luck < 0.25:
            made = made[: self.dice.randrange(len(made) + 1)]
        return made

    def value(self, depth: int) -> Any:
        """Makes a value that JSON can hold, and some that it should not."""
        luck = self.dice.random()
        if depth < 3 and (depth == 0 or luck < 0.3):
            names = self.dice.sample(self.fields, self.dice.randrange(1, 7))
            return {name: self.value(depth + 1) for name in [*names, *self.odd_names()]}
        if depth < 4 and luck < 0.45:
            return [self.value(depth + 1) for _ in range(self.dice.randrange(5))]
        texts = ["Mia", "\ud800", "\0", "x" * 5000, "\u202e", "☃", "1", float("nan"), 1e308]
        return self.dice.choice([*ODD, *texts, *NAMES, *self.tables, 2, 3, 5])

    def odd_names(self) -> list[str]:
        return self.dice.choice([[]] * 9 + [["\udfff"], ["x" * 3000], [""], ["__proto__"]])


class Fuzz:
    """People who play a table on and on, and others who send mischief to it."""

    def __init__(self, server: Inside, messages: int, requests: int = 0) -> None:
        self.server = server
        self.left = messages
        self.requests = requests
        self.answers: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.played: dict[int, tuple[int, int]] = {}
        self.whole = 0  # matches played to their end
        self.asking: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        mia, ben, eve = await self.server.arrive("Mia", "Ben", "Eve")
        number = 0
        while self.left > 0:
            number += 1
            table = await self.server.open_table(
                f"{TABLE}{number}", "happy-fox", [mia, ben], seed=number
            )
            self.played = {}
            senders = [
                asyncio.create_task(self.send(table, who, seat, random.Random(f"{number} {n}")))
                for n, (who, seat) in enumerate([(mia, 0), (ben, 1), (eve, None), (None, None)])
            ]
            seats = [self.play(table, who, seat) for seat, who in enumerate((mia, ben))]
            await asyncio.gather(*seats)
            for sender in senders:
                sender.cancel()
            for ended in await asyncio.gather(*senders, return_exceptions=True):
                if isinstance(ended, Exception):
                    self.wrong.append(f"a sender broke off: {ended!r}")
            await self.check(table)

    async def ask_all(self) -> None:
        """Makes requests of all kinds over a few connections."""
        eve, zoe = await self.server.arrive("Eve", "Zoe")
        tables = [(await self.server.open_table(f"asked{n}", "happy-fox", [zoe, zoe])).row.id
                  for n in range(3)]  # fmt: skip
        cookies = [self.server.cookie(person)["Cookie"] for person in (eve, zoe)]
        for number in range(4):
            dice = random.Random(f"requests {number}")
            self.asking.append(asyncio.create_task(self.ask(Requests(dice, cookies, tables))))
        await asyncio.gather(*self.asking)

    async def ask(self, made: Requests) -> None:
        at = urlsplit(self.server.address)
        reader = writer = None
        while self.requests > 0:
            self.requests -= 1
            if writer is None or reader is None or writer.is_closing() or reader.at_eof():
                reader, writer = await asyncio.open_connection(at.hostname, at.port)
            request = made.request()
            try:
                writer.write(request)
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
                body = await self.rest_of(reader, head, request)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.answers["hung up"] += 1
                writer.close()
                writer = None
                continue
            status = int(head[9:12])
            self.answers[f"status {status}"] += 1
            if status >= 500 or (status >= 400 and b"json" in head and not json.loads(body)):
                self.wrong.append(f"{request[:2000]!r}: {head!r}{body[:500]!r}")
            if b"connection: close" in head.lower() or status == 400:
                writer.close()
                writer = None

    @staticmethod
    async def rest_of(reader: asyncio.StreamReader, head: bytes, request: bytes) -> bytes:
        length = re.search(rb"(?i)content-length: (\d+)", head)
        if length is None or request.startswith(b"HEAD"):
            chunked = b"chunked" in head.lower()
            return (await reader.readuntil(b"0\r\n\r\n")) if chunked else b""
        return await reader.readexactly(int(length[1]))

    async def play(self, table: Table, who: PersonRow, mine: int) -> None:
        """Plays a seat to the end, not faster than mischief is made."""
        dice = random.Random(mine)
        async with self.server.connect(table.row.id, who, mine) as socket:
            seat = Seat(socket)
            await seat.expect("sync")
            while not seat.is_over:
                if not (seat.view and seat.view["legal"]):
                    await seat.take()
                    continue
                before = self.left
                while self.left > before - 20 and self.left > 0:
                    await asyncio.sleep(0.002)
                ply, action = seat.ply, dice.choice(seat.view["legal"])["id"]
                answer = await seat.play(action)
                if answer["type"] != "done":
                    self.wrong.append(f"a legal action was answered by {answer}")
                    return
                self.played[ply + 1] = (mine, action)
                while seat.ply <= ply:
                    await seat.take()

    async def send(
        self, table: Table, who: PersonRow | None, seat: int | None, dice: random.Random
    ) -> None:
        """Sends bursts of mischief, over as many sockets as it takes."""
        mischief = Mischief(dice, table, seat)
        while self.left > 0:
            async with self.server.connect(table.row.id, who, seat) as socket:
                await socket.recv()
                with contextlib.suppress(websockets.ConnectionClosed):
                    for _ in range(dice.randrange(1, 12)):
                        await self.burst(socket, mischief, dice)
                    frame, as_text = mischief.breaking()
                    await socket.send(frame, text=as_text)
                    self.left -= 1
                    while True:
                        await socket.recv()
            if socket.close_code not in (1007, 1009):
                self.wrong.append(f"closed with {socket.close_code} {socket.close_reason}")
            self.answers[f"closed {socket.close_code}"] += 1

    async def burst(self, socket: Any, mischief: Mischief, dice: random.Random) -> None:
        frames = [mischief.frame() for _ in range(dice.choice((1, 3, BURST)))]
        for frame, as_text in frames:
            await socket.send(frame, text=as_text)
        unanswered = len(frames)
        self.left -= unanswered
        while unanswered:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            if message["type"] in ("sync", "update", "table"):
                continue
            unanswered -= 1
            if message["type"] == "refused":
                problem = message["problem"]
                self.answers[problem["type"]] += 1
                if not (400 <= problem["status"] < 500 and problem["detail"]):
                    self.wrong.append(f"{message}")
            elif message["type"] == "pong":
                self.answers["pong"] += 1
            else:
                self.wrong.append(f"mischief was answered by {message}")

    async def check(self, table: Table) -> None:
        """Sees that what was played legally, and nothing else, has happened."""
        store = self.server.hub.store
        # A table that nobody looks at may have been dropped, and loaded again by the first socket.
        table = await self.server.hub.find(table.row.id) or table
        moves = await store.moves(table.row.id)
        assert {move.ply: (move.seat, move.action) for move in moves} == self.played
        assert await store.chat(table.row.id) == []
        row = await store.table(table.row.id)
        assert row is not None
        assert row.status == "over"
        assert [(seat.kind, seat.level) for seat in row.seats] == [("person", None)] * 2
        assert foxden.Match.from_record(table.match.record()).scores == row.scores  # type: ignore[union-attr]
        self.whole += 1


def fuzz(data: Path, messages: int, requests: int) -> Fuzz:
    compiled.prepare(foxden.game("happy-fox"))
    before = metrics.FAULTS._value.get()

    async def run() -> tuple[Fuzz, list[str]]:
        async with inside(data) as server:
            found = Fuzz(server, messages, requests)
            await asyncio.gather(found.run(), found.ask_all())
            return found, server.faults

    found, faults = asyncio.run(run())
    assert found.wrong == []
    assert faults == []  # no task died unheard
    assert metrics.FAULTS._value.get() == before
    return found


def test_mischief_is_refused_and_the_match_goes_on(tmp_path: Path) -> None:
    found = fuzz(tmp_path, 3_000, 1_500)
    kinds = {name.removeprefix("/problems/") for name in found.answers}
    assert kinds >= {
        "bad-message", "stale-ply", "forbidden", "unknown-action", "bad-request", "nobody",
        "closed 1007", "closed 1009", "pong", "status 200", "status 400", "status 401",
        "status 404", "status 405", "status 422",
    }  # fmt: skip


@pytest.mark.slow
def test_much_mischief_is_refused_and_matches_go_on(tmp_path: Path) -> None:
    found = fuzz(tmp_path, 50_000, 20_000)
    assert sum(found.answers.values()) >= 69_000
