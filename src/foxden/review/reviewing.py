"""The review of one seat's match: its decisions, and the parts of luck and skill."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from foxden.engine.errors import FoxdenError
from foxden.engine.match import Match
from foxden.review.judging import Budget, Judgement, Measure, Verdict, Worth, judge, value
from foxden.review.reasons import why
from foxden.review.rollouts import GREEDY, Rollouts, prepare

if TYPE_CHECKING:
    from foxden.engine.game import Game

VERSION = 2  # of a review's format and computation
COSTLIEST = 3  # decisions that come first, each with a reason
SHOWN = 6  # choices listed per decision


class NotOver(FoxdenError):
    """Is raised for a review of a match that is still being played."""


@dataclass(frozen=True)
class Choice:
    """One choice of a decision, with its value."""

    action: int
    notation: str
    says: str
    chance: Worth
    points: Worth
    worlds: int


@dataclass(frozen=True)
class Decision:
    """One decision of the seat, judged from what it knew then."""

    ply: int  # actions that were played before
    kind: str  # of the better choice, as its facts name it
    question: str
    open: int  # number of choices
    verdict: Verdict
    chosen: Choice
    best: Choice
    loss: Worth  # in chances to win
    loss_points: Worth
    choices: tuple[Choice, ...]  # the best first; the one that was made is always among them
    why: str = ""


@dataclass(frozen=True)
class Account:
    """What made the result, in the review's measure: the parts add up to it."""

    start: float  # an even share
    deal: float
    draws: float  # luck of own actions
    others: float
    decisions: float
    result: float


@dataclass(frozen=True)
class Review:
    """A match as one seat played it."""

    version: int
    game: str
    title: str
    rules: int
    seats: int
    seat: int
    names: tuple[str, ...]
    measure: Measure  # chances to win; points where all seats play together
    player: str  # who plays the rollouts on
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    values: tuple[float, ...]  # the seat's chances after each action, from what it knew
    account: Account
    decisions: tuple[Decision, ...]
    costliest: tuple[int, ...]  # places in `decisions`

    def to_json(self) -> dict[str, Any]:
        """Returns what JSON can hold."""
        return asdict(self)


def check_over(match: Match) -> None:
    """Refuses a match in progress: a review reveals better play, and the future."""
    if not match.is_over:
        raise NotOver(
            f"The match is not over: {match.names[match.to_act or 0]} is to act after "
            f"{match.ply} actions. A review needs its end."
        )


def chances(match: Match, viewer: int | None = None, *, worlds: int = 200) -> tuple[float, ...]:
    """Estimates every seat's chance to win as a match stands, from what a viewer knows.

    None is a spectator. The chances add up to 1, unless all play together: then nobody wins. The
    same position always has the same chances.
    """
    number = match.check_seat(viewer)
    if match.is_over:
        share = 1.0 / max(1, len(match.winners))
        return tuple(share if seat in match.winners else 0.0 for seat in range(match.seats))
    return Rollouts(match.game, match.wiped(viewer), number, way=GREEDY).chances(worlds)


def review(
    match: Match,
    seat: int,
    *,
    budget: Budget | None = None,
    threads: int | None = None,
    report: Callable[[float], None] = lambda done: None,
) -> Review:
    """Reviews a seat of a finished match; reports progress from 0 to 1.

    Each decision is judged from a state wiped for the seat, by rollouts seeded from that state.
    So the review is the same for everybody, and uses only what the seat knew.
    """
    seat = match.check_seat(seat)
    check_over(match)
    prepare(match.game)
    budget = budget or Budget()
    return _Reviewing(match, seat, budget, report).run(threads or os.cpu_count() or 1)


@dataclass(frozen=True)
class _Step:
    """One ply: the seat's chances before it, and after its own choice if it made one."""

    before: float
    after: float
    judgement: Judgement | None = None


