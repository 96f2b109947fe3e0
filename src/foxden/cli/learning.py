"""Commands that train players and make training data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import foxden
from foxden.cli import completion
from foxden.cli.app import app
from foxden.cli.arguments import (
    GameName,
    Luck,
    OnRayCommand,
    Options,
    PartChanges,
    PartsFile,
    Ray,
    Seats,
    Seed,
    WorkerCount,
    check_setup,
    pairs,
    part_changes,
    pool_of,
)
from foxden.cli.output import again, console, counting, prepare, print_again
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
    resume: Annotated[bool, typer.Option(help="Continue from the folder's checkpoint.")] = False,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a setting of the plan."),
    ] = None,
    commit: Annotated[str, typer.Option(help="The sources' commit, stored with the network.")] = "",
    export: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Only write kernels there, for another machine."),
    ] = None,
    arch: Annotated[
        str | None, typer.Option(help="With --export: machine code too, as for sm_90.")
    ] = None,
) -> None:
    """Trains a network by self-play; it needs torch (the extra `train`).

    The same plan gives the same curve on the same machine. A killed run continues with --resume.
    The player is DIR/player.npz, and DIR/run.json describes it.
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


@app.command("self-play", rich_help_panel="Bots and research", cls=OnRayCommand)
def self_play(
    name: GameName,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The Parquet file to write.")],
    bots: Annotated[
        str,
        typer.Option(
            help="Names with commas; they take turns at the seats.",
            autocompletion=completion.bots,
        ),
    ] = "level:3",
    seats: Seats = None,
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 1000,
    seed: Seed = None,
    luck: Luck = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    workers: WorkerCount = None,
    ray: Ray = None,
) -> None:
    """Lets bots play, and writes every decision as training data.

    A row has the observation of the seat to act, the legal actions, the chosen one, and the
    result for that seat.
    """
    from foxden.arena.chance import check_root
    from foxden.arena.selfplay import SelfPlay, write_decisions
    from foxden.bots import find_bot

    game, options, changes = foxden.game(name), pairs(option), part_changes(part, parts)
    plan = SelfPlay(
        game=game.name,
        bots=tuple(bot.strip() for bot in bots.split(",")),
        seats=check_setup(game, seats, options, changes, seed, luck),
        matches=matches,
        seed=check_root(seed),
        luck=check_root(luck),
        options=options,
        parts=changes,
    )
    prepare(game, [find_bot(bot) for bot in plan.bots])
    with counting() as progress, pool_of(workers, ray) as pool:
        task = progress.add_task(f"Matches of {game.title}", total=matches)
        rows = write_decisions(
            plan, out, workers=pool, report=lambda done: progress.advance(task, done)
        )
    console.print(f"{rows:,} decisions of {matches:,} matches: {out}", highlight=False)
    given = {"seats": plan.seats, "matches": matches, "bots": bots, "out": out}
    given |= {"seed": plan.seed, "luck": plan.luck}
    print_again(again("self-play", game, game.setup(plan.seats, options).options, changes, given))
