"""What people see of The Slyest Fox: the table, actions and events.

Everything is made from a wiped state, as plain ints and lists.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import UNSET, Struct, UnsetType

from foxden.engine.kernel import Known
from foxden.engine.view import Event, Facts
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
    Phase,
    Role,
)

Kind = Literal[
    "gossip",
    "trap",
    "universal-attack",
    "weasel",
    "sneaky-attack",
    "enough",
    "facts",
    "caution",
    "universal-defence",
    "dont-care",
    "sneaky-defence",
    "stop-it",
]
Type = Literal["gossip", "trap"]
Side = Literal["attack", "defence"]
Character = Literal["gossip fox", "schemer", "master of traps", "inventive fox"]
PhaseName = Literal[
    "open", "act", "defend", "add", "shut", "help", "answer", "refill", "discard", "over"
]
Result = Literal["succeeded", "failed", "stopped"]

# Names in the order of their numbers: Card, Deck, Role, Phase.
CARDS: tuple[Kind, ...] = get_args(Kind)
TYPES: tuple[Type, ...] = get_args(Type)
DECKS: tuple[Side, ...] = get_args(Side)
CHARACTERS: tuple[Character, ...] = get_args(Character)
PHASES: tuple[PhaseName, ...] = get_args(PhaseName)
# The card that each opening of an attack plays.
OPENING_CARDS = (
    Card.GOSSIP,
    Card.TRAP,
    Card.UNIVERSAL_ATTACK,
    Card.UNIVERSAL_ATTACK,
    Card.SNEAKY_ATTACK,
    Card.SNEAKY_ATTACK,
)
# As plain ints, for speed: tables are built for every viewer after every action.
OVER, ANSWER, UNKNOWN = int(Phase.OVER), int(Phase.ANSWER), int(Role.UNKNOWN)
WEASEL, ENOUGH, DONT_CARE, STOP_IT = map(
    int, (Card.WEASEL, Card.ENOUGH, Card.DONT_CARE, Card.STOP_IT)
)


class Cards(Struct, rename="kebab"):
    """The number of cards of each kind; absent kinds are left out."""

    gossip: int | UnsetType = UNSET
    trap: int | UnsetType = UNSET
    universal_attack: int | UnsetType = UNSET
    weasel: int | UnsetType = UNSET
    sneaky_attack: int | UnsetType = UNSET
    enough: int | UnsetType = UNSET
    facts: int | UnsetType = UNSET
    caution: int | UnsetType = UNSET
    universal_defence: int | UnsetType = UNSET
    dont_care: int | UnsetType = UNSET
    sneaky_defence: int | UnsetType = UNSET
    stop_it: int | UnsetType = UNSET


class Sure(Struct):
    """Certain contents of a hand: kinds, and beyond these so many cards of a deck."""

    cards: Cards
    attack: int
    defence: int


class Place(Struct):
    """What lies in front of one seat."""

    lives: int
    gossiped: int
    trapped: int
    eliminated: bool
    hand_size: int
    hand: Cards | None
    known: Sure | None  # null: the viewer's own seat
    public: Sure
    keeps_hand: bool
    protected: bool
    may_not_protect: bool
    character: Character | None
    character_open: bool
    character_used: bool
    team: Type | None
    played: Cards


class CurrentAttack(Struct):
    """The current attack."""

    by: int
    target: int
    type: Type
    attacks: int
    defences: int
    interfering_stopped: bool
    stopped_by: int | None


class Decks(Struct):
    """The number of cards left in each deck."""

    attack: int
    defence: int


class Discards(Struct):
    """The discard piles."""

    attack: Cards
    defence: Cards


class Table(Struct):
    """The table of The Slyest Fox."""

    phase: PhaseName
    starter: int
    on_turn: int
    duel: bool
    least: int
    most: int
    quiet_turns: int
    quiet_limit: int
    challenged: list[int]
    attack: CurrentAttack | None
    decks: Decks
    discards: Discards
    set: Cards
    seats: list[Place]


# Actions


class Pass(Facts):
    """Passes."""


class Ready(Facts):
    """Does nothing more before the turn."""


class Draw(Facts):
    """Draws a card."""

    deck: Side
    reshuffles: bool  # the deck is empty, so it is first formed from its discard pile


class Protect(Facts):
    """Lays I don't care in front: no attack until the next own turn."""


