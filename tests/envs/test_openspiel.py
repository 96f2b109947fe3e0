"""OpenSpiel's own tests, and what they do not look at."""

import pickle
import random
import unittest
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
    tabular_qlearner,
)

import foxden
from foxden.engine.errors import BadOption, BadParts, BadSeats
from foxden.engine.kernel import SPARE, bytes_of
from foxden.engine.options import Texts
from foxden.envs import module_name
from foxden.envs.openspiel import SEED_BYTES, FoxdenState
from tests.envs.setups import every_option, every_seat_count, other_parts, smallest

SAMPLER = pyspiel.UniformProbabilitySampler(0.0, 1.0)


def load(name: str, seats: int, options: dict[str, Any]) -> Any:
    counted = {
        option.name: len(options[option.name])
        for option in foxden.game(name).options
        if option.name in options and isinstance(option, Texts)
    }
    return pyspiel.load_game(f"foxden_{module_name(name)}", {"seats": seats} | options | counted)


def dealt(game: Any, seed: int) -> FoxdenState:
    state: FoxdenState = game.new_initial_state()
    for byte in seed.to_bytes(SEED_BYTES):
        state.apply_action(byte)
    return state


@pytest.mark.parametrize(("name", "seats", "options"), [*every_seat_count(), *every_option()])
def test_openspiel_can_simulate_copy_and_store(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    from open_spiel.python.tests import games_sim_test  # brings SciPy, which every worker collects

    np.random.seed(seats)
    games_sim_test.GamesSimTest("sim_game").sim_game(load(name, seats, options))


@pytest.mark.parametrize(
    # Matches of many seats can be long, and OpenSpiel looks at every state from every seat.
    ("name", "seats", "options"),
    [table for table in every_seat_count() if table.values[1] <= 4],
)
def test_openspiel_finds_no_fault_in_random_play(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    pyspiel.random_sim_test(load(name, seats, options), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "options"), [*every_seat_count(), *every_option()])
def test_openspiel_finds_no_fault_in_random_play_at_any_table(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    pyspiel.random_sim_test(load(name, seats, options), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "seats", "options"), smallest())
def test_openspiel_finds_no_fault_with_the_interface(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    from open_spiel.integration_tests import api_test  # as above

    game = load(name, seats, options)
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": name})
    result = unittest.TestResult()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    assert suite.countTestCases() >= 5
    suite.run(result)
    assert result.wasSuccessful(), [*result.errors, *result.failures]


@pytest.mark.parametrize(("name", "seats", "options"), every_seat_count())
def test_a_seed_gives_the_match_that_foxden_plays(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    seed = 20_000 + seats
    state = dealt(load(name, seats, options), seed)
    match = foxden.new(name, seats=seats, seed=seed, options=options, stream="fast")
    dice = random.Random(seed)
    while not match.is_over:
        assert state.current_player() == match.to_act
        legal = match.legal()
        assert state.legal_actions() == [int(action) for action in legal]
        chosen = dice.choice(legal)
        assert state.action_to_string(int(chosen)) == str(chosen)
        match.play(chosen)
        state.apply_action(int(chosen))
    assert state.is_terminal()
    assert state.scores() == list(match.scores)
    assert sum(state.returns()) == pytest.approx(0)
    best = max(state.returns())
    assert best == 0 or [s for s, r in enumerate(state.returns()) if r == best] == [*match.winners]


def random_states(game: Any, seed: int, count: int) -> list[FoxdenState]:
    """Returns states along one random match, about so many of it."""
    state, dice = dealt(game, seed), random.Random(seed)
    states = []
    while not state.is_terminal():
        states.append(state.clone())
        state.apply_action(dice.choice(state.legal_actions()))
    return states[:: max(1, len(states) // count)]


@pytest.mark.parametrize(("name", "seats", "options"), smallest())
def test_a_history_replays_to_the_same_state(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    game = load(name, seats, options)
    for state in random_states(game, 3, 6):
        again = game.new_initial_state()
        for action in state.history():
            again.apply_action(action)
        back = pickle.loads(pickle.dumps(state))
        for other in (again, state.clone(), back):
            assert str(other) == str(state)
            assert other.history() == state.history()
            for seat in range(seats):
                mine = state.information_state_string(seat)
                assert other.information_state_string(seat) == mine


def hold_copies_to_replays(game: Any, histories: int) -> None:
    """Walks by child and clone, with noise in the bytes of no field, and replays every walk."""
    dice = random.Random(4)
    for seed in range(histories):
        state = dealt(game, seed)
        for _ in range(dice.randrange(1, 16)):
            if state.is_terminal():
                break
            if SPARE in state.truth.dtype.names:
                state.truth[SPARE] = dice.randrange(1, 128)
            action = dice.choice(state.legal_actions())
            if dice.random() < 0.5:
                state = state.child(action)
            else:
                state = state.clone()
                state.apply_action(action)
        again = game.new_initial_state()
        for action in state.history():
            again.apply_action(action)
        for seat in range(game.num_players()):
            mine = again.information_state_string(seat)
            assert state.information_state_string(seat) == mine
            assert state.clone().information_state_string(seat) == mine


@pytest.mark.parametrize(("name", "seats", "options"), smallest())
def test_children_and_clones_have_the_strings_of_a_replay(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    hold_copies_to_replays(load(name, seats, options), 400)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "options"), every_seat_count())
def test_children_and_clones_have_the_strings_of_a_replay_at_any_table(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    hold_copies_to_replays(load(name, seats, options), 400)


TINY = {"parts": "geese:2;foxes:1;dogs:1;hand_limit:2;unknown:0"}


def test_a_game_of_few_deals_can_be_walked_and_comes_nearer_to_equilibrium() -> None:
    game = load("happy-fox", 2, TINY | {"deals": 2})
    uniform = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    solver = external_sampling_mccfr.ExternalSamplingSolver(
        game, external_sampling_mccfr.AverageType.SIMPLE
    )
    np.random.seed(1)
    for _ in range(100):
        solver.iteration()
    assert 0 <= exploitability.nash_conv(game, solver.average_policy()) < uniform


@pytest.mark.parametrize("deals", [1, 256])
def test_chance_draws_one_of_so_many_deals(deals: int) -> None:
    game = load("slyest-fox", 2, {"deals": deals})
    state = game.new_initial_state()
    outcomes = state.chance_outcomes()
    assert [outcome for outcome, _ in outcomes] == list(range(deals))
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)
    assert game.max_chance_outcomes() == deals
    state.apply_action(deals - 1)
    assert not state.is_chance_node()
    assert str(state) == str(dealt(load("slyest-fox", 2, {}), deals - 1))
    world = state.resample_from_infostate(0, SAMPLER)
    assert world.information_state_string(0) == state.information_state_string(0)


@pytest.mark.parametrize("deals", [-1, 1 << 17])
def test_a_number_of_deals_out_of_range_is_refused(deals: int) -> None:
    with pytest.raises(pyspiel.SpielError, match="deals"):
        load("happy-fox", 2, {"deals": deals})


@pytest.mark.parametrize(("name", "seats", "options"), smallest())
def test_resampled_worlds_look_the_same_to_the_seat_and_go_on(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    game = load(name, seats, options)
    dice = random.Random(1)
    for state in random_states(game, 8, 8):
        for seat in range(seats):
            world = state.resample_from_infostate(seat, SAMPLER)
            assert world.current_player() == state.current_player()
            for one in (world, world.clone(), pickle.loads(pickle.dumps(world))):
                mine = state.information_state_string(seat)
                assert one.information_state_string(seat) == mine
            assert world.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert world.observation_string(seat) == state.observation_string(seat)
            assert world.observation_tensor(seat) == state.observation_tensor(seat)
            for _ in range(20):
                if not world.is_terminal():
                    world.apply_action(dice.choice(world.legal_actions()))


def test_a_resampled_world_has_forgotten_what_the_seat_does_not_know() -> None:
    game = load("happy-fox", 3, {})
    state = random_states(game, 5, 4)[2]
    player = state.current_player()
    worlds = [state.resample_from_infostate(player, SAMPLER) for _ in range(20)]
    # Neither truth nor history nor the others' memories tell the worlds' origin.
    assert len({str(world) for world in worlds}) > 10
    lay = 36  # the label of a card laid by another
    for world in worlds:
        assert world.history()[:SEED_BYTES] != state.history()[:SEED_BYTES]
        mine = list(zip(state.full_history(), world.full_history(), strict=True))[SEED_BYTES:]
        assert all(a.player == b.player for a, b in mine)
        hidden = [(a.action, b.action) for a, b in mine if a.action != b.action]
        assert hidden
        assert all(a in (1, 3) and b == lay for a, b in hidden)
        for other in set(range(3)) - {player}:
            memory = world.information_state_string(other).splitlines()[0]
            assert memory == state.information_state_string(player).splitlines()[0]


@pytest.mark.parametrize(("name", "seats", "options"), smallest())
def test_no_two_seats_share_an_information_state(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    game = load(name, seats, options)
    for state in random_states(game, 2, 3):
        strings = {state.information_state_string(seat) for seat in range(seats)}
        assert len(strings) == seats
        assert all(f"viewer: {seat}" in state.observation_string(seat) for seat in range(seats))


def test_the_information_state_recalls_all_actions_as_the_seat_saw_them() -> None:
    state = dealt(load("happy-fox", 2, {}), 1)
    first = state.current_player()
    state.apply_action(state.string_to_action("lay goose"))
    mine, theirs = (state.information_state_string(seat) for seat in (first, 1 - first))
    assert mine.startswith(f"log: [{first}] lay goose\n")
    assert theirs.startswith(f"log: [{first}] lay card\n")
    observer = state.get_game().make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 1 - first)
    assert observer.dict["log"][0] == pytest.approx([1.0, 1.0])  # the other seat, the last label
    assert not observer.dict["log"][1:].any()
    observer.set_from(state, first)
    assert observer.dict["log"][0] == pytest.approx([1 / 2, 2 / 37])


def test_equal_information_states_have_equal_pasts() -> None:
    game = load("happy-fox", 2, {})
    pasts: dict[str, list[str]] = {}
    memories: dict[str, set[str]] = {}
    for seed in range(400):
        state = dealt(game, seed)
        past: list[str] = []
        player = state.current_player()
        for _ in range(7):
            if state.current_player() == player:
                now = state.information_state_string(player)
                assert pasts.setdefault(now, list(past)) == past
                text, _, recalled = now.rpartition("recalled: ")
                memories.setdefault(text, set()).add(recalled)
                past.append(now)
            state.apply_action(state.legal_actions()[0])
    # Log and wiped state would not do: the same cards can have come in another order.
    assert max(map(len, memories.values())) > 1


def test_a_spectator_can_observe_and_other_mixtures_cannot() -> None:
    game = load("happy-fox", 2, {})
    state = dealt(game, 1)
    private = pyspiel.PrivateInfoType
    spectator = game.make_py_observer(
        pyspiel.IIGObservationType(perfect_recall=False, private_info=private.NONE)
    )
    assert spectator.string_from(state, 0) == spectator.string_from(state, 1)
    assert "viewer: -1" in spectator.string_from(state, 0)
    for kind in (
        pyspiel.IIGObservationType(perfect_recall=False, public_info=False),
        pyspiel.IIGObservationType(perfect_recall=False, private_info=private.ALL_PLAYERS),
    ):
        assert game.make_py_observer(kind) is None


def test_options_are_parameters() -> None:
    game = pyspiel.load_game("foxden_happy_fox(seats=4,unknown_four=true)")
    assert game.num_players() == 4
    assert game.table.options == {"unknown_four": True}
    assert str(game) == "foxden_happy_fox(deals=0,parts=,seats=4,unknown_four=True)"
    assert pyspiel.load_game("foxden_happy_fox").num_players() == 4


# A parameter is one word: lists of numbers, which is all that Fox Grove prints, do not fit.
@pytest.mark.parametrize(
    "name", [name for name in foxden.games() if next(other_parts(foxden.game(name)), None)]
)
def test_printed_numbers_can_be_changed(name: str) -> None:
    game = foxden.game(name)
    changes = next(other_parts(game))
    written = ";".join(f"{path}:{value}" for path, value in changes.items())
    loaded = pyspiel.load_game(f"foxden_{module_name(name)}(seats={game.seats[0]},parts={written})")
    assert f"parts={written}" in str(loaded)
    match = foxden.new(name, seats=game.seats[0], seed=5, parts=changes, stream="fast")
    for state in (dealt(loaded, 5), pickle.loads(pickle.dumps(dealt(loaded, 5)))):
        assert bytes_of(state.truth, 0) == match.state_bytes()
    other = dealt(load(name, game.seats[0], {}), 5)
    assert bytes_of(other.truth, 0) != match.state_bytes()


@pytest.mark.parametrize("written", ["geese", "geese:many", "wings:2", "geese:-1"])
def test_parts_that_cannot_be_are_refused(written: str) -> None:
    with pytest.raises(BadParts):
        load("happy-fox", 2, {"parts": written})


@pytest.mark.parametrize("name", foxden.games())
def test_every_option_is_a_parameter_of_its_type(name: str) -> None:
    game = foxden.game(name)
    short = f"foxden_{module_name(name)}"
    found = next(kind for kind in pyspiel.registered_games() if kind.short_name == short)
    given = found.parameter_specification
    assert given.pop("seats") == game.about.usual
    assert given.pop("parts") == ""
    assert given.pop("deals") == 0
    assert set(given) == {option.name for option in game.options}
    for option in game.options:
        assert option.code(option.standard) == given[option.name] or (
            option.standard == given[option.name]
        )


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadSeats):
        load("happy-fox", 9, {})
    with pytest.raises(pyspiel.SpielError, match="wings"):
        load("happy-fox", 2, {"wings": True})
    with pytest.raises((BadOption, pyspiel.SpielError)):
        load("happy-fox", 2, {"unknown_four": "perhaps"})


def test_an_action_that_is_not_open_is_refused_with_its_rule() -> None:
    state = dealt(load("happy-fox", 2, {}), 1)
    before = str(state)
    with pytest.raises(pyspiel.SpielError, match=r"'stop' is not open now: .* \(HF-5\)"):
        state.apply_action(0)
    assert str(state) == before


def test_a_table_that_plays_together_shares_its_returns() -> None:
    for name in foxden.games():
        game = foxden.game(name)
        for option in game.options:
            for value in option.samples():
                options = {o.name: o.standard for o in game.options} | {option.name: value}
                if not game.together(game.seats[0], options):
                    continue
                loaded = load(name, game.seats[0], {option.name: value})
                assert loaded.get_type().utility == pyspiel.GameType.Utility.IDENTICAL
                pyspiel.random_sim_test(loaded, num_sims=1, serialize=False, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", foxden.games())
def test_the_ismcts_bot_plays(name: str) -> None:
    game = load(name, foxden.game(name).seats[0], {})
    dice = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, dice), 1.0, max_simulations=20, random_state=dice
    )
    state = dealt(game, 7)
    for _ in range(30):
        if state.is_terminal():
            break
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


@pytest.mark.slow
@pytest.mark.parametrize("name", foxden.games())
def test_a_q_learner_runs(name: str) -> None:
    game = load(name, foxden.game(name).seats[0], {})
    np.random.seed(1)
    table = rl_environment.Environment(
        game, chance_event_sampler=rl_environment.ChanceEventSampler(seed=1)
    )
    learners = [
        tabular_qlearner.QLearner(seat, table.action_spec()["num_actions"])
        for seat in range(game.num_players())
    ]
    for _ in range(3):
        step = table.reset()
        while not step.last():
            chosen = learners[step.observations["current_player"]].step(step)
            step = table.step([chosen.action])
        for learner in learners:
            learner.step(step)
        assert sum(step.rewards) == pytest.approx(0)


# In matches of hundreds of decisions its reach probabilities come down to 0.
@pytest.mark.slow
@pytest.mark.parametrize("name", ["happy-fox", "foxy-and-woolly"])
def test_mccfr_runs_in_short_matches(name: str) -> None:
    game = load(name, 2, {})
    np.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    with np.errstate(all="raise", under="ignore"):
        for _ in range(20):
            solver.iteration()
    policy = solver.average_policy().action_probabilities(dealt(game, 1))
    assert sum(policy.values()) == pytest.approx(1)
