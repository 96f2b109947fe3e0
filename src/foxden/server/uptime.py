"""Uptime, the time that clocks count: how long servers of a store have run.

It advances while a server runs, stops while none does, and never goes back, whatever happens to the
machine's clock. Each process counts separately; now and then they agree on the longest.
"""

from __future__ import annotations

import time


class Uptime:
    """Seconds that servers of one store have run."""

    def __init__(self) -> None:
        """Begins at zero; `raise_to` continues where the last server stopped."""
        self._zero = time.monotonic()

    def __call__(self) -> float:
        """Returns the seconds."""
        return time.monotonic() - self._zero

    def raise_to(self, seconds: float) -> None:
        """Jumps to a later time that another process, or an earlier one, has reached."""
        self._zero = min(self._zero, time.monotonic() - seconds)
