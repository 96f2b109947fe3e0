"""The smallest change that meets a target: candidates are tried from the nearest on.

Each is played until it clearly meets or misses the target. The intervals hold at any time, and the
k-th candidate gets 6/(π²k²) of the error, so the chance of any wrong verdict stays at 5 %, however
many are tried.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

import foxden
from foxden.arena.cluster import Workers
from foxden.arena.intervals import ERROR, Share, mean_anytime, share_anytime
from foxden.engine.errors import BadOption, BadParts
from foxden.lab.charts import Dot, intervals
from foxden.lab.compare import compare, measures_of
from foxden.lab.measures import Measure, find_measure
from foxden.lab.question import (
    BadQuestion,
    Question,
    Variant,
    grid_of,
    printed_value,
    setup_of,
)
from foxden.lab.report import Report, Section, Table
from foxden.lab.telling import told
from foxden.lab.tracing import DEAL
from foxden.lab.workers import gather

MOST_CANDIDATES = 500
DEALS = 20_000  # of a candidate at most
SHOWN = 2000  # deals of the comparison at the end

Verdict = Literal["meets it", "misses it", "undecided"]


@dataclass(frozen=True)
class Candidate:
    """A candidate change."""

    name: str
    steps: int
    settings: dict[str, Any]
    figures: dict[str, Share]
    deals: int
    verdict: Verdict


def balance(
    question: Question,
    *,
    workers: Workers | None = None,
    report: Callable[[int, int], None] = lambda done, of: None,
) -> Report:
    """Looks for the smallest change that meets the target, and shows its effects."""
    if not question.target or not question.vary:
        raise BadQuestion("balance needs a target, and what may vary.")
    # The target stays: measures of how seats end are named there.
    plain = msgspec.structs.replace(question, kind="compare", vary={}, variant=[])
    known = measures_of(plain, [Variant()])
    wanted = [(find_measure(known, name), *_ends(name, ends)) for name, ends in _items(question)]
    tried: list[Candidate] = []
    found: Candidate | None = None
    candidates = list(nearest(question))
    for number, (steps, variant, settings) in enumerate(candidates, 1):
        error = ERROR * 6 / (math.pi * number) ** 2 / len(wanted)
        tried.append(_try(plain, variant, steps, settings, wanted, error, workers))
        report(number, len(candidates))
        if tried[-1].verdict == "meets it":
            found = tried[-1]
            break
    return _told(question, plain, tried, found, wanted, workers)


def _items(question: Question) -> list[tuple[str, list[float]]]:
    return list(question.target.items())


def _ends(name: str, ends: Sequence[float]) -> tuple[float, float]:
    if len(ends) != 2 or not ends[0] < ends[1]:
        raise BadQuestion(f"The target of {name} needs its least and its most, not {ends}.")
    return ends[0], ends[1]


def nearest(question: Question) -> Iterator[tuple[int, Variant, dict[str, Any]]]:
    """Lists the candidates, smallest first: by steps along the axes, then by axes changed."""
    game = foxden.game(question.game)
    own = setup_of(question, Variant())
    axes = []
    for path, values in question.vary.items():
        try:
            now = printed_value(own.parts, own.options, path)
        except (KeyError, IndexError, TypeError, ValueError):
            raise BadQuestion(f"vary: the game has no option or part {path!r}.") from None
        axes.append([(path, value, _steps(now, value, values)) for value in [now, *values]])
    points: dict[str, tuple[int, int, dict[str, Any]]] = {}
    if math.prod(map(len, axes)) > 100 * MOST_CANDIDATES:
        raise BadQuestion("vary spans too many candidates; take fewer values.")
    for point in itertools.product(*axes):
        changed = {path: value for path, value, steps in point if steps}
        key = repr(sorted(changed.items()))
        points[key] = sum(steps for *_, steps in point), len(changed), changed
    ordered = sorted(points.values(), key=lambda one: (one[0], one[1], repr(one[2])))
    for steps, _, changed in ordered[:MOST_CANDIDATES]:
        variant = grid_of(game, changed)
        try:
            setup_of(question, variant)
        except (BadParts, BadOption):
            continue  # this mixture cannot be played
        yield steps, variant, changed


def _steps(now: Any, value: Any, values: Sequence[Any]) -> int:
    """Counts the steps from what is now to a value, along the values given."""
    if value == now:
        return 0
    every = list(dict.fromkeys([*values, now]))
    if all(isinstance(one, int) and not isinstance(one, bool) for one in every):
        every.sort()
        return abs(every.index(value) - every.index(now))
    return abs(every.index(value) - every.index(now)) if now in values else 1 + every.index(value)


def _try(
    question: Question,
    variant: Variant,
    steps: int,
    settings: dict[str, Any],
    wanted: Sequence[tuple[Measure, float, float]],
    error: float,
    workers: Workers | None,
) -> Candidate:
    """Plays one candidate until its verdict is certain."""
    asked = msgspec.structs.replace(
        question,
        options={**question.options, **variant.options},
        parts={**question.parts, **variant.parts},
        seats=variant.seats or question.seats,
        deals=question.deals or DEALS,
        until=1e-9,  # never reached: the verdict stops the run
    )
    figures: dict[str, Share] = {}

    def verdict(rows: Sequence[Any]) -> Verdict:
        deals = 1 + int(rows[0][-1, DEAL])
        for measure, _, _ in wanted:
            values = measure.by_deal(rows[0], deals)
            figures[measure.name] = (
                share_anytime(values, error)
                if measure.is_share
                else mean_anytime(values.tolist(), error)
            )
        ends = [(figures[measure.name], low, high) for measure, low, high in wanted]
        if any(share.high < low or share.low > high for share, low, high in ends):
            return "misses it"
        inside = all(low <= share.low and share.high <= high for share, low, high in ends)
        return "meets it" if inside else "undecided"

    rows = gather(
        asked,
        workers=workers,
        enough=lambda rows: verdict(rows) != "undecided",
    )
    said = verdict(rows)
    return Candidate(
        name=variant.name or "as it is",
        steps=steps,
        settings=settings,
        figures=dict(figures),
        deals=1 + int(rows[0][-1, DEAL]),
        verdict=said,
    )


def _told(
    question: Question,
    plain: Question,
    tried: Sequence[Candidate],
    found: Candidate | None,
    wanted: Sequence[tuple[Measure, float, float]],
    workers: Workers | None,
) -> Report:
    game = foxden.game(question.game)
    target = " and ".join(
        f"“{measure.title.lower()}” from {measure.text(low)} to {measure.text(high)}"
        for measure, low, high in wanted
    )
    unsure = [one for one in tried if one.verdict == "undecided"]
    sections, figures, rows, played = [], {}, list[Any](), None
    if found is None:
        answer = f"None of {len(tried)} candidates is known to meet {target}."
        if unsure:
            answer += f" {len(unsure)} were too near an end to decide."
    elif not found.steps:
        answer = f"Nothing needs to change: {target} is met already."
    else:
        answer = f"The smallest change found that meets {target} is {found.name}."
        if unsure:
            nearer = sum(one.steps < found.steps for one in unsure)
            answer += f" {nearer} smaller ones were too near an end to decide." * bool(nearer)
    measure, low, high = wanted[0]
    sections.append(
        Section(
            "What was tried, from the smallest change on",
            (),
            [
                intervals(
                    measure.title,
                    [Dot(one.name, one.figures[measure.name]) for one in tried[-24:]],
                    axis="%" if measure.is_share else measure.title.lower(),
                    percent=measure.is_share,
                    reference=(low + high) / 2,
                    note="The dashed line is the middle of the target.",
                ),
                Table(
                    ["", "steps", *(one.title for one, _, _ in wanted), "deals", "verdict"],
                    [
                        [
                            one.name,
                            str(one.steps),
                            *(
                                f"{m.text(one.figures[m.name].value)} "
                                f"({m.text(one.figures[m.name].low)} to "
                                f"{m.text(one.figures[m.name].high)})"
                                for m, _, _ in wanted
                            ),
                            f"{one.deals:,}",
                            one.verdict,
                        ]
                        for one in tried
                    ],
                ),
            ],
        )
    )
    if found is not None and found.steps:
        played = msgspec.structs.replace(
            plain, deals=SHOWN, variant=[grid_of(game, found.settings)], measure=measure.name
        )
        compared = told(compare(played, workers=workers))
        sections += [
            Section(f"{one.title} (what else it does)", one.text, one.shown)
            for one in compared.sections
        ]
        figures, rows = compared.figures, list(compared.rows)
    how = [
        "Candidates are tried from the smallest change on: fewest steps along the values given, "
        "then fewest numbers changed. The first that is known to meet the target is the answer.",
        "Each plays until its interval lies inside the target or outside. Intervals hold at any "
        "time, and the k-th candidate gets 6/(π²k²) of the 5 %, so the chance of any wrong "
        "verdict is at most 5 %, however many are tried.",
        f"Played by {', '.join(question.bots)}; at most {question.deals or DEALS:,} deals each.",
        f"Seed {question.seed}, luck {question.luck}.",
    ]
    return Report(
        question=question,
        title=f"{game.title}: the smallest change that meets a target",
        answer=answer,
        sections=sections,
        how=how,
        figures={"found": found, "tried": list(tried), "compared": figures},
        rows=rows,
        played=played,
    )
