"""What people see of Foxy & Woolly: the table, actions and events.

Nothing is hidden (FW-24), so a wiped state is the whole truth except the random stream, which play
no longer uses. Events rely on that: they replay an action's effects, answer by answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import numpy as np
from msgspec import Struct

from foxden.engine import compiled
from foxden.engine.kernel import Known, from_known, to_known
from foxden.engine.view import Event, Facts
from foxden.games.foxy_and_woolly.rules import (
    BID,
    CHASE,
    FACE,
    FIRE,
    HOLD,
    MOVE,
    NO_BID,
    NOBODY,
    PASS,
    STAY,
    STEAL,
    TAKE,
    Phase,
    State,
    act_in,
    forced_in,
    nearest_in,
)
from foxden.games.foxy_and_woolly.vocabulary import (
    ARROWS,
    GUN_STEP,
    LINE,
    MOVERS,
    ROW_WOLF,
    ROWS,
    SETS,
    SLOTS,
    SPECIAL,
    STEALS,
    WAYS,
    Arrow,
    Fate,
    Source,
    Special,
)

PhaseName = Literal["wolf", "auction", "gun", "loss", "order", "attack", "over"]
RowName = Literal["top", "mid", "low"]
NumberedWolf = Literal[
    "wolf 1", "wolf 2", "wolf 3", "wolf 4", "wolf 5", "wolf 6", "wolf 7", "wolf 8", "wolf 9"
]
RowWolf = Literal["wolf top", "wolf mid", "wolf low"]
Wolf = Literal[NumberedWolf, RowWolf]
Mover = Literal["left-right", "up-down", "rising", "falling"]
Scoring = Literal["flock", "wages", "trio", "guard", "pair"]
SpecialName = Literal[Mover, "gun", "steal", Scoring]
Token = Literal[Wolf, SpecialName]
FateName = Literal["alone", "watched", "trio", "guard", "pair"]

PHASE_NAMES: dict[int, PhaseName] = {
    Phase.WOLF: "wolf",
    Phase.AUCTION: "auction",
    Phase.GUN: "gun",
    Phase.LOSS: "loss",
    Phase.ORDER: "order",
    Phase.ATTACK: "attack",
    Phase.OVER: "over",
}
FATE_NAMES: dict[int, FateName] = {
    Fate.ALONE: "alone",
    Fate.WATCHED: "watched",
    Fate.TRIO: "trio",
    Fate.GUARD: "guard",
    Fate.PAIR: "pair",
}
ROW_NAMES: tuple[RowName, ...] = get_args(RowName)
NUMBERED_WOLVES: tuple[NumberedWolf, ...] = get_args(NumberedWolf)
ROW_WOLVES: tuple[RowWolf, ...] = get_args(RowWolf)
WOLF_NAMES: tuple[Wolf, ...] = get_args(Wolf)
MOVER_NAMES: tuple[Mover, ...] = get_args(Mover)
SCORING_NAMES: tuple[Scoring, ...] = get_args(Scoring)
SPECIAL_NAMES: tuple[SpecialName, ...] = get_args(SpecialName)
TOKEN_NAMES: tuple[Token, ...] = get_args(Token)  # in the order of their numbers in the line


class Rows(Struct):
    """The numbers of a farm's slots, row by row."""

    top: list[int]
    mid: list[int]
    low: list[int]


class Farm(Struct):
    """A farm as printed."""

    rows: Rows
    wolf_side: Literal["left", "right"]


class Arrows(Struct, rename="kebab"):
    """The arrows on each kind of token that moves sheep."""

    left_right: list[Arrow]
    up_down: list[Arrow]
    rising: list[Arrow]
    falling: list[Arrow]


class SheepValue(Struct):
    """Points for every surviving sheep."""

    points: int


class CubesValue(Struct):
    """Points for every group of cubes."""

    cubes: int
    points: int


class SetValue(Struct):
    """Points for a set of sheep and cubes, once."""

    sheep: int
    cubes: int
    points: int


class Values(Struct):
    """What scores, as printed."""

    flock: SheepValue
    wages: CubesValue
    trio: SetValue
    guard: SetValue
    pair: SetValue
    free: CubesValue


