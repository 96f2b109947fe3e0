"""A greedy player of A Game of Fox & Squirrels: looks at the table and one turn ahead."""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.engine.rng import below
from foxden.engine.sets import count
from foxden.games.fox_and_squirrels.rules import (
    CARDS,
    CLAIM,
    DISCARD,
    DRAW,
    HIGH_ACE,
    NO_SUIT,
    ONE_RANK,
    PASS,
    RANKS,
    RUN,
    SET,
    SUITS,
    TAKE,
    TRIPLES,
    Demand,
    Phase,
    claimable,
    fox_count,
    mask,
)

CLAIMABLE = 12  # a card that can claim a pile is as good as an acorn
PAIR = 4  # another card of the rank
NEXT = 4  # a neighbour in the suit
NEAR = 2  # a card of the suit with a gap of one
HELPS = 8  # a card the next seat can play at once
TEMPTS = 2  # a card that goes with one the next seat is known to hold
ACORN = 100
NEW_SET = 5  # cards that extend a new set, both copies
NEW_RUN = 4  # … and a new run, at both ends
# Cooperative play (FS-26): cards in hand pay for claims, and waiting costs only foxes.
FEEDS = 20  # a discard that lets the next seat claim, though its owner cannot
REACH = 10  # a card that a run may grow to, minus the steps to it
WAIT = 100  # turns of a round spent waiting for claims; more bring little, and bore people
LUCK = 2  # claims per turn, for each useful card left in deck and discard pile
PATIENCE = 200  # value of another seat's card when foxes take acorns


