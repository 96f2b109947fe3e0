"""High Card keeps all laws: `pytest --pyargs high_card`."""

from __future__ import annotations

import random

from foxden.engine.kernel import Known
from foxden.engine.laws import Truth, check_game
from high_card import GAME


def conserved(known: Known) -> object:
    """Lists all cards."""
    rows = (known.deck, known.played[: known.seats], *known.hand[: known.seats])
    return sorted(card for row in rows for card in row if card)


def scramble(known: Known, seat: int, dice: random.Random) -> None:
    """Shuffles what a seat cannot see: the deck and the others' hands."""
    places = [(known.deck, k) for k in range(len(known.deck)) if known.deck[k]]
    for p in range(known.seats):
        if p != seat:
            places += [(known.hand[p], k) for k in range(2) if known.hand[p][k]]
    cards = [row[k] for row, k in places]
    dice.shuffle(cards)
    for (row, k), card in zip(places, cards, strict=True):
        row[k] = card


TRUTH = Truth(conserved, scramble)


def test_every_law_holds() -> None:
    """Plays random matches under all laws."""
    check_game(GAME, TRUTH)
