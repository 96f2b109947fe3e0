"""What people see, typed: views, legal actions, events, and the log.

The envelope is the same for all games. Its contents are each game's own, declared as structs in the
module `view` of its folder: its table, the facts of its actions, and its events.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec import UNSET, Struct, UnsetType

from foxden.engine.kernel import Known
from foxden.engine.voice import Voice


def kebab(name: str) -> str:
    """Converts a class name to a tag for clients: CardLaid becomes card-laid."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Facts(Struct, tag_field="kind", tag=kebab):
    """What a legal action means, as data: cards, seats, costs."""


class Event(Struct, tag_field="kind", tag=kebab):
    """Something that happened, as far as one viewer may know it."""


class Choice(Facts):
    """An action without further facts."""


class Played(Event):
    """A seat played an action; for games without events of their own."""

    seat: int
    action: str


class LegalAction(Struct):
    """A legal action: what to send, what to show, and what it means."""

    id: int
    notation: str
    says: str
    facts: Any


class LogEntry(Struct):
    """The effects of one action, as sentences and as events."""

    ply: int
    seat: int
    action: str
    says: list[str]
    events: list[Any]


class View(Struct):
    """What a seat may know of a match; `table` is specific to the game."""

    game: str
    rules_version: int
    options: dict[str, Any]
    together: bool
    names: list[str]
    seat: int | None
    ply: int
    to_act: int | None
    question: str
    rules_now: list[str]
    legal: list[LegalAction]
    table: Any
    # When the match is over:
    scores: list[int] | UnsetType = UNSET
    winners: list[int] | UnsetType = UNSET
    tally: list[list[tuple[str, int]]] | UnsetType = UNSET  # each seat's score, line by line


class SeatView(NamedTuple):
    """A viewer's knowledge at one moment: the wiped state as plain values, and its view."""

    known: Known
    view: View
    voice: Voice


class Views(Protocol):
    """A game's module `view`. `known` is always wiped, so nothing shown can reveal a secret.

    `Table` is the struct that `table` returns; `Actions` and `Events` are the unions of what
    `facts` and `events` return. A game without facts or events of its own leaves these out.
    """

    Table: type[Struct]
    Actions: Any
    Events: Any

    def table(self, known: Known, seat: int) -> Struct:
        """Returns the table as the seat knows it."""

    def facts(self, known: Known, action: int) -> Facts:
        """Returns what a legal action means."""

    def events(self, before: Known, label: int, after: Known, seat: int) -> list[Any]:
        """Lists the effects of an action, seen as `label`, as far as the seat knows them."""


def to_json(shown: Any) -> Any:
    """Returns dicts and lists, as in the decoded JSON."""
    return msgspec.json.decode(msgspec.json.encode(shown))
