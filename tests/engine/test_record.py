"""Records: what is written is read again, and what is broken is refused with its place."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foxden
from foxden.engine.record import Move, Record, parse_record, write_record

GOOD = """\
foxden record 2
game: happy-fox
rules: 1
seats: 2
name: 0 = Mia
option: unknown_four = yes
part: geese = 14
seed: 7

1. [0] lay goose
2. [1] lay goose
"""

words = st.text(string.ascii_lowercase + string.digits + " -", min_size=1, max_size=20).map(
    lambda text: "x" + text.strip()
)
names = st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True)
printable = (
    st.text(min_size=1, max_size=20)
    .map(lambda text: "".join(c for c in text if c.isprintable()).strip())
    .filter(bool)
)
numbers = st.integers(0, 2**126 - 1)
records = st.builds(
    Record,
    game=names.map(lambda name: name.replace("_", "-")),
    rules=st.integers(0, 99),
    seats=st.integers(1, 9),
    stream=st.sampled_from(["keyed", "fast"]),
    seed=numbers,
    names=st.dictionaries(st.integers(0, 8), printable, max_size=4),
    options=st.dictionaries(names, printable, max_size=3),
    parts=st.dictionaries(
        names, st.one_of(st.integers(-99, 99), printable, st.lists(st.integers())), max_size=3
    ),
    moves=st.lists(st.builds(Move, st.integers(0, 8), words), max_size=9).map(tuple),
)


@given(records)
def test_what_is_written_is_read_again(record: Record) -> None:
    text = write_record(record)
    assert parse_record(text) == record
    assert write_record(parse_record(text)) == text


@given(records, st.lists(st.integers(-50, 50), min_size=1, max_size=5))
def test_results_are_read_again(record: Record, scores: list[int]) -> None:
    done = Record(**{**vars(record), "scores": tuple(scores), "winners": (0,)})
    assert parse_record(write_record(done)) == done


@settings(max_examples=500, deadline=None)
@given(st.data())
def test_a_damaged_record_is_refused_or_means_what_it_says(data: st.DataObject) -> None:
    """Fuzzer: cut, doubled or overwritten pieces never raise anything but BadRecord."""
    start = data.draw(st.integers(0, len(GOOD)))
    end = data.draw(st.integers(start, min(len(GOOD), start + 12)))
    junk = data.draw(st.one_of(st.text(max_size=6), st.just(GOOD[start:end] * 2)))
    text = GOOD[:start] + junk + GOOD[end:]
    refusal = None
    try:
        record = parse_record(text)
    except foxden.BadRecord as error:
        refusal = error
    if refusal:
        assert 1 <= refusal.line <= text.count("\n") + 1
        assert refusal.column >= 1
    else:
        assert parse_record(write_record(record)) == record


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_an_edited_match_is_refused_or_replays_to_itself(data: st.DataObject) -> None:
    """Fuzzer: one line changed, dropped or doubled in a real match."""
    lines = FINISHED.split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    other = data.draw(st.sampled_from([*lines, "seed: 8", "1. [0] stop", "scores: 1 2", ""]))
    lines[at : at + 1] = data.draw(st.sampled_from([[], [other], [lines[at], lines[at]]]))
    try:
        match = foxden.Match.from_record("\n".join(lines))
    except foxden.BadRecord:
        return
    assert foxden.Match.from_record(match.record()).state_bytes() == match.state_bytes()


def finished() -> str:
    match = foxden.new("happy-fox", seats=2, seed=11)
    while not match.is_over:
        match.play(match.legal()[match.ply % len(match.legal())])
    return match.record()


FINISHED = finished()


@pytest.mark.parametrize(
    ("change", "line", "column", "says"),
    [
        (("foxden record 2", "foxden record 3"), 1, 1, "begins with"),
        (("game: happy-fox", "game: happy-fix"), 2, 1, "Did you mean happy-fox"),
        (("game: happy-fox", "game: Happy Fox"), 2, 7, "small letters"),
        (("rules: 1", "rules: one"), 3, 8, "whole number"),
        (("seats: 2", "seats: 6"), 4, 1, "2 to 5 seats"),
        (("seats: 2\n", ""), 11, 1, "without a line 'seats'"),
        (("seats: 2", "seats: 2\nseats: 2"), 5, 1, "second time"),
        (("name: 0 = Mia", "name: 5 = Mia"), 5, 1, "no seat 5"),
        (("name: 0 = Mia", "name: Mia"), 5, 7, "name = value"),
        (("unknown_four = yes", "unknown_four = perhaps"), 6, 1, "yes or no"),
        (("unknown_four = yes", "unknown_five = yes"), 6, 1, "Did you mean unknown_four"),
        (("geese = 14", "geese = 31"), 2, 1, "1 to 32 cards"),
        (("geese = 14", "geese = many"), 7, 15, "whole number"),
        (("geese = 14", 'geese = "many"'), 7, 1, "whole number is wanted"),
        (("seed: 7", "seed: -7"), 8, 7, "whole number"),
        (("seed: 7\n", ""), 11, 1, "'seed'"),
        (("1. [0] lay goose", "2. [0] lay goose"), 10, 1, "must be move 1"),
        (("1. [0] lay goose", "1. [1] lay goose"), 10, 5, "is asked"),
        (("1. [0] lay goose", "1. [0] lay duck"), 10, 8, "Did you mean"),
        (("1. [0] lay goose", "1. [0] turn 3"), 10, 8, "HF-7"),
        (("1. [0] lay goose", "1. 0 lay goose"), 10, 1, "number, seat, notation"),
        (("2. [1] lay goose\n", "2. [1] lay goose\nscores: 1 2\nwinners: 0\n"), 12, 1, "not over"),
        (("seats: 2", "chairs: 2"), 4, 1, "no line 'chairs'"),
    ],
)
def test_a_broken_record_names_line_and_column(
    change: tuple[str, str], line: int, column: int, says: str
) -> None:
    assert change[0] in GOOD
    with pytest.raises(foxden.BadRecord) as refusal:
        foxden.Match.from_record(GOOD.replace(*change))
    assert says in str(refusal.value)
    assert (refusal.value.line, refusal.value.column) == (line, column)


def test_the_good_record_is_good() -> None:
    match = foxden.Match.from_record(GOOD)
    assert match.record() == GOOD
    assert match.names == ("Mia", "Seat 1")


def test_comments_and_blank_lines_say_nothing() -> None:
    assert foxden.Match.from_record(GOOD.replace("\n\n", "\n\n# a note\n\n")).record() == GOOD
    assert foxden.Match.from_record(GOOD.replace("\n", "\r\n")).record() == GOOD


def test_another_version_of_the_rules_is_refused() -> None:
    with pytest.raises(foxden.WrongRules, match=r"version 2 .* this is version 1"):
        foxden.Match.from_record(GOOD.replace("rules: 1", "rules: 2"))


@pytest.mark.parametrize("key", ["scores", "winners"])
def test_an_edited_result_is_refused(key: str) -> None:
    text = FINISHED.replace(f"{key}: ", f"{key}: 9")
    with pytest.raises(foxden.BadRecord, match=f"The {key} are"):
        foxden.Match.from_record(text)


def test_a_missing_result_is_refused() -> None:
    text = FINISHED[: FINISHED.index("\nscores")]
    with pytest.raises(foxden.BadRecord, match="result is missing"):
        foxden.Match.from_record(text)


def test_a_secret_seed_is_promised_and_checked() -> None:
    match = foxden.new("happy-fox", seats=2, seed=123456789)
    match.play(match.legal()[0])
    text = match.record(tell_seed=False)
    assert "123456789" not in text
    with pytest.raises(foxden.BadRecord, match="still secret"):
        foxden.Match.from_record(text)
    with pytest.raises(foxden.BadRecord, match="not the one that was promised"):
        foxden.Match.from_record(text, seed=5)
    assert foxden.Match.from_record(text, seed=123456789).state_bytes() == match.state_bytes()


def test_the_version_of_a_record_says_what_its_seed_deals_from() -> None:
    keyed, fast = (
        foxden.new("happy-fox", seats=2, seed=7, stream=stream) for stream in ("keyed", "fast")
    )
    assert keyed.state_bytes() != fast.state_bytes()
    assert keyed.record().startswith("foxden record 2\n")
    assert fast.record().startswith("foxden record 1\n")
    for match in (keyed, fast):
        again = foxden.Match.from_record(match.record())
        assert (again.stream, again.state_bytes()) == (match.stream, match.state_bytes())
