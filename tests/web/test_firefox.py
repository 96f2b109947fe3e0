"""A whole match of each game in Firefox."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from foxden import games
from tests.server.server import Served
from tests.web.browser import LONG
from tests.web.firefox import Tab, started
from tests.web.test_tables import SHORT

pytestmark = pytest.mark.slow
POST = """fetch('/api{path}', {{ method: 'POST', body: JSON.stringify({body}),
    headers: {{ 'content-type': 'application/json' }} }}).then((answer) => answer.json())"""
# Plays from the list of all moves; tells what was found.
CHOOSE = """(() => {{
    if (document.querySelector('.result')) return 'over';
    const list = document.querySelector('.banner.yours') && document.querySelector('.bar');
    if (!list) return 'waits';
    list.open = true;
    const moves = [...list.querySelectorAll('ul button:enabled')];
    moves[{turn} % moves.length]?.click();
    return moves.length ? 'played' : 'waits';
}})()"""
SCORES = """[...document.querySelectorAll('.result .total')]
    .map((one) => parseInt(one.textContent))"""
BROKEN = "document.querySelector('.felt p')?.textContent === 'The board did not load.'"


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with started(tmp_path_factory.mktemp("firefox") / "profile") as tab:
        yield tab


def post(tab: Tab, path: str, body: dict[str, Any]) -> Any:
    return tab.evaluate(POST.format(path=path, body=json.dumps(body)))


@pytest.mark.parametrize("game", games())
def test_a_whole_match(tab: Tab, served: Served, game: str) -> None:
    served.await_game(game)
    tab.goto(served.address)
    post(tab, "/people", {"name": "Mia"})
    bots, options = SHORT.get(game, (1, {}))
    seats = [{"kind": "me"}, *[{"kind": "bot", "level": 2}] * bots]
    wanted = {"game": game, "seats": seats, "pace": "instant", "options": options}
    table = post(tab, "/tables", wanted)
    tab.goto(f"{served.address}/t/{table['id']}")
    end = time.monotonic() + LONG
    turn = 0
    while (found := tab.evaluate(CHOOSE.format(turn=turn))) != "over":
        assert time.monotonic() < end
        assert not tab.evaluate(BROKEN)
        turn += found == "played"
        time.sleep(0.01)
    scores = tab.evaluate(SCORES)
    over = tab.evaluate(f"fetch('/api/tables/{table['id']}').then((answer) => answer.json())")
    assert sorted(scores) == sorted(over["scores"])
