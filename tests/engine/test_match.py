"""Matches: what is played, refused, taken back and told."""

import json
from typing import get_args

import pytest

import foxden
from foxden.engine.rng import SEED_BITS, Stream


def test_an_action_its_id_and_its_notation_are_one() -> None:
    first = foxden.new("happy-fox", seats=2, seed=1).legal()[0]
    after = []
    for given in (first, int(first), str(first), f"  {str(first).upper()} "):
        match = foxden.new("happy-fox", seats=2, seed=1)
        assert match.play(given) is match.game.action(first)
        after.append(match.state_bytes())
    assert len(set(after)) == 1


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("fly", foxden.BadNotation),
        ("", foxden.BadNotation),
        (-1, foxden.BadNotation),
        (10**9, foxden.BadNotation),
        (True, foxden.BadNotation),
        ("lay card", foxden.BadNotation),  # what others see is no move
        ("stop", foxden.IllegalAction),
        ("turn 1", foxden.IllegalAction),
    ],
)
def test_a_refused_move_changes_nothing(given: int | str, error: type[Exception]) -> None:
    match = foxden.new("happy-fox", seats=3, seed=2)
    before, legal = match.state_bytes(), match.legal()
    with pytest.raises(error):
        match.play(given)
    assert (match.state_bytes(), match.legal(), match.ply) == (before, legal, 0)


def test_a_move_out_of_turn_is_refused_before_it_is_judged() -> None:
    match = foxden.new("happy-fox", seats=3, seed=2)
    asked = match.to_act
    assert asked is not None
    other = (asked + 1) % 3
    for move in ("lay goose", "stop"):
        with pytest.raises(foxden.NotYourTurn, match=f"Seat {asked} is asked"):
            match.play(move, seat=other)
    with pytest.raises(foxden.BadSeats):
        match.play("lay goose", seat=7)
    assert match.ply == 0


def test_a_match_that_is_over_takes_no_move() -> None:
    match = foxden.new("happy-fox", seats=2, seed=2)
    while not match.is_over:
        match.play(match.legal()[0])
    assert match.to_act is None
    assert match.legal() == ()
    for seat in (None, 0, 1):
        with pytest.raises(foxden.MatchOver):
            match.play("lay goose", seat=seat)


def test_undo_goes_back_byte_for_byte() -> None:
    match = foxden.new("happy-fox", seats=4, seed=9)
    states = [match.state_bytes()]
    for _ in range(60):
        match.play(match.legal()[-1])
        states.append(match.state_bytes())
    assert match.at(17).state_bytes() == states[17]
    match.undo()
    assert match.state_bytes() == states[59]
    match.undo(40)
    assert (match.state_bytes(), match.ply) == (states[19], 19)
    with pytest.raises(foxden.NothingToUndo):
        match.undo(20)
    assert match.state_bytes() == states[19]
    match.play(match.legal()[-1])
    assert match.state_bytes() == states[20]


def test_a_copy_at_a_ply_leaves_the_match_alone() -> None:
    match = foxden.new("happy-fox", seats=2, seed=9)
    for _ in range(10):
        match.play(match.legal()[0])
    before = match.state_bytes()
    twin = match.at(4)
    while not twin.is_over:
        twin.play(twin.legal()[0])
    assert (match.state_bytes(), match.ply) == (before, 10)


def test_the_same_seed_gives_the_same_match_and_another_seed_another() -> None:
    deals = {foxden.new("happy-fox", seats=4, seed=seed).state_bytes() for seed in range(50)}
    assert len(deals) == 50
    twice = [foxden.new("happy-fox", seats=4, seed=3).state_bytes() for _ in range(2)]
    assert twice[0] == twice[1]


@pytest.mark.parametrize("seed", [-1, 1 << SEED_BITS, 1.5, "7", True])
def test_a_bad_seed_is_refused(seed: object) -> None:
    with pytest.raises(foxden.BadSeed):
        foxden.new("happy-fox", seats=2, seed=seed)  # type: ignore[arg-type]


def test_a_seed_not_given_has_all_its_bits() -> None:
    seeds = [foxden.new("happy-fox", seats=2).seed for _ in range(50)]
    assert len(set(seeds)) == 50
    assert 1 << SEED_BITS - 8 < max(seeds) < 1 << SEED_BITS


def test_a_match_that_goes_back_or_is_copied_keeps_its_stream() -> None:
    for stream in get_args(Stream):
        match = foxden.new("fox-and-squirrels", seats=2, seed=4, stream=stream)
        dealt = match.state_bytes()
        match.play(match.legal()[0])
        assert match.at(0).state_bytes() == dealt
        match.undo()
        assert match.state_bytes() == dealt


def test_an_unknown_stream_is_refused() -> None:
    with pytest.raises(foxden.BadSeed, match="'keyed' or 'fast', not 'slow'"):
        foxden.new("happy-fox", seats=2, stream="slow")  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [0, 1, 6, True, 2.5])
def test_a_bad_number_of_seats_is_refused(seats: object) -> None:
    with pytest.raises(foxden.BadSeats, match="2 to 5 seats"):
        foxden.new("happy-fox", seats=seats)  # type: ignore[arg-type]


def test_unknown_names_are_refused_with_a_hint() -> None:
    with pytest.raises(foxden.UnknownGame, match="Did you mean happy-fox"):
        foxden.new("happyfox")
    with pytest.raises(foxden.BadOption, match="Did you mean unknown_four") as refusal:
        foxden.new("happy-fox", options={"unknown_for": True})
    assert refusal.value.option == "unknown_for"
    with pytest.raises(foxden.BadOption, match="takes yes or no, not 3"):
        foxden.new("happy-fox", options={"unknown_four": 3})


@pytest.mark.parametrize("name", ["", " Mia", "a\nb", "x" * 41])
def test_a_name_that_a_record_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(foxden.BadSeats):
        foxden.new("happy-fox", seats=2, names=[name])


def test_a_view_is_ready_for_json_and_shows_choices_to_the_seat_asked_alone() -> None:
    match = foxden.new("happy-fox", seats=3, seed=5)
    for viewer in (None, 0, 1, 2):
        view = match.view(viewer)
        assert json.loads(json.dumps(view)) == view
        assert bool(view["legal"]) == (viewer == match.to_act)
        assert "seed" not in json.dumps(view)
    with pytest.raises(foxden.BadSeats):
        match.view(3)


def test_a_finished_view_explains_the_scores() -> None:
    match = foxden.new("happy-fox", seats=3, seed=5)
    while not match.is_over:
        match.play(match.legal()[0])
    view = match.view(1)
    assert view["scores"] == list(match.scores)
    assert view["winners"] == list(match.winners)
    assert [sum(n for _, n in lines) for lines in view["tally"]] == view["scores"]


def test_a_log_from_the_middle_is_the_end_of_the_whole_log() -> None:
    match = foxden.new("happy-fox", seats=3, seed=5)
    for _ in range(30):
        match.play(match.legal()[-1])
    for viewer in (None, 0, 1, 2):
        assert match.log(viewer, since=12) == match.log(viewer)[12:]
    assert match.log(0, since=30) == []


def test_repr_tells_no_secret() -> None:
    assert repr(foxden.new("happy-fox", seats=2, seed=99)).find("99") < 0
