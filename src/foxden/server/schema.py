"""The server's API schema: OpenAPI for REST, plus the socket's messages.

`python -m foxden.server.schema > web/schema.json` writes it for the client's types.
"""

from __future__ import annotations

import json
from types import UnionType
from typing import Any, get_args

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

import foxden.games  # noqa: F401  (registers them)
from foxden.engine.registry import find, registered
from foxden.lessons import Lesson, Remark
from foxden.server import messages
from foxden.server.lists import TableList

REF = "#/components/schemas/{name}"
PROBLEM = {
    "description": "A problem, as RFC 9457 has it",
    "content": {"application/problem+json": {"schema": {"$ref": REF.format(name="Problem")}}},
}


def openapi(app: FastAPI) -> dict[str, Any]:
    """Describes the whole API."""
    found = get_openapi(title=app.title, version=app.version, routes=app.routes)
    schemas = found["components"]["schemas"]
    unions: tuple[tuple[str, UnionType], ...] = (
        ("FromPeople", messages.FromPeople),
        ("FromServer", messages.FromServer),
    )
    structs = [struct for _, union in unions for struct in get_args(union)]
    structs += [TableList, messages.ChatPage, Lesson, Remark]
    _, components = msgspec.json.schema_components(structs, ref_template=REF)
    for name, union in unions:
        members = [struct.__name__ for struct in get_args(union)]
        components[name] = {
            "oneOf": [_ref(member) for member in members],
            "discriminator": {
                "propertyName": "type",
                "mapping": {member.lower(): REF.format(name=member) for member in members},
            },
        }
    schemas |= components
    games = [_prefix(name) for name in registered()]
    for name in registered():
        schemas |= _game_types(name)
    view = schemas["View"]["properties"]
    view["table"] = {"anyOf": [_ref(f"{game}Table") for game in games]}
    facts = {"anyOf": [_ref(f"{game}Action") for game in games]}
    schemas["LegalAction"]["properties"]["facts"] = facts
    events = {"anyOf": [_ref(f"{game}Event") for game in games]}
    schemas["LogEntry"]["properties"]["events"] = {"type": "array", "items": events}
    for shown in ("PositionInfo", "PuzzleInfo"):
        properties = schemas[shown]["properties"]
        properties["view"] = _ref("View")
        properties["log"] = {"type": "array", "items": _ref("LogEntry")}
    for path in found["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
            operation["responses"]["default"] = PROBLEM
    for gone in ("HTTPValidationError", "ValidationError"):
        schemas.pop(gone, None)
    return found


def _ref(name: str) -> dict[str, str]:
    return {"$ref": REF.format(name=name)}


def _prefix(game: str) -> str:
    """Returns the prefix of a game's types: happy-fox becomes HappyFox."""
    return "".join(word.capitalize() for word in game.split("-"))


def _game_types(name: str) -> dict[str, Any]:
    """Describes the types a game declares: its Table, actions and events."""
    view, prefix = find(name).view, _prefix(name)
    declared = [view.Table, view.Actions, view.Events]
    ref = REF.format(name=f"{prefix}{{name}}")
    (_, actions, events), components = msgspec.json.schema_components(declared, ref_template=ref)
    types = {f"{prefix}{key}": described for key, described in components.items()}
    return types | {f"{prefix}Action": actions, f"{prefix}Event": events}


def main() -> None:
    """Prints the schema, the same every time."""
    from foxden.server.app import rest

    print(json.dumps(openapi(rest()), indent=1, sort_keys=True, ensure_ascii=False))


if __name__ == "__main__":
    main()
