"""The web client's files, kept in memory: few, small, and the same for everybody."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(str(resources.files("foxden"))) / "static"
SQUEEZED = (".html", ".js", ".css", ".svg", ".json", ".txt", ".map", ".webmanifest")
FOR_GOOD = "public, max-age=31536000, immutable"  # names under assets/ hold a hash of the content
# File types that not every system knows.
KINDS = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
TODAY = "no-cache"  # revalidated each time; mostly a 304


@dataclass(frozen=True)
class File:
    """One file, ready to send."""

    name: str
    content: bytes

    @cached_property
    def squeezed(self) -> bytes | None:
        """Returns the file compressed, if that helps."""
        if not self.name.endswith(SQUEEZED):
            return None
        return gzip.compress(self.content, mtime=0)

    @cached_property
    def tag(self) -> str:
        """Returns the ETag of the content."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:20]}"'

    def answer(self, request: Request) -> Response:
        """Answers a request for the file."""
        headers = {
            "ETag": self.tag,
            "Cache-Control": FOR_GOOD if self.name.startswith("assets/") else TODAY,
            "Vary": "Accept-Encoding",
        }
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        content = self.content
        if self.squeezed and "gzip" in request.headers.get("accept-encoding", ""):
            content = self.squeezed
            headers["Content-Encoding"] = "gzip"
        kind = KINDS.get(Path(self.name).suffix) or mimetypes.guess_type(self.name)[0]
        headers["Content-Type"] = kind or "application/octet-stream"
        return Response(content, headers=headers)


def read_client(folder: Path = FOLDER) -> dict[str, File]:
    """Reads the built client; empty if it was not built."""
    if not (folder / "index.html").is_file():
        return {}
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            found[name] = File(name, path.read_bytes())
    return found
