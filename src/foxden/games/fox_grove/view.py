"""What people see of Fox Grove: the table, actions and events.

Everything is made from a wiped state, as plain ints and lists.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from msgspec import UNSET, Struct, UnsetType

from foxden.engine.kernel import Known, from_known
from foxden.engine.view import Event, Facts
from foxden.engine.voice import counted, listed
from foxden.games.fox_grove.rules import (
    AS_PRINTED,
    BERRIES_PAID,
    BERRY,
    BURY,
    CARDS,
    CLIMB,
    CONVERT,
    DISCOUNT,
    DISCOUNTED,
    DOUBLE,
    DRAW_TWO,
    FRANK,
    GAIN,
    HAND,
    HIDDEN_BURY,
    HIDDEN_PASS,
    KEEP,
    KEPT,
    KEPT_NUTS,
    KEPT_WOOD,
    MAX_BERRIES,
    NEW_OWL,
    NO_DISCOUNT,
    NO_DRAW,
    NO_SWITCH,
    NOBODY,
    NONE,
    PAY_BERRIES,
    PAY_NUTS,
    PAY_WOOD,
    PICK_TWO,
    PLAY,
    REACTIVATE,
    REACTIVATE_ONE,
    ROUNDS,
    STOP,
    SWITCH,
    SWITCHED,
    TAKE,
    THIRTEEN,
    TOP,
    TURNS_FROM,
    TURNS_INTO,
    TWELVE,
    Colour,
    Kind,
    Owl,
    Phase,
    State,
    sole_payment,
)

# In the order of the enums of the rules.
ColourName = Literal["blue", "purple", "orange", "yellow"]
KindName = Literal["wood", "nut", "maple"]
HouseName = Literal["tree", "mushroom", "leaf"]
OwlName = Literal["draw two", "pick two", "discount", "switch", "double", "convert"]
PhaseName = Literal[
    "left",
    "right",
    "under",
    "draw",
    "bury",
    "play",
    "take",
    "reward",
    "gain",
    "thirteen",
    "deliver",
    "switch",
    "discount",
    "berries",
    "wood",
    "nut",
    "bonus",
    "keep",
    "over",
]
CardName = str  # "blue 4"
Good = Literal["wood", "nut", "maple", "any", "berry", "advance"]  # what a card gives
Manner = Literal["lead", "follow", "trump", "discard"]
Player = int | Literal["frank"]

COLOURS: tuple[ColourName, ...] = get_args(ColourName)
KINDS: tuple[KindName, ...] = get_args(KindName)
HOUSES: tuple[HouseName, ...] = get_args(HouseName)
OWL_NAMES: tuple[OwlName, ...] = get_args(OwlName)
PHASES: tuple[PhaseName, ...] = get_args(PhaseName)
GOODS: tuple[Good, ...] = get_args(Good)
CARD_NAMES = tuple(f"{COLOURS[card // 13]} {card % 13 + 1}" for card in range(CARDS))
CHOOSING = (Phase.LEFT, Phase.RIGHT, Phase.UNDER)
PAYING = (Phase.SWITCH, Phase.DISCOUNT, Phase.BERRIES, Phase.WOOD, Phase.NUT)
# Owls that help to pay, where the payment records them, and the action that uses them.
PRICE_OWLS: tuple[tuple[OwlName, int, int], ...] = (
    ("switch", SWITCHED, SWITCH),
    ("discount", DISCOUNTED, DISCOUNT),
)
DELIVERING = (Phase.DELIVER, *PAYING, Phase.BONUS)


class Stock(Struct):
    """Resources by kind."""

    wood: int
    nut: int
    maple: int


class Units(Struct):
    """Resources by kind, and some of any kind."""

    wood: int
    nut: int
    maple: int
    any: int


class Payment(Struct):
    """What is paid for a level."""

    wood: int
    nut: int
    maple: int
    berries: int
    owls: list[OwlName]


# The table


class PlayedCard(Struct):
    """A card in a trick or discarded during it, and whose it is."""

    seat: Player
    card: CardName


class Trick(Struct):
    """The trick, in the order of play."""

    number: int
    of: int
    leader: int
    led: ColourName | None
    best: CardName | None
    winner: int | None  # who is being rewarded
    picks: int
    picked_two: bool
    rewarding: CardName | None
    resources_of_choice: int
    cards: list[PlayedCard]
    discarded: list[PlayedCard]


class Advance(Struct):
    """A payment in progress; only `thirteen` is set while its house is being chosen."""

    thirteen: bool
    house: HouseName | UnsetType = UNSET
    level: int | UnsetType = UNSET
    price: Units | UnsetType = UNSET
    dropped: int | UnsetType = UNSET
    switched: bool | UnsetType = UNSET
    berries: int | UnsetType | None = UNSET
    wood: int | UnsetType | None = UNSET


class Level(Struct):
    """A level as it is printed."""

    level: int
    cost: Units
    bonus: bool
    points: int


class HouseBoard(Struct):
    """A house, with the side in use."""

    name: HouseName
    side: Literal["a", "b"]
    levels: list[Level]


class PassedCard(Struct):
    """A card that a seat passed on, as far as the viewer knows it."""

    card: CardName
    to: int | Literal["pile"]


class Levels(Struct):
    """A seat's levels."""

    tree: int
    mushroom: int
    leaf: int


