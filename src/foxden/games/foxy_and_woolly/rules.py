"""Foxy & Woolly, a Goalbeat game: the rules, compiled.

Rule ids (FW-…) are those of guide.md, which also marks our rulings where the book is silent: the
opening seat of an auction cannot pass, a pass is final, at which moments sheep may be moved, the
order in which row wolves attack. The farm's picture and the arrows are reconstructed (parts.toml).

Everything is open (FW-24). So a seat is asked only if it has a choice: `apply` gives a seat's only
answer for it, and it is logged like any other.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from foxden.engine.contract import HEAD
from foxden.engine.kernel import Entry, layout, rule
from foxden.engine.rng import below
from foxden.games.foxy_and_woolly.allocation import best_points, has_mover, score
from foxden.games.foxy_and_woolly.vocabulary import (
    ALL_CUBES,
    COUNT,
    FULL,
    GUN_STEP,
    KINDS,
    LINE,
    MAX_HELD,
    MAX_SEATS,
    MOST_PLACES,
    MOVERS,
    ROW_WOLF,
    ROWS,
    SETS,
    SLOTS,
    SOURCES,
    SPECIAL,
    STEALS,
    WAYS,
    WOLVES,
    Fate,
    Row,
    Special,
)

RULES_VERSION = 1
NOBODY = -1
NO_BID = -1


class Phase(IntEnum):
    """The current question."""

    WOLF = 0  # a wolf is on offer: chase it or take it
    AUCTION = 1  # a special is on offer: bid or pass
    GUN = 2  # a numbered wolf is taken: fire at it or not
    LOSS = 3  # a sheep is about to be lost to it: move or stay
    ORDER = 4  # which of your row wolves attacks next
    ATTACK = 5  # a row wolf attacks: move or stay
    OVER = 6


# Actions: answers to a wolf, to an attack and to an auction; then moves, by slot and arrow.
CHASE = 0
TAKE = 1
STEAL = 2
FIRE = 3
HOLD = 4
STAY = 5
FACE = 6  # + row
PASS = FACE + ROWS
BID = PASS + 1  # + cubes
MOVE = BID + ALL_CUBES + 1  # + slot * WAYS + way
ACTIONS = MOVE + SLOTS * WAYS

# The first words of a state are scratch of FW-22, zero at any other time.
SCRATCH = 2 * MOST_PLACES + SLOTS + 1
State = layout(
    [
        ("reach", "i8", 2 * MOST_PLACES),
        ("rest", "i8", SLOTS + 1),
        *HEAD,
        ("cubes_each", "i1"),  # parts: cubes of a seat at the start (FW-1)
        ("grid", "i1", (ROWS, 3)),  # parts: [row, column] the slot there (FW-2)
        ("wolf_side", "i1"),  # parts: the column nearest to a row wolf, 0 or 2 (FW-19)
        ("wolf_set", "i1", WOLVES),  # parts: [wolf] how many (FW-3)
        ("special_set", "i1", KINDS),  # parts: [kind] how many (FW-4)
        ("arrow", "i1", WAYS),  # parts: [way] the kind of token with that arrow, or -1 (FW-4)
        ("step", "i1", (WAYS, SLOTS)),  # parts: [way, slot] the slot that an arrow leads to, or -1
        ("flock_points", "i1"),  # parts: what scores (FW-4, FW-21)
        ("wages_cubes", "i1"),
        ("wages_points", "i1"),
        ("free_cubes", "i1"),
        ("free_points", "i1"),
        ("set_sheep", "i1", SETS),  # [trio, guard, pair]
        ("set_cubes", "i1", SETS),
        ("set_points", "i1", SETS),
        ("phase", "i1"),
        ("line", "i1", LINE),  # tokens in order (FW-6)
        ("at", "i1"),  # the place of the token on offer
        ("starter", "i1"),  # who began on it, or who resolves row wolves first (FW-20)
        ("field", "i1"),  # cubes on the common field
        ("high", "i1"),  # the highest bid, or NO_BID
        ("bidder", "i1"),  # whose it is
        ("passed", "i1"),  # one bit a seat
        ("target", "i1"),  # LOSS, GUN: the slot in danger; ATTACK: the row
        ("sheep", "i2", MAX_SEATS),  # [seat] a farm: one bit a slot
        ("cubes", "i1", MAX_SEATS),
        ("held", "i1", (MAX_SEATS, KINDS)),  # [seat, kind] unused specials
        ("lying", "i1", (MAX_SEATS, MOVERS, SLOTS)),  # [seat, kind, slot] used ones (FW-15)
        ("row_wolves", "i1", (MAX_SEATS, ROWS)),
        ("out", "i1", KINDS),  # [kind] specials out of the game: left over (FW-7) or used up
        ("last_moves", "i1", (MAX_SEATS, MAX_HELD)),  # FW-22: 1 + slot * WAYS + way, in order
        ("fate", "i1", (MAX_SEATS, SLOTS)),  # FW-22: what each sheep does
        ("sets", "i1", (MAX_SEATS, SETS)),  # FW-22: trios, guards, pairs made
        ("on_wages", "i1", MAX_SEATS),  # FW-22: cubes on *wages*
        ("points", "i2", (MAX_SEATS, SOURCES)),
        ("score", "i2", MAX_SEATS),
    ],
)


@rule
def draw_special(s, left):
    """Draws one of the specials left in the bag, each equally likely."""
    drawn = below(s, left)
    kind = 0
    while drawn >= s.out[kind]:
        drawn -= s.out[kind]
        kind += 1
    s.out[kind] -= 1
    return kind


@rule
def clear_seat(s, p):
    """Clears everything beside a farm."""
    for kind in range(KINDS):
        s.held[p, kind] = 0
    for kind in range(MOVERS):
        for slot in range(SLOTS):
            s.lying[p, kind, slot] = 0
    for row in range(ROWS):
        s.row_wolves[p, row] = 0
    for k in range(MAX_HELD):
        s.last_moves[p, k] = 0
    for slot in range(SLOTS):
        s.fate[p, slot] = Fate.GONE
    for k in range(SETS):
        s.sets[p, k] = 0
    for source in range(SOURCES):
        s.points[p, source] = 0
    s.on_wages[p] = 0
    s.score[p] = 0


@rule
def deal(s):
    """Sets up farms, the line of tokens and a special for every seat (FW-1, FW-5 … FW-8)."""
    s.at = 0
    s.field = 0
    for p in range(MAX_SEATS):
        clear_seat(s, p)
        seated = p < s.seats
        s.sheep[p] = FULL if seated else 0
        s.cubes[p] = s.cubes_each if seated else 0
    for k in range(2 * MOST_PLACES):
        s.reach[k] = 0
    for watched in range(SLOTS + 1):
        s.rest[watched] = 0
    bag = 0
    for kind in range(KINDS):
        s.out[kind] = s.special_set[kind]
        bag += s.special_set[kind]
    for p in range(s.seats):
        s.held[p, draw_special(s, bag)] += 1
        bag -= 1
    # FW-6: wolves go to a random place among those laid so far, which shuffles them.
    wolf = 0
    copies = 0
    n = 0
    for place in range(LINE):
        if place % 5 >= 3:
            s.line[place] = SPECIAL + draw_special(s, bag)
            bag -= 1
            continue
        while copies == s.wolf_set[wolf]:
            wolf += 1
            copies = 0
        copies += 1
        k = below(s, n + 1)
        other = k // 3 * 5 + k % 3  # the place of the k-th wolf
        s.line[place] = s.line[other]
        s.line[other] = wolf
        n += 1
    begin(s, below(s, s.seats))


@rule
def left_of(s, p):
    """Returns the next seat clockwise."""
    return p + 1 if p + 1 < s.seats else 0


@rule
def begin(s, starter):
    """Starts a seat on the token on offer, or on the row wolves when the line is empty."""
    s.starter = starter
    s.to_act = starter
    s.target = NOBODY
    s.high = NO_BID
    s.bidder = NOBODY
    s.passed = 0
    if s.at == LINE:
        s.phase = Phase.ORDER
    elif s.line[s.at] < SPECIAL:
        s.phase = Phase.WOLF
    else:
        s.phase = Phase.AUCTION


@rule
def next_token(s):
    """Goes on to the next token; the seat left of the taker begins (FW-14, FW-20)."""
    s.at += 1
    begin(s, left_of(s, s.to_act))
    if s.phase == Phase.ORDER:
        find_row_wolf(s)


@rule
def can_move(s, p):
    """Returns whether a *move sheep* token of the seat could be used now (FW-15)."""
    if has_mover(s, p):
        farm = s.sheep[p]
        for way in range(WAYS):
            if s.arrow[way] >= 0 and s.held[p, s.arrow[way]] > 0:
                for slot in range(SLOTS):
                    to = s.step[way, slot]
                    if farm >> slot & 1 and to >= 0 and farm >> to & 1 == 0:
                        return True
    return False


@rule
def forced(s):
    """Returns the seat's only answer, or -1 if there is a choice or nobody is to act."""
    p = s.to_act
    answer = -1
    if s.phase == Phase.WOLF:
        if s.cubes[p] == 0 and s.held[p, Special.STEAL] == 0:
            answer = TAKE
    elif s.phase == Phase.AUCTION:
        if s.cubes[p] <= s.high:
            answer = PASS
        elif s.high == NO_BID and s.cubes[p] == 0:
            answer = BID
    elif s.phase == Phase.ORDER:
        # Sheep are moved after the choice, so they do not count as one (FW-15).
        return only_row_wolf(s, p)
    elif s.phase == Phase.LOSS or s.phase == Phase.ATTACK:
        answer = STAY
    if answer >= 0 and can_move(s, p):
        return -1
    return answer


