"""The ladder of levels: repeatable, resumable, and written where people read it."""

from pathlib import Path

import pytest

import foxden
from foxden.arena import ladder
from foxden.arena.ladder import Rung, climb, digest, meet, table, write_between
from foxden.arena.series import Share
from foxden.arena.tournament import BadTournament, Played
from foxden.bots.levels import LevelBot

GAME = foxden.game("happy-fox")


def test_a_clear_pair_is_told_apart_at_two_seats_and_at_four() -> None:
    for seats in (2, 4):
        found = meet(GAME, ("random", "greedy"), seats=seats, matches=240)
        assert found.matches == 240
        assert found.is_clear
        assert found.elo.low <= found.elo.value <= found.elo.high
        again = meet(GAME, ("greedy", "random"), seats=seats, matches=240)
        assert again.elo.value < 0
        assert again.wins.value < 0.5
        assert not again.is_clear


def test_a_ladder_goes_on_with_its_journals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "PAIRS", (("random", "greedy"), ("random", "level:1")))
    first = climb(GAME, seats=2, matches=8, folder=tmp_path)
    fresh: list[Played] = []
    assert climb(GAME, seats=2, matches=8, folder=tmp_path, report=fresh.append) == first
    assert fresh == []
    assert len(list(tmp_path.iterdir())) == 2


def test_another_level_has_another_journal() -> None:
    names = {digest(GAME, ("random", f"level:{number}")) for number in range(1, 6)}
    assert len(names) == 5


def test_the_ladder_bounds_every_level_by_simulations() -> None:
    bot = ladder.measured("level:5")
    assert isinstance(bot, LevelBot)
    assert bot.measured


def test_the_table_names_levels_and_intervals() -> None:
    some = Share(120.4, 80.2, 160.9)
    two = [
        Rung("random", "level:1", 100, some, Share(1.0, 1.0, 1.0)),
        Rung("level:1", "level:2", 100, some, Share(0.666, 0.6, 0.7)),
    ]
    _, _, first, second = table(GAME, two, two).splitlines()
    assert first.startswith("| 1 Cub | ")
    assert "| random | wins all 100 |" in first
    assert second.endswith("| Cub | +120 (+80 to +161) | 67% (60% to 70%) |")


def test_the_table_is_put_between_its_marks(tmp_path: Path) -> None:
    file = tmp_path / "bots.md"
    file.write_text("a\n<!-- levels of x -->\nold\n<!-- end of levels of x -->\nb\n")
    write_between(file, "levels of x", "new")
    assert file.read_text() == "a\n<!-- levels of x -->\nnew\n<!-- end of levels of x -->\nb\n"
    with pytest.raises(BadTournament, match="has no place"):
        write_between(file, "levels of y", "new")


@pytest.mark.parametrize("name", foxden.games())
def test_the_docs_have_a_place_for_every_game(name: str) -> None:
    text = Path("docs/bots.md").read_text(encoding="utf-8")
    assert f"<!-- levels of {name} -->" in text
    assert f"<!-- end of levels of {name} -->" in text