class OwlTile(Struct):
    """An owl of a seat."""

    owl: OwlName
    active: bool


class Place(Struct):
    """One seat's possessions."""

    hand_size: int
    hand: list[CardName] | None
    played: list[CardName]
    voids: list[ColourName]
    passed: list[PassedCard]
    buried: list[CardName] | None
    buried_size: int
    resources: Stock
    levels: Levels
    berries: int
    berry_points: list[int] | None  # null: unseen
    berries_spent: int
    spent_points: list[int] | None
    berry_history: list[Literal["taken", "spent"]]
    owls: list[OwlTile]
    points: int


class Table(Struct):
    """The table of Fox Grove."""

    phase: PhaseName
    round: int
    rounds: int
    first: int
    trick: Trick
    advance: Advance | None
    pile: int
    discard_pile: list[CardName]
    supply: int
    houses: list[HouseBoard]
    track: list[int]
    rewards: dict[CardName, str]  # what each card gives, in words …
    gives: dict[CardName, list[Good]]  # … and one by one
    seats: list[Place]
    frank: list[CardName] | None


# Actions


class PassOn(Facts):
    """Sets a card aside for a neighbour."""

    card: CardName
    to: int


class PutUnder(Facts):
    """Puts a card under the pile."""

    card: CardName


class PlayCard(Facts):
    """Plays a card to the trick, or discards it for its reward."""

    card: CardName
    manner: Manner
    gives: list[Good]


class TakeReward(Facts):
    """Takes the reward of a card in the trick."""

    card: CardName
    gives: list[Good]


class UseOwl(Facts):
    """Uses an owl that is offered separately; double and convert are ways to take resources."""

    owl: Literal["draw two", "pick two", "switch", "discount"]


class SaveOwl(Facts):
    """Leaves an owl unused."""

    owl: Literal["draw two", "switch", "discount"]


class TakeResources(Facts):
    """Takes the resources of a card."""

    units: Units
    owl: Literal["double", "convert"] | None
    turns: KindName | None  # the kind that convert turns …
    into: KindName | None  # … into this one


class Gain(Facts):
    """Takes a resource of choice."""

    resource: KindName


class Climb(Facts):
    """Starts to pay for the next level of a house."""

    house: HouseName
    level: int
    cost: Units
    less: int  # units waived by a 13
    bonus: bool
    points: int
    pays: Payment | None  # the automatic payment, if it is not the printed price
    short: int  # units that the stock cannot pay, if there are several ways to make up for them
    ways: list[Literal["switch", "discount", "berry"]]


class StopAdvancing(Facts):
    """Ends the delivery, or declines a 13."""

    thirteen: bool


class Pay(Facts):
    """Sets an amount of the payment."""

    what: Literal["berry", "wood", "nut"]
    count: int


class TakeBerry(Facts):
    """Takes a blackberry as a bonus."""


class WakeOwls(Facts):
    """Reactivates owls as a bonus."""

    owls: list[OwlName]
    every: bool  # wakes all sleeping owls, even if there is only one


class NewOwl(Facts):
    """Takes an owl as a bonus."""

    owl: OwlName


class Keep(Facts):
    """Keeps three resources."""

    units: Stock


Actions = (
    PassOn
    | PutUnder
    | PlayCard
    | TakeReward
    | UseOwl
    | SaveOwl
    | TakeResources
    | Gain
    | Climb
    | StopAdvancing
    | Pay
    | TakeBerry
    | WakeOwls
    | NewOwl
    | Keep
)


# Events


class CardSetAside(Event):
    """A card was set aside for a neighbour or the pile; it moves when all have chosen."""

    seat: int
    card: CardName | None  # null: unseen
    to: int | Literal["pile"]


class Gift(Struct):
    """A card that changes hands."""

    seat: int
    to: int | Literal["pile"]
    card: CardName | None  # null: unseen


class CardsExchanged(Event):
    """The cards that were set aside changed hands."""

    gifts: list[Gift]


class CardsDrawn(Event):
    """Cards were drawn from the pile."""

    seat: int
    count: int
    cards: list[CardName] | None  # null: unseen


class CardBuried(Event):
    """A card was put under the pile."""

    seat: int
    card: CardName | None  # null: unseen


class CardPlayed(Event):
    """A card was played; a discard is not part of the trick."""

    seat: Player
    card: CardName
    manner: Manner


