"""A table's socket: handles a client's messages and sends it updates.

Plain ASGI: on this path every layer costs moves a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections import deque
from typing import Any
from urllib.parse import parse_qs

import msgspec
import structlog
from uvicorn.protocols.utils import ClientDisconnected

from foxden.engine.errors import FoxdenError
from foxden.engine.native import digits
from foxden.server import metrics, seating
from foxden.server.asgi import AsgiSocket
from foxden.server.audience import News
from foxden.server.frames import EXTENSION, FastSocket
from foxden.server.hub import Hub
from foxden.server.limits import LONGEST_CHAT
from foxden.server.messages import (
    Bye,
    Done,
    FromPeople,
    Hint,
    HintedMove,
    Hints,
    Hurry,
    Look,
    Message,
    Ping,
    Play,
    Pong,
    Problem,
    Refused,
    Say,
    Standin,
    Undo,
    encode,
)
from foxden.server.messages import Table as TableMessage
from foxden.server.problems import Refusal, bad_field, conflict, forbidden, not_found, problem
from foxden.server.requests import Asker, Receive, Scope, Send, address, asker, refuse_foreign
from foxden.server.store import PersonRow
from foxden.server.tables import Table
from foxden.server.thinking import Owner

log = structlog.get_logger()
decode = msgspec.json.Decoder(FromPeople).decode
PATH = re.compile(r"/api/tables/([a-z0-9]{1,32})/live")
WAITING = 8  # messages of one socket that may queue before reading stops
BACKLOG = 256  # messages that may queue for a socket that reads slowly
PATIENCE = 20.0  # seconds until a socket that does not read at all is dropped


class _Ref(msgspec.Struct):
    """The reference of a message that cannot be decoded, so the error can name it."""

    ref: int = 0


async def live(hub: Hub, scope: Scope, receive: Receive, send: Send) -> None:
    """Serves one socket from handshake to close."""
    await receive()  # websocket.connect
    at = address(scope)
    counted: list[str] = []
    wire: FastSocket | AsgiSocket | None = (scope.get("extensions") or {}).get(EXTENSION)
    if wire is None:
        wire = AsgiSocket(receive, send)
        receive = wire.receive
    try:
        try:
            hub.limits.spend("traffic", at)
            async with hub.limits.turn(at) as turn:
                socket = await turn.timed(_admit(hub, scope, send, counted, wire))
        except FoxdenError as error:
            await _turn_away(scope, send, problem(error))
            await receive()  # until the client disconnects
            return
        if socket is not None:
            with metrics.SOCKETS.track_inprogress():
                await socket.run(receive)
    finally:
        hub.limits.remove_sockets(counted)


async def _admit(
    hub: Hub, scope: Scope, send: Send, counted: list[str], wire: FastSocket | AsgiSocket
) -> Socket | None:
    """Accepts the handshake and finds the table; raises refusals before it, sends later ones."""
    refuse_foreign(scope, hub.config)
    who = await asker(scope, hub)
    hub.limits.spend("connect", who.key)
    counted += hub.limits.add_socket(who.person.id if who.person else None, who.address)
    found = PATH.fullmatch(scope["path"])
    query = parse_qs(scope["query_string"].decode("latin-1"))
    await send({"type": "websocket.accept"})
    try:
        return await _enter(hub, who, found[1] if found else "", query, wire)
    except FoxdenError as error:
        told = problem(error)
        metrics.REFUSALS.labels(told.type).inc()
        await _send(send, Refused(0, told))
        await send({"type": "websocket.close", "code": 4000 + told.status})
        return None


async def _turn_away(scope: Scope, send: Send, told: Problem) -> None:
    """Refuses a handshake with a problem."""
    metrics.REFUSALS.labels(told.type).inc()
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": 4000 + told.status})
        return
    headers = [(b"content-type", b"application/problem+json")]
    start = {"type": "websocket.http.response.start", "status": told.status, "headers": headers}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": encode(told)})


async def _enter(
    hub: Hub, who: Asker, id: str, query: dict[str, list[str]], wire: FastSocket | AsgiSocket
) -> Socket:
    """Finds the table and the seat that a socket requests."""
    hub.check_open()
    table = await hub.find(id)
    invited = hub.people.is_invited(id, query.get("key", [""])[0])
    if table is None or not seating.may_see(table.row, who.person, invited):
        raise not_found("table")
    if not seating.may_watch(table.row, who.person, invited):
        raise forbidden("Only players can watch this table.")
    mine = seating.seats_of(table.row, who.person)
    seat = mine[0] if mine else None
    if "seat" in query:
        seat = digits(query["seat"][0])
        if seat is None:
            raise bad_field("seat", "A seat is a number.")
        seating.my_seat(table.row, who.person, seat)
    return Socket(hub, table, who, seat, invited, wire)


async def _send(send: Send, message: Message) -> None:
    await send({"type": "websocket.send", "text": encode(message).decode()})


class Socket:
    """One open socket: answers messages in order, and sends what is queued in one write."""

    def __init__(
        self,
        hub: Hub,
        table: Table,
        who: Asker,
        seat: int | None,
        invited: bool,
        wire: FastSocket | AsgiSocket,
    ) -> None:
        """Starts with a Sync queued."""
        self.hub = hub
        self.table = table
        self.person: PersonRow | None = who.person
        self.key = who.key
        self.address = who.address
        self.device = who.device
        self.seat = seat
        self.invited = invited
        self._wire = wire
        self._loop = asyncio.get_running_loop()
        self._heard: deque[str | bytes] = deque()  # arrived while another is being answered
        self._answerer: asyncio.Task[None] | None = None  # from the first message on
        self._rest: asyncio.Future[None] | None = None  # the answerer waits for a message
        self._left = False  # nothing more will be heard
        self._queue: deque[bytes | News] = deque()  # waiting to be sent
        self._told = -1  # the position sent last
        self._telling = False  # a send is scheduled for this turn of the loop
        self._stuck = 0.0  # since when the client has not read; 0 if it reads
        self._code: int | None = None  # close code, once the queue is sent
        self._hinting = False

    async def run(self, receive: Receive) -> None:
        """Serves the socket until it closes."""
        self.table.join(self)
        self.push("sync")
        self._wire.listen(self)
        try:
            while (await receive())["type"] != "websocket.disconnect":
                pass
        finally:
            self._left = True
            self._wake()
            self._wire.leave()
            self.table.part(self)

    # Sending

    def push(self, news: News) -> None:
        """Queues news; the message is written from the state at the time of sending."""
        if news == "sync" and "update" in self._queue:
            self._queue.remove("update")  # it may describe moves that were taken back
        if news not in self._queue:
            self._queue.append(news)
            self._tell_soon()

    def tell(self, message: bytes) -> None:
        """Queues a message."""
        self._queue.append(message)
        if len(self._queue) > BACKLOG:
            self.dismiss("This socket reads too slowly.")
        self._tell_soon()

    def dismiss(self, reason: str, seconds: float = 0.0) -> None:
        """Sends a goodbye and closes the socket."""
        if self._code is None:
            self._code = 1012 if seconds else 4000
            self._queue.append(encode(Bye(reason, seconds)))
            self._tell_soon()

    def check_pulse(self, now: float) -> None:
        """Drops the socket if it has not read for too long."""
        if self._stuck and now - self._stuck > PATIENCE:
            self._wire.abort()

    def writable(self) -> None:
        """Resumes sending."""
        self._stuck = 0.0
        self._tell_soon()

    def _tell_soon(self) -> None:
        """Schedules a send at the end of this turn of the loop, so messages share one write."""
        if not self._telling:
            self._telling = True
            self._loop.call_soon(self._tell_now)

    def _tell_now(self) -> None:
        self._telling = False
        wire, queue = self._wire, self._queue
        if not wire.is_writable:
            self._stuck = self._stuck or time.monotonic()
            return
        try:
            messages = []
            while queue:
                item = queue.popleft()
                message = item if isinstance(item, bytes) else self._made(item)
                if message is not None:
                    messages.append(message)
            if messages:
                wire.tell(messages)
            if self._code is not None:
                wire.hang_up(self._code)
        except ClientDisconnected:
            pass  # `receive` reports it too
        except Exception:
            metrics.FAULTS.inc()
            log.exception("telling failed", table=self.table.row.id)
            wire.abort()

    def _made(self, news: News) -> bytes | None:
        table = self.table
        if news == "update":
            told, self._told = self._told, table.ply
            if told < 0 or told >= table.ply:
                return None  # a Sync has covered it, or will
            return table.viewer(self.seat).update(told, table.clock)
        if news == "sync":
            if self.seat is not None and not seating.is_mine(table.row, self.person, self.seat):
                self.seat = None
            sync = table.sync(self.person, self.seat, self.invited)
            self._told = table.ply if sync.view is not None else -1
            return encode(sync)
        return encode(TableMessage(table.info(self.person, self.invited)))

    # Receiving

    def heard(self, message: str | bytes) -> None:
        """Queues a message; messages are answered in order."""
        self._heard.append(message)
        if len(self._heard) >= WAITING:
            self._wire.pause_reading(True)
        if self._answerer is None:
            self._answerer = self.hub.tasks.spawn(self._answer_all())
        else:
            self._wake()

    def _wake(self) -> None:
        if self._rest is not None and not self._rest.done():
            self._rest.set_result(None)

    def overheard(self) -> float:
        """Counts a control frame against the limit; returns how many seconds to delay it."""
        try:
            self._count()
        except Refusal as refusal:
            return max(1.0, refusal.retry or 0.0)
        return 0.0

    def _count(self) -> None:
        self.hub.limits.spend("traffic", self.address)
        self.hub.limits.spend("message", self.key)

    async def _answer_all(self) -> None:
        """Answers messages until the socket has closed: a task for each would cost more."""
        try:
            while self._heard or not self._left:
                if not self._heard:
                    self._rest = self._loop.create_future()
                    await self._rest
                    continue
                message = self._heard.popleft()
                if len(self._heard) == WAITING - 1:
                    self._wire.pause_reading(False)
                await self._hear(message)
        finally:
            self._answerer = self._rest = None  # otherwise the socket would never answer again

    async def _hear(self, raw: str | bytes) -> None:
        """Answers one message, even if it is invalid."""
        ref = 0
        try:
            self._count()
            message = _understood(raw)
            ref = message.ref
            self.hub.check_open()
            await self._answer(message)
        except FoxdenError as error:
            self._refuse(ref or _ref_of(raw), error)
            if isinstance(error, Refusal) and error.name == "too-many-requests":
                await asyncio.sleep(1)  # slows down repeated attempts
        except Exception:
            metrics.FAULTS.inc()
            log.exception("message failed", table=self.table.row.id)
            self._refuse(ref, Refusal("fault", 500, "Something went wrong on the server."))

    def _refuse(self, ref: int, error: FoxdenError) -> None:
        told = problem(error)
        metrics.REFUSALS.labels(told.type).inc()
        self.tell(encode(Refused(ref, told)))
        if told.type in ("/problems/stale-ply", "/problems/not-your-turn"):
            with contextlib.suppress(Refusal):  # over the limit again: skip the Sync
                self.hub.limits.spend("sync", self.key)
                self.push("sync")

    async def _answer(self, message: FromPeople) -> None:
        table = self.table
        if isinstance(message, Play):
            if seating.my_seat(table.row, self.person, message.seat).level is not None:
                raise conflict("standin", "A bot is playing this seat. Take it back first.")
            began = time.perf_counter()
            ply = await table.play(message.seat, message.ply, message.action, "person")
            metrics.MOVE_SECONDS.observe(time.perf_counter() - began)
            if self.person is not None:
                self.hub.limits.played(self.person.id, self.address)
            self.tell(encode(Done(message.ref, ply)))
        elif isinstance(message, Undo):
            ply = await table.undo(self.person, message.ply)
            self.tell(encode(Done(message.ref, ply)))
        elif isinstance(message, Look):
            if message.seat is not None:
                seating.my_seat(table.row, self.person, message.seat)
            self.hub.limits.spend("sync", self.key)
            self.seat = message.seat
            table.audience.rest_viewers()
            self.tell(encode(Done(message.ref, table.ply)))
            self.push("sync")
        elif isinstance(message, Say):
            await self._say(message)
        elif isinstance(message, Hint):
            self._hint(message)
        elif isinstance(message, Standin):
            seat, level, person = message.seat, message.level, self.person
            await table.change(lambda row: seating.stand_in(row, seat, person, level))
            self.tell(encode(Done(message.ref, table.ply)))
        elif isinstance(message, Hurry):
            pace, person = message.pace, self.person
            await table.change(lambda row: seating.hurried(row, person, pace))
            self.tell(encode(Done(message.ref, table.ply)))
        elif isinstance(message, Ping):
            self.tell(encode(Pong(message.ref, self.hub.uptime())))

    async def _say(self, message: Say) -> None:
        if self.person is None:
            raise Refusal("nobody", 401, "Enter a name first.")
        text = " ".join(message.text.split())
        if not text or len(text) > LONGEST_CHAT or not text.isprintable():
            raise bad_field("text", f"A message has 1 to {LONGEST_CHAT} characters.")
        self.hub.limits.spend("chat", self.key)
        # The current name: another process may have changed it a moment ago.
        person = await self.hub.store.person(self.person.id)
        if person is None:
            raise Refusal("nobody", 401, "Say who you are first.")
        await self.table.chat.say(self.table.row, person, text)
        self.tell(encode(Done(message.ref, self.table.ply)))

    def _hint(self, message: Hint) -> None:
        table = self.table
        match = table.playing()
        if not table.row.hints:
            raise forbidden("Hints are off at this table.")
        if self.seat is None:
            raise forbidden("Hints are for players only.")
        seating.my_seat(table.row, self.person, self.seat)
        if match.to_act != self.seat:
            raise conflict("not-your-turn", "It is not your turn.")
        if self._hinting:
            raise conflict("thinking", "A hint is on its way.")
        self.hub.limits.spend("hint", self.key)
        self._hinting = True
        self.hub.tasks.spawn(self._think(message.ref, self.seat, table.live.number))

    async def _think(self, ref: int, seat: int, number: int) -> None:
        """Thinks about hints in the background; play goes on meanwhile."""
        table = self.table
        match = table.playing()
        try:
            says = {move.id: move.says for move in table.viewer(seat).seat_view.view.legal}
            found = await self.hub.thinking.hints(match, Owner(self.address, self.key))
            if table.live.number != number or self.seat != seat:
                raise conflict("stale-ply", "The table has moved on.")
            moves = [
                HintedMove(
                    action=hint.action.id,
                    notation=hint.action.notation,
                    says=says.get(hint.action.id, ""),
                    value=hint.result,
                    share=hint.share,
                )
                for hint in found
            ]
            self.tell(encode(Hints(ref, match.ply, moves)))
        except FoxdenError as error:
            self._refuse(ref, error)
        finally:
            self._hinting = False


def _understood(raw: str | bytes) -> Any:
    try:
        return decode(raw)
    except RecursionError:
        raise Refusal("bad-message", 400, "This message is nested too deeply.") from None
    except msgspec.DecodeError as error:
        path = re.search(r" - at `\$\.(\w+)", str(error))
        raise Refusal(
            "bad-message",
            400,
            f"This message is not understood: {error}.",
            field=path[1] if path else None,
        ) from None


def _ref_of(raw: str | bytes) -> int:
    try:
        return msgspec.json.decode(raw, type=_Ref).ref
    except (msgspec.DecodeError, RecursionError):
        return 0
