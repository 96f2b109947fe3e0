"""The ladder of a table that plays together: what each level gathers, on the same deals.

Nobody wins there, so levels do not meet: all seats are of one level, and the common scores compare.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from foxden.arena.chance import Chance
from foxden.arena.intervals import Share, mean
from foxden.arena.ladder import measured
from foxden.arena.series import matches_of
from foxden.arena.tournament import BadTournament
from foxden.bots.levels import levels
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
    report: Callable[[Match], None] = lambda match: None,
) -> list[Step]:
    """Lets every level play the same deals."""
    checked = check_together(game, seats, options)
    steps: list[Step] = []
    below: list[int] = []
    for name in STEPS:
        scores = []
        for done in matches_of(
            game,
            [measured(name)],
            seats=seats,
            matches=matches,
            options=checked,
            **chance._asdict(),
        ):
            scores.append(done.match.scores[0])
            report(done.match)
        gains = [one - other for one, other in zip(scores, below, strict=False)]
        steps.append(Step(name, matches, mean(scores), mean(gains) if gains else None))
        below = scores
    return steps


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
