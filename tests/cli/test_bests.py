"""Best results survive whatever happens while they are written."""

import json
import os
from pathlib import Path

import pytest

import foxden
from foxden.cli.bests import Bests


def test_only_a_better_result_is_entered(tmp_path: Path) -> None:
    file = tmp_path / "data" / "bests.json"
    assert "the first" in Bests(file).entered("game", "3 seats", 20)
    assert "The best so far (3 seats) is 20" in Bests(file).entered("game", "3 seats", 20)
    assert "the best so far was 20" in Bests(file).entered("game", "3 seats", 21)
    assert "the first" in Bests(file).entered("game", "4 seats", 5)
    assert json.loads(file.read_text()) == {"game": {"3 seats": 21, "4 seats": 5}}


def test_a_crash_while_writing_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bests.json"
    Bests(file).entered("game", "3 seats", 20)

    def crash(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for call in ("fsync", "replace"):
        with monkeypatch.context() as broken:
            broken.setattr(os, call, crash)
            with pytest.raises(foxden.FoxdenError, match="cannot be written: No space left"):
                Bests(file).entered("game", "3 seats", 30)
        assert json.loads(file.read_text()) == {"game": {"3 seats": 20}}
    assert Bests(file).bests == {"game": {"3 seats": 20}}
    assert [entry.name for entry in tmp_path.iterdir()] == ["bests.json"]


@pytest.mark.parametrize("text", ["{", "[]", '{"game": 3}'])
def test_a_broken_file_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bests.json"
    file.write_text(text)
    with pytest.raises(foxden.FoxdenError, match="best results"):
        Bests(file)
    assert file.read_text() == text
