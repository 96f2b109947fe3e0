"""What people see of A Game of Fox & Squirrels: the table, actions and events.

Everything is made from a wiped state, as plain ints and lists.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from msgspec import Struct

from foxden.engine.kernel import Known
from foxden.engine.view import Event, Facts
from foxden.games.fox_and_squirrels.rules import (
    CARDS,
    CLAIM,
    DISCARD,
    DRAW,
    FOX,
    HAND,
    NO_SUIT,
    PASS,
    RANKS,
    REFORMS,
    RUN,
    SET,
    SUITS,
    TAKE,
    TRIPLES,
    TURNS,
    Demand,
    Foxes,
    Phase,
    Source,
)

PhaseName = Literal["draw", "plan", "discard", "over"]
Season = Literal["spring", "summer", "autumn"]
Meld = Literal["set", "run"]
RunEnd = Literal["low", "high"]

PHASES: dict[int, PhaseName] = {
    Phase.DRAW: "draw",
    Phase.PLAN: "plan",
    Phase.DISCARD: "discard",
    Phase.OVER: "over",
}
SEASONS: tuple[Season, ...] = ("spring", "summer", "autumn")
FOX_COUNTS: dict[int, int] = {
    Foxes.NO_FOXES: 0,
    Foxes.JOKERS: 4,
    Foxes.FOUR_ACES: 4,
    Foxes.EIGHT_ACES: 8,
}
RANK_NAMES = ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
SUIT_NAMES = ("c", "d", "h", "s")
# Card names in notation and views, by number: rank and suit (9h, 10c, qs), or fox.
CARD_NAMES = (*[rank + suit for rank in RANK_NAMES for suit in SUIT_NAMES], "fox")


class Earned(Struct):
    """Acorns by source; losses to foxes are negative."""

    sets: int
    runs: int
    claims: int
    bonuses: int
    foxes: int


class Rewards(Struct):
    """Acorns for each kind of play."""

    set: int
    run: int
    claim: int


class Pile(Struct):
    """A set or a run on the table."""

    number: int
    owner: int
    kind: Meld
    cards: list[str]  # a run from its low end, a set in the order of suits
    wants: list[str]  # every card that would fit, whoever holds it


class Place(Struct):
    """What lies in front of one seat."""

    hand_size: int
    hand: list[str] | None  # null: not the viewer's own
    shown: list[str]  # publicly known cards in the hand
    piles: list[int]
    acorns: int | None  # null: the common heap counts
    earned: Earned
    hid_foxes: int
    dare: int | None  # index in the table's list, from 1: a fox's dare in the seat's last turn


class Table(Struct):
    """The table of A Game of Fox & Squirrels."""

    phase: PhaseName
    round: int
    season: Season
    turn: int
    last_turn: bool
    dealer: int
    bonus: int
    rewards: Rewards
    heap: int | None  # null: seats have their own acorns
    deck: int
    deck_foxes: int
    may_be_in_deck: dict[str, int]
    reforms: int
    reforms_most: int
    discard: list[str]  # top card last
    top: str | None
    piles: list[Pile]
    seats: list[Place]


# Actions


class Draw(Facts):
    """Draws from the harvest deck, re-forming it if empty."""

    deck: int
    foxes: int


class Take(Facts):
    """Takes the top of the discard pile."""

    card: str


class Plan(Facts):
    """Plans for winter: plays nothing."""


class LaySet(Facts):
    """Lays three cards of one rank."""

    cards: list[str]
    acorns: int
    bonus: int | None  # acorns for ending the round; null: it goes on


class LayRun(Facts):
    """Lays three cards of one suit in sequence."""

    cards: list[str]
    acorns: int
    bonus: int | None


class Claim(Facts):
    """Adds a card to another's pile and takes it."""

    pile: int
    owner: int
    card: str
    end: RunEnd | None  # end of a run; null: a set
    acorns: int


class Discard(Facts):
    """Discards a card."""

    card: str
    bonus: int | None


Actions = Draw | Take | Plan | LaySet | LayRun | Claim | Discard


# Events


