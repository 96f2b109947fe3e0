"""What levels gather where all seats play together."""

import pytest

import foxden
from foxden.arena import together
from foxden.arena.chance import Chance, deal_seed, dice_seed
from foxden.arena.series import play_match
from foxden.arena.together import Step, gather, table
from foxden.arena.tournament import BadTournament
from foxden.bots import find_bot
from foxden.bots.ismcts import settings_of
from foxden.bots.levels import levels
from foxden.engine.match import Match

GAME = foxden.game("fox-and-squirrels")
OPTIONS = {"cooperative": True, "foxes": "jokers"}
CHANCE = Chance(seed=5, luck=6)


def steps(matches: int) -> list[Step]:
    return gather(GAME, seats=2, options=OPTIONS, matches=matches, chance=CHANCE)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out the levels that search."""
    monkeypatch.setattr(together, "STEPS", ("random", "level:1", "greedy"))


@pytest.mark.usefixtures("quick")
def test_all_play_the_same_deals_and_gains_are_counted_deal_by_deal() -> None:
    played: list[tuple[int, int]] = []

    def report(index: int, score: int) -> None:
        played.append((index, score))

    found = gather(GAME, seats=3, options=OPTIONS, matches=5, chance=CHANCE, report=report)
    assert [step.bot for step in found] == ["random", "level:1", "greedy"]
    assert {step.matches for step in found} == {5}
    assert [index for index, _ in played] == [*range(5)] * 3
    scores = [score for _, score in played]
    match = Match(GAME, seats=3, seed=deal_seed(CHANCE.seed, 3), options=OPTIONS)
    alone = play_match(match, [find_bot("greedy")] * 3, dice_seed(CHANCE.luck, 3))
    assert alone.scores[0] == scores[10 + 3]
    assert found[0].gain is None
    gain = found[2].gain
    assert gain is not None
    assert gain.value == pytest.approx(sum(scores[10:]) / 5 - sum(scores[5:10]) / 5)
    assert gain.low < gain.value < gain.high
    again = gather(GAME, seats=3, options=OPTIONS, matches=5, chance=CHANCE)
    assert again == found


@pytest.mark.usefixtures("quick")
def test_skill_pays_and_the_table_shows_it() -> None:
    found = steps(30)
    assert found[0].score.value < found[2].score.value
    text = table(GAME, {2: found})
    assert text.splitlines()[0] == "| level | 2 seats |"
    assert text.splitlines()[3].startswith("| 1 Cub | ")
    assert f"| random | {found[0].score.value:.1f} |" in text


def test_a_table_where_seats_play_for_themselves_is_refused() -> None:
    with pytest.raises(BadTournament, match="plays for itself"):
        gather(GAME, seats=2, options={}, matches=1, chance=CHANCE)


def test_the_search_plays_otherwise_where_all_play_together() -> None:
    alone, common = settings_of(GAME), settings_of(GAME, together=True)
    assert (alone.horizon, common.horizon) == (25, 0)
    best = levels(GAME)[-1]
    assert best.measured == 3_000
    assert best.measured_together == 90
    happy = foxden.game("happy-fox")
    assert settings_of(happy) == settings_of(happy, together=True)


@pytest.mark.slow
def test_a_search_gathers_more_than_greedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "STEPS", ("greedy", "level:5"))
    gain = steps(30)[1].gain
    assert gain is not None
    assert gain.low > 0
