"""Foxy & Woolly in words: notation, questions, the log, refusals, and the view for clients.

Nothing is hidden (FW-24), so a wiped state is the whole truth but for the random stream, which play
no longer uses. The log makes use of it: what an action led to is played again, answer by answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from foxden.engine import compiled
from foxden.engine.kernel import Known, from_known, to_known
from foxden.engine.voice import Voice, counted
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
    Fate,
    Row,
    Source,
    Special,
)

ROW_NAMES = [row.name.lower() for row in Row]
ROWS_IN_WORDS = ("top", "middle", "bottom")
TOKEN_NAMES = [kind.name.lower().replace("_", "-") for kind in Special]
PHASE_NAMES = [phase.name.lower() for phase in Phase]
FATE_NAMES = [fate.name.lower() for fate in Fate]
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


# Reading a state


def token_name(token: int) -> str:
    """Names a token of the line."""
    if token >= SPECIAL:
        return TOKEN_NAMES[token - SPECIAL]
    if token >= ROW_WOLF:
        return f"wolf {ROW_NAMES[token - ROW_WOLF]}"
    return f"wolf {token + 1}"


def on_offer(known: Known) -> int | None:
    """Returns the token on offer."""
    return known.line[known.at] if known.at < LINE else None


def offered(known: Known) -> str:
    """Names the token on offer in a sentence."""
    token = known.line[known.at]
    if token >= SPECIAL:
        return f"the {token_name(token)} token"
    return row_wolf(token - ROW_WOLF) if token >= ROW_WOLF else token_name(token)


def row_wolf(row: int) -> str:
    """Names a row wolf in a sentence."""
    return f"the {ROWS_IN_WORDS[row]}-row wolf"


def slots_of(farm: int) -> list[int]:
    """Numbers the slots of a farm that have a sheep."""
    return [slot + 1 for slot in range(SLOTS) if farm >> slot & 1]


def tokens_of(counts: list[int]) -> list[str]:
    """Names the tokens that a [kind] list counts."""
    return [TOKEN_NAMES[kind] for kind, n in enumerate(counts) for _ in range(n)]


def cubes(n: int) -> str:
    """Counts cubes."""
    return counted(n, "cube")


def mover_of(known: Known, way: int) -> str:
    """Names the token with an arrow; some printed sets have none."""
    return TOKEN_NAMES[known.arrow[way]] if known.arrow[way] >= 0 else "no"


def scores_now(known: Known) -> list[int]:
    """Returns each seat's points if the match ended now."""
    out = np.zeros(known.seats, np.int64)
    compiled.scores_of(from_known(known, State), 0, out)
    return [int(points) for points in out]


def winners_of(known: Known) -> list[int]:
    """Returns the seats that have won."""
    out = np.zeros(known.seats, np.int64)
    compiled.winners_of(from_known(known, State), 0, out)
    return [p for p in range(known.seats) if out[p]]


# The view


def table(known: Known, seat: int) -> dict[str, Any]:
    """Lays out the table; every seat sees the same."""
    offer = on_offer(known)
    scores = scores_now(known)
    seats = [
        {
            "cubes": known.cubes[p],
            "sheep": slots_of(known.sheep[p]),
            "tokens": tokens_of(known.held[p]),
            "used": [
                {"token": TOKEN_NAMES[kind], "slot": slot + 1}
                for kind in range(MOVERS)
                for slot in range(SLOTS)
                for _ in range(known.lying[p][kind][slot])
            ],
            "row_wolves": [
                ROW_NAMES[row] for row in range(ROWS) for _ in range(known.row_wolves[p][row])
            ],
            "passed": known.passed >> p & 1 == 1,
            "score": scores[p],
        }
        for p in range(known.seats)
    ]
    auction = None
    if known.phase == Phase.AUCTION:
        no_bid = known.high == NO_BID
        auction = {
            "high": None if no_bid else known.high,
            "bidder": None if no_bid else known.bidder,
        }
    return {
        "phase": PHASE_NAMES[known.phase],
        "farm": {
            "rows": {ROW_NAMES[r]: [slot + 1 for slot in known.grid[r]] for r in range(ROWS)},
            "wolf_side": "right" if known.wolf_side else "left",
        },
        "arrows": {
            TOKEN_NAMES[kind]: [ARROWS[w] for w in range(WAYS) if known.arrow[w] == kind]
            for kind in range(MOVERS)
        },
        "values": values(known),
        "line": [token_name(token) for token in known.line],
        "at": known.at,
        "offer": None if offer is None else token_name(offer),
        "starter": known.starter,
        "field": known.field,
        "auction": auction,
        "danger": danger(known),
        "out": tokens_of(known.out),
        "seats": seats,
        "result": result(known) if known.phase == Phase.OVER else None,
    }


