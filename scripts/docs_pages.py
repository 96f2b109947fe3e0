"""Lays out the pages of the site, including those generated from code; `make docs` runs it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from scripts import docs_pictures
from typer.main import get_command

import foxden
from foxden.cli import app
from foxden.games import NAMES
from foxden.server.config import Config

ROOT = Path(__file__).resolve().parent.parent
PICTURE = re.compile(r"<!-- picture: ([\w ]+) -->")


def main() -> None:
    """Lays out everything where mkdocs.yml looks for it."""
    write(ROOT / "build" / "docs")


def write(folder: Path) -> None:
    """Fills a folder with the pages of docs/, as links, and with the generated ones."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = {
        "reference/settings.md": settings(),
        "reference/commands.md": commands(),
        "reference/http.md": http(),
        "assets/fox.svg": (ROOT / "web" / "public" / "fox.svg").read_text(encoding="utf-8"),
        **{f"play/rules/{name}.md": foxden.game(name).guide for name in NAMES},
    }
    docs = ROOT / "docs"
    for file in sorted(path for path in docs.rglob("*") if path.is_file()):
        place = file.relative_to(docs).as_posix()
        if file.suffix == ".md" and PICTURE.search(text := file.read_text(encoding="utf-8")):
            pages[place] = PICTURE.sub(lambda found: docs_pictures.DRAWN[found[1]](), text)
        else:
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).symlink_to(file)
    for place, text in pages.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")


# Pages


def settings() -> str:
    """Writes the server's settings, from the model that reads them."""
    lines = [
        "# Settings",
        "",
        "For operators of a server. Set them in the environment, under these names, or in a TOML "
        "file (`--config FILE`, or `FOXDEN_CONFIG`), in lower case and without `FOXDEN_`. The "
        "command line wins over the environment, the environment over the file. A name that is not "
        "a setting is refused.",
        "",
        "| setting | default | what it is |",
        "|---|---|---|",
    ]
    for name, field in Config.model_fields.items():
        default = field.get_default()
        text = str(default).lower() if isinstance(default, bool) else str(default)
        shown = "the user's data folder" if name == "data" else f"`{text}`" if text else ""
        lines.append(f"| `FOXDEN_{name.upper()}` | {shown} | {field.description} |")
    lines += [
        "",
        "`FOXDEN_CACHE` is the folder for compiled rules, for every command and not only the "
        "server. `FOXDEN_COMPILE` is `when-asked`, `always` or `never`. Several machines on one "
        "database need the same `FOXDEN_SECRET`: otherwise a cookie issued by one machine is not "
        "valid on another.",
        "",
    ]
    return "\n".join(lines)


def commands() -> str:
    """Writes the command line, as Typer describes it."""
    command = [sys.executable, "-m", "typer", "foxden.cli", "utils", "docs", "--name", "foxden"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    text = done.stdout.replace("# `foxden`", "# Commands", 1)
    top: Any = get_command(app)
    groups = [top, *(one for one in top.commands.values() if hasattr(one, "commands"))]
    for name, one in [pair for group in groups for pair in group.commands.items()]:
        # Typer truncates sentences in its lists; a page should not.
        line = re.compile(rf"^\* `{name}`: .*\.\.\.$", re.M)
        text = line.sub(
            f"* `{name}`: {' '.join((one.help or '').split(chr(10) * 2)[0].split())}", text
        )
    return text


def http() -> str:
    """Writes the HTTP and socket API, from the schema that the client's types are made from."""
    schema = json.loads((ROOT / "web" / "schema.json").read_text(encoding="utf-8"))
    types = schema["components"]["schemas"]
    own = {name for name in types if not _is_of_a_game(name)}
    lines = [
        "# HTTP and socket API",
        "",
        "For clients of your own. Everything under `/api` is JSON; a running server describes all "
        "of it at `/api/openapi.json`. A refused request changes nothing and returns a problem "
        "(RFC 9457): a `type` such as `/problems/illegal-action`, with the `field` or the `rule` "
        "it is about.",
        "",
        "```sh",
        "curl http://127.0.0.1:8100/api/games",
        "```",
        "",
        "## Requests",
        "",
    ]
    by_tag: dict[str, list[str]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            takes = _shape(body["schema"], own) if body else ""
            answers = operation["responses"].get("200") or operation["responses"].get("201") or {}
            content = answers.get("content", {}).get("application/json", {}).get("schema", {})
            row = f"| `{method.upper()} {path}` | {operation['description'].splitlines()[0]} "
            row += f"| {takes} | {_shape(content, own) if content else ''} |"
            by_tag.setdefault(operation["tags"][0], []).append(row)
    # What players need comes first.
    for tag, rows in sorted(by_tag.items(), key=lambda one: (one[0].endswith("ors"), one[0])):
        lines += [f"### For {tag}" if tag.endswith("ors") else f"### {tag.capitalize()}", ""]
        lines += ["| request | what it does | takes | returns |", "|---|---|---|---|", *rows, ""]
    lines += [
        "## The socket",
        "",
        "`/api/tables/ID/live` is a WebSocket with one JSON object a message, distinguished by "
        "`type`. The server sends a `sync` with everything the seat may know, then an `update` for "
        "every action. To play, send `play` with the action's id and the position (`ply`) it was "
        "chosen in. `done` says that it is on disk; `refused` says why not. A client "
        "that falls behind gets another `sync`. `bye` says when to come back.",
        "",
    ]
    for title, union in (("You send", "FromPeople"), ("The server sends", "FromServer")):
        lines += [f"### {title}", "", "| type | fields | |", "|---|---|---|"]
        for member in types[union]["oneOf"]:
            name = member["$ref"].rsplit("/", 1)[-1]
            fields = [key for key in types[name]["properties"] if key != "type"]
            says = types[name]["description"].splitlines()[0]
            lines.append(f"| [`{name.lower()}`](#{name.lower()}) | {_codes(fields)} | {says} |")
        lines.append("")
    lines += ["## Types", "", "Fields are required unless they have a default.", ""]
    for name in sorted(own):
        described = types[name]
        if name in ("FromPeople", "FromServer") or "properties" not in described:
            continue
        lines += [f"### {name}", ""]
        if described.get("description"):
            lines += [described["description"].splitlines()[0], ""]
        lines += ["| field | type | default |", "|---|---|---|"]
        for key, field in described["properties"].items():
            default = f"`{json.dumps(field['default'])}`" if "default" in field else ""
            lines.append(f"| `{key}` | {_shape(field, own)} | {default} |")
        lines.append("")
    lines += [
        "Each game adds types of its own for `table`, `facts` and `events`: `HappyFoxTable`, "
        "`HappyFoxAction`, `HappyFoxEvent` and so on. `web/schema.json` has them all.",
        "",
    ]
    return "\n".join(lines)


def _is_of_a_game(name: str) -> bool:
    prefixes = ("".join(map(str.capitalize, game.split("-"))) for game in NAMES)
    return any(name.startswith(prefix) for prefix in prefixes)


def _codes(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _shape(schema: dict[str, Any], own: set[str]) -> str:
    """Writes a JSON schema in a few words, with links to the types of the page."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})" if name in own else f"`{name}`"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            if len(schema[key]) > 4:
                return "one of the games' types"
            return " or ".join(_shape(one, own) for one in schema[key])
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    kind = schema.get("type", "any")
    if kind == "array":
        items = schema.get("items")
        if not isinstance(items, dict):  # a tuple, whose places have types of their own
            return "list"
        return f"list of {_shape(items, own)}"
    return str(kind)


if __name__ == "__main__":
    main()
