"""The Slyest Fox in words: notation, questions, the log, refusals, and the view for clients.

Everything here is made from a wiped state, as plain ints and lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from foxden.engine import compiled
from foxden.engine.kernel import Known, from_known
from foxden.engine.voice import Voice, counted, listed
from foxden.games.slyest_fox.rules import (
    ACTIONS,
    ATTACK,
    CARE,
    CHALLENGE,
    CHARACTER,
    DRAW,
    DUEL_LEAST,
    DUEL_MOST,
    HALF,
    KINDS,
    LEAST,
    LIVES,
    MOST,
    NOBODY,
    OPENINGS,
    PASS,
    PLAY,
    PUBLIC,
    QUIET_TURNS,
    READY,
    SOME,
    THROW,
    TRADE,
    WEASEL_WITH,
    Card,
    Deck,
    Phase,
    Role,
    State,
)

SLUGS = {
    Card.GOSSIP: "gossip",
    Card.TRAP: "trap",
    Card.UNIVERSAL_ATTACK: "universal-attack",
    Card.WEASEL: "weasel",
    Card.SNEAKY_ATTACK: "sneaky-attack",
    Card.ENOUGH: "enough",
    Card.FACTS: "facts",
    Card.CAUTION: "caution",
    Card.UNIVERSAL_DEFENCE: "universal-defence",
    Card.DONT_CARE: "dont-care",
    Card.SNEAKY_DEFENCE: "sneaky-defence",
    Card.STOP_IT: "stop-it",
}
NAMES = {card: slug.replace("-", " ") for card, slug in SLUGS.items()} | {
    Card.WEASEL: "nosey weasel",
    Card.ENOUGH: "enough is enough",
    Card.DONT_CARE: "I don't care",
}
DECKS = {Deck.ATTACK: "attack", Deck.DEFENCE: "defence"}
TYPES = ("gossip", "trap")
MARKS = ("gossiped", "in a trap")
CHARACTERS = {role: role.name.lower().replace("_", " ") for role in Role if role != Role.UNKNOWN}
OPENING_WORDS = (
    "gossip",
    "trap",
    "universal as gossip",
    "universal as trap",
    "sneaky as gossip",
    "sneaky as trap",
)
OPENING_CARDS = (
    Card.GOSSIP,
    Card.TRAP,
    Card.UNIVERSAL_ATTACK,
    Card.UNIVERSAL_ATTACK,
    Card.SNEAKY_ATTACK,
    Card.SNEAKY_ATTACK,
)
PHASE_NAMES = {phase: phase.name.lower() for phase in Phase}


# Notation


def notation(label: int) -> str:
    """Writes an action; seats are counted from 0, as in a record."""
    if label == PASS:
        return "pass"
    if label == READY:
        return "ready"
    if label < CARE:
        return f"draw {DECKS[Deck(label - DRAW)]}"
    if label == CARE:
        return "don't care"
    if label < TRADE:
        return f"challenge {label - CHALLENGE}"
    if label < ATTACK:
        given, taken = divmod(label - TRADE, KINDS)
        return f"trade {SLUGS[Card(given)]} for {SLUGS[Card(taken)]}"
    if label < PLAY:
        target, opening = divmod(label - ATTACK, OPENINGS)
        return f"attack {target} with {OPENING_WORDS[opening]}"
    if label < CHARACTER:
        return f"play {SLUGS[Card(label - PLAY)]}"
    if label == CHARACTER:
        return "play character"
    if label < THROW:
        return f"weasel + {SLUGS[Card(label - WEASEL_WITH)]}"
    return f"discard {SLUGS[Card(label - THROW)]}"


# What is on the table


def a(card: int) -> str:
    """Names a card with its article, where it takes one."""
    kind = Card(card)
    name = NAMES[kind]
    if kind in (Card.GOSSIP, Card.FACTS, Card.CAUTION, Card.ENOUGH, Card.STOP_IT):
        return name
    return f"an {name}" if name[0] in "Iaeo" else f"a {name}"


def cards(counts: list[int]) -> dict[str, int]:
    """Names the cards that a list by kind counts, leaving out what is not there."""
    return {SLUGS[card]: counts[card] for card in Card if counts[card]}


def listed_cards(counts: list[int]) -> str:
    """Lists the cards that a list by kind counts."""
    several = [f"{n} × {NAMES[card]}" if n > 1 else a(card) for card, n in _held(counts)]
    return listed(several)


def _held(counts: list[int]) -> list[tuple[Card, int]]:
    return [(card, counts[card]) for card in Card if counts[card] > 0]


def lives(known: Known, p: int) -> int:
    """Counts a seat's lives."""
    return int(LIVES - sum(known.marks[p]))