class TrickWon(Event):
    """Somebody won the trick."""

    seat: Player
    card: CardName


class TrickCleared(Event):
    """The cards of the trick were discarded."""

    cards: list[CardName]
    lead: int | None  # seat leading the next trick; null: it was the last of the round


class RewardTaken(Event):
    """A card was chosen or discarded for its reward; its effects are separate events."""

    seat: int
    card: CardName
    brings: Literal["resources", "berry", "advance", "no berry", "no advance"]


class ResourcesTaken(Event):
    """A card gave its resources; those of choice follow."""

    seat: int
    card: CardName
    units: Units


class BerryTaken(Event):
    """A blackberry was taken."""

    seat: int
    points: int | None  # null: unseen


class OwlUsed(Event):
    """An owl was used, and sleeps."""

    seat: int
    owl: OwlName
    asked: bool  # false: there was no other way to pay


class OwlSaved(Event):
    """An owl was left unused."""

    seat: int
    owl: OwlName


class OwlsWoken(Event):
    """Owls were reactivated."""

    seat: int
    owls: list[OwlName]


class OwlTaken(Event):
    """A seat has a new owl."""

    seat: int
    owl: OwlName


class AdvanceStarted(Event):
    """A seat started to pay for a level."""

    seat: int
    house: HouseName
    level: int


class PaymentChosen(Event):
    """A seat chose an amount of the payment; it is paid with the rest."""

    seat: int
    what: Literal["berry", "wood", "nut"]
    count: int


class LevelReached(Event):
    """A level was paid for and reached."""

    seat: int
    house: HouseName
    level: int
    paid: Payment
    bonus: bool


class BonusOffered(Event):
    """A bonus can be chosen."""

    seat: int


class BonusLost(Event):
    """A bonus had no effect: there is no blackberry and no owl to wake."""

    seat: int


class AdvanceDeclined(Event):
    """A seat left a 13 unused."""

    seat: int


class DeliveryEnded(Event):
    """A seat's delivery ended for this round."""

    seat: int
    how: Literal["stopped", "spent", "unable"]  # spent: after its last advance; unable: had none


class MarkerTaken(Event):
    """A seat got or kept the first player marker at the end of the last trick."""

    seat: int


class ResourcesKept(Event):
    """A seat kept three resources and returned the rest."""

    seat: int
    kept: Stock
    returned: Stock


class RoundBegan(Event):
    """All cards were shuffled and dealt anew."""

    round: int
    rounds: int
    hand: list[CardName] | None  # the viewer's own


class MatchEnded(Event):
    """The match is over."""

    points: list[int]
    winners: list[int]
    by_berries: bool  # the tie-breaker was used
    berries: list[list[int]]  # the points of each seat's blackberries


Events = (
    CardSetAside
    | CardsExchanged
    | CardsDrawn
    | CardBuried
    | CardPlayed
    | TrickWon
    | TrickCleared
    | RewardTaken
    | ResourcesTaken
    | BerryTaken
    | OwlUsed
    | OwlSaved
    | OwlsWoken
    | OwlTaken
    | AdvanceStarted
    | PaymentChosen
    | LevelReached
    | BonusOffered
    | BonusLost
    | AdvanceDeclined
    | DeliveryEnded
    | MarkerTaken
    | ResourcesKept
    | RoundBegan
    | MatchEnded
)


# Names


def cards_of(mask: int) -> list[int]:
    """Lists a set of cards in ascending order."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


def card_names(mask: int) -> list[CardName]:
    """Returns the names of a set of cards."""
    return [CARD_NAMES[card] for card in cards_of(mask)]


def owls_in(mask: int) -> list[OwlName]:
    """Returns the names of a set of owls."""
    return [name for owl, name in enumerate(OWL_NAMES) if mask >> owl & 1]


def in_words(units: list[int], berries: int = 0) -> str:
    """Formats resources: 3 wood, 1 nut and 1 of any kind."""
    return _in_words(tuple(units), berries)


@lru_cache(1000)
def _in_words(units: tuple[int, ...], berries: int) -> str:
    names = ("wood", "nut", "maple", "of any kind")
    said = [
        counted(n, name, "nuts" if name == "nut" else name)
        for n, name in zip(units, names, strict=False)
        if n
    ]
    if berries:
        said.append(counted(berries, "blackberry", "blackberries"))
    return listed(said) if said else "nothing"


# Reading the state


def side_of(known: Known, house: int) -> int:
    """Returns the side of a house in use."""
    sides = (known.tree_side, known.mushroom_side, known.leaf_side)
    return int(sides[house])


def price(known: Known, p: int, house: int) -> list[int]:
    """Returns the price of a seat's next level in a house."""
    costs: list[list[int]] = known.cost[side_of(known, house)][house]
    return costs[known.level[p][house]]


