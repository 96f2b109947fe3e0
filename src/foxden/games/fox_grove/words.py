"""Fox Grove in words: notation, questions, the log, refusals, and the view for clients.

Everything here is made from a wiped state, as plain ints and lists.
"""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from typing import Any

from foxden.engine.kernel import Known, from_known, to_known
from foxden.engine.voice import Voice, counted, listed
from foxden.games.fox_grove.rules import (
    AS_PRINTED,
    BASE,
    BERRIES_PAID,
    BERRY,
    BURY,
    CARDS,
    CLIMB,
    CONVERT,
    DISCOUNT,
    DISCOUNTED,
    DOUBLE,
    DRAW_TWO,
    FRANK,
    GAIN,
    HAND,
    HIDDEN_BURY,
    HIDDEN_PASS,
    KEEP,
    KEPT,
    KEPT_NUTS,
    KEPT_WOOD,
    MAX_BERRIES,
    NEW_OWL,
    NO_DISCOUNT,
    NO_DRAW,
    NO_SWITCH,
    NOBODY,
    NONE,
    OWLS,
    PAY_BERRIES,
    PAY_NUTS,
    PAY_WOOD,
    PICK_TWO,
    PLAY,
    REACTIVATE,
    REACTIVATE_ONE,
    ROUNDS,
    STOP,
    SWITCH,
    SWITCHED,
    TAKE,
    THIRTEEN,
    TOP,
    TURNS_FROM,
    TURNS_INTO,
    TWELVE,
    Colour,
    Kind,
    Owl,
    Phase,
    State,
    sole_payment,
)

COLOUR_NAMES = ("blue", "purple", "orange", "yellow")
CARD_NAMES = tuple(f"{COLOUR_NAMES[card // 13]} {card % 13 + 1}" for card in range(CARDS))
KIND_NAMES = ("wood", "nut", "maple", "any")
HOUSE_NAMES = ("tree", "mushroom", "leaf")
OWL_NAMES = ("draw two", "pick two", "discount", "switch", "double", "convert")
OWL_OPTIONS = {
    "draw_two": "After the exchange, draw two more cards, then put two under the pile.",
    "pick_two": "Take the rewards of two cards in a trick you win.",
    "discount": "Pay one resource less for a level.",
    "switch": "Pay one kind of a level's price with another kind.",
    "double": "Take twice the resources of a card.",
    "convert": "Take one kind of a card's resources as another kind.",
}
PHASE_NAMES = {phase: phase.name.lower() for phase in Phase}
FIRST_IDS = sorted({*BASE.tolist()})  # of the groups of actions that answer one question

# What is asked in a phase, as "you" are told and as others are, and the rules that bear on it.
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
PAYING = (Phase.SWITCH, Phase.DISCOUNT, Phase.BERRIES, Phase.WOOD, Phase.NUT)
DELIVERING = (Phase.DELIVER, *PAYING, Phase.BONUS)
CHOOSING = (Phase.LEFT, Phase.RIGHT, Phase.UNDER)


# Names


def card_name(card: int) -> str:
    """Names a card."""
    return CARD_NAMES[card]


def cards_of(mask: int) -> list[int]:
    """Lists a set of cards in ascending order."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


def card_names(mask: int) -> list[str]:
    """Names a set of cards."""
    return [card_name(card) for card in cards_of(mask)]


def kinds(units: list[int]) -> dict[str, int]:
    """Names counts of wood, nuts, maple and, where given, any."""
    return dict(zip(KIND_NAMES, units, strict=False))


def in_words(units: list[int], berries: int = 0) -> str:
    """Writes out resources: 3 wood, 1 nut and 1 of any kind."""
    return _in_words(tuple(units), berries)


@lru_cache(1000)  # what cards give is told with every view
def _in_words(units: tuple[int, ...], berries: int) -> str:
    names = ("wood", "nut", "maple", "of any kind")
    said = [
        counted(n, name, "nuts" if name == "nut" else name)
        for n, name in zip(units, names, strict=False)
        if n
    ]
    if berries:
        said.append(counted(berries, "blackberry", "blackberries"))
    return listed(said) if said else "nothing"


def turn_name(turn: int) -> str:
    """Names a change of kinds."""
    return f"{KIND_NAMES[TURNS_FROM[turn]]} to {KIND_NAMES[TURNS_INTO[turn]]}"


def kept(way: int) -> list[int]:
    """Returns the wood, nuts and maple that a way of keeping keeps."""
    wood, nuts = int(KEPT_WOOD[way]), int(KEPT_NUTS[way])
    return [wood, nuts, KEPT - wood - nuts]


def _notations() -> list[str]:
    written = [
        f"{verb} {card_name(card)}"
        for verb in ("pass", "bury", "play", "take")
        for card in range(CARDS)
    ]
    written += ["pick two", "no draw", "draw two", "as printed", "double"]
    written += [f"convert {turn_name(turn)}" for turn in range(6)]
    written += [f"gain {kind}" for kind in KIND_NAMES[:3]]
    written += ["stop", *[f"climb {house}" for house in HOUSE_NAMES]]
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


# What the state says


def side_of(known: Known, house: int) -> int:
    """Returns the side of a house that lies up."""
    sides = (known.tree_side, known.mushroom_side, known.leaf_side)
    return int(sides[house])


def price(known: Known, p: int, house: int) -> list[int]:
    """Returns the price of a seat's next level in a house."""
    costs: list[list[int]] = known.cost[side_of(known, house)][house]
    return costs[known.level[p][house]]


