"""The command `foxden`, run as people run it."""

import json
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

import foxden
from foxden.cli import app
from tests.cli.command import Done, run, run_all, start

RECORD = str(Path(__file__).parents[1] / "records/happy-fox/shared-win.record")


def test_games_and_guides() -> None:
    listed = run("games")
    assert listed.returncode == 0
    for name in foxden.games():
        assert name in listed.stdout
    guide = run("guide", "happy-fox")
    assert "**HF-16**" in guide.stdout
    assert "unknown_four" in run("options", "happy-fox").stdout


def test_a_list_of_games_does_not_wait_for_the_compiler() -> None:
    code = "import sys; sys.argv = ['foxden', 'games']; import runpy; import contextlib\n"
    code += (
        "with contextlib.suppress(SystemExit): runpy.run_module('foxden', run_name='__main__')\n"
    )
    code += "print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize("name", foxden.games())
def test_a_whole_match_can_be_played(name: str) -> None:
    play = start if name == "happy-fox" else run
    done = play("play", name, "--seed", "3", answers="1\n" * 3000)
    assert done.returncode == 0, done.stderr
    assert "score" in done.stdout
    assert "win" in done.stdout.splitlines()[-1] or "Together" in done.stdout.splitlines()[-1]
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_commands_at_the_table(tmp_path: Path) -> None:
    file = tmp_path / "mine.record"
    lines = (
        "?",
        "? lay dog",
        "? turn 3",
        "fly",
        "turn 3",
        "77",
        "undo",
        "1",
        "undo",
        "log",
        "table",
    )
    answers = "\n".join([*lines, f"save {file}", "quit", ""])
    done = run("play", "happy-fox", "--seed", "2", answers=answers)
    assert done.returncode == 0
    for says in (
        "back to your last decision",
        "Not now: you have no dog in your hand (HF-5)",
        "Not now: a card can be turned over only after a fox is played (HF-7)",
        "'fly' is no move of Happy Fox",
        "'turn 3' is not open now",
        "Choose from 1 to",
        "You have not decided anything yet",
        "Taken back",
        "You leave the table",
    ):
        assert says in done.stdout, says
    match = foxden.Match.from_record(file.read_text())
    assert match.seed == 2
    again = run("play", "--from", str(file), answers="1\nquit\n")
    assert again.returncode == 0
    assert "You lay a goose" in again.stdout


def test_a_file_that_cannot_be_written_loses_nothing(tmp_path: Path) -> None:
    answers = f"save {tmp_path}/no/such/folder\n1\nquit\n"
    done = run("play", "happy-fox", "--seed", "2", answers=answers)
    assert "cannot be written" in done.stdout
    assert "You lay a goose" in done.stdout


def test_the_end_of_input_leaves_the_table() -> None:
    done = run("play", "happy-fox", answers="")
    assert done.returncode == 0
    assert "You leave the table" in done.stdout


def test_replay_tells_a_record() -> None:
    file = Path(__file__).parents[1] / "records/happy-fox/shared-win.record"
    done = run("replay", str(file))
    assert done.returncode == 0
    assert "win together" in done.stdout
    mine = run("replay", str(file), "--seat", "0")
    assert "You lay a goose face down." in mine.stdout


def test_simulate_gives_figures_json_and_records(tmp_path: Path) -> None:
    plain = ("simulate", "happy-fox", "--seats", "3", "--games", "4", "--seed", "1")
    arguments = (*plain, "--luck", "2", "--option", "unknown_four=yes")
    done = run(*arguments, "--bots", "greedy,random", "--json", "--record", str(tmp_path))
    found = json.loads(done.stdout)
    assert [line["name"] for line in found["bots"]] == ["greedy", "random"]
    assert found["bots"][0]["wins"]["low"] <= found["bots"][0]["wins"]["high"]
    records = sorted(tmp_path.glob("*.record"))
    assert len(records) == 4
    assert all(foxden.Match.from_record(file.read_text()).is_over for file in records)
    assert run(*arguments, "--bots", "greedy,random", "--json").stdout == done.stdout
    told = run(*arguments, "--part", "dogs=5").stdout
    assert "95 %" in told
    repeat = shlex.split(told.splitlines()[-1].removeprefix("Again: foxden"))
    assert {"--option", "unknown_four=yes", "--part", "dogs=5", "--luck", "2"} <= set(repeat)
    assert run(*repeat).stdout == told


