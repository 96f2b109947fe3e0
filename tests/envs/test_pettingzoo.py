"""PettingZoo's own tests, and what they do not look at."""

import copy
import pickle
import random
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import foxden
from foxden.engine import compiled
from foxden.engine.errors import BadOption, BadParts, BadSeats, IllegalAction, UnknownGame
from foxden.envs.pettingzoo import RawEnv, env
from foxden.games import NAMES
from tests.envs.setups import every_option, every_seat_count, smallest

# PettingZoo's tests warn of dictionaries as observations and of the empty masks of seats not asked.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize(("name", "seats", "options"), [*every_seat_count(), *every_option()])
def test_pettingzoo_finds_no_fault_with_the_interface(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    api_test(env(name, seats=seats, options=options))


@pytest.mark.parametrize(("name", "seats", "options"), every_seat_count())
def test_pettingzoo_finds_the_same_seed_to_give_the_same_play(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    seed_test(partial(env, name, seats=seats, options=options), num_cycles=50)


@pytest.mark.parametrize(("name", "seats", "options"), every_seat_count())
def test_pettingzoo_can_render(
    name: str, seats: int, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    def drawn(text: str) -> bool:
        return len(text) > 100 and max(map(len, text.splitlines())) <= 80 and "\x1b" not in text

    render_test(partial(env, name, seats=seats, options=options), custom_tests={"ansi": drawn})
    assert len(capsys.readouterr().out) > 100


def played_out(table: Any, dice: random.Random) -> dict[str, tuple[float, dict[str, Any]]]:
    """Plays at random to the end; gives each agent's last reward and info."""
    last = {}
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, info = table.last()
        if terminated or truncated:
            last[agent] = (reward, info)
            table.step(None)
        else:
            table.step(dice.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return last


@pytest.mark.parametrize(("name", "seats", "options"), smallest())
def test_a_seed_deals_as_foxden_does_and_the_end_is_rewarded(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    table = env(name, seats=seats, options=options)
    table.reset(seed=11)
    last = played_out(table, random.Random(1))
    dice, match = random.Random(1), foxden.new(name, seats=seats, seed=11, options=options)
    while not match.is_over:
        match.play(dice.choice([int(action) for action in match.legal()]))
    assert table.unwrapped.match.record() == match.record()
    for seat in range(seats):
        reward, info = last[f"seat_{seat}"]
        assert info == {
            "score": match.scores[seat],
            "scores": list(match.scores),
            "winners": list(match.winners),
        }
        if len(match.winners) == 1:
            assert reward == (seat in match.winners) - 1 / seats


@pytest.mark.parametrize(("name", "seats", "options"), smallest())
def test_every_seat_observes_what_it_may_know_and_only_the_one_asked_may_act(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    table = RawEnv(name, seats=seats, options=options)
    table.reset(seed=5)
    dice = random.Random(5)
    for _ in range(30):
        match = table.match
        assert match is not None
        if match.is_over:
            break
        for seat, agent in enumerate(table.agents):
            seen = table.observe(agent)
            known = np.zeros(table.game.tensor_size, np.float32)
            compiled.features_of(match.wiped(seat), 0, seat, known)
            assert np.array_equal(seen["observation"], known)
            legal = [int(a) for a in match.legal()] if seat == match.to_act else []
            assert np.flatnonzero(seen["action_mask"]).tolist() == legal
        assert table.agent_selection == f"seat_{match.to_act}"
        assert table.infos[table.agent_selection] == {}
        table.step(int(dice.choice(match.legal())))


def test_names_and_versions_are_the_usual_ones() -> None:
    table = env("happy-fox", seats=3)
    version = foxden.game("happy-fox").rules_version
    assert table.metadata["name"] == str(table) == f"happy_fox_v{version}"
    assert table.possible_agents == ["seat_0", "seat_1", "seat_2"]
    assert env("happy-fox").max_num_agents == 4


def test_resets_without_a_seed_follow_from_the_last_one() -> None:
    deals = []
    for _ in range(2):
        table = RawEnv("happy-fox")
        table.reset(seed=4)
        seeds = []
        for _ in range(3):
            table.reset()
            assert table.match is not None
            seeds.append(table.match.seed)
        deals.append(seeds)
    assert deals[0] == deals[1]
    assert len(set(deals[0])) == 3


def test_an_action_that_is_not_open_ends_the_match() -> None:
    table = env("happy-fox", seats=3)
    table.reset(seed=1)
    guilty = table.agent_selection
    table.step(0)  # there is no grab to stop
    assert all(table.terminations.values())
    got = {}
    for agent in table.agent_iter():
        got[agent] = table.last()[1]
        table.step(None)
    assert got == {agent: -1 if agent == guilty else 0 for agent in table.possible_agents}


def test_the_bare_environment_says_why_an_action_is_not_open() -> None:
    table = RawEnv("happy-fox", seats=3)
    table.reset(seed=1)
    before = table.observe(table.agent_selection)
    with pytest.raises(IllegalAction, match="there is no grab to stop"):
        table.step(0)
    after = table.observe(table.agent_selection)
    assert all(np.array_equal(before[key], after[key]) for key in before)


@pytest.mark.parametrize(("name", "seats", "options"), every_seat_count())
def test_max_cycles_truncates_after_so_many_actions(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    cycles = 4 if name in NAMES else 1  # a foreign match may be shorter
    table = env(name, seats=seats, options=options, max_cycles=cycles)
    table.reset(seed=2)
    last = played_out(table, random.Random(2))
    assert table.unwrapped.match.ply == cycles
    assert last == {agent: (0.0, {}) for agent in table.possible_agents}


def test_options_and_parts_reach_the_table() -> None:
    table = RawEnv("happy-fox", seats=2, options={"unknown_four": "yes"}, parts={"geese": 8})
    table.reset(seed=1)
    observation = table.observe("seat_0")["observation"]
    at = {"geese": 4, "unknown_four": 9}
    assert observation[at["geese"]] == pytest.approx(8 / 32)
    assert observation[at["unknown_four"]] == 1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"name": "chess"}, UnknownGame),
        ({"name": "happy-fox", "seats": 9}, BadSeats),
        ({"name": "happy-fox", "options": {"wings": 1}}, BadOption),
        ({"name": "happy-fox", "parts": {"geese": "x"}}, BadParts),
        ({"name": "happy-fox", "render_mode": "rgb_array"}, ValueError),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        env(**arguments)


def test_an_environment_can_be_sent_to_another_process() -> None:
    table = pickle.loads(pickle.dumps(RawEnv("happy-fox", seats=3, render_mode="ansi")))
    table.reset(seed=1)
    assert table.seats == 3
    assert "Happy Fox" in table.render()


def move(table: Any) -> None:
    mask = table.observe(table.agent_selection)["action_mask"]
    table.step(int(np.flatnonzero(mask)[-1]))


@pytest.mark.parametrize("make", [env, RawEnv])
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))]
)
def test_a_copy_stands_where_the_environment_does_and_goes_its_own_way(
    make: Any, copied: Any
) -> None:
    table = make("happy-fox", seats=3, options={"unknown_four": True}, parts={"geese": 12})
    table.reset(seed=3)
    for _ in range(5):
        move(table)
    before = table.unwrapped.match.record()
    twin = copied(table)
    assert type(twin) is type(table)
    assert str(twin) == str(table)
    assert twin.unwrapped.match.record() == before
    move(twin)
    assert table.unwrapped.match.record() == before
    move(table)
    for one in (table, twin):
        last = played_out(one, random.Random(3))
        assert last["seat_0"][1]["scores"]
    assert table.unwrapped.match.record() == twin.unwrapped.match.record()
    for one in (table, twin):  # the next deal follows from the same seed
        one.reset()
    assert table.unwrapped.match.seed == twin.unwrapped.match.seed
