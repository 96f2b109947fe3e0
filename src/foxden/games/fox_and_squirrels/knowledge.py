"""What each seat of A Game of Fox & Squirrels may know (FS-27), compiled."""

from __future__ import annotations

from foxden.engine.game import Feature
from foxden.engine.kernel import rule
from foxden.engine.rng import hide_stream, shuffle
from foxden.engine.sets import lowest
from foxden.games.fox_and_squirrels.rules import (
    BACK,
    CARDS,
    FOX,
    MAX_CARDS,
    MAX_PILES,
    MAX_SEATS,
    NO_SUIT,
    NONE,
    RANKS,
    ROUNDS,
    SUITS,
    claimable,
    first_card,
    fox_count,
    gain_card,
)

MOST_ACORNS = 4096  # more than any match can bring, with any parts
MOST_DARES = 64


@rule
def observe(s, seat):
    """Wipes the others' hands, the deck and the random stream."""
    hide_stream(s)
    for i in range(s.deck_size):
        s.deck[i] = BACK
    for p in range(s.seats):
        if p != seat:
            for i in range(s.hand_size[p]):
                s.hand[p, i] = BACK


@rule
def cards_seen(s, seat):
    """Returns masks of the cards of which a seat sees one copy, and both copies."""
    once = 0
    twice = 0
    for i in range(s.discard_size):
        if s.discard[i] != FOX:
            bit = 1 << s.discard[i]
            twice |= once & bit
            once |= bit
    for p in range(s.seats):
        n = s.hand_size[p] if p == seat else s.shown_size[p]
        for i in range(n):
            bit = 1 << (s.hand[p, i] if p == seat else s.shown[p, i])
            twice |= once & bit
            once |= bit
    for k in range(s.piles):
        if s.suit[k] == NO_SUIT:
            for suit in range(SUITS):
                bit = 1 << (s.low[k] * SUITS + suit)
                for _ in range(s.copies[k, suit]):
                    twice |= once & bit
                    once |= bit
        else:
            for rank in range(s.low[k], s.high[k] + 1):
                bit = 1 << (rank % RANKS * SUITS + s.suit[k])
                twice |= once & bit
                once |= bit
    return once, twice


@rule
def foxes_seen(s):
    """Counts the foxes in the discard pile; all others are in the deck (FS-28)."""
    n = 0
    for i in range(s.discard_size):
        if s.discard[i] == FOX:
            n += 1
    return n


@rule
def resample(s, seat):
    """Deals what the seat does not know, every deal that fits the table equally likely.

    Foxes are in the deck, and so are at most `stock` copies of a card: the deck of a round's
    start may hold anything unseen, a re-formed one only earlier discards. It ignores who drew
    which card since.
    """
    once, twice = cards_seen(s, seat)
    foxes = fox_count(s) - foxes_seen(s)
    # The deck serves as scratch: first the cards that may be in it, then the others.
    n = 0
    for card in range(first_card(s), CARDS):
        for _ in range(min(s.stock[card], unseen(once, twice, card))):
            s.deck[n] = card
            n += 1
    shuffle(s, s.deck, n)
    stay = s.deck_size - foxes
    for card in range(first_card(s), CARDS):
        for _ in range(s.stock[card], unseen(once, twice, card)):
            s.deck[n] = card
            n += 1
    # The rest goes to the others' hands.
    shuffle(s, s.deck[stay:], n - stay)
    for p in range(s.seats):
        if p != seat:
            hidden = s.hand_size[p] - s.shown_size[p]
            s.hand_size[p] = 0
            for i in range(s.shown_size[p]):
                gain_card(s, p, s.shown[p, i])
            for _ in range(hidden):
                n -= 1
                gain_card(s, p, s.deck[n])
                s.deck[n] = NONE
    for i in range(stay, s.deck_size):
        s.deck[i] = FOX
    shuffle(s, s.deck, s.deck_size)


@rule
def unseen(once, twice, card):
    """Counts the copies of a card that are in neither mask of `cards_seen`."""
    return 2 - (once >> card & 1) - (twice >> card & 1)


@rule
def seen(s, action, seat):
    """Returns the action as the seat sees it: all actions are open, only draws are secret."""
    return action + 0


