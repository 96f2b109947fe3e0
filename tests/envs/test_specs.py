"""Spec sheets say what the code does, and those in docs are up to date."""

import doctest
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import foxden
from foxden.envs.specs import rules_versions, sheet
from foxden.games import NAMES

DOCS = Path(__file__).parents[2] / "docs" / "games"


@pytest.mark.parametrize("name", NAMES)
def test_the_sheet_in_docs_is_fresh(name: str) -> None:
    file = DOCS / f"{name}.md"
    again = f"write it with: foxden spec {name} > docs/games/{name}.md"
    assert file.exists(), again
    assert file.read_text(encoding="utf-8") == sheet(foxden.game(name)), again


def test_docs_have_no_sheet_of_a_game_that_is_gone() -> None:
    assert {file.stem for file in DOCS.glob("*.md")} == set(NAMES)


@pytest.mark.parametrize("name", foxden.games())
def test_every_action_and_every_number_is_on_the_sheet(name: str) -> None:
    game = foxden.game(name)
    lines = sheet(game).splitlines()
    ids: set[int] = set()
    numbers: set[int] = set()
    section = ""
    for line in lines:
        section = line if line.startswith("## ") else section
        first = line.split("|")[1].strip() if line.startswith("|") else ""
        low, _, high = first.partition("–")
        if low.isdigit() and section in ("## Actions", "## Observation"):
            covered = set(range(int(low), int(high or low) + 1))
            kept = ids if section == "## Actions" else numbers
            assert not kept & covered
            kept |= covered
    assert ids == set(range(len(game.labels)))
    assert numbers == set(range(game.tensor_size))


def test_every_version_of_the_rules_is_told(tmp_path: Path) -> None:
    game: Any = SimpleNamespace(title="Fox", folder=tmp_path, rules_version=3)
    file = tmp_path / "versions.toml"
    file.write_text('2 = "Foxes may swim."\n')
    with pytest.raises(foxden.FoxdenError, match="what 3 changed"):
        rules_versions(game)
    file.write_text('2 = "Foxes may swim."\n3 = "Geese may fly."\n')
    newest, *_, oldest = rules_versions(game).splitlines()[4:]
    assert newest == "| 3 | Geese may fly. |"
    assert oldest == "| 1 | The first. |"


def test_the_command_writes_a_sheet() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "foxden", "spec", "happy-fox"],
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == sheet(foxden.game("happy-fox"))
    for says in ("| 4–35 | `turn 1` … `turn 32` |", "| 29–48 | `hand` | 5 × 4 |", "happy_fox_v1"):
        assert says in done.stdout


def test_the_examples_of_the_page_run() -> None:
    page = Path(__file__).parents[2] / "docs" / "research" / "environments.md"
    assert doctest.testfile(str(page), module_relative=False) == (0, 16)
