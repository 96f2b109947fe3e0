"""Fox & Squirrels' open counters: acorns, hands, the deck, and who has which pile."""

import re
from collections.abc import Sequence
from typing import Any


def counters(view: dict[str, Any]) -> dict[str, int]:
    table = view["table"]
    counted = {"deck": table["deck"], "discard": len(table["discard"])}
    counted["on piles"] = sum(len(pile["cards"]) for pile in table["piles"])
    for name, seat in zip(view["names"], table["seats"], strict=True):
        counted[f"{name} acorns"] = sum(seat["earned"].values())
        counted[f"{name} hand"] = seat["hand_size"]
        counted[f"{name} piles"] = len(seat["piles"])
    return counted


def post(counted: dict[str, int], names: Sequence[str], says: Sequence[str]) -> None:
    for said in says:
        name, _, rest = said.partition(" ")
        if won := re.search(r"(?:is|:) \+(\d+) acorn", rest):
            counted[f"{name} acorns"] += int(won[1])
        if rest.startswith("draws a card"):
            counted["deck"] -= 1
            counted[f"{name} hand"] += 1
        elif rest.startswith("draws a fox"):
            counted["deck"] -= 1
            counted["discard"] += 1
            counted[f"{name} acorns"] -= "it takes an acorn" in rest
        elif said.startswith("The discard pile is shuffled"):
            counted |= {"deck": counted["discard"] - 1, "discard": 1}
        elif rest.startswith("takes "):
            counted["discard"] -= 1
            counted[f"{name} hand"] += 1
        elif rest.startswith("discards "):
            counted["discard"] += 1
            counted[f"{name} hand"] -= 1
        elif rest.startswith("lays "):
            counted[f"{name} hand"] -= 3
            counted["on piles"] += 3
            counted[f"{name} piles"] += 1
        elif claimed := re.search(r"claims pile \d+ from (\w+):", rest):
            counted[f"{name} hand"] -= 1
            counted["on piles"] += 1
            counted[f"{name} piles"] += 1
            counted[f"{claimed[1]} piles"] -= 1
        elif re.match(r"deals for (summer|autumn)\.", rest):
            cards = counted["deck"] + counted["discard"] + counted["on piles"]
            cards += sum(counted[f"{one} hand"] for one in names)
            for one in names:
                counted |= {f"{one} hand": 10, f"{one} piles": 0}
            counted |= {"deck": cards - 10 * len(names) - 1, "discard": 1, "on piles": 0}
