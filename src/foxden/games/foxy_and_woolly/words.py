"""Foxy & Woolly in words: notation, questions, the log, refusals.

Everything here is made from a wiped state or from events, which are made from one.
"""

from __future__ import annotations

from collections.abc import Sequence

from foxden.engine.kernel import Known
from foxden.engine.voice import Voice, counted
from foxden.games.foxy_and_woolly.rules import (
    BID,
    CHASE,
    FACE,
    FIRE,
    HOLD,
    MOVE,
    NO_BID,
    PASS,
    STAY,
    STEAL,
    TAKE,
    Phase,
)
from foxden.games.foxy_and_woolly.view import (
    NUMBERED_WOLVES,
    ROW_NAMES,
    ROW_WOLVES,
    SPECIAL_NAMES,
    TOKEN_NAMES,
    AttackBegun,
    AuctionLeft,
    Bid,
    BidMade,
    Chase,
    CubesStolen,
    Events,
    Face,
    Fire,
    FireHeld,
    GunFired,
    HoldFire,
    LineEnded,
    MatchEnded,
    MoveSheep,
    Pass,
    RowFoundEmpty,
    SeatScored,
    SheepLost,
    SheepMoved,
    Stay,
    Steal,
    Take,
    Token,
    TokenBought,
    TokenOffered,
    WolfChased,
    WolfTaken,
    facts,
)
from foxden.games.foxy_and_woolly.vocabulary import (
    ARROWS,
    LINE,
    ROWS,
    SLOTS,
    WAYS,
    Fate,
    Source,
    Special,
)

ROWS_IN_WORDS = {"top": "top", "mid": "middle", "low": "bottom"}
NOTATIONS = {
    CHASE: "chase",
    TAKE: "take",
    STEAL: "steal",
    FIRE: "fire",
    HOLD: "hold fire",
    STAY: "stay",
    PASS: "pass",
}


def notation(label: int) -> str:
    """Writes an action."""
    if label >= MOVE:
        slot, way = divmod(label - MOVE, WAYS)
        return f"move {slot + 1} {ARROWS[way]}"
    if label >= BID:
        return f"bid {label - BID}"
    return NOTATIONS.get(label) or f"face {ROW_NAMES[label - FACE]}"


def row_wolf(row: str) -> str:
    """Names a row wolf in a sentence."""
    return f"the {ROWS_IN_WORDS[row]}-row wolf"


# Tokens inside a sentence:
PHRASES: dict[Token, str] = {wolf: wolf for wolf in NUMBERED_WOLVES}
PHRASES |= zip(ROW_WOLVES, map(row_wolf, ROW_NAMES), strict=True)
PHRASES |= {special: f"the {special} token" for special in SPECIAL_NAMES}


def offered(known: Known) -> str:
    """Names the token on offer in a sentence."""
    return PHRASES[TOKEN_NAMES[known.line[known.at]]]


def cubes(n: int) -> str:
    """Writes a number of cubes."""
    return counted(n, "cube")


def with_cubes(token: Token, n: int) -> str:
    """Names a token in a sentence, with the cubes that come with it."""
    return f"{PHRASES[token]} and {cubes(n)}" if n else PHRASES[token]


# Questions and answers


def question(known: Known, voice: Voice) -> str:
    """Returns the current question."""
    if known.phase == Phase.OVER:
        return "The match is over."
    p = known.to_act
    mine = p == voice.viewer
    high = "" if known.high == NO_BID else f" more than {known.high}"
    what = QUESTIONS[known.phase].format(
        offer=offered(known) if known.at < LINE else "",
        wolf_ways=_ways_with_a_wolf(known) if known.phase == Phase.WOLF else "",
        bid=f"bid{high} for" if high else "open the bidding for",
        or_pass=", or pass" if high else "",
        slot=known.target + 1,
        wolf=row_wolf(ROW_NAMES[known.target]) if known.phase == Phase.ATTACK else "",
        farm="your farm" if mine else "the farm",
    )
    return f"{what[0].upper()}{what[1:]}" if mine else f"Waiting for {voice.object(p)} to {what}"


def _ways_with_a_wolf(known: Known) -> str:
    """Describes what the seat to act can do about the wolf on offer."""
    p, wolf = known.to_act, offered(known)
    ways = [f"chase {wolf} on with a cube"] * bool(known.cubes[p])
    loot = f" and {cubes(known.field)}" if known.field else ""
    ways.append(f"take {'it' if ways else wolf}{loot}")
    ways += ["use the steal token"] * bool(known.held[p][Special.STEAL])
    return ", or ".join(ways)


QUESTIONS = {
    Phase.WOLF: "{wolf_ways}.",
    Phase.AUCTION: "{bid} {offer}{or_pass}.",
    Phase.GUN: "fire the gun at {offer}, or hold fire.",
    Phase.LOSS: "move the sheep in slot {slot} to save it, or stay and lose it.",
    Phase.ORDER: "choose which wolf attacks {farm} next.",
    Phase.ATTACK: "move sheep before {wolf} attacks, or stay.",
}


