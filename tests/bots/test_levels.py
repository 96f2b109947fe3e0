"""Levels: named, repeatable, quick to answer, and public to the server."""

import threading
import time

import pytest

import foxden
from foxden.bots import LEVELS, Position, ask, find_bot, hints, level_bot, position_of
from foxden.bots.levels import Level, LevelBot, levels, worst
from foxden.bots.net import NetBot, NoNetwork, trained_for
from tests.bots.positions import some_way_on
from tests.bots.test_ismcts import grab


def middle(name: str, seats: int | None = None) -> foxden.Match:
    """Plays on to a position with a choice."""
    return some_way_on(name, 12, seats)


@pytest.mark.parametrize("name", foxden.games())
def test_every_game_has_five_levels(name: str) -> None:
    found = levels(foxden.game(name))
    assert [level.number for level in found] == [1, 2, 3, 4, 5]
    assert tuple(level.name for level in found) == LEVELS
    assert all(level.simulations is not None for level in found[:4])
    assert (found[4].simulations, found[4].seconds, found[4].slips) == (None, 0.3, 0.0)
    faults = [level.slips + level.blunders for level in found]
    assert faults == sorted(faults, reverse=True)
    assert all(level.slips + level.blunders <= 1 for level in found)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("name", foxden.games())
def test_a_level_gives_the_same_answer_again(name: str, number: int) -> None:
    match = middle(name)
    first = ask(level_bot(number), match, seed=2)
    assert first in match.legal()
    assert ask(find_bot(f"level:{number}"), match, seed=2) == first


@pytest.mark.parametrize(("dogs_left", "wanted"), [(0, "stop"), (4, "turn")])
def test_a_blunder_is_the_worst_there_is(dogs_left: int, wanted: str) -> None:
    """Geese that are surely there are left, and dogs that are surely there are met."""
    assert str(worst(position_of(grab(dogs_left), seed=2))).startswith(wanted)


def test_a_level_says_what_it_does() -> None:
    assert Level(1, "Cub", simulations=0, slips=1).says == "any legal action"
    assert Level(1, "Cub", simulations=0, slips=0.5, blunders=0.5).says == (
        "any legal action; 50% blunders"
    )
    assert Level(2, "Yearling", simulations=300, slips=0.25, blunders=0.1).says == (
        "300 simulations; 25% left to chance; 10% blunders"
    )


def test_a_level_that_plays_by_its_network_says_so() -> None:
    assert Level(3, "Prowler", simulations=0, temperature=5.0).says == (
        "the network's choice, drawn at temperature 5"
    )
    assert Level(5, "Old Fox", temperature=0.0).says == "the network's choice"
    told = Level(5, "Old Fox", temperature=0.3).says
    assert told == "the network's choice, drawn at temperature 0.3"
    told = Level(5, "Old Fox", temperature=0.0, look=0.25, look_worth=2000).says
    assert told == "the network, looking ahead 0.25 s (2,000 simulations)"
    told = Level(5, "Old Fox", temperature=0.0, most_seats=2, seconds=0.3).says
    assert told == "the network's choice; with more than 2 seats 0.3 s of search"


def test_a_level_searches_where_more_sit_than_its_network_is_good_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def choose(self: NetBot, position: Position) -> int:
        asked.append(position.seats)
        return position.legal[0].id

    for seats in (2, 4):
        match = foxden.new("fox-and-squirrels", seats=seats, seed=1)
        while len(match.legal()) < 2:
            match.play(match.legal()[0])
        position = position_of(match, seed=1)
        with monkeypatch.context() as patch:
            patch.setattr(NetBot, "choose", choose)
            LevelBot(5, measured=True).choose(position)
        found = hints(position, seconds=0.05)
        shares = NetBot().shares(position)
        by_network = all(hint.share == shares[hint.action.id] for hint in found)
        assert by_network is (seats == 2)
    assert asked == [2]


@pytest.mark.parametrize("name", foxden.games())
def test_weaker_levels_draw_more_evenly(name: str) -> None:
    drawn = [level.temperature for level in levels(foxden.game(name))]
    known = [temperature for temperature in drawn if temperature is not None]
    assert known == sorted(known, reverse=True)
    assert len(set(known)) == len(known)


def test_a_table_without_a_network_has_levels_all_the_same() -> None:
    match = foxden.new("foxy-and-woolly", seats=2, seed=1, options={})
    trained = position_of(match, seed=1)
    with pytest.raises(NoNetwork):
        trained_for(position_of(other_table(), seed=1))
    assert trained_for(trained)
    for number in (1, 3):
        assert ask(level_bot(number), other_table(), seed=1) in other_table().legal()


def other_table() -> foxden.Match:
    """Deals Foxy & Woolly with a printed number changed, for which nothing was trained."""
    game = foxden.game("foxy-and-woolly")
    part, value = next((k, v) for k, v in game.printed.items() if isinstance(v, int))
    return foxden.new("foxy-and-woolly", seats=2, seed=1, parts={part: value - 1})


def test_a_level_knows_its_name() -> None:
    bot = find_bot("level:4")
    assert isinstance(bot, LevelBot)
    assert (bot.number, bot.name, bot.title) == (4, "level:4", "Vixen")


@pytest.mark.parametrize("name", ["level", "level:", "level:0", "level:6", "level:x", "level:3:4"])
def test_a_level_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(foxden.UnknownBot, match=r"level|Level"):
        find_bot(name)


def test_hints_rank_the_moves_with_result_and_certainty() -> None:
    match = middle("happy-fox")
    hints(position_of(match, seed=1), seconds=0.01)  # compiled
    found = hints(position_of(match, seed=1), seconds=0.3)
    assert {hint.action for hint in found} == set(match.legal())
    assert sum(hint.share for hint in found) == pytest.approx(1)
    assert all(0 <= hint.result <= 1 for hint in found)
    assert all(hint.spread >= 0 for hint in found)
    assert [hint.share for hint in found] == sorted((h.share for h in found), reverse=True)


@pytest.mark.parametrize("name", ["happy-fox", "fox-grove"])
def test_hints_are_what_the_strongest_level_would_play(name: str) -> None:
    match = middle(name)
    position = position_of(match, seed=1)
    favourite = NetBot().choose(position)
    shares = NetBot().shares(position)
    assert max(shares, key=lambda action: shares[action]) == favourite
    assert sum(shares.values()) == pytest.approx(1)
    hints(position, seconds=0.01)  # compiled
    first, *_ = hints(position, seconds=0.3)
    assert (first.action.id, first.share) == (favourite, shares[favourite])


def test_hints_can_be_cancelled() -> None:
    match = middle("happy-fox")
    told = threading.Event()
    position = position_of(match, seed=1, cancelled=told.is_set)
    hints(position, seconds=0.01)  # compiled
    threading.Timer(0.1, told.set).start()
    begin = time.perf_counter()
    assert hints(position, seconds=60.0)
    assert time.perf_counter() - begin < 10


def test_a_cancelled_bot_still_answers() -> None:
    match = middle("happy-fox")
    position = position_of(match, seed=1, cancelled=lambda: True)
    for number in range(1, 6):
        assert match.game.action(level_bot(number).choose(position)) in match.legal()
    assert worst(position) in match.legal()


def test_one_legal_action_needs_no_thought() -> None:
    match = middle("happy-fox")
    position = position_of(match, seed=1)
    alone = Position(position.game, position.seat, position.wiped, position.legal[:1], seed=1)
    begin = time.perf_counter()
    assert level_bot(5).choose(alone) == position.legal[0]
    assert time.perf_counter() - begin < 0.5
