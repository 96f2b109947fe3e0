"""The tensor of Fox Grove tells everything that the view tells."""

from typing import Any

import numpy as np
import pytest

import foxden
from foxden.bots import ask, find_bot
from foxden.engine import compiled
from foxden.games.fox_grove.knowledge import TENSOR
from foxden.games.fox_grove.rules import Phase
from tests.games.fox_grove.tables import COLOURS, KINDS
from tests.games.fox_grove.truth import TABLES

HOUSES = ("tree", "mushroom", "leaf")
OWLS = ("draw two", "pick two", "discount", "switch", "double", "convert")
PHASES = tuple(phase.name.lower() for phase in Phase)


def blocks(tensor: Any) -> dict[str, Any]:
    """Cuts a tensor into its documented blocks."""
    found, at = {}, 0
    for feature in TENSOR:
        found[feature.name] = tensor[at : at + feature.size].reshape(feature.shape)
        at += feature.size
    assert at == len(tensor)
    return found


def name(card: int) -> str:
    return f"{COLOURS[card // 13]} {card % 13 + 1}"


def names(ones: Any) -> list[str]:
    return [name(int(card)) for card in np.flatnonzero(ones)]


def one(ones: Any) -> str | None:
    return names(ones)[0] if ones.any() else None


def whole(x: Any, scale: int) -> int:
    return round(float(x) * scale)


