"""Clocks as arithmetic."""

from foxden.server.clocks import DAY, read_clock


def read(clock: dict[str, object], played: list[tuple[int, float]], to_act: int | None = 0):  # type: ignore[no-untyped-def]
    return read_clock(clock, seats=2, began=100.0, played=played, to_act=to_act)


def test_no_clock_never_runs_out() -> None:
    found = read({"kind": "none"}, [(0, 150.0)])
    assert (found.due, found.left) == (None, [None, None])


def test_seconds_and_days_for_every_decision() -> None:
    assert read({"kind": "move", "seconds": 30}, []).due == 130
    assert read({"kind": "move", "seconds": 30}, [(0, 120.0), (1, 125.0)]).due == 155
    assert read({"kind": "days", "days": 2}, [(0, 120.0)]).due == 120 + 2 * DAY
    assert read({"kind": "move", "seconds": 30}, [(0, 120.0)], None).due is None


def test_minutes_for_a_match_count_only_ones_own_thinking() -> None:
    clock: dict[str, object] = {"kind": "match", "minutes": 1, "increment": 5}
    found = read(clock, [(0, 110.0), (1, 140.0), (0, 141.0)], to_act=1)
    assert found.left == [60 - 10 + 5 - 1 + 5, 60 - 30 + 5]
    assert found.due == 141 + 35
    late = read(clock, [(0, 500.0)], to_act=0)
    assert late.left == [5, 60]
