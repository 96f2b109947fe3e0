"""A real browser, and people who sit in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Playwright,
    TimeoutError,
    ViewportSize,
    expect,
)

from tests.server.server import PATIENCE, Served

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1280, "height": 800}
LONG = 600.0  # seconds that a whole match may take on a busy machine
expect.set_options(timeout=PATIENCE * 1000)
# Without windows Chromium takes a fifth less of the processor.
WINDOWLESS = "chromium-headless-shell"
NAMES = (WINDOWLESS, "chromium", "chromium-browser", "google-chrome", "chrome")
# Of what is well axe tells no more than the rule: listing where takes as long as looking.
AXE = {"resultTypes": ["violations"]}
# How many moves are offered just now.
OFFERED = """document.querySelector('.banner.yours')
    && document.querySelectorAll('.bar ul button:enabled').length"""
# Whether all motion that comes to an end has done so.
STILL = """() => document.getAnimations().every(
    one => one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity
)"""
# Tells whether the focus is at the folded list of all moves, or how many there are from it on.
FOCUSED = """(() => {
    if (!document.querySelector('.banner.yours')) return 'not asked';
    const here = document.activeElement;
    if (here.closest('.bar:not([open]) summary')) return 'folded';
    const moves = [...document.querySelectorAll('.bar[open] ul button:enabled')];
    return moves.includes(here) ? moves.length - moves.indexOf(here) : null;
})()"""


@cache
def chromium() -> str | None:
    """Finds a browser, or gets one; None is the one that Playwright has installed for itself."""
    told = os.environ.get("FOXDEN_CHROMIUM")
    found = told or next(filter(None, map(shutil.which, NAMES)), None)
    if found:
        return found
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        for package in (WINDOWLESS, "chromium"):
            subprocess.run(["apt-get", "install", "-y", package], capture_output=True)
            if found := shutil.which(package):
                return found
    install = [sys.executable, "-m", "playwright", "install", "chromium"]
    if subprocess.run(install, capture_output=True).returncode:
        pytest.skip("NO BROWSER: set FOXDEN_CHROMIUM, or install chromium")
    return None


def launch(playwright: Playwright) -> Browser:
    """Starts the browser; it runs as root in containers, where it has no sandbox."""
    return playwright.chromium.launch(
        executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
    )


class Somebody:
    """A person with a browser of their own, whose pages must not fail."""

    def __init__(
        self, browser: Browser, served: Served, name: str | None = "Mia", **context: Any
    ) -> None:
        usual = {"viewport": DESK, "reduced_motion": "reduce", "service_workers": "block"}
        self.context = browser.new_context(base_url=served.address, **usual | context)
        # Nothing plays by itself, so that tests see every decision.
        self.context.add_init_script("localStorage.setItem('foxden.forced', 'false')")
        self.context.set_default_timeout(PATIENCE * 1000)
        self.errors: list[str] = []
        self.page = self.open_tab()
        self.name = name
        if name is not None:
            self.post("/people", {"name": name})

    def open_tab(self) -> Page:
        """Opens another tab."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._hear)
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        # That a request was refused is said by the browser too; the page tells it to people.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    def post(self, path: str, body: Any) -> Any:
        """Asks the API as this person."""
        # A kept connection may be closed by the server just when it is used again.
        answer = self.context.request.post(f"/api{path}", data=body, max_retries=3)
        assert answer.ok, answer.text()
        return answer.json()

    def get(self, path: str) -> Any:
        """Asks the API as this person."""
        return self.context.request.get(f"/api{path}", max_retries=3).json()

    def open_table(self, game: str, *seats: str, **more: Any) -> dict[str, Any]:
        """Opens a table and goes there; seats are me, me:NAME, open, or bot:LEVEL."""
        table = self._open(game, *seats, **more)
        self.page.goto(f"/t/{table['id']}")
        return table

    def see_result(self, game: str, *bots: str) -> dict[str, Any]:
        """Lets bots play a match among themselves, and goes there when it is over."""
        table = self._open(game, *bots)
        self.await_end(table)
        self.page.goto(f"/t/{table['id']}")
        expect(self.page.locator(".result")).to_be_visible()
        return table

    def await_end(self, table: dict[str, Any]) -> None:
        """Waits until a match is over, wherever the page is; drawing every move takes long."""
        end = time.monotonic() + LONG
        while (now := self.get(f"/tables/{table['id']}"))["status"] != "over":
            assert time.monotonic() < end, now
            self.page.wait_for_timeout(100)

    def _open(self, game: str, *seats: str, **more: Any) -> dict[str, Any]:
        sitters = []
        for seat in seats:
            kind, _, what = seat.partition(":")
            more_of = {"name": what} if kind == "me" and what else {}
            sitters.append({"kind": kind} | ({"level": int(what)} if kind == "bot" else more_of))
        asked = {"game": game, "seats": sitters, "pace": "instant"} | more
        table: dict[str, Any] = self.post("/tables", asked)
        return table

    def is_asked(self) -> bool:
        """Returns whether the page waits for this person, in words and with something to press."""
        return self.page.locator(".banner.yours").count() > 0

    def play(self) -> None:
        """Plays something when the board has arrived and the page asks for it."""
        expect(self.page.locator(".bar")).to_be_visible()
        assert self.choose(), "nothing could be chosen"

    def choose(self, which: int = 0) -> bool:
        """Plays from the list of all moves, if it is there; the table may just have moved on."""
        many = self.page.evaluate(OFFERED)
        try:
            if many and self.page.locator(".bar[open]").count() == 0:
                self.page.locator(".bar summary").click(timeout=5000)
            if many:
                moves = self.page.locator(".bar ul button:enabled")
                moves.nth(which % int(many)).click(timeout=5000)
        except TimeoutError:
            return False
        return bool(many)

    def choose_by_keyboard(self, which: int = 0) -> bool:
        """Finds the list of all moves with the Tab key, and plays with Enter."""
        for _ in range(300):
            place = self.page.evaluate(FOCUSED)
            if place == "not asked":
                return False
            if place is None:
                self.page.keyboard.press("Tab")
            elif place == "folded":
                self.page.keyboard.press("Enter")
            else:
                for _ in range(which % place):
                    self.page.keyboard.press("Tab")
                self.page.keyboard.press("Enter")
                return True
        raise AssertionError("the Tab key does not lead to the moves")

    def check_access(self, where: str) -> None:
        """Lets axe look at the page, once nothing fades in or out any more."""
        self.page.wait_for_function(STILL)
        found = Axe().run(self.page, options=AXE)
        broken = [
            f"{one['id']}: {node['html']} {node['failureSummary']}"
            for one in found.response["violations"]
            for node in one["nodes"]
        ]
        assert not broken, f"{where}:\n" + "\n".join(broken)

    def check_width(self) -> None:
        """Makes sure that nothing scrolls sideways."""
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{wide} px too wide at {self.page.url}"

    def leave(self) -> None:
        """Closes the browser; nothing may have gone wrong in it."""
        self.context.close()
        assert not self.errors


if __name__ == "__main__":  # gets the browser before tests need it
    with suppress(pytest.skip.Exception):
        chromium()

__all__ = ["DESK", "LONG", "PHONE", "Somebody", "chromium", "expect", "launch"]
