"""What each seat of The Slyest Fox may know (SF-50), compiled."""

from __future__ import annotations

from foxden.engine.game import Feature
from foxden.engine.kernel import rule
from foxden.engine.rng import below, hide_stream
from foxden.games.slyest_fox.rules import (
    HALF,
    KINDS,
    MAX_SEATS,
    PUBLIC,
    ROLES,
    SOME,
    TAGS,
    Card,
    Deck,
    Role,
    holds_special,
    in_game,
    is_special,
    pick,
)

TRIES = 40  # tries to deal a world in which every kept hand has its weasel or sneaky card


@rule
def observe(s, seat):
    """Wipes decks, the others' hands, characters and private knowledge, and the random stream."""
    hide_stream(s)
    s.deck[:] = 0
    for p in range(s.seats):
        if p != seat:
            s.hand[p, :] = 0
            if s.shown[p] == 0:
                s.role[p] = Role.UNKNOWN
            for owner in range(s.seats):
                s.known[owner, p + 1, :] = 0


@rule
def claimed(s, p, row):
    """Returns the number of cards in a hand whose kind or deck a row knows."""
    n = 0
    for tag in range(TAGS):
        n += s.known[p, row, tag]
    return n


@rule
def unseen(s, card, seat):
    """Counts the cards of a kind that the seat can place neither on the table nor in a hand."""
    n = in_game(s, card) - s.discard[card]
    for p in range(s.seats):
        n -= s.played[p, card] + s.known[p, seat + 1, card]
        if card == Card.DONT_CARE:
            n -= s.shield[p]
    if seat >= 0:
        n -= s.hand[seat, card]
    return n


@rule
def resample(s, seat):
    """Deals what the seat does not know; the others then know what everybody knows.

    Every deal that fits is equally likely, with two exceptions: a re-formed deck is drawn from
    what went into it, and hands kept for a weasel or sneaky card (SF-28) are dealt until they
    have one, finally with one put there first.
    """
    for attempt in range(TRIES):
        gather(s, seat)
        if TRIES // 2 <= attempt < TRIES - 1:
            reserve(s, seat)
        if fill_decks(s):
            fill_hands(s, seat)
            if kept_hands_are_right(s, seat):
                break
    deal_unknown_characters(s, seat)
    for p in range(s.seats):
        for row in range(1, s.seats + 1):
            if row != seat + 1 and row != p + 1:
                for tag in range(TAGS):
                    s.known[p, row, tag] = s.known[p, PUBLIC, tag]
    s.loose[:] = 0


@rule
def gather(s, seat):
    """Gives the others their known cards back, and pools all unseen ones."""
    for card in range(KINDS):
        s.loose[card] = unseen(s, card, seat)
        s.deck[card] = 0
        for p in range(s.seats):
            if p != seat:
                s.hand[p, card] = s.known[p, seat + 1, card]


@rule
def reserve(s, seat):
    """Puts a weasel or sneaky card into every kept hand without a known one."""
    for p in range(s.seats):
        if p == seat or s.keeps[p] == 0 or holds_special(s, p):
            continue
        anything = s.size[p] > claimed(s, p, seat + 1)
        attack = anything or s.known[p, seat + 1, SOME + Deck.ATTACK] > 0
        defence = anything or s.known[p, seat + 1, SOME + Deck.DEFENCE] > 0
        total = 0
        for card in range(KINDS):
            if is_special(card) and (attack if card < HALF else defence):
                total += s.loose[card]
        if total == 0:
            continue
        left = below(s, total)
        for card in range(KINDS):
            if is_special(card) and (attack if card < HALF else defence):
                if left < s.loose[card]:
                    s.loose[card] -= 1
                    s.hand[p, card] += 1
                    break
                left -= s.loose[card]


@rule
def fill_decks(s):
    """Deals both decks from what was in them when they were formed; returns whether that works."""
    for deck in range(2):
        first = HALF * deck
        for _ in range(s.deck_size[deck]):
            total = 0
            for card in range(first, first + HALF):
                total += min(s.loose[card], s.formed[card] - s.deck[card])
            if total <= 0:
                return False
            left = below(s, total)
            for card in range(first, first + HALF):
                n = min(s.loose[card], s.formed[card] - s.deck[card])
                if left < n:
                    s.loose[card] -= 1
                    s.deck[card] += 1
                    break
                left -= n
    return True