class Challenge(Facts):
    """Challenges a seat to show that it holds no more cards than allowed."""

    seat: int


class Trade(Facts):
    """Discards two cards of a kind and takes another from the pile."""

    given: Kind
    taken: Kind


class Attack(Facts):
    """Attacks a seat."""

    target: int
    card: Kind
    type: Type


class Play(Facts):
    """Plays a card into an attack."""

    card: Kind
    weasel: bool  # together with a nosey weasel, to interfere
    side: Side | None  # null: it counts for neither


class UseCharacter(Facts):
    """Uses one's own character in an attack."""

    character: Character
    card: Kind  # that it stands for
    side: Side


class Discard(Facts):
    """Discards a card."""

    card: Kind


Actions = Pass | Ready | Draw | Protect | Challenge | Trade | Attack | Play | UseCharacter | Discard


# Events


class Passed(Event):
    """A seat passed."""

    seat: int


class SaidReady(Event):
    """A seat does nothing more before the turn."""

    seat: int


class DeckReshuffled(Event):
    """An empty deck was formed from its discard pile."""

    deck: Side
    cards: Cards


class CardDrawn(Event):
    """A card was drawn into a hand."""

    seat: int
    deck: Side
    card: Kind | None  # null: unseen


class ProtectionBegan(Event):
    """A seat laid I don't care in front of it."""

    seat: int


class Challenged(Event):
    """A seat was challenged; moved cards are a separate event."""

    seat: int
    target: int
    held: int  # cards in the hand of the seat challenged
    gain: int  # cards the challenger takes; -1: it loses one


class CardsTaken(Event):
    """Cards went from hand to hand."""

    taker: int
    loser: int
    count: int
    cards: list[Kind] | None  # null: unseen


class CardsTraded(Event):
    """Two cards of a kind were discarded for another from the pile."""

    seat: int
    given: Kind
    taken: Kind


class AttackBegan(Event):
    """A seat attacked another with a card."""

    seat: int
    target: int
    card: Kind
    type: Type


class CardPlayed(Event):
    """A card was played into an attack."""

    seat: int
    card: Kind
    weasel: bool  # together with a nosey weasel
    side: Side | None  # null: it counts for neither


class CharacterUsed(Event):
    """A character was used in an attack."""

    seat: int
    character: Character
    card: Kind  # that it stands for
    side: Side
    revealed: bool  # it was secret until then


class InterferingStopped(Event):
    """Nobody may interfere any more in this turn."""

    seat: int


class StopUndone(Event):
    """A stop it was answered, and the attack goes on."""

    stopper: int


class CardDiscarded(Event):
    """A card beyond the limit was discarded."""

    seat: int
    card: Kind


class AttackEnded(Event):
    """An attack ended, and its cards went to the discard piles."""

    by: int
    target: int
    type: Type
    attacks: int
    defences: int
    result: Result
    lives: int  # that the target has left


class Eliminated(Event):
    """A seat lost its last life."""

    seat: int


class CharacterShown(Event):
    """The secret character of an eliminated seat was turned up."""

    seat: int
    character: Character


class HandKept(Event):
    """An eliminated seat keeps its hand, to interfere with."""

    seat: int
    count: int


class DuelBegan(Event):
    """Two seats are left: other limits, no characters, no challenges."""

    least: int
    most: int


class HandsLaidDown(Event):
    """Eliminated seats that may not keep their hands discarded them."""

    seats: list[int]
    counts: list[int]  # by seat
    cards: list[Kind]  # of all


class TurnBegan(Event):
    """The turn of the next seat began."""

    seat: int


class ProtectionEnded(Event):
    """The I don't care in front of a seat went to the discard pile."""

    seat: int


class MatchEnded(Event):
    """The match is over."""

    reason: Literal["eliminated", "quiet"]  # quiet: no life was lost for too long
    winners: list[int]
    lives: int  # of a winner, or of its whole team
    cards: int


