"""Who sits where and who may do what: pure functions on a table's row."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from foxden.server.problems import Refusal, bad_field, conflict, forbidden
from foxden.server.store import PersonRow, SeatRow, TableRow

# One for each seat and the animal it is drawn with: hedgehog, owl, rabbit, badger, chipmunk, deer,
# frog, bear. They are short, and no two begin alike.
BOT_NAMES = ("Nettle", "Hoot", "Clover", "Brock", "Pip", "Fern", "Lily", "Moss")
STAND_IN = 4  # the level that replaces people who left or are late, at tables without bots

# Who may do what


def is_mine(row: TableRow, person: PersonRow | None, seat: int) -> bool:
    """Returns whether a seat is the person's."""
    return (
        person is not None
        and 0 <= seat < len(row.seats)
        and row.seats[seat].kind == "person"
        and row.seats[seat].person == person.id
    )


def seats_of(row: TableRow, person: PersonRow | None) -> list[int]:
    """Lists the person's seats."""
    return [seat for seat in range(len(row.seats)) if is_mine(row, person, seat)]


def is_host(row: TableRow, person: PersonRow | None) -> bool:
    """Returns whether the person opened the table."""
    return person is not None and person.id == row.host


def belongs(row: TableRow, person: PersonRow | None) -> bool:
    """Returns whether the person hosts the table, sits there, or sat there until resigning."""
    return person is not None and (
        person.id == row.host or any(seat.person == person.id for seat in row.seats)
    )


def may_see(row: TableRow, person: PersonRow | None, invited: bool) -> bool:
    """Returns whether the table exists at all for the person."""
    return row.access == "listed" or invited or belongs(row, person)


def may_watch(row: TableRow, person: PersonRow | None, invited: bool) -> bool:
    """Returns whether the person may follow the match."""
    if belongs(row, person):
        return True
    free = row.watch == "anyone" or row.status == "open"
    return free and may_see(row, person, invited)


def check_host(row: TableRow, person: PersonRow | None) -> None:
    """Refuses what only the host may do."""
    if not is_host(row, person):
        raise forbidden("Only the host can do this.")


def my_seat(row: TableRow, person: PersonRow | None, seat: int) -> SeatRow:
    """Returns the person's seat, refusing somebody else's."""
    check_seat(row, seat)
    if not is_mine(row, person, seat):
        raise forbidden(f"Seat {seat} is not yours.")
    return row.seats[seat]


def check_seat(row: TableRow, seat: int) -> None:
    """Refuses a seat that the table does not have."""
    if not 0 <= seat < len(row.seats):
        raise bad_field("seat", f"There is no seat {seat} at this table.")


def check_open(row: TableRow, seat: int) -> None:
    """Refuses seat changes once the match has begun."""
    check_seat(row, seat)
    if row.status != "open":
        raise conflict("started", "The match has started, so seats cannot change.")


# Before the match


def sit(row: TableRow, seat: int, person: PersonRow, name: str) -> TableRow:
    """Seats a person in a free seat; only the host may take several."""
    check_open(row, seat)
    hosting = is_host(row, person)
    at = row.seats[seat]
    if at.kind != "open" and not (at.kind == "bot" and hosting):
        raise conflict("seat-taken", f"Seat {seat} is taken.")
    if person.id in row.kept_out:
        raise forbidden("The host has given your seat to somebody else.")
    if not hosting and seats_of(row, person):
        raise conflict("seated", "You sit at this table already.")
    return reseated(row, seat, SeatRow("person", person.id, name))


def seat_bot(row: TableRow, seat: int, level: int) -> TableRow:
    """Seats a bot; a person who sat there loses the seat."""
    check_open(row, seat)
    return reseated(_sent_home(row, seat), seat, new_bot(row, seat, level))


def free(row: TableRow, seat: int, level: int) -> TableRow:
    """Opens a seat, which a bot of that level fills if nobody comes.

    A person who sat there loses the seat, and may not sit here again.
    """
    check_open(row, seat)
    return reseated(_sent_home(row, seat), seat, SeatRow("open", level=level))


def _sent_home(row: TableRow, seat: int) -> TableRow:
    person = row.seats[seat].person
    if person is None or person == row.host or person in row.kept_out:
        return row
    return replace(row, kept_out=(*row.kept_out, person))


def start(row: TableRow, now: float, uptime: float) -> TableRow:
    """Begins the match; open seats get bots."""
    if row.status != "open":
        raise conflict("started", "The match has already started.")
    for seat, at in enumerate(row.seats):
        if at.kind == "open":
            row = reseated(row, seat, new_bot(row, seat, at.level or bot_level(row)))
    return replace(row, status="running", started=now, began=uptime)


# At any time


