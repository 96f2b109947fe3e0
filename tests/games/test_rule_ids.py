"""Every rule id of a guide has a test that names it, and no test names a rule that is not there."""

import re
from pathlib import Path

import pytest

import foxden
from foxden.games import NAMES

HERE = Path(__file__).parent


def ids_in_guide(name: str) -> set[str]:
    return set(re.findall(r"\*\*([A-Z]{2}-E?[0-9]+)\*\*", foxden.game(name).guide))


def ids_in_tests(name: str) -> set[str]:
    folder = HERE / name.replace("-", "_")
    text = "".join(file.read_text() for file in sorted(folder.glob("test_*.py")))
    found = re.findall(r"def test_([A-Z]{2}_E?[0-9]+(?:_and_[A-Z]{2}_E?[0-9]+)*)_", text)
    return {one.replace("_", "-") for ids in found for one in ids.split("_and_")}


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_id_has_a_test(name: str) -> None:
    assert ids_in_guide(name)
    assert sorted(ids_in_guide(name) - ids_in_tests(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_tested_id_is_in_the_guide(name: str) -> None:
    assert sorted(ids_in_tests(name) - ids_in_guide(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_rule_ids_named_in_code_are_in_the_guide(name: str) -> None:
    game = foxden.game(name)
    prefix = sorted(ids_in_guide(name))[0][:3]
    named = set()
    for file in (*game.folder.glob("*.py"), game.folder / "parts.toml"):
        named |= set(re.findall(rf"{prefix}E?[0-9]+", file.read_text()))
    assert sorted(named - ids_in_guide(name)) == []
