"""A PostgreSQL server of the tests' own: started where its programs are found, thrown away after.

`postgres()` gives it, once a process; where there is none to be had, the test is skipped and says
why.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import getpass
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

import pytest


class Postgres:
    """A private server on a socket in a temporary folder."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        # Short: the path of a socket has room for some hundred letters.
        self.folder = Path(tempfile.mkdtemp(prefix="foxden-pg-", dir="/tmp"))
        self._user = "postgres" if os.geteuid() == 0 else getpass.getuser()
        if os.geteuid() == 0:
            shutil.chown(self.folder, self._user)
        data = str(self.folder / "data")
        self._run("initdb", "-D", data, "-U", "foxden", "-A", "trust", "--no-sync", "-E", "UTF8")
        self.start()

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        settings = ["listen_addresses=", "max_connections=200", "recovery_init_sync_method=syncfs"]
        options = " ".join([f"-k {self.folder}", *(f"-c {setting}" for setting in settings)])
        data, log = str(self.folder / "data"), str(self.folder / "log")
        self._run("pg_ctl", "-D", data, "-o", options, "-l", log, "-w", "-t", "60", "start")

    def stop(self) -> None:
        """Stops the server, as an operator would who is in a hurry."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "fast", "-w", "stop")

    def kill(self) -> None:
        """Kills the server and all that it has started, as a failing machine would."""
        pid = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        doomed = [pid, *children(pid)]
        for process in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(is_running(process) for process in doomed):
            time.sleep(0.01)
        # Where nobody buries a dead process, its lock files would still hold.
        (self.folder / "data/postmaster.pid").unlink(missing_ok=True)
        for lock in self.folder.glob(".s.PGSQL.*"):
            lock.unlink()

    def new_database(self) -> str:
        """Makes an empty database and gives its address."""
        name = f"t{uuid.uuid4().hex[:12]}"
        self._run("createdb", "-h", str(self.folder), "-U", "foxden", name)
        return f"postgresql://foxden@/{name}?host={self.folder}"

    def remove(self) -> None:
        """Ends the server and deletes all it had."""
        if (self.folder / "data/postmaster.pid").exists():
            self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        if os.geteuid() == 0:
            # The server refuses to run as root.
            drop = ["setpriv", "--reuid", self._user, "--regid", self._user, "--clear-groups"]
            command = [*drop, *command]
        # To files, not pipes: the server inherits them and would hold a pipe open for ever.
        with (self.folder / "out").open("w+") as out:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd="/", check=False
            )
            out.seek(0)
            assert done.returncode == 0, f"{program}: {out.read()}"


@functools.cache
def postgres() -> Postgres:
    """Returns the tests' server, or skips the test."""
    server = start_postgres()
    atexit.register(server.remove)
    return server


def start_postgres() -> Postgres:
    """Starts another server, to be removed by whoever asked for it."""
    programs = _find() or _install()
    if programs is None:
        pytest.skip("POSTGRESQL IS NOT TESTED: no initdb on PATH or in /usr/lib/postgresql")
    return Postgres(programs)


def _find() -> Path | None:
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        places.append(Path(on_path).resolve().parent)
    needed = ("initdb", "pg_ctl", "createdb", "postgres")
    return next((p for p in places if all((p / name).exists() for name in needed)), None)


def _install() -> Path | None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", "postgresql"]):
        subprocess.run(["apt-get", "-qq", *command], env=environment, check=False)
    return _find()


def children(pid: int) -> list[int]:
    """Returns the processes that a process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(folder.name))
    return found


def is_running(pid: int) -> bool:
    """Returns whether a process is alive; one that nobody has buried is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
