"""Commands on past matches: reviews, puzzles and calibration."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn
from rich.table import Table

import foxden
from foxden.cli.app import app
from foxden.cli.arguments import AsJson, GameName, Seats, check_setup, read_record
from foxden.cli.output import aside, console, print_json
from foxden.engine.errors import FoxdenError

if TYPE_CHECKING:
    from foxden.engine.game import Game
    from foxden.review import Decision, Review, Worth

WIDEST = 20  # signs of the bar that shows what an action made of the match


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        console=aside,
        transient=True,
    )


def compile_for_reviews(game: Game, progress: Progress) -> None:
    """Compiles what reviews need of a game, showing progress."""
    from foxden.review.rollouts import prepare

    task = progress.add_task(f"Preparing {game.title}", total=1.0)
    prepare(game, lambda done: progress.update(task, completed=done))
    progress.remove_task(task)


@app.command(rich_help_panel="Play")
def review(
    record: Annotated[
        Path, typer.Argument(metavar="RECORD", help="A record of a match that is over.")
    ],
    seat: Annotated[int, typer.Option(min=0, help="Whose decisions to review.")] = 0,
    all_decisions: Annotated[
        bool, typer.Option("--all", help="List every decision, not only the costliest.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Reviews a seat's decisions: the value of each, judged by what the seat knew then."""
    from foxden.review import check_over
    from foxden.review import review as made

    match = read_record(record, seat)
    check_over(match)
    with _progress() as progress:
        compile_for_reviews(match.game, progress)
        task = progress.add_task("Reviewing", total=1.0)
        found = made(match, seat, report=lambda done: progress.update(task, completed=done))
    if as_json:
        print_json(found.to_json())
        return
    print_review(found, all_decisions)


def print_review(found: Review, all_decisions: bool) -> None:
    """Prints what made the result, and the costliest decisions or all."""
    name = found.names[found.seat]
    points = ", ".join(
        f"{name} {score}" for name, score in zip(found.names, found.scores, strict=True)
    )
    console.print(f"[bold]{escape(found.title)}[/], {escape(name)}. {escape(points)}.")
    account = found.account
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    # If points count, the deal gives the initial expectation.
    deal = [("the deal", account.deal)] if found.measure == "chance" else []
    for what, part in (
        ("even share" if found.measure == "chance" else "expected", account.start),
        *deal,
        ("what own moves turned up", account.draws),
        ("what others did", account.others),
        ("own decisions", account.decisions),
        ("result", account.result),
    ):
        sign = "" if what in ("even share", "expected", "result") else "+"
        table.add_row(what, _in(found, part, sign))
    console.print(table)
    if not found.decisions:
        console.print("There was nothing to decide.")
        return
    shown = list(range(len(found.decisions))) if all_decisions else list(found.costliest)
    if not shown:
        console.print(
            f"None of {len(found.decisions)} decisions was clearly worse than another choice."
        )
    for place in shown:
        _print_decision(found, found.decisions[place])


def _in(found: Review, value: float, sign: str = "") -> str:
    """Writes a value in the review's measure."""
    return f"{value:{sign}.1%}" if found.measure == "chance" else f"{value:{sign}.2f}"


def _interval(found: Review, worth: Worth) -> str:
    unit = "" if found.measure == "chance" else " points"
    return f"{_in(found, worth.value)} ± {_in(found, worth.margin)}{unit}"


def _print_decision(found: Review, made: Decision) -> None:
    console.print()
    console.print(f"[bold]Move {made.ply + 1}[/]: {escape(made.question)}", highlight=False)
    if made.verdict == "loss":
        loss = made.loss if found.measure == "chance" else made.loss_points
        points = f" ({made.loss_points.value:+.1f} ± {made.loss_points.margin:.1f} points)"
        console.print(
            f"  “{escape(made.chosen.notation)}” cost {_interval(found, loss)}"
            f"{points if found.measure == 'chance' else ''}; "
            f"better: “{escape(made.best.notation)}”.",
            highlight=False,
        )
    elif made.verdict == "close":
        pair = f"“{escape(made.chosen.notation)}” or “{escape(made.best.notation)}”"
        console.print(f"  {pair}: too close to call.", highlight=False)
    else:
        console.print(
            f"  “{escape(made.chosen.notation)}”: the best of {made.open}.", highlight=False
        )
    if made.why:
        console.print(f"  {escape(made.why)}", highlight=False)