@rule
def only_row_wolf(s, p):
    """Returns the answer of a seat whose row wolves are all of one row, else -1."""
    answer = -1
    for row in range(ROWS):
        if s.row_wolves[p, row] > 0:
            if answer >= 0:
                return -1
            answer = FACE + row
    return answer


@rule
def legal(s, out):
    """Writes the legal actions of the seat to act."""
    p = s.to_act
    n = 0
    if s.phase == Phase.WOLF:
        # FW-9: a seat with no cube cannot chase.
        if s.cubes[p] > 0:
            out[n] = CHASE
            n += 1
        out[n] = TAKE
        n += 1
        if s.held[p, Special.STEAL] > 0:
            out[n] = STEAL
            n += 1
    elif s.phase == Phase.AUCTION:
        # FW-12: the opening seat must bid.
        if s.high != NO_BID:
            out[n] = PASS
            n += 1
        for bid in range(s.high + 1, s.cubes[p] + 1):
            out[n] = BID + bid
            n += 1
    elif s.phase == Phase.GUN:
        out[0] = FIRE
        out[1] = HOLD
        return 2
    elif s.phase == Phase.ORDER:
        for row in range(ROWS):
            if s.row_wolves[p, row] > 0:
                out[n] = FACE + row
                n += 1
        return n
    else:
        out[0] = STAY
        n = 1
    return write_moves(s, p, out, n)


