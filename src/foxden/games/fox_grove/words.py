"""Fox Grove in words: notation, questions, the log, refusals.

Everything here is made from a wiped state or from events, which are made from one.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence

from foxden.engine.kernel import Known
from foxden.engine.voice import Voice, counted, listed
from foxden.games.fox_grove.rules import (
    AS_PRINTED,
    BASE,
    BERRY,
    CARDS,
    CLIMB,
    CONVERT,
    DISCOUNT,
    DOUBLE,
    DRAW_TWO,
    KEEP,
    KEPT_WOOD,
    NEW_OWL,
    NO_DISCOUNT,
    NO_DRAW,
    NO_SWITCH,
    NONE,
    PAY_BERRIES,
    PAY_NUTS,
    PAY_WOOD,
    PICK_TWO,
    REACTIVATE,
    REACTIVATE_ONE,
    STOP,
    SWITCH,
    THIRTEEN,
    TOP,
    TURNS_FROM,
    TURNS_INTO,
    TWELVE,
    Kind,
    Owl,
    Phase,
)
from foxden.games.fox_grove.view import (
    CARD_NAMES,
    COLOURS,
    HOUSES,
    KINDS,
    OWL_NAMES,
    PAYING,
    AdvanceDeclined,
    AdvanceStarted,
    BerryTaken,
    BonusLost,
    BonusOffered,
    CardBuried,
    CardPlayed,
    CardsDrawn,
    CardSetAside,
    CardsExchanged,
    DeliveryEnded,
    Events,
    LevelReached,
    Manner,
    MarkerTaken,
    MatchEnded,
    OwlSaved,
    OwlsWoken,
    OwlTaken,
    OwlUsed,
    Payment,
    PaymentChosen,
    ResourcesKept,
    ResourcesTaken,
    RewardTaken,
    RoundBegan,
    Stock,
    TrickWon,
    Units,
    cards_of,
    climb,
    converted,
    in_words,
    kept,
    manner,
    points_of,
    price,
)

OWL_OPTIONS = {
    "draw_two": "After the exchange, draw two more cards, then put two under the pile.",
    "pick_two": "Take the rewards of two cards in a trick you win.",
    "discount": "Pay one resource less for a level.",
    "switch": "Pay one kind of a level's price with another kind.",
    "double": "Take twice the resources of a card.",
    "convert": "Take one kind of a card's resources as another kind.",
}
FIRST_IDS = sorted({*BASE.tolist()})  # first ids of the groups of actions that answer one question

# The question of each phase, to "you" and to others, and the rules that apply to it.
ASKED = {
    Phase.LEFT: ("choose a card to pass to {left}", ("FG-14",)),
    Phase.RIGHT: ("choose a card to pass to {right}", ("FG-14",)),
    Phase.UNDER: ("choose a card to put under the pile", ("FG-37",)),
    Phase.DRAW: ("use draw two?", ("FG-15",)),
    Phase.BURY: ("choose a card to put under the pile", ("FG-15",)),
    Phase.PLAY: ("{play}", ("FG-17", "FG-18", "FG-19", "FG-20")),
    Phase.TAKE: ("choose which card's reward to take", ("FG-21", "FG-22")),
    Phase.REWARD: ("use an owl on {card} ({units})?", ("FG-24",)),
    Phase.GAIN: ("choose a resource, {wild} to go", ("FG-3",)),
    Phase.THIRTEEN: ("advance with the 13, for 1 resource less?", ("FG-27", "FG-28")),
    Phase.DELIVER: ("advance in a house, or stop", ("FG-33", "FG-28", "FG-26")),
    Phase.SWITCH: ("use switch{price}?", ("FG-29",)),
    Phase.DISCOUNT: ("use discount{price}?", ("FG-29",)),
    Phase.BERRIES: ("choose how many blackberries to pay{price}", ("FG-32", "FG-26")),
    Phase.WOOD: ("choose how much wood to pay{price}", ("FG-32",)),
    Phase.NUT: ("choose how many nuts to pay, the rest in maple{price}", ("FG-32",)),
    Phase.BONUS: ("choose a bonus", ("FG-30",)),
    Phase.KEEP: ("choose three resources to keep", ("FG-34",)),
    Phase.OVER: ("", ("FG-35",)),
}
MANNERS: dict[Manner, str] = {
    "lead": "lead",
    "follow": "follow with",
    "trump": "trump with",
    "discard": "discard",
}

PAID_IN = {
    "berry": ("blackberry", "blackberries"),
    "wood": ("wood", "wood"),
    "nut": ("nut", "nuts"),
}


def turn_name(turn: int) -> str:
    """Describes a change of kinds."""
    return f"{KINDS[TURNS_FROM[turn]]} to {KINDS[TURNS_INTO[turn]]}"


def _notations() -> list[str]:
    written = [
        f"{verb} {CARD_NAMES[card]}"
        for verb in ("pass", "bury", "play", "take")
        for card in range(CARDS)
    ]
    written += ["pick two", "no draw", "draw two", "as printed", "double"]
    written += [f"convert {turn_name(turn)}" for turn in range(6)]
    written += [f"gain {kind}" for kind in KINDS]
    written += ["stop", *[f"climb {house}" for house in HOUSES]]
    written += ["no switch", "switch", "no discount", "discount"]
    for one, many in (("berry", "berries"), ("wood", "wood"), ("nut", "nuts")):
        written += [f"pay {counted(n, one, many)}" for n in range(PAY_WOOD - PAY_BERRIES)]
    written += ["berry", "reactivate", *[f"reactivate {owl}" for owl in OWL_NAMES]]
    written += [f"new {owl}" for owl in OWL_NAMES]
    for way in range(len(KEPT_WOOD)):
        written.append("keep " + in_words(kept(way)).replace(",", "").replace(" and", ""))
    return [*written, "pass card", "bury card"]


NOTATIONS = _notations()


def notation(label: int) -> str:
    """Writes an action."""
    return NOTATIONS[label]


# Questions


def question(known: Known, voice: Voice) -> str:
    """Returns the current question."""
    if known.phase == Phase.OVER:
        return "The match is over."
    what = _asked(known, voice)
    if known.to_act == voice.viewer:
        return what[0].upper() + what[1:] + ("" if what.endswith("?") else ".")
    if what.endswith("?"):
        what = f"decide whether to {what[:-1]}"
    return f"Waiting for {voice.object(known.to_act)} to {what}."


def _asked(known: Known, voice: Voice) -> str:
    """Describes what the seat to act must do."""
    phase, p = Phase(known.phase), known.to_act
    play = "lead a card" if known.led == NONE else f"play a card; {COLOURS[known.led]} was led"
    price = ""
    if phase in PAYING:
        level = known.level[p][known.house] + 1
        less = f", {known.dropped} less" if known.dropped else ""
        price = f" ({HOUSES[known.house]} house, level {level}: {in_words(known.due)}{less})"
    return ASKED[phase][0].format(
        left=voice.object((p + 1) % known.seats),
        right=voice.object((p - 1) % known.seats),
        play=play,
        card=CARD_NAMES[known.card] if known.card != NONE else "",
        units=in_words(known.reward[known.card]) if known.card != NONE else "",
        wild=known.wild,
        price=price,
    )


def explain(known: Known, action: int, voice: Voice) -> str:
    """Explains a legal action."""
    phase, p = Phase(known.phase), known.to_act
    k = action - int(BASE[phase])
    if phase == Phase.LEFT:
        return f"Pass {CARD_NAMES[k]} to {voice.object((p + 1) % known.seats)}."
    if phase == Phase.RIGHT:
        return f"Pass {CARD_NAMES[k]} to {voice.object((p - 1) % known.seats)}."
    if phase in (Phase.UNDER, Phase.BURY):
        return f"Put {CARD_NAMES[k]} face down under the pile."
    if phase == Phase.PLAY:
        return f"{MANNERS[manner(known, k)].capitalize()} {CARD_NAMES[k]} ({_worth(known, k)})."
    if phase == Phase.TAKE and action != PICK_TWO:
        return f"Take {CARD_NAMES[k]}'s reward: {_worth(known, k)}."
    if phase == Phase.GAIN:
        return f"Take 1 {KINDS[k]}."
    if phase in (Phase.THIRTEEN, Phase.DELIVER) and action != STOP:
        return _explain_climb(known, action - CLIMB)
    if phase == Phase.KEEP:
        return f"Keep {in_words(kept(k))}, and return the rest."
    return _explain_owls_and_prices(known, action)


def _explain_climb(known: Known, house: int) -> str:
    """Describes the gain and the full cost of an advance."""
    offer = climb(known, house)
    less = ", 1 less with the 13" if offer.less else ""
    bonus = ", with a bonus" if offer.bonus else ""
    said = (
        f"Advance to level {offer.level} of the {offer.house} house for "
        f"{_units(offer.cost)}{less}{bonus}."
    )
    if offer.pays is not None:
        return f"{said} You pay {_paid(offer.pays)}."
    if offer.short:
        ways = ["blackberries" if way == "berry" else way for way in offer.ways]
        return f"{said} You are {offer.short} short: use {' or '.join(ways)}."
    return said


def _units(units: Units) -> str:
    return in_words([units.wood, units.nut, units.maple, units.any])


def _stock(stock: Stock) -> str:
    return in_words([stock.wood, stock.nut, stock.maple])


def _paid(paid: Payment) -> str:
    """Formats a payment, with the owls used in it."""
    owls = f" with {listed(paid.owls)}" if paid.owls else ""
    return in_words([paid.wood, paid.nut, paid.maple], paid.berries) + owls


def _explain_owls_and_prices(known: Known, action: int) -> str:
    """Describes the effect of an answer about owls, prices or a bonus."""
    if CONVERT <= action < CONVERT + 6:
        units = converted(known.reward[known.card], action - CONVERT)
        return f"Use convert: take {in_words(units)}."
    if PAY_BERRIES <= action < PAY_WOOD:
        berries = counted(action - PAY_BERRIES, "blackberry", "blackberries")
        return f"Pay with {berries}, the least valuable first."
    if PAY_WOOD <= action < PAY_NUTS:
        return f"Pay {action - PAY_WOOD} wood."
    if PAY_NUTS <= action < BERRY:
        return f"Pay {counted(action - PAY_NUTS, 'nut')} and the rest in maple."
    if REACTIVATE_ONE <= action < NEW_OWL:
        return f"Reactivate {OWL_NAMES[action - REACTIVATE_ONE]} only."
    if NEW_OWL <= action < KEEP:
        owl = OWL_NAMES[action - NEW_OWL]
        return f"Take the {owl} owl, active at once. {OWL_OPTIONS[owl.replace(' ', '_')]}"
    units = known.reward[known.card] if known.card != NONE else [0] * 4
    return {
        PICK_TWO: "Use pick two: take two cards' rewards from this trick.",
        NO_DRAW: "Keep your hand as it is; the owl stays active.",
        DRAW_TWO: "Use draw two: draw two cards, then put two under the pile.",
        AS_PRINTED: f"Use no owl: take {in_words(units)}.",
        DOUBLE: f"Use double: take {in_words([2 * n for n in units])}.",
        STOP: "Advance no further.",
        NO_SWITCH: "Pay the printed kinds; the owl stays active.",
        SWITCH: "Use switch: pay all of one kind in the price with another kind.",
        NO_DISCOUNT: "Pay the full price; the owl stays active.",
        DISCOUNT: "Use discount: pay 1 resource less.",
        BERRY: "Take a blackberry.",
        REACTIVATE: "Reactivate all your inactive owls.",
    }[action]


def _worth(known: Known, card: int) -> str:
    special = {TWELVE: "a blackberry", THIRTEEN: "an advance, 1 resource less"}
    return special.get(card % 13) or in_words(known.reward[card])


# Refusals


def refuse(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Explains why an action is illegal, and by which rule."""
    phase = Phase(known.phase)
    if FIRST_IDS[bisect(FIRST_IDS, action) - 1] != BASE[phase]:
        asked = _asked(known, voice)
        rule = _rule_of(known, ASKED[phase][1][0])
        return f"the question is another one: {asked}", rule
    k = action - int(BASE[phase])
    if phase <= Phase.PLAY:
        return _refuse_card(known, k)
    if phase == Phase.TAKE:
        return _refuse_take(known, k)
    if phase == Phase.REWARD:
        return _refuse_reward(known, action)
    if phase in (Phase.THIRTEEN, Phase.DELIVER):
        return _refuse_climb(known, action - CLIMB)
    if phase == Phase.BONUS:
        return _refuse_bonus(known, action)
    if phase == Phase.KEEP:
        return f"you do not have {in_words(kept(k))}", "FG-34"
    return _refuse_payment(known, action, k)


