"""Kinds of tables in a plan: one may stand for every value of an option."""

import pytest

import foxden
from foxden.training.plan import Table, line_up, read_table
from foxden.training.tables import tables_of


def test_a_kind_of_table_with_a_star_is_every_table_with_any_value() -> None:
    kind = read_table("2 owl=* pro=yes")
    assert kind.fits(2, {"pro": "yes"})
    assert kind.fits(2, {"pro": "yes", "owl": "switch"})
    assert not kind.fits(2, {"owl": "switch"})
    assert not kind.fits(2, {"pro": "yes", "side": "b"})
    assert not kind.fits(3, {"pro": "yes"})


def test_kinds_of_tables_take_turns_and_each_comes_an_odd_number_of_times() -> None:
    known: list[tuple[int, dict[str, str]]] = [(2, {}), (2, {"pro": "yes"}), (3, {})]
    places = line_up([read_table("2 pro=*"), Table(3)], known)
    assert places == [0, 2, 1, 2, 0, 2]
    for strange in ("4", "2 pro=no", "2 prow=*"):
        with pytest.raises(ValueError, match=strange.replace("*", r"\*")):
            line_up([read_table(strange)], known)


def test_stars_stand_for_the_tables_that_a_game_allows() -> None:
    game = foxden.game("slyest-fox")
    kinds = [read_table("4 ending=* teams=*"), read_table("8 extension=yes")]
    tables = tables_of(game, kinds)
    asked = {table.name for table in tables if table.seats == 4}
    assert asked == {"4", "4 ending=first_victim", "4 teams=yes"}  # SF-47: never both
    assert {table.name for table in tables if table.seats == 8} == {"8 extension=yes"}
    for table in tables:
        game.setup(table.seats, table.options)