def explain(known: Known, action: int, voice: Voice) -> str:
    """Explains a legal action."""
    match facts(known, action):
        case MoveSheep(token, start, to):
            return f"Move your sheep from slot {start} to slot {to} with your {token} token."
        case Bid(token, n, opens):
            return f"{'Open with' if opens else 'Bid'} {cubes(n)} for {PHRASES[token]}."
        case Chase(wolf, keeps):
            return f"Pay a cube to chase {PHRASES[wolf]} on; you keep {cubes(keeps)}."
        case Take(wolf, n) as take:
            return f"Take {with_cubes(wolf, n)}. {_price(take)}"
        case Steal(n):
            return f"Use your steal token: take {cubes(n)} from the field and skip your turn."
        case Pass(bidder, high):
            return f"Pass and leave this auction; {voice.object(bidder)} bid {cubes(high)}."
        case Fire(None):
            return "Use your gun: the wolf is gone, and nothing is lost."
        case Fire(slot, danger):
            there = f"your sheep in slot {slot}" if danger else f"slot {slot}, which is empty"
            return f"Use your gun: the wolf turns to {there}."
        case HoldFire(slot):
            return f"Keep your gun; the sheep in slot {slot} stays in danger."
        case Stay(slot):
            return f"Stay: {f'you lose the sheep in slot {slot}' if slot else 'nothing is lost'}."
        case Face(row):
            return f"Let {row_wolf(row)} attack next; you may move sheep first."


def _price(take: Take) -> str:
    """Describes the cost of taking a wolf."""
    if take.row is not None:
        return f"After the last token it takes a sheep from your {ROWS_IN_WORDS[take.row]} row."
    if take.danger:
        return f"Your sheep in slot {take.slot} is in danger."
    return f"Your slot {take.slot} is empty, so nothing is lost."


