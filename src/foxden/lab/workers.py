"""Runs an experiment in threads, in processes, or on a cluster; all give the same rows.

Every piece of work is a pure function of the question and its index. So it does not matter who does
it, or how often: lost work is repeated, and results are sorted by index.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from foxden.arena.cluster import Workers
from foxden.arena.local import Local
from foxden.lab.playing import Piece, is_compiled, piece_deals, play_piece
from foxden.lab.question import BadQuestion, Question, variants_of

FIRST_LOOK = 4  # pieces of each variant before the first look at the precision …
GROWTH = 1.25  # … and by how much each further look is later


def local(question: Question, workers: int | None = None) -> Local:
    """Returns workers on this machine: threads for compiled bots, processes for all others."""
    # A search that judges decisions is asked from Python, too.
    return Local(workers, threads=is_compiled(question) and question.kind != "components")


class Journal:
    """Pieces already played, one JSON line each, under the question's digest.

    Journals of one question can be put together (`cat a b > c`); pieces that stand there twice
    are the same.
    """

    def __init__(self, file: Path | None, question: Question) -> None:
        """Reads what is there; a half-written last line is dropped."""
        self.file = file
        self.done: dict[Piece, Any] = {}
        if file is None:
            return
        head = {"question": question.digest(), "seed": question.seed, "luck": question.luck}
        if file.exists():
            self._read(file, head["question"])
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._append(head)

    def _read(self, file: Path, digest: Any) -> None:
        text = file.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        try:
            for line in map(json.loads, whole.splitlines()):
                if "question" in line:
                    if line["question"] != digest:
                        raise BadQuestion(f"{file} is the journal of another question.")
                else:
                    self.done[Piece(*line["piece"])] = _unpacked(line["rows"], line["width"])
        except (ValueError, TypeError, KeyError, zlib.error) as error:
            raise BadQuestion(f"{file} is not a journal of the laboratory: {error}.") from error
        if whole != text:
            file.write_text(whole, encoding="utf-8")

    def _append(self, line: dict[str, Any]) -> None:
        if self.file:
            with self.file.open("a", encoding="utf-8") as journal:
                journal.write(json.dumps(line) + "\n")

    def add(self, piece: Piece, rows: Any) -> None:
        """Keeps a piece."""
        self.done[piece] = rows
        if self.file:
            packed = base64.b64encode(zlib.compress(rows.astype("<i8").tobytes())).decode()
            self._append({"piece": list(piece), "width": rows.shape[1], "rows": packed})


def _unpacked(text: str, width: int) -> Any:
    raw = zlib.decompress(base64.b64decode(text))
    return np.frombuffer(raw, "<i8").astype(np.int64).reshape(-1, width)


def chance_in(journal: Path | None) -> dict[str, str]:
    """Returns the seed and the luck of an old run's journal, to continue it."""
    if journal is None or not journal.exists():
        return {}
    with journal.open(encoding="utf-8") as lines:
        try:
            head = json.loads(lines.readline())
            return {"seed": str(head["seed"]), "luck": str(head["luck"])}
        except (ValueError, TypeError, KeyError) as error:
            raise BadQuestion(f"{journal} is not a journal of the laboratory.") from error


def gather(
    question: Question,
    *,
    workers: Workers | None = None,
    journal: Path | None = None,
    enough: Callable[[Sequence[Any]], bool] = lambda rows: False,
    report: Callable[[int, int], None] = lambda done, of: None,
) -> list[Any]:
    """Plays a completed question's deals; returns the rows of every variant, in order of deals.

    Workers passed in keep running; others end here.

    `enough` is called now and then, always after the same deals. `report` gets the number of
    finished deals of all variants, and the most there can be.
    """
    kept = Journal(journal, question)
    size, many = piece_deals(question), len(variants_of(question))
    total = question.most_deals
    looks, deals = _looks(question, size), 0
    with local(question) if workers is None else nullcontext(workers) as pool:
        for until in looks:
            pieces = [
                Piece(variant, first, min(size, until - first))
                for first in range(deals, until, size)
                for variant in range(many)
            ]
            done = deals * many + sum(p.deals for p in pieces if p in kept.done)
            report(done, total * many)
            todo = [piece for piece in pieces if piece not in kept.done]
            if todo and not deals:  # compiled once, before several workers need it
                first = todo.pop(0)
                kept.add(first, play_piece(question, first))
            for piece, rows in pool.map(play_piece, question, todo):
                kept.add(piece, rows)
                done += piece.deals
                report(done, total * many)
            deals = until
            found = _in_order(kept, many, deals, size)
            if enough(found):
                break
    return found


def _looks(question: Question, size: int) -> list[int]:
    """Lists the numbers of deals after which to check: whole pieces, except the last."""
    most = question.most_deals
    if question.until is None:
        return [most]
    looks, at = [], FIRST_LOOK * size
    while at < most:
        looks.append(at)
        at = max(at + size, -(-int(at * GROWTH) // size) * size)
    return [*looks, most]


def _in_order(kept: Journal, many: int, deals: int, size: int) -> list[Any]:
    return [
        np.concatenate(
            [
                kept.done[Piece(variant, first, min(size, deals - first))]
                for first in range(0, deals, size)
            ]
        )
        for variant in range(many)
    ]
