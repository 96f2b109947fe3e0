"""Deletes old data: tables that never began, and data past its retention time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import structlog

from foxden.server.config import Config
from foxden.server.store import Purge, Store

if TYPE_CHECKING:
    from foxden.server.hub import Hub

log = structlog.get_logger()
AT_ONCE = 100  # keeps transactions short
DAY = 24 * 3600.0


def keeping(config: Config) -> dict[Purge, float]:
    """Returns for how many days each kind of thing is kept; 0 keeps it for ever."""
    return {
        "chat": config.keep_chat,
        "over": config.keep_results,
        "running": config.keep_unfinished,
        "people": config.keep_people,
        "audit": config.keep_audit,
    }


async def expire_open(hub: Hub, now: float | None = None) -> int:
    """Closes empty tables that have long not begun; returns how many."""
    before = (time.time() if now is None else now) - hub.config.open_hours * 3600.0
    closed = 0
    for id in await hub.store.stale_open(before, AT_ONCE):
        row = await hub.store.table(id)
        if row is not None and row.status == "open" and await hub.remove(row):
            closed += 1
    return closed


async def purge(store: Store, config: Config, now: float | None = None) -> dict[Purge, int]:
    """Removes what is older than the operator wants; returns how many of each kind."""
    now = time.time() if now is None else now
    gone: dict[Purge, int] = {}
    for what, days in keeping(config).items():
        gone[what] = 0
        while days:
            some = await store.purge(what, now - days * DAY, AT_ONCE)
            gone[what] += some
            if some < AT_ONCE:
                break
    if any(gone.values()):
        log.info("old things removed", **gone)
    return gone