class Auction(Struct):
    """The highest bid and its seat; null before the first."""

    high: int | None
    bidder: int | None


class Danger(Struct):
    """A wolf about to take a sheep."""

    seat: int
    wolf: Wolf
    slot: int | None  # null: its row is empty


class UsedToken(Struct):
    """A used token that moved a sheep, and the slot where it lies."""

    token: Mover
    slot: int


class Place(Struct):
    """One seat's possessions."""

    cubes: int
    sheep: list[int]  # the numbers of slots that have one
    tokens: list[SpecialName]
    used: list[UsedToken]
    row_wolves: list[RowName]
    passed: bool
    score: int  # if the match ended now


class CountedMove(Struct, rename={"start": "from"}):
    """A sheep moved for the final count."""

    token: Mover
    start: int
    to: int


class CountedSheep(Struct):
    """The role of a sheep in the final count."""

    slot: int
    does: FateName
    points: int


class CountedToken(Struct):
    """The contents of a scoring token in the final count."""

    token: Scoring
    sheep: list[int]
    cubes: int
    points: int


class CountedCubes(Struct):
    """Cubes without another use."""

    cubes: int
    points: int


class Count(Struct):
    """The breakdown of a seat's points (FW-22)."""

    moves: list[CountedMove]
    sheep: list[CountedSheep]
    tokens: list[CountedToken]
    free: CountedCubes
    surviving: int
    score: int


class Table(Struct):
    """The table of Foxy & Woolly; every seat sees the same."""

    phase: PhaseName
    farm: Farm
    arrows: Arrows
    values: Values
    line: list[Token]
    at: int
    offer: Token | None
    starter: int
    field: int
    auction: Auction | None
    danger: Danger | None
    out: list[SpecialName]
    seats: list[Place]
    result: list[Count] | None  # null until the match is over


# Actions


class Chase(Facts):
    """Pays a cube to chase the wolf on."""

    wolf: Wolf
    keeps: int  # cubes


class Take(Facts):
    """Takes the wolf with the cubes on the field."""

    wolf: Wolf
    cubes: int
    slot: int | None  # where a numbered wolf goes
    row: RowName | None  # where a row wolf waits
    danger: bool  # the slot has a sheep


class Steal(Facts):
    """Takes cubes from the field and skips the turn."""

    cubes: int


class Bid(Facts):
    """Bids cubes."""

    token: SpecialName
    cubes: int
    opens: bool


class Pass(Facts):
    """Leaves the auction."""

    bidder: int
    high: int


class Fire(Facts):
    """Fires the gun at the wolf."""

    slot: int | None  # where it turns the wolf; null: away
    danger: bool  # the slot has a sheep


class HoldFire(Facts):
    """Keeps the gun."""

    slot: int


class Stay(Facts):
    """Moves no more sheep and lets the wolf strike."""

    slot: int | None  # of the sheep that is lost; null: none is


class Face(Facts):
    """Lets a row wolf attack next."""

    row: RowName


class MoveSheep(Facts, rename={"start": "from"}):
    """Moves a sheep along an arrow of a token."""

    token: Mover
    start: int
    to: int
    arrow: Arrow


Actions = Chase | Take | Steal | Bid | Pass | Fire | HoldFire | Stay | Face | MoveSheep


# Events


class WolfChased(Event):
    """A cube was paid onto the field, and the wolf goes on to the next seat."""

    seat: int
    wolf: Wolf
    field: int  # cubes there now


class WolfTaken(Event):
    """A wolf was taken with all cubes on the field."""

    seat: int
    wolf: Wolf
    cubes: int
    slot: int | None  # where a numbered wolf goes
    row: RowName | None  # where a row wolf waits
    danger: bool  # the slot has a sheep
    forced: bool  # there was no choice without a cube


class CubesStolen(Event):
    """A steal token was used up; the turn passed on."""

    seat: int
    cubes: int


class BidMade(Event):
    """A seat bid for the token on offer."""

    seat: int
    cubes: int
    opens: bool


class AuctionLeft(Event):
    """A seat passed, or had too few cubes to bid."""

    seat: int
    cubes: int
    high: int
    forced: bool


class TokenBought(Event):
    """The highest bidder paid onto the field and took the token."""

    seat: int
    token: SpecialName
    cubes: int


