"""A Game of Fox & Squirrels, by Jenn Reese (2020): the rules, compiled.

Rule ids (FS-…) are those of guide.md, which also marks our rulings where the book is silent: which
aces are foxes, how foxes are hidden again, what starts the discard pile, when the deck is
re-formed, where runs end, when a round that nobody ends is over, and what is hidden. Planning is
skipped when the open table shows that nothing can be played.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from foxden.engine.contract import HEAD
from foxden.engine.kernel import layout, rule
from foxden.engine.rng import below, bits_aside, shuffle
from foxden.engine.sets import lowest

RULES_VERSION = 1
MAX_SEATS = 5
ROUNDS = 3
HAND = 10
MAX_HAND = HAND + 1  # after drawing
MAX_CARDS = 108
# FS-28: 51 cards in hands and piles, four seats with one card at least, three cards to a pile.
MAX_PILES = 15
REFORMS = 3  # FS-24
TURNS = 400  # FS-24

# A card is rank * 4 + suit, the ace being rank 0; so a set is contiguous in a sorted hand, and a
# run is every fourth bit of a 52-bit mask. A high ace is rank 13 (only at the end of a run).
SUITS = 4
RANKS = 13
CARDS = RANKS * SUITS
FOX = CARDS
BACK = CARDS + 1  # a card hidden from the viewer
NONE = -1
KING = 12
HIGH_ACE = 13
ONE_RANK = 0b1111  # the mask of all aces
NOBODY = -1
NO_SUIT = -1  # the suit of a set


class Foxes(IntEnum):
    """Which cards are foxes (FS-2)."""

    NO_FOXES = 0
    JOKERS = 1
    FOUR_ACES = 2
    EIGHT_ACES = 3


class Demand(IntEnum):
    """A fox's demand (FS-22)."""

    ACORN = 0
    DARE = 1


class Phase(IntEnum):
    """The current question: where to draw, what to play, what to discard."""

    DRAW = 0
    PLAN = 1
    DISCARD = 2
    OVER = 3


class Source(IntEnum):
    """Sources of acorns, gained or lost."""

    SETS = 0
    RUNS = 1
    CLAIMS = 2
    BONUSES = 3
    FOXES = 4


# Three suits of one rank, no suit three times, in order: ♣♣♦ ♣♣♥ ♣♣♠ ♣♦♦ … ♥♠♠.
TRIPLES = np.array(
    [(a, b, c) for a in range(SUITS) for b in range(a, SUITS) for c in range(b, SUITS) if a != c],
    np.int64,
)
TRIPLE_OF = np.full((SUITS, SUITS, SUITS), -1, np.int64)
for _index, _suits in enumerate(TRIPLES):
    TRIPLE_OF[tuple(_suits)] = _index

# Actions, in this order of ids:
DRAW = 0  # the top of the harvest deck
TAKE = 1  # the top of the discard pile
PASS = 2  # plan for winter: play nothing
SET = 3  # + rank * 16 + triple of suits
RUN = SET + RANKS * len(TRIPLES)  # + its lowest card; the last rank to begin one is the queen
CLAIM = RUN + 12 * SUITS  # + pile * 52 + card; the card determines the end of a run
DISCARD = CLAIM + MAX_PILES * CARDS  # + card
ACTIONS = DISCARD + CARDS

