"""Puzzles: positions where one choice is clearly the best, and the greedy player misses it.

A game ships its puzzles as `puzzles.json` in its folder, each with its proof: the deal and the
actions that lead to it, and what the choices are worth. `foxden puzzles mine` finds them.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxden.bots import GreedyBot, RandomBot, position_of
from foxden.engine.match import Match
from foxden.engine.rng import derive_seed
from foxden.review.judging import Budget, Judgement, judge
from foxden.review.rollouts import Rollouts

if TYPE_CHECKING:
    from foxden.engine.game import Game

FILE = "puzzles.json"
SLIPS = 0.15  # share of actions that bots leave to chance, so that deals go many ways
GAP = 0.05  # chance to win that the best choice is ahead of every other, at least
SIFTING = Budget(decision=20_000)  # what a position gets at first, of greedy play alone …
PROOF = Budget(decision=800_000)  # … and what a puzzle's values come from
MOST_OPEN = 40  # choices of a puzzle
EACH = 2  # puzzles from one match at most


@dataclass(frozen=True)
class Value:
    """What a choice is worth: chance to win, and its margin at 99 %."""

    action: int
    chance: float
    margin: float


@dataclass(frozen=True)
class Puzzle:
    """A decision with one clearly best choice."""

    id: str
    seats: int
    seed: int
    moves: tuple[int, ...]  # that lead to it
    seat: int
    kind: str  # of the best choice, as its facts name it
    best: int
    greedy: int  # what the greedy player chooses
    gap: float  # by how much the best is ahead of the next …
    margin: float  # … and how sure that is
    values: tuple[Value, ...]  # the best first

    def match(self, game: Game, names: Sequence[str] = ()) -> Match:
        """Plays up to the decision."""
        match = Match(game, seats=self.seats, seed=self.seed, names=names)
        for action in self.moves:
            match.play(action)
        return match


@dataclass(frozen=True)
class PuzzleFile:
    """A game's puzzles, and the rules that they were found for."""

    game: str
    rules: int
    puzzles: tuple[Puzzle, ...]

    def write(self, file: Path) -> None:
        """Writes the file, a puzzle a line."""
        head = json.dumps({"game": self.game, "rules": self.rules})[:-1]
        lines = ",\n".join(json.dumps(asdict(puzzle)) for puzzle in self.puzzles)
        file.write_text(f'{head}, "puzzles": [\n{lines}\n]}}\n', encoding="utf-8")


@cache
def puzzles_of(game: Game) -> dict[str, Puzzle]:
    """Reads a game's puzzles, by their ids; those of other rules do not count."""
    file = game.folder / FILE
    if not file.exists():
        return {}
    found = read_puzzles(file)
    if found.rules != game.rules_version:
        return {}
    return {puzzle.id: puzzle for puzzle in found.puzzles}


def read_puzzles(file: Path) -> PuzzleFile:
    """Reads a file of puzzles."""
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    puzzles = []
    for puzzle in told["puzzles"]:
        values = tuple(Value(**value) for value in puzzle["values"])
        puzzles.append(Puzzle(**puzzle | {"values": values, "moves": tuple(puzzle["moves"])}))
    return PuzzleFile(told["game"], told["rules"], tuple(puzzles))


def mine(
    game: Game,
    seed: int,
    *,
    seats: int | None = None,
) -> Iterator[Puzzle | None]:
    """Finds puzzles in bots' matches, without end; None stands for a position that is none."""
    number = 0
    while True:
        match = Match(game, seats=seats, seed=derive_seed(seed, number))
        if match.together:
            return  # nobody wins there
        number += 1
        found = 0
        dice = random.Random(match.seed)
        while not match.is_over:
            position = position_of(match, seed=match.seed)
            greedy = int(GreedyBot().choose(position))
            if 1 < len(position.legal) <= MOST_OPEN and found < EACH:
                puzzle = _puzzle_at(match, greedy)
                found += puzzle is not None
                yield puzzle
            slips = dice.random() < SLIPS
            match.play(RandomBot().choose(position) if slips else greedy)


def _puzzle_at(match: Match, greedy: int) -> Puzzle | None:
    """Returns the puzzle that a position is, if it is one."""
    game, seat = match.game, match.to_act
    assert seat is not None
    legal = [action.id for action in match.legal()]
    wiped = match.wiped(seat)
    sifted = judge(Rollouts(game, wiped, seat, greedy=True), legal, greedy, budget=SIFTING)
    if sifted.verdict != "loss" or sifted.loss.value < GAP:
        return None
    # In worlds of its own: a choice that was lucky in those above is not proved by them.
    proved = judge(Rollouts(game, wiped, seat, salt=b"proof"), legal, greedy, budget=PROOF)
    if not is_puzzle(proved, greedy):
        return None
    facts = {action.id: action.facts for action in match.seat_view(seat).view.legal}
    moves = tuple(action.id for action in match.played)
    told = f"{game.name} {game.rules_version} {match.seats} {match.seed} {len(moves)}"
    return Puzzle(
        id=hashlib.sha256(told.encode()).hexdigest()[:10],
        seats=match.seats,
        seed=match.seed,
        moves=moves,
        seat=seat,
        kind=str(facts[proved.best.action].__struct_config__.tag),
        best=proved.best.action,
        greedy=greedy,
        gap=proved.gap.value,
        margin=proved.gap.margin,
        values=tuple(
            Value(estimate.action, estimate.chance.value, estimate.chance.margin)
            for estimate in proved.estimates
        ),
    )


def is_puzzle(judged: Judgement, greedy: int) -> bool:
    """Returns whether one choice is ahead of all others beyond its interval, and not greedy's.

    Where all worlds end alike, nothing is hidden or drawn: that is one line of play, and no proof.
    """
    gap = judged.gap
    spread = any(estimate.chance.margin > 0 for estimate in judged.estimates)
    clear = gap.value >= GAP and gap.value > gap.margin
    return judged.best.action != greedy and clear and spread


def renewed(found: PuzzleFile, more: tuple[Puzzle, ...]) -> PuzzleFile:
    """Adds puzzles that are new."""
    known = {puzzle.id: puzzle for puzzle in (*found.puzzles, *more)}
    return replace(found, puzzles=tuple(known.values()))
