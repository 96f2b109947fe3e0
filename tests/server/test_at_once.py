"""A server with nothing compiled: every game can be played at once."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import foxden
from foxden.games import NAMES
from tests.server.server import COMPILED, Person, Served, serving


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("cold")
    settings = {"FOXDEN_LIMITS": "false", "FOXDEN_CACHE": str(folder / "cache"), **COMPILED}
    with serving(folder / "data", **settings) as one:
        yield one


@pytest.mark.parametrize("game", NAMES[-2:])  # those that take longest to compile
def test_a_decision_is_there_before_anything_is_compiled(cold: Served, game: str) -> None:
    mia = Person(cold, "Mia")
    seats = ["me"] + [f"bot:{level % 5 + 1}" for level in range(foxden.game(game).about.usual - 1)]
    table = mia.open_table(game, *seats)
    assert table["status"] == "running"
    dice = random.Random(1)

    async def play() -> str:
        async with mia.sit(table["id"]) as seat:
            for _ in range(3):
                while not (seat.view and seat.view["legal"]):
                    await seat.take()
                ready = mia.get(f"/games/{game}").json()["ready"]
                assert ready < 1
                answer = await seat.play(dice.choice(seat.view["legal"])["id"])
                assert answer["type"] == "done"
            while not (seat.view and seat.view["legal"]):
                await seat.take()
            answer = await seat.ask("hint")
            return str(answer["problem"]["type"])

    assert asyncio.run(play()) == "/problems/compiling"