State = layout(
    [
        *HEAD,
        ("foxes", "i1"),  # options (FS-2, FS-22, FS-25, FS-26)
        ("fox_demand", "i1"),
        ("dares", "i1"),  # number of texts
        ("tie_break", "i1"),
        ("cooperative", "i1"),
        ("set_reward", "i1"),  # parts: acorns for a set, a run, a claim …
        ("run_reward", "i1"),
        ("claim_reward", "i1"),
        ("bonus", "i1", ROUNDS),  # … and for ending a round
        ("phase", "i1"),
        ("round", "i1"),
        ("turn", "i2"),  # of the round, from 1
        ("dealer", "i1"),
        ("reforms", "i1"),  # number of times the deck was re-formed in this round
        ("dare", "i1", MAX_SEATS),  # index of the dare from a fox in the last turn, else -1 (FS-22)
        ("hid", "i4", MAX_SEATS),  # foxes hidden in the deck during this round's deal (FS-7)
        ("earned", "i2", (MAX_SEATS, 5)),  # [seat, source]: acorns; foxes count below 0
        ("hand_size", "i1", MAX_SEATS),
        ("hand", "i1", (MAX_SEATS, MAX_HAND)),  # sorted, then NONE
        ("shown_size", "i1", MAX_SEATS),
        ("shown", "i1", (MAX_SEATS, MAX_HAND)),  # the publicly known part of the hand (FS-27)
        ("deck_size", "i1"),
        ("deck", "i1", MAX_CARDS),  # top card last, then NONE
        ("discard_size", "i1"),
        ("discard", "i1", MAX_CARDS),  # top card last, then NONE
        ("stock", "i1", CARDS),  # copies that the deck may hold since the last shuffle (FS-27)
        ("piles", "i1"),  # in use, in the order they were laid
        ("owner", "i1", MAX_PILES),  # seat, or NOBODY
        ("suit", "i1", MAX_PILES),  # suit of a run; NO_SUIT for a set
        ("low", "i1", MAX_PILES),  # ranks of the ends; equal in a set
        ("high", "i1", MAX_PILES),
        ("copies", "i1", (MAX_PILES, SUITS)),  # cards of each suit
        ("wants", "i8", MAX_PILES),  # mask of the cards that can claim the pile
    ],
)


@rule
def first_card(s):
    """Returns the lowest playable card: an ace, or a two if aces are foxes (FS-2)."""
    return SUITS if s.foxes >= Foxes.FOUR_ACES else 0


@rule
def fox_count(s):
    """Returns the number of foxes at this table (FS-2)."""
    if s.foxes == Foxes.NO_FOXES:
        return 0
    return 8 if s.foxes == Foxes.EIGHT_ACES else 4


@rule
def put(cards, n, card):
    """Inserts a card into n sorted ones."""
    i = n
    while i > 0 and cards[i - 1] > card:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = card


@rule
def drop(cards, n, card):
    """Removes a card from n sorted ones; returns whether it was among them."""
    i = 0
    while i < n and cards[i] != card:
        i += 1
    if i == n:
        return False
    for k in range(i, n - 1):
        cards[k] = cards[k + 1]
    cards[n - 1] = NONE
    return True


@rule
def mask(cards, n):
    """Returns the bits of n cards, whatever their copies."""
    m = 0
    for i in range(n):
        m |= 1 << cards[i]
    return m


@rule
def gain_card(s, p, card):
    """Puts a card into a hand."""
    put(s.hand[p], s.hand_size[p], card)
    s.hand_size[p] += 1


@rule
def lose_card(s, p, card):
    """Takes a card from a hand; a publicly known copy goes first (FS-27)."""
    drop(s.hand[p], s.hand_size[p], card)
    s.hand_size[p] -= 1
    if drop(s.shown[p], s.shown_size[p], card):
        s.shown_size[p] -= 1


@rule
def top_of_deck(s):
    """Takes the top card of the harvest deck."""
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    s.deck[s.deck_size] = NONE
    return card


@rule
def add_to_deck(s, card):
    """Puts a card on the harvest deck."""
    s.deck[s.deck_size] = card
    s.deck_size += 1


@rule
def add_to_discard(s, card):
    """Puts a card on the discard pile."""
    s.discard[s.discard_size] = card
    s.discard_size += 1


# The deal


@rule
def deal(s):
    """Starts a match: nobody has an acorn, and the first dealer is drawn (FS-4)."""
    s.round = 0
    for p in range(MAX_SEATS):
        s.dare[p] = -1
        for source in range(5):
            s.earned[p, source] = 0
    s.dealer = below(s, s.seats)
    deal_round(s)


@rule
def clear_table(s):
    """Takes every card off the table (FS-9)."""
    s.reforms = 0
    s.deck_size = 0
    s.discard_size = 0
    s.piles = 0
    for i in range(MAX_CARDS):
        s.deck[i] = NONE
        s.discard[i] = NONE
    for p in range(MAX_SEATS):
        s.hid[p] = 0
        s.hand_size[p] = 0
        s.shown_size[p] = 0
        for i in range(MAX_HAND):
            s.hand[p, i] = NONE
            s.shown[p, i] = NONE
    for k in range(MAX_PILES):
        s.owner[k] = NOBODY
        s.suit[k] = NO_SUIT
        s.low[k] = NONE
        s.high[k] = NONE
        s.wants[k] = 0
        for suit in range(SUITS):
            s.copies[k, suit] = 0