@rule
def write_moves(s, p, out, n):
    """Adds the moves that the seat's tokens allow (FW-15); returns the number of actions."""
    if has_mover(s, p):
        farm = s.sheep[p]
        for slot in range(SLOTS):
            if farm >> slot & 1:
                for way in range(WAYS):
                    to = s.step[way, slot]
                    if to >= 0 and farm >> to & 1 == 0:
                        kind = s.arrow[way]
                        if kind >= 0 and s.held[p, kind] > 0:
                            out[n] = MOVE + slot * WAYS + way
                            n += 1
    return n


@rule
def take_wolf(s):
    """Takes the wolf on offer with all cubes on the field (FW-9)."""
    p = s.to_act
    s.cubes[p] += s.field
    s.field = 0
    wolf = s.line[s.at]
    if wolf >= ROW_WOLF:
        # FW-11: nothing is lost yet.
        s.row_wolves[p, wolf - ROW_WOLF] += 1
        next_token(s)
        return
    s.target = wolf
    # FW-16: the gun is offered only if a sheep is in danger.
    if s.held[p, Special.GUN] > 0 and s.sheep[p] >> wolf & 1:
        s.phase = Phase.GUN
    else:
        await_loss(s)


@rule
def await_loss(s):
    """Lets the taker save the sheep in danger, if there is one (FW-10, FW-15)."""
    if s.target >= 0 and s.sheep[s.to_act] >> s.target & 1:
        s.phase = Phase.LOSS
    else:
        next_token(s)


@rule
def steal(s):
    """Takes up to two cubes from the field and skips the turn (FW-17)."""
    p = s.to_act
    cubes = min(STEALS, s.field)
    s.field -= cubes
    s.cubes[p] += cubes
    s.held[p, Special.STEAL] -= 1
    s.out[Special.STEAL] += 1
    s.to_act = left_of(s, p)


@rule
def fire(s):
    """Turns the wolf to the slot three numbers lower (FW-16)."""
    s.held[s.to_act, Special.GUN] -= 1
    s.out[Special.GUN] += 1
    s.target = max(s.target - GUN_STEP, NOBODY)
    await_loss(s)


@rule
def bid(s, cubes):
    """Raises the highest bid and passes the turn on (FW-12)."""
    s.high = cubes
    s.bidder = s.to_act
    next_bidder(s)