def is_in(known: Known, p: int) -> bool:
    """Returns whether a seat is still in the game."""
    return lives(known, p) > 0


def is_duel(known: Known) -> bool:
    """Returns whether two seats are left of more (SF-37)."""
    return bool(known.alive == 2 and known.seats > 2)


def is_ahead(known: Known) -> bool:
    """Returns whether the attack has more cards than the defence."""
    return bool(known.attacks > known.defences)


def character(known: Known, p: int) -> str | None:
    """Names a seat's character, where the viewer knows it."""
    return CHARACTERS.get(known.role[p])


def hand_known(known: Known, p: int, row: int) -> dict[str, Any]:
    """Lays out what is sure of a hand: kinds, and beyond these cards of a deck."""
    sure = known.known[p][row]
    return {
        "cards": cards(sure[:KINDS]),
        "attack": sure[SOME + Deck.ATTACK],
        "defence": sure[SOME + Deck.DEFENCE],
    }


def table(known: Known, seat: int) -> dict[str, Any]:
    """Lays out the table as the seat sees it."""
    duel = is_duel(known)
    attack = None
    if known.attacked != NOBODY:
        attack = {
            "by": known.on_turn,
            "target": known.attacked,
            "type": TYPES[known.type],
            "attacks": known.attacks,
            "defences": known.defences,
            "interfering_stopped": bool(known.closed),
            "stopped_by": None if known.stopper == NOBODY else known.stopper,
        }
    return {
        "phase": PHASE_NAMES[Phase(known.phase)],
        "starter": known.starter,
        "on_turn": known.on_turn,
        "duel": duel,
        "least": DUEL_LEAST if duel else LEAST,
        "most": DUEL_MOST if duel else MOST,
        "quiet_turns": known.quiet,
        "quiet_limit": QUIET_TURNS * known.seats,
        "challenged": [q for q in range(known.seats) if known.dared >> q & 1],
        "attack": attack,
        "decks": {name: known.deck_size[deck] for deck, name in DECKS.items()},
        "discards": {
            name: {
                SLUGS[card]: known.discard[card]
                for card in Card
                if card // HALF == deck and known.discard[card]
            }
            for deck, name in DECKS.items()
        },
        "set": _set(known),
        "seats": [_seat(known, p, seat) for p in range(known.seats)],
    }


def _set(known: Known) -> dict[str, int]:
    """Counts the cards that the table plays with, by kind (SF-1, SF-2, SF-48)."""
    big, more = known.seats > 2, bool(known.extension)
    left_out = {
        Card.WEASEL: not big,
        Card.DONT_CARE: not big,
        Card.SNEAKY_ATTACK: not more,
        Card.SNEAKY_DEFENCE: not more,
        Card.ENOUGH: big and not more,
        Card.STOP_IT: big and not more,
    }
    return {SLUGS[card]: known.printed[card] for card in Card if not left_out.get(card)}


