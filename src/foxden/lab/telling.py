"""Comparisons and sweeps as reports: the answer in a sentence, then the evidence."""

from __future__ import annotations

from collections.abc import Sequence

import foxden
from foxden.arena.intervals import Share
from foxden.lab.chances import MOMENTS, STRONG, WORLDS, course, reliability
from foxden.lab.charts import Chart, Dot, curves, heat, intervals, spread
from foxden.lab.compare import Comparison, Tried
from foxden.lab.measures import ORDINALS, PLACES, Measure
from foxden.lab.playing import is_compiled
from foxden.lab.question import Question, point_of, reached, variants_of
from foxden.lab.report import Report, Section, Table
from foxden.lab.statistics import Difference, estimate
from foxden.review.calibration import BINS, Bin

SHOWN_SPREADS = 4  # variants whose scores are drawn
CURVES = ("margin", "ties", "length", "choices", "changes", "settled", "half", "foreseen", "best")


def told(found: Comparison) -> Report:
    """Makes the report of a comparison or a sweep."""
    question = found.question
    game = foxden.game(question.game)
    if question.kind == "sweep":
        title = f"what {' and '.join(question.sweep)} would do"
        sections = [
            *_swept(found),
            *_course(found),
            _table_of_figures(found),
            _table_of_differences(found),
        ]
    else:
        names = [one.name for one in found.tried]
        title = f"with {names[1]}" if len(names) == 2 else f"{len(names)} variants compared"
        title = "as it is" if len(names) == 1 else title
        sections = [
            *_turn_order(found),
            *_changed(found),
            *_course(found),
            _scores(found),
            _table_of_figures(found),
            *([_table_of_differences(found)] if len(names) > 1 else []),
        ]
    return Report(
        question=question,
        title=f"{game.title}: {title}",
        answer=answer(found),
        sections=sections,
        how=how(found),
        figures={
            "deals": found.deals,
            "base": found.base,
            "compared": found.compared,
            "measures": {one.name: one.title for one in found.measures},
            "variants": found.tried,
        },
        rows=found.rows,
    )


# Sentences


def answer(found: Comparison) -> str:
    """Returns the answer: one sentence, or a few."""
    key, base = found.key, found.tried[found.base]
    if len(found.tried) == 1:
        return _plain_answer(found)
    if found.question.kind == "sweep":
        return _swept_answer(found)
    said: list[str] = []
    for number, one in enumerate(found.tried):
        if number == found.base:
            continue
        apart = one.differences[key.name]
        was, now = base.figures[key.name], one.figures[key.name]
        if apart.holds:
            said.append(
                f"With {one.name}, “{_low(key.title)}” goes from {key.text(was.value)} to "
                f"{key.text(now.value)} ({_change(key, apart)})."
            )
        else:
            said.append(
                f"With {one.name}, “{_low(key.title)}” shows no change beyond chance "
                f"({_change(key, apart)})."
            )
        apart_too = sorted(one.differences.items(), key=lambda item: item[1].p_of_all)
        others = [name for name, other in apart_too if other.holds and name != key.name]
        if others and len(found.tried) <= 3:
            titles = {one.name: _low(one.title) for one in found.measures}
            also = "also " if apart.holds else ""
            said.append(f"It {also}changes {_listed([titles[name] for name in others[:4]])}.")
    return " ".join(said[:6])


def _plain_answer(found: Comparison) -> str:
    key, base = found.key, found.tried[0]
    share = base.figures[key.name]
    said = f"{key.title}: {_interval(key, share)}."
    if key.name not in PLACES:
        return said
    even = f"an even share ({100 / base.seats:.1f} %)"
    if share.low > 1 / base.seats:
        return f"{said} That is more than {even}."
    if share.high < 1 / base.seats:
        return f"{said} That is less than {even}."
    return f"{said} That does not differ reliably from {even}."


def _swept_answer(found: Comparison) -> str:
    key, base = found.key, found.tried[found.base]
    ordered = sorted(found.tried, key=lambda one: one.figures[key.name].value)
    low, high = ordered[0], ordered[-1]
    changed = [one for one in found.tried if one.differences and one.differences[key.name].holds]
    said = (
        f"“{_low(key.title)}” goes from {key.text(low.figures[key.name].value)} ({low.name}) to "
        f"{key.text(high.figures[key.name].value)} ({high.name}); {base.name} has "
        f"{key.text(base.figures[key.name].value)}."
    )
    said = said[0] + said[1].upper() + said[2:]
    if changed:
        return f"{said} {len(changed)} of {len(found.tried) - 1} others differ reliably from it."
    return f"{said} None of the others differs reliably from it."


