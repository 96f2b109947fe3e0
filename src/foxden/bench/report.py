"""The rows of a benchmark as a table and as a plot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from foxden.bench import peers
from foxden.bench.row import Row
from foxden.engine.errors import FoxdenError

# The divisor and the display name of each unit.
SCALES = {
    "moves/s": (1e6, "M moves/s"),
    "simulations/s": (1e3, "k simulations/s"),
    "µs": (1.0, "µs"),
    "s": (1.0, "s"),
    "bytes": (1.0, "bytes"),
    "confirmed/s": (1.0, "moves/s"),
    "ms": (1.0, "ms"),
    "µs a move": (1.0, "µs a move"),
    "KiB": (1.0, "KiB"),
    "× the time": (1.0, "× the time"),
}
PEERED = ("moves/s", "simulations/s", "µs", "s", "bytes")  # units that libraries share


def report(rows: list[Row]) -> RenderableType:
    """Groups the rows by kind; peers show how Foxden's rows compare with them."""
    tables: list[RenderableType] = []
    for kind in kinds(rows):
        table = Table(title=kind[0].what, title_justify="left", title_style="bold", box=None)
        table.add_column("who", overflow="fold")
        table.add_column("median", justify="right")
        table.add_column("range", justify="right")
        table.add_column("Foxden is", justify="right")
        table.add_column("how", overflow="fold", style="dim")
        for row in kind:
            middle, *ends = [_figure(row, value) for value in (row.value, row.low, row.high)]
            unit = SCALES[row.unit][1]
            table.add_row(row.who, f"{middle} {unit}", "–".join(ends), ratios(row, kind), row.how)
        tables += [table, ""]
    missing = peers.missing()
    if missing and any(row.unit in PEERED for row in rows):
        tables.append(
            f"Not measured, because not installed: {missing}. See docs/results/benchmarks.md."
        )
    return Group(*tables)


def kinds(rows: list[Row]) -> list[list[Row]]:
    """Groups the rows by what was measured."""
    return [
        [row for row in rows if row.what == what] for what in dict.fromkeys(r.what for r in rows)
    ]


def ratios(rival: Row, kind: list[Row]) -> str:
    """Returns how many times as good Foxden's rows are, from worst to best."""
    if rival.ours:
        return ""
    times = sorted(row.times(rival) for row in kind if row.ours)
    if not times:
        return ""
    low, high = _short(times[0]), _short(times[-1])
    return f"{low} ×" if low == high else f"{low}–{high} ×"


def _short(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"


def _figure(row: Row, value: float) -> str:
    value /= SCALES[row.unit][0]
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value < 1 else f"{value:.2f}"


def plot(rows: list[Row], file: Path) -> None:
    """Draws the rows as bars with ranges on a logarithmic scale, one panel for each kind."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise FoxdenError("Plots need matplotlib: install the extra `bench`.") from None
    panels = kinds(rows)
    heights = [len(kind) + 2 for kind in panels]
    figure = Figure(figsize=(11, 0.32 * sum(heights) + 1), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Any = figure.subplots(
        len(panels), 1, squeeze=False, gridspec_kw={"height_ratios": heights}
    )
    for axis, kind in zip(axes[:, 0], panels, strict=True):
        places = range(len(kind))
        values = [row.value for row in kind]
        below = [row.value - row.low for row in kind]
        above = [row.high - row.value for row in kind]
        colours = ["#c8511b" if row.ours else "#8a8f98" for row in kind]
        axis.barh(places, values, xerr=[below, above], color=colours, height=0.7, capsize=2)
        axis.set_yticks(places, [row.who for row in kind], fontsize=8)
        axis.invert_yaxis()
        if max(values) > 10 * min(values):
            axis.set_xscale("log")
        better = "more" if kind[0].unit.endswith("/s") else "less"
        axis.set_title(f"{kind[0].what} ({kind[0].unit}; {better} is better)", loc="left", size=10)
        axis.grid(axis="x", alpha=0.3)
    figure.savefig(file, dpi=120)