@rule
def open_places(s, p, row, deck):
    """Counts the unfilled places of a hand that are known to be of a deck."""
    n = s.known[p, row, SOME + deck] + 0
    for card in range(HALF * deck, HALF * deck + HALF):
        n -= s.hand[p, card] - s.known[p, row, card]
    return max(n, 0)


@rule
def fill_hands(s, seat):
    """Deals the loose cards to the places of the others' hands, each deck's to its own."""
    row = seat + 1
    attack = 0  # loose cards of each deck for places with nothing known
    defence = 0
    for card in range(HALF):
        attack += s.loose[card]
        defence += s.loose[HALF + card]
    for p in range(s.seats):
        if p != seat:
            attack -= open_places(s, p, row, Deck.ATTACK)
            defence -= open_places(s, p, row, Deck.DEFENCE)
    for p in range(s.seats):
        if p == seat:
            continue
        attacks = open_places(s, p, row, Deck.ATTACK)
        defences = open_places(s, p, row, Deck.DEFENCE)
        held = 0
        for card in range(KINDS):
            held += s.hand[p, card]
        for _ in range(s.size[p] - held - attacks - defences):
            if attack > 0 and below(s, attack + defence) < attack:
                attack -= 1
                attacks += 1
            else:
                defence -= 1
                defences += 1
        deal_loose(s, p, Deck.ATTACK, attacks)
        deal_loose(s, p, Deck.DEFENCE, defences)


@rule
def deal_loose(s, p, deck, n):
    """Deals n loose cards of a deck into a hand."""
    total = 0
    for card in range(HALF * deck, HALF * deck + HALF):
        total += s.loose[card]
    for k in range(min(n, total)):
        card = pick(s, s.loose, HALF * deck, total - k)
        s.loose[card] -= 1
        s.hand[p, card] += 1


@rule
def kept_hands_are_right(s, seat):
    """Returns whether all hands have their size, and kept hands a weasel or sneaky card."""
    for p in range(s.seats):
        held = 0
        for card in range(KINDS):
            held += s.hand[p, card]
        if held != s.size[p] or (s.keeps[p] and not holds_special(s, p)):
            return False
    return True


@rule
def deal_unknown_characters(s, seat):
    """Deals the unshown characters from those left, all equally likely."""
    for p in range(s.seats):
        if s.role[p] != Role.UNKNOWN:
            continue
        total = ROLES * s.copies
        for q in range(s.seats):
            if s.role[q] != Role.UNKNOWN:
                total -= 1
        left = below(s, total)
        for role in range(ROLES):
            n = s.copies + 0
            for q in range(s.seats):
                if s.role[q] == role:
                    n -= 1
            if left < n:
                s.role[p] = role
                break
            left -= n


@rule
def seen(s, action, seat):
    """Returns the action as the seat sees it: all actions are open, only drawn cards are hidden."""
    return action + 0


# The tensor; "seat" counts clockwise from the viewer (from seat 0 for a spectator).
TENSOR = (
    Feature("seats", (7,), "one-hot: 2 to 8 seats"),
    Feature("options", (4,), "first victim, extension, teams, hand sizes shown"),
    Feature("parts", (13,), "copies of each character / 4, cards printed of each kind / 16"),
    Feature("phase", (10,), "one-hot, in the order of rules.Phase"),
    Feature("to_act", (MAX_SEATS,), "one-hot: the seat asked"),
    Feature("on_turn", (MAX_SEATS,), "one-hot: the seat on turn"),
    Feature("starter", (MAX_SEATS,), "one-hot: the seat that began"),
    Feature("attacked", (MAX_SEATS,), "one-hot: the seat under attack"),
    Feature("stopper", (MAX_SEATS,), "one-hot: whose stop it waits for an answer"),
    Feature("type", (2,), "one-hot: gossip, trap"),
    Feature(
        "balance",
        (4,),
        "attack cards, defence cards / 128, attack ahead, interfering stopped",
    ),
    Feature("quiet", (1,), "turns in a row without a life lost / 240"),
    Feature("dared", (MAX_SEATS,), "challenged by the seat asked in this open moment"),
    Feature("marks", (MAX_SEATS, 2), "gossiped, in a trap / 2"),
    Feature("signs", (MAX_SEATS, 5), "protected, barred, character known, used, hand kept"),
    Feature("role", (MAX_SEATS, ROLES), "one-hot where known to the viewer"),
    Feature("size", (MAX_SEATS, 2), "cards in hand: at most 12 / 12, all / 128"),
    Feature("hand", (KINDS,), "the viewer's own hand by kind / 16", own=True),
    Feature("played", (MAX_SEATS, KINDS), "cards on the table by seat and kind / 16"),
    Feature("discard", (KINDS,), "discard piles by kind / 16"),
    Feature("deck_size", (2,), "cards in the attack and the defence deck / 64"),
    Feature("formed", (KINDS,), "what went into the present decks / 16"),
    Feature(
        "known",
        (MAX_SEATS, TAGS),
        "surely held, as the viewer knows: kinds / 16, decks / 64",
        own=True,
    ),
    Feature("public", (MAX_SEATS, TAGS), "surely held, as everybody knows: kinds / 16, decks / 64"),
)


