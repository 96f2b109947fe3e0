"""Foxy & Woolly's open counters: cubes, the field, sheep and tokens."""

import re
from collections.abc import Sequence
from typing import Any


def counters(view: dict[str, Any]) -> dict[str, Any]:
    counted: dict[str, Any] = {"field": view["table"]["field"], "at": view["table"]["at"]}
    for name, seat in zip(view["names"], view["table"]["seats"], strict=True):
        counted[f"{name} cubes"] = seat["cubes"]
        counted[f"{name} sheep"] = sorted(seat["sheep"])
        counted[f"{name} tokens"] = len(seat["tokens"])
    return counted


def post(counted: dict[str, Any], names: Sequence[str], says: Sequence[str]) -> None:
    taken = 0  # tokens off the line
    for said in says:
        name, _, rest = said.partition(" ")
        if chased := re.search(r"pays a cube to chase .* on; (\d+) cubes? on the field", rest):
            counted[f"{name} cubes"] -= 1
            counted["field"] = int(chased[1])
        elif took := re.match(r"(?:takes|has no cube left and must take) (.*?);", rest):
            cubes = re.search(r"and (\d+) cube", took[1])
            assert counted["field"] == (int(cubes[1]) if cubes else 0)
            counted[f"{name} cubes"] += counted["field"]
            counted["field"] = 0
        elif stole := re.match(r"steals (\d+) cubes? from the field", rest):
            counted[f"{name} cubes"] += int(stole[1])
            counted["field"] -= int(stole[1])
            counted[f"{name} tokens"] -= 1
        elif bought := re.match(r"takes the .* token for (\d+|nothing)", rest):
            counted[f"{name} cubes"] -= int(bought[1]) if bought[1] != "nothing" else 0
            counted["field"] += int(bought[1]) if bought[1] != "nothing" else 0
            counted[f"{name} tokens"] += 1
        elif rest.startswith("fires the gun"):
            counted[f"{name} tokens"] -= 1
        elif lost := re.match(r"loses the sheep in slot (\d)", rest):
            counted[f"{name} sheep"] = [n for n in counted[f"{name} sheep"] if n != int(lost[1])]
        elif moved := re.match(r"moves a sheep from slot (\d) to slot (\d)", rest):
            slots = {*counted[f"{name} sheep"], int(moved[2])} - {int(moved[1])}
            counted[f"{name} sheep"] = sorted(slots)
            counted[f"{name} tokens"] -= 1
        taken += said.startswith(("Next on offer", "The last token is gone"))
    counted["at"] += taken