@rule
def next_bidder(s):
    """Moves on to the next seat in the auction; the last one left pays and takes (FW-12)."""
    p = left_of(s, s.to_act)
    while s.passed >> p & 1:
        p = left_of(s, p)
    s.to_act = p
    if p == s.bidder:
        s.cubes[p] -= s.high
        s.field += s.high
        s.held[p, s.line[s.at] - SPECIAL] += 1
        next_token(s)


@rule
def move_sheep(s, slot, way):
    """Lays a *move sheep* token on a slot and moves the sheep along an arrow (FW-15)."""
    p = s.to_act
    kind = s.arrow[way]
    s.held[p, kind] -= 1
    s.lying[p, kind, slot] += 1
    s.sheep[p] ^= 1 << slot ^ 1 << s.step[way, slot]
    if s.phase == Phase.LOSS:
        await_loss(s)


@rule
def nearest_sheep(s, p, row):
    """Returns the slot of the sheep nearest to a row's wolf (FW-18, FW-19), or -1."""
    for k in range(3):
        slot = s.grid[row, 2 - k if s.wolf_side > 0 else k]
        if s.sheep[p] >> slot & 1:
            return slot
    return NOBODY


@rule
def stay(s):
    """Lets the wolf strike: the sheep in danger is lost (FW-10, FW-18)."""
    p = s.to_act
    if s.phase == Phase.LOSS:
        s.sheep[p] &= ~(1 << s.target)
        next_token(s)
    else:
        slot = nearest_sheep(s, p, s.target + 0)
        if slot >= 0:
            s.sheep[p] &= ~(1 << slot)
        s.row_wolves[p, s.target] -= 1
        s.target = NOBODY
        s.phase = Phase.ORDER
        find_row_wolf(s)


@rule
def find_row_wolf(s):
    """Moves on to the next seat with a row wolf, in turn (FW-20); after the last, to nobody."""
    while True:
        p = s.to_act
        if s.row_wolves[p, Row.TOP] + s.row_wolves[p, Row.MID] + s.row_wolves[p, Row.LOW] > 0:
            return
        s.to_act = left_of(s, p)
        if s.to_act == s.starter:
            s.phase = Phase.OVER
            s.to_act = NOBODY
            return


@rule
def act(s, action):
    """Carries out one answer of the seat to act, chosen or forced."""
    if action >= MOVE:
        move_sheep(s, (action - MOVE) // WAYS, (action - MOVE) % WAYS)
    elif action >= BID:
        bid(s, action - BID)
    elif action == CHASE:
        s.cubes[s.to_act] -= 1
        s.field += 1
        s.to_act = left_of(s, s.to_act)
    elif action == TAKE:
        take_wolf(s)
    elif action == PASS:
        s.passed |= 1 << s.to_act
        next_bidder(s)
    elif action == STEAL:
        steal(s)
    elif action == FIRE:
        fire(s)
    elif action == HOLD:
        await_loss(s)
    elif action == STAY:
        stay(s)
    else:
        s.target = action - FACE
        s.phase = Phase.ATTACK


@rule
def apply(s, action):
    """Applies a legal action and every only answer after it; counts if that ended the match."""
    act(s, action)
    answer = forced(s)
    while answer >= 0:
        act(s, answer)
        answer = forced(s)
    if s.phase == Phase.OVER:
        # FW-21, FW-22: every seat at its best.
        for p in range(s.seats):
            score(s, p)


@rule
def scores(s, out):
    """Returns each seat's points: final ones, or what it would score if the match ended now."""
    for p in range(s.seats):
        out[p] = s.score[p] if s.phase == Phase.OVER else best_points(s, p)


@rule
def winners(s, out):
    """Marks the seats with the most points; ties go to the most sheep (FW-23)."""
    scores(s, out)
    most = 0
    for p in range(s.seats):
        out[p] = out[p] * (SLOTS + 1) + COUNT[s.sheep[p]]
        most = max(most, out[p])
    for p in range(s.seats):
        out[p] = 1 if out[p] == most else 0


@Entry
def act_in(states: Any, i: int, action: int) -> None:
    """Plays one answer in one of many states, for logging forced answers."""
    act(states[i], action)


@Entry
def forced_in(states: Any, i: int) -> int:
    """Returns the only answer in one of many states, or -1."""
    return forced(states[i])


@Entry
def nearest_in(states: Any, i: int) -> int:
    """Returns the slot that the attacking row wolf would empty in one of many states, or -1."""
    return nearest_sheep(states[i], states[i].to_act, states[i].target)
