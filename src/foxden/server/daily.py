"""The daily deal: one deal in each game for everybody, from midnight to midnight UTC.

Its seed comes from the server's secret and the date, so nobody knows it before. Everybody sits in
the same seat against the same bots, whose luck is the deal's too: where two people play the same
moves, the same happens.
"""

from __future__ import annotations

import hashlib
import re
import time
from datetime import UTC, date, datetime, timedelta

from foxden.engine.game import Game
from foxden.engine.rng import SEED_BITS
from foxden.server import seating
from foxden.server.people import People
from foxden.server.problems import bad_field
from foxden.server.store import PersonRow, SeatRow, TableRow

SEAT = 0  # of whoever plays
LEVEL = 3  # of the bots: limited by simulations in every game, so they always decide alike
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def today(now: float | None = None) -> str:
    """Returns the date in UTC."""
    return datetime.fromtimestamp(time.time() if now is None else now, UTC).date().isoformat()


def ends(day: str) -> float:
    """Returns the time when a day ends."""
    following = date.fromisoformat(day) + timedelta(days=1)
    return datetime(following.year, following.month, following.day, tzinfo=UTC).timestamp()


def check_day(day: str) -> str:
    """Refuses an invalid date or a future day."""
    try:
        if not DAY.fullmatch(day):
            raise ValueError
        date.fromisoformat(day)
    except ValueError:
        raise bad_field("day", f"A day is written 2026-11-16, not {day!r}.") from None
    if day > today():
        raise bad_field("day", "This day is still to come.")
    return day


def source_of(game: str, day: str) -> str:
    """Returns a deal's name, as its tables carry it."""
    return f"daily {day} {game}"


def table_of(people: People, game: str, day: str, person: str) -> str:
    """Returns the id of a person's table: only one, so nobody plays a deal twice."""
    return people.keyed(f"{source_of(game, day)} {person}")[:10]


def luck_of(row: TableRow) -> int | None:
    """Returns the bots' luck at a table of a daily deal."""
    if row.day is None:
        return None
    return _number(f"luck {row.seed}")


def is_under_way(row: TableRow) -> bool:
    """Returns whether others may still play a table's deal: its seed stays secret until then."""
    return row.day is not None and row.day >= today()


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16]) >> 128 - SEED_BITS


def seed_of(people: People, game: str, day: str) -> int:
    """Derives a day's seed, which only this server can."""
    return _number(people.keyed(f"seed of {source_of(game, day)}"))


def seats_of(game: Game) -> int:
    """Returns how many play."""
    return game.usual_seats(game.about.quick)


def new_table(people: People, game: Game, day: str, person: PersonRow, uptime: float) -> TableRow:
    """Sets up a person's table for a day's deal."""
    taken = {person.name}
    seats = [SeatRow("person", person.id, person.name)]
    for number in range(1, seats_of(game)):
        name = seating.bot_name(number, taken)
        taken.add(name)
        seats.append(SeatRow("bot", name=name, level=LEVEL))
    now = time.time()
    return TableRow(
        id=table_of(people, game.name, day, person.id),
        game=game.name,
        rules_version=game.rules_version,
        seats=tuple(seats),
        options=dict(game.setup(len(seats), game.about.quick).options),
        parts={},
        clock={"kind": "none"},
        access="link",
        watch="seated",
        hints=False,
        pace="brisk",
        host=person.id,
        seed=seed_of(people, game.name, day),
        status="running",
        created=now,
        started=now,
        began=uptime,
        source=source_of(game.name, day),
        origin={"day": day},
    )