def values(known: Known) -> dict[str, dict[str, int]]:
    """Lists what scores, as printed."""
    sets = {
        TOKEN_NAMES[Special.TRIO + k]: {
            "sheep": known.set_sheep[k],
            "cubes": known.set_cubes[k],
            "points": known.set_points[k],
        }
        for k in range(SETS)
    }
    return {
        "flock": {"points": known.flock_points},
        "wages": {"cubes": known.wages_cubes, "points": known.wages_points},
        **sets,
        "free": {"cubes": known.free_cubes, "points": known.free_points},
    }


def danger(known: Known) -> dict[str, Any] | None:
    """Says which sheep a wolf is about to take, and from whom."""
    if known.phase in (Phase.GUN, Phase.LOSS):
        return {"seat": known.to_act, "wolf": offered(known), "slot": known.target + 1}
    if known.phase == Phase.ATTACK:
        wolf = token_name(ROW_WOLF + known.target)
        return {"seat": known.to_act, "wolf": wolf, "slot": nearest(known)}
    return None


def nearest(known: Known) -> int | None:
    """Numbers the slot that the attacking row wolf would empty."""
    slot = int(nearest_in(from_known(known, State), 0))
    return None if slot == NOBODY else slot + 1


def result(known: Known) -> list[dict[str, Any]]:
    """Shows each seat's allocation (FW-22), sheep by sheep and token by token."""
    return [
        {
            "moves": last_moves(known, p),
            "sheep": [
                {
                    "slot": slot + 1,
                    "does": FATE_NAMES[fate],
                    "points": slot + 1 if fate == Fate.WATCHED else 0,
                }
                for slot, fate in enumerate(known.fate[p])
                if fate != Fate.GONE
            ],
            "tokens": scoring_tokens(known, p),
            "free": {"cubes": free_cubes(known, p), "points": known.points[p][Source.FREE]},
            "surviving": known.sheep[p].bit_count(),
            "score": known.score[p],
        }
        for p in range(known.seats)
    ]


def last_moves(known: Known, p: int) -> list[dict[str, Any]]:
    """Lists the sheep moved in the final count, in order."""
    moves = [divmod(code - 1, WAYS) for code in known.last_moves[p] if code]
    return [
        {"token": mover_of(known, way), "from": slot + 1, "to": known.step[way][slot] + 1}
        for slot, way in moves
    ]


def free_cubes(known: Known, p: int) -> int:
    """Counts the cubes that neither watch a sheep nor lie on a token."""
    used: int = known.fate[p].count(Fate.WATCHED) + known.on_wages[p]
    used += sum(known.sets[p][k] * known.set_cubes[k] for k in range(SETS))
    return int(known.cubes[p]) - used


def scoring_tokens(known: Known, p: int) -> list[dict[str, Any]]:
    """Lists what lies on each scoring token of a seat in the final count."""
    on_sets = {
        Special.TRIO + k: {
            "sheep": [slot + 1 for slot in range(SLOTS) if known.fate[p][slot] == Fate.TRIO + k],
            "cubes": known.sets[p][k] * known.set_cubes[k],
        }
        for k in range(SETS)
    }
    laid: dict[int, dict[str, Any]] = {
        Special.FLOCK: {"sheep": [], "cubes": 0},
        Special.WAGES: {"sheep": [], "cubes": known.on_wages[p]},
        **on_sets,
    }
    return [
        {
            "token": TOKEN_NAMES[kind],
            **things,
            "points": known.points[p][Source[Special(kind).name]],
        }
        for kind, things in laid.items()
        if known.held[p][kind]
    ]