def leave(row: TableRow, seat: int, person: PersonRow) -> TableRow:
    """Gives up a seat: it is open again, or a bot plays on in it for good."""
    at = my_seat(row, person, seat)
    if row.status == "over":
        raise conflict("match-over", "The match is over.")
    if row.status == "open":
        return reseated(row, seat, SeatRow("open", level=bot_level(row)))
    level = at.level or bot_level(row)
    return reseated(row, seat, SeatRow("bot", person.id, at.name, level, resigned=True))


def stand_in(row: TableRow, seat: int, person: PersonRow | None, level: int | None) -> TableRow:
    """Lets a bot play for a person, or gives the seat back."""
    if level is not None and not 1 <= level <= 5:
        raise bad_field("level", "Levels go from 1 to 5.")
    at = my_seat(row, person, seat)
    if row.status != "running":
        raise conflict("not-running", "Bots stand in only during a match.")
    if level is not None:
        _check_alone(row)
    return reseated(row, seat, replace(at, level=level))


def _check_alone(row: TableRow) -> None:
    """Refuses a bot's help where everybody is compared with everybody else."""
    if row.day is not None:
        raise conflict("daily", "A daily deal is played by oneself; no bot stands in.")


def replace_absent(row: TableRow, seat: int) -> TableRow:
    """Lets a bot play for somebody who is away; they may take the seat back."""
    check_seat(row, seat)
    if row.status != "running":
        raise conflict("not-running", "Bots stand in only during a match.")
    at = row.seats[seat]
    if at.kind != "person" or at.level is not None:
        raise conflict("standin", "A bot plays this seat already.")
    _check_alone(row)
    return reseated(row, seat, replace(at, level=bot_level(row)))


def check_undo(row: TableRow, person: PersonRow | None) -> list[int]:
    """Returns the seats of a person who may undo: somebody alone against bots."""
    mine = seats_of(row, person)
    if not mine:
        raise forbidden("Only players can take moves back.")
    if row.day is not None:
        raise conflict("daily", "A daily deal has one try; nothing is taken back.")
    if any(at.kind != "bot" or at.resigned for n, at in enumerate(row.seats) if n not in mine):
        raise conflict("not-alone", "Moves can be taken back only alone against bots.")
    if row.clock.get("kind", "none") != "none":
        raise conflict("clock", "Moves cannot be taken back at a table with a clock.")
    if any(row.seats[seat].level is not None for seat in mine):
        raise conflict("standin", "A bot is playing for you. Take your seat back first.")
    return mine


def may_undo(row: TableRow, person: PersonRow | None) -> bool:
    """Returns whether `check_undo` refuses nothing."""
    try:
        check_undo(row, person)
    except Refusal:
        return False
    return True


def hurried(row: TableRow, person: PersonRow | None, pace: str) -> TableRow:
    """Returns the row with another pace of the bots."""
    check_host(row, person)
    return replace(row, pace=pace)


def mute(row: TableRow, person: str) -> TableRow:
    """Mutes somebody here."""
    if person == row.host:
        raise forbidden("You cannot mute yourself.")
    return row if person in row.muted else replace(row, muted=(*row.muted, person))


def unmute(row: TableRow, person: str) -> TableRow:
    """Unmutes somebody."""
    return replace(row, muted=tuple(other for other in row.muted if other != person))


def check_closable(row: TableRow, person: PersonRow, playing: Collection[str]) -> None:
    """Refuses to close a table that is over, or where somebody else still plays."""
    check_host(row, person)
    if row.status == "over":
        raise conflict("match-over", "The match is over; its result stays.")
    if row.day is not None:
        raise conflict("daily", "A daily deal has one try; play it to its end.")
    if row.status == "running":
        others = [seat for seat in row.seats if seat.kind == "person" and seat.person != row.host]
        names = [seat.name or "" for seat in others if seat.person in playing]
        if names:
            raise conflict(
                "others-play", f"{' and '.join(names)} would lose this match; resign instead."
            )


def reseated(row: TableRow, seat: int, sitter: SeatRow) -> TableRow:
    """Returns the row with somebody else in a seat."""
    seats = list(row.seats)
    seats[seat] = sitter
    return replace(row, seats=tuple(seats))


def bot_level(row: TableRow) -> int:
    """Returns the level of the table's bots, for a later one; STAND_IN without any."""
    levels = (seat.level for seat in row.seats if seat.kind != "person" and seat.level)
    return next(levels, STAND_IN)


def new_bot(row: TableRow, seat: int, level: int) -> SeatRow:
    """Returns a bot with a name that no other seat has."""
    taken = {at.name or "" for other, at in enumerate(row.seats) if other != seat}
    return SeatRow("bot", name=bot_name(seat, taken), level=level)


def bot_name(seat: int, taken: set[str]) -> str:
    """Names a bot after its seat's animal, uniquely at its table."""
    first = BOT_NAMES[seat % len(BOT_NAMES)]
    name, number = first, 1
    while name in taken:
        number += 1
        name = f"{first} {number}"
    return name
