"""No bot can find out the deal from what it is handed."""

import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import foxden
from foxden.arena import ladder
from foxden.arena.chance import deal_seed, dice_seed
from foxden.arena.ladder import climb
from foxden.arena.series import play_series
from foxden.arena.tournament import BadTournament, Plan, chance_of, run
from foxden.bots import Bot, Position
from foxden.cli.session import Session
from foxden.engine.kernel import to_known
from foxden.engine.rng import SEED_BITS, derive_seed

GAME = foxden.game("happy-fox")
DEALS = 3
SMALL = range(12)  # the seeds that people choose
GIVEN: list[dict[str, Any]] = [{}, *({"seed": seed} for seed in (0, 1, 7))]


class Spy:
    """A bot that plays anything, and looks for the deal in what it is handed."""

    name = "spy"

    def __init__(self, name: str = "spy") -> None:
        self.name = name
        self.handed: list[int] = []
        self.saw: list[Any] = []

    def choose(self, position: Position) -> foxden.Action:
        self.handed.append(position.seed)
        self.saw.append(to_known(position.wiped, 0).hand[position.seat])
        return position.legal[0]


def guesses(roots: Any) -> Iterator[int]:
    """Yields every number that a bot could be handed if its dice came from one of these roots."""
    for root, deal, rotation in itertools.product(roots, range(DEALS), range(2)):
        for number in {
            root,
            derive_seed(root, deal),
            derive_seed(derive_seed(root, deal), rotation),
            deal_seed(root, deal),
            derive_seed(deal_seed(root, deal), rotation),
            dice_seed(root, deal, rotation),
        }:
            yield number
            yield from (derive_seed(number, ply) for ply in range(300))


def found_out(spies: list[Spy], *roots: int) -> int:
    """Counts the decisions in which a spy could name the run's seed."""
    handed = [number for spy in spies for number in spy.handed]
    assert len(handed) > 50
    known = set(guesses([*SMALL, *roots]))
    return sum(number in known for number in handed)


@pytest.mark.parametrize("given", GIVEN)
def test_a_series_tells_no_bot_its_seed(given: dict[str, Any]) -> None:
    spies = [Spy(), Spy()]
    found = play_series(GAME, spies, seats=2, matches=DEALS, **given)
    assert found_out(spies, found.seed) == 0


@pytest.mark.parametrize("given", GIVEN)
def test_a_tournament_tells_no_bot_its_seed(given: dict[str, Any]) -> None:
    spies = [Spy("left"), Spy("right")]
    plan = Plan(game=GAME.name, bots=("left", "right"), seats=2, deals=DEALS, **given)
    run(GAME, spies, plan)
    assert found_out(spies, plan.seed) == 0


@pytest.mark.parametrize("given", GIVEN)
def test_a_ladder_tells_no_bot_its_seed(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    spies: list[Spy] = []

    def measured(name: str) -> Bot:
        spies.append(Spy(name))
        return spies[-1]

    monkeypatch.setattr(ladder, "PAIRS", (("random", "greedy"),))
    monkeypatch.setattr(ladder, "measured", measured)
    (rung,) = climb(GAME, seats=2, matches=2 * DEALS, **given).values()
    assert found_out(spies, rung.seed) == 0


def test_a_match_in_the_terminal_tells_no_bot_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda *prompt: "1")
    spy, console = Spy(), Console(file=io.StringIO())
    for seed in (1, 7):
        Session(foxden.new("happy-fox", seats=4, seed=seed), 0, spy, console).run()
    assert found_out([spy]) == 0


def test_the_attack_finds_dice_that_come_from_the_seed() -> None:
    """The attack is worth something: luck that is the seed itself is found in every decision."""
    spies = [Spy(), Spy()]
    play_series(GAME, spies, seats=2, matches=DEALS, seed=7, luck=7)
    assert found_out(spies) == len(spies[0].handed) + len(spies[1].handed)


def test_a_seed_that_nobody_chose_cannot_be_found_by_dealing() -> None:
    """Cards can be compared with those of guessed seeds; a drawn seed has too many."""

    def first_hand(root: int) -> Any:
        match = foxden.new("fox-grove", seats=2, seed=deal_seed(root, 0))
        assert match.to_act is not None
        return to_known(match.wiped(match.to_act), 0).hand[match.to_act]

    spy, game = Spy(), foxden.game("fox-grove")
    play_series(game, [spy], seats=2, matches=1, seed=7)
    assert first_hand(7) == spy.saw[0]  # so the attack is worth something
    spy = Spy()
    found = play_series(game, [spy], seats=2, matches=1)
    assert not any(first_hand(root) == spy.saw[0] for root in SMALL)
    assert found.seed >> 64
    assert found.luck >> 64


def test_a_root_tells_nothing_of_another() -> None:
    numbers = [dice_seed(1, 0), dice_seed(1, 0, 1), dice_seed(1, 1), dice_seed(2, 0)]
    numbers += [deal_seed(1, 0), deal_seed(1, 1), deal_seed(2, 0)]
    assert len(set(numbers)) == len(numbers)
    assert all(0 <= number < 1 << SEED_BITS for number in numbers)


def test_a_journal_keeps_the_chance_of_its_run(tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    plan = Plan(game=GAME.name, bots=("left", "right"), seats=2, deals=1)
    run(GAME, [Spy("left"), Spy("right")], plan, journal=file)
    assert chance_of(file) == (plan.seed, plan.luck)
    assert chance_of(file, seed=5) == (5, plan.luck)
    with pytest.raises(foxden.BadSeed):
        chance_of(None, seed=-1)
    file.write_text('{"plan": "0123"}\n')
    with pytest.raises(BadTournament, match="older"):
        chance_of(file)
