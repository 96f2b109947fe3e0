"""Tournaments: fair, repeatable, resumable, and proof against bad bots."""

import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.arena import tournament
from foxden.arena.intervals import share_anytime
from foxden.arena.tournament import BadTournament, Plan, Played, elo, openskill, outcome, run
from foxden.bots import Bot, GreedyBot, Position, RandomBot, find_bot


class Named:
    """A bot under another name."""

    def __init__(self, name: str, bot: Any) -> None:
        self.name = name
        self.choose = bot.choose


GAME = foxden.game("happy-fox")
BOTS: list[Bot] = [GreedyBot(), RandomBot()]


def plan(**changes: Any) -> Plan:
    return Plan(
        **{
            "game": "happy-fox",
            "bots": ("greedy", "random"),
            "seats": 2,
            "deals": 4,
            "seed": 3,
            "luck": 4,
            **changes,
        }
    )


def test_every_rotation_of_a_deal_has_the_same_cards() -> None:
    found = run(GAME, BOTS, plan(seats=3))
    assert len(found.matches) == 12
    for deal in range(4):
        rotations = [one for one in found.matches if one.deal == deal]
        assert len({one.seed for one in rotations}) == 1
        assert len({one.bots for one in rotations}) > 1
        seats = [{one.bots[seat] for one in rotations} for seat in range(3)]
        assert all(bots == {0, 1} for bots in seats)
    assert len({one.seed for one in found.matches}) == 4


def test_groups_are_even() -> None:
    many = plan(bots=("a", "b", "c", "d"), seats=3, deals=8)
    met = [set(many.group(deal)) for deal in range(8)]
    assert {frozenset(group) for group in met} == {
        frozenset(group) for group in ([0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3])
    }
    few = plan(seats=3, deals=8)
    sat = [bot for deal in range(8) for bot in few.group(deal)]
    assert sat.count(0) == sat.count(1) == 12


def test_workers_make_no_difference() -> None:
    one, two = (run(GAME, BOTS, plan(deals=20), workers=workers) for workers in (1, 3))
    assert one == two


@pytest.mark.parametrize("name", foxden.games())
def test_workers_make_no_difference_to_searches(name: str) -> None:
    game = foxden.game(name)
    bots: list[Bot] = [find_bot("search:20"), find_bot("level:2")]
    both = plan(game=name, bots=("search:20", "level:2"), deals=2)
    one, two = (run(game, bots, both, workers=workers) for workers in (1, 2))
    assert one == two


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    whole = run(GAME, BOTS, plan(deals=6))
    journal = tmp_path / "run" / "journal.jsonl"
    run(GAME, BOTS, plan(deals=3), journal=journal)
    journal.write_text(journal.read_text() + '{"deal": 3, "rota')  # torn by a crash
    fresh: list[Any] = []
    assert run(GAME, BOTS, plan(deals=6), journal=journal, report=fresh.append) == whole
    assert {one.deal for one in fresh} == {3, 4, 5}
    assert len(journal.read_text().splitlines()) == 1 + 12


def test_a_journal_of_another_tournament_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    run(GAME, BOTS, plan(), journal=journal)
    with pytest.raises(BadTournament, match="another tournament"):
        run(GAME, BOTS, plan(seed=4), journal=journal)
    with pytest.raises(BadTournament, match="another tournament"):
        run(GAME, BOTS, plan(luck=5), journal=journal)
    journal.write_text("nonsense\n")
    with pytest.raises(BadTournament, match="not a journal"):
        run(GAME, BOTS, plan(), journal=journal)
    assert journal.read_text() == "nonsense\n"


def test_a_clear_answer_ends_the_run() -> None:
    found = run(GAME, BOTS, plan(deals=2000), stop_when_clear=True)
    assert found.clear
    assert found.deals < 2000
    assert found.standings[0].bot == "greedy"
    assert found.standings[0].elo.low > 0 > found.standings[1].elo.high


def test_equal_bots_are_not_set_apart() -> None:
    twins: list[Bot] = [Named("left", RandomBot()), Named("right", RandomBot())]
    found = run(GAME, twins, plan(bots=("left", "right"), deals=100))
    assert not found.clear
    assert found.standings[0].elo.low < 0 < found.standings[0].elo.high


class Raiser:
    name = "raiser"

    def choose(self, position: Position) -> Any:
        raise RuntimeError("out of ideas")


class Cheat:
    name = "cheat"

    def choose(self, position: Position) -> Any:
        return 10**6


class Wrong:
    name = "wrong"

    def choose(self, position: Position) -> Any:
        legal = {int(action) for action in position.legal}
        return next(a for a in range(position.game.actions) if a not in legal)


class Sleeper:
    name = "sleeper"

    def choose(self, position: Position) -> Any:
        time.sleep(60)


@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        (Raiser(), "raised RuntimeError"),
        (Cheat(), "raised BadNotation"),
        (Wrong(), "answered illegally"),
    ],
)
def test_a_bad_bot_is_named_and_breaks_nothing(bot: Any, fault: str) -> None:
    found = run(GAME, [bot, RandomBot()], plan(bots=(bot.name, "random"), deals=2))
    bad = next(line for line in found.standings if line.bot == bot.name)
    assert set(bad.faults) == {fault}
    assert next(line for line in found.standings if line.bot == "random").faults == {}
    assert all(one.plies > 48 for one in found.matches)


