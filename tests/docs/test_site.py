"""The site says what the code does, has no dead links, and fetches nothing from the net."""

import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from scripts import docs_pages, docs_pictures
from typer.main import get_command

from foxden import game
from foxden.cli import app
from foxden.games import NAMES
from foxden.server import metrics
from foxden.server.admin import router as admin_router
from foxden.server.api import router
from foxden.server.config import Config
from foxden.server.teaching import router as teaching_router

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
WRITTEN = [page for page in PAGES if page.parent.name != "games"]  # spec sheets are generated
GUIDES = sorted((ROOT / "src" / "foxden" / "games").glob("*/guide.md"))
PROSE = [*WRITTEN, *sorted(ROOT.glob("*.md")), *GUIDES, ROOT / "web" / "README.md"]


def test_the_site_builds_in_strict_mode_and_fetches_nothing(tmp_path: Path) -> None:
    docs_pages.write(tmp_path / "docs")
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    config = config.replace("docs_dir: build/docs", "docs_dir: docs\nsite_dir: site")
    config = config.replace("paths: [src]", f"paths: [{ROOT / 'src'}]")
    (tmp_path / "mkdocs.yml").write_text(config, encoding="utf-8")
    zensical = str(Path(sys.executable).parent / "zensical")
    command = [zensical, "build", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    built = sorted((tmp_path / "site").rglob("*.html"))
    assert len(built) >= len(PAGES)
    remote = re.compile(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="?(?:https?:)?//[^">\s]+')
    for file in [*built, *(tmp_path / "site").rglob("*.css")]:
        text = file.read_text(encoding="utf-8")
        assert not remote.search(text), file
        assert not re.search(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", text), file
    reference = (tmp_path / "site" / "reference" / "python.html").read_text(encoding="utf-8")
    for name in ("Match", "VectorEnv", "find_bot", "play_series"):
        assert f">{name}<" in reference or f".{name}" in reference


def listed(nav: list[Any]) -> Iterator[str]:
    """Lists the pages of a navigation."""
    for entry in nav:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            yield from listed(value) if isinstance(value, list) else [value]


def test_every_page_is_listed_once() -> None:
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    written = [page.relative_to(ROOT / "docs").as_posix() for page in PAGES]
    made = [f"reference/{name}.md" for name in ("settings", "commands", "http")]
    made += [f"play/rules/{name}.md" for name in NAMES]
    assert sorted(listed(nav)) == sorted(written + made)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_section_begins_with_whom_it_is_for(page: Path) -> None:
    title, _, begins = page.read_text(encoding="utf-8").split("\n", 2)
    assert title.startswith("# ")
    if page.name == "index.md" and page.parent.name != "docs":
        assert begins.startswith("For ")
        assert "```" in "".join(begins.split("\n## ")[:2])  # something that works in a minute


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_prose_is_wrapped(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    long = [line for line in text.splitlines() if len(line) > 100]
    # Tables, pictures and single links cannot be wrapped.
    assert [line for line in long if not line.lstrip().startswith(("|", "![", "<", "["))] == []


def rows(text: str, heading: str) -> list[list[str]]:
    """Returns the cells of the table under a heading."""
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_every_setting_is_told_as_it_is() -> None:
    page = docs_pages.settings()
    for name, field in Config.model_fields.items():
        (line,) = [x for x in page.splitlines() if x.startswith(f"| `FOXDEN_{name.upper()}` |")]
        assert field.description
        assert line.endswith(f"| {field.description} |")
    assert "| `FOXDEN_PORT` | `8100` |" in page


def test_every_metric_is_told() -> None:
    page = (ROOT / "docs" / "host" / "deploy.md").read_text(encoding="utf-8")
    told = {row[0].strip("`") for row in rows(page, "Metrics")}
    found = set(re.findall(r"^# TYPE (foxden_\w+)", metrics.scrape().decode(), flags=re.M))
    assert told == {name for name in found if not name.endswith("_created")}


def test_every_path_is_told() -> None:
    page = docs_pages.http()
    routes: list[Any] = [*router.routes, *admin_router.routes, *teaching_router.routes]
    assert len(routes) > 30
    for route in routes:
        for method in route.methods:
            assert f"| `{method} {route.path}` |" in page
    for message in ("play", "sync", "update", "refused", "bye"):
        assert f"| [`{message}`](#{message}) |" in page


def test_every_command_is_told() -> None:
    page = docs_pages.commands()
    commands: Any = get_command(app)
    for name in commands.commands:
        assert f"## `foxden {name}`" in page
    for group in ("admin", "lab"):
        for name in commands.commands[group].commands:
            assert f"`foxden {group} {name}`" in page


def test_the_pictures_are_those_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = docs_pictures.rooms()
    packages = {path.parent.name for path in (ROOT / "src" / "foxden").glob("*/__init__.py")}
    assert set(re.findall(r'text-anchor="middle">(\w+)</text>', rooms)) >= packages
    docs_pictures.check_way()
    astray = ("foxden.server.tables", "Table.play", "self.audience.show(")
    monkeypatch.setattr(docs_pictures, "CALLS", (*docs_pictures.CALLS, astray))
    with pytest.raises(ValueError, match="fix the picture"):
        docs_pictures.check_way()


def test_the_plots_show_every_game() -> None:
    for plot in (docs_pictures.curves(), docs_pictures.ladders()):
        for name in NAMES:
            assert f">{escape(game(name).title)}<" in plot
    # A step has its rating, or an open end where the stronger won every match.
    steps = docs_pictures.ladders()
    assert steps.count("<circle") + steps.count("\u25b8") == 5 * len(NAMES)


def test_the_table_of_packages_is_whole() -> None:
    page = (ROOT / "docs" / "inside" / "index.md").read_text(encoding="utf-8")
    told = {row[0].strip("`") for row in rows(page, "The packages")}
    assert {f"foxden.{name}" for name in told} == {
        name for row in docs_pictures.layers() for name in row
    }


def test_settings_of_the_deployments_are_there() -> None:
    known = {f"FOXDEN_{name.upper()}" for name in Config.model_fields} | {"FOXDEN_CACHE"}
    files = [ROOT / "Dockerfile", *(ROOT / "deploy").iterdir()]
    for file in files:
        used = set(re.findall(r"FOXDEN_[A-Z_]+", file.read_text(encoding="utf-8")))
        assert used <= known, file.name
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "postgres" in extras["optional-dependencies"]  # the image installs it


def shell_lines() -> list[tuple[str, str]]:
    """Lists the commands in the shell examples of all pages."""
    found = []
    for page in PROSE:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"```sh\n(.*?)```", text, flags=re.S):
            lines = textwrap.dedent(block).replace("\\\n", " ").splitlines()
            found += [(page.relative_to(ROOT).as_posix(), line) for line in lines if line.strip()]
    return found


def test_every_command_in_an_example_exists() -> None:
    top: Any = get_command(app)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.M))
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = shell_lines()
    assert len(lines) > 60
    for page, line in lines:
        words = shlex.split(line, comments=True)
        where = f"{page}: {line}"
        if words[0] == "foxden":
            command, known = top, {"--version", "--install-completion", "--help"}
            for word in words[1:]:
                if word in getattr(command, "commands", {}):
                    command = command.commands[word]
                    known |= {name for one in command.params for name in one.opts}
                    known |= {name for one in command.params for name in one.secondary_opts}
                elif word.startswith("--"):
                    assert word in known, where
            assert command is not top or words[1].startswith("--"), where
        elif words[0] == "make":
            assert words[1] in targets, where
        elif words[0].startswith("scripts/"):
            assert (ROOT / words[0]).exists(), where
        for extra in re.findall(r"foxden\[(\w+)\]", line):
            assert extra in extras["optional-dependencies"], where


@pytest.mark.parametrize("page", ["play/index.md", "play/browser.md", "host/index.md"])
def test_pages_name_buttons_as_they_are(page: str) -> None:
    client = "".join(
        file.read_text(encoding="utf-8")
        for file in sorted((ROOT / "web" / "src").rglob("*.*"))
        if file.suffix in (".svelte", ".ts") and ".test." not in file.name
    )
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    named = {" ".join(name.split()) for name in re.findall(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)", text)}
    assert named
    assert {name for name in named if name not in client} == set()
