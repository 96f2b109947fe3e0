"""A summary of a person's reviews: which kinds of decision cost them most."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable

from pydantic import BaseModel

from foxden.engine.errors import UnknownGame
from foxden.engine.registry import find
from foxden.review.puzzles import puzzles_of


class KindPlay(BaseModel):
    """One kind of decision."""

    kind: str
    decisions: int
    losses: int  # that were clearly worse than another choice
    lost: float  # chances to win, over all of them
    puzzles: int  # of that kind


class GamePlay(BaseModel):
    """One person's play of one game."""

    game: str
    title: str
    matches: int
    decisions: float  # chances to win lost by own decisions, per match
    luck: float  # and gained by the deal, the draws and others, per match
    kinds: list[KindPlay]  # the costliest first


def my_play(reviews: Iterable[str]) -> list[GamePlay]:
    """Adds up reviews, except those that count points, which have no chances to win."""
    by_game: dict[str, list[dict[str, object]]] = defaultdict(list)
    for text in reviews:
        told = json.loads(text)
        if told["measure"] == "chance":
            by_game[told["game"]].append(told)
    found = []
    for name, matches in by_game.items():
        try:
            game = find(name)
        except UnknownGame:
            continue
        offered: dict[str, int] = defaultdict(int)
        for puzzle in puzzles_of(game).values():
            offered[puzzle.kind] += 1
        kinds: dict[str, KindPlay] = {}
        cost = luck = 0.0
        for told in matches:
            account = told["account"]
            cost += account["decisions"]  # type: ignore[index]
            luck += sum(account[part] for part in ("deal", "draws", "others"))  # type: ignore[index]
            for made in told["decisions"]:  # type: ignore[attr-defined]
                kind = kinds.setdefault(
                    made["kind"],
                    KindPlay(
                        kind=made["kind"],
                        decisions=0,
                        losses=0,
                        lost=0.0,
                        puzzles=offered[made["kind"]],
                    ),
                )
                kind.decisions += 1
                if made["verdict"] == "loss":
                    kind.losses += 1
                    kind.lost += made["loss"]["value"]
        found.append(
            GamePlay(
                game=name,
                title=game.title,
                matches=len(matches),
                decisions=cost / len(matches),
                luck=luck / len(matches),
                kinds=sorted(kinds.values(), key=lambda kind: (-kind.lost, -kind.decisions)),
            )
        )
    return sorted(found, key=lambda play: -play.matches)
