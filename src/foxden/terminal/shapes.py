"""Reads any game's table from the shapes of its values, for a game-independent drawing.

The browser reads tables the same way (`web/src/kit/shapes.ts`); `web/src/kit/shapes.json` has the
cases that both must agree on.

`seats`, a list with one entry a seat, holds what lies before each seat; everything else is shared.
`NAME: null` beside `NAME_size: 5` is five cards face down; any other null is left out, except in
rows.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

Fields = dict[str, Any]


class Part(Struct, tag_field="kind", tag=str.lower):
    """One thing on a table."""

    name: str


class Counter(Part):
    """A number."""

    value: float


class Label(Part):
    """A text."""

    text: str


class Mark(Part):
    """Something that is true."""


class Cards(Part):
    """Cards by name; None is one face down."""

    cards: list[str | None]


class Counts(Part):
    """How many of each; the size is known where it was told apart."""

    size: float | None
    counts: list[tuple[str, float]]


class Numbers(Part):
    """A row of numbers."""

    numbers: list[float | None]


class Group(Part):
    """Parts under one heading."""

    parts: list[Part]


class Row(Struct, omit_defaults=True):
    """An entry of a list.

    One with a single text, and counters and marks at most, is a card with that face.
    """

    parts: list[Part]
    face: str | UnsetType | None = UNSET


class Rows(Part):
    """A list of entries that are more than a text or a number."""

    rows: list[Row]


class Hidden(Part):
    """A field of a row that the viewer may not see, or that holds nothing."""


class Empty(Part):
    """Something that has nothing in it."""


class Layout(Struct):
    """A table: what all share, and what lies before each seat."""

    shared: list[Part]
    places: list[list[Part]]


def heading(name: str) -> str:
    """Writes a field's name in plain words: hand_size becomes "Hand size"."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def lay_out(table: Any, seats: int) -> Layout:
    """Tells what lies before each of so many seats from what all share."""
    if not isinstance(table, dict):
        return Layout(_part("", table), [])
    places = table.get("seats")
    if not isinstance(places, list) or len(places) != seats:
        return Layout(_parts(table), [])
    shared = {name: value for name, value in table.items() if name != "seats"}
    return Layout(_parts(shared), [_place(place) for place in places])


def _place(place: Any) -> list[Part]:
    return _parts(place) if isinstance(place, dict) else _part("", place)


def _parts(fields: Fields, *, row: bool = False) -> list[Part]:
    found: list[Part] = []
    for name, value in fields.items():
        size = fields.get(f"{name}_size")
        counted = name.removesuffix("_size")
        if counted in fields and counted != name and _is_size(fields[counted], value):
            continue  # shown with what it counts
        if value is None and _is_number(size):
            found.append(Cards(name, [None] * int(size)) if size else Empty(name))
        elif value is None:
            found += [Hidden(name)] if row else []
        else:
            found += _part(name, value, size if _is_size(value, size) else None)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text_or_hidden(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _is_counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_number, value.values()))


def _is_size(value: Any, size: Any) -> bool:
    """Returns whether a size counts this field: hidden cards, or as many visible ones."""
    if not _is_number(size):
        return False
    if isinstance(value, list):
        return len(value) == size and all(map(_is_text_or_hidden, value))
    return value is None or (_is_counts(value) and sum(value.values()) == size)


def _part(name: str, value: Any, size: float | None = None) -> list[Part]:
    if value is None or value is False:
        return []
    if value is True:
        return [Mark(name)]
    if _is_number(value):
        return [Counter(name, value)]
    if isinstance(value, str):
        return [Label(name, value) if value else Empty(name)]
    if isinstance(value, list):
        return [_list(name, value)]
    if not value:
        return [Empty(name)]
    if _is_counts(value):
        return [Counts(name, size, list(value.items()))]
    parts = _parts(value)
    return [Group(name, parts)] if parts else []


def _list(name: str, values: list[Any]) -> Part:
    if not values:
        return Empty(name)
    if all(map(_is_text_or_hidden, values)):
        return Cards(name, values)
    if all(value is None or _is_number(value) for value in values):
        return Numbers(name, values)
    return Rows(name, [_row(value) for value in values])


def _row(value: Any) -> Row:
    if not isinstance(value, dict):
        return Row(_part("", value))
    parts = _parts(value, row=True)
    faces = [part for part in parts if isinstance(part, Label | Hidden)]
    rest: list[Part] = [part for part in parts if isinstance(part, Counter | Mark)]
    if len(faces) != 1 or len(rest) != len(parts) - 1:
        return Row(parts)
    return Row(rest, faces[0].text if isinstance(faces[0], Label) else None)
