"""FW-22: the final count against brute force, and that what it shows is what it scores."""

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.engine import compiled
from foxden.engine.kernel import Entry, Known, new_states, to_known, write_field
from foxden.games.foxy_and_woolly.allocation import most_held, places, score
from foxden.games.foxy_and_woolly.vocabulary import (
    ALL_CUBES,
    INVERSE,
    MAX_HELD,
    MOST_IN_SET,
    MOST_PLACES,
    MOVERS,
)
from tests.games.foxy_and_woolly.board import NAME, SPECIALS, farm
from tests.games.foxy_and_woolly.brute_force import PRINTED, Values, arrows, best_count

WATCHED, ALONE = 2, 1
SETS = ("trio", "guard", "pair")
NOTES = ("reach", "rest")


def test_notes_are_the_first_words_of_a_state() -> None:
    game = foxden.game(NAME)
    assert game.state.names is not None
    assert game.state.names[: len(NOTES)] == NOTES
    assert sum(game.state[name].itemsize for name in NOTES) == game.scratch * 8


def test_notes_have_room_for_whatever_move_sheep_tokens_a_seat_can_hold() -> None:
    states = new_states(foxden.game(NAME).state, 1, compiled=False)
    found = set()
    for movers in product(range(MAX_HELD + 1), repeat=MOVERS):
        if sum(movers) <= MAX_HELD:
            write_field(states, 0, "held", [[*movers, *[0] * 7]] * 4)
            found.add(places(states[0], 0, most_held(states[0], 0)))
    assert max(found) == MOST_PLACES
    assert foxden.game(NAME).state["reach"].shape[0] == 2 * MOST_PLACES


def test_sets_of_cubes_are_counted_without_a_division() -> None:
    for size in range(1, MOST_IN_SET + 1):
        for cubes in range(ALL_CUBES + 1):
            assert cubes * INVERSE[size] >> 16 == cubes // size


@pytest.mark.parametrize("note", [1, -1, 1 << 40])
def test_FW_22_what_notes_hold_before_a_count_does_not_matter(note: int) -> None:
    """On a card nobody clears them."""
    dice, counter = random.Random(note), Counter()
    for _ in range(100):
        position = random_position(dice)
        found = []
        for held in (0, note):
            standing, known = counter.count(*position, held)
            fields = vars(known)
            found.append((standing, {k: v for k, v in fields.items() if k not in NOTES}))
        assert found[0] == found[1], position


def parts_of(values: Values) -> dict[str, Any]:
    parts: dict[str, Any] = {"flock": {"points": values.flock}}
    for name, (cubes, points) in (("wages", values.wages), ("free", values.free)):
        parts[name] = {"cubes": cubes, "points": points}
    for name, (sheep, cubes, points) in values.sets.items():
        parts[name] = {"sheep": sheep, "cubes": cubes, "points": points}
    return parts


@Entry
def count_first(states: Any, i: int) -> None:
    score(states[i], 0)


class Counter:
    """Counts positions with the rules under test."""

    def __init__(self, values: Values = PRINTED) -> None:
        game = foxden.game(NAME)
        self.states = new_states(game.state, 2)
        game.configure(self.states, 0, game.setup(2, parts=parts_of(values)))
        compiled.start(self.states, 0, 1, 2)
        self.out = np.zeros(2, np.int64)

    def count(
        self, slots: Sequence[int], cubes: int, tokens: Sequence[str], note: int = 0
    ) -> tuple[int, Known]:
        """Returns the points as they stand while the match runs, and the state after the count.

        `note` is what notes hold before each count.
        """
        states = self.states
        states[1] = states[0]
        write_field(states, 1, "sheep", [farm(slots), 0, 0, 0])
        write_field(states, 1, "cubes", [cubes, 0, 0, 0])
        held = [[list(tokens).count(kind) for kind in SPECIALS], *[[0] * 11] * 3]
        write_field(states, 1, "held", held)
        self.fill_notes(note)
        compiled.scores_of(states, 1, self.out)
        standing = int(self.out[0])
        self.fill_notes(note)
        count_first(states, 1)
        return standing, to_known(states, 1)

    def fill_notes(self, note: int) -> None:
        """Writes something into the words that rules use only while they run."""
        for name in NOTES:
            write_field(self.states, 1, name, [note] * self.states.dtype[name].shape[0])


def random_position(dice: random.Random, most: int = 7) -> tuple[list[int], int, list[str]]:
    """Draws sheep, cubes and up to seven different tokens; fewer sets for a full farm."""
    tokens = dice.sample(SPECIALS, dice.randrange(most + 1))
    slots = dice.sample(range(1, 10), dice.randrange(10))
    if len(slots) > 7 and sum(token in SETS for token in tokens) > 1:
        slots = slots[:7]
    cubes = dice.choice((dice.randrange(6), dice.randrange(10), dice.randrange(37)))
    return sorted(slots), cubes, tokens


