"""Fox Grove (rulebook of 2–4 players, 4 rounds): the rules, compiled.

Rule ids (FG-…) are those of guide.md, which marks our rulings. Two things differ from a real table,
with the same effect. The draw pile and the blackberry supply are unordered, and a card or berry is
drawn at random when it is needed (cards under the pile are never drawn again: no round gets that
far). And instead of naming the units that a switch turns, a discount drops or berries stand for, a
seat says whether it uses the owls, and how many berries, wood, nuts and maple it pays (FG-32).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from foxden.engine.contract import HEAD
from foxden.engine.kernel import Entry, layout, rule
from foxden.engine.rng import below
from foxden.engine.sets import count, lowest

RULES_VERSION = 1
MAX_SEATS = 4
FRANK = MAX_SEATS  # his place among the players of cards (FG-38)
ROUNDS = 4
HAND = 9  # cards in a hand, and tricks in a round (FG-13)
TOP = 7  # the last level of a house (FG-28)
KEPT = 3  # resources kept after a round (FG-34)
MAX_UNITS = 6  # most resources on one card in parts.toml
MAX_COST = 12  # … most resources that one level costs
MAX_BERRIES = 28  # … and most blackberries
NOBODY = -1
NONE = -1  # no card, no house, no number yet


class Colour(IntEnum):
    """Three suits, and the fox that trumps them (FG-1)."""

    BLUE = 0
    PURPLE = 1
    ORANGE = 2
    YELLOW = 3


# A card is 13 * colour + number - 1; among the cards in a trick, the highest wins (FG-20).
CARDS = 52
TWELVE = 11  # card % 13 of the cards with special rules (FG-2)
THIRTEEN = 12
ALL_CARDS = (1 << CARDS) - 1
SUIT = 0x1FFF  # the cards of colour 0; shift by 13 for the next


class Kind(IntEnum):
    """Resources; ANY is a unit of the player's choice."""

    WOOD = 0
    NUT = 1
    MAPLE = 2
    ANY = 3


class House(IntEnum):
    """The three houses (FG-6)."""

    TREE = 0
    MUSHROOM = 1
    LEAF = 2


class Owl(IntEnum):
    """The six owls (FG-9)."""

    DRAW_TWO = 0
    PICK_TWO = 1
    DISCOUNT = 2
    SWITCH = 3
    DOUBLE = 4
    CONVERT = 5


OWLS = 6
BERRIES_PAID = 3  # places in the last payment, after the three kinds
SWITCHED = 4
DISCOUNTED = 5
# The six ways to turn one kind into another, for switch and convert.
TURNS_FROM = np.array([0, 0, 1, 1, 2, 2])
TURNS_INTO = np.array([1, 2, 0, 2, 0, 1])
# The ten ways to keep three resources: wood and nuts; the rest is maple.
KEPT_WOOD = np.array([3, 2, 2, 1, 1, 1, 0, 0, 0, 0])
KEPT_NUTS = np.array([0, 1, 0, 2, 1, 0, 3, 2, 1, 0])


class Phase(IntEnum):
    """The current question. From TAKE on, the possible answers are open to all seats."""

    LEFT = 0  # a card for the left neighbour (FG-14), or for the other player (FG-37)
    RIGHT = 1  # a card for the right neighbour
    UNDER = 2  # two players: a card under the pile (FG-37)
    DRAW = 3  # whether to use draw two (FG-15)
    BURY = 4  # a card to put under the pile afterwards
    PLAY = 5  # a card for the trick (FG-17)
    TAKE = 6  # which card of the trick to be rewarded with (FG-21, FG-22)
    REWARD = 7  # an owl for that card (FG-24)
    GAIN = 8  # a resource of the seat's choice (FG-3)
    THIRTEEN = 9  # a house to advance in with a 13 (FG-27)
    DELIVER = 10  # a house to advance in (FG-33)
    SWITCH = 11  # then how to pay (FG-29, FG-32): whether to switch …
    DISCOUNT = 12  # … to use the discount …
    BERRIES = 13  # … how many berries …
    WOOD = 14  # … how much wood …
    NUT = 15  # … and how many nuts; the rest is maple
    BONUS = 16  # a bonus (FG-30, FG-36)
    KEEP = 17  # which resources to keep (FG-34)
    OVER = 18