def _seat(known: Known, p: int, viewer: int) -> dict[str, Any]:
    return {
        "lives": lives(known, p),
        "gossiped": known.marks[p][0],
        "trapped": known.marks[p][1],
        "eliminated": not is_in(known, p),
        "hand_size": known.size[p],
        "hand": cards(known.hand[p]) if p == viewer else None,
        "known": None if p == viewer else hand_known(known, p, viewer + 1),
        "public": hand_known(known, p, PUBLIC),
        "keeps_hand": bool(known.keeps[p]),
        "protected": bool(known.shield[p]),
        "may_not_protect": bool(known.barred[p]),
        "character": character(known, p),
        "character_open": bool(known.shown[p]),
        "character_used": bool(known.used[p]),
        "team": TYPES[known.role[p] // 2] if known.teams else None,
        "played": cards(known.played[p]),
    }


# Questions and answers


def question(known: Known, voice: Voice) -> str:
    """Says what is asked of whom."""
    if known.phase == Phase.OVER:
        return "The match is over."
    if known.to_act == voice.viewer:
        return _asked_of_you(known, voice)
    return f"Waiting for {voice.object(known.to_act)} to {_asked_of_another(known, voice)}."


def open_now(known: Known) -> list[int]:
    """Lists what the seat asked may do, by its own knowledge."""
    out = np.zeros(ACTIONS, np.int64)
    found: list[int] = out[: compiled.legal_of(from_known(known, State), 0, out)].tolist()
    return found


def _helped(known: Known) -> int:
    """Returns the seat that can be helped now."""
    return int(known.attacked if is_ahead(known) else known.on_turn)


def _balance(known: Known) -> str:
    return f"attack {known.attacks}, defence {known.defences}"


def _asked_of_you(known: Known, voice: Voice) -> str:
    """Asks the reader, and offers only what is possible."""
    phase, balance = known.phase, _balance(known)
    if phase == Phase.OPEN:
        return _asked_before_turn(known, voice)
    if phase == Phase.ACT:
        return _asked_to_act(known)
    if phase == Phase.DEFEND:
        who = voice.whose(known.on_turn)
        return f"Defend against {who} {TYPES[known.type]}, or pass? {balance.capitalize()}."
    if phase == Phase.ADD:
        whom = voice.object(known.attacked)
        return f"Add to your {TYPES[known.type]} against {whom}, or pass? {balance.capitalize()}."
    if phase == Phase.SHUT:
        return f"Stop all interfering with enough is enough? {balance.capitalize()}."
    if phase == Phase.HELP:
        return f"Help {voice.object(_helped(known))}? {balance.capitalize()}."
    if phase == Phase.ANSWER:
        return f"Answer {voice.whose(known.stopper)} stop it with enough is enough?"
    if phase == Phase.REFILL:
        return f"Draw until you hold {DUEL_LEAST if is_duel(known) else LEAST} cards."
    return f"Discard until you hold {DUEL_MOST} cards."


def _asked_before_turn(known: Known, voice: Voice) -> str:
    """Asks for anything that the reader can do before a turn."""
    open_actions = open_now(known)
    ways = [
        *["play I don't care"] * (CARE in open_actions),
        *["trade cards"] * any(TRADE <= action < ATTACK for action in open_actions),
        *["challenge someone"] * any(CHALLENGE <= action < TRADE for action in open_actions),
    ]
    whose = voice.whose(known.on_turn)
    if not ways:
        return f"Nothing to do before {whose} turn. Ready?"
    *most, last = ways
    listing = f"{', '.join(most)} or {last}" if most else last
    return f"Anything before {whose} turn? You may {listing}. If not: Ready."


def _asked_to_act(known: Known) -> str:
    open_actions = open_now(known)
    ways = [
        *["draw a card"] * any(DRAW <= action < CARE for action in open_actions),
        *["attack someone"] * any(ATTACK <= action < PLAY for action in open_actions),
    ]
    return " or ".join(ways or ["pass"]).capitalize() + "."


def _asked_of_another(known: Known, voice: Voice) -> str:
    phase, balance = known.phase, _balance(known)
    if phase == Phase.OPEN:
        return f"be ready for {voice.whose(known.on_turn)} turn"
    if phase == Phase.ACT:
        return "draw or attack"
    if phase == Phase.DEFEND:
        return f"defend against {voice.whose(known.on_turn)} {TYPES[known.type]} ({balance})"
    if phase == Phase.ADD:
        return f"add to the {TYPES[known.type]} against {voice.object(known.attacked)} ({balance})"
    if phase == Phase.SHUT:
        return f"stop all interfering, or not ({balance})"
    if phase == Phase.HELP:
        return f"help {voice.object(_helped(known))}, or not ({balance})"
    if phase == Phase.ANSWER:
        return f"answer {voice.whose(known.stopper)} stop it, or not"
    if phase == Phase.REFILL:
        return f"draw up to {DUEL_LEAST if is_duel(known) else LEAST} cards"
    return f"discard down to {DUEL_MOST} cards"


def explain(known: Known, action: int, voice: Voice) -> str:
    """Says what a legal action does."""
    if action == PASS:
        return _explain_pass(known, voice)
    if action == READY:
        return "Ready: do nothing more before this turn."
    if action < CARE:
        deck = DECKS[Deck(action - DRAW)]
        empty = known.deck_size[action - DRAW] == 0
        return f"Draw a card from the {deck} deck{', reshuffled from its discards' * empty}."
    if action == CARE:
        return "Play I don't care: nobody can attack you until your next turn."
    if action < TRADE:
        who = voice.object(action - CHALLENGE)
        return (
            f"Challenge {who}: you take every card beyond {MOST}, "
            f"but lose one of yours if there are fewer than {MOST}."
        )
    if action < ATTACK:
        given, taken = divmod(action - TRADE, KINDS)
        return f"Trade two {NAMES[Card(given)]} cards for {a(taken)} from the discard pile."
    if action < PLAY:
        target, opening = divmod(action - ATTACK, OPENINGS)
        return f"Attack {voice.object(target)} with {_opening(opening)}."
    if action == CHARACTER:
        return (
            f"Use your character, the {character(known, known.to_act)}, as {_character_as(known)}."
        )
    if action < CHARACTER:
        return _explain_play(known, action - PLAY)
    if action < THROW:
        card = action - WEASEL_WITH
        if card == Card.STOP_IT:
            return "Interfere with a nosey weasel and stop it: the attack ends."
        return f"Interfere with a nosey weasel and {a(card)}."
    return f"Discard {a(action - THROW)}."


def _opening(opening: int) -> str:
    card = a(OPENING_CARDS[opening])
    return card if opening < 2 else f"{card} as {TYPES[opening % 2]}"


def _character_as(known: Known) -> str:
    return NAMES[Card((HALF if is_ahead(known) else 0) + known.type)]


def _explain_play(known: Known, card: int) -> str:
    if card == Card.STOP_IT:
        return "Play stop it: the attack ends, unless the attacker plays enough is enough."
    if card == Card.ENOUGH:
        if known.phase == Phase.ANSWER:
            return "Play enough is enough: the attack goes on as if there had been no stop it."
        return "Play enough is enough: nobody may interfere any more this turn."
    return f"Play {a(card)} for the {'defence' if card >= HALF else 'attack'}."


def _explain_pass(known: Known, voice: Voice) -> str:
    if known.phase == Phase.ACT:
        return "Pass: there is nothing to draw and nobody to attack."
    if known.phase == Phase.DEFEND:
        return "Pass: add nothing to your defence."
    if known.phase == Phase.ADD:
        return "Pass: add nothing to the attack."
    if known.phase == Phase.ANSWER:
        return "Pass: the attack is stopped, and your turn ends."
    if known.phase == Phase.SHUT:
        return "Pass: let the others interfere."
    return "Pass: stay out of it."


# Refusals


def refuse(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Says why an action is not legal, and by which rule."""
    if known.phase == Phase.OPEN:
        return _refuse_open(known, action, voice)
    if known.phase == Phase.ACT:
        return _refuse_act(known, action, voice)
    if known.phase == Phase.REFILL:
        if DRAW <= action < CARE:
            return _empty(action)
        return "the turn is over: draw up your hand first", "SF-11"
    if known.phase == Phase.DISCARD:
        if action >= THROW:
            return _lacks(action - THROW), "SF-37"
        return f"with two players left you hold at most {DUEL_MOST} cards: discard first", "SF-37"
    return _refuse_in_attack(known, action, voice)


def _lacks(card: int) -> str:
    return f"you have no {NAMES[Card(card)]} in your hand"


def _empty(action: int) -> tuple[str, str]:
    deck = DECKS[Deck(action - DRAW)]
    return f"the {deck} deck and its discard pile are both empty", "SF-10"


def _refuse_open(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    me = known.to_act
    if action == PASS:
        return "say ready when you are done", "SF-30"
    if action == CARE:
        if known.shield[me]:
            return "you already have an I don't care in front of you", "SF-31"
        if known.barred[me]:
            return "your protection has just ended; wait until your next turn", "SF-31"
        return _lacks(Card.DONT_CARE), "SF-31"
    if CHALLENGE <= action < TRADE:
        return _refuse_challenge(known, action - CHALLENGE, voice)
    if TRADE <= action < ATTACK:
        given, taken = divmod(action - TRADE, KINDS)
        if given // HALF != taken // HALF:
            return "cards are traded within one deck only", "SF-32"
        if known.hand[me][given] < 2:
            return f"a trade takes two {NAMES[Card(given)]} cards of yours", "SF-32"
        return f"there is no {NAMES[Card(taken)]} in the discard pile", "SF-32"
    if action < CARE or ATTACK <= action < PLAY:
        return "draw or attack when everyone is ready", "SF-8"
    if action == CHARACTER:
        return "a character is used in an attack, and none is on", "SF-17"
    if WEASEL_WITH <= action < THROW:
        return "there is no attack to interfere with", "SF-22"
    if action >= THROW:
        return "nobody has to discard now", "SF-37"
    return "no attack is on, so that card is of no use now", "SF-30"


def _refuse_challenge(known: Known, q: int, voice: Voice) -> tuple[str, str]:
    if q >= known.seats:
        return f"there is no seat {q}", "SF-33"
    if q == known.to_act:
        return "you cannot challenge yourself", "SF-33"
    if is_duel(known):
        return "with two players left there are no challenges", "SF-37"
    if not is_in(known, q):
        return f"{voice.object(q)} is eliminated", "SF-30"
    return f"you have already challenged {voice.object(q)} before this turn", "SF-34"


def _refuse_act(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    if action == PASS:
        return "you can pass only if you can neither draw nor attack", "SF-10"
    if action == READY or CARE <= action < ATTACK:
        return "it is too late for that; draw or attack", "SF-30"
    if action < CARE:
        return _empty(action)
    if action < PLAY:
        return _refuse_attack(known, *divmod(action - ATTACK, OPENINGS), voice)
    if action < CHARACTER:
        return "say whom you attack", "SF-13"
    if action == CHARACTER:
        return "a character cannot begin an attack", "SF-13"
    if action < THROW:
        return "a weasel is for other players' turns", "SF-22"
    return "nobody has to discard now", "SF-37"


def _refuse_attack(known: Known, q: int, opening: int, voice: Voice) -> tuple[str, str]:
    kind = opening % 2
    if q >= known.seats:
        return f"there is no seat {q}", "SF-9"
    if q == known.to_act:
        return "you cannot attack yourself", "SF-9"
    who = voice.object(q)
    if not is_in(known, q):
        return f"{who} is eliminated", "SF-14"
    if known.teams and known.role[q] // 2 == known.role[known.to_act] // 2:
        return f"{who} is on your team", "SF-47"
    if known.shield[q]:
        return f"{who} is protected by I don't care", "SF-14"
    if known.marks[q][kind] >= 2:
        return f"{who} is already {MARKS[kind]} twice; only the other type works", "SF-14"
    return _lacks(OPENING_CARDS[opening]), "SF-13"


def _refuse_in_attack(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    if action == READY:
        return "an attack is on: answer it or pass", "SF-19"
    if action < CARE or ATTACK <= action < PLAY:
        return "an attack is already on this turn", "SF-9"
    if action == CARE:
        return "I don't care cannot be played during an attack", "SF-31"
    if action < TRADE:
        return "challenges come before a turn, not during an attack", "SF-33"
    if action < ATTACK:
        return "nobody trades during an attack", "SF-32"
    if action >= THROW:
        return "nobody has to discard now", "SF-37"
    if known.phase == Phase.ANSWER:
        if action == PLAY + Card.ENOUGH:
            return _lacks(Card.ENOUGH), "SF-25"
        return "only enough is enough answers a stop it", "SF-25"
    if known.phase == Phase.SHUT:
        if action == PLAY + Card.ENOUGH:
            return _lacks(Card.ENOUGH), "SF-26"
        return "only enough is enough can be played now", "SF-26"
    if known.phase == Phase.HELP:
        return _refuse_help(known, action)
    return _refuse_main(known, action, voice)


def _refuse_main(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Refuses what attacker or attacked cannot add."""
    side = "SF-16" if is_ahead(known) else "SF-15"
    if action >= WEASEL_WITH:
        return "attacker and attacked need no weasel; it is for the others", "SF-22"
    if action == CHARACTER:
        if is_duel(known):
            return "with two players left characters cannot be used", "SF-37"
        if known.used[known.to_act]:
            return "a character is used once a turn", "SF-17"
        name = character(known, known.to_act)
        return f"the {name} cannot be {_character_as(known)}", side
    card = Card(action - PLAY)
    if card == Card.WEASEL:
        return "attacker and attacked need no weasel; it is for the others", "SF-22"
    if card == Card.DONT_CARE:
        return "I don't care cannot be played during an attack", "SF-31"
    if card == Card.ENOUGH:
        if known.closed:
            return "interfering is already stopped", "SF-26"
        if not _could_help(known):
            return "there is nobody who could interfere", "SF-26"
        return _lacks(card), "SF-26"
    if card == Card.STOP_IT:
        if is_ahead(known):
            return _lacks(card), "SF-25"
        return "stop it is for the defence, when it is asked", "SF-25"
    if (card >= HALF) != is_ahead(known):
        return f"only {'defence' if is_ahead(known) else 'attack'} cards can be played now", side
    if card % HALF != known.type and card % HALF < 2:
        against = "does not help against" if is_ahead(known) else "does not mix with"
        return f"{NAMES[card]} {against} {TYPES[known.type]}", side
    return _lacks(card), side


def _could_help(known: Known) -> bool:
    others = set(range(known.seats)) - {known.on_turn, known.attacked}
    return any(known.size[q] for q in others)


def _refuse_help(known: Known, action: int) -> tuple[str, str]:
    """Refuses what a seat that interferes cannot do."""
    if action == CHARACTER:
        return "you cannot interfere with a character", "SF-22"
    with_weasel = action >= WEASEL_WITH
    card = Card(action - (WEASEL_WITH if with_weasel else PLAY))
    sneaky = card in (Card.SNEAKY_ATTACK, Card.SNEAKY_DEFENCE)
    side = "defence" if is_ahead(known) else "attack"
    if card == Card.ENOUGH:
        return "enough is enough is for attacker and attacked", "SF-26"
    if sneaky and with_weasel:
        return "a sneaky card is played without a weasel", "SF-23"
    if (card >= HALF) != is_ahead(known):
        if card == Card.STOP_IT:
            return "stop it is for the defence, when it is asked", "SF-25"
        return f"only the {side} can be helped now", "SF-19"
    if sneaky:
        return _lacks(card), "SF-23"
    if not with_weasel:
        return "to interfere, play a nosey weasel together with the card", "SF-22"
    if not known.hand[known.to_act][Card.WEASEL]:
        return _lacks(Card.WEASEL), "SF-22"
    if card in (Card.WEASEL, Card.DONT_CARE):
        return f"{NAMES[card]} is neither attack nor defence", "SF-22"
    if card % HALF != known.type and card % HALF < 2:
        return f"{NAMES[card]} does not fit {TYPES[known.type]}", "SF-22"
    return _lacks(card), "SF-25" if card == Card.STOP_IT else "SF-22"


# The log


def tell(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells what happened, in sentences."""
    return [
        _tell_action(before, label, after, voice),
        *_tell_cards(before, label, after, voice),
        *_tell_attack(before, label, after, voice),
        *_tell_kept(before, label, after, voice),
        *_tell_turn(before, after, voice),
        *_tell_end(after, voice),
    ]


def _tell_action(before: Known, label: int, after: Known, voice: Voice) -> str:
    p = before.to_act
    if label == PASS:
        return f"{voice.does(p, 'passes', 'pass')}."
    if label == READY:
        return f"{voice.does(p, 'is', 'are')} ready."
    if label < CARE:
        deck = DECKS[Deck(label - DRAW)]
        formed = before.deck_size[label - DRAW] == 0
        fresh = ", reshuffled from its discard pile" if formed else ""
        return f"{voice.does(p, 'draws')} a card from the {deck} deck{fresh}."
    if label == CARE:
        plays = voice.does(p, "plays")
        until = f"until {'your' if p == voice.viewer else 'their'} next turn"
        return f"{plays} I don't care: nobody can attack {voice.object(p)} {until}."
    if label < TRADE:
        return _tell_challenge(before, label - CHALLENGE, voice)
    if label < ATTACK:
        given, taken = divmod(label - TRADE, KINDS)
        return f"{voice.does(p, 'trades')} two {NAMES[Card(given)]} cards for {a(taken)}."
    if label < PLAY:
        target, opening = divmod(label - ATTACK, OPENINGS)
        return f"{voice.does(p, 'attacks')} {voice.object(target)} with {_opening(opening)}."
    if label == CHARACTER:
        shows = "uses" if before.shown[p] else "turns up"
        yours = "use" if before.shown[p] else "turn up"
        whose = "your" if p == voice.viewer else "the"
        who = voice.does(p, shows, yours)
        return f"{who} {whose} {character(after, p)} as {_character_as(before)}."
    if label < CHARACTER:
        return f"{voice.does(p, 'plays')} {a(label - PLAY)}{_effect(before, label - PLAY, voice)}."
    if label < THROW:
        card = label - WEASEL_WITH
        return (
            f"{voice.does(p, 'interferes')} with a nosey weasel and {a(card)}"
            f"{_effect(before, card, voice)}."
        )
    return f"{voice.does(p, 'discards')} {a(label - THROW)}."


def _effect(before: Known, card: int, voice: Voice) -> str:
    if card != Card.ENOUGH:
        return ""
    if before.phase == Phase.ANSWER:
        return f": {voice.whose(before.stopper)} stop it is undone"
    return ": nobody may interfere any more this turn"


def _tell_challenge(before: Known, q: int, voice: Voice) -> str:
    p = before.to_act
    size = before.size[q]
    opening = f"{voice.does(p, 'challenges', 'challenge')} {voice.object(q)}, who"
    opening += f" {'hold' if q == voice.viewer else 'holds'} {counted(size, 'card')}"
    if size > MOST:
        return f"{opening}, and {'take' if p == voice.viewer else 'takes'} {size - MOST} of them."
    if size == MOST:
        return f"{opening}: nothing happens."
    if before.size[p] == 0:
        return (
            f"{opening}, but has no card to lose."
            if p != voice.viewer
            else (f"{opening}, but have no card to lose.")
        )
    return f"{opening}, and {'lose' if p == voice.viewer else 'loses'} a card."


def _tell_cards(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells the viewer which cards it drew, took or lost unseen by others."""
    me = voice.viewer
    if me < 0 or not (DRAW <= label < CARE or CHALLENGE <= label < TRADE):
        return []
    gained = [after.hand[me][card] - before.hand[me][card] for card in range(KINDS)]
    lost = [-n for n in gained]
    verb = "draw" if label < CARE else "take"
    lines = []
    if any(n > 0 for n in gained):
        lines.append(f"You {verb} {listed_cards(gained)}.")
    if any(n > 0 for n in lost):
        lines.append(f"You lose {listed_cards(lost)}.")
    return lines


def _tell_attack(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells how an attack ended, if it did."""
    began = ATTACK <= label < PLAY
    if after.attacked != NOBODY or not (began or before.attacked != NOBODY):
        return []
    target, kind = before.attacked, before.type
    if began:
        target, opening = divmod(label - ATTACK, OPENINGS)
        kind = opening % 2
    if after.marks[target][kind] == before.marks[target][kind]:
        if before.phase == Phase.ANSWER or label in (
            PLAY + Card.STOP_IT,
            WEASEL_WITH + Card.STOP_IT,
        ):
            return ["The attack is stopped; no life is lost."]
        return ["The attack fails."]
    left = lives(after, target)
    verb = "are" if target == voice.viewer else "is"
    lost = f"The attack succeeds: {voice.object(target)} {verb} {MARKS[kind]}"
    if left > 0:
        return [f"{lost}, with {counted(left, 'life', 'lives')} left."]
    lines = [f"{lost} and out of the game."]
    if not before.shown[target]:
        lines.append(f"{voice.does(target, 'was', 'were')} the {character(after, target)}.")
    if after.size[target]:
        held = counted(after.size[target], "card")
        lines.append(f"{voice.does(target, 'keeps')} {held} to interfere with.")
    if is_duel(after) and after.phase != Phase.OVER:
        lines.append(
            f"Two are left: {DUEL_LEAST} to {DUEL_MOST} cards, no characters, no challenges."
        )
    return lines


def _tell_kept(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells which eliminated seats lay their cards down."""
    lines = []
    for p in range(after.seats):
        if is_in(after, p) or after.size[p]:
            continue
        left = before.size[p]
        if p == before.to_act and label >= ATTACK:
            left -= 2 if label >= WEASEL_WITH else 0 if label == CHARACTER else 1
        if left > 0:
            lines.append(
                f"{voice.does(p, 'lays', 'lay')} {counted(left, 'card')} on the discard piles."
            )
    return lines


def _tell_turn(before: Known, after: Known, voice: Voice) -> list[str]:
    """Tells whose turn begins."""
    if after.phase == Phase.OVER or after.on_turn == before.on_turn:
        return []
    p = after.on_turn
    ended = ", and the protection ends" if before.shield[p] and not after.shield[p] else ""
    whose = "Your" if p == voice.viewer else voice.whose(p)
    return [f"{whose} turn begins{ended}."]


def standings(known: Known) -> list[tuple[int, int]]:
    """Returns what SF-41 counts for each seat: lives, then cards; with teams, of the whole team."""
    sums = []
    for p in range(known.seats):
        side = [
            q
            for q in range(known.seats)
            if is_in(known, q)
            and (q == p or (known.teams and known.role[q] // 2 == known.role[p] // 2))
        ]
        sums.append((sum(lives(known, q) for q in side), sum(known.size[q] for q in side)))
    return sums


def _tell_end(after: Known, voice: Voice) -> list[str]:
    if after.phase != Phase.OVER:
        return []
    standing = standings(after)
    best = [p for p in range(after.seats) if standing[p] == max(standing)]
    who = voice.names_of(best)
    verb = "wins" if len(best) == 1 and best[0] != voice.viewer else "win"
    left, held = max(standing)
    why = "The match is over."
    if after.quiet >= QUIET_TURNS * after.seats:
        why = "Nobody has lost a life for too long."
    count = f"{counted(left, 'life', 'lives')} and {counted(held, 'card')}"
    return [f"{why} {who} {verb}{' together' * (len(best) > 1)} with {count}."]


def tally(known: Known) -> list[list[tuple[str, int]]]:
    """Explains each score: the lives at the start less those lost."""
    return [
        [("lives", LIVES), ("gossiped", -known.marks[p][0]), ("in a trap", -known.marks[p][1])]
        for p in range(known.seats)
    ]


def rules_now(known: Known) -> tuple[str, ...]:
    """Names the rules that bear on the present decision."""
    return {
        Phase.OPEN: ("SF-30", "SF-31", "SF-32", "SF-33"),
        Phase.ACT: ("SF-9", "SF-13", "SF-14"),
        Phase.DEFEND: ("SF-16", "SF-17", "SF-19", "SF-25"),
        Phase.ADD: ("SF-15", "SF-17", "SF-19"),
        Phase.SHUT: ("SF-26",),
        Phase.HELP: ("SF-22", "SF-23", "SF-19"),
        Phase.ANSWER: ("SF-25",),
        Phase.REFILL: ("SF-11",),
        Phase.DISCARD: ("SF-37",),
        Phase.OVER: ("SF-40", "SF-41", "SF-47"),
    }[Phase(known.phase)]
