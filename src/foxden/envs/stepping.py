"""One step of one match: the same function for the processor and for a card.

Arrays are passed row by row, so either memory layout works: a row per match on the processor, a
column per match on a card, where neighbouring threads then write side by side.
"""

from __future__ import annotations

from typing import Any

from foxden.engine.compiled import start
from foxden.engine.contract import (
    apply,
    features,
    greedy,
    is_over,
    legal,
    observe,
    scores,
    winners,
)
from foxden.engine.kernel import rule
from foxden.engine.rng import bits_aside, mix, start_stream
from foxden.envs.rewards import compiled_worth


@rule
def settle(
    s: Any, rewards: Any, final_scores: Any, final_winners: Any, by_score: bool, own: Any
) -> None:
    """Writes every seat's points and reward in a finished match."""
    shared = 0
    winners(s, own)
    for p in range(s.seats):
        final_winners[p] = own[p] > 0
        shared += own[p]
    scores(s, own)
    for p in range(s.seats):
        final_scores[p] = own[p]
        if by_score:
            rewards[p] = own[p]
        else:
            rewards[p] = compiled_worth(own[p], final_winners[p], shared, s.seats, s.together)


@rule
def ask(s: Any, own: Any, skip: bool) -> int:
    """Writes the legal actions and returns how many; optionally plays forced ones."""
    while not is_over(s):
        n: int = legal(s, own)
        if n > 1 or not skip:
            return n
        apply(s, own[0] + 0)
    return 0


@rule
def advance(
    states: Any,
    i: int,
    dealing: bool,
    action: int,
    number: int,
    further: int,
    seed: int,
    again: bool,
    skip: bool,
    rewards: Any,
    final_scores: Any,
    final_winners: Any,
    by_score: bool,
    own: Any,
) -> Any:
    """Deals match `number`, or plays an action in it; legality is the caller's duty.

    Returns how many actions are open now (they lie in `own`), the match's number and whether a
    match ended. With `again` match `number + further` is dealt where one ended.
    """
    fresh = is_over(states[i])
    if dealing:
        start(states, i, number, seed)
    elif not fresh:
        apply(states[i], action)
    ended = False
    while True:
        n = ask(states[i], own, skip)
        # A deal can be over at once (with odd parts): with automatic resets it ends a step later.
        if dealing or ended or not is_over(states[i]) or (fresh and not again):
            return n, number, ended
        ended = True
        settle(states[i], rewards, final_scores, final_winners, by_score, own)
        if not again:
            return 0, number, ended
        number += further
        start(states, i, number, seed)


@rule
def reveal(s: Any, seat: int, truth: Any, size: int, columns: Any) -> None:
    """Writes the tensor of the whole state: the seat's own, with `size` places, of what is unwiped.

    Behind it every other seat, clockwise, has the places that only its own tensor would fill.
    """
    first, some = max(seat, 0), len(columns)
    tensor = truth[:size]
    for k in range(size, len(truth)):
        truth[k] = 0.0
    if some > 0:
        for i in range(1, s.seats):
            features(s, (first + i) % s.seats, tensor)
            for k in range(some):
                truth[size + (i - 1) * some + k] = tensor[columns[k]]
    features(s, seat, tensor)


@rule
def present(
    s: Any,
    n: int,
    own: Any,
    truth: Any,
    size: int,
    columns: Any,
    standing: Any,
    observation: Any,
    advise: bool,
) -> int:
    """Writes what the seat to act may know, and wipes the state; returns `greedy`'s choice.

    The n open actions lie in `own`. `truth` gets the tensor of the whole state (see `reveal`) and
    `standing` the points so far. A row of no length is left out; so is advice (-1) where it is not
    wanted.
    """
    seat = s.to_act + 0
    if len(truth) > 0:
        reveal(s, seat, truth, size, columns)
    if len(standing) > 0:
        points = own[n:]  # after the legal actions, which are still needed
        scores(s, points)
        for p in range(s.seats):
            standing[p] = points[p]
    luck = bits_aside(s, 0)  # type: ignore[no-untyped-call]
    if len(observation) > 0 or (advise and n > 0):
        observe(s, seat)
    if len(observation) > 0:
        features(s, seat, observation)
    advice = -1
    if advise and n > 0:
        # Where no card is drawn the stream stands still: without this, `greedy` would draw the same
        # again and again, and a network would learn to foresee it.
        for k in range(n):
            luck = mix(luck ^ own[k])  # type: ignore[no-untyped-call]
        start_stream(s, luck, 0)  # type: ignore[no-untyped-call]
        advice = greedy(s, own, n)
    return advice
