"""Options and parts: typed, checked, and written so that they are read again."""

from pathlib import Path
from typing import Any

import pytest

import foxden
from foxden.engine.options import Choice, Flag, Number, Option, Texts, check_options
from foxden.engine.parts import changed_parts, part_changes, read_parts

FLAG = Flag("tie_break", "Breaks ties.", ("XX-1",))
CHOICE = Choice("foxes", "Which foxes.", ("XX-2",), {"none": "No fox.", "four": "Four."}, "none")
NUMBER = Number("rounds", "How many.", ("XX-3",), 1, 9, 3)
TEXTS = Texts("dares", "What to do.", ("XX-4",), ("Sing.", "Hop."), 3, 20)


@pytest.mark.parametrize("option", [FLAG, CHOICE, NUMBER, TEXTS])
def test_values_are_written_so_that_they_are_read_again(option: Option) -> None:
    for value in (option.standard, *option.samples()):
        assert option.check(value) == value
        assert option.check(option.text(value)) == value
        assert isinstance(option.code(value), int)


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [(FLAG, "On", True), (FLAG, "0", False), (NUMBER, "7", 7), (TEXTS, '["Dance."]', ("Dance.",))],
)
def test_usual_ways_of_saying_it_are_understood(option: Option, given: Any, value: Any) -> None:
    assert option.check(given) == value


@pytest.mark.parametrize(
    ("option", "given"),
    [
        (FLAG, 1),
        (FLAG, "maybe"),
        (CHOICE, "five"),
        (CHOICE, 1),
        (NUMBER, 0),
        (NUMBER, 10),
        (NUMBER, 2.5),
        (NUMBER, True),
        (NUMBER, "many"),
        (TEXTS, []),
        (TEXTS, ["a", "b", "c", "d"]),
        (TEXTS, ["x" * 21]),
        (TEXTS, ["a\nb"]),
        (TEXTS, "Sing."),
        (TEXTS, [3]),
    ],
)
def test_other_values_are_refused_by_name(option: Option, given: Any) -> None:
    with pytest.raises(foxden.BadOption) as refusal:
        option.check(given)
    assert refusal.value.option == option.name
    assert option.name in str(refusal.value)


def test_options_left_out_have_their_standard() -> None:
    options = check_options([FLAG, CHOICE, NUMBER], {"rounds": 5})
    assert options == {"tie_break": False, "foxes": "none", "rounds": 5}


PRINTED = {"size": 3, "name": "oak", "costs": [1, 2], "house": {"a": {"top": 7}, "b": 1}}


def test_changes_by_table_and_by_path_are_one() -> None:
    nested = changed_parts(PRINTED, {"house": {"a": {"top": 9}}, "costs": [3]})
    dotted = changed_parts(PRINTED, {"house.a.top": 9, "costs": [3]})
    assert nested == dotted
    assert PRINTED["house"] == {"a": {"top": 7}, "b": 1}
    assert dict(part_changes(PRINTED, nested)) == {"costs": [3], "house.a.top": 9}
    both = changed_parts(PRINTED, {"house.a.top": 9, "house.b": 2})
    assert both["house"] == {"a": {"top": 9}, "b": 2}


def test_one_entry_of_a_list_is_changed_by_its_number_from_one() -> None:
    one = changed_parts(PRINTED, {"costs[2]": 5})
    assert one["costs"] == [1, 5]
    assert PRINTED["costs"] == [1, 2]
    assert changed_parts(PRINTED, {"costs[1]": 7, "costs[2]": 5})["costs"] == [7, 5]
    deep = {"house": {"rows": [[1], [2]]}}
    nested = changed_parts(deep, {"house": {"rows[2]": [3]}})
    assert nested == changed_parts(deep, {"house.rows[2]": [3]}) == {"house": {"rows": [[1], [3]]}}


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"colour": 1}, "colour"),
        ({"house.c": 1}, "house.c"),
        ({"house": 3}, "house"),
        ({"size": "big"}, "size"),
        ({"size": True}, "size"),
        ({"size.x": 1}, "size"),
        ({"costs": 4}, "costs"),
        ({"costs[3]": 4}, "costs[3]"),
        ({"costs[0]": 4}, "costs[0]"),
        ({"costs[1]": "4"}, "costs[1]"),
        ({"costs[1].x": 4}, "costs[1]"),
        ({"costs[-1]": 4}, "costs[-1]"),
        ({"size[1]": 4}, "size[1]"),
        ({"house[1]": 4}, "house[1]"),
        ({"house[1].b": 4}, "house[1]"),
        ({"colour[1]": 4}, "colour[1]"),
    ],
)
def test_a_broken_change_is_refused_with_its_place(changes: dict[str, Any], where: str) -> None:
    with pytest.raises(foxden.BadParts) as refusal:
        changed_parts(PRINTED, changes)
    assert refusal.value.where == where


def test_a_broken_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "parts.toml"
    with pytest.raises(foxden.BadParts, match="cannot be read"):
        read_parts(file)
    file.write_text("geese = ")
    with pytest.raises(foxden.BadParts, match="not TOML"):
        read_parts(file)
