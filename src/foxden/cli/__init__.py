"""The command `foxden`."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import foxden
from foxden.cli import completion
from foxden.engine.errors import BadOption, BadParts, BadRecord, BadSeats, FoxdenError
from foxden.engine.parts import part_changes as changed_from
from foxden.engine.parts import read_parts
from foxden.engine.registry import about

if TYPE_CHECKING:
    from foxden.bots import Bot
    from foxden.engine.game import Game

app = typer.Typer(
    help="Foxden: five fox-themed table games to play, to write bots for, and to design with.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
console = Console()
aside = Console(stderr=True)  # progress, so that results can be piped

USUAL_LEVEL = 3

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
    typer.Option(help="With the seed, repeats what the bots do too.", show_default="drawn"),
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
    Path | None, typer.Option("--parts", metavar="FILE", help="A file of other printed numbers.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


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
    """Foxden: five fox-themed table games to play, to write bots for, and to design with."""


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
    """Refuses, before anything is compiled, what cannot be dealt; returns the seats that play."""
    from foxden.engine.rng import split_seed

    players = game.about.usual if seats is None else seats
    printed = game.setup(players, options, parts).parts
    game.fit_parts(printed)
    for root in roots:
        if root is not None:
            split_seed(root)
    return players


def check_seat(seat: int | None, seats: int) -> None:
    """Refuses, before anything is compiled, a seat that is not there."""
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


def counted(number: int, what: str) -> str:
    """Writes a number of matches or deals."""
    ending = "" if number == 1 else "es" if what.endswith("ch") else "s"
    return f"{number} {what}{ending}"


def print_json(found: Any) -> None:
    """Prints data; what JSON cannot hold is a mistake."""
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
    """Prints the command that repeats a result, in one line, so that it can be copied."""
    console.print(f"[dim]Again:[/] {escape(command)}", highlight=False, soft_wrap=True)


def prepare(game: Game, bots: Sequence[Bot] = ()) -> None:
    """Compiles the game's rules, showing how far it is; the next time they are ready."""
    from foxden.bots import GreedyBot, RandomBot
    from foxden.engine import compiled

    with Progress(
        TextColumn("Compiling the rules of {task.description}, this first time only"),
        BarColumn(),
        console=aside,
        transient=True,
    ) as progress:
        task = progress.add_task(game.title, visible=False)
        compiled.prepare(
            game,
            lambda done, of: progress.update(
                task, completed=done, total=of, visible=_slow(progress)
            ),
        )
        if any(not isinstance(bot, RandomBot | GreedyBot) for bot in bots):
            from foxden.bots import ismcts

            progress.update(task, total=None)  # one piece, of which nobody knows how far it is
            ismcts.prepare(game)


def _slow(progress: Progress) -> bool:
    """Returns whether the wait is worth a line: cached rules load within half a second."""
    elapsed = progress.tasks[0].elapsed
    return elapsed is not None and elapsed > 0.5


def counting() -> Progress:
    """Makes a bar that counts matches and tells how long it will take."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=aside,
        transient=True,
    )


@app.command()
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


@app.command()
def guide(name: GameName) -> None:
    """Shows a game's guide: every rule with its id, and the options."""
    game = foxden.game(name)
    if not console.is_terminal:
        print(game.guide)
        return
    from rich.markdown import Markdown

    with console.pager(styles=True):
        console.print(Markdown(game.guide))


@app.command()
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


@app.command()
def spec(name: GameName) -> None:
    """Writes a game's spec sheet for research: actions, observation, rewards, versions."""
    from foxden.envs.specs import sheet

    print(sheet(foxden.game(name)), end="")


@app.command()
def play(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="Asked for if left out.", autocompletion=completion.games
        ),
    ] = None,
    seats: Seats = None,
    seed: Seed = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    level: Annotated[
        int | None, typer.Option(help="How well the others play, from 1 to 5.", show_default="3")
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(
            help="Who plays the other seats, instead of a level.", autocompletion=completion.bots
        ),
    ] = None,
    seat: Annotated[int, typer.Option(help="Where you sit.")] = 0,
    resume: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Go on with a saved match.")
    ] = None,
) -> None:
    """Plays a match against bots in this terminal."""
    from foxden.bots import find_bot, level_bot
    from foxden.cli.play import Session, choose_game

    if bot is not None and level is not None:
        raise FoxdenError("Give a level or a bot, not both.")
    opponent = find_bot(bot) if bot else level_bot(USUAL_LEVEL if level is None else level)
    if resume:
        match = read_record(resume, seat)
        prepare(match.game, [opponent])
    else:
        game = foxden.game(name or choose_game(console))
        changes = part_changes(part, parts)
        players = check_setup(game, seats, pairs(option), changes, seed)
        check_seat(seat, players)
        prepare(game, [opponent])
        match = foxden.new(
            game.name, seats=players, seed=seed, options=pairs(option), parts=changes
        )
    Session(match, match.check_seat(seat), opponent, console, fresh=resume is None).run()


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record.")],
    seat: Annotated[int | None, typer.Option(help="See what this seat saw.")] = None,
) -> None:
    """Steps through a record, as a spectator or from a seat."""
    from foxden.cli.play import Replay

    match = read_record(file, seat)
    Replay(match, seat, console).run()