@rule
def add_foxes(s):
    """Shuffles all foxes into the deck."""
    for _ in range(fox_count(s)):
        add_to_deck(s, FOX)
    shuffle(s, s.deck, s.deck_size)


@rule
def deal_round(s):
    """Shuffles, deals ten cards to each seat and starts the discard pile (FS-5)."""
    clear_table(s)
    for card in range(CARDS):
        s.stock[card] = 2 if card >= first_card(s) else 0
        for _ in range(s.stock[card]):
            add_to_deck(s, card)
    # FS-6, FS-7: in spring foxes join the deck after the hands are dealt, later before.
    if s.round == 0:
        shuffle(s, s.deck, s.deck_size)
    else:
        add_foxes(s)
    for p in range(s.seats):
        for _ in range(HAND):
            gain_card(s, p, top_of_deck(s))
    if s.round == 0:
        add_foxes(s)
    else:
        for k in range(s.seats):
            hide_foxes(s, (s.dealer + 1 + k) % s.seats)
    start_discard(s)
    s.turn = 1
    s.phase = Phase.DRAW
    s.to_act = (s.dealer + 1) % s.seats


@rule
def hide_foxes(s, p):
    """Swaps the foxes of a hand for other cards, until none is left (FS-7)."""
    while s.hand[p, HAND - 1] == FOX:  # a fox sorts last
        while s.hand_size[p] > 0 and s.hand[p, s.hand_size[p] - 1] == FOX:
            lose_card(s, p, FOX)
            add_to_deck(s, FOX)
        s.hid[p] += HAND - s.hand_size[p]
        shuffle(s, s.deck, s.deck_size)
        while s.hand_size[p] < HAND:
            gain_card(s, p, top_of_deck(s))


@rule
def start_discard(s):
    """Turns up a card; a fox goes back to a random place, and another is turned (FS-8)."""
    card = top_of_deck(s)
    while card == FOX:
        place = below(s, s.deck_size + 1)
        add_to_deck(s, FOX)
        for i in range(s.deck_size - 1, place, -1):
            s.deck[i] = s.deck[i - 1]
        s.deck[place] = FOX
        card = top_of_deck(s)
    add_to_discard(s, card)


# Piles


@rule
def wanted(s, k):
    """Returns the mask of the cards that can claim a pile (FS-15, FS-17)."""
    m = 0
    if s.suit[k] == NO_SUIT:
        for suit in range(SUITS):
            if s.copies[k, suit] < 2:
                m |= 1 << (s.low[k] * SUITS + suit)
        return m
    if s.low[k] > 0 and (s.low[k] > 1 or s.high[k] < HIGH_ACE):
        m |= 1 << ((s.low[k] - 1) * SUITS + s.suit[k])
    if s.high[k] < KING:
        m |= 1 << ((s.high[k] + 1) * SUITS + s.suit[k])
    elif s.high[k] == KING and s.low[k] > 0:
        m |= 1 << s.suit[k]
    return m >> first_card(s) << first_card(s)  # FS-2: aces that are foxes fit nowhere


@rule
def lay_pile(s, suit, low, high):
    """Starts a pile in front of the seat to act, and returns its number; its cards come later."""
    k = s.piles
    s.piles += 1
    s.owner[k] = s.to_act
    s.suit[k] = suit
    s.low[k] = low
    s.high[k] = high
    return k


@rule
def play_set(s, rank, triple):
    """Lays three cards of one rank (FS-13)."""
    k = lay_pile(s, NO_SUIT, rank, rank)
    for i in range(3):
        suit = TRIPLES[triple, i]
        s.copies[k, suit] += 1
        lose_card(s, s.to_act, rank * SUITS + suit)
    s.wants[k] = wanted(s, k)
    s.earned[s.to_act, Source.SETS] += s.set_reward


@rule
def play_run(s, low, suit):
    """Lays three cards of one suit in sequence; the ace follows the king (FS-14)."""
    k = lay_pile(s, suit, low, low + 2)
    s.copies[k, suit] = 3
    for rank in range(low, low + 3):
        lose_card(s, s.to_act, rank % RANKS * SUITS + suit)
    s.wants[k] = wanted(s, k)
    s.earned[s.to_act, Source.RUNS] += s.run_reward