# Actions. Each phase has a base; an answer k of the phase is the action base + k.
PASS = 0  # + card
BURY = 52  # + card
PLAY = 104  # + card
TAKE = 156  # + card
PICK_TWO = TAKE + CARDS
NO_DRAW = 209
DRAW_TWO = 210
AS_PRINTED = 211
DOUBLE = 212
CONVERT = 213  # + turn (TURNS_FROM, TURNS_INTO)
GAIN = 219  # + kind
STOP = 222
CLIMB = 223  # + house
NO_SWITCH = 226
SWITCH = 227
NO_DISCOUNT = 228
DISCOUNT = 229
PAY_BERRIES = 230  # + how many, 0 … MAX_COST
PAY_WOOD = 243
PAY_NUTS = 256
BERRY = 269
REACTIVATE = 270
REACTIVATE_ONE = 271  # + owl
NEW_OWL = 277  # + owl
KEEP = 283  # + way (KEPT_WOOD, KEPT_NUTS)
ACTIONS = 293
HIDDEN_PASS = ACTIONS  # how others see a card passed …
HIDDEN_BURY = ACTIONS + 1  # … or put under the pile
HIDDEN_ACTIONS = 2
BASE = np.array(
    [
        *(PASS, PASS, BURY, NO_DRAW, BURY, PLAY),
        *(TAKE, AS_PRINTED, GAIN, STOP, STOP),
        *(NO_SWITCH, NO_DISCOUNT, PAY_BERRIES, PAY_WOOD, PAY_NUTS, BERRY, KEEP, 0),
    ]
)

State = layout(
    [
        *HEAD,
        ("owl_one", "i1"),  # options: an Owl each (FG-10) …
        ("owl_two", "i1"),
        ("pro", "i1"),  # … FG-36 …
        ("tree_side", "i1"),  # … 0 for side A, 1 for side B (FG-11)
        ("mushroom_side", "i1"),
        ("leaf_side", "i1"),
        ("reward", "i1", (CARDS, 4)),  # parts: [card, kind] (FG-3) …
        ("cost", "i1", (2, 3, TOP, 4)),  # … [side, house, level - 1, kind] (FG-7) …
        ("bonus", "i1", (2, 3, TOP + 1)),  # … [side, house, level] (FG-7) …
        ("points", "i1", (2, 3, TOP + 1)),  # … [side, house, level] …
        ("track", "i1", TOP + 1),  # … [lowest level] (FG-8) …
        ("berry_counts", "i1", 5),  # … [points] (FG-5)
        ("phase", "i1"),
        ("round", "i1"),  # 0 … 3
        ("first", "i1"),  # who has the first player marker
        ("turn", "i1"),  # seats done with the current step
        # The cards; sets of cards are bit masks.
        ("hand", "i8", MAX_SEATS),
        ("in_hand", "i1", MAX_SEATS),
        ("pile", "i8"),
        ("gave_left", "i1", MAX_SEATS),  # passed on in this round, or about to be
        ("gave_right", "i1", MAX_SEATS),  # two players: the card under the pile
        ("buried", "i8", MAX_SEATS),  # put under the pile after draw two
        ("under", "i1", MAX_SEATS),  # number of those
        ("played", "i8", MAX_SEATS + 1),  # cards played in this round, by seat; the last is Frank
        ("void", "i1", MAX_SEATS),  # colours a seat has shown to lack: 1 << colour
        # The trick.
        ("tricks", "i1"),  # finished in this round
        ("leader", "i1"),
        ("led", "i1"),  # the colour to follow
        ("lying", "i8"),  # cards in the trick
        ("cast", "i8"),  # cards discarded during it
        ("best", "i1"),  # the winning card so far …
        ("taker", "i1"),  # … and whose it is
        ("won", "i1"),  # whether the winner is getting rewards
        ("picks", "i1"),  # cards that the winner may still choose
        ("picked_two", "i1"),  # whether pick two was used on this trick
        ("card", "i1"),  # the card being rewarded
        ("wild", "i1"),  # resources of choice still to come from it
        # An advance.
        ("reduction", "i1"),  # reduction by a 13
        ("house", "i1"),
        ("due", "i1", 4),  # the price, before switch and reductions
        ("dropped", "i1"),  # units waived
        ("pay_berries", "i1"),
        ("pay_wood", "i1"),
        ("paid", "i1", 6),  # the last payment: wood, nuts, maple, berries; switch, discount used
        # What seats have.
        ("stock", "i2", (MAX_SEATS, 3)),
        ("level", "i1", (MAX_SEATS, 3)),
        ("owls", "i1", MAX_SEATS),  # owned: 1 << owl
        ("awake", "i1", MAX_SEATS),  # … and active
        ("berries", "i1", MAX_SEATS),  # how many
        ("held", "i1", (MAX_SEATS, 5)),  # [seat, points]: how many; 0 stands for unseen
        ("spent", "i1", (MAX_SEATS, 5)),
        ("supply", "i1", 5),
        ("in_supply", "i1"),
        ("berry_log", "i8", MAX_SEATS),  # 1, then a bit a berry: 0 taken, 1 spent
    ],
)


@rule
def random_card(s, cards):
    """Draws one card of a set, each equally likely."""
    for _ in range(below(s, count(cards))):
        cards &= cards - 1
    return lowest(cards)


