"""What Foxy & Woolly says: questions, explanations, refusals, the log, and the drawing."""

import io
import json
import random
import re
from typing import Any

import pytest
from rich.console import Console

import foxden
from foxden.games.foxy_and_woolly.terminal import draw
from tests.games.foxy_and_woolly.board import NAME, position, retold
from tests.games.positions import truth


def says(match: foxden.Match, *moves: str, viewer: int | None = None) -> str:
    """Plays the moves and tells the last one."""
    told = ""
    for move in moves:
        told = retold(truth(match), match, move, viewer)
    return told


def test_a_chase_tells_the_field() -> None:
    match = position(2, "wolf 5", field=2)
    assert says(match, "chase") == "Seat 0 pays a cube to chase wolf 5 on; 3 cubes on the field."


def test_a_loss_is_told_with_its_slot_and_the_next_token() -> None:
    match = position(2, "wolf 5", then=["pair", "wolf 1"], field=1)
    assert says(match, "take", viewer=0) == (
        "You take wolf 5 and 1 cube; the sheep in slot 5 is in danger. "
        "You lose the sheep in slot 5. Next on offer: the pair token."
    )


def test_an_empty_slot_is_told() -> None:
    match = position(2, "wolf 5", then=["wolf 1"], sheep={0: [1]})
    assert "slot 5 is empty, so nothing is lost" in says(match, "take")


def test_a_row_wolf_is_told_when_taken_and_when_it_attacks() -> None:
    match = position(2, "wolf top", sheep={0: [7, 8], 1: [1]}, cubes=[0, 0])
    told = says(match, "take", viewer=1)
    assert "Seat 0 takes the top-row wolf; it waits by the top row." in told
    assert "The last token is gone. Now the row wolves attack." in told
    assert "The top-row wolf attacks Seat 0's farm. Seat 0 loses the sheep in slot 8." in told
    assert told.endswith(
        "Seat 0 scores 0 points with 1 sheep alive. You score 0 points with 1 sheep alive. "
        "You and Seat 0 win together."
    )


def test_an_empty_row_is_told() -> None:
    match = position(2, "wolf low", sheep={0: [7]})
    assert "Seat 0 has no sheep in that row, so nothing is lost." in says(match, "take")


def test_an_auction_is_told_with_forced_passes_and_the_price() -> None:
    match = position(3, "gun", then=["wolf 1"], cubes=[4, 9, 2])
    assert says(match, "bid 2") == ("Seat 0 opens with 2 cubes.")  # seat 1 is asked
    assert says(match, "bid 4") == (
        "Seat 1 bids 4 cubes. Seat 2 has 2 cubes and cannot bid more than 4. "
        "Seat 0 has 4 cubes and cannot bid more than 4. Seat 1 takes the gun token for 4 cubes. "
        "Next on offer: wolf 1."
    )


def test_a_free_token_is_told() -> None:
    match = position(2, "gun", then=["wolf 1"])
    assert "Seat 0 takes the gun token for nothing." in says(match, "bid 0", "pass")


def test_shots_are_told() -> None:
    def shot(wolf: str, sheep: list[int]) -> str:
        match = position(2, wolf, then=["wolf 1"], held={0: ["gun"]}, sheep={0: sheep})
        return says(match, "take", "fire")

    assert "wolf 2 runs away, and nothing is lost" in shot("wolf 2", [2])
    assert "wolf 8 turns to slot 5, which is empty, and nothing is lost" in shot("wolf 8", [8])
    told = shot("wolf 8", [8, 5])
    assert "wolf 8 turns to the sheep in slot 5" in told
    assert "Seat 0 loses the sheep in slot 5." in told
    match = position(2, "wolf 8", then=["wolf 1"], held={0: ["gun"]})
    assert says(match, "take", "hold fire").startswith("Seat 0 holds fire. Seat 0 loses the sheep")


def test_a_steal_and_a_move_are_told() -> None:
    match = position(2, "wolf 8", then=["wolf 1"], held={0: ["steal", "falling"]}, sheep={0: [5]})
    assert says(match, "move 5 up-left", viewer=0) == (
        "You move a sheep from slot 5 to slot 7 with the falling token."
    )
    assert says(match, "steal", viewer=0) == "You steal 0 cubes from the field and skip the turn."
    match = position(2, "wolf 5", then=["wolf 1"], held={0: ["falling"]}, sheep={0: [5]})
    assert "with the falling token, and wolf 5 finds nothing." in says(
        match, "take", "move 5 up-left"
    )


