"""The ladder of a table that plays together: what each level gathers, on the same deals.

Nobody wins there, so levels do not meet: all seats are of one level, and the common scores compare.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from foxden.arena.chance import Chance, deal_seed, dice_seed
from foxden.arena.cluster import Workers
from foxden.arena.intervals import Share, mean
from foxden.arena.ladder import measured
from foxden.arena.series import play_match
from foxden.arena.tournament import BadTournament, local
from foxden.bots.levels import levels
from foxden.engine import compiled
from foxden.engine.game import Game
from foxden.engine.match import Match

STEPS = ("random", "level:1", "level:2", "level:3", "level:4", "level:5")


@dataclass(frozen=True)
class Step:
    """What seats of one level gather together."""

    bot: str
    matches: int
    score: Share
    gain: Share | None  # over the step below, deal by deal


def check_together(game: Game, seats: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Refuses a table where seats play for themselves; returns its options, completed."""
    checked = game.setup(seats, options).options
    if not game.together(seats, checked):
        raise BadTournament(f"With these options every seat of {game.title} plays for itself.")
    return checked


def gather(
    game: Game,
    *,
    seats: int,
    options: Mapping[str, Any],
    matches: int,
    chance: Chance,
    workers: Workers | int = 1,
    report: Callable[[int, int], None] = lambda index, score: None,
) -> list[Step]:
    """Lets every level play the same deals, on a cluster or with workers of this machine.

    `report` is given every match: the number of its deal, and the score.
    """
    checked = check_together(game, seats, options)
    steps: list[Step] = []
    below: list[int] = []
    for name in STEPS:
        scores = [0] * matches
        bots = [measured(name)]
        here = local(game, bots, workers) if isinstance(workers, int) else nullcontext(workers)
        with here as pool:
            shared = (game, name, seats, checked, chance)
            for index, score in pool.map(_score, shared, range(matches)):
                scores[index] = score
                report(index, score)
        gains = [one - other for one, other in zip(scores, below, strict=False)]
        steps.append(Step(name, matches, mean(scores), mean(gains) if gains else None))
        below = scores
    return steps


def _score(shared: tuple[Game, str, int, dict[str, Any], Chance], index: int) -> int:
    """Plays one match of a level; returns the common score."""
    game, name, seats, options, chance = shared
    compiled.ensure(game)
    match = Match(game, seats=seats, seed=deal_seed(chance.seed, index), options=options)
    bots = [measured(name)] * seats
    return play_match(match, bots, dice_seed(chance.luck, index)).scores[0]


def table(game: Game, found: Mapping[int, list[Step]]) -> str:
    """Writes what the levels gather, as a table in Markdown: a column for each number of seats."""
    names = {f"level:{level.number}": f"{level.number} {level.name}" for level in levels(game)}
    rows = [
        f"| level | {' | '.join(f'{seats} seats' for seats in found)} |",
        f"|---|{'---|' * len(found)}",
    ]
    for k, name in enumerate(STEPS):
        cells = [_cell(steps[k]) for steps in found.values()]
        rows.append(f"| {names.get(name, name)} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _cell(step: Step) -> str:
    """Writes a mean score and the gain over the step below."""
    said = f"{step.score.value:.1f}"
    return said if step.gain is None else f"{said}, {step.gain.text('+.1f')}"
