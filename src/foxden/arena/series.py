"""A series of matches between bots that change seats from match to match."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, NamedTuple

from foxden.arena.chance import check_root, deal_seed, dice_seed
from foxden.arena.intervals import Share, mean, win_share
from foxden.arena.results import as_json
from foxden.bots import Bot, ask
from foxden.engine import compiled
from foxden.engine.errors import FoxdenError
from foxden.engine.game import Game
from foxden.engine.match import Match
from foxden.engine.parts import part_changes


@dataclass(frozen=True)
class Line:
    """The result of one bot, or of one place in turn order, after a series."""

    name: str
    places: int  # seats of all matches that are counted here
    wins: Share  # of a seat; a win shared by k counts 1/k
    score: Share  # of a seat


@dataclass(frozen=True)
class Series:
    """The outcome of a series, and everything needed to repeat it."""

    game: str
    rules: int  # version of the game's rules
    foxden: str  # version
    seats: int
    options: Mapping[str, Any]
    parts: Mapping[str, Any]  # those that differ from the printed ones, by dotted paths
    matches: int
    seed: int  # of the deals
    luck: int  # of the bots
    bots: tuple[Line, ...]  # in the order in which they first sat
    by_turn: tuple[Line, ...]  # whoever starts, then the seats clockwise
    length: Share  # actions a match

    def to_json(self) -> dict[str, Any]:
        """Returns the outcome as plain data."""
        return as_json(self)


class Finished(NamedTuple):
    """A match of a series, with the number of the bot in every seat and the seat that started."""

    match: Match
    seating: list[int]
    starter: int


def play_match(match: Match, bots: Sequence[Bot], seed: int) -> Match:
    """Plays a match to its end; bots[seat] plays that seat, with dice from the seed."""
    while match.to_act is not None:
        match.play(ask(bots[match.to_act], match, seed=seed))
    return match


def check_bots(bots: Sequence[Bot], seats: int) -> None:
    """Refuses more bots than seats: some would never sit down."""
    if len(bots) > seats:
        raise FoxdenError(f"{len(bots)} bots cannot share {seats} seats.")


def matches_of(
    game: Game,
    bots: Sequence[Bot],
    *,
    seats: int,
    matches: int,
    seed: int,
    luck: int,
    options: Mapping[str, Any] | None = None,
    parts: Mapping[str, Any] | None = None,
) -> Iterator[Finished]:
    """Plays the matches one by one."""
    compiled.ensure(game)
    for index in range(matches):
        # Everybody moves one seat on, so no bot gains from its seat.
        seating = [(seat + index) % seats % len(bots) for seat in range(seats)]
        names = [bots[k].name for k in seating]
        number = deal_seed(seed, index)
        match = Match(game, seats=seats, seed=number, options=options, parts=parts, names=names)
        # In every game the seat that takes the first turn is also the first to be asked.
        starter = match.to_act
        assert starter is not None
        play_match(match, [bots[k] for k in seating], dice_seed(luck, index))
        yield Finished(match, seating, starter)


def play_series(
    game: Game,
    bots: Sequence[Bot],
    *,
    seats: int,
    matches: int,
    seed: int | None = None,
    luck: int | None = None,
    options: Mapping[str, Any] | None = None,
    parts: Mapping[str, Any] | None = None,
    report: Callable[[Match], None] = lambda match: None,
) -> Series:
    """Plays a series and counts; `report` is given every finished match."""
    check_bots(bots, seats)
    setup = game.setup(seats, options, parts)
    seats = setup.seats
    seed, luck = check_root(seed), check_root(luck)
    by_bot = [_Tally(bot.name) for bot in bots]
    by_turn = [_Tally(_place(turn)) for turn in range(seats)]
    lengths = []
    for match, seating, starter in matches_of(
        game, bots, seats=seats, matches=matches, seed=seed, luck=luck, options=options, parts=parts
    ):
        scores, winners = match.scores, match.winners
        wins = [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
        for number, tally in enumerate(by_bot):
            tally.add([(wins[p], scores[p]) for p in range(seats) if seating[p] == number])
        for turn, tally in enumerate(by_turn):
            seat = (starter + turn) % seats
            tally.add([(wins[seat], scores[seat])])
        lengths.append(match.ply)
        report(match)
    return Series(
        game=game.name,
        rules=game.rules_version,
        foxden=version("foxden"),
        seats=seats,
        options=setup.options,
        parts=dict(part_changes(game.printed, setup.parts)),
        matches=matches,
        seed=seed,
        luck=luck,
        bots=tuple(tally.line(seats) for tally in by_bot),
        by_turn=tuple(tally.line(seats) for tally in by_turn),
        length=mean(lengths),
    )


def _place(turn: int) -> str:
    """Names a place in the order of turns."""
    return ("1st", "2nd", "3rd")[turn] if turn < 3 else f"{turn + 1}th"


class _Tally:
    """Counts match by match: the seats of one match share its deal and its one win."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.places = 0
        self.wins = 0.0
        self.scores: list[float] = []  # the mean of each match

    def add(self, seats: Sequence[tuple[float, int]]) -> None:
        self.places += len(seats)
        self.wins += sum(win for win, _ in seats)
        self.scores.append(sum(score for _, score in seats) / len(seats))

    def line(self, seats: int) -> Line:
        # A bot's seats together win a match or not; one seat's part of that is the figure shown.
        matches = len(self.scores)
        together, held = win_share(self.wins, matches), self.places / max(1, matches)
        if held == seats:  # whoever holds all seats wins what is won: no chance, so no interval
            together = Share(together.value, -math.inf, math.inf)
        wins = Share(*(end / held for end in (together.value, together.low, together.high)))
        return Line(self.name, self.places, wins, mean(self.scores))
