"""What each seat of Fox Grove may know (FG-41), compiled."""

from __future__ import annotations

from math import comb

import numpy as np

from foxden.engine.game import Feature
from foxden.engine.kernel import rule
from foxden.engine.rng import below, bits, hide_stream
from foxden.engine.sets import count, lowest
from foxden.games.fox_grove.rules import (
    ALL_CARDS,
    CARDS,
    FRANK,
    HAND,
    HIDDEN_BURY,
    HIDDEN_PASS,
    MAX_BERRIES,
    MAX_SEATS,
    NONE,
    OWLS,
    SUIT,
    TOP,
    Phase,
    random_card,
    side,
)

# Ways to choose k of n cards; floats, because their products are large.
CHOOSE = np.array([[float(comb(n, k)) for k in range(HAND + 3)] for n in range(CARDS + 1)])
# Every split of 0 … HAND cards into four colours, and the start of those for n cards.
SPLITS = np.array(
    [
        (a, b, c, n - a - b - c)
        for n in range(HAND + 1)
        for a in range(n + 1)
        for b in range(n + 1 - a)
        for c in range(n + 1 - a - b)
    ]
)
SPLITS_OF = np.array([comb(n + 3, 4) for n in range(HAND + 2)])


@rule
def choosing(s):
    """Returns whether cards for the exchange are being chosen, unseen by the others (FG-14)."""
    return s.phase == Phase.LEFT or s.phase == Phase.RIGHT or s.phase == Phase.UNDER


@rule
def knows_left(s, seat, p):
    """Returns whether a seat knows which card p passed to the left."""
    return seat == p or (seat >= 0 and seat == (p + 1) % s.seats and not choosing(s))


@rule
def knows_right(s, seat, p):
    """Returns whether a seat knows which card p passed to the right, or put under the pile."""
    if seat == p or seat < 0:
        return seat == p
    return s.seats > 2 and seat == (p - 1) % s.seats and not choosing(s)


@rule
def observe(s, seat):
    """Wipes the pile, the others' hands and cards set aside or buried, and berries' points."""
    hide_stream(s)
    s.pile = 0
    for v in range(1, 5):
        s.supply[v] = 0
    s.supply[0] = s.in_supply
    for p in range(s.seats):
        if not knows_left(s, seat, p):
            s.gave_left[p] = NONE
        if not knows_right(s, seat, p):
            s.gave_right[p] = NONE
        if p != seat:
            s.hand[p] = 0
            s.buried[p] = 0
            spent = 0
            for v in range(5):
                spent += s.spent[p, v]
                s.spent[p, v] = 0
            s.spent[p, 0] = spent
            if s.phase != Phase.OVER:
                # FG-41: berries are turned over at scoring.
                for v in range(1, 5):
                    s.held[p, v] = 0
                s.held[p, 0] = s.berries[p]


# Resampling: every deal that fits what the seat knows is equally likely.


@rule
def resample(s, seat):
    """Fills in what the seat does not know: cards, what was passed, and berries."""
    deal_unseen(s, seat)
    fill_passed(s, seat)
    deal_berries(s, seat)


@rule
def deal_unseen(s, seat):
    """Deals the unseen cards to hands, to places under the pile, and to the pile."""
    left = right = NONE
    if seat >= 0 and not choosing(s):
        left = s.gave_left[seat]
        if s.seats > 2:
            right = s.gave_right[seat]
    next_left = (seat + 1) % s.seats
    next_right = (seat - 1) % s.seats
    # A card the seat passed on is in its receiver's hand, or buried by it (FG-15).
    total = 0.0
    for way in range(4):
        total += weigh_places(s, next_left, left, way & 1, next_right, right, way >> 1)
    aim = total * (bits(s) / 4294967296)
    chosen = 0
    for way in range(4):
        weight = weigh_places(s, next_left, left, way & 1, next_right, right, way >> 1)
        if weight > 0.0:
            chosen = way
            aim -= weight
            if aim < 0.0:
                break
    place(s, next_left, left, chosen & 1)
    place(s, next_right, right, chosen >> 1)
    for p in range(s.seats):
        if open_slots(s, p) > 0 and s.void[p]:
            deal_bound_hand(s, p)
    cards = unseen(s)
    for p in range(s.seats):
        for _ in range(open_slots(s, p)):
            card = 1 << random_card(s, cards)
            s.hand[p] |= card
            cards ^= card
        for _ in range(s.under[p] - count(s.buried[p])):
            card = 1 << random_card(s, cards)
            s.buried[p] |= card
            cards ^= card
        if s.seats == 2 and s.gave_right[p] == NONE and not choosing(s):
            s.gave_right[p] = random_card(s, cards)
            cards ^= 1 << s.gave_right[p]
    s.pile = cards