@app.command()
def simulate(
    name: GameName,
    seats: Seats = None,
    games: Annotated[int, typer.Option(min=1, help="How many matches.")] = 1000,
    bots: Annotated[
        str,
        typer.Option(
            help="Names with commas; they take turns at the seats.",
            autocompletion=completion.bots,
        ),
    ] = "greedy",
    seed: Seed = None,
    luck: Luck = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    as_json: AsJson = False,
    record: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write every match into this folder.")
    ] = None,
) -> None:
    """Plays many matches between bots and shows the results with 95 % confidence intervals."""
    from foxden.arena.series import check_bots, play_series
    from foxden.bots import find_bot

    game = foxden.game(name)
    changes = part_changes(part, parts)
    players = check_setup(game, seats, pairs(option), changes, seed, luck)
    chosen = [find_bot(bot.strip()) for bot in bots.split(",")]
    check_bots(chosen, players)
    if record:
        try:
            record.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FoxdenError(f"{record} cannot be made: {error.strerror}.") from error
    prepare(game, chosen)
    with counting() as progress:
        task = progress.add_task(f"Playing {game.title}", total=games)

        def finished(match: foxden.Match) -> None:
            if record:
                (record / f"{match.seed}.record").write_text(match.record(), encoding="utf-8")
            progress.advance(task)

        series = play_series(
            game,
            chosen,
            seats=players,
            matches=games,
            seed=seed,
            luck=luck,
            options=pairs(option),
            parts=changes,
            report=finished,
        )
    if as_json:
        print_json(series.to_json())
        return
    console.print(
        f"{game.title}, {players} seats, {counted(games, 'match')}, "
        f"{series.length.value:.1f} actions a match (rules {series.rules}, Foxden {series.foxden})"
    )
    for title, lines in (("bot", series.bots), ("turn", series.by_turn)):
        table = Table(box=None, pad_edge=False)
        for heading in (title, "seats", "wins of a seat (95 %)", "mean score (95 %)"):
            table.add_column(heading, justify="left" if heading == title else "right")
        for line in lines:
            table.add_row(line.name, str(line.places), str(line.wins), line.score.text(".2f"))
        console.print(table)
    given = {"seats": players, "games": games, "bots": bots}
    given |= {"seed": series.seed, "luck": series.luck}
    print_again(again("simulate", game, series.options, series.parts, given))


