"""Where the keyboard is can be seen on anything, and looks unlike what can be played."""

from collections.abc import Callable
from typing import Literal

import pytest

import foxden
from foxden import games
from tests.web.browser import Somebody
from tests.web.positions import Table, fixtures

Arrive = Callable[..., Somebody]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Focuses every control in sight and lists those whose ring is not seen well. On the felt anything
# may lie behind a ring, so that it has two colours: where these differ by 9:1, one of them differs
# by 3:1 from whatever is there. Elsewhere the ring differs by 3:1 from the ground behind it.
UNSEEN = """() => {
    const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const read = (colour) => {
        pixel.clearRect(0, 0, 1, 1);
        pixel.fillStyle = colour;
        pixel.fillRect(0, 0, 1, 1);
        return [...pixel.getImageData(0, 0, 1, 1).data];
    };
    const light = (colour) => {
        const [r, g, b] = read(colour).map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (one, other) => {
        const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const behind = (one) => {
        for (let at = one.parentElement; at; at = at.parentElement) {
            const ground = getComputedStyle(at).backgroundColor;
            if (read(ground)[3] > 240) return ground;
        }
        return getComputedStyle(document.documentElement).backgroundColor;
    };
    const root = document.querySelector('.felt');
    const probe = root.appendChild(document.createElement('i'));
    probe.style.color = 'var(--glow)';
    const glow = getComputedStyle(probe).color;
    probe.remove();
    const wrong = [];
    let seen = 0;
    for (const one of document.querySelectorAll('button:enabled, a[href], summary, input')) {
        if (!one.offsetWidth || one.closest('details:not([open]) > :not(summary)')) continue;
        one.focus();
        if (document.activeElement !== one || !one.matches(':focus-visible')) continue;
        seen += 1;
        const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(one);
        const named = one.getAttribute('aria-label') || one.textContent.trim() || one.className;
        const bad = (why) => wrong.push(`${named}: ${why}`);
        if (outlineStyle !== 'solid' || parseFloat(outlineWidth) < 3) bad('no ring');
        const [ring, played] = [outlineColor, glow].map(read);
        const apart = Math.hypot(...ring.slice(0, 3).map((part, i) => part - played[i]));
        if (apart < 90) bad('a ring like that of what can be played');
        const inner = boxShadow.match(/^(rgb|color)[^)]*\\)/)?.[0];
        if (root.contains(one)) {
            if (!inner || contrast(outlineColor, inner) < 9) bad(`one colour: ${boxShadow}`);
        } else if (contrast(outlineColor, behind(one)) < 3) {
            bad(`${outlineColor} on ${behind(one)}`);
        }
    }
    return { seen, wrong };
}"""


@pytest.mark.parametrize("game", games())
def test_the_focus_is_seen_and_differs_from_what_can_be_played(arrive: Arrive, game: str) -> None:
    mia = arrive("Mia")
    table = Table(mia.page, game, foxden.game(game).about.title)
    asked = [one for one in fixtures(game) if one["view"]["legal"]]
    table.show(max(asked, key=lambda one: len(one["view"]["legal"])))
    mia.page.add_style_tag(content="* { transition: none !important }")
    mia.page.keyboard.press("Tab")  # from here on the keyboard is in use, and rings are drawn
    for scheme in SCHEMES:
        mia.page.emulate_media(color_scheme=scheme)
        found = mia.page.evaluate(UNSEEN)
        assert found["seen"] > 8
        assert not found["wrong"], scheme