def tally(known: Known) -> list[list[tuple[str, int]]]:
    """Explains each score: slot by slot from 9 down, token by token, then free cubes.

    The lines are the same for all seats, so that they can stand side by side; what lies where is
    in the view's `result`.
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


# What is asked, and what may be answered


def question(known: Known, voice: Voice) -> str:
    """Says what is asked of whom."""
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
        wolf=row_wolf(known.target) if known.phase == Phase.ATTACK else "",
        farm="your farm" if mine else "the farm",
    )
    return f"{what[0].upper()}{what[1:]}" if mine else f"Waiting for {voice.object(p)} to {what}"


def _ways_with_a_wolf(known: Known) -> str:
    """Says what the seat asked can do about the wolf on offer."""
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
    """Says what a legal action does."""
    p = known.to_act
    if action >= MOVE:
        slot, way = divmod(action - MOVE, WAYS)
        to, token = known.step[way][slot] + 1, mover_of(known, way)
        return f"Move your sheep from slot {slot + 1} to slot {to} with your {token} token."
    if action >= BID:
        verb = "Open with" if known.high == NO_BID else "Bid"
        return f"{verb} {cubes(action - BID)} for {offered(known)}."
    if action == CHASE:
        left = cubes(known.cubes[p] - 1)
        return f"Pay a cube to chase {offered(known)} on; you keep {left}."
    if action == TAKE:
        loot = f" and {cubes(known.field)}" if known.field else ""
        return f"Take {offered(known)}{loot}. {_price(known)}"
    if action == STEAL:
        taken = cubes(min(STEALS, known.field))
        return f"Use your steal token: take {taken} from the field and skip your turn."
    if action == PASS:
        bid = f"{voice.object(known.bidder)} bid {cubes(known.high)}"
        return f"Pass and leave this auction; {bid}."
    if action == FIRE:
        return f"Use your gun: the wolf {_turned(known)}."
    if action == HOLD:
        return f"Keep your gun; the sheep in slot {known.target + 1} stays in danger."
    if action == STAY:
        lost = known.target + 1 if known.phase == Phase.LOSS else nearest(known)
        return f"Stay: {f'you lose the sheep in slot {lost}' if lost else 'nothing is lost'}."
    return f"Let {row_wolf(action - FACE)} attack next; you may move sheep first."


def _price(known: Known) -> str:
    """Says what taking the wolf on offer costs the seat asked."""
    wolf = known.line[known.at]
    if wolf >= ROW_WOLF:
        return (
            f"After the last token it takes a sheep from your {ROWS_IN_WORDS[wolf - ROW_WOLF]} row."
        )
    if known.sheep[known.to_act] >> wolf & 1:
        return f"Your sheep in slot {wolf + 1} is in danger."
    return f"Your slot {wolf + 1} is empty, so nothing is lost."


def _turned(known: Known) -> str:
    """Says where a shot turns the wolf."""
    slot = known.target - GUN_STEP
    if slot < 0:
        return "is gone, and nothing is lost"
    if known.sheep[known.to_act] >> slot & 1:
        return f"turns to your sheep in slot {slot + 1}"
    return f"turns to slot {slot + 1}, which is empty"


def refuse(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Says why an action is not legal, and by which rule."""
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
            return f"no {ROWS_IN_WORDS[action - FACE]}-row wolf is waiting by your farm", "FW-18"
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
    """Names the rules that bear on the present decision."""
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


def answers(before: Known, action: int) -> Iterator[tuple[Known, int, Known, bool]]:
    """Plays an action again, and the forced answers after it: (before, answer, after, forced)."""
    states = from_known(before, State)
    was_forced = False
    while action >= 0:
        act_in(states, 0, action)
        after = to_known(states, 0)
        yield before, action, after, was_forced
        before, action, was_forced = after, int(forced_in(states, 0)), True


