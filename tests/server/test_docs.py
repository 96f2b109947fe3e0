"""docs/server.md says what the code does."""

import re
import tomllib
from pathlib import Path

from foxden.server import metrics
from foxden.server.api import router
from foxden.server.config import Config

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """Returns the cells of the table under a heading."""
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_every_setting_is_told_as_it_is() -> None:
    told = rows("Settings")
    assert [row[0] for row in told] == [f"`FOXDEN_{name.upper()}`" for name in Config.model_fields]
    for (_, standard, says), (name, field) in zip(told, Config.model_fields.items(), strict=True):
        assert says == field.description
        if name != "data":  # differs from person to person
            value = field.default
            text = str(value).lower() if isinstance(value, bool) else str(value)
            assert standard == (f"`{text}`" if text else "")


def test_every_metric_is_told() -> None:
    told = {row[0].strip("`") for row in rows("Metrics")}
    found = set(re.findall(r"^# TYPE (foxden_\w+)", metrics.scrape().decode(), flags=re.M))
    assert told == {name for name in found if not name.endswith("_created")}


def test_every_path_is_told() -> None:
    told = rows("The API")
    for route in router.routes:
        path = re.sub(r"\{(\w+)\}", lambda found: found[1].upper(), route.path)  # type: ignore[attr-defined]
        first = path.removeprefix("/api").split("/")[1]
        if first not in ("health", "ready", "metrics"):
            last = path.rsplit("/", 1)[-1]
            assert any(f"/{first}" in row[0] and last in row[0] for row in told), path
        assert f"/{first}" in TEXT


def test_settings_of_the_deployments_are_there() -> None:
    known = {f"FOXDEN_{name.upper()}" for name in Config.model_fields} | {"FOXDEN_CACHE"}
    files = [ROOT / "Dockerfile", *(ROOT / "deploy").iterdir()]
    for file in files:
        used = set(re.findall(r"FOXDEN_[A-Z_]+", file.read_text(encoding="utf-8")))
        assert used <= known, file.name
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "postgres" in extras["optional-dependencies"]  # the image installs it