@rule
def claim(s, k, card):
    """Adds a card to another's pile, and moves the pile in front of the seat to act (FS-15)."""
    rank = card // SUITS
    lose_card(s, s.to_act, card)
    s.copies[k, card % SUITS] += 1
    if s.suit[k] != NO_SUIT:
        if rank == s.low[k] - 1:
            s.low[k] = rank
        else:
            s.high[k] += 1
    s.owner[k] = s.to_act
    s.wants[k] = wanted(s, k)
    s.earned[s.to_act, Source.CLAIMS] += s.claim_reward


@rule
def claimable(s, p):
    """Returns the mask of the cards a seat could claim a pile with (FS-15, FS-16)."""
    m = 0
    for k in range(s.piles):
        if s.owner[k] != p:
            m |= s.wants[k]
    return m


# Legal actions


@rule
def legal(s, out):
    """Writes the legal actions of the seat to act."""
    if s.phase == Phase.DRAW:
        out[0] = DRAW
        out[1] = TAKE
        # FS-21: a fox on top of the discard pile cannot be taken.
        return 1 if s.discard[s.discard_size - 1] == FOX else 2
    if s.phase == Phase.PLAN:
        return legal_plays(s, out)
    # FS-18, FS-19: any card of the hand; equal cards are one action.
    n = 0
    last = NONE
    hand = s.hand[s.to_act]
    for i in range(s.hand_size[s.to_act]):
        if hand[i] != last:
            last = hand[i]
            out[n] = DISCARD + last
            n += 1
    return n


@rule
def legal_plays(s, out):
    """Writes the legal plays: nothing, a set, a run or a claim (FS-12)."""
    p = s.to_act
    hand = s.hand[p]
    size = s.hand_size[p]
    held = mask(hand, size)
    out[0] = PASS
    n = legal_sets(hand, size, out, 1)
    aces_high = held | (held & ONE_RANK) << HIGH_ACE * SUITS
    runs = aces_high & aces_high >> SUITS & aces_high >> 2 * SUITS
    n = write_cards(runs, RUN, out, n)
    for k in range(s.piles):
        # FS-16: not one's own pile.
        if s.owner[k] != p:
            n = write_cards(held & s.wants[k], CLAIM + k * CARDS, out, n)
    return n


@rule
def write_cards(cards, first, out, n):
    """Writes the action `first` + card for every card of a mask."""
    while cards:
        out[n] = first + lowest(cards)
        cards &= cards - 1
        n += 1
    return n


@rule
def legal_sets(hand, size, out, n):
    """Writes every set of three cards once, whichever copies they are (FS-13)."""
    for i in range(size - 2):
        rank = hand[i] // SUITS
        if hand[i + 2] // SUITS != rank or (i > 0 and hand[i - 1] == hand[i]):
            continue
        for j in range(i + 1, size - 1):
            if hand[j + 1] // SUITS != rank:
                break
            if j > i + 1 and hand[j - 1] == hand[j]:
                continue
            for k in range(j + 1, size):
                if hand[k] // SUITS != rank:
                    break
                if k > j + 1 and hand[k - 1] == hand[k]:
                    continue
                triple = TRIPLE_OF[hand[i] % SUITS, hand[j] % SUITS, hand[k] % SUITS]
                out[n] = SET + rank * len(TRIPLES) + triple
                n += 1
    return n


# Effects of actions


@rule
def apply(s, action):
    """Applies a legal action in place. Legality is the caller's duty; see Match.play."""
    if s.phase == Phase.DRAW:
        s.dare[s.to_act] = -1
        if action == DRAW:
            draw(s)
        else:
            take(s)
    elif s.phase == Phase.PLAN:
        play(s, action)
    else:
        discard(s, action - DISCARD)


@rule
def draw(s):
    """Draws from the harvest deck: a card for the hand, or a fox (FS-10, FS-20)."""
    if s.deck_size == 0:
        reform(s)
    card = top_of_deck(s)
    if card == FOX:
        meet_fox(s)
    else:
        gain_card(s, s.to_act, card)
        begin_plan(s)


@rule
def take(s):
    """Takes the top of the discard pile in public (FS-10, FS-27)."""
    p = s.to_act
    s.discard_size -= 1
    card = s.discard[s.discard_size]
    s.discard[s.discard_size] = NONE
    gain_card(s, p, card)
    put(s.shown[p], s.shown_size[p], card)
    s.shown_size[p] += 1
    begin_plan(s)


@rule
def begin_plan(s):
    """Moves on to the play, unless the open table shows that none is possible (FS-12)."""
    if s.hand_size[s.to_act] < 3 and claimable(s, s.to_act) == 0:
        s.phase = Phase.DISCARD
    else:
        s.phase = Phase.PLAN


