"""The Slyest Fox's open counters: lives, hands, protection, attacks, decks and discard piles."""

from collections.abc import Sequence
from typing import Any


def counters(view: dict[str, Any]) -> dict[str, int]:
    table = view["table"]
    counted = {"turn": table["on_turn"], "attacks": 0, "defences": 0, "closed": 0}
    if attack := table["attack"]:
        counted["attacks"], counted["defences"] = attack["attacks"], attack["defences"]
        counted["closed"] = int(attack["interfering_stopped"])
    for p, seat in enumerate(table["seats"]):
        counted[f"{p} lives"] = seat["lives"]
        counted[f"{p} hand"] = seat["hand_size"]
        counted[f"{p} shield"] = int(seat["protected"])
        counted[f"{p} shown"] = int(seat["character_open"])
        counted[f"{p} out"] = int(seat["eliminated"])
        for kind, n in seat["played"].items():
            counted[f"table {kind}"] = counted.get(f"table {kind}", 0) + n
    for deck in ("attack", "defence"):
        counted[f"{deck} deck"] = table["decks"][deck]
        for kind, n in table["discards"][deck].items():
            counted[f"pile {kind}"] = n
    return counted


def post_events(
    counted: dict[str, int], names: Sequence[str], events: Sequence[dict[str, Any]]
) -> None:
    def add(key: str, n: int) -> None:
        counted[key] = counted.get(key, 0) + n
        if not counted[key] and key.startswith(("pile ", "table ")):
            del counted[key]

    def play(seat: int, kind: str) -> None:
        add(f"{seat} hand", -1)
        add(f"table {kind}", 1)

    for event in events:
        seat = event.get("seat", -1)
        match event["kind"]:
            case "deck-reshuffled":
                for kind, n in event["cards"].items():
                    add(f"pile {kind}", -n)
                    add(f"{event['deck']} deck", n)
            case "card-drawn":
                add(f"{event['deck']} deck", -1)
                add(f"{seat} hand", 1)
            case "protection-began":
                add(f"{seat} hand", -1)
                counted[f"{seat} shield"] = 1
            case "protection-ended":
                counted[f"{seat} shield"] = 0
                add("pile dont-care", 1)
            case "challenged":
                assert event["held"] == counted[f"{event['target']} hand"]
            case "cards-taken":
                add(f"{event['taker']} hand", event["count"])
                add(f"{event['loser']} hand", -event["count"])
            case "cards-traded":
                add(f"{seat} hand", -1)
                add(f"pile {event['given']}", 2)
                add(f"pile {event['taken']}", -1)
            case "attack-began":
                play(seat, event["card"])
                counted["attacks"] = 1
            case "card-played":
                play(seat, event["card"])
                if event["weasel"]:
                    play(seat, "weasel")
                if event["side"]:
                    add(f"{event['side']}s", 1)
            case "character-used":
                assert counted[f"{seat} shown"] != event["revealed"]
                counted[f"{seat} shown"] = 1
                add(f"{event['side']}s", 1)
            case "interfering-stopped":
                counted["closed"] = 1
            case "card-discarded":
                add(f"{seat} hand", -1)
                add(f"pile {event['card']}", 1)
            case "attack-ended":
                assert counted["attacks"] == event["attacks"]
                assert counted["defences"] == event["defences"]
                counted["attacks"] = counted["defences"] = counted["closed"] = 0
                for key in [key for key in counted if key.startswith("table ")]:
                    add(f"pile {key.removeprefix('table ')}", counted.pop(key))
                counted[f"{event['target']} lives"] = event["lives"]
            case "eliminated":
                counted[f"{seat} out"] = 1
            case "character-shown":
                counted[f"{seat} shown"] = 1
            case "hand-kept":
                assert counted[f"{seat} hand"] == event["count"]
            case "hands-laid-down":
                assert sum(event["counts"]) == len(event["cards"])
                for p, n in zip(event["seats"], event["counts"], strict=True):
                    add(f"{p} hand", -n)
                for kind in event["cards"]:
                    add(f"pile {kind}", 1)
            case "turn-began":
                counted["turn"] = seat
