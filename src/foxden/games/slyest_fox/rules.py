"""The Slyest Fox (a rulebook without title or author; the name is ours): the rules, compiled.

Rule ids (SF-…) are those of guide.md, which also marks our rulings where the book is silent: the
starting seat, the order of questions in an attack, the open moment before each action as the only
place for challenges, when an empty deck is re-formed, and the bound on quiet turns.

Nobody ever sees or orders a deck, so a deck is stored as counts and drawn from them.
"""

from __future__ import annotations

from enum import IntEnum

from foxden.engine.contract import HEAD
from foxden.engine.kernel import layout, rule
from foxden.engine.rng import below, shuffle

RULES_VERSION = 1
MAX_SEATS = 8
NOBODY = -1

LIVES = 3
DEALT = 3  # cards of each deck (SF-5)
LEAST, MOST = 3, 9  # cards in hand (SF-11, SF-33)
DUEL_LEAST, DUEL_MOST = 2, 6  # when two are left (SF-37)
QUIET_TURNS = 30  # per seat, without a life lost (SF-42)
MOST_CARDS = 1000  # more than all hands together can hold


class Card(IntEnum):
    """The kinds of cards: six of the attack deck, then six of the defence deck (SF-1, SF-2)."""

    GOSSIP = 0
    TRAP = 1
    UNIVERSAL_ATTACK = 2
    WEASEL = 3
    SNEAKY_ATTACK = 4
    ENOUGH = 5
    FACTS = 6
    CAUTION = 7
    UNIVERSAL_DEFENCE = 8
    DONT_CARE = 9
    SNEAKY_DEFENCE = 10
    STOP_IT = 11


KINDS = 12
HALF = 6  # kinds in a deck: card // HALF is the card's deck


class Deck(IntEnum):
    """The two decks."""

    ATTACK = 0
    DEFENCE = 1


class Role(IntEnum):
    """The secret characters (SF-3); the first two are gossip characters, the others trap ones."""

    GOSSIP_FOX = 0
    SCHEMER = 1
    MASTER_OF_TRAPS = 2
    INVENTIVE_FOX = 3
    UNKNOWN = 4


ROLES = 4


class Ending(IntEnum):
    """When a match without teams ends (SF-40, SF-41)."""

    LAST_SURVIVOR = 0
    FIRST_VICTIM = 1


class Phase(IntEnum):
    """The current question. The cards on the table determine which side SHUT and HELP are about."""

    OPEN = 0  # anything of the open moment (SF-30)
    ACT = 1  # the action of a turn (SF-9)
    DEFEND = 2  # the attacked seat: a defence (SF-19)
    ADD = 3  # the attacker: a further attack card (SF-19)
    SHUT = 4  # the seat that help would hurt: enough is enough (SF-26)
    HELP = 5  # another seat: interfere (SF-22)
    ANSWER = 6  # the attacker: an answer to stop it (SF-25)
    REFILL = 7  # a deck to draw up from (SF-11)
    DISCARD = 8  # a card beyond the limit of two seats (SF-37)
    OVER = 9


# Actions. Attacks by target, then opening: 0 gossip, 1 trap, 2 and 3 a universal attack as gossip
# or trap, 4 and 5 a sneaky attack as gossip or trap.
PASS = 0
READY = 1
DRAW = 2  # + deck
CARE = 4  # play I don't care
CHALLENGE = 5  # + seat
TRADE = CHALLENGE + MAX_SEATS  # + KINDS * kind given + kind taken; never from deck to deck (SF-32)
ATTACK = TRADE + KINDS * KINDS  # + OPENINGS * target + opening
OPENINGS = 6
PLAY = ATTACK + MAX_SEATS * OPENINGS  # + kind
CHARACTER = PLAY + KINDS
WEASEL_WITH = CHARACTER + 1  # + kind
THROW = WEASEL_WITH + KINDS  # + kind: discard it
ACTIONS = THROW + KINDS

# Steps between an action and the next question, in the order of apply.
ASKED = 0  # somebody is to act, or the match is over
MAIN = 1  # the seat to answer first, and if it cannot or passes, …
HURT = 2  # … the one that help would hurt …
HELPERS = 3  # … and then the others, from the first …
NEXT_HELPER = 4  # … or from the one just asked
TURN_ENDS = 5
LIMITS = 6  # hands are filled up or cut down, from the seat on turn …
SAME_LIMITS = 7  # … or from the seat just asked
TURN_BEGINS = 8
OPENING = 9  # the open moment, from the seat on turn …
NEXT_OPEN = 10  # … or after the seat just asked

