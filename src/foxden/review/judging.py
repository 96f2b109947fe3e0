"""The value of each choice of a decision, with its uncertainty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from foxden.review.rollouts import Results, Rollouts

Measure = Literal["chance", "points"]
Verdict = Literal["best", "close", "loss"]

ERROR = 0.01  # of a decision's verdict: one in a hundred "losses" is false
FIRST = 32  # worlds every choice is played in, …
GLANCE = 8  # … and fewer if only the better half continues, …
FEW = 3  # … down to this many besides the one that was made
MOST = 8192  # most worlds for one choice
HOPELESS = 3.5  # standard errors behind the leader at which a choice is dropped
SETTLED = 0.004  # half an interval of chances that is narrow enough
DIGITS = 6
ACTION = 0.5  # microseconds charged per action


@dataclass(frozen=True)
class Budget:
    """The budget of one estimate, in nominal, not measured, microseconds.

    So a review takes about the same time in every game, and is the same on every machine.
    """

    decision: int = 400_000  # for all choices of a decision
    value: int = 40_000  # for a position in between

    def times(self, effort: float) -> Budget:
        """Returns a multiple of the budget."""
        return Budget(int(self.decision * effort), int(self.value * effort))


@dataclass(frozen=True)
class Worth:
    """An estimate: `margin` to both sides holds the truth 99 times in 100."""

    value: float
    margin: float

    @property
    def is_clear(self) -> bool:
        """Returns whether the interval leaves out 0."""
        return abs(self.value) > self.margin


@dataclass(frozen=True)
class Estimate:
    """The value of one action to the seat."""

    action: int
    chance: Worth
    points: Worth
    worlds: int


@dataclass(frozen=True)
class Judgement:
    """A decision, judged from what the seat knew."""

    verdict: Verdict
    chosen: Estimate
    best: Estimate
    loss: Worth  # of chance, the best choice against the one that was made
    loss_points: Worth
    gap: Worth  # from the best choice to the next, in the deciding measure
    estimates: tuple[Estimate, ...]  # the best first


def worth(samples: Any, level: float = ERROR) -> Worth:
    """Estimates a mean, with an interval of a Student-like width for few samples."""
    n = len(samples)
    mean = float(samples.mean())
    if n < 2:
        return Worth(mean, math.inf)
    spread = float(samples.std(ddof=1)) / math.sqrt(n)
    quantile = NormalDist().inv_cdf(1 - level / 2) * (1 + 1 / n)
    return Worth(round(mean, DIGITS), round(quantile * spread, DIGITS))


def _paired(better: Any, worse: Any, level: float) -> Worth:
    """Estimates a difference in the worlds that both have met."""
    n = min(len(better), len(worse))
    return worth(better[:n] - worse[:n], level)


class _Trial:
    """The choices of one decision, and their results so far."""

    def __init__(self, rollouts: Rollouts, legal: Sequence[int], chosen: int, measure: Measure):
        self.rollouts = rollouts
        self.legal = tuple(legal)
        self.chosen = chosen
        self.measure = measure
        self.left = list(self.legal)  # those not yet dropped
        self.shares: dict[int, Any] = {action: np.zeros(0) for action in legal}
        self.points: dict[int, Any] = {action: np.zeros(0) for action in legal}

    def run(self, worlds: int) -> Results:
        """Plays more worlds after each remaining choice."""
        found = self.rollouts.run(self.left, len(self.key(self.chosen)), worlds)
        for row, action in enumerate(self.left):
            self.shares[action] = np.concatenate([self.shares[action], found.shares[row]])
            self.points[action] = np.concatenate([self.points[action], found.points[row]])
        return found

    def key(self, action: int) -> Any:
        """Returns the results in the deciding measure."""
        return (self.shares if self.measure == "chance" else self.points)[action]

    def rank(self, action: int) -> tuple[float, float]:
        return float(self.key(action).mean()), float(self.points[action].mean())

    def leader(self) -> int:
        return max(self.left, key=self.rank)

    def drop(self) -> None:
        """Drops choices that are far behind; the one that was made always stays."""
        leader = self.leader()
        kept = []
        for action in self.left:
            behind = self.key(leader) - self.key(action)
            error = float(behind.std(ddof=1)) / math.sqrt(len(behind))
            hopeless = float(behind.mean()) > HOPELESS * max(error, 1e-9)
            if action == self.chosen or action == leader or not hopeless:
                kept.append(action)
        self.left = kept

    def narrow(self) -> None:
        """Drops the worse half; the choice that was made always stays."""
        ranked = sorted(self.left, key=self.rank, reverse=True)
        better = {*ranked[: max(FEW, len(ranked) // 2)], self.chosen}
        self.left = [action for action in self.left if action in better]

    def difference(self, better: int, level: float) -> tuple[Worth, Worth]:
        """Returns an action's gain over the chosen one: chance, and points."""
        return (
            _paired(self.shares[better], self.shares[self.chosen], level),
            _paired(self.points[better], self.points[self.chosen], level),
        )

    def gap(self, best: int, level: float) -> Worth:
        """Returns how far the best is ahead of its nearest rival."""
        others = [action for action in self.legal if action != best]
        gaps = [_paired(self.key(best), self.key(action), level) for action in others]
        return min(gaps, key=lambda gap: gap.value - gap.margin, default=Worth(0.0, 0.0))

    def is_settled(self, level: float) -> bool:
        """Returns whether more worlds would add nothing useful."""
        if len(self.left) == 1:
            return True
        others = [action for action in self.left if action != self.chosen]
        index = 0 if self.measure == "chance" else 1
        gaps = [self.difference(action, level)[index] for action in others]
        if self.measure == "chance" and all(abs(g.value) + g.margin < 2 * SETTLED for g in gaps):
            return True
        return len(gaps) == 1 and gaps[0].margin < abs(gaps[0].value) / 4