@rule
def reform(s):
    """Shuffles the discard pile, except its top card, into a new deck (FS-11)."""
    for card in range(CARDS):
        s.stock[card] = 0
    for i in range(s.discard_size - 1):
        card = s.discard[i]
        if card != FOX:
            s.stock[card] += 1
        s.discard[i] = NONE
        add_to_deck(s, card)
    s.discard[0] = s.discard[s.discard_size - 1]
    s.discard[s.discard_size - 1] = NONE
    s.discard_size = 1
    shuffle(s, s.deck, s.deck_size)
    s.reforms += 1


@rule
def acorns(s, p):
    """Returns the acorns of a seat, or of the common heap (FS-26)."""
    n = 0
    for q in range(s.seats):
        if q == p or s.cooperative:
            for source in range(5):
                n += s.earned[q, source]
    return n


@rule
def meet_fox(s):
    """Pays the fox an acorn or takes its dare; either way the turn is over (FS-20, FS-22)."""
    p = s.to_act
    add_to_discard(s, FOX)
    if s.fox_demand == Demand.DARE:
        # FS-22: independent of shuffles, so the stream is read without advancing.
        s.dare[p] = bits_aside(s, s.turn) * s.dares >> 32
    elif acorns(s, p) > 0:
        s.earned[p, Source.FOXES] -= 1
    end_turn(s)


@rule
def play(s, action):
    """Plays a set, a run, a claim or nothing; an empty hand ends the round (FS-12, FS-23)."""
    if action >= CLAIM:
        claim(s, (action - CLAIM) // CARDS, (action - CLAIM) % CARDS)
    elif action >= RUN:
        play_run(s, (action - RUN) // SUITS, (action - RUN) % SUITS)
    elif action >= SET:
        play_set(s, (action - SET) // len(TRIPLES), (action - SET) % len(TRIPLES))
    if s.hand_size[s.to_act] == 0:
        go_out(s)
    else:
        s.phase = Phase.DISCARD


@rule
def discard(s, card):
    """Discards a card; the last one ends the round (FS-18, FS-23)."""
    lose_card(s, s.to_act, card)
    add_to_discard(s, card)
    if s.hand_size[s.to_act] == 0:
        go_out(s)
    else:
        end_turn(s)


@rule
def is_last_turn(s):
    """Returns whether the round ends with this turn, even if all have cards left (FS-24)."""
    return s.turn == TURNS or (s.reforms == REFORMS and s.deck_size == 0)


@rule
def end_turn(s):
    """Passes the turn to the left; if nobody ended the round, its dealer deals the next."""
    if is_last_turn(s):
        end_round(s, s.dealer + 0)
    else:
        s.turn += 1
        s.phase = Phase.DRAW
        s.to_act = (s.to_act + 1) % s.seats


@rule
def go_out(s):
    """Pays the bonus to the seat without cards, which deals next (FS-4, FS-23)."""
    s.earned[s.to_act, Source.BONUSES] += s.bonus[s.round]
    end_round(s, s.to_act)


@rule
def end_round(s, dealer):
    """Deals the next round, or ends the match after autumn (FS-3)."""
    if s.round == ROUNDS - 1:
        s.phase = Phase.OVER
        s.to_act = NOBODY
    else:
        s.round += 1
        s.dealer = dealer
        deal_round(s)


# The result


@rule
def scores(s, out):
    """Counts acorns: each seat's own, or the common heap for all (FS-25, FS-26)."""
    for p in range(s.seats):
        out[p] = acorns(s, p)


@rule
def piles_of(s, p):
    """Returns the number of piles in front of a seat."""
    n = 0
    for k in range(s.piles):
        if s.owner[k] == p:
            n += 1
    return n


@rule
def winners(s, out):
    """Marks the seats with most acorns; none in cooperative play (FS-25, FS-26)."""
    most = 0
    for p in range(s.seats):
        most = max(most, acorns(s, p))
    most_piles = 0
    if s.tie_break:
        for p in range(s.seats):
            if acorns(s, p) == most:
                most_piles = max(most_piles, piles_of(s, p))
    for p in range(s.seats):
        best = acorns(s, p) == most and (not s.tie_break or piles_of(s, p) == most_piles)
        out[p] = 1 if best and not s.cooperative else 0
