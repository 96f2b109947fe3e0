"""A server with the built client, and a browser that is gone before the next module begins."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from foxden.server.client import FOLDER
from tests.server.server import COMPILED, Served, serving
from tests.web.browser import Somebody, launch


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    if not (FOLDER / "index.html").is_file():
        pytest.fail("the client is not built: install Foxden, or run `scripts/npm run build`")
    settings = {"FOXDEN_LIMITS": "false", "FOXDEN_REVIEW_EFFORT": "0.05", **COMPILED}
    with serving(tmp_path_factory.mktemp("server"), **settings) as one:
        yield one


# As long as a module: Playwright's own loop would get in the way of tests that run one.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def arrive(browser: Browser, served: Served) -> Iterator[Callable[..., Somebody]]:
    """Lets somebody come in; at the end all leave, and no page may have failed."""
    people: list[Somebody] = []

    def come(name: str | None = "Mia", **context: Any) -> Somebody:
        people.append(Somebody(browser, served, name, **context))
        return people[-1]

    yield come
    for somebody in people:
        somebody.leave()
