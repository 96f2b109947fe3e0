"""Playing alone against bots: a hint on the board, and the way back."""

from collections.abc import Callable

from foxden import games
from tests.server.server import Served
from tests.web.browser import PHONE, Somebody, expect

Arrive = Callable[..., Somebody]
GAME = games()[0]
# The controls that are lit up, and where the board lies.
LIT = """() => [...document.querySelectorAll('.felt [data-acts]')]
    .filter((one) => getComputedStyle(one).outlineStyle === 'solid')
    .map((one) => one.dataset.acts)"""
PLACE = """() => { const { x, y, width, height } = document.querySelector('.felt .sheet')
    .getBoundingClientRect(); return [x, y, width, height]; }"""


def test_a_hint_lights_up_the_board_and_leaves_it_where_it_is(
    arrive: Arrive, served: Served
) -> None:
    served.await_game(GAME)
    mia = arrive()
    page = mia.page
    mia.open_table(GAME, "me", "bot:1", "bot:1")
    expect(page.locator(".felt button.card.lit").first).to_be_visible()
    assert page.evaluate(LIT) == []
    place = page.evaluate(PLACE)
    page.get_by_role("button", name="Hint").first.click()
    expect(page.get_by_role("button", name="Play this").first).to_be_visible()
    lit = page.evaluate(LIT)
    assert lit
    assert page.evaluate(PLACE) == place
    others = page.locator(".hints li")
    if others.count() > 1:
        others.nth(1).hover()
        assert page.evaluate(LIT) != lit
    page.get_by_role("button", name="Close the hint").click()
    assert page.evaluate(LIT) == []


def test_one_takes_back_a_move_and_the_match_says_so(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia = arrive()
    page = mia.page
    only_geese = page.get_by_role("group", name="0 foxes, 0 dogs")
    while True:
        table = mia.open_table(GAME, "me", "bot:1", "bot:1")
        expect(page.locator(".banner.yours")).to_be_visible()
        if only_geese.count() == 0:  # else there would be no decision to take back
            break
    undo = page.get_by_role("button", name="Undo").first
    expect(undo).to_be_disabled()
    felt = page.get_by_role("region", name="The table", exact=True)
    ply = felt.get_attribute("data-ply") or ""
    mia.play()
    expect(felt).not_to_have_attribute("data-ply", ply)
    undo.click()
    expect(felt).to_have_attribute("data-ply", ply)
    expect(page.locator(".banner.yours")).to_be_visible()
    expect(page.locator("aside li")).to_have_count(int(ply))
    mia.play()
    expect(felt).not_to_have_attribute("data-ply", ply)
    expect(undo).to_be_enabled()
    page.keyboard.press("u")
    expect(felt).to_have_attribute("data-ply", ply)
    page.get_by_role("button", name="Table").first.click()
    expect(page.get_by_text("Moves were taken back 2 times")).to_be_visible()
    assert mia.get(f"/tables/{table['id']}")["undone"] == 2
    page.set_viewport_size(PHONE)
    mia.check_width()
