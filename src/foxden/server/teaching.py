"""The API for newcomers: a game's lesson, and tips for first matches."""

from __future__ import annotations

import asyncio
import gzip
from functools import cache

import msgspec
from fastapi import APIRouter, Request, Response

from foxden.engine.game import Game
from foxden.engine.registry import find
from foxden.lessons import Remark, has_lesson, read_lesson, read_remarks
from foxden.server.problems import not_found

router = APIRouter(prefix="/api/games", tags=["games"])
encode = msgspec.json.Encoder().encode
LESSON = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Lesson"}}}}
REMARKS = {
    "content": {
        "application/json": {
            "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Remark"}}
        }
    }
}


@router.get("/{game}/lesson", responses={200: LESSON})
async def lesson(game: str, request: Request) -> Response:
    """Returns a game's lesson, played to its end."""
    found = find(game)
    if not has_lesson(found):
        raise not_found("lesson")
    # Uncompiled rules take a moment; others must not wait for it.
    content, squeezed = await asyncio.to_thread(_lesson, found)
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        content = squeezed
        headers["Content-Encoding"] = "gzip"
    return Response(content, media_type="application/json", headers=headers)


@cache
def _lesson(game: Game) -> tuple[bytes, bytes]:
    """Writes a lesson, plain and compressed: its dozens of views are nearly the same."""
    content = encode(read_lesson(game))
    return content, gzip.compress(content, mtime=0)


@router.get("/{game}/remarks", responses={200: REMARKS})
async def remarks(game: str) -> Response:
    """Lists a coach's tips for a first match."""
    found: list[Remark] = read_remarks(find(game))
    return Response(encode(found), media_type="application/json")
