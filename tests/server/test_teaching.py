"""Lessons and remarks over HTTP."""

import asyncio

import httpx
import pytest

import foxden
from foxden.lessons import has_lesson
from foxden.server import teaching
from foxden.server.app import rest


def get(path: str, **headers: str) -> httpx.Response:
    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app=rest())
        async with httpx.AsyncClient(transport=transport, base_url="http://foxden") as client:
            return await client.get(f"/api/games/{path}", headers=headers)

    return asyncio.run(asked())


@pytest.mark.parametrize("name", [n for n in foxden.games() if has_lesson(foxden.game(n))])
def test_a_lesson_goes_out_whole_and_remarks_beside_it(name: str) -> None:
    answer = get(f"{name}/lesson")
    assert answer.status_code == 200
    lesson = answer.json()
    assert lesson["game"] == name
    assert lesson["steps"][0]["frames"][0]["view"]["seat"] == lesson["seat"]
    assert int(answer.headers["content-length"]) < 60_000
    plain = get(f"{name}/lesson", **{"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == lesson
    assert get(f"{name}/remarks").json()[0]["say"]


def test_what_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert get("chess/lesson").status_code == 404
    assert get("chess/remarks").status_code == 404
    monkeypatch.setattr(teaching, "has_lesson", lambda game: False)
    answer = get("happy-fox/lesson")
    assert answer.status_code == 404
    assert answer.json()["type"] == "/problems/not-found"