@rule
def unseen(s):
    """Returns the cards without a place yet in a world being filled."""
    cards = ALL_CARDS & ~s.played[FRANK]
    for p in range(s.seats):
        cards &= ~(s.hand[p] | s.buried[p] | s.played[p])
        if s.seats == 2 and s.gave_right[p] != NONE and not choosing(s):
            cards &= ~(1 << s.gave_right[p])
    return cards


@rule
def open_slots(s, p):
    """Returns the number of cards still missing from a hand."""
    return s.in_hand[p] - count(s.hand[p])


@rule
def place(s, p, card, buried):
    """Puts a card passed to p into its hand, or among those it buried."""
    if card != NONE and s.played[p] >> card & 1 == 0:
        if buried:
            s.buried[p] |= 1 << card
        else:
            s.hand[p] |= 1 << card


@rule
def can_place(s, p, card, buried):
    """Returns whether a card passed to p may be there; a played card has only one way."""
    if card == NONE or s.played[p] >> card & 1:
        return not buried
    if buried:
        return s.under[p] > 0
    return s.void[p] >> card // 13 & 1 == 0 and s.in_hand[p] > 0


@rule
def lift(s, p, card):
    """Undoes `place`."""
    if card != NONE:
        s.hand[p] &= ~(1 << card)
        s.buried[p] &= ~(1 << card)


@rule
def weigh_places(s, next_left, left, left_buried, next_right, right, right_buried):
    """Counts the deals in which the cards a seat passed on are in the given places."""
    if not can_place(s, next_left, left, left_buried):
        return 0.0
    if not can_place(s, next_right, right, right_buried):
        return 0.0
    place(s, next_left, left, left_buried)
    place(s, next_right, right, right_buried)
    ways = weigh_deals(s)
    lift(s, next_left, left)
    lift(s, next_right, right)
    return ways


@rule
def weigh_deals(s):
    """Counts the ways to deal the unseen cards."""
    cards = unseen(s)
    p = next_bound(s, 0)
    ways = 1.0
    if p < s.seats:
        ways = ways_four(s, p, 2.0e300, colours(cards))[0]
    left = count(cards)
    for p in range(s.seats):
        if s.void[p]:
            left -= open_slots(s, p)
    for p in range(s.seats):
        if not s.void[p]:
            ways *= CHOOSE[left, open_slots(s, p)]
            left -= open_slots(s, p)
        buried = s.under[p] - count(s.buried[p])
        if buried < 0:
            return 0.0
        ways *= CHOOSE[left, buried]
        left -= buried
    return ways


@rule
def colours(cards):
    """Counts a set of cards by colour."""
    return (
        count(cards & SUIT),
        count(cards & SUIT << 13),
        count(cards & SUIT << 26),
        count(cards & SUIT << 39),
    )


@rule
def next_bound(s, p):
    """Returns the next seat, from p on, with a shown void and cards missing."""
    while p < s.seats and (s.void[p] == 0 or open_slots(s, p) == 0):
        p += 1
    return p


@rule
def weigh_split(s, p, i, left):
    """Counts the ways to give p a split of colours; 0 for a colour it lacks."""
    ways = 1.0
    for colour in range(4):
        cards = 0 if s.void[p] >> colour & 1 else left[colour]
        ways *= CHOOSE[cards, SPLITS[i, colour]]
    return ways


