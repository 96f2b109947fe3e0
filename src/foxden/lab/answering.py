"""Answers each kind of question with a report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from foxden.arena.cluster import Workers
from foxden.lab.balance import balance
from foxden.lab.compare import compare
from foxden.lab.components import components
from foxden.lab.question import Question
from foxden.lab.report import Report
from foxden.lab.skill import skill
from foxden.lab.telling import told


def answered(
    question: Question,
    *,
    workers: Workers | None = None,
    journal: Path | None = None,
    report: Callable[[int, int], None] = lambda done, of: None,
) -> Report:
    """Answers a completed question."""
    if question.kind == "skill":
        return skill(question, workers=workers, journal=journal, report=report)
    if question.kind == "components":
        return components(question, workers=workers, report=report)
    if question.kind == "balance":
        return balance(question, workers=workers, report=report)
    return told(compare(question, workers=workers, journal=journal, report=report))
