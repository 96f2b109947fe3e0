"""The Slyest Fox in words: notation, questions, the log, refusals.

Everything here is made from a wiped state or from events, which are made from one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from foxden.engine.kernel import Known
from foxden.engine.voice import Voice, counted, listed
from foxden.games.slyest_fox.rules import (
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
    OPENINGS,
    PASS,
    PLAY,
    READY,
    THROW,
    TRADE,
    WEASEL_WITH,
    Card,
    Phase,
)
from foxden.games.slyest_fox.view import (
    CARDS,
    DECKS,
    OPENING_CARDS,
    TYPES,
    AttackBegan,
    AttackEnded,
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    CardsTaken,
    CardsTraded,
    Challenged,
    CharacterShown,
    CharacterUsed,
    DeckReshuffled,
    DuelBegan,
    Events,
    HandKept,
    HandsLaidDown,
    InterferingStopped,
    Kind,
    MatchEnded,
    Passed,
    ProtectionBegan,
    ProtectionEnded,
    SaidReady,
    StopUndone,
    TurnBegan,
    Type,
    character,
    character_as,
    is_ahead,
    is_duel,
    is_in,
)

NAMES: dict[Kind, str] = {kind: kind.replace("-", " ") for kind in CARDS} | {
    "weasel": "nosey weasel",
    "enough": "enough is enough",
    "dont-care": "I don't care",
}
MARKS: dict[Type, str] = {"gossip": "gossiped", "trap": "in a trap"}
OPENING_WORDS = (
    "gossip",
    "trap",
    "universal as gossip",
    "universal as trap",
    "sneaky as gossip",
    "sneaky as trap",
)


# Notation


def notation(label: int) -> str:
    """Writes an action; seats are counted from 0, as in a record."""
    if label == PASS:
        return "pass"
    if label == READY:
        return "ready"
    if label < CARE:
        return f"draw {DECKS[label - DRAW]}"
    if label == CARE:
        return "don't care"
    if label < TRADE:
        return f"challenge {label - CHALLENGE}"
    if label < ATTACK:
        given, taken = divmod(label - TRADE, KINDS)
        return f"trade {CARDS[given]} for {CARDS[taken]}"
    if label < PLAY:
        target, opening = divmod(label - ATTACK, OPENINGS)
        return f"attack {target} with {OPENING_WORDS[opening]}"
    if label < CHARACTER:
        return f"play {CARDS[label - PLAY]}"
    if label == CHARACTER:
        return "play character"
    if label < THROW:
        return f"weasel + {CARDS[label - WEASEL_WITH]}"
    return f"discard {CARDS[label - THROW]}"


def a(kind: Kind) -> str:
    """Names a card with its article, where it takes one."""
    name = NAMES[kind]
    if kind in ("gossip", "facts", "caution", "enough", "stop-it"):
        return name
    return f"an {name}" if name[0] in "Iaeo" else f"a {name}"


# Questions and answers


def question(known: Known, voice: Voice) -> str:
    """Returns the current question."""
    if known.phase == Phase.OVER:
        return "The match is over."
    if known.to_act == voice.viewer:
        return _asked_of_you(known, voice)
    return f"Waiting for {voice.object(known.to_act)} to {_asked_of_another(known, voice)}."


def _helped(known: Known) -> int:
    """Returns the seat that can be helped now."""
    return int(known.attacked if is_ahead(known) else known.on_turn)


def _balance(known: Known) -> str:
    return f"attack {known.attacks}, defence {known.defences}"


def _asked_of_you(known: Known, voice: Voice) -> str:
    """Asks the reader, offering only what is possible."""
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


def can_challenge(known: Known, q: int) -> bool:
    """Returns whether the seat to act may challenge q before this turn (SF-30, SF-34, SF-37)."""
    return q != known.to_act and is_in(known, q) and not (known.dared >> q & 1 or is_duel(known))


def can_be_attacked(known: Known, q: int, kind: int) -> bool:
    """Returns whether the seat on turn may attack q with that type (SF-14, SF-47)."""
    by = known.on_turn
    return (
        q != by
        and is_in(known, q)
        and not known.shield[q]
        and known.marks[q][kind] < 2
        and not (known.teams and known.role[q] // 2 == known.role[by] // 2)
    )


def _asked_before_turn(known: Known, voice: Voice) -> str:
    """Asks the reader for an action before a turn."""
    me, hand = known.to_act, known.hand[known.to_act]
    ways = []
    if hand[Card.DONT_CARE] and not known.shield[me] and not known.barred >> me & 1:
        ways.append("play I don't care")
    if any(n >= 2 and known.discards[card // HALF] for card, n in enumerate(hand)):
        ways.append("trade cards")
    if any(can_challenge(known, q) for q in range(known.seats)):
        ways.append("challenge someone")
    whose = voice.whose(known.on_turn)
    if not ways:
        return f"Nothing to do before {whose} turn. Ready?"
    *most, last = ways
    listing = f"{', '.join(most)} or {last}" if most else last
    return f"Anything before {whose} turn? You may {listing}. If not: Ready."


def _asked_to_act(known: Known) -> str:
    """Asks the reader for the action of a turn."""
    hand = known.hand[known.to_act]
    ways = []
    if any(known.deck_size) or any(known.discards):
        ways.append("draw a card")
    held = {opening % 2 for opening, card in enumerate(OPENING_CARDS) if hand[card]}
    if any(can_be_attacked(known, q, kind) for kind in held for q in range(known.seats)):
        ways.append("attack someone")
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
    """Explains a legal action."""
    if action == PASS:
        return _explain_pass(known, voice)
    if action == READY:
        return "Ready: do nothing more before this turn."
    if action < CARE:
        deck = DECKS[action - DRAW]
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
        return f"Trade two {NAMES[CARDS[given]]} cards for {a(CARDS[taken])} from the discard pile."
    if action < PLAY:
        target, opening = divmod(action - ATTACK, OPENINGS)
        return f"Attack {voice.object(target)} with {_opening(opening)}."
    if action == CHARACTER:
        name = character(known, known.to_act)
        return f"Use your character, the {name}, as {NAMES[character_as(known)]}."
    if action < CHARACTER:
        return _explain_play(known, action - PLAY)
    if action < THROW:
        card = action - WEASEL_WITH
        if card == Card.STOP_IT:
            return "Interfere with a nosey weasel and stop it: the attack ends."
        return f"Interfere with a nosey weasel and {a(CARDS[card])}."
    return f"Discard {a(CARDS[action - THROW])}."


def _opening(opening: int) -> str:
    card = a(CARDS[OPENING_CARDS[opening]])
    return card if opening < 2 else f"{card} as {TYPES[opening % 2]}"


def _explain_play(known: Known, card: int) -> str:
    if card == Card.STOP_IT:
        return "Play stop it: the attack ends, unless the attacker plays enough is enough."
    if card == Card.ENOUGH:
        if known.phase == Phase.ANSWER:
            return "Play enough is enough: the attack goes on as if there had been no stop it."
        return "Play enough is enough: nobody may interfere any more this turn."
    return f"Play {a(CARDS[card])} for the {'defence' if card >= HALF else 'attack'}."


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
    """Explains why an action is illegal, and by which rule."""
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
    return f"you have no {NAMES[CARDS[card]]} in your hand"


def _empty(action: int) -> tuple[str, str]:
    deck = DECKS[action - DRAW]
    return f"the {deck} deck and its discard pile are both empty", "SF-10"


def _refuse_open(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    me = known.to_act
    if action == PASS:
        return "say ready when you are done", "SF-30"
    if action == CARE:
        if known.shield[me]:
            return "you already have an I don't care in front of you", "SF-31"
        if known.barred >> me & 1:
            return "your protection has just ended; wait until your next turn", "SF-31"
        return _lacks(Card.DONT_CARE), "SF-31"
    if CHALLENGE <= action < TRADE:
        return _refuse_challenge(known, action - CHALLENGE, voice)
    if TRADE <= action < ATTACK:
        given, taken = divmod(action - TRADE, KINDS)
        if given // HALF != taken // HALF:
            return "cards are traded within one deck only", "SF-32"
        if known.hand[me][given] < 2:
            return f"a trade takes two {NAMES[CARDS[given]]} cards of yours", "SF-32"
        return f"there is no {NAMES[CARDS[taken]]} in the discard pile", "SF-32"
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
        return f"{who} is already {MARKS[TYPES[kind]]} twice; only the other type works", "SF-14"
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
    """Explains why attacker or attacked cannot add something."""
    side = "SF-16" if is_ahead(known) else "SF-15"
    if action >= WEASEL_WITH:
        return "attacker and attacked need no weasel; it is for the others", "SF-22"
    if action == CHARACTER:
        if is_duel(known):
            return "with two players left characters cannot be used", "SF-37"
        if known.used[known.to_act]:
            return "a character is used once a turn", "SF-17"
        name = character(known, known.to_act)
        return f"the {name} cannot be {NAMES[character_as(known)]}", side
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
        return f"{NAMES[CARDS[card]]} {against} {TYPES[known.type]}", side
    return _lacks(card), side


def _could_help(known: Known) -> bool:
    others = set(range(known.seats)) - {known.on_turn, known.attacked}
    return any(known.size[q] for q in others)


def _refuse_help(known: Known, action: int) -> tuple[str, str]:
    """Explains why a seat cannot interfere that way."""
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
        return f"{NAMES[CARDS[card]]} is neither attack nor defence", "SF-22"
    if card % HALF != known.type and card % HALF < 2:
        return f"{NAMES[CARDS[card]]} does not fit {TYPES[known.type]}", "SF-22"
    return _lacks(card), "SF-25" if card == Card.STOP_IT else "SF-22"


# The log


def tell(events: Sequence[Events], voice: Voice) -> list[str]:
    """Describes events in sentences."""
    lines: list[str] = []
    does = voice.does
    fresh = ""
    for event in events:
        match event:
            case Passed(seat):
                lines.append(f"{does(seat, 'passes', 'pass')}.")
            case SaidReady(seat):
                lines.append(f"{does(seat, 'is', 'are')} ready.")
            case TurnBegan(seat):
                whose = "Your" if seat == voice.viewer else voice.whose(seat)
                lines.append(f"{whose} turn begins.")
            case CardDrawn(seat, deck, card):
                lines.append(f"{does(seat, 'draws')} a card from the {deck} deck{fresh}.")
                if card:
                    lines.append(f"You draw {a(card)}.")
            case DeckReshuffled():
                fresh = ", reshuffled from its discard pile"
            case CardPlayed(seat, card, weasel):
                way = "interferes with a nosey weasel and" if weasel else "plays"
                yours = "interfere with a nosey weasel and" if weasel else "play"
                lines.append(f"{does(seat, way, yours)} {a(card)}.")
            case InterferingStopped():
                _go_on(lines, ": nobody may interfere any more this turn")
            case StopUndone(stopper):
                _go_on(lines, f": {voice.whose(stopper)} stop it is undone")
            case CharacterUsed(seat, role, card, _, revealed):
                shows, yours = ("turns up", "turn up") if revealed else ("uses", "use")
                whose = "your" if seat == voice.viewer else "the"
                lines.append(f"{does(seat, shows, yours)} {whose} {role} as {NAMES[card]}.")
            case AttackBegan(seat, target, card, kind):
                with_it = a(card) if card == kind else f"{a(card)} as {kind}"
                lines.append(f"{does(seat, 'attacks')} {voice.object(target)} with {with_it}.")
            case AttackEnded():
                lines.append(_tell_attack_end(event, voice))
            case ProtectionBegan(seat):
                until = f"until {'your' if seat == voice.viewer else 'their'} next turn"
                nobody = f"nobody can attack {voice.object(seat)} {until}"
                lines.append(f"{does(seat, 'plays')} I don't care: {nobody}.")
            case ProtectionEnded():
                _go_on(lines, ", and the protection ends")
            case Challenged():
                lines.append(_tell_challenge(event, voice))
            case CardsTaken(taker, _, _, list(cards)):
                verb = "take" if taker == voice.viewer else "lose"
                lines.append(f"You {verb} {listed_cards(cards)}.")
            case CardsTraded(seat, given, taken):
                lines.append(f"{does(seat, 'trades')} two {NAMES[given]} cards for {a(taken)}.")
            case CardDiscarded(seat, card):
                lines.append(f"{does(seat, 'discards')} {a(card)}.")
            case CharacterShown(seat, role):
                lines.append(f"{does(seat, 'was', 'were')} the {role}.")
            case HandKept(seat, count):
                lines.append(f"{does(seat, 'keeps')} {counted(count, 'card')} to interfere with.")
            case DuelBegan(least, most):
                limits = f"{least} to {most} cards, no characters, no challenges"
                lines.append(f"Two are left: {limits}.")
            case HandsLaidDown(seats, counts):
                for seat, count in zip(seats, counts, strict=True):
                    hand = counted(count, "card")
                    lines.append(f"{does(seat, 'lays')} {hand} on the discard piles.")
            case MatchEnded():
                lines.append(_tell_end(event, voice))
    return lines


def _go_on(lines: list[str], more: str) -> None:
    """Adds to the last sentence."""
    lines[-1] = f"{lines[-1][:-1]}{more}."


def listed_cards(cards: Sequence[Kind]) -> str:
    """Lists cards, grouped by kind."""
    return listed(f"{n} × {NAMES[k]}" if n > 1 else a(k) for k, n in Counter(cards).items())


def _tell_challenge(event: Challenged, voice: Voice) -> str:
    by, target = event.seat == voice.viewer, event.target == voice.viewer
    opening = f"{voice.does(event.seat, 'challenges')} {voice.object(event.target)}, who"
    opening += f" {'hold' if target else 'holds'} {counted(event.held, 'card')}"
    if event.gain > 0:
        return f"{opening}, and {'take' if by else 'takes'} {event.gain} of them."
    if event.gain < 0:
        return f"{opening}, and {'lose' if by else 'loses'} a card."
    if event.held < MOST:
        return f"{opening}, but {'have' if by else 'has'} no card to lose."
    return f"{opening}: nothing happens."


def _tell_attack_end(event: AttackEnded, voice: Voice) -> str:
    if event.result == "stopped":
        return "The attack is stopped; no life is lost."
    if event.result == "failed":
        return "The attack fails."
    verb = "are" if event.target == voice.viewer else "is"
    lost = f"The attack succeeds: {voice.object(event.target)} {verb} {MARKS[event.type]}"
    if event.lives:
        return f"{lost}, with {counted(event.lives, 'life', 'lives')} left."
    return f"{lost} and out of the game."


def _tell_end(event: MatchEnded, voice: Voice) -> str:
    winners = event.winners
    verb = "wins" if len(winners) == 1 and winners[0] != voice.viewer else "win"
    why = "The match is over."
    if event.reason == "quiet":
        why = "Nobody has lost a life for too long."
    count = f"{counted(event.lives, 'life', 'lives')} and {counted(event.cards, 'card')}"
    together = " together" if len(winners) > 1 else ""
    return f"{why} {voice.names_of(winners)} {verb}{together} with {count}."


def tally(known: Known, scores: Sequence[int]) -> list[list[tuple[str, int]]]:
    """Explains each score: the lives at the start less those lost."""
    return [
        [("lives", LIVES), ("gossiped", -known.marks[p][0]), ("in a trap", -known.marks[p][1])]
        for p in range(known.seats)
    ]


def rules_now(known: Known) -> tuple[str, ...]:
    """Returns the rules that apply to the current decision."""
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