@rule
def less(left, i):
    """Subtracts a split from the cards left of each colour."""
    return (
        left[0] - SPLITS[i, 0],
        left[1] - SPLITS[i, 1],
        left[2] - SPLITS[i, 2],
        left[3] - SPLITS[i, 3],
    )


# The next three count the ways to deal p's hand and those of all bound seats after it, and find
# the split of p's hand at which the running count reaches `aim`. Each leaves the later seats to
# the one before it; written out, because compiled rules cannot recurse.


@rule
def ways_one(s, p, left):
    """Counts for the last of the bound seats."""
    cards = 0
    for colour in range(4):
        if s.void[p] >> colour & 1 == 0:
            cards += left[colour]
    return CHOOSE[cards, open_slots(s, p)]


@rule
def ways_two(s, p, left):
    """Counts for the last two."""
    q = next_bound(s, p + 1)
    if q == s.seats:
        return ways_one(s, p, left)
    total = 0.0
    n = open_slots(s, p)
    for i in range(SPLITS_OF[n], SPLITS_OF[n + 1]):
        ways = weigh_split(s, p, i, left)
        if ways > 0.0:
            total += ways * ways_one(s, q, less(left, i))
    return total


@rule
def ways_three(s, p, left):
    """Counts for the last three."""
    q = next_bound(s, p + 1)
    if q == s.seats:
        return ways_one(s, p, left)
    total = 0.0
    n = open_slots(s, p)
    for i in range(SPLITS_OF[n], SPLITS_OF[n + 1]):
        ways = weigh_split(s, p, i, left)
        if ways > 0.0:
            total += ways * ways_two(s, q, less(left, i))
    return total


@rule
def ways_four(s, p, aim, left):
    """Counts for up to four, and returns the split at which the count reaches `aim`."""
    q = next_bound(s, p + 1)
    total = 0.0
    found = NONE
    n = open_slots(s, p)
    for i in range(SPLITS_OF[n], SPLITS_OF[n + 1]):
        ways = weigh_split(s, p, i, left)
        if ways > 0.0:
            if q < s.seats:
                ways *= ways_three(s, q, less(left, i))
            if ways > 0.0 and total <= aim:
                found = i
            total += ways
    return total, found


@rule
def deal_bound_hand(s, p):
    """Deals the hand of a seat with a void, leaving enough for the bound seats after it."""
    cards = unseen(s)
    left = colours(cards)
    aim = ways_four(s, p, 2.0e300, left)[0] * (bits(s) / 4294967296)
    i = ways_four(s, p, aim, left)[1]
    for colour in range(4):
        for _ in range(SPLITS[i, colour]):
            card = 1 << random_card(s, cards & SUIT << 13 * colour)
            s.hand[p] |= card
            cards ^= card


@rule
def fill_passed(s, seat):
    """Draws what the others passed on: cards of the giver before, of the receiver after."""
    for p in range(s.seats):
        through = (p - s.first) % s.seats < s.turn
        if choosing(s):
            if p == seat:
                continue
            if through or (p == s.to_act and s.phase != Phase.LEFT):
                s.gave_left[p] = random_card(s, s.hand[p])
            if through:
                s.gave_right[p] = random_card(s, s.hand[p] & ~(1 << s.gave_left[p]))
        else:
            if s.gave_left[p] == NONE:
                s.gave_left[p] = random_card(s, received(s, (p + 1) % s.seats))
            if s.gave_right[p] == NONE:
                s.gave_right[p] = random_card(s, received(s, (p - 1) % s.seats))


@rule
def received(s, p):
    """Returns the cards that p may have been passed, without the settled ones."""
    cards = s.hand[p] | s.buried[p] | s.played[p]
    from_right = s.gave_left[(p - 1) % s.seats]
    from_left = s.gave_right[(p + 1) % s.seats]
    if from_right != NONE:
        cards &= ~(1 << from_right)
    if from_left != NONE:
        cards &= ~(1 << from_left)
    return cards


