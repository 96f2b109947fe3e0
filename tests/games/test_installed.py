"""A game from another package plays everywhere without a change to Foxden's own files.

That it is on the list, can be simulated and keeps all laws is a tutorial, tested with the docs.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from foxden.cli.creating import write_game

ROOT = Path(__file__).parents[2]
UV = next((str(uv) for uv in [ROOT / ".tools" / "bin" / "uv"] if uv.exists()), "uv")
# Whatever is tested for every game: laws, matches, bots, the arena, environments, the server.
GENERIC = ("games", "engine", "bots", "arena", "envs", "cli", "server")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Makes a game and installs it, as its author would, beside Foxden."""
    folder = tmp_path_factory.mktemp("pond")
    write_game("pond-race", folder / "source")
    target = folder / "installed"
    command = [UV, "pip", "install", "--quiet", "--no-deps", "--python", sys.executable]
    subprocess.run([*command, "--target", str(target), str(folder / "source")], check=True)
    return target


def run(installed: Path, *command: str) -> str:
    """Runs something where the game is installed."""
    paths = os.pathsep.join([str(installed), str(ROOT)])
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_every_generic_test_holds_for_it(installed: Path) -> None:
    folders = [f"tests/{folder}" for folder in GENERIC]
    told = run(installed, "-m", "pytest", "-q", "-n", "0", "-k", "pond-race and not cuda", *folders)
    passed = re.search(r"(\d+) passed", told)
    assert passed
    assert int(passed[1]) >= 30
    assert "failed" not in told
