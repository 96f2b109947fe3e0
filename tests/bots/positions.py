"""Positions of any game, however short, for tests of bots."""

import foxden
from foxden.bots import ask, find_bot


def some_way_on(name: str, moves: int, seats: int | None = None) -> foxden.Match:
    """Plays so many moves, and on to a choice; a short match stops at its last choice before."""
    match = foxden.new(name, seats=seats, seed=5)
    choice = 0
    while not match.is_over and (match.ply < moves or len(match.legal()) < 2):
        choice = match.ply if len(match.legal()) > 1 else choice
        match.play(ask(find_bot("greedy"), match, seed=1))
    if match.is_over:
        match.undo(match.ply - choice)
    return match
