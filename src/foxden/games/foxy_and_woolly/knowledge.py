"""What each seat of Foxy & Woolly may know: everything but future chance (FW-24)."""

from __future__ import annotations

from foxden.engine.game import Feature
from foxden.engine.kernel import rule
from foxden.engine.rng import hide_stream
from foxden.games.foxy_and_woolly.rules import NO_BID, Phase
from foxden.games.foxy_and_woolly.vocabulary import (
    ALL_CUBES,
    KINDS,
    LINE,
    MAX_HELD,
    MAX_SEATS,
    MOVERS,
    ROWS,
    SETS,
    SLOTS,
    SOURCES,
    WAYS,
    WOLVES,
)

PHASES = 7
TOKENS = WOLVES + KINDS


@rule
def observe(s, seat):
    """Wipes the random stream; nothing else is hidden."""
    hide_stream(s)


@rule
def resample(s, seat):
    """Keeps the state: worlds differ only in the new random stream."""


@rule
def seen(s, action, seat):
    """Returns the action as it is."""
    return action + 0


# The tensor; "seat" counts clockwise from the viewer (from seat 0 for a spectator).
TENSOR = (
    Feature("seats", (3,), "one-hot: 2, 3 or 4 seats"),
    Feature("cubes_each", (1,), "cubes of a seat at the start / 9"),
    Feature("grid", (ROWS, 3), "slot numbers by row and column / 9"),
    Feature("wolf_side", (1,), "1: row wolves stand at the right, 0: at the left"),
    Feature("wolf_set", (WOLVES,), "how many of each wolf / 12"),
    Feature("special_set", (KINDS,), "how many of each special / 32"),
    Feature("arrow", (WAYS, MOVERS), "one-hot: the token with that arrow"),
    Feature(
        "values",
        (5 + 3 * SETS,),
        "flock points, wages cubes and points, free cubes and points; the sheep, then the cubes, "
        "then the points of trio, guard and pair (each / 100)",
    ),
    Feature("phase", (PHASES,), "one-hot: wolf, auction, gun, loss, order, attack, over"),
    Feature("line", (LINE, TOKENS), "one-hot: the tokens in order, past ones too"),
    Feature("at", (LINE + 1,), "one-hot: the place of the token on offer, or the end"),
    Feature("starter", (MAX_SEATS,), "one-hot: the seat that began on this token"),
    Feature("to_act", (MAX_SEATS,), "one-hot: the seat asked"),
    Feature("field", (1,), "cubes on the field / 36"),
    Feature("high", (2,), "1 if there is a bid, the highest bid / 36"),
    Feature("bidder", (MAX_SEATS,), "one-hot: whose bid it is"),
    Feature("passed", (MAX_SEATS,), "1: out of this auction"),
    Feature("target", (SLOTS,), "one-hot: the slot in danger, or the row that is attacked"),
    Feature("sheep", (MAX_SEATS, SLOTS), "1: a sheep in that slot"),
    Feature("cubes", (MAX_SEATS,), "cubes in hand / 36"),
    Feature("held", (MAX_SEATS, KINDS), "unused specials / 7"),
    Feature("lying", (MAX_SEATS, MOVERS, SLOTS), "used move sheep tokens on their slots / 7"),
    Feature("row_wolves", (MAX_SEATS, ROWS), "row wolves that wait by the farm / 12"),
    Feature("out", (KINDS,), "specials out of the game / 32"),
    Feature("last_moves", (MAX_SEATS, MAX_HELD), "after the end: moves made in the count / 72"),
    Feature("fate", (MAX_SEATS, SLOTS), "after the end: what each sheep does / 5"),
    Feature("sets", (MAX_SEATS, SETS), "after the end: trios, guards, pairs made / 7"),
    Feature("on_wages", (MAX_SEATS,), "after the end: cubes on wages / 36"),
    Feature("points", (MAX_SEATS, SOURCES), "after the end: points by source / 10000"),
    Feature("score", (MAX_SEATS,), "after the end: points / 10000"),
)


