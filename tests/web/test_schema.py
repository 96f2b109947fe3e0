import json
from pathlib import Path

from foxden.server.app import rest
from foxden.server.schema import openapi

SCHEMA = Path(__file__).parents[2] / "web" / "schema.json"


def test_the_client_was_given_the_schema_as_it_is() -> None:
    known = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert known == openapi(rest()), "run `python -m foxden.server.schema > web/schema.json`"
