"""A greedy player of The Slyest Fox: counts its own cards, without lookahead.

It attacks whoever is closest to elimination, spends more on a defence the fewer lives it has,
protects itself when it can, and interferes if its own side gains.
"""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.engine.rng import below
from foxden.games.slyest_fox.rules import (
    ATTACK,
    CARE,
    CHALLENGE,
    CHARACTER,
    DRAW,
    HALF,
    KINDS,
    LIVES,
    MOST,
    OPENINGS,
    PASS,
    PLAY,
    READY,
    THROW,
    TRADE,
    WEASEL_WITH,
    Card,
    Deck,
    Ending,
    Phase,
    can_draw,
    is_ahead,
    is_duel,
    is_in,
    lives,
    team,
    wanted,
)


@rule
def greedy(s, legal, n):
    """Chooses for the seat to act, from what that seat knows."""
    if n == 1:
        return legal[0]
    if s.phase == Phase.OPEN:
        return in_the_open(s, legal, n)
    if s.phase == Phase.ACT:
        return attack_or_draw(s, legal, n)
    if s.phase == Phase.DEFEND:
        return defend(s, legal, n)
    if s.phase == Phase.ADD:
        return go_on(s, legal, n)
    if s.phase == Phase.SHUT:
        # Worth a card if somebody's last life is at stake.
        return legal[1] if lives(s, s.attacked) == 1 else PASS
    if s.phase == Phase.HELP:
        return interfere(s, legal, n)
    if s.phase == Phase.ANSWER:
        return legal[1]
    if s.phase == Phase.REFILL:
        return draw_from(s)
    return throw_away(s)


@rule
def is_open(legal, n, action):
    """Returns whether an action is among the legal ones."""
    found = False
    for k in range(n):
        found |= legal[k] == action
    return found


@rule
def in_the_open(s, legal, n):
    """Protects itself, challenges full hands, and trades useless attack cards."""
    if is_open(legal, n, CARE):
        return CARE
    for q in range(s.seats):
        if s.size[q] > MOST and is_open(legal, n, CHALLENGE + q):
            return CHALLENGE + q
    for given in range(Card.GOSSIP, Card.WEASEL + 1):
        if s.hand[s.to_act, given] >= 2 and is_idle(s, given):
            for taken in range(Card.UNIVERSAL_ATTACK, Card.GOSSIP - 1, -1):
                swap = TRADE + KINDS * given + taken
                if not is_idle(s, taken) and is_open(legal, n, swap):
                    return swap
    return READY


@rule
def is_idle(s, card):
    """Returns whether an attack card is of little use: a lone fox's weasel, a type nobody fears."""
    if card == Card.WEASEL:
        return s.teams == 0
    if card == Card.UNIVERSAL_ATTACK:
        return False
    idle = True
    for q in range(s.seats):
        if q != s.to_act and is_in(s, q) and s.marks[q, card] < 2:
            idle = False
    return idle


@rule
def strength(s, p, type):
    """Counts the cards of p that can attack with a type, its character included."""
    n = s.hand[p, type] + s.hand[p, Card.UNIVERSAL_ATTACK] + s.hand[p, Card.SNEAKY_ATTACK]
    if s.role[p] // 2 == type and not is_duel(s):
        n += 1
    return n


@rule
def attack_or_draw(s, legal, n):
    """Attacks whoever is closest to elimination, if the hand can follow up; else draws."""
    p = s.to_act
    best = PASS + 0
    most = -1000
    for k in range(n):
        if legal[k] < ATTACK:
            continue
        target = (legal[k] - ATTACK) // OPENINGS
        opening = (legal[k] - ATTACK) % OPENINGS
        force = strength(s, p, opening % 2)
        if force < 2 and s.size[target] > 2 and s.size[p] < MOST and can_draw(s, Deck.ATTACK):
            continue
        worth = 40 * (LIVES - lives(s, target)) + 12 * force - 4 * s.size[target]
        # Open with a plain card before a universal one, and a universal before a sneaky one.
        worth = 4 * worth - 3 * (opening // 2) + below(s, 3)
        if worth > most:
            most = worth
            best = legal[k]
    if best == PASS:
        return draw_from(s)
    return best


@rule
def draw_from(s):
    """Draws from the deck of which the hand has fewer cards."""
    attack = 0
    for card in range(HALF):
        attack += s.hand[s.to_act, card]
    first = Deck.ATTACK if 2 * attack <= s.size[s.to_act] else Deck.DEFENCE
    if not can_draw(s, first):
        return DRAW + 1 - first
    return DRAW + first


@rule
def defend(s, legal, n):
    """Defends with the cheapest card; uses expensive ones only for the last lives."""
    left = lives(s, s.to_act)
    if is_open(legal, n, CHARACTER):
        return CHARACTER
    for k in range(3):
        if s.hand[s.to_act, wanted(s, k)] > 0 and left + k <= LIVES:
            return PLAY + wanted(s, k)
    if left == 1 and s.hand[s.to_act, Card.STOP_IT] > 0:
        return PLAY + Card.STOP_IT
    return PASS


@rule
def go_on(s, legal, n):
    """Adds the cheapest card to the attack; expensive ones the closer a life is to the last."""
    left = lives(s, s.attacked)
    if is_open(legal, n, CHARACTER):
        return CHARACTER
    for k in range(3):
        if s.hand[s.to_act, wanted(s, k)] > 0 and left + k <= LIVES:
            return PLAY + wanted(s, k)
    return PASS


@rule
def gains(s):
    """Returns whether the seat to act gains by helping the side that can be helped now."""
    p = s.to_act
    left = lives(s, s.attacked)
    if s.teams:
        return team(s, p) == team(s, s.attacked if is_ahead(s) else s.on_turn)
    if s.ending == Ending.FIRST_VICTIM:
        # The match ends with the first elimination, so force it only when ahead.
        leads = True
        for q in range(s.seats):
            if q != p and is_in(s, q) and lives(s, q) >= lives(s, p):
                leads = False
        return left == 1 and leads != is_ahead(s)
    return is_in(s, p) and not is_ahead(s) and (left == 1 or left > lives(s, p))


@rule
def interfere(s, legal, n):
    """Helps where it gains; in team play, saves the last weasel for a last life of its side."""
    p = s.to_act
    if not gains(s):
        return PASS
    if s.hand[p, wanted(s, 2)] > 0:
        return PLAY + wanted(s, 2)
    if s.teams and s.hand[p, Card.WEASEL] == 1 and lives(s, s.attacked) > 1:
        return PASS
    for k in range(2):
        if is_open(legal, n, WEASEL_WITH + wanted(s, k)):
            return WEASEL_WITH + wanted(s, k)
    return legal[n - 1]


@rule
def throw_away(s):
    """Discards weasels first, which two seats alone hardly need, then the most common card."""
    p = s.to_act
    if s.hand[p, Card.WEASEL] > 0:
        return THROW + Card.WEASEL
    most = 0
    for card in range(KINDS):
        if s.hand[p, card] > s.hand[p, most]:
            most = card
    return THROW + most