def test_what_is_not_given_is_drawn_and_told() -> None:
    arguments = ("simulate", "happy-fox", "--seats", "2", "--games", "1", "--json")
    one, two = (json.loads(run(*arguments).stdout) for _ in range(2))
    for root in ("seed", "luck"):
        assert int(one[root]) >> 64
        assert one[root] != two[root]
    assert one["bots"][0]["score"]["low"] is None


def test_lists_are_also_json() -> None:
    names = {one["name"]: one for one in json.loads(run("games", "--json").stdout)}
    assert tuple(names) == foxden.games()
    assert names["happy-fox"]["seats"] == [2, 3, 4, 5]
    (option, *_) = json.loads(run("options", "happy-fox", "--json").stdout)
    assert option["name"] == "unknown_four"
    assert option["values"] == ["no", "yes"]
    assert option["standard"] == "no"
    found = json.loads(run("levels", "happy-fox", "--json").stdout)
    assert [level["name"] for level in found["levels"]][::4] == ["Cub", "Old Fox"]
    assert "measured" not in found


def test_the_version_is_told() -> None:
    assert start("--version").stdout == f"foxden {version('foxden')}\n"


def completed(words: str) -> list[str]:
    """Asks as bash does when somebody presses Tab."""
    asked = {"_FOXDEN_COMPLETE": "complete_bash", "COMP_WORDS": words}
    asked["COMP_CWORD"] = str(words.count(" "))
    done = CliRunner().invoke(app, env=asked, prog_name="foxden")
    assert done.exit_code == 0, done.output
    return done.output.split()


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        ("foxden sim", ["simulate"]),
        ("foxden guide fox-", ["fox-and-squirrels", "fox-grove"]),
        ("foxden play hap", ["happy-fox"]),
        ("foxden play happy-fox --option u", ["unknown_four=no", "unknown_four=yes"]),
        ("foxden play --seed 1 happy-fox --option unknown_four=y", ["unknown_four=yes"]),
        ("foxden simulate happy-fox --part do", ["dogs=4"]),
        ("foxden arena happy-fox --bots greedy,s", ["greedy,search"]),
        ("foxden play chess --option u", []),
    ],
)
def test_the_shell_completes(words: str, offers: list[str]) -> None:
    assert completed(words) == offers


def test_completion_can_be_installed() -> None:
    assert "--install-completion" in run("--help").stdout
    asked = {"_FOXDEN_COMPLETE": "complete_bash", "COMP_WORDS": "foxden sim", "COMP_CWORD": "1"}
    assert start(**asked).stdout.split() == ["simulate"]


def test_the_arena_rates_bots_and_goes_on_with_a_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    arguments = ("arena", "happy-fox", "--bots", "greedy,random", "--seats", "2", "--json")
    first = run(*arguments, "--matches", "8", "--journal", str(journal))
    assert first.returncode == 0, first.stderr
    found = json.loads(first.stdout)
    assert {line["bot"] for line in found["standings"]} == {"greedy", "random"}
    more = run(*arguments, "--matches", "12", "--journal", str(journal), "--workers", "1")
    assert json.loads(more.stdout)["matches"][:8] == found["matches"]
    told = run(*arguments[:-1], "--matches", "4")
    assert "set apart" in told.stdout
    assert "4 matches on 2 deals" in told.stdout
    assert found["rules"] == foxden.game("happy-fox").rules_version
    other = run(*arguments, "--seed", "2", "--journal", str(journal))
    assert other.returncode == 2
    assert "another tournament" in other.stderr


