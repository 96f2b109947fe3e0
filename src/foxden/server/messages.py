"""Messages on a table's socket, both ways: one JSON object each, distinguished by `type`.

A socket watches from one seat at a time, or as a spectator. Everything about the match (`Sync`,
`Update`) is made from a state already wiped for that seat.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from foxden.engine.view import LogEntry, View


class Message(msgspec.Struct, tag_field="type", tag=str.lower, omit_defaults=False):
    """One message."""


Pace = Literal["relaxed", "brisk", "instant"]


class Incoming(Message, forbid_unknown_fields=True):
    """A message from a person; the answer repeats its `ref`."""

    ref: int = 0


# From people


class Play(Incoming, kw_only=True):
    """Plays an action for one of the person's seats, in the position it was chosen in."""

    seat: int
    ply: int  # the actions played so far, as the person saw it
    action: int


class Undo(Incoming, kw_only=True):
    """Goes back to the person's last decision; only alone against bots."""

    ply: int  # the actions played so far, as the person has seen it; bots may have gone on


class Look(Incoming, kw_only=True):
    """Watches from another of the person's seats, or as a spectator; answered by a Sync."""

    seat: int | None


class Say(Incoming, kw_only=True):
    """Sends a chat line; answered by the Chat that everybody gets."""

    text: str


class Hint(Incoming, kw_only=True):
    """Asks what a strong bot would do in the watched seat; answered by Hints."""


class Standin(Incoming, kw_only=True):
    """Lets a bot of a level play one of the person's seats, or takes the seat back (no level)."""

    seat: int
    level: int | None


class Hurry(Incoming, kw_only=True):
    """Changes the bots' pace; for the host."""

    pace: Pace


class Ping(Incoming, kw_only=True):
    """Asks whether the server is alive; answered by a Pong."""


FromPeople = Play | Undo | Look | Say | Hint | Standin | Hurry | Ping


# From the server


class SeatInfo(msgspec.Struct):
    """Who sits in a seat."""

    seat: int
    kind: Literal["open", "person", "bot"]
    name: str
    level: int | None  # of the bot that plays the seat, stands in, or fills it if nobody comes
    standin: bool  # a bot stands in for a person, who may take the seat back
    resigned: bool  # a bot plays on for a person who resigned
    mine: bool  # the seat belongs to the recipient
    here: bool  # its person has an open socket, or it is a bot
    replace_in: float | None  # seconds until others may let a bot play for an absent person
    voice: str | None  # names its person in this table's chat


class ClockInfo(msgspec.Struct):
    """A table's clock: how long the seat to act has left, counted from `now`."""

    now: float  # server uptime in seconds; unrelated to the time of day
    due: float | None  # when time runs out for the seat asked; None when no clock runs
    left: list[float | None]  # seconds each seat has left, None without such a clock


class Origin(msgspec.Struct):
    """Where a match comes from, if not from its own deal."""

    kind: Literal["daily", "branch"]
    day: str | None = None  # of a daily deal, such as 2026-11-16
    table: str | None = None  # whose match this one branches from …
    ply: int | None = None  # … after so many actions …
    seat: int | None = None  # … from what this seat knew …
    open: bool = False  # … or with everything as it was


class TableInfo(msgspec.Struct):
    """A table, without its match; the same in REST and on the socket."""

    id: str
    game: str
    title: str
    rules_version: int
    status: Literal["open", "running", "over"]
    seats: list[SeatInfo]
    options: dict[str, Any]
    parts: dict[str, Any]  # only the printed numbers that were changed
    clock: dict[str, Any]  # as in Clock of the REST models
    access: Literal["listed", "link"]
    watch: Literal["anyone", "seated"]
    hints: bool
    pace: Pace
    grace: int  # minutes of absence before others may let a bot play for somebody
    host: bool  # the recipient opened the table
    begin_in: float | None  # seconds until the person may begin the match; None: never
    muted: list[str]  # voices the host has muted
    invite: str | None  # the path to send to friends; only for people who may share it
    seed_hash: str
    seed: str | None  # revealed after the match; digits, because JavaScript's numbers are too small
    ply: int
    to_act: int | None
    scores: list[int] | None  # when over
    winners: list[int] | None
    created: float
    changed: float  # when the last thing happened
    watchers: int
    rematch: str | None  # the table where these people play again
    undone: int  # number of undos; above 0 the result does not count
    can_undo: bool  # the recipient may undo moves, if there are any
    origin: Origin | None = None


class ChatLine(msgspec.Struct):
    """Something said at the table."""

    number: int  # 1, 2, 3 … at each table
    name: str
    seat: int | None  # None for a spectator
    text: str
    at: float
    voice: str  # the same for all lines of one person at this table
    removed: bool  # its text was removed


class ChatPage(msgspec.Struct):
    """The chat lines before a line, in order."""

    lines: list[ChatLine]
    more: bool  # there may be earlier lines


class Sync(Message):
    """Everything the watched seat may know; sent at first, after Look, and after a gap."""

    table: TableInfo
    seat: int | None  # the watched seat
    view: View | None  # none before the match has begun
    log: list[LogEntry]
    chat: list[ChatLine]  # the latest lines; REST has the earlier ones
    clock: ClockInfo
    decided: bool  # the recipient has had a choice, and can undo it if `can_undo`


class Update(Message):
    """Actions were played: the new view, and what happened since the previous one."""

    view: View
    log: list[LogEntry]
    clock: ClockInfo


class Table(Message):
    """Something about the table changed: people, stand-ins, the end, a rematch."""

    table: TableInfo


class Chat(Message):
    """A chat line was added."""

    line: ChatLine


class Done(Message):
    """A request was carried out; for Play: the action is on disk and led to position `ply`."""

    ref: int
    ply: int


class Problem(msgspec.Struct):
    """Why something was refused; the same in REST (RFC 9457) and on the socket."""

    type: str  # a path such as /problems/illegal-action
    title: str
    status: int
    detail: str
    field: str | None = None
    rule: str | None = None


class Refused(Message):
    """A request was refused, and nothing changed; a Sync follows if the sender was behind."""

    ref: int
    problem: Problem


class HintedMove(msgspec.Struct):
    """A move that a strong bot considered."""

    action: int
    notation: str
    says: str
    value: float  # the expected result for the seat, 0 to 1
    share: float  # its share of the search, 0 to 1


class Hints(Message):
    """The best moves first."""

    ref: int
    ply: int
    moves: list[HintedMove]


class Pong(Message):
    """The server is alive; `now` is as in ClockInfo."""

    ref: int
    now: float


class Bye(Message):
    """The server closes this socket; reconnect after this many seconds."""

    reason: str
    seconds: float


FromServer = Sync | Update | Table | Chat | Done | Refused | Hints | Pong | Bye

encode = msgspec.json.Encoder().encode
