"""The command that trains players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import foxden
from foxden.cli.app import app
from foxden.cli.arguments import GameName, pairs
from foxden.cli.output import console
from foxden.engine.errors import FoxdenError


@app.command(rich_help_panel="Bots and research")
def train(
    name: GameName,
    iterations: Annotated[
        int, typer.Option(min=1, help="How long; the curve depends on it.")
    ] = 200,
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="'SEATS [NAME=VALUE …]'", help="A table to train for; repeat it."),
    ] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the run is kept; runs/GAME if unset.")
    ] = None,
    resume: Annotated[bool, typer.Option(help="Go on from the folder's checkpoint.")] = False,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a setting of the plan."),
    ] = None,
    commit: Annotated[str, typer.Option(help="The sources' commit, kept with the network.")] = "",
    export: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Only write kernels there, for a card elsewhere."),
    ] = None,
    arch: Annotated[
        str | None, typer.Option(help="With --export: machine code too, as for sm_90.")
    ] = None,
) -> None:
    """Trains a network by self-play; it needs torch (the extra `train`).

    The same plan gives the same curve on the same machine. A run that was killed goes on with
    --resume. The player is DIR/player.npz, and DIR/run.json tells all that is known of it.
    """
    from foxden.envs import cuda

    game = foxden.game(name)
    if export:
        cuda.export(game, export, assemble=arch)
        console.print(f"{game.title}: kernels in {export}; train there with", highlight=False)
        console.print(f"  python3 -m foxden.training {export} RUNS {game.name} …", highlight=False)
        return
    try:
        from foxden.training.start import start_run
    except ImportError as error:
        raise FoxdenError(f"Training needs the extra `train` (torch): {error}.") from error
    run = start_run(
        game,
        folder or Path("runs") / game.name,
        iterations=iterations,
        tables=table,
        device=device,
        settings=pairs(setting),
        commit=commit,
        resume=resume,
        report=lambda line: console.print(line, highlight=False, soft_wrap=True),
    )
    run.go()
    run.draw()
