"""No page, sheet or dialog is ever wider than the screen, and every one can be closed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import ViewportSize

from foxden import games
from tests.server.server import Served
from tests.web.browser import STILL, Somebody, expect

Arrive = Callable[..., Somebody]
SCREENS: list[ViewportSize] = [
    {"width": width, "height": height}
    for width, height in (
        (1920, 1080),
        (1366, 657),
        (1280, 800),
        (768, 1024),
        (360, 740),
        (320, 640),
    )
]
# What sticks out of the screen, unless it lies in something that scrolls or clips by itself. What
# is fixed, or in the top layer, is clipped by nothing. A way to close must be in sight.
OUTSIDE = """() => {
    const wide = document.documentElement.clientWidth;
    const named = (one) => `${one.tagName.toLowerCase()}.${[...one.classList].join('.')}`;
    const free = (one) => getComputedStyle(one).position === 'fixed' || one.matches(':modal');
    const clipped = (one) => {
        for (let at = one; at.parentElement && !free(at); at = at.parentElement)
            if (getComputedStyle(at.parentElement).overflowX !== 'visible') return true;
        return false;
    };
    const found = [];
    for (const one of document.querySelectorAll('body *')) {
        const { left, right, width, height } = one.getBoundingClientRect();
        const out = width && height && (left < -1 || right > wide + 1);
        if (out && !clipped(one))
            found.push(`${named(one)} from ${Math.round(left)} to ${Math.round(right)}`);
    }
    const close = 'dialog[open] [aria-label=Close], aside .head button';
    for (const one of document.querySelectorAll(close)) {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        if (left < 0 || right > wide || top < 0 || bottom > innerHeight)
            found.push(`${named(one)} is out of sight`);
    }
    if (document.documentElement.scrollWidth > wide) found.push('the page scrolls sideways');
    return found;
}"""


def check(somebody: Somebody, where: str) -> None:
    """Looks at what is on the page, on every screen."""
    page = somebody.page
    wrong = {}
    for screen in SCREENS:
        page.set_viewport_size(screen)
        page.wait_for_function(STILL)
        if found := page.evaluate(OUTSIDE):
            wrong[screen["width"]] = found
    assert not wrong, f"{where}: {wrong}"
    page.set_viewport_size(SCREENS[0])


def check_panels(somebody: Somebody, where: str, *panels: str) -> None:
    """Opens one panel after another beside a table."""
    page = somebody.page
    for panel in panels:
        button = page.locator(".wide-only").get_by_role("button", name=panel)
        side = page.get_by_role("complementary", name=panel)
        page.wait_for_function(STILL)  # a panel that was open before comes back by itself
        for _ in range(3):
            if button.get_attribute("aria-expanded") != "true":
                button.click()
                page.wait_for_function(STILL)
        expect(side).to_be_visible()
        if panel == "Guide":
            expect(side.get_by_role("heading", level=1)).to_be_visible()
        check(somebody, f"{where}, {panel.lower()}")


def test_pages_and_their_dialogs(arrive: Arrive) -> None:
    mia = arrive("Maximiliane Wolkenstein")
    page = mia.page
    page.goto("/")
    expect(page.get_by_role("button", name="Play Happy Fox")).to_be_visible()
    check(mia, "home")
    for play in page.get_by_role("button", name="Play ").all():
        play.click()
        expect(page.get_by_role("button", name="Play now")).to_be_visible()
        check(mia, "a game's dialog")
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Maximiliane").click()
    page.get_by_role("button", name="another device").click()
    expect(page.get_by_role("note")).to_contain_text("--host 0.0.0.0")
    check(mia, "settings")
    for path in (
        "/about",
        "/nowhere",
        "/t/none",
        "/me/a-link-of-somebody",
        *(f"/new/{game}" for game in games()),
        *(f"/guide/{game}" for game in games()),
    ):
        page.goto(path)
        expect(page.get_by_role("heading").first).to_be_visible()
        check(mia, path)


def test_lobbies_and_every_guide(arrive: Arrive) -> None:
    mia, stranger = arrive("Maximiliane Wolkenstein"), arrive(None)
    found = {"open": True, "address": "http://192.168.178.120:8100", "command": None}
    mia.context.route("**/api/network", lambda route: route.fulfill(json=found))
    for game in games():
        table = mia.open_table(game, "me", "open", "bot:1")
        expect(mia.page.get_by_role("heading", name="Waiting for")).to_be_visible()
        expect(mia.page.get_by_role("img", name="QR code")).to_be_visible()
        check(mia, f"lobby of {game}")
        check_panels(mia, f"lobby of {game}", "Guide")
    check_panels(mia, "lobby", "Chat", "Table")
    mia.page.get_by_role("button", name="Close table").click()
    check(mia, "a question")
    stranger.page.goto(table["invite"])
    stranger.page.get_by_role("button", name="Sit here").click()
    expect(stranger.page.get_by_role("textbox", name="Your name")).to_be_visible()
    check(stranger, "a name is asked for")
    mia.open_table(games()[0], "me", "me:Opa", "open")


@pytest.mark.parametrize("game", games())
def test_tables_and_their_panels(arrive: Arrive, served: Served, game: str) -> None:
    served.await_game(game)
    mia = arrive("Maximiliane Wolkenstein")
    page = mia.page
    mia.open_table(game, "me", "bot:1", "bot:1")
    expect(page.locator(".banner.yours")).to_be_visible()
    check(mia, game)
    page.locator(".bar summary").click()
    page.get_by_role("button", name="Hint").first.click()
    expect(page.locator(".hints")).to_be_visible()
    check(mia, f"{game}, all moves and a hint")
    check_panels(mia, game, "Log", "Chat", "Guide", "Table")
    mia.see_result(game, "bot:2", "bot:2", "bot:2")
    check(mia, f"result of {game}")
    page.get_by_role("button", name="Share").first.click()
    expect(page.get_by_role("dialog", name="Share")).to_be_visible()
    check(mia, "share")
    page.keyboard.press("Escape")
    page.get_by_role("slider", name="Position").fill("5")
    check(mia, f"replay of {game}")
