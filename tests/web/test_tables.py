"""People at tables, in real browsers, through the real server."""

import re
import time
from collections.abc import Callable
from typing import Any, Literal

import pytest

from foxden import games
from tests.server.server import Served
from tests.web.browser import DESK, LONG, PHONE, Somebody, expect

Arrive = Callable[..., Somebody]
GAME = games()[0]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# The bots and options with which people who choose blindly are soonest at the end; else one bot.
SHORT: dict[str, tuple[int, dict[str, Any]]] = {
    "fox-and-squirrels": (3, {}),
    "slyest-fox": (1, {"ending": "first_victim"}),
}


MOST = 20  # decisions after which people let bots go on for them
SHOWN = """(ply) => document.querySelector('.result')
    || Number(document.querySelector('.felt')?.dataset.ply) >= ply"""
LET_A_BOT_PLAY = """([table, seat]) => new Promise((done) => {
  const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/live`);
  let sent = false;
  socket.onmessage = ({ data }) => {
    const { type } = JSON.parse(data);
    if (!sent) socket.send(JSON.stringify({ type: 'standin', seat, level: 1 }));
    sent = true;
    if (type === 'done' || type === 'refused') done(socket.close()); // refused once it is over
  };
})"""


def play_out(
    table: dict[str, Any],
    *people: Somebody,
    by_keyboard: bool = False,
    most: int = MOST,
    watch: int | None = None,
) -> None:
    """Lets people play whatever they are asked, and bots for them later, to the match's end.

    They watch the bots, or do so for some moves and come back when it is over.
    """
    end = time.monotonic() + LONG
    turn = 0
    handed_over = False
    while people[0].page.locator(".result").count() == 0:
        if turn >= most and not handed_over:
            handed_over = True
            for seat, somebody in enumerate(people):
                somebody.page.evaluate(LET_A_BOT_PLAY, [table["id"], seat])
            if watch is not None:
                watch_for(watch, people[0])
                come_back_later(table, *people)
        assert time.monotonic() < end, people[0].get(f"/tables/{table['id']}")
        before = turn
        for somebody in people:
            turn += somebody.choose_by_keyboard(turn) if by_keyboard else somebody.choose(turn)
        if turn == before:
            people[0].page.wait_for_timeout(10)
    for somebody in people:
        expect(somebody.page.locator(".result")).to_be_visible()


def watch_for(moves: int, somebody: Somebody) -> None:
    """Watches so many moves, or to the end."""
    page = somebody.page
    ply = int(page.locator(".felt").get_attribute("data-ply") or 0)
    page.wait_for_function(SHOWN, arg=ply + moves, polling=100)


def come_back_later(table: dict[str, Any], *people: Somebody) -> None:
    """Leaves a table that bots play at, and comes back to see the result."""
    for somebody in people:
        somebody.page.goto("/about")
    people[0].await_end(table)
    for somebody in people:
        somebody.page.goto(f"/t/{table['id']}")
        expect(somebody.page.locator(".result")).to_be_visible()


def sit_by_link(friend: Somebody, table: dict[str, Any], name: str) -> None:
    """Follows an invitation and sits down with a name."""
    page = friend.page
    page.goto(table["invite"])
    page.get_by_role("button", name="Sit here").first.click()
    page.get_by_role("textbox", name="Your name").fill(name)
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_role("button", name="Leave seat")).to_be_visible()


def begin(host: Somebody, *people: Somebody) -> None:
    """Starts the match that all of them wait for."""
    host.page.get_by_role("button", name="Start").click()
    for somebody in (host, *people):
        expect(somebody.page.get_by_role("region", name="The table", exact=True)).to_be_visible()


def ply_of(somebody: Somebody, table: dict[str, Any]) -> int:
    """Tells how far the server is."""
    ply: int = somebody.get(f"/tables/{table['id']}")["ply"]
    return ply