# The tensor; "seat" counts clockwise from the viewer (from seat 0 for a spectator).
TENSOR = (
    Feature("seats", (4,), "one-hot: 2, 3, 4 or 5 seats"),
    Feature("foxes", (4,), "one-hot: none, jokers, four aces, eight aces"),
    Feature("options", (4,), "dare instead of acorn, dares / 64, tie-break, cooperative"),
    Feature("rewards", (3 + ROUNDS,), "acorns for a set, a run, a claim, each bonus / 16"),
    Feature("phase", (4,), "one-hot: draw, plan, discard, over"),
    Feature("round", (ROUNDS,), "one-hot: spring, summer, autumn"),
    Feature("progress", (2,), "turn of the round / 400, re-formings / 3"),
    Feature("dealer", (MAX_SEATS,), "one-hot: who dealt"),
    Feature("to_act", (MAX_SEATS,), "one-hot: the seat asked"),
    Feature("dare", (MAX_SEATS,), "number of the dare of the last turn, from 1 / 64"),
    Feature("hid", (MAX_SEATS,), "foxes hidden when the round was dealt, n / (n + 1)"),
    Feature("earned", (MAX_SEATS, 5), "acorns by sets, runs, claims, bonuses, foxes / 4096"),
    Feature("sizes", (2,), "cards in deck and discard pile / 108"),
    Feature("hand_size", (MAX_SEATS,), "cards in hand / 11"),
    Feature("hand", (CARDS,), "the viewer's own copies of each card / 2", own=True),
    Feature("shown", (MAX_SEATS, CARDS), "copies known to all to be in the hand / 2"),
    Feature("stock", (CARDS,), "copies that the deck may hold, by its last shuffle / 2"),
    Feature("top", (CARDS + 1,), "one-hot: the top of the discard pile; the last is a fox"),
    Feature("discarded", (CARDS + 1,), "copies in the discard pile / 2; foxes / 8"),
    Feature("order", (MAX_CARDS,), "the discard pile from its bottom, (card + 1) / 53"),
    Feature("owner", (MAX_PILES, MAX_SEATS), "one-hot by pile: in front of whom"),
    Feature("kind", (MAX_PILES, SUITS + 1), "one-hot by pile: a run of a suit, or a set"),
    Feature("ends", (MAX_PILES, 2), "lowest and highest rank, from 1; a high ace is 14 / 14"),
    Feature("copies", (MAX_PILES, SUITS), "cards of each suit / 13"),
    Feature("claims", (MAX_SEATS, CARDS), "1 for a card with which the seat could claim a pile"),
)


@rule
def features(s, seat, out):
    """Writes the tensor of a wiped state, block by block as TENSOR lists them."""
    out[:] = 0.0
    first = max(seat, 0)
    out[s.seats - 2] = 1.0
    k = 4
    out[k + s.foxes] = 1.0
    k += 4
    out[k] = s.fox_demand
    out[k + 1] = s.dares / MOST_DARES
    out[k + 2] = s.tie_break
    out[k + 3] = s.cooperative
    k += 4
    out[k] = s.set_reward / 16
    out[k + 1] = s.run_reward / 16
    out[k + 2] = s.claim_reward / 16
    for i in range(ROUNDS):
        out[k + 3 + i] = s.bonus[i] / 16
    k += 3 + ROUNDS
    out[k + s.phase] = 1.0
    k += 4
    out[k + s.round] = 1.0
    k += ROUNDS
    out[k] = s.turn / 400
    out[k + 1] = s.reforms / 3
    k += 2
    out[k + (s.dealer - first) % s.seats] = 1.0
    k += MAX_SEATS
    if s.to_act >= 0:
        out[k + (s.to_act - first) % s.seats] = 1.0
    k += MAX_SEATS
    for i in range(s.seats):
        out[k + i] = (s.dare[(first + i) % s.seats] + 1) / MOST_DARES
    k += MAX_SEATS
    for i in range(s.seats):
        hid = s.hid[(first + i) % s.seats]
        out[k + i] = hid / (hid + 1)
    k += MAX_SEATS
    for i in range(s.seats):
        for source in range(5):
            out[k + i * 5 + source] = s.earned[(first + i) % s.seats, source] / MOST_ACORNS
    k += MAX_SEATS * 5
    out[k] = s.deck_size / MAX_CARDS
    out[k + 1] = s.discard_size / MAX_CARDS
    k += 2
    for i in range(s.seats):
        out[k + i] = s.hand_size[(first + i) % s.seats] / 11
    k += MAX_SEATS
    if seat >= 0:
        for i in range(s.hand_size[seat]):
            out[k + s.hand[seat, i]] += 0.5
    k += CARDS
    for i in range(s.seats):
        p = (first + i) % s.seats
        for j in range(s.shown_size[p]):
            out[k + i * CARDS + s.shown[p, j]] += 0.5
    k += MAX_SEATS * CARDS
    for card in range(CARDS):
        out[k + card] = s.stock[card] / 2
    k += CARDS
    if s.discard_size > 0:
        out[k + s.discard[s.discard_size - 1]] = 1.0
    k += CARDS + 1
    for i in range(s.discard_size):
        card = s.discard[i]
        out[k + card] += 0.125 if card == FOX else 0.5
        out[k + CARDS + 1 + i] = (card + 1) / (CARDS + 1)
    k += CARDS + 1 + MAX_CARDS
    for j in range(s.piles):
        out[k + j * MAX_SEATS + (s.owner[j] - first) % s.seats] = 1.0
    k += MAX_PILES * MAX_SEATS
    for j in range(s.piles):
        kind = SUITS if s.suit[j] == NO_SUIT else s.suit[j]
        out[k + j * (SUITS + 1) + kind] = 1.0
    k += MAX_PILES * (SUITS + 1)
    for j in range(s.piles):
        out[k + j * 2] = (s.low[j] + 1) / 14
        out[k + j * 2 + 1] = (s.high[j] + 1) / 14
    k += MAX_PILES * 2
    for j in range(s.piles):
        for suit in range(SUITS):
            out[k + j * SUITS + suit] = s.copies[j, suit] / 13
    k += MAX_PILES * SUITS
    for i in range(s.seats):
        cards = claimable(s, (first + i) % s.seats)
        while cards:
            out[k + i * CARDS + lowest(cards)] = 1.0
            cards &= cards - 1
