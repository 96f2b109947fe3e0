"""Lessons in the browser, by somebody who only does what the screen shows."""

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
# What the coach covers: the banner with the question, the ring's place, a hand.
COVERED = """() => {
    const coach = document.querySelector('aside[aria-label=Coach]').getBoundingClientRect();
    const things = ['.banner', '.felt'].map(
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


def learn(somebody: Somebody, game: str) -> None:
    page = somebody.page
    page.goto(f"/learn/{game}")

    def look() -> None:
        assert not page.evaluate(COVERED)
        somebody.check_width()

    assert go_through(page, look) >= 10
    page.get_by_role("link", name="Play a match").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def test_who_does_what_the_screen_shows_finishes_a_lesson(arrive: Arrive) -> None:
    learn(arrive(None, viewport=PHONE), "happy-fox")


@pytest.mark.slow
@pytest.mark.parametrize("viewport", [PHONE, LOW], ids=["phone", "laptop"])
@pytest.mark.parametrize("game", NAMES)
def test_every_lesson_can_be_finished(arrive: Arrive, game: str, viewport: Any) -> None:
    learn(arrive(None, viewport=viewport), game)


def test_a_lesson_is_left_taken_up_again_and_started_anew(arrive: Arrive) -> None:
    mia = arrive("Mia")
    page = mia.page
    page.goto("/")
    page.get_by_role("link", name="Learn Happy Fox").click()
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
