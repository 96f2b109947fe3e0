"""The command `foxden review`."""

import json
from functools import cache, partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

import foxden
import foxden.review
from foxden.bots import GreedyBot, ask
from foxden.cli import app
from foxden.cli.reviewing import print_review
from foxden.engine.errors import BadSeats
from foxden.review import VERSION, Account, Budget, Choice, Decision, NotOver, Review, Worth

RECORD = str(Path(__file__).parents[1] / "records/happy-fox/shared-win.record")


def test_a_record_is_reviewed_in_words_and_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    match = foxden.Match.from_record(Path(RECORD).read_text())
    quick = partial(foxden.review.review, budget=Budget().times(0.02))
    once = cache(lambda record, seat: quick(foxden.Match.from_record(record), seat))
    monkeypatch.setattr(
        foxden.review, "review", lambda match, seat, **_: once(match.record(), seat)
    )
    told = CliRunner().invoke(app, ["review", RECORD, "--seat", "1", "--all"])
    assert told.exit_code == 0, told.output
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


def test_where_all_play_together_only_points_count(capsys: pytest.CaptureFixture[str]) -> None:
    made = Choice(1, "draw", "Draw a card.", Worth(0, 0), Worth(60.0, 0.4), 64)
    better = Choice(2, "take", "Take it.", Worth(0, 0), Worth(61.5, 0.4), 64)
    decision = Decision(
        ply=4,
        kind="take",
        question="Draw, or take it.",
        open=2,
        verdict="loss",
        chosen=made,
        best=better,
        loss=Worth(0.0, 0.0),
        loss_points=Worth(1.5, 0.5),
        choices=(better, made),
    )
    found = Review(
        version=VERSION,
        game="fox-and-squirrels",
        title="Fox & Squirrels",
        rules=1,
        seats=2,
        seat=0,
        names=("Mia", "Ben"),
        measure="points",
        player="greedy",
        scores=(62, 62),
        winners=(),
        values=(61.0, 62.0),
        account=Account(61.0, 0.0, 1.0, 1.5, -1.5, 62.0),
        decisions=(decision,),
        costliest=(0,),
    )
    print_review(found, all_decisions=False)
    told = capsys.readouterr().out
    assert "“draw” cost 1.50 ± 0.50 points; better: “take”." in told
    assert "the deal" not in told


@pytest.mark.slow
def test_a_match_of_all_together_is_reviewed_in_points() -> None:
    match = foxden.new("fox-and-squirrels", seats=2, seed=4, options={"cooperative": "yes"})
    while not match.is_over:
        match.play(ask(GreedyBot(), match, seed=1))
    found = foxden.review.review(match, 1, budget=Budget().times(0.02))
    account = found.account
    parts = account.start + account.draws + account.others + account.decisions
    assert found.measure == "points"
    assert found.winners == ()
    assert account.deal == 0
    assert parts == pytest.approx(account.result) == match.scores[1]
    lost = [found.decisions[place].loss_points for place in found.costliest]
    assert lost
    assert all(loss.value > loss.margin for loss in lost)
    assert -account.decisions >= sum(loss.value for loss in lost) - 1e-9
