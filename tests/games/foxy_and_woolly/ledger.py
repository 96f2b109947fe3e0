"""Foxy & Woolly's open counters: cubes, the field, sheep, tokens and row wolves."""

from collections.abc import Sequence
from typing import Any


def counters(view: dict[str, Any]) -> dict[str, Any]:
    counted: dict[str, Any] = {"field": view["table"]["field"], "at": view["table"]["at"]}
    for name, seat in zip(view["names"], view["table"]["seats"], strict=True):
        counted[f"{name} cubes"] = seat["cubes"]
        counted[f"{name} sheep"] = sorted(seat["sheep"])
        counted[f"{name} tokens"] = len(seat["tokens"])
        counted[f"{name} row wolves"] = len(seat["row_wolves"])
    return counted


def post_events(
    counted: dict[str, Any], names: Sequence[str], events: Sequence[dict[str, Any]]
) -> None:
    for event in events:
        name = names[event["seat"]] if "seat" in event else None
        match event["kind"]:
            case "wolf-chased":
                counted[f"{name} cubes"] -= 1
                counted["field"] += 1
                assert counted["field"] == event["field"]
            case "wolf-taken":
                counted[f"{name} cubes"] += event["cubes"]
                counted["field"] -= event["cubes"]
                counted[f"{name} row wolves"] += event["row"] is not None
            case "cubes-stolen":
                counted[f"{name} cubes"] += event["cubes"]
                counted["field"] -= event["cubes"]
                counted[f"{name} tokens"] -= 1
            case "token-bought":
                counted[f"{name} cubes"] -= event["cubes"]
                counted["field"] += event["cubes"]
                counted[f"{name} tokens"] += 1
            case "gun-fired":
                counted[f"{name} tokens"] -= 1
            case "sheep-lost":
                counted[f"{name} sheep"] = sorted({*counted[f"{name} sheep"]} - {event["slot"]})
                counted[f"{name} row wolves"] -= event["row"] is not None
            case "row-found-empty":
                counted[f"{name} row wolves"] -= 1
            case "sheep-moved":
                slots = {*counted[f"{name} sheep"], event["to"]} - {event["from"]}
                counted[f"{name} sheep"] = sorted(slots)
                counted[f"{name} tokens"] -= 1
            case "token-offered":
                counted["at"] = event["at"]
            case "line-ended":
                counted["at"] += 1
