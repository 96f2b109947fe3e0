"""A Game of Fox & Squirrels in words: notation, questions, the log, refusals.

Everything here is made from a wiped state or from events, which are made from one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foxden.engine import compiled
from foxden.engine.kernel import Known, from_known
from foxden.engine.voice import Voice, counted
from foxden.games.fox_and_squirrels.rules import (
    ACTIONS,
    CARDS,
    CLAIM,
    DISCARD,
    DRAW,
    HIGH_ACE,
    KING,
    NO_SUIT,
    PASS,
    RUN,
    SET,
    SUITS,
    TAKE,
    Foxes,
    Phase,
    Source,
    State,
)
from foxden.games.fox_and_squirrels.view import (
    CARD_NAMES,
    CardDiscarded,
    CardDrawn,
    Claim,
    DeckReformed,
    Discard,
    DiscardBegun,
    DiscardTaken,
    Draw,
    Events,
    FoxDrawn,
    FoxesHidden,
    HandDealt,
    LastTurnBegun,
    LayRun,
    LaySet,
    MatchEnded,
    Meld,
    PileClaimed,
    PileLaid,
    Plan,
    RoundDealt,
    RoundEnded,
    RunEnd,
    Take,
    WinterPlanned,
    cards_of,
    facts,
    meld_of,
    names,
    pile_cards,
)

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SOURCE_NAMES = {
    Source.SETS: "sets",
    Source.RUNS: "runs",
    Source.CLAIMS: "claims",
    Source.BONUSES: "bonuses",
    Source.FOXES: "foxes",
}
SIMPLE = {DRAW: "draw", TAKE: "take", PASS: "plan"}
TIMES = ("first", "second", "third and last")


def sign(card: str) -> str:
    """Formats a card for people: 9♥, 10♣, Q♠, a fox."""
    return "a fox" if card == "fox" else card[:-1].upper() + SUIT_SIGNS[card[-1]]


def signs(cards: Sequence[str]) -> str:
    """Formats cards for people, side by side."""
    return " ".join(map(sign, cards))


def pile_name(meld: Meld, cards: Sequence[str]) -> str:
    """Names a pile for people: the set 9♣♥♥, the run 6♣–8♣."""
    if meld == "run":
        return f"run {sign(cards[0])}–{sign(cards[-1])}"
    suits = "".join(SUIT_SIGNS[card[-1]] for card in cards)
    return f"set {cards[0][:-1].upper()}{suits}"


def notation(label: int) -> str:
    """Writes an action; piles are numbered from 1 in the order they were laid."""
    if label in SIMPLE:
        return SIMPLE[label]
    cards = " ".join(names(cards_of(label)))
    if label >= DISCARD:
        return f"discard {cards}"
    if label >= CLAIM:
        return f"claim {(label - CLAIM) // CARDS + 1} with {cards}"
    return f"run {cards}" if label >= RUN else f"set {cards}"


# Questions


def question(known: Known, voice: Voice) -> str:
    """Returns the current question."""
    if known.phase == Phase.OVER:
        return "Winter is here: the match is over."
    mine = known.to_act == voice.viewer
    if known.phase == Phase.DRAW:
        top = CARD_NAMES[known.discard[known.discard_size - 1]]
        if top == "fox":
            ask = "draw from the harvest deck; a fox sits on the discard pile"
        else:
            ask = f"draw from the harvest deck, or take {sign(top)} from the discard pile"
    elif known.phase == Phase.PLAN:
        ask = _playable(known) if mine else "play, or plan for winter"
    else:
        ask = "discard a card"
    if mine:
        return f"{ask[0].upper()}{ask[1:]}."
    return f"Waiting for {voice.object(known.to_act)} to {ask}."


def _playable(known: Known) -> str:
    """Describes what the seat to act can play."""
    out = np.zeros(ACTIONS, np.int64)
    open_now = out[: compiled.legal_of(from_known(known, State), 0, out)].tolist()
    laid = [
        *["a set"] * any(SET <= action < RUN for action in open_now),
        *["a run"] * any(RUN <= action < CLAIM for action in open_now),
    ]
    plays = [f"lay {' or '.join(laid)}"] * bool(laid)
    plays += ["claim a pile"] * any(CLAIM <= action < DISCARD for action in open_now)
    if not plays:
        return "plan for winter: you have nothing to play"
    return f"{', '.join(plays)}, or plan for winter"


def _reward(acorns: int) -> str:
    return f"+{counted(acorns, 'acorn')}"


def _onto(end: RunEnd | None) -> str:
    """Describes where a claim's card goes: onto a set, or to an end of a run."""
    return "onto" if end is None else f"at the {end} end of"