class GunFired(Event):
    """A gun was used up to turn a wolf."""

    seat: int
    wolf: Wolf
    slot: int | None  # where it turned; null: away
    danger: bool  # the slot has a sheep


class FireHeld(Event):
    """A gun was kept."""

    seat: int


class SheepMoved(Event, rename={"start": "from"}):
    """A token was laid on a slot, and its sheep went along an arrow."""

    seat: int
    token: Mover
    start: int
    to: int
    escapes: Wolf | None  # the wolf that leaves with nothing because of it
    counting: bool  # for the final count


class AttackBegun(Event):
    """A row wolf is about to attack."""

    seat: int
    row: RowName


class SheepLost(Event):
    """A wolf took a sheep; a row wolf is then gone from the farm."""

    seat: int
    slot: int
    row: RowName | None  # of the row wolf that took it; null: a numbered wolf


class RowFoundEmpty(Event):
    """A row wolf found no sheep and is gone."""

    seat: int
    row: RowName


class TokenOffered(Event):
    """The next token of the line came up."""

    token: Token
    at: int
    starter: int


class LineEnded(Event):
    """The last token is gone."""

    row_wolves: int  # that attack now


class SeatScored(Event):
    """A seat's points were counted."""

    seat: int
    points: int
    sheep: int


class MatchEnded(Event):
    """The match is over."""

    winners: list[int]
    by_sheep: bool  # which broke a tie of points


Events = (
    WolfChased
    | WolfTaken
    | CubesStolen
    | BidMade
    | AuctionLeft
    | TokenBought
    | GunFired
    | FireHeld
    | SheepMoved
    | AttackBegun
    | SheepLost
    | RowFoundEmpty
    | TokenOffered
    | LineEnded
    | SeatScored
    | MatchEnded
)


# The table


def table(known: Known, seat: int) -> Table:
    """Lays out the table; every seat sees the same."""
    points = np.zeros(known.seats, np.int64)
    compiled.scores_of(from_known(known, State), 0, points)
    auction = None
    if known.phase == Phase.AUCTION:
        no_bid = known.high == NO_BID
        auction = Auction(None if no_bid else known.high, None if no_bid else known.bidder)
    line = [TOKEN_NAMES[token] for token in known.line]
    trio, guard, pair = map(SetValue, known.set_sheep, known.set_cubes, known.set_points)
    return Table(
        PHASE_NAMES[known.phase],
        Farm(
            Rows(*([slot + 1 for slot in row] for row in known.grid)),
            "right" if known.wolf_side else "left",
        ),
        Arrows(
            *(
                [ARROWS[way] for way in range(WAYS) if known.arrow[way] == kind]
                for kind in range(MOVERS)
            )
        ),
        Values(
            SheepValue(known.flock_points),
            CubesValue(known.wages_cubes, known.wages_points),
            trio,
            guard,
            pair,
            CubesValue(known.free_cubes, known.free_points),
        ),
        line,
        known.at,
        line[known.at] if known.at < LINE else None,
        known.starter,
        known.field,
        auction,
        _danger(known),
        _tokens(known.out),
        [_place(known, p, score) for p, score in enumerate(points.tolist())],
        [_count(known, p) for p in range(known.seats)] if known.phase == Phase.OVER else None,
    )


def _place(known: Known, p: int, score: int) -> Place:
    return Place(
        known.cubes[p],
        [slot + 1 for slot in range(SLOTS) if known.sheep[p] >> slot & 1],
        _tokens(known.held[p]),
        [
            UsedToken(MOVER_NAMES[kind], slot + 1)
            for kind in range(MOVERS)
            for slot in range(SLOTS)
            for _ in range(known.lying[p][kind][slot])
        ],
        [ROW_NAMES[row] for row in range(ROWS) for _ in range(known.row_wolves[p][row])],
        known.passed >> p & 1 == 1,
        score,
    )


def _tokens(counts: list[int]) -> list[SpecialName]:
    """Names the tokens that a [kind] list counts."""
    return [SPECIAL_NAMES[kind] for kind, n in enumerate(counts) for _ in range(n)]