def kept(way: int) -> list[int]:
    """Returns the wood, nuts and maple of a way to keep three."""
    wood, nuts = int(KEPT_WOOD[way]), int(KEPT_NUTS[way])
    return [wood, nuts, KEPT - wood - nuts]


def converted(units: list[int], turn: int) -> list[int]:
    """Returns units with all of one kind turned into another."""
    into = list(units)
    into[TURNS_INTO[turn]] += into[TURNS_FROM[turn]]
    into[TURNS_FROM[turn]] = 0
    return into


def manner(known: Known, card: int) -> Manner:
    """Returns the kind of play: lead, follow, trump or discard."""
    colour = card // 13
    if known.led == NONE:
        return "lead"
    if colour == known.led:
        return "follow"
    return "trump" if colour == Colour.YELLOW else "discard"


def berry_points(known: Known, p: int) -> list[int]:
    """Lists the points of a seat's blackberries, as far as they are visible."""
    return [points for points in range(1, 5) for _ in range(known.held[p][points])]


def points_of(known: Known, p: int) -> list[int]:
    """Returns the points of a seat's three levels, its visible berries, and its lowest level."""
    levels = known.level[p]
    return [
        *[known.points[side_of(known, house)][house][levels[house]] for house in range(3)],
        sum(berry_points(known, p)),
        known.track[min(levels)],
    ]


def goods(known: Known, card: int) -> list[Good]:
    """Lists what a card gives, one by one."""
    return _goods(card % 13, tuple(known.reward[card]))


@lru_cache(1000)
def _goods(number: int, units: tuple[int, ...]) -> list[Good]:
    if number == TWELVE:
        return ["berry"]
    if number == THIRTEEN:
        return ["advance"]
    return [good for good, n in zip(GOODS, units, strict=False) for _ in range(n)]


# The table


def table(known: Known, seat: int) -> Table:
    """Returns the table as the seat sees it."""
    rewards, gives = _printed(tuple(map(tuple, known.reward)))
    played: list[int] = known.played
    return Table(
        PHASES[known.phase],
        known.round + 1,
        ROUNDS,
        known.first,
        _trick(known),
        _advance(known),
        CARDS - sum(known.in_hand) - sum(mask.bit_count() for mask in played),
        card_names(sum(played) & ~known.lying),
        known.in_supply,
        _houses(known),
        known.track[1:],
        rewards,
        gives,
        [_place(known, p, seat) for p in range(known.seats)],
        card_names(played[FRANK]) if known.seats == 2 else None,
    )


@lru_cache(100)  # the same in every view of a match
def _printed(
    units: tuple[tuple[int, ...], ...],
) -> tuple[dict[CardName, str], dict[CardName, list[Good]]]:
    """Returns what each card gives, in words and one by one."""
    special = {TWELVE: "a blackberry", THIRTEEN: "an advance"}
    rewards, gives = {}, {}
    for card, name in enumerate(CARD_NAMES):
        rewards[name] = special.get(card % 13) or in_words(list(units[card]))
        gives[name] = _goods(card % 13, units[card])
    return rewards, gives


def _trick(known: Known) -> Trick:
    order: list[int] = [(known.leader + k) % known.seats for k in range(known.seats)]
    if known.seats == 2:
        order.insert(1, FRANK)
    cards, discarded = (
        [
            PlayedCard("frank" if p == FRANK else p, name)
            for p in order
            for name in card_names(known.played[p] & mask)
        ]
        for mask in (known.lying, known.cast)
    )
    return Trick(
        min(known.tricks + 1, HAND),
        HAND,
        known.leader,
        COLOURS[known.led] if known.led != NONE else None,
        CARD_NAMES[known.best] if known.best != NONE else None,
        known.taker if known.won else None,
        known.picks,
        bool(known.picked_two),
        CARD_NAMES[known.card] if known.card != NONE else None,
        known.wild,
        cards,
        discarded,
    )


def _advance(known: Known) -> Advance | None:
    if known.house == NONE:
        return Advance(thirteen=True) if known.phase == Phase.THIRTEEN else None
    return Advance(
        bool(known.reduction),
        HOUSES[known.house],
        known.level[known.to_act][known.house] + 1,
        Units(*known.due),
        known.dropped,
        bool(known.paid[SWITCHED]),
        known.pay_berries if known.pay_berries != NONE else None,
        known.pay_wood if known.pay_wood != NONE else None,
    )


def _houses(known: Known) -> list[HouseBoard]:
    boards = []
    for house, name in enumerate(HOUSES):
        side = side_of(known, house)
        cost, bonus, points = (
            page[side][house] for page in (known.cost, known.bonus, known.points)
        )
        levels = [
            Level(level, Units(*cost[level - 1]), bool(bonus[level]), points[level])
            for level in range(1, TOP + 1)
        ]
        boards.append(HouseBoard(name, "b" if side else "a", levels))
    return boards


