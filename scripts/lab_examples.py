"""Answers the questions in docs/results/lab; `make lab-examples` runs it."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from foxden.lab.answering import answered
from foxden.lab.question import completed, read_question
from foxden.lab.report import write
from foxden.lab.workers import local

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "results" / "lab"
KEPT = ROOT / ".cache" / "lab"  # cached matches, so reports can be rewritten at once


def main(names: list[str]) -> None:
    """Writes the reports of all questions, or of the named ones."""
    for file in sorted(FOLDER.glob("*.toml")):
        if names and file.stem not in names:
            continue
        begin = time.perf_counter()
        question = completed(read_question(file))
        with local(question) as workers:
            journal = KEPT / f"{file.stem}-{question.digest()}.jsonl"
            report = answered(question, workers=workers, journal=journal)
        write(report, file.with_suffix(".html"))
        print(f"{file.stem}: {report.answer} ({time.perf_counter() - begin:.0f} s)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
