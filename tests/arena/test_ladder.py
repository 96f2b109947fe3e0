"""The ladder of levels: repeatable, resumable, and written where people read it."""

from pathlib import Path

import pytest

import foxden
from foxden.arena import ladder
from foxden.arena.intervals import Share
from foxden.arena.ladder import Rung, climb, climbed, digest, table, write_between
from foxden.arena.tournament import BadTournament, Played
from foxden.bots.levels import LevelBot
from foxden.games import NAMES

GAME = foxden.game("happy-fox")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the ladder two pairs long."""
    monkeypatch.setattr(ladder, "PAIRS", (("random", "greedy"), ("greedy", "random")))


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("seats", [2, 4])
def test_a_clear_pair_is_told_apart(seats: int) -> None:
    up, down = climb(GAME, seats=seats, matches=240, early=False, seed=1, luck=1).values()
    assert up.matches == down.matches == 240
    assert up.is_clear
    assert not down.is_clear
    assert up.elo.low <= up.elo.value <= up.elo.high
    assert down.elo.value < 0
    assert down.wins.value < 0.5


@pytest.mark.usefixtures("short")
def test_a_ladder_goes_on_with_its_journals(tmp_path: Path) -> None:
    assert climbed(GAME, seats=2, folder=tmp_path) == {}
    first = climb(GAME, seats=2, matches=8, folder=tmp_path)
    fresh: list[Played] = []
    assert climb(GAME, seats=2, matches=8, folder=tmp_path, report=fresh.append) == first
    assert fresh == []
    assert climbed(GAME, seats=2, folder=tmp_path) == first
    for file in tmp_path.iterdir():  # stopped in the middle of a deal
        file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))
    assert {one.matches for one in climbed(GAME, seats=2, folder=tmp_path).values()} == {6}


@pytest.mark.usefixtures("short")
def test_a_pair_is_left_when_it_is_told_apart() -> None:
    up = climb(GAME, seats=2, matches=2000)["random", "greedy"]
    assert up.is_clear
    assert up.matches < 2000


def test_another_level_has_another_journal() -> None:
    names = {digest(GAME, ("random", f"level:{number}")) for number in range(1, 6)}
    assert len(names) == 5


def test_the_ladder_bounds_every_level_by_simulations() -> None:
    bot = ladder.measured("level:5")
    assert isinstance(bot, LevelBot)
    assert bot.measured


def test_the_table_names_levels_and_intervals() -> None:
    some = Share(120.4, 80.2, 160.9)
    sweep = Rung(100, some, Share(1.0, 0.9, 1.0), seed=1, luck=2)
    usual = Rung(64, some, Share(0.666, 0.6, 0.7), seed=1, luck=2)
    two = {("random", "level:1"): sweep, ("level:1", "level:2"): usual}
    _, _, first, second, third, *_ = table(GAME, two, two).splitlines()
    assert first.startswith("| 1 Cub | ")
    assert "| random | all of 100 matches (+80 or more) |" in first
    assert second.endswith("| +120 (+80 to +161), 64 matches | 67% (60% to 70%), 64 matches |")
    assert third.endswith("| Yearling | not measured | not measured |")


def test_the_table_is_put_between_its_marks(tmp_path: Path) -> None:
    file = tmp_path / "bots.md"
    file.write_text("a\n<!-- levels of x -->\nold\n<!-- end of levels of x -->\nb\n")
    write_between(file, "levels of x", "new")
    assert file.read_text() == "a\n<!-- levels of x -->\nnew\n<!-- end of levels of x -->\nb\n"
    with pytest.raises(BadTournament, match="has no place"):
        write_between(file, "levels of y", "new")


@pytest.mark.parametrize("name", NAMES)
def test_the_docs_have_a_place_for_every_game(name: str) -> None:
    text = Path("docs/results/strength.md").read_text(encoding="utf-8")
    assert f"<!-- levels of {name} -->" in text
    assert f"<!-- end of levels of {name} -->" in text