def _place(known: Known, p: int, viewer: int) -> Place:
    """Returns a seat's possessions as far as the viewer may see them."""
    mine = p == viewer
    spent = known.spent[p]
    return Place(
        known.in_hand[p],
        card_names(known.hand[p]) if mine else None,
        card_names(known.played[p]),
        [name for k, name in enumerate(COLOURS) if known.void[p] >> k & 1],
        _passed(known, p),
        card_names(known.buried[p]) if mine else None,
        known.under[p],
        Stock(*known.stock[p]),
        Levels(*known.level[p]),
        known.berries[p],
        None if known.held[p][0] else berry_points(known, p),
        sum(spent),
        None if spent[0] else [v for v in range(1, 5) for _ in range(spent[v])],
        ["spent" if bit == "1" else "taken" for bit in f"{known.berry_log[p]:b}"[1:]],
        [
            OwlTile(name, bool(known.awake[p] >> owl & 1))
            for owl, name in enumerate(OWL_NAMES)
            if known.owls[p] >> owl & 1
        ],
        sum(points_of(known, p)),
    )


def _passed(known: Known, p: int) -> list[PassedCard]:
    gave = ((known.gave_left[p], (p + 1) % known.seats), (known.gave_right[p], _right(known, p)))
    return [PassedCard(CARD_NAMES[card], to) for card, to in gave if card != NONE]


def _right(known: Known, p: int) -> int | Literal["pile"]:
    """Returns where a seat's second card goes: to the right, or under the pile (FG-37)."""
    if known.seats == 2:
        return "pile"
    to: int = (p - 1) % known.seats
    return to


# Actions

ANSWERS: dict[int, Actions] = {
    PICK_TWO: UseOwl("pick two"),
    NO_DRAW: SaveOwl("draw two"),
    DRAW_TWO: UseOwl("draw two"),
    NO_SWITCH: SaveOwl("switch"),
    SWITCH: UseOwl("switch"),
    NO_DISCOUNT: SaveOwl("discount"),
    DISCOUNT: UseOwl("discount"),
    BERRY: TakeBerry(),
    **{GAIN + k: Gain(kind) for k, kind in enumerate(KINDS)},
    **{PAY_BERRIES + n: Pay("berry", n) for n in range(PAY_WOOD - PAY_BERRIES)},
    **{PAY_WOOD + n: Pay("wood", n) for n in range(PAY_NUTS - PAY_WOOD)},
    **{PAY_NUTS + n: Pay("nut", n) for n in range(BERRY - PAY_NUTS)},
    **{REACTIVATE_ONE + k: WakeOwls([owl], every=False) for k, owl in enumerate(OWL_NAMES)},
    **{NEW_OWL + k: NewOwl(owl) for k, owl in enumerate(OWL_NAMES)},
    **{KEEP + way: Keep(Stock(*kept(way))) for way in range(len(KEPT_WOOD))},
}


def facts(known: Known, action: int) -> Actions:
    """Returns what a legal action means."""
    if (answer := ANSWERS.get(action)) is not None:
        return answer
    p = known.to_act
    if action < BURY:
        step = 1 if known.phase == Phase.LEFT else -1
        return PassOn(CARD_NAMES[action], (p + step) % known.seats)
    if action < PLAY:
        return PutUnder(CARD_NAMES[action - BURY])
    if action < TAKE:
        card = action - PLAY
        return PlayCard(CARD_NAMES[card], manner(known, card), goods(known, card))
    if action < PICK_TWO:
        return TakeReward(CARD_NAMES[action - TAKE], goods(known, action - TAKE))
    if action < GAIN:
        return _take_resources(known, action)
    if action == STOP:
        return StopAdvancing(known.phase == Phase.THIRTEEN)
    if action == REACTIVATE:
        return WakeOwls(owls_in(known.owls[p] & ~known.awake[p]), every=True)
    return climb(known, action - CLIMB)


def _take_resources(known: Known, action: int) -> TakeResources:
    units = known.reward[known.card]
    if action == AS_PRINTED:
        return TakeResources(Units(*units), None, None, None)
    if action == DOUBLE:
        return TakeResources(Units(*[2 * n for n in units]), "double", None, None)
    turn = action - CONVERT
    turns, into = KINDS[TURNS_FROM[turn]], KINDS[TURNS_INTO[turn]]
    return TakeResources(Units(*converted(units, turn)), "convert", turns, into)