def _danger(known: Known) -> Danger | None:
    """Returns the sheep that a wolf is about to take, and its owner."""
    if known.phase in (Phase.GUN, Phase.LOSS):
        return Danger(known.to_act, WOLF_NAMES[known.line[known.at]], known.target + 1)
    if known.phase == Phase.ATTACK:
        return Danger(known.to_act, ROW_WOLVES[known.target], in_danger(known))
    return None


def in_danger(known: Known) -> int | None:
    """Returns the slot whose sheep the wolf takes if the seat to act stays."""
    if known.phase == Phase.LOSS:
        return int(known.target) + 1
    slot = int(nearest_in(from_known(known, State), 0))
    return None if slot == NOBODY else slot + 1


def _count(known: Known, p: int) -> Count:
    """Returns a seat's allocation (FW-22), sheep by sheep and token by token."""
    return Count(
        _counted_moves(known, p),
        [
            CountedSheep(slot + 1, FATE_NAMES[fate], slot + 1 if fate == Fate.WATCHED else 0)
            for slot, fate in enumerate(known.fate[p])
            if fate != Fate.GONE
        ],
        _counted_tokens(known, p),
        CountedCubes(_free_cubes(known, p), known.points[p][Source.FREE]),
        known.sheep[p].bit_count(),
        known.score[p],
    )


def _counted_moves(known: Known, p: int) -> list[CountedMove]:
    """Lists the sheep moved in the final count, in order."""
    moves = [divmod(code - 1, WAYS) for code in known.last_moves[p] if code]
    return [
        CountedMove(MOVER_NAMES[known.arrow[way]], slot + 1, known.step[way][slot] + 1)
        for slot, way in moves
    ]


def _free_cubes(known: Known, p: int) -> int:
    """Counts the cubes that neither watch a sheep nor lie on a token."""
    used: int = known.fate[p].count(Fate.WATCHED) + known.on_wages[p]
    used += sum(known.sets[p][k] * known.set_cubes[k] for k in range(SETS))
    return int(known.cubes[p]) - used


def _counted_tokens(known: Known, p: int) -> list[CountedToken]:
    """Lists the contents of each scoring token of a seat in the final count."""
    laid: list[tuple[list[int], int]] = [([], 0), ([], known.on_wages[p])]  # flock, wages
    for k in range(SETS):
        slots = [slot + 1 for slot in range(SLOTS) if known.fate[p][slot] == Fate.TRIO + k]
        laid.append((slots, known.sets[p][k] * known.set_cubes[k]))
    return [
        CountedToken(name, *laid[k], known.points[p][Source.FLOCK + k])
        for k, name in enumerate(SCORING_NAMES)
        if known.held[p][Special.FLOCK + k]
    ]


# Actions and events


def facts(known: Known, action: int) -> Actions:
    """Returns what a legal action means."""
    p = known.to_act
    if action >= MOVE:
        slot, way = divmod(action - MOVE, WAYS)
        token, to = MOVER_NAMES[known.arrow[way]], known.step[way][slot] + 1
        return MoveSheep(token, slot + 1, to, ARROWS[way])
    if action >= BID:
        return Bid(_special(known), action - BID, known.high == NO_BID)
    if action == CHASE:
        return Chase(WOLF_NAMES[known.line[known.at]], known.cubes[p] - 1)
    if action == TAKE:
        return Take(WOLF_NAMES[known.line[known.at]], known.field, *_target(known))
    if action == STEAL:
        return Steal(min(STEALS, known.field))
    if action == PASS:
        return Pass(known.bidder, known.high)
    if action == FIRE:
        return Fire(*_turned(known))
    if action == HOLD:
        return HoldFire(known.target + 1)
    if action == STAY:
        return Stay(in_danger(known))
    return Face(ROW_NAMES[action - FACE])


def _special(known: Known) -> SpecialName:
    """Names the special on offer."""
    kind: int = known.line[known.at] - SPECIAL
    return SPECIAL_NAMES[kind]


def _target(known: Known) -> tuple[int | None, RowName | None, bool]:
    """Returns where the wolf on offer goes if taken, and whether it finds a sheep there."""
    wolf = known.line[known.at]
    if wolf >= ROW_WOLF:
        return None, ROW_NAMES[wolf - ROW_WOLF], False
    return wolf + 1, None, known.sheep[known.to_act] >> wolf & 1 == 1