def tell(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells what happened, in sentences; forced answers too."""
    lines = []
    for one, answer, other, was_forced in answers(before, label):
        lines += _tell_answer(one, answer, other, voice, was_forced)
        if one.at < other.at < LINE:
            lines.append(f"Next on offer: {offered(other)}.")
        elif one.at < other.at and any(any(wolves) for wolves in other.row_wolves):
            lines.append("The last token is gone. Now the row wolves attack.")
    return lines + (_tell_end(after, voice) if after.phase == Phase.OVER else [])


def _tell_answer(
    before: Known, answer: int, after: Known, voice: Voice, was_forced: bool
) -> list[str]:
    p = before.to_act
    if answer >= MOVE:
        slot, way = divmod(answer - MOVE, WAYS)
        from_to = f"from slot {slot + 1} to slot {before.step[way][slot] + 1}"
        saved = before.phase == Phase.LOSS and after.at > before.at
        end = f", and {offered(before)} finds nothing" if saved else ""
        does = voice.does(p, "moves")
        return [f"{does} a sheep {from_to} with the {mover_of(before, way)} token{end}."]
    if answer >= BID:
        if before.high == NO_BID:
            return [f"{voice.does(p, 'opens')} with {cubes(answer - BID)}."]
        return [f"{voice.does(p, 'bids')} {cubes(answer - BID)}."]
    if answer == CHASE:
        paid = f"{voice.does(p, 'pays')} a cube to chase {offered(before)} on"
        return [f"{paid}; {cubes(after.field)} on the field."]
    if answer == TAKE:
        return [_tell_take(before, after, voice, was_forced)]
    if answer == STEAL:
        taken = cubes(before.field - after.field)
        skips = "skip" if p == voice.viewer else "skips"
        return [f"{voice.does(p, 'steals')} {taken} from the field and {skips} the turn."]
    if answer == PASS:
        return _tell_pass(before, after, voice, was_forced)
    if answer == FIRE:
        return [f"{voice.does(p, 'fires')} the gun: {offered(before)} {_hit(before)}."]
    if answer == HOLD:
        return [f"{voice.does(p, 'holds')} fire."]
    if answer == STAY:
        return [_tell_loss(before, voice)]
    return [f"{row_wolf(answer - FACE).capitalize()} attacks {voice.whose(p)} farm."]


def _tell_take(before: Known, after: Known, voice: Voice, was_forced: bool) -> str:
    p, wolf = before.to_act, before.line[before.at]
    with_cubes = offered(before) + (f" and {cubes(before.field)}" if before.field else "")
    if was_forced:
        opening = f"{voice.does(p, 'has', 'have')} no cube left and must take {with_cubes}"
    else:
        opening = f"{voice.does(p, 'takes')} {with_cubes}"
    if wolf >= ROW_WOLF:
        return f"{opening}; it waits by the {ROWS_IN_WORDS[wolf - ROW_WOLF]} row."
    if after.at > before.at:
        return f"{opening}; slot {wolf + 1} is empty, so nothing is lost."
    return f"{opening}; the sheep in slot {wolf + 1} is in danger."


def _hit(before: Known) -> str:
    slot = before.target - GUN_STEP
    if slot < 0:
        return "runs away, and nothing is lost"
    if before.sheep[before.to_act] >> slot & 1:
        return f"turns to the sheep in slot {slot + 1}"
    return f"turns to slot {slot + 1}, which is empty, and nothing is lost"


def _tell_pass(before: Known, after: Known, voice: Voice, was_forced: bool) -> list[str]:
    p = before.to_act
    if was_forced:
        held = cubes(before.cubes[p])
        lines = [f"{voice.does(p, 'has', 'have')} {held} and cannot bid more than {before.high}."]
    else:
        lines = [f"{voice.does(p, 'passes', 'pass')}."]
    if after.at > before.at:
        price = cubes(before.high) if before.high else "nothing"
        lines.append(f"{voice.does(before.bidder, 'takes')} {offered(before)} for {price}.")
    return lines


def _tell_loss(before: Known, voice: Voice) -> str:
    p = before.to_act
    slot = before.target + 1 if before.phase == Phase.LOSS else nearest(before)
    if slot is None:
        return f"{voice.does(p, 'has', 'have')} no sheep in that row, so nothing is lost."
    return f"{voice.does(p, 'loses', 'lose')} the sheep in slot {slot}."


def _tell_end(after: Known, voice: Voice) -> list[str]:
    lines = []
    for p in range(after.seats):
        for move in last_moves(after, p):
            from_to = f"from slot {move['from']} to slot {move['to']}"
            does = f"{voice.does(p, 'moves')} a sheep {from_to} with the {move['token']} token"
            lines.append(f"{does} for the count.")
    lines += [
        f"{voice.does(p, 'scores')} {counted(after.score[p], 'point')} with "
        f"{counted(after.sheep[p].bit_count(), 'sheep', 'sheep')} alive."
        for p in range(after.seats)
    ]
    best = winners_of(after)
    top = [p for p in range(after.seats) if after.score[p] == max(after.score)]
    who = voice.names_of(best)
    verb = "wins" if len(best) == 1 and best[0] != voice.viewer else "win"
    how = " together" if len(best) > 1 else " by the most sheep" if len(top) > 1 else ""
    return [*lines, f"{who} {verb}{how}."]
