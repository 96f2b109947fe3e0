"""One server for the tests that do no harm to it."""

from collections.abc import Iterator

import pytest

import foxden
from foxden.bots import preparing
from foxden.engine.kernel import COMPILE
from tests.server.server import COMPILED, Person, Served, serving


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    settings = {"FOXDEN_LIMITS": "false", "FOXDEN_REVIEW_EFFORT": "0.05", **COMPILED}
    with serving(tmp_path_factory.mktemp("server"), **settings) as one:
        one.await_game("happy-fox")
        yield one


@pytest.fixture(scope="session")
def compiled() -> None:
    """The game that tests inside of this process play, bots included."""
    if COMPILE != "never":
        preparing.prepare(foxden.game("happy-fox"))


@pytest.fixture
def mia(served: Served) -> Person:
    return Person(served, "Mia")


@pytest.fixture
def ben(served: Served) -> Person:
    return Person(served, "Ben")
