"""A question to the laboratory: a small TOML file, or the same from flags or Python."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

import foxden
from foxden.arena.chance import check_root
from foxden.engine.errors import FoxdenError
from foxden.engine.game import Game, Setup
from foxden.engine.native import digits
from foxden.engine.parts import Parts
from foxden.lab.players import find_player

Kind = Literal["compare", "sweep", "skill", "components", "balance"]
MADE = ("sweep", "skill")  # kinds whose variants follow from the rest of the question
MOST_VARIANTS = 200
MOST_VALUES = 10_000  # of one axis
RANGE = re.compile(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})(?::([1-9][0-9]{0,17}))?")
REACHED = re.compile(r"(\w+)@([0-9]{1,9})")  # a measure of how seats end: level@7
SETTING = re.compile(r"(?:([1-9][0-9]*):)?([^=]+)=(.*)", re.S)


class BadQuestion(FoxdenError):
    """Is raised for a question that cannot be answered; the sentence names the field."""


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way to play the game: changes to the question's own table."""

    name: str = ""
    seats: int | None = None
    options: dict[str, Any] = {}
    parts: dict[str, Any] = {}
    bots: list[str] = []  # instead of the question's
    players: dict[str, dict[str, Any]] = {}  # options of one player only, by its number from 1


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question, and everything needed to repeat the answer."""

    game: str
    kind: Kind = "compare"
    seats: int | None = None
    bots: list[str] = msgspec.field(default_factory=lambda: ["greedy"])
    deals: int | None = None
    until: float | None = None  # half the width that the interval of `measure` must have
    measure: str = "first"
    seed: int | str | None = None
    luck: int | str | None = None
    options: dict[str, Any] = {}
    parts: dict[str, Any] = {}
    variant: list[Variant] = []
    sweep: dict[str, Any] = {}  # name or path -> "3..6", "3..9:2" or a list
    target: dict[str, list[float]] = {}  # measure -> least and most
    vary: dict[str, Any] = {}  # as in `sweep`: what balance may change
    strong: str = "search:300"  # the search that judges decisions of components …
    positions: int = 300  # … and how many
    chances: int = 0  # deals whose chances are estimated by rollouts

    @property
    def chance(self) -> tuple[int, int]:
        """Returns the seed and the luck of a completed question."""
        assert self.seed is not None
        assert self.luck is not None
        return int(self.seed), int(self.luck)

    @property
    def most_deals(self) -> int:
        """Returns how many deals are played at most."""
        if self.deals is not None:
            return self.deals
        return 1_000_000 if self.until is not None else 1000

    def digest(self) -> str:
        """Identifies the matches, not their number: longer runs continue shorter ones' journals."""
        told = msgspec.to_builtins(self)
        for key in ("deals", "until", "measure", "target"):
            del told[key]
        if not self.chances:  # a journal from before there were any
            del told["chances"]
        told["seed"], told["luck"] = self.chance
        told["reached"] = reached(self)
        told["rules"] = foxden.game(self.game).rules_version
        told["foxden"] = foxden.__version__  # another release has other bots under the same names
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def reached(question: Question) -> list[tuple[str, str, int]]:
    """Lists what is asked of how seats end: `level@7` is a level of 7 or more in the last state."""
    names = sorted({question.measure, *question.target})
    found = [(name, REACHED.fullmatch(name)) for name in names]
    return [(name, match[1], int(match[2])) for name, match in found if match]


