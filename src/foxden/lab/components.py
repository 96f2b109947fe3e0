"""The value of each kind of action, and of each thing a seat can have.

Actions are open to a seat, used by it, denied to it. What a seat can have (`Game.components`:
cards, tokens, characters, buildings) is dealt to it, had, used, denied.

A seat that used something and won may have won for other reasons. So a search also judges
decisions: the best action of a kind against the best of all others. Chance alone decides what is
dealt, so wins with dealt things show their effect.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

import foxden
from foxden.arena.chance import dice_seed
from foxden.arena.cluster import Workers
from foxden.arena.intervals import Share, mean, student_t, win_share
from foxden.bots.ismcts import SearchBot
from foxden.engine import compiled
from foxden.engine.game import Game
from foxden.lab.charts import Chart, Dot, intervals
from foxden.lab.measures import wins
from foxden.lab.players import find_player
from foxden.lab.playing import Piece, Table, to_act
from foxden.lab.question import BadQuestion, Question, Variant, setup_of
from foxden.lab.report import Report, Section
from foxden.lab.report import Table as Grid
from foxden.lab.statistics import Difference, holm, t_tail
from foxden.lab.tracing import DEAL, DEALT, HAD, USED, components_open
from foxden.lab.workers import local

MOST_KINDS = 80
PIECE, JUDGED = 64, 8  # deals, and decisions, of one piece
SEEN_OFTEN = 20  # decisions before something is called dead
SHOWN_FROM = 5  # … and before it is drawn
MOST_SHOWN = 24  # of one plot
RARELY = 0.05
OF_KIND, TAKEN, USED_UP = range(3)  # sorts of what is judged
NOTHING = (-1, -1)  # an action that is about no component
EVEN = {"explore": 3.0, "trust": 0.0, "doubt": 0.0}  # so every action is explored


@dataclass(frozen=True)
class Judged:
    """A search's verdict on decisions with an action of this kind and others."""

    times: int
    chosen: Share  # how often it chose this kind
    gain: Share  # the best action's gain over the best of all others

    @property
    def is_dead(self) -> bool:
        """Returns whether the search saw it often and hardly ever wants it."""
        return self.times >= SEEN_OFTEN and self.chosen.high < RARELY

    @property
    def is_dominated(self) -> bool:
        """Returns whether something else is certainly better, on average."""
        return self.times >= SEEN_OFTEN and self.gain.high < 0


@dataclass(frozen=True)
class Kind:
    """One kind of action."""

    name: str
    actions: int
    had: Share  # win share of seats to which one was open in the match
    used: Share  # … that played one
    denied: Share  # … to which one was open, that played none, and saw another seat play one
    seats_used: float  # share of seats that played one, of those to which one was open
    judged: Judged


@dataclass(frozen=True)
class Component:
    """One thing that a seat can have."""

    name: str
    seats_dealt: float  # share of seats that have it from the deal
    seats_had: float  # … that have it at some time
    dealt: Difference | None  # in win share, of seats that were dealt it and seats that were not
    had: Share  # win share of seats that had it at some time
    used: Share  # … that used it
    denied: Share  # … that never had it, while another seat had
    seats_used: float  # share of seats that used it, of those that had it
    using: Judged  # by a seat that has it
    taking: Judged  # by one that has none


def kinds_of(game: Game) -> tuple[list[str], Any]:
    """Names the kinds of a game's actions, and returns each action's kind.

    A kind is the notation without its numbers; where that leaves too many, its first word.
    """
    texts = [str(label) for label in game.labels[: game.actions]]
    names = [" ".join(re.sub(r"[0-9]+", " ", text).split()) or text for text in texts]
    if len(set(names)) > MOST_KINDS:
        names = [text.split()[0] for text in texts]
    kinds = list(dict.fromkeys(names))
    return kinds, np.array([kinds.index(name) for name in names], np.int64)


