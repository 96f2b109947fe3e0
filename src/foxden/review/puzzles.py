"""Puzzles: positions where one choice is clearly best, and the greedy player misses it.

A game ships its puzzles as `puzzles.json` in its folder, each with its proof: the deal and the
actions that lead to it, and the value of the choices. `foxden puzzles mine` finds them in three
steps, each costlier and more precise. A few rollouts of the greedy player discard most positions.
Many rollouts, in separate worlds, prove that one choice is ahead of all others. And the strongest
player must choose it too.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from foxden.bots import GreedyBot, Position, RandomBot, position_of
from foxden.bots.ismcts import SearchBot
from foxden.engine.match import Match
from foxden.engine.rng import derive_seed
from foxden.review.judging import ERROR, Budget, Judgement, judge
from foxden.review.rollouts import GREEDY, PROVING, Rollouts

if TYPE_CHECKING:
    from foxden.engine.game import Game

FILE = "puzzles.json"
SLIPS = 0.15  # share of random actions by the bots, for variety
GAP = 0.05  # the best choice's least lead over every other, in chance to win
SIFTING = (12, 36, 144)  # worlds per position, while one choice may be that far ahead
PROOFS = tuple(Budget(decision=most) for most in (60_000, 200_000, 600_000))  # one look each
SEARCHED = 3000  # simulations of the strongest player, which must agree
MOST_OPEN = 40  # choices of a puzzle
EACH = 4  # puzzles from one match at most …
APART = 6  # … and actions between two of them
DIGITS = 3  # of chances in a file
SERIES = 0  # what the deals of the matches are made from


@dataclass(frozen=True)
class Value:
    """The value of a choice: chance to win, and its margin at 99 %."""

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
    """A game's puzzles, and the rules version they were found for."""

    game: str
    rules: int
    puzzles: tuple[Puzzle, ...] = ()
    matches: int = 0  # that were looked at so far

    def write(self, file: Path) -> None:
        """Writes the file atomically, one puzzle a line."""
        head = {"game": self.game, "rules": self.rules, "matches": self.matches}
        lines = ",\n".join(_packed(puzzle) for puzzle in self.puzzles)
        written = file.with_suffix(".new")
        text = f'{_compact(head)[:-1]},"puzzles":[\n{lines}\n]}}\n'
        written.write_text(text, encoding="utf-8")
        written.replace(file)

    def with_more(self, puzzles: Sequence[Puzzle], matches: int) -> PuzzleFile:
        """Adds new puzzles, and records how many matches were searched."""
        known = {puzzle.id: puzzle for puzzle in (*self.puzzles, *puzzles)}
        return replace(self, puzzles=tuple(known.values()), matches=matches)


def _compact(told: Any) -> str:
    return json.dumps(told, separators=(",", ":"))


def _packed(puzzle: Puzzle) -> str:
    """Writes a puzzle; each of its values is [action, chance, margin]."""
    values = [[value.action, value.chance, value.margin] for value in puzzle.values]
    return _compact(vars(puzzle) | {"values": values})


@cache
def puzzles_of(game: Game) -> dict[str, Puzzle]:
    """Reads a game's puzzles, by id; skips those of other rules versions."""
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
        values = tuple(Value(*value) for value in puzzle["values"])
        puzzles.append(Puzzle(**puzzle | {"values": values, "moves": tuple(puzzle["moves"])}))
    return PuzzleFile(told["game"], told["rules"], tuple(puzzles), told["matches"])


def mine(
    game: Game, first: int = 0, *, seats: int | None = None
) -> Iterator[tuple[int, tuple[Puzzle, ...]]]:
    """Yields the puzzles of matches of bots, endlessly, from a match number on.

    Numbers of seats alternate, unless one is given. Cooperative tables are excluded.
    """
    number = first
    while True:
        counts = [seats] if seats else rival_seats(game)
        match = Match(game, seats=counts[number % len(counts)], seed=derive_seed(SERIES, number))
        yield number, tuple(_puzzles_in(match))
        number += 1


