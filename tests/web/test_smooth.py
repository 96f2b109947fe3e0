"""How a whole match feels: nothing jumps, nothing stutters, and a newcomer is never at a loss."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from foxden import games
from tests.server.server import COMPILED, Served, serving
from tests.web.browser import Somebody, expect

pytestmark = pytest.mark.slow
Arrive = Callable[..., Somebody]
LONG = 900.0  # seconds that a match may take
DEALS = (4, 5, 7)  # the same ones each time: whether a board jumps depends on the deal
# Every table deals what a file says.
DEALT = """import pathlib, secrets
deal = pathlib.Path(__file__).with_name("deal")
secrets.randbits = lambda bits: int(deal.read_text())
"""
SHIFT = 0.05  # how much of the screen may jump in a match; Google calls 0.1 good for a page
TURNS = 90  # presses after which a match has shown what it does
STUTTER = 100.0  # milliseconds of work at a time, during which the page is deaf
WAIT = 3.0  # seconds that a newcomer waits for something to happen
FEW: dict[str, tuple[int, dict[str, Any]]] = {
    "fox-and-squirrels": (3, {}),
    "slyest-fox": (3, {"ending": "first_victim"}),
}
WATCH = """
window.smooth = { shift: 0, shifts: [] };
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) {
    // With the result the page shows something else.
    if (one.hadRecentInput || document.querySelector('.result')) continue;
    smooth.shift += one.value;
    const named = (node) => node ? `${node.nodeName}.${node.className ?? ''}` : '';
    const nodes = one.sources.map((source) => named(source.node)).slice(0, 3);
    smooth.shifts.push(`${one.value.toFixed(4)} ${nodes}`);
  }
}).observe({ type: 'layout-shift', buffered: true });
"""
# What a newcomer would press: what has just appeared and takes nothing back, then what glows, then
# other buttons.
INVITING = """(tried) => {
    if (document.querySelector('.result')) return 'over';
    if (!document.querySelector('.banner.yours')) return 'waits';
    const seen = (one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        if (!width || !height || one.disabled || one.closest('details, [inert]')) return false;
        const over = document.elementFromPoint(left + width / 2, top + height / 2);
        return over && (one.contains(over) || over.contains(one));
    };
    const dialog = document.querySelector('dialog[open]');
    const wheres = dialog
        ? ['dialog[open] .button.main', 'dialog[open] .button']
        : ['.felt .selected.lit, .felt .chosen', '.felt .button.main', '.felt .lit, .felt .choice',
           '.felt .target, .felt .button:not(.quiet)', '.felt button'];
    const found = wheres.flatMap((where) => [...document.querySelectorAll(where)]);
    const all = [...new Set(found)].filter((one) => one.matches('button, .cover')
        || one.querySelector('button')).map((one) => one.matches('button') ? one
        : one.querySelector('button')).filter(seen);
    if (!all.length) return 'nothing to press';
    const before = window.inviting ?? [];
    window.inviting = all;
    const shy = (one) => one.matches('.quiet') || /\\bback\\b/.test(one.ariaLabel ?? one.innerText);
    const fresh = all.filter((one) => !before.includes(one) && !shy(one));
    all.sort((one, other) => fresh.includes(other) - fresh.includes(one));
    const { left, top, width, height } = all[tried % all.length].getBoundingClientRect();
    return [left + width / 2, top + height / 2];
}"""
STATE = """() => [document.querySelector('.felt')?.dataset.ply,
    document.querySelector('.felt')?.innerText, document.querySelectorAll('dialog[open]').length]"""


def press(page: Page, tried: int) -> str:
    """Presses what looks most inviting, as a person would, and tells what was found."""
    found = page.evaluate(INVITING, tried)
    if isinstance(found, str):
        return found
    page.mouse.click(*found)
    return "pressed"


def longest_task(trace: bytes) -> float:
    """Finds the longest task of a page, in milliseconds of its own work, whatever else runs."""
    events = json.loads(trace)["traceEvents"]
    pages = {
        (one["pid"], one["tid"])
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        one["tdur"]
        for one in events
        if "RunTask" in one["name"] and (one["pid"], one["tid"]) in pages and "tdur" in one
    ]
    return float(max(tasks)) / 1000


def open_table(mia: Somebody, game: str, pace: str) -> None:
    bots, options = FEW.get(game, (2, {}))
    mia.open_table(game, "me", *["bot:1"] * bots, options=options, pace=pace)
    expect(mia.page.locator(".banner.yours").first).to_be_visible()


@pytest.fixture(scope="module")
def dealing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    """Starts a server that deals what a file says."""
    folder = tmp_path_factory.mktemp("dealing")
    (folder / "sitecustomize.py").write_text(DEALT)
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    settings = {"FOXDEN_LIMITS": "false", "PYTHONPATH": path, **COMPILED}
    (folder / "deal").write_text("1")
    with serving(folder / "data", **settings) as served:
        yield served, folder / "deal"


@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("game", games())
def test_nothing_jumps_or_stutters_in_a_match(
    browser: Browser, dealing: tuple[Served, Path], game: str, deal: int
) -> None:
    served, file = dealing
    served.await_game(game)
    file.write_text(str(deal))
    mia = Somebody(browser, served, reduced_motion="no-preference")
    mia.page.add_init_script(WATCH)
    open_table(mia, game, "brisk")
    mia.page.evaluate("smooth.shift = 0; smooth.shifts = []")  # loading aside
    browser.start_tracing(page=mia.page, categories=["toplevel"])
    end = time.monotonic() + LONG
    turn = 0
    while mia.page.locator(".result").count() == 0 and turn < TURNS:
        assert time.monotonic() < end
        if press(mia.page, turn) != "pressed":
            mia.page.wait_for_timeout(100)
        else:
            turn += 1
            mia.page.wait_for_timeout(600)  # what moves then is no answer to the press
    longest = longest_task(browser.stop_tracing())
    found = mia.page.evaluate("smooth")
    worst = sorted(found["shifts"], reverse=True)[:5]
    assert found["shift"] < SHIFT, worst
    assert longest < STUTTER
    mia.leave()


@pytest.mark.parametrize("game", games())
def test_a_newcomer_finishes_a_match_by_what_is_on_the_screen(
    arrive: Arrive, served: Served, game: str
) -> None:
    served.await_game(game)
    mia = arrive()
    open_table(mia, game, "instant")
    page = mia.page
    end = time.monotonic() + LONG
    tried, moved, before = 0, time.monotonic(), page.evaluate(STATE)
    while (found := press(page, tried)) != "over":
        now = time.monotonic()
        assert now < end, "the match does not come to its end"
        state = page.evaluate(STATE)
        if state != before:
            before, moved, tried = state, now, 0
        else:
            tried += found == "pressed"
            assert now - moved < WAIT + tried * 0.2, (found, page.locator(".banner").inner_text())
        page.wait_for_timeout(20)
    expect(page.locator(".result")).to_be_visible()
