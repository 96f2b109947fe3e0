"""Writes golden playthroughs: what every seat and a spectator see of each golden record.

`python -m tests.games.playthroughs` renews the files in tests/playthroughs; read the difference
before you commit it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import foxden

RECORDS = Path(__file__).parents[1] / "records"
FOLDER = Path(__file__).parents[1] / "playthroughs"
WIDTH = 100
LOOKS = 3  # positions of a record that are written out, besides its end
STEPS = 6  # actions after each that are told
COMMON = ("game", "rules_version", "names", "seat", "ply")


def playthrough(record: str) -> str:
    """Returns what each viewer sees at several positions of a record, and is told after them.

    Of a seat only what differs from a spectator's is written.
    """
    match = foxden.Match.from_record(record)
    lines = [f"{match.game.title}, {match.seats} seats, {match.ply} actions"]
    for ply in (*[match.ply * k // LOOKS for k in range(LOOKS)], match.ply):
        lines += ["", f"== ply {ply}", *_written(_view(match.at(ply), None))]
        for seat in range(match.seats):
            told = _differences(_view(match.at(ply), None), _view(match.at(ply), seat))
            lines += [f"-- seat {seat}", *_written(told)]
        later = match.at(min(ply + STEPS, match.ply))
        logs = [later.log(seat, since=ply) for seat in (None, *range(match.seats))]
        for entries in zip(*logs, strict=True):
            lines += ["-- then", *_written(entries[0])]
            for seat, entry in enumerate(entries[1:]):
                if told := _differences(entries[0], entry):
                    lines += [f"to seat {seat}:", *_written(told, "  ")]
    return "\n".join(lines) + "\n"


def _view(match: foxden.Match, seat: int | None) -> dict[str, Any]:
    return {key: value for key, value in match.view(seat).items() if key not in COMMON}


def _differences(one: Any, other: Any) -> Any:
    """Returns what of the other is not the same; entries of lists are named by their number."""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other) > 0:
        one, other = dict(enumerate(one)), dict(enumerate(other))
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return other
    return {
        key: _differences(one.get(key), value)
        for key, value in other.items()
        if key not in one or one[key] != value
    }


def _written(thing: Any, indent: str = "") -> list[str]:
    """Writes a value so that a person can read what changed: short things on one line."""
    pairs: Iterator[tuple[str, Any]]
    if isinstance(thing, dict):
        pairs = ((f"{key}:", value) for key, value in thing.items())
    else:
        pairs = (("-", value) for value in thing)
    lines = []
    for head, value in pairs:
        text = json.dumps(value, ensure_ascii=False)
        if not isinstance(value, dict | list) or len(text) + len(indent) + len(head) < WIDTH:
            lines.append(f"{indent}{head} {text}")
        else:
            lines += [f"{indent}{head}", *_written(value, f"{indent}  ")]
    return lines


def main() -> None:
    """Renews the playthroughs of the games named, or of all."""
    for name in sys.argv[1:] or foxden.games():
        folder = FOLDER / name
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.txt"):
            old.unlink()
        for record in sorted((RECORDS / name).glob("*.record")):
            (folder / f"{record.stem}.txt").write_text(playthrough(record.read_text()))


if __name__ == "__main__":
    main()
