"""The command `foxden review`."""

import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

import foxden
import foxden.review
from foxden.cli import app
from foxden.engine.errors import BadSeats
from foxden.review import Budget, NotOver

RECORD = str(Path(__file__).parents[1] / "records/happy-fox/shared-win.record")


def test_a_record_is_reviewed_in_words_and_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = partial(foxden.review.review, budget=Budget().times(0.02))
    monkeypatch.setattr(foxden.review, "review", quick)
    told = CliRunner().invoke(app, ["review", RECORD, "--seat", "1", "--all"])
    assert told.exit_code == 0, told.output
    match = foxden.Match.from_record(Path(RECORD).read_text())
    found = json.loads(CliRunner().invoke(app, ["review", RECORD, "--seat", "1", "--json"]).stdout)
    assert found["scores"] == list(match.scores)
    for line in ("even share", "what others did", "own decisions", "result"):
        assert line in told.stdout
    assert told.stdout.count("Move ") == len(found["decisions"])


def test_a_match_in_progress_or_a_seat_that_is_not_there_is_refused(tmp_path: Path) -> None:
    match = foxden.Match.from_record(Path(RECORD).read_text())
    file = tmp_path / "running.record"
    file.write_text(match.at(4).record())
    refused = CliRunner().invoke(app, ["review", str(file)])
    assert isinstance(refused.exception, NotOver)
    refused = CliRunner().invoke(app, ["review", RECORD, "--seat", "9"])
    assert isinstance(refused.exception, BadSeats)
