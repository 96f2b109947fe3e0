"""Playing alone against bots: hints, the way back, keys, and what one notices of one's turn."""

import re
from collections.abc import Callable

from foxden import games
from tests.server.server import Served
from tests.web.browser import PHONE, STILL, Somebody, expect

Arrive = Callable[..., Somebody]
GAME = games()[0]
# The controls that are lit up, and where the board lies.
LIT = """() => [...document.querySelectorAll('.felt [data-acts]')]
    .filter((one) => getComputedStyle(one).outlineStyle === 'solid')
    .map((one) => one.dataset.acts)"""
PLACE = """() => { const { x, y, width, height } = document.querySelector('.felt .sheet')
    .getBoundingClientRect(); return [x, y, width, height]; }"""

# Whether the banner is seen whole, with nothing over it.
BANNER = """() => {
    const banner = document.querySelector('.banner.yours');
    const { left, right, top, bottom } = banner.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight + 1 && banner.contains(over);
}"""
# A browser that says what it would have notified, of a page that is hidden when told so.
TELLING = """
localStorage.setItem('foxden.notify', 'true');
window.told = [];
window.Notification = class {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, { body }) { told.push(`${title}: ${body}`); }
};
Object.defineProperty(document, 'hidden', { get: () => window.away === true });
"""


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


def test_on_a_phone_sheets_leave_it_in_sight_that_it_is_ones_move(
    arrive: Arrive, served: Served
) -> None:
    served.await_game(GAME)
    mia = arrive(viewport=PHONE)
    page = mia.page
    mia.open_table(GAME, "me", "bot:1", "bot:1")
    expect(page.locator(".banner.yours")).to_be_visible()
    for sheet in ("Log", "Chat", "Guide", "Table"):
        page.get_by_role("button", name=sheet).last.click()
        side = page.get_by_role("complementary", name=sheet)
        expect(side).to_be_visible()
        page.wait_for_function(STILL)
        assert page.evaluate(BANNER), sheet
        side.get_by_role("button", name="Close").click()
    expect(page.get_by_role("group", name="Tip")).to_be_visible()  # in the header, beside them
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()


def test_a_page_that_is_hidden_tells_that_it_is_ones_move(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia = arrive()
    page = mia.page
    page.add_init_script(TELLING)
    mia.open_table(GAME, "me", "bot:1", "bot:1")
    expect(page.locator(".banner.yours")).to_be_visible()
    expect(page).to_have_title(re.compile("Your move"))
    assert page.locator("link[rel=icon]").get_attribute("href") == "/fox-turn.svg"
    assert page.evaluate("told") == []  # who looks at it needs no telling
    page.evaluate("window.away = true")
    mia.play()
    page.wait_for_function("() => told.length > 0")
    assert page.evaluate("told[0]").startswith("Your move")


def test_keys_are_told_and_lead_through_a_match_that_is_over(
    arrive: Arrive, served: Served
) -> None:
    served.await_game(GAME)
    mia = arrive()
    page = mia.page
    mia.see_result(GAME, "bot:1", "bot:1")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("in a replay, one move back or on")
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    page.get_by_role("button", name="Replay").click()
    slider = page.get_by_role("slider", name="Position")
    last = slider.get_attribute("max") or ""
    for key, position in (("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1")):
        page.keyboard.press(key)
        expect(slider).to_have_value(position)
    page.keyboard.press("End")
    expect(slider).to_have_value(last)