# Known about a hand: at least so many of a kind, and beyond these so many of a deck.
SOME = KINDS  # + deck
TAGS = KINDS + 2
PUBLIC = 0  # the row of public knowledge; row p + 1 is seat p's
ROWS = MAX_SEATS + 1

State = layout(
    [
        *HEAD,
        ("ending", "i1"),  # options
        ("extension", "i1"),
        ("teams", "i1"),
        ("show_hand_sizes", "i1"),
        ("copies", "i1"),  # parts: of each character (SF-3) …
        ("printed", "i1", KINDS),  # … and of each kind of card (SF-1, SF-2)
        ("phase", "i1"),
        ("starter", "i1"),
        ("on_turn", "i1"),
        ("alive", "i1"),  # seats still in the game
        ("quiet", "i2"),  # turns in a row without a life lost (SF-42)
        ("dared", "i2"),  # bit q: the seat to act has challenged q in this open moment (SF-34)
        ("barred", "i2"),  # bit p: no new I don't care before p's next turn (SF-31)
        ("attacked", "i1"),  # the seat under attack, or nobody
        ("type", "i1"),  # the declared type: gossip, trap, or NOBODY
        ("attacks", "i2"),  # cards and characters for the attack …
        ("defences", "i2"),  # … and against it
        ("closed", "i1"),  # interfering is stopped for this turn (SF-26)
        ("stopper", "i1"),  # seat whose stop it is waiting for an answer (SF-25)
        ("size", "i2", MAX_SEATS),  # cards in hand
        ("deck_size", "i1", 2),
        ("discards", "i1", 2),  # cards in each discard pile
        ("marks", "i1", (MAX_SEATS, 2)),  # [seat, type]: gossiped, in a trap (SF-20)
        ("shield", "i1", MAX_SEATS),  # an I don't care lies in front (SF-31)
        ("role", "i1", MAX_SEATS),
        ("shown", "i1", MAX_SEATS),  # the character is known to all
        ("used", "i1", MAX_SEATS),  # the character was used in this turn (SF-17)
        ("keeps", "i1", MAX_SEATS),  # out, and sure to hold a weasel or a sneaky card (SF-28)
        ("hand", "i1", (MAX_SEATS, KINDS)),
        ("played", "i1", (MAX_SEATS, KINDS)),  # cards of this attack, by seat
        ("discard", "i1", KINDS),
        ("deck", "i1", KINDS),
        ("formed", "i1", KINDS),  # the decks' kinds when last formed: open (SF-10)
        ("known", "i1", (MAX_SEATS, ROWS, TAGS)),  # [owner, knower, tag]: at least so many
        ("loose", "i1", KINDS),  # cards for resampling to place; otherwise empty
    ],
)


# What is on the table


@rule
def in_game(s, card):
    """Returns the number of cards of a kind in play (SF-1, SF-2, SF-48)."""
    if card == Card.WEASEL or card == Card.DONT_CARE:
        return s.printed[card] if s.seats > 2 else 0
    if card == Card.SNEAKY_ATTACK or card == Card.SNEAKY_DEFENCE:
        return s.printed[card] if s.extension else 0
    if card == Card.ENOUGH or card == Card.STOP_IT:
        return s.printed[card] if s.extension or s.seats == 2 else 0
    return s.printed[card] + 0


@rule
def lives(s, p):
    """Counts a seat's lives (SF-20)."""
    return LIVES - s.marks[p, 0] - s.marks[p, 1]


@rule
def is_in(s, p):
    """Returns whether a seat has a life left (SF-27)."""
    return lives(s, p) > 0


@rule
def is_duel(s):
    """Returns whether only two of more seats are left (SF-37)."""
    return s.alive == 2 and s.seats > 2


@rule
def team(s, p):
    """Returns the team of a seat: 0 gossip, 1 trap (SF-45)."""
    return s.role[p] // 2


