"""How much a stranger may ask for: buckets that fill again, by person and by address."""

from __future__ import annotations

import time
from dataclasses import dataclass

from foxden.server.config import Config
from foxden.server.problems import Refusal

LONGEST_BODY = 64 * 1024  # bytes of a REST request
LONGEST_MESSAGE = 4 * 1024  # bytes of a socket message
LONGEST_CHAT = 500  # characters


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second in the long run."""

    burst: float
    per_second: float


RATES = {
    "traffic": Rate(2000, 400),  # all that comes from one address
    "request": Rate(200, 20),  # any REST request of one person
    "arrive": Rate(60, 0.5),  # new people from one address
    "table": Rate(20, 0.1),  # tables opened
    "link": Rate(10, 0.05),  # personal links made or tried
    "connect": Rate(60, 2),  # sockets
    "message": Rate(200, 40),  # messages over a person's sockets
    "chat": Rate(10, 0.5),
    "hint": Rate(6, 0.2),
}


class Limits:
    """The buckets of this process."""

    def __init__(self, config: Config) -> None:
        """Begins with all buckets full."""
        self._on = config.limits
        self._config = config
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}  # level, when
        self._sockets: dict[str, int] = {}

    def spend(self, what: str, who: str) -> None:
        """Takes one from somebody's bucket, or refuses with when to come again."""
        if not self._on:
            return
        rate = RATES[what]
        now = time.monotonic()
        level, then = self._buckets.get((what, who), (rate.burst, now))
        level = min(rate.burst, level + (now - then) * rate.per_second)
        if level < 1:
            wait = (1 - level) / rate.per_second
            raise Refusal(
                "too-many-requests",
                429,
                f"Too many requests. Try again in {max(1, round(wait))} s.",
                retry=wait,
            )
        self._buckets[what, who] = (level - 1, now)

    def plug_in(self, person: str | None, address: str) -> list[str]:
        """Counts a socket that opens; gives what `unplug` needs."""
        keys = [f"address {address}"] + ([f"person {person}"] if person else [])
        most = {
            "address": self._config.sockets_per_address,
            "person": self._config.sockets_per_person,
        }
        if self._on:
            for key in keys:
                if self._sockets.get(key, 0) >= most[key.split()[0]]:
                    raise Refusal("too-many-sockets", 429, "Too many sockets are open.", retry=10)
        for key in keys:
            self._sockets[key] = self._sockets.get(key, 0) + 1
        return keys

    def unplug(self, keys: list[str]) -> None:
        """Counts a socket that closes."""
        for key in keys:
            self._sockets[key] -= 1
            if not self._sockets[key]:
                del self._sockets[key]

    def sweep(self) -> None:
        """Forgets buckets that are full again."""
        now = time.monotonic()
        full = [
            key
            for key, (level, then) in self._buckets.items()
            if level + (now - then) * RATES[key[0]].per_second >= RATES[key[0]].burst
        ]
        for key in full:
            del self._buckets[key]
