"""How long bots take."""

from types import SimpleNamespace
from typing import Any

import pytest

import foxden
from foxden.bots import LEVELS
from foxden.server.driver import OPENING, PACES, Driver, pause
from foxden.server.thinking import Thinking


@pytest.mark.parametrize("pace", PACES)
def test_a_bot_is_not_quicker_when_it_has_no_choice(pace: str) -> None:
    game = foxden.game("happy-fox")
    pauses = [pause(game, pace, level) for level in range(1, len(LEVELS) + 1)]
    if pace == "instant":
        assert not any(pauses)
    else:
        assert all(seconds >= PACES[pace] for seconds in pauses)
        assert pauses[-1] >= Thinking.longest(game, len(LEVELS)) > 0


class Table(SimpleNamespace):
    """As much of a table as a driver looks at, which holds on to it weakly."""

    driver: Driver


def table_of(*seats: tuple[str, int | None]) -> tuple[Table, list[tuple[int, float]]]:
    """Makes a relaxed table with its driver, and the list of its moves."""
    none: Any = None
    times: list[tuple[int, float]] = []
    row = SimpleNamespace(
        pace="relaxed", seats=[SimpleNamespace(kind=kind, level=level) for kind, level in seats]
    )
    live = SimpleNamespace(times=times)
    table: Any = Table(game=foxden.game("slyest-fox"), row=row, live=live)
    table.driver = Driver(
        table, store=none, thinking=none, limits=none, workers=none, uptime=none, tasks=none
    )
    return table, times


def test_a_person_soon_decides_for_the_first_time() -> None:
    table, times = table_of(("person", None), ("bot", 1))
    times.append((1, 0.0))
    waits = [table.driver._pause(1) for _ in range(30)]
    assert 0 < sum(waits) <= OPENING
    times.append((0, 1.0))
    assert table.driver._pause(1) == PACES["relaxed"]


@pytest.mark.parametrize("seats", [(("bot", 1), ("bot", 2)), (("person", 3), ("bot", 1))])
def test_bots_among_themselves_keep_the_pace(seats: tuple[tuple[str, int], ...]) -> None:
    table, times = table_of(*seats)
    times += [(0, 0.0), (1, 1.0)]
    assert [table.driver._pause(1) for _ in range(9)] == [PACES["relaxed"]] * 9
