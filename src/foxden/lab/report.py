"""Reports: a self-contained HTML file, JSON, and Parquet.

The answer comes first, in a sentence; then plots and tables, how it was done, and how to repeat it.
"""

from __future__ import annotations

import base64
import html
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import foxden
from foxden.arena.extras import MissingPackage
from foxden.engine.errors import FoxdenError
from foxden.lab.charts import Chart, drawn
from foxden.lab.measures import scores, wins
from foxden.lab.playing import player_at
from foxden.lab.question import Question, bots_of, to_command, to_toml, variants_of
from foxden.lab.tracing import (
    CHANGES,
    CHOICES,
    DEAL,
    OPEN,
    PLIES,
    ROTATION,
    SEATS,
    SETTLED,
    STARTER,
    TURNS,
)


@dataclass(frozen=True)
class Table:
    """A table of texts; the first column names the row. A cell that ends in * is set off."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class Section:
    """A part of a report."""

    title: str
    text: Sequence[str] = ()
    shown: Sequence[Chart | Table] = ()


@dataclass(frozen=True)
class Report:
    """An answer, ready to be written in any form."""

    question: Question
    title: str
    answer: str
    sections: Sequence[Section]
    how: Sequence[str]
    figures: dict[str, Any]  # everything as data
    rows: Sequence[Any] = field(default=(), repr=False)  # of every variant …
    played: Question | None = None  # … of this question, if it is another one

    def to_json(self) -> dict[str, Any]:
        """Returns the report as plain data: unknown numbers are null."""
        question = msgspec.to_builtins(self.question)
        return {
            "answer": self.answer,
            "question": question,
            "command": to_command(self.question),
            "foxden": version("foxden"),
            "rules": foxden.game(self.question.game).rules_version,
            "how": list(self.how),
            **plain(self.figures),
        }

    def to_html(self) -> str:
        """Returns the report as one self-contained page."""
        return _page(self)


def plain(value: Any) -> Any:
    """Returns data that JSON can hold."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {str(key): plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    return None if isinstance(value, float) and not math.isfinite(value) else value


def check_file(file: Path) -> None:
    """Refuses a file of unknown format before anything is played."""
    if file.suffix not in FORMS:
        raise FoxdenError(f"{file.name} must end in {', '.join(FORMS)}.")


def write(report: Report, file: Path) -> None:
    """Writes a report in the format of the file's extension."""
    check_file(file)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        FORMS[file.suffix](report, file)
    except OSError as error:
        raise FoxdenError(f"{file} cannot be written: {error.strerror}.") from error


def _write_html(report: Report, file: Path) -> None:
    file.write_text(report.to_html(), encoding="utf-8")


def _write_json(report: Report, file: Path) -> None:
    text = json.dumps(report.to_json(), indent=2, ensure_ascii=False, allow_nan=False)
    file.write_text(text + "\n", encoding="utf-8")