def rival_seats(game: Game) -> list[int]:
    """Lists the numbers of seats that do not cooperate by default."""
    return [n for n in game.seats if not game.together(n, game.setup(n, {}).options)]


def _puzzles_in(match: Match) -> Iterator[Puzzle]:
    """Plays a match of the greedy player with slips, and checks every decision."""
    dice = random.Random(match.seed)
    found, looks_from = 0, 0
    while not match.is_over:
        position, greedy = decision_of(match)
        if (
            1 < len(position.legal) <= MOST_OPEN
            and found < EACH
            and match.ply >= looks_from
            and (puzzle := puzzle_at(match, position, greedy)) is not None
        ):
            yield puzzle
            found, looks_from = found + 1, match.ply + APART
        slips = dice.random() < SLIPS
        match.play(RandomBot().choose(position) if slips else greedy)


def decision_of(match: Match) -> tuple[Position, int]:
    """Returns a match's position, and the greedy player's choice there."""
    position = position_of(match, seed=match.seed)
    return position, int(GreedyBot().choose(position))


def puzzle_at(match: Match, position: Position, greedy: int) -> Puzzle | None:
    """Returns the decision as a puzzle, if it is one."""
    game, seat = match.game, position.seat
    legal = [action.id for action in position.legal]
    if not may_be_puzzle(Rollouts(game, position.wiped, seat, way=GREEDY), legal, greedy):
        return None
    proved = prove(position, legal, greedy)
    if proved is None or not is_agreed(position, proved.best.action):
        return None
    gap, margin = round(proved.gap.value, DIGITS), round(proved.gap.margin, DIGITS)
    if gap <= margin:
        return None  # the proof must hold as stored
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
        gap=gap,
        margin=margin,
        values=tuple(
            Value(
                estimate.action,
                round(estimate.chance.value, DIGITS),
                round(estimate.chance.margin, DIGITS),
            )
            for estimate in proved.estimates
        ),
    )


def may_be_puzzle(rollouts: Rollouts, legal: Sequence[int], greedy: int) -> bool:
    """Tests a position while one choice may be ahead of greedy's and of all others.

    A few worlds at first, more of them for the better half of the choices.
    """
    left, seen = list(legal), 0
    results: dict[int, Any] = {action: np.zeros(0) for action in legal}
    for worlds in SIFTING:
        found = rollouts.run(left, seen, worlds)
        for row, action in enumerate(left):
            results[action] = np.concatenate([results[action], found.shares[row]])
        seen += worlds
        left.sort(key=lambda action: -results[action].mean())
        best = left[0] if left[0] != greedy else left[1]
        for other in {greedy, *left[:3]} - {best}:
            ahead = results[best] - results[other]
            if ahead.mean() + ahead.std() / math.sqrt(seen) < GAP:
                return False
        left = [*left[: max(3, len(left) // 2)]]
        if greedy not in left:
            left.append(greedy)
    return True


def prove(position: Position, legal: Sequence[int], greedy: int) -> Judgement | None:
    """Returns a proof that one choice is ahead of all others beyond its interval, if there is one.

    It uses new worlds: a choice that was lucky in the earlier ones is not proved by them. It
    continues while neither answer is clear, and each look has the same small error. A short look
    must be twice as clear: its gaps are rough, and people see them.
    """
    for budget in PROOFS:
        rollouts = Rollouts(
            position.game, position.wiped, position.seat, salt=b"proof", way=PROVING
        )
        error = ERROR / len(PROOFS)
        proved = judge(rollouts, legal, greedy, budget=budget, error=error)
        gap = proved.gap
        if proved.best.action == greedy or gap.value + gap.margin < GAP:
            return None
        clear = 1 if budget is PROOFS[-1] else 2
        if gap.value >= GAP and gap.value > clear * gap.margin:
            return proved
    return None


def is_agreed(position: Position, best: int) -> bool:
    """Returns whether the strongest player chooses it too."""
    return int(SearchBot(simulations=SEARCHED).choose(position)) == best
