"""Rows to put into stores."""

from __future__ import annotations

from typing import Any

from foxden.server.store import MoveRow, SeatRow, TableRow


def table(id: str, **changes: Any) -> TableRow:
    """Returns a running table of Ann and a bot, but for the changes."""
    row: dict[str, Any] = {
        "id": id,
        "game": "happy-fox",
        "rules_version": 1,
        "seats": (SeatRow("person", "ann", "Ann", 2), SeatRow("bot", level=3)),
        "options": {"unknown_four": True, "names": ["Füchsin", "狐"]},
        "parts": {},
        "clock": {"kind": "move", "seconds": 30},
        "access": "listed",
        "watch": "anyone",
        "hints": True,
        "pace": "brisk",
        "host": "ann",
        "seed": 2**125 + 1,
        "status": "running",
        "created": 1_800_000_000.25,
    }
    return TableRow(**row | changes)


def move(table: str, ply: int, action: int = 3, **changes: Any) -> MoveRow:
    """Returns a move of a table."""
    row: dict[str, Any] = {
        "seat": ply % 2,
        "by": "person",
        "at": 1_800_000_000.123456 + ply,
        "uptime": 60.5 + ply,
    }
    return MoveRow(table=table, ply=ply, action=action, **row | changes)