class Reader:
    """Rebuilds the view's table from the tensor alone."""

    def __init__(self, tensor: Any, viewer: int) -> None:
        self.block = blocks(tensor)
        self.seats = int(np.argmax(self.block["seats"])) + 2
        self.viewer = viewer
        self.base = max(viewer, 0)

    def seat(self, ones: Any) -> int:
        return int((np.argmax(ones) + self.base) % self.seats)

    def rows(self, block: str) -> list[Any]:
        """Returns a block's rows by real seats."""
        return [self.block[block][(p - self.base) % self.seats] for p in range(self.seats)]

    def table(self) -> dict[str, Any]:
        block = self.block
        played = [*self.rows("played"), block["played"][4]]
        gone = np.sum(played, axis=0) - block["lying"]
        hands = sum(whole(x, 16) for x in block["in_hand"])
        return {
            "phase": PHASES[int(np.argmax(block["phase"]))],
            "round": int(np.argmax(block["round"])) + 1,
            "rounds": 4,
            "first": self.seat(block["first"]),
            "trick": self.trick(played),
            "advance": self.advance(),
            "pile": 52 - hands - int(np.sum(played)),
            "discard_pile": names(gone),
            "supply": whole(block["supply"][0], 32),
            "houses": self.houses(),
            "track": [whole(x, 128) for x in block["track"]],
            "rewards": self.rewards(),
            "gives": self.gives(),
            "seats": [self.place(p) for p in range(self.seats)],
            "frank": names(played[-1]) if self.seats == 2 else None,
        }

    def trick(self, played: list[Any]) -> dict[str, Any]:
        block = self.block
        leader = self.seat(block["leader"])
        order = [(leader + k) % self.seats for k in range(self.seats)]
        if self.seats == 2:
            order.insert(1, 4)
        lists = {}
        for key, mask in (("cards", block["lying"]), ("discarded", block["cast"])):
            lists[key] = [
                {"seat": "frank" if p == 4 else p, "card": card}
                for p in order
                for card in names((played[p] if p < 4 else played[-1]) * mask)
            ]
        won, picks, picked_two = block["picks"]
        tricks = whole(block["tricks"][0], 9)
        return {
            "number": min(tricks + 1, 9),
            "of": 9,
            "leader": leader,
            "led": COLOURS[int(np.argmax(block["led"]))] if block["led"].any() else None,
            "best": one(block["best"]),
            "winner": self.seat(block["taker"]) if won else None,
            "picks": whole(picks, 2),
            "picked_two": bool(picked_two),
            "rewarding": one(block["card"]),
            "resources_of_choice": whole(block["wild"][0], 16),
            **lists,
        }

    def advance(self) -> dict[str, Any] | None:
        block = self.block["advance"]
        if not block[:3].any():
            phase = PHASES[int(np.argmax(self.block["phase"]))]
            return {"thirteen": True} if phase == "thirteen" else None
        house = int(np.argmax(block[:3]))
        asked = int(np.argmax(self.block["to_act"]))
        berries, wood = (whole(x, 16) for x in block[9:11])
        return {
            "thirteen": bool(block[3]),
            "house": HOUSES[house],
            "level": int(self.block["level"][asked][house].sum()) + 1,
            "price": dict(zip((*KINDS, "any"), [whole(x, 16) for x in block[4:8]], strict=True)),
            "dropped": whole(block[8], 16),
            "switched": bool(whole(self.block["paid"][4], 16)),
            "berries": berries if berries >= 0 else None,
            "wood": wood if wood >= 0 else None,
        }

    def houses(self) -> list[dict[str, Any]]:
        block = self.block
        return [
            {
                "name": house,
                "side": "ab"[int(block["options"][7 + h])],
                "levels": [
                    {
                        "level": k + 1,
                        "cost": dict(
                            zip(
                                (*KINDS, "any"),
                                [whole(x, 16) for x in block["costs"][h][k]],
                                strict=True,
                            )
                        ),
                        "bonus": bool(block["bonuses"][h][k]),
                        "points": whole(block["points"][h][k], 128),
                    }
                    for k in range(7)
                ],
            }
            for h, house in enumerate(HOUSES)
        ]

    def rewards(self) -> dict[str, str]:
        found = {}
        for card in range(52):
            units = [whole(x, 8) for x in self.block["rewards"][card]]
            words = ["wood", "nut" if units[1] == 1 else "nuts", "maple", "of any kind"]
            said = [f"{n} {word}" for n, word in zip(units, words, strict=True) if n]
            text = " and ".join([", ".join(said[:-1]), said[-1]]) if said[1:] else "".join(said)
            text = {11: "a blackberry", 12: "an advance"}.get(card % 13, text)
            found[name(card)] = text
        return found

    def gives(self) -> dict[str, list[str]]:
        found = {}
        for card in range(52):
            units = [whole(x, 8) for x in self.block["rewards"][card]]
            one_by_one = [
                kind for kind, n in zip((*KINDS, "any"), units, strict=True) for _ in range(n)
            ]
            found[name(card)] = {11: ["berry"], 12: ["advance"]}.get(card % 13, one_by_one)
        return found

    def place(self, p: int) -> dict[str, Any]:
        mine = p == self.viewer
        block = self.block
        get = {
            key: self.rows(key)[p] for key in ("held", "spent", "stock", "level", "void", "owls")
        }
        held, spent = ([whole(x, 32) for x in get[key]] for key in ("held", "spent"))
        levels = [int(x.sum()) for x in get["level"]]
        gave_left, gave_right = one(self.rows("gave_left")[p]), one(self.rows("gave_right")[p])
        right: int | str = "pile" if self.seats == 2 else (p - 1) % self.seats
        passed = ((gave_left, (p + 1) % self.seats), (gave_right, right))
        points = sum(v * held[v] for v in range(1, 5)) + self.level_points(levels)
        return {
            "hand_size": whole(self.rows("in_hand")[p], 16),
            "hand": names(block["hand"]) if mine else None,
            "played": names(self.rows("played")[p]),
            "voids": [COLOURS[k] for k in np.flatnonzero(get["void"])],
            "passed": [{"card": card, "to": to} for card, to in passed if card],
            "buried": names(block["buried"]) if mine else None,
            "buried_size": whole(self.rows("under")[p], 2),
            "resources": dict(zip(KINDS, [whole(x, 256) for x in get["stock"]], strict=True)),
            "levels": dict(zip(HOUSES, levels, strict=True)),
            "berries": sum(held),
            "berry_points": None if held[0] else [v for v in range(1, 5) for _ in range(held[v])],
            "berries_spent": sum(spent),
            "spent_points": None if spent[0] else [v for v in range(1, 5) for _ in range(spent[v])],
            "berry_history": [
                "taken" if x > 0 else "spent" for x in self.rows("berry_log")[p] if x != 0
            ],
            "owls": [
                {"owl": OWLS[k], "active": bool(awake)}
                for k, (owned, awake) in enumerate(get["owls"])
                if owned
            ],
            "points": points,
        }

    def level_points(self, levels: list[int]) -> int:
        block = self.block
        total = sum(
            whole(block["points"][h][level - 1], 128) for h, level in enumerate(levels) if level
        )
        return total + (whole(block["track"][min(levels) - 1], 128) if min(levels) else 0)


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, TABLES[0]), (2, TABLES[4]), (3, TABLES[3]), (4, TABLES[2]), (4, {"pro": True})],
)
def test_the_tensor_tells_everything_that_the_view_tells(seats: int, options: Any) -> None:
    match = foxden.new("fox-grove", seats=seats, seed=4, options=options)
    random, greedy = find_bot("random"), find_bot("greedy")
    tensor = np.zeros(match.game.tensor_size, np.float32)
    while True:
        for viewer in (None, *range(seats)):
            number = -1 if viewer is None else viewer
            compiled.features_of(match.wiped(viewer), 0, number, tensor)
            assert Reader(tensor, number).table() == match.view(viewer)["table"]
        if match.is_over:
            break
        match.play(ask(random if match.ply % 3 else greedy, match, seed=2))