@pytest.mark.parametrize("game", games())
def test_two_browsers_play_a_whole_match(arrive: Arrive, served: Served, game: str) -> None:
    served.await_game(game)
    mia, jonas = arrive("Mia"), arrive(None, viewport=PHONE, color_scheme="dark")
    bots, options = SHORT.get(game, (1, {}))
    table = mia.open_table(game, "me", "open", *["bot:2"] * bots, options=options)
    sit_by_link(jonas, table, "Jonas")
    expect(mia.page.get_by_text("Jonas", exact=True)).to_be_visible()
    begin(mia, jonas)
    play_out(table, mia, jonas, watch=0)
    check_result(table, game, mia, jonas)
    mia.page.get_by_role("button", name="Play again").click()
    expect(mia.page).not_to_have_url(re.compile(table["id"]))
    jonas.page.get_by_role("button", name="Join rematch").click()
    expect(jonas.page).to_have_url(re.compile(mia.page.url.rsplit("/", 1)[1]))


@pytest.mark.slow
@pytest.mark.parametrize("by_keyboard", [False, True])
@pytest.mark.parametrize("game", games())
def test_a_person_plays_every_decision_to_the_end(
    arrive: Arrive, served: Served, game: str, by_keyboard: bool
) -> None:
    served.await_game(game)
    mia = arrive("Mia")
    bots, options = SHORT.get(game, (1, {}))
    table = mia.open_table(game, "me", *["bot:2"] * bots, options=options)
    expect(mia.page.get_by_role("region", name="The table", exact=True)).to_be_visible()
    play_out(table, mia, by_keyboard=by_keyboard, most=10**6)
    check_result(table, game, mia)


def check_result(table: dict[str, Any], game: str, *people: Somebody) -> None:
    """Looks at what everybody sees at the end."""
    over = people[0].get(f"/tables/{table['id']}")
    for somebody in people:
        totals = somebody.page.locator(".result .total").all_inner_texts()
        assert sorted(int(text.split()[0]) for text in totals) == sorted(over["scores"])
        somebody.check_access(f"result of {game}")
        somebody.check_width()


@pytest.mark.parametrize("game", games())
def test_axe_finds_nothing_at_a_table(arrive: Arrive, served: Served, game: str) -> None:
    served.await_game(game)
    mia = arrive()
    mia.open_table(game, "me", "bot:1", "bot:1")
    for turn in range(3):
        expect(mia.page.locator(".banner.yours")).to_be_visible()
        mia.choose(turn)
    for scheme, screen in ((a, b) for a in SCHEMES for b in (DESK, PHONE)):
        mia.page.set_viewport_size(screen)
        mia.page.emulate_media(color_scheme=scheme)
        mia.page.reload()
        expect(mia.page.get_by_role("region", name="The table", exact=True)).to_be_visible()
        mia.check_access(f"{game}, {scheme}, {screen['width']} px")
        mia.check_width()


@pytest.mark.parametrize("game", games())
def test_a_match_is_played_by_keyboard_alone(arrive: Arrive, served: Served, game: str) -> None:
    served.await_game(game)
    mia = arrive()
    bots, options = SHORT.get(game, (1, {}))
    table = mia.open_table(game, "me", *["bot:2"] * bots, options=options)
    expect(mia.page.get_by_role("region", name="The table", exact=True)).to_be_visible()
    play_out(table, mia, by_keyboard=True, watch=30)


