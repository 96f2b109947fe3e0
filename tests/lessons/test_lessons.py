"""Every lesson is played, step by step, with the rules as they are."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast, get_args

import msgspec
import pytest

import foxden
from foxden.engine.game import Game
from foxden.engine.match import Match
from foxden.engine.view import to_json
from foxden.games import NAMES
from foxden.lessons import (
    BadLesson,
    Script,
    Step,
    Try,
    has_lesson,
    play,
    read_lesson,
    read_remarks,
    read_script,
)


def dealt(game: Game, script: Script) -> Match:
    return Match(
        game,
        seats=len(script.names),
        seed=script.seed,
        options=script.options,
        names=script.names,
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_step_is_legal_and_every_wrong_try_is_refused_or_another_move(name: str) -> None:
    game = foxden.game(name)
    script = read_script(game)
    match = dealt(game, script)
    for number, step in enumerate(script.steps, 1):
        for wrong in step.wrong:
            if wrong.rule is None:
                other, wanted = match.at(match.ply), match.at(match.ply)
                other.play(wrong.move, script.seat)
                assert step.move is not None
                wanted.play(step.move, script.seat)
                assert other.state_bytes() != wanted.state_bytes(), (number, wrong.move)
            else:
                with pytest.raises(foxden.IllegalAction) as refused:
                    match.check(wrong.move, script.seat)
                assert refused.value.rule == wrong.rule, (number, wrong.move)
        if step.move is not None:
            match.play(step.move, script.seat)
        for move in step.then:
            who, _, notation = move.partition(": ")
            match.play(notation, script.names.index(who))


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_shows_what_the_learner_sees(name: str) -> None:
    game = foxden.game(name)
    lesson, script = read_lesson(game), read_script(game)
    frames = [frame for step in lesson.steps for frame in step.frames]
    match = dealt(game, script)
    moves = [
        move.partition(": ")[2] if ": " in move else move
        for step in script.steps
        for move in ([step.move] if step.move else []) + step.then
    ]
    assert len(frames) == len(moves) + 1
    assert to_json(frames[0].view) == match.view(lesson.seat)
    for frame, move in zip(frames[1:], moves, strict=True):
        match.play(move)
        assert to_json(frame.view) == match.view(lesson.seat)
        assert to_json(frame.log) == match.log(lesson.seat, since=match.ply - 1)


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_is_short_names_real_rules_and_points_at_what_to_press(name: str) -> None:
    game = foxden.game(name)
    lesson = read_lesson(game)
    assert 5 <= lesson.minutes <= 10
    assert 10 <= len(lesson.steps) <= 40
    tries = [step for step in lesson.steps if step.action is not None]
    assert len(tries) >= len(lesson.steps) / 3, "a lesson is to be played, not read"
    assert sum(len(step.wrong) for step in lesson.steps) >= 3
    rules = set(re.findall(r"^- \*\*([A-Z]+-[A-Z]?\d+)\*\*", game.guide, re.MULTILINE))
    for step in lesson.steps:
        assert step.action is None or step.point, step.say
        assert {*step.rules} <= rules
    assert sum(len(step.rules) for step in lesson.steps) >= 5


HAPPY = foxden.game("happy-fox")


def changed(at: int, **changes: Any) -> Script:
    """Writes the lesson of Happy Fox anew, with one step changed."""
    script = read_script(HAPPY)
    step = msgspec.structs.replace(script.steps[at], **changes)
    steps = [*script.steps[:at], step, *script.steps[at + 1 :]]
    return msgspec.structs.replace(script, steps=steps)


FIRST = next(i for i, step in enumerate(read_script(HAPPY).steps) if step.move is not None)
GOOD = cast(str, read_script(HAPPY).steps[FIRST].move)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"move": "stop"}, "there is no grab to stop"),
        ({"move": "fly away"}, "is no move of Happy Fox"),
        ({"say": "x" * 1000}, "signs"),
        ({"say": ""}, "signs"),
        ({"then": ["Nobody: fox"]}, "names no seat"),
        ({"then": ["fox"]}, "names no seat"),
        ({"then": ["Cub: stop"]}, "Cub"),
        ({"wrong": [Try(ask="?", move="stop", rule="HF-6")]}, "refused by HF-5, not HF-6"),
        ({"wrong": [Try(ask="?", move="stop")]}, "refused by HF-5, not None"),
        ({"wrong": [Try(ask="?", move=GOOD, say="No.")]}, "is the move that is wanted"),
        ({"wrong": [Try(ask="?", move="fly away", rule="HF-5")]}, "is no move"),
    ],
)
def test_a_lesson_that_does_not_hold_is_refused_with_its_place(
    changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadLesson) as refused:
        play(HAPPY, changed(FIRST, **changes))
    assert refused.value.where == f"step {FIRST + 1}"
    assert said in str(refused.value)


def test_a_legal_move_needs_words_and_no_rule() -> None:
    script = read_script(HAPPY)
    match = dealt(HAPPY, script)
    for step in script.steps[:FIRST]:
        for move in step.then:
            match.play(move.partition(": ")[2])
    other = next(str(action) for action in match.legal() if str(action) != GOOD)
    for wrong in (Try(ask="?", move=other), Try(ask="?", move=other, say="No.", rule="HF-5")):
        with pytest.raises(BadLesson, match="is legal, so it needs words and no rule"):
            play(HAPPY, changed(FIRST, wrong=[wrong]))
    lesson = play(HAPPY, changed(FIRST, wrong=[Try(ask="?", move=other, say="Not now.")]))
    assert lesson.steps[FIRST].wrong[0].action == HAPPY.action(other).id


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seed = ", "It is not TOML"),
        ("seed = 1", "missing required field"),
        ('minutes = "five"', "Expected `int`"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "lesson.toml").write_text(text)
    with pytest.raises(BadLesson, match=r"^lesson\.toml: ") as refused:
        read_lesson(cast(Game, SimpleNamespace(folder=tmp_path)))
    assert said in str(refused.value)


def test_a_game_need_not_have_a_lesson(tmp_path: Path) -> None:
    bare = cast(Game, SimpleNamespace(folder=tmp_path))
    assert not has_lesson(bare)
    assert read_remarks(bare) == []


def test_a_step_that_only_speaks_shows_nothing_new() -> None:
    script = changed(FIRST, move=None, wrong=[], then=[])
    script.steps = [*script.steps[: FIRST + 1], Step(say="Still here.")]
    lesson = play(HAPPY, script)
    assert lesson.steps[FIRST + 1].frames == []
    assert lesson.steps[-1].say == script.finish.strip()


@pytest.mark.parametrize("name", NAMES)
def test_remarks_wait_for_what_can_happen(name: str) -> None:
    game = foxden.game(name)
    remarks = read_remarks(game)
    assert len(remarks) >= 4
    kinds = {event.__struct_config__.tag for event in get_args(game.view.Events)}
    phases = set(get_args(msgspec.structs.fields(game.view.Table)[0].type))
    keys = [(one.event, one.phase, one.mine) for one in remarks]
    assert len(set(keys)) == len(keys)
    for remark in remarks:
        assert (remark.event is None) != (remark.phase is None)
        assert remark.event is None or remark.event in kinds
        assert remark.phase is None or remark.phase in phases
        assert remark.rule is None or f"**{remark.rule}**" in game.guide
        assert 0 < len(remark.say) <= 160


# Rules that a picture would not make clearer: who begins, limits, and what is always true.
BARE = {"HF-4", "FG-42", "FS-24", "FS-28", "FW-8", "SF-6", "SF-34", "SF-36", "SF-42", "SF-51"}
ID = r"[A-Z]+-[A-Z]?\d+[a-z]?"
DRAWINGS = Path(__file__).parents[2] / "web/src/games"


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_has_a_picture_or_an_example(name: str) -> None:
    game = foxden.game(name)
    rules = set(re.findall(rf"^- \*\*({ID})\*\*", game.guide, re.MULTILINE))
    drawing = (DRAWINGS / name / "Pictures.svelte").read_text(encoding="utf-8")
    drawn = set(re.findall(rf"^    '({ID})': ", drawing, re.MULTILINE))
    shown = {rule for step in read_script(game).steps for rule in step.rules}
    assert drawn <= rules
    assert rules - drawn - shown == BARE & rules