@app.command()
def arena(
    name: GameName,
    bots: Annotated[
        str,
        typer.Option(
            help="Names with commas, such as greedy,search:500.", autocompletion=completion.bots
        ),
    ],
    seats: Seats = None,
    matches: Annotated[int, typer.Option(min=1, help="How many matches at most.")] = 400,
    seed: Seed = None,
    luck: Luck = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    seconds: Annotated[float | None, typer.Option(help="Bound for one decision.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Usually one a core.")] = None,
    early: Annotated[bool, typer.Option(help="Stop when every bot is set apart.")] = True,
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep matches here; an old run goes on.")
    ] = None,
    as_json: AsJson = False,
    parquet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every match into this file.")
    ] = None,
) -> None:
    """Lets bots meet on the same deals with seats rotated, and rates them."""
    import os

    from foxden.arena.tournament import Plan, Played, chance_of, check_names, run
    from foxden.bots import find_bot

    game = foxden.game(name)
    changes = part_changes(part, parts)
    players = check_setup(game, seats, pairs(option), changes, seed, luck)
    chosen = [find_bot(bot.strip()) for bot in bots.split(",")]
    check_names(chosen)
    chance = chance_of(journal, seed, luck)
    plan = Plan(
        game=game.name,
        bots=tuple(bot.name for bot in chosen),
        seats=players,
        deals=-(-matches // players),
        seed=chance.seed,
        luck=chance.luck,
        options=pairs(option),
        parts=changes,
        seconds=seconds,
    )
    prepare(game, chosen)
    with counting() as progress:
        task = progress.add_task(f"{game.title} in the arena", total=plan.deals * players)

        def finished(played: Played) -> None:
            progress.advance(task)

        found = run(
            game,
            chosen,
            plan,
            threads=threads or os.cpu_count() or 1,
            journal=journal,
            stop_when_clear=early,
            report=finished,
        )
    if parquet:
        from foxden.arena.parquet import write_parquet

        write_parquet(found, parquet)
    if as_json:
        facts = {"rules": game.rules_version, "foxden": metadata.version("foxden")}
        print_json(facts | found.to_json())
        return
    clear = "every bot is set apart" if found.clear else "not every bot is set apart"
    console.print(
        f"{game.title}, {players} seats, {counted(len(found.matches), 'match')} on "
        f"{counted(found.deals, 'deal')}; {clear} (95 %, whenever it stops)"
    )
    table = Table(box=None, pad_edge=False)
    # Between two, openskill says nothing that Elo does not.
    skill = ("openskill",) if players > 2 else ()
    for heading in ("bot", "Elo", *skill, "wins", "mean score", "faults"):
        table.add_column(heading, justify="left" if heading in ("bot", "faults") else "right")
    for line in found.standings:
        faults = ", ".join(f"{what} × {n}" for what, n in line.faults.items())
        rating = f"{line.skill.mu:.1f} (σ {line.skill.sigma:.1f})"
        elo, score = line.elo.text("+.0f"), line.score.text(".2f")
        table.add_row(line.bot, elo, *(rating for _ in skill), str(line.wins), score, faults)
    console.print(table)
    given: dict[str, Any] = {"seats": players, "matches": matches, "bots": bots}
    given |= chance._asdict()
    given |= {} if seconds is None else {"seconds": seconds}
    setup = game.setup(players, plan.options, plan.parts)
    changes = dict(changed_from(game.printed, setup.parts))
    repeat = again("arena", game, setup.options, changes, given)
    print_again(repeat if early else f"{repeat} --no-early")


@app.command()
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
    resume: Annotated[bool, typer.Option(help="Go on from the folder's checkpoint.")] = False,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a setting of the plan."),
    ] = None,
    commit: Annotated[str, typer.Option(help="The sources' commit, kept with the network.")] = "",
    export: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Only write kernels there, for a card elsewhere."),
    ] = None,
    arch: Annotated[
        str | None, typer.Option(help="With --export: machine code too, as for sm_90.")
    ] = None,
) -> None:
    """Trains a network by self-play; it needs torch (the extra `train`).

    The same plan gives the same curve on the same machine. A run that was killed goes on with
    --resume. The player is DIR/player.npz, and DIR/run.json tells all that is known of it.
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


@app.command("levels")
def show_levels(
    name: GameName,
    option: Options = None,
    matches: Annotated[
        int | None, typer.Option(min=1, help="Let each level meet the one below, so often at most.")
    ] = None,
    seed: Seed = None,
    luck: Luck = None,
    threads: Annotated[int, typer.Option(min=1, help="How many matches at a time.")] = 1,
    early: Annotated[bool, typer.Option(help="Leave a pair when it is told apart.")] = True,
    journals: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep matches here; an old run goes on.")
    ] = None,
    write: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Put the table into this Markdown file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Lists a game's levels, and measures what they are worth.

    Without --matches nothing is played, and the table shows what the journals hold.
    With --option, for a table that plays together, all levels play the same deals.
    """
    if option:
        _show_gathering(foxden.game(name), pairs(option), matches or 1, seed, luck, write)
        return
    from foxden.arena.ladder import PAIRS, climb, climbed, levels_data, table, write_between
    from foxden.arena.tournament import Played, chance_of
    from foxden.bots.levels import levels

    game = foxden.game(name)
    both = (2, check_setup(game, None, {}, {}, seed, luck))
    if matches is None and journals is None:
        if as_json:
            print_json(levels_data(game))
            return
        for level in levels(game):
            console.print(f"[bold]{level.number} {level.name}[/]  {level.says}", highlight=False)
        return
    if matches is None:
        assert journals is not None
        two, usual = (climbed(game, seats=seats, folder=journals) for seats in both)
    else:
        prepare(game)
        if journals is None:  # a journal has its own
            seed, luck = chance_of(None, seed, luck)
        total = sum(len(PAIRS) * -(-matches // seats) * seats for seats in both)
        with counting() as progress:
            task = progress.add_task(f"Levels of {game.title}", total=total)

            def finished(played: Played) -> None:
                progress.advance(task)

            two, usual = (
                climb(
                    game,
                    seats=seats,
                    matches=matches,
                    seed=seed,
                    luck=luck,
                    folder=journals,
                    threads=threads,
                    early=early,
                    report=finished,
                )
                for seats in both
            )
    found = table(game, two, usual)
    if write:
        write_between(write, f"levels of {game.name}", found)
    if as_json:
        print_json(levels_data(game, dict(zip(both, (two, usual), strict=True))))
        return
    print(found)
    if matches and journals is None:
        given = {"matches": matches, "seed": seed, "luck": luck}
        repeat = again("levels", game, game.setup(both[1]).options, {}, given)
        print_again(repeat if early else f"{repeat} --no-early")


def _show_gathering(
    game: Game,
    options: dict[str, str],
    matches: int,
    seed: int | None,
    luck: int | None,
    write: Path | None,
) -> None:
    """Measures what the levels gather where all seats play together, by number of seats."""
    from foxden.arena.ladder import write_between
    from foxden.arena.together import STEPS, check_together, gather, table
    from foxden.arena.tournament import chance_of

    check_together(game, check_setup(game, None, options, {}, seed, luck), options)
    prepare(game)
    chance = chance_of(None, seed, luck)
    counts = game.seats_with(options)
    with counting() as progress:
        task = progress.add_task(
            f"Levels of {game.title}", total=len(STEPS) * matches * len(counts)
        )
        found = {
            seats: gather(
                game,
                seats=seats,
                options=options,
                matches=matches,
                chance=chance,
                report=lambda match: progress.advance(task),
            )
            for seats in counts
        }
    if write:
        write_between(write, f"levels of {game.name}, together", table(game, found))
    print(table(game, found))
    given = {"matches": matches, **chance._asdict()}
    print_again(again("levels", game, game.setup(counts[0], options).options, {}, given))


@app.command()
def bench(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[WHAT]",
            help="rules, or the server: `server`, `sockets` (idle ones), `soak` (for minutes).",
        ),
    ] = "rules",
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to measure each row.")] = 2.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the rows into this file (PNG, SVG or PDF).")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="How long to soak the server.")] = 10.0,
) -> None:
    """Measures Foxden beside other libraries in one run (peers: `make bench` installs them)."""
    from foxden import bench

    def tell(what: str) -> None:
        aside.print(f"[dim]{what} …[/]")

    if what == "soak":
        from foxden.bench.crowd import soak

        json.dump(soak(minutes, tell).to_json(), sys.stdout, indent=2)
        print()
        return
    if what == "server":
        from foxden.bench import server

        rows = server.measure(seconds, tell)
    elif what == "sockets":
        from foxden.bench.crowd import measure_idle

        rows = [measure_idle(tell)]
    elif what == "rules":
        rows = bench.measure(seconds, lambda what: tell(f"measuring {what}"))
    else:
        raise FoxdenError(f"{what!r} cannot be measured: rules, server, sockets or soak.")
    if plot:
        bench.plot(rows, plot)
    if as_json:
        json.dump([row.to_json() for row in rows], sys.stdout, indent=2)
        print()
    else:
        console.print(bench.report(rows))


