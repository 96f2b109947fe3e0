"""What a server compiles and loads, and when."""

import asyncio
import gc
from pathlib import Path

import pytest

from foxden.games import NAMES
from foxden.server import compiling
from foxden.server.compiling import Compiling


@pytest.mark.anyio
async def test_a_started_server_loads_first_what_somebody_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    ready: list[str] = []
    monkeypatch.setattr(compiling, "COMPILE", "when-asked")
    monkeypatch.setattr(compiling, "HEAD_START", 0.05)
    monkeypatch.setattr(compiling, "stamp", lambda game: tmp_path)  # all were compiled before
    monkeypatch.setattr(compiling, "prepare", lambda game: loaded.append(game.name))
    monkeypatch.setattr(gc, "freeze", lambda: None)
    games = Compiling(ready.append, lambda: True)
    running = asyncio.create_task(games.run())
    await asyncio.sleep(0)
    assert not loaded  # those who come first have the processor for themselves
    games.want(NAMES[-1])
    await running
    assert loaded == ready == [NAMES[-1], *NAMES[:-1]]
    assert all(map(games.is_ready, NAMES))