def test_moves_of_the_count_and_the_winner_are_told() -> None:
    match = position(2, "wolf 9", sheep={0: [5], 1: [1]}, held={0: ["rising"]})
    told = says(match, "take", viewer=1)
    assert "Seat 0 moves a sheep from slot 5 to slot 9 with the rising token for the count." in told
    assert told.endswith("Seat 0 wins.")
    match = position(2, "wolf 9", sheep={0: [5, 3], 1: [8]}, cubes=[2, 1])
    assert says(match, "take", viewer=0).endswith("You win by the most sheep.")


def test_every_event_of_a_match_is_told_to_everybody() -> None:
    for seed in range(6):
        match = foxden.new(NAME, seats=3, seed=seed, names=["Mia", "Bo", "Cy"])
        dice = random.Random(seed)
        while not match.is_over:
            match.play(dice.choice(match.legal()))
        told = " ".join(" ".join(entry["says"]) for entry in match.log(None))
        lost = told.count("loses the sheep")
        result = match.view(None)["table"]["result"]
        assert lost == 27 - sum(count["surviving"] for count in result)
        assert told.count("takes") + told.count("must take") == 18
        assert told.count("Next on offer") == 17
        mine = " ".join(" ".join(entry["says"]) for entry in match.log(0))
        assert "Mia" not in mine
        assert mine.count("You lose the sheep") == 9 - result[0]["surviving"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_questions_explanations_and_refusals_are_sentences(seats: int) -> None:
    for seed in range(4):
        match = foxden.new(NAME, seats=seats, seed=seed)
        dice = random.Random(seed)
        while not match.is_over:
            seat = match.to_act
            asked, watched = match.question(seat), match.question(None)
            assert re.fullmatch(r"[A-Z].*\.", asked)
            assert watched.startswith(f"Waiting for Seat {seat} to ")
            view = match.view(seat)
            json.dumps(view)
            for choice in view["legal"]:
                assert re.fullmatch(r"[A-Z].*\.", choice["says"])
            for name in view["rules_now"]:
                assert f"**{name}**" in match.game.guide
            open_ids = {choice["id"] for choice in view["legal"]}
            for action in range(match.game.actions):
                if action not in open_ids:
                    reason, rule = match.why_not(action)
                    assert reason[0].islower()
                    assert f"**{rule}**" in match.game.guide
            match.play(dice.choice(match.legal()))
        assert match.question(None) == "The match is over."


def test_a_refused_move_says_which_rule_and_changes_nothing() -> None:
    match = foxden.new(NAME, seats=2, seed=1, names=["Mia", "Bo"])
    before = match.state_bytes()
    for move, rule in (
        ("pass", "FW-9"),
        ("fire", "FW-16"),
        ("stay", "FW-15"),
        ("face mid", "FW-18"),
    ):
        with pytest.raises(foxden.IllegalAction) as refused:
            match.play(move)
        assert refused.value.rule == rule
    assert match.state_bytes() == before


def test_explanations_tell_the_price() -> None:
    match = position(2, "wolf 5", field=3, held={0: ["steal"]})
    told = {str(action): match.explain(action) for action in match.legal()}
    assert told["chase"] == "Pay a cube to chase wolf 5 on; you keep 8 cubes."
    assert told["take"] == "Take wolf 5 and 3 cubes. Your sheep in slot 5 is in danger."
    assert told["steal"].startswith("Use your steal token: take 2 cubes")


def drawn(view: dict[str, Any]) -> list[str]:
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(draw(view))
    return console.export_text().splitlines()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_drawing_fits_80_columns_and_shows_the_table(seats: int) -> None:
    names = ["Mia", "A name of as many as forty letters is ok", "Cy", "Dee"][:seats]
    for seed in range(3):
        match = foxden.new(NAME, seats=seats, seed=seed, names=names)
        dice = random.Random(seed)
        while True:
            view = match.view(dice.choice([None, *range(seats)]))
            lines = drawn(view)
            assert max(map(len, lines)) <= 80
            text = " ".join(" ".join(lines).split())
            assert f"field {view['table']['field']} cube" in text
            for place in view["table"]["seats"]:
                assert f"{place['score']} pts" in text
                assert all(token in text for token in place["tokens"])
            if match.is_over:
                break
            match.play(dice.choice(match.legal()))
        for count in view["table"]["result"]:
            for sheep in count["sheep"]:
                assert str(sheep["slot"]) in text
