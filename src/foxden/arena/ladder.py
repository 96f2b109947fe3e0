"""The ladder: each level meets the one below it, and the table of what they are worth.

Pairs meet on duplicate deals like everything in the arena. Level 5 is bounded by time, so the
ladder plays it with a tenth of the simulations that its second gives on an idle core: the same on
every machine, and a lower bound of what the level is worth.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from foxden.arena.series import Share, mean
from foxden.arena.tournament import BadTournament, Outcome, Plan, Played, run
from foxden.bots import Bot, find_bot
from foxden.bots.ismcts import settings_of
from foxden.bots.levels import LevelBot, levels
from foxden.engine.game import Game

PAIRS = (
    ("random", "level:1"),
    ("level:1", "level:2"),
    ("level:2", "level:3"),
    ("greedy", "level:3"),
    ("level:3", "level:4"),
    ("level:4", "level:5"),
)


@dataclass(frozen=True)
class Rung:
    """What the stronger of two bots is worth against the weaker."""

    weaker: str
    stronger: str
    matches: int
    elo: Share  # of the stronger over the weaker
    wins: Share  # share of all wins that fall to the stronger's half of the table

    @property
    def is_clear(self) -> bool:
        """Tells whether the stronger is better, at 95 %."""
        return self.elo.low > 0 and self.wins.low > 0.5


def climb(
    game: Game,
    *,
    seats: int,
    matches: int,
    seed: int = 1,
    folder: Path | None = None,
    threads: int = 1,
    report: Callable[[Played], None] = lambda played: None,
) -> list[Rung]:
    """Plays every pair, or goes on with what its journal in the folder holds."""
    return [
        meet(
            game,
            pair,
            seats=seats,
            matches=matches,
            seed=seed,
            folder=folder,
            threads=threads,
            report=report,
        )
        for pair in PAIRS
    ]


def meet(
    game: Game,
    pair: tuple[str, str],
    *,
    seats: int,
    matches: int,
    seed: int = 1,
    folder: Path | None = None,
    threads: int = 1,
    report: Callable[[Played], None] = lambda played: None,
) -> Rung:
    """Lets two bots share a table evenly."""
    plan = Plan(game=game.name, bots=pair, seats=seats, deals=-(-matches // seats), seed=seed)
    journal = folder / f"{game.name}-{seats}-{digest(game, pair)}.jsonl" if folder else None
    bots = [measured(name) for name in pair]
    return rung(run(game, bots, plan, threads=threads, journal=journal, report=report))


def measured(name: str) -> Bot:
    """Makes a bot as the ladder plays it: bounded by simulations alone."""
    bot = find_bot(name)
    return LevelBot(bot.number, measured=True) if isinstance(bot, LevelBot) else bot


def digest(game: Game, pair: Sequence[str]) -> str:
    """Names all that decides how two bots play, so that a journal of others is not gone on with."""
    told = [*pair, game.rules_version, asdict(settings_of(game))]
    told += [asdict(level) for level in levels(game) if f"level:{level.number}" in pair]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]


def rung(outcome: Outcome) -> Rung:
    """Sums up a tournament of two bots."""
    weaker, stronger = outcome.plan.bots
    line = next(line for line in outcome.standings if line.bot == stronger)
    # Two ratings lie evenly about nought.
    elo = Share(*(2 * value for value in (line.elo.value, line.elo.low, line.elo.high)))
    shares = []
    for _, group in itertools.groupby(outcome.matches, key=lambda one: one.deal):
        wins = [(win, bot) for one in group for win, bot in zip(one.wins, one.bots, strict=True)]
        shares.append(sum(win for win, bot in wins if bot == 1) / sum(win for win, _ in wins))
    return Rung(weaker, stronger, len(outcome.matches), elo, mean(shares))


def table(game: Game, two: Sequence[Rung], usual: Sequence[Rung]) -> str:
    """Writes what the levels of a game are worth, as a table in Markdown."""
    fuller = {(one.weaker, one.stronger): one for one in usual}
    known = {f"level:{level.number}": level for level in levels(game)}
    rows = [
        f"| level | each decision | against | Elo, 2 seats | its half's wins, "
        f"{game.about.usual} seats |",
        "|---|---|---|---|---|",
    ]
    for one in two:
        level = known[one.stronger]
        below = known[one.weaker].name if one.weaker in known else one.weaker
        many = fuller[one.weaker, one.stronger]
        cells = f"{level.number} {level.name}", level.says, below, _elo(one), _wins(many)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _elo(one: Rung) -> str:
    """Writes a rating; a sweep has none, only a bound."""
    if one.wins.value == 1:
        return f"wins all {one.matches}"
    return f"{one.elo.value:+.0f} ({one.elo.low:+.0f} to {one.elo.high:+.0f})"


def _wins(one: Rung) -> str:
    return f"{one.wins.value:.0%} ({one.wins.low:.0%} to {one.wins.high:.0%})"


def write_between(file: Path, name: str, text: str) -> None:
    """Replaces what a file of Markdown holds between the two marks of that name."""
    first, last = f"<!-- {name} -->", f"<!-- end of {name} -->"
    whole = file.read_text(encoding="utf-8")
    before, mark, rest = whole.partition(first)
    _, end, after = rest.partition(last)
    if not mark or not end:
        raise BadTournament(f"{file} has no place between {first} and {last}.")
    file.write_text(f"{before}{first}\n{text}\n{last}{after}", encoding="utf-8")