Events = (
    Passed
    | SaidReady
    | DeckReshuffled
    | CardDrawn
    | ProtectionBegan
    | Challenged
    | CardsTaken
    | CardsTraded
    | AttackBegan
    | CardPlayed
    | CharacterUsed
    | InterferingStopped
    | StopUndone
    | CardDiscarded
    | AttackEnded
    | Eliminated
    | CharacterShown
    | HandKept
    | DuelBegan
    | HandsLaidDown
    | TurnBegan
    | ProtectionEnded
    | MatchEnded
)


# Reading the state


def lives(known: Known, p: int) -> int:
    """Counts a seat's lives."""
    marks: list[int] = known.marks[p]
    return LIVES - sum(marks)


def is_in(known: Known, p: int) -> bool:
    """Returns whether a seat is still in the game."""
    return lives(known, p) > 0


def is_duel(known: Known) -> bool:
    """Returns whether only two of more seats are left (SF-37)."""
    return bool(known.alive == 2 and known.seats > 2)


def is_ahead(known: Known) -> bool:
    """Returns whether the attack has more cards than the defence."""
    return bool(known.attacks > known.defences)


def character(known: Known, p: int) -> Character | None:
    """Returns a seat's character, if the viewer knows it."""
    role: int = known.role[p]
    return None if role == UNKNOWN else CHARACTERS[role]


def character_as(known: Known) -> Kind:
    """Returns the card that a character stands for now."""
    wanted: int = known.type + (HALF if is_ahead(known) else 0)
    return CARDS[wanted]


def side_now(known: Known) -> Side:
    """Returns the side that needs a card now."""
    return DECKS[is_ahead(known)]


