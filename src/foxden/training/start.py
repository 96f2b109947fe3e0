"""Training where Foxden's rules are installed: on its processor or its card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from foxden.engine.errors import FoxdenError
from foxden.engine.game import Game
from foxden.training.plan import Plan, Table, read_settings, read_table
from foxden.training.run import Run
from foxden.training.tables import tables_of

# Settings for minutes on a processor; the plan's defaults are for a card.
SMALL = {"matches": 1024, "steps": 32, "width": 256, "depth": 2, "minibatches": 4}
SMALL |= {"exam_every": 10, "exam_matches": 512, "save_every": 20}


def start_run(
    game: Game,
    folder: Path,
    *,
    iterations: int,
    tables: Sequence[str] | None,
    device: str,
    settings: Mapping[str, str],
    commit: str,
    resume: bool,
    report: Callable[[str], None],
) -> Run:
    """Sets up a run, or resumes a stopped one."""
    if device not in ("cpu", "cuda"):
        raise FoxdenError(f"Train on cpu or cuda, not on {device!r}.")
    try:
        asked = tuple(read_table(text) for text in tables or [str(game.usual_seats())])
        changed = (SMALL if device == "cpu" else {}) | read_settings(settings)
        plan = Plan(game.name, asked, iterations, **changed)
        seated = tables_of(game, plan.tables)
    except ValueError as error:
        raise FoxdenError(str(error)) from error
    for table in seated:
        options = game.setup(table.seats, table.options).options
        if game.together(table.seats, options):
            raise FoxdenError("A table that plays together has no winners to learn from.")
    facts = {
        "rules_version": game.rules_version,
        "tensor_hash": game.tensor_hash,
        "parts_hash": game.parts_hash,
        "commit": commit,
    }
    run = Run(plan, folder, _maker(game, seated, device), facts=facts, report=report)
    try:
        resumed = resume and run.resume()
    except ValueError as error:
        raise FoxdenError(str(error)) from error
    if not resumed:
        run.begin()
    return run


def _maker(game: Game, tables: Sequence[Table], device: str) -> Callable[..., Any]:
    if device == "cpu":
        from foxden.training.processor import ProcessorEnv

        return partial(ProcessorEnv, game, tables)
    from foxden.envs.card import CardEnv
    from foxden.envs.cuda import configured, step_kernel

    kernel = step_kernel(game)
    states = [configured(game, t.seats, dict(t.options)) for t in tables]
    return partial(CardEnv, kernel, tables=states, skip_forced=True)