@rule
def draw(s, p):
    """Draws a card from the pile."""
    card = 1 << random_card(s, s.pile)
    s.pile ^= card
    s.hand[p] |= card
    s.in_hand[p] += 1


@rule
def has(s, p, owl):
    """Returns whether a seat has the owl active."""
    return s.awake[p] >> owl & 1


@rule
def use(s, p, owl):
    """Turns an owl to its inactive side (FG-31)."""
    s.awake[p] &= ~(1 << owl)


@rule
def side(s, house):
    """Returns the side of a house in use (FG-11)."""
    if house == House.TREE:
        return s.tree_side + 0
    if house == House.MUSHROOM:
        return s.mushroom_side + 0
    return s.leaf_side + 0


# Set-up (FG-10 … FG-12) and deals (FG-13)


@rule
def deal(s):
    """Sets up a match and deals its first round."""
    for p in range(MAX_SEATS):
        s.owls[p] = 0
        s.berries[p] = 0
        s.berry_log[p] = 1
        for k in range(3):
            s.stock[p, k] = 0
            s.level[p, k] = 0
        for v in range(5):
            s.held[p, v] = 0
            s.spent[p, v] = 0
    for p in range(s.seats):
        if not s.pro:
            s.owls[p] = 1 << s.owl_one | 1 << s.owl_two
    for p in range(MAX_SEATS):
        s.awake[p] = s.owls[p]
    s.in_supply = 0
    for v in range(5):
        s.supply[v] = s.berry_counts[v]
        s.in_supply += s.berry_counts[v]
    s.reduction = 0
    s.house = NONE
    for k in range(4):
        s.due[k] = 0
    s.dropped = 0
    s.pay_berries = NONE
    s.pay_wood = NONE
    for k in range(6):
        s.paid[k] = 0
    s.card = NONE
    s.wild = 0
    s.round = 0
    s.first = below(s, s.seats)
    deal_round(s)


@rule
def deal_round(s):
    """Shuffles all cards, deals nine to each seat, and asks for the exchange."""
    pile = ALL_CARDS
    for p in range(MAX_SEATS):
        s.hand[p] = 0
        s.in_hand[p] = 0
        s.gave_left[p] = NONE
        s.gave_right[p] = NONE
        s.buried[p] = 0
        s.under[p] = 0
        s.played[p] = 0
        s.void[p] = 0
    s.played[FRANK] = 0
    for p in range(s.seats):
        hand = 0
        for _ in range(HAND):
            card = below(s, CARDS)
            while pile >> card & 1 == 0:
                card = below(s, CARDS)
            pile ^= 1 << card
            hand |= 1 << card
        s.hand[p] = hand
        s.in_hand[p] = HAND
    s.pile = pile
    s.tricks = 0
    clear_trick(s, s.first + 0)
    s.turn = 0
    s.to_act = s.first
    s.phase = Phase.LEFT


# The exchange (FG-14, FG-15, FG-37)


@rule
def pass_left(s, card):
    """Sets a card aside for the left neighbour."""
    s.gave_left[s.to_act] = card
    s.phase = Phase.UNDER if s.seats == 2 else Phase.RIGHT


@rule
def pass_right(s, card):
    """Sets a card aside for the right neighbour or the pile; after the last seat, cards move."""
    s.gave_right[s.to_act] = card
    s.turn += 1
    s.to_act = (s.to_act + 1) % s.seats
    s.phase = Phase.LEFT
    if s.turn == s.seats:
        exchange(s)


@rule
def exchange(s):
    """Moves the cards that were passed."""
    for p in range(s.seats):
        s.hand[p] ^= 1 << s.gave_left[p] | 1 << s.gave_right[p]
    for p in range(s.seats):
        s.hand[(p + 1) % s.seats] |= 1 << s.gave_left[p]
        if s.seats > 2:
            s.hand[(p - 1) % s.seats] |= 1 << s.gave_right[p]
    if s.seats == 2:
        for k in range(2):
            p = (s.first + k) % 2
            s.in_hand[p] -= 1
            draw(s, p)
    s.turn = 0
    ask_draw_two(s)


@rule
def ask_draw_two(s):
    """Asks the next seat with draw two active, or starts the tricks."""
    while s.turn < s.seats:
        p = (s.first + s.turn) % s.seats
        if has(s, p, Owl.DRAW_TWO):
            s.to_act = p
            s.phase = Phase.DRAW
            return
        s.turn += 1
    start_trick(s, s.first + 0)


@rule
def answer_draw_two(s, answer):
    """Draws two cards, or keeps the hand as it is."""
    if answer == DRAW_TWO - NO_DRAW:
        use(s, s.to_act, Owl.DRAW_TWO)
        draw(s, s.to_act)
        draw(s, s.to_act)
        s.phase = Phase.BURY
    else:
        s.turn += 1
        ask_draw_two(s)


