"""Plots in Vega-Lite, rendered as SVG when a report is written.

So the page is small and needs no script; colours are the page's custom properties, so plots follow
its light and dark theme. Each plot is drawn twice, for wide screens and for phones.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from foxden.arena.extras import MissingPackage
from foxden.arena.intervals import Share

WIDE, NARROW = 860, 320
# Colours that stand for custom properties of the page.
INK, SOFT, LINE, BAND = "#010101", "#020202", "#030303", "#040404"
SERIES = tuple(f"#0505{k:02x}" for k in range(1, 9))
PROPERTIES = {INK: "ink", SOFT: "soft", LINE: "line", BAND: "band"} | {
    colour: f"c{k}" for k, colour in enumerate(SERIES, 1)
}
CONFIG = {
    "background": None,
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": SOFT,
        "titleColor": SOFT,
        "gridColor": LINE,
        "domainColor": LINE,
        "tickColor": LINE,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "legend": {
        "labelColor": INK,
        "titleColor": SOFT,
        "labelFontSize": 12,
        "labelLimit": 240,
        "symbolOpacity": 1,
        "orient": "bottom",
        "columnPadding": 30,
    },
    "range": {"category": list(SERIES)},
}


@dataclass(frozen=True)
class Chart:
    """A plot: its title, a Vega-Lite specification without a width, and a remark."""

    title: str
    spec: dict[str, Any]
    height: int
    note: str = ""


class Dot(NamedTuple):
    """A value with its interval, named, of some series."""

    name: str
    share: Share
    series: str = ""


def drawn(chart: Chart) -> tuple[str, str]:
    """Draws a plot for wide screens and for phones."""
    return _drawn(chart, WIDE), _drawn(chart, NARROW)


def _drawn(chart: Chart, width: int) -> str:
    try:
        import vl_convert
    except ImportError as error:
        message = "Reports as HTML need the extra `lab`: pip install 'foxden[lab]'."
        raise MissingPackage(message) from error
    legend = {**CONFIG["legend"], "columns": 4 if width == WIDE else 2}  # type: ignore[dict-item]
    labels = {"labelLimit": 260 if width == WIDE else 130}
    config = CONFIG | {"axisY": labels, "legend": legend}
    spec = {
        **chart.spec,
        "width": width,
        "height": chart.height,
        "autosize": {"type": "fit", "contains": "padding"},
        # Readers' fonts may be wider than the measured one.
        "padding": {"left": 14, "right": 14, "top": 2, "bottom": 2},
        "config": config,
    }
    svg: str = vl_convert.vegalite_to_svg(spec)
    return _themed(svg, chart.title, f"{chart.title} {width}")


def _themed(svg: str, title: str, key: str) -> str:
    """Replaces colours by the page's properties, and makes ids unique within it."""
    for colour, name in PROPERTIES.items():
        svg = svg.replace(colour, f"var(--{name})")
    mark = hashlib.sha256((key + svg).encode()).hexdigest()[:8]
    svg = re.sub(r'\bid="', f'id="{mark}-', svg)
    svg = re.sub(r"url\(#", f"url(#{mark}-", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(title)}" ', 1)


def _rows(dots: Sequence[Dot], scale: float) -> list[dict[str, Any]]:
    return [
        {
            "name": dot.name,
            "series": dot.series,
            "value": dot.share.value * scale,
            "low": dot.share.low * scale,
            "high": dot.share.high * scale,
        }
        for dot in dots
        if dot.share.value == dot.share.value and dot.share.is_bounded
    ]


def intervals(
    title: str,
    dots: Sequence[Dot],
    *,
    axis: str,
    percent: bool = True,
    reference: float | None = None,
    among: Sequence[str] = (),
    note: str = "",
) -> Chart:
    """Draws values with their intervals, one below the other; series side by side.

    A series has the same colour in all plots with the same names `among`.
    """
    scale = 100.0 if percent else 1.0
    rows = _rows(dots, scale)
    names = list(dict.fromkeys(dot.name for dot in dots))
    series = list(dict.fromkeys(dot.series for dot in dots))
    colour: dict[str, Any] = {"value": SERIES[0]}
    offset: dict[str, Any] = {}
    if len(series) > 1:
        colour = {"field": "series", "type": "nominal", "sort": series, "title": None}
        offset = {"yOffset": {"field": "series", "sort": series}}
        if among:
            colour["scale"] = {"domain": list(among), "range": list(SERIES)}
            colour["legend"] = {"values": series}
    elif series and series[0] in among:
        colour = {"value": SERIES[among.index(series[0]) % len(SERIES)]}
    across = {"type": "quantitative", "title": axis, "scale": {"zero": False, "nice": True}}
    y = {"field": "name", "type": "nominal", "sort": names, "title": None}
    layers: list[dict[str, Any]] = []
    if reference is not None:
        layers.append(
            {
                "data": {"values": [{"at": reference * scale}]},
                "mark": {"type": "rule", "color": SOFT, "strokeDash": [4, 3]},
                "encoding": {"x": {"field": "at", "type": "quantitative"}},
            }
        )
    layers += [
        {
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {
                "y": y,
                **offset,
                "x": {"field": "low", **across},
                "x2": {"field": "high"},
                "color": colour,
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
            "encoding": {"y": y, **offset, "x": {"field": "value", **across}, "color": colour},
        },
    ]
    height = 60 + len(names) * max(26, 15 * len(series)) + (24 if len(series) > 1 else 0)
    return Chart(title, {"data": {"values": rows}, "layer": layers}, height, note)


def curves(
    title: str,
    points: Sequence[tuple[Any, Dot]],
    *,
    across: str,
    axis: str,
    percent: bool = True,
    note: str = "",
) -> Chart:
    """Draws values along an axis, with bands for their intervals."""
    scale = 100.0 if percent else 1.0
    rows = [{"x": x, **row} for x, dot in points for row in _rows([dot], scale)]
    series = list(dict.fromkeys(dot.series for _, dot in points))
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x, _ in points)
    places = list(dict.fromkeys(x if numbers else str(x) for x, _ in points))
    x: dict[str, Any] = {"field": "x", "title": across}
    if numbers:
        x |= {"type": "quantitative", "axis": {"values": places, "format": "~r"}}
        x |= {"scale": {"zero": False, "nice": False, "padding": 14}}
    else:
        rows = [{**row, "x": str(row["x"])} for row in rows]
        x |= {"type": "ordinal", "sort": places, "axis": {"labelAngle": 0}}
    colour: dict[str, Any] = {"value": SERIES[0]}
    if len(series) > 1:
        colour = {"field": "series", "type": "nominal", "sort": series, "title": None}
    beside = {"xOffset": {"field": "series"}} if len(series) > 1 and not numbers else {}
    y = {"type": "quantitative", "title": axis or None, "scale": {"zero": False}}
    faint = 0.18 if len(series) == 1 else 0.1
    layers = [
        {
            "mark": {"type": "area" if numbers else "rule", "opacity": faint if numbers else 1},
            "encoding": {
                "x": x,
                **beside,
                "y": {"field": "low", **y},
                "y2": {"field": "high"},
                "color": colour,
            },
        },
        {
            "mark": {"type": "line", "strokeWidth": 2, "opacity": 1 if numbers else 0},
            "encoding": {"x": x, "y": {"field": "value", **y}, "color": colour},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {"x": x, **beside, "y": {"field": "value", **y}, "color": colour},
        },
    ]
    height = 260 if len(series) < 2 else 290
    return Chart(title, {"data": {"values": rows}, "layer": layers}, height, note)


