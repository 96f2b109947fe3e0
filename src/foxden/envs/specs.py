"""Spec sheets: a game's interface for research code, generated from the game."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence

from foxden.engine.errors import FoxdenError
from foxden.engine.game import Action, Game
from foxden.engine.parts import Parts
from foxden.envs import module_name
from foxden.envs.rewards import POINTS

VERSIONS = "versions.toml"  # in a game's folder: what each version after the first has changed
IN_A_ROW = 16  # notations


def sheet(game: Game) -> str:
    """Writes a game's spec sheet in Markdown."""
    blocks = (_head, _table, _actions, _observation, _rewards, rules_versions)
    return "\n\n".join(block(game) for block in blocks) + "\n"


def _head(game: Game) -> str:
    name = module_name(game.name)
    return (
        f"# {game.title}\n\n"
        f"<!-- Written by `foxden spec {game.name}`; change the game, not this sheet. -->\n\n"
        f"{game.about.blurb}\n\n"
        + _rows(
            ("", ""),
            (
                ("players", _players(game)),
                ("actions", str(game.actions)),
                ("observation", f"{game.tensor_size} numbers from -1 to 1, float32"),
                ("state", f"{game.state.itemsize} bytes"),
                ("rules version", str(game.rules_version)),
                ("PettingZoo", f'`foxden.envs.pettingzoo.env("{game.name}")`'),
                ("", f"`{name}_v{game.rules_version}`, agents `seat_0` …"),
                ("OpenSpiel", f'`pyspiel.load_game("foxden_{name}(seats={game.usual_seats()})")`'),
            ),
        )
    )


def _table(game: Game) -> str:
    options = [
        (
            f"`{option.name}`",
            ", ".join(option.text(value) for value in option.samples()),
            option.text(option.standard),
            option.help,
            " ".join(option.rules),
        )
        for option in game.options
    ]
    text = "## Options\n\n"
    if options:
        text += _rows(("option", "values", "standard", "what it does", "rules"), options)
    else:
        text += "None."
    parts = [(f"`{path}`", f"`{value}`") for path, value in _leaves(game.printed)]
    return text + "\n\n## Parts\n\n" + _rows(("part", "printed"), parts)


def _leaves(parts: Parts, where: str = "") -> Iterator[tuple[str, object]]:
    for name, value in parts.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{where}{name}.")
        else:
            yield f"{where}{name}", value


def _actions(game: Game) -> str:
    text = "## Actions\n\n" + _rows(("id", "notation"), _runs(game.labels[: game.actions]))
    if game.hidden_actions:
        text += (
            "\n\nOthers see a hidden action as one of these labels; they stand in logs and in "
            "information states, and cannot be played.\n\n"
        )
        text += _rows(("label", "notation"), _runs(game.labels[game.actions :]))
    return text


def _runs(labels: Sequence[Action]) -> Iterator[tuple[str, str]]:
    """Lists actions in rows, with ranges where one number counts up."""
    first = 0
    while first < len(labels):
        place = _step(labels, first)
        last = first
        while place is not None and _step(labels, last) == place:
            last += 1
        if last - first >= 2:
            yield _range(labels[first].id, labels[last].id), f"`{labels[first]}` … `{labels[last]}`"
        else:
            kind = str(labels[first]).split()[0]
            last = first
            while (
                last + 1 < len(labels)
                and last + 1 - first < IN_A_ROW
                and str(labels[last + 1]).split()[0] == kind
                and _step(labels, last) is None
            ):
                last += 1
            row = labels[first : last + 1]
            yield _range(row[0].id, row[-1].id), ", ".join(f"`{label}`" for label in row)
        first = last + 1


def _step(labels: Sequence[Action], k: int) -> int | None:
    """Returns the place of the one number that is higher by one in the next notation."""
    if k + 1 >= len(labels):
        return None
    one, other = (re.split(r"(\d+)", str(label)) for label in labels[k : k + 2])
    if len(one) != len(other):
        return None
    places = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(places) != 1 or places[0] % 2 == 0:  # numbers stand at odd places
        return None
    return places[0] if int(other[places[0]]) == int(one[places[0]]) + 1 else None


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def _observation(game: Game) -> str:
    rows, at = [], 0
    for block in game.tensor:
        shape = " × ".join(map(str, block.shape))
        rows.append((_range(at, at + block.size - 1), f"`{block.name}`", shape, block.meaning))
        at += block.size
    return (
        "## Observation\n\n"
        "The tensor holds all that a seat knows; nothing in it tells more. Seats are counted "
        "clockwise from the viewer, and a spectator counts from seat 0.\n\n"
        + _rows(("numbers", "block", "shape", "meaning"), rows)
    )


def _rewards(game: Game) -> str:
    text = (
        "## Rewards\n\n"
        "All come with the end of the match. Winners share one win, less what the table expects "
        "of a seat: one winner of four seats gets 3/4, the others -1/4 each; two winners get 1/4, "
        "the others -1/4 each. Where all win, or none does, everybody gets 0."
    )
    if any(game.together(game.seats[0], options) for options in _option_sets(game)):
        text += f" Where all play together, each seat gets the common points / {POINTS}."
    return text


def _option_sets(game: Game) -> Iterator[dict[str, object]]:
    """Returns the standard table, and every table with one option of another value."""
    standard = {option.name: option.standard for option in game.options}
    yield standard
    for option in game.options:
        for value in option.samples():
            yield standard | {option.name: value}


def rules_versions(game: Game) -> str:
    """Lists the changes of each rules version, the newest first."""
    file = game.folder / VERSIONS
    changes = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    rows = [("1", "The first.")]
    for version in map(str, range(2, game.rules_version + 1)):
        if version not in changes:
            raise FoxdenError(f"{VERSIONS} of {game.title} does not say what {version} changed.")
        rows.append((version, changes[version]))
    return "## Rules versions\n\n" + _rows(("version", "what changed"), rows[::-1])


def _players(game: Game) -> str:
    """Lists the numbers of seats, and apart those that need other options than the standard."""
    others = [seats for seats in game.about.seats if seats not in game.seats]
    text = f"{_listed(game.seats)}; {game.usual_seats()} where nothing is said"
    return f"{text}; with other options {_listed(others)}" if others else text


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _rows(heads: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> str:
    """Lays out a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |"
                     for line in lines)  # fmt: skip
