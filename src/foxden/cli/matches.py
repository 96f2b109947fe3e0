"""Commands that play many matches between bots."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

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
    check_setup,
    pairs,
    part_changes,
    pool_of,
)
from foxden.cli.output import again, console, counted, counting, prepare, print_again, print_json
from foxden.engine.errors import FoxdenError
from foxden.engine.parts import part_changes as changed_from

if TYPE_CHECKING:
    from foxden.arena.cluster import Workers
    from foxden.bots import Bot
    from foxden.engine.game import Game


@app.command(rich_help_panel="Bots and research")
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

    game, changes = foxden.game(name), part_changes(part, parts)
    players, chosen = _seated(game, seats, pairs(option), changes, bots, seed, luck)
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


@app.command(rich_help_panel="Bots and research", cls=OnRayCommand)
def arena(
    name: GameName,
    bots: Annotated[
        str,
        typer.Option(
            help="Names with commas, such as greedy,search:500.", autocompletion=completion.bots
        ),
    ],
    seats: Seats = None,
    matches: Annotated[int, typer.Option(min=1, help="The most matches to play.")] = 400,
    seed: Seed = None,
    luck: Luck = None,
    option: Options = None,
    part: PartChanges = None,
    parts: PartsFile = None,
    seconds: Annotated[float | None, typer.Option(help="Limit for one decision.")] = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    early: Annotated[bool, typer.Option(help="Stop when every bot is set apart.")] = True,
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep matches here; an old run continues.")
    ] = None,
    as_json: AsJson = False,
    parquet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every match into this file.")
    ] = None,
) -> None:
    """Plays bots against each other on the same deals with seats rotated, and rates them."""
    from foxden.arena.tournament import Plan, Played, chance_of, check_names, run

    game, changes = foxden.game(name), part_changes(part, parts)
    players, chosen = _seated(game, seats, pairs(option), changes, bots, seed, luck)
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
    with counting() as progress, pool_of(workers, ray) as pool:
        task = progress.add_task(f"{game.title} in the arena", total=plan.deals * players)

        def finished(played: Played) -> None:
            progress.advance(task)

        found = run(
            game,
            chosen,
            plan,
            workers=pool,
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
    # Between two, openskill adds nothing to Elo.
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


def _seated(
    game: Game,
    seats: int | None,
    options: dict[str, str],
    parts: dict[str, Any],
    bots: str,
    *roots: int | None,
) -> tuple[int, list[Bot]]:
    """Checks a table before anything is compiled; returns its seats, and the bots by name."""
    from foxden.bots import find_bot

    players = check_setup(game, seats, options, parts, *roots)
    return players, [find_bot(bot.strip()) for bot in bots.split(",")]


@app.command("levels", rich_help_panel="Bots and research", cls=OnRayCommand)
def show_levels(
    name: GameName,
    option: Options = None,
    matches: Annotated[
        int | None, typer.Option(min=1, help="Let each level meet the one below, so often at most.")
    ] = None,
    seed: Seed = None,
    luck: Luck = None,
    workers: WorkerCount = None,
    ray: Ray = None,
    early: Annotated[bool, typer.Option(help="Leave a pair when it is set apart.")] = True,
    journals: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep matches here; an old run continues.")
    ] = None,
    write: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Put the table into this Markdown file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Lists a game's levels, and measures their strength.

    Without --matches nothing is played, and the table shows what the journals hold.
    With --option, at cooperative tables, all levels play the same deals.
    """
    if option:
        with pool_of(workers, ray) as pool:
            _show_gathering(foxden.game(name), pairs(option), matches or 1, seed, luck, pool, write)
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
        with counting() as progress, pool_of(workers, ray) as pool:
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
                    workers=pool,
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
    workers: Workers | int,
    write: Path | None,
) -> None:
    """Measures the levels' scores at cooperative tables, by number of seats."""
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
                workers=workers,
                report=lambda index, score: progress.advance(task),
            )
            for seats in counts
        }
    if write:
        write_between(write, f"levels of {game.name}, together", table(game, found))
    print(table(game, found))
    given = {"matches": matches, **chance._asdict()}
    print_again(again("levels", game, game.setup(counts[0], options).options, {}, given))
