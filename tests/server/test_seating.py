"""Who sits where, as pure functions."""

from foxden.server.seating import BOT_NAMES, bot_name


def test_bots_have_names_of_their_own_that_differ_at_a_glance() -> None:
    taken: set[str] = set()
    for seat in range(8):
        taken.add(bot_name(seat, taken))
    assert len({name[:1] + name[-1] for name in taken}) == 8
    assert len({name[:3] for name in taken}) == 8
    assert max(map(len, taken)) <= 6


def test_a_bot_is_not_called_like_somebody_at_the_table() -> None:
    first = BOT_NAMES[0]
    assert bot_name(0, {first}) == f"{first} 2"
    assert bot_name(0, {first, f"{first} 2"}) == f"{first} 3"
