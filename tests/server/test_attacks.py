"""What a determined stranger sends: it is refused clearly, costs little, and breaks nothing."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import stat
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from foxden.server import config as config_module
from foxden.server.config import OTHERS, PREFIX, BadConfig, Config, check_names, read_config
from foxden.server.people import COOKIE
from foxden.server.requests import LONGEST_COOKIES, own_cookie
from tests.server.server import Person, Seat, Served

SOURCES = Path(config_module.__file__).parents[1]


# The secret


def test_a_full_disk_at_the_first_start_leaves_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    config = Config(data=tmp_path / "data")
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", full)
        with pytest.raises(BadConfig, match="No space left"):
            config.find_secret()
    assert list((tmp_path / "data").iterdir()) == []
    kept = config.find_secret()
    assert len(kept) > 30
    assert config.find_secret() == kept
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["secret"]
    assert stat.S_IMODE((tmp_path / "data" / "secret").stat().st_mode) == 0o600


@pytest.mark.parametrize("kept", ["", "\n", "tooshort", "a" * 40, "\xff\xfe"])
def test_a_weak_secret_is_refused_at_the_start(kept: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(kept, encoding="latin-1")
    with pytest.raises(BadConfig, match="too weak"):
        Config(data=tmp_path).find_secret()
    assert (tmp_path / "secret").read_text(encoding="latin-1") == kept
    if kept.strip() and "\xff" not in kept:
        with pytest.raises(BadConfig, match="FOXDEN_SECRET is too weak"):
            Config(data=tmp_path, secret=kept).find_secret()


def test_two_first_starts_at_once_share_one_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = os.link

    def late(source: Any, target: Any) -> None:
        """Lets somebody else be first."""
        Path(target).write_text("the secret of another start")
        linked(source, target)

    monkeypatch.setattr(os, "link", late)
    assert Config(data=tmp_path).find_secret() == "the secret of another start"


# Settings


def test_a_misspelt_setting_is_refused_with_the_nearest_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOXDEN_PROXYS", "10.0.0.1")
    with pytest.raises(BadConfig, match=r"FOXDEN_PROXYS is not a setting. .*FOXDEN_PROXIES\?"):
        read_config(data=tmp_path)
    monkeypatch.delenv("FOXDEN_PROXYS")
    file = tmp_path / "foxden.toml"
    file.write_text("sockets_per_adress = 3")
    monkeypatch.setenv("FOXDEN_CONFIG", "")
    with pytest.raises(BadConfig, match=r"sockets_per_adress is not .* sockets_per_address\?"):
        read_config(file, data=tmp_path)


def test_every_name_that_foxden_reads_is_known() -> None:
    names = set()
    for file in SOURCES.rglob("*.py"):
        names |= set(re.findall(rf"{PREFIX}[A-Z_]+[A-Z]", file.read_text(encoding="utf-8")))
    assert len(names) > len(OTHERS) - 2
    check_names(names)


# Cookies


def _scope(*cookies: bytes) -> dict[str, Any]:
    return {"headers": [(b"cookie", value) for value in cookies]}


def test_our_own_cookie_is_read_among_others() -> None:
    name = COOKIE.encode()
    assert own_cookie(_scope()) is None
    assert own_cookie(_scope(name + b"=a.b-c_")) == "a.b-c_"
    assert own_cookie(_scope(b"x=1; " + name + b"=v; y=2")) == "v"
    assert own_cookie(_scope(b"x=1", b"y;" + name + b"=v")) == "v"
    assert own_cookie(_scope(b"x" + name + b"=v; " + name + b"2=v")) is None
    assert own_cookie(_scope(name + b"=" + b"v" * 501)) is None
    assert own_cookie(_scope(b"x=" + b"y" * LONGEST_COOKIES + b"; " + name + b"=v")) is None


COOKIES = {
    "backslashes": b'a="' + b"\\" * 60_000,
    "our name": b"foxden=" * 9_000,
    "semicolons": b";" * 60_000,
    "empty cookies": b"; " * 30_000 + b";",
    "spaces": b";" + b" " * 60_000 + b";",
    "one word": b"a" * 60_000,
    "escaped quotes": b'foxden="' + b'\\"' * 30_000,
}


@pytest.mark.parametrize("kind", COOKIES)
def test_a_cookie_of_any_kind_is_read_at_once(served: Served, kind: str) -> None:
    value = COOKIES[kind]
    began = time.process_time()
    assert own_cookie(_scope(value)) is None
    assert time.process_time() - began < 1.0  # it was 26 seconds
    answer = httpx.get(f"{served.address}/api/me", headers={b"Cookie": value})
    assert answer.status_code in (200, 400, 431)


# Messages and requests


DEEP = [
    "[" * 4000,
    '{"type":' * 500,
    '{"type":"ping","x":' + "[" * 3000,
    '{"type":"nothing","ref":4,"x":' + "[" * 3000 + "]" * 900,
    '{"type":"play","seat":0,"ply":0,"action":' + '{"a":' * 600 + "1" + "}" * 601,
]


@pytest.mark.parametrize("deep", DEEP, ids=range(len(DEEP)))
def test_a_deeply_nested_message_is_refused_and_the_socket_hears_on(mia: Person, deep: str) -> None:
    table = mia.open_table("happy-fox", "me", "me")

    async def work() -> None:
        async with mia.connect(table["id"]) as socket:
            seat = Seat(socket)
            await seat.expect("sync")
            for _ in range(3):
                await socket.send(deep)
                refused = await seat.expect("refused")
                assert refused["problem"]["type"] == "/problems/bad-message"
                assert (await seat.ask("ping"))["type"] == "pong"

    asyncio.run(work())
    assert _faults(mia.served) == 0


def _faults(served: Served) -> float:
    text = httpx.get(f"{served.address}/api/metrics").text
    return float(re.findall(r"^foxden_faults_total (\S+)", text, re.MULTILINE)[0])


BODIES = {
    "an option's name": '{"seats": 2, "options": {"\\ud800": 1}, "parts": {}}',
    "a part's name": '{"seats": 2, "options": {}, "parts": {"x\\udfff": {"y": 1}}}',
    "a value": '{"seats": 2, "options": {"unknown_four": "\\ud83d"}, "parts": {}}',
    "an unknown field": '{"seats": 2, "\\ud83dx": 1}',
    "deep options": '{"seats": 2, "options": {"x": ' + "[" * 400 + "]" * 400 + "}}",
    "deeper options": '{"seats": 2, "options": {"x": ' + '{"a":' * 950 + "1" + "}" * 951 + "}",
    "very deep": "[" * 60_000,
    "a long string that does not end": '"' + '\\"' * 30_000 + "[" * 40,
    "deep after a long string": '["' + "[" * 100 + '",' + "[" * 900 + "]" * 901,
    "a long number": '{"seats": 2, "options": {"x": ' + "9" * 5000 + "}}",
    "no number": '{"seats": 2, "options": {"x": NaN, "y": Infinity, "z": 1e999}}',
}


@pytest.mark.parametrize("what", BODIES)
def test_what_no_text_can_hold_is_refused(mia: Person, what: str) -> None:
    for body in (BODIES[what].encode(), BODIES[what].encode("utf-16")):
        began = time.monotonic()
        for path in ("/games/happy-fox/check", "/tables", "/people"):
            answer = mia.http.post(path, content=body, headers={"Content-Type": "application/json"})
            assert 400 <= answer.status_code < 500, answer.text
            assert answer.json()["detail"]
        assert time.monotonic() - began < 10
    raw = b'{"seats": 2, "options": {"\xed\xa0\x80": 1}}'
    answer = mia.http.post("/games/happy-fox/check", content=raw)
    assert answer.status_code == 400
    assert _faults(mia.served) == 0


def test_whole_pairs_of_surrogates_and_flat_lists_are_fine(mia: Person) -> None:
    mia.http.cookies.clear()  # somebody new
    body = '{"name": "Fox \\ud83e\\udd8a"}'
    answer = mia.http.post("/people", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 201
    assert answer.json()["name"] == "Fox 🦊"
    many = {"seats": 2, "options": {"x": [[]] * 200 + ["[" * 100]}}
    assert mia.post("/games/happy-fox/check", many).json()["type"] == "/problems/bad-option"


# Handshakes


async def _handshake(served: Served, *lines: str, key: str | None = None) -> bytes:
    at = urlsplit(served.address)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    head = [
        *lines,
        f"Host: {at.netloc}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key or base64.b64encode(os.urandom(16)).decode()}",
    ]
    writer.write(("\r\n".join(head) + "\r\n\r\n").encode("latin-1"))
    try:
        return await asyncio.wait_for(reader.read(), 30)
    finally:
        writer.close()


def test_refused_handshakes_are_answered_and_log_nothing(served: Served) -> None:
    before = len(served.log.read_text())
    path = "GET /api/tables/nothing/live HTTP/1.1"
    good = "Sec-WebSocket-Version: 13"
    tries: list[tuple[tuple[str, ...], str | None, bytes]] = [
        ((path, good, "Origin: https://evil.example"), None, b" 403 "),
        ((path, good), "short", b" 400 "),
        ((path, "Sec-WebSocket-Version: 12"), None, b" 400 "),
        ((path,), None, b" 400 "),
        (("POST /api/tables/nothing/live HTTP/1.1", good), None, b" 405 "),
        ((path, good, "X: " + "y" * 20_000), None, b" 431 "),
        ((path, good, "X: " + "y" * 12_000), None, b" 431 "),
        ((path, good, *[f"X{n}: y" for n in range(300)]), None, b" 431 "),
        ((f"GET /{'x' * 12_000} HTTP/1.1", good), None, b" 414 "),
        ((path, good, "Sec-WebSocket-Protocol: \xe9,,"), None, b" "),
        (("nonsense", good), None, b" 400 "),
        ((path, "Upgrade: h2c", "Connection: close", good), None, b" 426 "),
    ]

    async def work() -> None:
        for lines, key, status in tries:
            answer = await _handshake(served, *lines, key=key)
            assert status in answer.split(b"\r\n")[0], (lines[-1][:60], answer[:100])

    asyncio.run(work())
    time.sleep(0.2)
    told = served.log.read_text()[before:].splitlines()
    assert [line for line in told if "game ready" not in line] == []
    assert _faults(served) == 0