def count_piece(question: Question, piece: Piece) -> Any:
    """Plays deals; returns a row for each seat: its deal and win, then flags.

    Of every kind of action: whether it was open, used, denied. Of every component: whether it was
    dealt, had, used, denied.
    """
    table = Table.of(question, piece.variant)
    _, groups = kinds_of(table.game)
    rows, counts, held = table.tracked(piece.first, piece.deals, groups)
    seats = len(rows) * table.seats
    deals = np.repeat(rows[:, DEAL], table.seats).astype(np.float64)
    flags = [some.reshape(seats, -1) for some in (flags_of_kinds(counts), flags_of(held))]
    return np.column_stack([deals, wins(rows).reshape(-1), *flags])


def flags_of_kinds(counts: Any) -> Any:
    """Returns whether actions were open, used, denied: [match, seat, kind, which]."""
    had, used = counts[..., 0] > 0, counts[..., 1] > 0
    denied = had & ~used & used.any(axis=1, keepdims=True)
    return np.stack([had, used, denied], axis=-1).astype(np.float64)


def flags_of(held: Any) -> Any:
    """Returns whether components were dealt, had, used, denied: [match, seat, component, which]."""
    dealt, used = held[..., DEALT] > 0, held[..., USED] > 0
    had = dealt | (held[..., HAD] > 0)
    denied = ~had & had.any(axis=1, keepdims=True)
    return np.stack([dealt, had, used, denied], axis=-1).astype(np.float64)


def judge_piece(question: Question, piece: Piece) -> Any:
    """Lets the search judge one decision of each of some matches.

    Returns rows of (decision, sort, number, whether it was chosen, its gain). What is numbered
    goes by the sort: kinds of action, or components, used or taken.
    """
    table = Table.of(question, 0)
    _, groups = kinds_of(table.game)
    bots = [find_player(name) for name in table.bots]
    judge = find_player(question.strong)
    assert isinstance(judge, SearchBot)
    patient = SearchBot(simulations=judge.simulations, changes=EVEN | judge.changes, patient=True)
    found: list[tuple[float, ...]] = []
    for number in range(piece.first, piece.first + piece.deals):
        luck = dice_seed(question.chance[1], number, number % table.rotations)
        at = [(number, number % table.rotations)]
        script = table.play(table.dealt(at), bots, at[0][1], luck)
        position = _choice(table, table.dealt(at), script, random.Random(luck), luck)
        if position is None:
            continue
        hints = patient.think(position).hints()
        ids = np.array([hint.action.id for hint in hints], np.int64)
        results = [hint.result for hint in hints]
        kinds = [(OF_KIND, int(groups[action])) for action in ids]
        for keys in (kinds, _things(table.game, position, ids)):
            found += [(number, *row) for row in _compared(keys, results)]
    return np.array(found, np.float64).reshape(-1, 5)


