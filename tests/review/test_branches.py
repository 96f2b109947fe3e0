"""Branches: another way on from a position, with the seat's own knowledge or with the truth."""

import copy
import pickle

import pytest

import foxden
from foxden.bots import GreedyBot, ask
from foxden.engine.kernel import bytes_of
from foxden.engine.match import Match
from foxden.review.branches import Branch, NoBranch


def played(seed: int = 3) -> Match:
    match = foxden.new("happy-fox", seats=3, seed=seed)
    while not match.is_over:
        match.play(ask(GreedyBot(), match, seed=1))
    return match


def test_a_branch_keeps_what_the_seat_knew_and_deals_the_rest_anew() -> None:
    source = played().at(10)
    for seat in range(3):
        worlds = [Branch(source, seat, world) for world in range(6)]
        for branch in worlds:
            assert branch.known(seat) == source.known(seat)
            assert branch.view(seat)["table"] == source.view(seat)["table"]
            assert (branch.ply, branch.to_act) == (0, source.to_act)
        truths = {bytes_of(branch.truth(), 0) for branch in worlds}
        assert len(truths) > 3
        again = Branch(source, seat, 2)
        assert again.state_bytes() == worlds[2].state_bytes()


def test_an_open_branch_is_the_match_itself() -> None:
    whole = played()
    source = whole.at(10)
    branch = Branch(source, 0, None)
    assert branch.state_bytes() == source.state_bytes()
    branch.replay([(seat, action.id) for seat, action in whole.moves[10:]])
    assert branch.is_over
    assert branch.scores == whole.scores


def test_a_branch_goes_back_copies_and_pickles() -> None:
    branch = Branch(played().at(10), 1, 7)
    start = branch.state_bytes()
    for _ in range(4):
        branch.play(ask(GreedyBot(), branch, seed=2))
    told = branch.log(1)
    assert [entry["ply"] for entry in told] == [1, 2, 3, 4]
    assert branch.at(0).state_bytes() == start
    assert branch.at(4).state_bytes() == branch.state_bytes()
    twin = copy.copy(branch)
    twin.play(twin.legal()[0])
    assert (branch.ply, twin.ply) == (4, 5)
    assert pickle.loads(pickle.dumps(branch)).state_bytes() == branch.state_bytes()
    branch.undo(4)
    assert branch.state_bytes() == start


def test_its_record_is_that_of_the_match_with_remarks() -> None:
    source = played().at(10)
    branch = Branch(source, 1, 7)
    branch.play(branch.legal()[0])
    text = branch.record()
    assert "# branch of seat 1, world 7" in text
    assert Match.from_record(text).state_bytes() == source.state_bytes()


def test_there_is_nothing_to_play_after_the_end_and_no_branch_of_a_branch() -> None:
    whole = played()
    with pytest.raises(NoBranch, match="over"):
        Branch(whole, 0, 1)
    with pytest.raises(NoBranch, match="begin at its match"):
        Branch(Branch(whole.at(3), 0, 1), 0, 1)
