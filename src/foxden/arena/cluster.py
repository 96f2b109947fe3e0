"""Matches on many machines: pieces of work as tasks of a Ray cluster.

A piece of work is a pure function of shared data and its own index. So it does not matter who does
it, or how often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Protocol

from foxden.arena.extras import MissingPackage
from foxden.engine.errors import FoxdenError

WAITING = 4  # pieces queued on a cluster, per core


class Workers(Protocol):
    """Does pieces of work."""

    def map(
        self, play: Callable[[Any, Any], Any], shared: Any, pieces: Sequence[Any]
    ) -> Iterator[tuple[Any, Any]]:
        """Calls play(shared, piece) for every piece; returns each with its result, in any order."""


class OnRay:
    """A Ray cluster: a local one, or one at an address."""

    def __init__(self, address: str = "local") -> None:
        """Connects; `local` starts a cluster on this machine."""
        try:
            import ray
        except ImportError as error:
            message = "Ray is not installed: pip install 'foxden[ray]'."
            raise MissingPackage(message) from error
        self.ray = ray
        self.ours = not ray.is_initialized()
        if self.ours:
            try:
                ray.init(address=None if address == "local" else address, log_to_driver=False)
            except (ConnectionError, ValueError) as error:
                raise FoxdenError(f"There is no Ray cluster at {address}: {error}.") from error

    def map(
        self, play: Callable[[Any, Any], Any], shared: Any, pieces: Sequence[Any]
    ) -> Iterator[tuple[Any, Any]]:
        """Does pieces as Ray tasks; another worker repeats those of a lost one."""
        ray = self.ray
        task = ray.remote(play).options(max_retries=-1, num_cpus=1)
        kept = ray.put(shared)
        ahead = max(1, int(ray.cluster_resources().get("CPU", 1))) * WAITING
        left, waiting = list(reversed(pieces)), dict[Any, Any]()
        while left or waiting:
            while left and len(waiting) < ahead:
                piece = left.pop()
                waiting[task.remote(kept, piece)] = piece
            ready, _ = ray.wait(list(waiting), num_returns=1)
            for done in ready:
                piece = waiting.pop(done)
                yield piece, ray.get(done)

    def __enter__(self) -> OnRay:
        """Is connected already."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leaves the cluster, if it was joined here."""
        if self.ours:
            self.ray.shutdown()
