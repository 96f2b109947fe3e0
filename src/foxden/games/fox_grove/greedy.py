"""A greedy player of Fox Grove: values cards by what its houses need, without lookahead.

Values are in resources; a resource that a house needs soon is worth 1.
"""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.engine.rng import below
from foxden.engine.sets import count
from foxden.games.fox_grove.rules import (
    ALL_CARDS,
    AS_PRINTED,
    BERRY,
    BURY,
    CLIMB,
    CONVERT,
    DISCOUNT,
    DOUBLE,
    DRAW_TWO,
    FRANK,
    GAIN,
    HAND,
    KEEP,
    KEPT,
    KEPT_NUTS,
    KEPT_WOOD,
    MAX_COST,
    NEW_OWL,
    NO_SWITCH,
    NONE,
    OWLS,
    PASS,
    PICK_TWO,
    PLAY,
    REACTIVATE_ONE,
    ROUNDS,
    STOP,
    SUIT,
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
    has,
    lack,
    shortage,
    shortage_after,
    shortage_now,
    side,
)

SOON = 1.2  # a resource that completes the nearest level
SPARE = 0.6  # a resource that no house needs soon
A_BERRY = 2.6  # points, or any resource
AN_ADVANCE = 1.5  # a usable 13: one resource less, and earlier
A_TRICK = 2.5  # the best reward likely in a trick
SHORT = 0.5  # leading the only card of a colour
LEAST_DOUBLED = 1.2  # least gain from double before the last tricks
NEVER = -1.0e9


@rule
def greedy(s, legal, n):
    """Chooses for the seat to act, from what that seat knows."""
    best = legal[0]
    most = NEVER
    ties = 0
    for k in range(n):
        value = value_of(s, legal[k])
        if value > most:
            best = legal[k]
            most = value
            ties = 1
        elif value == most:
            ties += 1
            if below(s, ties) == 0:
                best = legal[k]
    return best


@rule
def value_of(s, action):
    """Values one action of the seat to act."""
    phase = s.phase
    if phase == Phase.PLAY:
        return play_value(s, action - PLAY)
    if phase == Phase.LEFT or phase == Phase.RIGHT:
        return -keep_value(s, action - PASS)
    if phase == Phase.UNDER or phase == Phase.BURY:
        return -keep_value(s, action - BURY)
    if phase == Phase.TAKE:
        return take_value(s, action)
    if phase == Phase.REWARD:
        return reward_value(s, action)
    if phase == Phase.GAIN:
        return worth_of_one(s, s.to_act, action - GAIN)
    if phase == Phase.DELIVER or phase == Phase.THIRTEEN:
        return climb_value(s, action)
    if phase == Phase.SWITCH:
        return switch_value(s, action)
    if phase == Phase.DISCOUNT:
        return discount_value(s, action)
    if phase == Phase.WOOD or phase == Phase.NUT:
        return payment_value(s, action)
    if phase == Phase.BONUS:
        return bonus_value(s, action)
    if phase == Phase.KEEP:
        return kept_value(s, action - KEEP)
    if phase == Phase.DRAW:
        return 1.0 if action == DRAW_TWO else 0.0
    return -1.0 * action  # BERRIES: as few as possible


# Resources and cards


@rule
def wants(s, p, kind):
    """Counts the units of a kind that the next levels lack: the nearest level's, and the others'.

    The stock goes first to the house that lacks least.
    """
    wood, nuts, maple = s.stock[p, 0], s.stock[p, 1], s.stock[p, 2]
    served = 0
    first = 0
    rest = 0
    is_nearest = True
    for _ in range(3):
        chosen = NONE
        least = 3 * MAX_COST
        for house in range(3):
            level = s.level[p, house]
            if served >> house & 1 or level == TOP:
                continue
            price = s.cost[side(s, house), house, level]
            short = max(price[0] - wood, 0) + max(price[1] - nuts, 0) + max(price[2] - maple, 0)
            if short < least:
                chosen = house
                least = short
        if chosen == NONE:
            break
        served |= 1 << chosen
        price = s.cost[side(s, chosen), chosen, s.level[p, chosen]]
        held = wood if kind == Kind.WOOD else nuts if kind == Kind.NUT else maple
        if is_nearest:
            first += max(price[kind] - held, 0)
        else:
            rest += max(price[kind] - held, 0)
        is_nearest = is_nearest and least == 0
        wood = max(wood - price[0], 0)
        nuts = max(nuts - price[1], 0)
        maple = max(maple - price[2], 0)
    return first, rest


