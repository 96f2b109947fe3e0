"""Every page around the boards: found by everybody, light, and on any screen."""

import gzip
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Response

from foxden import games
from tests.server.server import Served
from tests.web.browser import PHONE, Somebody, expect

Arrive = Callable[..., Somebody]
SCREENS: list[dict[str, Any]] = [
    {"color_scheme": "light"},
    {"color_scheme": "dark", "viewport": PHONE},
]


def test_a_stranger_plays_after_two_clicks(arrive: Arrive, served: Served) -> None:
    served.await_game(games()[0])
    stranger = arrive(None)
    page = stranger.page
    page.goto("/")
    page.get_by_role("button", name="Play Happy Fox").click()
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_role("region", name="The table", exact=True)).to_be_visible()
    assert stranger.get("/me")["name"]


def test_the_home_page_is_light(arrive: Arrive) -> None:
    page = arrive(None).page
    seen: list[Response] = []
    page.on("response", lambda response: seen.append(response))
    page.goto("/")
    expect(page.get_by_role("button", name="Play Happy Fox")).to_be_visible()
    page.wait_for_load_state("networkidle")
    sizes = {response.url: len(gzip.compress(response.body())) for response in seen}
    assert sum(sizes.values()) < 120_000, sizes


def test_every_game_can_be_played_from_the_first_screen(arrive: Arrive) -> None:
    mia = arrive()
    for _ in range(3):  # one's own tables stand above the games
        mia.open_table(games()[0], "me", "open")
    page = mia.page
    page.goto("/")
    expect(page.locator("a.row").first).to_be_visible()
    play = page.locator(".box .button.main")
    expect(play).to_have_count(len(games()))
    bottoms = play.evaluate_all("all => all.map((one) => one.getBoundingClientRect().bottom)")
    assert max(bottoms) <= page.evaluate("innerHeight")


@pytest.mark.parametrize("screen", SCREENS, ids=["light", "dark phone"])
def test_axe_finds_nothing(arrive: Arrive, served: Served, screen: dict[str, Any]) -> None:
    served.await_game(games()[0])
    mia = arrive("Mia", **screen)
    page = mia.page

    def look(where: str) -> None:
        mia.check_access(where)
        mia.check_width()

    page.goto("/")
    expect(page.get_by_role("button", name="Play Happy Fox")).to_be_visible()
    look("home")
    page.get_by_role("button", name="Play Happy Fox").click()
    look("play dialog")
    page.goto("/")
    page.get_by_role("button", name="Mia").click()
    look("settings")
    for path in ("/about", f"/guide/{games()[0]}", *(f"/new/{game}" for game in games())):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        look(path)
    page.goto("/nowhere")
    look("nowhere")
    page.goto("/t/none")
    expect(page.get_by_text("Table not found")).to_be_visible()
    look("no table")
    mia.open_table(games()[0], "me", "open", "bot:1")
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    look("lobby")
    mia.open_table(games()[0], "me", "me:Opa", "bot:1")
    expect(page.get_by_role("heading", name="Pass the device")).to_be_visible()
    look("hand-over")
    mia.open_table(games()[0], "me", "bot:1", "bot:1")
    expect(page.get_by_role("region", name="The table", exact=True)).to_be_visible()
    for panel in ("Log", "Chat", "Guide", "Table"):
        button = page.get_by_role("navigation", name="Table tools").get_by_role(
            "button", name=panel
        )
        if button.first.get_attribute("aria-expanded") != "true":
            button.first.click()
        expect(page.get_by_role("complementary", name=panel)).to_be_visible()
        look(panel)
        page.get_by_role("button", name="Close", exact=True).click()


def test_what_cannot_be_played_cannot_be_chosen(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/new/slyest-fox")
    # Seven foxes need the extension, and teams an even number.
    expect(page.get_by_role("radio", name="7")).to_be_disabled()
    extension = page.get_by_role("checkbox", name="Extension")
    extension.click()
    expect(page.get_by_role("radio", name="7")).to_be_enabled()
    page.get_by_role("radio", name="7").click()
    expect(page.get_by_role("checkbox", name="Teams")).to_be_disabled()
    expect(extension).to_be_disabled()
    expect(page.get_by_role("button", name="Start")).to_be_enabled()


def test_a_name_moves_to_another_device(arrive: Arrive) -> None:
    mia, tablet = arrive("Mia"), arrive(None)
    mia.page.goto("/")
    mia.page.get_by_role("button", name="Mia").click()
    mia.page.get_by_role("button", name="Use my name on another device").click()
    path = mia.page.get_by_role("link", name="this link").get_attribute("href")
    tablet.page.goto(path or "")
    tablet.page.get_by_role("button", name="Yes, that’s me").click()
    expect(tablet.page.get_by_role("button", name="Mia")).to_be_visible()
    assert tablet.get("/me") == mia.get("/me")


def test_the_theme_is_kept(arrive: Arrive) -> None:
    page = arrive(color_scheme="light").page
    page.goto("/")
    page.get_by_role("button", name="Mia").click()
    page.get_by_role("radio", name="Dark").check(force=True)
    page.reload()
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == "rgb(27, 24, 19)"
