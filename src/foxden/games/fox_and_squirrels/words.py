"""A Game of Fox & Squirrels in words: notation, questions, the log, refusals, and the view.

Everything here is made from a wiped state, as plain ints and lists.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

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
    FOX,
    HIGH_ACE,
    KING,
    NO_SUIT,
    PASS,
    RANKS,
    REFORMS,
    RUN,
    SET,
    SUITS,
    TAKE,
    TRIPLES,
    TURNS,
    Demand,
    Foxes,
    Phase,
    Source,
    State,
)

RANK_NAMES = ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
SUIT_NAMES = ("c", "d", "h", "s")
SUIT_SIGNS = ("♣", "♦", "♥", "♠")
SEASONS = ("spring", "summer", "autumn")
PHASE_NAMES = {
    Phase.DRAW: "draw",
    Phase.PLAN: "plan",
    Phase.DISCARD: "discard",
    Phase.OVER: "over",
}
SOURCE_NAMES = {
    Source.SETS: "sets",
    Source.RUNS: "runs",
    Source.CLAIMS: "claims",
    Source.BONUSES: "bonuses",
    Source.FOXES: "foxes",
}
FOX_COUNTS = {Foxes.NO_FOXES: 0, Foxes.JOKERS: 4, Foxes.FOUR_ACES: 4, Foxes.EIGHT_ACES: 8}
SIMPLE = {DRAW: "draw", TAKE: "take", PASS: "plan"}


def card_name(card: int) -> str:
    """Writes a card as notation and views do: 9h, 10c, qs, fox."""
    return "fox" if card == FOX else RANK_NAMES[card // SUITS] + SUIT_NAMES[card % SUITS]


def sign(card: int) -> str:
    """Writes a card for people: 9♥, 10♣, Q♠, a fox."""
    if card == FOX:
        return "a fox"
    return RANK_NAMES[card // SUITS].upper() + SUIT_SIGNS[card % SUITS]


def signs(cards: list[int]) -> str:
    """Writes cards for people, side by side."""
    return " ".join(sign(card) for card in cards)


def cards_of(action: int) -> list[int]:
    """Lists the cards that an action takes from the hand."""
    if action >= DISCARD:
        return [action - DISCARD]
    if action >= CLAIM:
        return [(action - CLAIM) % CARDS]
    if action >= RUN:
        low, suit = divmod(action - RUN, SUITS)
        return [rank % RANKS * SUITS + suit for rank in range(low, low + 3)]
    if action >= SET:
        rank, triple = divmod(action - SET, len(TRIPLES))
        return [rank * SUITS + int(suit) for suit in TRIPLES[triple]]
    return []


def notation(label: int) -> str:
    """Writes an action; piles are counted from 1 in the order in which they were laid."""
    if label in SIMPLE:
        return SIMPLE[label]
    names = " ".join(card_name(card) for card in cards_of(label))
    if label >= DISCARD:
        return f"discard {names}"
    if label >= CLAIM:
        return f"claim {(label - CLAIM) // CARDS + 1} with {names}"
    return f"run {names}" if label >= RUN else f"set {names}"


# The table


def pile_cards(known: Known, k: int) -> list[int]:
    """Lists the cards of a pile, a run from its low end."""
    low, high, suit = known.low[k], known.high[k], known.suit[k]
    if suit != NO_SUIT:
        return [rank % RANKS * SUITS + suit for rank in range(low, high + 1)]
    return [low * SUITS + one for one in range(SUITS) for _ in range(known.copies[k][one])]


def pile_name(known: Known, k: int) -> str:
    """Names a pile for people: the set 9♣♥♥, the run 6♣–8♣."""
    cards = pile_cards(known, k)
    if known.suit[k] == NO_SUIT:
        suits = "".join(SUIT_SIGNS[card % SUITS] for card in cards)
        return f"set {RANK_NAMES[known.low[k]].upper()}{suits}"
    return f"run {sign(cards[0])}–{sign(cards[-1])}"


def acorns(known: Known, seat: int) -> int:
    """Counts a seat's acorns; of the common heap where all play together (FS-26)."""
    if known.cooperative:
        return sum(sum(sources) for sources in known.earned[: known.seats])
    return sum(known.earned[seat])


def is_last_turn(known: Known) -> bool:
    """Returns whether the round ends with this turn in any case (FS-24)."""
    return bool(known.turn == TURNS or (known.reforms == REFORMS and known.deck_size == 0))