def _things(game: Game, position: Any, ids: Any) -> list[tuple[int, int]]:
    """Returns what component each action is about, and whether it takes or uses it."""
    having = np.zeros(max(1, len(game.components)), np.int64)
    out = np.zeros(len(ids), np.int64)
    components_open(position.wiped, 0, ids, having, out, len(ids))
    return [
        NOTHING if code < 0 else (USED_UP if code % 2 else TAKEN, code // 2)
        for code in out.tolist()
    ]


def _compared(
    keys: Sequence[tuple[int, int]], results: Sequence[float]
) -> list[tuple[int, int, float, float]]:
    """Compares the best action of every key with the best of all others; the first was chosen."""
    best: dict[tuple[int, int], float] = {}
    for key, result in zip(keys, results, strict=True):
        best[key] = max(best.get(key, -math.inf), result)
    if len(best) < 2:
        return []
    return [
        (
            *key,
            float(key == keys[0]),
            value - max(other for some, other in best.items() if some != key),
        )
        for key, value in best.items()
        if key != NOTHING
    ]


def _choice(table: Table, states: Any, script: Any, dice: random.Random, luck: int) -> Any:
    """Goes to a decision of the match where there is something to choose, drawn at random."""
    out = np.zeros(table.game.actions, np.int64)
    _, groups = kinds_of(table.game)
    having = np.zeros(max(1, len(table.game.components)), np.int64)
    things = np.zeros(table.game.actions, np.int64)
    real = []
    count = compiled.legal_of(states, 0, out)
    fresh = states.copy()
    for ply, action in enumerate(script.tolist()):
        components_open(states, 0, out, having, things, count)
        if len(set(groups[out[:count]].tolist())) > 1 or len(set(things[:count].tolist())) > 1:
            real.append(ply)
        count = compiled.move(states, 0, action, out)
    if not real:
        return None
    ply = dice.choice(real)
    compiled.replay(fresh, 0, script, ply)
    count = compiled.legal_of(fresh, 0, out)
    return table.position(fresh, int(to_act(fresh)), out[:count].tolist(), luck, ply)


def components(
    question: Question,
    *,
    workers: Workers | None = None,
    report: Callable[[int, int], None] = lambda done, of: None,
) -> Report:
    """Answers a question about the value of actions and components."""
    judge = find_player(question.strong)
    if not isinstance(judge, SearchBot):
        raise BadQuestion(f"strong must be a search, such as search:300, not {question.strong!r}.")
    game = foxden.game(question.game)
    deals, positions = question.most_deals, question.positions
    counting = _pieces(deals, PIECE)
    judging = _pieces(positions, JUDGED)
    counted: dict[Piece, Any] = {}
    judged: dict[Piece, Any] = {}
    done, of = 0, deals + positions
    with local(question) if workers is None else nullcontext(workers) as pool:
        for play, pieces, kept in (
            (count_piece, counting, counted),
            (judge_piece, judging, judged),
        ):
            kept[pieces[0]] = play(question, pieces[0])  # compiled once
            for piece, found in pool.map(play, question, pieces[1:]):
                kept[piece] = found
                done += piece.deals
                report(done, of)
    seats = np.concatenate([counted[piece] for piece in counting])
    values = np.concatenate([judged[piece] for piece in judging])
    many = len(kinds_of(game)[0])
    split = 2 + 3 * many
    found = Found(
        kinds=kinds_weighed(game, seats[:, :split], values),
        components=weighed(
            game,
            np.delete(seats, np.s_[2:split], axis=1),
            values,
            setup_of(question, Variant()).seats,
        ),
        deals=deals,
        decisions=len(np.unique(values[:, 0])),
    )
    return _told(question, found)


def _pieces(total: int, size: int) -> list[Piece]:
    return [Piece(0, first, min(size, total - first)) for first in range(0, total, size)]


def _judged(values: Any, sort: int, number: int) -> Judged:
    mine = values[(values[:, 1] == sort) & (values[:, 2] == number)]
    return Judged(
        times=len(mine),
        chosen=win_share(float(mine[:, 3].sum()), len(mine)),
        gain=mean(mine[:, 4].tolist()),
    )


def kinds_weighed(game: Game, seats: Any, values: Any) -> list[Kind]:
    """Combines counts and judgements of actions; omits those that never came up."""
    names, groups = kinds_of(game)
    deals, won = seats[:, 0].astype(int), seats[:, 1]
    flags = seats[:, 2:].reshape(len(seats), len(names), 3) > 0
    found = []
    for kind, name in enumerate(names):
        had, used, denied = flags[:, kind].T
        if not had.any():
            continue
        found.append(
            Kind(
                name=name,
                actions=int((groups == kind).sum()),
                had=ratio(won, had, deals),
                used=ratio(won, used, deals),
                denied=ratio(won, denied, deals),
                seats_used=float(used.sum() / had.sum()),
                judged=_judged(values, OF_KIND, kind),
            )
        )
    return sorted(found, key=lambda one: -one.judged.gain.value if one.judged.times else math.inf)


def weighed(game: Game, seats: Any, values: Any, places: int) -> list[Component]:
    """Combines counts and judgements of components, the most helpful first.

    Tables have so many places; rotations of a deal follow each other.
    """
    deals, won = seats[:, 0].astype(int), seats[:, 1]
    flags = seats[:, 2:].reshape(len(seats), len(game.components), 4) > 0
    # A seat is dealt the same in all rotations of a deal.
    many = len(np.unique(deals))
    shares = won.reshape(many, -1, places).mean(axis=1)
    dealt_to = flags[..., 0].reshape(many, -1, places, len(game.components))[:, 0]
    apart = [_apart(shares, dealt_to[..., k]) for k in range(len(game.components))]
    tested = [k for k, one in enumerate(apart) if one is not None]
    adjusted = dict(zip(tested, holm([apart[k][1] for k in tested]), strict=True))  # type: ignore[index]
    found = []
    for k, name in enumerate(game.components):
        dealt, had, used, denied = flags[:, k].T
        one = apart[k]
        found.append(
            Component(
                name=name,
                seats_dealt=float(dealt.mean()),
                seats_had=float(had.mean()),
                dealt=None if one is None else Difference(*one, adjusted[k]),
                had=ratio(won, had, deals),
                used=ratio(won, used, deals),
                denied=ratio(won, denied, deals),
                seats_used=float(used.sum() / max(1, had.sum())),
                using=_judged(values, USED_UP, k),
                taking=_judged(values, TAKEN, k),
            )
        )
    return sorted(found, key=lambda one: -one.dealt.change.value if one.dealt else math.inf)


def _apart(won: Any, flag: Any) -> tuple[Share, float] | None:
    """Estimates how much more seats with a flag win than others of their deal: [deal, seat].

    Chance decides which of a deal's seats has the flag. So its error is that of drawing this many
    seats of each deal, which is also valid for rare flags.
    """
    if min(flag.sum(), (~flag).sum()) < SEEN_OFTEN:
        return None
    drawn, places = flag.sum(axis=1), won.shape[1]
    weight = drawn * (places - drawn) / places
    total = float(weight.sum())
    spread = math.sqrt(float((weight * won.var(axis=1, ddof=1)).sum())) / total if total else 0.0
    if not spread:
        return None
    more = (won * flag).sum(axis=1) - drawn * won.mean(axis=1)
    value, degrees = float(more.sum()) / total, len(won) - 1
    half = student_t(degrees) * spread
    return Share(value, value - half, value + half), t_tail(abs(value) / spread, degrees)


def ratio(values: Any, some: Any, deals: Any) -> Share:
    """Estimates the mean of some of the values, clustered by deal."""
    many = int(deals.max()) + 1
    sums = np.bincount(deals, weights=values * some, minlength=many)
    counts = np.bincount(deals, weights=some, minlength=many)
    held = int((counts > 0).sum())
    if held < 2:
        return Share(math.nan, -math.inf, math.inf)
    value = float(sums.sum() / counts.sum())
    errors = sums - value * counts
    spread = math.sqrt(float((errors**2).sum()) * held / (held - 1)) / float(counts.sum())
    if not spread:
        return Share(value, -math.inf, math.inf)
    half = student_t(held - 1) * spread
    return Share(value, max(0.0, value - half), min(1.0, value + half))


@dataclass(frozen=True)
class Found:
    """All counts and judgements."""

    kinds: list[Kind]
    components: list[Component]
    deals: int
    decisions: int


def _told(question: Question, found: Found) -> Report:
    game = foxden.game(question.game)
    judged = [one for one in found.kinds if one.judged.times >= SEEN_OFTEN]
    dead = [one.name for one in judged if one.judged.is_dead]
    dominated = [one.name for one in judged if one.judged.is_dominated and not one.judged.is_dead]
    ways = [(one, way) for one in found.components for way in (one.using, one.taking)]
    dead_things = list(dict.fromkeys(one.name for one, way in ways if way.is_dead))
    never = [one.name for one in found.components if not one.seats_had]
    return Report(
        question=question,
        title=f"{game.title}: what actions and components are worth",
        answer=" ".join([*_answer_of_kinds(judged, dead), *_answer_of_components(found)]),
        sections=[
            *_sections_of_kinds(found, dominated),
            *_sections_of_components(found, dead_things, never),
        ],
        how=_how(question, found),
        figures={
            "deals": found.deals,
            "actions": found.kinds,
            "components": found.components,
            "dead": dead,
            "dominated": dominated,
            "dead_components": dead_things,
            "never_had": never,
        },
    )


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def _answer_of_kinds(judged: Sequence[Kind], dead: Sequence[str]) -> list[str]:
    if not judged:
        return ["Too few decisions were judged to say which action is strong."]
    best = judged[0]
    return [
        f"What pays most where there is a choice is “{best.name}”: the search takes it in "
        f"{100 * best.judged.chosen.value:.0f} % of the decisions that offer it.",
        f"Dead, hardly ever chosen: {_quoted(dead)}." if dead else "No kind of action is dead.",
    ]


def _answer_of_components(found: Found) -> list[str]:
    """Names which dealt components help and which hurt."""
    tested = [one for one in found.components if one.dealt]
    if not tested:
        return []
    sure = [one for one in tested if one.dealt and one.dealt.holds]
    if not sure:
        return ["Nothing that is dealt by chance is shown to help or to hurt."]
    good = [one for one in sure if one.dealt and one.dealt.change.value > 0]
    bad = [one for one in reversed(sure) if one.dealt and one.dealt.change.value < 0]
    said = []
    for some, verb in ((good, "helps"), (bad, "hurts")):
        if some and some[0].dealt:
            points = f"{100 * some[0].dealt.change.value:+.1f}".replace("-", "−")
            text = f"Of what is dealt, “{some[0].name}” {verb} most ({points} points of win share)"
            others = _quoted([one.name for one in some[1:4]])
            said.append(text + (f"; so do {others}." if others else "."))
    return said


def _how(question: Question, found: Found) -> list[str]:
    game = foxden.game(question.game)
    seats = question.seats or game.about.usual
    lines = [
        f"{found.deals:,} deals, {seats} seats, played by {', '.join(question.bots)}; "
        f"{found.decisions:,} decisions, one of a match, judged by {question.strong} with all of "
        "its simulations.",
        "A kind of action is its notation without numbers. Had: one was open to the seat in the "
        "match. Used: the seat played one. Denied: one was open, the seat played none, and "
        "another seat of the match did. Win shares are clustered by deal.",
        "Who used something may have won for other reasons. Gain is free of that: what the search "
        "expects of the best action of the kind, less what it expects of the best other one, in "
        "its own unit (1 is a whole match won, or a large margin).",
        f"Dead is what was judged {SEEN_OFTEN} times or more and is chosen in fewer than "
        f"{100 * RARELY:.0f} % of them, by the upper end of its interval. Dominated is what loses "
        "against the best other action on average, for sure; it may still be right at times.",
    ]
    if game.components:
        lines += [
            "A component is what a seat can have, as the game lists it. Dealt: what seats that "
            "have it from the deal win more than others of their deal; chance alone decides who "
            "is dealt what, so this is an effect. Had at some time, used (an action was about it "
            "while the seat had it), denied (never had, while another seat of the match had it): "
            "these are not effects, for good players may get what good players like.",
            "Using: decisions that were judged where a seat had it and could use it. Taking: where "
            "it had none and could try to get one. Each with how often the search chose that, and "
            "what it gains over the best other action.",
            f"{sum(one.dealt is not None for one in found.components)} effects were tested. "
            "Those set off remain with Holm's correction for all of them.",
        ]
    return [
        *lines,
        f"Other intervals are 95 % each, of {len(found.kinds)} kinds and "
        f"{len(found.components)} components: expect one in twenty to miss.",
        f"Seed {question.seed}, luck {question.luck}.",
    ]


def _gains(title: str, some: Sequence[tuple[str, Judged]]) -> list[Chart]:
    shown = [(name, one) for name, one in some if one.times >= SHOWN_FROM]
    shown = sorted(shown, key=lambda pair: -pair[1].gain.value)[:MOST_SHOWN]
    if not shown:
        return []
    dots = [Dot(name, one.gain) for name, one in shown]
    return [intervals(title, dots, axis="expected result", percent=False, reference=0.0)]


def _sections_of_kinds(found: Found, dominated: Sequence[str]) -> list[Section]:
    charts = _gains(
        "What a kind of action gains over the best other one",
        [(one.name, one.judged) for one in found.kinds],
    )
    table = Grid(
        ["", "judged", "chosen", "gain", "used if open", "wins had", "wins used", "wins denied"],
        [
            [
                one.name,
                *_of(one.judged),
                f"{100 * one.seats_used:.0f} %",
                _percents(one.had),
                _percents(one.used),
                _percents(one.denied),
            ]
            for one in found.kinds
        ],
        f"Dominated on average: {', '.join(dominated)}." if dominated else "",
    )
    return [Section("Actions, by a search", (), charts), Section("All actions", (), [table])]


def _sections_of_components(
    found: Found, dead: Sequence[str], never: Sequence[str]
) -> list[Section]:
    if not found.components:
        return []
    charts: list[Chart] = []
    dealt = [(one.name, one.dealt.change) for one in found.components if one.dealt]
    if len(dealt) > MOST_SHOWN:  # the best and the worst
        dealt = dealt[: MOST_SHOWN // 2] + dealt[-(MOST_SHOWN // 2) :]
    if dealt:
        charts.append(
            intervals(
                "What being dealt it does to a seat's win share",
                [Dot(name, share) for name, share in dealt],
                axis="percentage points",
                reference=0.0,
            )
        )
    charts += _gains(
        "What using it gains over the best other action",
        [(one.name, one.using) for one in found.components],
    )
    charts += _gains(
        "What taking it gains over the best other action",
        [(one.name, one.taking) for one in found.components],
    )
    rows = [
        [
            one.name,
            _dealt(one),
            f"{100 * one.seats_had:.0f} %",
            f"{100 * one.seats_used:.0f} %",
            _percents(one.had),
            _percents(one.used),
            _percents(one.denied),
        ]
        for one in found.components
        if one.seats_had
    ]
    columns = ["", "dealt", "had", "used if had", "wins had", "wins used", "wins denied"]
    asked = [one for one in found.components if one.using.times or one.taking.times]
    judged = [[one.name, *_of(one.using), *_of(one.taking)] for one in asked]
    searched = ["", "using", "chosen", "gain", "taking", "chosen", "gain"]
    ways = [one for one in asked if one.using.is_dominated or one.taking.is_dominated]
    dominated = [one.name for one in ways if one.name not in dead]
    notes = [f"Dead, hardly ever wanted: {', '.join(dead)}."] * bool(dead)
    notes += [f"Dominated on average: {', '.join(dominated)}."] * bool(dominated)
    unused = f"Nobody ever had: {', '.join(never)}." if never else ""
    return [
        Section("Components", (), charts),
        Section("All components", (), [Grid(columns, rows, unused)]),
        Section("Components, by a search", (), [Grid(searched, judged, " ".join(notes))]),
    ]


def _dealt(one: Component) -> str:
    if one.dealt is None:
        return "–"
    change = one.dealt.change
    half = (change.high - change.low) / 2
    text = f"{100 * change.value:+.1f} ±{100 * half:.1f}".replace("-", "−")
    return text + "*" * one.dealt.holds


def _of(judged: Judged) -> list[str]:
    """Writes a search's verdict: how many decisions, how often it chose this, the gain."""
    chosen = _percents(judged.chosen) if judged.times else "–"
    return [str(judged.times), chosen, _number(judged.gain)]


def _percents(share: Share) -> str:
    if not math.isfinite(share.value):
        return "–"
    half = (share.high - share.low) / 2
    end = f" ±{100 * half:.1f}" if math.isfinite(half) else ""
    return f"{100 * share.value:.1f}{end} %"


def _number(share: Share) -> str:
    if not math.isfinite(share.value):
        return "–"
    half = (share.high - share.low) / 2
    text = f"{share.value:+.3f}".replace("-", "−")
    return text + (f" ±{half:.3f}" if math.isfinite(half) else "")