@rule
def deal_berries(s, seat):
    """Deals the unseen berries in the order in which they were taken and spent.

    The least valuable berry is always spent (FG-26), which determines which one it was.
    """
    left = s.in_supply + 0
    for v in range(1, 5):
        s.supply[v] = s.berry_counts[v]
    s.supply[0] = 0
    for p in range(s.seats):
        left += s.held[p, 0] + s.spent[p, 0]
        for v in range(1, 5):
            s.supply[v] -= s.held[p, v] + s.spent[p, v]
    for p in range(s.seats):
        if p == seat:
            continue
        over = s.phase == Phase.OVER
        log = s.berry_log[p]
        bit = 1
        while log >> bit:
            bit += 1
        if over:
            # Only the spent ones are left to fill in.
            for _ in range(s.spent[p, 0]):
                s.spent[p, draw_berry(s, left)] += 1
                left -= 1
        else:
            for k in range(bit - 2, -1, -1):
                if log >> k & 1 == 0:
                    s.held[p, draw_berry(s, left)] += 1
                    left -= 1
                else:
                    v = 1
                    while s.held[p, v] == 0:
                        v += 1
                    s.held[p, v] -= 1
                    s.spent[p, v] += 1
            s.held[p, 0] = 0
        s.spent[p, 0] = 0


@rule
def draw_berry(s, left):
    """Draws the points of one of the remaining berries."""
    drawn = below(s, left)
    v = 1
    while drawn >= s.supply[v]:
        drawn -= s.supply[v]
        v += 1
    s.supply[v] -= 1
    return v


@rule
def seen(s, action, seat):
    """Returns the action as the seat sees it: another's face-down card is just a card."""
    if s.to_act != seat:
        if s.phase == Phase.LEFT or s.phase == Phase.RIGHT:
            return HIDDEN_PASS + 0
        if s.phase == Phase.UNDER or s.phase == Phase.BURY:
            return HIDDEN_BURY + 0
    return action + 0


PHASES = 19
LOG = 2 * MAX_BERRIES
# The tensor; "seat" counts clockwise from the viewer (from seat 0 for a spectator).
TENSOR = (
    Feature("seats", (3,), "one-hot: 2, 3 or 4 seats"),
    Feature("options", (1 + OWLS + 3,), "pro; the two owls of the table; side B of each house"),
    Feature("rewards", (CARDS, 4), "what a card gives: wood, nuts, maple, any / 8"),
    Feature("costs", (3, TOP, 4), "what a level of each house costs: wood, nuts, maple, any / 16"),
    Feature("bonuses", (3, TOP), "1 for a level with a bonus"),
    Feature("points", (3, TOP), "points of each level / 128"),
    Feature("track", (TOP,), "points of the round track by lowest level / 128"),
    Feature("berry_counts", (4,), "berries of 1, 2, 3, 4 points in the box / 32"),
    Feature("phase", (PHASES,), "one-hot, in the order of rules.Phase"),
    Feature("round", (4,), "one-hot"),
    Feature("tricks", (1,), "tricks behind us in this round / 9"),
    Feature("turn", (1,), "seats that are through, in whatever goes round / 4"),
    Feature("first", (MAX_SEATS,), "one-hot: the seat with the first player marker"),
    Feature("to_act", (MAX_SEATS,), "one-hot: the seat asked"),
    Feature("leader", (MAX_SEATS,), "one-hot: who leads the trick"),
    Feature("led", (4,), "one-hot: the colour to follow"),
    Feature("best", (CARDS,), "one-hot: the winning card so far"),
    Feature("taker", (MAX_SEATS + 1,), "one-hot: whose it is; the last is Frank"),
    Feature("lying", (CARDS,), "1 for a card in the trick"),
    Feature("cast", (CARDS,), "1 for a card discarded during it"),
    Feature("picks", (3,), "won / 1, cards still to choose / 2, pick two used"),
    Feature("card", (CARDS,), "one-hot: the card that gives its reward"),
    Feature("wild", (1,), "resources of choice that it still gives / 16"),
    Feature(
        "advance",
        (11,),
        "house one-hot, 13 or not, price (4) and drops / 16, berries and wood paid / 16",
    ),
    Feature(
        "paid",
        (6,),
        "last payment / 16: wood, nuts, maple, berries, switch, discount",
    ),
    Feature("hand", (CARDS,), "1 for a card of the viewer's own hand", own=True),
    Feature("in_hand", (MAX_SEATS,), "cards in hand / 16"),
    Feature(
        "played",
        (MAX_SEATS + 1, CARDS),
        "1 for a card that a seat played in this round; the last is Frank",
    ),
    Feature("void", (MAX_SEATS, 4), "1 for a colour that a seat has shown to lack"),
    Feature("gave_left", (MAX_SEATS, CARDS), "one-hot where known: passed to the left"),
    Feature(
        "gave_right",
        (MAX_SEATS, CARDS),
        "one-hot where known: passed to the right or under the pile",
    ),
    Feature("buried", (CARDS,), "1 for a card that the viewer put under the pile", own=True),
    Feature("under", (MAX_SEATS,), "cards put under the pile after draw two / 2"),
    Feature("stock", (MAX_SEATS, 3), "wood, nuts, maple / 256"),
    Feature("level", (MAX_SEATS, 3, TOP), "1 for each level reached"),
    Feature("owls", (MAX_SEATS, OWLS, 2), "owned; active"),
    Feature("held", (MAX_SEATS, 5), "berries held: unseen, of 1, 2, 3, 4 points / 32"),
    Feature("spent", (MAX_SEATS, 5), "berries spent: unseen, of 1, 2, 3, 4 points / 32"),
    Feature("supply", (1,), "berries left / 32"),
    Feature("berry_log", (MAX_SEATS, LOG), "berries in order: 1 taken, -1 spent"),
)


