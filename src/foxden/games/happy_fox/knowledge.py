"""What each seat of Happy Fox may know (HF-9, HF-21), compiled."""

from __future__ import annotations

from foxden.engine.game import Feature
from foxden.engine.kernel import rule
from foxden.engine.rng import below, hide_stream, shuffle
from foxden.games.happy_fox.rules import (
    LAY,
    MAX_SEATS,
    MAX_SET,
    Card,
    Phase,
    hand_size,
    is_down,
)


@rule
def observe(s, seat):
    """Wipes draw piles, the others' hands and face-down rows, and the random stream."""
    hide_stream(s)
    for p in range(s.seats):
        for i in range(MAX_SET):
            s.pile[p, i] = Card.NONE
        if p != seat:
            s.hand[p, Card.BACK] = hand_size(s, p)
            for c in range(Card.GOOSE, Card.DOG + 1):
                s.hand[p, c] = 0
            for k in range(MAX_SET):
                if is_down(s.row[p, k]):
                    s.row[p, k] = Card.BACK


@rule
def unseen(s, p, card):
    """Counts the cards of a kind in p's set that have never been face up on the table."""
    if card == Card.GOOSE:
        n = s.geese + 0
    elif card == Card.FOX:
        n = s.foxes + 0
        if s.phase == Phase.GRAB and s.to_act == p:
            n -= 1  # the fox of this grab
    else:
        n = s.dogs + 0
    for q in range(s.seats):
        n -= s.won[q, p, card]
    for k in range(s.turn + 1):
        if card == Card.GOOSE and s.row[p, k] == Card.SHOWN:
            n -= 1
    return n


@rule
def resample(s, seat):
    """Deals what the seat does not know, every consistent deal equally likely.

    A face-down card in a row is no fox (HF-7). Nothing else ties an unseen card of a set to a
    place, so rows are drawn from geese and dogs, then hands and piles from the rest.
    """
    for p in range(s.seats):
        fill(s, p, p == seat)


@rule
def fill(s, p, own):
    """Deals the unseen cards of one set, every consistent deal equally likely."""
    geese = unseen(s, p, Card.GOOSE)
    foxes = unseen(s, p, Card.FOX)
    dogs = unseen(s, p, Card.DOG)
    for k in range(s.turn + 1):
        if s.row[p, k] == Card.BACK:
            s.row[p, k] = Card.GOOSE if below(s, geese + dogs) < geese else Card.DOG
        if s.row[p, k] == Card.GOOSE:
            geese -= 1
        elif s.row[p, k] == Card.DOG:
            dogs -= 1
    for _ in range(s.hand[p, Card.BACK]):
        drawn = below(s, geese + foxes + dogs)
        if drawn < geese:
            s.hand[p, Card.GOOSE] += 1
            geese -= 1
        elif drawn < geese + foxes:
            s.hand[p, Card.FOX] += 1
            foxes -= 1
        else:
            s.hand[p, Card.DOG] += 1
            dogs -= 1
    if own:
        geese -= s.hand[p, Card.GOOSE]
        foxes -= s.hand[p, Card.FOX]
        dogs -= s.hand[p, Card.DOG]
    s.hand[p, Card.BACK] = 0
    n = geese + foxes + dogs
    for i in range(n):
        s.pile[p, i] = Card.GOOSE if i < geese else Card.FOX if i < geese + foxes else Card.DOG
    shuffle(s, s.pile[p], n)


@rule
def believe(s, seat):
    """Fills a wiped state like `resample`, but assumes that opponents lay a dog once they draw it.

    The greedy player does, and many people do; the first cards of a row are then likeliest dogs.
    """
    for p in range(s.seats):
        if p == seat:
            fill(s, p, True)
        else:
            fill_by_habit(s, p)


@rule
def fill_by_habit(s, p):
    """Draws a set's unseen cards one by one and lays them in order of arrival, dogs first.

    Cards turned up since are left out, as if they had come evenly spread between the others.
    """
    geese = unseen(s, p, Card.GOOSE)
    foxes = unseen(s, p, Card.FOX)
    dogs = unseen(s, p, Card.DOG)
    left = 0
    for k in range(s.turn + 1):
        left += int(s.row[p, k] == Card.BACK)
    held = s.hand[p, Card.BACK] + 0
    total = left + held
    in_hand = 0
    k = 0
    for c in range(Card.BACK + 1):
        s.hand[p, c] = 0
    for drawn in range(total):
        # No fox can be laid, so the hand must keep a card that can.
        most = min(held, s.hand_limit - 1) if left > 0 else held
        card = below(s, geese + dogs + (foxes if s.hand[p, Card.FOX] < most else 0))
        if card < geese:
            geese -= 1
            s.hand[p, Card.GOOSE] += 1
        elif card < geese + dogs:
            dogs -= 1
            s.hand[p, Card.DOG] += 1
        else:
            foxes -= 1
            s.hand[p, Card.FOX] += 1
        in_hand += 1
        while left > 0 and (in_hand >= s.hand_limit or drawn + 1 == total):
            while s.row[p, k] != Card.BACK:
                k += 1
            laid = Card.DOG if s.hand[p, Card.DOG] > 0 else Card.GOOSE
            s.row[p, k] = laid
            s.hand[p, laid] -= 1
            in_hand -= 1
            left -= 1
    n = geese + foxes + dogs
    for i in range(n):
        s.pile[p, i] = Card.GOOSE if i < geese else Card.FOX if i < geese + foxes else Card.DOG
    shuffle(s, s.pile[p], n)


