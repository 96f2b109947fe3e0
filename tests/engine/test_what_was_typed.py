"""What only equals what is asked for, or is only read like it, is refused by name."""

import enum
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import foxden
from foxden.bots import GreedyBot, find_bot, level_bot
from foxden.bots.ismcts import Settings
from foxden.cli.session import Replay, Session
from foxden.engine.errors import FoxdenError
from foxden.engine.native import digits, native, whole
from foxden.engine.options import Number, Texts
from foxden.engine.record import parse_record
from foxden.envs.vector import BadBatch, VectorEnv
from foxden.lab.question import BadQuestion, completed, question_from, values_of
from foxden.training.plan import read_settings, read_table

EQUAL_TO_ONE = (True, 1.0, np.True_, np.float64(1), "1")
WRITTEN_ODDLY = ("٣", "²", "３", "03", "+3", " 3", "3 ", "1_0", "3.0", "-0", "", "3\n", "1" * 5000)


class Spoken(str, enum.Enum):  # noqa: UP042  (a StrEnum speaks as it is)
    """Texts that say something else when they are written."""

    TWO = "draw_two"


def asked_for_one() -> foxden.Match:
    """Returns a match in which seat 1 is asked."""
    match = foxden.new("happy-fox", seats=3, seed=7)
    while match.to_act != 1:
        match.play(match.legal()[0])
    return match


@pytest.mark.parametrize("seat", EQUAL_TO_ONE)
def test_a_seat_that_only_equals_the_one_asked_does_not_play(seat: Any) -> None:
    match = asked_for_one()
    before = match.state_bytes()
    for refused in (match.play, match.check):
        with pytest.raises(foxden.BadSeats):
            refused(match.legal()[0], seat)
    assert match.state_bytes() == before
    one: Any = np.int64(1)
    match.play(match.legal()[0], one)


@pytest.mark.parametrize("ply", [*EQUAL_TO_ONE, 1.5, float("nan"), None, -1, 10**30, -(10**30)])
def test_a_position_is_a_whole_number_that_was_reached(ply: Any) -> None:
    match = foxden.new("happy-fox", seats=3, seed=7)
    for _ in range(4):
        match.play(match.legal()[0])
    before = match.state_bytes()
    for refused in (match.at, match.undo):
        with pytest.raises(foxden.NothingToUndo):
            refused(ply)
    if whole(ply) != 10**30:  # a log that begins after its end is empty
        with pytest.raises(foxden.NothingToUndo):
            match.log(0, since=ply)
    assert match.log(0, since=10**30) == []
    assert (match.ply, match.state_bytes()) == (4, before)


@pytest.mark.parametrize(
    "names",
    [
        *("abc", 5, None, [3], [None], ["a", b"b"], ["a\ud800"], ["\0"]),
        *({True: "a"}, {1.0: "a"}, {0.5: "a"}, {"0": "a"}, {10**30: "a"}),
    ],
)
def test_names_belong_to_seats_and_are_texts(names: Any) -> None:
    with pytest.raises(foxden.BadSeats):
        foxden.new("happy-fox", seats=3, names=names)


def test_names_of_numpy_are_plain_texts() -> None:
    names: Any = {np.int64(1): np.str_("Mia")}
    match = foxden.new("happy-fox", seats=3, names=names)
    assert match.names == ("Seat 0", "Mia", "Seat 2")
    assert type(match.names[1]) is str


@pytest.mark.parametrize(
    "move", [(10**30, 1), (1, 10**30), (1.0, 1), (True, 1), (1, 1.0), (1, True), ("1", 1), (-1, 1)]
)
def test_replay_plays_what_comes_before_a_move_that_is_none(move: Any) -> None:
    match = asked_for_one()
    match.undo()
    seat = match.to_act
    assert seat is not None
    good = match.legal()[0].id
    ply = match.ply
    with pytest.raises((foxden.BadSeats, foxden.BadNotation)):
        match.replay([(seat, good), move])
    assert match.ply == ply + 1


def test_a_record_with_a_seat_beyond_all_numbers_is_refused_at_its_place() -> None:
    match = foxden.new("happy-fox", seats=2, seed=7)
    match.play(match.legal()[0])
    text = match.record()
    number = "9" * 30
    broken = text.replace(f"1. [{match.moves[0][0]}]", f"1. [{number}]")
    with pytest.raises(foxden.BadRecord, match=f"column 5: There is no seat {number}"):
        foxden.Match.from_record(broken)


