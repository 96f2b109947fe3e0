"""What a table needs of a match: checking without playing, telling as it goes, laying all open."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import foxden
from foxden.engine.kernel import bytes_of, from_known
from foxden.engine.view import to_json


def places(view: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Lists everything that a view tells, and where."""
    if isinstance(view, dict):
        for key, value in view.items():
            yield from places(value, (*path, key))
    elif isinstance(view, list):
        for number, value in enumerate(view):
            yield from places(value, (*path, number))
    elif view is not None:
        yield path, view


@pytest.mark.parametrize("game", foxden.games())
def test_telling_as_it_goes_is_the_log_and_all_open_is_what_the_seats_know(game: str) -> None:
    seats = foxden.game(game).about.usual
    match = foxden.new(game, seats=seats, seed=11)
    dice = random.Random(11)
    viewers = (None, *range(seats))
    views = {seat: match.seat_view(seat) for seat in viewers}
    told: dict[int | None, list[Any]] = {seat: [] for seat in viewers}
    while not match.is_over and match.ply < 60:
        action = dice.choice(match.legal())
        before = match.state_bytes()
        assert match.check(action, match.to_act) == action
        assert match.state_bytes() == before
        seen = match.play_and_view(list(views.values()), action)
        for seat, (after, entry) in zip(viewers, seen, strict=True):
            assert to_json(after.view) == match.view(seat)
            assert after.known == match.known(seat)
            whole = from_known(after.known, match.game.state)
            assert bytes_of(whole, 0) == bytes_of(match.wiped(seat), 0)
            told[seat].append(to_json(entry))
            views[seat] = after
        if match.ply % 10 == 0:
            shown = dict(places(match.open_view()["table"]))
            for seat in viewers:
                missing = dict(places(to_json(views[seat].view.table))).keys() - shown.keys()
                assert not missing, f"seat {seat} knows more than all together"
    for seat in viewers:
        assert told[seat] == match.log(seat)


def test_checking_refuses_what_playing_refuses() -> None:
    match = foxden.new("happy-fox", seats=2, seed=7)
    asked = match.to_act or 0
    for action, seat in (("stop", None), ("turn 1", asked), (99, None), ("fox", 1 - asked)):
        refusals = []
        for way in (match.check, match.play):
            with pytest.raises(foxden.FoxdenError) as refused:
                way(action, seat)
            refusals.append((type(refused.value), str(refused.value)))
        assert refusals[0] == refusals[1]
    while not match.is_over:
        match.play(match.legal()[0])
    with pytest.raises(foxden.MatchOver):
        match.check("fox")