@rule
def seen(s, action, seat):
    """Returns the action as the seat sees it: another's face-down card is just a card."""
    if s.phase == Phase.PLAY and s.to_act != seat and action != Card.FOX:
        return LAY + 0
    return action + 0


# The tensor; "seat" counts clockwise from the viewer (from seat 0 for a spectator).
TENSOR = (
    Feature("seats", (4,), "one-hot: 2, 3, 4 or 5 seats"),
    Feature("parts", (6,), "geese, foxes, dogs, hand limit, unknown cards (each / 32), HF-3 on"),
    Feature("phase", (3,), "one-hot: play, grab, over"),
    Feature("turn", (1,), "turns behind every seat / 32"),
    Feature("starter", (MAX_SEATS,), "one-hot: the seat that began"),
    Feature("to_act", (MAX_SEATS,), "one-hot: the seat asked"),
    Feature("victim", (MAX_SEATS,), "one-hot: whose card is turned next"),
    Feature("hand", (MAX_SEATS, 4), "geese, foxes, dogs, unseen cards / 8"),
    Feature("pile", (MAX_SEATS,), "cards in the draw pile, removed ones included / 32"),
    Feature("row", (MAX_SEATS, MAX_SET, 3), "face down, one-hot by turn: goose, dog, unseen"),
    Feature("shown", (MAX_SEATS, MAX_SET), "n / 160 for the n-th goose turned up in this grab"),
    Feature("won", (MAX_SEATS, MAX_SEATS, 3), "win pile by set: geese, foxes, dogs / 32"),
)


@rule
def features(s, seat, out):
    """Writes the tensor of a wiped state, block by block as TENSOR lists them."""
    for i in range(len(out)):
        out[i] = 0.0
    first = max(seat, 0)
    out[s.seats - 2] = 1.0
    k = 4
    out[k] = s.geese / 32
    out[k + 1] = s.foxes / 32
    out[k + 2] = s.dogs / 32
    out[k + 3] = s.hand_limit / 32
    out[k + 4] = s.unknown / 32
    out[k + 5] = s.unknown_four
    k += 6
    out[k + s.phase] = 1.0
    k += 3
    out[k] = s.turn / 32
    k += 1
    out[k + (s.starter - first) % s.seats] = 1.0
    k += MAX_SEATS
    if s.to_act >= 0:
        out[k + (s.to_act - first) % s.seats] = 1.0
    k += MAX_SEATS
    if s.victim >= 0:
        out[k + (s.victim - first) % s.seats] = 1.0
    k += MAX_SEATS
    for i in range(s.seats):
        p = (first + i) % s.seats
        for c in range(4):
            out[k + i * 4 + c] = s.hand[p, c + 1] / 8
    k += MAX_SEATS * 4
    for i in range(s.seats):
        out[k + i] = s.in_pile[(first + i) % s.seats] / 32
    k += MAX_SEATS
    for i in range(s.seats):
        p = (first + i) % s.seats
        for t in range(MAX_SET):
            card = s.row[p, t]
            if is_down(card):
                at = 0 if card == Card.GOOSE else 1 if card == Card.DOG else 2
                out[k + (i * MAX_SET + t) * 3 + at] = 1.0
    k += MAX_SEATS * MAX_SET * 3
    for n in range(s.turned):
        i = (s.shown[n] // MAX_SET - first) % s.seats
        out[k + i * MAX_SET + s.shown[n] % MAX_SET] = (n + 1) / 160
    k += MAX_SEATS * MAX_SET
    for i in range(s.seats):
        p = (first + i) % s.seats
        for j in range(s.seats):
            q = (first + j) % s.seats
            for c in range(3):
                out[k + (i * MAX_SEATS + j) * 3 + c] = s.won[p, q, c + 1] / 32