@rule
def features(s, seat, out):
    """Writes the tensor of a wiped state, block by block as TENSOR lists them."""
    for i in range(len(out)):
        out[i] = 0.0
    first = max(seat, 0)
    out[s.seats - 2] = 1.0
    k = write_parts(s, out, 3)
    out[k + s.phase] = 1.0
    k += PHASES
    for place in range(LINE):
        out[k + place * TOKENS + s.line[place]] = 1.0
    k += LINE * TOKENS
    out[k + s.at] = 1.0
    k += LINE + 1
    out[k + (s.starter - first) % s.seats] = 1.0
    k += MAX_SEATS
    if s.to_act >= 0:
        out[k + (s.to_act - first) % s.seats] = 1.0
    k += MAX_SEATS
    out[k] = s.field / ALL_CUBES
    if s.high != NO_BID:
        out[k + 1] = 1.0
        out[k + 2] = s.high / ALL_CUBES
        out[k + 3 + (s.bidder - first) % s.seats] = 1.0
    k += 3 + MAX_SEATS
    for i in range(s.seats):
        out[k + i] = s.passed >> (first + i) % s.seats & 1
    k += MAX_SEATS
    if s.target >= 0:
        out[k + s.target] = 1.0
    k += SLOTS
    for i in range(s.seats):
        write_seat(s, out, k, i, (first + i) % s.seats)
    k += MAX_SEATS * (SLOTS + 1 + KINDS + MOVERS * SLOTS + ROWS)
    for kind in range(KINDS):
        out[k + kind] = s.out[kind] / 32
    k += KINDS
    if s.phase == Phase.OVER:
        for i in range(s.seats):
            write_result(s, out, k, i, (first + i) % s.seats)


@rule
def write_parts(s, out, k):
    """Writes the printed numbers; returns where the next block begins."""
    out[k] = s.cubes_each / 9
    k += 1
    for row in range(ROWS):
        for column in range(3):
            out[k + row * 3 + column] = (s.grid[row, column] + 1) / 9
    k += SLOTS
    out[k] = 1.0 if s.wolf_side > 0 else 0.0
    k += 1
    for wolf in range(WOLVES):
        out[k + wolf] = s.wolf_set[wolf] / 12
    k += WOLVES
    for kind in range(KINDS):
        out[k + kind] = s.special_set[kind] / 32
    k += KINDS
    for way in range(WAYS):
        if s.arrow[way] >= 0:
            out[k + way * MOVERS + s.arrow[way]] = 1.0
    k += WAYS * MOVERS
    out[k] = s.flock_points / 100
    out[k + 1] = s.wages_cubes / 100
    out[k + 2] = s.wages_points / 100
    out[k + 3] = s.free_cubes / 100
    out[k + 4] = s.free_points / 100
    k += 5
    for i in range(SETS):
        out[k + i] = s.set_sheep[i] / 100
        out[k + SETS + i] = s.set_cubes[i] / 100
        out[k + 2 * SETS + i] = s.set_points[i] / 100
    return k + 3 * SETS


@rule
def write_seat(s, out, k, i, p):
    """Writes seat p's farm, cubes and tokens as the i-th of the blocks starting at k."""
    for slot in range(SLOTS):
        out[k + i * SLOTS + slot] = s.sheep[p] >> slot & 1
    k += MAX_SEATS * SLOTS
    out[k + i] = s.cubes[p] / ALL_CUBES
    k += MAX_SEATS
    for kind in range(KINDS):
        out[k + i * KINDS + kind] = s.held[p, kind] / MAX_HELD
    k += MAX_SEATS * KINDS
    for kind in range(MOVERS):
        for slot in range(SLOTS):
            out[k + (i * MOVERS + kind) * SLOTS + slot] = s.lying[p, kind, slot] / MAX_HELD
    k += MAX_SEATS * MOVERS * SLOTS
    for row in range(ROWS):
        out[k + i * ROWS + row] = s.row_wolves[p, row] / WOLVES


@rule
def write_result(s, out, k, i, p):
    """Writes seat p's final count as the i-th of the blocks starting at k."""
    for j in range(MAX_HELD):
        out[k + i * MAX_HELD + j] = s.last_moves[p, j] / (SLOTS * WAYS)
    k += MAX_SEATS * MAX_HELD
    for slot in range(SLOTS):
        out[k + i * SLOTS + slot] = s.fate[p, slot] / 5
    k += MAX_SEATS * SLOTS
    for j in range(SETS):
        out[k + i * SETS + j] = s.sets[p, j] / MAX_HELD
    k += MAX_SEATS * SETS
    out[k + i] = s.on_wages[p] / ALL_CUBES
    k += MAX_SEATS
    for j in range(SOURCES):
        out[k + i * SOURCES + j] = s.points[p, j] / 10000
    k += MAX_SEATS * SOURCES
    out[k + i] = s.score[p] / 10000
