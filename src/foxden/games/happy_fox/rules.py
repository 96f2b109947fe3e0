"""Happy Fox, by Wolfgang Kramer and Manfred Reindl (Piatnik 2023): the rules, compiled.

Rule ids (HF-…) are those of guide.md, which also marks our rulings where the book is silent:
the starting seat, the order of rows, and when a grab with nobody to turn to ends.
"""

from __future__ import annotations

from enum import IntEnum

from foxden.engine.contract import HEAD
from foxden.engine.kernel import layout, rule
from foxden.engine.rng import below, shuffle

RULES_VERSION = 1
MAX_SEATS = 5
MAX_SET = 32  # the largest set allowed in parts.toml; 24 are printed


class Card(IntEnum):
    """The card in a place; in a row, BACK is hidden from the viewer, SHOWN turned up."""

    NONE = 0
    GOOSE = 1
    FOX = 2
    DOG = 3
    BACK = 4
    SHOWN = 5  # always a goose: a dog ends the grab at once


class Phase(IntEnum):
    """The current question: a card to play, or a card to turn up."""

    PLAY = 0
    GRAB = 1
    OVER = 2


# Actions: 0 stop, 1 lay a goose, 2 play a fox, 3 lay a dog, 4 + k turn up the card of turn k.
STOP = 0
TURN = 4
ACTIONS = TURN + MAX_SET
LAY = ACTIONS  # how others see a card laid face down
HIDDEN_ACTIONS = 1
NOBODY = -1

State = layout(
    [
        *HEAD,
        ("unknown_four", "i1"),  # option (HF-3)
        ("geese", "i1"),  # parts: one set (HF-1) …
        ("foxes", "i1"),
        ("dogs", "i1"),
        ("hand_limit", "i1"),  # … the hand (HF-2) …
        ("unknown", "i1"),  # … and how many cards HF-3 removes
        ("phase", "i1"),
        ("starter", "i1"),
        ("turn", "i1"),  # turns that every seat has completed
        ("victim", "i1"),  # seat whose card is turned up next in a grab
        ("turned", "i2"),  # geese turned up in this grab
        ("hand", "i1", (MAX_SEATS, 5)),  # [seat, card]: how many
        ("pile", "i1", (MAX_SEATS, MAX_SET)),  # top card last; removed cards (HF-3) at the bottom
        ("in_pile", "i1", MAX_SEATS),
        ("row", "i1", (MAX_SEATS, MAX_SET)),  # [seat, turn]: the card laid in that turn (HF-8)
        ("shown", "u1", MAX_SEATS * MAX_SET),  # the geese turned up, in order, as seat * 32 + turn
        ("down", "i1", MAX_SEATS),  # face-down cards in the row …
        ("turns_down", "i1", (MAX_SEATS, MAX_SET)),  # … and their turns, ascending
        ("won", "i1", (MAX_SEATS, MAX_SEATS, 4)),  # [winner, set, card]: how many
    ],
)


@rule
def removed(s):
    """Returns the number of cards removed from each set before play (HF-3)."""
    return s.unknown if s.unknown_four else 0


@rule
def turns(s):
    """Returns the number of turns of every seat (HF-18)."""
    return s.geese + s.foxes + s.dogs - removed(s)


@rule
def hand_size(s, p):
    """Returns the size of a hand, seen or unseen."""
    return s.hand[p, Card.GOOSE] + s.hand[p, Card.FOX] + s.hand[p, Card.DOG] + s.hand[p, Card.BACK]


@rule
def refill(s, p):
    """Draws up to the hand limit, as far as the draw pile allows (HF-6, HF-17)."""
    bottom = removed(s)
    n = hand_size(s, p)
    while n < s.hand_limit and s.in_pile[p] > bottom:
        s.in_pile[p] -= 1
        top = s.in_pile[p]
        s.hand[p, s.pile[p, top]] += 1
        s.pile[p, top] = Card.NONE
        n += 1


@rule
def deal(s):
    """Shuffles every seat's set and deals the hands (HF-2, HF-3)."""
    s.phase = Phase.PLAY
    s.turn = 0
    s.victim = NOBODY
    s.turned = 0
    for p in range(MAX_SEATS):
        s.in_pile[p] = 0
        s.down[p] = 0
        for c in range(5):
            s.hand[p, c] = 0
        for i in range(MAX_SET):
            s.pile[p, i] = Card.NONE
            s.row[p, i] = Card.NONE
            s.shown[p * MAX_SET + i] = 0
            s.turns_down[p, i] = 0
        for q in range(MAX_SEATS):
            for c in range(4):
                s.won[p, q, c] = 0
    size = s.geese + s.foxes + s.dogs
    for p in range(s.seats):
        for i in range(size):
            if i < s.geese:
                s.pile[p, i] = Card.GOOSE
            elif i < s.geese + s.foxes:
                s.pile[p, i] = Card.FOX
            else:
                s.pile[p, i] = Card.DOG
        shuffle(s, s.pile[p], size)
        s.in_pile[p] = size
        refill(s, p)
    # HF-4: the starting seat is drawn.
    s.starter = below(s, s.seats)
    s.to_act = s.starter