def side_of(card: int) -> Side | None:
    """Returns the side that a card of an attack counts for."""
    return None if card in (ENOUGH, STOP_IT) else DECKS[card // HALF]


def cards(counts: list[int]) -> Cards:
    """Returns the names of the cards that a list by kind counts."""
    return Cards(*[n or UNSET for n in counts])


def spread(counts: list[int]) -> list[Kind]:
    """Lists the cards that a list by kind counts, one by one."""
    return [kind for kind, n in zip(CARDS, counts, strict=True) for _ in range(n)]


def table(known: Known, seat: int) -> Table:
    """Returns the table as the seat sees it."""
    duel = is_duel(known)
    attack = None
    if known.attacked != NOBODY:
        attack = CurrentAttack(
            known.on_turn,
            known.attacked,
            TYPES[known.type],
            known.attacks,
            known.defences,
            bool(known.closed),
            None if known.stopper == NOBODY else known.stopper,
        )
    pile = known.discard
    return Table(
        PHASES[known.phase],
        known.starter,
        known.on_turn,
        duel,
        DUEL_LEAST if duel else LEAST,
        DUEL_MOST if duel else MOST,
        known.quiet,
        QUIET_TURNS * known.seats,
        [q for q in range(known.seats) if known.dared >> q & 1],
        attack,
        Decks(*known.deck_size),
        Discards(cards(pile[:HALF]), cards([0] * HALF + pile[HALF:])),
        _set(known),
        [_place(known, p, seat) for p in range(known.seats)],
    )


def _set(known: Known) -> Cards:
    """Returns the cards in play, by kind (SF-1, SF-2, SF-48)."""
    big, more = known.seats > 2, known.extension
    found: list[int | UnsetType] = list(known.printed)
    if not big:
        found[WEASEL] = found[DONT_CARE] = UNSET
    elif not more:
        found[ENOUGH] = found[STOP_IT] = UNSET
    if not more:
        found[Card.SNEAKY_ATTACK] = found[Card.SNEAKY_DEFENCE] = UNSET
    return Cards(*found)


def _place(known: Known, p: int, viewer: int) -> Place:
    gossiped, trapped = known.marks[p]
    left = LIVES - gossiped - trapped
    return Place(
        left,
        gossiped,
        trapped,
        left == 0,
        known.size[p],
        cards(known.hand[p]) if p == viewer else None,
        None if p == viewer else _sure(known.known[p][viewer + 1]),
        _sure(known.known[p][PUBLIC]),
        bool(known.keeps[p]),
        bool(known.shield[p]),
        bool(known.barred >> p & 1),
        character(known, p),
        bool(known.shown[p]),
        bool(known.used[p]),
        TYPES[known.role[p] // 2] if known.teams else None,
        cards(known.played[p]),
    )


def _sure(claims: list[int]) -> Sure:
    return Sure(cards(claims[:KINDS]), *claims[SOME:])


# Actions


def _fixed_facts(action: int) -> Actions:
    """Returns the facts of an action that always means the same."""
    if action == PASS:
        return Pass()
    if action == READY:
        return Ready()
    if action == CARE:
        return Protect()
    if action < TRADE:
        return Challenge(action - CHALLENGE)
    if action < ATTACK:
        given, taken = divmod(action - TRADE, KINDS)
        return Trade(CARDS[given], CARDS[taken])
    if action < PLAY:
        target, opening = divmod(action - ATTACK, OPENINGS)
        return Attack(target, CARDS[OPENING_CARDS[opening]], TYPES[opening % 2])
    if action >= THROW:
        return Discard(CARDS[action - THROW])
    weasel = action >= WEASEL_WITH
    card = action - (WEASEL_WITH if weasel else PLAY)
    return Play(CARDS[card], weasel, side_of(card))


FIXED_FACTS = [
    None if action == CHARACTER or DRAW <= action < CARE else _fixed_facts(action)
    for action in range(ACTIONS)
]


def facts(known: Known, action: int) -> Actions:
    """Returns what a legal action means."""
    if fixed := FIXED_FACTS[action]:
        return fixed
    if action == CHARACTER:
        named = CHARACTERS[known.role[known.to_act]]
        return UseCharacter(named, character_as(known), side_now(known))
    deck = action - DRAW
    return Draw(DECKS[deck], known.deck_size[deck] == 0)


# Events


def events(before: Known, label: int, after: Known, seat: int) -> list[Events]:
    """Lists the effects of an action, as far as the seat knows them."""
    happened = _done(before, label, after, seat)
    was_on = before.attacked != NOBODY or ATTACK <= label < PLAY
    if was_on and after.attacked == NOBODY:
        happened += _attack_end(before, label, after)
    if after.on_turn != before.on_turn:
        happened.append(TurnBegan(after.on_turn))
        if before.shield[after.on_turn]:
            happened.append(ProtectionEnded(after.on_turn))
    if after.phase == OVER:
        happened.append(_match_end(after))
    return happened


def _done(before: Known, label: int, after: Known, seat: int) -> list[Events]:
    """Lists the direct effects of a seat's action."""
    by = before.to_act
    if label == PASS:
        return [Passed(by)]
    if label == READY:
        return [SaidReady(by)]
    if label < CARE:
        return _drawn(before, label - DRAW, after, seat)
    if label == CARE:
        return [ProtectionBegan(by)]
    if label < TRADE:
        return _challenged(before, label - CHALLENGE, after, seat)
    if label < ATTACK:
        given, taken = divmod(label - TRADE, KINDS)
        return [CardsTraded(by, CARDS[given], CARDS[taken])]
    if label < PLAY:
        target, opening = divmod(label - ATTACK, OPENINGS)
        return [AttackBegan(by, target, CARDS[OPENING_CARDS[opening]], TYPES[opening % 2])]
    if label == CHARACTER:
        named, revealed = CHARACTERS[after.role[by]], not before.shown[by]
        return [CharacterUsed(by, named, character_as(before), side_now(before), revealed)]
    if label >= THROW:
        return [CardDiscarded(by, CARDS[label - THROW])]
    return _played(before, label)


def _drawn(before: Known, deck: int, after: Known, seat: int) -> list[Events]:
    by = before.to_act
    kind = _gained(before, after, by)[0] if by == seat else None
    drawn: list[Events] = [CardDrawn(by, DECKS[deck], kind)]
    if before.deck_size[deck] == 0:
        formed = [n if card // HALF == deck else 0 for card, n in enumerate(before.discard)]
        drawn.insert(0, DeckReshuffled(DECKS[deck], cards(formed)))
    return drawn


def _challenged(before: Known, target: int, after: Known, seat: int) -> list[Events]:
    by = before.to_act
    gain = after.size[by] - before.size[by]
    told: list[Events] = [Challenged(by, target, before.size[target], gain)]
    if gain:
        taker, loser = (by, target) if gain > 0 else (target, by)
        taken = None  # only the two seats see the cards (SF-50)
        if seat == taker:
            taken = _gained(before, after, seat)
        elif seat == loser:
            taken = _gained(after, before, seat)
        told.append(CardsTaken(taker, loser, abs(gain), taken))
    return told


def _gained(before: Known, after: Known, p: int) -> list[Kind]:
    """Lists the cards that a hand has gained."""
    hands = zip(after.hand[p], before.hand[p], strict=True)
    return spread([now - then for now, then in hands])


def _played(before: Known, label: int) -> list[Events]:
    """Lists the immediate effects of a card played into an attack."""
    by, weasel = before.to_act, label >= WEASEL_WITH
    card = label - (WEASEL_WITH if weasel else PLAY)
    told: list[Events] = [CardPlayed(by, CARDS[card], weasel, side_of(card))]
    if card == ENOUGH:
        # SF-25: an answer to stop it does not also stop interfering.
        answers = before.phase == ANSWER
        told.append(StopUndone(before.stopper) if answers else InterferingStopped(by))
    return told


def _laid(label: int) -> list[int]:
    """Lists the cards that an action lays from a hand into an attack."""
    if ATTACK <= label < PLAY:
        return [OPENING_CARDS[(label - ATTACK) % OPENINGS]]
    if PLAY <= label < CHARACTER:
        return [label - PLAY]
    return [WEASEL, label - WEASEL_WITH] if WEASEL_WITH <= label < THROW else []


def _attack_end(before: Known, label: int, after: Known) -> list[Events]:
    """Lists the effects of the end of an attack."""
    laid, target, kind = _laid(label), before.attacked, before.type
    if target == NOBODY:  # it was over as soon as it began
        target, opening = divmod(label - ATTACK, OPENINGS)
        kind = opening % 2
    attacks, defences = before.attacks, before.defences
    if label == CHARACTER:
        side: Side | None = side_now(before)
    else:
        side = side_of(laid[-1]) if laid else None
    attacks += side == "attack"
    defences += side == "defence"
    result: Result = "failed"
    if after.marks[target][kind] > before.marks[target][kind]:
        result = "succeeded"
    elif before.phase == ANSWER or STOP_IT in laid:
        result = "stopped"
    left = lives(after, target)
    told: list[Events] = [
        AttackEnded(before.on_turn, target, TYPES[kind], attacks, defences, result, left)
    ]
    if left == 0:
        told.append(Eliminated(target))
        if not before.shown[target]:
            told.append(CharacterShown(target, CHARACTERS[after.role[target]]))
        if after.size[target]:
            told.append(HandKept(target, after.size[target]))
        if is_duel(after) and after.phase != OVER:
            told.append(DuelBegan(DUEL_LEAST, DUEL_MOST))
    return told + _laid_down(before, label, after)


def _laid_down(before: Known, label: int, after: Known) -> list[Events]:
    """Lists the hands that eliminated seats discarded; whose card is whose is not kept."""
    laid, counts = _laid(label), {}
    for p in range(after.seats):
        if not after.size[p] and not is_in(after, p):
            left = before.size[p] - (len(laid) if p == before.to_act else 0)
            if left:
                counts[p] = left
    if not counts:
        return []
    # The piles' gain, without the attack's cards and a protection that ended.
    more = [now - then for now, then in zip(after.discard, before.discard, strict=True)]
    for cards_played in before.played[: before.seats]:
        more = [n - played for n, played in zip(more, cards_played, strict=True)]
    for card in laid:
        more[card] -= 1
    more[DONT_CARE] -= sum(before.shield) - sum(after.shield)
    return [HandsLaidDown(list(counts), list(counts.values()), spread(more))]


def _match_end(after: Known) -> MatchEnded:
    standing = standings(after)
    best = max(standing)
    quiet = after.quiet >= QUIET_TURNS * after.seats
    won = [p for p in range(after.seats) if standing[p] == best]
    return MatchEnded("quiet" if quiet else "eliminated", won, *best)


def standings(known: Known) -> list[tuple[int, int]]:
    """Returns what SF-41 compares for each seat, or its team: lives, then cards."""
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
