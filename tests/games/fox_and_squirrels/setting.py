"""Tables of Fox & Squirrels set by hand: named cards in hands, piles, deck and discard pile."""

from collections import Counter
from typing import Any

import foxden
from foxden.engine.kernel import Entry, Known
from foxden.games.fox_and_squirrels.rules import wanted
from tests.games.positions import rearrange, truth

RANKS = ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
NAMES = [rank + suit for rank in RANKS for suit in "cdhs"]
FOX = 52
ACE_HIGH = 13
SOURCES = {"sets": 0, "runs": 1, "claims": 2, "bonuses": 3, "foxes": 4}
PHASES = {"draw": 0, "plan": 1, "discard": 2}
ALL = {"none": (0, 0), "jokers": (0, 4), "four_aces": (4, 4), "eight_aces": (4, 8)}


def card(name: str) -> int:
    return FOX if name == "fox" else NAMES.index(name)


def cards(names: str) -> list[int]:
    return [card(name) for name in names.split()]


def named(numbers: list[int]) -> str:
    return " ".join("fox" if n == FOX else NAMES[n] for n in numbers if n >= 0)


@Entry
def note_wants(states, i):  # type: ignore[no-untyped-def]
    s = states[i]
    for k in range(s.piles):
        s.wants[k] = wanted(s, k)


def padded(numbers: list[int], size: int) -> list[int]:
    return numbers + [-1] * (size - len(numbers))


def write_pile(known: Known, k: int, owner: int, names: str) -> list[int]:
    """Lays a pile: a set in any order, a run from its low end."""
    pile = cards(names)
    ranks = [one // 4 for one in pile]
    known.owner[k] = owner
    known.copies[k] = [sum(one % 4 == suit for one in pile) for suit in range(4)]
    known.low[k] = ranks[0]
    if len(set(ranks)) == 1:
        known.suit[k], known.high[k] = -1, ranks[0]
    else:
        known.suit[k], known.high[k] = pile[0] % 4, ranks[-1] or ACE_HIGH
    return pile


def set_table(
    hands: list[str],
    *,
    piles: tuple[tuple[int, str], ...] = (),
    discard: str = "9h",
    deck_top: str = "",  # as a pile lies: the last is drawn first
    deck: str | None = None,  # the whole deck
    to_act: int = 0,
    phase: str = "draw",
    options: dict[str, Any] | None = None,
    acorns: list[int] | None = None,  # as if earned by sets
    seed: int = 1,
    **fields: Any,
) -> foxden.Match:
    """Deals a match and sets its table; cards that are not named lie in the deck, foxes lowest."""
    seats = len(hands)
    match = foxden.new("fox-and-squirrels", seats=seats, seed=seed, options=options)

    def change(known: Known) -> None:
        first, foxes = ALL[(options or {}).get("foxes", "none")]
        rest = Counter(dict.fromkeys(range(first, 52), 2) | {FOX: foxes})
        for p, hand in enumerate(hands):
            held = sorted(cards(hand))
            rest.subtract(held)
            known.hand[p], known.hand_size[p] = padded(held, 11), len(held)
        for k, (owner, names) in enumerate(piles):
            rest.subtract(write_pile(known, k, owner, names))
        known.piles = len(piles)
        pile = cards(discard)
        rest.subtract(pile)
        known.discard, known.discard_size = padded(pile, 108), len(pile)
        top = cards(deck_top)
        rest.subtract(top)
        assert min(rest.values()) >= 0, "a card is used too often"
        below = sorted(rest.elements(), reverse=True) + top if deck is None else cards(deck)
        known.deck, known.deck_size = padded(below, 108), len(below)
        known.to_act = to_act
        known.phase = PHASES[phase]
        for p, n in enumerate(acorns or []):
            known.earned[p][SOURCES["sets"]] = n
        vars(known).update(fields)

    rearrange(match, change)
    match.replace_truth(lambda states: note_wants(states, 0))
    return match


def hand(match: foxden.Match, seat: int) -> str:
    return named(truth(match).hand[seat])


def shown(match: foxden.Match, seat: int) -> str:
    return named(truth(match).shown[seat])


def discard_pile(match: foxden.Match) -> str:
    return named(truth(match).discard)


def deck_of(match: foxden.Match) -> str:
    return named(truth(match).deck)


def acorns(match: foxden.Match) -> list[int]:
    return list(match.scores)


def legal(match: foxden.Match) -> list[str]:
    return [str(action) for action in match.legal()]


def pile(match: foxden.Match, number: int) -> tuple[int, str, str]:
    """Returns a pile's owner, its cards and the cards that it wants."""
    found = match.view(None)["table"]["piles"][number - 1]
    return found["owner"], " ".join(found["cards"]), " ".join(found["wants"])


def play(match: foxden.Match, *actions: str) -> foxden.Match:
    for action in actions:
        match.play(action)
    return match
