"""Reviews: fair, the same for everybody, and every part of the result accounted for."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.bots import GreedyBot, ask, position_of
from foxden.bots.ismcts import SearchBot
from foxden.bots.levels import EVEN
from foxden.bots.net import NetBot
from foxden.engine import compiled
from foxden.engine.errors import BadRecord, BadSeats, WrongRules
from foxden.engine.kernel import bytes_of, copied, to_known
from foxden.engine.match import Match
from foxden.games.happy_fox.rules import Phase
from foxden.review import Budget, NotOver, Review, chances, review, reviewed_from
from foxden.review.judging import Worth, judge, worth
from foxden.review.reasons import why
from foxden.review.rollouts import GREEDY, REVIEWING, WORLD, Results, Rollouts, Way, prepare

BLUNDERS = Path(__file__).parent / "blunders"
MISSED = ("happy-fox-3-72",)  # blunders that reviews do not see yet
GAME = "happy-fox"
QUICK = Budget(decision=5_000, value=1_000)


def played(seed: int) -> Match:
    """Plays a match of the greedy player."""
    return played_on(foxden.new(GAME, seats=3, seed=seed))


def played_on(match: Match) -> Match:
    while not match.is_over:
        match.play(ask(GreedyBot(), match, seed=1))
    return match


def spoilt(match: Match, seat: int) -> tuple[int, Match]:
    """Plants a seat's worst possible blunder, as a tree search sees it, and plays on."""
    gaps = []
    for ply, (actor, _) in enumerate(match.moves):
        then = match.at(ply)
        if actor == seat and len(then.legal()) > 1:
            search = SearchBot(simulations=1500, changes=EVEN, patient=True)
            found = search.think(position_of(then, seed=1)).hints()
            best, worst = (choice(found, key=lambda hint: hint.result) for choice in (max, min))
            gaps.append((best.result - worst.result, ply, worst.action))
    _, ply, action = max(gaps, key=lambda gap: gap[0])
    then = match.at(ply)
    then.play(action)
    return ply, played_on(then)


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    prepare(foxden.game(GAME))


# Seeds of matches in which one seat plays at random, and loses chances by it.
CARELESS = {81: 0, 109: 1, 131: 2}


@cache
def careless(seed: int) -> tuple[Match, Review, list[float]]:
    """Reviews the careless seat of such a match; also returns the progress that was reported."""
    match, dice = foxden.new(GAME, seats=3, seed=seed), random.Random(seed)
    while not match.is_over:
        blind = match.to_act == CARELESS[seed]
        match.play(dice.choice(match.legal()) if blind else ask(GreedyBot(), match, seed=1))
    told: list[float] = []
    return match, review(match, CARELESS[seed], budget=QUICK, threads=1, report=told.append), told


@pytest.mark.parametrize(("seed", "seat"), CARELESS.items())
def test_luck_and_skill_add_up_to_the_result(seed: int, seat: int) -> None:
    match, found, _ = careless(seed)
    account = found.account
    parts = (account.deal, account.draws, account.others, account.decisions)
    assert account.start == pytest.approx(1 / 3)
    assert account.start + sum(parts) == pytest.approx(account.result, abs=1e-9)
    assert account.result == (1 / len(match.winners) if seat in match.winners else 0)
    lost = sum(made.loss.value for made in found.decisions if made.verdict == "loss")
    assert lost > 0
    assert -account.decisions == pytest.approx(lost, abs=1e-9)
    assert len(found.values) == match.ply + 1
    assert [made.ply for made in found.decisions] == [
        ply
        for ply, (actor, _) in enumerate(match.moves)
        if actor == seat and len(match.at(ply).legal()) > 1
    ]


def test_a_review_is_the_same_for_everybody() -> None:
    match, one, told = careless(81)
    other = review(Match.from_record(match.record()), 0, budget=QUICK, threads=3)
    assert one == other
    assert told[-1] == 1.0
    assert told == sorted(told)
    json.dumps(one.to_json(), allow_nan=False)


@pytest.mark.parametrize("seed", [9, pytest.param(12, marks=pytest.mark.slow)])
def test_a_planted_blunder_is_found_first_and_explained(seed: int) -> None:
    where, match = spoilt(played(seed), 0)
    found = review(match, 0, budget=Budget().times(0.05))
    first = found.decisions[found.costliest[0]]
    assert first.ply == where
    assert first.verdict == "loss"
    assert first.loss.value > 0.05
    assert first.loss.value > first.loss.margin
    assert first.chosen.notation == str(match.moves[where][1])
    assert first.best.action != first.chosen.action
    assert first.why
    assert all(not made.why for at, made in enumerate(found.decisions) if at not in found.costliest)


def blunders() -> list[Any]:
    """Lists the planted blunders: matches of the network in which seat 0 strays once.

    Their names say where. That each is one does not rest on reviews: in 120 worlds that the
    network plays to the end for all seats, the move costs at least 12 % of chances and four
    standard errors, and a tree search likes it less, too.
    """
    missed = pytest.mark.xfail(strict=True, reason="reviews call it too close to call")
    return [
        pytest.param(file, id=file.stem, marks=missed if file.stem in MISSED else ())
        for file in sorted(BLUNDERS.glob("*.record"))
    ]


