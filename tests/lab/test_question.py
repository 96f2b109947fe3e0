"""Questions: from flags, from files, from Python, and refused with their place."""

from pathlib import Path
from typing import Any

import pytest

import foxden
from foxden.lab.question import (
    BadQuestion,
    Question,
    Variant,
    base_of,
    completed,
    question_from,
    read_question,
    setup_of,
    to_command,
    to_toml,
    values_of,
    variant_from,
    variants_of,
)

HAPPY = foxden.game("happy-fox")


def asked(**changes: Any) -> Question:
    return completed(question_from({"game": "happy-fox", "seed": 1, "luck": 2, **changes}))


def test_a_question_is_completed_and_written_so_that_it_is_read_again(tmp_path: Path) -> None:
    variant = {"name": "six dogs", "parts": {"dogs": 6}, "options": {"unknown_four": True}}
    question = asked(variant=[variant], until=0.01, seats=3, options={"unknown_four": "yes"})
    file = tmp_path / "question.toml"
    file.write_text(to_toml(question), encoding="utf-8")
    assert completed(read_question(file)) == question
    assert question.seats == 3
    drawn = completed(Question(game="happy-fox"))
    assert drawn.seed is not None
    assert drawn.chance != completed(Question(game="happy-fox")).chance


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("sweep", {"sweep": {"dogs": "3..5"}}),
        ("sweep", {"sweep": {"dogs": "3..5", "geese": [14, 15]}}),
        ("skill", {"bots": ["random", "greedy", "level:2"], "seats": 2}),
        ("components", {"strong": "search:20", "positions": 5}),
        ("balance", {"target": {"first": [0.4, 0.6]}, "vary": {"dogs": "3..5"}}),
    ],
)
def test_every_kind_is_read_again_from_its_file(kind: str, more: Any, tmp_path: Path) -> None:
    question = asked(kind=kind, **more)
    (tmp_path / "question.toml").write_text(to_toml(question), encoding="utf-8")
    assert completed(read_question(tmp_path / "question.toml")) == question
    assert to_command(question).startswith(f"foxden lab {kind} happy-fox")


def test_variants_by_name_are_options_parts_seats_and_players() -> None:
    grove = foxden.game("fox-grove")
    found = variant_from(grove, "pro=yes 'tree.a.cost[7]=\"5W\"' seats=3 2:owl_one=draw_two")
    assert found.options == {"pro": "yes"}
    assert found.parts == {"tree.a.cost[7]": "5W"}
    assert found.seats == 3
    assert found.players == {"2": {"owl_one": "draw_two"}}
    own = variant_from(HAPPY, "bots=greedy,random dogs=5")
    assert own.bots == ["greedy", "random"]
    assert own.parts == {"dogs": 5}


def test_values_of_an_axis() -> None:
    assert values_of("dogs", "3..6") == [3, 4, 5, 6]
    assert values_of("dogs", "3..9:3") == [3, 6, 9]
    assert values_of("cost", '"5W","6W"') == ["5W", "6W"]
    assert values_of("foxes", "none,jokers") == ["none", "jokers"]
    assert values_of("dogs", [3, 5]) == [3, 5]
    bads: tuple[Any, ...] = ("6..3", "3,3", [])
    for bad in bads:
        with pytest.raises(BadQuestion, match="dogs needs values"):
            values_of("dogs", bad)


def test_the_printed_value_is_the_base_of_a_sweep_where_it_is_in_the_grid() -> None:
    question = asked(kind="sweep", sweep={"dogs": "3..5"})
    assert [one.name for one in variants_of(question)] == ["dogs=3", "dogs=4", "dogs=5"]
    assert base_of(question) == 1
    beside = asked(kind="sweep", sweep={"dogs": [3, 6]})
    assert [one.name for one in variants_of(beside)] == ["as printed", "dogs=3", "dogs=6"]
    assert base_of(beside) == 0


def test_single_entries_can_be_swept() -> None:
    question = completed(
        question_from(
            {
                "game": "fox-grove",
                "kind": "sweep",
                "sweep": {"tree.a.cost[7]": ["4W", "5W"]},
            }
        )
    )
    costs = [setup_of(question, one).parts["tree"]["a"]["cost"] for one in question.variant]
    assert [some[6] for some in costs] == ["4W", "5W"]
    assert costs[0][:6] == costs[1][:6]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"dogs": 3}, "dogs"),
        ({"kind": "guess"}, "kind"),
        ({"bots": []}, "bots"),
        ({"bots": ["greedy", "random", "greedy"], "seats": 2}, "3 bots cannot share 2 seats"),
        ({"bots": ["search:0.1s"]}, "bounded by time"),
        ({"bots": ["search"]}, "bounded by time"),
        ({"deals": 1}, "deals must be 2 or more"),
        ({"until": 0}, "until must be above 0"),
        ({"variant": [{}]}, "changes nothing"),
        ({"variant": [{"parts": {"dogs": 5}}] * 2}, "Two variants are called"),
        ({"variant": [{"players": {"9": {"unknown_four": True}}}], "seats": 2}, "players go from"),
        ({"kind": "sweep", "sweep": {"dogs": "1..3", "geese": "1..3", "foxes": "1..3"}}, "one or"),
    ],
)
def test_what_cannot_be_asked_is_refused(more: Any, said: str) -> None:
    with pytest.raises(foxden.FoxdenError, match=said):
        asked(**more)


def test_what_the_game_refuses_is_refused_before_anything_is_played() -> None:
    with pytest.raises(foxden.BadParts) as parts:
        asked(variant=[{"parts": {"dogs": 99}}])
    assert parts.value.where == "dogs"
    with pytest.raises(foxden.BadOption):
        asked(variant=[{"options": {"colour": 1}}])
    with pytest.raises(BadQuestion, match="cannot be read"):
        read_question(Path("nowhere.toml"))


def test_the_digest_names_what_is_played_not_for_how_long() -> None:
    assert asked(deals=10).digest() == asked(deals=20).digest() == asked(until=0.1).digest()
    assert asked().digest() != asked(luck=3).digest()
    assert asked().digest() != asked(variant=[{"parts": {"dogs": 5}}]).digest()


def test_another_release_asks_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bots play otherwise under the same names, so its journal must not be gone on with."""
    before = asked().digest()
    monkeypatch.setattr("foxden.__version__", "9.9", raising=False)
    assert asked().digest() != before


def test_variants_stand_for_themselves() -> None:
    question = asked(variant=[{"parts": {"dogs": 6}}], parts={"geese": 16})
    assert [one.name for one in variants_of(question)] == ["as given", "dogs=6"]
    assert setup_of(question, question.variant[0]).parts["geese"] == 16
    assert setup_of(question, Variant()).parts["dogs"] == HAPPY.printed["dogs"]
