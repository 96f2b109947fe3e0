"""Trained players: they play what their network says, and refuse tables that they do not know."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.arena.series import play_series
from foxden.bots import Position, ask, find_bot, net, position_of
from foxden.engine import compiled
from foxden.engine.kernel import new_states

MOST_BYTES = 4_000_000  # a game
TRAINED = [name for name in foxden.games() if list(foxden.game(name).folder.glob("nets/*.npz"))]
FIRST = TRAINED[0]


def positions(name: str, seats: int, count: int) -> Iterator[Position]:
    match = foxden.new(name, seats=seats, seed=3)
    while count and not match.is_over:
        if len(match.legal()) > 1:
            yield position_of(match, seed=5)
            count -= 1
        match.play(ask(find_bot("greedy"), match, seed=match.ply))


def table_of(name: str) -> dict[str, Any]:
    table: dict[str, Any] = dict(net.networks(foxden.game(name))[0].table)
    return table


@pytest.mark.parametrize("name", TRAINED)
def test_networks_fit_their_game_and_tell_how_they_were_trained(name: str) -> None:
    game = foxden.game(name)
    files = list((game.folder / net.FOLDER).glob("*.npz"))
    assert sum(file.stat().st_size for file in files) <= MOST_BYTES
    for trained in net.networks(game):
        trained.network.check(game)
        told = trained.network.told
        assert trained.spread > 0
        assert {"seed", "commit", "iterations", "steps", "seconds", "device", "plan"} <= set(told)
        assert told["curve"]
    tables = [(str(trained.table), trained.free) for trained in net.networks(game)]
    assert len(tables) == len(set(tables))  # one network a table


@pytest.mark.parametrize("name", TRAINED)
def test_the_choice_is_the_networks(name: str) -> None:
    for position in positions(name, table_of(name)["seats"], 8):
        network = net.network_for(position)
        x = np.zeros(position.game.tensor_size, np.float32)
        compiled.features_of(position.wiped, 0, position.seat, x)
        here = np.maximum(x @ network.first + network.biases[0], 0)
        for weights, bias in zip(network.rest, network.biases[1:], strict=True):
            here = np.maximum(here @ weights + bias, 0)
        legal = [action.id for action in position.legal]
        wanted = (network.policy @ here + network.policy_bias)[legal]
        found = network.logits(position, np.array(legal))
        assert np.allclose(found, wanted, rtol=1e-3, atol=1e-3)
        assert find_bot("net").choose(position) == legal[int(found.argmax())]


@pytest.mark.parametrize("name", TRAINED)
def test_a_network_beats_greedy(name: str) -> None:
    game = foxden.game(name)
    bots = [find_bot("net"), find_bot("greedy")]
    series = play_series(game, bots, seats=table_of(name)["seats"], matches=300, seed=1, luck=2)
    network, greedy = series.bots
    assert network.wins.value > greedy.wins.value


def test_drawn_choices_follow_the_seed() -> None:
    bot = find_bot("net:drawn")
    varied = 0
    for position in positions(FIRST, table_of(FIRST)["seats"], 10):
        assert bot.choose(position) == bot.choose(position)
        drawn = {bot.choose(replace(position, seed=seed)) for seed in range(50)}
        assert drawn <= {action.id for action in position.legal}
        varied += len(drawn) > 1
    assert varied  # sure of some choices, never of all


def test_other_tables_are_refused_with_what_differs() -> None:
    game = foxden.game(FIRST)
    part, value = next((k, v) for k, v in game.printed.items() if isinstance(v, int))
    match = foxden.new(FIRST, seats=table_of(FIRST)["seats"], seed=1, parts={part: value + 1})
    with pytest.raises(net.NoNetwork, match=game.title):
        ask(find_bot("net"), match, seed=1)


@pytest.mark.parametrize("name", TRAINED)
def test_a_network_is_found_before_and_after_its_rules_are_compiled(name: str) -> None:
    """One process may play interpreted first: what it knows of networks then holds later, too."""
    game = foxden.game(name)
    for trained in net.networks(game):
        for compiled_form in (False, True):
            wiped = new_states(game.state, 1, compiled=compiled_form)
            game.configure(wiped, 0, game.setup(**trained.table))
            found = net.trained_for(Position(game, 0, wiped, (), seed=1))
            # A table may have a network of its own beside one for any options.
            form = isinstance(wiped, np.ndarray)
            assert found is trained or (not found.free and trained.free)
            assert trained.fields[form].items() <= found.fields[form].items()


def test_a_network_for_any_value_of_an_option_plays_all_but_tables_with_one_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = foxden.game("happy-fox")
    usual = game.usual_seats()
    own = next(t for t in net.networks(game) if t.table == {"seats": usual, "options": {}})
    form = isinstance(new_states(game.state, 1), np.ndarray)
    fields = {k: v for k, v in own.fields[form].items() if k != "unknown_four"}
    every = replace(own, free=frozenset({"unknown_four"}), fields={form: fields})
    monkeypatch.setattr(net, "networks", lambda game: (every, own))
    for options, wanted in (({}, own), ({"unknown_four": "yes"}, every)):
        match = foxden.new("happy-fox", seats=usual, options=options, seed=1)
        assert net.trained_for(position_of(match, seed=1)) is wanted
    match = foxden.new("happy-fox", seats=2, seed=1)
    with pytest.raises(net.NoNetwork, match="seats"):
        net.trained_for(position_of(match, seed=1))


def test_a_network_of_other_rules_is_refused() -> None:
    game = foxden.game(FIRST)
    network = net.networks(game)[0].network
    for name, value in (("rules_version", 99), ("tensor_hash", "x"), ("parts_hash", "x")):
        with pytest.raises(net.NoNetwork, match=name):
            replace(network, told={**network.told, name: value}).check(game)


def test_a_game_without_networks_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = next(positions(FIRST, table_of(FIRST)["seats"], 1))
    monkeypatch.setattr(net, "networks", lambda game: ())
    with pytest.raises(net.NoNetwork, match="No network was trained"):
        find_bot("net").choose(position)


@pytest.mark.parametrize("name", ["net:x", "net:0", "net:drawn=0", "net:drawn=x", "net:9:depth=2"])
def test_a_network_is_named_clearly(name: str) -> None:
    with pytest.raises(foxden.UnknownBot, match=r"network|temperature"):
        find_bot(name)


def test_a_higher_temperature_draws_more_evenly() -> None:
    position = next(positions(FIRST, table_of(FIRST)["seats"], 1))
    best = find_bot("net").choose(position)
    shares = []
    for temperature in (0.3, 1, 5):
        bot = find_bot(f"net:drawn={temperature}")
        drawn = [bot.choose(replace(position, seed=seed)) for seed in range(300)]
        shares.append(drawn.count(best))
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > shares[2]
