"""Schemathesis over the whole REST API: whatever is asked, the answer is one that was promised."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from foxden.server.app import rest
from foxden.server.schema import openapi
from tests.server.server import PATIENCE, Person, Served

PROMISED = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
calm = settings(
    deadline=None,
    max_examples=20,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
schema = schemathesis.openapi.from_dict(openapi(rest()))


def check(case: schemathesis.Case[Any], served: Served, cookie: str | None) -> None:
    headers = {"Cookie": cookie} if cookie else {}
    response = case.call(base_url=served.address, headers=headers, timeout=PATIENCE)
    case.validate_response(response, checks=PROMISED)
    if response.status_code >= 400:
        assert response.headers["content-type"] == ["application/problem+json"]
        problem = response.json()
        assert problem["type"].startswith("/problems/")
        assert problem["status"] == response.status_code
        assert problem["title"]
        assert problem["detail"]


@pytest.fixture
def table(mia: Person) -> str:
    return str(mia.open_table("happy-fox", "me", "bot:1", "open")["id"])


@schema.parametrize()
@calm
def test_strangers_and_hosts_get_what_was_promised(
    case: schemathesis.Case[Any], served: Served, mia: Person, table: str
) -> None:
    """Asks without a cookie, then as a host whose table is there: further in, more can break."""
    check(case, served, None)
    there: dict[str, Any] = {"id": table, "game": "happy-fox"}
    if isinstance(case.path_parameters, dict):
        case.path_parameters |= {k: v for k, v in there.items() if k in case.path_parameters}
    if isinstance(case.body, dict) and "game" in case.body:
        case.body["game"] = "happy-fox"
    check(case, served, mia.cookie)
