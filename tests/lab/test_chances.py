"""How early the winner is known: by chances where they were estimated, else by the score."""

import json
from typing import Any

import numpy as np
import pytest

from foxden.lab.answering import answered
from foxden.lab.chances import (
    MOMENTS,
    STRONG,
    UNKNOWN,
    assured,
    chances_of,
    course,
    favourite,
    foreseen,
    reliability,
)
from foxden.lab.playing import Piece as PlayedPiece
from foxden.lab.playing import Table, play_piece
from foxden.lab.question import BadQuestion, Question, completed, question_from
from foxden.lab.tracing import SCORE, SEATS
from foxden.lab.workers import gather, local
from foxden.review.rollouts import GREEDY


def asked(**changes: Any) -> Question:
    given = {"game": "happy-fox", "seats": 2, "seed": 1, "luck": 2, "deals": 12, **changes}
    return completed(question_from(given))


def rows_of(*matches: tuple[list[int], list[int]]) -> Any:
    """Makes rows of two seats: who has won, and the first seat's chance at each moment."""
    rows = np.zeros((len(matches), SCORE + 4 + 2 * MOMENTS), np.int64)
    rows[:, SEATS] = 2
    for row, (won, chances) in zip(rows, matches, strict=True):
        row[SCORE + 2 : SCORE + 4] = won
        pairs = [(chance, 1000 - chance) for chance in chances]
        row[SCORE + 4 :] = np.array(pairs).reshape(-1) if chances else UNKNOWN
    return rows


def test_the_favourite_goes_by_chances() -> None:
    rows = rows_of(
        ([1, 0], [600] * 10),  # a favourite from the deal on
        ([1, 0], [600] * 3 + [400] * 3 + [700] * 4),  # who falls back, and leads again
        ([0, 1], [600] * 10),  # an outsider wins
        ([1, 1], [600] * 5 + [100] * 5),  # both win
        ([1, 0], [500] * 9 + [900]),  # nobody is ahead for long
        ([1, 0], []),  # nothing was estimated
    )
    assert foreseen(rows, 0)[:-1].tolist() == [0.0, 0.6, 1.0, 0.0, 0.9]
    assert favourite(rows, 0)[:-1].tolist() == [1, 0, 0, 1, 0]
    assert assured(rows, 0)[:-1].tolist() == pytest.approx([0.6, 0.4, 0.4, 1.0, 0.5])
    assert all(np.isnan(of(rows, 0)[-1]) for of in (foreseen, favourite, assured))
    assert course(rows, 0)[1].tolist() == pytest.approx([0.6] * 3 + [0.4] * 3 + [0.7] * 4)


def test_reliability_sets_chances_beside_results() -> None:
    rows = rows_of(*([([1, 0], [700] * 10)] * 7), *([([0, 1], [700] * 10)] * 3))
    bins, brier, even = reliability([rows], 0)
    assert [one.predicted for one in bins] == pytest.approx([0.3, 0.7])
    assert [one.happened for one in bins] == pytest.approx([0.3, 0.7])
    assert brier == pytest.approx(0.7 * 0.3**2 + 0.3 * 0.7**2)
    assert even == pytest.approx(0.25)


def test_chances_end_where_the_match_does() -> None:
    table = Table.of(asked(chances=6), 0)
    rows = table.rows(0, 12)
    shown = rows[:, -2 * MOMENTS :].reshape(12, MOMENTS, 2)
    assert (shown[6:] == UNKNOWN).all()
    assert ((shown[:6] >= 0) & (shown[:6] <= 1000)).all()
    # What is known late tells more than what is known at the deal.
    grown = course(rows, 0)
    assert grown[:, -1].mean() > grown[:, 0].mean() + 0.2
    bare = Table.of(asked(), 0).rows(0, 12)
    assert np.array_equal(bare, rows[:, : bare.shape[1]])


def test_a_seats_chance_is_from_what_it_knew() -> None:
    """Two worlds that a seat cannot tell apart give it the same chance."""
    table = Table.of(asked(chances=1), 0)
    dealt = table.dealt([(0, 0)])
    other = table.dealt([(0, 0)])
    pile, size = other[0]["pile"][1], int(other[0]["in_pile"][1])
    pile[:size] = pile[:size][::-1].copy()  # the order of the other seat's pile
    assert not np.array_equal(pile, dealt[0]["pile"][1])
    script = np.zeros(0, np.int64)
    one, two = (chances_of(table.game, states, script, 2) for states in (dealt, other))
    assert np.array_equal(one, two)


def test_the_report_says_what_it_goes_by() -> None:
    question = asked(chances=8, variant=[{"parts": {"dogs": 6}}])
    with local(question, 1) as workers:
        found = answered(question, workers=workers)
    told = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert 0 <= told["variants"][0]["figures"]["foreseen"]["value"] <= 1
    assert "foreseen" in told["variants"][1]["differences"]
    assert any("measured by chances, at 10 moments of 8 deals" in line for line in told["how"])
    assert "--chances 8" in told["command"]
    assert any(section.title == "How early the winner is known" for section in found.sections)
    plain = asked()
    with local(plain, 1) as workers:
        bare = answered(plain, workers=workers).to_json()
    assert any("is measured by that score" in line for line in bare["how"])
    assert "foreseen" not in bare["measures"]


def test_workers_make_no_difference_to_chances() -> None:
    question = asked(chances=20, deals=40)
    alone = gather(question, workers=local(question, 1))
    with local(question, 2) as two:
        assert np.array_equal(gather(question, workers=two)[0], alone[0])
    assert np.array_equal(play_piece(question, PlayedPiece(0, 16, 16)), alone[0][16:32])
    assert question.digest() != asked(deals=40).digest()


def test_chances_are_for_questions_that_measure_them() -> None:
    with pytest.raises(BadQuestion, match="chances"):
        asked(kind="skill", bots=["random", "greedy"], chances=3)
    with pytest.raises(BadQuestion, match="chances"):
        asked(chances=-1)


def test_among_strong_bots_the_network_has_its_say() -> None:
    """Their chances at the deal are those that the network sees; greedy players' are not."""
    for bot, way, other in (("net", STRONG, GREEDY), ("greedy", GREEDY, STRONG)):
        table = Table.of(asked(chances=1, bots=[bot]), 0)
        seen = [
            chances_of(table.game, table.dealt([(0, 0)]), np.zeros(0, np.int64), 2, tried)[:2]
            for tried in (way, other)
        ]
        shown = table.rows(0, 1)[0, -2 * MOMENTS :][:2]
        assert np.array_equal(shown, seen[0])
        assert not np.array_equal(shown, seen[1])
