"""Compiled play that records what happens: one row of whole numbers for each match.

The only compiled code of the laboratory, in one file, because Numba's cache depends on a caller's
own file.
"""

from __future__ import annotations

from typing import Any

from foxden.engine.contract import (
    apply,
    component_of,
    greedy,
    holds,
    is_over,
    legal,
    observe,
    scores,
    winners,
)
from foxden.engine.kernel import Entry, rule
from foxden.engine.rng import below, bits, start_stream

# The columns of a row. Each seat's score follows, then whether each has won.
DEAL, ROTATION, STARTER, SEATS, PLIES, CHOICES, OPEN, TURNS, CHANGES, SETTLED, LED = range(11)
QUARTER, HALF, THREE_QUARTERS = range(LED, LED + 3)  # 2: the leader then has won, 1: not, 0: none
SCORE = LED + 3

# What is recorded of each component that a seat may have.
DEALT, HAD, USED = range(3)

# How a seat chooses.
RANDOM, GREEDY, SCRIPT = range(3)


@rule
def leader_of(points, seats):
    """Returns the seat that leads alone, or -1."""
    best = 0
    for p in range(1, seats):
        if points[p] > points[best]:
            best = p
    for p in range(seats):
        if p != best and points[p] == points[best]:
            return -1
    return best


@rule
def choose(s, dice, wiped, kind, out, n, ply):
    """Chooses for the seat to act, from what that seat may know."""
    if n == 1:
        return out[0]
    if kind == RANDOM:
        return out[below(dice[0], n)]
    wiped[0] = s
    observe(wiped[0], s.to_act)
    start_stream(wiped[0], bits(dice[0]), ply)
    return greedy(wiped[0], out, n)


@Entry
def play_bare(
    states: Any, wiped: Any, kinds: Any, seeds: Any, dice: Any, out: Any, matches: int
) -> int:
    """Plays dealt matches to the end; records and returns only the actions."""
    plies = 0
    for m in range(matches):
        s = states[m]
        start_stream(dice[0], seeds[m, 0], seeds[m, 1])
        ply = 0
        while not is_over(s):
            n = legal(s, out)
            apply(s, choose(s, dice, wiped, kinds[m, s.to_act], out, n, ply))
            ply += 1
        plies += ply
    return plies


@Entry
def play_and_note(
    states: Any,
    wiped: Any,
    kinds: Any,
    seeds: Any,
    dice: Any,
    out: Any,
    script: Any,
    points: Any,
    leaders: Any,
    groups: Any,
    counts: Any,
    having: Any,
    held: Any,
    kept: Any,
    rows: Any,
    matches: int,
) -> None:
    """Plays dealt matches to the end and writes a row for each.

    `kinds[m, seat]` says how a seat chooses; `script` holds the actions of a match that was played
    before. `counts[m, seat, group]` counts decisions where an action of the group was open, and
    where one was played (and keeps the last such ply); `held[m, seat, component]` tells whether
    a seat was dealt it, had it, and used it; `kept[m]` keeps the actions. With no match in one of
    these, nothing is written there. `having` has room for every component. `dice` is a spare state
    whose stream the bots draw from.
    """
    for m in range(matches):
        s = states[m]
        seats = s.seats
        start_stream(dice[0], seeds[m, 0], seeds[m, 1])
        rows[m, STARTER] = s.to_act
        rows[m, SEATS] = seats
        ply, choices, opened, turns, changes = 0, 0, 0, 0, 0
        asked, holder, leader = -1, -1, -1
        if len(held):
            note_held(s, held, m, having, DEALT)
        while not is_over(s):
            seat = s.to_act
            n = legal(s, out)
            choices += n > 1
            opened += n
            turns += seat != asked
            asked = seat
            if kinds[m, seat] == SCRIPT:
                action = script[ply]
            else:
                action = choose(s, dice, wiped, kinds[m, seat], out, n, ply)
            if len(counts):
                note_groups(counts, m, seat, groups, out, n, action, ply)
            if len(kept):
                kept[m, ply] = action
            if len(held):
                component = component_of(s, action)
                if component >= 0:
                    holds(s, seat, having)
                    if having[component] > 0:
                        held[m, seat, component, USED] = 1
            apply(s, action)
            if len(held):
                note_held(s, held, m, having, HAD)
            ply += 1
            # Checked once a round: scores cost more than all else, and a lead that comes and
            # goes within a round does not count.
            if ply % seats == 0:
                scores(s, points)
                leader = leader_of(points, seats)
                if leader >= 0:
                    changes += holder >= 0 and holder != leader
                    holder = leader
            if ply <= len(leaders):
                leaders[ply - 1] = leader
        rows[m, PLIES] = ply
        rows[m, CHOICES] = choices
        rows[m, OPEN] = opened
        rows[m, TURNS] = turns
        rows[m, CHANGES] = changes
        scores(s, points)
        for p in range(seats):
            rows[m, SCORE + p] = points[p]
        winners(s, points)
        for p in range(seats):
            rows[m, SCORE + seats + p] = points[p]
        # From when on a winner led alone, without a break.
        settled = min(ply, len(leaders))
        while settled > 0 and leaders[settled - 1] >= 0 and points[leaders[settled - 1]]:
            settled -= 1
        rows[m, SETTLED] = settled
        for quarter in range(3):
            at = max(ply * (quarter + 1) // 4 - 1, 0)
            leader = leaders[at] if at < len(leaders) else -1
            rows[m, LED + quarter] = 0 if leader < 0 else 1 + (points[leader] > 0)


@rule
def note_groups(counts, m, seat, groups, out, n, action, ply):
    """Counts each group that has an open action, and the group of the action played."""
    for k in range(n):
        group = groups[out[k]]
        if group >= 0 and counts[m, seat, group, 2] != ply + 1:
            counts[m, seat, group, 0] += 1
            counts[m, seat, group, 2] = ply + 1
    if groups[action] >= 0:
        counts[m, seat, groups[action], 1] += 1


@rule
def note_held(s, held, m, having, what):
    """Notes what every seat has now: as dealt, or as had at some time."""
    for p in range(s.seats):
        holds(s, p, having)
        for k in range(held.shape[2]):
            if having[k] > 0:
                held[m, p, k, what] = 1


@Entry
def components_open(states: Any, i: int, actions: Any, having: Any, out: Any, n: int) -> None:
    """Writes the component of each of n legal actions, and whether the seat asked has it.

    `out[k]` is -1 for no component, else twice the component, and one more where it is had.
    """
    s = states[i]
    holds(s, s.to_act, having)
    for k in range(n):
        component = component_of(s, actions[k])
        out[k] = -1 if component < 0 else 2 * component + (having[component] > 0)
