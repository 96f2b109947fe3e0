"""Bots: fair, repeatable, and stronger than chance where they should be."""

from typing import Any

import pytest

import foxden
from foxden.arena.series import play_series
from foxden.bots import Position, ask, find_bot, position_of
from foxden.bots.ismcts import SearchBot
from foxden.engine import defaults
from foxden.engine.kernel import to_known


def test_a_bot_is_given_nothing_that_its_seat_may_not_know() -> None:
    given: list[Position] = []

    class Spy:
        name = "spy"

        def choose(self, position: Position) -> Any:
            given.append(position)
            return position.legal[0]

    match = foxden.new("happy-fox", seats=3, seed=4)
    for _ in range(30):
        match.play(ask(Spy(), match, seed=1))
        at = match.at(match.ply - 1)
        assert to_known(given[-1].wiped, 0) == at.known(given[-1].seat)
        assert given[-1].seat == at.to_act
        assert given[-1].seed != match.seed
    assert not any(hasattr(position, "match") for position in given)


@pytest.mark.parametrize("name", ["random", "greedy", "level:1"])
@pytest.mark.parametrize("game", foxden.games())
def test_what_a_bot_is_given_stays_as_it_is(game: str, name: str) -> None:
    match = foxden.new(game, seed=4)
    while not match.is_over and match.ply < 10:
        position = position_of(match, seed=6)
        before = to_known(position.wiped, 0)
        action = find_bot(name).choose(position)
        assert to_known(position.wiped, 0) == before
        match.play(int(action))


@pytest.mark.parametrize("name", ["random", "greedy"])
@pytest.mark.parametrize("game", foxden.games())
def test_the_same_seed_gives_the_same_choices(game: str, name: str) -> None:
    def played() -> bytes:
        match = foxden.new(game, seed=4)
        while not match.is_over and match.ply < 200:
            match.play(ask(find_bot(name), match, seed=6))
        return match.state_bytes()

    assert played() == played()


@pytest.mark.parametrize(
    "name", [name for name in foxden.games() if foxden.game(name).greedy is not defaults.greedy]
)
def test_greedy_beats_random(name: str) -> None:
    game = foxden.game(name)
    bots = [find_bot("greedy"), find_bot("random")]
    series = play_series(game, bots, seats=2, matches=300, seed=1)
    greedy, rand = series.bots
    assert greedy.wins.low > rand.wins.high


def test_an_unknown_bot_is_refused_with_a_hint() -> None:
    with pytest.raises(foxden.UnknownBot, match="Did you mean greedy"):
        find_bot("gredy")


@pytest.mark.parametrize(
    "name",
    [
        "search:",
        "search:0",
        "search:fast",
        "search:-1s",
        "search:9:luck=1",
        "search:9:greedy=x",
        "search:9:depth=0",
        "search:9:nodes=1.5",
        "greedy:5",
    ],
)
def test_a_bound_that_means_nothing_is_refused(name: str) -> None:
    with pytest.raises(foxden.UnknownBot):
        find_bot(name)


def test_a_search_is_bounded_as_its_name_says() -> None:
    by_number, by_time = find_bot("search:500"), find_bot("search:0.25s")
    assert isinstance(by_number, SearchBot)
    assert isinstance(by_time, SearchBot)
    assert (by_number.simulations, by_number.name) == (500, "search:500")
    assert (by_time.simulations, by_time.seconds) == (None, 0.25)


def test_a_search_is_changed_as_its_name_says() -> None:
    bot = find_bot("search:500:greedy=0.2:horizon=30")
    assert isinstance(bot, SearchBot)
    assert bot.changes == {"greedy": 0.2, "horizon": 30}


def test_a_match_that_is_over_has_nobody_to_ask() -> None:
    match = foxden.new("happy-fox", seats=2, seed=1)
    while not match.is_over:
        match.play(ask(find_bot("random"), match, seed=1))
    with pytest.raises(ValueError, match="nobody is asked"):
        ask(find_bot("random"), match, seed=1)
