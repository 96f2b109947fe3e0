"""Positions of real play, laid on the table page by a server that is only pretended."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, ViewportSize, WebSocketRoute

from tests.web.browser import STILL

FIXTURES = Path(__file__).parents[2] / "web" / "fixtures"
SCREENS: list[ViewportSize] = [
    {"width": width, "height": height}
    for width, height in ((1366, 657), (1280, 800), (1920, 1080), (768, 1024), (360, 740))
]
# A board is fitted to its room in the frame after the room has changed.
DRAWN = """async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    for (let i = 0; i < 4; i++) await frame();
}"""
# What people need each turn, by name. A hand may scroll sideways. Each must lie within the screen,
# and nothing may lie over its middle.
HIDDEN = """(phone) => {
    const wrong = [];
    const scrolls = (one) => one.closest('.sideways');
    const within = (what, one) => {
        let { left, right, top, bottom, width, height } = one.getBoundingClientRect();
        if (!width || !height || getComputedStyle(one).visibility === 'hidden') return;
        const hand = scrolls(one);
        if (hand) {
            const frame = hand.getBoundingClientRect();
            left = Math.max(left, frame.left);
            right = Math.min(right, frame.right);
            if (right - left < 12) return;
        }
        const words = one.getAttribute('aria-label') || one.textContent.trim().slice(0, 40);
        const named = `${what} “${words || one.className}”`;
        if (top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1)
            return wrong.push(`${named}: ${Math.round(top)}–${Math.round(bottom)}`);
        const x = Math.max(1, Math.min(innerWidth - 1, (left + right) / 2));
        for (const y of hand ? [top + 6, (top + bottom) / 2, bottom - 6] : [(top + bottom) / 2]) {
            const over = document.elementFromPoint(x, y);
            const cover = over?.matches('.cover') && over.parentElement.contains(one);
            if (over && !cover && !one.contains(over) && !over.contains(one) && !scrolls(over))
                return wrong.push(`${named} under ${over.tagName}.${over.className} at ${y}`);
        }
    };
    const inSight = (one) => {
        const { left, right, top, bottom, width } = one.getBoundingClientRect();
        const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return width > 0 && top >= 0 && bottom <= innerHeight && one.contains(over);
    };
    const all = (what, where) => {
        for (const one of document.querySelectorAll(where)) within(what, one);
    };
    all('question', '.banner');
    const running = !document.querySelector('.felt.over');
    const aside = 'details *, [data-aside], [data-aside] *, .possible, .possible *';
    const besides = phone ? aside : 'details *';
    if (running) all('answer', `.felt button:enabled:not(${besides})`);
    if (running) all('hand', `.felt .sideways .card${phone ? ':not([data-aside] *)' : ''}`);
    if (running && !phone) {
        all('mine', '.felt [data-mine]');
        all('seat', '.felt .badge');
        if (document.querySelector('.banner.yours') && !document.querySelector('.felt [data-mine]'))
            wrong.push('nothing is marked as the own goods');
    }
    const near = [...document.querySelectorAll('.felt [data-mine="phone"]')];
    if (running && phone && near.length && !near.some(inSight))
        wrong.push('the own goods are hidden');
    const felt = document.querySelector('.felt');
    for (const one of document.querySelectorAll('.felt .lost'))
        if (one.getBoundingClientRect().top < felt.getBoundingClientRect().top - 1)
            wrong.push(`“${one.textContent}” lies over the head`);
    for (const one of document.querySelectorAll('.felt .badge .name > :first-child'))
        if (one.clientWidth && one.scrollWidth > one.clientWidth + 1)
            wrong.push(`the name “${one.textContent}” is cut`);
    const room = document.querySelector('.middle');
    if (running && !phone && room.scrollHeight > room.clientHeight + 1)
        wrong.push(`the table is ${room.scrollHeight - room.clientHeight} px too tall`);
    if (running && !phone && felt.scrollHeight > felt.clientHeight + 1)
        wrong.push(`the board is ${felt.scrollHeight - felt.clientHeight} px too tall`);
    if (document.documentElement.scrollHeight > innerHeight)
        wrong.push(`the page scrolls by ${document.documentElement.scrollHeight - innerHeight} px`);
    return wrong;
}"""


def fixtures(game: str) -> list[dict[str, Any]]:
    """Reads a game's recorded positions."""
    found: list[dict[str, Any]] = json.loads((FIXTURES / f"{game}.json").read_text("utf-8"))
    return found


class Table:
    """The page of one table, which shows whatever position it is told."""

    def __init__(self, page: Page, game: str, title: str) -> None:
        self.page, self.game, self.title = page, game, title
        self.socket: WebSocketRoute | None = None
        page.route_web_socket("**/api/tables/*/live*", self._meet)
        page.goto("/t/pretended")
        while self.socket is None:
            page.wait_for_timeout(20)

    def _meet(self, socket: WebSocketRoute) -> None:
        self.socket = socket
        socket.on_message(lambda _: None)

    def show(self, position: dict[str, Any]) -> None:
        """Lays a position on the table."""
        view = position["view"]
        running = view["to_act"] is not None
        now = time.time()
        seats = [
            {
                "seat": seat,
                "kind": "person" if seat == view["seat"] else "bot",
                "name": name,
                "level": None if seat == view["seat"] else 3,
                "standin": False,
                "resigned": False,
                "mine": seat == view["seat"],
                "here": True,
                "replace_in": None,
                "voice": None,
            }
            for seat, name in enumerate(view["names"])
        ]
        table = {
            "id": "pretended",
            "game": self.game,
            "title": self.title,
            "status": "running" if running else "over",
            "seats": seats,
            "ply": view["ply"],
            "to_act": view["to_act"],
            "options": view["options"],
            "parts": {},
            "access": "link",
            "watch": "anyone",
            "clock": {"kind": "none"},
            "pace": "brisk",
            "hints": True,
            "host": True,
            "invite": None,
            "begin_in": None,
            "grace": 60,
            "muted": [],
            "rematch": None,
            "rules_version": 1,
            "scores": view.get("scores"),
            "winners": view.get("winners"),
            "seed": None,
            "seed_hash": "",
            "watchers": 0,
            "created": now,
            "changed": now,
            "undone": 0,
            "can_undo": running,
        }
        sync = {
            "type": "sync",
            "table": table,
            "seat": view["seat"],
            "view": view,
            "log": position["log"],
            "chat": [],
            "clock": {"now": now, "due": None, "left": []},
            "decided": running,
        }
        assert self.socket is not None
        self.socket.send(json.dumps(sync))
        self.page.wait_for_function(
            "ply => document.querySelector('.felt')?.dataset.ply === String(ply)", arg=view["ply"]
        )

    def hidden(self, screen: ViewportSize) -> list[str]:
        """Names what is needed and cannot be seen on a screen."""
        self.page.set_viewport_size(screen)
        self.page.evaluate(DRAWN)
        self.page.wait_for_function(STILL)
        found: list[str] = self.page.evaluate(HIDDEN, screen["width"] < 720)
        return found
