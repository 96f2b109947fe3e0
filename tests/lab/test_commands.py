"""The commands of the laboratory, as people type them."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from foxden.cli import app
from foxden.engine.errors import FoxdenError
from foxden.lab.question import question_from, to_toml

SMALL = ("--seats", "2", "--seed", "1", "--luck", "2", "--workers", "1")


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["lab", *words])
    if isinstance(done.exception, FoxdenError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_printed_command_repeats_the_answer(tmp_path: Path) -> None:
    words = ("happy-fox", *SMALL, "--deals", "40", "--variant", "dogs=6", "--part", "geese=14")
    told = run("compare", *words, "--json")
    found = json.loads(told)
    again = shlex.split(found["command"])
    assert again[:3] == ["foxden", "lab", "compare"]
    assert run(*again[2:], "--json", "--workers", "1") == told
    file = tmp_path / "question.toml"
    file.write_text(to_toml(question_from(found["question"])), encoding="utf-8")
    assert run("run", str(file), "--json", "--workers", "1") == told


def test_a_run_stops_at_the_precision_that_was_asked_for() -> None:
    told = run("compare", "happy-fox", *SMALL, "--until", "±8%", "--json")
    found = json.loads(told)
    share = found["variants"][0]["figures"]["first"]
    assert found["question"]["until"] == pytest.approx(0.08)
    assert share["high"] - share["low"] <= 0.16


def test_an_interrupted_run_goes_on_with_its_journal(tmp_path: Path) -> None:
    journal = str(tmp_path / "run.jsonl")
    short = ("compare", "happy-fox", "--seats", "2", "--workers", "1", "--journal", journal)
    first = json.loads(run(*short, "--deals", "64", "--json"))
    longer = json.loads(run(*short, "--deals", "128", "--json"))
    assert first["question"]["seed"] == longer["question"]["seed"]
    whole = ("compare", "happy-fox", "--seats", "2", "--workers", "1", "--deals", "128", "--json")
    roots = ("--seed", longer["question"]["seed"], "--luck", longer["question"]["luck"])
    assert json.loads(run(*whole, *roots))["variants"] == longer["variants"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", "happy-fox", "--until", "often"), "share as 1%"),
        (("compare", "happy-fox", "--variant", "dogs"), "NAME=VALUE"),
        (("compare", "happy-fox", "--variant", "cats=3"), "prints no such number"),
        (("compare", "happy-fox", "--measure", "luck"), "no measure 'luck'"),
        (("compare", "happy-fox", "--out", "report.pdf"), "must end in"),
        (("sweep", "happy-fox", "dogs=3,3"), "values that differ"),
        (("balance", "happy-fox", "--target", "first=50%", "--vary", "dogs=3..5"), "LEAST..MOST"),
        (("run", "nowhere.toml"), "cannot be read"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_is_played(
    words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*given: Any) -> Any:
        raise AssertionError("something was played")

    monkeypatch.setattr("foxden.lab.workers.play_piece", play)
    with pytest.raises(FoxdenError, match=said):
        run(*words)
