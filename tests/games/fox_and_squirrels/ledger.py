"""Fox & Squirrels' open counters: acorns, hands, the deck, and who has which pile."""

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


def post_events(
    counted: dict[str, int], names: Sequence[str], events: Sequence[dict[str, Any]]
) -> None:
    for event in events:
        seat = event.get("seat")
        name = None if seat is None else names[seat]
        match event["kind"]:
            case "deck-reformed":
                counted |= {"deck": event["deck"], "discard": 1}
            case "card-drawn":
                counted["deck"] -= 1
                counted[f"{name} hand"] += 1
            case "fox-drawn":
                counted["deck"] -= 1
                counted["discard"] += 1
                counted[f"{name} acorns"] -= event["acorns"]
            case "discard-taken":
                counted["discard"] -= 1
                counted[f"{name} hand"] += 1
            case "card-discarded":
                counted["discard"] += 1
                counted[f"{name} hand"] -= 1
            case "pile-laid":
                counted[f"{name} hand"] -= len(event["cards"])
                counted["on piles"] += len(event["cards"])
                counted[f"{name} piles"] += 1
                counted[f"{name} acorns"] += event["acorns"]
            case "pile-claimed":
                counted[f"{name} hand"] -= 1
                counted["on piles"] += 1
                counted[f"{name} piles"] += 1
                counted[f"{names[event['owner']]} piles"] -= 1
                counted[f"{name} acorns"] += event["acorns"]
            case "round-ended" if name is not None:
                counted[f"{name} acorns"] += event["bonus"]
            case "round-dealt":
                counted |= {"deck": event["deck"], "discard": 0, "on piles": 0}
                counted |= {f"{one} piles": 0 for one in names}
            case "hand-dealt":
                counted[f"{name} hand"] = event["count"]
            case "discard-begun":
                counted["discard"] = 1