class DeckReformed(Event):
    """The discard pile, except its top card, was shuffled into a new deck."""

    time: int  # of the round, from 1
    deck: int
    stays: str


class CardDrawn(Event):
    """A card of the deck went into a hand."""

    seat: int
    card: str | None  # null: unseen


class LastTurnBegun(Event):
    """The round ends with this turn, even if all have cards left."""

    seat: int


class FoxDrawn(Event):
    """A fox came from the deck onto the discard pile and ended the turn."""

    seat: int
    acorns: int  # taken
    heap: bool  # from the common heap, not from the seat
    dare: int | None  # index in the table's list, from 1; null: it took an acorn


class DiscardTaken(Event):
    """The top of the discard pile went into a hand."""

    seat: int
    card: str


class WinterPlanned(Event):
    """A seat planned for winter."""

    seat: int


class PileLaid(Event):
    """A set or a run was laid."""

    seat: int
    pile: int
    meld: Meld
    cards: list[str]
    acorns: int


class PileClaimed(Event):
    """A card was added to another's pile, which moved in front of the seat."""

    seat: int
    owner: int  # before
    pile: int
    meld: Meld
    cards: list[str]  # already in the pile
    card: str
    end: RunEnd | None  # end of a run; null: a set
    acorns: int


class CardDiscarded(Event):
    """A card went from a hand onto the discard pile."""

    seat: int
    card: str


class RoundEnded(Event):
    """A round is over: a seat has no card left, or it was cut short."""

    season: Season
    turn: int
    why: Literal["out", "turns", "deck"]  # no card left, too many turns, or the deck ran out
    seat: int | None  # went out; null: nobody
    bonus: int


class RoundDealt(Event):
    """All cards were shuffled, and a new round was dealt."""

    dealer: int
    season: Season
    deck: int  # cards in it once the discard pile has started


class FoxesHidden(Event):
    """A seat that was dealt foxes hid them in the deck and drew other cards."""

    seat: int
    count: int


class HandDealt(Event):
    """A seat got its hand for a new round."""

    seat: int
    count: int
    cards: list[str] | None  # null: unseen


class DiscardBegun(Event):
    """A card was turned up from the deck to start the discard pile."""

    card: str


class MatchEnded(Event):
    """The match is over: winter is here."""

    winners: list[int]  # nobody in cooperative play
    acorns: int  # of each winner, or of the heap
    piles: int | None  # in front of each winner, if they broke a tie


Events = (
    DeckReformed
    | CardDrawn
    | LastTurnBegun
    | FoxDrawn
    | DiscardTaken
    | WinterPlanned
    | PileLaid
    | PileClaimed
    | CardDiscarded
    | RoundEnded
    | RoundDealt
    | FoxesHidden
    | HandDealt
    | DiscardBegun
    | MatchEnded
)


def names(cards: list[int]) -> list[str]:
    """Returns the names of cards."""
    return [CARD_NAMES[card] for card in cards]


def cards_of(action: int) -> list[int]:
    """Lists the cards that an action takes from the hand."""
    if action >= DISCARD:
        return [action - DISCARD]
    if action >= CLAIM:
        return [(action - CLAIM) % CARDS]
    if action >= RUN:
        low, suit = divmod(action - RUN, SUITS)
        return [rank % RANKS * SUITS + suit for rank in range(low, low + 3)]
    if action >= SET:
        rank, triple = divmod(action - SET, len(TRIPLES))
        return [rank * SUITS + int(suit) for suit in TRIPLES[triple]]
    return []


def meld_of(known: Known, k: int) -> Meld:
    """Describes a pile."""
    return "set" if known.suit[k] == NO_SUIT else "run"


def pile_cards(known: Known, k: int) -> list[int]:
    """Lists the cards of a pile, a run from its low end."""
    low, high, suit = known.low[k], known.high[k], known.suit[k]
    if suit != NO_SUIT:
        return [rank % RANKS * SUITS + suit for rank in range(low, high + 1)]
    return [low * SUITS + one for one in range(SUITS) for _ in range(known.copies[k][one])]


