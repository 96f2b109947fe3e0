"""Series of matches, and the figures drawn from them."""

import json
from typing import Any

import pytest

import foxden
from foxden.arena.intervals import win_share
from foxden.arena.series import Series, matches_of, play_series
from foxden.bots import find_bot
from foxden.engine.kernel import to_known

# Where each game keeps who takes the first turn, once dealt.
STARTERS = {
    "happy-fox": lambda known: known.starter,
    "fox-and-squirrels": lambda known: (known.dealer + 1) % known.seats,
    "foxy-and-woolly": lambda known: known.starter,
    "fox-grove": lambda known: known.first,
    "slyest-fox": lambda known: known.starter,
}


def series(bots: str, **changes: Any) -> Series:
    given = {"seats": 3, "matches": 6, "seed": 1, "luck": 2, **changes}
    return play_series(
        foxden.game("happy-fox"), [find_bot(name) for name in bots.split(",")], **given
    )


def test_bots_change_seats_and_matches_differ() -> None:
    game = foxden.game("happy-fox")
    bots = [find_bot("greedy"), find_bot("random"), find_bot("random")]
    played = list(matches_of(game, bots, seats=3, matches=6, seed=1, luck=2))
    assert [one.seating for one in played[:3]] == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert len({one.match.seed for one in played}) == 6
    assert played[1].match.names == ("random", "random", "greedy")


def test_fewer_bots_than_seats_share_them_evenly() -> None:
    found = series("greedy,random", seats=4, matches=20)
    assert [line.places for line in found.bots] == [40, 40]
    assert [line.places for line in found.by_turn] == [20] * 4
    with pytest.raises(foxden.FoxdenError, match="3 bots cannot share 2 seats"):
        series("greedy,random,random", seats=2)


def test_seed_and_luck_give_the_same_series() -> None:
    assert series("random") == series("random")
    assert series("random") != series("random", luck=3)
    assert series("random", seed=None).seed != series("random", seed=None).seed


def test_a_result_holds_all_that_repeats_it() -> None:
    given = {"unknown_four": "yes"}
    found = series("greedy,random", seats=2, options=given, parts={"dogs": 6}, seed=None, luck=None)
    told = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert told["options"]["unknown_four"] is True
    assert told["parts"] == {"dogs": 6}
    assert told["rules"] == foxden.game("happy-fox").rules_version
    assert told["foxden"]
    again = play_series(
        foxden.game(told["game"]),
        [find_bot(line["name"]) for line in told["bots"]],
        seats=told["seats"],
        matches=told["matches"],
        seed=int(told["seed"]),
        luck=int(told["luck"]),
        options=told["options"],
        parts=told["parts"],
    )
    assert again == found


def test_wins_add_up_to_the_matches() -> None:
    found = series("random,random,random", matches=40)
    for lines in (found.bots, found.by_turn):
        assert sum(line.wins.value * line.places for line in lines) == pytest.approx(40)


@pytest.mark.parametrize("name", STARTERS)
def test_whoever_is_asked_first_has_the_first_turn(name: str) -> None:
    """The places of a result are counted from the seat that is asked first."""
    game = foxden.game(name)
    for seats in (game.seats[0], game.about.usual):
        first = set()
        for seed in range(20):
            match = foxden.new(name, seats=seats, seed=seed)
            assert match.to_act == STARTERS[name](to_known(match.wiped(0), 0))
            first.add(match.to_act)
        assert len(first) > 1  # it is drawn, so a seat says nothing


def test_places_are_counted_from_whoever_starts() -> None:
    game = foxden.game("happy-fox")
    bots = [find_bot("greedy")]
    found = series("greedy", matches=12)
    won, scored = [0.0] * 3, [0] * 3
    for match, _, starter in matches_of(game, bots, seats=3, matches=12, seed=1, luck=2):
        assert starter == foxden.new("happy-fox", seats=3, seed=match.seed).to_act
        for turn in range(3):
            seat = (starter + turn) % 3
            won[turn] += 1 / len(match.winners) if seat in match.winners else 0
            scored[turn] += match.scores[seat]
    assert [line.name for line in found.by_turn] == ["1st", "2nd", "3rd"]
    assert [line.wins.value * 12 for line in found.by_turn] == pytest.approx(won)
    assert [line.score.value * 12 for line in found.by_turn] == pytest.approx(scored)


def test_the_seats_of_one_match_are_one_piece_of_evidence() -> None:
    """Two seats of one bot share one win: they know as much as 12 matches tell, not 24."""
    first = series("greedy,random", matches=12).bots[0]
    assert first.places == 24
    together = win_share(first.wins.value * 24, 12)
    assert (2 * first.wins.low, 2 * first.wins.high) == pytest.approx((together.low, together.high))


def test_a_bot_that_holds_every_seat_has_no_interval() -> None:
    alone = series("random", matches=12).bots[0]
    assert alone.places == 36
    assert alone.wins.value == pytest.approx(1 / 3)
    assert not alone.wins.is_bounded
    told = json.loads(json.dumps(series("random").to_json(), allow_nan=False))
    assert told["bots"][0]["wins"]["low"] is None


def test_one_match_bounds_no_score() -> None:
    found = series("greedy,random", matches=1)
    told = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert told["bots"][0]["score"]["low"] is None
    assert "no interval" in str(found.length)
    assert found.by_turn[0].wins.high - found.by_turn[0].wins.low > 0
