"""A table as clients see it, from its row and the known facts of its match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foxden.engine.rng import seed_hash
from foxden.server import daily, seating
from foxden.server.messages import Origin, SeatInfo, TableInfo
from foxden.server.people import People
from foxden.server.presence import Presence
from foxden.server.store import PersonRow, Status, TableRow


@dataclass(frozen=True)
class Standing:
    """The state of a match."""

    status: Status
    ply: int
    to_act: int | None
    changed: float  # when the last thing happened
    scores: Sequence[int] | None = None
    winners: Sequence[int] | None = None
    undone: int = 0  # how often moves were taken back


def table_info(
    row: TableRow,
    title: str,
    standing: Standing,
    presence: Presence,
    person: PersonRow | None,
    *,
    people: People,
    uptime: float,
    invited: bool = False,
) -> TableInfo:
    """Describes a table to a person."""
    over = standing.status == "over"
    hosting = seating.is_host(row, person)
    sitting = seating.seats_of(row, person)
    invite = None
    if invited or hosting or sitting:
        invite = f"/t/{row.id}?key={people.invite_key(row.id)}"
    seated = {seat.person for seat in row.seats if seat.kind == "person" and seat.person}
    return TableInfo(
        id=row.id,
        game=row.game,
        title=title,
        rules_version=row.rules_version,
        status=standing.status,
        seats=[
            _seat_info(row, seat, person, people, presence, uptime)
            for seat in range(len(row.seats))
        ],
        options=row.options,
        parts=row.parts,
        clock=row.clock,
        access=row.access,  # type: ignore[arg-type]
        watch=row.watch,  # type: ignore[arg-type]
        hints=row.hints,
        pace=row.pace,  # type: ignore[arg-type]
        grace=row.grace,
        host=hosting,
        begin_in=begin_in(row, person, presence, uptime),
        invite=invite,
        muted=[people.voice(row.id, muted) for muted in row.muted],
        seed_hash=seed_hash(row.seed),
        seed=str(row.seed) if over and not daily.is_under_way(row) else None,
        ply=standing.ply,
        to_act=standing.to_act,
        scores=list(standing.scores or ()) if over else None,
        winners=list(standing.winners or ()) if over else None,
        created=row.created,
        changed=standing.changed,
        watchers=presence.watchers(seated),
        rematch=row.rematch,
        undone=standing.undone,
        can_undo=standing.status == "running" and seating.may_undo(row, person),
        origin=_origin(row),
    )


def _origin(row: TableRow) -> Origin | None:
    """Describes a match's origin, without other people's data."""
    if row.day is not None:
        return Origin("daily", day=row.day)
    told = row.branch
    if told is None:
        return None
    return Origin(
        "branch",
        table=row.source,
        ply=len(told["moves"]),
        seat=told["seat"],
        open=told["world"] is None,
    )


def begin_in(
    row: TableRow, person: PersonRow | None, presence: Presence, uptime: float
) -> float | None:
    """Returns the seconds until the person may begin the match, None if they never may."""
    if row.status != "open":
        return None
    if seating.is_host(row, person):
        return 0.0
    away = presence.away(row.host, uptime, 0.0) if seating.seats_of(row, person) else None
    return None if away is None else max(0.0, row.grace * 60.0 - away)


def replace_in(row: TableRow, seat: int, presence: Presence, uptime: float) -> float | None:
    """Returns the seconds until others may let a bot play for an absent player."""
    at = row.seats[seat]
    if row.status != "running" or at.kind != "person" or at.level is not None:
        return None
    away = presence.away(at.person or "", uptime, row.began or 0.0)
    return None if away is None else max(0.0, row.grace * 60.0 - away)


def _seat_info(
    row: TableRow,
    seat: int,
    person: PersonRow | None,
    people: People,
    presence: Presence,
    uptime: float,
) -> SeatInfo:
    at = row.seats[seat]
    return SeatInfo(
        seat=seat,
        kind=at.kind,
        name=at.name or "",
        level=at.level,
        standin=at.kind == "person" and at.level is not None,
        resigned=at.resigned,
        mine=seating.is_mine(row, person, seat),
        here=at.kind == "bot" or presence.is_here(at.person),
        replace_in=replace_in(row, seat, presence, uptime),
        voice=people.voice(row.id, at.person) if at.kind == "person" and at.person else None,
    )
