"""Commands that describe games."""

from __future__ import annotations

from dataclasses import asdict

from rich.table import Table

import foxden
from foxden.cli.app import app
from foxden.cli.arguments import AsJson, GameName
from foxden.cli.output import console, print_json
from foxden.engine.registry import about


@app.command(rich_help_panel="Games")
def games(as_json: AsJson = False) -> None:
    """Lists the games."""
    if as_json:
        print_json([asdict(about(name)) for name in foxden.games()])
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "seats", "minutes", "kind", "what it is"):
        table.add_column(heading, style="bold" if heading == "name" else None)
    for name in foxden.games():
        box = about(name)
        seats = f"{box.seats[0]}–{box.seats[-1]}"
        table.add_row(name, seats, box.minutes, box.kind, box.blurb)
    console.print(table)


@app.command(rich_help_panel="Games")
def guide(name: GameName) -> None:
    """Shows a game's guide: every rule with its id, and the options."""
    game = foxden.game(name)
    if not console.is_terminal:
        print(game.guide)
        return
    from rich.markdown import Markdown

    with console.pager(styles=True):
        console.print(Markdown(game.guide))


@app.command(rich_help_panel="Games")
def options(name: GameName, as_json: AsJson = False) -> None:
    """Lists a game's options and their values."""
    game = foxden.game(name)
    if as_json:
        print_json(
            [
                {
                    "name": option.name,
                    "values": [option.text(value) for value in option.samples()],
                    "standard": option.text(option.standard),
                    "help": option.help,
                    "rules": option.rules,
                }
                for option in game.options
            ]
        )
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("option", "values", "standard", "what it does", "rules"):
        table.add_column(heading, style="bold" if heading == "option" else None)
    for option in game.options:
        values = ", ".join(option.text(value) for value in option.samples())
        standard = option.text(option.standard)
        table.add_row(option.name, values, standard, option.help, " ".join(option.rules))
    console.print(table if game.options else f"{game.title} has no options.")


@app.command(rich_help_panel="Games")
def spec(name: GameName) -> None:
    """Writes a game's spec sheet for research: actions, observation, rewards, versions."""
    from foxden.envs.specs import sheet

    print(sheet(foxden.game(name)), end="")
