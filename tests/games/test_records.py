"""Golden records: matches written down once must replay for ever."""

from pathlib import Path

import pytest

import foxden
from foxden.games import NAMES

FOLDER = Path(__file__).parents[1] / "records"
RECORDS = sorted(FOLDER.glob("*/*.record"))


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_golden_records(name: str) -> None:
    assert list((FOLDER / name).glob("*.record"))


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_golden_record_replays_to_the_same_text(file: Path) -> None:
    text = file.read_text()
    lines = text.splitlines(keepends=True)
    told = "".join(line for line in lines if not line.startswith("#"))
    assert lines[1].startswith("# "), "the second line says what the record shows"
    match = foxden.Match.from_record(text)
    assert match.record() == told
    assert match.game.name == file.parent.name