def lowest_level(known: Known, p: int) -> int:
    """Returns the lowest of a seat's levels."""
    return int(min(known.level[p]))


def score_lines(known: Known, p: int) -> list[tuple[str, int]]:
    """Explains a seat's score; berries count as far as they are seen."""
    lines = []
    for house, name in enumerate(HOUSE_NAMES):
        level = known.level[p][house]
        points = known.points[side_of(known, house)][house][level]
        lines.append((f"{name} house, level {level}", points))
    lines.append((counted(known.berries[p], "blackberry", "blackberries"), _berry_points(known, p)))
    lowest = lowest_level(known, p)
    lines.append((f"bonus for the lowest house, level {lowest}", known.track[lowest]))
    return lines


def _berry_points(known: Known, p: int) -> int:
    return sum(points * known.held[p][points] for points in range(1, 5))


def table(known: Known, seat: int) -> dict[str, Any]:
    """Lays out the table as the seat sees it."""
    return {
        "phase": PHASE_NAMES[Phase(known.phase)],
        "round": known.round + 1,
        "rounds": ROUNDS,
        "first": known.first,
        "trick": _trick(known),
        "advance": _advance(known),
        "pile": CARDS - sum(known.in_hand) - sum(len(cards_of(mask)) for mask in known.played),
        "discard_pile": card_names(sum(known.played) & ~known.lying),
        "supply": known.in_supply,
        "houses": _houses(known),
        "track": known.track[1:],
        "rewards": _rewards(known),
        "seats": [_seat(known, p, seat) for p in range(known.seats)],
        "frank": card_names(known.played[FRANK]) if known.seats == 2 else None,
    }


def _trick(known: Known) -> dict[str, Any]:
    """Lays out the trick in the order of play; Frank's seat is "frank"."""
    order: list[int] = [(known.leader + k) % known.seats for k in range(known.seats)]
    if known.seats == 2:
        order.insert(1, FRANK)
    played = {}
    for name, mask in (("cards", known.lying), ("discarded", known.cast)):
        played[name] = [
            {"seat": "frank" if p == FRANK else p, "card": card_name(card)}
            for p in order
            for card in cards_of(known.played[p] & mask)
        ]
    return {
        "number": min(known.tricks + 1, HAND),
        "of": HAND,
        "leader": known.leader,
        "led": COLOUR_NAMES[known.led] if known.led != NONE else None,
        "best": card_name(known.best) if known.best != NONE else None,
        "winner": known.taker if known.won else None,
        "picks": known.picks,
        "picked_two": bool(known.picked_two),
        "rewarding": card_name(known.card) if known.card != NONE else None,
        "resources_of_choice": known.wild,
        **played,
    }


def _advance(known: Known) -> dict[str, Any] | None:
    """Lays out the payment that is being made."""
    if known.house == NONE:
        return {"thirteen": True} if known.phase == Phase.THIRTEEN else None
    return {
        "thirteen": bool(known.reduction),
        "house": HOUSE_NAMES[known.house],
        "level": known.level[known.to_act][known.house] + 1,
        "price": kinds(known.due),
        "dropped": known.dropped,
        "switched": bool(known.paid[SWITCHED]),
        "berries": known.pay_berries if known.pay_berries != NONE else None,
        "wood": known.pay_wood if known.pay_wood != NONE else None,
    }


