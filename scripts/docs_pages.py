"""Writes the pages and pictures of the site that are made from the code; `make docs` runs it."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import subprocess
import sys
import tomllib
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

import foxden
from foxden.games import NAMES
from foxden.server.config import Config

ROOT = Path(__file__).resolve().parent.parent
PICTURE = re.compile(r"<!-- picture: ([\w ]+) -->")

# A move's way: where it is (a module and a function), and what happens there. Each step's function
# calls the next; `check_way` holds the list to the code.
CLIENT = ROOT / "web" / "src" / "api" / "live.svelte.ts"
WAY = (
    ("foxden.server.live", "Socket._answer", "reads the message, checks whose seat it is"),
    ("foxden.server.tables", "Table.play", "hands it to the table's match"),
    ("foxden.server.live_match", "LiveMatch.play", "one move at a time"),
    ("foxden.engine.match", "Match.check", "the rules: legal now, for this seat?"),
    ("foxden.server.store", "Store.append", "on disk, or refused"),
    ("foxden.server.tables", "Table._show", "only now is it shown to anybody"),
    ("foxden.server.audience", "Audience.show", "for every seat that somebody looks through"),
    ("foxden.engine.match", "Match.play_and_view", "plays it; wipes the state for each seat"),
    ("foxden.server.audience", "Viewer.update", "view and events of one seat"),
    ("foxden.server.live", "Socket.push", "sends them to its sockets"),
)
# Who calls whom on that way.
CALLS = (
    ("foxden.server.live", "Socket._answer", "table.play("),
    ("foxden.server.tables", "Table.play", "self.live.play("),
    ("foxden.server.live_match", "LiveMatch.play", "match.check("),
    ("foxden.server.live_match", "LiveMatch.play", "self._store.append("),
    ("foxden.server.live_match", "LiveMatch.play", "self._apply("),
    ("foxden.server.live_match", "LiveMatch._apply", "self._show("),
    ("foxden.server.tables", "Table._show", "self.audience.show("),
    ("foxden.server.audience", "Audience.show", "match.play_and_view("),
    ("foxden.server.audience", "Audience.show", 'self.push("update")'),
    ("foxden.server.live", "Socket._made", ".update("),
)


def main() -> None:
    """Lays everything out where mkdocs.yml looks for it."""
    write(ROOT / "build" / "docs")


def write(folder: Path) -> None:
    """Fills a folder with the pages of docs/, as links, and with those made from the code."""
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
            pages[place] = PICTURE.sub(lambda found: DRAWN[found[1]](), text)
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
        "For whoever runs a server. Set them in the environment, under these names, or in a TOML "
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
        "server. Several machines on one database need the same `FOXDEN_SECRET`: a cookie issued "
        "by one is not valid on another otherwise.",
        "",
    ]
    return "\n".join(lines)


def commands() -> str:
    """Writes the command line, as Typer describes it."""
    command = [sys.executable, "-m", "typer", "foxden.cli", "utils", "docs", "--name", "foxden"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout.replace("# `foxden`", "# Commands", 1)


def http() -> str:
    """Writes the HTTP and socket API, from the schema that the client's types are made from."""
    schema = json.loads((ROOT / "web" / "schema.json").read_text(encoding="utf-8"))
    types = schema["components"]["schemas"]
    own = {name for name in types if not _is_of_a_game(name)}
    lines = [
        "# HTTP and socket API",
        "",
        "For clients of your own. Everything under `/api` is JSON; a running server describes all "
        "of it at `/api/openapi.json`. What is refused changes nothing and comes back as a problem "
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
    for tag, rows in sorted(by_tag.items()):
        lines += [f"### For {tag}" if tag.endswith("ors") else f"### {tag.capitalize()}", ""]
        lines += ["| request | what it does | takes | returns |", "|---|---|---|---|", *rows, ""]
    lines += [
        "## The socket",
        "",
        "`/api/tables/ID/live` is a WebSocket with one JSON object a message, told apart by "
        "`type`. The server sends a `sync` with everything the seat may know, then an `update` for "
        "every action. To play, send `play` with the action's id and the position (`ply`) it was "
        "chosen in. `done` says that it is on disk; `refused` says why not. Whoever is behind gets "
        "another `sync`. `bye` says when to come back.",
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


# Pictures


def layers() -> list[list[str]]:
    """Returns the rooms from the top down, as import-linter holds them apart."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (rows,) = (one["layers"] for one in contracts if "foxden.engine" in one.get("layers", ()))
    return [[name.strip() for name in row.split("|")] for row in rows]


def rooms() -> str:
    """Draws the packages, each above those that it may import."""
    width, height, gap = 720, 46, 14
    parts = []
    y = 8
    for row in layers():
        each = (width - gap * (len(row) - 1)) / len(row)
        for k, name in enumerate(row):
            says = (inspect.getdoc(import_module(name)) or "").split("\n")[0]
            says = says.split(": ", 1)[-1].rstrip(".")
            x = k * (each + gap)
            room = int(each / 6.6)
            if len(says) > room:
                says = says[: room - 1].rsplit(" ", 1)[0].rstrip(",;:") + " …"
            parts.append(_box(x, y, each, height, name.removeprefix("foxden."), says))
        y += height + gap
    title = "The rooms of Foxden: each may import those below it"
    return _svg(width, y, title, parts)


def check_way() -> None:
    """Fails where the code does not go the way that the picture shows."""
    for module, name, call in CALLS:
        source = inspect.getsource(_find(module, name))
        if call not in source:
            raise ValueError(f"{module}.{name} does not call {call} any more: mend the picture.")
    for module, name, _ in WAY:
        _find(module, name)
    if "type: 'play'" not in CLIENT.read_text(encoding="utf-8"):
        raise ValueError(f"{CLIENT} does not send a play any more: mend the picture.")


def _find(module: str, name: str) -> Any:
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def way() -> str:
    """Draws what happens between a click and what everybody sees of it."""
    check_way()
    steps = [("web/src/api/live", "play", "a click on the board becomes a message")]
    steps += [(module, name, says) for module, name, says in WAY]
    steps += [("web/src/games", "Board", "draws the view, moves pieces by the events")]
    width, height, gap = 720, 40, 20
    parts = []
    for k, (where, name, says) in enumerate(steps):
        y = 8 + k * (height + gap)
        label = f"{where.removeprefix('foxden.')} · {name.rsplit('.', 1)[-1].strip('_')}"
        parts.append(_box(90, y, width - 180, height, label, says))
        if k:
            middle = width / 2
            parts.append(f'<path d="M{middle} {y - gap + 1} V{y - 6}" marker-end="url(#arrow)"/>')
    arrow = (
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>'
    )
    title = "A move's way from a click to every screen"
    return _svg(width, 8 + len(steps) * (height + gap), title, [arrow, *parts])


def _box(x: float, y: float, width: float, height: float, name: str, says: str) -> str:
    middle = x + width / 2
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height}" rx="8"/>'
        f'<text x="{middle:.0f}" y="{y + height / 2 - 4:.0f}" text-anchor="middle">'
        f"{escape(name)}</text>"
        f'<text class="small" x="{middle:.0f}" y="{y + height / 2 + 13:.0f}" '
        f'text-anchor="middle">{escape(says)}</text>'
    )


def _svg(width: float, height: float, title: str, parts: list[str]) -> str:
    return (
        f'<svg class="drawn" role="img" aria-label="{escape(title)}" '
        f'viewBox="-4 0 {width + 8:.0f} {height:.0f}" width="{width:.0f}">{"".join(parts)}</svg>'
    )


DRAWN = {"rooms": rooms, "way of a move": way}

if __name__ == "__main__":
    main()
