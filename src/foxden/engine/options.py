"""Variants and house rules as typed data: checked once, stored in the state as integers."""

from __future__ import annotations

import difflib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foxden.engine.errors import BadOption
from foxden.engine.native import digits, native, whole

YES = ("yes", "true", "on", "1")
NO = ("no", "false", "off", "0")
ANY = "*"  # stands for every value of an option where tables are described


@dataclass(frozen=True)
class Option(ABC):
    """One house rule: its name is also the state field that holds it."""

    name: str
    help: str
    rules: tuple[str, ...]

    @property
    @abstractmethod
    def standard(self) -> Any:
        """Returns the default value."""

    @abstractmethod
    def check(self, value: Any) -> Any:
        """Converts the value to the option's type, or refuses it."""

    @abstractmethod
    def code(self, value: Any) -> int:
        """Returns the whole number that stands for the value in a state."""

    @abstractmethod
    def text(self, value: Any) -> str:
        """Writes the value as a record does; `check` reads it back."""

    @abstractmethod
    def samples(self) -> tuple[Any, ...]:
        """Returns values for tests to try: all of them if they are few."""

    def refuse(self, value: Any, wanted: str) -> BadOption:
        """Returns the error for a value."""
        return BadOption(f"{self.name} takes {wanted}, not {value!r}.", option=self.name)


@dataclass(frozen=True)
class Flag(Option):
    """A house rule that is on or off."""

    default: bool = False

    @property
    def standard(self) -> bool:
        """Returns the default."""
        return self.default

    def check(self, value: Any) -> bool:
        """Accepts a bool or one of the usual words for it."""
        value = native(value)
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in YES + NO:
            return value.lower() in YES
        raise self.refuse(value, "yes or no")

    def code(self, value: bool) -> int:
        """Returns 1 for on."""
        return int(value)

    def text(self, value: bool) -> str:
        """Writes yes or no."""
        return "yes" if value else "no"

    def samples(self) -> tuple[bool, ...]:
        """Returns both."""
        return (False, True)


@dataclass(frozen=True)
class Choice(Option):
    """A house rule with named values, in the order of their codes."""

    choices: Mapping[str, str]  # value -> help
    default: str

    @property
    def standard(self) -> str:
        """Returns the default."""
        return self.default

    def check(self, value: Any) -> str:
        """Accepts one of the names."""
        name = native(value)
        if isinstance(name, str) and name in self.choices:
            return name
        raise self.refuse(value, "one of " + ", ".join(self.choices))

    def code(self, value: str) -> int:
        """Returns the name's place in the list."""
        return list(self.choices).index(value)

    def text(self, value: str) -> str:
        """Writes the name."""
        return value

    def samples(self) -> tuple[str, ...]:
        """Returns all names."""
        return tuple(self.choices)


@dataclass(frozen=True)
class Number(Option):
    """A house rule that is a whole number in a range."""

    low: int
    high: int
    default: int

    @property
    def standard(self) -> int:
        """Returns the default."""
        return self.default

    def check(self, value: Any) -> int:
        """Accepts a whole number, or its digits, within the range."""
        number = digits(value) if isinstance(value, str) else whole(value)
        if number is None or not self.low <= number <= self.high:
            raise self.refuse(value, f"a whole number from {self.low} to {self.high}")
        return number

    def code(self, value: int) -> int:
        """Returns the number."""
        return value

    def text(self, value: int) -> str:
        """Writes the digits."""
        return str(value)

    def samples(self) -> tuple[int, ...]:
        """Returns the ends and the default."""
        return tuple(sorted({self.low, self.default, self.high}))


@dataclass(frozen=True)
class Texts(Option):
    """A table's own sentences; the state holds only how many there are."""

    default: tuple[str, ...]
    most: int
    longest: int

    @property
    def standard(self) -> tuple[str, ...]:
        """Returns the sentences that ship with the game."""
        return self.default

    def check(self, value: Any) -> tuple[str, ...]:
        """Accepts a sequence of sentences, or its JSON."""
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                value = None
        wanted = f"1 to {self.most} texts of at most {self.longest} characters, as a JSON list"
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise self.refuse(value, wanted)
        if not 1 <= len(value) <= self.most or not all(self._fits(text) for text in value):
            raise self.refuse(value, wanted)
        return tuple(map(native, value))

    def _fits(self, text: Any) -> bool:
        return isinstance(text, str) and 0 < len(text) <= self.longest and text.isprintable()

    def code(self, value: tuple[str, ...]) -> int:
        """Returns the number of sentences."""
        return len(value)

    def text(self, value: tuple[str, ...]) -> str:
        """Writes a JSON list."""
        return json.dumps(value, ensure_ascii=False)

    def samples(self) -> tuple[tuple[str, ...], ...]:
        """Returns the default."""
        return (self.default,)


def check_options(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a value for every option: the one given, converted, or the default."""
    if not isinstance(given, Mapping):
        raise BadOption(f"Give options by name, not {given!r}.", option="options")
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(str(name), known, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            have = "It has " + ", ".join(known) if known else "It has none"
            raise BadOption(
                f"There is no option {name!r} in this game. {have}.{hint}", option=str(name)
            )
    return {
        option.name: option.check(given[option.name]) if option.name in given else option.standard
        for option in options
    }