@rule
def bury(s, card):
    """Puts a card under the pile; after the second, the next seat is asked."""
    p = s.to_act
    s.hand[p] ^= 1 << card
    s.buried[p] |= 1 << card
    s.under[p] += 1
    s.in_hand[p] -= 1
    if s.in_hand[p] == HAND:
        s.turn += 1
        ask_draw_two(s)


# Tricks (FG-16 … FG-23, FG-38 … FG-40)


@rule
def clear_trick(s, leader):
    """Clears the trick; its cards are discarded."""
    s.leader = leader
    s.led = NONE
    s.lying = 0
    s.cast = 0
    s.best = NONE
    s.taker = NOBODY
    s.won = 0
    s.picks = 0
    s.picked_two = 0


@rule
def start_trick(s, leader):
    """Moves on to the leader's card."""
    clear_trick(s, leader)
    s.turn = 0
    s.to_act = leader
    s.phase = Phase.PLAY


@rule
def playable(s):
    """Returns the cards that the seat to act may play: any that follow, else all (FG-17, FG-18)."""
    hand = s.hand[s.to_act]
    if s.led >= 0:
        following = hand & SUIT << 13 * s.led
        if following:
            return following
    return hand


@rule
def lay(s, p, card):
    """Plays or discards a card; returns whether it joined the trick (FG-18, FG-19, FG-39)."""
    s.played[p] |= 1 << card
    colour = card // 13
    if s.led < 0:
        s.led = colour
    elif colour != s.led:
        if p != FRANK:
            s.void[p] |= 1 << s.led
        if colour != Colour.YELLOW:
            s.cast |= 1 << card
            return False
    s.lying |= 1 << card
    if card > s.best:
        s.best = card
        s.taker = p
    return True


@rule
def play_card(s, card):
    """Plays a card; a discard is rewarded at once."""
    p = s.to_act
    s.hand[p] ^= 1 << card
    s.in_hand[p] -= 1
    if lay(s, p, card):
        next_player(s)
    else:
        reward(s, card)


@rule
def next_player(s):
    """Moves on to the next seat's card; after the last one, finds the winner."""
    s.turn += 1
    if s.turn < s.seats:
        if s.seats == 2:
            card = random_card(s, s.pile)
            s.pile ^= 1 << card
            lay(s, FRANK, card)
        s.to_act = (s.to_act + 1) % s.seats
        s.phase = Phase.PLAY
    elif s.taker == FRANK:
        # FG-40: Frank leaves the lead to the marker, and after the last trick passes it on.
        end_trick(s, s.first + 0, 1 - s.first)
    else:
        s.won = 1
        s.picks = 1
        s.to_act = s.taker
        s.phase = Phase.TAKE


@rule
def takeable(s):
    """Returns the cards that the winner may choose, and pick two if it helps (FG-21, FG-22)."""
    answers = s.lying
    if not s.picked_two and answers & (answers - 1) and has(s, s.to_act, Owl.PICK_TWO):
        answers |= 1 << CARDS
    return answers


@rule
def take(s, answer):
    """Takes the reward of a card in the trick, or declares pick two."""
    if answer == CARDS:
        use(s, s.to_act, Owl.PICK_TWO)
        s.picks = 2
        s.picked_two = 1
    else:
        s.lying ^= 1 << answer
        reward(s, answer)


@rule
def end_trick(s, leader, last_winner):
    """Starts the next trick; after the ninth, moves the marker and starts delivery (FG-23)."""
    s.tricks += 1
    if s.tricks < HAND:
        start_trick(s, leader)
    else:
        s.first = last_winner
        clear_trick(s, s.first + 0)
        s.turn = 0
        s.to_act = s.first
        s.phase = Phase.DELIVER


# Rewards (FG-24 … FG-27)


@rule
def reward(s, card):
    """Returns the reward of a card for the seat to act."""
    s.card = card
    if card % 13 == TWELVE:
        take_berry(s, s.to_act)
        end_reward(s)
    elif card % 13 == THIRTEEN:
        s.reduction = 1
        s.phase = Phase.THIRTEEN
    else:
        s.phase = Phase.REWARD


@rule
def end_reward(s):
    """Continues after a reward: with the trick, the winner's second card, or the next trick."""
    s.card = NONE
    s.reduction = 0
    if not s.won:
        next_player(s)
        return
    s.picks -= 1
    if s.picks > 0:
        s.phase = Phase.TAKE
    else:
        end_trick(s, s.taker + 0, s.taker + 0)


