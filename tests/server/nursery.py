"""Servers that start in a blink: forked from a process that has loaded all that they need.

A server of `foxden serve` takes seconds to start, most of them for loading compiled rules. Those
of a nursery are the same server from then on, and can be killed hundreds of times.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

from tests.server.server import COMPILING, Served, await_ready


class Child:
    """A process that somebody else has started, as far as `Served` needs to know it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Returns whether it has ended; its parent alone knows how."""
        # A zombie's other threads may still hold its port; the parent lets none lie about.
        if self.returncode is None and not Path(f"/proc/{self.pid}").exists():
            self.returncode = 0
        return self.returncode

    def kill(self) -> None:
        """Kills it."""
        self.send_signal(signal.SIGKILL)

    def send_signal(self, sig: int) -> None:
        """Sends a signal, if there is somebody to get it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, sig)

    def wait(self, timeout: float | None = None) -> int:
        """Waits until it has ended."""
        end = time.monotonic() + (timeout or 60.0)
        while self.poll() is None:
            assert time.monotonic() < end, "it does not end"
            time.sleep(0.002)
        return 0


class Nursery:
    """Starts servers of Happy Fox on one database."""

    def __init__(self, folder: Path, database: str) -> None:
        self.log = folder / "log"
        settings = {
            "FOXDEN_DATA": str(folder),
            "FOXDEN_DATABASE": database,
            "FOXDEN_LIMITS": "false",
            "FOXDEN_SECRET": "a secret of all servers",
        }
        with self.log.open("a") as errors:
            self._parent = subprocess.Popen(
                [sys.executable, "-m", __name__],
                env=os.environ | settings,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self._children: list[Served] = []

    def start(self, port: int) -> Served:
        """Starts a server, and waits until it is ready."""
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.write(f"{port}\n")
        self._parent.stdin.flush()
        line = self._parent.stdout.readline()
        assert line, self.log.read_text()
        served = Served(cast(Any, Child(int(line))), f"http://127.0.0.1:{port}", self.log)
        self._children.append(served)
        await_ready(served)
        return served

    def close(self) -> None:
        """Ends all of them."""
        for served in self._children:
            served.stop(signal.SIGKILL)
        assert self._parent.stdin is not None
        self._parent.stdin.close()
        self._parent.wait(COMPILING)


def free_port() -> int:
    """Returns a port that stays free while its server is dead."""
    # Below those that the system gives to clients: one that knocks at such a port while nobody
    # listens there may be given the very port, and be connected to itself.
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def main() -> None:
    """Loads Happy Fox, then becomes a server at every port that it reads."""
    import foxden.server.app  # noqa: F401  (to be there in every child)
    from foxden.bots import preparing
    from foxden.engine.registry import find
    from foxden.server import compiling
    from foxden.server.config import read_config
    from foxden.server.logs import set_up_logs
    from foxden.server.serving import listen, serve

    preparing.prepare(find("happy-fox"))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the dead
    while line := sys.stdin.readline():
        pid = os.fork()
        if pid:
            print(pid, flush=True)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        # The other games are not missed: only those are served that are there.
        compiling.registered = lambda: ("happy-fox",)  # type: ignore[attr-defined]
        preparing.stamp("happy-fox").touch()
        config = read_config(port=int(line))
        set_up_logs(config)
        os._exit(serve(config, listen(config)))


if __name__ == "__main__":
    main()
