"""Plays the pairs of docs/baselines.md on duplicate deals, and writes its tables.

python -m scripts.baselines play --minutes 30 [GAME …]    # adds to docs/results/baselines.json
python -m scripts.baselines gather JOURNAL …              # adds matches played elsewhere
python -m scripts.baselines write                         # puts the tables into docs/baselines.md

Every pair has the seed and the luck below: `foxden arena` repeats one with two seats, and
`foxden simulate`, with a new deal for every match, one with more. Matches of a network that has
changed since are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import math
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import foxden
from foxden.arena.chance import deal_seed, dice_seed
from foxden.arena.intervals import share_anytime
from foxden.arena.series import play_match
from foxden.bots import find_bot, position_of
from foxden.bots.net import NoNetwork, trained_for
from foxden.engine import compiled
from foxden.engine.errors import BadOption
from foxden.engine.match import Match

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "docs" / "results" / "baselines.json"
PAGE = ROOT / "docs" / "baselines.md"
SEED, LUCK = 1, 2
SAVE_EVERY = 5.0  # seconds
LEAST = 4  # matches of a pair that the tables of more than two seats show
USUAL_COST = 20.0  # seconds of a match of which nothing is known yet

# Simulations in a second of one idle core, with two seats and with more (docs/results/strength.md).
SECOND = {
    "happy-fox": (300_000, 190_000),
    "fox-and-squirrels": (130_000, 110_000),
    "foxy-and-woolly": (70_000, 53_000),
    "fox-grove": (36_000, 19_000),
    "slyest-fox": (100_000, 49_000),
}
# How far a network looks ahead: about what level 5 has time for, or less where more brings nothing.
LOOKS = {
    "happy-fox": "net:300:explore=0.2",
    "fox-and-squirrels": "net:300",
    "foxy-and-woolly": "net:800:explore=0.3",
    "fox-grove": "net:800:explore=0.2",
    "slyest-fox": "net:800:explore=0.2",
}


@dataclass(frozen=True)
class Pair:
    """Two bots at a table, every other seat each, and how many matches are wanted of them."""

    game: str
    seats: int
    bots: tuple[str, str]
    matches: int

    @property
    def name(self) -> str:
        """Names the pair in a journal, with the network that plays."""
        words = [self.game, str(self.seats), *self.bots]
        if any(bot.startswith("net") for bot in self.bots):
            words.append(network_mark(self.game, self.seats))
        return " ".join(words)

    def units(self) -> Iterator[tuple[float, Pair, int, int]]:
        """Yields the pair's matches, each with the part of the pair that comes before it."""
        rotations = 2 if self.seats == 2 else 1
        for number in range(self.matches):
            deal, rotation = divmod(number, rotations)
            yield number / self.matches, self, deal, rotation


@cache
def network_mark(game: str, seats: int) -> str:
    """Returns a short digest of the network that plays a table; empty where none does."""
    try:
        match = Match(foxden.game(game), seats=seats, seed=0)
        network = trained_for(position_of(match, seed=0)).network
    except (NoNetwork, BadOption):  # more seats may need another option
        return ""
    parts = b"".join(part.tobytes() for part in (network.first, network.rest, network.policy))
    return hashlib.sha256(parts).hexdigest()[:8]


def pairs_of(name: str) -> Iterator[Pair]:
    """Yields the pairs of a game: each against each, for every number of seats with a network."""
    for seats in foxden.game(name).about.seats:
        if network_mark(name, seats):
            ladder = ladder_of(name, seats)
            for weaker, stronger in itertools.combinations(ladder, 2):
                yield Pair(name, seats, (stronger, weaker), _wanted(ladder, weaker, stronger))


def ladder_of(name: str, seats: int) -> list[str]:
    """Lists the bots of a game, about from weak to strong."""
    second = SECOND[name][seats > 2]
    searches = [f"search:{second // part}" for part in (100, 10, 1)]
    return ["random", "greedy", *searches, "net", LOOKS[name]]


def _wanted(ladder: list[str], weaker: str, stronger: str) -> int:
    """Returns how many matches a pair should have: fewer where a decision takes long."""
    slowest = ladder[4]
    if slowest in (weaker, stronger):
        return 400 if stronger == "net" else 40 if stronger.startswith("net") else 8
    enough = dict(zip(ladder, (400, 400, 200, 80, 0, 400, 40), strict=True))
    return min(enough[weaker], enough[stronger])


