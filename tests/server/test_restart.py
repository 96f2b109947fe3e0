"""Stopping and starting: goodbyes, matches that go on, tables of other rules, settings."""

import asyncio
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import foxden
from foxden.server.config import BadConfig, read_config
from tests.server.server import Person, serving, start


def test_a_stopped_server_says_goodbye_and_the_match_goes_on_after_it(tmp_path: Path) -> None:
    served = start(tmp_path, FOXDEN_SECRET="the secret of a test")
    mia = Person(served)
    table = mia.open_table("happy-fox", "me", "bot:1", "bot:1")

    async def until(ply: int) -> list[object]:
        async with mia.sit(table["id"]) as one:
            await one.play_on(random.Random(1), until=ply)
            served.process.send_signal(signal.SIGTERM)
            bye = await one.expect("bye")
            assert bye["seconds"] > 0
            await one.socket.wait_closed()
            assert one.socket.close_code == 1012
            return list(one.log)

    before = asyncio.run(until(10))
    assert served.process.wait(20) == 0
    with serving(tmp_path, FOXDEN_SECRET="the secret of a test") as again:
        back = Person(again, None)
        back.http.cookies = mia.http.cookies
        assert back.get("/me").json()["name"] == "Mia"

        async def to_the_end() -> None:
            async with back.sit(table["id"]) as one:
                assert one.log[: len(before)] == before
                await one.play_on(random.Random(2))

        asyncio.run(to_the_end())
        record = tmp_path / "match.record"
        record.write_text(back.get(f"/tables/{table['id']}/record").text)
        told = back.get(f"/tables/{table['id']}").json()["seed_hash"]
        verify = [sys.executable, "-m", "foxden", "verify", str(record), "--hash"]
        good = subprocess.run([*verify, told], capture_output=True, text=True)
        assert good.returncode == 0, good.stderr
        assert "as promised" in good.stdout
        bad = subprocess.run([*verify, "0" * 64], capture_output=True, text=True)
        assert bad.returncode == 2
        assert "not the promised one" in bad.stderr
        copy = tmp_path / "copy.sqlite"
        done = subprocess.run(
            [sys.executable, "-m", "foxden", "backup", str(copy), "--data", str(tmp_path)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        with sqlite3.connect(copy) as database:
            (moves,) = database.execute("SELECT count(*) FROM moves").fetchone()
        assert moves == foxden.Match.from_record(record.read_text()).ply


def test_a_table_of_other_rules_is_listed_and_not_played(tmp_path: Path) -> None:
    with serving(tmp_path, FOXDEN_SECRET="the secret of a test") as served:
        mia = Person(served)
        table = mia.open_table("happy-fox", "me", "me", access="listed")
    with sqlite3.connect(tmp_path / "foxden.sqlite") as database:
        database.execute("UPDATE tables SET rules_version = 99")
    with serving(tmp_path, FOXDEN_SECRET="the secret of a test") as served:
        back = Person(served, None)
        back.http.cookies = mia.http.cookies
        assert [t["rules_version"] for t in back.get("/tables").json()["mine"]] == [99]
        answer = back.get(f"/tables/{table['id']}/positions/0")
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/other-rules")
        assert "version 99" in answer.json()["detail"]

        async def play() -> None:
            async with back.sit(table["id"]) as one:
                assert one.view is None
                answer = await one.ask("play", seat=0, ply=0, action=1)
                assert answer["problem"]["type"] == "/problems/other-rules"

        asyncio.run(play())


def test_settings_come_from_the_command_line_the_environment_and_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOXDEN_CONFIG", "")
    file = tmp_path / "foxden.toml"
    file.write_text('port = 1\nhost = "0.0.0.0"\nlogs = "json"\norigins = ["https://a.example"]\n')
    monkeypatch.setenv("FOXDEN_PORT", "2")
    config = read_config(file, host="::1")
    assert (config.host, config.port, config.logs) == ("::1", 2, "json")
    assert config.origins == ["https://a.example"]
    for text, names in (
        ("port = 'x'", "port"),
        ("prot = 1", "prot"),
        ("port =", "read"),
        ("workers = 2", "PostgreSQL"),
    ):
        file.write_text(text)
        monkeypatch.delenv("FOXDEN_PORT", raising=False)
        with pytest.raises(BadConfig, match=names):
            read_config(file, data=tmp_path)
    monkeypatch.setenv("FOXDEN_CONFIG", "")
    with pytest.raises(BadConfig, match="no configuration file"):
        read_config(tmp_path / "nothing.toml")
    kept = read_config(data=tmp_path / "new").find_secret()
    assert len(kept) > 30
    assert read_config(data=tmp_path / "new").find_secret() == kept
    assert (tmp_path / "new" / "secret").stat().st_mode & 0o077 == 0