def _turned(known: Known) -> tuple[int | None, bool]:
    """Returns where a shot turns the wolf, and whether it finds a sheep there (FW-16)."""
    slot = known.target - GUN_STEP
    if slot < 0:
        return None, False
    return slot + 1, known.sheep[known.to_act] >> slot & 1 == 1


def events(before: Known, label: int, after: Known, seat: int) -> list[Events]:
    """Lists the effects of an action, and of every forced answer after it."""
    happened: list[Events] = []
    for one, answer, other, forced in _answers(before, label, after):
        happened += _answered(one, answer, other, forced)
        if one.at < other.at < LINE:
            happened.append(
                TokenOffered(TOKEN_NAMES[other.line[other.at]], other.at, other.starter)
            )
        elif one.at < other.at:
            happened.append(LineEnded(sum(map(sum, other.row_wolves))))
    if after.phase == Phase.OVER:
        happened += _counted(after)
    return happened


def _answers(before: Known, action: int, last: Known) -> Iterator[tuple[Known, int, Known, bool]]:
    """Replays an action, and the forced answers after it: (before, answer, after, forced)."""
    states = from_known(before, State)
    forced = False
    while action >= 0:
        act_in(states, 0, action)
        answer = int(forced_in(states, 0))
        after = to_known(states, 0) if answer >= 0 else last
        yield before, action, after, forced
        before, action, forced = after, answer, True


def _answered(before: Known, answer: int, after: Known, forced: bool) -> list[Events]:
    """Lists the effects of one answer."""
    p = before.to_act
    if answer >= MOVE:
        slot, way = divmod(answer - MOVE, WAYS)
        token, to = MOVER_NAMES[before.arrow[way]], before.step[way][slot] + 1
        saved = before.phase == Phase.LOSS and after.at > before.at
        escapes = WOLF_NAMES[before.line[before.at]] if saved else None
        return [SheepMoved(p, token, slot + 1, to, escapes, counting=False)]
    if answer >= BID:
        return [BidMade(p, answer - BID, before.high == NO_BID)]
    if answer == CHASE:
        return [WolfChased(p, WOLF_NAMES[before.line[before.at]], after.field)]
    if answer == TAKE:
        wolf = WOLF_NAMES[before.line[before.at]]
        return [WolfTaken(p, wolf, before.field, *_target(before), forced)]
    if answer == STEAL:
        return [CubesStolen(p, before.field - after.field)]
    if answer == PASS:
        left = AuctionLeft(p, before.cubes[p], before.high, forced)
        if after.at == before.at:
            return [left]
        return [left, TokenBought(before.bidder, _special(before), before.high)]
    if answer == FIRE:
        return [GunFired(p, WOLF_NAMES[before.line[before.at]], *_turned(before))]
    if answer == HOLD:
        return [FireHeld(p)]
    if answer == STAY:
        return [_struck(before)]
    return [AttackBegun(p, ROW_NAMES[answer - FACE])]


def _struck(before: Known) -> SheepLost | RowFoundEmpty:
    """Returns what a wolf took after its prey stayed."""
    row = ROW_NAMES[before.target] if before.phase == Phase.ATTACK else None
    slot = in_danger(before)
    if slot is None:
        return RowFoundEmpty(before.to_act, ROW_NAMES[before.target])
    return SheepLost(before.to_act, slot, row)


def _counted(known: Known) -> list[Events]:
    """Lists the final count and the winners (FW-22, FW-23)."""
    seats = range(known.seats)
    happened: list[Events] = [
        SheepMoved(p, move.token, move.start, move.to, None, counting=True)
        for p in seats
        for move in _counted_moves(known, p)
    ]
    alive = [known.sheep[p].bit_count() for p in seats]
    happened += [SeatScored(p, known.score[p], alive[p]) for p in seats]
    most = max(known.score[p] for p in seats)
    tied = [p for p in seats if known.score[p] == most]
    best = [p for p in tied if alive[p] == max(alive[q] for q in tied)]
    happened.append(MatchEnded(best, len(best) < len(tied)))
    return happened
