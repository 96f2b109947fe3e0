"""A run's curve as a picture, if matplotlib is installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def plot(facts: Path, picture: Path) -> bool:
    """Draws wins against `greedy` and the last saved network; False without matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    told: dict[str, Any] = json.loads(facts.read_text(encoding="utf-8"))
    figure = Figure(figsize=(8, 6), layout="constrained")
    FigureCanvasAgg(figure)
    top, below = figure.subplots(2, 1, sharex=True)
    steps = [row["steps"] / 1e6 for row in told["curve"]]
    for axes, name, title in (
        (top, "greedy", "wins against greedy, drawn play"),
        (below, "past", "wins against the network saved last"),
    ):
        for table in told["curve"][0][name] if told["curve"] else ():
            axes.plot(steps, [row[name][table][0] for row in told["curve"]], label=table)
        axes.set(title=title, ylim=(0, 1))
        axes.axhline(0.5, color="grey", linewidth=0.5)
        axes.legend(title="table", fontsize="small")
    below.set_xlabel("million decisions")
    figure.suptitle(f"{told['game']}, seed {told['seed']}")
    figure.savefig(picture, dpi=120)
    return True