def explain(known: Known, action: int, voice: Voice) -> str:
    """Explains a legal action."""
    match facts(known, action):
        case Draw(0):
            return "Shuffle the discard pile into a new harvest deck and draw from it."
        case Draw(deck, foxes):
            among = f", {counted(foxes, 'fox', 'foxes')} among them" if foxes else ""
            return f"Draw the top card of the harvest deck ({deck} left{among})."
        case Take(card):
            return f"Take {sign(card)} from the discard pile, for all to see."
        case Plan():
            return "Plan for winter: play nothing this turn."
        case LaySet(cards, acorns, bonus):
            return f"Lay the set {signs(cards)}: {_reward(acorns)}.{_ending(bonus)}"
        case LayRun(cards, acorns, bonus):
            return f"Lay the run {signs(cards)}: {_reward(acorns)}.{_ending(bonus)}"
        case Claim(pile, owner, card, end, acorns):
            what = f"{voice.whose(owner)} {_pile_name(known, pile - 1)}"
            return f"Put {sign(card)} {_onto(end)} {what} and claim it: {_reward(acorns)}."
        case Discard(card, bonus):
            return f"Discard {sign(card)}.{_ending(bonus)}"


def _ending(bonus: int | None) -> str:
    if bonus is None:
        return ""
    return f" It empties your hand and ends the round: {_reward(bonus)}."


def _pile_name(known: Known, k: int) -> str:
    return pile_name(meld_of(known, k), names(pile_cards(known, k)))


# Refusals