def climb(known: Known, house: int) -> Climb:
    """Returns the cost and gain of an advance of the seat to act."""
    p = known.to_act
    cost, level = price(known, p, house), known.level[p][house] + 1
    side = side_of(known, house)
    pays, short, ways = None, 0, []
    paid = np.zeros(DISCOUNTED + 1, np.int64)
    if sole_payment(from_known(known, State), 0, CLIMB + house, paid):
        pays = payment(paid.tolist())
        if [pays.wood, pays.nut, pays.maple] == cost[:3] and not pays.berries and not pays.owls:
            pays = None
    else:
        lacks = [max(due - has, 0) for due, has in zip(cost, known.stock[p], strict=False)]
        spare = sum(known.stock[p]) - sum(cost[:3]) + sum(lacks)
        short = max(sum(lacks) + max(cost[Kind.ANY] - spare, 0) - known.reduction, 0)
    if short:
        ways = _ways(known, p)
    return Climb(
        HOUSES[house],
        level,
        Units(*cost),
        known.reduction,
        bool(known.bonus[side][house][level]),
        known.points[side][house][level],
        pays,
        short,
        ways,
    )


def _ways(known: Known, p: int) -> list[Literal["switch", "discount", "berry"]]:
    """Lists the seat's means to make up for missing resources."""
    ways: list[Literal["switch", "discount", "berry"]] = []
    if known.awake[p] >> Owl.SWITCH & 1:
        ways.append("switch")
    if known.awake[p] >> Owl.DISCOUNT & 1:
        ways.append("discount")
    if known.berries[p]:
        ways.append("berry")
    return ways


def payment(paid: list[int]) -> Payment:
    """Converts a payment of the state."""
    owls = [owl for owl, place, _ in PRICE_OWLS if paid[place]]
    wood, nut, maple = paid[:BERRIES_PAID]
    return Payment(wood, nut, maple, paid[BERRIES_PAID], owls)


# Events


def events(before: Known, label: int, after: Known, seat: int) -> list[Events]:
    """Lists the effects of an action, as far as the seat knows them."""
    return _Happening(before, label, after, seat).all()