puzzles = typer.Typer(help="Positions where one choice is clearly the best.", no_args_is_help=True)
app.add_typer(puzzles, name="puzzles", rich_help_panel="Bots and research")


@puzzles.command()
def mine(
    name: GameName,
    minutes: Annotated[float, typer.Option(min=0.01, help="How long to look.")] = 5.0,
    seats: Seats = None,
    into: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add to this file.", show_default="the game's own"),
    ] = None,
) -> None:
    """Finds puzzles in matches of bots, and adds them to a file with their proof.

    It resumes where it stopped: the file records how many matches were searched.
    """
    from foxden.review.puzzles import FILE, PuzzleFile, read_puzzles
    from foxden.review.puzzles import mine as found_in

    game = foxden.game(name)
    check_setup(game, seats, {}, {}, None)
    file = into or game.folder / FILE
    known = PuzzleFile(game.name, game.rules_version)
    if file.exists():
        before = read_puzzles(file)
        if (before.game, before.rules) != (known.game, known.rules):
            raise FoxdenError(f"{file} has puzzles of {before.game}, version {before.rules}.")
        known = before
    new = -len(known.puzzles)
    with _progress() as progress:
        compile_for_reviews(game, progress)
        task = progress.add_task("Looking", total=minutes * 60)
        begin = time.monotonic()
        for number, found in found_in(game, known.matches, seats=seats):
            known = known.with_more(found, number + 1)
            known.write(file)
            spent = time.monotonic() - begin
            told = f"Found {new + len(known.puzzles)} in match {number}"
            progress.update(task, completed=spent, description=told)
            if spent > minutes * 60:
                break
    new += len(known.puzzles)
    console.print(f"{len(known.puzzles)} puzzles of {game.title} in {file}, {new} of them new.")


@puzzles.command()
def check(
    name: GameName,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", show_default="the game's own"),
    ] = None,
) -> None:
    """Proves the puzzles of a file again, and drops those that no longer hold."""
    from foxden.review.puzzles import FILE, decision_of, puzzle_at, read_puzzles

    game = foxden.game(name)
    place = file or game.folder / FILE
    known = read_puzzles(place)
    if known.game != game.name:
        raise FoxdenError(f"{place} has puzzles of {known.game}.")
    held = []
    with _progress() as progress:
        compile_for_reviews(game, progress)
        for puzzle in progress.track(known.puzzles, description="Proving"):
            match = puzzle.match(game)
            found = puzzle_at(match, *decision_of(match))
            if found is not None and found.best == puzzle.best:
                held.append(found)
    replace(known, rules=game.rules_version, puzzles=tuple(held)).write(place)
    console.print(f"{len(held)} of {len(known.puzzles)} puzzles of {game.title} hold.")


@app.command(rich_help_panel="Bots and research")
def calibrate(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Usually all games.")
    ] = None,
    matches: Annotated[int, typer.Option(min=1, help="Matches of each game.")] = 200,
    seed: Annotated[int, typer.Option(help="What the deals are made from.")] = 1,
    bot: Annotated[
        str, typer.Option(metavar="BOT", help="Who plays the matches, as in level:3.")
    ] = "greedy",
    as_json: AsJson = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw predicted against real chances (SVG).")
    ] = None,
) -> None:
    """Compares the chances that reviews estimate with actual results."""
    from foxden.bots import find_bot
    from foxden.review.calibration import calibrate as calibrated
    from foxden.review.calibration import reliability

    player = find_bot(bot)
    found = []
    for name in names or foxden.games():
        game = foxden.game(name)
        with _progress() as progress:
            compile_for_reviews(game, progress)
            task = progress.add_task(game.title, total=matches)

            def played(task: TaskID = task, progress: Progress = progress) -> None:
                progress.advance(task)

            found.append(calibrated(game, matches, seed, bot=player, played=played))
    if plot:
        plot.write_text(reliability(found), encoding="utf-8")
    if as_json:
        print_json([asdict(one) for one in found])
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("game", "seats", "positions", "Brier", "even share", "skill", "off by"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for one in found:
        table.add_row(
            one.game,
            str(one.seats),
            str(one.positions),
            f"{one.brier:.3f}",
            f"{one.base:.3f}",
            f"{one.skill:.0%}",
            f"{one.bias:.1%}",
        )
    console.print(table)
