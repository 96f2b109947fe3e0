"""Commands that serve tables and look after the database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foxden.cli.app import app
from foxden.cli.arguments import ConfigFile, Database, DataFolder
from foxden.cli.output import console


@app.command(rich_help_panel="Host")
def serve(
    config: ConfigFile = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 0 picks a free one.")] = None,
    database: Database = None,
    data: DataFolder = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; several need PostgreSQL.")
    ] = None,
    browse: Annotated[bool, typer.Option("--open", help="Open a browser.")] = False,
) -> None:
    """Serves tables where people play, with the web client."""
    from foxden.server.config import read_config
    from foxden.server.serving import run

    settings = read_config(
        config, host=host, port=port, database=database, data=data, workers=workers
    )

    def started(address: str) -> None:
        console.print(f"Foxden is at [bold]{address}[/]  (Ctrl+C ends it)", highlight=False)
        if browse:
            typer.launch(address)

    raise typer.Exit(run(settings, started))


@app.command(rich_help_panel="Host")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes.")],
    config: ConfigFile = None,
    database: Database = None,
    data: DataFolder = None,
) -> None:
    """Copies the server's database while the server runs; the copy is checked."""
    from foxden.server.config import read_config
    from foxden.server.store import backup

    backup(read_config(config, database=database, data=data).url, file)
    console.print(f"{file} holds everything up to now.", highlight=False)


@app.command(rich_help_panel="Host")
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy made by `foxden backup`.")],
    config: ConfigFile = None,
    database: Database = None,
    data: DataFolder = None,
) -> None:
    """Puts a backup in the database's place; stop the server first."""
    from foxden.server.config import read_config
    from foxden.server.store import restore

    restore(read_config(config, database=database, data=data).url, file)
    console.print(f"The database is as it was in {file}.", highlight=False)
    console.print("The old files are beside it, named .replaced.", highlight=False)