def acorns(known: Known, seat: int) -> int:
    """Returns a seat's acorns; in cooperative play, the common heap's (FS-26)."""
    if known.cooperative:
        return sum(sum(sources) for sources in known.earned[: known.seats])
    return sum(known.earned[seat])


def is_last_turn(known: Known) -> bool:
    """Returns whether the round ends with this turn in any case (FS-24)."""
    return bool(known.turn == TURNS or (known.reforms == REFORMS and known.deck_size == 0))


def foxes_in_deck(known: Known) -> int:
    """Counts the foxes in the deck: all that are not on the discard pile (FS-28)."""
    on_discard: int = known.discard.count(FOX)
    return FOX_COUNTS[known.foxes] - on_discard


def table(known: Known, seat: int) -> Table:
    """Returns the table as the seat sees it."""
    on_piles = [pile_cards(known, k) for k in range(known.piles)]
    piles = [
        Pile(k + 1, known.owner[k], meld_of(known, k), names(cards), _in_mask(known.wants[k]))
        for k, cards in enumerate(on_piles)
    ]
    places = []
    for p in range(known.seats):
        places.append(
            Place(
                known.hand_size[p],
                names(known.hand[p][: known.hand_size[p]]) if p == seat else None,
                names(known.shown[p][: known.shown_size[p]]),
                [pile.number for pile in piles if pile.owner == p],
                None if known.cooperative else acorns(known, p),
                Earned(*known.earned[p]),
                known.hid[p],
                known.dare[p] + 1 or None,
            )
        )
    discard = names(known.discard[: known.discard_size])
    return Table(
        PHASES[known.phase],
        known.round + 1,
        SEASONS[known.round],
        known.turn,
        is_last_turn(known),
        known.dealer,
        known.bonus[known.round],
        Rewards(known.set_reward, known.run_reward, known.claim_reward),
        acorns(known, 0) if known.cooperative else None,
        known.deck_size,
        foxes_in_deck(known),
        _may_be_in_deck(known, seat, on_piles),
        known.reforms,
        REFORMS,
        discard,
        discard[-1] if discard else None,
        piles,
        places,
    )


def _in_mask(mask: int) -> list[str]:
    """Names the cards of a mask, in ascending order."""
    found = []
    while mask:
        found.append(CARD_NAMES[(mask & -mask).bit_length() - 1])
        mask &= mask - 1
    return found


def _may_be_in_deck(known: Known, seat: int, on_piles: list[list[int]]) -> dict[str, int]:
    """Counts the copies of each card that the deck may hold, as far as the seat knows."""
    seen = Counter(known.discard[: known.discard_size])
    for p in range(known.seats):
        held, n = (known.hand, known.hand_size) if p == seat else (known.shown, known.shown_size)
        seen.update(held[p][: n[p]])
    for cards in on_piles:
        seen.update(cards)
    left = {card: min(known.stock[card], 2 - seen[card]) for card in range(CARDS)}
    return {CARD_NAMES[card]: n for card, n in left.items() if n > 0}


def facts(known: Known, action: int) -> Actions:
    """Returns what a legal action means."""
    if action == DRAW:
        return Draw(known.deck_size, foxes_in_deck(known))
    if action == TAKE:
        return Take(CARD_NAMES[known.discard[known.discard_size - 1]])
    if action == PASS:
        return Plan()
    cards = names(cards_of(action))
    if CLAIM <= action < DISCARD:
        k = (action - CLAIM) // CARDS
        return Claim(k + 1, known.owner[k], cards[0], _end(known, action), known.claim_reward)
    goes_out = known.hand_size[known.to_act] == len(cards)
    bonus = known.bonus[known.round] if goes_out else None
    if action >= DISCARD:
        return Discard(cards[0], bonus)
    if action >= RUN:
        return LayRun(cards, known.run_reward, bonus)
    return LaySet(cards, known.set_reward, bonus)


def _end(known: Known, claim: int) -> RunEnd | None:
    """Returns the end of the run where a claim's card goes."""
    k, card = divmod(claim - CLAIM, CARDS)
    if known.suit[k] == NO_SUIT:
        return None
    return "low" if card // SUITS == known.low[k] - 1 else "high"


