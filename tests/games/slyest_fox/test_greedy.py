"""The greedy player of The Slyest Fox: what it does, and that it beats chance."""

from typing import Any

import pytest

import foxden
from foxden.bots import ask, find_bot
from tests.games.positions import rearrange, truth
from tests.games.slyest_fox.board import (
    GOSSIP_FOX,
    INVENTIVE_FOX,
    MASTER_OF_TRAPS,
    OPEN,
    PLAIN,
    SCHEMER,
    play,
    table,
)

TEAMS = [GOSSIP_FOX, MASTER_OF_TRAPS, SCHEMER, INVENTIVE_FOX]


def choice(match: foxden.Match) -> str:
    """Asks the greedy player."""
    return str(ask(find_bot("greedy"), match, seed=1))


def test_it_attacks_whoever_is_closest_to_elimination_by_a_type_it_has() -> None:
    cards = {"gossip": 3, "facts": 3}
    match = table([cards, PLAIN, PLAIN, PLAIN], marks={1: (1, 0), 2: (1, 1), 3: (2, 0)})
    assert choice(match) == "attack 2 with gossip"
    match = table([{"trap": 3, "facts": 3}, PLAIN, PLAIN, PLAIN], marks={3: (2, 0), 2: (1, 0)})
    assert choice(match) == "attack 3 with trap"


def test_it_draws_rather_than_attack_without_a_card_to_follow_up() -> None:
    match = table([{"trap": 1, "facts": 4}, PLAIN, PLAIN])
    assert choice(match) == "draw attack"


def test_it_defends_cheaply_and_spends_more_on_its_last_life() -> None:
    cards = {"universal-defence": 1, "stop-it": 1}
    for marks, move in (((0, 0), "pass"), ((0, 1), "play universal-defence")):
        match = table([PLAIN, cards, PLAIN], marks={1: marks}, extension=True, roles=[1] * 3)
        play(match, "0: attack 1 with gossip")
        assert choice(match) == move
    match = table([PLAIN, {"stop-it": 1}, PLAIN], marks={1: (1, 1)}, extension=True, roles=[1] * 3)
    play(match, "0: attack 1 with gossip")
    assert choice(match) == "play stop-it"


def test_it_protects_itself_and_catches_full_hands() -> None:
    match = table([{"dont-care": 1, "gossip": 1}, PLAIN, {"trap": 10}], phase=OPEN)
    assert choice(match) == "don't care"
    play(match, "0: don't care")
    assert choice(match) == "challenge 2"
    play(match, "0: challenge 2")
    assert choice(match) == "ready"


def test_in_team_play_it_keeps_a_weasel_for_its_own_side() -> None:
    helper = {"weasel": 1, "gossip": 1, "facts": 1}
    # Against its own side's attack: never.
    match = table([PLAIN, PLAIN, helper, {}], roles=TEAMS, teams=True, marks={1: (1, 1)})
    play(match, "0: attack 1 with gossip", "1: pass")
    assert choice(match) == "pass"
    # For its own side's attack the last weasel is too good, unless it takes a last life.
    for marks, move in (((0, 0), "pass"), ((1, 1), "weasel + gossip")):
        match = table([PLAIN, PLAIN, helper, {}], roles=TEAMS, teams=True, marks={1: marks})
        play(match, "0: attack 1 with gossip", "1: play facts", "0: pass")
        assert choice(match) == move
    # It saves the last life of its own side.
    match = table([PLAIN, PLAIN, {}, helper], roles=TEAMS, teams=True, marks={1: (1, 1)})
    play(match, "0: attack 1 with gossip", "1: pass")
    assert choice(match) == "weasel + facts"
    # Two weasels for a card is a trade that only a lone fox makes.
    for teams in (False, True):
        match = table(
            [{"weasel": 2}, PLAIN, PLAIN, PLAIN],
            roles=TEAMS,
            teams=teams,
            phase=OPEN,
            discards={"universal-attack": 1},
        )
        assert choice(match) == ("ready" if teams else "trade weasel for universal-attack")


def test_it_trades_a_type_that_no_rival_has_to_fear() -> None:
    match = table(
        [{"gossip": 2, "facts": 1}, PLAIN, PLAIN],
        phase=OPEN,
        marks={1: (2, 0), 2: (2, 0)},
        discards={"trap": 1, "gossip": 1},
    )
    assert choice(match) == "trade gossip for trap"


@pytest.mark.parametrize(
    ("seats", "options", "fair"),
    [(2, {}, 0.5), (4, {}, 0.25), (4, {"ending": "first_victim"}, 0.25), (4, {"teams": True}, 0.5)],
)
def test_it_beats_random_players(seats: int, options: dict[str, Any], fair: float) -> None:
    greedy, dice = find_bot("greedy"), find_bot("random")
    won = 0.0
    for seed in range(16):
        match = foxden.new("slyest-fox", seats=seats, seed=seed, options=options)
        if options.get("teams"):
            roles = truth(match).role
            mine = [p for p in range(seats) if roles[p] // 2 == seed % 2]
        else:
            mine = [seed % seats]
        while not match.is_over:
            bot = greedy if match.to_act in mine else dice
            match.play(ask(bot, match, seed=seed))
        won += len(set(match.winners) & set(mine)) / len(match.winners)
    assert won / 16 > fair + 0.25


def test_it_answers_stop_it_and_shuts_others_out_of_a_last_life() -> None:
    fox = {"trap": 2, "enough": 1, "gossip": 2}
    match = table([fox, {"stop-it": 1}, PLAIN], extension=True, roles=[0] * 3, marks={1: (1, 1)})
    play(match, "0: attack 1 with trap", "1: play stop-it")
    assert choice(match) == "play enough"
    match = table([fox, PLAIN, PLAIN], extension=True, roles=[0] * 3, marks={1: (1, 1)})
    play(match, "0: attack 1 with trap", "1: pass")
    assert choice(match) == "play enough"
    rearrange(match, lambda known: known.marks.__setitem__(1, [0, 0]))
    assert choice(match) == "pass"
