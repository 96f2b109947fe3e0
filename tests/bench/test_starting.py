"""How soon one plays is measured at real processes; its figures are no test."""

import foxden
from foxden.bench import starting


def test_a_first_decision_is_timed_at_a_server_with_nothing_compiled() -> None:
    with starting.cold_server() as server:
        assert server.ask("GET", "/games/happy-fox")["ready"] < 1
        assert 0 < starting.first_decision(server, foxden.game("happy-fox")) < 60


def test_every_way_to_begin_has_its_row() -> None:
    rows = [task.who for task in starting.library()]
    assert rows[0] == "Foxden, import"
    assert len(rows) == 1 + 2 * len(foxden.games())
    assert next(starting.library()).once() > 0
