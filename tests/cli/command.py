"""The command `foxden` in this very process: as people run it, without the second of a start."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

from foxden.__main__ import main

Done = subprocess.CompletedProcess[str]


def run(*arguments: str, answers: str = "", **environment: str) -> Done:
    """Runs a command and returns what a process of its own would leave."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    with (
        mock.patch.dict(os.environ, {"COLUMNS": "80", **environment}),
        mock.patch.object(sys, "argv", ["foxden", *arguments]),
        mock.patch.object(sys, "stdin", io.StringIO(answers)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    return subprocess.CompletedProcess(
        ["foxden", *arguments], status, out.getvalue(), err.getvalue()
    )


def start(*arguments: str, answers: str = "", **environment: str) -> Done:
    """Runs a command in a process of its own."""
    return _process("foxden", arguments, answers, environment)


def run_all(commands: Sequence[Sequence[str]], cache: Path) -> list[tuple[Done, bool]]:
    """Runs commands one after the other in a new process; tells of each whether it compiled."""
    found = _process("tests.cli.command", (), json.dumps(commands), {"FOXDEN_CACHE": str(cache)})
    assert found.returncode == 0, found.stderr
    return [
        (subprocess.CompletedProcess(list(command), *done), compiled)
        for command, (*done, compiled) in zip(commands, json.loads(found.stdout), strict=True)
    ]


def _process(
    module: str, arguments: Sequence[str], given: str, environment: dict[str, str]
) -> Done:
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        input=given,
        env={**os.environ, "COLUMNS": "80", **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )


if __name__ == "__main__":
    cache = Path(os.environ["FOXDEN_CACHE"])
    results = []
    for command in json.load(sys.stdin):
        done = run(*command)
        compiled = bool(list(cache.rglob("*.nbc")))
        results.append((done.returncode, done.stdout, done.stderr, compiled))
    print(json.dumps(results))