@rule
def worth(s, p, kind, units):
    """Values resources of one kind: those that complete a level soon, those for later, the rest."""
    first, rest = wants(s, p, kind)
    soon = min(units, first)
    later = min(units - soon, rest)
    return SOON * soon + later + SPARE * (units - soon - later)


@rule
def worth_of_one(s, p, kind):
    """Values one resource, a little more if more of it is lacking."""
    first, rest = wants(s, p, kind)
    return worth(s, p, kind, 1) + 0.01 * (first + rest)


@rule
def needed(s, p, kind):
    """Returns the units of a kind that the next levels of a seat's houses cost."""
    units = 0
    for house in range(3):
        level = s.level[p, house]
        if level < TOP:
            units += s.cost[side(s, house), house, level, kind]
    return units


@rule
def card_worth(s, p, card):
    """Values the reward of a card for a seat, without owls."""
    if card % 13 == TWELVE:
        return A_BERRY if s.in_supply > 0 else 0.0
    if card % 13 == THIRTEEN:
        return advance_worth(s, p)
    value = 1.0 * s.reward[card, Kind.ANY]
    for kind in range(3):
        if s.reward[card, kind] > 0:
            value += worth(s, p, kind, s.reward[card, kind] + 0)
    return value


@rule
def advance_worth(s, p):
    """Values a 13, which counts only if a level can be paid without berries."""
    for house in range(3):
        level = s.level[p, house]
        if level < TOP:
            price = s.cost[side(s, house), house, level]
            if shortage(s, p, price[0] + 0, price[1] + 0, price[2] + 0, price[3] + 0) <= 1:
                return AN_ADVANCE
    return 0.1


# The exchange


@rule
def keep_value(s, card):
    """Values a card in hand: its power to win, and its colour's length, which delays a void."""
    colour = card // 13
    fellows = count(s.hand[s.to_act] & SUIT << 13 * colour)
    value = 0.08 * (card % 13) + 1.5 * fellows
    if card % 13 >= TWELVE:
        value += 3.0
    return value


# Tricks


@rule
def win_chance(s, card):
    """Estimates the chance that a card wins the trick, from the unseen cards that beat it."""
    p = s.to_act
    if card < s.best:
        return 0.0
    later = s.seats - 1 - s.turn
    if s.seats == 2 and s.turn == 0:
        later += 1  # Frank
    if later == 0:
        return 1.0
    seen = s.hand[p] | s.played[FRANK]
    for q in range(s.seats):
        seen |= s.played[q]
    unseen = ALL_CARDS & ~seen
    colour = card // 13
    above = unseen & SUIT << 13 * colour & ~((1 << card + 1) - 1)
    share = 1.0 * later * s.in_hand[p] / max(count(unseen), 1)
    chance = 1.0
    for _ in range(count(above)):
        chance *= 1.0 - 0.6 * min(share, 1.0)
    if colour != Colour.YELLOW:
        led = colour if s.led < 0 else s.led
        for k in range(1, later + 1):
            q = (p + k) % s.seats
            if q == p:
                chance *= 0.8  # Frank turns up any card
            elif s.void[q] >> led & 1 and s.void[q] >> Colour.YELLOW & 1 == 0:
                chance *= 0.45
            elif s.void[q] >> led & 1 == 0:
                chance *= 0.9
    return chance


@rule
def play_value(s, card):
    """Values playing a card: its gain now, minus its later use."""
    p = s.to_act
    colour = card // 13
    own = card_worth(s, p, card)
    later = 0.15 * own + 0.03 * (card % 13)
    if colour == Colour.YELLOW:
        later -= 0.8  # a trump cannot be discarded for its reward
    if s.led >= 0 and colour != s.led and colour != Colour.YELLOW:
        return own - later
    stake = own
    cards = s.lying
    for other in range(52):
        if cards >> other & 1:
            stake = max(stake, card_worth(s, p, other))
    if s.turn < s.seats - 1:
        stake = max(stake, A_TRICK)
    # Leading a short colour makes a void, and voids let a seat discard.
    short = 0.0
    if s.led < 0:
        short = SHORT / count(s.hand[p] & SUIT << 13 * colour)
    chance = win_chance(s, card)
    return chance * stake - (1.0 - chance) * 0.25 * own - later + short


