"""What a server is asked in words that only look like numbers, or that no database keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import websockets

from tests.server.postgres import postgres
from tests.server.server import Person, Served, serving

TOKEN = "a-token-for-administrators"
ODD = ("%205", "+5", "%2B5", "5%0A", "05", "0_5", "5.0", "%D9%A5", "%C2%B2", "%EF%BC%95", "-0", "")


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def strict(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    where = ("--database", postgres().new_database()) if request.param == "postgres" else ()
    settings = {"FOXDEN_LIMITS": "false", "FOXDEN_ADMIN_TOKEN": TOKEN}
    with serving(tmp_path_factory.mktemp("strict"), *where, **settings) as one:
        yield one
        faults = httpx.get(f"{one.address}/api/metrics").text
        assert "foxden_faults_total 0.0" in faults


def refused(answer: httpx.Response, field: str | None = None) -> None:
    assert 400 <= answer.status_code < 500, answer.text
    told: dict[str, Any] = answer.json()
    assert told["type"].startswith("/problems/")
    if field is not None:
        assert told["field"] == field, told


def raw(person: Person, path: str, method: str = "GET", **more: Any) -> httpx.Response:
    """Asks for a path just as it stands there."""
    url = httpx.URL(f"{person.served.address}/api{path}")
    return person.http.request(method, url, **more)


@pytest.mark.parametrize("number", ODD)
def test_a_number_is_written_in_plain_digits(strict: Served, number: str) -> None:
    mia = Person(strict, "Mia")
    id = mia.open_table("happy-fox", "me", "bot:1")["id"]
    assert raw(mia, f"/tables/{id}/positions/0?seat=0").status_code == 200
    refused(raw(mia, f"/tables/{id}/positions/0?seat={number}"), "seat")
    refused(raw(mia, f"/tables/{id}/chat?before={number}"), "before")
    if number:
        refused(raw(mia, f"/tables/{id}/positions/{number}"), "ply")
        refused(raw(mia, f"/tables/{id}/reviews/{number}"), "seat")
        refused(raw(mia, f"/tables/{id}/chat/{number}", "DELETE"), "number")


@pytest.mark.anyio
@pytest.mark.parametrize("number", [n for n in ODD if n])
async def test_so_is_the_seat_of_a_socket(strict: Served, number: str) -> None:
    mia = Person(strict, "Mia")
    id = mia.open_table("happy-fox", "me", "bot:1")["id"]
    address = strict.address.replace("http", "ws", 1)
    async with websockets.connect(
        f"{address}/api/tables/{id}/live?seat={number}", additional_headers={"Cookie": mia.cookie}
    ) as socket:
        told = await socket.recv()
    assert '"type":"refused"' in str(told)
    assert '"field":"seat"' in str(told)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    "before",
    [
        *("1-%00", "1.0-%00", "nan-a", "inf-a", "1e5-a", "1_0.0-a", "-a", "1.0", "%D9%A5.0-a"),
        *("1.0-A", "+1.0-a", "1.0-a%0A", "9" * 40 + ".0-a"),
    ],
)
def test_a_page_begins_where_one_ended(strict: Served, before: str) -> None:
    mia = Person(strict, "Mia")
    refused(raw(mia, f"/tables?list=open&before={before}"), "before")
    assert raw(mia, "/tables?list=open&before=1.5-abc").status_code == 200


def test_house_rules_that_no_parser_takes_are_refused_by_name(strict: Served) -> None:
    mia = Person(strict, "Mia")
    deep = {"game": "fox-and-squirrels", "options": {"dares": "[" * 12_000}}
    long = {"game": "fox-grove", "parts": {f"tree.a.cost[{'1' * 5000}]": "5W"}}
    for asked, field in ((deep, "options.dares"), (long, "parts.tree")):
        seats = [{"kind": "me"}, {"kind": "bot"}]
        answers = [
            mia.post("/tables", {**asked, "seats": seats}),
            mia.post(
                f"/games/{asked['game']}/check",
                {"seats": 2, **{k: v for k, v in asked.items() if k != "game"}},
            ),
        ]
        for answer in answers:
            refused(answer)
            assert answer.json()["field"].startswith(field)


def test_what_no_database_keeps_is_refused_before_it_gets_there(strict: Served) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    admin = Person(strict, None)

    def ask(method: str, path: str, **more: Any) -> httpx.Response:
        return raw(admin, f"/admin{path}", method, headers=headers, **more)

    refused(ask("GET", "/people?name=%00"), "name")
    refused(ask("GET", f"/audit?before={2**63}"), "before")
    refused(ask("DELETE", f"/chat?table=abc&number={2**63}"), "number")
    refused(ask("POST", "/bans", json={"person": "a\0b"}), "person")
    for reason in ("a\0b", "a\nb"):
        refused(ask("POST", "/bans", json={"network": "192.0.2.0/24", "reason": reason}), "reason")
    assert ask("GET", "/bans").json() == []
    assert ask("GET", "/audit?before=5").status_code == 200