@rule
def greedy(s, legal, n):
    """Chooses for the seat to act, from what that seat knows."""
    if s.phase == Phase.DRAW:
        if n == 1:
            return DRAW + 0
        top = s.discard[s.discard_size - 1]
        takes = is_useful(s, top) if s.cooperative else is_playable(s, top)
        return TAKE if takes else DRAW
    best = legal[0]
    most = -1000
    ties = 0
    for i in range(n):
        if s.phase == Phase.PLAN:
            value = worth_to_all(s, legal[i]) if s.cooperative else worth_of_play(s, legal[i])
        elif s.cooperative:
            value = worth_of_gift(s, legal[i] - DISCARD)
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
    """Returns five bits: the cards two below to two above in the suit that are there.

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
    """Returns whether a card makes a run with its neighbours, an ace only at an end (FS-14)."""
    below_it = bits & 0b00011 == 0b00011
    above_it = bits & 0b11000 == 0b11000
    return below_it or above_it or (card >= SUITS and bits & 0b01010 == 0b01010)


@rule
def is_playable(s, card):
    """Returns whether the seat to act could play the card at once if it took it."""
    p = s.to_act
    if claimable(s, p) >> card & 1:
        return True
    if rank_count(s.hand[p], s.hand_size[p], card // SUITS) >= 2:
        return True
    return makes_run(around(s.hand[p], s.hand_size[p], card), card)


@rule
def worth_in_suit(s, card):
    """Rates a card of the hand by the runs it could join."""
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
    """Rates a discard for the next seat, by the piles and its known cards."""
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
    """Rates a discard: useless to its owner, and to the next seat too."""
    return -worth_to_next(s, card) - worth_to_keep(s, card)


@rule
def used_by(action):
    """Returns the number of cards that a play takes from the hand."""
    if action == PASS:
        return 0
    return 1 if action >= CLAIM else 3


@rule
def acorns_for(s, action):
    """Returns the acorns that a play earns, without a bonus."""
    if action == PASS:
        return 0
    if action >= CLAIM:
        return s.claim_reward + 0
    return s.run_reward + 0 if action >= RUN else s.set_reward + 0


@rule
def cost_of(s, action):
    """Rates the cards that a play takes out of the hand."""
    cost = 0
    if action >= CLAIM:
        cost = worth_in_suit(s, (action - CLAIM) % CARDS)
    elif action >= RUN:
        low = action - RUN
        for k in range(3):
            card = (low // SUITS + k) % RANKS * SUITS + low % SUITS
            cost += rank_count(s.hand[s.to_act], s.hand_size[s.to_act], card // SUITS)
    elif action >= SET:
        rank = (action - SET) // len(TRIPLES)
        for k in range(3):
            suit = TRIPLES[(action - SET) % len(TRIPLES), k]
            cost += worth_in_suit(s, rank * SUITS + suit)
    return cost


@rule
def ends_round(s, action):
    """Returns whether a play leaves no card, or only the one to discard (FS-23)."""
    return action != PASS and s.hand_size[s.to_act] - used_by(action) <= 1


@rule
def worth_of_play(s, action):
    """Rates a play: acorns first, then what it leaves in the hand."""
    worth = ACORN * acorns_for(s, action) - cost_of(s, action)
    if ends_round(s, action):
        worth += ACORN * s.bonus[s.round]
    return worth


# Cooperative play: a card brings an acorn as a claim, two thirds in a run, a third in a set, and
# nothing if the round ends before it is played.


@rule
def worth_to_all(s, action):
    """Rates a play for the common heap: its acorns, and what the round may still bring."""
    worth = ACORN * acorns_for(s, action) - cost_of(s, action)
    if ends_round(s, action):
        return worth + ACORN * s.bonus[s.round]
    more = 0
    if action != PASS and action < CLAIM:
        more = NEW_RUN if action >= RUN else NEW_SET
    return worth + prospect(s, 1 + used_by(action), more)


@rule
def prospect(s, fewer, more):
    """Rates what hands may still bring, with fewer cards in them and more cards wanted."""
    cards = 0
    spare = 0
    for p in range(s.seats):
        cards += s.hand_size[p]
        if p != s.to_act:
            spare += s.hand_size[p] - 1
    if s.fox_demand == Demand.ACORN and fox_count(s) > 0:
        return PATIENCE * spare
    around_hands = s.deck_size + s.discard_size
    turns = max(WAIT - s.turn, 0)
    hoped = ACORN * LUCK * turns * (wanted_cards(s) + more) // around_hands
    return min(ACORN * (cards - fewer), hoped)


@rule
def wanted_cards(s):
    """Counts the cards that can claim piles, both copies."""
    n = 0
    for k in range(s.piles):
        if s.suit[k] == NO_SUIT:
            n += 2 * SUITS
            for suit in range(SUITS):
                n -= s.copies[k, suit]
        else:
            n += 2 * count(s.wants[k])
    return n


@rule
def is_useful(s, card):
    """Returns whether the seat to act should take a card: to claim, or for a pile worth laying."""
    p = s.to_act
    if claimable(s, p) >> card & 1:
        return True
    stays = prospect(s, 0, 0)
    run = ACORN * s.run_reward + prospect(s, 3, NEW_RUN)
    if run > stays and makes_run(around(s.hand[p], s.hand_size[p], card), card):
        return True
    laid = ACORN * s.set_reward + prospect(s, 3, NEW_SET)
    return laid > stays and rank_count(s.hand[p], s.hand_size[p], card // SUITS) >= 2


@rule
def worth_on_piles(s, card):
    """Rates a card by the piles that want it, now or once their runs have grown."""
    worth = 0
    for k in range(s.piles):
        if s.wants[k] >> card & 1:
            return CLAIMABLE
        if s.suit[k] == card % SUITS:
            steps = max(s.low[k] - card // SUITS, card // SUITS - s.high[k])
            if card < SUITS:
                steps = min(steps, HIGH_ACE - s.high[k])
            worth = max(worth, REACH - steps)
    return worth


@rule
def worth_of_gift(s, card):
    """Rates a discard in cooperative play: best is a card that lets the next seat claim."""
    p = s.to_act
    worth = -worth_on_piles(s, card) - worth_in_suit(s, card)
    worth -= PAIR * (rank_count(s.hand[p], s.hand_size[p], card // SUITS) - 1)
    if (claimable(s, (p + 1) % s.seats) & ~claimable(s, p)) >> card & 1:
        worth += FEEDS
    return worth