def refuse(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Explains why an action is illegal, and by which rule."""
    if action >= MOVE:
        return _refuse_move(known, *divmod(action - MOVE, WAYS))
    if known.phase == Phase.GUN:
        return "first fire the gun or hold fire", "FW-16"
    if known.phase == Phase.LOSS:
        if action in (FIRE, HOLD):
            return "the gun is used right after taking the wolf, before sheep move", "FW-16"
        return "first move the sheep in danger, or stay", "FW-10"
    if known.phase == Phase.ATTACK:
        return "a row wolf is attacking: move sheep, or stay", "FW-18"
    if known.phase == Phase.ORDER:
        if FACE <= action < FACE + ROWS:
            row = ROWS_IN_WORDS[ROW_NAMES[action - FACE]]
            return f"no {row}-row wolf is waiting by your farm", "FW-18"
        return "no tokens are left: choose which row wolf attacks next", "FW-18"
    if action in (FIRE, HOLD):
        return "the gun is for a numbered wolf that you have just taken", "FW-16"
    if action == STAY:
        return "no wolf is attacking your farm", "FW-15"
    if FACE <= action < FACE + ROWS:
        return "row wolves attack after the last token", "FW-18"
    if known.phase == Phase.WOLF:
        if action == CHASE:
            return "you have no cube left to chase it with", "FW-9"
        if action == STEAL:
            return "you have no steal token", "FW-17"
        return f"{offered(known)} is on offer: chase it or take it", "FW-9"
    if action == STEAL:
        return "you can steal cubes only while a wolf is on offer", "FW-17"
    if action in (CHASE, TAKE):
        return f"{offered(known)} is not a wolf: bid for it or pass", "FW-12"
    if action == PASS:
        return "the first bidder cannot pass; 0 cubes is a bid", "FW-12"
    if action - BID <= known.high:
        return f"a bid must be higher than {known.high}", "FW-12"
    return f"you have only {cubes(known.cubes[known.to_act])}", "FW-12"


def _refuse_move(known: Known, slot: int, way: int) -> tuple[str, str]:
    if known.phase == Phase.GUN:
        return "first fire the gun or hold fire; then sheep may move", "FW-16"
    if known.phase == Phase.ORDER:
        return "first choose the wolf; then sheep may move", "FW-15"
    farm, kind = known.sheep[known.to_act], known.arrow[way]
    if kind < 0 or not known.held[known.to_act][kind]:
        return f"you have no token with an arrow {ARROWS[way]}", "FW-15"
    if not farm >> slot & 1:
        return f"you have no sheep in slot {slot + 1}", "FW-15"
    to = known.step[way][slot]
    if to < 0:
        return f"slot {slot + 1} has no neighbour {ARROWS[way]}", "FW-2"
    return f"slot {to + 1} already has a sheep", "FW-1"


def rules_now(known: Known) -> tuple[str, ...]:
    """Returns the rules that apply to the current decision."""
    return RULES_NOW[known.phase]


RULES_NOW = {
    Phase.WOLF: ("FW-9", "FW-10", "FW-11", "FW-15", "FW-17"),
    Phase.AUCTION: ("FW-12", "FW-13", "FW-15"),
    Phase.GUN: ("FW-16",),
    Phase.LOSS: ("FW-10", "FW-15"),
    Phase.ORDER: ("FW-18", "FW-20"),
    Phase.ATTACK: ("FW-15", "FW-18", "FW-19"),
    Phase.OVER: ("FW-21", "FW-22", "FW-23"),
}


# The log


def tell(events: Sequence[Events], voice: Voice) -> list[str]:
    """Describes events in sentences."""
    lines: list[str] = []
    for event in events:
        match event:
            case WolfChased(seat, wolf, field):
                paid = f"{voice.does(seat, 'pays')} a cube to chase {PHRASES[wolf]} on"
                lines.append(f"{paid}; {cubes(field)} on the field.")
            case WolfTaken():
                lines.append(_tell_take(event, voice))
            case CubesStolen(seat, n):
                skips = "skip" if seat == voice.viewer else "skips"
                steals = voice.does(seat, "steals")
                lines.append(f"{steals} {cubes(n)} from the field and {skips} the turn.")
            case BidMade(seat, n, True):
                lines.append(f"{voice.does(seat, 'opens')} with {cubes(n)}.")
            case BidMade(seat, n):
                lines.append(f"{voice.does(seat, 'bids')} {cubes(n)}.")
            case AuctionLeft(seat, n, high, True):
                has = voice.does(seat, "has", "have")
                lines.append(f"{has} {cubes(n)} and cannot bid more than {high}.")
            case AuctionLeft(seat):
                lines.append(f"{voice.does(seat, 'passes', 'pass')}.")
            case TokenBought(seat, token, n):
                price = cubes(n) if n else "nothing"
                lines.append(f"{voice.does(seat, 'takes')} {PHRASES[token]} for {price}.")
            case GunFired():
                lines.append(_tell_shot(event, voice))
            case FireHeld(seat):
                lines.append(f"{voice.does(seat, 'holds')} fire.")
            case SheepMoved(seat, token, start, to, escapes, counting):
                does = f"{voice.does(seat, 'moves')} a sheep from slot {start} to slot {to}"
                end = " for the count" if counting else ""
                if escapes is not None:
                    end = f", and {PHRASES[escapes]} finds nothing"
                lines.append(f"{does} with the {token} token{end}.")
            case AttackBegun(seat, row):
                lines.append(f"{row_wolf(row).capitalize()} attacks {voice.whose(seat)} farm.")
            case SheepLost(seat, slot):
                lines.append(f"{voice.does(seat, 'loses', 'lose')} the sheep in slot {slot}.")
            case RowFoundEmpty(seat):
                has = voice.does(seat, "has", "have")
                lines.append(f"{has} no sheep in that row, so nothing is lost.")
            case TokenOffered(token):
                lines.append(f"Next on offer: {PHRASES[token]}.")
            case LineEnded(row_wolves) if row_wolves:
                lines.append("The last token is gone. Now the row wolves attack.")
            case SeatScored(seat, points, sheep):
                alive = f"with {counted(sheep, 'sheep', 'sheep')} alive"
                lines.append(f"{voice.does(seat, 'scores')} {counted(points, 'point')} {alive}.")
            case MatchEnded(winners, by_sheep):
                verb = "wins" if len(winners) == 1 and winners[0] != voice.viewer else "win"
                how = " by the most sheep" if by_sheep else ""
                how = " together" if len(winners) > 1 else how
                lines.append(f"{voice.names_of(winners)} {verb}{how}.")
    return lines


def _tell_take(event: WolfTaken, voice: Voice) -> str:
    seat, loot = event.seat, with_cubes(event.wolf, event.cubes)
    if event.forced:
        opening = f"{voice.does(seat, 'has', 'have')} no cube left and must take {loot}"
    else:
        opening = f"{voice.does(seat, 'takes')} {loot}"
    if event.row is not None:
        return f"{opening}; it waits by the {ROWS_IN_WORDS[event.row]} row."
    if event.danger:
        return f"{opening}; the sheep in slot {event.slot} is in danger."
    return f"{opening}; slot {event.slot} is empty, so nothing is lost."


def _tell_shot(event: GunFired, voice: Voice) -> str:
    if event.slot is None:
        hit = "runs away, and nothing is lost"
    elif event.danger:
        hit = f"turns to the sheep in slot {event.slot}"
    else:
        hit = f"turns to slot {event.slot}, which is empty, and nothing is lost"
    return f"{voice.does(event.seat, 'fires')} the gun: {PHRASES[event.wolf]} {hit}."


def tally(known: Known, scores: Sequence[int]) -> list[list[tuple[str, int]]]:
    """Explains each score: slot by slot from 9 down, token by token, then free cubes.

    The lines are the same for all seats, so they can be shown side by side; the view's `result`
    has the details.
    """
    return [
        [
            *(
                (f"slot {slot + 1}", slot + 1 if known.fate[p][slot] == Fate.WATCHED else 0)
                for slot in reversed(range(SLOTS))
            ),
            *(
                (source.name.lower(), known.points[p][source])
                for source in Source
                if source not in (Source.FARM, Source.FREE)
            ),
            ("free cubes", known.points[p][Source.FREE]),
        ]
        for p in range(known.seats)
    ]