def foxes_in_deck(known: Known) -> int:
    """Counts the foxes that lie in the deck: all that do not lie on the discard pile (FS-28)."""
    on_discard: int = known.discard.count(FOX)
    return FOX_COUNTS[Foxes(known.foxes)] - on_discard


def may_be_in_deck(known: Known, seat: int) -> dict[str, int]:
    """Counts the copies of each card that the deck may hold, as far as the seat can tell."""
    seen = Counter(known.discard[: known.discard_size])
    for p in range(known.seats):
        held, n = (known.hand, known.hand_size) if p == seat else (known.shown, known.shown_size)
        seen.update(held[p][: n[p]])
    for k in range(known.piles):
        seen.update(pile_cards(known, k))
    left = {card: min(known.stock[card], 2 - seen[card]) for card in range(CARDS)}
    return {card_name(card): n for card, n in left.items() if n > 0}


def top_of_discard(known: Known) -> int | None:
    """Returns the card on top of the discard pile, if there is one."""
    return known.discard[known.discard_size - 1] if known.discard_size else None


def table(known: Known, seat: int) -> dict[str, Any]:
    """Lays out the table as the seat sees it."""
    piles = [
        {
            "number": k + 1,
            "owner": known.owner[k],
            "kind": "set" if known.suit[k] == NO_SUIT else "run",
            "cards": [card_name(card) for card in pile_cards(known, k)],
            "wants": [card_name(card) for card in range(CARDS) if known.wants[k] >> card & 1],
        }
        for k in range(known.piles)
    ]
    seats = []
    for p in range(known.seats):
        hand = known.hand[p][: known.hand_size[p]]
        shown = known.shown[p][: known.shown_size[p]]
        seats.append(
            {
                "hand_size": known.hand_size[p],
                "hand": [card_name(card) for card in hand] if p == seat else None,
                "shown": [card_name(card) for card in shown],
                "piles": [pile["number"] for pile in piles if pile["owner"] == p],
                "acorns": None if known.cooperative else acorns(known, p),
                "earned": {SOURCE_NAMES[source]: known.earned[p][source] for source in Source},
                "hid_foxes": known.hid[p],
                # Of the table's list, from 1: what a fox asked for in the seat's last turn.
                "dare": known.dare[p] + 1 or None,
            }
        )
    top = top_of_discard(known)
    return {
        "phase": PHASE_NAMES[known.phase],
        "round": known.round + 1,
        "season": SEASONS[known.round],
        "turn": known.turn,
        "last_turn": is_last_turn(known),
        "dealer": known.dealer,
        "bonus": known.bonus[known.round],
        "rewards": {
            "set": known.set_reward,
            "run": known.run_reward,
            "claim": known.claim_reward,
        },
        "heap": acorns(known, 0) if known.cooperative else None,
        "deck": known.deck_size,
        "deck_foxes": foxes_in_deck(known),
        "may_be_in_deck": may_be_in_deck(known, seat),
        "reforms": known.reforms,
        "reforms_most": REFORMS,
        "discard": [card_name(card) for card in known.discard[: known.discard_size]],
        "top": None if top is None else card_name(top),
        "piles": piles,
        "seats": seats,
    }


# What is asked


def question(known: Known, voice: Voice) -> str:
    """Says what is asked of whom."""
    if known.phase == Phase.OVER:
        return "Winter is here: the match is over."
    mine = known.to_act == voice.viewer
    if known.phase == Phase.DRAW:
        top = top_of_discard(known)
        if top is None or top == FOX:
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
    """Says what the seat asked can play."""
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


def _end(known: Known, claim: int) -> str:
    """Says where on its pile a claim's card goes: onto a set, or at an end of a run."""
    k, card = divmod(claim - CLAIM, CARDS)
    if known.suit[k] == NO_SUIT:
        return "onto"
    return "at the low end of" if card // SUITS == known.low[k] - 1 else "at the high end of"