def read_question(file: Path) -> Question:
    """Reads a question from a TOML file."""
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadQuestion(f"{file} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadQuestion(f"{file} is not TOML: {error}.") from error
    return question_from(told)


def question_from(told: Mapping[str, Any]) -> Question:
    """Makes a question from plain data, refusing unknown fields."""
    try:
        return msgspec.convert(dict(told), Question)
    except msgspec.ValidationError as error:
        raise BadQuestion(f"This question cannot be read: {error}.") from error


def completed(question: Question) -> Question:
    """Checks a question and completes it: variants of a sweep, seats, seed and luck."""
    game = foxden.game(question.game)
    if question.kind not in get_args(Kind):
        raise BadQuestion(f"kind is one of {', '.join(get_args(Kind))}, not {question.kind!r}.")
    setup = _checked(game, question.seats, question.options, question.parts)
    seats = setup.seats
    if not question.bots:
        raise BadQuestion("bots must name at least one.")
    for bot in itertools.chain(question.bots, *(one.bots for one in question.variant)):
        find_player(bot)
    if question.deals is not None and question.deals < 2:
        raise BadQuestion("deals must be 2 or more: one deal bounds nothing.")
    if question.until is not None and not question.until > 0:
        raise BadQuestion(f"until must be above 0, not {question.until}.")
    if question.chances < 0 or (question.chances and question.kind not in ("compare", "sweep")):
        raise BadQuestion(
            f"chances is a number of deals, for compare and sweep; not {question.chances} "
            f"for {question.kind}."
        )
    for name, field, _ in reached(question):
        shape = game.state[field].shape if field in (game.state.names or ()) else ()
        if not shape or shape[0] < game.most_seats:
            raise BadQuestion(f"{name}: the state has no field {field!r} for each seat.")
    variants = [_named(one) for one in question.variant] if question.kind not in MADE else []
    if question.kind == "skill":
        groups = itertools.combinations(question.bots, min(seats, len(question.bots)))
        variants = [Variant(name=" + ".join(group), bots=list(group)) for group in groups]
    if question.kind == "sweep":
        variants += [_named(one) for one in grid(game, question.sweep)]
    if len(variants) > MOST_VARIANTS:
        raise BadQuestion(f"{len(variants)} variants are too many; {MOST_VARIANTS} at most.")
    names = [one.name for one in variants]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadQuestion(f"Two variants are called {twice!r}.")
    done = msgspec.structs.replace(
        question,
        seats=seats,
        # As digits: too large for other languages' numbers.
        seed=str(_root("seed", question.seed)),
        luck=str(_root("luck", question.luck)),
        variant=variants,
        sweep={path: values_of(path, given) for path, given in question.sweep.items()},
        vary={path: values_of(path, given) for path, given in question.vary.items()},
    )
    for variant in [Variant(), *variants]:
        table = setup_of(done, variant)
        if len(bots_of(question, variant)) > table.seats and question.kind != "skill":
            raise BadQuestion(f"{len(question.bots)} bots cannot share {table.seats} seats.")
        for number in variant.players:
            if not 1 <= (digits(number) or 0) <= table.seats:
                raise BadQuestion(f"players go from 1 to {table.seats}, not {number!r}.")
        for number in variant.players:
            setup_of(done, variant, int(number) - 1)
    return done


def _checked(game: Game, seats: int | None, options: Any, parts: Any) -> Setup:
    setup = game.setup(seats, options, parts)
    game.fit_parts(setup.parts)
    return setup


def setup_of(question: Question, variant: Variant, player: int | None = None) -> Setup:
    """Returns the table of a variant, as one player has it where its options differ."""
    options = {**question.options, **variant.options}
    if player is not None:
        options |= variant.players.get(str(player + 1), {})
    seats = variant.seats if variant.seats is not None else question.seats
    parts = {**question.parts, **variant.parts}
    return _checked(foxden.game(question.game), seats, options, parts)


def bots_of(question: Question, variant: Variant) -> list[str]:
    """Returns the bots of a variant."""
    return variant.bots or question.bots


def variants_of(question: Question) -> list[Variant]:
    """Returns all variants: the question's own table, then the others.

    In a sweep, the question's own table is among the grid where its value is.
    """
    plain = not question.options and not question.parts
    base = Variant(name="as printed" if plain else "as given")
    if question.kind == "skill":
        return question.variant
    if question.kind != "sweep":
        return [base, *question.variant]
    own = setup_of(question, base)
    return [base] * all(setup_of(question, one) != own for one in question.variant) + [
        *question.variant
    ]


def base_of(question: Question) -> int:
    """Returns the number of the variant that others are compared with."""
    own = setup_of(question, Variant())
    found = (k for k, one in enumerate(variants_of(question)) if setup_of(question, one) == own)
    return next(found)


# Settings by name: an option, a printed number, or the seats.


def variant_from(game: Game, text: str) -> Variant:
    """Reads `dogs=6 unknown_four=yes`; `1:owl_one=draw_two` is for the first player alone."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadQuestion(f"This variant cannot be read: {text!r} ({error}).") from error
    settings: dict[str, Any] = {}
    players: dict[str, dict[str, Any]] = {}
    for word in words:
        found = SETTING.fullmatch(word)
        if not found:
            raise BadQuestion(f"Write NAME=VALUE, not {word!r}.")
        player, name, value = found[1], found[2].strip(), _value(found[3].strip())
        if player is None:
            settings[name] = value
        else:
            players.setdefault(player, {})[name] = value
    if not words:
        raise BadQuestion("A variant needs at least one NAME=VALUE.")
    return _set(game, settings, players, text)


def _value(text: str) -> Any:
    """Reads a value as JSON, else as a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _set(
    game: Game, settings: Mapping[str, Any], players: dict[str, dict[str, Any]], name: str
) -> Variant:
    known = {option.name: option for option in game.options}
    options = {key: value for key, value in settings.items() if key in known}
    own = {*known, "seats", "bots"}
    parts = {key: value for key, value in settings.items() if key not in own}
    bots = str(settings.get("bots", ""))
    for key, value in options.items():
        if isinstance(value, int) and not isinstance(value, bool):
            options[key] = str(value)  # as people type it
    return Variant(
        name=name,
        seats=settings.get("seats"),
        options=options,
        parts=parts,
        bots=bots.split(",") if bots else [],
        players=players,
    )


def _named(variant: Variant) -> Variant:
    if variant.name:
        return variant
    words = [f"seats={variant.seats}"] * (variant.seats is not None)
    words += [f"bots={','.join(variant.bots)}"] * bool(variant.bots)
    words += [
        f"{key}={_said(value)}" for key, value in {**variant.options, **variant.parts}.items()
    ]
    words += [
        f"{number}:{key}={_said(value)}"
        for number, options in variant.players.items()
        for key, value in options.items()
    ]
    if not words:
        raise BadQuestion("A variant changes nothing: give it options, parts, bots or seats.")
    return msgspec.structs.replace(variant, name=" ".join(words))


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value)