@rule
def take_value(s, action):
    """Values a card of the trick, or pick two by the second best card."""
    p = s.to_act
    if action != PICK_TWO:
        return card_worth(s, p, action - TAKE)
    first = NEVER
    second = NEVER
    for card in range(52):
        if s.lying >> card & 1:
            value = card_worth(s, p, card)
            second = max(second, min(first, value))
            first = max(first, value)
    hurry = s.round == ROUNDS - 1 and s.tricks >= HAND - 3
    return first + 1.0 if second >= 1.9 or hurry else NEVER


@rule
def reward_value(s, action):
    """Values a card's resources with an owl, which must bring enough to be worth using."""
    p = s.to_act
    hurry = s.round == ROUNDS - 1 and s.tricks >= HAND - 3
    if action == AS_PRINTED:
        return card_worth(s, p, s.card + 0)
    value = 0.0
    turn = action - CONVERT
    for kind in range(3):
        units = s.reward[s.card, kind] + 0
        if action == DOUBLE:
            value += worth(s, p, kind, 2 * units)
        elif kind == TURNS_INTO[turn]:
            value += worth(s, p, kind, units + s.reward[s.card, TURNS_FROM[turn]])
        elif kind != TURNS_FROM[turn]:
            value += worth(s, p, kind, units)
    if action == DOUBLE:
        value += 2.0 * s.reward[s.card, Kind.ANY]
    least = LEAST_DOUBLED if action == DOUBLE else 1.0
    return value - (0.1 if hurry else least)


# Advancing


@rule
def level_gain(s, house, tree, mushroom, leaf):
    """Values the next level of a house: its points, its part in the lowest level, its bonus."""
    level = tree if house == 0 else mushroom if house == 1 else leaf
    points = s.points[side(s, house), house]
    gain = 1.0 * (points[level + 1] - points[level])
    low = min(tree, mushroom, leaf)
    if level == low:
        sharing = int(tree == low) + int(mushroom == low) + int(leaf == low)
        gain += (s.track[low + 1] - s.track[low]) / sharing
    if s.bonus[side(s, house), house, level + 1]:
        gain += A_BERRY
    return gain


@rule
def delivery_gain(s, p, house, free):
    """Values an advance in a house together with the deliveries that can follow.

    Repeatedly picks the best gain per resource; `free` units need not be paid.
    """
    wood, nuts, maple = s.stock[p, 0], s.stock[p, 1], s.stock[p, 2]
    tree, mushroom, leaf = s.level[p, 0], s.level[p, 1], s.level[p, 2]
    total = 0.0
    chosen = house
    while chosen != NONE:
        total += level_gain(s, chosen, tree, mushroom, leaf)
        level = tree if chosen == 0 else mushroom if chosen == 1 else leaf
        price = s.cost[side(s, chosen), chosen, level]
        wood -= price[0]
        nuts -= price[1]
        maple -= price[2]
        for _ in range(price[3]):
            if wood >= nuts and wood >= maple:
                wood -= 1
            elif nuts >= maple:
                nuts -= 1
            else:
                maple -= 1
        free -= max(-wood, 0) + max(-nuts, 0) + max(-maple, 0)
        wood, nuts, maple = max(wood, 0), max(nuts, 0), max(maple, 0)
        tree += int(chosen == 0)
        mushroom += int(chosen == 1)
        leaf += int(chosen == 2)
        chosen = NONE
        most = 0.0
        for other in range(3):
            level = tree if other == 0 else mushroom if other == 1 else leaf
            if level == TOP:
                continue
            price = s.cost[side(s, other), other, level]
            lacks = max(price[0] - wood, 0) + max(price[1] - nuts, 0) + max(price[2] - maple, 0)
            spare = max(wood - price[0], 0) + max(nuts - price[1], 0) + max(maple - price[2], 0)
            lacks += max(price[3] - spare, 0)
            if lacks <= max(free, 0):
                gain = level_gain(s, other, tree, mushroom, leaf)
                gain /= price[0] + price[1] + price[2] + price[3] + 1
                if gain > most:
                    most = gain
                    chosen = other
    return total


