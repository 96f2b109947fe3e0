"""What keeps strangers out: origins, cookies, policies, rates and sizes."""

import asyncio
import json
from pathlib import Path

import pytest
import websockets

from foxden.server.config import Config
from foxden.server.limits import RATES, Limits
from foxden.server.problems import Refusal
from tests.server.server import Person, Seat, Served, serving


def test_pages_of_other_sites_get_nothing_done(served: Served, mia: Person) -> None:
    foreign = {"Origin": "https://evil.example"}
    answer = mia.http.post("/me/link", headers=foreign)
    assert answer.status_code == 403
    assert mia.http.post("/people", json={"name": "X"}, headers={"Origin": "null"}).is_error
    assert mia.http.post("/me/link", headers={"Origin": served.address}).is_success
    table = mia.open_table()

    async def knock() -> None:
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with mia.connect(table["id"], headers=foreign):
                pass
        assert refused.value.response.status_code == 403
        own = {"Origin": served.address}
        async with mia.connect(table["id"], headers=own) as socket:
            await Seat(socket).expect("sync")

    asyncio.run(knock())


def test_every_answer_carries_the_policy(mia: Person) -> None:
    for path in ("/games", "/tables/nothing", "/health"):
        headers = mia.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe-eval" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_cookies_are_out_of_reach_and_secure_behind_tls(served: Served) -> None:
    def cookie(**headers: str) -> str:
        person = Person(served, None)
        answer = person.http.post("/people", json={"name": "Mia"}, headers=headers)
        return answer.headers["set-cookie"].lower()

    plain = cookie()
    assert "httponly" in plain
    assert "samesite=lax" in plain
    assert "secure" not in plain
    assert "secure" in cookie(**{"X-Forwarded-Proto": "https"})


def test_too_much_too_long_and_too_often_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, FOXDEN_SOCKETS_PER_PERSON="3") as served:
        mia = Person(served)
        long = mia.http.post("/people", content=b"x" * 70_000)
        assert (long.status_code, long.json()["type"]) == (413, "/problems/too-long")
        table = mia.open_table("happy-fox", "me", "me", access="listed")
        for _ in range(30):
            answer = mia.post("/me/link")
        assert answer.status_code == 429
        assert answer.json()["type"] == "/problems/too-many-requests"
        assert int(answer.headers["retry-after"]) >= 1

        async def flood() -> None:
            async with mia.sit(table["id"]) as one, mia.sit(table["id"]), mia.sit(table["id"]):
                with pytest.raises(websockets.InvalidStatus) as refused:
                    async with mia.connect(table["id"]):
                        pass
                assert refused.value.response.status_code == 429
                for _ in range(12):
                    answer = await one.ask("say", text="hello")
                assert answer["problem"]["status"] == 429
                flooding = asyncio.create_task(ping_forever(one))
                refusal = await one.expect("refused")
                flooding.cancel()
                assert refusal["problem"]["status"] == 429
                one.socket.transport.abort()  # a goodbye would be read after all that was sent
            async with mia.sit(table["id"]) as one:
                await one.socket.send("x" * 5000)
                await one.socket.wait_closed()
                assert one.socket.close_code == 1009

        async def ping_forever(seat: Seat) -> None:
            while True:
                await seat.socket.send(json.dumps({"type": "ping"}))

        asyncio.run(flood())


def test_a_bucket_runs_dry_and_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("foxden.server.limits.time.monotonic", lambda: now)
    limits = Limits(Config())
    rate = RATES["request"]
    for _ in range(int(rate.burst)):
        limits.spend("request", "person a")
    with pytest.raises(Refusal) as refused:
        limits.spend("request", "person a")
    assert refused.value.status == 429
    assert refused.value.retry == pytest.approx(1 / rate.per_second)
    limits.spend("request", "person b")
    limits.sweep()
    now += 1.001 / rate.per_second
    limits.spend("request", "person a")
    now += rate.burst / rate.per_second
    limits.sweep()
    for _ in range(int(rate.burst)):
        limits.spend("request", "person a")
