"""Defaults of a game: all cards open, most points win, any move will do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from foxden.engine.contract import scores
from foxden.engine.kernel import Known, rule
from foxden.engine.parts import Parts
from foxden.engine.rng import below, hide_stream
from foxden.engine.view import Choice, Event, Played
from foxden.engine.voice import Voice

LONGEST = 10_000  # actions

# Compiled


@rule
def observe(s, seat):
    """Wipes only the random stream: everything else is open."""
    hide_stream(s)


@rule
def resample(s, seat):
    """Leaves the state as it is: nothing was hidden."""


@rule
def seen(s, action, seat):
    """Returns the action itself: everybody sees it."""
    return action


@rule
def winners(s, out):
    """Writes 1 for each seat with the most points."""
    scores(s, out)
    most = out[0]
    for p in range(1, s.seats):
        most = max(most, out[p])
    for p in range(s.seats):
        out[p] = 1 if out[p] == most else 0


@rule
def greedy(s, legal, n):
    """Returns any legal action."""
    return legal[below(s, n)]


@rule
def holds(s, seat, out):
    """Writes nothing: the game names no components."""


@rule
def component_of(s, action):
    """Returns no component."""
    return -1


# Set-up


def fit_parts(parts: Parts) -> Mapping[str, Any]:
    """Returns no fields: nothing is printed."""
    return {}


def at_most(actions: int) -> Callable[[Known], int]:
    """Returns a `longest` that is the same for every match."""
    return lambda known: actions


longest = at_most(LONGEST)


# Words


def question(known: Known, voice: Voice) -> str:
    """Says whose turn it is."""
    if known.to_act < 0:
        return "The match is over."
    if known.to_act == voice.viewer:
        return "Choose an action."
    return f"Waiting for {voice.object(known.to_act)}."


def explain(notation: Callable[[int], str]) -> Callable[[Known, int, Voice], str]:
    """Returns an `explain` that says the notation."""
    return lambda known, action, voice: f"{notation(action).capitalize()}."


def refuse(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Says that an action is not legal."""
    return "it is not among the legal actions now", ""


def tell(events: Sequence[Event], voice: Voice) -> list[str]:
    """Tells who played what."""
    return [
        f"{voice.name(event.seat)}: {event.action}."
        for event in events
        if isinstance(event, Played)
    ]


def tally(known: Known, scores: Sequence[int]) -> list[list[tuple[str, int]]]:
    """Explains each score as points."""
    return [[("points", points)] for points in scores]


def rules_now(known: Known) -> tuple[str, ...]:
    """Names no rules."""
    return ()


# View


def facts(known: Known, action: int) -> Choice:
    """Returns no facts about an action."""
    return Choice()


def events(notation: Callable[[int], str]) -> Callable[[Known, int, Known, int], list[Event]]:
    """Returns an `events` that says who played what."""
    return lambda before, label, after, seat: [Played(before.to_act, notation(label))]