def _rule_of(known: Known, rule: str) -> str:
    """Returns the rule for two players, or of the pro variant, if it replaces the usual one."""
    if rule == "FG-14" and known.seats == 2:
        return "FG-37"
    return "FG-36" if rule == "FG-30" and known.pro else rule


def _refuse_card(known: Known, card: int) -> tuple[str, str]:
    """Explains why a card cannot be played: not in hand, set aside, or not following."""
    phase, p = Phase(known.phase), known.to_act
    rule = _rule_of(known, ASKED[phase][1][0])
    if not known.hand[p] >> card & 1:
        return f"{CARD_NAMES[card]} is not in your hand", rule
    if phase != Phase.PLAY:
        return f"{CARD_NAMES[card]} is already set aside for your neighbour", rule
    follows = next(held for held in cards_of(known.hand[p]) if held // 13 == known.led)
    return f"you hold {CARD_NAMES[follows]} and must follow {COLOURS[known.led]}", rule


def _refuse_take(known: Known, card: int) -> tuple[str, str]:
    """Explains why a card of the trick, or pick two, cannot be chosen."""
    if card < CARDS:
        if known.cast >> card & 1:
            return f"{CARD_NAMES[card]} was discarded and is not in the trick", "FG-19"
        return f"{CARD_NAMES[card]} is not in the trick", "FG-21"
    if known.picked_two:
        return "pick two works once a trick", "FG-22"
    return _no_owl(known, Owl.PICK_TWO) or ("pick two needs two cards in the trick", "FG-22")


def _no_owl(known: Known, owl: Owl) -> tuple[str, str] | None:
    """Explains why an owl cannot be used: the seat does not own it, or has used it."""
    p = known.to_act
    if not known.owls[p] >> owl & 1:
        return (
            f"you do not have the {OWL_NAMES[owl]} owl",
            "FG-36" if known.pro else "FG-10",
        )
    if not known.awake[p] >> owl & 1:
        return f"the {OWL_NAMES[owl]} owl is inactive", "FG-31"
    return None


def _refuse_reward(known: Known, action: int) -> tuple[str, str]:
    """Explains why double or convert is not possible."""
    if action == DOUBLE:
        return _no_owl(known, Owl.DOUBLE) or ("there is nothing on the card to double", "FG-24")
    kind = KINDS[TURNS_FROM[action - CONVERT]]
    no_kind = f"there is no {kind} on {CARD_NAMES[known.card]} to convert"
    return _no_owl(known, Owl.CONVERT) or (no_kind, "FG-24")


def _refuse_climb(known: Known, house: int) -> tuple[str, str]:
    """Explains why a house cannot be climbed: it is at the top, or too expensive."""
    p = known.to_act
    name = HOUSES[house]
    if known.level[p][house] == TOP:
        return f"you are on the last level of the {name} house", "FG-28"
    less = " less 1" if known.reduction else ""
    rule = "FG-27" if known.phase == Phase.THIRTEEN else "FG-28"
    return f"you cannot pay {in_words(price(known, p, house))}{less} for the {name} house", rule


def _refuse_payment(known: Known, action: int, k: int) -> tuple[str, str]:
    """Explains why a switch or a number does not complete a payment."""
    p = known.to_act
    if action == NO_SWITCH:
        return "you cannot pay the price without a switch", "FG-32"
    owned, name = {
        Phase.BERRIES: (known.berries[p], PAID_IN["berry"]),
        Phase.WOOD: (known.stock[p][Kind.WOOD], PAID_IN["wood"]),
        Phase.NUT: (known.stock[p][Kind.NUT], PAID_IN["nut"]),
    }[Phase(known.phase)]
    if k > owned:
        return f"you have only {counted(owned, *name)}", "FG-32"
    return f"the price cannot be paid with {counted(k, *name)}", "FG-32"


def _refuse_bonus(known: Known, action: int) -> tuple[str, str]:
    """Explains why a bonus is not available."""
    p = known.to_act
    if action == BERRY:
        return "no blackberry is left", "FG-5"
    if action >= NEW_OWL:
        if not known.pro:
            return "new owls are for the pro variant", "FG-36"
        return f"you already have the {OWL_NAMES[action - NEW_OWL]} owl", "FG-36"
    asleep = known.owls[p] & ~known.awake[p]
    if not asleep:
        return "none of your owls is inactive", _rule_of(known, "FG-30")
    if known.pro:
        return "all inactive owls are reactivated together", "FG-36"
    if not asleep >> (action - REACTIVATE_ONE) & 1:
        return f"you have no inactive {OWL_NAMES[action - REACTIVATE_ONE]} owl", "FG-30"
    return "only one owl is inactive: just reactivate", "FG-30"


# The log


def tell(events: Sequence[Events], voice: Voice) -> list[str]:
    """Describes events in sentences."""
    lines: list[str] = []
    last: Events | None = None
    for event in events:
        match event:
            case CardSetAside() | CardsExchanged() | CardsDrawn() | CardBuried():
                _tell_exchange(lines, event, last, voice)
            case CardPlayed() | TrickWon():
                lines.append(_tell_trick(event, voice))
            case RewardTaken() | ResourcesTaken() | BerryTaken():
                _tell_reward(lines, event, last, voice)
            case OwlUsed(seat, owl, asked):
                if asked:  # otherwise the payment mentions it
                    lines.append(f"{voice.does(seat, 'uses')} {owl}.")
            case OwlSaved(seat, owl):
                lines.append(f"{voice.does(seat, 'leaves')} {owl} unused.")
            case OwlsWoken(seat, owls):
                if isinstance(last, LevelReached):
                    lines.append(f"No blackberry is left, so the bonus reactivates {listed(owls)}.")
                else:
                    lines.append(f"{voice.does(seat, 'reactivates')} {listed(owls)}.")
            case OwlTaken(seat, owl):
                lines.append(f"{voice.does(seat, 'takes')} the {owl} owl.")
            case AdvanceStarted() | PaymentChosen() | LevelReached() | AdvanceDeclined():
                lines.append(_tell_advance(event, voice))
            case BonusOffered():
                lines.append("It is a bonus level.")
            case BonusLost():
                lines.append(
                    "The bonus brings nothing: no blackberry is left, and no owl is inactive."
                )
            case DeliveryEnded(seat, "stopped"):
                lines.append(f"{voice.does(seat, 'stops')} delivering.")
            case DeliveryEnded(seat, "unable"):
                lines.append(f"{voice.name(seat)} cannot pay for an advance.")
            case MarkerTaken(seat):
                lines.append(f"{voice.does(seat, 'has', 'have')} the first player marker now.")
            case ResourcesKept(seat, stock):
                lines.append(f"{voice.does(seat, 'keeps')} {_stock(stock)}.")
            case RoundBegan(number, rounds, hand):
                lines.append(f"Round {number} of {rounds} begins.")
                if hand is not None:
                    lines.append(f"You are dealt {listed(hand)}.")
            case MatchEnded():
                lines += _tell_end(event, voice)
        last = event
    return lines


def _go_on(lines: list[str], more: str) -> None:
    """Continues the last sentence."""
    lines[-1] = f"{lines[-1][:-1]}{more}."


def _tell_exchange(
    lines: list[str],
    event: CardSetAside | CardsExchanged | CardsDrawn | CardBuried,
    last: Events | None,
    voice: Voice,
) -> None:
    """Describes cards that leave or join a hand."""
    match event:
        case CardSetAside(seat, card, to):
            whom = "the pile" if to == "pile" else voice.object(to)
            lines.append(f"{voice.does(seat, 'sets')} {card or 'a card'} aside for {whom}.")
        case CardsExchanged(gifts):
            lines.append("The cards change hands.")
            mine = [gift for gift in gifts if gift.to == voice.viewer]
            if mine:
                got = listed(f"{gift.card} from {voice.object(gift.seat)}" for gift in mine)
                lines.append(f"You receive {got}.")
        case CardsDrawn(_, _, cards):
            if isinstance(last, OwlUsed):
                _go_on(lines, f": {listed(cards) if cards else 'two cards'}")
            elif cards:
                lines.append(f"You draw {listed(cards)}.")
        case CardBuried(seat, card):
            lines.append(f"{voice.does(seat, 'puts')} {card or 'a card'} under the pile.")


def _tell_trick(event: CardPlayed | TrickWon, voice: Voice) -> str:
    """Describes a card that is played, or wins the trick."""
    match event:
        case CardPlayed("frank", card, how):
            return f"Frank turns up {card}{', which is discarded' if how == 'discard' else ''}."
        case CardPlayed(int(seat), card, how):
            verb, *rest = MANNERS[how].split()
            return " ".join((voice.does(seat, f"{verb}s"), *rest, f"{card}."))
        case TrickWon(int(seat), card):
            return f"{voice.does(seat, 'wins', 'win')} the trick with {card}."
    return f"Frank wins the trick with {event.card}; nobody gets a reward."


BRINGS = {
    "advance": ": an advance for 1 resource less",
    "no advance": ", but cannot pay for an advance",
    "no berry": ", but no blackberry is left",
}


def _tell_reward(
    lines: list[str],
    event: RewardTaken | ResourcesTaken | BerryTaken,
    last: Events | None,
    voice: Voice,
) -> None:
    """Describes a card's reward and its effects."""
    takes = voice.does(event.seat, "takes")
    match event:
        case RewardTaken(_, card, brings):
            lines.append(f"{takes} {card}'s reward{BRINGS.get(brings, '')}.")
            return
        case ResourcesTaken(_, _, units):
            what = _units(units)
        case BerryTaken(_, points):
            what = f"a blackberry ({points})" if points else "a blackberry"
    if isinstance(last, RewardTaken | OwlUsed):
        _go_on(lines, f": {what}")
    elif isinstance(last, LevelReached):
        lines.append(f"It is a bonus level: {what}, as there is nothing else to take.")
    else:
        lines.append(f"{takes} {what}.")


def _tell_advance(
    event: AdvanceStarted | PaymentChosen | LevelReached | AdvanceDeclined, voice: Voice
) -> str:
    """Describes a step of an advance, and the advance once it is paid."""
    match event:
        case AdvanceStarted(seat, house, level):
            return f"{voice.does(seat, 'heads')} for level {level} of the {house} house."
        case PaymentChosen(seat, what, count):
            return f"{voice.does(seat, 'chooses')} to pay {counted(count, *PAID_IN[what])}."
        case LevelReached(seat, house, level, paid):
            reached = f"level {level} of the {house} house"
            return f"{voice.does(seat, 'pays')} {_paid(paid)}: {reached}."
    leaves = "leave" if event.seat == voice.viewer else "leaves"
    return f"{voice.does(event.seat, 'stops')} and {leaves} the 13 unused."


def _tell_end(event: MatchEnded, voice: Voice) -> list[str]:
    """Describes the scores and the winners."""
    told = [f"{voice.object(p)} {points}" for p, points in enumerate(event.points)]
    best = event.winners
    verb = "win" if len(best) > 1 or best[0] == voice.viewer else "wins"
    how = " together" if len(best) > 1 else ""
    how = " by the number of blackberries" if event.by_berries else how
    return [
        "The fourth round is over; blackberries are turned over.",
        f"Points: {listed(told)}.",
        f"{voice.names_of(best)} {verb}{how}.",
    ]


def tally(known: Known, scores: Sequence[int]) -> list[list[tuple[str, int]]]:
    """Explains each score: houses, berries, round track."""
    return [
        list(zip(_score_lines(known, p), points_of(known, p), strict=True))
        for p in range(known.seats)
    ]


def _score_lines(known: Known, p: int) -> list[str]:
    """Returns the labels of a seat's sources of points."""
    levels = known.level[p]
    lines = [f"{name} house, level {level}" for name, level in zip(HOUSES, levels, strict=True)]
    lines.append(counted(known.berries[p], "blackberry", "blackberries"))
    lines.append(f"bonus for the lowest house, level {min(levels)}")
    return lines


def rules_now(known: Known) -> tuple[str, ...]:
    """Returns the rules that apply to the current decision."""
    return tuple(_rule_of(known, rule) for rule in ASKED[Phase(known.phase)][1])
