"""The models of the REST API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from foxden.engine.native import digits


def _written(value: Any) -> Any:
    if isinstance(value, str) and digits(value) is None:
        raise ValueError("a whole number is written with the digits 0 to 9 alone")
    return value


# Of a number in a path or a query: Pydantic alone would take " 5", "+5", "1_0" and "5.0" too.
Digits = BeforeValidator(_written)
Name = Annotated[str, Field(min_length=1, max_length=24)]


class Asked(BaseModel):
    """A request model; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NoClock(Asked):
    """No time limit."""

    kind: Literal["none"] = "none"


class MoveClock(Asked):
    """A number of seconds for every decision."""

    kind: Literal["move"]
    seconds: Annotated[int, Field(ge=5, le=3600)]


class MatchClock(Asked):
    """A number of minutes for all decisions of a seat, and seconds added after each."""

    kind: Literal["match"]
    minutes: Annotated[int, Field(ge=1, le=240)]
    increment: Annotated[int, Field(ge=0, le=180)] = 0


class DaysClock(Asked):
    """A number of days for every decision."""

    kind: Literal["days"]
    days: Annotated[int, Field(ge=1, le=14)]


Clock = Annotated[NoClock | MoveClock | MatchClock | DaysClock, Field(discriminator="kind")]


class Sitter(Asked):
    """Who sits in a seat: the person who asks, a bot of a level, or whoever joins."""

    kind: Literal["me", "bot", "open"]
    name: Name | None = None  # several seats on one device have separate names
    level: Annotated[int, Field(ge=1, le=5)] = 3  # of the bot, also of one that fills an open seat


class NewTable(Asked):
    """A table to open; it starts at once if no seat is open."""

    game: str
    seats: list[Sitter]
    options: dict[str, Any] = {}
    parts: dict[str, Any] = {}
    clock: Clock = NoClock()
    access: Literal["listed", "link"] = "link"
    watch: Literal["anyone", "seated"] = "anyone"
    hints: bool = True
    pace: Literal["relaxed", "brisk", "instant"] = "brisk"
    # Minutes of absence before others may let a bot play for somebody.
    grace: Annotated[int, Field(ge=1, le=14 * 24 * 60)] = 10


class Setup(Asked):
    """Seats, options and parts of a table, to check before opening it."""

    seats: int
    options: dict[str, Any] = {}
    parts: dict[str, Any] = {}


class NewPerson(Asked):
    """A new person, or a new name."""

    name: Name


class Voice(Asked):
    """Somebody who sits or has chatted at a table, by the name in its chat."""

    voice: Annotated[str, Field(max_length=32, pattern="^[a-z0-9]+$")]


class Claim(Asked):
    """A personal link, opened on another device."""

    token: Annotated[str, Field(min_length=8, max_length=200, pattern="^[A-Za-z0-9_-]+$")]


class Person(BaseModel):
    """A person, known by a cookie."""

    id: str
    name: str
    admin: bool = False


class PersonalLink(BaseModel):
    """A path that makes another device the same person, once and for a short time."""

    path: str
    expires: float


class OptionInfo(BaseModel):
    """One house rule, ready for a form."""

    name: str
    kind: Literal["flag", "choice", "number", "texts"]
    help: str
    rules: list[str]
    standard: Any
    choices: dict[str, str] | None = None  # value -> help
    low: int | None = None
    high: int | None = None
    most: int | None = None
    longest: int | None = None


class LevelInfo(BaseModel):
    """One level of bots."""

    level: int
    name: str
    says: str


class GameInfo(BaseModel):
    """A game that can be played here."""

    name: str
    title: str
    blurb: str
    kind: str
    minutes: str
    seats: list[int]
    usual: int
    quick: dict[str, Any]  # the options of a match started without choosing any
    rules_version: int
    options: list[OptionInfo]
    levels: list[LevelInfo]
    lesson: bool  # there is a lesson for newcomers
    ready: float  # how far its rules are compiled, 0 to 1; at 1 its bots play at full strength


class Guide(BaseModel):
    """A game's guide as HTML, whole and rule by rule."""

    game: str
    title: str
    html: str
    rules: dict[str, str]
    aid: str | None  # the game on one page, to print


class Network(BaseModel):
    """How friends in the same network reach the server; only for its own machine."""

    open: bool  # it listens beyond its own machine
    address: str | None  # such as http://192.168.1.20:8100; null where it is not known
    command: str | None  # the command that opens it to the network; null if not needed


class PositionInfo(BaseModel):
    """A match after some actions, as seen by `seat`, by a spectator, or fully open."""

    ply: int
    plies: int
    seat: int | None
    open: bool
    view: dict[str, Any]
    log: list[Any]  # what the last action did, as LogEntry


# For administrators


class NewBan(Asked):
    """A person or a range of addresses to keep out, for some days or for good."""

    person: Annotated[str, Field(max_length=32, pattern="^[a-z0-9]+$")] | None = None
    network: Annotated[str, Field(max_length=64)] | None = None  # such as 192.0.2.0/24
    reason: Annotated[str, Field(max_length=200)] = ""  # shown to whoever is banned
    days: Annotated[float, Field(gt=0, le=36500)] | None = None


class BanInfo(BaseModel):
    """A ban in force."""

    id: str
    person: str | None
    name: str
    network: str | None
    reason: str
    at: float
    until: float | None


class GuestInfo(BaseModel):
    """Somebody with open sockets at a table."""

    person: str  # empty for strangers
    name: str
    table: str
    sockets: int
    address: str


class Device(BaseModel):
    """A browser that is a person."""

    id: str
    created: float
    seen: float


class PersonFound(BaseModel):
    """A person, as administrators see them."""

    id: str
    name: str
    created: float
    seen: float
    admin: bool


class PersonInfo(PersonFound):
    """A person with their devices and unfinished tables."""

    devices: list[Device]
    tables: list[str]


class AuditEntry(BaseModel):
    """Something that an administrator did."""

    number: int
    at: float
    actor: str
    action: str
    target: str
    detail: dict[str, Any]


class Removed(BaseModel):
    """How much was removed."""

    count: int
