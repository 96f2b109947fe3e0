"""The Slyest Fox as the rulebook has it, for the laws: what is conserved and what is hidden."""

import random
from operator import le

from foxden.engine.kernel import Known
from foxden.engine.laws import Truth

KINDS = 12
WEASEL, SNEAKY_ATTACK, DONT_CARE, SNEAKY_DEFENCE = 3, 4, 9, 10
SOME = 12
UNKNOWN = 4
ROLES = range(4)


def conserved(known: Known) -> object:
    """SF-51: every card is in one place, marks are lawful, and what is claimed of hands is true."""
    seats = range(known.seats)
    places = []
    for card in range(KINDS):
        held = sum(known.hand[p][card] + known.played[p][card] for p in seats)
        front = sum(known.shield) if card == DONT_CARE else 0
        places.append(known.deck[card] + known.discard[card] + held + front)
    lawful = all(
        known.size[p] == sum(known.hand[p])
        and max(known.marks[p]) <= 2
        and sum(known.marks[p]) <= 3
        for p in seats
    )
    sizes = [sum(known.deck[:6]), sum(known.deck[6:])] == known.deck_size
    piles = [sum(known.discard[:6]), sum(known.discard[6:])] == known.discards
    alive = known.alive == sum(sum(known.marks[p]) < 3 for p in seats)
    sure = all(
        claims_hold(known, p, row)
        for p in seats
        for row in range(known.seats + 1)
        if row == 0 or (row != p + 1 and known.known[p][row] != known.known[p][0])
    )
    kept = all(keeps_rightly(known, p) for p in seats)
    formed = all(known.deck[card] <= known.formed[card] for card in range(KINDS))
    roles = all(known.role[: known.seats].count(role) <= known.copies for role in ROLES)
    return places, lawful, sizes, piles, alive, sure, kept, formed, roles


def claims_hold(known: Known, p: int, row: int) -> bool:
    """Returns whether a hand has at least what a row claims: kinds, and cards of a deck in all."""
    sure, hand = known.known[p][row], known.hand[p]
    return (
        all(map(le, sure, hand))
        and sum(sure[:6]) + sure[SOME] <= sum(hand[:6])
        and sum(sure[6:KINDS]) + sure[SOME + 1] <= sum(hand[6:])
    )


def keeps_rightly(known: Known, p: int) -> bool:
    """SF-28: a hand is kept for a weasel or a sneaky card."""
    hand = known.hand[p]
    return not known.keeps[p] or hand[WEASEL] + hand[SNEAKY_ATTACK] + hand[SNEAKY_DEFENCE] > 0


def scramble(known: Known, seat: int, dice: random.Random) -> None:
    """SF-50: cards change places one for one, as long as nothing the seat is sure of breaks."""
    others = [p for p in range(known.seats) if p != seat]
    for _ in range(40):
        p, q = dice.choice(others), dice.choice([*others, None])
        one, two = known.hand[p], known.deck if q is None else known.hand[q]
        x, y = dice.randrange(KINDS), dice.randrange(KINDS)
        if p == q or not one[x] or not two[y] or (q is None and x // 6 != y // 6):
            continue  # deck sizes are open
        _swap(one, two, x, y)
        fits = all(
            claims_hold(known, r, seat + 1) and keeps_rightly(known, r)
            for r in (p, q)
            if r is not None
        )
        if not fits or not all(map(le, known.deck, known.formed)):
            _swap(one, two, y, x)
    hidden = [p for p in others if not known.shown[p]]
    left = [role for role in ROLES for _ in range(known.copies)]
    for p in range(known.seats):
        if p not in hidden:
            left.remove(known.role[p])
    dice.shuffle(left)
    for p in hidden:
        known.role[p] = left.pop()
    # What the others know beyond all is theirs; here they know what everybody knows.
    for p in range(known.seats):
        for q in others:
            if p != q:
                known.known[p][q + 1] = list(known.known[p][0])


def _swap(one: list[int], two: list[int], x: int, y: int) -> None:
    one[x] -= 1
    two[x] += 1
    two[y] -= 1
    one[y] += 1


TRUTH = Truth(
    conserved,
    scramble,
    option_sets=(
        {},
        {"extension": True},
        {"ending": "first_victim", "show_hand_sizes": True},
        {"teams": True, "extension": True},
    ),
)
