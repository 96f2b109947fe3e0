"""Networks that look ahead: repeatable, bounded, and blind to what their seat may not know."""

from typing import Any

import numpy as np
import pytest

import foxden
from foxden.bots import Position, find_bot, net, position_of
from foxden.bots.net import NetBot
from foxden.bots.netsearch import NetRun, NetSearchBot, Search, Settings, outcome
from foxden.engine.kernel import Entry, new_states
from tests.bots.test_ismcts import grab, middle
from tests.bots.test_net import FIRST, TRAINED, positions, table_of
from tests.games.happy_fox.test_rules import GOOSE
from tests.games.positions import rearrange

# Each game's look ahead compiles for many seconds; the others are for longer runs.
SOME = [name if name == FIRST else pytest.param(name, marks=pytest.mark.slow) for name in TRAINED]


def run(position: Position, simulations: int, **settings: Any) -> NetRun:
    found = NetRun(position, net.trained_for(position), Settings(**settings))
    found.run(simulations)
    return found


@pytest.mark.parametrize("name", SOME)
def test_the_same_seed_and_simulations_give_the_same_tree(name: str) -> None:
    for position in positions(name, table_of(name)["seats"], 3):
        once, again = run(position, 60), run(position, 60)
        assert (once.tree == again.tree).all()
        assert find_bot("net:60").choose(position) in position.legal


def test_it_can_go_on_where_it_stopped() -> None:
    position = next(positions(FIRST, 2, 1))
    whole, parts = run(position, 90), run(position, 30)
    parts.run(60)
    assert (whole.tree == parts.tree).all()


def test_it_neither_reads_the_truth_nor_changes_the_match() -> None:
    match = middle(3, 40)
    before = match.state_bytes()
    seat = match.to_act
    assert seat is not None
    hints = run(position_of(match, seed=4), 50).hints()
    assert match.state_bytes() == before

    def swap(known: Any) -> None:
        other = (seat + 1) % 3
        pile = known.pile[other][: known.in_pile[other]]
        known.pile[other][: known.in_pile[other]] = pile[::-1]

    rearrange(match, swap)
    assert match.state_bytes() != before
    assert run(position_of(match, seed=4), 50).hints() == hints


@pytest.mark.parametrize(("dogs_left", "wanted"), [(0, "turn"), (4, "stop")])
def test_a_sure_goose_is_taken_and_a_sure_dog_left_alone(dogs_left: int, wanted: str) -> None:
    best = NetSearchBot(simulations=200).choose(position_of(grab(dogs_left), seed=2))
    assert str(best).startswith(wanted)


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("nodes", [1, 9, 300])
def test_a_tree_that_is_full_still_answers(name: str, nodes: int) -> None:
    for position in positions(name, table_of(name)["seats"], 2):
        found = run(position, 80, nodes=nodes)
        assert found.searches["used"][0] <= nodes
        bot = NetSearchBot(simulations=80, changes={"nodes": nodes})
        assert bot.choose(position) in position.legal


def test_heat_looks_at_actions_that_the_network_would_not_play() -> None:
    match = foxden.new(FIRST, seats=2, seed=3)
    sure = None
    while sure is None:
        position = position_of(match, seed=1)
        if len(position.legal) > 2 and max(NetBot().shares(position).values()) > 0.95:
            sure = position
        match.play(NetBot().choose(position))

    def looked_at(heat: float) -> int:
        found = NetSearchBot(simulations=200, changes={"heat": heat}).think(sure).hints()
        return sum(hint.share > 0.01 for hint in found)

    assert looked_at(8.0) > looked_at(1.0)
    for heat in (0.0, -1.0):
        with pytest.raises(ValueError, match="heat"):
            Settings(heat=heat)


def test_a_tree_without_room_is_refused() -> None:
    with pytest.raises(foxden.UnknownBot, match="nodes"):
        find_bot("net:50:nodes=0")


@pytest.mark.parametrize("name", SOME)
def test_every_visit_is_counted_once(name: str) -> None:
    """The first simulation asks about the root; each of the others visits one action."""
    position = next(positions(name, table_of(name)["seats"], 1))
    found = run(position, 61)
    assert found.simulations == 60
    assert sum(found.visits().values()) == 60
    hints = found.hints()
    assert sum(hint.share for hint in hints) == pytest.approx(1)
    assert all(0 <= hint.result <= 1 for hint in hints)


@Entry
def outcome_of_first(states: Any, searches: Any, points: Any, won: Any) -> float:
    found: float = outcome(states[0], searches[0], points, won)
    return found


@pytest.mark.parametrize(
    ("cards", "margin", "wanted"),
    [([9, 5, 5], 0.0, 1.0), ([5, 9, 5], 0.0, 0.25), ([9, 9, 5], 0.0, 0.625), ([9, 9], 1.0, 0.5)],
)
def test_an_end_is_worth_what_it_was_in_training(
    cards: list[int], margin: float, wanted: float
) -> None:
    """Winning alone is worth 1, a fair share of wins 0.5, and a margin is told from 0.5."""
    match = foxden.new("happy-fox", seats=len(cards), seed=1)
    states = new_states(match.game.state, 1, compiled=True)
    states[0] = match.truth()[0]
    for p, geese in enumerate(cards):
        states["won"][0][p][p][GOOSE] = geese
    states["to_act"] = -1
    searches = np.zeros(1, Search)
    searches["margin"], searches["spread"] = margin, 5.0
    points, won = np.zeros(8, np.int64), np.zeros(8, np.int64)
    found = outcome_of_first(states, searches, points, won)
    assert found == pytest.approx(wanted)
