"""Reviews, branches, puzzles and the daily deal, in a real browser."""

import re
from collections.abc import Callable

from tests.server.server import Served
from tests.web.browser import PHONE, Somebody, expect

Arrive = Callable[..., Somebody]
GAME = "happy-fox"


def test_a_match_is_reviewed_and_played_on(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia = arrive("Mia", viewport=PHONE)
    table = mia.see_result(GAME, "bot:1", "bot:1")["id"]
    mia.page.get_by_role("link", name="Review this match").click()
    expect(mia.page.get_by_role("heading", name="What made the result")).to_be_visible()
    expect(mia.page.get_by_role("img", name=re.compile("Chance to win"))).to_be_visible()
    mia.page.get_by_role("button", name=re.compile(r"^All \d+ decisions")).click()
    mia.page.locator(".pick").nth(1).click()
    expect(mia.page.locator(".pick").nth(1)).to_have_attribute("aria-current", "true")
    expect(mia.page.get_by_role("region", name="The table", exact=True)).to_be_visible()
    mia.check_access("review")
    mia.check_width()
    mia.page.get_by_role("button", name="Play on from here").click()
    mia.page.get_by_role("button", name="Play", exact=True).click()
    expect(mia.page).not_to_have_url(re.compile(table))
    expect(mia.page.get_by_role("region", name="The table", exact=True)).to_be_visible()
    branch = mia.get(mia.page.url.partition("/t/")[2].join(["/tables/", ""]))
    assert branch["origin"]["table"] == table


def test_a_puzzle_and_the_daily_deal_wait_on_the_home_page(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    ben = arrive("Ben")
    ben.page.goto("/")
    ben.page.get_by_role("link", name=re.compile("Puzzles")).click()
    ben.page.get_by_role("link", name="Solve puzzles of Happy Fox").click()
    expect(ben.page.get_by_role("region", name="The table", exact=True)).to_be_visible()
    ben.check_access("puzzle")
    listed = ben.page.locator(".bar")
    if listed.get_attribute("open") is None:
        listed.locator("summary").click()
    listed.locator("ul button:enabled").first.click()
    expect(ben.page.get_by_role("button", name="Next puzzle")).to_be_visible()
    ben.page.goto("/daily")
    expect(ben.page.get_by_role("heading", name="The daily deal")).to_be_visible()
    ben.check_access("daily deal")
    ben.page.get_by_role("button", name="Play Happy Fox").click()
    expect(ben.page).to_have_url(re.compile("/t/"))
    ben.page.goto("/my-play")
    expect(ben.page.get_by_text("Nothing yet")).to_be_visible()
    ben.check_access("my play")
