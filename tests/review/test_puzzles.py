"""Puzzles that ship: their proofs hold, and their positions are what they say."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import foxden
from foxden.bots import GreedyBot, position_of
from foxden.review.calibration import calibrate, reliability
from foxden.review.judging import Budget, judge
from foxden.review.puzzles import (
    PROOF,
    Puzzle,
    PuzzleFile,
    is_puzzle,
    mine,
    puzzles_of,
    read_puzzles,
    renewed,
)
from foxden.review.rollouts import Rollouts, prepare

GAME = "happy-fox"


def proved(name: str, puzzle: Puzzle) -> None:
    """Checks a puzzle's values against rollouts."""
    game = foxden.game(name)
    match = puzzle.match(game)
    legal = [action.id for action in match.legal()]
    rollouts = Rollouts(game, match.wiped(puzzle.seat), puzzle.seat, salt=b"proof")
    judged = judge(rollouts, legal, puzzle.greedy, budget=PROOF)
    assert is_puzzle(judged, puzzle.greedy)
    assert judged.best.action == puzzle.best
    assert judged.gap.value == pytest.approx(puzzle.gap, abs=puzzle.margin)


@pytest.mark.parametrize("name", foxden.games())
def test_every_puzzle_is_a_position_with_one_best_choice(name: str) -> None:
    game = foxden.game(name)
    for puzzle in puzzles_of(game).values():
        match = puzzle.match(game)
        legal = {action.id for action in match.legal()}
        assert match.to_act == puzzle.seat
        assert {value.action for value in puzzle.values} == legal
        assert puzzle.values[0].action == puzzle.best != puzzle.greedy
        assert puzzle.gap > puzzle.margin


def test_a_proof_can_be_repeated() -> None:
    prepare(foxden.game(GAME))
    first, *_ = puzzles_of(foxden.game(GAME)).values()
    proved(GAME, first)


@pytest.mark.slow
@pytest.mark.parametrize("name", foxden.games())
def test_all_proofs_can_be_repeated(name: str) -> None:
    prepare(foxden.game(name))
    for puzzle in islice(puzzles_of(foxden.game(name)).values(), 40):
        proved(name, puzzle)


def test_the_miner_finds_what_greedy_misses(tmp_path: Path) -> None:
    game = foxden.game(GAME)
    prepare(game)

    def found() -> Iterator[Puzzle]:
        yield from (puzzle for puzzle in mine(game, 5, seats=2) if puzzle is not None)

    puzzle = next(found())
    match = puzzle.match(game)
    assert int(GreedyBot().choose(position_of(match, seed=match.seed))) == puzzle.greedy
    file = PuzzleFile(game.name, game.rules_version, (puzzle,))
    file.write(tmp_path / "puzzles.json")
    assert read_puzzles(tmp_path / "puzzles.json") == file
    assert renewed(file, (puzzle,)) == file


def test_predicted_chances_are_compared_with_results() -> None:
    game = foxden.game(GAME)
    found = calibrate(game, 25, 1, seats=3, budget=Budget(value=12_000))
    assert found.positions == sum(part.count for part in found.bins) == 100
    assert found.brier < found.base
    assert 0 < found.skill < 1
    drawn = reliability([found])
    assert drawn.startswith("<svg")
    assert drawn.count("<circle") == len(found.bins) + 1
