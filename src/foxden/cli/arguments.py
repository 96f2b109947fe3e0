"""Arguments shared by several commands, and their parsing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

import foxden
from foxden.cli import completion
from foxden.engine.errors import BadOption, BadParts, BadRecord, BadSeats, FoxdenError
from foxden.engine.parts import read_parts

if TYPE_CHECKING:
    from foxden.arena.cluster import Workers
    from foxden.engine.game import Game

RAY_ADDRESS = re.compile(r"local|auto|ray://.+|.+:[0-9]+")

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A name from `foxden games`.", autocompletion=completion.games
    ),
]
Seats = Annotated[int | None, typer.Option(help="How many seats play.", show_default="usual")]
Seed = Annotated[
    int | None, typer.Option(help="The same seed deals the same cards.", show_default="drawn")
]
Luck = Annotated[
    int | None,
    typer.Option(help="With the seed, repeats the bots' choices too.", show_default="drawn"),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="A house rule.",
        autocompletion=completion.options,
    ),
]
PartChanges = Annotated[
    list[str] | None,
    typer.Option(
        "--part",
        metavar="NAME=VALUE",
        help="Another printed number.",
        autocompletion=completion.parts,
    ),
]
PartsFile = Annotated[
    Path | None, typer.Option("--parts", metavar="FILE", help="A file of changed printed numbers.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray", metavar="[ADDRESS]", help="Run on a Ray cluster; without an address, a local one."
    ),
]
WorkerCount = Annotated[
    int | None, typer.Option("--workers", min=1, help="Usually one a core.", show_default="cores")
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="The server's TOML file.")
]
Database = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", help="sqlite:///FILE or postgresql://…"),
]
DataFolder = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="The folder for the database.")
]


class OnRayCommand(TyperCommand):
    """A command whose option --ray may stand alone; Typer's own options never do."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Completes --ray where no address follows."""
        completed = []
        for word, following in zip(args, [*args[1:], ""], strict=True):
            completed.append(word)
            if word == "--ray" and not RAY_ADDRESS.fullmatch(following):
                completed.append("local")
        return super().parse_args(ctx, completed)


def pool_of(count: int | None, address: str | None) -> AbstractContextManager[Workers | int]:
    """Joins a Ray cluster if requested; otherwise returns the number of local workers."""
    from foxden.arena.cluster import OnRay
    from foxden.arena.local import cores

    return nullcontext(count or cores()) if address is None else OnRay(address)


def pairs(given: list[str] | None) -> dict[str, str]:
    """Splits NAME=VALUE arguments."""
    found = {}
    for pair in given or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption(f"Write NAME=VALUE, not {pair!r}.", option=pair)
        found[name.strip()] = value.strip()
    return found


def part_changes(changes: list[str] | None, file: Path | None) -> dict[str, Any]:
    """Gathers changed printed numbers from a file and from arguments."""
    found = read_parts(file) if file else {}
    for path, value in pairs(changes).items():
        try:
            found[path] = json.loads(value)
        except ValueError:
            message = f"Write a whole number, a text in quotes or a list, not {value!r}."
            raise BadParts(message, where=path) from None
    return found


def check_setup(
    game: Game,
    seats: int | None,
    options: Mapping[str, Any],
    parts: Mapping[str, Any],
    *roots: int | None,
) -> int:
    """Refuses an impossible table before compiling anything; returns the seats."""
    from foxden.engine.rng import split_seed

    players = game.about.usual if seats is None else seats
    printed = game.setup(players, options, parts).parts
    game.fit_parts(printed)
    for root in roots:
        if root is not None:
            split_seed(root)
    return players


def check_seat(seat: int | None, seats: int) -> None:
    """Refuses an unknown seat before compiling anything."""
    if seat is not None and not 0 <= seat < seats:
        raise BadSeats(f"There is no seat {seat}; seats go from 0 to {seats - 1}.")


def read_record(file: Path, seat: int | None = None) -> foxden.Match:
    """Replays a record from a file, if it has that seat."""
    from foxden.engine.record import parse_record

    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise FoxdenError(f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadRecord(f"{file} is not a text in UTF-8.", line=1) from error
    check_seat(seat, parse_record(text).seats)
    return foxden.Match.from_record(text)
