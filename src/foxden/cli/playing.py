"""Commands that play and check single matches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import foxden
from foxden.cli import completion
from foxden.cli.app import app
from foxden.cli.arguments import (
    Options,
    PartChanges,
    PartsFile,
    Seats,
    Seed,
    check_seat,
    check_setup,
    pairs,
    part_changes,
    read_record,
)
from foxden.cli.output import console, prepare
from foxden.engine.errors import FoxdenError

if TYPE_CHECKING:
    from foxden.bots import Bot
    from foxden.engine.game import Game

USUAL_LEVEL = 3


@app.command(rich_help_panel="Play")
def play(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="Prompted for if left out.", autocompletion=completion.games
        ),
    ] = None,
    seats: Seats = None,
    seed: Seed = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    level: Annotated[
        int | None, typer.Option(help="How well the others play, from 1 to 5.", show_default="3")
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(
            help="Who plays the other seats, instead of a level.", autocompletion=completion.bots
        ),
    ] = None,
    seat: Annotated[int, typer.Option(help="Where you sit.")] = 0,
    resume: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Continue a saved match.")
    ] = None,
) -> None:
    """Plays a match against bots in this terminal."""
    from foxden.bots import find_bot, level_bot
    from foxden.cli.session import Session, choose_game

    if bot is not None and level is not None:
        raise FoxdenError("Give a level or a bot, not both.")
    opponent = find_bot(bot) if bot else level_bot(USUAL_LEVEL if level is None else level)
    if resume:
        match = read_record(resume, seat)
        _prepare(match.game, opponent)
    else:
        game = foxden.game(name or choose_game(console))
        changes = part_changes(part, parts)
        players = check_setup(game, seats, pairs(option), changes, seed)
        check_seat(seat, players)
        _prepare(game, opponent)
        match = foxden.new(
            game.name, seats=players, seed=seed, options=pairs(option), parts=changes
        )
    Session(match, match.check_seat(seat), opponent, console, fresh=resume is None).run()


def _prepare(game: Game, opponent: Bot) -> None:
    """Compiles if the opponent searches; otherwise play starts at once in plain Python."""
    from foxden.bots import GreedyBot, RandomBot
    from foxden.bots.levels import UNSEARCHED, LevelBot
    from foxden.bots.preparing import is_prepared

    quick = isinstance(opponent, RandomBot | GreedyBot) or (
        isinstance(opponent, LevelBot) and opponent.number <= UNSEARCHED
    )
    if not quick or is_prepared(game.name):
        prepare(game, [opponent])


@app.command(rich_help_panel="Play")
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record.")],
    seat: Annotated[int | None, typer.Option(help="See what this seat saw.")] = None,
) -> None:
    """Steps through a record, as a spectator or from a seat."""
    from foxden.cli.session import Replay

    match = read_record(file, seat)
    Replay(match, seat, console).run()


@app.command(rich_help_panel="Play")
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record.")],
    promised: Annotated[
        str | None,
        typer.Option("--hash", help="The seed's hash that was shown when the match began."),
    ] = None,
) -> None:
    """Replays a record, checking every line, the result, and the promised deal."""
    from foxden.engine.rng import seed_hash

    match = read_record(file)
    found = seed_hash(match.seed)
    if promised is not None and promised.strip().lower() != found:
        raise FoxdenError(f"The deal is not the promised one: its seed hashes to {found}.")
    how = "as promised" if promised else "compare it with what was shown when the match began"
    console.print(
        f"{match.game.title}, {match.seats} seats, {match.ply} actions: every line holds.\n"
        f"The seed hashes to {found}: {how}.",
        highlight=False,
        soft_wrap=True,
    )