@rule
def reward_owls(s):
    """Returns the ways to take a card's resources: as printed, doubled, converted (FG-24)."""
    answers = 1
    p = s.to_act
    if s.awake[p] & (1 << Owl.DOUBLE | 1 << Owl.CONVERT):
        units = 0
        for kind in range(4):
            units += s.reward[s.card, kind]
        if has(s, p, Owl.DOUBLE) and units > 0:
            answers |= 1 << (DOUBLE - AS_PRINTED)
        if has(s, p, Owl.CONVERT):
            for turn in range(6):
                if s.reward[s.card, TURNS_FROM[turn]] > 0:
                    answers |= 1 << (CONVERT - AS_PRINTED + turn)
    return answers


@rule
def take_resources(s, answer):
    """Takes a card's resources, with the chosen owl if any."""
    p = s.to_act
    times = 1
    turn = NONE
    if answer == DOUBLE - AS_PRINTED:
        use(s, p, Owl.DOUBLE)
        times = 2
    elif answer >= CONVERT - AS_PRINTED:
        use(s, p, Owl.CONVERT)
        turn = answer - (CONVERT - AS_PRINTED)
    for kind in range(3):
        into = kind
        if turn != NONE and TURNS_FROM[turn] == kind:
            into = TURNS_INTO[turn]
        s.stock[p, into] += times * s.reward[s.card, kind]
    s.wild = times * s.reward[s.card, Kind.ANY]
    gain_more(s)


@rule
def gain_more(s):
    """Moves on to a resource of choice while the card gives one."""
    if s.wild > 0:
        s.phase = Phase.GAIN
    else:
        end_reward(s)


@rule
def gain(s, kind):
    """Takes one resource of choice."""
    s.stock[s.to_act, kind] += 1
    s.wild -= 1
    gain_more(s)


@rule
def take_berry(s, p):
    """Takes a blackberry, if there is one left (FG-5, FG-25)."""
    if s.in_supply == 0:
        return
    drawn = below(s, s.in_supply + 0)
    points = 1
    while drawn >= s.supply[points]:
        drawn -= s.supply[points]
        points += 1
    s.supply[points] -= 1
    s.in_supply -= 1
    s.held[p, points] += 1
    s.berries[p] += 1
    s.berry_log[p] = s.berry_log[p] << 1


@rule
def spend_berry(s, p):
    """Spends the least valuable blackberry (FG-26)."""
    points = 1
    while s.held[p, points] == 0:
        points += 1
    s.held[p, points] -= 1
    s.spent[p, points] += 1
    s.berries[p] -= 1
    s.berry_log[p] = s.berry_log[p] << 1 | 1


# Advancing (FG-28 … FG-32)


@rule
def shortage(s, p, wood, nuts, maple, wild):
    """Counts the units of a price that a seat's resources cannot pay."""
    wood = s.stock[p, Kind.WOOD] - wood
    nuts = s.stock[p, Kind.NUT] - nuts
    maple = s.stock[p, Kind.MAPLE] - maple
    spare = max(wood, 0) + max(nuts, 0) + max(maple, 0)
    lack = max(-wood, 0) + max(-nuts, 0) + max(-maple, 0)
    return lack + max(wild - spare, 0)


@rule
def shortage_after(s, p, turn, wood, nuts, maple, wild):
    """Counts what a seat lacks for a price in which one kind is turned into another."""
    kind = TURNS_FROM[turn]
    into = TURNS_INTO[turn]
    units = wood if kind == Kind.WOOD else nuts if kind == Kind.NUT else maple
    if kind == Kind.WOOD:
        wood = 0
    elif kind == Kind.NUT:
        nuts = 0
    else:
        maple = 0
    if into == Kind.WOOD:
        wood += units
    elif into == Kind.NUT:
        nuts += units
    else:
        maple += units
    return shortage(s, p, wood, nuts, maple, wild)


@rule
def can_climb(s, p, house, reduction):
    """Returns whether a seat can pay for the next level of a house."""
    level = s.level[p, house]
    if level == TOP:
        return False
    price = s.cost[side(s, house), house, level]
    free = reduction + s.berries[p] + has(s, p, Owl.DISCOUNT)
    wood, nuts, maple, wild = price[0] + 0, price[1] + 0, price[2] + 0, price[3] + 0
    if shortage(s, p, wood, nuts, maple, wild) <= free:
        return True
    if has(s, p, Owl.SWITCH):
        for turn in range(6):
            if shortage_after(s, p, turn, wood, nuts, maple, wild) <= free:
                return True
    return False


@rule
def houses(s):
    """Returns the houses that the seat to act can advance in, and stop (FG-27, FG-33)."""
    answers = 1
    for house in range(3):
        if can_climb(s, s.to_act, house, s.reduction):
            answers |= 1 << (CLIMB - STOP + house)
    return answers


