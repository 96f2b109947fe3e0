"""The command `foxden`: each module adds a group of commands."""

from foxden.cli import (  # noqa: I001 - in the order of `foxden --help`
    reading,
    playing,
    reviewing,
    hosting,
    matches,
    learning,
    measuring,
    experiments,
    creating,
)
from foxden.cli.admin import admin
from foxden.cli.app import app

__all__ = [
    "app",
    "creating",
    "experiments",
    "hosting",
    "learning",
    "matches",
    "measuring",
    "playing",
    "reading",
    "reviewing",
]

app.add_typer(admin, name="admin", rich_help_panel="Host")
