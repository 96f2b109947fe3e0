"""The command `foxden`, to which each module here adds a group of commands."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

import typer

app = typer.Typer(
    help="Foxden: fox-themed table games to play, to write bots for, and to design with.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"foxden {metadata.version('foxden')}")
        raise typer.Exit


@app.callback()
def foxden_command(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Foxden: fox-themed table games to play, to write bots for, and to design with."""
