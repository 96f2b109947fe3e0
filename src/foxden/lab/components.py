"""What each kind of action is worth: open to a seat, used by it, denied to it.

Who used something and won may have won for other reasons. So a search judges decisions, too: what
it expects of the best action of a kind, against the best of all others.
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
from foxden.lab.charts import Dot, intervals
from foxden.lab.measures import wins
from foxden.lab.players import find_player
from foxden.lab.playing import Piece, Table, to_act
from foxden.lab.question import BadQuestion, Question
from foxden.lab.report import Report, Section
from foxden.lab.report import Table as Grid
from foxden.lab.tracing import DEAL
from foxden.lab.workers import Local

MOST_KINDS = 80
PIECE, JUDGED = 64, 8  # deals, and decisions, of one piece
SEEN_OFTEN = 20  # decisions before something is called dead
SHOWN_FROM = 5  # … and before it is drawn
RARELY = 0.05
EVEN = {"explore": 3.0, "trust": 0.0, "doubt": 0.0}  # so that every action gets its share of looks


@dataclass(frozen=True)
class Component:
    """One kind of action."""

    name: str
    actions: int
    had: Share  # win share of seats to which one was open in the match
    used: Share  # … that played one
    denied: Share  # … to which one was open, that played none, and saw another seat play one
    seats_used: float  # share of seats that played one, of those to which one was open
    judged: int  # decisions judged by the search where one was open, and something else too
    chosen: Share  # how often the search chose one of them then
    gain: Share  # what the best of them is worth more than the best of all others

    @property
    def is_dead(self) -> bool:
        """Returns whether the search saw it often and hardly ever wants it."""
        return self.judged >= SEEN_OFTEN and self.chosen.high < RARELY

    @property
    def is_dominated(self) -> bool:
        """Returns whether something else is better for sure, on average."""
        return self.judged >= SEEN_OFTEN and self.gain.high < 0


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
    """Plays deals; returns each seat's deal and win, and which kinds were open, used, denied."""
    table = Table.of(question, piece.variant)
    kinds, groups = kinds_of(table.game)
    rows, counts = table.rows(piece.first, piece.deals, groups)
    had, used = counts[..., 0] > 0, counts[..., 1] > 0  # [match, seat, kind]
    denied = had & ~used & used.any(axis=1, keepdims=True)
    flags, seats = np.stack([had, used, denied], axis=-1).astype(np.float64), table.seats
    deals = np.repeat(rows[:, DEAL], seats).astype(np.float64)
    flat = flags.reshape(len(rows) * seats, 3 * len(kinds))
    return np.column_stack([deals, wins(rows).reshape(-1), flat])


def judge_piece(question: Question, piece: Piece) -> Any:
    """Lets the search judge one decision of each of some matches.

    Returns rows of (decision, kind, whether it was chosen, its gain).
    """
    table = Table.of(question, 0)
    _, groups = kinds_of(table.game)
    bots = [find_player(name) for name in table.bots]
    judge = find_player(question.strong)
    assert isinstance(judge, SearchBot)
    patient = SearchBot(simulations=judge.simulations, changes=EVEN | judge.changes, patient=True)
    found = []
    for number in range(piece.first, piece.first + piece.deals):
        luck = dice_seed(question.chance[1], number, number % table.rotations)
        at = [(number, number % table.rotations)]
        script = table.play(table.dealt(at), bots, at[0][1], luck)
        position = _choice(table, table.dealt(at), script, random.Random(luck), luck)
        if position is None:
            continue
        hints = patient.think(position).hints()
        best: dict[int, float] = {}
        for hint in hints:
            kind = int(groups[hint.action.id])
            best[kind] = max(best.get(kind, -math.inf), hint.result)
        if len(best) < 2:
            continue
        chosen = int(groups[hints[0].action.id])
        for kind, value in best.items():
            others = max(other for key, other in best.items() if key != kind)
            found.append((number, kind, float(kind == chosen), value - others))
    return np.array(found, np.float64).reshape(-1, 4)


def _choice(table: Table, states: Any, script: Any, dice: random.Random, luck: int) -> Any:
    """Goes to a decision of the match where there is something to choose, drawn at random."""
    out = np.zeros(table.game.actions, np.int64)
    _, groups = kinds_of(table.game)
    real = []
    count = compiled.legal_of(states, 0, out)
    fresh = states.copy()
    for ply, action in enumerate(script.tolist()):
        if len(set(groups[out[:count]].tolist())) > 1:
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
    """Answers what each kind of action is worth."""
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
    with Local(question) if workers is None else nullcontext(workers) as pool:
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
    return _told(question, weighed(game, seats, values), deals, len(np.unique(values[:, 0])))