def _root(name: str, given: int | str | None) -> int:
    """Reads the seed or the luck, or draws one."""
    root = digits(given, most=40) if isinstance(given, str) else given
    if given is not None and root is None:
        raise BadQuestion(f"{name} is a whole number in digits, not {given!r}.")
    return check_root(root)


def values_of(path: str, given: Any) -> list[Any]:
    """Returns the values of an axis: `3..6`, `3..9:2`, texts with commas, or a list."""
    if isinstance(given, list):
        values = given
    elif isinstance(given, str) and (found := RANGE.fullmatch(given.strip())):
        axis = range(int(found[1]), int(found[2]) + 1, int(found[3] or 1))
        if axis[MOST_VALUES:]:
            raise BadQuestion(f"{path} has too many values in {given}; {MOST_VALUES} at most.")
        values = [*axis]
    elif isinstance(given, str):
        values = [_value(text.strip()) for text in given.split(",")]
    else:
        values = [given]
    if not values or len({_said(value) for value in values}) < len(values):
        raise BadQuestion(f"{path} needs values that differ, as in 3..6 or 3,5; not {given!r}.")
    return values


def grid(game: Game, axes: Mapping[str, Any]) -> Iterator[Variant]:
    """Lists a variant for every point of a grid."""
    if not 1 <= len(axes) <= 2:
        raise BadQuestion(f"A sweep has one or two dimensions, not {len(axes)}.")
    paths = list(axes)
    for point in itertools.product(*(values_of(path, axes[path]) for path in paths)):
        yield grid_of(game, dict(zip(paths, point, strict=True)))


def grid_of(game: Game, settings: Mapping[str, Any]) -> Variant:
    """Returns the variant with some options and parts set."""
    name = " ".join(f"{path}={_said(value)}" for path, value in settings.items())
    return _set(game, settings, {}, name)


def point_of(question: Question, variant: Variant) -> list[Any]:
    """Returns where on the axes of a sweep a variant lies."""
    changed = {**variant.options, **variant.parts, "seats": variant.seats}
    return [changed[path] for path in question.sweep]


def printed_value(parts: Parts, options: Mapping[str, Any], path: str) -> Any:
    """Returns the value of an option, or of a part by its path."""
    if path in options:
        return options[path]
    value: Any = parts
    for step in path.split("."):
        name, _, entry = step.partition("[")
        value = value[name]
        if entry:
            value = value[int(entry[:-1]) - 1]
    return value


# The question again, for files and for the shell.


def to_toml(question: Question) -> str:
    """Writes a question as TOML; `read_question` reads it back."""
    told = msgspec.to_builtins(question)
    plain = msgspec.to_builtins(Question(game=question.game))
    variants = told.pop("variant") if question.kind not in MADE else told.pop("variant") and []
    lines = [f"# Asked of Foxden {version('foxden')}."]
    for key, value in told.items():
        if key in ("game", "kind") or value != plain[key]:
            lines.append(f"{key} = {_toml(value)}")
    for variant in variants:
        lines += ["", "[[variant]]"]
        lines += [f"{key} = {_toml(value)}" for key, value in variant.items() if value]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def to_command(question: Question) -> str:
    """Writes the command that repeats an answer."""
    game = foxden.game(question.game)
    words = ["foxden", "lab", question.kind, question.game]
    words += [f"{path}={','.join(map(_said, values))}" for path, values in question.sweep.items()]
    for name, value in (
        ("seats", question.seats),
        ("bots", ",".join(question.bots)),
        ("deals", question.deals),
        ("until", question.until),
        ("measure", None if question.measure == "first" else question.measure),
        ("chances", question.chances or None),
        ("seed", question.seed),
        ("luck", question.luck),
    ):
        words += [] if value is None else [f"--{name}", str(value)]
    for option in game.options:
        if option.name in question.options:
            value = option.check(question.options[option.name])
            words += ["--option", f"{option.name}={option.text(value)}"]
    for path, value in question.parts.items():
        words += ["--part", f"{path}={json.dumps(value)}"]
    if question.kind not in MADE:
        for variant in question.variant:
            words += ["--variant", _as_text(variant)]
    for path, values in question.vary.items():
        words += ["--vary", f"{path}={','.join(map(_said, values))}"]
    for name, (low, high) in question.target.items():
        words += ["--target", f"{name}={low:g}..{high:g}"]
    if question.kind == "components":
        words += ["--strong", question.strong, "--positions", str(question.positions)]
    return shlex.join(words)


def _as_text(variant: Variant) -> str:
    settings = {**variant.options, **variant.parts}
    words = [] if variant.seats is None else [f"seats={variant.seats}"]
    words += [f"bots={','.join(variant.bots)}"] * bool(variant.bots)
    words += [shlex.quote(f"{key}={_said(value)}") for key, value in settings.items()]
    for number, options in variant.players.items():
        words += [shlex.quote(f"{number}:{key}={_said(v)}") for key, v in options.items()]
    return " ".join(words)