class _Reviewing:
    """A review in progress."""

    def __init__(
        self, match: Match, seat: int, budget: Budget, report: Callable[[float], None]
    ) -> None:
        self.match = match
        self.seat = seat
        self.budget = budget
        self.measure: Measure = "points" if match.together else "chance"
        self.moves = match.moves
        self.player = "greedy"
        self._report = report
        self._done = 0

    def run(self, threads: int) -> Review:
        match, seat = self.match, self.seat
        with ThreadPoolExecutor(threads, thread_name_prefix="review") as pool:
            steps = list(pool.map(self._counted, range(match.ply)))
        decisions = [
            self._decision(ply, step.judgement)
            for ply, step in enumerate(steps)
            if step.judgement is not None
        ]
        costliest = sorted(
            (place for place, made in enumerate(decisions) if made.verdict == "loss"),
            key=lambda place: -self._lost(decisions[place]),
        )[:COSTLIEST]
        for place in costliest:
            decisions[place] = self._explained(decisions[place])
        result = self._result()
        self._report(1.0)
        return Review(
            version=VERSION,
            game=match.game.name,
            title=match.game.title,
            rules=match.game.rules_version,
            seats=match.seats,
            seat=seat,
            names=match.names,
            measure=self.measure,
            player=self.player,
            scores=match.scores,
            winners=match.winners,
            values=(*(step.before for step in steps), result),
            account=self._account(steps, result),
            decisions=tuple(decisions),
            costliest=tuple(costliest),
        )

    def _lost(self, made: Decision) -> float:
        return (made.loss if self.measure == "chance" else made.loss_points).value

    def _counted(self, ply: int) -> _Step:
        step = self._step(ply)
        self._done += 1
        self._report(0.98 * self._done / self.match.ply)
        return step

    def _step(self, ply: int) -> _Step:
        """Judges a decision of the seat, or values the position before another's action."""
        then = self.match.at(ply)
        rollouts = Rollouts(then.game, then.wiped(self.seat), self.seat)
        self.player = rollouts.player
        actor, action = self.moves[ply]
        legal = [open_.id for open_ in then.legal()]
        if actor != self.seat or len(legal) == 1:
            found = value(rollouts, budget=self.budget)[self.measure != "chance"].value
            return _Step(found, found)
        judgement = judge(
            rollouts,
            legal,
            action.id,
            measure=self.measure,
            budget=self.budget,
            narrow=True,
        )
        after = self._worth(judgement.chosen)
        # Decisions too close to call cost nothing: noise is not a lack of skill.
        loss = judgement.loss if self.measure == "chance" else judgement.loss_points
        before = after + loss.value if judgement.verdict == "loss" else after
        return _Step(before, after, judgement)

    def _worth(self, estimate: Any) -> float:
        found: Worth = estimate.chance if self.measure == "chance" else estimate.points
        return found.value

    def _result(self) -> float:
        match = self.match
        if self.measure == "points":
            return float(match.scores[self.seat])
        return 1.0 / len(match.winners) if self.seat in match.winners else 0.0

    def _account(self, steps: list[_Step], result: float) -> Account:
        """Adds up changes before, at and after each action, without remainder."""
        first = steps[0].before if steps else result
        start = first if self.measure == "points" else 1.0 / self.match.seats
        parts = {"draws": 0.0, "others": 0.0, "decisions": 0.0}
        for ply, step in enumerate(steps):
            following = steps[ply + 1].before if ply + 1 < len(steps) else result
            parts["decisions"] += step.after - step.before
            own = self.moves[ply][0] == self.seat
            parts["draws" if own else "others"] += following - step.after
        return Account(start=start, deal=first - start, result=result, **parts)

    def _decision(self, ply: int, judgement: Judgement) -> Decision:
        """Describes a judgement in words."""
        then = self.match.at(ply)
        seen = then.seat_view(self.seat)
        legal = {action.id: action for action in seen.view.legal}

        def told(estimate: Any) -> Choice:
            action = legal[estimate.action]
            return Choice(
                action.id,
                action.notation,
                action.says,
                estimate.chance,
                estimate.points,
                estimate.worlds,
            )

        shown = list(judgement.estimates[:SHOWN])
        if judgement.chosen not in shown:
            shown[-1] = judgement.chosen
        facts = legal[judgement.best.action].facts
        return Decision(
            ply=ply,
            kind=str(facts.__struct_config__.tag),
            question=seen.view.question,
            open=len(legal),
            verdict=judgement.verdict,
            chosen=told(judgement.chosen),
            best=told(judgement.best),
            loss=judgement.loss,
            loss_points=judgement.loss_points,
            choices=tuple(map(told, shown)),
        )

    def _explained(self, made: Decision) -> Decision:
        then = self.match.at(made.ply)
        rollouts = Rollouts(then.game, then.wiped(self.seat), self.seat)
        sentence = why(
            rollouts,
            then.voice(self.seat),
            better=made.best.action,
            worse=made.chosen.action,
            loss_points=made.loss_points,
        )
        return Decision(**{**vars(made), "why": sentence})


def reviewed_from(record: str, seat: int, *, game: Game | None = None, **how: Any) -> Review:
    """Reviews a seat of a record; refuses broken records, and those of other rules."""
    return review(Match.from_record(record, game=game), seat, **how)
