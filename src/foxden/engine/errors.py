"""What Foxden refuses, as types. Every message is a sentence that a person understands."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class FoxdenError(Exception):
    """Is the parent of every refusal; `rule` names the rule that refuses, where one does."""

    def __init__(self, message: str, *, rule: str | None = None) -> None:
        """Appends the rule's id to the sentence, so that no reader has to look for it."""
        super().__init__(f"{message} ({rule})" if rule else message)
        self.rule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles what was said and kept, so that refusals come back from other processes."""
        return _raised_again, (type(self), self.args, vars(self))


def _raised_again(kind: type[FoxdenError], said: tuple[Any, ...], kept: Any) -> FoxdenError:
    error = kind.__new__(kind, *said)
    vars(error).update(kept)
    return error


class UnknownGame(FoxdenError):
    """Is raised for a name that no game answers to."""


class BadSeats(FoxdenError):
    """Is raised for a number of seats, or a seat, that the game does not have."""


class BadSeed(FoxdenError):
    """Is raised for a seed outside the range that a deal can be made from."""


class BadOption(FoxdenError):
    """Is raised for an option that does not exist or a value that it does not take."""

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
    """Is raised for a text or a number that names no action of the game."""


class IllegalAction(FoxdenError):
    """Is raised for an action of the game that is not open now; nothing has changed.

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
    """Is raised when a seat acts that is not the one asked."""


class MatchOver(FoxdenError):
    """Is raised when somebody acts in a match that has ended."""


class NothingToUndo(FoxdenError):
    """Is raised when more actions are to be taken back than were played."""


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
    """Is raised for a name that no bot answers to."""


class CacheUnwritable(FoxdenError):
    """Is raised when compiled rules cannot be kept on disk."""

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
