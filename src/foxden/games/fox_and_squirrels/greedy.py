"""A sensible player of A Game of Fox & Squirrels that looks at the table and one turn ahead."""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.engine.rng import below
from foxden.games.fox_and_squirrels.rules import (
    CARDS,
    CLAIM,
    DISCARD,
    DRAW,
    HIGH_ACE,
    ONE_RANK,
    PASS,
    RANKS,
    RUN,
    SET,
    SUITS,
    TAKE,
    TRIPLES,
    Phase,
    claimable,
    mask,
)

CLAIMABLE = 12  # a card that can claim a pile is as good as an acorn
PAIR = 4  # another card of the rank
NEXT = 4  # a neighbour in the suit
NEAR = 2  # a card of the suit with a gap of one
HELPS = 8  # a card that the next seat can play at once
TEMPTS = 2  # a card that goes with one that the next seat is known to hold
ACORN = 100
HOPE = 50  # what a card in another hand may still bring to the common heap …
PATIENCE = 80  # … if it is played before this turn of the round


@rule
def greedy(s, legal, n):
    """Chooses for the seat asked from what that seat knows."""
    if s.phase == Phase.DRAW:
        return TAKE if n == 2 and is_playable(s, s.discard[s.discard_size - 1]) else DRAW
    best = legal[0]
    most = -1000
    ties = 0
    for i in range(n):
        if s.phase == Phase.PLAN:
            value = worth_of_play(s, legal[i])
        else:
            value = worth_of_discard(s, legal[i] - DISCARD)
        if value > most:
            best = legal[i]
            most = value
            ties = 1
        elif value == most:
            ties += 1
            if below(s, ties) == 0:
                best = legal[i]
    return best


@rule
def rank_count(cards, n, rank):
    """Counts the cards of a rank among n."""
    count = 0
    for i in range(n):
        if cards[i] // SUITS == rank:
            count += 1
    return count


@rule
def around(cards, n, card):
    """Gives five bits: which of the cards two below to two above in the suit are there.

    Below an ace are king and queen, above it two and three.
    """
    held = mask(cards, n)
    held |= (held & ONE_RANK) << HIGH_ACE * SUITS
    rank = HIGH_ACE if card < SUITS else card // SUITS
    bits = 0
    for k in range(5):
        near = rank + k - 2
        if card < SUITS and k > 2:
            near = k - 2
        if near >= 0:
            bits |= (held >> (near * SUITS + card % SUITS) & 1) << k
    return bits


@rule
def makes_run(bits, card):
    """Tells whether a card makes a run with those around it; an ace is no middle (FS-14)."""
    below_it = bits & 0b00011 == 0b00011
    above_it = bits & 0b11000 == 0b11000
    return below_it or above_it or (card >= SUITS and bits & 0b01010 == 0b01010)


@rule
def is_playable(s, card):
    """Tells whether the seat asked could play the card at once, if it took it."""
    p = s.to_act
    if claimable(s, p) >> card & 1:
        return True
    if rank_count(s.hand[p], s.hand_size[p], card // SUITS) >= 2:
        return True
    return makes_run(around(s.hand[p], s.hand_size[p], card), card)


@rule
def worth_in_suit(s, card):
    """Rates what a card of the hand may become in a run."""
    bits = around(s.hand[s.to_act], s.hand_size[s.to_act], card)
    worth = 0
    if bits & 0b01010:
        worth += NEXT
    if bits & 0b10001:
        worth += NEAR
    if makes_run(bits, card):
        worth += 2 * NEXT
    return worth


@rule
def worth_to_keep(s, card):
    """Rates a card of the hand."""
    p = s.to_act
    worth = worth_in_suit(s, card)
    worth += PAIR * (rank_count(s.hand[p], s.hand_size[p], card // SUITS) - 1)
    if claimable(s, p) >> card & 1:
        worth += CLAIMABLE
    return worth


@rule
def worth_to_next(s, card):
    """Rates a discard for the next seat, by the piles and by what it is known to hold."""
    q = (s.to_act + 1) % s.seats
    if claimable(s, q) >> card & 1:
        return HELPS
    mates = rank_count(s.shown[q], s.shown_size[q], card // SUITS)
    bits = around(s.shown[q], s.shown_size[q], card)
    if mates >= 2 or makes_run(bits, card):
        return HELPS
    return TEMPTS if mates > 0 or bits & 0b01010 else 0


@rule
def worth_of_discard(s, card):
    """Rates a discard: useless to its owner, and to the next seat too, unless all play together."""
    helped = worth_to_next(s, card)
    return (helped if s.cooperative else -helped) - worth_to_keep(s, card)


@rule
def worth_of_play(s, action):
    """Rates a play: acorns first, then what it leaves in the hand."""
    if action == PASS:
        return 0
    cost = 0
    if action >= CLAIM:
        acorns = s.claim_reward
        used = 1
        cost = worth_in_suit(s, (action - CLAIM) % CARDS)
    elif action >= RUN:
        acorns = s.run_reward
        used = 3
        low = action - RUN
        for k in range(3):
            card = (low // SUITS + k) % RANKS * SUITS + low % SUITS
            cost += rank_count(s.hand[s.to_act], s.hand_size[s.to_act], card // SUITS)
    else:
        acorns = s.set_reward
        used = 3
        rank = (action - SET) // len(TRIPLES)
        for k in range(3):
            suit = TRIPLES[(action - SET) % len(TRIPLES), k]
            cost += worth_in_suit(s, rank * SUITS + suit)
    worth = ACORN * acorns - cost
    if s.hand_size[s.to_act] - used <= 1:
        worth += ACORN * s.bonus[s.round]
        if s.cooperative and s.turn < PATIENCE:  # the round ends for all
            for p in range(s.seats):
                if p != s.to_act:
                    worth -= HOPE * s.hand_size[p]
    return worth
