"""Guides as HTML: the whole text, and each rule by its id.

Players see only sentences. Rule ids, the source of a ruling and notes for tools are behind small
signs; the Markdown, which `foxden guide` prints, shows everything.
"""

from __future__ import annotations

import re
from html import escape

from foxden.engine.game import Game
from foxden.server.models import Guide

ID = r"[A-Z]+-[A-Z]?\d+[a-z]?"
RULE = re.compile(rf"^- \*\*({ID})\*\* (.*(?:\n  .*)*)", re.MULTILINE)
MARK = re.compile(r"<em>\((ruling|parts)(?::\s([^<]*))?\)</em>")
MARKS = {
    "ruling": "The rulebook is silent here; Foxden decides",
    "parts": "Our own reconstruction; the printed number may differ",
}
# Sentences of the opening that explain the guide's notation
ABOUT = re.compile(r"\*\((?:ruling|parts)\)\*|`parts\.toml`")


def guide_of(game: Game) -> Guide:
    """Renders a game's guide; each rule has its id as an anchor."""
    from markdown_it import MarkdownIt  # imported late to keep the start fast

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    opening, *sections = re.split(r"^(?=## )", game.guide, flags=re.MULTILINE)
    opening, about = _split(opening)
    # Players do not need sections without a rule.
    aside = [section for section in sections if not RULE.search(section)]
    main = [section for section in sections if RULE.search(section)]
    rules = {found[1]: found[2] for found in RULE.finditer(game.guide)}

    def signed(html: str) -> str:
        return _sign_rules(_sign_marks(html), set(rules))

    html = signed(markdown.render(opening + "".join(main)))
    if notes := "".join([about, *aside]):
        html += f"<details><summary>For developers</summary>{markdown.render(notes)}</details>"
    aid = game.folder / "aid.md"
    return Guide(
        game=game.name,
        title=game.title,
        html=html,
        rules={id: signed(markdown.renderInline(text)) for id, text in rules.items()},
        aid=markdown.render(aid.read_text(encoding="utf-8")) if aid.is_file() else None,
    )


def _split(opening: str) -> tuple[str, str]:
    """Removes the sentences on notation from the opening."""
    paragraphs, about = [], []
    for paragraph in opening.strip().split("\n\n"):
        sentences = re.split(r"(?<=[.!?])\s+", paragraph)
        paragraphs.append(" ".join(one for one in sentences if not ABOUT.search(one)))
        about += [one for one in sentences if ABOUT.search(one)]
    return "\n\n".join(filter(None, paragraphs)) + "\n\n", " ".join(about) + "\n\n" if about else ""


def _sign_marks(html: str) -> str:
    """Puts notes on rulings and reconstructions behind a sign."""

    def sign(found: re.Match[str]) -> str:
        why = MARKS[found[1]] + (f": {' '.join(found[2].split())}." if found[2] else ".")
        return f'<abbr title="{escape(why)}">°</abbr>'

    return re.sub(r"\s<abbr", "<abbr", MARK.sub(sign, html))


def _sign_rules(html: str, known: set[str]) -> str:
    """Puts ids behind a sign: at the head of a rule, and where one rule names another."""

    def link(id: str, text: str) -> str:
        return f'<a class="rule" href="#{id}" title="{id}" aria-label="Rule {id}">{text}</a>'

    def head(found: re.Match[str]) -> str:
        sign = f'<span class="rule" role="img" title="{found[2]}" aria-label="Rule {found[2]}">'
        return f'<li id="{found[2]}">{found[1]}{sign}§</span>'

    def mention(found: re.Match[str]) -> str:
        id = found[1] or found[2]
        if id not in known:
            return found[0]
        return link(id, "§") if found[1] else link(id, f"§{id.partition('-')[2]}")

    html = re.sub(rf"<li>(\s*(?:<p>)?)<strong>({ID})</strong>", head, html)
    pieces = re.split(r"(<[^>]*>)", html)  # text at even indices, tags between
    pieces[::2] = [re.sub(rf"\(({ID})\)|\b({ID})\b", mention, text) for text in pieces[::2]]
    return "".join(pieces)
