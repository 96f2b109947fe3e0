"""The application: REST, sockets and the client's files."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from foxden.engine.errors import FoxdenError
from foxden.server import metrics
from foxden.server.admin import router as admin_router
from foxden.server.api import router
from foxden.server.client import read_client
from foxden.server.config import Config
from foxden.server.daily_api import router as daily_router
from foxden.server.hub import Hub
from foxden.server.limits import LONGEST_BODY
from foxden.server.live import live
from foxden.server.messages import Problem, encode
from foxden.server.problems import Refusal, problem
from foxden.server.puzzle_api import router as puzzle_router
from foxden.server.requests import Receive, Scope, Send, address, asker, header, refuse_foreign
from foxden.server.review_api import router as review_router
from foxden.server.schema import openapi
from foxden.server.store import Store
from foxden.server.teaching import router as teaching_router

log = structlog.get_logger()
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # a table's address may hold its key
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # a lone surrogate, or one of a pair
# Also match an unterminated string: resuming from its middle would take quadratic time.
BRACKETS = re.compile(r'"(?:[^"\\]+|\\.?)*"?|([\[{])|[\]}]', re.DOTALL)
DEEPEST = 32  # nesting of objects and lists
SAFE = ("GET", "HEAD", "OPTIONS")
SLOWEST = 20.0  # seconds that a request may take to arrive
NOT_COUNTED = ("/api/health", "/api/ready", "/api/metrics")


def told(error: FoxdenError) -> Response:
    """Answers with a problem."""
    found = problem(error)
    metrics.REFUSALS.labels(found.type).inc()
    headers = {}
    if isinstance(error, Refusal) and error.retry is not None:
        headers["Retry-After"] = str(max(1, round(error.retry)))
    if found.status == 429:
        headers["Connection"] = "close"  # do not even read pipelined requests
    return _answer(found, headers)


def _answer(found: Problem, headers: dict[str, str] | None = None) -> Response:
    return Response(
        encode(found), found.status, headers=headers, media_type="application/problem+json"
    )


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, FoxdenError)
    return told(error)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = [str(part) for part in first["loc"][1:]]
    return told(
        Refusal(
            "bad-request",
            422,
            f"{'.'.join(place) or 'The request'}: {first['msg']}.",
            field=".".join(place) or None,
        )
    )


async def _missing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    name = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code, "bad-request")
    response = told(Refusal(name, error.status_code, f"{error.detail}."))
    response.headers.update(error.headers or {})
    return response


async def _broken(request: Request, error: Exception) -> Response:
    metrics.FAULTS.inc()
    log.error("request failed", path=request.url.path, exc_info=error)
    return told(Refusal("fault", 500, "Something went wrong on the server."))


class Application:
    """ASGI middleware: routes sockets to their tables, guards and counts all other requests."""

    def __init__(self, app: FastAPI, hub: Hub) -> None:
        """Wraps the REST application."""
        self.app: Any = app
        self.hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection, request or the lifespan."""
        if scope["type"] == "websocket":
            await live(self.hub, scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        limits = self.hub.limits
        at = address(scope)
        try:
            if scope["path"].startswith("/api/") and scope["path"] not in NOT_COUNTED:
                limits.spend("traffic", at)
                who = scope["asker"] = await asker(scope, self.hub)
                limits.spend("request" if who.person else "stranger", who.key)
                if scope["method"] not in SAFE:
                    refuse_foreign(scope, self.hub.config)
                    self.hub.check_open()
                    receive = await _bounded(scope, receive)
            # Starlette would read all cookies of every request, in quadratic time.
            scope["headers"] = [pair for pair in scope["headers"] if pair[0] != b"cookie"]
            async with limits.turn(at) as turn:

                async def guarded(message: dict[str, Any]) -> None:
                    if message["type"] == "http.response.start":
                        message["headers"] = [*message["headers"], *RAW_HEADERS]
                    elif not message.get("more_body"):
                        turn.end()  # a slow reader must not hold up others
                    await send(message)

                await turn.timed(self.app(scope, receive, guarded))
        except FoxdenError as error:
            response: Any = told(error)
            response.raw_headers += RAW_HEADERS
            await response(scope, receive, send)


async def _bounded(scope: Scope, receive: Receive) -> Receive:
    """Reads a request's body, refusing one that is too long."""
    too_long = Refusal("too-long", 413, f"A request has at most {LONGEST_BODY} bytes.")
    length = header(scope, b"content-length")
    if length.isdecimal() and int(length) > LONGEST_BODY:
        raise too_long
    body = b""
    more = True
    try:
        async with asyncio.timeout(SLOWEST):
            while more:
                event = await receive()
                body += event.get("body", b"")
                more = event.get("more_body", False)
                if len(body) > LONGEST_BODY:
                    raise too_long
    except TimeoutError:
        raise Refusal("too-slow", 408, "The request did not arrive in time.") from None
    _check_text(body)
    first: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> dict[str, Any]:
        return first.pop() if first else await receive()

    return again


def _check_text(body: bytes) -> None:
    """Refuses JSON that parses but would break later code."""
    try:
        text = body.decode()
        if SURROGATE.search(text):
            json.dumps(json.loads(text), ensure_ascii=False).encode()
    except UnicodeError:
        raise Refusal("bad-request", 400, "The request is not text in UTF-8.") from None
    except (ValueError, RecursionError):
        pass  # the parser reports it
    depth = 0
    if text.count("[") + text.count("{") > DEEPEST:
        for found in BRACKETS.finditer(text):
            if found[1]:
                depth += 1
            elif found[0] in "]}":
                depth -= 1
            if depth > DEEPEST:
                raise Refusal("bad-request", 400, f"A request is at most {DEEPEST} levels deep.")


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    hub: Hub = app.state.hub
    await hub.open()
    try:
        yield
    finally:
        await hub.close()


def rest() -> FastAPI:
    """Makes the REST application, without a hub yet."""
    app = FastAPI(
        title="Foxden",
        version="1",
        lifespan=_lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.openapi = cache(lambda: openapi(app))  # type: ignore[method-assign]
    app.include_router(router)
    app.include_router(admin_router)
    app.include_router(teaching_router)
    app.include_router(review_router)
    app.include_router(daily_router)
    app.include_router(puzzle_router)
    app.add_exception_handler(FoxdenError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _missing)
    app.add_exception_handler(Exception, _broken)
    return app


def _serve_client(app: FastAPI) -> None:
    """Serves the client's files; every page of it is index.html."""
    files = read_client()
    if not files:
        log.warning("the web client is not built; only the API is served")
        return

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if path.startswith(("api/", "assets/")) and path not in files:
            raise HTTPException(404)
        return files.get(path, files["index.html"]).answer(request)


def make_application(config: Config, store: Store | None = None) -> Application:
    """Makes the whole application of one process."""
    app = rest()
    app.state.hub = hub = Hub(config, store)
    _serve_client(app)
    return Application(app, hub)