@rule
def left_of(s, p):
    """Returns the next seat clockwise; a division would cost more than the rest of the turn."""
    return p + 1 if p + 1 < s.seats else 0


@rule
def next_victim(s, p):
    """Returns the next opponent clockwise with a face-down card (HF-10 … HF-12), or nobody."""
    for _ in range(s.seats):
        p = left_of(s, p)
        if p != s.to_act and s.down[p] > 0:
            return p
    return NOBODY


@rule
def is_down(card):
    """Returns whether a place of a row holds a face-down card."""
    return card != Card.NONE and card != Card.SHOWN


@rule
def legal(s, out):
    """Writes the legal actions of the seat to act."""
    n = 0
    if s.phase == Phase.PLAY:
        # HF-5: any card of the hand; equal cards are one action.
        for card in range(Card.GOOSE, Card.DOG + 1):
            if s.hand[s.to_act, card] > 0:
                out[n] = card
                n += 1
    else:
        # HF-13: the first card must be turned.
        if s.turned > 0:
            out[n] = STOP
            n += 1
        for i in range(s.down[s.victim]):
            out[n] = TURN + s.turns_down[s.victim, i]
            n += 1
    return n


@rule
def clear_grab(s, winner):
    """Moves the geese turned up to the winner's pile, or back to their owners if nobody won."""
    for n in range(s.turned):
        p = s.shown[n] // MAX_SET
        s.won[p if winner == NOBODY else winner, p, Card.GOOSE] += 1
        s.row[p, s.shown[n] % MAX_SET] = Card.NONE
        s.shown[n] = 0
    s.turned = 0


@rule
def finish(s):
    """Adds each row to its owner's win pile (HF-19) and ends the match."""
    for p in range(s.seats):
        for i in range(s.down[p]):
            k = s.turns_down[p, i]
            s.won[p, p, s.row[p, k]] += 1
            s.row[p, k] = Card.NONE
            s.turns_down[p, i] = 0
        s.down[p] = 0
    s.phase = Phase.OVER
    s.to_act = NOBODY


@rule
def end_turn(s):
    """Refills the hand and passes the turn on, or ends the match after the last turn (HF-18)."""
    refill(s, s.to_act)
    s.phase = Phase.PLAY
    s.victim = NOBODY
    s.to_act = left_of(s, s.to_act)
    if s.to_act == s.starter:
        s.turn += 1
        if s.turn == turns(s):
            finish(s)


@rule
def win_grab(s):
    """Moves the geese turned up and the fox to the grabber's win pile (HF-15)."""
    p = s.to_act
    clear_grab(s, p)
    s.won[p, p, Card.FOX] += 1
    end_turn(s)


@rule
def play_card(s, card):
    """Lays a goose or dog face down (HF-6), or starts a grab with a fox (HF-7)."""
    p = s.to_act
    s.hand[p, card] -= 1
    if card == Card.FOX:
        s.victim = next_victim(s, p)
        if s.victim == NOBODY:
            # HF-13: no card to turn up.
            s.won[p, p, Card.FOX] += 1
            end_turn(s)
        else:
            s.phase = Phase.GRAB
    else:
        s.row[p, s.turn] = card
        s.turns_down[p, s.down[p]] = s.turn
        s.down[p] += 1
        end_turn(s)


@rule
def strike_down(s, p, k):
    """Removes turn k from the list of p's face-down cards."""
    s.down[p] -= 1
    i = 0
    while s.turns_down[p, i] != k:
        i += 1
    while i < s.down[p]:
        s.turns_down[p, i] = s.turns_down[p, i + 1]
        i += 1
    s.turns_down[p, i] = 0


@rule
def turn_up(s, k):
    """Turns up the victim's card of turn k."""
    victim = s.victim
    strike_down(s, victim, k)
    if s.row[victim, k] == Card.DOG:
        # HF-16: everyone keeps what was turned up; the dog's owner gets the fox.
        clear_grab(s, NOBODY)
        s.row[victim, k] = Card.NONE
        s.won[victim, victim, Card.DOG] += 1
        s.won[victim, s.to_act, Card.FOX] += 1
        end_turn(s)
    else:
        s.row[victim, k] = Card.SHOWN
        s.shown[s.turned] = victim * MAX_SET + k
        s.turned += 1
        s.victim = next_victim(s, victim)
        if s.victim == NOBODY:
            # HF-14: as if the grabber had stopped.
            win_grab(s)


@rule
def apply(s, action):
    """Applies a legal action in place. Legality is the caller's duty; see Match.play."""
    if s.phase == Phase.PLAY:
        play_card(s, action)
    elif action == STOP:
        win_grab(s)
    else:
        turn_up(s, action - TURN)


@rule
def scores(s, out):
    """Counts the win piles (HF-19)."""
    for p in range(s.seats):
        out[p] = 0
        for q in range(s.seats):
            out[p] += s.won[p, q, Card.GOOSE] + s.won[p, q, Card.FOX] + s.won[p, q, Card.DOG]


@rule
def winners(s, out):
    """Marks all seats with the most cards (HF-19)."""
    scores(s, out)
    most = 0
    for p in range(s.seats):
        most = max(most, out[p])
    for p in range(s.seats):
        out[p] = 1 if out[p] == most else 0
