"""Foxden as an app: it can be installed, opens without a server, and never stays an old one."""

from __future__ import annotations

import http.server
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page

from foxden.server.client import FOLDER
from tests.server.server import PATIENCE, Served
from tests.web.browser import Somebody, expect

Arrive = Callable[..., Somebody]
CONTROLLED = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
RENEWED = "caches.keys().then((names) => names.join().startsWith('foxden-new-'))"
SCRIPT = "document.querySelector('script[type=module]').getAttribute('src')"


def test_what_an_installation_needs_is_served(served: Served) -> None:
    manifest = httpx.get(f"{served.address}/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    told = manifest.json()
    assert {"name", "start_url", "display", "icons"} <= told.keys()
    for icon in told["icons"]:
        answer = httpx.get(served.address + icon["src"])
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":  # width and height are in its head
            size = "x".join(str(int.from_bytes(answer.content[at : at + 4])) for at in (16, 20))
            assert size == icon["sizes"]
    assert any(icon.get("purpose") == "maskable" for icon in told["icons"])
    worker = httpx.get(f"{served.address}/sw.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-cache"
    shell = json.loads(worker.text.split("const SHELL = ")[1].split(";")[0])
    for path in shell:
        assert httpx.get(served.address + path).status_code == 200
    assert {"/", "/fox.svg", "/manifest.webmanifest"} < set(shell)


def test_the_shell_opens_without_a_server_and_says_what_is_missing(arrive: Arrive) -> None:
    mia = arrive("Mia", service_workers="allow")
    page = mia.page
    page.goto("/")
    until(page, CONTROLLED)
    mia.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_role("heading", name="Come in, sit down.")).to_be_visible()
    expect(page.get_by_text("No connection. Reconnecting…")).to_be_visible()
    page.goto("/guide/happy-fox")
    expect(page.get_by_text("This page needs the server.")).to_be_visible()
    mia.context.set_offline(False)
    page.goto("/")
    expect(page.get_by_role("button", name="Play Happy Fox")).to_be_visible()


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves a folder as Foxden does: every page is index.html, and nothing is kept unasked."""

    def do_GET(self) -> None:
        if self.path.startswith("/api/"):
            self.send_error(503)
            return
        if "." not in self.path:
            self.path = "/index.html"
        super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A copy of the client at an address of its own."""
    folder = shutil.copytree(FOLDER, tmp_path / "client")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Files, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", folder
    server.shutdown()
    server.server_close()


def until(page: Page, promised: str) -> None:
    """Waits until a promise is kept with something true."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(promised):
        assert time.monotonic() < end, promised
        page.wait_for_timeout(50)


def upgrade(folder: Path) -> str:
    """Puts another client in the place of the one that is served; returns its script."""
    page = (folder / "index.html").read_text("utf-8")
    old = page.split('type="module"')[1].split('src="')[1].split('"')[0]
    new = old.replace(".js", "-new.js")
    (folder / old[1:]).rename(folder / new[1:])
    for name in ("index.html", "sw.js"):
        file = folder / name
        file.write_text(file.read_text("utf-8").replace(old, new).replace("foxden-", "foxden-new-"))
    return new


def test_a_page_that_stays_open_is_never_an_old_client(
    browser: Browser, shown: tuple[str, Path]
) -> None:
    address, folder = shown
    context = browser.new_context(base_url=address, service_workers="allow")
    page = context.new_page()
    page.goto("/about")
    until(page, CONTROLLED)
    old = page.evaluate(SCRIPT)
    new = upgrade(folder)
    assert new != old
    # Somebody comes back to the tab: the page finds out and loads itself anew.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function(f"{SCRIPT} === {json.dumps(new)}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    # The new shell replaces the kept one, of which nothing remains.
    until(page, RENEWED)
    context.set_offline(True)
    page.goto("/about")
    assert page.evaluate(SCRIPT) == new
    context.close()