@rule
def choose_house(s, answer):
    """Starts to pay for the next level of a house, or stops."""
    if answer > 0:
        house = answer - (CLIMB - STOP)
        s.house = house
        price = s.cost[side(s, house), house, s.level[s.to_act, house]]
        for kind in range(4):
            s.due[kind] = price[kind]
        s.dropped = min(s.reduction, due_units(s))
        s.paid[SWITCHED] = 0
        s.paid[DISCOUNTED] = 0
        s.phase = Phase.SWITCH
    elif s.phase == Phase.THIRTEEN:
        end_reward(s)
    else:
        end_delivery(s)


@rule
def due_units(s):
    """Counts the units of the price."""
    return s.due[0] + s.due[1] + s.due[2] + s.due[3]


@rule
def turned(s, turn, kind):
    """Returns units of a kind in the price, after turning one kind into another if asked to."""
    if turn == NONE:
        return s.due[kind] + 0
    if kind == TURNS_FROM[turn]:
        return 0
    if kind == TURNS_INTO[turn]:
        return s.due[kind] + s.due[TURNS_FROM[turn]]
    return s.due[kind] + 0


@rule
def can_turn(s, turn):
    """Returns whether the price has units that a turn changes."""
    return turn == NONE or s.due[TURNS_FROM[turn]] > 0


@rule
def shortage_now(s, switched):
    """Counts the units of the price the seat to act cannot pay, with the best switch if any."""
    wood, nuts, maple, wild = s.due[0] + 0, s.due[1] + 0, s.due[2] + 0, s.due[3] + 0
    if not switched:
        return shortage(s, s.to_act, wood, nuts, maple, wild)
    short = MAX_COST + 1
    for turn in range(6):
        if can_turn(s, turn):
            short = min(short, shortage_after(s, s.to_act, turn, wood, nuts, maple, wild))
    return short


@rule
def lack(s):
    """Counts the units of the price that must be dropped or paid with berries."""
    return shortage_now(s, s.paid[SWITCHED] + 0)


@rule
def switches(s):
    """Returns the answers about switch that leave the price payable (FG-29)."""
    p = s.to_act
    if not has(s, p, Owl.SWITCH) or due_units(s) == s.dropped:
        return 1
    free = s.dropped + s.berries[p] + has(s, p, Owl.DISCOUNT)
    answers = 0
    for switched in range(2):
        if shortage_now(s, switched) <= free:
            answers |= 1 << switched
    return answers


@rule
def switch(s, answer):
    """Uses the switch, or not."""
    if answer > 0:
        use(s, s.to_act, Owl.SWITCH)
        s.paid[SWITCHED] = 1
    s.phase = Phase.DISCOUNT


@rule
def discounts(s):
    """Returns the possible answers about the discount (FG-29)."""
    p = s.to_act
    if not has(s, p, Owl.DISCOUNT) or due_units(s) == s.dropped:
        return 1
    return 3 if lack(s) <= s.dropped + s.berries[p] else 2


@rule
def discount(s, answer):
    """Drops one more unit, or not."""
    if answer > 0:
        use(s, s.to_act, Owl.DISCOUNT)
        s.dropped += 1
        s.paid[DISCOUNTED] = 1
    s.phase = Phase.BERRIES


@rule
def berry_payments(s):
    """Returns the possible numbers of berries in the payment."""
    least = max(lack(s) - s.dropped, 0)
    most = min(s.berries[s.to_act], due_units(s) - s.dropped)
    return (1 << (most + 1)) - (1 << least)


@rule
def to_pay(s):
    """Returns the resources to pay, without berries."""
    return due_units(s) - s.dropped - s.pay_berries


@rule
def wood_payments(s):
    """Returns the amounts of wood that nuts and maple can complete to the payment.

    Units of a kind beyond its price pay for `?`, so the `?` bounds them.
    """
    p = s.to_act
    total = to_pay(s)
    nuts = s.stock[p, Kind.NUT]
    maple = s.stock[p, Kind.MAPLE]
    answers = 0
    switched = s.paid[SWITCHED]
    for turn in range(0 if switched else NONE, 6 if switched else 0):
        if not can_turn(s, turn):
            continue
        priced = min(turned(s, turn, Kind.NUT), nuts) + min(turned(s, turn, Kind.MAPLE), maple)
        for wood in range(min(s.stock[p, Kind.WOOD], total) + 1):
            rest = total - wood
            wild = max(wood - turned(s, turn, Kind.WOOD), 0) + max(rest - priced, 0)
            if rest <= nuts + maple and wild <= s.due[Kind.ANY]:
                answers |= 1 << wood
    return answers


@rule
def nut_payments(s):
    """Returns the numbers of nuts that maple can complete to the payment."""
    p = s.to_act
    total = to_pay(s) - s.pay_wood
    answers = 0
    switched = s.paid[SWITCHED]
    for turn in range(0 if switched else NONE, 6 if switched else 0):
        if not can_turn(s, turn):
            continue
        for nuts in range(min(s.stock[p, Kind.NUT], total) + 1):
            maple = total - nuts
            wild = max(s.pay_wood - turned(s, turn, Kind.WOOD), 0)
            wild += max(nuts - turned(s, turn, Kind.NUT), 0)
            wild += max(maple - turned(s, turn, Kind.MAPLE), 0)
            if maple <= s.stock[p, Kind.MAPLE] and wild <= s.due[Kind.ANY]:
                answers |= 1 << nuts
    return answers


