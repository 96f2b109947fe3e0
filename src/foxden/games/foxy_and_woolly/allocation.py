"""The best use of sheep, cubes and tokens at the end of Foxy & Woolly (FW-22), exact and compiled.

Three facts make it small. A *move sheep* token changes only where sheep stand, so the reachable
farms are found first, one token at a time, and no further once none could score more. On one farm,
the lowest sheep go onto tokens and the highest get cubes: no other choice scores more, for swapping
two sheep to get there never loses. And the points of sets and loose cubes depend only on how many
sheep get a cube, not on where they stand: they are computed once, and then every farm costs at most
ten sums.

Nothing is allocated: scratch values are kept in the state's fields `reach` and `rest`, which are
zero at any other time. GPU code does not guarantee that, so nothing is read before it is written.
"""

from __future__ import annotations

from typing import Any

from foxden.engine.kernel import rule
from foxden.engine.sets import lowest
from foxden.games.foxy_and_woolly.vocabulary import (
    ALL_CUBES,
    COUNT,
    FARMS,
    FIRST,
    FULL,
    HALF,
    HIGHEST,
    INVERSE,
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
def sets_in(cubes: Any, size: Any) -> Any:
    """Returns how many sets of a size cubes make."""
    return cubes * INVERSE[size] >> 16


@rule
def loose(s: Any, wages: Any, cubes: Any, sets: Any, over: Any) -> Any:
    """Returns the most points of cubes beside no sheep, and how many of them lie on *wages*.

    The cubes make so many sets of `free_cubes`, with some left over; a caller that counts them down
    spares a division each time.
    """
    best = s.free_points * sets
    on_wages = 0
    if wages > 0:
        points = 0
        for paid in range(s.wages_cubes, cubes + 1, s.wages_cubes):
            points += s.wages_points
            over -= s.wages_cubes
            while over < 0:
                over += s.free_cubes
                sets -= 1
            if points + s.free_points * sets > best:
                best = points + s.free_points * sets
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

    That does not depend on where the sheep stand. No more have one than there are sheep or cubes.
    """
    for watched in range(min(sheep, cubes) + 1):
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
                if home >= 0 and left >= 0:
                    free = sets_in(left, s.free_cubes)
                    over = left - free * s.free_cubes
                    for watched in range(min(home, left) + 1):
                        points, on_wages = loose(s, wages, left - watched, free, over)
                        over -= 1
                        if over < 0:
                            over += s.free_cubes
                            free -= 1
                        packed = pack(sets + points, trios, guards, pairs, watched, on_wages)
                        s.rest[watched] = max(s.rest[watched], packed)


@rule
def clear_rest(s: Any, p: Any) -> None:
    """Clears `rest`."""
    for watched in range(min(COUNT[s.sheep[p]], s.cubes[p]) + 1):
        s.rest[watched] = 0


@rule
def allot(s: Any, p: Any, farm: Any) -> Any:
    """Returns the best allocation of a farm, packed, using the results of `weigh`."""
    best = IMPOSSIBLE
    for watched in range(min(COUNT[farm], s.cubes[p]) + 1):
        best = max(best, s.rest[watched] + (int(HIGHEST[farm, watched]) << TIES))
    return best


@rule
def flock_points(s: Any, p: Any, farm: Any) -> Any:
    """Counts the points of *flock*: every surviving sheep, wherever it stands."""
    return s.held[p, Special.FLOCK] * s.flock_points * COUNT[farm]


# Which farms can be reached with which tokens. The tokens used are packed into one number, three
# bits a kind. `reach` holds the farms reached with exactly n tokens, n growing by one: for every
# way to use so many there is a set of farms, by their rank, in two words. How many of the kind most
# held are used follows from the others, so these alone determine the place of a set.


@rule
def most_held(s: Any, p: Any) -> Any:
    """Returns the kind of *move sheep* tokens of which the seat has most."""
    kind = 0
    for t in range(1, MOVERS):
        if s.held[p, t] > s.held[p, kind]:
            kind = t
    return kind


@rule
def places(s: Any, p: Any, implied: Any) -> Any:
    """Counts the places of `reach` in use."""
    n = 1
    for t in range(MOVERS):
        if t != implied:
            n *= s.held[p, t] + 1
    return n


@rule
def place_of(s: Any, p: Any, implied: Any, used: Any) -> Any:
    """Returns the place of the farms reached with some tokens."""
    place = 0
    value = 1
    for t in range(MOVERS):
        if t != implied:
            place += value * (used >> 3 * t & 7)
            value *= s.held[p, t] + 1
    return place


@rule
def used_at(s: Any, p: Any, implied: Any, place: Any, n: Any) -> Any:
    """Returns the n tokens that a place stands for, or -1 if there are no such tokens."""
    used = 0
    for t in range(MOVERS):
        if t != implied and s.held[p, t] > 0:
            more = place // (s.held[p, t] + 1)
            digit = place - more * (s.held[p, t] + 1)
            place = more
            used |= digit << 3 * t
            n -= digit
    if n < 0 or n > s.held[p, implied]:
        return -1
    return used | n << 3 * implied


@rule
def start_reach(s: Any, p: Any) -> None:
    """Writes the only farm reached without a token."""
    rank = RANK[s.sheep[p]]
    s.reach[0] = 1 << rank if rank < HALF else 0
    s.reach[1] = 1 << rank - HALF if rank >= HALF else 0


@rule
def clear_reach(s: Any, p: Any, implied: Any) -> None:
    """Clears the places in use."""
    for k in range(2 * places(s, p, implied)):
        s.reach[k] = 0


@rule
def spread(s: Any, p: Any, implied: Any, n: Any) -> Any:
    """Turns the farms reached with n - 1 tokens into those with n; returns all of them as two sets.

    A set is made from its own place and from earlier ones, so the last place goes first.
    """
    first = FIRST[COUNT[s.sheep[p]]]
    all_low = 0
    all_high = 0
    for place in range(places(s, p, implied) - 1, -1, -1):
        used = used_at(s, p, implied, place, n)
        if used >= 0:
            low = 0
            high = 0
            for t in range(MOVERS):
                if used >> 3 * t & 7:
                    source = 2 * place_of(s, p, implied, used - (1 << 3 * t))
                    for half in range(2):
                        near, far = one_move(s, t, first + HALF * half, s.reach[source + half])
                        low |= near
                        high |= far
            s.reach[2 * place] = low
            s.reach[2 * place + 1] = high
            all_low |= low
            all_high |= high
    return all_low, all_high


@rule
def one_move(s: Any, kind: Any, first: Any, farms: Any) -> Any:
    """Returns the farms that one token of a kind makes of a set of farms, as two sets."""
    low = 0
    high = 0
    for way in range(WAYS):
        if s.arrow[way] == kind:
            left = farms
            while left:
                farm = FARMS[first + lowest(left)]
                left &= left - 1
                sheep = farm
                while sheep:
                    slot = lowest(sheep)
                    sheep &= sheep - 1
                    to = s.step[way, slot]
                    if to >= 0 and farm >> to & 1 == 0:
                        rank = RANK[farm ^ 1 << slot ^ 1 << to]
                        if rank < HALF:
                            low |= 1 << rank
                        else:
                            high |= 1 << rank - HALF
    return low, high


@rule
def best_farm(s: Any, p: Any, implied: Any) -> Any:
    """Returns the best reachable farm, its points, and the tokens to reach it, the fewest.

    Of farms as good with as few tokens it takes the first by rank, and of tokens the least packed
    number. It stops where no farm with as many sheep scores more.
    """
    farm = s.sheep[p] + 0
    most = allot(s, p, farm) >> TIES
    sheep = COUNT[farm]
    bound = allot(s, p, FULL & ~((1 << SLOTS - sheep) - 1)) >> TIES
    used = 0
    if most == bound:
        return farm, most, used
    start_reach(s, p)
    seen_low = s.reach[0] + 0
    seen_high = s.reach[1] + 0
    tokens = s.held[p, 0] + s.held[p, 1] + s.held[p, 2] + s.held[p, 3]
    for n in range(1, tokens + 1):
        if most == bound:
            break
        low, high = spread(s, p, implied, n)
        found = -1
        for half in range(2):
            left = high & ~seen_high if half else low & ~seen_low
            while left:
                rank = HALF * half + lowest(left)
                left &= left - 1
                points = allot(s, p, FARMS[FIRST[sheep] + rank]) >> TIES
                if points > most:
                    most = points
                    found = rank
        if found >= 0:
            farm = FARMS[FIRST[sheep] + found]
            used = least_used(s, p, implied, n, found)
        seen_low |= low
        seen_high |= high
    clear_reach(s, p, implied)
    return farm, most, used


@rule
def least_used(s: Any, p: Any, implied: Any, n: Any, rank: Any) -> Any:
    """Returns the least packed number of n tokens that reach a farm."""
    least = 1 << 3 * MOVERS
    for place in range(places(s, p, implied)):
        used = used_at(s, p, implied, place, n)
        if 0 <= used < least and reaches(s, place, rank):
            least = used
    return least


@rule
def reaches(s: Any, place: Any, rank: Any) -> Any:
    """Returns whether a farm is in the set of a place."""
    if rank < HALF:
        return s.reach[2 * place] >> rank & 1 > 0
    return s.reach[2 * place + 1] >> rank - HALF & 1 > 0


@rule
def has_mover(s: Any, p: Any) -> Any:
    """Returns whether the seat holds a *move sheep* token."""
    return s.held[p, 0] + s.held[p, 1] + s.held[p, 2] + s.held[p, 3] > 0


@rule
def best_points(s: Any, p: Any) -> Any:
    """Returns the points of the seat's sheep, cubes and tokens if counted now."""
    weigh(s, p, COUNT[s.sheep[p]], s.cubes[p])
    if has_mover(s, p):
        _, points, _ = best_farm(s, p, most_held(s, p))
    else:
        points = allot(s, p, s.sheep[p] + 0) >> TIES
    clear_rest(s, p)
    return points + flock_points(s, p, s.sheep[p])


@rule
def step_back(s: Any, p: Any, implied: Any, farm: Any, used: Any) -> Any:
    """Returns a move that leads to a farm with some tokens: (way, slot it starts from)."""
    for way in range(WAYS):
        t = s.arrow[way]
        if t < 0 or used >> 3 * t & 7 == 0:
            continue
        place = place_of(s, p, implied, used - (1 << 3 * t))
        for slot in range(SLOTS):
            to = s.step[way, slot]
            moved = farm >> slot & 1 == 0 and to >= 0 and farm >> to & 1
            if moved and reaches(s, place, RANK[farm ^ 1 << slot ^ 1 << to]):
                return way, slot
    return -1, -1


@rule
def make_last_moves(s: Any, p: Any) -> None:
    """Uses the remaining *move sheep* tokens to make the best reachable farm (FW-22)."""
    implied = most_held(s, p)
    best, _, used = best_farm(s, p, implied)
    if used == 0:
        return
    tokens = 0
    for t in range(MOVERS):
        tokens += used >> 3 * t & 7
    farm = best
    for n in range(tokens - 1, -1, -1):
        # The farms reached before were not kept; few counts end with more than one move.
        start_reach(s, p)
        for k in range(1, n + 1):
            spread(s, p, implied, k)
        way, slot = step_back(s, p, implied, farm, used)
        t = s.arrow[way]
        s.last_moves[p, n] = 1 + slot * WAYS + way
        s.lying[p, t, slot] += 1
        farm ^= 1 << slot ^ 1 << s.step[way, slot]
        used -= 1 << 3 * t
    clear_reach(s, p, implied)
    for k in range(tokens):
        s.held[p, s.arrow[(s.last_moves[p, k] - 1) % WAYS]] -= 1
    s.sheep[p] = best


@rule
def score(s: Any, p: Any) -> None:
    """Stores the seat's best allocation and its points (FW-21, FW-22)."""
    weigh(s, p, COUNT[s.sheep[p]], s.cubes[p])
    if has_mover(s, p):
        make_last_moves(s, p)
    farm = s.sheep[p] + 0
    points, trios, guards, pairs, watched, on_wages = unpack(allot(s, p, farm))
    clear_rest(s, p)
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
    s.points[p, Source.WAGES] = sets_in(on_wages, s.wages_cubes) * s.wages_points
    s.points[p, Source.FREE] = sets_in(s.cubes[p] - spent, s.free_cubes) * s.free_points
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