def test_a_stalled_bot_loses_the_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "GRACE", 0.01)
    match = foxden.new("happy-fox", seats=2, seed=1)
    begin = time.perf_counter()
    action, fault = tournament.decide(Sleeper(), match, 1, 0.05)
    assert time.perf_counter() - begin < 5
    assert fault == "stalled"
    assert action in match.legal()


def test_two_bots_with_one_name_are_refused() -> None:
    with pytest.raises(BadTournament, match="one name"):
        run(GAME, [RandomBot(), RandomBot()], plan(bots=("random", "random")))


def test_ratings_are_the_textbook_ones() -> None:
    """Ten to one on a large sample is 400 points."""
    two = elo(np.array([[0, 100000], [10000, 0]]))
    assert two[0] - two[1] == pytest.approx(400, abs=0.1)
    three = elo(np.array([[0, 1e6, 1e6], [1e5, 0, 1e6], [1e4, 1e5, 0]]))
    assert three[0] - three[1] == pytest.approx(400, abs=1)
    assert three[1] - three[2] == pytest.approx(400, abs=1)
    assert sum(three) == pytest.approx(0, abs=1e-6)


def test_openskill_rates_fuller_tables_like_the_library_does() -> None:
    """One win against two equals, as openskill's own example has it."""
    one = Played(0, 0, 1, (0, 1, 2), (9, 5, 5), (1.0, 0.0, 0.0), 50, ())
    first, second, third = openskill(3, [one])
    assert first.mu == pytest.approx(27.869, abs=0.001)
    assert second.mu == third.mu == pytest.approx(23.565, abs=0.001)
    assert first.sigma < 25 / 3


def test_openskill_agrees_on_who_is_better() -> None:
    found = run(GAME, BOTS, plan(seats=4, deals=40))
    assert [line.bot for line in found.standings] == ["greedy", "random"]
    assert found.standings[0].skill.mu > found.standings[1].skill.mu


def test_the_outcome_is_plain_data() -> None:
    found = run(GAME, BOTS, plan(deals=1))
    told = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert told["deals"] == 1
    assert told["plan"]["seed"] == "3"
    assert told["standings"][0]["score"]["low"] is None  # one deal bounds no score


def results(*wins: tuple[float, ...], seats: int = 2) -> list[Played]:
    """Makes matches by who won, one a deal; losers rank by their seats."""
    bots = tuple(range(seats))
    return [
        Played(
            deal,
            0,
            1,
            bots,
            tuple(int(win * 10) - seat for seat, win in enumerate(won)),
            won,
            50,
            (),
        )
        for deal, won in enumerate(wins)
    ]


def test_two_are_rated_as_far_apart_as_their_share_may_be() -> None:
    """Elo between two is the log odds of the share, with the same bounds."""
    played = results(*[(1.0, 0.0)] * 30, *[(0.0, 1.0)] * 10)
    found = outcome(plan(deals=40), played, 40)
    share = share_anytime([1.0] * 30 + [0.0] * 10)
    first = found.standings[0]
    assert first.elo.value == pytest.approx(200 * math.log10(30.5 / 10.5), abs=0.01)
    for end, odds in ((first.elo.low, share.low), (first.elo.high, share.high)):
        assert end == pytest.approx(200 * math.log10(odds / (1 - odds)), abs=3)
    assert (first.wins.low, first.wins.high) == (share.low, share.high)
    assert found.clear == (share.low > 0.5)


def test_a_sweep_of_one_deal_claims_nothing() -> None:
    found = outcome(plan(deals=1), results((1.0, 0.0)), 1)
    first = found.standings[0]
    assert not found.clear
    assert first.elo.low < 0
    assert first.elo.high == math.inf
    assert first.wins.low < 0.1
    assert str(first.score) == "10.000 (no interval)"


def test_more_bots_need_more_evidence() -> None:
    """Which are neighbours is seen only afterwards, so the error is shared by all pairs."""
    wins = [(1.0, 0.0)] * 25 + [(0.0, 1.0)] * 7
    two = outcome(plan(deals=32), results(*wins), 32)
    assert two.clear
    three = [(*won, 0.0) for won in wins]
    found = outcome(plan(bots=("a", "b", "c"), seats=3, deals=32), results(*three, seats=3), 32)
    assert not found.clear


def test_bots_that_have_not_met_have_no_interval() -> None:
    found = outcome(plan(bots=("a", "b", "c"), deals=1), results((1.0, 0.0)), 1)
    idle = next(line for line in found.standings if line.bot == "c")
    assert idle.matches == 0
    assert (idle.wins.low, idle.wins.high) == (0, 1)
    assert not idle.elo.is_bounded
    assert not found.clear


def test_every_circular_order_is_played() -> None:
    """Who sits after whom matters, and rotations do not change it."""
    three = plan(bots=("a", "b", "c"), seats=3)
    assert [three.group(deal) for deal in range(2)] == [(0, 1, 2), (0, 2, 1)]
    four = plan(bots=("a", "b", "c", "d"), seats=4)
    assert len({four.group(deal) for deal in range(6)}) == 6
