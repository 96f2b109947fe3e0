"""Shell completion: games, options, printed numbers and bots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

import foxden

if TYPE_CHECKING:
    from foxden.engine.game import Game


def games(incomplete: str) -> list[tuple[str, str]]:
    """Offers the games, with descriptions."""
    from foxden.engine.registry import about

    names = (name for name in foxden.games() if name.startswith(incomplete))
    return [(name, about(name).blurb) for name in names]


def options(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Offers the options of the game named before, each with every value."""
    game = _game(ctx)
    offers = (
        (f"{option.name}={option.text(value)}", option.help)
        for option in (game.options if game else ())
        for value in option.samples()
    )
    return [offer for offer in offers if offer[0].startswith(incomplete)]


def parts(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offers the printed numbers of the game named before, each as it is printed."""
    game = _game(ctx)
    offers = _parts(game.printed) if game else iter(())
    return [offer for offer in offers if offer.startswith(incomplete)]


def _parts(printed: dict[str, object], where: str = "") -> Iterator[str]:
    for name, value in printed.items():
        if isinstance(value, dict):
            yield from _parts(value, f"{where}{name}.")
        elif isinstance(value, int):
            yield f"{where}{name}={value}"


def bots(incomplete: str) -> list[str]:
    """Offers bots, also behind a comma."""
    from foxden.bots import BOTS, LEVELS

    before, comma, last = incomplete.rpartition(",")
    plain = [name for name in BOTS if name != "level"]
    names = [*plain, *(f"level:{number}" for number in range(1, len(LEVELS) + 1))]
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]


def _game(ctx: typer.Context) -> Game | None:
    """Returns the game named before, if there is one."""
    # After an option without its value, arguments cannot be assigned yet.
    words = (ctx.params.get("name"), *ctx.args)
    named = next((word for word in words if word in foxden.games()), None)
    return foxden.game(named) if named else None
