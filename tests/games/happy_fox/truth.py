"""Happy Fox as the rulebook has it, for the laws: what is conserved and what is hidden."""

import random

from foxden.engine.kernel import Known
from foxden.engine.laws import Truth

GOOSE, FOX, DOG = 1, 2, 3
SHOWN = 5  # a goose turned up
GRAB = 1


def conserved(known: Known) -> object:
    """HF-20: every card of every set is in exactly one place."""
    sets = []
    for p in range(known.seats):
        cards = [GOOSE if card == SHOWN else card for card in known.row[p] + known.pile[p] if card]
        for card in (GOOSE, FOX, DOG):
            cards += [card] * known.hand[p][card]
            cards += [card] * sum(known.won[q][p][card] for q in range(known.seats))
        if known.phase == GRAB and known.to_act == p:
            cards.append(FOX)
        sets.append(sorted(cards))
    return sets


def scramble(known: Known, seat: int, dice: random.Random) -> None:
    """HF-21: hidden are draw piles to all, and the others' hands and face-down rows."""
    for p in range(known.seats):
        pile = known.pile[p][: known.in_pile[p]]
        down = [k for k, card in enumerate(known.row[p]) if card in (GOOSE, DOG)]
        hand = [card for card in (GOOSE, FOX, DOG) for _ in range(known.hand[p][card])]
        if p != seat:
            # A fox cannot lie in a row: deal rows from geese and dogs, then the rest.
            loose = pile + hand + [known.row[p][k] for k in down]
            birds = [card for card in loose if card != FOX]
            dice.shuffle(birds)
            for k in down:
                known.row[p][k] = birds.pop()
            loose = birds + [FOX] * loose.count(FOX)
            dice.shuffle(loose)
            hand, pile = loose[: len(hand)], loose[len(hand) :]
        dice.shuffle(pile)
        known.pile[p][: known.in_pile[p]] = pile
        for card in (GOOSE, FOX, DOG):
            known.hand[p][card] = hand.count(card)


TRUTH = Truth(conserved, scramble)
