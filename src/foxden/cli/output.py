"""Output of commands: results, the command that repeats them, and progress."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from foxden.bots import Bot
    from foxden.engine.game import Game

console = Console()
aside = Console(stderr=True)  # progress on standard error, so results can be piped


def counted(number: int, what: str) -> str:
    """Writes a number of matches or deals."""
    ending = "" if number == 1 else "es" if what.endswith("ch") else "s"
    return f"{number} {what}{ending}"


def print_json(found: Any) -> None:
    """Prints data as strict JSON."""
    json.dump(found, sys.stdout, indent=2, ensure_ascii=False, allow_nan=False)
    print()


def again(
    command: str,
    game: Game,
    options: Mapping[str, Any],
    parts: Mapping[str, Any],
    given: Mapping[str, Any],
) -> str:
    """Writes the command that repeats a result."""
    words = ["foxden", command, game.name]
    for name, value in given.items():
        words += [f"--{name}", str(value)]
    for option in game.options:
        if options[option.name] != option.standard:
            words += ["--option", f"{option.name}={option.text(options[option.name])}"]
    for path, value in parts.items():
        words += ["--part", f"{path}={json.dumps(value)}"]
    return shlex.join(words)


def print_again(command: str) -> None:
    """Prints the command that repeats a result on one line, for copying."""
    console.print(f"[dim]Again:[/] {escape(command)}", highlight=False, soft_wrap=True)


def prepare(game: Game, bots: Sequence[Bot] = ()) -> None:
    """Compiles the game's rules, showing progress; later they are loaded."""
    from foxden.bots import GreedyBot, RandomBot
    from foxden.bots.preparing import SecondHand
    from foxden.engine import compiled

    search = any(not isinstance(bot, RandomBot | GreedyBot) for bot in bots)
    with (
        SecondHand(game, search=search) as second,
        Progress(
            TextColumn("Compiling the rules of {task.description}, this first time only"),
            BarColumn(),
            console=aside,
            transient=True,
        ) as progress,
    ):
        task = progress.add_task(game.title, visible=False)

        def report(done: int, of: int) -> None:
            progress.update(task, completed=done, total=of, visible=_slow(progress))
            if _slow(progress):
                second.begin()

        compiled.prepare(game, report)
        if search:
            from foxden.bots import ismcts

            progress.update(task, total=None)  # one piece, without progress
            second.wait()
            ismcts.prepare(game)


def _slow(progress: Progress) -> bool:
    """Returns whether the wait is worth a line: cached rules load within half a second."""
    elapsed = progress.tasks[0].elapsed
    return elapsed is not None and elapsed > 0.5


def counting() -> Progress:
    """Makes a progress bar that counts matches and estimates the remaining time."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=aside,
        transient=True,
    )
