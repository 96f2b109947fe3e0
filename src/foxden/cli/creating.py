"""The command that begins a new game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from foxden.cli.app import app
from foxden.cli.output import console
from foxden.engine.errors import FoxdenError

TEMPLATE = Path(__file__).parent / "template"  # a whole small game, High Card


@app.command("new-game", rich_help_panel="Design")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Such as pond-race.")],
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where it goes.", show_default="NAME")
    ] = None,
) -> None:
    """Writes a small game that passes all laws, as a separate package to start from."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise FoxdenError(
            f"A game's name is small letters and hyphens, such as pond-race: {name!r}."
        )
    into = folder or Path(name)
    if into.exists() and any(into.iterdir()):
        raise FoxdenError(f"{into} is there already, and is not empty.")
    for path in write_game(name, into):
        console.print(path, highlight=False)
    console.print(
        f"Install it with [bold]pip install -e {into}[/]; then `foxden play {name}` plays it, and "
        f"`pytest --pyargs {name.replace('-', '_')}` checks all laws.",
        highlight=False,
        soft_wrap=True,
    )


def write_game(name: str, into: Path) -> list[Path]:
    """Writes the template under another name and returns the files."""
    words = name.split("-")
    initials = (words[0][0] + words[-1][0] if len(words) > 1 else name[:2].ljust(2, "X")).upper()
    names = {
        "high_card": "_".join(words),
        "high-card": name,
        "High Card": " ".join(word.capitalize() for word in words),
        "HC-": f"{initials}-",
    }
    written = []
    for file in sorted(TEMPLATE.rglob("*")):
        if file.is_dir() or file.suffix == ".pyc":
            continue
        text, place = file.read_text(encoding="utf-8"), file.relative_to(TEMPLATE).as_posix()
        for old, new in names.items():
            text, place = text.replace(old, new), place.replace(old, new)
        path = into / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written
