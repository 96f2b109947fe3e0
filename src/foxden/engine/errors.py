"""Foxden's errors. Every message is a plain sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class FoxdenError(Exception):
    """Is the base of all refusals; `rule` names the rule that refuses, if any."""

    def __init__(self, message: str, *, rule: str | None = None) -> None:
        """Appends the rule's id to the sentence."""
        super().__init__(f"{message} ({rule})" if rule else message)
        self.rule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles message and fields, so other processes can raise refusals."""
        return _raised_again, (type(self), self.args, vars(self))


def _raised_again(kind: type[FoxdenError], said: tuple[Any, ...], kept: Any) -> FoxdenError:
    error = kind.__new__(kind, *said)
    vars(error).update(kept)
    return error


class UnknownGame(FoxdenError):
    """Is raised for an unknown game."""


class BadSeats(FoxdenError):
    """Is raised for a number of seats, or a seat, that the game does not have."""


class BadSeed(FoxdenError):
    """Is raised for a seed out of range."""


class BadOption(FoxdenError):
    """Is raised for an unknown option or an invalid value."""

    def __init__(self, message: str, *, option: str, rule: str | None = None) -> None:
        """Keeps the option's name beside the sentence."""
        super().__init__(message, rule=rule)
        self.option = option


class BadParts(FoxdenError):
    """Is raised for printed numbers that cannot be played; `where` is the place in the file."""

    def __init__(self, message: str, *, where: str, rule: str | None = None) -> None:
        """Leads the sentence with the place."""
        super().__init__(f"{where}: {message}", rule=rule)
        self.where = where


class BadNotation(FoxdenError):
    """Is raised for a text or number that is not an action of the game."""


class IllegalAction(FoxdenError):
    """Is raised for an action that is illegal now; nothing has changed.

    `record` is the match so far, with its seed: it is for logs and bug reports, not for seats.
    """

    def __init__(
        self, message: str, *, action: str, seat: int, rule: str | None, record: str
    ) -> None:
        """Keeps what was tried, by whom, and the match it was tried in."""
        super().__init__(message, rule=rule)
        self.action = action
        self.seat = seat
        self.record = record


class NotYourTurn(FoxdenError):
    """Is raised when a seat acts out of turn."""


class MatchOver(FoxdenError):
    """Is raised when somebody acts in a match that has ended."""


class NothingToUndo(FoxdenError):
    """Is raised when undoing more actions than were played."""


class BadRecord(FoxdenError):
    """Is raised for a record that cannot be read or replayed; line and column start at 1."""

    def __init__(
        self, message: str, *, line: int, column: int = 1, rule: str | None = None
    ) -> None:
        """Leads the sentence with the place."""
        super().__init__(f"line {line}, column {column}: {message}", rule=rule)
        self.line = line
        self.column = column


class WrongRules(BadRecord):
    """Is raised for a record of another version of the game's rules."""


class UnknownBot(FoxdenError):
    """Is raised for an unknown bot."""


class CacheUnwritable(FoxdenError):
    """Is raised when compiled rules cannot be stored on disk."""

    def __init__(self, message: str, *, folder: Path) -> None:
        """Keeps the folder beside the sentence."""
        super().__init__(message)
        self.folder = folder


class LawBroken(FoxdenError):
    """Is raised by the conformance suite when a game breaks a law; `law` names it."""

    def __init__(self, law: str, message: str) -> None:
        """Leads the sentence with the law."""
        super().__init__(f"{law}: {message}")
        self.law = law
