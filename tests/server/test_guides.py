"""Guides as players read them: sentences, with ids and notes for developers behind small signs."""

import re
from html.parser import HTMLParser

import pytest

import foxden
from foxden.games import NAMES
from foxden.server.guides import guide_of


class Reader(HTMLParser):
    """Reads what stands on the page before anything is unfolded."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.folded = 0
        self.signs: list[dict[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.folded += tag == "details"
        if tag in ("a", "abbr", "span"):
            self.signs.append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        self.folded -= tag == "details"

    def handle_data(self, data: str) -> None:
        if not self.folded:
            self.seen.append(data)

    @property
    def text(self) -> str:
        return "".join(self.seen)


@pytest.mark.parametrize("name", foxden.games())
def test_players_see_neither_ids_nor_what_developers_need(name: str) -> None:
    game = foxden.game(name)
    guide = guide_of(game)
    page = Reader(guide.html)
    prefix = next(iter(guide.rules)).partition("-")[0]
    assert not re.search(rf"\b{prefix}-[A-Z]?\d", page.text)
    for word in ("parts.toml", "esampl", "(ruling", "(parts", "For bots and tools"):
        assert word not in page.text
    for text in guide.rules.values():
        assert not re.search(rf"\b{prefix}-[A-Z]?\d|\(ruling|\(parts", Reader(text).text)


@pytest.mark.parametrize("name", foxden.games())
def test_nothing_is_lost_and_every_sign_leads_somewhere(name: str) -> None:
    game = foxden.game(name)
    guide = guide_of(game)
    page = Reader(guide.html)
    for id in guide.rules:
        assert f'<li id="{id}">' in guide.html
        assert any(sign.get("title") == id for sign in page.signs)
    leads = {sign["href"] for sign in page.signs if "href" in sign}
    assert leads <= {f"#{id}" for id in guide.rules}
    if name in NAMES:
        assert "For bots and tools" in guide.html
        assert "<summary>For developers</summary>" in guide.html
    # Players keep every word of every rule.
    assert len(page.text) > 0.5 * len(game.guide)
