"""The ladder: each level plays the one below it; a table shows their strength.

Pairs meet on duplicate deals like everything in the arena. Level 5 is bounded by time, so the
ladder plays it with a tenth of the simulations that its second gives on an idle core: the same on
every machine, and a lower bound of what the level is worth.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from foxden.arena.chance import Chance
from foxden.arena.cluster import Workers
from foxden.arena.intervals import Share, share_anytime
from foxden.arena.results import as_json
from foxden.arena.tournament import (
    BadTournament,
    Journal,
    Outcome,
    Plan,
    Played,
    chance_of,
    outcome,
    run,
)
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
    """The result of the stronger of two bots against the weaker."""

    matches: int
    elo: Share  # of the stronger over the weaker
    wins: Share  # share of all wins that fall to the stronger's half of the table
    seed: int  # of the deals
    luck: int  # of the bots

    @property
    def is_clear(self) -> bool:
        """Returns whether the stronger is better, at 95 % however often it is asked."""
        return self.elo.low > 0 and self.wins.low > 0.5


Rungs = Mapping[tuple[str, str], Rung]


def climb(
    game: Game,
    *,
    seats: int,
    matches: int,
    seed: int | None = None,
    luck: int | None = None,
    folder: Path | None = None,
    workers: Workers | int = 1,
    early: bool = True,
    report: Callable[[Played], None] = lambda played: None,
) -> Rungs:
    """Plays every pair, continuing from its journal in the folder."""
    rungs = {}
    for pair in PAIRS:
        journal = _journal(game, pair, seats, folder) if folder else None
        chance = chance_of(journal, seed, luck)
        rungs[pair] = rung(
            run(
                game,
                [measured(name) for name in pair],
                _plan(game, pair, seats, -(-matches // seats), chance),
                workers=workers,
                journal=journal,
                stop_when_clear=early,
                report=report,
            )
        )
    return rungs


def climbed(game: Game, *, seats: int, folder: Path) -> Rungs:
    """Returns the results in a folder's journals, without playing."""
    rungs = {}
    for pair in PAIRS:
        file = _journal(game, pair, seats, folder)
        plan = _plan(game, pair, seats, 0, chance_of(file))
        done = Journal(file, plan).done if file.exists() else {}
        deals = next(
            deal
            for deal in itertools.count()
            if any((deal, rotation) not in done for rotation in range(seats))
        )
        if deals:
            rungs[pair] = rung(outcome(plan, done.values(), deals))
    return rungs


def _plan(game: Game, pair: tuple[str, str], seats: int, deals: int, chance: Chance) -> Plan:
    """Lets two bots share a table evenly."""
    seed, luck = chance
    return Plan(game=game.name, bots=pair, seats=seats, deals=deals, seed=seed, luck=luck)


def _journal(game: Game, pair: tuple[str, str], seats: int, folder: Path) -> Path:
    return folder / f"{game.name}-{seats}-{digest(game, pair)}.jsonl"


def measured(name: str) -> Bot:
    """Makes a bot as the ladder plays it: bounded by simulations alone."""
    bot = find_bot(name)
    return LevelBot(bot.number, measured=True) if isinstance(bot, LevelBot) else bot


def digest(game: Game, pair: Sequence[str]) -> str:
    """Identifies how two bots play, so a journal of other bots is not continued."""
    told = [*pair, game.rules_version, asdict(settings_of(game))]
    told += [asdict(level) for level in levels(game) if f"level:{level.number}" in pair]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]


def rung(played: Outcome) -> Rung:
    """Sums up a tournament of two bots."""
    stronger = played.plan.bots[1]
    line = next(line for line in played.standings if line.bot == stronger)
    # Two ratings lie evenly about nought.
    elo = Share(*(2 * value for value in (line.elo.value, line.elo.low, line.elo.high)))
    shares = []
    for _, group in itertools.groupby(played.matches, key=lambda one: one.deal):
        wins = [(win, bot) for one in group for win, bot in zip(one.wins, one.bots, strict=True)]
        if any(win for win, _ in wins):  # nobody wins where all play together
            shares.append(sum(win for win, bot in wins if bot == 1) / sum(win for win, _ in wins))
    plan = played.plan
    return Rung(len(played.matches), elo, share_anytime(shares), plan.seed, plan.luck)


def levels_data(game: Game, measured: Mapping[int, Rungs] | None = None) -> dict[str, Any]:
    """Returns a game's levels and their strength by seats, as plain data."""
    found: dict[str, Any] = {
        "game": game.name,
        "rules": game.rules_version,
        "levels": [asdict(level) | {"says": level.says} for level in levels(game)],
    }
    if measured is not None:
        found["measured"] = [
            {"seats": seats, "weaker": weaker, "stronger": stronger} | as_json(one)
            for seats, rungs in measured.items()
            for (weaker, stronger), one in rungs.items()
        ]
    return found


def table(game: Game, two: Rungs, usual: Rungs) -> str:
    """Writes the strength of a game's levels, as a table in Markdown."""
    known = {f"level:{level.number}": level for level in levels(game)}
    rows = [
        f"| level | each decision | against | Elo, 2 seats | its half's wins, "
        f"{game.about.usual} seats |",
        "|---|---|---|---|---|",
    ]
    for weaker, stronger in PAIRS:
        level = known[stronger]
        below = known[weaker].name if weaker in known else weaker
        cells = [f"{level.number} {level.name}", level.says, below]
        cells += [_elo(two.get((weaker, stronger))), _wins(usual.get((weaker, stronger)))]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _elo(one: Rung | None) -> str:
    """Writes a rating; a sweep has none, only a bound."""
    if one is None:
        return "not measured"
    if one.wins.value == 1:
        return f"all of {one.matches} matches ({one.elo.low:+.0f} or more)"
    return f"{one.elo.text('+.0f')}, {one.matches} matches"


def _wins(one: Rung | None) -> str:
    if one is None:
        return "not measured"
    return f"{one.wins.text('.0%')}, {one.matches} matches"


def write_between(file: Path, name: str, text: str) -> None:
    """Replaces what a file of Markdown holds between the two marks of that name."""
    first, last = f"<!-- {name} -->", f"<!-- end of {name} -->"
    whole = file.read_text(encoding="utf-8")
    before, mark, rest = whole.partition(first)
    _, end, after = rest.partition(last)
    if not mark or not end:
        raise BadTournament(f"{file} has no place between {first} and {last}.")
    file.write_text(f"{before}{first}\n{text}\n{last}{after}", encoding="utf-8")
