"""Restoring a backup, one server for one file, and damage that is noticed and told."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from foxden.server.store import BadStore, StoreDown, backup, open_store, restore
from foxden.server.store.sqlite import SqliteStore, finish_restore, lock
from tests.server.rows import move, table
from tests.server.server import serving

TABLES = 400
CRASH = """
import asyncio, os, sys
from foxden.server.store import backup, open_store
from tests.server.rows import move, table
from pathlib import Path

async def main():
    path = Path(sys.argv[1])
    store = open_store(f"sqlite:///{path}")
    await store.open()
    for n in range(400):
        await store.add_table(table(f"before{n}"))
    backup(f"sqlite:///{path}", path.with_name("backup"))
    for n in range(400):
        await store.add_table(table(f"after{n}"))
        await store.append(move(f"after{n}", 1))
    os._exit(9)  # as a killed server ends: its log is left lying about

asyncio.run(main())
"""


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A database whose server died in the middle of its work, and a backup from before."""
    path = tmp_path / "foxden.sqlite"
    run = [sys.executable, "-c", CRASH, str(path)]
    assert subprocess.run(run, cwd=Path(__file__).parents[2]).returncode == 9
    assert (tmp_path / "foxden.sqlite-wal").stat().st_size > 0
    return path


def content(path: Path) -> tuple[str, int, int]:
    with sqlite3.connect(path) as database:
        (whole,) = database.execute("PRAGMA integrity_check").fetchone()
        (tables,) = database.execute("SELECT count(*) FROM tables").fetchone()
        (moves,) = database.execute("SELECT count(*) FROM moves").fetchone()
    return whole, tables, moves


def is_as_in_the_backup(path: Path) -> bool:
    try:
        return content(path) == ("ok", TABLES, 0)
    except sqlite3.DatabaseError:
        return False


def test_a_backup_copied_over_a_crashed_database_is_spoiled(crashed: Path) -> None:
    shutil.copy(crashed.with_name("backup"), crashed)
    assert not is_as_in_the_backup(crashed)


def test_restore_brings_back_what_the_backup_holds(crashed: Path) -> None:
    restore(f"sqlite:///{crashed}", crashed.with_name("backup"))
    assert is_as_in_the_backup(crashed)
    assert content(crashed.with_name("foxden.sqlite.replaced"))[1:] == (2 * TABLES, TABLES)
    restore(f"sqlite:///{crashed}", crashed.with_name("backup"))
    assert is_as_in_the_backup(crashed)