def events(before: Known, label: int, after: Known, seat: int) -> list[Events]:
    """Lists the effects of an action, as far as the seat knows them."""
    by = before.to_act
    cards = cards_of(label)
    happened: list[Events]
    if label == DRAW:
        happened = _drawn(before, after, seat)
    elif label == TAKE:
        happened = [DiscardTaken(by, CARD_NAMES[before.discard[before.discard_size - 1]])]
    elif label == PASS:
        happened = [WinterPlanned(by)]
    elif label >= DISCARD:
        happened = [CardDiscarded(by, CARD_NAMES[cards[0]])]
    elif label >= CLAIM:
        happened = [_claimed(before, label)]
    elif label >= RUN:
        happened = [PileLaid(by, before.piles + 1, "run", names(cards), before.run_reward)]
    else:
        happened = [PileLaid(by, before.piles + 1, "set", names(cards), before.set_reward)]
    if after.round != before.round or after.phase == Phase.OVER:
        goes_out = before.hand_size[by] == len(cards)
        happened += _round_ended(before, after, by if goes_out else None, seat)
    return happened


def _drawn(before: Known, after: Known, seat: int) -> list[Events]:
    """Lists the effects of a draw from the deck."""
    by = before.to_act
    happened: list[Events] = []
    if before.deck_size == 0:
        stays = CARD_NAMES[before.discard[before.discard_size - 1]]
        happened.append(DeckReformed(before.reforms + 1, before.discard_size - 1, stays))
    if after.phase in (Phase.PLAN, Phase.DISCARD):
        card = None
        if by == seat:
            hand = after.hand[by][: after.hand_size[by]]
            for held in before.hand[by][: before.hand_size[by]]:
                hand.remove(held)
            card = CARD_NAMES[hand[0]]
        happened.append(CardDrawn(by, card))
        if is_last_turn(after):
            happened.append(LastTurnBegun(by))
        return happened
    taken = before.earned[by][Source.FOXES] - after.earned[by][Source.FOXES]
    dare = after.dare[by] + 1 if before.fox_demand == Demand.DARE else None
    happened.append(FoxDrawn(by, taken, bool(before.cooperative), dare))
    return happened


def _claimed(before: Known, label: int) -> PileClaimed:
    k, card = divmod(label - CLAIM, CARDS)
    return PileClaimed(
        before.to_act,
        before.owner[k],
        k + 1,
        meld_of(before, k),
        names(pile_cards(before, k)),
        CARD_NAMES[card],
        _end(before, label),
        before.claim_reward,
    )


def _round_ended(before: Known, after: Known, out: int | None, seat: int) -> list[Events]:
    """Lists why a round is over, and what follows."""
    season, turn = SEASONS[before.round], before.turn
    if out is not None:
        ended = RoundEnded(season, turn, "out", out, before.bonus[before.round])
    else:
        ended = RoundEnded(season, turn, "turns" if turn == TURNS else "deck", None, 0)
    if after.phase == Phase.OVER:
        return [ended, _match_ended(after)]
    happened: list[Events] = [
        ended,
        RoundDealt(after.dealer, SEASONS[after.round], after.deck_size),
    ]
    seats = range(after.seats)
    happened += [FoxesHidden(p, after.hid[p]) for p in seats if after.hid[p]]
    happened += [
        HandDealt(p, HAND, names(after.hand[p][:HAND]) if p == seat else None) for p in seats
    ]
    happened.append(DiscardBegun(CARD_NAMES[after.discard[0]]))
    return happened


def _match_ended(known: Known) -> MatchEnded:
    """Returns the winners, or the common result (FS-25, FS-26)."""
    if known.cooperative:
        return MatchEnded([], acorns(known, 0), None)
    totals = [acorns(known, p) for p in range(known.seats)]
    best = [p for p in range(known.seats) if totals[p] == max(totals)]
    if not known.tie_break or len(best) == 1:
        return MatchEnded(best, max(totals), None)
    most = max(known.owner.count(p) for p in best)
    return MatchEnded([p for p in best if known.owner.count(p) == most], max(totals), most)
