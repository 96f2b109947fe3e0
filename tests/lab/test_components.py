"""What seats can have, and what it is worth."""

from typing import Any

import numpy as np
import pytest

import foxden
from foxden.arena.chance import dice_seed
from foxden.engine import compiled
from foxden.engine.kernel import as_array, new_states
from foxden.lab.components import (
    NOTHING,
    TAKEN,
    USED_UP,
    Component,
    _compared,
    flags_of,
    kinds_of,
    weighed,
)
from foxden.lab.players import find_player
from foxden.lab.playing import Table, to_act
from foxden.lab.question import Question, completed, question_from
from foxden.lab.tracing import DEALT, HAD, PLIES, USED, components_open


def asked(game: str, **changes: Any) -> Question:
    given = {"game": game, "kind": "components", "seed": 1, "luck": 2, "bots": ["random"]}
    return completed(question_from({**given, **changes}))


@pytest.mark.parametrize("name", foxden.games())
def test_every_game_says_what_its_seats_can_have(name: str) -> None:
    game = foxden.game(name)
    assert len(set(game.components)) == len(game.components) > 1
    states = new_states(game.state, 1, compiled=False)
    game.configure(states, 0, game.setup())
    compiled.start(states, 0, 1, 2)
    dice = np.random.default_rng(5)
    legal, things = np.zeros(game.actions, np.int64), np.zeros(game.actions, np.int64)
    having = np.zeros(len(game.components), np.int64)
    used = taken = 0
    count = compiled.legal_of(states, 0, legal)
    while count:
        having[:] = -9
        components_open(states, 0, legal, having, things, count)
        assert (having >= 0).all()  # every component was counted
        counts, codes = having.copy(), things[:count].copy()
        components_open(as_array(states), 0, legal, having, things, count)
        assert np.array_equal(having, counts)  # compiled, too
        assert np.array_equal(things[:count], codes)
        assert ((codes >= -1) & (codes < 2 * len(having))).all()
        about = codes[codes >= 0]
        assert ((having[about // 2] > 0) == (about % 2 == 1)).all()
        used, taken = used + int((about % 2).sum()), taken + int((about % 2 == 0).sum())
        count = compiled.move(states, 0, int(dice.choice(legal[:count])), legal)
    assert used
    # Cards that seats play are theirs; what can be taken is on the table.
    assert bool(taken) == (name in ("foxy-and-woolly", "fox-grove"))


def test_what_is_dealt_had_and_used_is_what_the_state_shows() -> None:
    """Plays Happy Fox again and reads the cards from the state's own fields."""
    table = Table.of(asked("happy-fox", seats=3, deals=4, bots=["level:1"]), 0)
    bots = [find_player(name) for name in table.bots]
    game, (_, groups) = table.game, kinds_of(table.game)
    rows, _, found = table.tracked(0, 4, groups)
    assert game.components == ("goose", "fox", "dog", "dog in the row")
    out = np.zeros(game.actions, np.int64)
    for m in range(4):
        states = table.dealt([(m, 0)])
        script = table.play(table.dealt([(m, 0)]), bots, 0, dice_seed(2, m))
        assert len(script) == rows[m, PLIES]
        expected = np.zeros((3, 4, 3), bool)
        expected[..., DEALT] = shown(states)
        for action in script.tolist():
            if action in (1, 2, 3):  # lay a goose, play a fox, lay a dog
                expected[int(to_act(states)), action - 1, USED] = True
            compiled.move(states, 0, action, out)
            expected[..., HAD] |= shown(states)
        assert np.array_equal(found[m] > 0, expected)


def shown(states: Any) -> Any:
    """Tells which cards three seats of Happy Fox hold, and whether a dog lies in their row."""
    row = states[0]["row"][:3] == 3
    return np.column_stack([states[0]["hand"][:3, 1:4] > 0, row.any(axis=1)])


def test_denied_is_what_another_seat_had() -> None:
    held = np.zeros((1, 3, 2, 3), np.int8)
    held[0, 1, 0, DEALT] = held[0, 2, 0, HAD] = held[0, 2, 0, USED] = 1
    dealt, had, used, denied = np.moveaxis(flags_of(held)[0], -1, 0)
    assert dealt[:, 0].tolist() == [0, 1, 0]
    assert had[:, 0].tolist() == [0, 1, 1]
    assert used[:, 0].tolist() == [0, 0, 1]
    assert denied[:, 0].tolist() == [1, 0, 0]
    assert not flags_of(held)[0, :, 1].any()  # nobody had the second, so nobody was denied it


def made_up(helps: float, deals: int = 1500) -> list[Component]:
    """Weighs components of Happy Fox: the first is dealt to one seat of each deal, and helps."""
    dice = np.random.default_rng(7)
    many = len(foxden.game("happy-fox").components)
    rows = np.zeros((2 * deals, 2 + 4 * many))
    rows[:, 0] = np.repeat(np.arange(deals), 2)
    lucky = dice.integers(0, 2, deals)
    wins = dice.random(deals) < 0.5 + helps / 2  # of the seat that was dealt it
    rows[2 * np.arange(deals) + lucky, 2] = 1
    rows[2 * np.arange(deals) + lucky, 1] = wins
    rows[2 * np.arange(deals) + 1 - lucky, 1] = ~wins
    rows[:, 6] = dice.random(2 * deals) < 0.5  # the second is dealt to anybody
    return weighed(foxden.game("happy-fox"), rows, np.zeros((0, 5)), 2)


def test_what_helps_is_found_and_what_does_not_is_not() -> None:
    names = foxden.game("happy-fox").components
    found = {one.name: one for one in made_up(0.2)}
    good, idle = found[names[0]].dealt, found[names[1]].dealt
    assert good is not None
    assert idle is not None
    assert good.holds
    assert good.change.low < 0.2 < good.change.high
    assert not idle.holds
    assert found[names[2]].dealt is None  # nobody was dealt it
    nothing = {one.name: one for one in made_up(0.0)}[names[0]].dealt
    assert nothing is not None
    assert not nothing.holds
    assert made_up(0.2)[0].name == names[0]  # what helps most comes first


def test_a_deal_counts_once_however_many_seats_it_has() -> None:
    """Two seats of a deal win 1 between them: as two independent coins the error would differ."""
    one = made_up(0.0)[0].dealt
    assert one is not None
    half = (one.change.high - one.change.low) / 2
    assert half == pytest.approx(1.96 / np.sqrt(1500), rel=0.05)


def test_a_few_seats_that_all_lose_prove_little() -> None:
    """Of four seats one wins: 25 without a win are rarer than 1 in 100, not than 1 in a million."""
    many = len(foxden.game("happy-fox").components)
    rows = np.zeros((400, 2 + 4 * many))
    rows[:, 0] = np.repeat(np.arange(100), 4)
    rows[::4, 1] = 1  # the first seat wins
    rows[1:100:4, 2] = 1  # the second has the first component in 25 deals
    (found,) = [
        one for one in weighed(foxden.game("happy-fox"), rows, np.zeros((0, 5)), 4) if one.dealt
    ]
    assert found.dealt is not None
    assert found.dealt.change.value == pytest.approx(-1 / 3)
    assert 1e-3 < found.dealt.p < 1e-2


def test_rotations_of_a_deal_count_once() -> None:
    dice = np.random.default_rng(3)
    many = len(foxden.game("happy-fox").components)
    rows = np.zeros((4 * 300, 2 + 4 * many))
    rows[:, 0] = np.repeat(np.arange(300), 4)
    for deal in range(300):  # two rotations of two seats, with one winner each
        rows[4 * deal + dice.integers(0, 2), 1] = rows[4 * deal + 2 + dice.integers(0, 2), 1] = 1
        seat = dice.integers(0, 2)
        rows[[4 * deal + seat, 4 * deal + 2 + seat], 2] = 1
    both = {
        one.name: one.dealt for one in weighed(foxden.game("happy-fox"), rows, np.zeros((0, 5)), 2)
    }
    found = both["goose"]
    assert found is not None
    half = (found.change.high - found.change.low) / 2
    assert half == pytest.approx(1.96 / np.sqrt(600), rel=0.15)


def test_the_best_way_to_use_something_is_compared_with_the_best_of_all_else() -> None:
    keys = [(USED_UP, 4), NOTHING, (USED_UP, 4), (TAKEN, 2)]
    found = _compared(keys, [0.3, 0.1, 0.5, 0.2])
    assert [row[:3] for row in found] == [(USED_UP, 4, 1.0), (TAKEN, 2, 0.0)]
    assert [row[3] for row in found] == pytest.approx([0.3, -0.3])
    assert _compared([(USED_UP, 4)] * 2, [0.1, 0.2]) == []