@rule
def write_set(out, k, cards):
    """Writes 1 for every card of a set."""
    while cards:
        out[k + lowest(cards)] = 1.0
        cards &= cards - 1


@rule
def features(s, seat, out):
    """Writes the tensor of a wiped state, block by block as TENSOR lists them."""
    for i in range(len(out)):
        out[i] = 0.0
    first = max(seat, 0)
    k = table_features(s, out)
    k = trick_features(s, first, out, k)
    k = card_features(s, seat, first, out, k)
    seat_features(s, first, out, k)


@rule
def table_features(s, out):
    """Writes the table's options and the printed numbers; returns the next offset."""
    out[s.seats - 2] = 1.0
    out[3] = s.pro
    out[4 + s.owl_one] = 1.0
    out[4 + s.owl_two] = 1.0
    k = 4 + OWLS
    for house in range(3):
        out[k + house] = side(s, house)
    k += 3
    for card in range(CARDS):
        for kind in range(4):
            out[k + 4 * card + kind] = s.reward[card, kind] / 8
    k += 4 * CARDS
    for house in range(3):
        for level in range(TOP):
            at = house * TOP + level
            for kind in range(4):
                out[k + 4 * at + kind] = s.cost[side(s, house), house, level, kind] / 16
            out[k + 84 + at] = s.bonus[side(s, house), house, level + 1]
            out[k + 105 + at] = s.points[side(s, house), house, level + 1] / 128
    k += 126
    for level in range(TOP):
        out[k + level] = s.track[level + 1] / 128
    k += TOP
    for v in range(4):
        out[k + v] = s.berry_counts[v + 1] / 32
    return k + 4


