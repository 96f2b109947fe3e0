"""Positions of Fox Grove, set up in the game's own words."""

from collections.abc import Iterable, Sequence
from typing import Any

import foxden
from foxden.engine.kernel import Known
from tests.games.positions import rearrange, truth

COLOURS = ("blue", "purple", "orange", "yellow")
KINDS = ("wood", "nut", "maple")
OWLS = ("draw_two", "pick_two", "discount", "switch", "double", "convert")
ALL_CARDS = (1 << 52) - 1
PLAY, DELIVER = 5, 10  # phases


def card(name: str) -> int:
    """Reads "blue 4"."""
    colour, number = name.split()
    return 13 * COLOURS.index(colour) + int(number) - 1


def cards(names: str) -> int:
    """Reads "blue 4, yellow 1" as a set."""
    return sum(1 << card(name) for name in names.split(", ") if name)


def names_in(mask: int) -> list[str]:
    return [f"{COLOURS[c // 13]} {c % 13 + 1}" for c in range(52) if mask >> c & 1]


def legal(match: foxden.Match) -> list[str]:
    return [str(action) for action in match.legal()]


def play(match: foxden.Match, *moves: str) -> foxden.Match:
    """Plays moves, each of which must be legal."""
    for move in moves:
        match.play(move)
    return match


def owls(*names: str) -> int:
    return sum(1 << OWLS.index(name) for name in names)


def trick(
    hands: Sequence[str],
    *,
    leader: int = 0,
    first: int | None = None,
    pile: str | None = None,
    awake: Sequence[str] = (),
    options: Any = None,
    parts: Any = None,
    **fields: Any,
) -> foxden.Match:
    """Sets up a trick to be led; owls are asleep unless named, other cards are in the pile."""
    seats = len(hands)
    match = foxden.new("fox-grove", seats=seats, seed=1, options=options, parts=parts)

    def change(known: Known) -> None:
        known.phase = PLAY
        known.turn = 0
        known.to_act = known.leader = leader
        known.first = leader if first is None else first
        masks = [cards(hand) for hand in hands] + [0] * (4 - seats)
        known.hand = masks
        known.in_hand = [mask.bit_count() for mask in masks]
        known.tricks = 9 - max(known.in_hand)
        known.pile = ALL_CARDS & ~sum(masks) if pile is None else cards(pile)
        known.awake = [owls(*awake) & owned for owned in known.owls]
        vars(known).update(fields)

    rearrange(match, change)
    return match


def delivery(
    stock: Iterable[int] = (0, 0, 0),
    level: Iterable[int] = (0, 0, 0),
    *,
    seats: int = 4,
    berries: Sequence[int] = (),
    awake: Sequence[str] = (),
    options: Any = None,
    parts: Any = None,
    **fields: Any,
) -> foxden.Match:
    """Sets up a delivery of seat 0, which comes first; the others have nothing."""
    match = foxden.new("fox-grove", seats=seats, seed=1, options=options, parts=parts)

    def change(known: Known) -> None:
        known.phase = DELIVER
        known.turn = known.to_act = known.first = known.leader = 0
        known.tricks = 9
        known.hand = [0] * 4
        known.in_hand = [0] * 4
        known.pile = ALL_CARDS
        known.stock[0] = list(stock)
        known.level[0] = list(level)
        known.awake = [owls(*awake) & owned for owned in known.owls]
        for points in berries:
            known.held[0][points] += 1
            known.supply[points] -= 1
            known.berry_log[0] *= 2
        known.berries[0] = len(berries)
        known.in_supply -= len(berries)
        vars(known).update(fields)

    rearrange(match, change)
    return match


def stock(match: foxden.Match, seat: int = 0) -> list[int]:
    found: list[int] = truth(match).stock[seat]
    return found


def level(match: foxden.Match, seat: int = 0) -> list[int]:
    found: list[int] = truth(match).level[seat]
    return found


def is_awake(match: foxden.Match, owl: str, seat: int = 0) -> bool:
    return bool(truth(match).awake[seat] & owls(owl))
