"""What people see of Happy Fox: the table, actions and events.

Everything is made from a wiped state, as plain ints and lists.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from foxden.engine.kernel import Known
from foxden.engine.view import Event, Facts
from foxden.games.happy_fox.rules import LAY, MAX_SET, STOP, TURN, Card, Phase

Kind = Literal["goose", "fox", "dog"]
KINDS: dict[int, Kind] = {Card.GOOSE: "goose", Card.FOX: "fox", Card.DOG: "dog"}
PHASES: dict[int, Literal["play", "grab", "over"]] = {
    Phase.PLAY: "play",
    Phase.GRAB: "grab",
    Phase.OVER: "over",
}
# As plain ints, for speed: tables are built for every viewer after every action.
GOOSE, FOX, DOG, SHOWN = map(int, (Card.GOOSE, Card.FOX, Card.DOG, Card.SHOWN))
PLAY, GRAB, OVER = map(int, Phase)
LAID: list[Kind | None] = [None, "goose", "fox", "dog", None, "goose"]  # by Card


class Counts(Struct):
    """The number of cards of each kind."""

    goose: int
    fox: int
    dog: int


class RowCard(Struct, frozen=True):
    """A card in a row."""

    turn: int
    card: Kind | None  # null: face down, and not the viewer's own
    up: bool  # turned up in the current grab


# Everything that can lie in a row, by turn and Card, created once.
ROW_CARDS = [
    [RowCard(turn, kind, card == SHOWN) for card, kind in enumerate(LAID)]
    for turn in range(1, MAX_SET + 1)
]


class Place(Struct):
    """What lies in front of one seat."""

    hand_size: int
    hand: Counts | None
    pile: int
    row: list[RowCard]
    won: Counts
    won_by_set: list[Counts]
    score: int


class Goose(Struct):
    """A goose turned up, with its owner and the turn it was laid in."""

    seat: int
    turn: int


class Grab(Struct):
    """A grab in progress."""

    by: int
    victim: int
    geese: list[Goose]


class Table(Struct):
    """The table of Happy Fox."""

    phase: Literal["play", "grab", "over"]
    turn: int
    turns: int
    starter: int
    set: Counts
    removed: int
    hand_limit: int
    seats: list[Place]
    grab: Grab | None


# Actions


class Lay(Facts):
    """Lays a card face down."""

    card: Kind


class SendFox(Facts):
    """Sends out a fox."""

    prey: int | None  # whose card it turns first; null: nobody has one, and the fox is won


class TurnOver(Facts):
    """Turns over a card in the row where the fox is."""

    owner: int
    turn: int


class Stop(Facts):
    """Ends the grab and keeps the geese."""

    geese: int


Actions = Lay | SendFox | TurnOver | Stop


# Events


class CardLaid(Event):
    """A card was laid face down."""

    seat: int
    card: Kind | None  # null: unseen


class FoxSent(Event):
    """A fox set out; it is won at once if no opponent has a face-down card."""

    seat: int
    prey: int | None


class GooseFound(Event):
    """A goose was turned up."""

    seat: int
    owner: int
    turn: int


class FoxCaught(Event):
    """A dog was turned up; its owner wins the fox and the dog."""

    seat: int
    owner: int
    turn: int


class GeeseSaved(Event):
    """Geese of a failed grab went to their owner's win pile."""

    owner: int
    geese: int


class GrabEnded(Event):
    """A grab ended well: its geese and the fox are won."""

    seat: int
    geese: int
    stopped: bool  # by choice; otherwise no card was left to turn


class CardsDrawn(Event):
    """A hand was filled up."""

    seat: int
    count: int
    cards: list[Kind] | None  # null: unseen


class MatchEnded(Event):
    """The last card was played, rows went to win piles, and the winners are known."""

    winners: list[int]
    cards: int  # in the winners' piles
    rows: list[int]  # cards each seat added from its own row


Events = (
    CardLaid | FoxSent | GooseFound | FoxCaught | GeeseSaved | GrabEnded | CardsDrawn | MatchEnded
)


def counts(cards: list[int]) -> Counts:
    """Names the cards that a [card] list counts."""
    return Counts(cards[GOOSE], cards[FOX], cards[DOG])


def pile_of(known: Known, seat: int) -> list[int]:
    """Counts a win pile by card, whatever set the cards come from."""
    return list(map(sum, zip(*known.won[seat][: known.seats], strict=True)))


def removed(known: Known) -> int:
    """Returns the number of cards removed unseen from each set (HF-3)."""
    return int(known.unknown) if known.unknown_four else 0