@rule
def pay(s, nuts):
    """Pays, and moves the marker up (FG-28)."""
    p = s.to_act
    s.paid[Kind.WOOD] = s.pay_wood
    s.paid[Kind.NUT] = nuts
    s.paid[Kind.MAPLE] = to_pay(s) - s.pay_wood - nuts
    s.paid[BERRIES_PAID] = s.pay_berries
    for kind in range(3):
        s.stock[p, kind] -= s.paid[kind]
    for _ in range(s.pay_berries):
        spend_berry(s, p)
    house = s.house + 0
    s.level[p, house] += 1
    s.house = NONE
    for kind in range(4):
        s.due[kind] = 0
    s.dropped = 0
    s.pay_berries = NONE
    s.pay_wood = NONE
    if s.bonus[side(s, house), house, s.level[p, house]] and bonuses(s) > 0:
        s.phase = Phase.BONUS
    else:
        end_climb(s)


@rule
def bonuses(s):
    """Returns the options of a bonus now (FG-30, FG-36)."""
    p = s.to_act
    asleep = s.owls[p] & ~s.awake[p]
    answers = 1 if s.in_supply > 0 else 0
    if asleep:
        answers |= 1 << (REACTIVATE - BERRY)
    if s.pro:
        answers |= (~s.owls[p] & (1 << OWLS) - 1) << (NEW_OWL - BERRY)
    elif asleep & (asleep - 1):
        answers |= asleep << (REACTIVATE_ONE - BERRY)
    return answers


@rule
def take_bonus(s, answer):
    """Takes a berry or an owl, or reactivates owls."""
    p = s.to_act
    if answer == 0:
        take_berry(s, p)
    elif answer == REACTIVATE - BERRY:
        s.awake[p] = s.owls[p]
    elif answer < NEW_OWL - BERRY:
        s.awake[p] |= 1 << (answer - (REACTIVATE_ONE - BERRY))
    else:
        s.owls[p] |= 1 << (answer - (NEW_OWL - BERRY))
        s.awake[p] |= 1 << (answer - (NEW_OWL - BERRY))
    end_climb(s)


@rule
def end_climb(s):
    """Continues after an advance: with the delivery, or with what a 13 interrupted."""
    if s.card == NONE:
        s.phase = Phase.DELIVER
    else:
        end_reward(s)


# Phase 2, and the end of a round (FG-33, FG-34)


@rule
def end_delivery(s):
    """Moves on to the next seat's delivery; after the last, ends the round."""
    s.turn += 1
    s.to_act = (s.to_act + 1) % s.seats
    if s.turn == s.seats:
        if s.round == ROUNDS - 1:
            s.to_act = NOBODY
            s.phase = Phase.OVER
        else:
            s.turn = 0
            ask_keep(s)


@rule
def ask_keep(s):
    """Moves on to the next seat with too many resources, or deals the next round."""
    while s.turn < s.seats:
        p = (s.first + s.turn) % s.seats
        if s.stock[p, 0] + s.stock[p, 1] + s.stock[p, 2] > KEPT:
            s.to_act = p
            s.phase = Phase.KEEP
            return
        s.turn += 1
    s.round += 1
    deal_round(s)


@rule
def keepable(s):
    """Returns the ways to keep three resources."""
    answers = 0
    stock = s.stock[s.to_act]
    for way in range(len(KEPT_WOOD)):
        maple = KEPT - KEPT_WOOD[way] - KEPT_NUTS[way]
        if KEPT_WOOD[way] <= stock[0] and KEPT_NUTS[way] <= stock[1] and maple <= stock[2]:
            answers |= 1 << way
    return answers


@rule
def keep(s, way):
    """Discards all but three resources."""
    stock = s.stock[s.to_act]
    stock[Kind.WOOD] = KEPT_WOOD[way]
    stock[Kind.NUT] = KEPT_NUTS[way]
    stock[Kind.MAPLE] = KEPT - KEPT_WOOD[way] - KEPT_NUTS[way]
    s.turn += 1
    ask_keep(s)


# The contract


