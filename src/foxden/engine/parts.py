"""Printed numbers as data: a game's parts.toml, and a table's changes to it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from foxden.engine.errors import BadParts
from foxden.engine.native import native

Parts = dict[str, Any]  # nested tables; a leaf is a whole number, a text, or a list
ENTRY = re.compile(r"(.*)\[([1-9][0-9]{0,8})\]")  # one entry of a list, counted from 1: cost[7]
KINDS = {int: "a whole number", str: "a text", list: "a list"}


def read_parts(file: Path) -> Parts:
    """Reads a parts file; a broken one is refused with its place."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadParts(f"It cannot be read: {error.strerror}.", where=str(file)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadParts(f"It is not TOML: {error}.", where=str(file)) from error


def changed_parts(printed: Parts, changes: Mapping[str, Any], where: str = "") -> Parts:
    """Returns the printed parts with the changes in place.

    Changes are nested like the parts, or named by dotted paths, as in a record; `cost[7]` is the
    seventh entry of a list. A change must name a printed number, and have its type.
    """
    if not isinstance(changes, Mapping):
        raise BadParts(f"Changed parts go by their names, not {changes!r}.", where=where or "parts")
    parts = dict(printed)
    for key, value in changes.items():
        if not isinstance(key, str):
            raise BadParts("A part is named by a text.", where=f"{where}{key}")
        step, _, rest = key.partition(".")
        entry = ENTRY.fullmatch(step)
        name = entry[1] if entry else step
        path = f"{where}{step}"
        if name not in printed:
            raise BadParts(
                f"The game prints no such number; there are {', '.join(printed)}.", where=path
            )
        inner = {rest: value} if rest else value
        if entry and not rest:
            parts[name] = _with_entry(parts[name], int(entry[2]), value, path)
        elif isinstance(printed[name], dict) and not entry:
            if not isinstance(inner, Mapping):
                raise BadParts(f"A table is wanted, not {value!r}.", where=path)
            parts[name] = changed_parts(parts[name], inner, f"{path}.")
        elif rest:
            raise BadParts(f"It has no part {rest!r}.", where=path)
        else:
            parts[name] = _of_kind(printed[name], value, path)
    return parts


def _of_kind(printed: Any, value: Any, where: str) -> Any:
    """Returns a leaf, refusing one of another type than the printed one."""
    leaf = _native(value)
    if type(leaf) is not type(printed):
        wanted = KINDS[type(printed)].capitalize()
        raise BadParts(f"{wanted} is wanted, not {value!r}.", where=where)
    return leaf


def _with_entry(entries: Any, number: int, value: Any, where: str) -> list[Any]:
    """Returns a list with one entry changed, counted from 1."""
    if not isinstance(entries, list):
        raise BadParts("It is no list, so it has no entries.", where=where)
    if not 1 <= number <= len(entries):
        raise BadParts(f"Its entries go from 1 to {len(entries)}.", where=where)
    changed = [*entries]
    changed[number - 1] = _of_kind(entries[number - 1], value, where)
    return changed


def _native(value: Any) -> Any:
    """Returns a leaf with Python's own numbers; an array is a list."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [_native(one) for one in value] if isinstance(value, list) else native(value)


def part_changes(printed: Parts, parts: Parts, where: str = "") -> Iterator[tuple[str, Any]]:
    """Lists what differs from the printed parts, as (dotted path, value)."""
    for name, value in printed.items():
        if isinstance(value, dict):
            yield from part_changes(value, parts[name], f"{where}{name}.")
        elif parts[name] != value:
            yield f"{where}{name}", parts[name]


def number_between(parts: Parts, path: str, low: int, high: int) -> int:
    """Returns the whole number at a dotted path, refusing one outside the range."""
    value: Any = parts
    for name in path.split("."):
        value = value[name]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadParts(f"It must be from {low} to {high}, and is {value!r}.", where=path)
    return value