def explain(known: Known, action: int, voice: Voice) -> str:
    """Says what a legal action does."""
    cards = cards_of(action)
    if action == DRAW:
        foxes = foxes_in_deck(known)
        among = f", {counted(foxes, 'fox', 'foxes')} among them" if foxes else ""
        if known.deck_size:
            return f"Draw the top card of the harvest deck ({known.deck_size} left{among})."
        return "Shuffle the discard pile into a new harvest deck and draw from it."
    if action == TAKE:
        top = top_of_discard(known)
        return f"Take {sign(FOX if top is None else top)} from the discard pile, for all to see."
    if action == PASS:
        return "Plan for winter: play nothing this turn."
    bonus = ""
    if known.hand_size[known.to_act] == len(cards):
        bonus = f" It empties your hand and ends the round: {_reward(known.bonus[known.round])}."
    if action >= DISCARD:
        return f"Discard {sign(cards[0])}.{bonus}"
    if action >= CLAIM:
        k = (action - CLAIM) // CARDS
        what = f"{voice.whose(known.owner[k])} {pile_name(known, k)}"
        said = f"Put {sign(cards[0])} {_end(known, action)} {what} and claim it"
        return f"{said}: {_reward(known.claim_reward)}."
    if action >= RUN:
        return f"Lay the run {signs(cards)}: {_reward(known.run_reward)}.{bonus}"
    return f"Lay the set {signs(cards)}: {_reward(known.set_reward)}.{bonus}"


# What is refused