@rule
def climb_value(s, action):
    """Values an advance by the whole delivery, less berries; stopping counts nothing."""
    if action == STOP:
        return 0.0
    p = s.to_act
    house = action - CLIMB
    price = s.cost[side(s, house), house, s.level[p, house]]
    wood, nuts, maple, wild = price[0] + 0, price[1] + 0, price[2] + 0, price[3] + 0
    short = shortage(s, p, wood, nuts, maple, wild) - s.reduction
    if short > 0 and has(s, p, Owl.SWITCH):
        for turn in range(6):
            turned = shortage_after(s, p, turn, wood, nuts, maple, wild) - s.reduction
            short = min(short, max(turned, 0))
    short -= has(s, p, Owl.DISCOUNT)
    berries = max(short, 0)
    tree, mushroom, leaf = s.level[p, 0] + 0, s.level[p, 1] + 0, s.level[p, 2] + 0
    if level_gain(s, house, tree, mushroom, leaf) <= A_BERRY * berries:
        return -1.0
    free = s.reduction + has(s, p, Owl.DISCOUNT)
    return delivery_gain(s, p, house, free) - A_BERRY * berries


@rule
def switch_value(s, action):
    """Values a switch by the berries and the discount that it saves."""
    if action == NO_SWITCH:
        return -1.0 * max(shortage_now(s, 0) - s.dropped, 0)
    return -1.0 * max(shortage_now(s, 1) - s.dropped, 0) - 0.9


@rule
def discount_value(s, action):
    """Uses the discount if it saves a berry, will be woken at once, or has no later use."""
    saves = lack(s) > s.dropped
    house = s.house + 0
    woken = s.bonus[side(s, house), house, s.level[s.to_act, house] + 1] > 0
    use = saves or woken or s.round == ROUNDS - 1
    return 1.0 if (action == DISCOUNT) == use else 0.0


@rule
def payment_value(s, action):
    """Pays `?` with what can be spared most."""
    p = s.to_act
    wood = s.stock[p, Kind.WOOD] - needed(s, p, Kind.WOOD)
    nuts = s.stock[p, Kind.NUT] - needed(s, p, Kind.NUT)
    maple = s.stock[p, Kind.MAPLE] - needed(s, p, Kind.MAPLE)
    more = wood > max(nuts, maple) if s.phase == Phase.WOOD else nuts > maple
    return 1.0 * action if more else -1.0 * action


@rule
def owl_worth(s, owl):
    """Values an active owl by its likely gain."""
    tricks_left = (ROUNDS - 1 - s.round) * HAND + HAND - s.tricks
    if owl == Owl.DISCOUNT or owl == Owl.SWITCH:
        return 1.2
    if tricks_left == 0 or (owl == Owl.DRAW_TWO and s.round == ROUNDS - 1):
        return 0.0
    if owl == Owl.DOUBLE:
        return 2.4
    return 2.2 if owl == Owl.PICK_TWO else 1.3


@rule
def bonus_value(s, action):
    """Values a berry, owls woken, or a new owl."""
    p = s.to_act
    if action == BERRY:
        return A_BERRY
    if action >= NEW_OWL:
        return owl_worth(s, action - NEW_OWL) * (1.0 + 0.5 * (ROUNDS - 1 - s.round))
    asleep = s.owls[p] & ~s.awake[p]
    if action >= REACTIVATE_ONE:
        return 0.0
    value = 0.0
    for owl in range(OWLS):
        if asleep >> owl & 1:
            value += owl_worth(s, owl)
    return value


@rule
def kept_value(s, way):
    """Values three resources by the level they help most."""
    p = s.to_act
    maple = KEPT - KEPT_WOOD[way] - KEPT_NUTS[way]
    value = NEVER
    for house in range(3):
        level = s.level[p, house]
        if level < TOP:
            price = s.cost[side(s, house), house, level]
            fits = min(price[0], KEPT_WOOD[way]) + min(price[1], KEPT_NUTS[way])
            fits += min(price[2], maple)
            units = price[0] + price[1] + price[2] + price[3]
            value = max(value, fits - 0.1 * units)
    return value