@rule
def can_draw(s, deck):
    """Returns whether a deck, or the discard pile it is formed from, has a card (SF-10)."""
    return s.deck_size[deck] + s.discards[deck] > 0


@rule
def can_be_attacked(s, q, type):
    """Returns whether the seat on turn may attack q with that type (SF-14, SF-47)."""
    return (
        q != s.on_turn
        and s.shield[q] == 0
        and s.marks[q, type] < 2
        and is_in(s, q)
        and (s.teams == 0 or team(s, q) != team(s, s.on_turn))
    )


@rule
def can_challenge(s, q):
    """Returns whether the seat to act may challenge q in this open moment (SF-30, SF-34, SF-37)."""
    return q != s.to_act and is_in(s, q) and not s.dared >> q & 1 and not is_duel(s)


@rule
def can_care(s, p):
    """Returns whether a seat may lay an I don't care, if it has one (SF-31)."""
    return s.shield[p] == 0 and s.barred >> p & 1 == 0


@rule
def is_ahead(s):
    """Returns whether the attack has more cards than the defence (SF-18)."""
    return s.attacks > s.defences


@rule
def character_fits(s, role):
    """Returns whether a character can serve as the card needed now (SF-15, SF-16)."""
    if is_ahead(s):
        has_facts = role == Role.GOSSIP_FOX or role == Role.INVENTIVE_FOX
        return has_facts == (s.type == Card.GOSSIP)
    return role // 2 == s.type


@rule
def can_use_character(s, p):
    """Returns whether attacker or attacked has a character left for this turn (SF-17, SF-37)."""
    return s.used[p] == 0 and not is_duel(s)


@rule
def character_may_fit(s, p):
    """Returns whether, by public knowledge, the seat has a character that serves now (SF-19)."""
    if not can_use_character(s, p):
        return False
    if s.shown[p]:
        return character_fits(s, s.role[p])
    seen = 0
    for q in range(s.seats):
        if s.shown[q] and character_fits(s, s.role[q]):
            seen += 1
    return seen < 2 * s.copies


@rule
def is_special(card):
    """Returns whether a card lets an eliminated seat keep its hand (SF-28)."""
    return card == Card.WEASEL or card == Card.SNEAKY_ATTACK or card == Card.SNEAKY_DEFENCE


@rule
def holds_special(s, p):
    """Returns whether a hand has a weasel or a sneaky card (SF-28)."""
    return (
        s.hand[p, Card.WEASEL] + s.hand[p, Card.SNEAKY_ATTACK] + s.hand[p, Card.SNEAKY_DEFENCE] > 0
    )


@rule
def somebody_could_help(s):
    """Returns whether, by public knowledge, anyone could interfere (SF-19, SF-24)."""
    for q in range(s.seats):
        if q != s.on_turn and q != s.attacked and s.size[q] > 0:
            return s.closed == 0
    return False


@rule
def can_shut(s):
    """Returns whether enough is enough can stop interfering now (SF-26)."""
    return s.extension == 1 and somebody_could_help(s)


# Knowledge about hands