@rule
def trick_features(s, first, out, k):
    """Writes the state of the match, the trick and the advance; returns the next offset."""
    out[k + s.phase] = 1.0
    k += PHASES
    out[k + s.round] = 1.0
    k += 4
    out[k] = s.tricks / 9
    out[k + 1] = s.turn / 4
    k += 2
    out[k + (s.first - first) % s.seats] = 1.0
    k += MAX_SEATS
    if s.to_act >= 0:
        out[k + (s.to_act - first) % s.seats] = 1.0
    k += MAX_SEATS
    out[k + (s.leader - first) % s.seats] = 1.0
    k += MAX_SEATS
    if s.led >= 0:
        out[k + s.led] = 1.0
    k += 4
    if s.best >= 0:
        out[k + s.best] = 1.0
    k += CARDS
    if s.taker == FRANK:
        out[k + FRANK] = 1.0
    elif s.taker >= 0:
        out[k + (s.taker - first) % s.seats] = 1.0
    k += MAX_SEATS + 1
    write_set(out, k, s.lying)
    k += CARDS
    write_set(out, k, s.cast)
    k += CARDS
    out[k] = s.won
    out[k + 1] = s.picks / 2
    out[k + 2] = s.picked_two
    k += 3
    if s.card >= 0:
        out[k + s.card] = 1.0
    k += CARDS
    out[k] = s.wild / 16
    k += 1
    if s.house >= 0:
        out[k + s.house] = 1.0
    out[k + 3] = s.reduction
    for kind in range(4):
        out[k + 4 + kind] = s.due[kind] / 16
    out[k + 8] = s.dropped / 16
    out[k + 9] = s.pay_berries / 16
    out[k + 10] = s.pay_wood / 16
    k += 11
    for i in range(6):
        out[k + i] = s.paid[i] / 16
    return k + 6


@rule
def card_features(s, seat, first, out, k):
    """Writes hands and known cards; returns the next offset."""
    if seat >= 0:
        write_set(out, k, s.hand[seat])
    k += CARDS
    for i in range(s.seats):
        out[k + i] = s.in_hand[(first + i) % s.seats] / 16
    k += MAX_SEATS
    for i in range(s.seats):
        write_set(out, k + i * CARDS, s.played[(first + i) % s.seats])
    write_set(out, k + FRANK * CARDS, s.played[FRANK])
    k += (MAX_SEATS + 1) * CARDS
    for i in range(s.seats):
        for colour in range(4):
            out[k + 4 * i + colour] = s.void[(first + i) % s.seats] >> colour & 1
    k += 4 * MAX_SEATS
    for i in range(s.seats):
        p = (first + i) % s.seats
        if s.gave_left[p] >= 0:
            out[k + i * CARDS + s.gave_left[p]] = 1.0
        if s.gave_right[p] >= 0:
            out[k + (MAX_SEATS + i) * CARDS + s.gave_right[p]] = 1.0
    k += 2 * MAX_SEATS * CARDS
    if seat >= 0:
        write_set(out, k, s.buried[seat])
    k += CARDS
    for i in range(s.seats):
        out[k + i] = s.under[(first + i) % s.seats] / 2
    return k + MAX_SEATS


@rule
def seat_features(s, first, out, k):
    """Writes the seats' possessions."""
    for i in range(s.seats):
        p = (first + i) % s.seats
        for kind in range(3):
            out[k + 3 * i + kind] = s.stock[p, kind] / 256
        at = k + 3 * MAX_SEATS
        for house in range(3):
            for level in range(s.level[p, house]):
                out[at + (3 * i + house) * TOP + level] = 1.0
        at += MAX_SEATS * 3 * TOP
        for owl in range(OWLS):
            out[at + (i * OWLS + owl) * 2] = s.owls[p] >> owl & 1
            out[at + (i * OWLS + owl) * 2 + 1] = s.awake[p] >> owl & 1
        at += MAX_SEATS * OWLS * 2
        for v in range(5):
            out[at + 5 * i + v] = s.held[p, v] / 32
            out[at + 5 * (MAX_SEATS + i) + v] = s.spent[p, v] / 32
        at += 10 * MAX_SEATS
        out[at] = s.in_supply / 32
        at += 1
        taken = s.berry_log[p]
        n = 0
        while taken >> (n + 1):
            n += 1
        for j in range(n):
            out[at + i * LOG + j] = -1.0 if taken >> (n - 1 - j) & 1 else 1.0
