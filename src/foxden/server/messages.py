"""What goes over a table's socket, both ways: one JSON object a message, told apart by `type`.

A socket looks through one seat at a time, or as a spectator. Everything that tells of the match
(`Sync`, `Update`) is made from a state already wiped for that seat.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from foxden.engine.view import LogEntry, View


class Message(msgspec.Struct, tag_field="type", tag=str.lower, omit_defaults=False):
    """One message."""


Pace = Literal["relaxed", "brisk", "instant"]


class Incoming(Message, forbid_unknown_fields=True):
    """A message from a person; `ref` comes back in the answer to it."""

    ref: int = 0


# From people


class Play(Incoming, kw_only=True):
    """Plays an action for one of the person's seats, in the position it was chosen in."""

    seat: int
    ply: int  # the actions played so far, as the person has seen it
    action: int


class Undo(Incoming, kw_only=True):
    """Goes back to the person's last decision; only alone against bots."""

    ply: int  # the actions played so far, as the person has seen it; bots may have gone on


class Look(Incoming, kw_only=True):
    """Looks through another of the person's seats, or as a spectator; a Sync answers."""

    seat: int | None


class Say(Incoming, kw_only=True):
    """Sends a chat line; the Chat that everybody gets is the answer."""

    text: str


class Hint(Incoming, kw_only=True):
    """Asks what a strong bot would do for the seat looked through; Hints answer."""


class Standin(Incoming, kw_only=True):
    """Lets a bot of a level play one of the person's seats, or takes the seat back (no level)."""

    seat: int
    level: int | None


class Hurry(Incoming, kw_only=True):
    """Lets bots play at another pace from now on; only the host may."""

    pace: Pace


class Ping(Incoming, kw_only=True):
    """Asks whether the server is there; a Pong answers."""


FromPeople = Play | Undo | Look | Say | Hint | Standin | Hurry | Ping


# From the server


class SeatInfo(msgspec.Struct):
    """Who sits in a seat."""

    seat: int
    kind: Literal["open", "person", "bot"]
    name: str
    level: int | None  # of the bot that plays the seat, stands in, or takes it if nobody comes
    standin: bool  # a bot plays for a person, who may take the seat back
    resigned: bool  # a bot plays on for a person who gave the seat up
    mine: bool  # it is the seat of the person who is told this
    here: bool  # its person has a socket open, or it is a bot
    replace_in: float | None  # seconds until others may let a bot play for one who is away
    voice: str | None  # names its person in this table's chat


class ClockInfo(msgspec.Struct):
    """The clock of a table: how long the seat asked has left, counted from `now`."""

    now: float  # in seconds that servers have run; it says nothing about the time of day
    due: float | None  # when time runs out for the seat asked; None when no clock runs
    left: list[float | None]  # seconds that each seat has in hand, None without such a clock


class Origin(msgspec.Struct):
    """Where a match comes from, if not from a deal of its own."""

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
    grace: int  # minutes that somebody may be away before others may let a bot play for them
    host: bool  # the person who is told this opened the table
    begin_in: float | None  # seconds until the person may begin the match; None: never
    muted: list[str]  # voices that the host has silenced
    invite: str | None  # the path to send to friends; only for those who may pass it on
    seed_hash: str
    seed: str | None  # told when the match is over; digits, for JavaScript's numbers are too small
    ply: int
    to_act: int | None
    scores: list[int] | None  # when over
    winners: list[int] | None
    created: float
    changed: float  # when the last thing happened
    watchers: int
    rematch: str | None  # the table where these people play again
    undone: int  # how often moves were taken back; above 0 the result counts for nothing
    can_undo: bool  # the person who is told this may take moves back, if there are any
    origin: Origin | None = None


class ChatLine(msgspec.Struct):
    """Something said at the table."""

    number: int  # 1, 2, 3 … at each table
    name: str
    seat: int | None  # None for a spectator
    text: str
    at: float
    voice: str  # the same for all that one person says at this table
    removed: bool  # its text was taken away


class ChatPage(msgspec.Struct):
    """What was said before a line, in order."""

    lines: list[ChatLine]
    more: bool  # there may be earlier lines


class Sync(Message):
    """Everything the seat looked through may know; sent at first, after Look, and after a gap."""

    table: TableInfo
    seat: int | None  # the seat looked through
    view: View | None  # none before the match has begun
    log: list[LogEntry]
    chat: list[ChatLine]  # the latest lines; REST has the earlier ones
    clock: ClockInfo
    decided: bool  # whoever is told this has had a choice, and can take it back if `can_undo`


class Update(Message):
    """Actions were played: the new view, and what happened since the last one."""

    view: View
    log: list[LogEntry]
    clock: ClockInfo


class Table(Message):
    """Something about the table changed: people, stand-ins, the end, a rematch."""

    table: TableInfo


class Chat(Message):
    """Something was said."""

    line: ChatLine


class Done(Message):
    """A request was carried out; for Play: the action is on disk, and it made position `ply`."""

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
    """A request was refused, and nothing changed; a Sync follows where the sender was behind."""

    ref: int
    problem: Problem


class HintedMove(msgspec.Struct):
    """A move that a strong bot considered."""

    action: int
    notation: str
    says: str
    value: float  # the expected result for the seat, 0 to 1
    share: float  # how much of the search went into it, 0 to 1


class Hints(Message):
    """The best moves first."""

    ref: int
    ply: int
    moves: list[HintedMove]


class Pong(Message):
    """The server is there; `now` is as in ClockInfo."""

    ref: int
    now: float


class Bye(Message):
    """The server closes this socket; come back after so many seconds."""

    reason: str
    seconds: float


FromServer = Sync | Update | Table | Chat | Done | Refused | Hints | Pong | Bye

encode = msgspec.json.Encoder().encode
