"""Tables are read by their shapes as in the browser."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from foxden.terminal.shapes import heading, lay_out

CASES = Path(__file__).parents[2] / "web" / "src" / "kit" / "shapes.json"


@pytest.mark.parametrize(
    "case", json.loads(CASES.read_text(encoding="utf-8")), ids=lambda case: str(case["name"])
)
def test_a_table_is_read_as_in_the_browser(case: dict[str, Any]) -> None:
    layout = lay_out(case["table"], case["seats"])
    assert json.loads(msgspec.json.encode(layout)) == case["layout"]


def test_headings_are_plain_words() -> None:
    assert [heading(name) for name in ("hand_size", "left-right", "")] == [
        "Hand size",
        "Left-right",
        "",
    ]