def _houses(known: Known) -> list[dict[str, Any]]:
    houses = []
    for house, name in enumerate(HOUSE_NAMES):
        side = side_of(known, house)
        levels = [
            {
                "level": level,
                "cost": kinds(known.cost[side][house][level - 1]),
                "bonus": bool(known.bonus[side][house][level]),
                "points": known.points[side][house][level],
            }
            for level in range(1, TOP + 1)
        ]
        houses.append({"name": name, "side": "ab"[side], "levels": levels})
    return houses


def _rewards(known: Known) -> dict[str, str]:
    """Says what each card gives."""
    said = {}
    for card in range(CARDS):
        special = {TWELVE: "a blackberry", THIRTEEN: "an advance"}.get(card % 13)
        said[card_name(card)] = special or in_words(known.reward[card])
    return said


def _seat(known: Known, p: int, viewer: int) -> dict[str, Any]:
    """Lays out what a seat has, as far as the viewer may see it."""
    seen = known.held[p][0] == 0
    mine = p == viewer
    return {
        "hand_size": known.in_hand[p],
        "hand": card_names(known.hand[p]) if mine else None,
        "played": card_names(known.played[p]),
        "voids": [name for k, name in enumerate(COLOUR_NAMES) if known.void[p] >> k & 1],
        "passed": _passed(known, p),
        "buried": card_names(known.buried[p]) if mine else None,
        "buried_size": known.under[p],
        "resources": kinds(known.stock[p]),
        "levels": dict(zip(HOUSE_NAMES, known.level[p], strict=True)),
        "berries": known.berries[p],
        "berry_points": [v for v in range(1, 5) for _ in range(known.held[p][v])] if seen else None,
        "berries_spent": sum(known.spent[p]),
        "spent_points": [v for v in range(1, 5) for _ in range(known.spent[p][v])]
        if not known.spent[p][0]
        else None,
        "berry_history": [
            "spent" if bit == "1" else "taken" for bit in f"{known.berry_log[p]:b}"[1:]
        ],
        "owls": [
            {"owl": OWL_NAMES[owl], "active": bool(known.awake[p] >> owl & 1)}
            for owl in range(OWLS)
            if known.owls[p] >> owl & 1
        ],
        "points": sum(points for _, points in score_lines(known, p)),
    }


def _passed(known: Known, p: int) -> list[dict[str, Any]]:
    """Lists what the viewer knows of the cards that a seat passed on; "pile" is under the pile."""
    right: int | str = "pile" if known.seats == 2 else (p - 1) % known.seats
    gave = ((known.gave_left[p], (p + 1) % known.seats), (known.gave_right[p], right))
    return [{"card": card_name(card), "to": to} for card, to in gave if card != NONE]


# What is asked


def question(known: Known, voice: Voice) -> str:
    """Says what is asked of whom."""
    if known.phase == Phase.OVER:
        return "The match is over."
    what = _asked(known, voice)
    if known.to_act == voice.viewer:
        return what[0].upper() + what[1:] + ("" if what.endswith("?") else ".")
    if what.endswith("?"):
        what = f"decide whether to {what[:-1]}"
    return f"Waiting for {voice.object(known.to_act)} to {what}."


def _asked(known: Known, voice: Voice) -> str:
    """Says what the seat asked is to do."""
    phase, p = Phase(known.phase), known.to_act
    play = "lead a card" if known.led == NONE else f"play a card; {COLOUR_NAMES[known.led]} was led"
    price = ""
    if phase in PAYING:
        level = known.level[p][known.house] + 1
        less = f", {known.dropped} less" if known.dropped else ""
        price = f" ({HOUSE_NAMES[known.house]} house, level {level}: {in_words(known.due)}{less})"
    return ASKED[phase][0].format(
        left=voice.object((p + 1) % known.seats),
        right=voice.object((p - 1) % known.seats),
        play=play,
        card=card_name(known.card) if known.card != NONE else "",
        units=in_words(known.reward[known.card]) if known.card != NONE else "",
        wild=known.wild,
        price=price,
    )


