"""Copies of Happy Fox that break a law each, run interpreted: `python -m tests.engine.broken`."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

import foxden
from foxden.engine import laws
from foxden.engine.errors import LawBroken
from foxden.engine.game import Game
from foxden.engine.kernel import field_names, layout, rule
from foxden.games.happy_fox import knowledge, rules
from tests.games.happy_fox.truth import TRUTH


def broken_copy(name: str, **functions: Any) -> Game:
    """Copies Happy Fox with other functions; a field of its own tells its states apart."""
    good = foxden.game("happy-fox")
    fields = [(field, good.state[field]) for field in field_names(good.state)]
    state = layout([*fields, (name.replace("-", "_"), "i8")])
    about = dataclasses.replace(good.about, name=name)
    return dataclasses.replace(good, about=about, state=state, **functions)


@rule
def leaky_observe(s, seat):  # type: ignore[no-untyped-def]
    """Forgets to wipe the hand of seat 1."""
    geese = s.hand[1, 1]
    foxes = s.hand[1, 2]
    dogs = s.hand[1, 3]
    knowledge.observe(s, seat)
    if seat != 1:
        s.hand[1, 1] = geese
        s.hand[1, 2] = foxes
        s.hand[1, 3] = dogs
        s.hand[1, 4] = 0


@rule
def stale_observe(s, seat):  # type: ignore[no-untyped-def]
    """Leaves the top card of seat 0's pile where it lies."""
    top = max(s.in_pile[0] - 1, 0)
    card = s.pile[0, top]
    knowledge.observe(s, seat)
    s.pile[0, top] = card


@rule
def stream_observe(s, seat):  # type: ignore[no-untyped-def]
    """Leaves the random stream."""
    rng = s.rng + 0
    knowledge.observe(s, seat)
    s.rng = rng


@rule
def identity_resample(s, seat):  # type: ignore[no-untyped-def]
    """Leaves the wiped state as it is."""


@rule
def constant_resample(s, seat):  # type: ignore[no-untyped-def]
    """Returns the same world every time."""
    s.rng = 12345
    knowledge.resample(s, seat)


@rule
def settled_resample(s, seat):  # type: ignore[no-untyped-def]
    """Returns one fixed world after the first move."""
    if s.turn > 0 or s.to_act != s.starter:
        s.rng = 12345
    knowledge.resample(s, seat)


@rule
def sorting_resample(s, seat):  # type: ignore[no-untyped-def]
    """Draws hands and rows at random, and leaves the piles in order."""
    knowledge.resample(s, seat)
    for p in range(s.seats):
        for i in range(s.in_pile[p]):
            for j in range(i + 1, s.in_pile[p]):
                if s.pile[p, j] < s.pile[p, i]:
                    card = s.pile[p, i]
                    s.pile[p, i] = s.pile[p, j]
                    s.pile[p, j] = card


@rule
def adding_believe(s, seat):  # type: ignore[no-untyped-def]
    """Puts another goose into the hand of the next seat."""
    knowledge.believe(s, seat)
    s.hand[(seat + 1) % s.seats, 1] += 1


@rule
def forgetful_believe(s, seat):  # type: ignore[no-untyped-def]
    """Swaps a goose in the viewer's hand for a dog of its pile."""
    knowledge.believe(s, seat)
    for i in range(s.in_pile[seat]):
        if s.pile[seat, i] == 3 and s.hand[seat, 1] > 0:
            s.hand[seat, 1] -= 1
            s.hand[seat, 3] += 1
            s.pile[seat, i] = 1
            return


@rule
def forgetful_resample(s, seat):  # type: ignore[no-untyped-def]
    """Deals the viewer's own hand anew."""
    if seat >= 0:
        s.hand[seat, 4] = s.hand[seat, 1] + s.hand[seat, 2] + s.hand[seat, 3]
        for card in range(1, 4):
            s.hand[seat, card] = 0
    knowledge.resample(s, -1)


@rule
def unsorted_legal(s, out):  # type: ignore[no-untyped-def]
    """Lists actions from the last to the first."""
    n = rules.legal(s, out)
    for i in range(n // 2):
        a = out[i]
        out[i] = out[n - 1 - i]
        out[n - 1 - i] = a
    return n


@rule
def losing_apply(s, action):  # type: ignore[no-untyped-def]
    """Loses a goose when a grab is stopped."""
    stopped = s.phase == 1 and action == 0
    p = s.to_act
    rules.apply(s, action)
    if stopped and s.to_act >= 0:
        for q in range(s.seats):
            if s.won[p, q, 1] > 0:
                s.won[p, q, 1] -= 1
                return


@rule
def open_seen(s, action, seat):  # type: ignore[no-untyped-def]
    """Shows the card that is laid, but only if there is a dog in hand."""
    if s.to_act != seat and s.hand[s.to_act, 3] > 0:
        return action
    return knowledge.seen(s, action, seat)


@rule
def short_features(s, seat, out):  # type: ignore[no-untyped-def]
    """Forgets the own hand."""
    knowledge.features(s, seat, out)
    for i in range(29, 32):
        out[i] = 0.0


@rule
def peeking_greedy(s, legal, n):  # type: ignore[no-untyped-def]
    """Chooses by the next seat's hand."""
    return legal[s.hand[(s.to_act + 1) % s.seats, 1] % n]


@rule
def dirty_deal(s):  # type: ignore[no-untyped-def]
    """Leaves a win pile from the match before."""
    before = s.won[0, 0, 1] + 0
    rules.deal(s)
    s.won[0, 0, 1] = before


def false_together(seats: int, options: Mapping[str, Any]) -> bool:
    """Says that rivals play for one result."""
    return True


BREAKERS: list[tuple[str, str, Callable[..., Any]]] = [
    ("no leak", "observe", leaky_observe),
    ("no leak", "observe", stale_observe),
    ("no leak", "observe", stream_observe),
    ("no leak", "seen", open_seen),
    ("greedy", "greedy", peeking_greedy),
    ("conservation", "resample", identity_resample),
    ("resample varies", "resample", constant_resample),
    ("resample varies", "resample", settled_resample),
    ("resample varies", "resample", sorting_resample),
    ("resample fits", "resample", forgetful_resample),
    ("conservation", "believe", adding_believe),
    ("believe fits", "believe", forgetful_believe),
    ("legal", "legal", unsorted_legal),
    ("conservation", "apply", losing_apply),
    ("features", "features", short_features),
    ("same seed, same deal", "deal", dirty_deal),
    ("together", "together", false_together),
]


def law_broken(game: Game, matches: int = 3) -> str | None:
    """Names the law that a game breaks."""
    try:
        for seed in range(matches):
            laws.check_match(game, TRUTH, 2, {}, seed)
    except LawBroken as caught:
        return caught.law
    return None


if __name__ == "__main__":
    found = {"sound": law_broken(broken_copy("sound-fox"), matches=1)}
    for _, name, function in BREAKERS:
        copy = broken_copy(function.__name__.replace("_", "-"), **{name: function})
        found[function.__name__] = law_broken(copy)
    print(json.dumps(found))