def rounds(known: Known) -> int:
    """Returns the number of turns of each seat."""
    cards: int = known.geese + known.foxes + known.dogs
    return cards - removed(known)


def turned_up(known: Known) -> list[tuple[int, int]]:
    """Lists the geese turned up in this grab, in order, as (seat, turn)."""
    return [divmod(place, MAX_SET) for place in known.shown[: known.turned]]


def table(known: Known, seat: int) -> Table:
    """Returns the table as the seat sees it."""
    turns, gone = rounds(known), removed(known)
    places = []
    for p in range(known.seats):
        hand, laid = known.hand[p], known.row[p][: known.turn + 1]
        geese = foxes = dogs = 0
        by_set = []
        for _, some_geese, some_foxes, some_dogs in known.won[p][: known.seats]:
            by_set.append(Counts(some_geese, some_foxes, some_dogs))
            geese += some_geese
            foxes += some_foxes
            dogs += some_dogs
        places.append(
            Place(
                sum(hand),
                counts(hand) if p == seat else None,
                known.in_pile[p] - gone,
                [ROW_CARDS[turn][card] for turn, card in enumerate(laid) if card],
                Counts(geese, foxes, dogs),
                by_set,
                geese + foxes + dogs,
            )
        )
    grab = None
    if known.phase == GRAB:
        shown = [Goose(p, turn + 1) for p, turn in turned_up(known)]
        grab = Grab(known.to_act, known.victim, shown)
    return Table(
        PHASES[known.phase],
        min(known.turn + 1, turns),
        turns,
        known.starter,
        Counts(known.geese, known.foxes, known.dogs),
        gone,
        known.hand_limit,
        places,
        grab,
    )


def prey(known: Known) -> int | None:
    """Returns whose card a fox would turn first: the next seat with a face-down card (HF-10)."""
    others: list[int] = [*range(known.to_act + 1, known.seats), *range(known.to_act)]
    for p in others:
        if known.down[p] > 0:
            return p
    return None


def facts(known: Known, action: int) -> Actions:
    """Returns what a legal action means."""
    if action == STOP:
        return Stop(known.turned)
    if action == FOX:
        return SendFox(prey(known))
    if action < TURN:
        return Lay(KINDS[action])
    return TurnOver(known.victim, action - TURN + 1)


def events(before: Known, label: int, after: Known, seat: int) -> list[Events]:
    """Lists the effects of an action, as far as the seat knows them."""
    by = before.to_act
    happened: list[Events]
    if before.phase == PLAY and label != FOX:
        happened = [CardLaid(by, None if label == LAY else KINDS[label])]
    elif label == FOX:
        happened = [FoxSent(by, prey(before))]
    elif label == STOP:
        happened = [GrabEnded(by, before.turned, stopped=True)]
    else:
        happened = _turned(before, label - TURN, after)
    if (count := before.in_pile[by] - after.in_pile[by]) > 0:
        happened.append(CardsDrawn(by, count, _drawn(before, label, after) if by == seat else None))
    if after.phase == OVER:
        totals = [sum(pile_of(after, p)) for p in range(after.seats)]
        best = [p for p in range(after.seats) if totals[p] == max(totals)]
        rows = [sum(map(bool, after.row[p])) for p in range(after.seats)]
        happened.append(MatchEnded(best, max(totals), rows))
    return happened


def _turned(before: Known, turn: int, after: Known) -> list[Events]:
    """Lists the effects of a turned card."""
    by, owner = before.to_act, before.victim
    goes_on = after.phase == GRAB and after.to_act == by
    if goes_on and after.turned == before.turned + 1:
        return [GooseFound(by, owner, turn + 1)]
    # The owner of a dog wins the fox (HF-15).
    if after.won[owner][by][FOX] == before.won[owner][by][FOX]:
        return [GooseFound(by, owner, turn + 1), GrabEnded(by, before.turned + 1, stopped=False)]
    saved: dict[int, int] = {}
    for p, _ in turned_up(before):
        saved[p] = saved.get(p, 0) + 1
    return [FoxCaught(by, owner, turn + 1), *[GeeseSaved(p, n) for p, n in saved.items()]]


def _drawn(before: Known, label: int, after: Known) -> list[Kind]:
    """Lists the cards that the acting seat drew."""
    by = before.to_act
    drawn: list[Kind] = []
    for card, kind in KINDS.items():
        played = 1 if before.phase == PLAY and label == card else 0
        drawn += [kind] * (after.hand[by][card] - before.hand[by][card] + played)
    return drawn
