"""Happy Fox's open counters: cards in rows, face down or up, and in win piles."""

import re
from collections.abc import Sequence
from typing import Any


def counters(view: dict[str, Any]) -> dict[str, int]:
    counted = {}
    for name, seat in zip(view["names"], view["table"]["seats"], strict=True):
        counted[f"{name} row"] = 0 if view["to_act"] is None else len(seat["row"])
        counted[f"{name} won"] = seat["score"]
        counted[f"{name} up"] = sum(card["up"] for card in seat["row"])
    return counted


def post(counted: dict[str, int], names: Sequence[str], says: Sequence[str]) -> None:
    def clear(owner: str | None = None) -> int:
        """Takes the geese that are turned up out of the rows."""
        cleared = 0
        for name in names if owner is None else [owner]:
            cleared += counted[f"{name} up"]
            counted[f"{name} row"] -= counted[f"{name} up"]
            counted[f"{name} up"] = 0
        return cleared

    for said in says:
        name, _, rest = said.partition(" ")
        if rest.startswith("lays a card"):
            counted[f"{name} row"] += 1
        if re.search("finds no prey, and keeps it", rest):
            counted[f"{name} won"] += 1
        if goose := re.match(r"turns over (\w+)'s card of turn \d+: a goose", rest):
            counted[f"{goose[1]} up"] += 1
        if caught := re.search(r"a dog! The fox is caught by (\w+)\.", rest):
            counted[f"{caught[1]} row"] -= 1
            counted[f"{caught[1]} won"] += 2
        if loot := re.search(r"(\d+) g(?:oo|ee)se and the fox go to the win pile", rest):
            counted[f"{name} won"] += int(loot[1]) + 1
            assert clear() == int(loot[1])
        if said.startswith("Saved: "):
            for geese, owner in re.findall(r"(\d+) g(?:oo|ee)se for (\w+)", said):
                counted[f"{owner} won"] += int(geese)
                assert clear(owner) == int(geese)
        if said.endswith("Everyone adds their own row to their win pile."):
            for one in names:
                counted[f"{one} won"] += counted[f"{one} row"]
                counted[f"{one} row"] = 0
