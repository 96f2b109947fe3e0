"""Fox Grove's open counters: cards, stocks, levels, blackberries, owls, and the marker."""

from collections.abc import Sequence
from typing import Any

KINDS = ("wood", "nut", "maple")
HOUSES = ("tree", "mushroom", "leaf")
CARDS = 52
HAND = 9


def counters(view: dict[str, Any]) -> dict[str, int]:
    table = view["table"]
    counted = {name: table[name] for name in ("supply", "pile", "first", "round")}
    counted["lying"] = len(table["trick"]["cards"])
    counted["discarded"] = len(table["discard_pile"])
    for name, seat in zip(view["names"], table["seats"], strict=True):
        counted |= {f"{name} {kind}": seat["resources"][kind] for kind in KINDS}
        counted |= {f"{name} {house}": seat["levels"][house] for house in HOUSES}
        counted |= {f"{name} {owl['owl']}": owl["active"] for owl in seat["owls"]}
        counted[f"{name} cards"] = seat["hand_size"]
        counted[f"{name} berries"] = seat["berries"]
        counted[f"{name} spent"] = seat["berries_spent"]
    return counted


def post_events(
    counted: dict[str, int], names: Sequence[str], events: Sequence[dict[str, Any]]
) -> None:
    def move(count: int, source: str, target: str) -> None:
        counted[source] -= count
        counted[target] += count

    def hand(player: int | str) -> str:
        return "pile" if player in ("frank", "pile") else f"{names[int(player)]} cards"

    for event in events:
        name = names[event["seat"]] if isinstance(event.get("seat"), int) else ""
        match event["kind"]:
            case "cards-exchanged":
                for gift in event["gifts"]:
                    move(1, hand(gift["seat"]), hand(gift["to"]))
            case "cards-drawn":
                move(event["count"], "pile", f"{name} cards")
            case "card-buried":
                move(1, f"{name} cards", "pile")
            case "card-played":
                place = "discarded" if event["manner"] == "discard" else "lying"
                move(1, hand(event["seat"]), place)
            case "reward-taken":
                discards = [e["card"] for e in events if e.get("manner") == "discard"]
                if event["card"] not in discards:
                    move(1, "lying", "discarded")
            case "trick-cleared":
                move(len(event["cards"]), "lying", "discarded")
                assert counted["lying"] == 0
            case "resources-taken":
                for kind in KINDS:
                    counted[f"{name} {kind}"] += event["units"][kind]
            case "berry-taken":
                move(1, "supply", f"{name} berries")
            case "level-reached":
                paid = event["paid"]
                for kind in KINDS:
                    counted[f"{name} {kind}"] -= paid[kind]
                move(paid["berries"], f"{name} berries", f"{name} spent")
                counted[f"{name} {event['house']}"] += 1
                assert counted[f"{name} {event['house']}"] == event["level"]
            case "owl-used":
                assert counted[f"{name} {event['owl']}"]
                counted[f"{name} {event['owl']}"] = False
            case "owls-woken":
                counted |= {f"{name} {owl}": True for owl in event["owls"]}
            case "owl-taken":
                counted[f"{name} {event['owl']}"] = True
            case "marker-taken":
                counted["first"] = event["seat"]
            case "resources-kept":
                for kind in KINDS:
                    counted[f"{name} {kind}"] -= event["returned"][kind]
                    assert counted[f"{name} {kind}"] == event["kept"][kind]
            case "round-began":
                counted["round"] = event["round"]
                counted["discarded"] = counted["lying"] = 0
                counted |= {f"{one} cards": HAND for one in names}
                counted["pile"] = CARDS - HAND * len(names)
