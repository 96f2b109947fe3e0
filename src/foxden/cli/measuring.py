"""The command that measures Foxden."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from foxden.cli.app import app
from foxden.cli.output import aside, console
from foxden.engine.errors import FoxdenError


@app.command(rich_help_panel="Bots and research")
def bench(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[WHAT]",
            help="rules, `start` (how soon one plays), or the server: `server`, `sockets` (idle "
            "ones), `soak` (for minutes).",
        ),
    ] = "rules",
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to measure each row.")] = 2.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the rows into this file (PNG, SVG or PDF).")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="How long to soak the server.")] = 10.0,
) -> None:
    """Measures Foxden against other libraries in one run (`make bench` installs them)."""
    from foxden import bench

    def tell(what: str) -> None:
        aside.print(f"[dim]{what} …[/]")

    if what == "soak":
        from foxden.bench.crowd import soak

        json.dump(soak(minutes, tell).to_json(), sys.stdout, indent=2)
        print()
        return
    if what == "server":
        from foxden.bench import server

        rows = server.measure(seconds, tell)
    elif what == "sockets":
        from foxden.bench.crowd import measure_idle

        rows = [measure_idle(tell)]
    elif what == "start":
        from foxden.bench import starting

        rows = starting.measure(tell)
    elif what == "rules":
        rows = bench.measure(seconds, lambda what: tell(f"measuring {what}"))
    else:
        raise FoxdenError(f"{what!r} cannot be measured: rules, start, server, sockets or soak.")
    if plot:
        bench.plot(rows, plot)
    if as_json:
        json.dump([row.to_json() for row in rows], sys.stdout, indent=2)
        print()
    else:
        console.print(bench.report(rows))
