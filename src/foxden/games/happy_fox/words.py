"""Happy Fox in words: notation, questions, the log, refusals.

Everything here is made from a wiped state or from events, which are made from one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from foxden.engine.kernel import Known
from foxden.engine.voice import Voice, counted, listed
from foxden.games.happy_fox.rules import LAY, STOP, TURN
from foxden.games.happy_fox.view import (
    DOG,
    FOX,
    GOOSE,
    GRAB,
    KINDS,
    OVER,
    PLAY,
    SHOWN,
    CardLaid,
    CardsDrawn,
    Events,
    FoxCaught,
    FoxSent,
    GeeseSaved,
    GooseFound,
    GrabEnded,
    MatchEnded,
    pile_of,
    prey,
)

NOTATIONS = {STOP: "stop", GOOSE: "lay goose", FOX: "fox", DOG: "lay dog"}


def notation(label: int) -> str:
    """Writes an action; turns of a row are counted from 1."""
    if label == LAY:
        return "lay card"
    return NOTATIONS.get(label) or f"turn {label - TURN + 1}"


def question(known: Known, voice: Voice) -> str:
    """Returns the current question."""
    if known.phase == OVER:
        return "The match is over."
    mine = known.to_act == voice.viewer
    if known.phase == PLAY and mine:
        hand = known.hand[known.to_act]
        return _playable(hand[GOOSE] > 0, hand[FOX] > 0, hand[DOG] > 0)
    waiting = f"Waiting for {voice.object(known.to_act)} to"
    if known.phase == PLAY:
        return f"{waiting} play a card."
    whose = voice.whose(known.victim)
    if known.turned == 0:
        return f"{'Turn' if mine else f'{waiting} turn'} over one of {whose} cards."
    so_far = counted(known.turned, "goose", "geese")
    if mine:
        them = "it" if known.turned == 1 else "them"
        return f"{so_far} so far. Turn over one of {whose} cards, or stop and keep {them}."
    return f"{waiting} turn over one of {whose} cards, or stop ({so_far} so far)."


@cache
def _playable(goose: bool, fox: bool, dog: bool) -> str:
    """Describes what a hand with these kinds of cards allows."""
    lay = " or ".join(["a goose"] * goose + ["a dog"] * dog)
    asks = [f"lay {lay} face down"] * bool(lay) + ["send out a fox"] * fox
    said = ", or ".join(asks)
    return f"{said[0].upper()}{said[1:]}."


def explain(known: Known, action: int, voice: Voice) -> str:
    """Explains a legal action."""
    if action == STOP:
        return f"Stop: {counted(known.turned, 'goose', 'geese')} and the fox go to your win pile."
    if action == GOOSE:
        return "Lay a goose face down in your row."
    if action == DOG:
        return "Lay a dog face down in your row, to guard it."
    if action == FOX:
        victim = prey(known)
        if victim is None:
            return "Send out a fox: nobody has a face-down card, so it goes to your win pile."
        return f"Send out a fox to grab geese, first from {voice.object(victim)}."
    return f"Turn over the card that {voice.object(known.victim)} laid in turn {action - TURN + 1}."


def refuse(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Explains why an action is illegal, and by which rule."""
    if known.phase == PLAY:
        if action == STOP:
            return "there is no grab to stop", "HF-5"
        if action >= TURN:
            return "a card can be turned over only after a fox is played", "HF-7"
        return f"you have no {KINDS[action]} in your hand", "HF-5"
    whose = voice.whose(known.victim)
    if action == STOP:
        return f"turn over at least one of {whose} cards first", "HF-13"
    if action < TURN:
        return f"a grab is on: turn over one of {whose} cards or stop", "HF-10"
    turn = action - TURN
    if known.row[known.victim][turn] == SHOWN:
        return f"{whose} card of turn {turn + 1} is already turned over", "HF-11"
    return f"{whose} row has no card of turn {turn + 1}", "HF-8"


def tell(events: Sequence[Events], voice: Voice) -> list[str]:
    """Describes events in sentences."""
    lines: list[str] = []
    saved: list[str] = []
    for event in events:
        match event:
            case CardLaid(seat, card):
                lines.append(f"{voice.does(seat, 'lays')} a {card or 'card'} face down.")
            case CardsDrawn(_, _, list(cards)):
                lines.append(f"You draw {listed([f'a {card}' for card in cards])}.")
            case CardsDrawn():
                pass  # others hear nothing of it
            case FoxSent(seat, None):
                yours = seat == voice.viewer
                finds = "find no prey, and keep" if yours else "finds no prey, and keeps"
                lines.append(f"{voice.does(seat, 'sends')} out a fox, {finds} it.")
            case FoxSent(seat):
                lines.append(f"{voice.does(seat, 'sends')} out a fox.")
            case GooseFound(seat, owner, turn):
                lines.append(f"{_turns(seat, owner, turn, voice)}: a goose.")
            case FoxCaught(seat, owner, turn):
                dog = f"a dog! The fox is caught by {voice.object(owner)}"
                lines.append(f"{_turns(seat, owner, turn, voice)}: {dog}.")
            case GrabEnded(seat, geese, stopped):
                pile = "your" if seat == voice.viewer else "the"
                loot = f"{counted(geese, 'goose', 'geese')} and the fox go to {pile} win pile"
                if stopped:
                    lines.append(f"{voice.does(seat, 'stops')}: {loot}.")
                else:  # the last goose was mentioned just before
                    lines[-1] = f"{lines[-1][:-1]}, and no card is left to turn; {loot}."
            case GeeseSaved(owner, geese):
                saved.append(f"{counted(geese, 'goose', 'geese')} for {voice.object(owner)}")
            case MatchEnded():
                lines += _tell_end(event, voice)
    if saved:
        lines.insert(1, f"Saved: {listed(saved)}.")
    return lines


def _turns(seat: int, owner: int, turn: int, voice: Voice) -> str:
    return f"{voice.does(seat, 'turns')} over {voice.whose(owner)} card of turn {turn}"


def _tell_end(event: MatchEnded, voice: Voice) -> list[str]:
    winners = event.winners
    verb = "wins" if len(winners) == 1 and winners[0] != voice.viewer else "win"
    shared = " together" if len(winners) > 1 else ""
    return [
        "The last card is played. Everyone adds their own row to their win pile.",
        f"{voice.names_of(winners)} {verb}{shared} with {counted(event.cards, 'card')}.",
    ]


def tally(known: Known, scores: Sequence[int]) -> list[list[tuple[str, int]]]:
    """Explains each score: the cards of the win pile by kind."""
    names = {GOOSE: "geese", FOX: "foxes", DOG: "dogs"}
    piles = [pile_of(known, p) for p in range(known.seats)]
    return [[(name, pile[card]) for card, name in names.items()] for pile in piles]


def rules_now(known: Known) -> tuple[str, ...]:
    """Returns the rules that apply to the current decision."""
    if known.phase == PLAY:
        return ("HF-5", "HF-6", "HF-7", "HF-13")
    if known.phase == GRAB:
        return ("HF-10", "HF-11", "HF-15", "HF-16")
    return ("HF-19",)
