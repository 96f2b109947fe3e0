"""Fox & Squirrels as the rulebook has it, for the laws: what is conserved and what is hidden."""

import random
from collections import Counter

from foxden.engine.kernel import Known
from foxden.engine.laws import Truth

CLUBS_TO_SPADES = range(4)
FOX = 52
NO_CARD = -1
SET = -1
ACE_HIGH = 13
DRAW = 0


def pile(known: Known, k: int) -> list[int]:
    """FS-28: a set has one rank; a run is consecutive in one suit, with no rank twice."""
    low, high = known.low[k], known.high[k]
    if known.suit[k] == SET:
        assert low == high
        return [low * 4 + suit for suit in CLUBS_TO_SPADES for _ in range(known.copies[k][suit])]
    ranks = [rank % 13 for rank in range(low, high + 1)]
    assert len(set(ranks)) == len(ranks) == sum(known.copies[k]) == known.copies[k][known.suit[k]]
    assert 0 <= low < high <= ACE_HIGH
    return [rank * 4 + known.suit[k] for rank in ranks]


def conserved(known: Known) -> list[int]:
    """FS-28: all cards are in hands, deck, discard pile and piles, and no fox is held."""
    held = [card for hand in known.hand for card in hand if card != NO_CARD]
    laid = [card for k in range(known.piles) for card in pile(known, k)]
    rest = [card for card in known.deck + known.discard if card != NO_CARD]
    assert FOX not in held + laid
    assert all(len(hand) - hand.count(NO_CARD) <= 11 for hand in known.hand)
    for hand, shown in zip(known.hand, known.shown, strict=True):
        assert not Counter(c for c in shown if c != NO_CARD) - Counter(hand)
    if known.phase == DRAW:
        assert len(held) + len(laid) == 10 * known.seats
    assert len(held) + len(laid) - 10 * known.seats in (0, 1)
    return sorted(held + laid + rest)


def scramble(known: Known, seat: int, dice: random.Random) -> None:
    """FS-27: hidden are the order of the deck, and of the others' hands what was not taken openly.

    Before the deck was re-formed, nobody can tell the others' cards from the deck's; afterwards
    the deck's contents are known, as all of them lay on the discard pile.
    """
    others = [p for p in range(known.seats) if p != seat]
    loose = []
    for p in others:
        hidden = Counter(c for c in known.hand[p] if c != NO_CARD)
        hidden -= Counter(c for c in known.shown[p] if c != NO_CARD)
        loose += sorted(hidden.elements())
    size = sum(card != NO_CARD for card in known.deck)
    deck = known.deck[:size]
    if known.reforms == 0:
        pool = loose + [card for card in deck if card != FOX]
        dice.shuffle(pool)
        loose, deck = pool[: len(loose)], pool[len(loose) :] + [FOX] * deck.count(FOX)
    dice.shuffle(loose)
    dice.shuffle(deck)
    known.deck[:size] = deck
    for p in others:
        open_cards = [card for card in known.shown[p] if card != NO_CARD]
        count = sum(card != NO_CARD for card in known.hand[p])
        hand = open_cards + [loose.pop() for _ in range(count - len(open_cards))]
        known.hand[p][:count] = sorted(hand)


# Every value of every option, and those that bear on each other together.
TABLES: tuple[dict[str, object], ...] = (
    {},
    {"foxes": "jokers", "tie_break": True},
    {"foxes": "four_aces", "cooperative": True},
    {"foxes": "eight_aces", "fox_demand": "dare"},
    {
        "foxes": "jokers",
        "fox_demand": "dare",
        "dares": ["Hop!", "Hum."],
        "cooperative": True,
        "tie_break": True,
    },
)

TRUTH = Truth(conserved, scramble, TABLES)