def how(found: Comparison) -> list[str]:
    """Describes how a comparison was made."""
    question = found.question
    played = sum(one.matches for one in found.tried)
    bots = ", ".join(question.bots)
    if any(one.bots for one in question.variant):
        bots += ", or by the bots of a variant"
    seats = found.tried[found.base].seats
    lines = [
        f"{played:,} matches on {found.deals:,} deals, {seats} seats, played by {bots}. "
        "Every variant plays the same deals, and its bots use the same random numbers.",
        "Turn order counts from the starting player, not by seat number.",
        "Intervals are 95 %. Their unit is the deal: matches of one deal are not independent.",
    ]
    if any(one.name.startswith("player") for one in found.measures):
        lines.append("Each deal is played in all rotations, so every player gets every seat.")
    if found.anytime:
        reached = "was reached" if found.precise else "was not reached"
        lines.append(
            f"The run stops when every interval of “{_low(found.key.title)}” is within "
            f"±{_precision(question, found.key)}, which {reached}. So all intervals hold at any "
            "time: however often you look, at most one in twenty is ever wrong."
        )
    else:
        lines.append("The number of deals was fixed beforehand, so intervals are Student's t.")
    if found.compared:
        lines.append(
            f"{found.compared} differences were tested. Those that remain after Holm's correction "
            "for all of them are called changes, and highlighted in the tables: the chance of "
            "any false alarm in this report is at most 5 %."
        )
    lines += [
        "A lead is measured by the score on the table, once a round (after as many decisions as "
        "there are seats); in a game that scores only at the end, nobody leads before.",
        _known_by(found),
        f"Seed {question.seed}, luck {question.luck}.",
    ]
    return lines


def _known_by(found: Comparison) -> str:
    """Explains how it is measured how early the winner is known."""
    if not _has_chances(found):
        return (
            "How early the winner is known is measured by that score. With --chances 100 it is "
            "measured by who is likely to win."
        )
    _, brier, even = reliability(found.rows, len(reached(found.question)))
    network = ""
    if not is_compiled(found.question):
        network = (
            f"; for other bots by the network trained for the table, if there is one, which values "
            f"the match after {STRONG.ahead} decisions"
        )
    return (
        f"How early the winner is known is measured by chances, at {MOMENTS} moments of "
        f"{min(found.question.chances, found.deals):,} deals: for each seat, {WORLDS} worlds that "
        f"fit its knowledge are played on by greedy players{network}. The favourite is whoever has "
        f"the best chance. The mean squared error of these chances is {brier:.3f}; even chances "
        f"would have {even:.3f}."
    )


def _has_chances(found: Comparison) -> bool:
    return any(one.name == "foreseen" for one in found.measures)


def _precision(question: Question, key: Measure) -> str:
    assert question.until is not None
    return f"{100 * question.until:g} %" if key.is_share else f"{question.until:g}"


def _low(text: str) -> str:
    return text[0].lower() + text[1:]


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _interval(measure: Measure, share: Share) -> str:
    if not share.is_bounded:
        return measure.text(share.value)
    return f"{measure.text(share.value)} ({measure.text(share.low)} to {measure.text(share.high)})"


def _change(measure: Measure, apart: Difference) -> str:
    share = apart.change
    value = measure.text(share.value, sign=True)
    if not share.is_bounded:
        return f"{value}, on every deal" if apart.p < 1 else value
    low, high = (measure.text(end, sign=True) for end in (share.low, share.high))
    return f"{value}, 95 % interval {low.removesuffix(' points')} to {high}"


# Plots


def _turn_order(found: Comparison) -> list[Section]:
    shown = [one for one in found.measures if one.name in PLACES]
    if not shown:
        return []
    dots = [
        Dot(f"{ORDINALS[PLACES.index(measure.name)]} player", one.figures[measure.name], one.name)
        for measure in shown
        for one in found.tried[:8]
    ]
    seats = {one.seats for one in found.tried}
    fair = 1 / seats.pop() if len(seats) == 1 else None
    chart = intervals(
        "Who wins, by turn order",
        dots,
        axis="% of wins",
        reference=fair,
        note="The dashed line is an even share." if fair else "",
    )
    players = [one for one in found.measures if one.name.startswith("player")]
    charts = [chart]
    if players:
        charts.append(
            intervals(
                "Who wins, by player",
                [
                    Dot(_player(found, measure), one.figures[measure.name], one.name)
                    for measure in players
                    for one in found.tried[:8]
                ],
                axis="% of wins",
                reference=fair,
                note="Players change seats from rotation to rotation.",
            )
        )
    return [Section("Who wins", (), charts)]


def _player(found: Comparison, measure: Measure) -> str:
    number = int(measure.name.removeprefix("player")) - 1
    bots = found.question.bots
    return f"player {number + 1} ({bots[number % len(bots)]})"


def _changed(found: Comparison) -> list[Section]:
    if len(found.tried) == 1:
        return []
    shown = [one for one in found.measures if one.is_share and not one.name.startswith("player")]
    dots = [
        Dot(measure.title, one.differences[measure.name].change, one.name)
        for measure in shown
        for number, one in enumerate(found.tried[:9])
        if number != found.base
    ]
    chart = intervals(
        f"Difference from {found.tried[found.base].name}, deal by deal",
        dots,
        axis="percentage points",
        reference=0.0,
        among=[one.name for one in found.tried[:9]],
    )
    return [Section("What changes", (), [chart])]


