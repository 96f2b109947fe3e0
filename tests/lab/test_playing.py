"""Pieces of an experiment: what a row says is what happened, whoever plays it and where."""

import itertools
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.arena.chance import deal_seed, dice_seed
from foxden.engine.kernel import new_states
from foxden.engine.match import Match
from foxden.lab import tracing
from foxden.lab.compare import measures_of
from foxden.lab.measures import by_turn, measures, scores, wins
from foxden.lab.players import find_player
from foxden.lab.playing import BotFailed, Piece, Table, play_piece
from foxden.lab.question import BadQuestion, Question, Variant, completed, question_from
from foxden.lab.workers import Journal, gather, local

# Compiling takes long, and one game stands for all in most tests.
OTHERS = [pytest.param(name, marks=pytest.mark.slow) for name in foxden.games()[1:]]


def asked(**changes: Any) -> Question:
    given = {"game": "happy-fox", "seats": 3, "seed": 1, "luck": 2, "deals": 6, **changes}
    return completed(question_from(given))


def replayed(table: Table, deal: int, script: list[int]) -> dict[str, Any]:
    """Counts by hand what a row should say."""
    seed = deal_seed(table.question.chance[0], deal)
    match = Match(table.game, seats=table.seats, seed=seed)
    starter, asked, turns, choices, opened, leads = match.to_act, None, 0, 0, 0, []
    lead: int | None = None
    for action in script:
        turns += match.to_act != asked
        asked = match.to_act
        choices += len(match.legal()) > 1
        opened += len(match.legal())
        match.play(action)
        if match.ply % match.seats == 0:  # once a round
            best = [p for p in range(match.seats) if match.scores[p] == max(match.scores)]
            lead = best[0] if len(best) == 1 else None
        leads.append(lead)
    assert match.is_over
    heads = [one for one in leads if one is not None]
    changes = sum(a != b for a, b in itertools.pairwise(heads))
    settled = len(leads)
    while settled and leads[settled - 1] in match.winners:
        settled -= 1
    return {
        "STARTER": starter,
        "PLIES": len(script),
        "TURNS": turns,
        "CHOICES": choices,
        "OPEN": opened,
        "CHANGES": changes,
        "SETTLED": settled,
        "scores": list(match.scores),
        "won": [int(p in match.winners) for p in range(match.seats)],
        "half": leads[max(len(leads) // 2 - 1, 0)],
        "winners": match.winners,
    }


@pytest.mark.parametrize("game", ["happy-fox", *OTHERS])
def test_a_row_says_what_happened(game: str) -> None:
    question = asked(game=game, bots=["level:1"], deals=3)
    table = Table.of(question, 0)
    rows = play_piece(question, Piece(0, 0, 3))
    for deal in range(3):
        luck = dice_seed(2, deal, 0)
        bots = [find_player("level:1")] * 3
        script = table.play(table.dealt([(deal, 0)]), bots, 0, luck).tolist()
        told = replayed(table, deal, script)
        row = rows[deal]
        for column in ("STARTER", "PLIES", "TURNS", "CHOICES", "OPEN", "CHANGES", "SETTLED"):
            assert row[getattr(tracing, column)] == told[column], column
        at = tracing.SCORE
        assert row[at : at + 3].tolist() == told["scores"]
        assert row[at + 3 : at + 6].tolist() == told["won"]
        led = 0 if told["half"] is None else 1 + (told["half"] in told["winners"])
        assert row[tracing.HALF] == led


def test_bare_play_plays_the_same_matches() -> None:
    table = Table.of(asked(bots=["greedy", "random"]), 0)
    rows = table.rows(0, 4)
    assert len(rows) == 4 * 3  # every player sits everywhere
    assert table.bare(0, 4) == rows[:, tracing.PLIES].sum()


def test_pieces_do_not_depend_on_where_they_are_cut() -> None:
    question = asked(variant=[{"parts": {"dogs": 6}}])
    whole = play_piece(question, Piece(1, 0, 6))
    cut = [play_piece(question, Piece(1, first, 2)) for first in (0, 2, 4)]
    assert np.array_equal(whole, np.concatenate(cut))


def test_equal_variants_play_equal_matches() -> None:
    question = asked(bots=["random"], variant=[{"name": "same", "parts": {"dogs": 4}}])
    assert np.array_equal(
        play_piece(question, Piece(0, 0, 5)), play_piece(question, Piece(1, 0, 5))
    )
    other = asked(bots=["random"], luck=3)
    assert not np.array_equal(
        play_piece(question, Piece(0, 0, 5)), play_piece(other, Piece(0, 0, 5))
    )


@pytest.mark.parametrize("bots", [["greedy"], ["level:1", "random"]])
def test_any_number_of_workers_gives_the_same_rows(bots: list[str]) -> None:
    question = asked(bots=bots, deals=130 if bots == ["greedy"] else 9)
    alone = gather(question, workers=local(question, 1))
    with local(question, 2) as two:
        assert two.threads == (bots == ["greedy"])
        both = gather(question, workers=two)
    assert all(np.array_equal(a, b) for a, b in zip(alone, both, strict=True))
    assert alone[0][-1, tracing.DEAL] == question.most_deals - 1


def test_a_journal_goes_on_and_can_be_put_together(tmp_path: Path) -> None:
    question, long = asked(deals=64), asked(deals=192)
    expected = gather(long, workers=local(long, 1))
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    gather(question, workers=local(question, 1), journal=first)
    kept = Journal(second, long)
    kept.add(Piece(0, 128, 64), play_piece(long, Piece(0, 128, 64)))
    both = tmp_path / "both.jsonl"
    both.write_text(first.read_text() + second.read_text() + '{"piece": [0, 64')  # killed here
    told: list[int] = []
    found = gather(
        long,
        workers=local(long, 1),
        journal=both,
        report=lambda done, of: told.append(done),
    )
    assert np.array_equal(found[0], expected[0])
    assert told[0] == 128  # what was there was not played again
    assert len(Journal(both, long).done) == 3
    with pytest.raises(BadQuestion, match="another question"):
        gather(asked(luck=9), journal=both)
    both.write_text("no journal\n")
    with pytest.raises(BadQuestion, match="not a journal"):
        gather(long, journal=both)


def test_one_player_can_have_options_of_its_own() -> None:
    one = {"players": {"1": {"owl_one": "draw_two"}}}
    question = asked(game="fox-grove", variant=[one], deals=4)
    table = Table.of(question, 1)
    numbers = [(deal, rotation) for deal in range(2) for rotation in range(3)]
    usual = Table.of(question, 0).dealt(numbers)
    dealt = table.dealt(numbers)
    for m, (_, rotation) in enumerate(numbers):
        other = [p for p in range(3) if dealt["owls"][m][p] != usual["owls"][m][p]]
        assert other == [rotation]  # the first player sits one seat on in each rotation
    same = [name for name in dealt.dtype.names if name not in ("owls", "awake")]
    assert all(np.array_equal(dealt[name], usual[name]) for name in same)


def test_an_option_that_changes_the_table_is_nobodys_own() -> None:
    one = {"players": {"1": {"foxes": "jokers"}}}
    question = asked(game="fox-and-squirrels", variant=[one])
    with pytest.raises(BadQuestion, match="cannot be one player's own"):
        Table.of(question, 1).dealt([(0, 0)])


def test_a_bot_of_ones_own_plays_and_its_faults_are_told(tmp_path: Path) -> None:
    file = tmp_path / "mybots.py"
    file.write_text(
        "class First:\n    name = 'first'\n    def choose(self, position):\n"
        "        return position.legal[0]\n"
        "class Cheat(First):\n    name = 'cheat'\n    def choose(self, position):\n"
        "        return 'nonsense'\n"
        "class Broken(First):\n    name = 'broken'\n    def choose(self, position):\n"
        "        raise RuntimeError('no idea')\n"
        "nothing = 3\n"
    )
    question = asked(bots=[f"{file}:First", "greedy"], deals=2)
    assert len(gather(question, workers=local(question, 1))[0]) == 6
    with pytest.raises(BotFailed, match="broken raised RuntimeError: no idea"):
        play_piece(asked(bots=[f"{file}:Broken"]), Piece(0, 0, 1))
    with pytest.raises(foxden.FoxdenError, match="nonsense"):
        play_piece(asked(bots=[f"{file}:Cheat"]), Piece(0, 0, 1))
    for bad in (f"{file}:Missing", f"{file}:nothing", f"{tmp_path}/none.py:First"):
        with pytest.raises(foxden.UnknownBot):
            asked(bots=[bad])


def test_turn_order_goes_by_who_starts() -> None:
    rows = play_piece(asked(deals=40), Piece(0, 0, 40))
    assert len(set(rows[:, tracing.STARTER].tolist())) > 1
    for row, ordered in zip(rows, by_turn(rows, scores(rows)), strict=True):
        seats = [(row[tracing.STARTER] + k) % 3 for k in range(3)]
        assert ordered.tolist() == [row[tracing.SCORE + seat] for seat in seats]
    assert np.allclose(wins(rows).sum(axis=1), 1)


def test_measures_of_a_deal_are_means_of_its_rotations() -> None:
    rows = Table.of(asked(bots=["greedy", "random"]), 0).rows(0, 4)
    for measure in measures(3, players=3):
        by_deal = measure.by_deal(rows, 4)
        values = measure.of(rows).reshape(4, 3)
        for deal in range(4):
            known = values[deal][~np.isnan(values[deal])]
            expected = known.mean() if len(known) else np.nan
            assert by_deal[deal] == pytest.approx(expected, nan_ok=True)
        if measure.is_share:
            known = by_deal[~np.isnan(by_deal)]
            assert ((known >= 0) & (known <= 1)).all(), measure.name


@pytest.mark.slow
def test_tables_that_play_together_have_no_winners_to_count() -> None:
    question = asked(
        game="fox-and-squirrels", options={"cooperative": True}, measure="score", bots=["random"]
    )
    rows = play_piece(question, Piece(0, 0, 2))
    names = [measure.name for measure in measures(3, together=True)]
    assert "first" not in names
    assert all(np.isfinite(measure.of(rows)).all() for measure in measures(3, together=True))


def test_dice_are_not_the_deals() -> None:
    table = Table.of(asked(bots=["random"]), 0)
    one = table.dealt([(0, 0), (0, 1), (1, 0)])
    assert one[0:1].tobytes() == one[1:2].tobytes()
    assert one[0:1].tobytes() != one[2:3].tobytes()
    assert len({tuple(words) for words in table.dice([(0, 0), (0, 1), (1, 0)]).tolist()}) == 3


def test_how_seats_end_can_be_asked_about() -> None:
    question = asked(measure="won@7", deals=8)
    table = Table.of(question, 0)
    (measure,) = [m for m in measures_of(question, [Variant()]) if m.name == "won@7"]
    found = measure.of(table.rows(0, 8)).tolist()
    states = table.dealt([(deal, 0) for deal in range(8)])
    numbers = [(deal, 0) for deal in range(8)]
    wiped, dice = new_states(table.game.state, 1), new_states(table.game.state, 1)
    out = np.zeros(table.game.actions, np.int64)
    tracing.play_bare(states, wiped, table.kinds(numbers), table.dice(numbers), dice, out, 8)
    assert found == (states["won"][:, :3].max(axis=(2, 3)) >= 7).mean(axis=1).tolist()
    assert 0 < np.mean(found) < 1
    with pytest.raises(BadQuestion, match="no field 'nonsense'"):
        asked(measure="nonsense@3")
    with pytest.raises(BadQuestion, match="no field 'phase'"):
        asked(measure="phase@3")


def die_once(mark: Path, piece: Piece) -> Any:
    """Does a piece of work; the process that has the second is killed the first time."""
    if piece.first == 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return np.array([[piece.first]])


def test_work_of_a_killed_process_is_done_again(tmp_path: Path) -> None:
    pieces = [Piece(0, first, 1) for first in range(4)]
    with local(asked(bots=["level:1"]), 2) as workers:
        workers.patience = 0  # or this process would be killed
        found = dict(workers.map(die_once, tmp_path / "killed", pieces))
    assert (tmp_path / "killed").exists()
    assert sorted(found) == pieces
    assert all(rows[0, 0] == piece.first for piece, rows in found.items())
