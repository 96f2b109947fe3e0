"""Keeps many tables of bots playing, with people who watch, and looks whether memory grows.

python -m tests.soak.tables --tables 500 --minutes 60
"""

from __future__ import annotations

import argparse
import sys

from foxden.bench.crowd import soak

MOST_GROWTH = 0.2  # MiB a minute, in the second half


def main() -> None:
    """Soaks a server, and fails where it has grown or broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=1.0)
    given = parser.parse_args()
    found = soak(given.minutes, lambda what: print(what, flush=True), given.tables)
    last = found.memory[-1][1] / 2**20 if found.memory else 0.0
    print(
        f"{given.tables} tables, {given.minutes:g} minutes: {found.matches:,} matches, "
        f"{found.messages:,} messages, {len(found.errors)} errors, {found.faults:g} faults; "
        f"{last:.0f} MiB at the end, growing by {found.growth:.2f} MiB a minute"
    )
    if found.errors or found.faults:
        sys.exit(f"broken: {found.errors[:3]}")
    # Memory settles in the first minutes: caches fill, and every match grows to its length.
    if given.minutes >= 20 and found.growth > MOST_GROWTH:
        sys.exit("memory grows")


if __name__ == "__main__":
    main()
