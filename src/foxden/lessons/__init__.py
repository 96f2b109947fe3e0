"""Lessons: a first match that teaches, and tips for the next ones.

A game's folder may hold `lesson.toml`, a deal and the steps of a lesson, and `coach.toml`, tips on
what happens for the first time. Both are data. A lesson is played as a real match, so everything
it shows is a real view, and a step that the rules refuse is an error.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field

from foxden.engine.errors import FoxdenError
from foxden.engine.game import Game
from foxden.engine.match import Match
from foxden.engine.view import LogEntry, View

LONGEST = 300  # characters per step: a speech bubble, not a page

Read = TypeVar("Read")


class BadLesson(FoxdenError):
    """Is raised for a lesson that cannot be read or played; `where` is the place in the file."""

    def __init__(self, message: str, *, where: str) -> None:
        """Leads the sentence with the place."""
        super().__init__(f"{where}: {message}")
        self.where = where


# What the files hold


class Try(Struct, forbid_unknown_fields=True, kw_only=True):
    """A wrong move, asked as a question and answered."""

    ask: str  # in the learner's words: "Could I …?"
    move: str = field(name="try")
    rule: str | None = None  # the rule that refuses it; none for a move that is merely unwise
    say: str = ""  # what the coach adds to the rule's text


class Step(Struct, forbid_unknown_fields=True, kw_only=True):
    """One thing to learn."""

    say: str
    point: list[str] = []  # names of things on the board; the first one in sight is pointed at
    move: str | None = field(default=None, name="try")  # without one, the learner reads on
    wrong: list[Try] = []
    then: list[str] = []  # moves that follow, each with the seat's name: "Mia: pass"
    rules: list[str] = []  # the rules that it shows


class Script(Struct, forbid_unknown_fields=True, kw_only=True):
    """A lesson as it is written."""

    minutes: int
    seed: int
    names: list[str]  # of all seats
    seat: int  # the learner's
    options: dict[str, Any] = {}
    steps: list[Step]
    finish: str  # what the coach says at the end


class Remark(Struct, forbid_unknown_fields=True, kw_only=True):
    """Something to say when an event or a phase comes for the first time."""

    say: str
    event: str | None = None  # the kind of an event
    phase: str | None = None  # the table's phase, when the person is asked in it
    mine: bool | None = None  # whether the event must be the person's own, or another's
    rule: str | None = None


# What is shown


class Frame(Struct):
    """A position, and what led to it from the one before."""

    view: View
    log: list[LogEntry]


class Wrong(Struct):
    """A question of the learner's, with its answer."""

    ask: str
    answer: str
    rule: str | None
    action: int | None  # for a legal move, so that playing it gets the same answer


class LessonStep(Struct):
    """A step, with the positions that lead up to it."""

    say: str
    point: list[str]
    action: int | None  # what to play; none to read on
    wrong: list[Wrong]
    rules: list[str]
    frames: list[Frame]  # shown one after another; none where nothing has happened


class Lesson(Struct):
    """A lesson played to its end."""

    game: str
    title: str
    minutes: int
    seat: int
    steps: list[LessonStep]  # the last one says goodbye


def has_lesson(game: Game) -> bool:
    """Returns whether a game's folder has a lesson."""
    return (game.folder / "lesson.toml").is_file()


def read_script(game: Game) -> Script:
    """Reads a game's lesson as it is written."""
    return _read(game.folder / "lesson.toml", Script)


def read_lesson(game: Game) -> Lesson:
    """Reads and plays a game's lesson."""
    return play(game, read_script(game))


def read_remarks(game: Game) -> list[Remark]:
    """Reads a game's tips; none if the folder has no such file."""
    file = game.folder / "coach.toml"
    if not file.is_file():
        return []
    remarks = _read(file, dict[str, list[Remark]])
    return remarks.get("remarks", [])


def _read(file: Path, kind: type[Read]) -> Read:
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), kind)
    except OSError as error:
        raise BadLesson(f"It cannot be read: {error.strerror}.", where=file.name) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadLesson(f"It is not TOML: {error}.", where=file.name) from error
    except msgspec.ValidationError as error:
        raise BadLesson(f"{error}.", where=file.name) from error


def play(game: Game, script: Script) -> Lesson:
    """Plays a lesson, refusing invalid steps."""
    match = Match(
        game,
        seats=len(script.names),
        seed=script.seed,
        options=script.options,
        names=script.names,
    )
    seat = match.check_seat(script.seat)
    frames = [Frame(match.seat_view(seat).view, [])]
    steps = []
    for number, step in enumerate(script.steps, 1):
        where = f"step {number}"
        if not 0 < len(step.say) <= LONGEST:
            raise BadLesson(f"It says {len(step.say)} signs; {LONGEST} fit.", where=where)
        wrong = [_answer(match, seat, one, step.move, where) for one in step.wrong]
        action = None
        if step.move is not None:
            action = _played(match, seat, step.move, where).id
        steps.append(LessonStep(step.say.strip(), step.point, action, wrong, step.rules, frames))
        frames = [_frame(match, seat)] if action is not None else []
        for move in step.then:
            name, found, notation = move.partition(": ")
            if not found or name not in script.names:
                raise BadLesson(f"{move!r} names no seat; write 'NAME: move'.", where=where)
            _played(match, script.names.index(name), notation, where)
            frames.append(_frame(match, seat))
    last = LessonStep(script.finish.strip(), [], None, [], [], frames)
    return Lesson(game.name, game.title, script.minutes, seat, [*steps, last])


def _played(match: Match, seat: int, move: str, where: str) -> Any:
    try:
        return match.play(move, seat)
    except FoxdenError as error:
        raise BadLesson(f"{match.names[seat]}: {error}", where=where) from error


def _answer(match: Match, seat: int, wrong: Try, wanted: str | None, where: str) -> Wrong:
    """Answers a wrong try by the rule that refuses it, or as a legal but different move."""
    try:
        action = match.game.action(wrong.move)
        if match.to_act != seat:
            raise BadLesson(f"{wrong.move!r}: the learner is not asked.", where=where)
        if wanted is not None and action == match.game.action(wanted):
            raise BadLesson(f"{wrong.move!r} is the move that is wanted.", where=where)
        if action in match.legal():
            if wrong.rule or not wrong.say:
                raise BadLesson(
                    f"{wrong.move!r} is legal, so it needs words and no rule.", where=where
                )
            return Wrong(wrong.ask, wrong.say, None, action.id)
        reason, rule = match.why_not(action)
    except BadLesson:
        raise
    except FoxdenError as error:
        raise BadLesson(str(error), where=where) from error
    if wrong.rule != rule:
        raise BadLesson(
            f"{wrong.move!r} is refused by {rule}, not {wrong.rule}: {reason}.", where=where
        )
    told = f"No: {reason}."
    return Wrong(wrong.ask, f"{told} {wrong.say}".strip(), rule, None)


def _frame(match: Match, seat: int) -> Frame:
    return Frame(match.seat_view(seat).view, match.entries(seat, since=match.ply - 1))