def _scores(found: Comparison) -> Section:
    some = [(one.name, one.scores) for one in found.tried[:SHOWN_SPREADS]]
    return Section("Scores", (), [spread("Final scores of all seats", some, axis="score")])


def _course(found: Comparison) -> list[Section]:
    """Plots how the winner's chance grows, and compares chances with results."""
    if not _has_chances(found):
        return []
    ends = len(reached(found.question))
    dots = []
    shown = list(zip(found.tried, found.rows, strict=True))[:SHOWN_SPREADS]
    for one, rows in shown:
        grown = course(rows, ends)
        dots += [
            (
                100 * moment // MOMENTS,
                Dot("", estimate(grown[:, moment], is_share=True, anytime=False), one.name),
            )
            for moment in range(MOMENTS)
        ]
    grows = curves(
        "The winner's chance during a match",
        dots,
        across="% of the decisions made",
        axis="% chance",
    )
    bins = [
        {min(BINS - 1, int(one.predicted * BINS)): one for one in reliability([rows], ends)[0]}
        for _, rows in shown
    ]
    cells = [
        [f"{100 * k // BINS} to {100 * (k + 1) // BINS} %", *(_won(some.get(k)) for some in bins)]
        for k in range(BINS)
    ]
    table = Table(
        ["estimated chance", *(one.name for one, _ in shown)],
        cells,
        "The share of seats with such a chance that won. Estimates of one match are not "
        "independent, so the true error is larger.",
    )
    return [Section("How early the winner is known", (), [grows, table])]


def _won(one: Bin | None) -> str:
    """Formats the share of a bin's seats that won."""
    if one is None:
        return "–"
    return f"{100 * one.happened:.0f} ±{196 * one.error:.0f} % of {one.count:,}"


def _swept(found: Comparison) -> list[Section]:
    question = found.question
    variants = variants_of(question)
    grid = [
        (point_of(question, variant), one)
        for variant, one in zip(variants, found.tried, strict=True)
        if variant in question.variant
    ]
    axes = list(question.sweep)
    if len(axes) == 2:
        return [
            Section(
                "The grid",
                (),
                [_heat(found, measure, grid, axes) for measure in _drawn_in_grid(found)],
            )
        ]
    points = [(point[0], one) for point, one in grid]
    charts: list[Chart] = []
    places = [one for one in found.measures if one.name in PLACES]
    if places:
        charts.append(
            curves(
                "Who wins, by turn order",
                [
                    (x, Dot("", one.figures[m.name], f"{ORDINALS[PLACES.index(m.name)]} player"))
                    for m in places
                    for x, one in points
                ],
                across=axes[0],
                axis="% of wins",
            )
        )
    charts += [
        curves(
            measure.title,
            [(x, Dot("", one.figures[measure.name])) for x, one in points],
            across=axes[0],
            axis="%" if measure.is_share else "",
            percent=measure.is_share,
        )
        for measure in found.measures
        if measure.name in CURVES or (measure is found.key and measure.name not in PLACES)
    ]
    return [Section("Along the axis", (), charts)]


def _drawn_in_grid(found: Comparison) -> list[Measure]:
    names = dict.fromkeys([found.key.name, "margin", "length", "choices"])
    return [one for name in names for one in found.measures if one.name == name]


def _heat(
    found: Comparison, measure: Measure, grid: Sequence[tuple[list[object], Tried]], axes: list[str]
) -> Chart:
    return heat(
        measure.title + (", %" if measure.is_share else ""),
        [(point[0], point[1], one.figures[measure.name].value) for point, one in grid],
        across=axes[0],
        down=axes[1],
        percent=measure.is_share,
    )


# Tables


def _table_of_figures(found: Comparison) -> Section:
    columns = ["", *(one.name for one in found.tried)]
    rows = [
        [measure.title, *(_interval(measure, one.figures[measure.name]) for one in found.tried)]
        for measure in found.measures
    ]
    changed = [
        f"{one.name}: " + ", ".join(f"{k} = {v}" for k, v in {**one.options, **one.parts}.items())
        for one in found.tried
        if (one.options or one.parts) and "=" not in one.name
    ]
    return Section("All figures", (), [Table(columns, rows, "; ".join(changed))])


def _table_of_differences(found: Comparison) -> Section:
    others = [one for number, one in enumerate(found.tried) if number != found.base]
    rows = []
    for measure in found.measures:
        cells = []
        for one in others:
            apart = one.differences[measure.name]
            text = _change(measure, apart).replace(" points", "").replace(", 95 % interval", ":")
            cells.append(text + ("*" if apart.holds else ""))
        rows.append([measure.title, *cells])
    base = found.tried[found.base].name
    return Section(
        f"Differences from {base}",
        [
            "Highlighted differences remain after correction for all comparisons (Holm). "
            "Differences of shares are in percentage points."
        ],
        [Table(["", *(one.name for one in others)], rows)],
    )