def check_shown(
    known: Known, slots: list[int], cubes: int, tokens: list[str], values: Values
) -> int:
    """Follows the allocation step by step, as a person would check it; gives the tokens moved."""
    here = set(slots)
    unused = list(tokens)
    used = [code - 1 for code in known.last_moves[0] if code]
    for code in used:
        slot, way = divmod(code, 8)
        to = known.step[way][slot]
        token = SPECIALS[known.arrow[way]]
        assert token in unused
        unused.remove(token)
        assert (slot + 1, to + 1) in arrows(token)
        assert slot + 1 in here
        assert to + 1 not in here
        here = here - {slot + 1} | {to + 1}
    assert known.sheep[0] == farm(sorted(here))
    assert [unused.count(kind) for kind in SPECIALS] == known.held[0]
    fates = {slot + 1: fate for slot, fate in enumerate(known.fate[0]) if fate}
    assert set(fates) == here
    total = sum(slot for slot, fate in fates.items() if fate == WATCHED)
    spent = list(fates.values()).count(WATCHED)
    for k, token in enumerate(SETS):
        sheep, price, points = values.sets[token]
        made = known.sets[0][k]
        assert made <= unused.count(token)
        assert list(fates.values()).count(3 + k) == made * sheep
        spent += made * price
        total += made * points
    per_wages, wages = values.wages
    assert known.on_wages[0] % per_wages == 0
    assert not known.on_wages[0] or "wages" in unused
    spent += known.on_wages[0]
    total += known.on_wages[0] // per_wages * wages
    assert spent <= cubes
    per_free, free = values.free
    total += (cubes - spent) // per_free * free
    total += unused.count("flock") * values.flock * len(here)
    assert total == known.score[0] == sum(known.points[0])
    return len(used)


def compare(counter: Counter, position: tuple[list[int], int, list[str]], values: Values) -> None:
    slots, cubes, tokens = position
    expected = best_count(frozenset(slots), cubes, tuple(tokens), values)
    standing, known = counter.count(slots, cubes, tokens)
    used = check_shown(known, slots, cubes, tokens, values)
    assert (known.score[0], used) == expected, position
    assert standing == expected[0]
    assert not any(known.reach + known.rest)


def test_FW_22_the_count_is_the_best_of_all_on_thousands_of_positions() -> None:
    dice = random.Random(22)
    counter = Counter()
    for _ in range(4000):
        compare(counter, random_position(dice), PRINTED)


def test_FW_22_all_four_movers_at_once() -> None:
    dice = random.Random(4)
    counter = Counter()
    for _ in range(150):
        slots = dice.sample(range(1, 10), dice.randrange(2, 6))
        tokens = [*SPECIALS[:4], *dice.sample(SPECIALS[6:], 2)]
        compare(counter, (sorted(slots), dice.randrange(12), tokens), PRINTED)


@pytest.mark.parametrize("seed", range(6))
def test_FW_22_other_printed_values_are_counted_exactly_too(seed: int) -> None:
    dice = random.Random(seed)
    values = Values(
        flock=dice.randrange(4),
        wages=(dice.randrange(1, 5), dice.randrange(8)),
        free=(dice.randrange(1, 5), dice.randrange(5)),
        sets={token: (dice.randrange(4), dice.randrange(5), dice.randrange(20)) for token in SETS},
    )
    counter = Counter(values)
    for _ in range(250):
        compare(counter, random_position(dice, 5), values)


def test_FW_22_several_tokens_of_one_kind() -> None:
    dice = random.Random(7)
    counter = Counter()
    for _ in range(150):
        tokens = [dice.choice(SPECIALS) for _ in range(dice.randrange(5))]
        slots = sorted(dice.sample(range(1, 10), dice.randrange(7)))
        compare(counter, (slots, dice.randrange(15), tokens), PRINTED)


def test_FW_22_ties_go_to_the_fewest_move_sheep_tokens() -> None:
    # Without a cube it does not matter where the sheep stand: nothing is moved.
    _, known = Counter().count([1, 2, 3], 0, ["up-down", "rising"])
    assert not any(known.last_moves[0])
    assert sum(known.held[0]) == 2
    # One step of 4 is as good as steps of 3 and 1.
    _, known = Counter().count([5], 1, ["up-down", "left-right", "rising"])
    assert known.score[0] == 9
    assert sum(code > 0 for code in known.last_moves[0]) == 1