def _pieces(total: int, size: int) -> list[Piece]:
    return [Piece(0, first, min(size, total - first)) for first in range(0, total, size)]


def weighed(game: Game, seats: Any, values: Any) -> list[Component]:
    """Puts together what was counted and what was judged; kinds that never came up are left out."""
    names, groups = kinds_of(game)
    deals, won = seats[:, 0].astype(int), seats[:, 1]
    flags = seats[:, 2:].reshape(len(seats), len(names), 3) > 0
    found = []
    for kind, name in enumerate(names):
        had, used, denied = flags[:, kind].T
        if not had.any():
            continue
        mine = values[values[:, 1] == kind]
        found.append(
            Component(
                name=name,
                actions=int((groups == kind).sum()),
                had=ratio(won, had, deals),
                used=ratio(won, used, deals),
                denied=ratio(won, denied, deals),
                seats_used=float(used.sum() / had.sum()),
                judged=len(mine),
                chosen=win_share(float(mine[:, 2].sum()), len(mine)),
                gain=mean(mine[:, 3].tolist()),
            )
        )
    return sorted(found, key=lambda one: -one.gain.value if one.judged else math.inf)


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


def _told(question: Question, found: Sequence[Component], deals: int, decisions: int) -> Report:
    game = foxden.game(question.game)
    seats = question.seats or game.about.usual
    judged = [one for one in found if one.judged >= SEEN_OFTEN]
    dead = [one.name for one in judged if one.is_dead]
    dominated = [one.name for one in judged if one.is_dominated and not one.is_dead]
    answer = "Too few decisions were judged to say what is strong."
    if judged:
        best = judged[0]
        answer = (
            f"What pays most where there is a choice is “{best.name}”: the search takes it in "
            f"{100 * best.chosen.value:.0f} % of the decisions that offer it."
        )
        dead_ones = ", ".join(f"“{name}”" for name in dead)
        answer += f" Dead, hardly ever chosen: {dead_ones}." if dead else " Nothing is dead."
    how = [
        f"{deals:,} deals, {seats} seats, played by {', '.join(question.bots)}; {decisions:,} "
        f"decisions, one of a match, judged by {question.strong} with all of its simulations.",
        "A kind of action is its notation without numbers. Had: one was open to the seat in the "
        "match. Used: the seat played one. Denied: one was open, the seat played none, and "
        "another seat of the match did. Win shares are clustered by deal.",
        "Who used something may have won for other reasons. Gain is free of that: what the search "
        "expects of the best action of the kind, less what it expects of the best other one, in "
        "its own unit (1 is a whole match won, or a large margin).",
        f"Dead is what was judged {SEEN_OFTEN} times or more and is chosen in fewer than "
        f"{100 * RARELY:.0f} % of them, by the upper end of its interval. Dominated is what loses "
        "against the best other action on average, for sure; it may still be right at times.",
        f"Intervals are 95 % each, and {len(found)} kinds were looked at: expect one in twenty to "
        "miss.",
        f"Seed {question.seed}, luck {question.luck}.",
    ]
    shown = [one for one in found if one.judged >= SHOWN_FROM][:25]
    charts = []
    if shown:
        charts.append(
            intervals(
                "What a kind of action gains over the best other one",
                [Dot(one.name, one.gain) for one in shown],
                axis="expected result",
                percent=False,
                reference=0.0,
            )
        )
    table = Grid(
        ["", "judged", "chosen", "gain", "used if open", "wins had", "wins used", "wins denied"],
        [
            [
                one.name,
                str(one.judged),
                _percents(one.chosen) if one.judged else "–",
                _number(one.gain),
                f"{100 * one.seats_used:.0f} %",
                _percents(one.had),
                _percents(one.used),
                _percents(one.denied),
            ]
            for one in found
        ],
        f"Dominated on average: {', '.join(dominated)}." if dominated else "",
    )
    return Report(
        question=question,
        title=f"{game.title}: what actions are worth",
        answer=answer,
        sections=[Section("By a search", (), charts), Section("All kinds of actions", (), [table])],
        how=how,
        figures={"deals": deals, "components": list(found), "dead": dead, "dominated": dominated},
    )


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
