"""Firefox, spoken to in its own tongue: WebDriver BiDi, which needs no driver beside it."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

NAMES = ("firefox-esr", "firefox")
START = 60.0  # seconds


@cache
def firefox() -> str:
    """Finds Firefox, or gets it; skips where neither can be."""
    found = os.environ.get("FOXDEN_FIREFOX") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "firefox-esr"], capture_output=True)
        found = shutil.which("firefox-esr")
    if found is None:
        pytest.skip("NO FIREFOX: set FOXDEN_FIREFOX, or install firefox-esr")
    return found


class Tab:
    """One tab of a running Firefox."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._ids = socket, itertools.count(1)
        self._ask("session.new", {"capabilities": {}})
        self._context = self._ask("browsingContext.getTree", {})["contexts"][0]["context"]

    def _ask(self, method: str, params: dict[str, Any]) -> Any:
        id = next(self._ids)
        self._socket.send(json.dumps({"id": id, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(timeout=120))
            if answer.get("id") == id:
                assert answer["type"] == "success", answer
                return answer["result"]

    def goto(self, url: str) -> None:
        """Opens a page."""
        wanted = {"context": self._context, "url": url, "wait": "complete"}
        self._ask("browsingContext.navigate", wanted)

    def evaluate(self, expression: str) -> Any:
        """Evaluates an expression, which may be a promise, to what JSON can hold."""
        wanted = {
            "expression": f"Promise.resolve({expression}).then((it) => JSON.stringify(it ?? null))",
            "target": {"context": self._context},
            "awaitPromise": True,
        }
        answer = self._ask("script.evaluate", wanted)
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])


@contextmanager
def started(profile: Path) -> Iterator[Tab]:
    """Starts Firefox with a profile of its own, and ends it."""
    profile.mkdir()
    log = profile / "log"
    command = [firefox(), "--headless", "--no-remote", "--remote-debugging-port=0"]
    with log.open("w") as errors:
        process = subprocess.Popen([*command, "--profile", str(profile)], stderr=errors)
    try:
        end = time.monotonic() + START
        while (found := re.search(r"BiDi listening on (ws://\S+)", log.read_text())) is None:
            assert time.monotonic() < end, log.read_text()
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
        with connect(f"{found[1]}/session", max_size=None) as socket:
            yield Tab(socket)
    finally:
        process.terminate()
        process.wait(30)