def test_blunders_are_planted_in_every_game() -> None:
    assert {planted(file).game.name for file in BLUNDERS.glob("*.record")} == set(foxden.games())


def planted(file: Path) -> Match:
    return Match.from_record(file.read_text())


@pytest.mark.parametrize("file", blunders())
def test_what_strong_players_call_a_blunder_costs_chances(file: Path) -> None:
    match = planted(file)
    then = match.at(int(file.stem.rpartition("-")[2]))
    prepare(match.game)
    legal = [action.id for action in then.legal()]
    made = match.moves[then.ply][1].id
    found = judge(Rollouts(then.game, then.wiped(0), 0), legal, made, narrow=True)
    assert found.verdict == "loss"
    assert found.loss.value > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("file", blunders())
def test_what_strong_players_call_a_blunder_is_among_the_costliest(file: Path) -> None:
    match = planted(file)
    found = review(match, 0)
    costliest = [found.decisions[place].ply for place in found.costliest]
    assert int(file.stem.rpartition("-")[2]) in costliest


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(BLUNDERS.glob("*.record")), ids=lambda file: file.stem)
def test_a_planted_blunder_is_one_by_other_measures(file: Path) -> None:
    match = planted(file)
    then = match.at(int(file.stem.rpartition("-")[2]))
    prepare(match.game)
    position = position_of(then, seed=2)
    made, better = match.moves[then.ply][1].id, int(NetBot().choose(position))
    to_the_end = Way(near=10**6, ahead=0, trust=0.0, toll=0.0)
    rollouts = Rollouts(then.game, then.wiped(0), 0, salt=b"planted", way=to_the_end)
    liked, disliked = rollouts.run([better, made], 0, 1000).shares
    gap = liked - disliked
    assert gap.mean() > max(0.12, 4 * gap.std(ddof=1) / np.sqrt(len(gap)))
    if match.game.name == "happy-fox":
        return  # a search with random rollouts misjudges bluffs
    search = SearchBot(simulations=20_000, changes=EVEN, patient=True)
    found = {int(hint.action): hint.result for hint in search.think(position).hints()}
    assert found[better] > found[made]


def test_what_a_seat_could_not_know_changes_nothing() -> None:
    match = played(3)
    looked = 0
    for ply, (seat, action) in enumerate(match.moves):
        then = match.at(ply)
        if len(then.legal()) == 1 or looked == 3:
            continue
        other = match.at(ply)
        world = then.wiped(seat)
        compiled.resample_of(world, 0, seat, ply, 99)
        other.replace_truth(lambda states, world=world: np.copyto(states, world))  # type: ignore[misc]
        if bytes_of(other.truth(), 0) == bytes_of(then.truth(), 0):
            continue
        looked += 1
        legal = [open_.id for open_ in then.legal()]
        judged = [
            judge(Rollouts(one.game, one.wiped(seat), seat), legal, action.id, budget=QUICK)
            for one in (then, other)
        ]
        assert judged[0] == judged[1]
    assert looked == 3


def test_other_worlds_are_drawn_with_another_salt() -> None:
    match = played(3).at(6)
    seat = match.to_act
    assert seat is not None
    wiped = match.wiped(seat)
    one = Rollouts(match.game, wiped, seat).run([-1], 0, 64)
    same = Rollouts(match.game, wiped, seat).run([-1], 0, 64)
    other = Rollouts(match.game, wiped, seat, salt=b"x").run([-1], 0, 64)
    assert (one.points == same.points).all()
    assert (one.points != other.points).any()


def test_a_chance_is_what_the_greedy_player_reaches_and_what_the_network_sees() -> None:
    match = played(3).at(6)
    seat = match.to_act
    assert seat is not None
    wiped = match.wiped(seat)
    legal = [action.id for action in match.legal()]
    greedy = Rollouts(match.game, wiped, seat, way=GREEDY).run(legal, 0, 24)
    both = Rollouts(match.game, wiped, seat)
    found = both.run(legal, 0, 24)
    assert both.player == "network"
    assert (found.points == greedy.points).all()
    hopes = (found.shares - (1 - REVIEWING.trust) * greedy.shares) / REVIEWING.trust
    assert hopes.min() > -1e-9
    assert hopes.max() < 1 + 1e-9
    assert 0.05 < hopes.std() < 0.4


class Lucky:
    """Rollouts of actions that win as often as they are told to, each a microsecond."""

    way = GREEDY

    def __init__(self, *chances: float, seed: int = 5) -> None:
        self.chances = chances
        self.luck = np.random.default_rng(seed).random((len(chances), 8192))

    def run(self, actions: list[int], begin: int, worlds: int) -> Results:
        shares = np.array([self.luck[a, begin : begin + worlds] < self.chances[a] for a in actions])
        return Results(shares.astype(float), shares.astype(float), 0)


