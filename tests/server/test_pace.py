"""How long bots take."""

import pytest

import foxden
from foxden.bots import LEVELS
from foxden.server.driver import PACES, pause
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
