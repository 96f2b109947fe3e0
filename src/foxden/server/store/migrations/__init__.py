"""The schema, step by step: numbered SQL files, one folder a dialect; each is applied once."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

from foxden.server.store import BadStore


@dataclass(frozen=True)
class Migration:
    """One step of the schema."""

    number: int
    statements: tuple[str, ...]


def read(dialect: str) -> list[Migration]:
    """Returns every step of a dialect, in order."""
    files = resources.files(__name__).joinpath(dialect).iterdir()
    steps = [(int(f.name[:4]), f.read_text()) for f in files if f.name.endswith(".sql")]
    return [Migration(number, _split(text)) for number, text in sorted(steps)]


def missing(steps: list[Migration], done: int) -> list[Migration]:
    """Returns the steps that a schema lacks; one that is ahead of this Foxden is refused."""
    if done > len(steps):
        raise BadStore(
            f"The store's schema is version {done}, and this Foxden knows {len(steps)}:"
            " it was used by a newer Foxden. Upgrade, or restore a backup from before."
        )
    return steps[done:]


def _split(text: str) -> tuple[str, ...]:
    # A statement ends with a semicolon at the end of a line; comments may follow on their own.
    lines = (line.partition("--")[0].rstrip() for line in text.splitlines())
    return tuple(part.strip() for part in "\n".join(lines).split(";") if part.strip())