@rule
def write_seat(s, seat, p, out, k):
    """Writes a one-hot seat at k, counted from the viewer; returns the next offset."""
    if p >= 0:
        out[k + (p - max(seat, 0)) % s.seats] = 1.0
    return k + MAX_SEATS


@rule
def write_known(s, p, row, out, k):
    """Writes a row's claims about a hand at k."""
    for card in range(KINDS):
        if s.known[p, row, card] > 0:
            out[k + card] = s.known[p, row, card] / 16
    out[k + SOME] = s.known[p, row, SOME] / 64
    out[k + SOME + 1] = s.known[p, row, SOME + 1] / 64


@rule
def features(s, seat, out):
    """Writes the tensor of a wiped state, block by block as TENSOR lists them."""
    out[:] = 0.0
    first = max(seat, 0)
    out[s.seats - 2] = 1.0
    k = 7
    out[k] = s.ending
    out[k + 1] = s.extension
    out[k + 2] = s.teams
    out[k + 3] = s.show_hand_sizes
    k += 4
    out[k] = s.copies / 4
    for card in range(KINDS):
        out[k + 1 + card] = s.printed[card] / 16
    k += 1 + KINDS
    out[k + s.phase] = 1.0
    k += 10
    k = write_seat(s, seat, s.to_act, out, k)
    k = write_seat(s, seat, s.on_turn, out, k)
    k = write_seat(s, seat, s.starter, out, k)
    k = write_seat(s, seat, s.attacked, out, k)
    k = write_seat(s, seat, s.stopper, out, k)
    if s.type >= 0:
        out[k + s.type] = 1.0
    k += 2
    out[k] = s.attacks / 128
    out[k + 1] = s.defences / 128
    out[k + 2] = 1.0 if s.attacks > s.defences else 0.0
    out[k + 3] = s.closed
    k += 4
    out[k] = s.quiet / 240
    k += 1
    for i in range(s.seats):
        p = (first + i) % s.seats
        at = k
        out[at + i] = s.dared >> p & 1
        at += MAX_SEATS
        out[at + 2 * i] = s.marks[p, 0] / 2
        out[at + 2 * i + 1] = s.marks[p, 1] / 2
        at += MAX_SEATS * 2
        out[at + 5 * i] = s.shield[p]
        out[at + 5 * i + 1] = s.barred >> p & 1
        out[at + 5 * i + 2] = s.shown[p]
        out[at + 5 * i + 3] = s.used[p]
        out[at + 5 * i + 4] = s.keeps[p]
        at += MAX_SEATS * 5
        if s.role[p] < ROLES:
            out[at + ROLES * i + s.role[p]] = 1.0
        at += MAX_SEATS * ROLES
        out[at + 2 * i] = min(s.size[p], 12) / 12
        out[at + 2 * i + 1] = s.size[p] / 128
    k += MAX_SEATS * (1 + 2 + 5 + ROLES + 2)
    if seat >= 0:
        for card in range(KINDS):
            out[k + card] = s.hand[seat, card] / 16
    k += KINDS
    if s.attacked >= 0:
        for i in range(s.seats):
            p = (first + i) % s.seats
            for card in range(KINDS):
                out[k + KINDS * i + card] = s.played[p, card] / 16
    k += MAX_SEATS * KINDS
    for card in range(KINDS):
        out[k + card] = s.discard[card] / 16
        out[k + KINDS + 2 + card] = s.formed[card] / 16
    out[k + KINDS] = s.deck_size[0] / 64
    out[k + KINDS + 1] = s.deck_size[1] / 64
    k += KINDS + 2 + KINDS
    for i in range(s.seats):
        p = (first + i) % s.seats
        if seat >= 0:
            write_known(s, p, seat + 1, out, k + TAGS * i)
        write_known(s, p, PUBLIC, out, k + TAGS * (MAX_SEATS + i))
