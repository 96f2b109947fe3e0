"""Happy Fox in words: notation, questions, the log, refusals, and the view for clients.

Everything here is made from a wiped state, as plain ints and lists.
"""

from __future__ import annotations

from typing import Any

from foxden.engine.kernel import Known
from foxden.engine.voice import Voice, counted, listed
from foxden.games.happy_fox.rules import LAY, MAX_SET, STOP, TURN, Card, Phase

CARDS = (Card.GOOSE, Card.FOX, Card.DOG)
CARD_NAMES = {Card.GOOSE: "goose", Card.FOX: "fox", Card.DOG: "dog", Card.SHOWN: "goose"}
PHASE_NAMES = {Phase.PLAY: "play", Phase.GRAB: "grab", Phase.OVER: "over"}
# As plain ints: a table is laid out for everybody with every action.
GOOSE, FOX, DOG, NONE, SHOWN = map(int, (*CARDS, Card.NONE, Card.SHOWN))
LAID_NAMES = [CARD_NAMES.get(Card(card)) for card in range(len(Card))]
NOTATIONS = {STOP: "stop", Card.GOOSE: "lay goose", Card.FOX: "fox", Card.DOG: "lay dog"}


def notation(label: int) -> str:
    """Writes an action; turns of a row are counted from 1."""
    if label == LAY:
        return "lay card"
    return NOTATIONS.get(label) or f"turn {label - TURN + 1}"


def counts(cards: list[int]) -> dict[str, int]:
    """Names the cards that a [card] list counts."""
    return {"goose": cards[GOOSE], "fox": cards[FOX], "dog": cards[DOG]}


def pile_of(known: Known, seat: int) -> list[int]:
    """Counts a win pile by card, whatever set the cards come from."""
    return list(map(sum, zip(*known.won[seat][: known.seats], strict=True)))


def rounds(known: Known) -> int:
    """Counts the turns that every seat has."""
    cards: int = known.geese + known.foxes + known.dogs
    return cards - removed(known)


def removed(known: Known) -> int:
    """Counts the cards that left each set unseen (HF-3)."""
    return int(known.unknown) if known.unknown_four else 0


def turned_up(known: Known) -> list[tuple[int, int]]:
    """Lists the geese turned up in this grab, in order, as (seat, turn)."""
    return [divmod(place, MAX_SET) for place in known.shown[: known.turned]]


def table(known: Known, seat: int) -> dict[str, Any]:
    """Lays out the table as the seat sees it."""
    turns, gone = rounds(known), removed(known)
    seats = []
    for p in range(known.seats):
        hand, won = known.hand[p], pile_of(known, p)
        row = [
            {"turn": turn, "card": LAID_NAMES[card], "up": card == SHOWN}
            for turn, card in enumerate(known.row[p][:turns], 1)
            if card != NONE
        ]
        seats.append(
            {
                "hand_size": sum(hand),
                "hand": counts(hand) if p == seat else None,
                "pile": known.in_pile[p] - gone,
                "row": row,
                "won": counts(won),
                "won_by_set": [counts(cards) for cards in known.won[p][: known.seats]],
                "score": sum(won),
            }
        )
    grab = None
    if known.phase == Phase.GRAB:
        geese = [{"seat": p, "turn": turn + 1} for p, turn in turned_up(known)]
        grab = {"by": known.to_act, "victim": known.victim, "geese": geese}
    return {
        "phase": PHASE_NAMES[known.phase],
        "turn": min(known.turn + 1, turns),
        "turns": turns,
        "starter": known.starter,
        "set": {"goose": known.geese, "fox": known.foxes, "dog": known.dogs},
        "removed": gone,
        "hand_limit": known.hand_limit,
        "seats": seats,
        "grab": grab,
    }


def question(known: Known, voice: Voice) -> str:
    """Says what is asked of whom."""
    if known.phase == Phase.OVER:
        return "The match is over."
    mine = known.to_act == voice.viewer
    waiting = f"Waiting for {voice.object(known.to_act)} to"
    if known.phase == Phase.PLAY:
        return _playable(known.hand[known.to_act]) if mine else f"{waiting} play a card."
    whose = voice.whose(known.victim)
    if known.turned == 0:
        return f"{'Turn' if mine else f'{waiting} turn'} over one of {whose} cards."
    so_far = counted(known.turned, "goose", "geese")
    if mine:
        them = "it" if known.turned == 1 else "them"
        return f"{so_far} so far. Turn over one of {whose} cards, or stop and keep {them}."
    return f"{waiting} turn over one of {whose} cards, or stop ({so_far} so far)."


def _playable(hand: list[int]) -> str:
    """Says what a hand lets its owner do."""
    lay = " or ".join(f"a {CARD_NAMES[card]}" for card in (Card.GOOSE, Card.DOG) if hand[card])
    asks = [f"lay {lay} face down"] * bool(lay) + ["send out a fox"] * bool(hand[FOX])
    said = ", or ".join(asks)
    return f"{said[0].upper()}{said[1:]}."


def explain(known: Known, action: int, voice: Voice) -> str:
    """Says what a legal action does."""
    if action == STOP:
        return f"Stop: {counted(known.turned, 'goose', 'geese')} and the fox go to your win pile."
    if action == Card.GOOSE:
        return "Lay a goose face down in your row."
    if action == Card.DOG:
        return "Lay a dog face down in your row, to guard it."
    if action == Card.FOX:
        prey = [p for p in _clockwise(known) if known.down[p] > 0]
        if not prey:
            return "Send out a fox: nobody has a face-down card, so it goes to your win pile."
        return f"Send out a fox to grab geese, first from {voice.object(prey[0])}."
    return f"Turn over the card that {voice.object(known.victim)} laid in turn {action - TURN + 1}."


