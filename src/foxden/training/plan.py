"""The plan of a training run; the same plan on the same machine gives the same curve."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from foxden.engine.options import ANY

WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")
GIVEN = ("game", "tables", "rivals")  # not by name and value
REAL = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?(e-?[0-9]{1,2})?")


@dataclass(frozen=True)
class Table:
    """One kind of table that a network is trained for."""

    seats: int
    options: Mapping[str, str] = field(default_factory=dict)  # those that differ, as text

    @property
    def name(self) -> str:
        """Names it in a curve, as in `4` or `4 unknown_four=yes`."""
        return " ".join([str(self.seats), *(f"{k}={v}" for k, v in sorted(self.options.items()))])

    def fits(self, seats: int, options: Mapping[str, str]) -> bool:
        """Returns whether a table is of this kind; `options` are those that differ."""
        names = {*options, *(name for name, value in self.options.items() if value != ANY)}
        wanted = all(self.options.get(name) in (ANY, options.get(name)) for name in names)
        return seats == self.seats and wanted


@dataclass(frozen=True)
class Plan:
    """A run's settings; all of them are kept with the network."""

    game: str
    tables: tuple[Table, ...]
    iterations: int
    seed: int = 1
    matches: int = 16384  # stepped at once
    steps: int = 64  # of each match in an iteration
    width: int = 512
    depth: int = 3
    minibatches: int = 8
    epochs: int = 1
    rate: float = 1e-3  # learning rate; falls to 0
    entropy: float = 0.02  # how much chance in play is worth, at first …
    entropy_end: float = 0.003  # … and in the end
    clip: float = 0.2
    trace: float = 0.95  # how far credit reaches back (GAE)
    discount: float = 1.0
    margin: float = 0.5  # the share of points in the goal; the rest is winning
    lesson: int = 0  # iterations of imitating `greedy`, before any self-play
    magnet: float = 0.0  # a pull towards the mean of late networks, against going in circles
    slow: float = 0.01  # how fast that mean follows
    standing: bool = False  # whether values are relative to the points so far
    hurry: float = 0.0  # what each decision at a table costs all its seats, so that matches end
    warm: int = 0  # iterations in which the policy's rate rises; the critic learns from the start
    choices: int = 0  # most legal actions to list, instead of masking; 0 masks them
    against_greedy: float = 0.0  # the share of matches in which `greedy` has every other seat …
    against_past: float = 0.0  # … and in which past networks have
    past: int = 4  # number of past networks …
    rivals: int = 0  # … of which so many are other players that never change
    frozen: bool = False  # those stay the initial network, which the run learns to beat
    guests_temperature: float = 1.0  # at which they draw; 0 plays their first choice
    sees_all: bool = False  # its network sees every seat's cards, to learn what that is worth
    keep_best: bool = False  # the player is the one that did best against `greedy`, not the last
    exam_every: int = 50  # iterations
    exam_matches: int = 8192
    exam_plies: int = 1500
    save_every: int = 200  # iterations

    def __post_init__(self) -> None:
        """Refuses impossible plans."""
        if self.iterations < 1 or self.matches < 1 or self.steps < 2 or not self.tables:
            raise ValueError("A run has at least one table, iteration and match, and two steps.")
        if self.matches % self.minibatches or self.exam_matches < 2 * len(self.tables):
            raise ValueError("Matches divide into minibatches, and exams seat every table twice.")
        if self.guests_temperature < 0:
            raise ValueError("A temperature is not negative.")
        if not 0 <= self.rivals <= (self.past if self.against_past else 0):
            raise ValueError("Rivals hold seats as past networks do: see against_past and past.")
        if not (self.against_greedy >= 0 and self.against_past >= 0 and self.past >= 1):
            raise ValueError("Shares of matches are not negative, and some network is the past.")
        if self.against_greedy + self.against_past > 1:
            raise ValueError("Matches against `greedy` and against the past are at most all.")

    def to_known(self) -> dict[str, Any]:
        """Lists the settings for JSON."""
        return asdict(self)

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Plan:
        """Reads the output of `plain`."""
        known = {f.name for f in fields(cls)}
        tables = tuple(Table(**table) for table in told["tables"])
        return cls(**{k: v for k, v in told.items() if k in known} | {"tables": tables})


def line_up(kinds: Sequence[Table], known: Sequence[tuple[int, Mapping[str, str]]]) -> list[int]:
    """Lists known tables, by their places, so that the kinds take turns.

    Every kind comes an odd number of times, so that a network which plays every second of its
    matches from the first seat does so at each table.
    """
    found = [[k for k, table in enumerate(known) if kind.fits(*table)] for kind in kinds]
    names = {name for _, options in known for name in options}
    for kind, places in zip(kinds, found, strict=True):
        if not places or not names.issuperset(kind.options):
            raise ValueError(f"No table {kind.name!r} is known; see the options of the game.")
    rounds = max(map(len, found))
    rounds += rounds % 2 == 0
    return [places[turn % len(places)] for turn in range(rounds) for places in found]


def read_table(text: str) -> Table:
    """Reads a table as a curve names it, as in `4` or `4 unknown_four=yes`."""
    seats, *options = text.split()
    if not WHOLE.fullmatch(seats) or not all("=" in option for option in options):
        raise ValueError(f"Write a table as in '4' or '4 unknown_four=yes', not {text!r}.")
    return Table(int(seats), dict(option.split("=", 1) for option in options))


def read_settings(given: Mapping[str, str]) -> dict[str, Any]:
    """Reads settings of a plan from text, each in its own type."""
    kinds = {f.name: str(f.type) for f in fields(Plan) if f.name not in GIVEN}
    found: dict[str, Any] = {}
    for name, value in given.items():
        if name not in kinds:
            raise ValueError(f"A plan has no setting {name!r}; it has {', '.join(kinds)}.")
        if kinds[name] == "bool":
            if value not in ("yes", "no"):
                raise ValueError(f"{name} takes yes or no, not {value!r}.")
            found[name] = value == "yes"
        else:
            written, kind = (REAL, float) if kinds[name] == "float" else (WHOLE, int)
            if not written.fullmatch(value):
                raise ValueError(f"{name} takes a number, not {value!r}.")
            found[name] = kind(value)
    return found
