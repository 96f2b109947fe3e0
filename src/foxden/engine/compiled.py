"""Compiled rules for Python callers: functions over (states, i), a third of a microsecond a call.

Numba dispatches on an array of records eight times faster than on one record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from foxden.engine.contract import (
    apply,
    deal,
    features,
    greedy,
    imagine,
    is_over,
    legal,
    observe,
    resample,
    scores,
    seen,
    winners,
)
from foxden.engine.game import Game
from foxden.engine.kernel import COMPILE, Entry, is_ready, new_states, set_ready
from foxden.engine.rng import below, start_keyed_stream, start_stream

NO_BOUND = 1 << 62


@Entry
def start(states: Any, i: int, low: int, high: int) -> None:
    """Deals from a seed's fast stream; options and parts are already in the state."""
    start_stream(states[i], low, high)
    deal(states[i])


@Entry
def start_keyed(states: Any, i: int, a: int, b: int, c: int, d: int) -> None:
    """Deals from a key's keyed stream; options and parts are already in the state."""
    start_keyed_stream(states[i], a, b, c, d)
    deal(states[i])


@Entry
def legal_of(states: Any, i: int, out: Any) -> int:
    """Writes the legal actions and returns their number; 0 when the match is over."""
    if is_over(states[i]):
        return 0
    return legal(states[i], out)


@Entry
def move(states: Any, i: int, action: int, out: Any) -> int:
    """Plays an action and writes the next legal ones; if it is illegal, returns -1 unchanged."""
    s = states[i]
    if is_over(s):
        return -1
    for k in range(legal(s, out)):
        if out[k] == action:
            apply(s, action)
            return 0 if is_over(s) else legal(s, out)
    return -1


@Entry
def move_and_wipe(
    states: Any, i: int, action: int, out: Any, viewers: int, labels: Any, copies: Any
) -> int:
    """Plays a legal action and writes the next ones; viewer v gets a label and wiped copy v + 1.

    Bit v + 1 of `viewers` selects viewer v. Legality is the caller's duty.
    """
    s = states[i]
    for v in range(-1, s.seats):
        if viewers >> v + 1 & 1:
            labels[v + 1] = seen(s, action, v)
    apply(s, action)
    for v in range(-1, s.seats):
        if viewers >> v + 1 & 1:
            copies[v + 1] = s
            observe(copies[v + 1], v)
    return 0 if is_over(s) else legal(s, out)


@Entry
def replay(states: Any, i: int, actions: Any, n: int) -> None:
    """Plays n actions known to be legal."""
    for k in range(n):
        apply(states[i], actions[k])


@Entry
def replay_checked(states: Any, i: int, actions: Any, seats: Any, n: int, out: Any) -> int:
    """Plays up to n actions with their seats, stops at an illegal one, and returns how many."""
    s = states[i]
    for k in range(n):
        if s.to_act != seats[k] or is_over(s):
            return k
        found = 0
        for j in range(legal(s, out)):
            if out[j] == actions[k]:
                found = 1
                break
        if not found:
            return k
        apply(s, actions[k])
    return n


@Entry
def wipe(states: Any, i: int, copies: Any, j: int, seat: int) -> None:
    """Copies a state, and wipes what the seat may not know from the copy."""
    copies[j] = states[i]
    observe(copies[j], seat)


@Entry
def resample_of(states: Any, i: int, seat: int, low: int, high: int) -> None:
    """Fills a wiped state with a world drawn from its own stream."""
    start_stream(states[i], low, high)
    resample(states[i], seat)


@Entry
def imagine_of(states: Any, i: int, seat: int, low: int, high: int) -> None:
    """Fills a wiped state like `resample_of`, favouring likelier worlds."""
    start_stream(states[i], low, high)
    imagine(states[i], seat)


@Entry
def seen_of(states: Any, i: int, action: int, seat: int) -> int:
    """Returns the action's label for a seat."""
    return seen(states[i], action, seat)


@Entry
def scores_of(states: Any, i: int, out: Any) -> None:
    """Writes each seat's points."""
    scores(states[i], out)


@Entry
def winners_of(states: Any, i: int, out: Any) -> None:
    """Writes 1 for each winner."""
    winners(states[i], out)


@Entry
def features_of(states: Any, i: int, seat: int, out: Any) -> None:
    """Writes the observation tensor of a wiped state."""
    features(states[i], seat, out)


@Entry
def greedy_of(states: Any, i: int, out: Any, low: int, high: int) -> int:
    """Chooses greedily for the seat to act; the stream breaks ties."""
    s = states[i]
    start_stream(s, low, high)
    return greedy(s, out, legal(s, out))


@Entry
def play_randomly(states: Any, i: int, out: Any, most: int = NO_BOUND) -> int:
    """Plays random legal actions to the end, at most `most`; returns how many."""
    s = states[i]
    plies = 0
    while plies < most and not is_over(s):
        apply(s, out[below(s, legal(s, out))])
        plies += 1
    return plies


@Entry
def play_matches(states: Any, i: int, out: Any, matches: int) -> int:
    """Deals and plays random matches one after another; returns the number of actions."""
    plies = 0
    for _ in range(matches):
        deal(states[i])
        plies += play_randomly(states, i, out, NO_BOUND)
    return plies


def ensure(game: Game) -> None:
    """Compiles a game's rules if needed: for work that is worth the wait."""
    if not is_ready(game.state):
        prepare(game)


def prepare(
    game: Game,
    report: Callable[[int, int], None] = lambda done, of: None,
    *,
    backwards: bool = False,
) -> None:
    """Compiles all these functions for a game, or loads them from the cache; reports progress.

    A second process working backwards meets the first in the middle.
    """
    if COMPILE == "never":
        return
    states = new_states(game.state, 2, compiled=True)
    game.configure(states, 0, game.setup())
    out = np.zeros(game.actions, np.int64)
    tensor = np.zeros(game.tensor_size, np.float32)

    def wiped() -> Any:
        wipe(states, 0, states, 1, -1)
        return states

    def legal_action() -> int:
        legal_of(states, 0, out)
        return int(out[0])

    steps: list[Callable[[], Any]] = [
        lambda: start(states, 0, 0, 0),
        lambda: start_keyed(states, 0, 0, 0, 0, 0),
        wiped,
        lambda: legal_of(states, 0, out),
        lambda: replay(states, 0, out, 0),
        lambda: replay_checked(states, 0, out, out, 0, out),
        lambda: move(states, 0, -1, out),
        lambda: move_and_wipe(states, 0, legal_action(), out, 0, out, states),
        lambda: seen_of(states, 0, int(out[0]), 0),
        lambda: scores_of(states, 0, out),
        lambda: winners_of(states, 0, out),
        lambda: features_of(wiped(), 1, -1, tensor),
        lambda: greedy_of(states, 0, out, 0, 0),
        lambda: resample_of(wiped(), 1, -1, 0, 0),
        lambda: play_randomly(states, 0, out),
    ]
    deal_first = steps[0]  # the others need a dealt state
    for done, step in enumerate([deal_first, *reversed(steps[1:])] if backwards else steps):
        report(done, len(steps))
        step()
    report(len(steps), len(steps))
    set_ready(game.state)