@rule
def forget_one(s, p, row, card):
    """Removes a card that publicly leaves a hand from one row's claims about that hand."""
    if s.known[p, row, card] > 0:
        s.known[p, row, card] -= 1
    elif s.known[p, row, SOME + card // HALF] > 0:
        s.known[p, row, SOME + card // HALF] -= 1


@rule
def all_learn(s, p, tag):
    """Adds a card that publicly joins a hand, by its kind or by its deck."""
    for row in range(s.seats + 1):
        if row != p + 1:
            s.known[p, row, tag] += 1


@rule
def blur(s, loser, taker, row):
    """Keeps what a third party can still claim when an unseen card changes hands.

    Any claim about the loser's hand may be off by one, so all are lowered by one, those of kinds
    and those of whole decks. The card's own kind or deck is known only if the whole hand was
    of that kind or deck.
    """
    for deck in range(2):
        kinds = 0
        claimed = s.known[loser, row, SOME + deck] + 0
        for card in range(HALF * deck, HALF * deck + HALF):
            n = s.known[loser, row, card]
            if n > 0:
                kinds += 1
                claimed += n
                s.known[loser, row, card] = n - 1
                if n == s.size[loser]:
                    s.known[taker, row, card] += 1
                    claimed = 0
                    kinds = 0
        if claimed > 0:
            s.known[loser, row, SOME + deck] += kinds - 1
            if claimed == s.size[loser]:
                s.known[taker, row, SOME + deck] += 1


# Cards on the move


@rule
def pick(s, counts, first, total):
    """Draws a kind at random, with each of the total cards from kind `first` on equally likely."""
    left = below(s, total)
    card = first
    while left >= counts[card]:
        left -= counts[card]
        card += 1
    return card


@rule
def draw(s, p, deck):
    """Draws a card into a hand; an empty deck is first formed from its discard pile (SF-10)."""
    first = HALF * deck
    if s.deck_size[deck] == 0:
        for card in range(first, first + HALF):
            s.deck[card] = s.discard[card]
            s.formed[card] = s.discard[card]
            s.discard[card] = 0
        s.deck_size[deck] = s.discards[deck]
        s.discards[deck] = 0
    card = pick(s, s.deck, first, s.deck_size[deck] + 0)
    s.deck[card] -= 1
    s.deck_size[deck] -= 1
    s.hand[p, card] += 1
    s.size[p] += 1
    all_learn(s, p, SOME + deck)


@rule
def leave(s, p, card):
    """Takes a card out of a hand in public."""
    s.hand[p, card] -= 1
    s.size[p] -= 1
    for row in range(s.seats + 1):
        forget_one(s, p, row, card)


@rule
def discard(s, card):
    """Lays a card onto the discard pile of its deck."""
    s.discard[card] += 1
    s.discards[card // HALF] += 1


@rule
def rob(s, loser, taker):
    """Moves a random card between hands, seen only by these two seats (SF-33, SF-50)."""
    card = pick(s, s.hand[loser], 0, s.size[loser] + 0)
    for row in range(s.seats + 1):
        if row == taker + 1:
            forget_one(s, loser, row, card)
        elif row == loser + 1:
            s.known[taker, row, card] += 1
        else:
            blur(s, loser, taker, row)
    s.hand[loser, card] -= 1
    s.size[loser] -= 1
    s.hand[taker, card] += 1
    s.size[taker] += 1


# The deal


@rule
def deal_characters(s):
    """Deals the secret characters, with teams half of each side (SF-5, SF-45)."""
    half = s.seats // 2
    for p in range(s.seats):
        low, high = 0, ROLES
        if s.teams:
            low, high = (0, 2) if p < half else (2, ROLES)
        first = half if s.teams and p >= half else 0
        left = below(s, s.copies * (high - low) - (p - first))
        for role in range(low, high):
            n = s.copies + 0
            for q in range(p):
                if s.role[q] == role:
                    n -= 1
            if left < n:
                s.role[p] = role
                break
            left -= n
        s.shown[p] = s.teams
    if s.teams:
        shuffle(s, s.role, s.seats)


@rule
def deal(s):
    """Deals three cards of each deck and a character to every seat (SF-5)."""
    s.quiet = 0
    s.alive = s.seats
    s.dared = 0
    s.barred = 0
    s.hand[:] = 0
    s.known[:] = 0
    s.played[:] = 0
    s.marks[:] = 0
    s.size[:] = 0
    s.deck_size[:] = 0
    s.discards[:] = 0
    for p in range(MAX_SEATS):
        s.shield[p] = 0
        s.role[p] = Role.UNKNOWN
        s.shown[p] = 0
        s.used[p] = 0
        s.keeps[p] = 0
    for card in range(KINDS):
        n = in_game(s, card)
        s.deck[card] = n
        s.formed[card] = n
        s.deck_size[card // HALF] += n
        s.discard[card] = 0
        s.loose[card] = 0
    forget_attack(s)
    deal_characters(s)
    for p in range(s.seats):
        for _ in range(DEALT):
            draw(s, p, Deck.ATTACK)
            draw(s, p, Deck.DEFENCE)
    # SF-6: the first seat is drawn.
    s.starter = below(s, s.seats)
    s.on_turn = s.starter
    ask_open(s, 0)


# The course of a turn: every function leads to the next step, or to a question


@rule
def begin_turn(s):
    """Removes the I don't care in front of the seat on turn (SF-7)."""
    p = s.on_turn
    s.barred = s.barred & ~(1 << p) | s.shield[p] << p
    if s.shield[p]:
        s.shield[p] = 0
        discard(s, Card.DONT_CARE)
    return OPENING


@rule
def ask_open(s, k):
    """Runs the open moment, from the k-th seat clockwise; then comes the action (SF-30)."""
    s.dared = 0
    for i in range(k, s.seats):
        s.to_act = (s.on_turn + i) % s.seats
        if can_do_something(s):
            s.phase = Phase.OPEN
            return
    s.phase = Phase.ACT
    s.to_act = s.on_turn


@rule
def can_do_something(s):
    """Returns whether, by public knowledge, the seat to act has options in the open moment."""
    if not is_in(s, s.to_act):
        return False
    if s.size[s.to_act] > 0:
        return True
    for q in range(s.seats):
        if can_challenge(s, q):
            return True
    return False


@rule
def end_turn(s):
    """Ends the turn: marks, table, eliminated hands, and the end of the match (SF-29)."""
    s.quiet += 1
    if s.attacked != NOBODY:
        # SF-25: an unanswered stop it takes no life.
        if is_ahead(s) and s.stopper == NOBODY:
            mark(s)
        clear_attack(s)
        for p in range(s.seats):
            if s.size[p] > 0 and not is_in(s, p):
                check_kept_hand(s, p)
        if is_decided(s):
            finish(s)
            return ASKED
    return LIMITS


@rule
def mark(s):
    """Takes a life from the attacked seat (SF-20, SF-27)."""
    s.marks[s.attacked, s.type] += 1
    s.quiet = 0
    if not is_in(s, s.attacked):
        s.alive -= 1
        s.shown[s.attacked] = 1  # SF-28


@rule
def clear_attack(s):
    """Discards the cards on the table and clears the attack (SF-21)."""
    for p in range(s.seats):
        for card in range(KINDS):
            n = s.played[p, card]
            if n > 0:
                s.discard[card] += n
                s.discards[card // HALF] += n
                s.played[p, card] = 0
        s.used[p] = 0
    forget_attack(s)


@rule
def forget_attack(s):
    """Resets all fields of an attack."""
    s.attacked = NOBODY
    s.type = NOBODY
    s.attacks = 0
    s.defences = 0
    s.closed = 0
    s.stopper = NOBODY


@rule
def check_kept_hand(s, p):
    """Lets an eliminated seat keep its hand only if it has a weasel or sneaky card (SF-28)."""
    if holds_special(s, p):
        s.keeps[p] = 1
        return
    s.keeps[p] = 0
    for card in range(KINDS):
        n = s.hand[p, card]
        s.discard[card] += n
        s.discards[card // HALF] += n
        s.hand[p, card] = 0
    s.size[p] = 0
    for row in range(s.seats + 1):
        for tag in range(TAGS):
            s.known[p, row, tag] = 0


@rule
def is_decided(s):
    """Returns whether eliminations have ended the match (SF-40, SF-41, SF-47)."""
    if s.teams:
        left = 0
        for p in range(s.seats):
            if is_in(s, p):
                left |= 1 << team(s, p)
        return left != 3
    if s.ending == Ending.FIRST_VICTIM:
        return s.alive < s.seats
    return s.alive == 1


@rule
def finish(s):
    """Ends the match."""
    s.phase = Phase.OVER
    s.to_act = NOBODY


@rule
def ask_limits(s, k):
    """Fills hands up to the least and cuts them to the most, from the k-th seat (SF-29)."""
    duel = is_duel(s)
    least = DUEL_LEAST if duel else LEAST
    drawable = can_draw(s, Deck.ATTACK) or can_draw(s, Deck.DEFENCE)
    for i in range(k, s.seats):
        p = (s.on_turn + i) % s.seats
        if is_in(s, p):
            if s.size[p] < least and drawable:
                s.phase = Phase.REFILL
                s.to_act = p
                return ASKED
            if duel and s.size[p] > DUEL_MOST:
                s.phase = Phase.DISCARD
                s.to_act = p
                return ASKED
    if s.quiet >= QUIET_TURNS * s.seats:
        finish(s)  # SF-42
        return ASKED
    s.on_turn = (s.on_turn + 1) % s.seats
    while not is_in(s, s.on_turn):
        s.on_turn = (s.on_turn + 1) % s.seats  # SF-12
    return TURN_BEGINS


@rule
def place_of(s, p):
    """Returns a seat's place clockwise from the seat on turn."""
    return (p - s.on_turn) % s.seats


# The course of an attack (SF-19)


@rule
def main_seat(s):
    """Returns the seat to answer first: the attacked while the attack is ahead."""
    return s.attacked if is_ahead(s) else s.on_turn


@rule
def ask_main(s):
    """Starts with the attacked seat or the attacker."""
    p = main_seat(s)
    if s.size[p] > 0 or character_may_fit(s, p):
        s.phase = Phase.DEFEND if is_ahead(s) else Phase.ADD
        s.to_act = p
        return ASKED
    return HURT


@rule
def ask_hurt(s):
    """Offers enough is enough to the seat that help would hurt (SF-26)."""
    hurt = s.on_turn if is_ahead(s) else s.attacked
    if can_shut(s) and s.size[hurt] > 0:
        s.phase = Phase.SHUT
        s.to_act = hurt
        return ASKED
    return HELPERS


@rule
def ask_helper(s, after):
    """Moves on to the next seat clockwise that could interfere; without one the turn ends."""
    main = main_seat(s)
    q = (after + 1) % s.seats
    while q != main and s.closed == 0:
        if q != s.attacked and q != s.on_turn and s.size[q] > 0:
            s.phase = Phase.HELP
            s.to_act = q
            return ASKED
        q = (q + 1) % s.seats
    return TURN_ENDS


@rule
def play_card(s, p, card):
    """Lays a card onto the table, with its effect there."""
    leave(s, p, card)
    s.played[p, card] += 1
    if is_special(card):
        s.keeps[p] = 0
    if card == Card.STOP_IT:
        s.stopper = p
        if s.size[s.on_turn] == 0:
            return TURN_ENDS
        s.phase = Phase.ANSWER
        s.to_act = s.on_turn
        return ASKED
    if card == Card.ENOUGH:
        # SF-25: an answer to stop it does not also stop interfering.
        if s.stopper != NOBODY:
            s.stopper = NOBODY
        else:
            s.closed = 1
    elif card // HALF == Deck.ATTACK:
        s.attacks += 1
    else:
        s.defences += 1
    return MAIN


@rule
def play_character(s):
    """Turns the character of the seat to act face up and counts it (SF-17)."""
    s.used[s.to_act] = 1
    s.shown[s.to_act] = 1
    if is_ahead(s):
        s.defences += 1
    else:
        s.attacks += 1
    return MAIN


@rule
def declare(s, target, opening):
    """Declares an attack and returns the card that opens it (SF-13)."""
    s.attacked = target
    s.type = opening % 2
    if opening >= 4:
        return Card.SNEAKY_ATTACK + 0
    if opening >= 2:
        return Card.UNIVERSAL_ATTACK + 0
    return opening


# Legal actions


@rule
def wanted(s, k):
    """Returns the k-th kind that counts now: the plain card, the universal, the sneaky one."""
    first = HALF if is_ahead(s) else 0
    if k == 0:
        return first + s.type
    if k == 1:
        return first + Card.UNIVERSAL_ATTACK
    return first + Card.SNEAKY_ATTACK


@rule
def legal_open(s, out):
    """Writes the actions of the open moment: I don't care, challenges, trades (SF-30 … SF-34)."""
    p = s.to_act
    out[0] = READY
    n = 1
    if s.hand[p, Card.DONT_CARE] > 0 and can_care(s, p):
        out[n] = CARE
        n += 1
    for q in range(s.seats):
        if can_challenge(s, q):
            out[n] = CHALLENGE + q
            n += 1
    for given in range(KINDS):
        if s.hand[p, given] >= 2:
            # SF-32: from the discard pile of the same deck, as it was before the trade.
            first = HALF * (given // HALF)
            for taken in range(first, first + HALF):
                if s.discard[taken] > 0:
                    out[n] = TRADE + KINDS * given + taken
                    n += 1
    return n


@rule
def legal_act(s, out):
    """Writes draws and attacks (SF-9); a seat that has neither passes (SF-10)."""
    p = s.to_act
    n = 0
    for deck in range(2):
        if can_draw(s, deck):
            out[n] = DRAW + deck
            n += 1
    universal = s.hand[p, Card.UNIVERSAL_ATTACK] > 0
    sneaky = s.hand[p, Card.SNEAKY_ATTACK] > 0
    for q in range(s.seats):
        by_gossip = can_be_attacked(s, q, Card.GOSSIP)
        by_trap = can_be_attacked(s, q, Card.TRAP)
        if not (by_gossip or by_trap):
            continue
        for opening in range(OPENINGS):
            held = sneaky if opening >= 4 else universal
            if opening < 2:
                held = s.hand[p, opening] > 0
            if held and (by_gossip if opening % 2 == Card.GOSSIP else by_trap):
                out[n] = ATTACK + OPENINGS * q + opening
                n += 1
    if n == 0:
        out[n] = PASS
        n += 1
    return n


@rule
def legal_main(s, out):
    """Writes what attacker or attacked may add: a card of its side, or its character (SF-19)."""
    p = s.to_act
    out[0] = PASS
    n = 1
    ahead = is_ahead(s)
    if ahead and s.hand[p, Card.ENOUGH] > 0 and can_shut(s):
        out[n] = PLAY + Card.ENOUGH
        n += 1
    for k in range(3):
        card = wanted(s, k)
        if s.hand[p, card] > 0:
            out[n] = PLAY + card
            n += 1
    if ahead and s.hand[p, Card.STOP_IT] > 0:
        out[n] = PLAY + Card.STOP_IT
        n += 1
    if not ahead and s.hand[p, Card.ENOUGH] > 0 and can_shut(s):
        out[n] = PLAY + Card.ENOUGH
        n += 1
    if can_use_character(s, p) and character_fits(s, s.role[p]):
        out[n] = CHARACTER
        n += 1
    return n


@rule
def legal_help(s, out):
    """Writes the ways another seat may interfere: sneakily, or with a weasel (SF-22, SF-23)."""
    p = s.to_act
    out[0] = PASS
    n = 1
    if s.hand[p, wanted(s, 2)] > 0:
        out[n] = PLAY + wanted(s, 2)
        n += 1
    if s.hand[p, Card.WEASEL] > 0:
        for k in range(2):
            if s.hand[p, wanted(s, k)] > 0:
                out[n] = WEASEL_WITH + wanted(s, k)
                n += 1
        if is_ahead(s) and s.hand[p, Card.STOP_IT] > 0:
            out[n] = WEASEL_WITH + Card.STOP_IT
            n += 1
    return n


@rule
def legal_enough(s, out):
    """Writes pass, and enough is enough if the seat holds it (SF-25, SF-26)."""
    out[0] = PASS
    if s.hand[s.to_act, Card.ENOUGH] == 0:
        return 1
    out[1] = PLAY + Card.ENOUGH
    return 2


@rule
def legal_refill(s, out):
    """Writes the decks to draw up from (SF-11)."""
    n = 0
    for deck in range(2):
        if can_draw(s, deck):
            out[n] = DRAW + deck
            n += 1
    return n


@rule
def legal_discard(s, out):
    """Writes the kinds that can be discarded (SF-37)."""
    n = 0
    for card in range(KINDS):
        if s.hand[s.to_act, card] > 0:
            out[n] = THROW + card
            n += 1
    return n


@rule
def legal(s, out):
    """Writes the legal actions of the seat to act."""
    if s.phase == Phase.OPEN:
        return legal_open(s, out)
    if s.phase == Phase.HELP:
        return legal_help(s, out)
    if s.phase == Phase.ACT:
        return legal_act(s, out)
    if s.phase == Phase.DEFEND or s.phase == Phase.ADD:
        return legal_main(s, out)
    if s.phase == Phase.REFILL:
        return legal_refill(s, out)
    if s.phase == Phase.DISCARD:
        return legal_discard(s, out)
    return legal_enough(s, out)


# Effects of actions


@rule
def challenge(s, q):
    """Challenges a seat: it loses cards beyond 9, or wins one if it has fewer (SF-33)."""
    p = s.to_act
    s.dared |= 1 << q
    loser, taker, n = q, p, s.size[q] - MOST
    if n < 0:
        loser, taker, n = p, q, min(1, s.size[p])
    for _ in range(n):
        rob(s, loser, taker)


@rule
def trade(s, given, taken):
    """Discards two cards of a kind and takes another from the pile (SF-32)."""
    p = s.to_act
    for _ in range(2):
        leave(s, p, given)
        discard(s, given)
    s.discard[taken] -= 1
    s.discards[taken // HALF] -= 1
    s.hand[p, taken] += 1
    s.size[p] += 1
    all_learn(s, p, taken)


@rule
def apply_open(s, action):
    """Carries out an action of the open moment."""
    if action == READY:
        return NEXT_OPEN
    if action >= TRADE:
        trade(s, (action - TRADE) // KINDS, (action - TRADE) % KINDS)
    elif action >= CHALLENGE:
        challenge(s, action - CHALLENGE)
    else:
        leave(s, s.to_act, Card.DONT_CARE)
        s.shield[s.to_act] = 1
    return ASKED if can_do_something(s) else NEXT_OPEN


@rule
def apply_draw(s, deck):
    """Draws a card, as the action of a turn or to fill up the hand."""
    draw(s, s.to_act, deck)
    return TURN_ENDS if s.phase == Phase.ACT else SAME_LIMITS


@rule
def apply_pass(s):
    """Passes, and returns the next step."""
    if s.phase == Phase.HELP:
        return NEXT_HELPER
    if s.phase == Phase.SHUT:
        return HELPERS
    if s.phase == Phase.DEFEND or s.phase == Phase.ADD:
        return HURT
    return TURN_ENDS


@rule
def apply_throw(s, card):
    """Discards a card beyond the limit of two seats (SF-37)."""
    leave(s, s.to_act, card)
    discard(s, card)
    return SAME_LIMITS


@rule
def apply_play(s, action):
    """Plays a card into an attack, or opens one with it."""
    p = s.to_act
    card = action - PLAY
    if action >= WEASEL_WITH:
        # SF-22: the weasel only opens the door; it counts for neither side.
        leave(s, p, Card.WEASEL)
        s.played[p, Card.WEASEL] += 1
        s.keeps[p] = 0
        card = action - WEASEL_WITH
    elif action < PLAY:
        card = declare(s, (action - ATTACK) // OPENINGS, (action - ATTACK) % OPENINGS)
    return play_card(s, p, card)


@rule
def take_action(s, action):
    """Carries out an action and returns the next step."""
    if s.phase == Phase.OPEN:
        return apply_open(s, action)
    if action == PASS:
        return apply_pass(s)
    if action < CARE:
        return apply_draw(s, action - DRAW)
    if action >= THROW:
        return apply_throw(s, action - THROW)
    if action == CHARACTER:
        return play_character(s)
    return apply_play(s, action)


@rule
def apply(s, action):
    """Applies a legal action in place, then moves on to the next seat to act.

    Legality is the caller's duty; see Match.play.
    """
    step = take_action(s, action)
    if step == MAIN:
        step = ask_main(s)
    if step == HURT:
        step = ask_hurt(s)
    if step in (HELPERS, NEXT_HELPER):
        step = ask_helper(s, s.to_act if step == NEXT_HELPER else main_seat(s))
    if step == TURN_ENDS:
        step = end_turn(s)
    if step in (LIMITS, SAME_LIMITS):
        step = ask_limits(s, place_of(s, s.to_act) if step == SAME_LIMITS else 0)
    if step == TURN_BEGINS:
        step = begin_turn(s)
    if step in (OPENING, NEXT_OPEN):
        ask_open(s, place_of(s, s.to_act) + 1 if step == NEXT_OPEN else 0)


# The result


@rule
def scores(s, out):
    """Returns each seat's lives."""
    for p in range(s.seats):
        out[p] = lives(s, p)


@rule
def standing(s, p):
    """Combines what SF-41 compares: lives, then cards; with teams, of the whole team (SF-42)."""
    total = 0
    for q in range(s.seats):
        if is_in(s, q) and (q == p or (s.teams and team(s, q) == team(s, p))):
            total += MOST_CARDS * lives(s, q) + s.size[q]
    return total


@rule
def winners(s, out):
    """Marks all seats with the best result; an eliminated one wins with its team (SF-47)."""
    best = 0
    for p in range(s.seats):
        out[p] = standing(s, p)
        best = max(best, out[p])
    for p in range(s.seats):
        out[p] = 1 if out[p] == best else 0
