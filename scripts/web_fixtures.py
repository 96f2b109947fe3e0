"""Writes web/fixtures/GAME.json: positions of real play in which something new is to be drawn.

A position is kept when a kind of action is open in it that was not yet seen in its phase, when its
number of seats or its house rule is new, or when somebody first waits, watches or has finished. The
same sources always write the same files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import foxden
from foxden.bots import ask, find_bot
from foxden.engine.match import Match
from foxden.engine.options import Choice, Flag
from foxden.engine.registry import find

FOLDER = Path(__file__).parent.parent / "web" / "fixtures"
GAMES = FOLDER.parent / "src" / "games"
NAMES = ("Mia", "Jonas", "Amara", "Teodor", "Linh", "Oskar", "Priya", "Wanda")
MOST_BYTES = 200_000
RECENT = 6  # how many actions of the log come with a position


def tables(name: str) -> list[dict[str, Any]]:
    """Returns the tables to play: a board's own choice, or every number of seats and option."""
    chosen = GAMES / name / "tables.json"
    if chosen.exists():
        found: list[dict[str, Any]] = json.loads(chosen.read_text(encoding="utf-8"))
        return found
    game = find(name)
    found = [{"seats": seats} for seats in sorted(game.about.seats, key=_usual)]
    for option in game.options:
        if isinstance(option, (Flag, Choice)):
            found += [
                {"seats": seats, "options": {option.name: value}}
                for value in option.samples()
                if value != option.standard
                for seats in reversed(game.about.seats)
            ]
    return [table for table in found if _fits(name, table)]


def _usual(seats: int) -> int:
    return abs(seats - 4)  # the usual tables come first, so that most fixtures show them


def _fits(name: str, table: dict[str, Any]) -> bool:
    try:
        foxden.new(name, seed=0, **table)
    except foxden.FoxdenError:
        return False
    return True


def news(match: Match, view: dict[str, Any], table: dict[str, Any]) -> set[tuple[str, ...]]:
    """Names what a view has to show: see the head of this file."""
    if not view["legal"]:
        side = "spectator" if view["seat"] is None else "waits"
        return {("over" if match.is_over else "running", side)}
    shown: set[tuple[str, ...]] = {
        (str(view["table"]["phase"]), a["notation"].split()[0]) for a in view["legal"]
    }
    if match.ply >= 8 * match.seats:
        shown.add(("seats", str(match.seats)))
        shown |= {("option", name, str(value)) for name, value in table.get("options", {}).items()}
    return shown


def fixtures(name: str) -> list[dict[str, Any]]:
    """Plays a game at many tables and keeps what is new."""
    kept: list[dict[str, Any]] = []
    seen: set[tuple[str, ...]] = set()
    size = 0
    bots = (find_bot("greedy"), find_bot("random"))
    for number, table in enumerate(tables(name)):
        match = foxden.new(name, seed=number + 1, names=NAMES[: table["seats"]], **table)
        while True:
            asked = match.to_act
            waits = 0 if asked is None else (asked + 1) % match.seats
            for seat in dict.fromkeys((asked, waits, None)):
                view = match.view(seat)
                fresh = news(match, view, table) - seen
                # The first deal of a match shows little: a position in the middle is worth more.
                if not fresh or (match.ply < 3 * match.seats and number == 0):
                    continue
                options = ", ".join(f"{k} {v}" for k, v in table.get("options", {}).items())
                side = (
                    "asked" if view["legal"] else "waits" if view["seat"] is not None else "watches"
                )
                phase = "over" if match.is_over else view["table"]["phase"]
                words = [f"{phase}, {side}", f"{match.seats} seats", options]
                fixture = {
                    "name": ", ".join(word for word in words if word),
                    "view": view,
                    "log": match.log(seat, max(0, match.ply - RECENT)),
                }
                more = len(written(fixture).encode())
                if size + more > MOST_BYTES:
                    continue
                size += more
                seen |= fresh
                kept.append(fixture)
            if match.is_over:
                break
            # Some chance in the play brings up what sensible players avoid.
            bot = bots[1 if (match.ply + number) % 5 == 0 else 0]
            match.play(ask(bot, match, seed=number))
    return kept


class Wish(NamedTuple):
    """A position that a board has to show, beyond what is new: a table, and how to know it."""

    name: str
    table: dict[str, Any]
    shows: Callable[[dict[str, Any]], bool]  # asked of the views of seat 0


def kinds_of(view: dict[str, Any]) -> list[str]:
    """Lists the kind of every legal action."""
    return [action["notation"].split()[0] for action in view["legal"]]


def _both_ends(view: dict[str, Any]) -> bool:
    claimed = [a["notation"].split()[1] for a in view["legal"] if a["notation"].startswith("claim")]
    runs = [str(pile["number"]) for pile in view["table"]["piles"] if pile["kind"] == "run"]
    return any(claimed.count(number) > 1 for number in runs)


JOKERS = {"seats": 4, "options": {"foxes": "jokers"}}
WISHES = {
    "fox-and-squirrels": (
        Wish("a fox has called", JOKERS, lambda v: v["table"]["top"] == "fox" and bool(v["legal"])),
        Wish("a run to claim at both ends", JOKERS, _both_ends),
        Wish("sets, runs and claims", JOKERS, lambda v: {"set", "run", "claim"} <= {*kinds_of(v)}),
        Wish("many melds", JOKERS, lambda v: kinds_of(v).count("set") > 3),
        Wish("the last card", JOKERS, lambda v: kinds_of(v) == ["discard"]),
        Wish("a full table waits", JOKERS, lambda v: len(v["table"]["piles"]) > 9),
        Wish(
            "a dare, 5 seats",
            {"seats": 5, "options": {"foxes": "eight_aces", "fox_demand": "dare"}},
            lambda v: any(s["dare"] for s in v["table"]["seats"]) and "plan" in kinds_of(v),
        ),
        Wish(
            "one heap, 2 seats",
            {"seats": 2, "options": {"foxes": "jokers", "cooperative": True}},
            lambda v: len(v["table"]["piles"]) > 3 and "plan" in kinds_of(v),
        ),
    ),
}


def wished(name: str) -> list[dict[str, Any]]:
    """Plays until each wish of a game has come true, match after match."""
    bot = find_bot("greedy")
    kept = []
    for wish in WISHES.get(name, ()):
        names = NAMES[: wish.table["seats"]]
        for seed in range(1000):
            match = foxden.new(name, seed=seed, names=names, **wish.table)
            while not match.is_over and not wish.shows(match.view(0)):
                match.play(ask(bot, match, seed=seed))
            if not match.is_over:
                recent = match.log(0, max(0, match.ply - RECENT))
                kept.append({"name": wish.name, "view": match.view(0), "log": recent})
                break
    return kept


def written(fixture: dict[str, Any]) -> str:
    """Writes a position on one line."""
    return json.dumps(fixture, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    """Writes the files of the games named, or of all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or foxden.games():
        kept = fixtures(name) + wished(name)
        lines = ",\n".join(map(written, kept))
        (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        print(f"{name}: {len(kept)} positions")


if __name__ == "__main__":
    main()