def test_nothing_is_written_one_way_in_a_record() -> None:
    start = "foxden record 2\ngame: happy-fox\nrules: 1\nseats: 2\nseed: 7\n\n"
    assert parse_record(f"{start}scores: 0 -1\nwinners: 0\n").scores == (0, -1)
    with pytest.raises(foxden.BadRecord, match="column 11: Nothing is written 0"):
        parse_record(f"{start}scores: 0 -0\nwinners: 0\n")


def test_an_action_of_another_game_is_no_action() -> None:
    match = foxden.new("happy-fox", seats=3, seed=7)
    foreign = foxden.game("fox-grove").labels[match.legal()[0].id]
    with pytest.raises(foxden.BadNotation):
        match.play(foreign)
    assert match.play(match.legal()[0]) == foxden.game("happy-fox").labels[match.moves[0][1].id]


class Changing(Mapping[str, Any]):
    """Tells of itself by its address alone."""

    def __init__(self, **told: Any) -> None:
        self.told = told

    def __getitem__(self, name: str) -> Any:
        return self.told[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.told)

    def __len__(self) -> int:
        return len(self.told)


def test_a_setup_is_known_again_by_what_it_says_and_not_by_who_says_it() -> None:
    told = Changing(geese=12)
    first = foxden.new("happy-fox", seats=3, parts=told)
    told.told["geese"] = 13
    assert foxden.new("happy-fox", seats=3, parts=told).parts["geese"] == 13
    assert first.parts["geese"] == 12


@pytest.mark.parametrize("given", [5, "geese", [1], ("geese", 3)])
def test_parts_and_options_go_by_their_names(given: Any) -> None:
    with pytest.raises(foxden.BadParts):
        foxden.new("happy-fox", parts=given)
    with pytest.raises(foxden.BadOption):
        foxden.new("happy-fox", options=given)


@pytest.mark.parametrize("path", [1, None, "tree.a.cost[07]", "tree.a.cost[٧]"])
def test_a_part_is_named_as_it_is_printed(path: Any) -> None:
    with pytest.raises(foxden.BadParts):
        foxden.new("fox-grove", parts={path: "5W"})


def test_an_entry_beyond_all_numbers_is_refused() -> None:
    with pytest.raises(foxden.BadParts):
        foxden.new("fox-grove", parts={f"tree.a.cost[{'1' * 5000}]": "5W"})


@pytest.mark.parametrize("given", [[], {}, ["happy-fox"], None, 3, b"happy-fox"])
def test_a_game_is_named_by_a_text(given: Any) -> None:
    with pytest.raises(foxden.UnknownGame):
        foxden.game(given)


def test_texts_of_other_kinds_become_plain_ones() -> None:
    for given in (np.str_("draw_two"), Spoken.TWO):
        match = foxden.new("fox-grove", options={"owl_one": given, "owl_two": "double"})
        assert type(match.options["owl_one"]) is str
        assert "option: owl_one = draw_two" in match.record() or (
            foxden.game("fox-grove").setup().options["owl_one"] == "draw_two"
        )
    assert native(Spoken.TWO) == "draw_two"
    texts = Texts("dares", "", (), ("a",), 3, 20)
    assert [type(text) for text in texts.check([np.str_("q")])] == [str]


@pytest.mark.parametrize("given", ["[" * 100_000, "[" * 16_000, "1" * 5000, '["a"]]'])
def test_sentences_that_cannot_be_read_are_refused(given: str) -> None:
    with pytest.raises(foxden.BadOption):
        foxden.new("fox-and-squirrels", options={"dares": given})


@pytest.mark.parametrize("text", WRITTEN_ODDLY)
def test_a_number_is_written_one_way(text: str) -> None:
    assert digits(text) is None
    with pytest.raises(foxden.BadOption):
        Number("rounds", "How many.", ("XX-3",), 0, 99, 3).check(text)
    for name in (f"level:{text}", f"search:{text}", f"net:{text}:"):
        with pytest.raises(FoxdenError):
            find_bot(name)
    if text == text.strip() != "":  # spaces part a table from its options
        with pytest.raises(ValueError, match="Write a table"):
            read_table(text)
    with pytest.raises(ValueError, match="iterations takes a number"):
        read_settings({"iterations": text})