def refuse(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Explains why an action is illegal, and by which rule."""
    if known.phase == Phase.OVER:
        return "winter is here, and the match is over", "FS-3"
    if known.phase == Phase.DRAW:
        if action == TAKE:
            return "a fox on the discard pile cannot be drawn", "FS-21"
        return "draw a card first", "FS-10"
    if action in (DRAW, TAKE):
        return "you have already drawn", "FS-10"
    if known.phase == Phase.DISCARD:
        if action >= DISCARD:
            return f"there is no {sign(CARD_NAMES[action - DISCARD])} in your hand", "FS-18"
        return "all that is left of your turn is to discard", "FS-12"
    if action >= DISCARD:
        return "first play something, or plan for winter", "FS-12"
    cards = cards_of(action)
    if known.foxes >= Foxes.FOUR_ACES and any(card < SUITS for card in cards):
        return "aces are foxes at this table, or have left it", "FS-2"
    if action >= CLAIM:
        return _refuse_claim(known, (action - CLAIM) // CARDS, cards[0], voice)
    hand = known.hand[known.to_act]
    lacking = next(card for card in cards if hand.count(card) < cards.count(card))
    count = "only one" if lacking in hand else "no"
    rule = "FS-14" if action >= RUN else "FS-13"
    return f"there is {count} {sign(CARD_NAMES[lacking])} in your hand", rule


def _refuse_claim(known: Known, k: int, card: int, voice: Voice) -> tuple[str, str]:
    """Explains why a card cannot claim a pile."""
    if k >= known.piles:
        return f"there is no pile {k + 1}", "FS-15"
    if known.owner[k] == known.to_act:
        return f"you cannot claim your own pile {k + 1}", "FS-16"
    pile, what = _pile_name(known, k), sign(CARD_NAMES[card])
    rank, low, high = card // SUITS, known.low[k], known.high[k]
    if known.suit[k] == NO_SUIT:
        if rank != low:
            return f"{what} is of another rank than the {pile}", "FS-15"
        if not known.wants[k] >> card & 1:
            return f"every {what} there is lies on pile {k + 1} already", "FS-17"
    elif not known.wants[k] >> card & 1:
        if card % SUITS != known.suit[k]:
            return f"{what} is of another suit than the {pile}", "FS-15"
        if rank == 0 and (low == 0 or high == HIGH_ACE):
            return f"the {pile} has its ace already", "FS-17"
        if (low == 0 and rank == KING) or (high == HIGH_ACE and rank == 1):
            return f"the {pile} ends with its ace", "FS-17"
        return f"{what} is not next to an end of the {pile}", "FS-15"
    return f"there is no {what} in your hand", "FS-15"


# The log


def tell(events: Sequence[Events], voice: Voice) -> list[str]:
    """Describes events in sentences."""
    lines: list[str] = []
    for event in events:
        match event:
            case DeckReformed(time, _, stays):
                lines.append(
                    f"The discard pile is shuffled into a new deck for the {TIMES[time - 1]} time; "
                    f"{sign(stays)} stays behind."
                )
            case CardDrawn(seat, card):
                drawn = sign(card) if card else "a card"
                lines.append(f"{voice.does(seat, 'draws')} {drawn}.")
            case LastTurnBegun():
                lines.append("It is the last card of the deck, and the last turn of the round.")
            case FoxDrawn():
                lines.append(_tell_fox(event, voice))
            case DiscardTaken(seat, card):
                lines.append(f"{voice.does(seat, 'takes')} {sign(card)} from the discard pile.")
            case WinterPlanned(seat):
                lines.append(f"{voice.does(seat, 'plans')} for winter.")
            case PileLaid(seat, pile, meld, cards, acorns):
                what = f"the {meld} {signs(cards)} as pile {pile}"
                lines.append(f"{voice.does(seat, 'lays')} {what}: {_reward(acorns)}.")
            case PileClaimed():
                lines.append(_tell_claim(event, voice))
            case CardDiscarded(seat, card):
                lines.append(f"{voice.does(seat, 'discards')} {sign(card)}.")
            case RoundEnded():
                lines.append(_tell_round_end(event, voice))
            case RoundDealt(dealer, season):
                lines.append(f"{voice.does(dealer, 'deals')} for {season}.")
            case FoxesHidden(seat, count):
                foxes = counted(count, "fox", "foxes")
                lines.append(f"{voice.does(seat, 'hides')} {foxes} in the deck.")
            case HandDealt(_, _, list(cards)):
                lines.append(f"You are dealt {signs(cards)}.")
            case DiscardBegun(card):
                lines.append(f"The discard pile begins with {sign(card)}.")
            case MatchEnded():
                lines.append(_tell_result(event, voice))
    return lines


def _tell_fox(event: FoxDrawn, voice: Voice) -> str:
    opening = f"{voice.does(event.seat, 'draws')} a fox"
    whom = voice.object(event.seat)
    if event.dare is not None:
        return f"{opening}. It dares {whom}: {voice.options['dares'][event.dare - 1]}"
    if not event.acorns:
        return f"{opening}, but there is no acorn to take."
    return f"{opening}: it takes an acorn from {'the common heap' if event.heap else whom}."


def _tell_claim(event: PileClaimed, voice: Voice) -> str:
    pile = pile_name(event.meld, event.cards)
    what = f"{sign(event.card)} {_onto(event.end)} the {pile}"
    claims = "claim" if event.seat == voice.viewer else "claims"
    said = f"{voice.does(event.seat, 'puts', 'put')} {what} and {claims} pile {event.pile}"
    return f"{said} from {voice.object(event.owner)}: {_reward(event.acorns)}."


def _tell_round_end(event: RoundEnded, voice: Voice) -> str:
    """Describes why a round is over."""
    season = event.season
    if event.seat is not None:
        has = voice.does(event.seat, "has", "have")
        return f"{has} no card left: {season} is over, and the bonus is {_reward(event.bonus)}."
    if event.why == "turns":
        return f"After {event.turn} turns {season} is over, without a bonus."
    return f"The deck has run out for good: {season} is over, without a bonus."


def _tell_result(event: MatchEnded, voice: Voice) -> str:
    """Names the winners, or the common result."""
    winners = event.winners
    total = counted(event.acorns, "acorn")
    if not winners:
        return f"Winter is here, with {total} in the common heap."
    piles = "" if event.piles is None else f" and {counted(event.piles, 'pile')}"
    verb = "wins" if len(winners) == 1 and winners[0] != voice.viewer else "win"
    shared = " together" if len(winners) > 1 else ""
    return f"Winter is here. {voice.names_of(winners)} {verb}{shared} with {total}{piles}."


def tally(known: Known, scores: Sequence[int]) -> list[list[tuple[str, int]]]:
    """Explains each score by source; of all seats if they share a heap."""
    lines = []
    for p in range(known.seats):
        whose = range(known.seats) if known.cooperative else [p]
        lines.append(
            [(SOURCE_NAMES[one], sum(known.earned[q][one] for q in whose)) for one in Source]
        )
    return lines


def rules_now(known: Known) -> tuple[str, ...]:
    """Returns the rules that apply to the current decision."""
    if known.phase == Phase.DRAW:
        foxes = ("FS-20", "FS-21", "FS-22") if known.foxes else ()
        return ("FS-10", "FS-11", *foxes)
    if known.phase == Phase.PLAN:
        return ("FS-12", "FS-13", "FS-14", "FS-15", "FS-16", "FS-17")
    if known.phase == Phase.DISCARD:
        return ("FS-18", "FS-19", "FS-23", "FS-24")
    return ("FS-25", "FS-26") if known.cooperative else ("FS-25",)
