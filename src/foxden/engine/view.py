"""What people see, typed: views, the actions on offer, events, and the log.

The envelope is the same for all games. What is inside it is each game's own, declared as structs
in the module `view` of its folder: its table, what its actions mean, and its events.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec import UNSET, Struct, UnsetType

from foxden.engine.kernel import Known
from foxden.engine.voice import Voice


def kebab(name: str) -> str:
    """Writes a class's name as clients read it: CardLaid becomes card-laid."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Facts(Struct, tag_field="kind", tag=kebab):
    """What a legal action means, as data: cards, seats, costs."""


class Event(Struct, tag_field="kind", tag=kebab):
    """Something that happened, as one viewer may know it."""


class Choice(Facts):
    """An action of a game that says no more of it."""


class Played(Event):
    """A seat played an action, in a game that says no more of it."""

    seat: int
    action: str


class LegalAction(Struct):
    """An action on offer: what to send, what to show, and what it means."""

    id: int
    notation: str
    says: str
    facts: Any


class LogEntry(Struct):
    """What one action did, in sentences and as events."""

    ply: int
    seat: int
    action: str
    says: list[str]
    events: list[Any]


class View(Struct):
    """What a seat may know of a match; `table` is the game's own."""

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
    """What a viewer knows at one moment: the wiped state as plain values, and the view of it."""

    known: Known
    view: View
    voice: Voice


class Views(Protocol):
    """A game's module `view`. `known` is always wiped, so nothing shown can tell a secret.

    `Table` is the struct that `table` returns; `Actions` and `Events` are the unions of what
    `facts` and `events` return. A game with nothing to say of its actions leaves these out.
    """

    Table: type[Struct]
    Actions: Any
    Events: Any

    def table(self, known: Known, seat: int) -> Struct:
        """Lays out what the seat knows."""

    def facts(self, known: Known, action: int) -> Facts:
        """Says what a legal action means."""

    def events(self, before: Known, label: int, after: Known, seat: int) -> list[Any]:
        """Lists what an action, which the seat sees as `label`, did as far as the seat knows."""


def to_json(shown: Any) -> Any:
    """Returns dicts and lists, as whoever reads the JSON gets them."""
    return msgspec.json.decode(msgspec.json.encode(shown))
