"""The golden records of Fox & Squirrels show the endings that they claim to show."""

from pathlib import Path

import pytest

import foxden
from foxden.engine.kernel import Known
from tests.games.fox_and_squirrels.setting import FOX, SOURCES
from tests.games.positions import truth

FOLDER = Path(__file__).parents[2] / "records" / "fox-and-squirrels"
AUTUMN = 2


def replay(name: str) -> foxden.Match:
    return foxden.Match.from_record((FOLDER / f"{name}.record").read_text())


def round_ends(match: foxden.Match) -> list[tuple[Known, str, Known]]:
    """Lists the state before, the action and the state after each round's last action."""
    ends = []
    walk = match.at(0)
    before = truth(walk)
    for action in match.played:
        walk.play(action)
        after = truth(walk)
        if after.round != before.round or walk.is_over:
            ends.append((before, str(action), after))
        before = after
    assert len(ends) == 3
    return ends


def gained(before: Known, after: Known, source: str) -> int:
    changes = zip(after.earned, before.earned, strict=True)
    return sum(new[SOURCES[source]] - old[SOURCES[source]] for new, old in changes)


def piles(match: foxden.Match) -> list[int]:
    return [truth(match).owner.count(seat) for seat in range(match.seats)]


def tied(match: foxden.Match) -> list[int]:
    return [seat for seat, score in enumerate(match.scores) if score == max(match.scores)]


def test_last_discard_ends_each_round() -> None:
    for season, (before, action, after) in enumerate(round_ends(replay("last-discard"))):
        assert action.startswith("discard")
        assert before.hand_size[before.to_act] == 1
        assert gained(before, after, "bonuses") == (1, 2, 4)[season]
        if season < AUTUMN:
            assert after.dealer == before.to_act


def test_no_card_to_discard_ends_autumn() -> None:
    before, action, after = round_ends(replay("no-card-to-discard"))[AUTUMN]
    assert action.startswith(("set", "run"))
    assert after.hand_size[before.to_act] == 0
    assert gained(before, after, "bonuses") == 4


def test_deck_runs_out_and_autumn_ends_without_a_bonus() -> None:
    before, action, after = round_ends(replay("deck-runs-out"))[AUTUMN]
    assert action.startswith("discard")
    assert (before.reforms, before.deck_size) == (3, 0)
    assert before.turn < 400
    assert after.hand_size[before.to_act] > 0
    assert gained(before, after, "bonuses") == 0


def test_deck_runs_out_on_a_fox() -> None:
    before, action, after = round_ends(replay("deck-runs-out-on-a-fox"))[AUTUMN]
    assert action == "draw"
    assert (before.reforms, before.deck_size) == (3, 1)
    assert after.discard[after.discard_size - 1] == FOX
    assert gained(before, after, "bonuses") == 0


@pytest.mark.parametrize(
    ("name", "season"), [("four-hundred-turns", 0), ("four-hundred-turns-in-autumn", AUTUMN)]
)
def test_four_hundred_turns_end_a_round(name: str, season: int) -> None:
    before, _, after = round_ends(replay(name))[season]
    assert before.turn == 400
    assert before.reforms < 3
    assert after.hand_size[before.to_act] > 0
    assert gained(before, after, "bonuses") == 0
    assert after.dealer == before.dealer


def test_a_tie_is_won_together_whatever_the_piles() -> None:
    match = replay("tie")
    assert len(tied(match)) == 2
    assert match.winners == tuple(tied(match))
    assert len({piles(match)[seat] for seat in match.winners}) == 2


def test_a_tie_is_broken_by_piles() -> None:
    match = replay("tie-broken")
    one, other = tied(match)
    winner = one if piles(match)[one] > piles(match)[other] else other
    assert match.winners == (winner,)
    # The same match without the house rule.
    assert replay("tie").played == match.played


def test_a_tie_with_equal_piles_is_won_together() -> None:
    match = replay("tie-not-broken")
    one, other = tied(match)
    assert match.options["tie_break"]
    assert piles(match)[one] == piles(match)[other]
    assert match.winners == (one, other)


def test_a_cooperative_match_has_no_winners_but_a_heap() -> None:
    match = replay("cooperative")
    assert match.winners == ()
    heap = sum(sum(sources) for sources in truth(match).earned)
    assert match.scores == (heap,) * 4
    assert any(sources[SOURCES["foxes"]] < 0 for sources in truth(match).earned)


def test_dares_are_asked_and_foxes_hidden_again() -> None:
    match = replay("dares")
    assert len(match.options["dares"]) == 3
    for _, _, after in round_ends(match)[:AUTUMN]:
        assert sum(after.hid) > 0
    told = " ".join(line for entry in match.log(None) for line in entry["says"])
    assert all(f": {dare}" in told for dare in match.options["dares"])
    assert all(sources[SOURCES["foxes"]] == 0 for sources in truth(match).earned)


def test_random_play_uses_every_kind_of_action() -> None:
    match = replay("random-play")
    kinds = {str(action).split()[0] for action in match.played}
    assert kinds == {"draw", "take", "plan", "set", "run", "claim", "discard"}
    assert max(before.reforms for before, _, _ in round_ends(match)) >= 2