def play_unit(pair: Pair, deal: int, rotation: int) -> dict[str, Any]:
    """Plays one match in a worker."""
    began = time.process_time()
    game, seats = foxden.game(pair.game), pair.seats
    compiled.ensure(game)
    # With two seats as the arena plays, with more as a series does.
    moved, dice = (deal + rotation, (deal, rotation)) if seats == 2 else (deal, (deal,))
    seating = [(seat + moved) % seats % 2 for seat in range(seats)]
    bots = [_bot(name) for name in pair.bots]
    match = Match(game, seats=seats, seed=deal_seed(SEED, deal))
    play_match(match, [bots[k] for k in seating], dice_seed(LUCK, *dice))
    won, scores = match.winners, match.scores
    places = [((seat in won) / len(won), scores[seat]) for seat in range(seats)]
    met = [
        (places[p] > places[q]) + 0.5 * (places[p] == places[q])
        for p, q in itertools.product(range(seats), repeat=2)
        if (seating[p], seating[q]) == (0, 1)
    ]
    wins = sum(places[seat][0] for seat in range(seats) if seating[seat] == 0)
    return {
        "pair": pair.name,
        "deal": deal,
        "rotation": rotation,
        "ahead": round(sum(met) / len(met), 4),
        "wins": round(wins, 4),
        "seconds": round(time.process_time() - began, 2),
    }


@cache
def _bot(name: str) -> Any:
    return find_bot(name)


class Journal:
    """Matches by pair, deal and rotation."""

    def __init__(self, file: Path) -> None:
        """Reads what is there."""
        self.file = file
        self.found: dict[str, dict[tuple[int, int], list[float]]] = defaultdict(dict)
        if file.exists():
            for name, rows in json.loads(file.read_text(encoding="utf-8")).items():
                for deal, rotation, *told in rows:
                    self.found[name][deal, rotation] = told

    def add(self, one: dict[str, Any]) -> None:
        """Keeps a match."""
        told = [one["ahead"], one["wins"], one["seconds"]]
        self.found[one["pair"]][one["deal"], one["rotation"]] = told

    def save(self) -> None:
        """Writes all matches, a line a pair."""
        lines = []
        for name, rows in sorted(self.found.items()):
            listed = [[*unit, *told] for unit, told in sorted(rows.items())]
            lines.append(f"{json.dumps(name)}: {json.dumps(listed, separators=(',', ':'))}")
        part = self.file.with_suffix(".part")  # whoever is killed leaves one file or the other
        part.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        part.replace(self.file)

    def cost(self, pair: Pair) -> float:
        """Returns the seconds that a match of a pair takes."""
        rows = self.found.get(pair.name)
        return sum(told[2] for told in rows.values()) / len(rows) if rows else USUAL_COST


def play(
    pairs: list[Pair], journal: Journal, seconds: float, workers: int, log: Path | None
) -> None:
    """Plays what is missing, all pairs evenly, until the time is over; a match is never cut off.

    What was played is kept as it goes on, so that a run which is killed loses little.
    """
    end = time.monotonic() + seconds
    saved = time.monotonic()
    units = sorted(itertools.chain(*(pair.units() for pair in pairs)), key=lambda unit: unit[0])
    todo = [
        (pair, deal, rotation)
        for _, pair, deal, rotation in units
        if (deal, rotation) not in journal.found.get(pair.name, {})
    ]
    busy: dict[Future[dict[str, Any]], Pair] = {}
    try:
        with ProcessPoolExecutor(workers) as pool:
            while todo or busy:
                while len(busy) < workers:
                    left = end - time.monotonic()
                    fits = (k for k, unit in enumerate(todo) if journal.cost(unit[0]) * 1.5 < left)
                    k = next(fits, None)
                    if k is None:
                        break
                    unit = todo.pop(k)
                    busy[pool.submit(play_unit, *unit)] = unit[0]
                if not busy:
                    break
                for future in wait(busy, return_when=FIRST_COMPLETED).done:
                    del busy[future]
                    one = future.result()
                    journal.add(one)
                    if log:
                        with log.open("a", encoding="utf-8") as lines:
                            lines.write(json.dumps(one) + "\n")
                if time.monotonic() - saved > SAVE_EVERY:
                    journal.save()
                    saved = time.monotonic()
    finally:
        journal.save()


