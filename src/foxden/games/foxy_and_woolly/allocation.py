"""The best use of sheep, cubes and tokens at the end of Foxy & Woolly (FW-22), exact and compiled.

Three facts make it small. A *move sheep* token changes only where sheep stand, so the reachable
farms are found first. On one farm, the lowest sheep go onto tokens and the highest get cubes: no
other choice scores more, for swapping two sheep to get there never loses. And the points of sets
and loose cubes depend only on how many sheep get a cube, not on where they stand: they are computed
once, and then every farm costs ten sums.

Nothing is allocated: scratch values are kept in the state's fields `reach` and `rest`, which are
zero at any other time. GPU code does not guarantee that, so they are also cleared before use.
"""

from __future__ import annotations

from typing import Any

from foxden.engine.kernel import rule
from foxden.games.foxy_and_woolly.vocabulary import (
    ALL_CUBES,
    COUNT,
    FARMS,
    FIRST,
    HIGHEST,
    MAX_HELD,
    MOVERS,
    RANK,
    SLOTS,
    WAYS,
    Fate,
    Source,
    Special,
)

IMPOSSIBLE = -(1 << 60)
TIES = 19  # bits of a packed allocation below its points


@rule
def loose(s: Any, wages: Any, cubes: Any) -> Any:
    """Returns the most points of cubes beside no sheep, and how many of them lie on *wages*."""
    best = s.free_points * (cubes // s.free_cubes)
    on_wages = 0
    if wages > 0:
        for paid in range(s.wages_cubes, cubes + 1, s.wages_cubes):
            points = paid // s.wages_cubes * s.wages_points
            points += s.free_points * ((cubes - paid) // s.free_cubes)
            if points > best:
                best = points
                on_wages = paid
    return best, on_wages


@rule
def pack(points: Any, trios: Any, guards: Any, pairs: Any, watched: Any, on_wages: Any) -> Any:
    """Packs an allocation into one number: of two, the larger is better.

    Points come first. Ties prefer fewer sets, more sheep with a cube, fewer cubes on *wages*.
    """
    sets = (MAX_HELD - trios << 3 | MAX_HELD - guards) << 3 | MAX_HELD - pairs
    return ((points << 9 | sets) << 4 | watched) << 6 | ALL_CUBES - on_wages


@rule
def unpack(packed: Any) -> Any:
    """Returns (points, trios, guards, pairs, sheep with a cube, cubes on *wages*)."""
    return (
        packed >> TIES,
        MAX_HELD - (packed >> 16 & 7),
        MAX_HELD - (packed >> 13 & 7),
        MAX_HELD - (packed >> 10 & 7),
        packed >> 6 & 15,
        ALL_CUBES - (packed & 63),
    )


@rule
def weigh(s: Any, p: Any, sheep: Any, cubes: Any) -> None:
    """Writes into `rest` the best of sets and loose cubes for every number of sheep with a cube.

    That does not depend on where the sheep stand.
    """
    for watched in range(SLOTS + 1):
        s.rest[watched] = IMPOSSIBLE
    wages = s.held[p, Special.WAGES]
    for trios in range(s.held[p, Special.TRIO] + 1):
        for guards in range(s.held[p, Special.GUARD] + 1):
            for pairs in range(s.held[p, Special.PAIR] + 1):
                home = sheep - trios * s.set_sheep[0] - guards * s.set_sheep[1]
                home -= pairs * s.set_sheep[2]
                left = cubes - trios * s.set_cubes[0] - guards * s.set_cubes[1]
                left -= pairs * s.set_cubes[2]
                sets = trios * s.set_points[0] + guards * s.set_points[1]
                sets += pairs * s.set_points[2]
                if home >= 0:
                    for watched in range(min(home, left) + 1):
                        points, on_wages = loose(s, wages, left - watched)
                        packed = pack(sets + points, trios, guards, pairs, watched, on_wages)
                        s.rest[watched] = max(s.rest[watched], packed)


@rule
def clear_rest(s: Any) -> None:
    """Clears `rest`."""
    for watched in range(SLOTS + 1):
        s.rest[watched] = 0


@rule
def allot(s: Any, farm: Any) -> Any:
    """Returns the best allocation of a farm, packed, using the results of `weigh`."""
    best = IMPOSSIBLE
    for watched in range(COUNT[farm] + 1):
        best = max(best, s.rest[watched] + (int(HIGHEST[farm, watched]) << TIES))
    return best


@rule
def flock_points(s: Any, p: Any, farm: Any) -> Any:
    """Counts the points of *flock*: every surviving sheep, wherever it stands."""
    return s.held[p, Special.FLOCK] * s.flock_points * COUNT[farm]


@rule
def radix_of(s: Any, p: Any) -> Any:
    """Returns the digit values of codes: a code counts the *move sheep* tokens used of each kind.

    Digit t, with value radix[t], counts those of kind t; the last entry is the number of codes.
    """
    a = s.held[p, 0] + 1
    b = a * (s.held[p, 1] + 1)
    c = b * (s.held[p, 2] + 1)
    return 1, a, b, c, c * (s.held[p, 3] + 1)


@rule
def used(radix: Any, code: Any, t: Any) -> Any:
    """Counts the tokens of kind t in a code."""
    return code % radix[t + 1] // radix[t]


@rule
def tokens_in(radix: Any, code: Any) -> Any:
    """Counts the tokens of a code."""
    n = 0
    for t in range(MOVERS):
        n += used(radix, code, t)
    return n


@rule
def spread(s: Any, p: Any, radix: Any) -> None:
    """Marks every reachable farm in `reach`, with one bit for every sufficient code."""
    first = FIRST[COUNT[s.sheep[p]]]
    alike = FIRST[COUNT[s.sheep[p]] + 1] - first
    clear_reach(s, p)
    s.reach[RANK[s.sheep[p]]] = 1
    # A move raises the code, so every code is complete when its turn comes.
    for code in range(radix[MOVERS] - 1):
        more = 0
        fewer = 0
        for t in range(MOVERS):
            if used(radix, code, t) < s.held[p, t]:
                more |= 1 << code + radix[t]
            if used(radix, code, t) > 0:
                fewer |= 1 << code - radix[t]
        for rank in range(alike):
            if s.reach[rank] >> code & 1:
                s.reach[rank] |= more
                # If fewer tokens lead here, its successors were already found.
                if s.reach[rank] & fewer == 0:
                    spread_from(s, p, radix, FARMS[first + rank], code, more)


@rule
def spread_from(s: Any, p: Any, radix: Any, farm: Any, code: Any, more: Any) -> None:
    """Marks every farm one move away, with the code and one token more."""
    for way in range(WAYS):
        t = s.arrow[way]
        if t >= 0 and s.held[p, t] > 0 and more >> code + radix[t] & 1:
            for slot in range(SLOTS):
                to = s.step[way, slot]
                if farm >> slot & 1 and to >= 0 and farm >> to & 1 == 0:
                    s.reach[RANK[farm ^ 1 << slot ^ 1 << to]] |= 1 << code + radix[t]


@rule
def most_points(s: Any, p: Any) -> Any:
    """Returns the points of the best reachable farm."""
    first = FIRST[COUNT[s.sheep[p]]]
    most = 0
    for rank in range(FIRST[COUNT[s.sheep[p]] + 1] - first):
        if s.reach[rank] > 0:
            best = allot(s, FARMS[first + rank])
            if best > most:
                most = best
    return most >> TIES


@rule
def choose_farm(s: Any, p: Any, radix: Any) -> Any:
    """Returns the best reachable farm and its code with the fewest tokens."""
    points = most_points(s, p)
    first = FIRST[COUNT[s.sheep[p]]]
    best_farm = 0
    best_code = 0
    fewest = MAX_HELD + 1
    for rank in range(FIRST[COUNT[s.sheep[p]] + 1] - first):
        farm = FARMS[first + rank]
        if s.reach[rank] > 0 and allot(s, farm) >> TIES == points:
            for code in range(radix[MOVERS]):
                if s.reach[rank] >> code & 1 and tokens_in(radix, code) < fewest:
                    fewest = tokens_in(radix, code)
                    best_farm = farm
                    best_code = code
    return best_farm, best_code


@rule
def clear_reach(s: Any, p: Any) -> None:
    """Clears `reach`."""
    for rank in range(FIRST[COUNT[s.sheep[p]] + 1] - FIRST[COUNT[s.sheep[p]]]):
        s.reach[rank] = 0


@rule
def has_mover(s: Any, p: Any) -> Any:
    """Returns whether the seat holds a *move sheep* token."""
    return s.held[p, 0] + s.held[p, 1] + s.held[p, 2] + s.held[p, 3] > 0


@rule
def best_points(s: Any, p: Any) -> Any:
    """Returns the points of the seat's sheep, cubes and tokens if counted now."""
    weigh(s, p, COUNT[s.sheep[p]], s.cubes[p])
    points = allot(s, s.sheep[p]) >> TIES
    if has_mover(s, p):
        spread(s, p, radix_of(s, p))
        points = most_points(s, p)
        clear_reach(s, p)
    clear_rest(s)
    return points + flock_points(s, p, s.sheep[p])


@rule
def step_back(s: Any, p: Any, radix: Any, farm: Any, code: Any) -> Any:
    """Returns a move that leads to a farm with a code: (way, slot it starts from)."""
    for way in range(WAYS):
        t = s.arrow[way]
        if t < 0 or used(radix, code, t) == 0:
            continue
        for slot in range(SLOTS):
            to = s.step[way, slot]
            if farm >> slot & 1 == 0 and to >= 0 and farm >> to & 1:
                before = farm ^ 1 << slot ^ 1 << to
                if s.reach[RANK[before]] >> code - radix[t] & 1:
                    return way, slot
    return -1, -1


@rule
def make_last_moves(s: Any, p: Any) -> None:
    """Uses the remaining *move sheep* tokens to make the best reachable farm (FW-22)."""
    radix = radix_of(s, p)
    spread(s, p, radix)
    best, code = choose_farm(s, p, radix)
    farm = best
    while code > 0:
        way, slot = step_back(s, p, radix, farm, code)
        t = s.arrow[way]
        s.last_moves[p, tokens_in(radix, code) - 1] = 1 + slot * WAYS + way
        s.lying[p, t, slot] += 1
        farm ^= 1 << slot ^ 1 << s.step[way, slot]
        code -= radix[t]
    clear_reach(s, p)
    for k in range(MAX_HELD):
        if s.last_moves[p, k] > 0:
            s.held[p, s.arrow[(s.last_moves[p, k] - 1) % WAYS]] -= 1
    s.sheep[p] = best


@rule
def score(s: Any, p: Any) -> None:
    """Stores the seat's best allocation and its points (FW-21, FW-22)."""
    weigh(s, p, COUNT[s.sheep[p]], s.cubes[p])
    if has_mover(s, p):
        make_last_moves(s, p)
    farm = s.sheep[p]
    points, trios, guards, pairs, watched, on_wages = unpack(allot(s, farm))
    clear_rest(s)
    s.sets[p, 0] = trios
    s.sets[p, 1] = guards
    s.sets[p, 2] = pairs
    s.on_wages[p] = on_wages
    spent = watched + on_wages
    for k in range(3):
        s.points[p, Source.TRIO + k] = s.sets[p, k] * s.set_points[k]
        spent += s.sets[p, k] * s.set_cubes[k]
    s.points[p, Source.FARM] = HIGHEST[farm, watched]
    s.points[p, Source.FLOCK] = flock_points(s, p, farm)
    s.points[p, Source.WAGES] = on_wages // s.wages_cubes * s.wages_points
    s.points[p, Source.FREE] = (s.cubes[p] - spent) // s.free_cubes * s.free_points
    s.score[p] = points + s.points[p, Source.FLOCK]
    # The lowest sheep go onto tokens, the highest get cubes.
    to_trio = trios * s.set_sheep[0]
    to_guard = to_trio + guards * s.set_sheep[1]
    to_pair = to_guard + pairs * s.set_sheep[2]
    alone = COUNT[farm] - watched
    n = 0
    for slot in range(SLOTS):
        s.fate[p, slot] = Fate.GONE
        if farm >> slot & 1:
            if n < to_trio:
                s.fate[p, slot] = Fate.TRIO
            elif n < to_guard:
                s.fate[p, slot] = Fate.GUARD
            elif n < to_pair:
                s.fate[p, slot] = Fate.PAIR
            elif n < alone:
                s.fate[p, slot] = Fate.ALONE
            else:
                s.fate[p, slot] = Fate.WATCHED
            n += 1
