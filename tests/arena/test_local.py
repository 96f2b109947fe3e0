"""Work on one machine: here, in threads, or in processes."""

import os
import threading
from typing import Any

import foxden
from foxden.arena.local import Local
from foxden.arena.tournament import local
from foxden.bots import Bot, Position, find_bot

PIECES = list(range(6))


def where(shared: Any, piece: int) -> tuple[int, int, int]:
    """Tells who did a piece: the process and the thread."""
    return os.getpid(), threading.get_ident(), piece


class Lock:
    """Something that no other process can be given."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


def test_a_short_run_is_played_here() -> None:
    here = (os.getpid(), threading.get_ident())
    with Local(2, threads=False, patience=1e9) as workers:
        found = dict(workers.map(where, None, PIECES))
    assert found == {piece: (*here, piece) for piece in PIECES}
    with Local(1, threads=True) as workers:
        assert dict(workers.map(where, None, PIECES)) == found


def test_threads_are_for_compiled_work() -> None:
    with Local(2, threads=True) as workers:
        found = dict(workers.map(where, None, PIECES))
    assert {process for process, _, _ in found.values()} == {os.getpid()}
    assert threading.get_ident() not in {thread for _, thread, _ in found.values()}


def test_processes_are_for_the_rest() -> None:
    with Local(2, threads=False, patience=0) as workers:
        found = dict(workers.map(where, None, PIECES))
    assert sorted(found) == PIECES
    assert os.getpid() not in {process for process, _, _ in found.values()}


def test_what_cannot_travel_stays_in_this_process() -> None:
    with Local(2, threads=False, patience=0) as workers:
        found = dict(workers.map(where, Lock(), PIECES))
    assert {process for process, _, _ in found.values()} == {os.getpid()}
    assert len(found) == len(PIECES)


class Mine:
    """A bot that thinks in Python."""

    name = "mine"

    def choose(self, position: Position) -> Any:
        """Plays the first action."""
        return position.legal[0]


def test_searches_run_in_threads_and_bots_in_python_in_processes() -> None:
    game = foxden.game("happy-fox")

    def threads(*bots: Bot) -> bool:
        return local(game, bots, 2).threads

    assert threads(find_bot("search:300"), find_bot("net:300"))
    assert not threads(find_bot("level:5"))  # a network is asked once in this game
    assert not threads(find_bot("search:300"), find_bot("greedy"))
    assert not threads(find_bot("level:4"))  # which is greedy in this game
    assert not threads(Mine())