class _Happening:
    """One action, followed step by step through all its automatic effects."""

    def __init__(self, before: Known, label: int, after: Known, viewer: int) -> None:
        self.before, self.label, self.after, self.viewer = before, label, after, viewer
        self.by: int = before.to_act
        self.events: list[Events] = []
        self.lying: int = before.lying  # cards in the trick
        self.berries: int = before.in_supply - after.in_supply  # taken, with no event yet
        self.own_points: list[int] | None = None  # of those the viewer took

    def all(self) -> list[Events]:
        """Lists the events in the order in which they happened."""
        before, after, phase = self.before, self.after, self.before.phase
        if phase in CHOOSING:
            self.set_aside()
        elif phase in (Phase.DRAW, Phase.BURY):
            self.draw_two()
        elif phase == Phase.PLAY:
            self.play()
        elif phase == Phase.TAKE:
            self.take()
        elif phase in (Phase.REWARD, Phase.GAIN):
            self.take_resources()
        elif phase == Phase.KEEP:
            self.keep(self.by, before.stock[self.by])
        elif self.label == STOP:
            self.stop()
        elif phase == Phase.BONUS:
            self.take_bonus()
        else:
            self.climb()
        if before.tricks < HAND:
            self.go_on_with_the_trick()
        if before.tricks == HAND or (before.tricks == HAND - 1 and self.trick_is_over()):
            self.deliver()
            if after.phase == Phase.KEEP or after.round > before.round:
                self.keep_unasked()
        if after.round > before.round:
            hand = card_names(after.hand[self.viewer]) if self.viewer != NOBODY else None
            self.events.append(RoundBegan(after.round + 1, ROUNDS, hand))
        if after.phase == Phase.OVER:
            self.end_match()
        return self.events

    # The exchange

    def set_aside(self) -> None:
        """A card is set aside; after the last one, all of them move."""
        before, after, by = self.before, self.after, self.by
        seats = range(before.seats)
        to = (by + 1) % before.seats if before.phase == Phase.LEFT else _right(before, by)
        base = BURY if before.phase == Phase.UNDER else 0
        card = None if self.label >= HIDDEN_PASS else CARD_NAMES[self.label - base]
        self.events.append(CardSetAside(by, card, to))
        if after.phase in CHOOSING:
            return
        gifts = [(p, (p + 1) % before.seats, after.gave_left[p]) for p in seats]
        gifts += [(p, _right(before, p), after.gave_right[p]) for p in seats]
        self.events.append(
            CardsExchanged(
                [Gift(p, to, None if card == NONE else CARD_NAMES[card]) for p, to, card in gifts]
            )
        )
        if before.seats == 2:  # FG-37
            for p in (after.first, 1 - after.first):
                self.draw(p, 1, 1 << after.gave_left[1 - p] if p == self.viewer else 0)

    def draw(self, p: int, count: int, given: int = 0) -> None:
        """Cards are drawn; the owner sees them, next to the cards passed to it."""
        cards = None
        if p == self.viewer:
            cards = card_names(self.after.hand[p] & ~self.before.hand[p] & ~given)
        self.events.append(CardsDrawn(p, count, cards))

    def draw_two(self) -> None:
        """The owl is used or not, or a card is buried afterwards."""
        if self.label == NO_DRAW:
            self.events.append(OwlSaved(self.by, "draw two"))
        elif self.label == DRAW_TWO:
            self.events.append(OwlUsed(self.by, "draw two", asked=True))
            self.draw(self.by, 2)
        else:
            card = None if self.label == HIDDEN_BURY else CARD_NAMES[self.label - BURY]
            self.events.append(CardBuried(self.by, card))

    # Tricks

    def play(self) -> None:
        """A card is played."""
        card = self.label - PLAY
        how = manner(self.before, card)
        self.events.append(CardPlayed(self.by, CARD_NAMES[card], how))
        if how == "discard":
            self.reward(self.by, card)
        else:
            self.lying |= 1 << card

    def take(self) -> None:
        """The winner of a trick chooses a card, or says that it will be two."""
        if self.label == PICK_TWO:
            self.events.append(OwlUsed(self.by, "pick two", asked=True))
        else:
            self.take_from_trick(self.by, self.label - TAKE)

    def take_from_trick(self, p: int, card: int) -> None:
        """A card of the trick gives its reward."""
        self.lying ^= 1 << card
        self.reward(p, card)

    def trick_is_over(self) -> bool:
        """Returns whether the trick is finished, with all its rewards."""
        before, after = self.before, self.after
        return bool((after.round, after.tricks) != (before.round, before.tricks))

    def go_on_with_the_trick(self) -> None:
        """Follows automatic steps of a trick: a second card, Frank, the winner's only card."""
        before, after = self.before, self.after
        over = self.trick_is_over()
        # FG-22: if it is the only one left, the second card of pick two is automatic.
        if before.picks > 1 and (over or after.picks < before.picks) and is_single(self.lying):
            self.take_from_trick(self.by, self.lying.bit_length() - 1)
        if turned := after.played[FRANK] & ~before.played[FRANK]:
            card = turned.bit_length() - 1
            self.events.append(CardPlayed("frank", CARD_NAMES[card], manner(after, card)))
        if not before.won and (over or after.won):
            self.win()
        if over:
            last = before.tricks == HAND - 1
            lead = None if last else after.leader
            self.events.append(TrickCleared(card_names(self.lying), lead))
            if last:
                self.events.append(MarkerTaken(after.first))

    def win(self) -> None:
        """Somebody wins the trick; a single card in it is taken automatically."""
        best, taker = self.before.best, self.before.taker
        if self.before.phase == Phase.PLAY:
            card = self.label - PLAY
            if self.lying >> card & 1 and card > best:
                best, taker = card, self.by
        self.events.append(TrickWon("frank" if taker == FRANK else taker, CARD_NAMES[best]))
        if taker != FRANK and is_single(self.lying):
            self.take_from_trick(taker, best)

    # Rewards

    def reward(self, p: int, card: int) -> None:
        """A card gives its reward, or waits for an owl or a house to be chosen."""
        after, name, add = self.after, CARD_NAMES[card], self.events.append
        if card % 13 == TWELVE:
            add(RewardTaken(p, name, "berry" if self.berries else "no berry"))
            if self.berries:
                self.take_berry(p)
        elif card % 13 == THIRTEEN:
            asked = after.phase == Phase.THIRTEEN and after.card == card
            add(RewardTaken(p, name, "advance" if asked else "no advance"))
        else:
            add(RewardTaken(p, name, "resources"))
            if after.phase != Phase.REWARD or after.card != card:
                add(ResourcesTaken(p, name, Units(*self.before.reward[card])))

    def take_resources(self) -> None:
        """A card gives its resources, with or without an owl, or one of choice."""
        card, label, by = self.before.card, self.label, self.by
        units = self.before.reward[card]
        if label >= GAIN:
            units = [int(k == label - GAIN) for k in range(4)]
        elif label == DOUBLE:
            self.events.append(OwlUsed(by, "double", asked=True))
            units = [2 * n for n in units]
        elif label >= CONVERT:
            self.events.append(OwlUsed(by, "convert", asked=True))
            units = converted(units, label - CONVERT)
        self.events.append(ResourcesTaken(by, CARD_NAMES[card], Units(*units)))

    def take_berry(self, p: int) -> None:
        """A blackberry is taken; viewers see the points of their own."""
        self.berries -= 1
        points = None
        if p == self.viewer:
            if self.own_points is None:
                had, has = (
                    [sum(n) for n in zip(known.held[p], known.spent[p], strict=True)]
                    for known in (self.before, self.after)
                )
                self.own_points = [v for v in range(1, 5) for _ in range(had[v], has[v])]
            points = self.own_points.pop(0)
        self.events.append(BerryTaken(p, points))

    # Advancing

    def climb(self) -> None:
        """An advance continues: it starts, or one question about its payment is answered."""
        before, after, by, label = self.before, self.after, self.by, self.label
        started = CLIMB <= label < NO_SWITCH
        house = label - CLIMB if started else before.house
        level: int = before.level[by][house] + 1
        if started:
            self.events.append(AdvanceStarted(by, HOUSES[house], level))
        else:
            self.answer()
        # An owl needed to pay the price is used automatically.
        for owl, place, use in PRICE_OWLS:
            if after.paid[place] and label != use and (started or not before.paid[place]):
                self.events.append(OwlUsed(by, owl, asked=False))
        if after.level[by][house] == level:
            bonus = bool(before.bonus[side_of(before, house)][house][level])
            paid = payment(after.paid)
            self.events.append(LevelReached(by, HOUSES[house], level, paid, bonus))
            if bonus:
                self.reach_bonus()

    def answer(self) -> None:
        """A question about a payment is answered."""
        match ANSWERS[self.label]:
            case UseOwl(owl):
                self.events.append(OwlUsed(self.by, owl, asked=True))
            case SaveOwl(owl):
                self.events.append(OwlSaved(self.by, owl))
            case Pay(what, count):
                self.events.append(PaymentChosen(self.by, what, count))

    def reach_bonus(self) -> None:
        """A bonus is offered, or happens if there is no choice (FG-30)."""
        before, after, by = self.before, self.after, self.by
        if after.phase == Phase.BONUS:
            self.events.append(BonusOffered(by))
        elif before.in_supply:
            self.take_berry(by)
        else:
            asleep = before.owls[by] & ~before.awake[by]
            asleep |= bool(after.paid[SWITCHED]) << Owl.SWITCH
            asleep |= bool(after.paid[DISCOUNTED]) << Owl.DISCOUNT
            woken = owls_in(asleep & after.awake[by])
            self.events.append(OwlsWoken(by, woken) if woken else BonusLost(by))

    def take_bonus(self) -> None:
        """A bonus is chosen."""
        by = self.by
        match facts(self.before, self.label):
            case WakeOwls(owls):
                self.events.append(OwlsWoken(by, owls))
            case NewOwl(owl):
                self.events.append(OwlTaken(by, owl))
            case _:
                self.take_berry(by)

    def stop(self) -> None:
        """A seat advances no further."""
        if self.before.phase == Phase.THIRTEEN:
            self.events.append(AdvanceDeclined(self.by))
        else:
            self.events.append(DeliveryEnded(self.by, "stopped"))

    # The end of a round

    def deliver(self) -> None:
        """Seats that can pay for nothing, or nothing more, skip the delivery."""
        before, after = self.before, self.after
        if before.phase == Phase.KEEP:
            return
        still = after.round == before.round and after.phase in DELIVERING
        upto: int = after.turn if still else after.seats
        through = 0
        if before.tricks == HAND:
            through = before.turn + 1
            if upto >= through and self.label != STOP:
                self.events.append(DeliveryEnded(self.by, "spent"))
        for k in range(through, upto):
            self.events.append(DeliveryEnded((after.first + k) % after.seats, "unable"))

    def keep_unasked(self) -> None:
        """A seat whose resources are all of one kind keeps three automatically."""
        had = [list(stock) for stock in self.before.stock]
        for event in self.events:
            match event:
                case ResourcesTaken(seat, _, units):
                    gained = (units.wood, units.nut, units.maple)
                    had[seat] = [n + more for n, more in zip(had[seat], gained, strict=True)]
                case LevelReached(seat, _, _, paid):
                    spent = (paid.wood, paid.nut, paid.maple)
                    had[seat] = [n - less for n, less in zip(had[seat], spent, strict=True)]
                case ResourcesKept(seat):
                    had[seat] = self.after.stock[seat]
        for p in range(self.after.seats):
            if had[p] != self.after.stock[p]:
                self.keep(p, had[p])

    def keep(self, p: int, had: list[int]) -> None:
        """A seat keeps three resources."""
        has = self.after.stock[p]
        returned = [n - left for n, left in zip(had, has, strict=True)]
        self.events.append(ResourcesKept(p, Stock(*has), Stock(*returned)))

    def end_match(self) -> None:
        """Blackberries are turned over; ties go to the most berries (FG-35)."""
        after = self.after
        seats = range(after.seats)
        totals = [sum(points_of(after, p)) for p in seats]
        ranks = [total * (MAX_BERRIES + 1) + after.berries[p] for p, total in enumerate(totals)]
        winners = [p for p in seats if ranks[p] == max(ranks)]
        by_berries = len(winners) == 1 and totals.count(max(totals)) > 1
        berries = [berry_points(after, p) for p in seats]
        self.events.append(MatchEnded(totals, winners, by_berries, berries))


def is_single(cards: int) -> bool:
    """Returns whether a set has just one card."""
    return cards > 0 and not cards & (cards - 1)
