"""The functions that every game defines, callable on any game's state.

Generic code (search, environments, the match itself) is written once and calls these. Which
game's function is meant follows from the state's record type: Numba settles it when it compiles
the caller, at no cost; interpreted code looks it up.

Every state has these fields, before its own:

    rng       the random stream (foxden.engine.rng) …
    key       … and its key, if it has one
    seats     how many seats play
    to_act    the seat asked now, -1 when the match is over
    together  1 where all seats play for one result, by `Game.together`

    deal(s)              starts a match; reads only the stream, seats, together, options and parts
    legal(s, out) -> n   writes the legal action ids of the seat asked, ascending
    apply(s, action)     plays a legal action in place; legality is the caller's duty
    scores(s, out)       writes each seat's points
    winners(s, out)      writes 1 for each seat that has won, else 0
    observe(s, seat)     wipes in place what the seat (-1: a spectator) may not know
    resample(s, seat)    fills a wiped state with a random world that fits what the seat knows
    imagine(s, seat)     the same, but likelier worlds more often, where a game knows of any
    seen(s, action, seat) -> label   the action as the seat sees it
    features(s, seat, out)           writes the observation tensor of a wiped state
    greedy(s, legal, n) -> action    a sensible choice from what the seat asked knows
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from numba.extending import overload
from numba.np.numpy_support import from_dtype

from foxden.engine.kernel import COMPILED, OPTIONS, rule
from foxden.engine.rng import STREAM

if TYPE_CHECKING:
    from foxden.engine.game import Game

HEAD = [*STREAM, ("seats", "i8"), ("to_act", "i8"), ("together", "i8")]

_by_layout: dict[Any, Game] = {}


def register_layout(game: Game) -> None:
    """Makes the game's functions answer for states of its layout."""
    for layout in (game.state, from_dtype(game.state)):
        if _by_layout.setdefault(layout, game) is not game:
            other = _by_layout[layout].name
            raise TypeError(f"{game.name} and {other} have one state layout; add a field to one")


def _generic(name: str, *further: str) -> Callable[..., Any]:
    """Makes the function that stands for every game's function of that name."""

    def stub(s, *args):  # type: ignore[no-untyped-def]
        return getattr(_by_layout[s.dtype], name)(s, *args)

    def resolve(s, *args):  # type: ignore[no-untyped-def]
        chosen = getattr(_by_layout[s], name)

        def alone(s):  # type: ignore[no-untyped-def]
            return chosen(s)

        def with_one(s, a):  # type: ignore[no-untyped-def]
            return chosen(s, a)

        def with_two(s, a, b):  # type: ignore[no-untyped-def]
            return chosen(s, a, b)

        return (alone, with_one, with_two)[len(args)]

    stub.__name__ = stub.__qualname__ = name
    # Numba's CUDA target cannot call *args, so all that it looks at has its parameters in full.
    plain = Parameter.POSITIONAL_OR_KEYWORD
    signature = Signature([Parameter(parameter, plain) for parameter in ("s", *further)])
    stub.__signature__ = resolve.__signature__ = signature  # type: ignore[attr-defined]
    if COMPILED:
        # No bounds checks here, where nothing is indexed: the CUDA target refuses them.
        overload(stub, strict=False, jit_options=OPTIONS)(resolve)
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


@rule
def is_over(s: Any) -> Any:
    """Returns whether the match has ended."""
    return s.to_act < 0
