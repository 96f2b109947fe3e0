"""The pictures in the documentation are there, and show every game."""

import re
from pathlib import Path

import pytest

from foxden import games

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "docs" / "play" / "browser.md")


def pictures(page: Path) -> list[Path]:
    """Lists the pictures that a page shows."""
    found = re.findall(r'!\[[^\]]+\]\(([^)]+)\)|<img [^>]*src="([^"]+)"', page.read_text("utf-8"))
    return [page.parent / (one or other) for one, other in found]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_that_is_shown_is_there(page: Path) -> None:
    shown = pictures(page)
    assert len(shown) >= 3
    assert [picture for picture in shown if not picture.is_file()] == []


def test_every_game_is_shown_on_a_desk_and_on_a_phone() -> None:
    shown = {picture.name for picture in pictures(PAGES[1])}
    assert {f"{game}-{width}.webp" for game in games() for width in (1280, 360)} <= shown


def test_every_picture_is_shown_and_all_are_light() -> None:
    files = sorted((ROOT / "docs" / "screenshots").iterdir())
    shown = {picture.name for page in PAGES for picture in pictures(page)}
    assert [file.name for file in files if file.name not in shown] == []
    assert sum(file.stat().st_size for file in files) < 4_000_000
