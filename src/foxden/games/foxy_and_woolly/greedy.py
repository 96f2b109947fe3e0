"""A greedy player of Foxy & Woolly: counts points as if the match ended now, without lookahead.

A position is worth what FW-22 would score, and a little more for every cube while there are wolves
to chase. That prices a sheep against the cubes on the field, and a token by what it adds.
"""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.games.foxy_and_woolly.allocation import best_points
from foxden.games.foxy_and_woolly.rules import (
    BID,
    CHASE,
    FIRE,
    HOLD,
    MOVE,
    NO_BID,
    PASS,
    STAY,
    STEAL,
    TAKE,
    Phase,
    nearest_sheep,
)
from foxden.games.foxy_and_woolly.vocabulary import (
    GUN_STEP,
    LINE,
    MOVERS,
    ROW_WOLF,
    SPECIAL,
    STEALS,
    WAYS,
    Special,
)

# Values are in small fractions of a point. Tuned by playing variants against each other, 20 000
# matches each, 2 and 4 seats.
POINT = 2 * LINE
CUBE_WORTH = 4  # of a cube beyond its points, for every token still to come
GUN_WORTH = 8  # of tokens that help against wolves, beyond what they add now
STEAL_WORTH = 8
MOVE_WORTH = 6


@rule
def ahead(s):
    """Counts the tokens still to come, including the one on offer."""
    return LINE - s.at


@rule
def worth(s, p, farm, cubes):
    """Values the seat's position with given sheep and cubes."""
    sheep = s.sheep[p]
    had = s.cubes[p]
    s.sheep[p] = farm
    s.cubes[p] = cubes
    points = best_points(s, p)
    s.sheep[p] = sheep
    s.cubes[p] = had
    return points * POINT + cubes * CUBE_WORTH * ahead(s)


@rule
def sheep_lost(s, p, wolf):
    """Returns the farm left by a wolf, if the seat takes it and its row wolves strike."""
    farm = s.sheep[p] + 0
    if wolf >= ROW_WOLF:
        slot = nearest_sheep(s, p, wolf - ROW_WOLF)
        return farm if slot < 0 else farm & ~(1 << slot)
    if s.held[p, Special.GUN] > 0 and farm >> wolf & 1:
        wolf -= GUN_STEP
        if wolf < 0:
            return farm
    return farm & ~(1 << wolf)


@rule
def chase_or_take(s, p):
    """Weighs the sheep at risk and the cubes on the field against paying a cube or stealing."""
    wolf = s.line[s.at]
    taken = worth(s, p, sheep_lost(s, p, wolf), s.cubes[p] + s.field)
    chased = -1 if s.cubes[p] == 0 else worth(s, p, s.sheep[p] + 0, s.cubes[p] - 1)
    if s.held[p, Special.STEAL] > 0:
        stolen = worth(s, p, s.sheep[p] + 0, s.cubes[p] + min(STEALS, s.field))
        if stolen - STEAL_WORTH * ahead(s) > max(taken, chased):
            return STEAL
    return TAKE if taken >= chased else CHASE


@rule
def token_worth(s, p, kind):
    """Values one more token of a kind."""
    before = best_points(s, p)
    s.held[p, kind] += 1
    gain = (best_points(s, p) - before) * POINT
    s.held[p, kind] -= 1
    if kind < MOVERS:
        gain += MOVE_WORTH * ahead(s)
    elif kind == Special.GUN:
        gain += GUN_WORTH * ahead(s)
    elif kind == Special.STEAL:
        gain += STEAL_WORTH * ahead(s)
    return gain


@rule
def bid_or_pass(s, p):
    """Bids one more while the cubes are worth less than the token."""
    bid = s.high + 1
    if bid > s.cubes[p]:
        return PASS
    sheep, cubes = s.sheep[p] + 0, s.cubes[p] + 0
    price = worth(s, p, sheep, cubes) - worth(s, p, sheep, cubes - bid)
    if s.high == NO_BID or price < token_worth(s, p, s.line[s.at] - SPECIAL):
        return BID + bid
    return PASS


@rule
def save_or_stay(s, p, legal, n):
    """Makes the move after which the wolf leaves most, if that beats staying."""
    best = STAY
    farm = s.sheep[p]
    most = -1
    for k in range(n):
        action = legal[k]
        kind = 0
        if action >= MOVE:
            slot = (action - MOVE) // WAYS
            way = (action - MOVE) % WAYS
            kind = s.arrow[way]
            s.held[p, kind] -= 1
            s.sheep[p] = farm ^ 1 << slot ^ 1 << s.step[way, slot]
        lost = s.target if s.phase == Phase.LOSS else nearest_sheep(s, p, s.target + 0)
        left = s.sheep[p] if lost < 0 else s.sheep[p] & ~(1 << lost)
        points = worth(s, p, left, s.cubes[p] + 0)
        if action >= MOVE:
            s.held[p, kind] += 1
            s.sheep[p] = farm
        if points > most:
            most = points
            best = action
    return best


@rule
def fire_or_hold(s, p):
    """Fires if the sheep in danger is worth more than the one the shot endangers."""
    farm = s.sheep[p] + 0
    shot = farm if s.target < GUN_STEP else farm & ~(1 << s.target - GUN_STEP)
    held = farm & ~(1 << s.target)
    cubes = s.cubes[p] + 0
    gain = worth(s, p, shot, cubes) - worth(s, p, held, cubes)
    return FIRE if 2 * gain > GUN_WORTH * ahead(s) else HOLD


@rule
def greedy(s, legal, n):
    """Chooses for the seat to act."""
    p = s.to_act
    if s.phase == Phase.WOLF:
        return chase_or_take(s, p)
    if s.phase == Phase.AUCTION:
        return bid_or_pass(s, p)
    if s.phase == Phase.GUN:
        return fire_or_hold(s, p)
    if s.phase == Phase.ORDER:
        return legal[0]
    return save_or_stay(s, p, legal, n)
