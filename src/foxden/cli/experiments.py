"""Commands that measure the effect of rule changes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import foxden
from foxden.cli import completion
from foxden.cli.app import app
from foxden.cli.arguments import (
    AsJson,
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
    pairs,
    part_changes,
)
from foxden.cli.output import console, counting, prepare, print_again, print_json
from foxden.engine.errors import FoxdenError

if TYPE_CHECKING:
    from foxden.arena.cluster import OnRay
    from foxden.arena.local import Local
    from foxden.lab.question import Question
    from foxden.lab.report import Report

MOST_COLUMNS = 6  # of a table in a terminal; of wider ones the first are shown

lab = typer.Typer(
    help="Measures the effect of a rule change, and writes a report.", no_args_is_help=True
)
app.add_typer(lab, name="lab", rich_help_panel="Design")

Bots = Annotated[
    str,
    typer.Option(
        help="Names with commas, one for each player in turn; mybots.py:Mine is one of your own.",
        autocompletion=completion.bots,
    ),
]
Deals = Annotated[int | None, typer.Option(min=2, help="How many deals.", show_default="1000")]
Until = Annotated[
    str | None,
    typer.Option(
        metavar="±SHARE", help="Play until the measure is known this well, such as 1%, and stop."
    ),
]
MeasureName = Annotated[
    str, typer.Option("--measure", help="The measure in question; the report lists all.")
]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        metavar="'NAME=VALUE …'",
        help="Options, parts or seats; 1:NAME=VALUE is for one player alone. Repeat it.",
    ),
]
Out = Annotated[
    list[Path] | None,
    typer.Option(
        "--out", metavar="FILE", help="Write the report: .html, .json or .parquet. Repeat it."
    ),
]
JournalFile = Annotated[
    Path | None,
    typer.Option("--journal", metavar="FILE", help="Keep matches here; an old run continues."),
]
Chances = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="DEALS",
        help="Estimate chances in this many deals: how early is the winner known?",
    ),
]


@lab.command(cls=OnRayCommand)
def compare(
    name: GameName,
    variant: Variants = None,
    seats: Seats = None,
    bots: Bots = "greedy",
    deals: Deals = None,
    until: Until = None,
    measure: MeasureName = "first",
    chances: Chances = 0,
    seed: Seed = None,
    luck: Luck = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    out: Out = None,
    journal: JournalFile = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    as_json: AsJson = False,
) -> None:
    """Compares variants on the same deals; without any, describes the standard game."""
    asked = _asked("compare", name, seats, bots, deals, until, measure, seed, luck)
    asked |= {"chances": chances}
    asked |= _table(option, part, parts) | _variants(name, variant)
    _answer(asked, out, journal, workers, ray, as_json)


@lab.command(cls=OnRayCommand)
def sweep(
    name: GameName,
    axis: Annotated[
        list[str],
        typer.Argument(metavar="NAME=VALUES …", help="One or two: dogs=3..6, geese=13..17:2, …"),
    ],
    seats: Seats = None,
    bots: Bots = "greedy",
    deals: Deals = None,
    until: Until = None,
    measure: MeasureName = "first",
    chances: Chances = 0,
    seed: Seed = None,
    luck: Luck = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    out: Out = None,
    journal: JournalFile = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    as_json: AsJson = False,
) -> None:
    """Tries a range of values of an option or a printed number, in one or two dimensions."""
    asked = _asked("sweep", name, seats, bots, deals, until, measure, seed, luck)
    asked |= {"chances": chances}
    asked |= _table(option, part, parts) | {"sweep": pairs(axis)}
    _answer(asked, out, journal, workers, ray, as_json)


@lab.command(cls=OnRayCommand)
def skill(
    name: GameName,
    seats: Seats = None,
    bots: Bots = "random,greedy",
    deals: Deals = None,
    seed: Seed = None,
    luck: Luck = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    out: Out = None,
    journal: JournalFile = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    as_json: AsJson = False,
) -> None:
    """Measures how much of the result is skill and how much luck, over several bots."""
    asked = _asked("skill", name, seats, bots, deals, None, "first", seed, luck)
    _answer(asked | _table(option, part, parts), out, journal, workers, ray, as_json)


@lab.command(cls=OnRayCommand)
def components(
    name: GameName,
    seats: Seats = None,
    bots: Bots = "greedy",
    strong: Annotated[
        str | None,
        typer.Option(help="The search that judges decisions.", show_default="search:300"),
    ] = None,
    positions: Annotated[
        int | None, typer.Option(min=1, help="How many decisions it judges.", show_default="300")
    ] = None,
    deals: Deals = None,
    seed: Seed = None,
    luck: Luck = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    out: Out = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    as_json: AsJson = False,
) -> None:
    """Measures the value of actions and components: cards, tokens, characters, buildings.

    Counts wins with components dealt, had, used and denied; a search judges decisions.
    """
    asked = _asked("components", name, seats, bots, deals, None, "first", seed, luck)
    asked |= {} if strong is None else {"strong": strong}
    asked |= {} if positions is None else {"positions": positions}
    _answer(asked | _table(option, part, parts), out, None, workers, ray, as_json)


@lab.command(cls=OnRayCommand)
def balance(
    name: GameName,
    target: Annotated[
        list[str],
        typer.Option(metavar="MEASURE=LEAST..MOST", help="What to reach: first=48%..52%."),
    ],
    vary: Annotated[
        list[str],
        typer.Option(metavar="NAME=VALUES", help="What may change: dogs=3..6. Repeat it."),
    ],
    seats: Seats = None,
    bots: Bots = "greedy",
    deals: Deals = None,
    seed: Seed = None,
    luck: Luck = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    out: Out = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    as_json: AsJson = False,
) -> None:
    """Looks for the smallest change of printed numbers or options that meets a target."""
    asked = _asked("balance", name, seats, bots, deals, None, "first", seed, luck)
    asked |= {"target": {key: _ends(value) for key, value in pairs(target).items()}}
    asked |= {"vary": pairs(vary)}
    _answer(asked | _table(option, part, parts), out, None, workers, ray, as_json)


@lab.command(cls=OnRayCommand)
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A question, as TOML.")],
    out: Out = None,
    journal: JournalFile = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    as_json: AsJson = False,
) -> None:
    """Answers a question from a file."""
    import msgspec

    from foxden.lab.question import read_question

    asked = msgspec.to_builtins(read_question(file))
    _answer(asked, out, journal, workers, ray, as_json)


def _asked(
    kind: str,
    name: str,
    seats: int | None,
    bots: str,
    deals: int | None,
    until: str | None,
    measure: str,
    seed: int | None,
    luck: int | None,
) -> dict[str, Any]:
    """Gathers the fields common to all kinds of question."""
    return {
        "kind": kind,
        "game": name,
        "seats": seats,
        "bots": [bot.strip() for bot in bots.split(",")],
        "deals": deals,
        "until": None if until is None else _share(until.lstrip("±")),
        "measure": measure,
        "seed": seed if seed is None else str(seed),
        "luck": luck if luck is None else str(luck),
    }


def _table(option: list[str] | None, part: list[str] | None, parts: Path | None) -> dict[str, Any]:
    return {"options": pairs(option), "parts": part_changes(part, parts)}


def _variants(name: str, texts: list[str] | None) -> dict[str, Any]:
    import msgspec

    from foxden.lab.question import variant_from

    game = foxden.game(name)
    return {"variant": [msgspec.to_builtins(variant_from(game, text)) for text in texts or []]}


def _share(text: str) -> float:
    """Reads 1%, 1 % or 0.01."""
    found = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(%?)\s*", text)
    if not found:
        raise FoxdenError(f"Write a share as 1% or 0.01, not {text!r}.")
    return float(found[1]) / (100 if found[2] else 1)


def _ends(text: str) -> list[float]:
    low, dots, high = text.partition("..")
    if not dots:
        raise FoxdenError(f"Write a target as LEAST..MOST, such as 48%..52%, not {text!r}.")
    return [_share(low), _share(high)]


def _answer(
    asked: dict[str, Any],
    out: list[Path] | None,
    journal: Path | None,
    workers: int | None,
    ray: str | None,
    as_json: bool,
) -> None:
    """Answers a question, shows the answer, and writes the requested files."""
    from foxden.lab.answering import answered
    from foxden.lab.players import find_player
    from foxden.lab.question import completed, question_from, to_command
    from foxden.lab.report import check_file, write
    from foxden.lab.workers import chance_in

    for root, value in chance_in(journal).items():
        asked[root] = asked.get(root) or value
    question = completed(question_from(asked))
    for file in out or []:
        check_file(file)
    prepare(foxden.game(question.game), [find_player(bot) for bot in question.bots])
    with counting() as progress, _workers(question, workers, ray) as pool:
        task = progress.add_task(f"Deals of {foxden.game(question.game).title}", total=None)

        def report(done: int, of: int) -> None:
            progress.update(task, completed=done, total=of)

        found = answered(question, workers=pool, journal=journal, report=report)
    for file in out or []:
        write(found, file)
    if as_json:
        print_json(found.to_json())
        return
    _show(found)
    for file in out or []:
        console.print(f"[dim]Report:[/] {file}", highlight=False, soft_wrap=True)
    print_again(to_command(question))


def _workers(question: Question, workers: int | None, ray: str | None) -> Local | OnRay:
    from foxden.arena.cluster import OnRay
    from foxden.lab.workers import local

    return local(question, workers) if ray is None else OnRay(ray)


def _show(found: Report) -> None:
    """Prints the answer and the tables; plots are for the page."""
    from rich.markup import escape
    from rich.table import Table

    from foxden.lab import report

    console.print(f"[bold]{escape(found.answer)}[/]", highlight=False)
    for section in found.sections:
        for one in section.shown:
            if isinstance(one, report.Table):
                shown = len(one.columns) if len(one.columns) <= MOST_COLUMNS else 4
                table = Table(box=None, pad_edge=False, title=section.title, title_justify="left")
                for number, heading in enumerate(one.columns[:shown]):
                    table.add_column(escape(heading), justify="right" if number else "left")
                for row in one.rows:
                    table.add_row(*map(escape, row[:shown]))
                console.print(table)