def test_many_choices_are_narrowed_down_to_the_better_ones() -> None:
    rollouts: Any = Lucky(*[0.5] * 24, 0.75)
    budget = Budget(decision=2000)
    plain, narrowed = (
        judge(rollouts, range(25), 7, budget=budget, narrow=narrow) for narrow in (False, True)
    )
    assert narrowed.best.action == plain.best.action == 24
    assert narrowed.chosen.worlds > 2 * plain.chosen.worlds
    assert narrowed.loss.margin < plain.loss.margin
    assert min(estimate.worlds for estimate in narrowed.estimates) < plain.chosen.worlds


def test_choices_that_are_alike_are_seldom_told_apart() -> None:
    mistaken = 0
    for seed in range(100):
        rollouts: Any = Lucky(*[0.5] * 8, seed=seed)
        judged = judge(rollouts, range(8), 0, budget=Budget(decision=800), narrow=True)
        mistaken += judged.verdict == "loss"
    assert mistaken <= 3


# Where nothing is hidden and nothing drawn, only slips make one continuation unlike another.
VARIED = """import foxden
from foxden.review.rollouts import GREEDY, Rollouts
match = foxden.new("foxy-and-woolly", seats=2, seed=3)
seat = match.to_act
rollouts = Rollouts(match.game, match.wiped(seat), seat, way=GREEDY)
print(len(set(rollouts.run([match.legal()[0].id], 0, 12).points[0].tolist())))"""


def test_where_nothing_is_hidden_continuations_differ_by_slips() -> None:
    interpreted = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    told = subprocess.run(
        [sys.executable, "-c", VARIED], env=interpreted, capture_output=True, text=True, check=True
    )
    assert int(told.stdout) > 2


def test_slips_leave_most_decisions_alone() -> None:
    match = played(3).at(6)
    seat = match.to_act
    assert seat is not None
    rollouts = Rollouts(match.game, match.wiped(seat), seat, way=GREEDY)
    other = decided = 0
    for world in range(40):
        rollouts.run([-1], world, 1)
        states = copied(rollouts.states, WORLD)
        out = np.zeros(match.game.actions, np.int64)
        for action in rollouts.line.tolist():
            if action < 0:
                break
            # Which card of a row to turn over is luck for the greedy player too.
            if compiled.legal_of(states, 0, out) > 1 and to_known(states, 0).phase == Phase.PLAY:
                decided += 1
                other += action != compiled.greedy_of(copied(states, 0), 0, out, 1, 1)
            compiled.replay(states, 0, np.array([action], np.int64), 1)
    assert 0.01 < other / decided < 0.05


def test_the_chances_of_all_seats_add_up() -> None:
    match = played(3)
    for viewer in (None, 0, 2):
        then = match.at(12)
        found = chances(then, viewer, worlds=64)
        assert len(found) == 3
        assert sum(found) == pytest.approx(1.0)
        assert chances(match.at(12), viewer, worlds=64) == found
    late = chances(match.at(match.ply - 1), worlds=200)
    assert max(late) > 0.9
    over = chances(match)
    assert [seat for seat in range(3) if over[seat] > 0] == list(match.winners)
    assert sum(over) == 1.0
    with pytest.raises(BadSeats, match="no seat 3"):
        chances(match, 3)


def test_what_is_too_close_to_call_costs_nothing() -> None:
    _, found, _ = careless(131)
    assert {made.verdict for made in found.decisions} > {"loss"}
    for made in found.decisions:
        clear = made.loss.value > made.loss.margin
        assert (made.verdict == "loss") == (clear and made.best.action != made.chosen.action)
        assert made.chosen in made.choices
        assert made.best == made.choices[0]


def test_an_interval_narrows_with_its_samples() -> None:
    few, many = worth(np.array([0.0, 1.0] * 8)), worth(np.array([0.0, 1.0] * 800))
    assert few.value == many.value == 0.5
    assert few.margin > 5 * many.margin > 0
    assert not replace(few, value=0.0).is_clear


def test_what_cannot_be_reviewed_is_refused() -> None:
    match = played(3)
    with pytest.raises(NotOver, match="not over"):
        review(match.at(5), 0)
    with pytest.raises(BadSeats, match="no seat 3"):
        review(match, 3)
    record = match.record()
    with pytest.raises(BadRecord, match="line 7"):
        reviewed_from(record.replace("1. [", "1. [9", 1), 0)
    with pytest.raises(WrongRules, match="version 99"):
        reviewed_from(record.replace("rules: 1", "rules: 99"), 0)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_choice_that_ends_the_match_does_not_add_up_over_its_rest(seed: int) -> None:
    match = played_on(foxden.new("foxy-and-woolly", seed=seed))
    last = match.at(match.ply - 1)
    seat, (one, *_, other) = last.to_act, [action.id for action in last.legal()]
    assert seat is not None

    def ends(action: int) -> bool:
        then = match.at(match.ply - 1)
        then.play(action)
        return then.is_over

    assert ends(one)
    said = why(
        Rollouts(last.game, last.wiped(seat), seat),
        last.voice(seat),
        better=one,
        worse=other,
        loss_points=Worth(0.0, 1.0),
    )
    assert "adds up" not in said
    assert (said == "The match ends with this choice, and only its result differs.") == ends(other)
