"""Compares variants on the same deals: their measures, and differences from the first.

A sweep is a comparison of the points of a grid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import foxden
from foxden.arena.cluster import Workers
from foxden.arena.intervals import Share
from foxden.engine.parts import part_changes
from foxden.lab.measures import Measure, find_measure, measures, scores
from foxden.lab.playing import players_differ
from foxden.lab.question import Question, Variant, base_of, reached, setup_of, variants_of
from foxden.lab.statistics import Difference, difference, estimate, holm
from foxden.lab.tracing import DEAL
from foxden.lab.workers import gather


@dataclass(frozen=True)
class Tried:
    """One variant and its measures."""

    name: str
    seats: int
    options: dict[str, Any]
    parts: dict[str, Any]  # those that differ from the printed ones
    matches: int
    figures: dict[str, Share]  # by measure
    differences: dict[str, Difference]  # from the base, by measure; none for the base itself
    scores: dict[int, int]  # how many seats ended with which score


@dataclass(frozen=True)
class Comparison:
    """The outcome of a comparison or a sweep."""

    question: Question
    measures: list[Measure]
    base: int
    deals: int
    tried: list[Tried]
    rows: list[Any]  # of every variant, for files

    @property
    def anytime(self) -> bool:
        """Returns whether the run could stop early."""
        return self.question.until is not None

    @property
    def key(self) -> Measure:
        """Returns the measure in question."""
        return find_measure(self.measures, self.question.measure)

    @property
    def compared(self) -> int:
        """Counts the comparisons for Holm's method."""
        return sum(len(one.differences) for one in self.tried)

    @property
    def precise(self) -> bool:
        """Returns whether the requested precision is reached."""
        return self.question.until is not None and _is_precise(
            self.question, self.key, self.rows, self.base
        )


def compare(
    question: Question,
    *,
    workers: Workers | None = None,
    journal: Path | None = None,
    report: Callable[[int, int], None] = lambda done, of: None,
) -> Comparison:
    """Plays a completed question and compares."""
    variants = variants_of(question)
    base = base_of(question)
    common = measures_of(question, variants)
    key = find_measure(common, question.measure)
    rows = gather(
        question,
        workers=workers,
        journal=journal,
        enough=lambda rows: _is_precise(question, key, rows, base),
        report=report,
    )
    return summed_up(question, rows)


def measures_of(question: Question, variants: Sequence[Variant]) -> list[Measure]:
    """Lists what can be measured at the tables of all variants."""
    game = foxden.game(question.game)
    found: list[list[Measure]] = []
    for variant in variants:
        setup = setup_of(question, variant)
        together = game.together(setup.seats, setup.options)
        players = setup.seats if players_differ(question) else 0
        ends = reached(question)
        found.append(
            measures(
                setup.seats,
                together=together,
                players=players,
                ends=ends,
                chances=question.chances > 0,
            )
        )
    shared = set.intersection(*({one.name for one in some} for some in found))
    return [one for one in found[0] if one.name in shared]


def summed_up(question: Question, rows: Sequence[Any]) -> Comparison:
    """Compares the rows of all variants."""
    variants, base = variants_of(question), base_of(question)
    common = measures_of(question, variants)
    deals = 1 + int(rows[0][-1, DEAL])
    anytime = question.until is not None
    values = [{measure.name: measure.by_deal(some, deals) for measure in common} for some in rows]
    found: list[tuple[int, str, Share, float]] = []
    for number in range(len(variants)):
        for measure in common:
            if number != base:
                apart = values[number][measure.name] - values[base][measure.name]
                change, p = difference(apart, is_share=measure.is_share, anytime=anytime)
                found.append((number, measure.name, change, p))
    adjusted = holm([p for *_, p in found])
    differences: list[dict[str, Difference]] = [{} for _ in variants]
    for (number, name, change, p), of_all in zip(found, adjusted, strict=True):
        differences[number][name] = Difference(change, p, of_all)
    tried = [
        _tried(question, variant, some, common, differences[number], values[number], anytime)
        for number, (variant, some) in enumerate(zip(variants, rows, strict=True))
    ]
    return Comparison(question, common, base, deals, tried, list(rows))


def _tried(
    question: Question,
    variant: Variant,
    rows: Any,
    common: Sequence[Measure],
    differences: dict[str, Difference],
    values: dict[str, Any],
    anytime: bool,
) -> Tried:
    game, setup = foxden.game(question.game), setup_of(question, variant)
    points, counts = np.unique(scores(rows).astype(int), return_counts=True)
    return Tried(
        name=variant.name,
        seats=setup.seats,
        options={
            option.name: setup.options[option.name]
            for option in game.options
            if setup.options[option.name] != option.standard
        },
        parts=dict(part_changes(game.printed, setup.parts)),
        matches=len(rows),
        figures={
            one.name: estimate(values[one.name], is_share=one.is_share, anytime=anytime)
            for one in common
        },
        differences=differences,
        scores={int(point): int(count) for point, count in zip(points, counts, strict=True)},
    )


def _is_precise(question: Question, key: Measure, rows: Sequence[Any], base: int) -> bool:
    """Returns whether every interval of the measure in question is narrow enough."""
    if question.until is None:
        return False
    deals = 1 + int(rows[0][-1, DEAL])
    values = [key.by_deal(some, deals) for some in rows]
    found = [estimate(some, is_share=key.is_share, anytime=True) for some in values]
    found += [
        difference(some - values[base], is_share=key.is_share, anytime=True)[0]
        for number, some in enumerate(values)
        if number != base
    ]
    return all((share.high - share.low) / 2 <= question.until for share in found)
