"""Refusals as problems (RFC 9457): one shape for REST and for the socket."""

from __future__ import annotations

from foxden.engine.errors import (
    BadNotation,
    BadOption,
    BadParts,
    BadSeats,
    FoxdenError,
    IllegalAction,
    MatchOver,
    NothingToUndo,
    NotYourTurn,
    UnknownBot,
    UnknownGame,
)
from foxden.server.messages import Problem
from foxden.server.store import PlyTaken, StoreDown


class Refusal(FoxdenError):
    """A request that the server itself refuses; `name` is the last part of the problem's type."""

    def __init__(
        self,
        name: str,
        status: int,
        message: str,
        *,
        field: str | None = None,
        retry: float | None = None,
    ) -> None:
        """Keeps what a client needs to tell refusals apart."""
        super().__init__(message)
        self.name = name
        self.status = status
        self.field = field
        self.retry = retry  # seconds after which asking again makes sense


def not_found(what: str) -> Refusal:
    """Refuses what does not exist or is hidden from this person: the two look the same."""
    return Refusal("not-found", 404, f"There is no such {what}.")


def forbidden(message: str) -> Refusal:
    """Refuses a forbidden action."""
    return Refusal("forbidden", 403, message)


def conflict(name: str, message: str) -> Refusal:
    """Refuses what conflicts with the table's current state."""
    return Refusal(name, 409, message)


def bad_field(field: str, message: str) -> Refusal:
    """Refuses a value, naming its field."""
    return Refusal("bad-request", 422, message, field=field)


KNOWN: dict[type[FoxdenError], tuple[str, int]] = {
    UnknownGame: ("unknown-game", 404),
    BadSeats: ("bad-seats", 422),
    BadOption: ("bad-option", 422),
    BadParts: ("bad-parts", 422),
    BadNotation: ("unknown-action", 422),
    UnknownBot: ("unknown-level", 422),
    IllegalAction: ("illegal-action", 422),
    NotYourTurn: ("not-your-turn", 409),
    MatchOver: ("match-over", 409),
    NothingToUndo: ("no-such-position", 404),
    PlyTaken: ("stale-ply", 409),
    StoreDown: ("store-down", 503),
}


def problem(error: FoxdenError) -> Problem:
    """Describes a refusal, without anything meant only for logs (a record with its seed)."""
    if isinstance(error, Refusal):
        name, status, field = error.name, error.status, error.field
    else:
        name, status = KNOWN.get(type(error), ("refused", 422))
        field = None
        if isinstance(error, BadOption):
            field = f"options.{error.option}"
        elif isinstance(error, BadParts):
            field = f"parts.{error.where}"
        elif isinstance(error, BadSeats):
            field = "seats"
    return Problem(
        type=f"/problems/{name}",
        title=name.replace("-", " ").capitalize(),
        status=status,
        detail=_told(str(error)),
        field=field and _told(field),
        rule=error.rule,
    )


def _told(text: str) -> str:
    """Replaces lone surrogates, which JSON cannot hold."""
    return text.encode(errors="replace").decode()
