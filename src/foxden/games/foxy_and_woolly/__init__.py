"""Foxy & Woolly: chase wolves, buy tokens and count your sheep, for 2 to 4 seats."""

from __future__ import annotations

from typing import Any

from foxden.engine.errors import BadParts
from foxden.engine.game import Game
from foxden.engine.kernel import Known
from foxden.engine.parts import Parts, number_between
from foxden.games.foxy_and_woolly.vocabulary import (
    ARROW_STEPS,
    ARROWS,
    MAX_CUBES,
    MOST_IN_SET,
    MOVERS,
    SLOTS,
    SPECIALS,
    STEALS,
    WOLVES,
    Row,
    Special,
)

MOST_POINTS = 60  # of one token or set; the tensor holds counts below 10 000
SIDES = {"left": 0, "right": 2}


def part_name(member: Row | Special) -> str:
    """Returns the name of a row or token in parts.toml."""
    return member.name.lower()


def fit_farm(parts: Parts) -> dict[str, Any]:
    """Checks the farm and the arrows, and returns the fields that hold them (FW-2, FW-4, FW-19)."""
    grid = [parts["farm"][part_name(row)] for row in Row]
    numbers = [number for row in grid for number in row if type(number) is int]
    if any(len(row) != 3 for row in grid) or sorted(numbers) != [*range(1, 10)]:
        message = "Each number from 1 to 9 stands in one slot of three rows of three."
        raise BadParts(message, where="farm", rule="FW-2")
    side = parts["farm"]["wolf_side"]
    if side not in SIDES:
        raise BadParts(f"It is left or right, not {side!r}.", where="farm.wolf_side", rule="FW-19")
    arrow = [-1] * len(ARROWS)
    for kind in list(Special)[:MOVERS]:
        where = f"arrows.{part_name(kind)}"
        for name in parts["arrows"][part_name(kind)]:
            if name not in ARROWS:
                raise BadParts(
                    f"An arrow is one of {', '.join(ARROWS)}, not {name!r}.", where=where
                )
            way = ARROWS.index(name)
            if arrow[way] >= 0:
                raise BadParts(f"Arrow {name} is on a token already.", where=where, rule="FW-4")
            arrow[way] = kind
    step = [[-1] * SLOTS for _ in ARROWS]
    for way, (down, right) in enumerate(ARROW_STEPS):
        for row in range(3):
            for column in range(3):
                to_row, to_column = row + down, column + right
                if to_row in range(3) and to_column in range(3):
                    step[way][grid[row][column] - 1] = grid[to_row][to_column] - 1
    slots = [[number - 1 for number in row] for row in grid]
    return {"grid": slots, "wolf_side": SIDES[side], "arrow": arrow, "step": step}


def fit_tokens(parts: Parts) -> dict[str, Any]:
    """Checks the token set, and returns the fields that hold it (FW-3, FW-4)."""
    numbers = parts["wolves"]["numbers"]
    if len(numbers) != SLOTS or not all(type(n) is int and 0 <= n <= WOLVES for n in numbers):
        raise BadParts("It says how many there are of each of nine wolves.", where="wolves.numbers")
    wolves = [*numbers, *(number_between(parts, f"wolves.{part_name(r)}", 0, WOLVES) for r in Row)]
    if sum(wolves) != WOLVES:
        message = f"There are {WOLVES} wolves; these are {sum(wolves)}."
        raise BadParts(message, where="wolves", rule="FW-3")
    specials = [number_between(parts, f"tokens.{part_name(kind)}", 0, 9) for kind in Special]
    return {"wolf_set": wolves, "special_set": specials}


def fit_values(parts: Parts) -> dict[str, Any]:
    """Checks what scores, and returns the fields that hold it (FW-4, FW-21)."""
    fields: dict[str, Any] = {
        "cubes_each": number_between(parts, "cubes", 1, MAX_CUBES),
        "flock_points": number_between(parts, "flock.points", 0, MOST_POINTS),
    }
    for name in ("wages", "free"):
        fields[f"{name}_cubes"] = number_between(parts, f"{name}.cubes", 1, MOST_IN_SET)
        fields[f"{name}_points"] = number_between(parts, f"{name}.points", 0, 9)
    for part, most in (("sheep", SLOTS), ("cubes", 9), ("points", MOST_POINTS)):
        fields[f"set_{part}"] = [
            number_between(parts, f"{name}.{part}", 0, most) for name in ("trio", "guard", "pair")
        ]
    return fields


def fit_parts(parts: Parts) -> dict[str, Any]:
    """Checks the printed numbers and returns the state fields that hold them."""
    return fit_farm(parts) | fit_tokens(parts) | fit_values(parts)


def check_parts(seats: int, parts: Parts) -> None:
    """Refuses a token set too small for the seats (FW-7)."""
    specials = sum(parts["tokens"][part_name(kind)] for kind in Special)
    if specials < seats + SPECIALS:
        message = f"{seats} seats need {seats + SPECIALS} specials; these are {specials}."
        raise BadParts(message, where="tokens", rule="FW-7")


def longest(known: Known) -> int:
    """Bounds the length: cubes bound the chases at a wolf and the bids at a special."""
    cubes = known.seats * known.cubes_each
    steals = known.special_set[Special.STEAL]
    # A wolf: every cube chases once, stolen ones again; taken, shot at or not, stay, faced.
    wolves = WOLVES * (cubes + 5) + (STEALS + 1) * steals
    # An auction: bids of 0 to all cubes, and everyone passes but one.
    auctions = SPECIALS * (cubes + known.seats)
    return int(wolves + auctions + sum(known.special_set[:MOVERS]))


GAME = Game.from_package(__name__)