def _clockwise(known: Known) -> list[int]:
    return [(known.to_act + k) % known.seats for k in range(1, known.seats)]


def refuse(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Says why an action is not legal, and by which rule."""
    if known.phase == Phase.PLAY:
        if action == STOP:
            return "there is no grab to stop", "HF-5"
        if action >= TURN:
            return "a card can be turned over only after a fox is played", "HF-7"
        return f"you have no {CARD_NAMES[Card(action)]} in your hand", "HF-5"
    whose = voice.whose(known.victim)
    if action == STOP:
        return f"turn over at least one of {whose} cards first", "HF-13"
    if action < TURN:
        return f"a grab is on: turn over one of {whose} cards or stop", "HF-10"
    turn = action - TURN
    if known.row[known.victim][turn] == Card.SHOWN:
        return f"{whose} card of turn {turn + 1} is already turned over", "HF-11"
    return f"{whose} row has no card of turn {turn + 1}", "HF-8"


def tell(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells what happened, in sentences."""
    seat = before.to_act
    if before.phase == Phase.PLAY and label != Card.FOX:
        what = "a card" if label == LAY else f"a {CARD_NAMES[Card(label)]}"
        lines = [f"{voice.does(seat, 'lays')} {what} face down."]
    elif label == Card.FOX:
        lines = [f"{voice.does(seat, 'sends')} out a fox."]
        if before.victim == after.victim:
            finds = "find no prey, and keep" if seat == voice.viewer else "finds no prey, and keeps"
            lines = [f"{lines[0][:-1]}, {finds} it."]
    elif label == STOP:
        lines = [f"{voice.does(seat, 'stops')}: {_loot(before.turned, voice, seat)}."]
    else:
        lines = _tell_turn(before, label - TURN, after, voice)
    drawn = _drawn(before, label, after, voice)
    return [*lines, *drawn, *_tell_end(after, voice)]


def _loot(geese: int, voice: Voice, seat: int) -> str:
    owner = "your" if seat == voice.viewer else "the"
    return f"{counted(geese, 'goose', 'geese')} and the fox go to {owner} win pile"


def _tell_turn(before: Known, turn: int, after: Known, voice: Voice) -> list[str]:
    """Tells a turned card and what it brought."""
    seat, victim = before.to_act, before.victim
    opening = f"{voice.does(seat, 'turns')} over {voice.whose(victim)} card of turn {turn + 1}"
    if after.phase == Phase.GRAB and after.to_act == seat and after.turned == before.turned + 1:
        return [f"{opening}: a goose."]
    dogs = pile_of(after, victim)[Card.DOG] - pile_of(before, victim)[Card.DOG]
    if after.phase == Phase.OVER:  # rows were added to the piles as well
        dogs = after.won[victim][seat][Card.FOX] - before.won[victim][seat][Card.FOX]
    if not dogs:
        loot = _loot(before.turned + 1, voice, seat)
        return [f"{opening}: a goose, and no card is left to turn; {loot}."]
    lines = [f"{opening}: a dog! The fox is caught by {voice.object(victim)}."]
    saved: dict[int, int] = {}
    for owner, _ in turned_up(before):
        saved[owner] = saved.get(owner, 0) + 1
    if saved:
        kept = [f"{counted(n, 'goose', 'geese')} for {voice.object(p)}" for p, n in saved.items()]
        lines.append(f"Saved: {listed(kept)}.")
    return lines


def _drawn(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells the viewer what it drew itself."""
    seat = before.to_act
    if seat != voice.viewer or before.in_pile[seat] == after.in_pile[seat]:
        return []
    drawn = []
    for card in CARDS:
        played = 1 if before.phase == Phase.PLAY and label == card else 0
        n = after.hand[seat][card] - before.hand[seat][card] + played
        drawn += [f"a {CARD_NAMES[card]}"] * n
    return [f"You draw {listed(drawn)}."]


def _tell_end(after: Known, voice: Voice) -> list[str]:
    if after.phase != Phase.OVER:
        return []
    totals = [sum(pile_of(after, p)) for p in range(after.seats)]
    best = [p for p in range(after.seats) if totals[p] == max(totals)]
    who = voice.names_of(best)
    verb = "wins" if len(best) == 1 and best[0] != voice.viewer else "win"
    shared = " together" if len(best) > 1 else ""
    return [
        "The last card is played. Everyone adds their own row to their win pile.",
        f"{who} {verb}{shared} with {counted(max(totals), 'card')}.",
    ]


def tally(known: Known) -> list[list[tuple[str, int]]]:
    """Explains each score: the cards of the win pile by kind."""
    names = {Card.GOOSE: "geese", Card.FOX: "foxes", Card.DOG: "dogs"}
    return [[(names[card], pile_of(known, p)[card]) for card in CARDS] for p in range(known.seats)]


def rules_now(known: Known) -> tuple[str, ...]:
    """Names the rules that bear on the present decision."""
    if known.phase == Phase.PLAY:
        return ("HF-5", "HF-6", "HF-7", "HF-13")
    if known.phase == Phase.GRAB:
        return ("HF-10", "HF-11", "HF-15", "HF-16")
    return ("HF-19",)