# The page


def elo_of(share: float) -> float:
    """Returns the difference of Elo that brings a share of wins."""
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def told_elo(rows: dict[tuple[int, int], list[float]]) -> str:
    """Tells a pair's difference with an interval that holds at any time, by deals."""
    deals: dict[int, list[float]] = defaultdict(list)
    for (deal, _), told in rows.items():
        deals[deal].append(told[0])
    share = share_anytime([sum(told) / len(told) for told in deals.values()])
    value, low, high = (elo_of(end) for end in (share.value, share.low, share.high))
    count = len(rows)
    if share.value == 1:
        return f"all of {count} ({low:+.0f} or more)"
    if share.value == 0:
        return f"none of {count} ({high:+.0f} or less)"
    return f"{value:+.0f} ({low:+.0f} to {high:+.0f}), {count}".replace("+inf", "∞")


def table(name: str, journal: Journal) -> str:
    """Writes a game's tables in Markdown."""
    lines = ["| bot | against | Elo, matches |", "|---|---|---|"]
    others = ["| seats | bot | against | its wins | even | matches |", "|---|---|---|---|---|---|"]

    def place(pair: Pair) -> tuple[int, int]:
        return pair.seats, -ladder_of(name, pair.seats).index(pair.bots[0])

    before = None
    for pair in sorted(pairs_of(name), key=place):
        rows = journal.found.get(pair.name)
        if not rows or (pair.seats > 2 and len(rows) < LEAST):
            continue
        bot = f"`{pair.bots[0]}`" if place(pair) != before else ""
        before = place(pair)
        if pair.seats == 2:
            lines.append(f"| {bot} | `{pair.bots[1]}` | {told_elo(rows)} |")
        else:
            wins = share_anytime([told[1] for told in rows.values()])
            even = (pair.seats + 1) // 2 / pair.seats
            others.append(
                f"| {pair.seats} | {bot} | `{pair.bots[1]}` | {wins.value:.0%} ({wins.low:.0%} to "
                f"{wins.high:.0%}) | {even:.0%} | {len(rows)} |"
            )
    return "\n".join([*lines, "", *others, ""] if len(others) > 2 else [*lines, ""])


def write(journal: Journal) -> None:
    """Puts every game's tables between their marks on the page."""
    page = PAGE.read_text(encoding="utf-8")
    for name in SECOND:
        head, end = f"<!-- baselines of {name} -->\n", f"<!-- end of baselines of {name} -->"
        before, _, rest = page.partition(head)
        _, _, after = rest.partition(end)
        page = f"{before}{head}{table(name, journal)}{end}{after}"
    PAGE.write_text(page, encoding="utf-8")


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("game", nargs="*", default=list(SECOND))
    playing.add_argument("--minutes", type=float, default=10)
    playing.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    playing.add_argument("--seats", type=int, nargs="*", help="only tables of these seats")
    playing.add_argument("--bot", action="append", help="only pairs with this bot; repeat it")
    playing.add_argument("--without", action="append", default=[], help="no pairs with this bot")
    playing.add_argument("--log", type=Path, help="a line a match, for `gather`")
    gathering = commands.add_parser("gather")
    gathering.add_argument("journal", nargs="+", type=Path)
    commands.add_parser("write")
    given = parser.parse_args()
    journal = Journal(KEPT)
    if given.command == "play":
        pairs = [
            pair
            for name in given.game
            for pair in pairs_of(name)
            if (not given.seats or pair.seats in given.seats)
            and (not given.bot or set(pair.bots) & set(given.bot))
            and not set(pair.bots) & set(given.without)
        ]
        play(pairs, journal, given.minutes * 60, given.workers, given.log)
    elif given.command == "gather":
        for file in given.journal:
            for line in file.read_text(encoding="utf-8").splitlines():
                journal.add(json.loads(line))
        journal.save()
    else:
        write(journal)
    return 0


if __name__ == "__main__":
    sys.exit(main())
