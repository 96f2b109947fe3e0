"""Writes web/fixtures/GAME.json: positions of real play, each with something new to draw.

A position is kept when a kind of action is open in it that was not yet seen in its phase, when its
number of seats or its house rule is new, or when somebody first waits, watches or has finished. A
board may wish for more in the `wishes.json` of its folder: each wish is a setup and a pattern that
the view of seat 0 must match. The same sources always write the same files.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import foxden
from foxden.bots import ask, find_bot
from foxden.engine.match import Match
from foxden.engine.options import Choice, Flag

FOLDER = Path(__file__).parent.parent / "web" / "fixtures"
GAMES = FOLDER.parent / "src" / "games"
NAMES = ("Mia", "Jonas", "Amara", "Teodor", "Linh", "Oskar", "Priya", "Wanda")
MOST_BYTES = 300_000
RECENT = 6  # log entries per position


def tables(name: str) -> list[dict[str, Any]]:
    """Returns the tables to play: a board's own choice, or every number of seats and option."""
    chosen = GAMES / name / "tables.json"
    if chosen.exists():
        found: list[dict[str, Any]] = json.loads(chosen.read_text(encoding="utf-8"))
        return found
    game = foxden.game(name)
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
    """Names the things to draw in a view: see the top of this file."""
    if not view["legal"]:
        side = "spectator" if view["seat"] is None else "waits"
        return {("over" if match.is_over else "running", side)}
    shown: set[tuple[str, ...]] = {
        (str(view["table"]["phase"]), action["facts"]["kind"]) for action in view["legal"]
    }
    if match.ply >= 8 * match.seats:
        shown.add(("seats", str(match.seats)))
        shown |= {("option", name, str(value)) for name, value in table.get("options", {}).items()}
    return shown


def fixtures(name: str) -> list[dict[str, Any]]:
    """Plays a game at many tables and keeps new positions."""
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
            # Some random play reaches positions that sensible players avoid.
            bot = bots[1 if (match.ply + number) % 5 == 0 else 0]
            match.play(ask(bot, match, seed=number))
    return kept


def matches(pattern: Any, shown: Any) -> bool:
    """Returns whether a position matches a pattern.

    Of an object it names some keys, of a list some entries, each of which is another one.
    """
    if isinstance(pattern, dict):
        return all(key in shown and matches(part, shown[key]) for key, part in pattern.items())
    if isinstance(pattern, list):
        left = list(shown)
        for part in pattern:
            found = next((i for i, one in enumerate(left) if matches(part, one)), None)
            if found is None:
                return False
            del left[found]
        return True
    return bool(pattern == shown)


def wished(name: str) -> list[dict[str, Any]]:
    """Plays match after match until each wish of a board is met."""
    file = GAMES / name / "wishes.json"
    wishes = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    bot = find_bot("greedy")
    kept = []
    for wish in wishes:
        setup = wish["setup"]
        for seed in range(1000):
            match = foxden.new(name, seed=seed, names=NAMES[: setup["seats"]], **setup)
            while not match.is_over and not matches(wish["shows"], match.view(0)):
                match.play(ask(bot, match, seed=seed))
            if not match.is_over:
                recent = match.log(0, max(0, match.ply - RECENT))
                kept.append({"name": wish["name"], "view": match.view(0), "log": recent})
                break
        else:
            raise SystemExit(f"{name}: no match shows {wish['name']!r}")
    return kept


def written(fixture: dict[str, Any]) -> str:
    """Writes a position on one line."""
    return json.dumps(fixture, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    """Writes the files of the named games, or of all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or foxden.games():
        kept = fixtures(name) + wished(name)
        lines = ",\n".join(map(written, kept))
        (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        print(f"{name}: {len(kept)} positions")


if __name__ == "__main__":
    main()
