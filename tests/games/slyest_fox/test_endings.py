"""The golden records of The Slyest Fox show what they say."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import foxden
from tests.games.positions import truth
from tests.games.slyest_fox.test_rules import TEN_STEPS

FOLDER = Path(__file__).parents[2] / "records" / "slyest-fox"
ANSWER, SHUT, HELP = 6, 4, 5


def golden(name: str) -> foxden.Match:
    """Replays a golden record."""
    return foxden.Match.from_record((FOLDER / f"{name}.record").read_text())


def moments(match: foxden.Match) -> Iterator[tuple[Any, str, Any]]:
    """Returns the truth before each action, the action, and the truth after it."""
    twin = match.at(0)
    before = truth(twin)
    for action in match.played:
        twin.play(action)
        after = truth(twin)
        yield before, str(action), after
        before = after


def test_the_ten_steps_are_those_of_the_example() -> None:
    match = golden("ten-steps")
    steps = [step.partition(": ")[2] for step in TEN_STEPS]
    assert [str(action) for action in match.played[11:]] == steps
    attack = list(moments(match))[11:]
    assert [before.to_act for before, _, _ in attack] == [int(step[0]) for step in TEN_STEPS]
    last = attack[-1][0]
    assert (last.attacks, last.defences) == (5, 4)
    assert match.scores == (3, 2, 3)
    assert [place["character"] for place in match.view(None)["table"]["seats"]] == [
        "gossip fox",
        "inventive fox",
        None,
    ]


def test_the_last_survivor_wins() -> None:
    match = golden("last-survivor")
    assert [lives > 0 for lives in match.scores].count(True) == 1
    assert match.scores[match.winners[0]] > 0
    assert any(action.startswith("weasel") for _, action, _ in moments(match))


def hands_at_elimination(match: foxden.Match) -> list[tuple[int, int]]:
    """Lists for every elimination the victim's cards before and after it."""
    return [
        (before.size[before.attacked], after.size[before.attacked])
        for before, _, after in moments(match)
        if after.alive < before.alive and before.attacked >= 0
    ]


def test_a_hand_without_weasel_is_laid_down_and_two_seats_go_on() -> None:
    match = golden("hand-laid-down")
    hands = hands_at_elimination(match)
    assert any(before > 0 for before, _ in hands)
    assert all(after == 0 for _, after in hands)
    assert any(action.startswith("discard") for _, action, _ in moments(match))


def test_a_kept_hand_interferes() -> None:
    match = golden("hand-kept")
    assert any(after > 0 for _, after in hands_at_elimination(match))
    assert any(
        action.startswith("weasel") and sum(before.marks[before.to_act]) == 3
        for before, action, _ in moments(match)
    )


@pytest.mark.parametrize(
    ("name", "winners", "tied"),
    [
        ("first-victim", 1, False),
        ("first-victim-by-cards", 1, True),
        ("first-victim-together", 2, True),
    ],
)
def test_the_first_victim_ends_the_match(name: str, winners: int, tied: bool) -> None:
    match = golden(name)
    assert match.scores.count(0) == 1
    assert len(match.winners) == winners
    assert (match.scores.count(max(match.scores)) > 1) == tied
    assert all(match.scores[p] == max(match.scores) for p in match.winners)


def test_an_attack_is_stopped() -> None:
    stops = [
        after
        for before, action, after in moments(golden("stopped"))
        if before.phase == ANSWER and action == "pass"
    ]
    assert stops
    assert all(after.attacked == -1 for after in stops)


def test_a_stop_is_undone_interfering_stopped_and_a_sneaky_card_helps() -> None:
    seen = {(before.phase, action) for before, action, _ in moments(golden("stop-undone"))}
    assert {(ANSWER, "play enough"), (SHUT, "play enough")} <= seen
    assert seen & {(HELP, "play sneaky-attack"), (HELP, "play sneaky-defence")}


@pytest.mark.parametrize(("name", "seats"), [("teams", 4), ("teams-of-four", 8)])
def test_a_team_wins_with_an_eliminated_member(name: str, seats: int) -> None:
    match = golden(name)
    roles = truth(match).role
    assert len(match.winners) == seats // 2
    assert len({roles[p] // 2 for p in match.winners}) == 1
    assert any(match.scores[p] == 0 for p in match.winners)
    assert all(match.scores[p] == 0 for p in set(range(seats)) - set(match.winners))


def test_two_seats_stop_and_form_a_deck_again() -> None:
    match = golden("two-seats")
    assert match.seats == 2
    steps = list(moments(match))
    assert any(action == "play stop-it" for _, action, _ in steps)
    drawn = {"draw attack": 0, "draw defence": 1}
    assert any(
        before.deck_size[drawn[action]] == 0 for before, action, _ in steps if action in drawn
    )


def test_two_seats_to_the_first_victim() -> None:
    match = golden("two-seats-first-victim")
    assert match.options["ending"] == "first_victim"
    assert sorted(match.scores)[0] == 0


def test_eight_seats_play_with_the_extension() -> None:
    match = golden("eight-seats")
    assert match.seats == 8
    assert match.scores.count(0) == 7


def test_quiet_turns_end_the_match() -> None:
    tie = golden("quiet-tie")
    assert truth(tie).quiet == 60
    assert tie.winners == (0, 1)
    match = golden("quiet")
    assert truth(match).quiet == 60
    assert len(match.winners) == 1
    assert min(match.scores) > 0


def test_a_match_is_dealt_from_the_keyed_stream() -> None:
    assert golden("keyed-stream").stream == "keyed"


def test_no_record_is_left_unexplained() -> None:
    told = Path(__file__).read_text()
    assert [file.stem for file in FOLDER.glob("*.record") if f'"{file.stem}"' not in told] == []
