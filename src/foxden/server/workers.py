"""The processes that share one store, and which of them drives which table."""

from __future__ import annotations

import hashlib
import secrets


class Workers:
    """This process among the living workers."""

    def __init__(self) -> None:
        """Begins alone."""
        self.me = secrets.token_hex(8)
        self.alive: list[str] = [self.me]
        self.closing = False

    def owns(self, id: str) -> bool:
        """Returns whether a table's bots and clocks are this process's (rendezvous hashing)."""
        if self.closing:
            return False
        if len(self.alive) == 1:
            return self.alive[0] == self.me
        return self.me == max(
            self.alive, key=lambda w: hashlib.blake2b(f"{w} {id}".encode()).digest()
        )
