"""Why a choice is better: what happens more often after it, in the game's words."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from foxden.engine import compiled
from foxden.engine.kernel import copied, new_states, to_known
from foxden.review.judging import Worth
from foxden.review.rollouts import WORLD, Rollouts

if TYPE_CHECKING:
    from foxden.engine.voice import Voice

WORLDS = 60  # continuations described for each choice
AHEAD = 16  # actions of each
CLEAR = 0.15  # difference of frequencies that is worth a sentence
SURE = 3.0  # standard errors


@dataclass
class _Choice:
    """What follows a choice, over all sampled worlds."""

    told: Counter[str] = field(default_factory=Counter)  # in how many worlds each sentence appears
    longest: int = 0  # most actions to the end, or more than are described


@dataclass(frozen=True)
class _Line:
    """What follows in one world."""

    told: set[str]
    actions: int  # to the end, or more than are described


def why(
    rollouts: Rollouts,
    voice: Voice,
    *,
    better: int,
    worse: int,
    loss_points: Worth,
) -> str:
    """Says in a sentence or two what the better choice brings."""
    best = _happenings(rollouts, voice, better)
    made = _happenings(rollouts, voice, worse)
    found: tuple[float, str] | None = None
    for sentence in sorted(best.told | made.told):
        often, seldom = best.told[sentence] / WORLDS, made.told[sentence] / WORLDS
        error = math.sqrt((often * (1 - often) + seldom * (1 - seldom)) / WORLDS) or 1e-9
        gap = abs(often - seldom)
        certain = 1.0 in (often, seldom)  # the choice itself, not its consequences
        if gap < CLEAR or gap < SURE * error or certain:
            continue
        if found is None or gap > found[0]:
            found = gap, sentence
    if found is not None:
        sentence = found[1]
        better_share, worse_share = (_percent(one.told[sentence]) for one in (best, made))
        return (
            f"{sentence} That follows soon in {better_share} of continuations after the better "
            f"choice, in {worse_share} after the one that was made."
        )
    if loss_points.is_clear:
        brings = "more" if loss_points.value > 0 else "fewer, but wins more often"
        return f"On average the better choice brings {abs(loss_points.value):.1f} points {brings}."
    return _ending(best.longest, made.longest)


def _ending(best: int, made: int) -> str:
    """Says how the match continues if no event distinguishes the two choices.

    Both arguments are the most actions to its end, or more than are simulated.
    """
    if best == made == 1:
        return "The match ends with this choice, and only its result differs."
    if best == 1:
        return "The better choice ends the match at once."
    if made == 1:
        return "The choice that was made ends the match at once."
    if max(best, made) <= AHEAD:
        return "The match is nearly over, and only its result differs."
    return "No single event makes the difference; it adds up over the rest of the match."


def _percent(count: int) -> str:
    return f"{100 * count / WORLDS:.0f} %"


def _happenings(rollouts: Rollouts, voice: Voice, action: int) -> _Choice:
    """Describes what follows a choice, over all sampled worlds."""
    found = _Choice()
    for world in range(WORLDS):
        rollouts.run([action], world, 1)
        line = _last_line(rollouts, voice)
        found.told.update(line.told)
        found.longest = max(found.longest, line.actions)
    return found


def _last_line(rollouts: Rollouts, voice: Voice) -> _Line:
    """Describes the first actions of the last rollout to the seat, before its end."""
    game, seat = rollouts.game, rollouts.seat
    states = new_states(game.state, 2, compiled=True)
    states[0] = copied(rollouts.states, WORLD)[0]
    told: set[str] = set()
    compiled.wipe(states, 0, states, 1, seat)
    before = to_known(states, 1)
    for at, action in enumerate(rollouts.line[:AHEAD].tolist()):
        if action < 0:
            break
        label = compiled.seen_of(states, 0, action, seat)
        compiled.replay(states, 0, np.array([action], np.int64), 1)
        compiled.wipe(states, 0, states, 1, seat)
        after = to_known(states, 1)
        if after.to_act < 0:
            return _Line(told, at + 1)  # the chances already say who wins
        told.update(game.words.tell(game.view.events(before, label, after, seat), voice))
        before = after
    return _Line(told, AHEAD + 1)
