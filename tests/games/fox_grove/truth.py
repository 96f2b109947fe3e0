"""Fox Grove as the rulebook has it, for the laws: what is conserved and what is hidden."""

import random

from foxden.engine.kernel import Known
from foxden.engine.laws import Truth

NONE = -1
FRANK = 4
CHOOSING = (0, 1, 2)  # phases of the exchange
OVER = 18


def cards(mask: int) -> list[int]:
    return [card for card, bit in enumerate(reversed(f"{mask:b}")) if bit == "1"]


def conserved(known: Known) -> object:
    """FG-42: every card is in one place; so is every berry."""
    places = [known.pile, *known.hand, *known.buried, *known.played]
    if known.seats == 2 and known.phase not in CHOOSING:
        places += [1 << card for card in known.gave_right[:2]]
    held = sorted(card for place in places for card in cards(place))
    sizes = [len(cards(hand)) for hand in known.hand]
    assert sizes == known.in_hand
    assert known.lying & ~sum(known.played) == 0
    assert [len(cards(mask)) for mask in known.buried] == known.under
    berries = [
        known.supply[v] + sum(known.held[p][v] + known.spent[p][v] for p in range(4))
        for v in range(5)
    ]
    assert known.in_supply == sum(known.supply)
    assert known.berries == [sum(held) for held in known.held]
    assert min(min(stock) for stock in known.stock) >= 0
    assert max(max(level) for level in known.level) <= 7
    return held, berries


def scramble(known: Known, seat: int, dice: random.Random) -> None:
    """FG-41: hidden are the pile, the others' hands and buried cards, and berries' points."""
    swap_cards(known, seat, dice)
    change_passed(known, seat, dice)
    redraw_berries(known, seat, dice)


def swap_cards(known: Known, seat: int, dice: random.Random) -> None:
    """Exchanges hidden cards, two at a time, where shown voids and passed cards allow it."""
    others = [p for p in range(known.seats) if p != seat]
    choosing = known.phase in CHOOSING
    fixed = set()
    if seat >= 0 and not choosing:
        # What the seat passed on stays with its receiver.
        fixed = {known.gave_left[seat], known.gave_right[seat]}
    where: dict[int, tuple[str, int]] = dict.fromkeys(cards(known.pile), ("pile", 0))
    for p in others:
        where |= dict.fromkeys(cards(known.hand[p]), ("hand", p))
        where |= dict.fromkeys(cards(known.buried[p]), ("buried", p))
        if known.seats == 2 and not choosing:
            where[known.gave_right[p]] = ("under", p)
    loose = [card for card in where if card not in fixed]
    for _ in range(60):
        one, two = dice.choice(loose), dice.choice(loose)
        if fits(known, one, where[two]) and fits(known, two, where[one]):
            where[one], where[two] = where[two], where[one]
    masks = dict.fromkeys(where.values(), 0)
    for card, place in where.items():
        masks[place] |= 1 << card
    known.pile = masks.get(("pile", 0), 0)
    for p in others:
        known.hand[p] = masks.get(("hand", p), 0)
        known.buried[p] = masks.get(("buried", p), 0)
        if ("under", p) in masks:
            known.gave_right[p] = cards(masks["under", p])[0]


def fits(known: Known, card: int, place: tuple[str, int]) -> bool:
    """A seat that did not follow holds nothing of that colour."""
    kind, p = place
    return kind != "hand" or not known.void[p] >> card // 13 & 1


def change_passed(known: Known, seat: int, dice: random.Random) -> None:
    """Lets the others have passed cards that their givers or receivers may have had."""
    n = known.seats
    for p in range(n):
        left, right = (p + 1) % n, (p - 1) % n
        if known.phase in CHOOSING:
            if p != seat:
                mine = cards(known.hand[p])
                dice.shuffle(mine)
                if known.gave_left[p] != NONE:
                    known.gave_left[p] = mine[0]
                if known.gave_right[p] != NONE:
                    known.gave_right[p] = mine[1]
            continue
        if seat not in (p, left):
            known.gave_left[p] = dice.choice(cards(known.hand[left] | known.played[left]) or [0])
        if n > 2 and seat not in (p, right):
            known.gave_right[p] = dice.choice(cards(known.hand[right] | known.played[right]) or [0])


def redraw_berries(known: Known, seat: int, dice: random.Random) -> None:
    """Lets the others' berries, spent ones too, have any points; each spends its least valuable."""
    if known.phase == OVER:
        return
    pool = [v for v in range(5) for _ in range(known.supply[v])]
    others = [p for p in range(known.seats) if p != seat]
    for p in others:
        for v in range(5):
            pool += [v] * (known.held[p][v] + known.spent[p][v])
    dice.shuffle(pool)
    for p in others:
        held, spent = [], []
        for bit in f"{known.berry_log[p]:b}"[1:]:
            if bit == "0":
                held.append(pool.pop())
            else:
                held.sort()
                spent.append(held.pop(0))
        known.held[p] = [held.count(v) for v in range(5)]
        known.spent[p] = [spent.count(v) for v in range(5)]
    known.supply = [pool.count(v) for v in range(5)]


# Every owl with every other, each side, the pro variant; not all their products.
PAIRS = (
    ("double", "discount"),
    ("draw_two", "convert"),
    ("pick_two", "switch"),
    ("discount", "switch"),
    ("draw_two", "pick_two"),
    ("double", "convert"),
)
SIDES = ("aaa", "bbb", "abb", "bab", "aba", "bba")
TABLES = tuple(
    {
        "owl_one": one,
        "owl_two": two,
        "tree_side": sides[0],
        "mushroom_side": sides[1],
        "leaf_side": sides[2],
    }
    for (one, two), sides in zip(PAIRS, SIDES, strict=True)
)
PRO = ({"pro": True}, {"pro": True, "tree_side": "b", "mushroom_side": "b", "leaf_side": "b"})
TRUTH = Truth(conserved, scramble, option_sets=(*TABLES, *PRO))
