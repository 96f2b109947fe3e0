"""The Slyest Fox's open counters: lives, hands and protection."""

import re
from collections.abc import Sequence
from typing import Any


def counters(view: dict[str, Any]) -> dict[str, int]:
    counted = {}
    for name, seat in zip(view["names"], view["table"]["seats"], strict=True):
        counted[f"{name} lives"] = seat["lives"]
        counted[f"{name} hand"] = seat["hand_size"]
        counted[f"{name} shield"] = int(seat["protected"])
    return counted


def post(counted: dict[str, int], names: Sequence[str], says: Sequence[str]) -> None:
    for said in says:
        name, _, rest = said.partition(" ")
        if rest.startswith("draws a card"):
            counted[f"{name} hand"] += 1
        elif rest.startswith("plays I don't care"):
            counted[f"{name} hand"] -= 1
            counted[f"{name} shield"] = 1
        elif re.match(r"plays |discards |trades two |attacks \w+ with ", rest):
            counted[f"{name} hand"] -= 1
        elif rest.startswith("interferes with a nosey weasel and"):
            counted[f"{name} hand"] -= 2
        elif took := re.match(r"challenges (\w+), who holds \d+ cards?, and takes (\d+)", rest):
            counted[f"{name} hand"] += int(took[2])
            counted[f"{took[1]} hand"] -= int(took[2])
        elif lost := re.match(r"challenges (\w+), who holds \d+ cards?, and loses a card", rest):
            counted[f"{name} hand"] -= 1
            counted[f"{lost[1]} hand"] += 1
        elif gone := re.match(r"lays (\d+) cards? on the discard piles", rest):
            counted[f"{name} hand"] -= int(gone[1])
        elif hit := re.match(r"The attack succeeds: (\w+) is (?:gossiped|in a trap)", said):
            counted[f"{hit[1]} lives"] -= 1
        elif ends := re.match(r"(\w+)'s turn begins, and the protection ends", said):
            counted[f"{ends[1]} shield"] = 0