def explain(known: Known, action: int, voice: Voice) -> str:
    """Says what a legal action does."""
    phase, p = Phase(known.phase), known.to_act
    k = action - int(BASE[phase])
    if phase == Phase.LEFT:
        return f"Pass {card_name(k)} to {voice.object((p + 1) % known.seats)}."
    if phase == Phase.RIGHT:
        return f"Pass {card_name(k)} to {voice.object((p - 1) % known.seats)}."
    if phase in (Phase.UNDER, Phase.BURY):
        return f"Put {card_name(k)} face down under the pile."
    if phase == Phase.PLAY:
        return f"{_manner(known, k).capitalize()} {card_name(k)} ({_worth(known, k)})."
    if phase == Phase.TAKE and action != PICK_TWO:
        return f"Take {card_name(k)}'s reward: {_worth(known, k)}."
    if phase == Phase.GAIN:
        return f"Take 1 {KIND_NAMES[k]}."
    if phase in (Phase.THIRTEEN, Phase.DELIVER) and action != STOP:
        return _explain_climb(known, action - CLIMB)
    if phase == Phase.KEEP:
        return f"Keep {in_words(kept(k))}, and return the rest."
    return _explain_owls_and_prices(known, action)


def _explain_climb(known: Known, house: int) -> str:
    """Says what an advance brings, and all that it takes."""
    level = known.level[known.to_act][house] + 1
    less = ", 1 less with the 13" if known.reduction else ""
    bonus = ", with a bonus" if known.bonus[side_of(known, house)][house][level] else ""
    said = (
        f"Advance to level {level} of the {HOUSE_NAMES[house]} house for "
        f"{in_words(price(known, known.to_act, house))}{less}{bonus}."
    )
    return said + _explain_payment(known, house)


def _explain_payment(known: Known, house: int) -> str:
    """Says what an advance takes beyond its printed price, unasked or by choice."""
    p, printed = known.to_act, price(known, known.to_act, house)
    states = from_known(known, State)
    nuts = int(sole_payment(states, 0, CLIMB + house))
    if nuts >= 0:
        paying = to_known(states, 0)
        owls = _owls_used(paying)
        rest = sum(paying.due) - paying.dropped - paying.pay_berries - paying.pay_wood - nuts
        paid = [paying.pay_wood, nuts, rest]
        if paid == printed[:3] and not owls:
            return ""
        return f" You pay {in_words(paid, paying.pay_berries)}{owls}."
    lacks = [max(due - has, 0) for due, has in zip(printed, known.stock[p], strict=False)]
    spare = sum(known.stock[p]) - sum(printed[:3]) + sum(lacks)
    short = sum(lacks) + max(printed[Kind.ANY] - spare, 0) - known.reduction
    if short <= 0:
        return ""
    ways = [OWL_NAMES[owl] for owl in (Owl.SWITCH, Owl.DISCOUNT) if known.awake[p] >> owl & 1]
    ways += ["blackberries"] * bool(known.berries[p])
    return f" You are {short} short: use {' or '.join(ways)}."


def _owls_used(known: Known) -> str:
    """Names the owls used in the last payment."""
    owls = [
        name for name, use in (("switch", SWITCHED), ("discount", DISCOUNTED)) if known.paid[use]
    ]
    return f" with {listed(owls)}" if owls else ""


def _explain_owls_and_prices(known: Known, action: int) -> str:
    """Says what an answer about owls, prices or a bonus does."""
    if CONVERT <= action < CONVERT + 6:
        units = _converted(known.reward[known.card], action - CONVERT)
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


def _converted(units: list[int], turn: int) -> list[int]:
    into = list(units)
    into[TURNS_INTO[turn]] += into[TURNS_FROM[turn]]
    into[TURNS_FROM[turn]] = 0
    return into


def _manner(known: Known, card: int) -> str:
    """Says what playing a card is: lead, follow with, trump with, discard."""
    colour = card // 13
    if known.led == NONE:
        return "lead"
    if colour == known.led:
        return "follow with"
    return "trump with" if colour == Colour.YELLOW else "discard"


def _worth(known: Known, card: int) -> str:
    special = {TWELVE: "a blackberry", THIRTEEN: "an advance, 1 resource less"}
    return special.get(card % 13) or in_words(known.reward[card])


# Refusals


def refuse(known: Known, action: int, voice: Voice) -> tuple[str, str]:
    """Says why an action is not legal, and by which rule."""
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
    """Returns the rule of two players, or of the pro variant, where it replaces the usual one."""
    if rule == "FG-14" and known.seats == 2:
        return "FG-37"
    return "FG-36" if rule == "FG-30" and known.pro else rule


