"""Golden playthroughs: what each seat sees and is told changes only when somebody means it to."""

from pathlib import Path

import pytest

from tests.games.playthroughs import FOLDER, RECORDS, playthrough

FILES = sorted(RECORDS.glob("*/*.record"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_record_looks_as_it_did(file: Path) -> None:
    golden = FOLDER / file.parent.name / f"{file.stem}.txt"
    assert golden.is_file(), "renew the playthroughs: python -m tests.games.playthroughs"
    now = playthrough(file.read_text())
    assert now == golden.read_text(), "read the difference, then renew the playthroughs"


def test_no_playthrough_is_left_without_its_record() -> None:
    kept = {(file.parent.name, file.stem) for file in FOLDER.glob("*/*.txt")}
    assert kept == {(file.parent.name, file.stem) for file in FILES}
