"""The server's contract for clients: OpenAPI for REST, with the socket's messages beside it.

`python -m foxden.server.schema > web/schema.json` writes it for the client's types.
"""

from __future__ import annotations

import json
from types import UnionType
from typing import Any, get_args

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from foxden.server import messages
from foxden.server.lists import TableList

REF = "#/components/schemas/{name}"
PROBLEM = {
    "description": "A problem, as RFC 9457 has it",
    "content": {"application/problem+json": {"schema": {"$ref": REF.format(name="Problem")}}},
}
VIEW = {
    "type": "object",
    "description": "What a seat may know; `table` is each game's own.",
    "required": [
        "game", "rules_version", "options", "together", "names", "seat", "ply", "to_act",
        "question", "rules_now", "legal", "table",
    ],
    "properties": {
        "game": {"type": "string"},
        "rules_version": {"type": "integer"},
        "options": {"type": "object"},
        "together": {"type": "boolean"},
        "names": {"type": "array", "items": {"type": "string"}},
        "seat": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "ply": {"type": "integer"},
        "to_act": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "question": {"type": "string"},
        "rules_now": {"type": "array", "items": {"type": "string"}},
        "legal": {"type": "array", "items": {"$ref": REF.format(name="LegalAction")}},
        "table": {"type": "object"},
        "scores": {"type": "array", "items": {"type": "integer"}},
        "winners": {"type": "array", "items": {"type": "integer"}},
        "tally": {"type": "array", "items": {"type": "array", "items": {"type": "array"}}},
    },
}  # fmt: skip
LEGAL_ACTION = {
    "type": "object",
    "required": ["id", "notation", "says"],
    "properties": {
        "id": {"type": "integer"},
        "notation": {"type": "string"},
        "says": {"type": "string"},
    },
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
    structs += [TableList, messages.ChatPage]
    _, components = msgspec.json.schema_components(structs, ref_template=REF)
    for name, union in unions:
        members = [struct.__name__ for struct in get_args(union)]
        components[name] = {
            "oneOf": [{"$ref": REF.format(name=member)} for member in members],
            "discriminator": {
                "propertyName": "type",
                "mapping": {member.lower(): REF.format(name=member) for member in members},
            },
        }
    schemas |= components
    schemas |= {"View": VIEW, "LegalAction": LEGAL_ACTION}
    view = {"$ref": REF.format(name="View")}
    schemas["Update"]["properties"]["view"] = view
    schemas["Sync"]["properties"]["view"] = {"anyOf": [view, {"type": "null"}]}
    schemas["PositionInfo"]["properties"]["view"] = view
    entries = {"type": "array", "items": {"$ref": REF.format(name="LogEntry")}}
    schemas["PositionInfo"]["properties"]["log"] = entries
    for path in found["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
            operation["responses"]["default"] = PROBLEM
    for gone in ("HTTPValidationError", "ValidationError"):
        schemas.pop(gone, None)
    return found


def main() -> None:
    """Prints the schema, the same every time."""
    from foxden.server.app import rest

    print(json.dumps(openapi(rest()), indent=1, sort_keys=True, ensure_ascii=False))


if __name__ == "__main__":
    main()
