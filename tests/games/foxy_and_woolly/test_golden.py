"""Each golden record shows what it says it shows."""

from collections.abc import Iterator
from pathlib import Path

import foxden
from foxden.engine.kernel import Known
from tests.games.foxy_and_woolly.board import NAME
from tests.games.positions import truth

FOLDER = Path(__file__).parents[2] / "records" / NAME
GUN, LOSS, ORDER, ATTACK = 2, 3, 4, 5


def recorded(name: str) -> foxden.Match:
    return foxden.Match.from_record((FOLDER / f"{name}.record").read_text())


def decisions(match: foxden.Match) -> Iterator[tuple[Known, str, Known]]:
    """Returns every decision: the state before, the move, the state after."""
    twin = match.at(0)
    for action in match.played:
        before = truth(twin)
        twin.play(action)
        yield before, str(action), truth(twin)


def told(match: foxden.Match) -> str:
    return " ".join(" ".join(entry["says"]) for entry in match.log(None))


def best(match: foxden.Match) -> list[int]:
    return [p for p in range(match.seats) if match.scores[p] == max(match.scores)]


def alive(match: foxden.Match, seat: int) -> int:
    surviving: int = match.view(None)["table"]["result"][seat]["surviving"]
    return surviving


def test_a_special_goes_for_nothing() -> None:
    match = recorded("zero-bid")
    assert "for nothing" in told(match)
    free = [
        before
        for before, _, after in decisions(match)
        if before.phase == 1 and before.high == 0 and after.at > before.at
    ]
    assert free
    assert all(sum(before.cubes) + before.field == 18 for before in free)


def test_a_steal_takes_nothing_from_an_empty_field() -> None:
    match = recorded("steal-on-an-empty-field")
    [(before, after)] = [(b, a) for b, move, a in decisions(match) if move == "steal"]
    assert before.field == 0
    assert after.to_act != before.to_act
    assert after.cubes[before.to_act] == before.cubes[before.to_act]


def test_a_gun_turns_a_wolf_below_slot_1() -> None:
    match = recorded("gun-below-one")
    shots = [(b, a) for b, move, a in decisions(match) if move == "fire" and b.target < 3]
    assert shots
    for before, after in shots:
        assert after.sheep[before.to_act] == before.sheep[before.to_act]


def test_one_seat_has_three_row_wolves() -> None:
    steps = list(decisions(recorded("three-row-wolves")))
    first = next(before for before, _, _ in steps if before.phase == ORDER)
    assert first.row_wolves[first.to_act] == [1, 1, 1]
    assert any(before.phase == ATTACK and move.startswith("move") for before, move, _ in steps)


def test_row_wolves_attack_several_seats() -> None:
    match = recorded("row-wolves-at-several-seats")
    last = [before for before, _, _ in decisions(match)][-1]
    before_end = next(b for b, _, a in decisions(match) if a.at == 18)
    owners = {p for p in range(4) if any(before_end.row_wolves[p])}
    assert len(owners) > 1
    assert last.at >= 17
    assert any(before.phase == ORDER for before, _, _ in decisions(match))


def test_a_sheep_steps_aside_and_a_wolf_is_taken_unasked() -> None:
    match = recorded("saved-by-a-move")
    assert "must take" in told(match)
    saved = [
        (b, a) for b, move, a in decisions(match) if b.phase == LOSS and move.startswith("move")
    ]
    assert any(b.sheep[b.to_act].bit_count() == a.sheep[b.to_act].bit_count() for b, a in saved)


def test_unused_tokens_move_sheep_in_the_count() -> None:
    result = recorded("moved-for-the-count").view(None)["table"]["result"]
    assert max(len(count["moves"]) for count in result) >= 2


def test_a_tie_is_broken_by_sheep() -> None:
    match = recorded("tie-broken-by-sheep")
    assert len(best(match)) == 2
    assert len(match.winners) == 1
    winner = match.winners[0]
    assert all(alive(match, winner) > alive(match, p) for p in best(match) if p != winner)


def test_two_seats_win_together() -> None:
    for name, winners in (("shared-win", (0, 1)), ("shared-win-of-four", (1, 3))):
        match = recorded(name)
        assert match.winners == winners
        assert len({(match.scores[p], alive(match, p)) for p in winners}) == 1
        assert "together" in told(match)


def test_another_box_is_played_by_its_own_numbers() -> None:
    match = recorded("another-box")
    table = match.view(None)["table"]
    assert table["farm"]["rows"]["top"] == [1, 2, 3]
    assert table["farm"]["wolf_side"] == "left"
    assert table["line"].count("wolf top") == 2
    assert table["values"]["trio"]["points"] == 14
