"""The grammar of records in the docs accepts what the parser accepts, line by line."""

import re
from pathlib import Path

import pytest

from foxden.engine.errors import BadRecord
from foxden.engine.record import parse_record

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "tests" / "records").rglob("*.record"))
PAGE = (ROOT / "docs" / "reference" / "records.md").read_text(encoding="utf-8")
CORE = {"LF": r"\n", "DIGIT": "[0-9]", "printable": r"[^\n]"}
TOKEN = re.compile(r'"[^"]*"|%x[0-9A-F]+-[0-9A-F]+|[a-zA-Z]+|[0-9*]+|[()\[\]/]')


def grammar() -> dict[str, str]:
    """Reads the rules of the page."""
    (block,) = re.findall(r"<!-- grammar -->\n```abnf\n(.*?)```", PAGE, flags=re.S)
    lines = (line.split("   ;")[0] for line in block.splitlines())
    return {name.strip(): body for name, body in (line.split(" = ", 1) for line in lines)}


def pattern(rules: dict[str, str], body: str) -> str:
    """Translates one rule to a regular expression."""
    out, repeat, closes = [], "", []
    for token in TOKEN.findall(body):
        if token[0] in "0123456789*":
            least, star, most = token.partition("*")
            repeat = f"{{{least or 0},{most}}}" if star else f"{{{token}}}"
            continue
        if token in "([":
            out.append("(?:")
            closes.append("?" if token == "[" else repeat)
            repeat = ""
            continue
        if token in ")]":
            out.append(")" + closes.pop())
        elif token == "/":
            out.append("|")
        elif token.startswith('"'):
            out.append(f"(?:{re.escape(token[1:-1])}){repeat}")
        elif token.startswith("%x"):
            low, high = (chr(int(code, 16)) for code in token[2:].split("-"))
            out.append(f"[{low}-{high}]{repeat}")
        else:
            inner = CORE.get(token) or pattern(rules, rules[token])
            out.append(f"(?:{inner}){repeat}")
        repeat = ""
    return "".join(out)


def accepts(text: str) -> bool:
    """Says whether the grammar accepts a record; comments and blank lines are left out before."""
    first, *lines = text.splitlines()
    kept = [line for line in lines if line.strip() and not line.startswith("#")]
    rules = grammar()
    record = re.compile(pattern(rules, rules["record"]))
    return record.fullmatch("\n".join([first, *kept]) + "\n") is not None


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_golden_records_fit_the_grammar(file: Path) -> None:
    assert accepts(file.read_text(encoding="utf-8"))


def example() -> str:
    """Returns the example of the page."""
    (text,) = re.findall(r"## An example\n\n```text\n(.*?)```", PAGE, flags=re.S)
    return str(text)


def test_the_example_fits_the_grammar_and_the_parser() -> None:
    assert accepts(example())
    assert parse_record(example()).winners == (1,)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("foxden record 2", "foxden record 3"),
        ("game: happy-fox", "game: Happy-Fox"),
        ("seats: 3", "seats: 03"),
        ("seats: 3", "chairs: 3"),
        ("option: unknown_four = yes", "option: Unknown = yes"),
        ("seed: 7", "seed: -7"),
        ("seed: 7", "seed-hash: 12ab"),
        ("1. [2] lay goose", "1. 2 lay goose"),
        ("scores: 21 27 24", "scores: 21  27 24"),
        ("winners: 1\n", ""),
    ],
)
def test_what_the_parser_refuses_does_not_fit(old: str, new: str) -> None:
    broken = example().replace(old, new)
    assert broken != example()
    with pytest.raises(BadRecord):
        parse_record(broken)
    assert not accepts(broken)