def test_a_reload_in_mid_match_goes_on_where_it_was(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia = arrive()
    mia.open_table(GAME, "me", "me:Opa")
    mia.page.get_by_role("button", name="show my cards").click()
    mia.play()
    cover = mia.page.get_by_role("heading", name="Pass the device")
    expect(cover).to_be_visible()
    said = cover.inner_text()
    mia.page.reload()
    expect(mia.page.get_by_role("heading", name=said)).to_be_visible()


def test_two_people_at_one_device_do_not_see_each_others_cards(
    arrive: Arrive, served: Served
) -> None:
    served.await_game(GAME)
    mia = arrive()
    table = mia.open_table(GAME, "me", "me:Opa")
    page = mia.page
    seen = set()
    for _ in range(6):
        cover = page.get_by_role("heading", name="Pass the device")
        expect(cover).to_be_visible()
        expect(page.get_by_role("region", name="The table", exact=True)).to_have_count(0)
        expect(page.get_by_role("complementary")).to_have_count(0)
        seen.add(cover.inner_text())
        page.get_by_role("button", name="show my cards").click()
        expect(page.get_by_role("region", name="The table", exact=True)).to_be_visible()
        seat = mia.get(f"/tables/{table['id']}")["to_act"]
        while mia.get(f"/tables/{table['id']}")["to_act"] == seat:
            mia.choose()
            page.wait_for_timeout(50)
    assert seen == {"Pass the device to Mia", "Pass the device to Opa"}


def test_a_lost_connection_is_said_and_comes_back(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia, jonas = arrive("Mia"), arrive(None)
    table = mia.open_table(GAME, "me", "open")
    sit_by_link(jonas, table, "Jonas")
    begin(mia, jonas)
    mia.context.set_offline(True)
    expect(mia.page.locator(".banner.lost")).to_contain_text("You are offline")
    expect(mia.page.locator(".stale")).to_be_visible()
    expect(mia.page.locator(".bar ul button:enabled")).to_have_count(0)
    if jonas.is_asked():
        jonas.play()
    mia.context.set_offline(False)
    expect(mia.page.locator(".banner.lost")).to_have_count(0)
    expect(mia.page.locator(".stale")).to_have_count(0)
    other = jonas if jonas.is_asked() else mia
    before = ply_of(mia, table)
    other.play()
    expect(mia.page.locator("aside li")).to_have_count(before + 1)


def test_two_tabs_of_one_seat_stay_in_step(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia = arrive()
    mia.open_table(GAME, "me", "bot:1", "bot:1")
    twin = mia.open_tab()
    twin.goto(mia.page.url)
    expect(mia.page.locator(".banner.yours")).to_be_visible()
    expect(twin.locator(".banner.yours")).to_be_visible()
    expect(twin).to_have_title(re.compile("Your move"))
    mia.page.bring_to_front()
    mia.play()
    for page in (mia.page, twin):
        expect(page.locator("aside li").first).to_be_visible()
    mia.page.wait_for_timeout(1500)
    logs = [page.locator("aside li").all_inner_texts() for page in (mia.page, twin)]
    assert logs[0] == logs[1]


def test_a_spectator_sees_no_cards_and_can_press_nothing(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia, stranger = arrive("Mia"), arrive(None)
    table = mia.open_table(GAME, "me", "bot:1", access="listed")
    stranger.page.goto(table["invite"] or f"/t/{table['id']}")
    expect(stranger.page.get_by_text("watching", exact=True)).to_be_visible()
    expect(stranger.page.get_by_role("region", name="The table", exact=True)).to_be_visible()
    expect(stranger.page.locator(".banner.yours")).to_have_count(0)
    expect(stranger.page.locator(".bar")).to_have_count(0)
    assert stranger.get(f"/tables/{table['id']}/positions/0")["view"]["legal"] == []


def test_a_finished_match_is_watched_again_through_any_eyes(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia, stranger = arrive("Mia"), arrive(None)
    table = mia.open_table(GAME, "me", "bot:1")
    play_out(table, mia)
    page = mia.page
    page.get_by_role("button", name="Replay").click()
    plies = ply_of(mia, table)
    slider = page.get_by_role("slider", name="Position")
    expect(slider).to_have_value("0")
    slider.fill(str(plies // 2))
    expect(page).to_have_url(re.compile(f"ply={plies // 2}"))
    eyes = page.get_by_role("combobox", name="View")
    assert eyes.locator("option").all_inner_texts()[0] == "Everything revealed"
    eyes.select_option(label="Spectator’s view")
    page.get_by_role("button", name="Next move").click()
    expect(slider).to_have_value(str(plies // 2 + 1))
    # The address leads a stranger who has the key to the same position.
    key = table["invite"].split("?")[1] if table["invite"] else ""
    stranger.page.goto(f"/t/{table['id']}?{key}&ply=3")
    expect(stranger.page.get_by_role("slider", name="Position")).to_have_value("3")
    page.get_by_role("button", name="Show result").click()
    expect(page.locator(".result")).to_be_visible()


def test_an_entry_of_the_log_leads_to_its_position(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia = arrive()
    mia.open_table(GAME, "me", "bot:1", "bot:1")
    page = mia.page
    expect(page.locator(".banner.yours")).to_be_visible()
    mia.play()
    entry = page.locator("aside li button").first
    said = entry.inner_text().strip()
    entry.click()
    expect(page.locator(".banner")).to_contain_text(said)
    expect(page.locator(".bar ul button:enabled")).to_have_count(0)
    page.get_by_role("button", name="Back to the match").click()
    expect(page.get_by_role("button", name="Back to the match")).to_have_count(0)


def test_people_talk_and_ask_for_hints(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia, jonas = arrive("Mia"), arrive(None)
    table = mia.open_table(GAME, "me", "open")
    sit_by_link(jonas, table, "Jonas")
    begin(mia, jonas)
    for somebody in (mia, jonas):
        somebody.page.get_by_role("button", name="Chat").first.click()
    mia.page.get_by_role("textbox", name="Message").fill("Good luck <b>all</b>")
    mia.page.get_by_role("button", name="Send", exact=True).click()
    expect(jonas.page.get_by_text("Good luck <b>all</b>")).to_be_visible()
    asked = mia if mia.is_asked() else jonas
    asked.page.get_by_role("button", name="Hint").first.click()
    expect(asked.page.get_by_role("heading", name="Suggested moves")).to_be_visible()
    asked.page.get_by_role("button", name="Play this").first.click()
    expect(asked.page.get_by_role("heading", name="Suggested moves")).to_have_count(0)


def test_a_bot_stands_in_and_the_seat_is_taken_back(arrive: Arrive, served: Served) -> None:
    served.await_game(GAME)
    mia, jonas = arrive("Mia"), arrive(None)
    table = mia.open_table(GAME, "me", "open")
    sit_by_link(jonas, table, "Jonas")
    begin(mia, jonas)
    mia.page.get_by_role("button", name="Table").first.click()
    mia.page.get_by_role("button", name="Let a bot play for Mia").click()
    expect(mia.page.locator(".banner")).to_contain_text("A bot is playing for you")
    mia.page.get_by_role("button", name="Take my seat back").first.click()
    expect(mia.page.locator(".banner")).not_to_contain_text("A bot is playing for you")
    jonas.page.get_by_role("button", name="Table").first.click()
    jonas.page.get_by_role("button", name="Leave Jonas’s seat").click()
    jonas.page.get_by_role("button", name="Leave", exact=True).click()
    expect(jonas.page.get_by_text("watching", exact=True)).to_be_visible()


def test_who_came_back_by_home_and_leaves_a_seat_goes_on_watching(
    arrive: Arrive, served: Served
) -> None:
    served.await_game(GAME)
    mia, jonas = arrive("Mia"), arrive(None)
    table = mia.open_table(GAME, "me", "open")
    sit_by_link(jonas, table, "Jonas")
    begin(mia, jonas)
    page = jonas.page
    page.get_by_role("link", name="Home").click()
    page.locator("a.row").click()
    expect(page).to_have_url(re.compile(f"/t/{table['id']}$"))
    page.get_by_role("button", name="Table").first.click()
    page.get_by_role("button", name="Leave Jonas’s seat").click()
    page.get_by_role("button", name="Leave", exact=True).click()
    expect(page.get_by_text("watching", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="The table", exact=True)).to_be_visible()


# Whether the bubble is whole: inside the screen, and nothing lies before it at any corner.
WHOLE = """bubble => {
    const { left, right, top, bottom } = bubble.getBoundingClientRect();
    const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return inside && corners.every(([a, b]) => bubble.contains(
        document.elementFromPoint(a + Math.sign(x - a) * 6, b + Math.sign(y - b) * 6)));
}"""


@pytest.mark.parametrize("game", ["fox-grove", "slyest-fox"])
def test_why_a_card_cannot_be_played_is_read_in_full(
    arrive: Arrive, served: Served, game: str
) -> None:
    served.await_game(game)
    mia = arrive()
    mia.open_table(game, "me", "bot:1", "bot:1")
    barred = mia.page.locator(".hand button.card.dim")
    end = time.monotonic() + LONG
    while not barred.count():
        assert time.monotonic() < end
        mia.choose()
        mia.page.wait_for_timeout(50)
    mia.page.get_by_role("button", name="Close", exact=True).click()
    for screen in (DESK, PHONE):
        mia.page.set_viewport_size(screen)
        for card in (barred.first, barred.last):
            card.scroll_into_view_if_needed()
            card.click(position={"x": 8, "y": 20}, force=True)  # aria-disabled, yet it answers
            bubble = mia.page.locator("[popover]")
            expect(bubble).to_be_visible()
            assert bubble.evaluate(WHOLE), f"{bubble.inner_text()!r} on {screen}"
            mia.page.keyboard.press("Escape")
            expect(bubble).to_have_count(0)
