"""Fox Grove's open counters: stocks, levels and blackberries."""

import re
from collections.abc import Sequence
from typing import Any

KINDS = ("wood", "nut", "maple")
HOUSES = ("tree", "mushroom", "leaf")


def counters(view: dict[str, Any]) -> dict[str, int]:
    counted = {"supply": view["table"]["supply"]}
    for name, seat in zip(view["names"], view["table"]["seats"], strict=True):
        counted |= {f"{name} {kind}": seat["resources"][kind] for kind in KINDS}
        counted |= {f"{name} {house}": seat["levels"][house] for house in HOUSES}
        counted[f"{name} berries"] = seat["berries"]
    return counted


def units(words: str) -> dict[str, int]:
    found = dict.fromkeys(KINDS, 0)
    for n, kind in re.findall(r"(\d+) (wood|nut|maple)", words):
        found[kind] += int(n)
    return found


def post(counted: dict[str, int], names: Sequence[str], says: Sequence[str]) -> None:
    payer = ""

    def add(name: str, words: str, sign: int = 1) -> None:
        for kind, n in units(words).items():
            counted[f"{name} {kind}"] += sign * n

    for said in says:
        name, _, rest = said.partition(" ")
        if paid := re.fullmatch(r"pays (.*): level \d of the (\w+) house\.", rest):
            payer = name
            add(name, paid[1], -1)
            counted[f"{name} {paid[2]}"] += 1
            if berries := re.search(r"(\d+) blackberr", paid[1]):
                counted[f"{name} berries"] -= int(berries[1])
        elif re.match(r"takes .*'s reward: |takes \d|uses (double|convert): ", rest):
            add(name, rest.partition(": ")[2] or rest)
        elif rest.startswith("keeps "):
            counted |= {f"{name} {kind}": n for kind, n in units(rest).items()}
        if re.search(r"takes (.*: )?a blackberry", rest):
            payer = name
        if "a blackberry" in said and "no blackberry" not in said:
            counted[f"{payer} berries"] += 1
            counted["supply"] -= 1
