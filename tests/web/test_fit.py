"""What one needs each turn is on the screen: the question, its answers, and one's own things."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import ViewportSize

import foxden
from foxden import games
from foxden.bots import ask, find_bot
from tests.web.browser import PHONE, Somebody
from tests.web.positions import DRAWN, SCREENS, Table, fixtures

Arrive = Callable[..., Somebody]
ON_ITS_SIDE: ViewportSize = {"width": PHONE["height"], "height": PHONE["width"]}
CLOSE = "slyest-fox"  # its hand lies beside what else one has
SMALL = 6  # cards that lie side by side
# How much of the cards of a small hand the next ones cover, in percent; a little does no harm.
COVERED = """(small) => {
    const cards = [...document.querySelectorAll('.felt .hand.sideways .slot .card')];
    const boxes = cards.map((one) => one.getBoundingClientRect());
    const over = boxes.slice(1).map((box, i) => (100 * (boxes[i].right - box.left)) / box.width);
    return cards.length <= small ? over.filter((one) => one > 12).map(Math.round) : [];
}"""
FELT = """() => { const { x, y, width, height } = document.querySelector('.felt')
    .getBoundingClientRect(); return [x, y, width, height]; }"""

# Percent of the felt that the parts of a board cover, and of its largest rectangle without any.
USED = """() => {
    const felt = document.querySelector('.felt').getBoundingClientRect();
    const across = 120, down = Math.round(across * felt.height / felt.width);
    const taken = new Uint8Array(across * down);
    const drawn = (one) => {
        if (one.closest('.unseen') || (one.closest('svg') && one.localName !== 'svg')) return false;
        if (one.localName === 'svg' || one.matches('input')) return true;
        const style = getComputedStyle(one);
        return style.backgroundColor !== 'rgba(0, 0, 0, 0)' || style.backgroundImage !== 'none'
            || (parseFloat(style.borderTopWidth) && style.borderTopColor !== 'rgba(0, 0, 0, 0)')
            || [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    };
    for (const one of document.querySelectorAll('.sheet *')) {
        if (!drawn(one)) continue;
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const column = (x) => (x - felt.left) / felt.width * across;
        const row = (y) => (y - felt.top) / felt.height * down;
        const start = Math.max(0, Math.floor(column(left))), end = Math.min(across, column(right));
        for (let y = Math.max(0, Math.floor(row(top))); y < Math.min(down, row(bottom)); y++)
            for (let x = start; x < end; x++) taken[y * across + x] = 1;
    }
    const high = new Uint16Array(across);
    let hole = 0;
    for (let y = 0; y < down; y++)
        for (let x = 0; x < across; x++) {
            high[x] = taken[y * across + x] ? 0 : high[x] + 1;
            for (let k = x, low = high[x]; k >= 0 && low; k--) {
                low = Math.min(low, high[k]);
                hole = Math.max(hole, low * (x - k + 1));
            }
        }
    const all = across * down;
    return [100 * taken.reduce((sum, one) => sum + one, 0) / all, 100 * hole / all];
}"""
LEAST, MOST = 58, 15  # percent: covered at least, the largest hole at most
LARGE: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 768, "height": 1024}]
# Of a house of Fox Grove: what lies on a price, or so near to it that two numbers read as one.
COVERS = """() => {
    const wrong = [];
    for (const level of document.querySelectorAll('.house .level:not(.empty)')) {
        const price = level.querySelector('.cost').getBoundingClientRect();
        const points = level.querySelector('.points').getBoundingClientRect();
        if (price.left - points.right < 2) wrong.push(`points beside ${level.textContent}`);
        for (const pawn of level.querySelectorAll('.pawn')) {
            const { left, right, top } = pawn.getBoundingClientRect();
            if (top < price.bottom - 1 && left < price.right - 1 && right > price.left)
                wrong.push(`a pawn on ${level.textContent}`);
        }
        for (const unit of level.querySelectorAll('.unit'))
            if (unit.getBoundingClientRect().right > level.getBoundingClientRect().right)
                wrong.push(`cut: ${level.textContent}`);
    }
    return wrong;
}"""


def check(arrive: Arrive, game: str, positions: list[dict[str, Any]]) -> None:
    """Lays every position on the table and looks at it on every screen."""
    mia = arrive("Mia")
    table = Table(mia.page, game, foxden.game(game).about.title)
    wrong = {}
    for position in positions:
        table.show(position)
        for screen in SCREENS:
            if hidden := table.hidden(screen):
                wrong[f"{position['name']}, {screen['width']}×{screen['height']}"] = hidden[:3]
    assert not wrong


@pytest.mark.parametrize("game", games())
def test_all_that_is_needed_is_in_sight(arrive: Arrive, game: str) -> None:
    asked = [one for one in fixtures(game) if one["view"]["legal"]]
    most = max(asked, key=lambda one: len(one["view"]["names"]))
    check(arrive, game, [asked[0], most])


@pytest.mark.parametrize("game", games())
def test_on_a_phone_ones_own_things_stay_in_sight(arrive: Arrive, game: str) -> None:
    page = arrive("Mia").page
    table = Table(page, game, foxden.game(game).about.title)
    asked = [one for one in fixtures(game) if one["view"]["legal"]]
    for position in asked[::3]:
        table.show(position)
        hidden = table.hidden(PHONE)
        assert page.locator('.felt [data-mine="phone"]').count() > 0, position["name"]
        assert "the own goods are hidden" not in hidden, position["name"]


@pytest.mark.parametrize("game", games())
def test_a_phone_may_be_laid_on_its_side_and_back(arrive: Arrive, game: str) -> None:
    page = arrive("Mia").page
    table = Table(page, game, foxden.game(game).about.title)
    asked = [one for one in fixtures(game) if one["view"]["legal"]]
    for seats in (min, max):
        table.show(seats(asked, key=lambda one: len(one["view"]["names"])))
        assert not table.hidden(PHONE)
        upright = page.evaluate(FELT)
        assert not table.hidden(ON_ITS_SIDE)
        assert not table.hidden(PHONE)
        assert page.evaluate(FELT) == upright


@pytest.mark.parametrize("game", games())
def test_ones_own_name_may_be_long_on_a_phone(arrive: Arrive, game: str) -> None:
    page = arrive("Mia").page
    table = Table(page, game, foxden.game(game).about.title)
    asked = [one for one in fixtures(game) if one["view"]["legal"]]
    position = copy.deepcopy(max(asked, key=lambda one: len(one["view"]["names"])))
    position["view"]["names"][position["view"]["seat"]] = "Maximiliane"
    table.show(position)
    assert not table.hidden(PHONE)


@pytest.mark.parametrize("game", [game for game in games() if game != CLOSE])
def test_a_hand_that_is_small_is_seen_whole_where_there_is_room(arrive: Arrive, game: str) -> None:
    page = arrive("Mia").page
    table = Table(page, game, foxden.game(game).about.title)
    asked = [one for one in fixtures(game) if one["view"]["legal"]]
    covered = {}
    for position in asked[1::2]:
        table.show(position)
        for screen in SCREENS:
            table.hidden(screen)
            if screen != PHONE and (found := page.evaluate(COVERED, SMALL)):
                covered[f"{position['name']}, {screen['width']}×{screen['height']}"] = found
    assert not covered


@pytest.mark.parametrize("game", ["fox-grove", "slyest-fox"])
def test_a_large_screen_is_used(arrive: Arrive, game: str) -> None:
    page = arrive("Mia").page
    table = Table(page, game, foxden.game(game).about.title)
    wrong = {}
    for screen in LARGE:
        page.set_viewport_size(screen)
        # As in a match, where the screen stays and the board shrinks as it fills.
        for position in fixtures(game):
            if not position["view"]["legal"]:
                continue
            table.show(position)
            page.evaluate(DRAWN)
            used, hole = page.evaluate(USED)
            if used < LEAST or hole > MOST:
                where = f"{position['name']}, {screen['width']}"
                wrong[where] = f"{used:.0f} % used, a hole of {hole:.0f} %"
    assert not wrong


def test_prices_of_houses_stay_readable(arrive: Arrive) -> None:
    page = arrive("Mia").page
    table = Table(page, "fox-grove", foxden.game("fox-grove").about.title)
    for position in fixtures("fox-grove")[::4]:
        table.show(position)
        for screen in SCREENS:
            page.set_viewport_size(screen)
            page.evaluate(DRAWN)
            assert not page.evaluate(COVERS), (position["name"], screen)


def test_a_list_of_all_moves_that_is_open_leaves_the_board_where_it_is(arrive: Arrive) -> None:
    game = games()[0]
    page = arrive("Mia").page
    table = Table(page, game, foxden.game(game).about.title)
    asked = [one for one in fixtures(game) if one["view"]["legal"]]
    few = min(asked, key=lambda one: len(one["view"]["legal"]))
    many = max(asked, key=lambda one: len(one["view"]["legal"]))
    waits = next(one for one in fixtures(game) if ", waits" in one["name"])
    table.show(few)
    page.locator(".bar summary").click()
    places = set()
    for position in (few, waits, many):
        table.show(position)
        page.evaluate(DRAWN)
        places.add(tuple(page.evaluate(FELT)))
    assert len(places) == 1


@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_all_that_is_needed_is_in_sight_in_every_phase(arrive: Arrive, game: str) -> None:
    check(arrive, game, [*fixtures(game), *phases(game)])


def phases(game: str) -> list[dict[str, Any]]:
    """Plays with the most seats and keeps a late position of every phase."""
    bot = find_bot("greedy")
    found: dict[str, dict[str, Any]] = {}
    most = max(foxden.game(game).about.seats)
    for options in ({}, {"extension": True}):
        try:
            match = foxden.new(game, seed=7, seats=most, options=options)
        except foxden.FoxdenError:
            continue
        while not match.is_over:
            view = match.view(match.to_act)
            log = match.log(match.to_act, max(0, match.ply - 6))
            name = f"{view['table']['phase']}, {most} seats"
            found[name] = {"name": name, "view": view, "log": log}
            match.play(ask(bot, match, seed=7))
    return list(found.values())
