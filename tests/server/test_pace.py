"""How long bots take."""

from types import SimpleNamespace
from typing import Any

import pytest

import foxden
from foxden.bots import LEVELS
from foxden.server.driver import OPENING, PACES, Driver, pause
from foxden.server.thinking import LONGEST


@pytest.mark.parametrize("pace", PACES)
def test_a_bot_is_not_quicker_when_it_has_no_choice(pace: str) -> None:
    game = foxden.game("happy-fox")
    pauses = [pause(game, pace, level) for level in range(1, len(LEVELS) + 1)]
    if pace == "instant":
        assert not any(pauses)
    else:
        assert all(seconds >= PACES[pace] for seconds in pauses)
        assert pauses[-1] >= LONGEST


def test_a_person_soon_decides_for_the_first_time() -> None:
    none: Any = None
    live = SimpleNamespace(times=[(1, 0.0)])
    row = SimpleNamespace(
        pace="relaxed", seats=[SimpleNamespace(level=None), SimpleNamespace(level=1)]
    )
    table: Any = SimpleNamespace(game=foxden.game("slyest-fox"), row=row, live=live)
    driver = Driver(
        table, store=none, thinking=none, limits=none, workers=none, uptime=none, tasks=none
    )
    waits = [driver._pause(1) for _ in range(30)]
    assert 0 < sum(waits) <= OPENING
    live.times.append((0, 1.0))
    assert driver._pause(1) == PACES["relaxed"]
