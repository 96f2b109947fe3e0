"""The wheel, installed where there is no node and nothing of the checkout."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import foxden

CHECKOUT = Path(__file__).parents[2]
UV = CHECKOUT / ".tools" / "bin" / "uv"
PLAYS = "import foxden; m = foxden.new({!r}, seed=1); m.play(m.legal()[0]); print(m.ply)"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds a source archive and a wheel from it, and installs the wheel apart."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([UV, "build", "--quiet", "--out-dir", folder / "dist"], cwd=CHECKOUT, check=True)
    (wheel,) = (folder / "dist").glob("*.whl")
    assert list((folder / "dist").glob("*.tar.gz"))
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, folder / "venv"], check=True)
    environment = {**os.environ, "VIRTUAL_ENV": str(folder / "venv")}
    lock = CHECKOUT / "requirements.lock"
    subprocess.run(
        [UV, "pip", "install", "--quiet", "--constraint", lock, wheel], env=environment, check=True
    )
    return folder / "venv" / "bin"


def run(installed: Path, folder: Path, *command: str) -> str:
    """Runs a program of the installation, with an empty cache and no node."""
    done = subprocess.run(
        [installed / command[0], *command[1:]],
        cwd=folder,
        env={"PATH": str(installed), "FOXDEN_CACHE": str(folder), "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("game", foxden.games())
def test_every_game_plays_from_the_wheel(installed: Path, tmp_path: Path, game: str) -> None:
    assert run(installed, tmp_path, "python", "-c", PLAYS.format(game)) == "1\n"
    assert not list(tmp_path.rglob("*.nbi")), "nothing is compiled on the way to a decision"


def test_the_wheel_serves_its_page(installed: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        [installed / "foxden", "serve", "--port", "0", "--data", tmp_path / "data"],
        env={"PATH": str(installed), "FOXDEN_CACHE": str(tmp_path), "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+:\d+", server.stdout.readline())
        assert found is not None
        page = httpx.get(found[0])
        server.terminate()
    assert "<title>Foxden" in page.text


def test_who_only_plays_does_without_the_compiler(installed: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "VIRTUAL_ENV": str(installed.parent)}
    subprocess.run(
        [UV, "pip", "uninstall", "--quiet", "numba", "llvmlite"], env=environment, check=True
    )
    for game in foxden.games():
        assert run(installed, tmp_path, "python", "-c", PLAYS.format(game)) == "1\n"
    bots = "from foxden.bots import level_bot, position_of; import foxden; m = foxden.new("
    chosen = run(
        installed,
        tmp_path,
        *("python", "-c"),
        f"{bots}'fox-grove', seed=1); print(level_bot(5).choose(position_of(m, seed=1)))",
    )
    assert chosen.strip()
