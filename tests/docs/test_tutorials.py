"""The tutorials work as they are written. Python examples are tested where they stand."""

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import command
from tests.server.server import Person, serving

ROOT = Path(__file__).parents[2]
UV = next((str(uv) for uv in [ROOT / ".tools" / "bin" / "uv"] if uv.exists()), "uv")


def commands(page: str, name: str) -> list[list[str]]:
    """Returns the commands of a tutorial, in order."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    (block,) = re.findall(rf"<!-- tutorial: {name} -->\n```sh\n(.*?)```", text, flags=re.S)
    lines = block.replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True) for line in lines]


def run(line: list[str], folder: Path, answers: str = "") -> str:
    """Runs a command of a tutorial in a folder, with this Foxden."""
    first, *rest = line
    done = subprocess.run(
        [sys.executable, "-m", first, *rest],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "installed"), "COLUMNS": "100"},
        input=answers,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_your_first_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOXDEN_COMPILE", "when-asked")  # as people play
    play, guide, options = commands("play/index.md", "terminal")
    told = run(play, tmp_path, answers="1\n" * 200)
    assert re.search(r"^score( +\d+){3}\s*$", told, flags=re.M)
    assert "HF-5" in run(guide, tmp_path)
    assert "unknown_four" in run(options, tmp_path)


def test_host_for_friends(tmp_path: Path) -> None:
    ((foxden, serve, *args),) = commands("host/index.md", "host")
    assert (foxden, serve) == ("foxden", "serve")

    async def meet(mia: Person, tom: Person) -> None:
        table = mia.open_table("happy-fox", "me", "open")
        key = table["invite"].rsplit("key=", 1)[-1]
        seated = tom.post(f"/tables/{table['id']}/seats/1", {"kind": "me"}, key=key)
        assert seated.status_code == 200, seated.text
        if seated.json()["status"] == "open":
            assert mia.post(f"/tables/{table['id']}/start").status_code == 200
        async with mia.sit(table["id"]) as seat, tom.sit(table["id"]) as other:
            for each in (seat, other):
                assert each.view is not None
                if each.view["legal"]:
                    answer = await each.play(each.view["legal"][0]["id"])
                    assert (answer["type"], answer["ply"]) == ("done", 1)
                    return
            raise AssertionError("nobody is asked")

    with serving(tmp_path / "data", *args) as served:
        asyncio.run(meet(Person(served, "Mia"), Person(served, "Tom")))


def test_add_a_game(tmp_path: Path) -> None:
    make, install, simulate, check = commands("add-a-game/index.md", "new game")
    told = run(make, tmp_path)
    assert "rules.py" in told
    assert install[:3] == ["pip", "install", "-e"]
    target = [UV, "pip", "install", "--quiet", "--no-deps", "--python", sys.executable, "--target"]
    subprocess.run([*target, "installed", f"./{install[3]}"], cwd=tmp_path, check=True)
    assert "pond-race" in run(["foxden", "games"], tmp_path)
    assert "100 matches" in run(simulate, tmp_path)
    assert "1 passed" in run([check[0], "-c", os.devnull, *check[1:]], tmp_path)


@pytest.mark.slow
def test_train_on_a_processor(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (train,) = commands("research/training.md", "train")
    run(train, tmp_path)
    told = json.loads((tmp_path / "runs" / "happy-fox" / "run.json").read_text(encoding="utf-8"))
    assert (tmp_path / "runs" / "happy-fox" / "player.npz").exists()
    assert told["curve"]


def test_your_first_bot_is_executed_and_wins() -> None:
    page = (ROOT / "docs" / "bots" / "first-bot.md").read_text(encoding="utf-8")
    assert ">>> against_greedy(Dreamer(), deals=10) > 0.7\nTrue\n" in page  # run as a doc test


def test_the_laboratory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    compare, sweep, skill, components, balance = commands("design/laboratory.md", "laboratory")

    def run(line: list[str]) -> str:
        done = command.run(*line[1:], COLUMNS="100")
        assert done.returncode == 0, done.stdout + done.stderr
        return " ".join(done.stdout.split())  # this process may write narrower lines

    told = run(compare)
    assert "With dogs=6" in told
    assert "--seed 1 --luck 2" in told
    assert "<svg" in (tmp_path / "dogs.html").read_text(encoding="utf-8")
    assert "dogs=3" in run(sweep)
    assert "Elo wide" in run(skill)
    assert "lay goose" in run(components)
    assert "smallest change found" in run(balance)