@rule
def answers_now(s):
    """Returns the possible answers as a set of numbers, counted from the phase's base."""
    phase = s.phase
    if phase == Phase.PLAY:
        return playable(s)
    if phase == Phase.TAKE:
        return takeable(s)
    if phase == Phase.REWARD:
        return reward_owls(s)
    if phase == Phase.DELIVER or phase == Phase.THIRTEEN:
        return houses(s)
    if phase == Phase.SWITCH:
        return switches(s)
    if phase == Phase.DISCOUNT:
        return discounts(s)
    if phase == Phase.BERRIES:
        return berry_payments(s)
    if phase == Phase.WOOD:
        return wood_payments(s)
    if phase == Phase.NUT:
        return nut_payments(s)
    if phase == Phase.BONUS:
        return bonuses(s)
    if phase == Phase.KEEP:
        return keepable(s)
    if phase == Phase.GAIN:
        return 7
    if phase == Phase.DRAW:
        return 3
    if phase == Phase.LEFT or phase == Phase.BURY:
        return s.hand[s.to_act] + 0
    return s.hand[s.to_act] & ~(1 << s.gave_left[s.to_act])  # RIGHT and UNDER


@rule
def answer(s, chosen):
    """Carries out one answer."""
    phase = s.phase
    if phase == Phase.PLAY:
        play_card(s, chosen)
    elif phase == Phase.TAKE:
        take(s, chosen)
    elif phase == Phase.REWARD:
        take_resources(s, chosen)
    elif phase == Phase.DELIVER or phase == Phase.THIRTEEN:
        choose_house(s, chosen)
    elif phase == Phase.SWITCH:
        switch(s, chosen)
    elif phase == Phase.DISCOUNT:
        discount(s, chosen)
    elif phase == Phase.BERRIES:
        s.pay_berries = chosen
        s.phase = Phase.WOOD
    elif phase == Phase.WOOD:
        s.pay_wood = chosen
        s.phase = Phase.NUT
    elif phase == Phase.NUT:
        pay(s, chosen)
    elif phase == Phase.BONUS:
        take_bonus(s, chosen)
    elif phase == Phase.KEEP:
        keep(s, chosen)
    elif phase == Phase.GAIN:
        gain(s, chosen)
    elif phase == Phase.DRAW:
        answer_draw_two(s, chosen)
    elif phase == Phase.BURY:
        bury(s, chosen)
    elif phase == Phase.LEFT:
        pass_left(s, chosen)
    else:
        pass_right(s, chosen)


@rule
def legal(s, out):
    """Writes the legal actions of the seat to act."""
    base = BASE[s.phase]
    answers = answers_now(s)
    n = 0
    while answers:
        out[n] = base + lowest(answers)
        answers &= answers - 1
        n += 1
    return n


@rule
def apply(s, action):
    """Applies a legal action in place, then every question with only one answer.

    Legality is the caller's duty; see Match.play. Questions about hands are always asked.
    """
    answer(s, action - BASE[s.phase])
    while Phase.TAKE <= s.phase < Phase.OVER:
        answers = answers_now(s)
        if answers & (answers - 1):
            return
        answer(s, lowest(answers))


@Entry
def sole_payment(states: Any, i: int, climb: int, out: Any) -> bool:
    """Starts an advance in one of many states; writes the payment if nothing is left to choose.

    Views use this to show what an advance will take automatically; `out` is like the field `paid`.
    """
    s = states[i]
    answer(s, climb - BASE[s.phase])
    while True:
        answers = answers_now(s)
        if answers & (answers - 1):
            return False
        if s.phase == Phase.NUT:
            break
        answer(s, lowest(answers))
    out[Kind.WOOD] = s.pay_wood
    out[Kind.NUT] = lowest(answers)
    out[Kind.MAPLE] = to_pay(s) - s.pay_wood - lowest(answers)
    out[BERRIES_PAID] = s.pay_berries
    out[SWITCHED] = s.paid[SWITCHED]
    out[DISCOUNTED] = s.paid[DISCOUNTED]
    return True


@rule
def level_points(s, p, house):
    """Returns the points of a seat's level in a house (FG-8)."""
    return s.points[side(s, house), house, s.level[p, house]] + 0


@rule
def lowest_level(s, p):
    """Returns the lowest of a seat's three levels."""
    return min(s.level[p, 0], s.level[p, 1], s.level[p, 2])


@rule
def berry_points(s, p):
    """Counts the points of the berries that a seat holds."""
    points = 0
    for v in range(1, 5):
        points += v * s.held[p, v]
    return points


@rule
def scores(s, out):
    """Adds up levels, berries and the round track (FG-35)."""
    for p in range(s.seats):
        out[p] = berry_points(s, p) + s.track[lowest_level(s, p)]
        for house in range(3):
            out[p] += level_points(s, p, house)


@rule
def winners(s, out):
    """Marks the best score; ties go to the most berries (FG-35)."""
    scores(s, out)
    most = 0
    for p in range(s.seats):
        out[p] = out[p] * (MAX_BERRIES + 1) + s.berries[p]
        most = max(most, out[p])
    for p in range(s.seats):
        out[p] = 1 if out[p] == most else 0
