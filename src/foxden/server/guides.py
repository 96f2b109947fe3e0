"""Guides as HTML: the whole text, and each rule apart by its id."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from foxden.engine.game import Game
from foxden.server.models import Guide

RULE = re.compile(r"^- \*\*([A-Z]+-[A-Z]?\d+[a-z]?)\*\* (.*(?:\n  .*)*)", re.MULTILINE)


def guide_of(game: Game) -> Guide:
    """Renders a game's guide; each rule has its id as an anchor."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    html = markdown.render(game.guide)
    html = re.sub(
        r"<li>(\s*(?:<p>)?)<strong>([A-Z]+-[A-Z]?\d+[a-z]?)</strong>",
        r'<li id="\2">\1<strong>\2</strong>',
        html,
    )
    rules = {found[1]: markdown.renderInline(found[2]) for found in RULE.finditer(game.guide)}
    return Guide(game=game.name, title=game.title, html=html, rules=rules)