@app.command()
def serve(
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A TOML file of settings.")
    ] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen at.")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 0 takes a free one.")] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://…")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder for the database.")
    ] = None,
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


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes.")],
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The server's TOML file.")
    ] = None,
    database: Annotated[str | None, typer.Option(metavar="URL", help="sqlite:///FILE")] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder for the database.")
    ] = None,
) -> None:
    """Copies the server's database while the server runs; the copy is checked."""
    from foxden.server.config import read_config
    from foxden.server.store import backup

    backup(read_config(config, database=database, data=data).url, file)
    console.print(f"{file} holds everything up to now.", highlight=False)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy made by `foxden backup`.")],
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The server's TOML file.")
    ] = None,
    database: Annotated[str | None, typer.Option(metavar="URL", help="sqlite:///FILE")] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder for the database.")
    ] = None,
) -> None:
    """Puts a backup in the database's place; stop the server first."""
    from foxden.server.config import read_config
    from foxden.server.store import restore

    restore(read_config(config, database=database, data=data).url, file)
    console.print(f"The database is as it was in {file}.", highlight=False)
    console.print("What it held before lies beside it, under .replaced.", highlight=False)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record.")],
    promised: Annotated[
        str | None,
        typer.Option("--hash", help="The seed's hash that was shown when the match began."),
    ] = None,
) -> None:
    """Plays a record again, checks every line and the result, and whether its deal was promised."""
    from foxden.engine.rng import seed_hash

    match = read_record(file)
    found = seed_hash(match.seed)
    if promised is not None and promised.strip().lower() != found:
        raise FoxdenError(f"The deal is not the promised one: its seed hashes to {found}.")
    how = "as promised" if promised else "compare it with what was shown when the match began"
    console.print(
        f"{match.game.title}, {match.seats} seats, {match.ply} actions: every line holds.\n"
        f"The seed hashes to {found}: {how}.",
        highlight=False,
        soft_wrap=True,
    )


def _add_admin() -> None:
    from foxden.cli.admin import admin  # after what it borrows from here

    app.add_typer(admin, name="admin")


_add_admin()
