"""How long bots take."""

from types import SimpleNamespace
from typing import Any

import pytest

import foxden.games  # noqa: F401  (announces them)
from foxden.bots import LEVELS
from foxden.server.tables import PACES, Table
from foxden.server.thinking import LONGEST, Thinking
from foxden.server.uptime import Uptime
from tests.server import rows


@pytest.mark.parametrize("pace", PACES)
def test_a_bot_is_not_quicker_when_it_has_no_choice(pace: str) -> None:
    hub: Any = SimpleNamespace(thinking=Thinking(1), worker="one", workers=["one"], uptime=Uptime())
    table = Table(hub, rows.table("t", pace=pace), ())
    pauses = [table._pause(level) for level in range(1, len(LEVELS) + 1)]
    if pace == "instant":
        assert not any(pauses)
    else:
        assert all(pause >= PACES[pace] for pause in pauses)
        assert pauses[-1] >= LONGEST