def test_other_parts_can_be_tried(tmp_path: Path) -> None:
    file = tmp_path / "parts.toml"
    file.write_text("geese = 8\n")
    for arguments in (("--part", "geese=8"), ("--parts", str(file))):
        done = run("simulate", "happy-fox", "--seats", "2", "--games", "2", "--json", *arguments)
        assert json.loads(done.stdout)["parts"] == {"geese": 8}
        scores = [line["score"]["value"] for line in json.loads(done.stdout)["by_turn"]]
        assert sum(scores) == pytest.approx(2 * 17)


BAD_INPUT: list[tuple[tuple[str, ...], str]] = [
    (("play", "chess"), "There is no game 'chess'"),
    (("guide", "hapy-fox"), "Did you mean happy-fox?"),
    (("play", "happy-fox", "--seats", "9"), "is for 2 to 5 seats, not 9"),
    (("play", "happy-fox", "--option", "foxes=4"), "no option 'foxes'"),
    (("play", "happy-fox", "--option", "unknown_four=maybe"), "takes yes or no"),
    (("play", "happy-fox", "--option", "unknown_four"), "NAME=VALUE"),
    (("play", "happy-fox", "--seed", "-4"), "A seed is a whole number"),
    (("play", "happy-fox", "--bot", "genius"), "There is no bot 'genius'"),
    (("play", "happy-fox", "--seat", "8"), "There is no seat 8"),
    (("play", "happy-fox", "--part", "geese=x"), "geese: Write a whole number"),
    (("play", "happy-fox", "--parts", "nowhere.toml"), "cannot be read"),
    (("replay", "nowhere.record"), "cannot be read"),
    (("simulate", "happy-fox", "--games", "0"), "--games"),
    (("simulate", "happy-fox", "--part", "geese=900"), "geese: It must be from"),
    (("simulate", "happy-fox", "--luck", "-1"), "A seed is a whole number"),
    (("arena", "happy-fox", "--bots", "greedy,greedy"), "one name"),
    (("arena", "happy-fox", "--bots", "greedy,random", "--part", "dogs=x"), "dogs: Write"),
    (("levels", "happy-fox", "--matches", "2", "--seed", "-1"), "A seed is a whole number"),
    (("levels", "happy-fox", "--option", "unknown_four=yes"), "plays for itself"),
    (("play", "--from", RECORD, "--seat", "7"), "There is no seat 7"),
    (("replay", RECORD, "--seat", "7"), "There is no seat 7"),
    (("simulate", "happy-fox", "--seats", "2", "--bots", "a,b"), "There is no bot 'a'"),
    (("simulate", "happy-fox", "--seats", "2", "--bots", "greedy,greedy,greedy"), "3 bots"),
    (("dance",), "dance"),
]


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], tuple[Done, bool]]:
    commands = [arguments for arguments, _ in BAD_INPUT]
    return dict(zip(commands, run_all(commands, tmp_path_factory.mktemp("cache")), strict=True))


@pytest.mark.parametrize(("arguments", "says"), BAD_INPUT)
def test_bad_input_gets_a_sentence_and_status_2_before_anything_is_compiled(
    arguments: tuple[str, ...],
    says: str,
    refused: dict[tuple[str, ...], tuple[Done, bool]],
) -> None:
    done, compiled = refused[arguments]
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert not compiled


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense\n", "line 1, column 1: A record begins with"),
        ("foxden record 2\ngame: happy-fox\nrules: 9\nseats: 2\nseed: 1\n", "version 9"),
        ("foxden record 1\ngame: happy-fox\nrules: 1\nseats: 2\nseed: 1\n1. [0] stop\n", "line 6"),
    ],
)
def test_a_broken_record_is_refused(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "broken.record"
    file.write_text(text)
    done = run("replay", str(file))
    assert done.returncode == 2
    assert says in done.stderr
    assert file.read_text() == text


def test_an_unwritable_cache_is_one_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = start("play", "happy-fox", FOXDEN_CACHE=str(blocked))
    assert done.returncode == 2
    assert done.stderr.startswith("foxden: Compiled rules cannot be kept in")
    assert "Traceback" not in done.stderr
