"""What a table asks for: numbers of seats, and numbers of any kind."""

import json
from importlib.metadata import version
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.bots import ask, find_bot
from foxden.engine.options import Flag, Number
from foxden.envs.vector import VectorEnv

KINDS = (np.int8, np.int64, np.uint8, np.uint64)


def test_the_package_knows_its_version() -> None:
    assert foxden.__version__ == version("foxden")


@pytest.mark.parametrize("name", foxden.games())
def test_a_game_lists_the_seats_that_its_standard_options_allow(name: str) -> None:
    game = foxden.game(name)
    assert game.seats
    for seats in game.about.seats:
        if seats in game.seats:
            assert game.setup(seats).seats == seats
        else:
            with pytest.raises(foxden.BadOption):
                game.setup(seats)


def test_seats_go_by_options() -> None:
    game = foxden.game("slyest-fox")
    assert game.seats == (2, 3, 4, 5, 6)
    assert game.seats_with({"extension": "yes"}) == (3, 4, 5, 6, 7, 8)
    assert game.seats_with({"teams": True}) == (4, 6)
    assert game.most_seats == 8
    with pytest.raises(foxden.BadOption):
        game.seats_with({"wings": True})


def test_a_refusal_writes_the_option_as_one_types_it() -> None:
    game = foxden.game("slyest-fox")
    with pytest.raises(foxden.BadOption, match=r"7 seats need .*: extension=yes\. \(SF-4\)"):
        game.setup(7)
    with pytest.raises(foxden.BadOption, match=r"extension=no\. \(SF-48\)"):
        game.setup(2, {"extension": True})


@pytest.mark.parametrize("name", foxden.games())
def test_a_table_that_names_no_seats_has_the_usual_ones(name: str) -> None:
    game = foxden.game(name)
    assert game.usual_seats() == game.about.usual == game.setup().seats
    assert foxden.new(name).seats == VectorEnv(game, 1).seats == game.about.usual


def test_where_the_usual_seats_do_not_go_with_the_options_the_nearest_do() -> None:
    game = foxden.game("slyest-fox")
    for options in ({}, {"extension": True}, {"teams": True}):
        assert game.usual_seats(options) == 6
    with pytest.raises(foxden.BadOption, match="two different owls"):
        foxden.game("fox-grove").setup(None, {"owl_one": "double", "owl_two": "double"})


@pytest.mark.parametrize("kind", KINDS)
def test_whole_numbers_of_numpy_are_taken_everywhere(kind: Any) -> None:
    parts = {"geese": kind(12), "dogs": 4}
    mine = foxden.new("happy-fox", seats=3, seed=7, parts={"geese": 12, "dogs": 4})
    theirs = foxden.new("happy-fox", seats=kind(3), seed=kind(7), parts=parts)
    seat = mine.to_act
    assert seat is not None
    for match, number in ((mine, int), (theirs, kind)):
        match.play(number(match.legal()[0].id), seat=number(seat))
        match.play(match.legal()[0])
        match.undo(number(1))
    assert json.dumps(theirs.view(kind(seat))) == json.dumps(mine.view(seat))
    assert theirs.log(kind(seat), since=kind(0)) == mine.log(seat)
    zero: Any = np.array(theirs.legal()[0].id)  # an array without a dimension
    assert theirs.check(zero) == theirs.legal()[0]
    assert theirs.at(kind(1)).record() == theirs.record() == mine.record()
    bot = find_bot("greedy")
    assert ask(bot, theirs, seed=kind(5)) == ask(bot, mine, seed=5)
    with pytest.raises(foxden.NotYourTurn):
        theirs.play(theirs.legal()[0], seat=kind(seat))


def test_lists_and_arrays_of_numpy_are_parts() -> None:
    printed = foxden.game("fox-and-squirrels").printed["bonus"]
    for bonus in (np.array(printed) + 1, [np.int64(n + 1) for n in printed]):
        match = foxden.new("fox-and-squirrels", parts={"bonus": bonus})
        assert match.record().count(f"part: bonus = {[n + 1 for n in printed]}") == 1


def test_numbers_and_bools_of_numpy_are_options() -> None:
    number = Number("rounds", "How many.", ("XX-3",), 1, 9, 3)
    assert number.check(np.int64(4)) == 4
    assert type(number.check(np.int8(4))) is int
    assert Flag("tie_break", "Breaks ties.", ("XX-1",)).check(np.True_) is True
    for wrong in (np.float32(2.0), np.float64(2.5), np.True_, np.int64(10)):
        with pytest.raises(foxden.BadOption):
            number.check(wrong)


@pytest.mark.parametrize("wrong", [np.float64(3), np.True_, "3", 3.0, np.int64(9)])
def test_what_is_no_whole_number_is_refused_as_before(wrong: Any) -> None:
    living = foxden.new("happy-fox", seats=3)
    assert living.seats == 3  # its setup, checked before, does not let 3.0 pass
    with pytest.raises(foxden.BadSeats):
        foxden.new("happy-fox", seats=wrong)
    match = foxden.new("happy-fox", seats=4, seed=1)
    with pytest.raises(foxden.BadSeats):
        match.view(wrong)
    if wrong != 9:
        with pytest.raises(foxden.BadSeed):
            foxden.new("happy-fox", seats=3, seed=wrong)
        with pytest.raises(foxden.BadNotation):
            match.play(wrong)


def test_a_batch_takes_whole_numbers_of_numpy() -> None:
    game = foxden.game("happy-fox")
    env = VectorEnv(game, np.int64(2), seats=np.int8(3), threads=np.int64(1))  # type: ignore[arg-type]
    env.reset(seed=np.int64(3))  # type: ignore[arg-type]
    assert env.match_seed(1) == 3 << 63 | 1
    env.step(env.sample(np.int64(1)))  # type: ignore[arg-type]
