"""Converts matches to records and back, checking every line."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

from foxden.engine.errors import BadRecord, BadSeats, FoxdenError, NotYourTurn, WrongRules
from foxden.engine.options import check_options
from foxden.engine.parts import changed_parts, part_changes
from foxden.engine.record import Move, Record, parse_record, write_record
from foxden.engine.registry import find
from foxden.engine.rng import seed_hash

if TYPE_CHECKING:
    from foxden.engine.game import Game
    from foxden.engine.match import Match

Made = TypeVar("Made")


@cache
def default_name(seat: int) -> str:
    """Returns the default name of a seat."""
    return f"Seat {seat}"


def record_of(match: Match, *, tell_seed: bool) -> str:
    """Writes a match as a record, with its seed or only the seed's hash."""
    game, options = match.game, match.options
    return write_record(
        Record(
            game=game.name,
            rules=game.rules_version,
            seats=match.seats,
            stream=match.stream,
            seed=match.seed if tell_seed else None,
            seed_hash=None if tell_seed else seed_hash(match.seed),
            names={s: name for s, name in enumerate(match.names) if name != default_name(s)},
            options={
                option.name: option.text(options[option.name])
                for option in game.options
                if options[option.name] != option.standard
            },
            parts=dict(part_changes(game.printed, match.parts)),
            moves=tuple(Move(seat, str(action)) for seat, action in match.moves),
            scores=match.scores if match.is_over else None,
            winners=match.winners if match.is_over else None,
        )
    )


def match_from(
    kind: type[Match], text: str, *, seed: int | None = None, game: Game | None = None
) -> Match:
    """Replays a record, checking every line."""
    record = parse_record(text)
    game = game or _from_line(record, "game", lambda: find(record.game))
    if record.rules != game.rules_version:
        raise WrongRules(
            f"The record follows version {record.rules} of the rules of {game.title}; "
            f"this is version {game.rules_version}.",
            line=record.lines["rules"],
        )
    match = _dealt(kind, record, game, _seed_of(record, seed))
    moves = []
    for move in record.moves:
        try:
            moves.append((move.seat, game.action(move.notation).id))
        except FoxdenError:
            break  # earlier lines may be refused first
    try:
        match.replay(moves)
        for move in record.moves[len(moves) :]:
            match.play(move.notation, move.seat)
    except FoxdenError as error:
        move = record.moves[match.ply]
        column = len(f"{match.ply + 1}. [")
        if not isinstance(error, (NotYourTurn, BadSeats)):
            column += len(f"{move.seat}] ")
        raise BadRecord(str(error), line=move.line, column=column + 1) from error
    _check_result(match, record)
    return match


def _from_line(record: Record, key: str, make: Callable[[], Made]) -> Made:
    """Calls a constructor for a line of the record; errors name the line."""
    try:
        return make()
    except FoxdenError as error:
        raise BadRecord(str(error), line=record.lines[key]) from error


def _seed_of(record: Record, told: int | None) -> int:
    if record.seed is not None:
        return record.seed
    if told is None:
        raise BadRecord(
            "The seed of this match is still secret; it is needed to replay it.",
            line=record.lines["seed-hash"],
        )
    if seed_hash(told) != record.seed_hash:
        raise BadRecord(
            "The seed told is not the one that was promised.", line=record.lines["seed-hash"]
        )
    return told


def _dealt(kind: type[Match], record: Record, game: Game, seed: int) -> Match:
    _from_line(record, "seats", lambda: game.check_seats(record.seats))
    for name, value in record.options.items():
        _from_line(record, f"option {name}", partial(check_options, game.options, {name: value}))
    for path, value in record.parts.items():
        _from_line(record, f"part {path}", partial(changed_parts, game.printed, {path: value}))
    for seat in record.names:
        if seat >= record.seats:
            raise BadRecord(f"There is no seat {seat}.", line=record.lines[f"name {seat}"])
    deal = partial(kind, game, seats=record.seats, seed=seed, stream=record.stream)
    deal = partial(deal, options=record.options, parts=record.parts, names=record.names)
    # The remaining errors, incompatible options or parts, name themselves.
    return _from_line(record, "game", deal)


def _check_result(match: Match, record: Record) -> None:
    last = record.moves[-1].line if record.moves else 1
    if record.scores is None and match.is_over:
        raise BadRecord("The match is over here, but the result is missing.", line=last)
    if record.scores is not None and not match.is_over:
        raise BadRecord(
            "A result stands here, but the match is not over.", line=record.lines["scores"]
        )
    for key, told, true in (
        ("scores", record.scores, match.scores),
        ("winners", record.winners, match.winners),
    ):
        if told is not None and told != true:
            raise BadRecord(
                f"The {key} are {' '.join(map(str, true)) or 'none'}, "
                f"not {' '.join(map(str, told)) or 'none'}.",
                line=record.lines[key],
                column=len(key) + 3,
            )