@pytest.mark.parametrize("text", ["²", "٣", "1" * 5000])
def test_at_a_terminal_what_is_no_number_is_no_choice(text: str) -> None:
    match, console = foxden.new("happy-fox", seats=3, seed=7), Console(quiet=True)
    session = Session(match, 0, GreedyBot(), console)
    with pytest.raises(foxden.BadNotation):
        session.help(text)
    replay = Replay(match, 0, console)
    assert replay.step(text)
    assert replay.ply == 0


@pytest.mark.parametrize("text", ["nan", "inf", "1_0", "٣", " 1", "", "1" * 400])
def test_a_setting_of_a_run_is_a_number(text: str) -> None:
    with pytest.raises(ValueError, match="rate takes a number"):
        read_settings({"rate": text})
    assert read_settings({"rate": "1e-3", "slow": "0.5"}) == {"rate": 1e-3, "slow": 0.5}


@pytest.mark.parametrize("given", [True, 3.0, 2.5, "3", None, 0, 6, 10**30])
def test_a_level_is_one_of_five_whole_numbers(given: Any) -> None:
    with pytest.raises(foxden.UnknownBot):
        level_bot(given)


@pytest.mark.parametrize(
    "name",
    ["net:drawn=" + "9" * 400, "search:" + "9" * 400 + "s", "search:1:greedy=" + "9" * 400],
)
def test_a_bound_beyond_all_numbers_is_refused(name: str) -> None:
    with pytest.raises(foxden.UnknownBot):
        find_bot(name)


@pytest.mark.parametrize("given", [True, 2.0, "2", None, 0, -1])
def test_a_batch_has_a_whole_number_of_matches(given: Any) -> None:
    game = foxden.game("happy-fox")
    for how in ({"num_envs": given}, {"num_envs": 2, "threads": given}):
        with pytest.raises(BadBatch):
            VectorEnv(game, **how)
    with pytest.raises(ValueError, match="whole number from 1 on"):
        Settings(depth=given)


@pytest.mark.parametrize("seed", [True, 3.0, "3", -1])
def test_an_environment_that_refuses_a_seed_is_as_it_was(seed: Any) -> None:
    one, other = parallel(), parallel()
    for env in (one, other):
        env.reset(seed=5)
    with pytest.raises(foxden.BadSeed):
        one.reset(seed=seed)
    for env in (one, other):
        env.reset()
    assert one.match.seed == other.match.seed


def parallel() -> Any:
    pettingzoo = pytest.importorskip("foxden.envs.pettingzoo")
    return pettingzoo.RawEnv("happy-fox")


@pytest.mark.parametrize("text", ["abc", " 5", "1_0", "٣", "-1", "1" * 5000, "", "05"])
def test_a_question_names_what_is_no_number_in_it(text: str) -> None:
    question = {"game": "happy-fox", "kind": "compare", "bots": ["random"]}
    for name in ("seed", "luck"):
        with pytest.raises(BadQuestion, match=f"{name} is a whole number"):
            completed(question_from(question | {name: text}))
    players = {"name": "x", "players": {text: {"unknown_four": True}}}
    with pytest.raises(BadQuestion, match="players go from 1 to"):
        completed(question_from(question | {"variant": [players]}))


@pytest.mark.parametrize("given", ["1..999999999999", "1.." + "9" * 18, "0..10000"])
def test_an_axis_without_an_end_is_refused_before_it_is_listed(given: str) -> None:
    with pytest.raises(BadQuestion, match="too many values"):
        values_of("geese", given)
    assert values_of("geese", "3..9:3") == [3, 6, 9]


def test_whole_numbers_are_told_from_what_equals_them() -> None:
    assert [whole(value) for value in (3, np.int8(3), np.array(3))] == [3, 3, 3]
    assert [whole(value) for value in (*EQUAL_TO_ONE, None, [1], 1 + 0j)] == [None] * 8
    assert [digits(text) for text in ("0", "7", "10", "999")] == [0, 7, 10, 999]
