"""Fox Grove: tricks that pay in wood, nuts and maple for three houses, for 2 to 4 seats."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from foxden.engine.errors import BadOption, BadParts
from foxden.engine.game import Game
from foxden.engine.kernel import Known
from foxden.engine.options import Choice, Flag
from foxden.engine.parts import Parts
from foxden.games.fox_grove import rules, view, words

SIGNS = "WNM?"  # in the order of rules.Kind
MOST_POINTS = 99


def fit_parts(parts: Parts) -> dict[str, Any]:
    """Checks the printed numbers and returns the state fields that hold them."""
    cost, bonus, points = [], [], []
    for side in "ab":
        pages = [(f"{house}.{side}", parts[house][side]) for house in view.HOUSES]
        cost.append([_costs(page, f"{path}.cost") for path, page in pages])
        bonus.append([_bonus_levels(page["bonus"], f"{path}.bonus") for path, page in pages])
        points.append([_rising(page["points"], f"{path}.points") for path, page in pages])
    reward: list[list[int]] = []
    for colour in view.COLOURS:
        path = f"reward.{colour}"
        texts = _list_of(parts["reward"][colour], 11, path)
        for k, text in enumerate(texts, 1):
            reward.append(_units(text, 0, rules.MAX_UNITS, f"{path}[{k}]", "FG-3"))
        reward += [[0] * 4] * 2  # 12 and 13
    berries = _list_of(parts["berries"], 4, "berries")
    for k, number in enumerate(berries, 1):
        _whole(number, 0, rules.MAX_BERRIES, f"berries[{k}]")
    if sum(berries) > rules.MAX_BERRIES:
        message = f"There can be {rules.MAX_BERRIES} berries at most; these are {sum(berries)}."
        raise BadParts(message, where="berries", rule="FG-5")
    return {
        "reward": reward,
        "cost": cost,
        "bonus": bonus,
        "points": points,
        "track": _rising(parts["track"], "track"),
        "berry_counts": [0, *berries],
    }


def _whole(value: Any, low: int, high: int, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        message = f"A whole number from {low} to {high} is wanted, not {value!r}."
        raise BadParts(message, where=where)
    return value


def _list_of(value: Any, n: int, where: str) -> list[Any]:
    if not isinstance(value, list) or len(value) != n:
        raise BadParts(f"A list of {n} is wanted, not {value!r}.", where=where)
    return value


def _units(text: Any, low: int, high: int, where: str, rule: str) -> list[int]:
    """Reads "3W 1?" as counts of wood, nuts, maple and any."""
    counts = [0] * 4
    for word in text.split() if isinstance(text, str) else ["no text"]:
        if not re.fullmatch(r"[0-9]{1,2}[WNM?]", word):
            message = f'Resources are written like "3W 1N 1?", not {text!r}.'
            raise BadParts(message, where=where)
        counts[SIGNS.index(word[-1])] += int(word[:-1])
    if not low <= sum(counts) <= high:
        message = f"It must come to {low} to {high} resources, and comes to {sum(counts)}."
        raise BadParts(message, where=where, rule=rule)
    return counts


def _costs(page: Parts, path: str) -> list[list[int]]:
    texts = _list_of(page["cost"], rules.TOP, path)
    return [
        _units(text, 1, rules.MAX_COST, f"{path}[{level}]", "FG-7")
        for level, text in enumerate(texts, 1)
    ]


def _bonus_levels(levels: list[Any], path: str) -> list[int]:
    for k, level in enumerate(levels, 1):
        _whole(level, 1, rules.TOP, f"{path}[{k}]")
    if len(set(levels)) != len(levels):
        raise BadParts(f"A level stands there twice: {levels}.", where=path, rule="FG-7")
    return [int(level in levels) for level in range(rules.TOP + 1)]


def _rising(value: Any, path: str) -> list[int]:
    """Reads the points of levels 1 to 7; level 0 scores nothing, and points never fall."""
    points = [0, *_list_of(value, rules.TOP, path)]
    for level in range(1, rules.TOP + 1):
        _whole(points[level], 0, MOST_POINTS, f"{path}[{level}]")
        if points[level] < points[level - 1]:
            message = f"Level {level} must not score less than level {level - 1}."
            raise BadParts(message, where=f"{path}[{level}]", rule="FG-8")
    return points


def longest(known: Known) -> int:
    """Bounds the length: all questions of four rounds, and of every level of every house."""
    wild = max(units[rules.Kind.ANY] for units in known.reward)
    for_reward = 2 + 2 * wild  # an owl, resources of choice, or a 13 declined
    exchange = 2 + 3  # two cards to pass; draw two, and two cards to bury
    trick = known.seats * (1 + for_reward) + 1 + 2 * (1 + for_reward)
    delivery = 1 + 1  # stop, and what to keep
    climb = 7  # house, switch, discount, berries, wood, nuts, bonus
    a_round = known.seats * (exchange + delivery) + rules.HAND * trick
    return int(rules.ROUNDS * a_round + known.seats * 3 * rules.TOP * climb)


def check_setup(seats: int, options: Mapping[str, Any]) -> None:
    """Refuses two owls of one kind; the pro variant starts without owls."""
    if not options["pro"] and options["owl_one"] == options["owl_two"]:
        raise BadOption(
            f"A table needs two different owls, not owl_one={options['owl_one']} and "
            f"owl_two={options['owl_two']}.",
            option="owl_two",
            rule="FG-10",
        )


def _owl(name: str, default: str) -> Choice:
    text = "One of the two owls that every seat has (not used in the pro variant)."
    return Choice(name, text, ("FG-9", "FG-10"), choices=words.OWL_OPTIONS, default=default)


def _side(house: str) -> Choice:
    sides = {
        "a": "Side A, for first games.",
        "b": "Side B, where more resources can be of any kind.",
    }
    return Choice(
        f"{house}_side", f"Which side of the {house} house lies up.", ("FG-11",), sides, "a"
    )


GAME = Game.from_package(
    __name__,
    options=(
        _owl("owl_one", "double"),
        _owl("owl_two", "discount"),
        Flag("pro", "Start without owls and earn them on bonus levels.", ("FG-36",)),
        _side("tree"),
        _side("mushroom"),
        _side("leaf"),
    ),
)
