"""Answers of every kind, and the files they are written to."""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.arena.extras import MissingPackage
from foxden.lab.answering import answered
from foxden.lab.balance import nearest
from foxden.lab.components import kinds_of, ratio
from foxden.lab.question import BadQuestion, Question, completed, question_from
from foxden.lab.report import Report, write
from foxden.lab.skill import _shares, split
from foxden.lab.workers import gather, local

ASKED: dict[str, dict[str, Any]] = {
    "compare": {"variant": [{"parts": {"dogs": 7}}], "deals": 60},
    "sweep": {"sweep": {"dogs": "3..5"}, "deals": 40},
    "skill": {"bots": ["random", "greedy"], "deals": 30},
    "components": {"deals": 20, "positions": 24, "strong": "search:40"},
    "balance": {"target": {"length": [0, 60]}, "vary": {"geese": "11..15"}, "deals": 600},
}


def asked(kind: str, **changes: Any) -> Question:
    given = {"game": "happy-fox", "seats": 2, "kind": kind, "seed": 1, "luck": 2}
    return completed(question_from({**given, **ASKED[kind], **changes}))


def report(kind: str, **changes: Any) -> Report:
    question = asked(kind, **changes)
    with local(question, 1) as workers:
        return answered(question, workers=workers)


class Page(HTMLParser):
    """Reads a page: its tags, its text, and what it would fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href") and not str(value).startswith(("data:", "#")):
                self.fetched.append(str(value))
            if name == "id":
                self.ids.append(str(value))


@pytest.mark.parametrize("kind", ASKED)
def test_a_report_is_one_page_that_needs_nothing_else(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="pages need vl-convert")
    found = report(kind)
    page = tmp_path / "report.html"
    write(found, page)
    text = page.read_text(encoding="utf-8")
    read = Page(text)
    assert read.fetched == []
    assert "url(http" not in text
    assert "@import" not in text
    assert read.tags.count("svg") >= 2  # each plot for wide screens and for phones
    assert len(set(read.ids)) == len(read.ids)
    assert text.index(found.answer.split(",")[0][:30]) < text.index("<h2>")
    assert "prefers-color-scheme:dark" in text
    assert not re.search(r"#0[1-5]0[1-5]0[0-9]", text)  # every colour is the page's own
    (data,) = re.findall(r'<script type="application/json" id="figures">(.*?)</script>', text, re.S)
    assert json.loads(data.replace("<\\/", "</"))["answer"] == found.answer


@pytest.mark.parametrize("kind", ASKED)
def test_a_report_is_data_that_repeats_itself(kind: str) -> None:
    found = report(kind)
    told = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert told["question"]["seed"] == "1"
    assert told["command"].startswith(f"foxden lab {kind} happy-fox")
    assert told["rules"] == foxden.game("happy-fox").rules_version
    again = completed(question_from(told["question"]))
    with local(again, 2) as workers:
        assert json.dumps(answered(again, workers=workers).to_json()) == json.dumps(told)


def test_every_seat_of_every_match_is_a_row(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet files need pyarrow")
    found = report("compare", bots=["greedy", "random"], deals=5)
    write(found, tmp_path / "rows.parquet")
    rows = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    assert len(rows) == 2 * 5 * 2 * 2  # variants, deals, rotations, seats
    assert {row["variant"] for row in rows} == {"as printed", "dogs=7"}
    assert sum(row["win"] for row in rows) == pytest.approx(20)
    assert {(row["player"], row["bot"]) for row in rows} == {(1, "greedy"), (2, "random")}
    first = [row for row in rows if row["turn"] == 1 and row["variant"] == "as printed"]
    share = found.to_json()["variants"][0]["figures"]["first"]["value"]
    assert sum(row["win"] for row in first) / len(first) == pytest.approx(share)
    with pytest.raises(foxden.FoxdenError, match="no matches"):
        write(report("components"), tmp_path / "none.parquet")


def test_files_that_cannot_be_written_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = report("compare", deals=4)
    with pytest.raises(foxden.FoxdenError, match=r"must end in \.html"):
        write(found, tmp_path / "report.pdf")
    (tmp_path / "taken").write_text("")
    with pytest.raises(foxden.FoxdenError, match="cannot be written"):
        write(found, tmp_path / "taken" / "report.json")
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingPackage, match=r"foxden\[lab\]"):
        write(found, tmp_path / "report.html")


def test_the_answer_of_a_comparison_is_a_sentence_that_its_figures_bear_out() -> None:
    found = report("compare", measure="length", deals=200)
    (variant,) = found.to_json()["variants"][1:]
    assert variant["differences"]["length"]["p_of_all"] < 0.05
    assert "goes from" in found.answer
    same = report("compare", variant=[{"name": "same", "parts": {"dogs": 4}}])
    assert "no change" in same.answer


def test_what_variance_there_is_is_found_again() -> None:
    """Makes wins of two players from known parts, and splits them."""
    dice = np.random.default_rng(3)
    deals = 20_000
    # A player's wins: 0.5 ± 0.2 by skill, ± 0.1 by turn, ± 0.3 by the seat's cards; coins decide.
    cards = dice.choice([-0.15, 0.15], deals)
    squares = np.zeros((1, deals, 2, 2))
    for player, turn in ((0, 0), (0, 1)):
        skill, order = 0.2, 0.1 if turn == 0 else -0.1
        luck = cards if turn == 0 else -cards
        won = (dice.random(deals) < 0.5 + skill + order + luck) * 1.0
        squares[0, :, player, turn] = won
        squares[0, :, 1 - player, 1 - turn] = 1 - won
    skill, turn, deal, rest = _shares(squares)
    total = 0.25
    assert skill == pytest.approx(0.04 / total, abs=0.02)
    assert turn == pytest.approx(0.01 / total, abs=0.01)
    assert deal == pytest.approx(0.0225 / total, abs=0.03)
    assert rest == pytest.approx(1 - (0.04 + 0.01 + 0.0225) / total, abs=0.03)


def test_without_skill_or_luck_of_the_deal_none_is_found() -> None:
    dice = np.random.default_rng(4)
    coins = (dice.random((1, 5000, 1, 2)) < 0.5) * 1.0
    squares = np.zeros((1, 5000, 2, 2))
    squares[:, :, 0], squares[:, :, 1] = coins[:, :, 0], 1 - coins[:, :, 0, ::-1]
    skill, turn, deal, rest = _shares(squares)
    assert np.allclose([skill, turn, deal], 0, atol=0.03)
    assert rest == pytest.approx(1, abs=0.05)


def test_a_better_bot_shows_as_skill() -> None:
    question = asked("skill", deals=120)
    found = split(question, gather(question, workers=local(question, 1)))
    assert found.sources["skill"].low > 0.1
    assert found.elo["greedy"].low > found.elo["random"].high
    assert found.width.value == pytest.approx(found.elo["greedy"].value - found.elo["random"].value)
    assert sum(share.value for share in found.wins.values()) == pytest.approx(1)
    with pytest.raises(BadQuestion, match="two or more"):
        report("skill", bots=["greedy"])


def test_more_bots_than_seats_meet_in_all_groups() -> None:
    question = asked("skill", bots=["random", "greedy", "level:1"], deals=4)
    assert [one.name for one in question.variant] == [
        "random + greedy",
        "random + level:1",
        "greedy + level:1",
    ]
    found = report("skill", bots=["random", "greedy", "level:1"], deals=4)
    assert set(found.to_json()["skill"]["elo"]) == {"random", "greedy", "level:1"}


@pytest.mark.parametrize("name", foxden.games())
def test_every_action_has_a_kind(name: str) -> None:
    game = foxden.game(name)
    kinds, groups = kinds_of(game)
    assert len(groups) == game.actions
    assert set(groups.tolist()) == set(range(len(kinds)))
    assert 1 < len(kinds) <= 80


def test_components_count_and_judge() -> None:
    found = report("components", deals=40, positions=40, bots=["random"])
    told = {one["name"]: one for one in found.to_json()["actions"]}
    assert {"lay goose", "stop", "turn"} <= set(told)
    assert told["turn"]["used"]["value"] > 0
    things = {one["name"]: one for one in found.to_json()["components"]}
    assert set(things) == set(foxden.game("happy-fox").components)
    assert things["fox"]["used"]["value"] > 0
    judged = [one["judged"] for one in told.values()] + [one["using"] for one in things.values()]
    assert all(any(one["times"] for one in some) for some in (judged[: len(told)], judged[-4:]))
    for one in judged:
        assert one["times"] == 0 or 0 <= one["chosen"]["value"] <= 1
    assert any(section.title == "All components" for section in found.sections)
    with pytest.raises(BadQuestion, match="strong must be a search"):
        report("components", strong="greedy")


def test_a_ratio_counts_deals_not_seats() -> None:
    deals = np.repeat(np.arange(50), 4)
    values = np.repeat((np.arange(50) % 2) * 1.0, 4)  # all seats of a deal are alike
    clustered = ratio(values, np.ones(200), deals)
    apart = ratio(values, np.ones(200), np.arange(200))
    assert clustered.value == apart.value == 0.5
    assert clustered.high - clustered.low > 1.8 * (apart.high - apart.low)


def test_balance_tries_the_nearest_first_and_stops_at_what_is_known() -> None:
    found = report("balance")
    told = found.to_json()
    steps = [one["steps"] for one in told["tried"]]
    assert steps == sorted(steps)
    assert told["tried"][0]["name"] == "as it is"
    assert [one["verdict"] for one in told["tried"][:-1]].count("meets it") == 0
    assert told["found"]["verdict"] == "meets it"
    assert told["found"]["name"] in found.answer
    assert told["compared"]["variants"][0]["name"] == "as printed"
    met = report("balance", target={"length": [0, 1000]})
    assert met.answer.startswith("Nothing needs to change")
    missed = report("balance", target={"length": [900, 1000]})
    assert missed.answer.startswith("None of 5 candidates")


def test_nearest_goes_by_steps_over_all_that_may_vary() -> None:
    question = asked("balance", vary={"dogs": "3..5", "geese": [14, 16]})
    found = [(steps, settings) for steps, _, settings in nearest(question)]
    assert found[0] == (0, {})
    assert [steps for steps, _ in found] == [0, 1, 1, 1, 1, 2, 2, 2, 2]
    with pytest.raises(BadQuestion, match="no option or part"):
        list(nearest(asked("balance", vary={"cats": "3..5"})))