@pytest.mark.parametrize("after", range(5))
def test_a_restore_that_dies_on_the_way_is_finished_by_the_next_start(
    crashed: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    class Died(Exception):
        pass

    steps = 0
    rename = Path.replace

    def dying(self: Path, target: Path) -> Path:
        nonlocal steps
        if steps == after:
            raise Died
        steps += 1
        return rename(self, target)

    with monkeypatch.context() as power:
        power.setattr(Path, "replace", dying)
        with pytest.raises(Died):
            restore(f"sqlite:///{crashed}", crashed.with_name("backup"))

    async def start() -> None:
        store = open_store(f"sqlite:///{crashed}")
        store.claim()
        await store.open()
        await store.close()

    asyncio.run(start())
    if after == 0:  # nothing had changed yet
        assert content(crashed) == ("ok", 2 * TABLES, TABLES)
    else:
        assert is_as_in_the_backup(crashed)
    finish_restore(crashed)
    assert content(crashed)[0] == "ok"


def test_what_is_no_backup_is_refused_and_changes_nothing(crashed: Path) -> None:
    url = f"sqlite:///{crashed}"
    before = content(crashed)
    broken = crashed.with_name("broken")
    good = crashed.with_name("backup").read_bytes()
    newer = crashed.with_name("newer")
    shutil.copy(crashed.with_name("backup"), newer)
    with sqlite3.connect(newer) as database:
        database.execute("INSERT INTO migrations VALUES (99)")
    with sqlite3.connect(crashed.with_name("other")) as database:
        database.execute("CREATE TABLE x (y)")
    for name, found in (
        ("nothing", "no backup"),
        ("broken", "damaged|no backup"),
        ("other", "no backup of Foxden"),
        ("newer", "newer Foxden"),
    ):
        broken.write_bytes(good[:8192] + b"\xa5" * 16384 + good[24576:])
        with pytest.raises(BadStore, match=found):
            restore(url, crashed.with_name(name))
        assert content(crashed) == before
    assert not list(crashed.parent.glob("*.unfinished"))


def test_a_second_server_is_kept_off_the_same_folder(tmp_path: Path) -> None:
    with serving(tmp_path, FOXDEN_LIMITS="false") as served:
        again = subprocess.run(
            [sys.executable, "-m", "foxden", "serve", "--data", str(tmp_path), "--port", "0"],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert again.returncode != 0
        assert f"process {served.pid}" in again.stderr
        copy = str(tmp_path / "copy")
        backup(f"sqlite:///{tmp_path}/foxden.sqlite", tmp_path / "copy")
        done = subprocess.run(
            [sys.executable, "-m", "foxden", "restore", copy, "--data", str(tmp_path)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2
        assert "uses" in done.stderr
        served.process.send_signal(signal.SIGKILL)
        served.process.wait()
    restore(f"sqlite:///{tmp_path}/foxden.sqlite", tmp_path / "copy")
    with serving(tmp_path, FOXDEN_LIMITS="false"):
        pass


def damage(path: Path) -> None:
    """Overwrites the pages of a table as a failing disk does."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = database.execute("PRAGMA page_size").fetchone()
        (root,) = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'moves'"
        ).fetchone()
    with path.open("r+b") as file:
        file.seek((root - 1) * page)
        file.write(os.urandom(page))
        os.fsync(file.fileno())


def test_a_damaged_file_is_noticed_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "foxden.sqlite"

    async def fill() -> None:
        store = open_store(f"sqlite:///{path}")
        await store.open()
        await store.add_table(table("t"))
        await store.append(move("t", 1))
        await store.close()

    asyncio.run(fill())
    damage(path)
    found = subprocess.run(
        [sys.executable, "-m", "foxden", "serve", "--data", str(tmp_path), "--port", "0"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert found.returncode != 0
    assert "damaged" in found.stderr
    assert "foxden restore" in found.stderr


def test_ready_tells_of_damage_and_of_a_file_that_was_replaced(tmp_path: Path) -> None:
    path = tmp_path / "foxden.sqlite"

    async def check() -> None:
        store = open_store(f"sqlite:///{path}")
        assert isinstance(store, SqliteStore)
        await store.open()
        await store.add_table(table("t"))
        await store.append(move("t", 1))
        await store.check()
        copy = tmp_path / "copy"
        backup(f"sqlite:///{path}", copy)
        kept = tmp_path / "kept"
        path.rename(kept)
        with pytest.raises(StoreDown, match="cannot be found"):
            await store.check()
        copy.rename(path)
        with pytest.raises(StoreDown, match="replaced"):
            await store.check()
        kept.rename(path)
        await store.check()
        damage(path)
        with pytest.raises(StoreDown):
            await store.moves("t")
        with pytest.raises(StoreDown, match="damaged"):
            await store.check()
        await store.close()

    asyncio.run(check())


def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "foxden.sqlite"
    held = lock(path)
    with pytest.raises(BadStore, match=f"process {os.getpid()}"):
        lock(path)
    held.close()
    lock(path).close()


def test_a_server_on_postgresql_shares_its_folder(tmp_path: Path) -> None:
    from tests.server.postgres import postgres

    settings = ("--database", postgres().new_database())
    with (
        serving(tmp_path, *settings) as one,
        serving(tmp_path, *settings) as two,
    ):
        for served in (one, two):
            assert httpx.get(f"{served.address}/api/ready").status_code == 200