def write_parquet(report: Report, file: Path) -> None:
    """Writes a row for each seat of each match, typed."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        message = "Parquet files need pyarrow: install it with pip install 'foxden[arena]'."
        raise MissingPackage(message) from error
    parts = []
    played = report.played or report.question
    if not len(report.rows):
        raise FoxdenError("This report has no matches to write as Parquet.")
    for variant, rows in zip(variants_of(played), report.rows, strict=True):
        seats, n = int(rows[0, SEATS]), len(rows)
        seat = np.tile(np.arange(seats), n)
        each = np.repeat(np.arange(n), seats)
        player = player_at(seat, rows[each, ROTATION], seats)
        bots = bots_of(played, variant)
        columns = {
            "variant": pa.array([variant.name] * (n * seats), pa.string()),
            "deal": pa.array(rows[each, DEAL], pa.int32()),
            "rotation": pa.array(rows[each, ROTATION], pa.int8()),
            "seat": pa.array(seat, pa.int8()),
            "turn": pa.array((seat - rows[each, STARTER]) % seats + 1, pa.int8()),
            "player": pa.array(player + 1, pa.int8()),
            "bot": pa.array([bots[k % len(bots)] for k in player], pa.string()),
            "score": pa.array(scores(rows).astype(int).reshape(-1), pa.int32()),
            "win": pa.array(wins(rows).reshape(-1), pa.float64()),
        }
        for name, column in (
            *(("decisions", PLIES), ("choices", CHOICES), ("open", OPEN), ("turns", TURNS)),
            *(("lead_changes", CHANGES), ("settled", SETTLED)),
        ):
            columns[name] = pa.array(rows[each, column], pa.int32())
        parts.append(pa.table(columns))
    meta = {"question": to_toml(report.question), "foxden": version("foxden")}
    pq.write_table(pa.concat_tables(parts).replace_schema_metadata(meta), file)


FORMS = {".html": _write_html, ".json": _write_json, ".parquet": write_parquet}

# The page

STYLE = """
:root{--paper:#fbf6ea;--card:#fffdf6;--ink:#2b2118;--soft:#6b5a45;--line:#e2d5bb;--accent:#b4531b;
--c1:#b4531b;--c2:#2f6b4f;--c3:#4a5fa5;--c4:#8a3f7c;--c5:#9a7b15;--c6:#3b7f8c;--c7:#7a4a2b;
--c8:#596070;--band:#b4531b26;--mark:#f7e3c5;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--paper:#17201b;--card:#1f2a24;--ink:#efe6d3;
--soft:#b7a98e;--line:#38463d;--accent:#f0945a;--c1:#f0945a;--c2:#7cc7a0;--c3:#9db2f2;--c4:#d99acb;--c5:#e0c25a;
--c6:#86cbd8;--c7:#cfa07e;--c8:#b0b8c6;--band:#f0945a33;--mark:#4a3a22}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,sans-serif}main{max-width:60rem;margin:0 auto;padding:1.2rem 1rem 3rem}
h1,h2{font-family:Georgia,'Times New Roman',serif;line-height:1.2;font-weight:600}
h1{font-size:1.7rem;margin:.2rem 0}h2{font-size:1.25rem;margin:2.2rem 0 .4rem}
.kind{color:var(--soft);margin:0}.answer{font-size:1.2rem;background:var(--card);
border-left:5px solid var(--accent);padding:.9rem 1.1rem;border-radius:0 8px 8px 0;margin:1rem 0}
figure{margin:1rem 0;background:var(--card);border:1px solid var(--line);border-radius:8px;
padding:.8rem}figcaption{font-weight:600;margin-bottom:.4rem}
figure svg{display:block;max-width:100%;height:auto;overflow:visible}.narrow{display:none}
@media (max-width:44rem){.wide{display:none}.narrow{display:block}main{padding:.8rem .7rem 2rem}
.answer{font-size:1.08rem}
th:first-child{white-space:normal;min-width:6.5rem;max-width:8rem}th,td{padding:.3rem .4rem}}
.scroll{overflow-x:auto;margin:.8rem 0}.scroll:focus-visible{outline:2px solid var(--accent)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem;min-width:100%}
th,td{padding:.32rem .6rem;text-align:right;border-bottom:1px solid var(--line);
white-space:nowrap}thead th{color:var(--soft);font-weight:600;vertical-align:bottom}
th:first-child{text-align:left;font-weight:500;position:sticky;left:0;
background:var(--paper)}td.holds{background:var(--mark);font-weight:600}
.note,.how li{color:var(--soft)}.note{font-size:.9rem}pre{background:var(--card);
border:1px solid var(--line);border-radius:8px;padding:.7rem;overflow-x:auto;white-space:pre-wrap;
word-break:break-word;font-size:.88rem}a{color:var(--accent)}
footer{margin-top:2.5rem;color:var(--soft);font-size:.9rem}
"""


def _page(report: Report) -> str:
    game = foxden.game(report.question.game)
    toml = to_toml(report.question)
    link = base64.b64encode(toml.encode()).decode()
    data = json.dumps(report.to_json(), ensure_ascii=False, allow_nan=False)
    body = [
        f'<p class="kind">{_e(game.title)} · the laboratory</p>',
        f"<h1>{_e(report.title)}</h1>",
        f'<p class="answer">{_e(report.answer)}</p>',
        *(_section(section) for section in report.sections),
        "<h2>How it was done</h2>",
        f'<ul class="how">{"".join(f"<li>{_e(line)}</li>" for line in report.how)}</ul>',
        "<h2>Again</h2>",
        f"<pre>{_e(to_command(report.question))}</pre>",
        f'<p>Or save <a download="question.toml" href="data:application/toml;base64,{link}">'
        "the question as a file</a> and run <code>foxden lab run question.toml</code>.</p>",
        f"<footer>Foxden {_e(version('foxden'))}, rules {game.rules_version} of {_e(game.title)}. "
        "All figures are in this file as JSON, in the element <code>figures</code>.</footer>",
    ]
    safe = data.replace("</", "<\\/")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_e(report.title)} · {_e(game.title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{chr(10).join(body)}\n</main>\n"
        f'<script type="application/json" id="figures">{safe}</script>\n</body>\n</html>\n'
    )


def _e(text: str) -> str:
    return html.escape(text)


def _section(section: Section) -> str:
    parts = [f"<h2>{_e(section.title)}</h2>", *(f"<p>{_e(text)}</p>" for text in section.text)]
    for one in section.shown:
        parts.append(_table(one) if isinstance(one, Table) else _figure(one))
    return "\n".join(parts)


def _figure(chart: Chart) -> str:
    wide, narrow = drawn(chart)
    return (
        f"<figure><figcaption>{_e(chart.title)}</figcaption>"
        f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>'
        + (f'<p class="note">{_e(chart.note)}</p>' if chart.note else "")
        + "</figure>"
    )


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{_e(text)}</th>' for text in table.columns)
    rows = []
    for first, *cells in table.rows:
        line = "".join(
            f'<td class="holds">{_e(cell[:-1])}</td>'
            if cell.endswith("*")
            else f"<td>{_e(cell)}</td>"
            for cell in cells
        )
        rows.append(f'<tr><th scope="row">{_e(first)}</th>{line}</tr>')
    note = f'<p class="note">{_e(table.note)}</p>' if table.note else ""
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{note}"
    )