def judge(
    rollouts: Rollouts,
    legal: Sequence[int],
    chosen: int,
    *,
    measure: Measure = "chance",
    budget: Budget | None = None,
    error: float = ERROR,
    narrow: bool = False,
) -> Judgement:
    """Estimates every choice in the same worlds; close ones get more of them.

    Narrowing down shows sooner how far the choice that was made is behind the best, but less about
    the others: the lead over the next best needs worlds for each.
    """
    budget = budget or Budget()
    trial = _Trial(rollouts, legal, chosen, measure)
    # One verdict on all choices at once: each of them could be mistaken for the best.
    level = error / max(1, len(legal) - 1)
    left = float(budget.decision)
    first = GLANCE if narrow else FIRST
    worlds = first
    while True:
        before = len(trial.left)
        price = _price(rollouts, trial.run(worlds))
        left -= price * before * worlds
        trial.drop()
        seen = len(trial.key(chosen))
        if narrow and seen > GLANCE:
            trial.narrow()
        price *= len(trial.left)  # of one more world
        worlds = min(seen, int(left / max(price, 1.0)), MOST - seen)
        if worlds < first // 2 or (seen >= FIRST and trial.is_settled(level)):
            break
    best = max(trial.left, key=trial.rank)
    loss, loss_points = trial.difference(best, level)
    decisive = loss if measure == "chance" else loss_points
    verdict: Verdict = "best" if best == chosen else "loss" if decisive.is_clear else "close"
    estimates = {
        action: Estimate(
            action,
            worth(trial.shares[action]),
            worth(trial.points[action]),
            len(trial.shares[action]),
        )
        for action in trial.legal
    }
    # A choice dropped early may have looked better for a moment; it is not the best.
    order = sorted(trial.legal, key=lambda a: (a == best, *trial.rank(a)), reverse=True)
    return Judgement(
        verdict=verdict,
        chosen=estimates[chosen],
        best=estimates[best],
        loss=loss,
        loss_points=loss_points,
        gap=trial.gap(best, level),
        estimates=tuple(estimates[action] for action in order),
    )


def _price(rollouts: Rollouts, found: Results) -> float:
    """Returns the cost charged for one rollout."""
    actions = ACTION * found.plies / int(found.shares.size)
    return max(1.0, actions + rollouts.way.toll)


def value(rollouts: Rollouts, *, budget: Budget | None = None) -> tuple[Worth, Worth]:
    """Estimates how a position stands for the seat, whoever is asked: chance and points."""
    budget = budget or Budget()
    found = rollouts.run([-1], 0, FIRST)
    more = min(MOST, int(budget.value / _price(rollouts, found))) - FIRST
    shares, points = found.shares[0], found.points[0]
    if more > 0:
        rest = rollouts.run([-1], FIRST, more)
        shares = np.concatenate([shares, rest.shares[0]])
        points = np.concatenate([points, rest.points[0]])
    return worth(shares), worth(points)
