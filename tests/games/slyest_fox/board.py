"""Positions of The Slyest Fox for tests, set up from what lies where."""

from collections.abc import Mapping, Sequence
from typing import Any

import foxden
from foxden.engine.kernel import Known
from tests.games.positions import rearrange, truth

CARDS = (
    "gossip",
    "trap",
    "universal-attack",
    "weasel",
    "sneaky-attack",
    "enough",
    "facts",
    "caution",
    "universal-defence",
    "dont-care",
    "sneaky-defence",
    "stop-it",
)
GOSSIP_FOX, SCHEMER, MASTER_OF_TRAPS, INVENTIVE_FOX = range(4)
OPEN, ACT, DEFEND, ADD, SHUT, HELP, ANSWER, REFILL, DISCARD, OVER = range(10)
Hand = Mapping[str, int]
PLAIN: Hand = {"gossip": 1, "trap": 1, "facts": 1, "caution": 1}


def counts(hand: Hand) -> list[int]:
    """Counts cards by kind."""
    return [hand.get(card.replace("-", "_"), hand.get(card, 0)) for card in CARDS]


def table(
    hands: Sequence[Hand],
    *,
    phase: int = ACT,
    on_turn: int = 0,
    to_act: int | None = None,
    roles: Sequence[int] = (GOSSIP_FOX, INVENTIVE_FOX, SCHEMER, MASTER_OF_TRAPS) * 2,
    marks: Mapping[int, tuple[int, int]] | None = None,
    shields: Sequence[int] = (),
    discards: Hand | None = None,
    empty_decks: bool = False,
    quiet: int = 0,
    **options: Any,
) -> foxden.Match:
    """Sets up a position; cards that are not said to be elsewhere lie in the decks.

    With `empty_decks` they lie nowhere: tests of empty decks do not count cards.
    """
    seats = len(hands)
    match = foxden.new("slyest-fox", seats=seats, seed=1, options=options)

    def change(known: Known) -> None:
        total = [known.deck[c] + sum(known.hand[p][c] for p in range(seats)) for c in range(12)]
        known.phase = phase
        known.on_turn = on_turn
        known.to_act = on_turn if to_act is None else to_act
        known.quiet = quiet
        for p in range(seats):
            known.hand[p] = counts(hands[p])
            known.size[p] = sum(known.hand[p])
            known.role[p] = roles[p]
            known.marks[p] = list((marks or {}).get(p, (0, 0)))
            known.shield[p] = int(p in shields)
            for row in range(seats + 1):
                sure = [sum(known.hand[p][:6]), sum(known.hand[p][6:])]
                known.known[p][row] = [0] * 12 + ([0, 0] if row == p + 1 else sure)
        known.alive = sum(sum(known.marks[p]) < 3 for p in range(seats))
        known.discard = counts(discards or {})
        for c in range(12):
            elsewhere = sum(known.hand[p][c] for p in range(seats)) + known.discard[c]
            elsewhere += len(shields) if CARDS[c] == "dont-care" else 0
            known.deck[c] = 0 if empty_decks else total[c] - elsewhere
        known.formed = list(total)
        known.deck_size = [sum(known.deck[:6]), sum(known.deck[6:])]
        known.discards = [sum(known.discard[:6]), sum(known.discard[6:])]

    rearrange(match, change)
    return match


def play(match: foxden.Match, *moves: str) -> foxden.Match:
    """Plays moves written `2: pass`, checking that the seat before the colon is asked."""
    for move in moves:
        seat, _, notation = move.partition(": ")
        match.play(notation, int(seat))
    return match


def all_ready(match: foxden.Match) -> None:
    """Lets every seat say ready, until the action."""
    while truth(match).phase == OPEN:
        match.play("ready")


def offered(match: foxden.Match) -> list[str]:
    """Lists what the seat asked may do."""
    return [str(action) for action in match.legal()]


def hand(match: foxden.Match, seat: int) -> dict[str, int]:
    """Names the cards of a hand."""
    return {CARDS[c]: n for c, n in enumerate(truth(match).hand[seat]) if n}


def pile(match: foxden.Match) -> dict[str, int]:
    """Names the cards of both discard piles."""
    return {CARDS[c]: n for c, n in enumerate(truth(match).discard) if n}


def refused(match: foxden.Match, notation: str) -> str | None:
    """Returns the rule that refuses a move, None if it is open."""
    if notation in offered(match):
        return None
    return match.why_not(notation)[1]
