"""The tensor is complete: the view's facts can be read back from it."""

import random
from typing import Any

import numpy as np
import pytest

import foxden
from foxden.engine import compiled
from tests.games.foxy_and_woolly.board import NAME, ROWS, SPECIALS, TOKENS

ARROWS = ("up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left")
PHASES = ("wolf", "auction", "gun", "loss", "order", "attack", "over")
FATES = ("gone", "alone", "watched", "trio", "guard", "pair")


def blocks(match: foxden.Match, seat: int | None) -> dict[str, Any]:
    """Cuts the tensor into its blocks."""
    game = match.game
    out = np.zeros(game.tensor_size, np.float32)
    compiled.features_of(match.wiped(seat), 0, -1 if seat is None else seat, out)
    found, k = {}, 0
    for feature in game.tensor:
        found[feature.name] = out[k : k + feature.size].reshape(feature.shape)
        k += feature.size
    assert k == len(out)
    return found


def whole(number: Any, scale: int) -> int:
    return round(float(number) * scale)


def one(block: Any) -> int | None:
    """Reads a one-hot block."""
    hot = np.flatnonzero(block)
    assert len(hot) <= 1
    return int(hot[0]) if len(hot) else None


def rebuilt(match: foxden.Match, seat: int | None) -> dict[str, Any]:
    """Lays out the table from the tensor alone."""
    b = blocks(match, seat)
    n = 2 + (one(b["seats"]) or 0)
    first = seat or 0

    def absolute(k: int | None) -> int | None:
        return None if k is None else (k + first) % n

    phase = PHASES[one(b["phase"]) or 0]
    line = [TOKENS[one(row) or 0] for row in b["line"]]
    at = one(b["at"]) or 0
    rows = {r: [whole(x, 9) for x in b["grid"][k]] for k, r in enumerate(ROWS)}
    right = bool(b["wolf_side"][0])
    values = [whole(x, 100) for x in b["values"]]
    seats: list[Any] = []
    for p in range(n):
        i = (p - first) % n
        sheep = [slot + 1 for slot in range(9) if b["sheep"][i, slot]]
        seats.append(
            {
                "cubes": whole(b["cubes"][i], 36),
                "sheep": sheep,
                "tokens": [
                    t for k, t in enumerate(SPECIALS) for _ in range(whole(b["held"][i, k], 7))
                ],
                "used": [
                    {"token": SPECIALS[k], "slot": slot + 1}
                    for k in range(4)
                    for slot in range(9)
                    for _ in range(whole(b["lying"][i, k, slot], 7))
                ],
                "row_wolves": [
                    r for k, r in enumerate(ROWS) for _ in range(whole(b["row_wolves"][i, k], 12))
                ],
                "passed": bool(b["passed"][i]),
            }
        )
    auction = danger = None
    if phase == "auction":
        bid = bool(b["high"][0])
        auction = {
            "high": whole(b["high"][1], 36) if bid else None,
            "bidder": absolute(one(b["bidder"])),
        }
    asked = absolute(one(b["to_act"]))
    target = one(b["target"])
    if phase in ("gun", "loss"):
        danger = {"seat": asked, "wolf": line[at], "slot": (target or 0) + 1}
    elif phase == "attack" and asked is not None:
        row = ROWS[target or 0]
        near = [slot for slot in rows[row][:: -1 if right else 1] if slot in seats[asked]["sheep"]]
        danger = {"seat": asked, "wolf": f"wolf {row}", "slot": near[0] if near else None}
    result = None
    if phase == "over":
        result = []
        for p in range(n):
            i = (p - first) % n
            result.append(
                {
                    "moves": [whole(code, 72) - 1 for code in b["last_moves"][i] if code],
                    "sheep": [
                        (slot + 1, FATES[whole(b["fate"][i, slot], 5)])
                        for slot in range(9)
                        if b["fate"][i, slot]
                    ],
                    "sets": [whole(x, 7) for x in b["sets"][i]],
                    "wages": whole(b["on_wages"][i], 36),
                    "points": [whole(x, 10000) for x in b["points"][i]],
                    "score": whole(b["score"][i], 10000),
                }
            )
    return {
        "asked": asked,
        "phase": phase,
        "farm": {"rows": rows, "wolf_side": "right" if right else "left"},
        "arrows": {
            t: [ARROWS[w] for w in range(8) if one(b["arrow"][w]) == k]
            for k, t in enumerate(SPECIALS[:4])
        },
        "values": {
            "flock": {"points": values[0]},
            "wages": {"cubes": values[1], "points": values[2]},
            "free": {"cubes": values[3], "points": values[4]},
            **{
                t: {"sheep": values[5 + k], "cubes": values[8 + k], "points": values[11 + k]}
                for k, t in enumerate(("trio", "guard", "pair"))
            },
        },
        "line": line,
        "at": at,
        "offer": line[at] if at < 18 else None,
        "starter": absolute(one(b["starter"])),
        "field": whole(b["field"][0], 36),
        "auction": auction,
        "danger": danger,
        "out": [t for k, t in enumerate(SPECIALS) for _ in range(whole(b["out"][k], 32))],
        "seats": seats,
        "result": result,
    }


def shown(match: foxden.Match, seat: int | None) -> dict[str, Any]:
    """Returns the view's table, its result in the tensor's terms."""
    view = match.view(seat)
    table: dict[str, Any] = {"asked": view["to_act"], **view["table"]}
    for place in table["seats"]:
        del place["score"]  # it follows from the rest (FW-22)
    if table["result"]:
        known = match.known(seat)
        table["result"] = [
            {
                "moves": [code - 1 for code in known.last_moves[p] if code],
                "sheep": [(sheep["slot"], sheep["does"]) for sheep in count["sheep"]],
                "sets": known.sets[p],
                "wages": sum(t["cubes"] for t in count["tokens"] if t["token"] == "wages"),
                "points": known.points[p],
                "score": count["score"],
            }
            for p, count in enumerate(table["result"])
        ]
    return table


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_view_can_be_rebuilt_from_the_tensor(seats: int) -> None:
    seen = set()
    for seed in range(12):
        match = foxden.new(NAME, seats=seats, seed=seed)
        dice = random.Random(seed)
        while True:
            for seat in (None, *range(seats)):
                assert rebuilt(match, seat) == shown(match, seat)
            seen.add(match.view(None)["table"]["phase"])
            if match.is_over:
                break
            match.play(dice.choice(match.legal()))
    assert seen >= set(PHASES) - {"attack"}


def test_another_box_can_be_read_from_the_tensor() -> None:
    parts = {
        "cubes": 5,
        "farm": {"top": [9, 8, 7], "wolf_side": "left"},
        "arrows": {"rising": ["up-right"]},
        "tokens": {"gun": 3, "pair": 0},
        "wolves": {"numbers": [2, 0, 1, 1, 1, 1, 1, 1, 1]},
        "guard": {"sheep": 3, "points": 21},
    }
    match = foxden.new(NAME, seats=3, seed=2, parts=parts)
    assert rebuilt(match, 1) == shown(match, 1)
    found = blocks(match, 1)
    assert whole(found["cubes_each"][0], 9) == 5
    assert [whole(x, 12) for x in found["wolf_set"]] == [2, 0, *[1] * 10]
    assert whole(found["special_set"][SPECIALS.index("gun")], 32) == 3