def refuse(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Says why an action is not legal, and by which rule."""
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
            return f"there is no {sign(action - DISCARD)} in your hand", "FS-18"
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
    return f"there is {count} {sign(lacking)} in your hand", rule


def _refuse_claim(known: Known, k: int, card: int, voice: Voice) -> tuple[str, str]:
    """Says why a pile cannot be claimed with a card."""
    if k >= known.piles:
        return f"there is no pile {k + 1}", "FS-15"
    if known.owner[k] == known.to_act:
        return f"you cannot claim your own pile {k + 1}", "FS-16"
    pile = pile_name(known, k)
    rank, low, high = card // SUITS, known.low[k], known.high[k]
    if known.suit[k] == NO_SUIT:
        if rank != low:
            return f"{sign(card)} is of another rank than the {pile}", "FS-15"
        if not known.wants[k] >> card & 1:
            return f"every {sign(card)} there is lies on pile {k + 1} already", "FS-17"
    elif not known.wants[k] >> card & 1:
        if card % SUITS != known.suit[k]:
            return f"{sign(card)} is of another suit than the {pile}", "FS-15"
        if rank == 0 and (low == 0 or high == HIGH_ACE):
            return f"the {pile} has its ace already", "FS-17"
        if (low == 0 and rank == KING) or (high == HIGH_ACE and rank == 1):
            return f"the {pile} ends with its ace", "FS-17"
        return f"{sign(card)} is not next to an end of the {pile}", "FS-15"
    return f"there is no {sign(card)} in your hand", "FS-15"


# What happened


def tell(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells what happened, in sentences."""
    seat = before.to_act
    cards = cards_of(label)
    if label == DRAW:
        lines = _tell_draw(before, after, voice)
    elif label == TAKE:
        top = top_of_discard(before)
        what = sign(FOX if top is None else top)
        lines = [f"{voice.does(seat, 'takes')} {what} from the discard pile."]
    elif label == PASS:
        lines = [f"{voice.does(seat, 'plans')} for winter."]
    elif label >= DISCARD:
        lines = [f"{voice.does(seat, 'discards')} {sign(cards[0])}."]
    elif label >= CLAIM:
        lines = [_tell_claim(before, label, voice)]
    else:
        kind = "run" if label >= RUN else "set"
        reward = before.run_reward if label >= RUN else before.set_reward
        what = f"the {kind} {signs(cards)} as pile {before.piles + 1}"
        lines = [f"{voice.does(seat, 'lays')} {what}: {_reward(reward)}."]
    if after.round != before.round or after.phase == Phase.OVER:
        went_out = before.hand_size[seat] == len(cards)
        lines += _tell_round_end(before, after, went_out, voice)
    return lines


def _tell_draw(before: Known, after: Known, voice: Voice) -> list[str]:
    """Tells a draw from the deck, and a fox that came of it."""
    seat = before.to_act
    lines = []
    if before.deck_size == 0:
        top = sign(before.discard[before.discard_size - 1])
        count = f"for the {('first', 'second', 'third and last')[before.reforms]} time"
        lines.append(f"The discard pile is shuffled into a new deck {count}; {top} stays behind.")
    if after.phase in (Phase.PLAN, Phase.DISCARD):
        drawn = "a card"
        if seat == voice.viewer:
            hand = list(after.hand[seat])
            for card in before.hand[seat][: before.hand_size[seat]]:
                hand.remove(card)
            drawn = sign(hand[0])
        lines.append(f"{voice.does(seat, 'draws')} {drawn}.")
        if is_last_turn(after):
            lines.append("It is the last card of the deck, and the last turn of the round.")
        return lines
    opening = f"{voice.does(seat, 'draws')} a fox"
    if before.fox_demand == Demand.DARE:
        whom = voice.object(seat)
        lines.append(f"{opening}. It dares {whom}: {voice.options['dares'][after.dare[seat]]}")
    elif after.earned[seat][Source.FOXES] == before.earned[seat][Source.FOXES]:
        lines.append(f"{opening}, but there is no acorn to take.")
    else:
        whose = "the common heap" if before.cooperative else voice.object(seat)
        lines.append(f"{opening}: it takes an acorn from {whose}.")
    return lines


def _tell_claim(before: Known, label: int, voice: Voice) -> str:
    k, card = divmod(label - CLAIM, CARDS)
    what = f"{sign(card)} {_end(before, label)} the {pile_name(before, k)}"
    claims = "claim" if before.to_act == voice.viewer else "claims"
    whom = voice.object(before.owner[k])
    said = f"{voice.does(before.to_act, 'puts', 'put')} {what}"
    return f"{said} and {claims} pile {k + 1} from {whom}: {_reward(before.claim_reward)}."


def _tell_round_end(before: Known, after: Known, went_out: bool, voice: Voice) -> list[str]:
    """Tells why a round is over, and what comes next."""
    seat = before.to_act
    season = SEASONS[before.round]
    if went_out:
        has = voice.does(seat, "has", "have")
        bonus = _reward(before.bonus[before.round])
        lines = [f"{has} no card left: {season} is over, and the bonus is {bonus}."]
    elif before.turn == TURNS:
        lines = [f"After {TURNS} turns {season} is over, without a bonus."]
    else:
        lines = [f"The deck has run out for good: {season} is over, without a bonus."]
    if after.phase == Phase.OVER:
        return [*lines, _tell_result(after, voice)]
    lines.append(f"{voice.does(after.dealer, 'deals')} for {SEASONS[after.round]}.")
    for p in range(after.seats):
        if after.hid[p]:
            foxes = counted(after.hid[p], "fox", "foxes")
            lines.append(f"{voice.does(p, 'hides')} {foxes} in the deck.")
    if voice.viewer >= 0:
        hand = after.hand[voice.viewer][: after.hand_size[voice.viewer]]
        lines.append(f"You are dealt {signs(hand)}.")
    lines.append(f"The discard pile begins with {sign(after.discard[0])}.")
    return lines


def _tell_result(known: Known, voice: Voice) -> str:
    """Tells who has won, or what all have gathered together."""
    if known.cooperative:
        return f"Winter is here, with {counted(acorns(known, 0), 'acorn')} in the common heap."
    most = max(acorns(known, p) for p in range(known.seats))
    best = [p for p in range(known.seats) if acorns(known, p) == most]
    how = f"with {counted(most, 'acorn')}"
    if known.tie_break and len(best) > 1:
        piles = [known.owner.count(p) for p in range(known.seats)]
        most_piles = max(piles[p] for p in best)
        best = [p for p in best if piles[p] == most_piles]
        how += f" and {counted(most_piles, 'pile')}"
    verb = "wins" if len(best) == 1 and best[0] != voice.viewer else "win"
    shared = " together" if len(best) > 1 else ""
    who = voice.names_of(best)
    return f"Winter is here. {who} {verb}{shared} {how}."


def tally(known: Known) -> list[list[tuple[str, int]]]:
    """Explains each score by what brought acorns; of all seats where they share a heap."""
    lines = []
    for p in range(known.seats):
        whose = range(known.seats) if known.cooperative else [p]
        lines.append(
            [(SOURCE_NAMES[one], sum(known.earned[q][one] for q in whose)) for one in Source]
        )
    return lines


def rules_now(known: Known) -> tuple[str, ...]:
    """Names the rules that bear on the present decision."""
    if known.phase == Phase.DRAW:
        foxes = ("FS-20", "FS-21", "FS-22") if known.foxes else ()
        return ("FS-10", "FS-11", *foxes)
    if known.phase == Phase.PLAN:
        return ("FS-12", "FS-13", "FS-14", "FS-15", "FS-16", "FS-17")
    if known.phase == Phase.DISCARD:
        return ("FS-18", "FS-19", "FS-23", "FS-24")
    return ("FS-25", "FS-26") if known.cooperative else ("FS-25",)
