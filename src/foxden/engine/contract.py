"""The functions that every game defines, callable on any game's state.

Generic code (search, environments, the match itself) is written once and calls these. The state's
record type selects the game's function: Numba resolves it when it compiles the caller, at no
cost; interpreted code looks it up.

Every state has these fields, before its own:

    rng       the random stream (foxden.engine.rng) …
    key       … and its key, if it has one
    seats     how many seats play
    to_act    the seat to act, -1 when the match is over
    together  1 where all seats play for one result, by `Game.together`

    deal(s)              starts a match; reads only the stream, seats, together, options and parts
    legal(s, out) -> n   writes the legal action ids of the seat to act, ascending
    apply(s, action)     plays a legal action in place; legality is the caller's duty
    scores(s, out)       writes each seat's points
    winners(s, out)      writes 1 for each seat that has won, else 0
    observe(s, seat)     wipes in place what the seat (-1: a spectator) may not know
    resample(s, seat)    fills a wiped state with a random world that fits the seat's knowledge
    imagine(s, seat)     the same, favouring likelier worlds if the game models them
    seen(s, action, seat) -> label   the action as the seat sees it
    features(s, seat, out)           writes the observation tensor of a wiped state
    greedy(s, legal, n) -> action    a sensible choice from what the seat to act knows
    holds(s, seat, out)              writes how many of each component (`Game.components`) it has
    component_of(s, action) -> k     the component that a legal action uses or takes, else -1
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from foxden.engine.kernel import rule
from foxden.engine.rng import STREAM

if TYPE_CHECKING:
    from foxden.engine.game import Game

HEAD = [*STREAM, ("seats", "i8"), ("to_act", "i8"), ("together", "i1")]

_by_layout: dict[Any, Game] = {}
GENERIC: dict[str, Callable[..., Any]] = {}  # the functions below, by their names


def register_layout(game: Game) -> None:
    """Registers the game's functions for states of its layout."""
    if _by_layout.setdefault(game.state, game) is not game:
        other = _by_layout[game.state].name
        raise TypeError(f"{game.name} and {other} have one state layout; add a field to one")


def games() -> dict[Any, Game]:
    """Returns every game of this process, by the layout of its states."""
    return _by_layout


def _generic(name: str, *further: str) -> Callable[..., Any]:
    """Makes the generic function that dispatches to every game's function of that name."""

    def stub(s, *args):  # type: ignore[no-untyped-def]
        return getattr(_by_layout[s.dtype], name)(s, *args)

    stub.__name__ = stub.__qualname__ = name
    # Numba's CUDA target cannot call *args, so functions it sees list their parameters in full.
    plain = Parameter.POSITIONAL_OR_KEYWORD
    signature = Signature([Parameter(parameter, plain) for parameter in ("s", *further)])
    stub.__signature__ = signature  # type: ignore[attr-defined]
    GENERIC[name] = stub
    return stub


deal = _generic("deal")
legal = _generic("legal", "out")
apply = _generic("apply", "action")
scores = _generic("scores", "out")
winners = _generic("winners", "out")
observe = _generic("observe", "seat")
resample = _generic("resample", "seat")
imagine = _generic("imagine", "seat")
seen = _generic("seen", "action", "seat")
features = _generic("features", "seat", "out")
greedy = _generic("greedy", "legal", "n")
holds = _generic("holds", "seat", "out")
component_of = _generic("component_of", "action")


@rule
def is_over(s: Any) -> Any:
    """Returns whether the match has ended."""
    return s.to_act < 0