def _refuse_card(known: Known, card: int) -> tuple[str, str]:
    """Refuses a card that is not in the hand, is set aside, or does not follow."""
    phase, p = Phase(known.phase), known.to_act
    rule = _rule_of(known, ASKED[phase][1][0])
    if not known.hand[p] >> card & 1:
        return f"{card_name(card)} is not in your hand", rule
    if phase != Phase.PLAY:
        return f"{card_name(card)} is already set aside for your neighbour", rule
    follows = next(held for held in cards_of(known.hand[p]) if held // 13 == known.led)
    return f"you hold {card_name(follows)} and must follow {COLOUR_NAMES[known.led]}", rule


def _refuse_take(known: Known, card: int) -> tuple[str, str]:
    """Refuses a card that is not in the trick, or pick two."""
    if card < CARDS:
        if known.cast >> card & 1:
            return f"{card_name(card)} was discarded and is not in the trick", "FG-19"
        return f"{card_name(card)} is not in the trick", "FG-21"
    if known.picked_two:
        return "pick two works once a trick", "FG-22"
    return _no_owl(known, Owl.PICK_TWO) or ("pick two needs two cards in the trick", "FG-22")


def _no_owl(known: Known, owl: Owl) -> tuple[str, str] | None:
    """Refuses an owl that the seat asked does not own, or has used."""
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
    """Refuses double or convert."""
    if action == DOUBLE:
        return _no_owl(known, Owl.DOUBLE) or ("there is nothing on the card to double", "FG-24")
    kind = KIND_NAMES[TURNS_FROM[action - CONVERT]]
    no_kind = f"there is no {kind} on {card_name(known.card)} to convert"
    return _no_owl(known, Owl.CONVERT) or (no_kind, "FG-24")


def _refuse_climb(known: Known, house: int) -> tuple[str, str]:
    """Refuses a house that is climbed, or too dear."""
    p = known.to_act
    name = HOUSE_NAMES[house]
    if known.level[p][house] == TOP:
        return f"you are on the last level of the {name} house", "FG-28"
    less = " less 1" if known.reduction else ""
    rule = "FG-27" if known.phase == Phase.THIRTEEN else "FG-28"
    return f"you cannot pay {in_words(price(known, p, house))}{less} for the {name} house", rule


def _refuse_payment(known: Known, action: int, k: int) -> tuple[str, str]:
    """Refuses a switch, or a number that does not complete a payment."""
    p = known.to_act
    if action == NO_SWITCH:
        return "you cannot pay the price without a switch", "FG-32"
    owned, name = {
        Phase.BERRIES: (known.berries[p], ("blackberry", "blackberries")),
        Phase.WOOD: (known.stock[p][Kind.WOOD], ("wood", "wood")),
        Phase.NUT: (known.stock[p][Kind.NUT], ("nut", "nuts")),
    }[Phase(known.phase)]
    if k > owned:
        return f"you have only {counted(owned, *name)}", "FG-32"
    return f"the price cannot be paid with {counted(k, *name)}", "FG-32"


def _refuse_bonus(known: Known, action: int) -> tuple[str, str]:
    """Refuses what a bonus cannot bring."""
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


def tell(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells what happened, in sentences."""
    phase, seat = Phase(before.phase), before.to_act
    berries = _Berries(before, after, voice)
    lines = []
    if phase in CHOOSING:
        lines += _tell_exchange(before, label, after, voice)
    elif phase in (Phase.DRAW, Phase.BURY):
        lines += _tell_draw_two(before, label, after, voice)
    elif phase == Phase.PLAY:
        card = label - PLAY
        verb, _, rest = _manner(before, card).partition(" ")
        lines.append(
            f"{voice.does(seat, verb + 's')}{' ' + rest if rest else ''} {card_name(card)}."
        )
        if rest == "" and verb == "discard":
            lines.append(_tell_reward(before, seat, card, after, berries))
    elif phase == Phase.TAKE:
        if label == PICK_TWO:
            lines.append(f"{voice.does(seat, 'uses')} pick two.")
        else:
            lines.append(_tell_reward(before, seat, label - TAKE, after, berries))
    elif phase in (Phase.REWARD, Phase.GAIN):
        lines += _tell_resources(before, label, voice)
    elif phase == Phase.KEEP:
        lines.append(f"{voice.does(seat, 'keeps')} {in_words(kept(label - KEEP))}.")
    elif label == STOP:
        declined = " and leaves the 13 unused" if phase == Phase.THIRTEEN else " delivering"
        if seat == voice.viewer:
            declined = declined.replace("leaves", "leave")
        lines.append(f"{voice.does(seat, 'stops')}{declined}.")
    else:
        lines += _tell_climb(before, label, after, berries)
    return [
        *lines,
        *_tell_second(before, label, after, berries),
        *_tell_trick(before, label, after, berries),
        *_tell_round(before, after, voice),
    ]


def _tell_exchange(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells a card set aside, and what comes when all cards have been."""
    seat, phase = before.to_act, Phase(before.phase)
    card = "a card" if label >= HIDDEN_PASS else card_name(label - int(BASE[phase]))
    where = "for the pile"
    if phase != Phase.UNDER:
        where = f"for {voice.object((seat + (1 if phase == Phase.LEFT else -1)) % before.seats)}"
    lines = [f"{voice.does(seat, 'sets')} {card} aside {where}."]
    if Phase(after.phase) in CHOOSING:
        return lines
    lines.append("The cards change hands.")
    me = voice.viewer
    if me != NOBODY:
        right, left = (me - 1) % after.seats, (me + 1) % after.seats
        got = {right: after.gave_left[right]}
        if after.seats > 2:
            got[left] = after.gave_right[left]
        gifts = [f"{card_name(card)} from {voice.object(p)}" for p, card in got.items()]
        lines.append(f"You receive {listed(gifts)}.")
        if after.seats == 2:
            drawn = after.hand[me] & ~before.hand[me] & ~(1 << after.gave_left[right])
            lines.append(f"You draw {listed(card_names(drawn))}.")
    return lines


def _tell_draw_two(before: Known, label: int, after: Known, voice: Voice) -> list[str]:
    """Tells the use of draw two, and the cards buried after it."""
    seat = before.to_act
    if label == NO_DRAW:
        return [f"{voice.does(seat, 'leaves')} draw two unused."]
    if label == DRAW_TWO:
        drawn = card_names(after.hand[seat] & ~before.hand[seat])
        return [f"{voice.does(seat, 'uses')} draw two: {listed(drawn) if drawn else 'two cards'}."]
    card = "a card" if label == HIDDEN_BURY else card_name(label - BURY)
    return [f"{voice.does(seat, 'puts')} {card} under the pile."]


class _Berries:
    """The blackberries taken in one action, told one by one in the order in which they were."""

    def __init__(self, before: Known, after: Known, voice: Voice) -> None:
        self.voice = voice
        self.left = before.in_supply - after.in_supply
        self.points: list[int] = []  # the viewer's own, which others do not see
        me = voice.viewer
        if me != NOBODY:
            had, has = (
                [sum(n) for n in zip(k.held[me], k.spent[me], strict=True)] for k in (before, after)
            )
            self.points = [v for v in range(1, 5) for _ in range(had[v], has[v])]

    def take(self, seat: int) -> str | None:
        """Tells the next one, which a seat has taken; None says that no more were there."""
        if not self.left:
            return None
        self.left -= 1
        seen = seat == self.voice.viewer and self.points
        return f"a blackberry ({self.points.pop(0)})" if seen else "a blackberry"


def _tell_reward(before: Known, seat: int, card: int, after: Known, berries: _Berries) -> str:
    """Tells what a card chosen or discarded brings at once."""
    opening = f"{berries.voice.does(seat, 'takes')} {card_name(card)}'s reward"
    if card % 13 == TWELVE:
        berry = berries.take(seat)
        return f"{opening}: {berry}." if berry else f"{opening}, but no blackberry is left."
    if card % 13 == THIRTEEN:
        if after.phase == Phase.THIRTEEN and after.card == card:
            return f"{opening}: an advance for 1 resource less."
        return f"{opening}, but cannot pay for an advance."
    if after.phase == Phase.REWARD and after.card == card:
        return f"{opening}."
    return f"{opening}: {in_words(before.reward[card])}."


def _tell_second(before: Known, label: int, after: Known, berries: _Berries) -> list[str]:
    """Tells the second card of pick two, which is taken unasked where it is the only one left."""
    lying = before.lying
    if before.phase == Phase.TAKE and label != PICK_TWO:
        lying ^= 1 << (label - TAKE)
    moved = (after.round, after.tricks, -after.picks) > (before.round, before.tricks, -before.picks)
    if not before.won or before.picks < 2 or not moved or len(cards_of(lying)) > 1:
        return []
    return [_tell_reward(before, before.to_act, cards_of(lying)[0], after, berries)]


def _tell_resources(before: Known, label: int, voice: Voice) -> list[str]:
    """Tells the resources of a card, with the owl used on it."""
    seat = before.to_act
    takes = voice.does(seat, "takes")
    if before.phase == Phase.GAIN:
        return [f"{takes} 1 {KIND_NAMES[label - GAIN]}."]
    units = before.reward[before.card]
    if label == DOUBLE:
        return [f"{voice.does(seat, 'uses')} double: {in_words([2 * n for n in units])}."]
    if label >= CONVERT:
        turned = in_words(_converted(units, label - CONVERT))
        return [f"{voice.does(seat, 'uses')} convert: {turned}."]
    return [f"{takes} {in_words(units)}."]


def _tell_climb(before: Known, label: int, after: Known, berries: _Berries) -> list[str]:
    """Tells a step of an advance, and the advance when it is paid."""
    seat, phase, voice = before.to_act, Phase(before.phase), berries.voice
    lines = []
    if phase == Phase.BONUS:
        lines.append(_tell_bonus(before, label, berries))
    elif CLIMB <= label < CLIMB + 3:
        house = label - CLIMB
        level = before.level[seat][house] + 1
        lines.append(
            f"{voice.does(seat, 'heads')} for level {level} of the {HOUSE_NAMES[house]} house."
        )
    else:
        lines.append(f"{voice.does(seat, *_step(label))}.")
    climbed = [house for house in range(3) if after.level[seat][house] > before.level[seat][house]]
    if not climbed:
        return lines
    house = climbed[0]
    level = after.level[seat][house]
    paid = in_words(after.paid[:BERRIES_PAID], after.paid[BERRIES_PAID])
    reached = f"level {level} of the {HOUSE_NAMES[house]} house"
    lines.append(f"{voice.does(seat, 'pays')} {paid}{_owls_used(after)}: {reached}.")
    if before.bonus[side_of(before, house)][house][level]:
        lines.append(_tell_bonus_level(before, after, berries))
    return lines


def _step(label: int) -> tuple[str, str]:
    """Says what an answer about a payment is, of others and to its own seat."""
    if label in (SWITCH, DISCOUNT):
        return f"uses {notation(label)}", f"use {notation(label)}"
    if label in (NO_SWITCH, NO_DISCOUNT):
        owl = notation(label).removeprefix("no ")
        return f"leaves {owl} unused", f"leave {owl} unused"
    paid = notation(label).replace("berry", "blackberry").replace("berries", "blackberries")
    return f"chooses to {paid}", f"choose to {paid}"


def _tell_bonus(before: Known, label: int, berries: _Berries) -> str:
    """Tells the bonus that was chosen."""
    seat, voice = before.to_act, berries.voice
    if label == BERRY:
        return f"{voice.does(seat, 'takes')} {berries.take(seat)}."
    if label >= NEW_OWL:
        return f"{voice.does(seat, 'takes')} the {OWL_NAMES[label - NEW_OWL]} owl."
    owls = before.owls[seat] & ~before.awake[seat]
    if label >= REACTIVATE_ONE:
        owls = 1 << (label - REACTIVATE_ONE)
    return f"{voice.does(seat, 'reactivates')} {_owl_list(owls)}."


def _owl_list(owls: int) -> str:
    return listed(name for owl, name in enumerate(OWL_NAMES) if owls >> owl & 1)


def _tell_bonus_level(before: Known, after: Known, berries: _Berries) -> str:
    """Tells a bonus level, and its bonus where there was no choice."""
    seat = before.to_act
    if after.phase == Phase.BONUS:
        return "It is a bonus level."
    if before.in_supply:
        return f"It is a bonus level: {berries.take(seat)}, as there is nothing else to take."
    used = before.owls[seat] & ~before.awake[seat]
    if after.paid[SWITCHED]:
        used |= 1 << Owl.SWITCH
    if after.paid[DISCOUNTED]:
        used |= 1 << Owl.DISCOUNT
    woken = used & after.awake[seat]
    if woken:
        return f"No blackberry is left, so the bonus reactivates {_owl_list(woken)}."
    return "The bonus brings nothing: no blackberry is left, and no owl is inactive."


def _tell_trick(before: Known, label: int, after: Known, berries: _Berries) -> list[str]:
    """Tells Frank's card, who wins the trick, and a reward that is taken unasked."""
    voice, lines = berries.voice, []
    turned = after.played[FRANK] & ~before.played[FRANK]
    if turned and after.round == before.round:
        card = cards_of(turned)[0]
        if after.cast & turned:
            lines.append(f"Frank turns up {card_name(card)}, which is discarded.")
        else:
            lines.append(f"Frank turns up {card_name(card)}.")
    stood, stands = ((known.round, known.tricks, known.won) for known in (before, after))
    if stands > stood and not before.won and before.tricks < HAND:
        best, taker, lying = before.best, before.taker, before.lying
        if before.phase == Phase.PLAY and _manner(before, label - PLAY) != "discard":
            lying |= 1 << (label - PLAY)
            if label - PLAY > best:
                best, taker = label - PLAY, before.to_act
        if taker == FRANK:
            lines.append(f"Frank wins the trick with {card_name(best)}; nobody gets a reward.")
        else:
            lines.append(f"{voice.does(taker, 'wins', 'win')} the trick with {card_name(best)}.")
            if lying == 1 << best:
                lines.append(_tell_reward(before, taker, best, after, berries))
    return lines


def _tell_round(before: Known, after: Known, voice: Voice) -> list[str]:
    """Tells the marker's way, who has nothing to deliver, a new round, and the end."""
    lines = []
    ended = (after.round, after.tricks) != (before.round, before.tricks)
    if ended and before.tricks == HAND - 1:
        lines.append(f"{voice.does(after.first, 'has', 'have')} the first player marker now.")
    lines += [f"{voice.name(p)} cannot pay for an advance." for p in _skipped(before, after)]
    for p in range(after.seats):
        # Who keeps three of one kind is not asked.
        asked = before.phase == Phase.KEEP and p == before.to_act
        had = sum(before.stock[p])
        if p == before.to_act and after.level[p] != before.level[p]:
            had -= sum(after.paid[:BERRIES_PAID])
        if sum(after.stock[p]) < had and not asked:
            lines.append(f"{voice.does(p, 'keeps')} {in_words(after.stock[p])}.")
    if after.round > before.round:
        lines.append(f"Round {after.round + 1} of {ROUNDS} begins.")
        if voice.viewer != NOBODY:
            lines.append(f"You are dealt {listed(card_names(after.hand[voice.viewer]))}.")
    if after.phase == Phase.OVER:
        lines += _tell_end(after, voice)
    return lines


def _skipped(before: Known, after: Known) -> list[int]:
    """Lists the seats that were not asked to deliver, because they cannot pay for anything."""
    started = before.tricks == HAND and before.phase != Phase.KEEP
    if not started and (after.tricks != HAND and after.round == before.round):
        return []
    if before.phase == Phase.KEEP or not (started or before.tricks == HAND - 1):
        return []
    behind = before.turn + 1 if started else 0
    still = after.round == before.round and Phase(after.phase) in DELIVERING
    ahead = after.turn if still else after.seats
    return [(after.first + k) % after.seats for k in range(behind, ahead)]


def _tell_end(after: Known, voice: Voice) -> list[str]:
    """Tells the scores and who has won."""
    totals = [sum(points for _, points in score_lines(after, p)) for p in range(after.seats)]
    lines = ["The fourth round is over; blackberries are turned over."]
    told = [f"{voice.object(p)} {totals[p]}" for p in range(after.seats)]
    lines.append(f"Points: {listed(told)}.")
    ranks = [total * (MAX_BERRIES + 1) + after.berries[p] for p, total in enumerate(totals)]
    best = [p for p in range(after.seats) if ranks[p] == max(ranks)]
    verb = "win" if len(best) > 1 or best[0] == voice.viewer else "wins"
    tied = totals.count(max(totals)) > 1
    how = " by the number of blackberries" if tied and len(best) == 1 else ""
    how = " together" if len(best) > 1 else how
    lines.append(f"{voice.names_of(best)} {verb}{how}.")
    return lines


def tally(known: Known) -> list[list[tuple[str, int]]]:
    """Explains each score: houses, berries, round track."""
    return [score_lines(known, p) for p in range(known.seats)]


def rules_now(known: Known) -> tuple[str, ...]:
    """Names the rules that bear on the present decision."""
    return tuple(_rule_of(known, rule) for rule in ASKED[Phase(known.phase)][1])
