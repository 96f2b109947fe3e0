"""A match as text that a person can read and edit.

    foxden record 2
    game: happy-fox
    rules: 1
    seats: 3
    name: 0 = Mia
    option: unknown_four = yes
    part: geese = 16
    seed: 7

    1. [2] lay goose
    2. [0] fox
    ...

    scores: 21 27 24
    winners: 1

Blank lines and lines that begin with # are ignored. Everything else is strict: every line appears
once, in its place and in the form above, or the record is refused with line and column.

The version says how the seed deals: version 2 from the keyed stream, version 1 from the fast one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from foxden.engine.errors import BadRecord
from foxden.engine.rng import Stream

FORMATS: dict[str, Stream] = {"foxden record 2": "keyed", "foxden record 1": "fast"}
LONGEST = 4_000_000  # characters; the longest real match stays far below
DIGITS = 40  # of a number; a seed has at most 38

_LINE = re.compile(r"(?P<key>[a-z-]+): (?P<value>.*)")
_MOVE = re.compile(r"(?P<ply>[0-9]+)\. \[(?P<seat>[0-9]+)\] (?P<notation>\S.*)")
_ONCE = ("game", "rules", "seats", "seed", "seed-hash")
_MANY = ("name", "option", "part")
_RESULT = ("scores", "winners")


@dataclass(frozen=True)
class Move:
    """One line of play."""

    seat: int
    notation: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Record:
    """A match as written; its contents are checked on replay."""

    game: str
    rules: int
    seats: int
    stream: Stream = "keyed"
    seed: int | None = None
    seed_hash: str | None = None  # replaces a seed that is still secret
    names: Mapping[int, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, Any] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    scores: tuple[int, ...] | None = None  # None while the match runs
    winners: tuple[int, ...] | None = None
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)  # the line of each key


def write_record(record: Record) -> str:
    """Writes a record, which `parse_record` reads back."""
    lines = [line for line, stream in FORMATS.items() if stream == record.stream]
    lines += [f"game: {record.game}", f"rules: {record.rules}", f"seats: {record.seats}"]
    lines += [f"name: {seat} = {name}" for seat, name in record.names.items()]
    lines += [f"option: {name} = {value}" for name, value in record.options.items()]
    for path, value in record.parts.items():
        lines.append(f"part: {path} = {json.dumps(value, ensure_ascii=False)}")
    if record.seed is not None:
        lines.append(f"seed: {record.seed}")
    elif record.seed_hash is not None:
        lines.append(f"seed-hash: {record.seed_hash}")
    lines.append("")
    for ply, move in enumerate(record.moves, 1):
        lines.append(f"{ply}. [{move.seat}] {move.notation}")
    if record.scores is not None:
        lines += ["", "scores: " + " ".join(map(str, record.scores))]
        lines.append("winners: " + (" ".join(map(str, record.winners or ())) or "none"))
    return "\n".join(lines) + "\n"


def parse_record(text: str) -> Record:
    """Reads a record, or refuses it with line and column."""
    if len(text) > LONGEST:
        raise BadRecord(f"A record has at most {LONGEST} characters.", line=1)
    return _Parser().parse(text)


class _Parser:
    """Reads line by line; `fail` reports the position."""

    def __init__(self) -> None:
        self.number = 0
        self.stream: Stream = "keyed"
        self.header: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.options: dict[str, str] = {}
        self.parts: dict[str, Any] = {}
        self.moves: list[Move] = []
        self.result: dict[str, tuple[int, ...]] = {}

    def fail(self, message: str, column: int = 1) -> NoReturn:
        raise BadRecord(message, line=self.number, column=column)

    def parse(self, text: str) -> Record:
        for self.number, line in enumerate(text.split("\n"), 1):
            line = line.removesuffix("\r")
            if self.number == 1:
                self.read_format(line)
            elif not line.strip() or line.startswith("#"):
                continue
            elif line[0].isdigit():
                self.read_move(line)
            else:
                self.read_line(line)
        return self.finish()

    def read_format(self, line: str) -> None:
        stream = FORMATS.get(line)
        if stream is None:
            self.fail(f"A record begins with {' or '.join(map(repr, FORMATS))}.")
        self.stream = stream

    def finish(self) -> Record:
        for key in ("game", "rules", "seats"):
            if key not in self.header:
                self.fail(f"The record ends without a line {key!r}.")
        if ("seed" in self.header) == ("seed-hash" in self.header):
            self.fail("A record has either a line 'seed' or a line 'seed-hash'.")
        if len(self.result) == 1:
            self.fail("The lines 'scores' and 'winners' come together.")
        seed = self.header.get("seed")
        return Record(
            game=self.header["game"],
            rules=int(self.header["rules"]),
            seats=int(self.header["seats"]),
            stream=self.stream,
            seed=None if seed is None else int(seed),
            seed_hash=self.header.get("seed-hash"),
            names=self.names,
            options=self.options,
            parts=self.parts,
            moves=tuple(self.moves),
            scores=self.result.get("scores"),
            winners=self.result.get("winners"),
            lines=self.lines,
        )

    def read_line(self, line: str) -> None:
        match = _LINE.fullmatch(line)
        if not match:
            self.fail("This is neither 'key: value' nor a move such as '1. [0] lay goose'.")
        key, value, column = match["key"], match["value"], match.start("value") + 1
        if key not in _ONCE + _MANY + _RESULT:
            self.fail(f"There is no line {key!r} in a record.")
        if key in _RESULT:
            self.read_result(key, value, column)
        elif self.moves or self.result:
            self.fail(f"The line {key!r} belongs before the moves.")
        elif key in _MANY:
            self.read_setting(key, value, column)
        else:
            self.read_once(key, value, column)

    def read_once(self, key: str, value: str, column: int) -> None:
        if key in self.header:
            self.fail(f"The line {key!r} stands here a second time.")
        if key in ("rules", "seats", "seed"):
            self.read_number(value, column)
        elif key == "seed-hash" and not re.fullmatch(r"[0-9a-f]{64}", value):
            self.fail("A seed's hash is 64 hexadecimal digits.", column)
        elif key == "game" and not re.fullmatch(r"[a-z][a-z0-9-]*", value):
            self.fail("A game's name is made of small letters, digits and hyphens.", column)
        self.header[key] = value
        self.lines[key] = self.number

    def read_setting(self, key: str, text: str, column: int) -> None:
        name, equals, value = text.partition(" = ")
        if not equals or not name or name != name.strip() or value != value.strip() or not value:
            self.fail(f"A line {key!r} reads '{key}: name = value'.", column)
        at = column + len(name) + len(equals)
        if not value.isprintable():
            self.fail("There is a sign here that cannot be printed.", at)
        here = f"{key} {name}"
        if here in self.lines:
            self.fail(f"{key.capitalize()} {name!r} stands here a second time.", column)
        if key == "name":
            seat = self.read_number(name, column)
            self.names[seat] = value
            here = f"name {seat}"
        elif not re.fullmatch(r"[a-z][a-z0-9_.]*", name):
            self.fail(f"{name!r} cannot be the name of a{'n' * (key[0] == 'o')} {key}.", column)
        elif key == "option":
            self.options[name] = value
        else:
            self.parts[name] = self.read_json(value, at)
        self.lines[here] = self.number

    def read_json(self, value: str, column: int) -> Any:
        try:
            found = json.loads(value)
            written = json.dumps(found, ensure_ascii=False)
        except (ValueError, RecursionError):
            written = None
        # Each value has one spelling, so records round-trip.
        if written != value:
            self.fail("A part's value is a whole number, a text in quotes, or a list.", column)
        return found

    def read_number(self, text: str, column: int) -> int:
        # Each number has one spelling, so records round-trip.
        if not re.fullmatch(r"0|[1-9][0-9]*", text) or len(text) > DIGITS:
            self.fail(f"A whole number is wanted here, not {text[:DIGITS]!r}.", column)
        return int(text)

    def read_result(self, key: str, value: str, column: int) -> None:
        if key in self.result:
            self.fail(f"The line {key!r} stands here a second time.")
        numbers = []
        if not (key == "winners" and value == "none"):
            for word in value.split(" "):
                sign = -1 if word.startswith("-") and key == "scores" else 1
                number = self.read_number(word[1:] if sign < 0 else word, column)
                if sign < 0 and number == 0:
                    self.fail("Nothing is written 0, not -0.", column)
                numbers.append(sign * number)
                column += len(word) + 1
        self.result[key] = tuple(numbers)
        self.lines[key] = self.number

    def read_move(self, line: str) -> None:
        match = _MOVE.fullmatch(line)
        if not match:
            self.fail("A move reads '1. [0] lay goose': number, seat, notation.")
        if self.result:
            self.fail("A move cannot stand after the result.")
        if match["ply"] != str(len(self.moves) + 1):
            self.fail(f"This must be move {len(self.moves) + 1}, not {match['ply'][:DIGITS]}.")
        seat = self.read_number(match["seat"], match.start("seat") + 1)
        notation = match["notation"]
        if notation != notation.strip() or not notation.isprintable():
            self.fail("A move's notation has no odd signs or spaces.", match.start("notation") + 1)
        self.moves.append(Move(seat, notation, self.number))