def spread(title: str, counts: Sequence[tuple[str, dict[int, int]]], *, axis: str) -> Chart:
    """Draws how often each score was reached, for several variants."""
    every = [score for _, some in counts for score in some]
    low, high = min(every), max(every)
    step = max(1, -(-(high - low + 1) // 40))
    rows = []
    for name, some in counts:
        total = sum(some.values())
        bins: dict[int, int] = {}
        for score, count in some.items():
            at = low + (score - low) // step * step
            bins[at] = bins.get(at, 0) + count
        rows += [
            {"series": name, "x": at, "y": 100 * bins.get(at, 0) / total}
            for at in range(low, high + 1, step)
        ]
    names = [name for name, _ in counts]
    colour: dict[str, Any] = {"value": SERIES[0]}
    if len(names) > 1:
        colour = {"field": "series", "type": "nominal", "sort": names, "title": None}
    mark = {"type": "line", "interpolate": "step-after", "strokeWidth": 2}
    encoding = {
        "x": {
            "field": "x",
            "type": "quantitative",
            "title": axis,
            "scale": {"zero": False, "nice": False},
        },
        "y": {"field": "y", "type": "quantitative", "title": "% of seats"},
        "color": colour,
    }
    spec = {"data": {"values": rows}, "mark": mark, "encoding": encoding}
    return Chart(title, spec, 240)


def heat(
    title: str,
    cells: Sequence[tuple[Any, Any, float]],
    *,
    across: str,
    down: str,
    percent: bool = True,
    note: str = "",
) -> Chart:
    """Draws a value for every point of a grid, as a colour with its number."""
    scale = 100.0 if percent else 1.0
    rows = [{"x": str(x), "y": str(y), "value": value * scale} for x, y, value in cells]
    xs = list(dict.fromkeys(row["x"] for row in rows))
    ys = list(dict.fromkeys(row["y"] for row in rows))
    values = [float(row["value"]) for row in rows]  # type: ignore[arg-type]
    middle = (min(values) + max(values)) / 2
    x = {"field": "x", "type": "ordinal", "sort": xs, "title": across, "axis": {"labelAngle": 0}}
    y = {"field": "y", "type": "ordinal", "sort": ys, "title": down}
    colour = {
        "field": "value",
        "type": "quantitative",
        "legend": None,
        "scale": {"range": ["#f6e3c3", "#8a3a10"], "zero": False},
    }
    ink = {"condition": {"test": f"datum.value > {middle}", "value": "#ffffff"}, "value": "#2b2118"}
    text = {"field": "value", "type": "quantitative", "format": ".1f"}
    layers = [
        {"mark": {"type": "rect"}, "encoding": {"x": x, "y": y, "color": colour}},
        {"mark": {"type": "text"}, "encoding": {"x": x, "y": y, "text": text, "color": ink}},
    ]
    spec = {"data": {"values": rows}, "layer": layers}
    return Chart(title, spec, 70 + 34 * len(ys), note)


def shares(title: str, parts: Sequence[tuple[str, float]], *, note: str = "") -> Chart:
    """Draws what a whole is made of, as one bar."""
    rows, at = [], 0.0
    for name, part in parts:
        rows.append({"name": name, "from": 100 * at, "to": 100 * (at + part), "part": 100 * part})
        at += part
    names = [name for name, _ in parts]
    spec = {
        "data": {"values": rows},
        "mark": {"type": "bar", "height": 34, "cornerRadius": 2},
        "encoding": {
            "x": {"field": "from", "type": "quantitative", "title": "%", "scale": {"nice": False}},
            "x2": {"field": "to"},
            "color": {
                "field": "name",
                "type": "nominal",
                "sort": names,
                "title": None,
                "scale": {"domain": names, "range": [*SERIES[: len(names) - 1], SERIES[-1]]},
            },
        },
    }
    return Chart(title, spec, 130, note)
