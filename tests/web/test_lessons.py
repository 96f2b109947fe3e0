"""Lessons in the browser, by somebody who only does what the screen shows."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from foxden.games import NAMES
from tests.web.browser import PHONE, Somebody, expect

Arrive = Callable[..., Somebody]
LOW = {"width": 1366, "height": 657}
# Where the ring is, once it is there and nothing moves; null while the coach only speaks.
RING = """() => {
    const ring = document.querySelector('.pointer:not([hidden])');
    if (!ring) return null;
    const { left, top, width, height } = ring.getBoundingClientRect();
    // In a fan the next card lies over the right half.
    return { x: left + width * 0.3, y: top + height / 2 };
}"""
# Whether the coach covers the banner with the question, or the board with its hand.
COVERED = """() => {
    const coach = document.querySelector('aside[aria-label=Coach]').getBoundingClientRect();
    const things = ['.banner', 'main'].map(
        (name) => document.querySelector(name).getBoundingClientRect());
    return things.some((one) => one.left < coach.right - 1 && coach.left < one.right - 1
        && one.top < coach.bottom - 1 && coach.top < one.bottom - 1);
}"""


def go_through(page: Page, look: Callable[[], None]) -> int:
    """Does what the screen says until the lesson is over; returns how many steps there were."""
    steps = 0
    count = page.locator("aside[aria-label=Coach] .figures")
    play = page.get_by_role("link", name="Play a match")
    following = page.get_by_role("button", name="Next", exact=True)
    show = page.get_by_role("button", name="Show me where")
    while True:
        expect(play.or_(following).or_(show).first).to_be_visible()
        look()
        if play.count():
            return steps
        now = count.text_content() or ""
        if following.count():
            following.click()
        else:
            for _ in range(5):  # a card is picked, then played: some presses make one move
                at = page.evaluate(RING)
                assert at, f"nothing to press at {now}"
                page.mouse.click(at["x"], at["y"])
                page.evaluate("() => new Promise(requestAnimationFrame)")
                page.evaluate("() => new Promise(requestAnimationFrame)")
                if count.text_content() != now:
                    break
        expect(count).not_to_have_text(now)
        steps += 1


def learn(somebody: Somebody, game: str, closely: bool) -> None:
    page = somebody.page
    page.goto(f"/learn/{game}")

    def look() -> None:
        assert not page.evaluate(COVERED)
        somebody.check_width()
        if closely:
            somebody.check_access(page.locator(".say").text_content() or "")

    assert go_through(page, look) >= 10
    page.get_by_role("link", name="Play a match").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def test_who_does_what_the_screen_shows_finishes_a_lesson(arrive: Arrive) -> None:
    learn(arrive(None, viewport=PHONE), "happy-fox", closely=False)


@pytest.mark.slow
@pytest.mark.parametrize("viewport", [PHONE, LOW], ids=["phone", "laptop"])
@pytest.mark.parametrize("game", NAMES)
def test_every_lesson_can_be_finished(arrive: Arrive, game: str, viewport: Any) -> None:
    learn(arrive(None, viewport=viewport), game, closely=True)


def test_a_lesson_is_left_taken_up_again_and_started_anew(arrive: Arrive) -> None:
    mia = arrive("Mia")
    page = mia.page
    page.goto("/")
    page.get_by_role("link", name="Learn Happy Fox", exact=True).click()
    coach = page.get_by_role("complementary", name="Coach")
    count = coach.locator(".figures")
    expect(count).to_contain_text("1 of")
    mia.check_access("lesson")
    # By keyboard alone: Next has the way on, and the ring's place can be reached.
    coach.get_by_role("button", name="Next").press("Enter")
    expect(count).to_contain_text("2 of")
    page.reload()
    expect(count).to_contain_text("2 of")
    coach.get_by_role("button", name="Back").click()
    expect(count).to_contain_text("1 of")
    while coach.get_by_role("button", name="Show me where").count() == 0:
        coach.get_by_role("button", name="Next").press("Enter")
    # A question is answered with the rule, and the step stays.
    now = count.text_content() or ""
    ask = coach.get_by_role("list", name="Questions").get_by_role("button").first
    ask.press("Enter")
    expect(coach.locator(".answer")).to_be_visible()
    coach.get_by_role("button", name="Show me where").press("Enter")
    assert page.evaluate("() => document.querySelector('.felt').contains(document.activeElement)")
    expect(count).to_have_text(now)
    coach.get_by_role("button", name="Do it for me").press("Enter")
    expect(count).not_to_have_text(now)
    coach.get_by_role("button", name="Start again").click()
    expect(count).to_contain_text("1 of")


def test_a_guide_shows_pieces_and_rules_at_work(arrive: Arrive) -> None:
    mia = arrive("Mia", viewport=PHONE)
    page = mia.page
    page.goto("/guide/happy-fox")
    # The three kinds of cards stand beside the rule that lists them.
    expect(page.locator('[id="HF-1"] .drawing figure')).to_have_count(3)
    page.get_by_role("button", name="See rule HF-16 on the board").click()
    example = page.get_by_role("dialog", name="Example")
    expect(example.locator(".felt")).to_be_visible()
    while example.get_by_role("button", name="Next").is_enabled():
        example.get_by_role("button", name="Next").click()
    expect(example.get_by_text("That is what dogs are for")).to_be_visible()
    mia.check_access("example")
    mia.check_width()


@pytest.mark.parametrize("game", ["slyest-fox", "fox-grove"])
def test_an_aid_is_one_sheet(arrive: Arrive, game: str) -> None:
    page = arrive().page
    page.goto(f"/guide/{game}")
    page.get_by_role("link", name="On one page").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("on one page")
    for size in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=size))) == 1


def test_a_first_match_is_coached_until_somebody_has_enough(arrive: Arrive) -> None:
    mia = arrive("Mia")
    page = mia.page
    mia.open_table("happy-fox", "me", "bot:1")
    tip = page.get_by_role("group", name="Tip")
    expect(page.locator(".banner.yours")).to_be_visible()
    expect(tip).to_be_visible()
    mia.check_access("tip")
    tip.get_by_role("button", name="Got it").click()
    expect(tip).to_have_count(0)
    with page.expect_response("**/remarks"):
        page.reload()
    expect(page.locator(".banner.yours")).to_be_visible()
    expect(tip).to_have_count(0)  # never twice
    mia.open_table("foxy-and-woolly", "me", "bot:1")
    tip.get_by_role("button", name="No more tips").click()
    mia.open_table("fox-and-squirrels", "me", "bot:1")
    expect(page.locator(".bar")).to_be_attached()
    expect(tip).to_have_count(0)
