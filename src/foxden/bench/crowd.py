"""Many sockets and bots on one server: memory per socket, and whether memory grows."""

from __future__ import annotations

import asyncio
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foxden.bench.row import FOXDEN, Row, Task
from foxden.bench.server import FoxdenServer, run
from foxden.bench.wire import Wire, connect
from foxden.engine.errors import FoxdenError

SOCKETS = 2000
TABLES = 200
WATCHERS = 500
EVERY = 10.0  # seconds between readings of the server's memory
BOTS = ({"kind": "bot", "level": 1}, {"kind": "bot", "level": 2})


@contextmanager
def _server(tell: Callable[[str], None]) -> Iterator[FoxdenServer]:
    with tempfile.TemporaryDirectory() as folder:
        tell(f"starting {FOXDEN}")
        server = FoxdenServer(Path(folder))
        try:
            yield server
        finally:
            server.close()


# Idle sockets


def measure_idle(tell: Callable[[str], None], sockets: int = SOCKETS) -> Row:
    """Opens idle sockets, and measures how much memory the server uses for each."""
    with _server(tell) as server:
        seats = ({"kind": "me"}, {"kind": "me"})
        tables = [server.open_table(*seats) for _ in range(max(1, sockets // 20))]
        run(_listen(server, tables, len(tables)))  # warm-up: the first socket of each table
        before = server.resident()
        tell(f"opening {sockets} sockets")
        growth = run(_listen(server, tables, sockets)) - before
    how = f"{sockets} spectators' sockets at {len(tables)} tables; growth of the server"
    return Task("memory a socket", FOXDEN, how, "KiB", float).row([growth / sockets / 1024])


async def _listen(server: FoxdenServer, tables: list[str], sockets: int) -> int:
    """Returns the server's memory while so many sockets are open."""
    wires = []
    for table in itertools.islice(itertools.cycle(tables), sockets):
        told = asyncio.Event()
        path = f"/api/tables/{table}/live"
        wires.append(await connect(server.port, path, lambda raw, told=told: told.set()))  # type: ignore[misc]
        await told.wait()
    await asyncio.sleep(2)
    found = server.resident()
    for wire in wires:
        wire.close()
    await asyncio.sleep(1)
    return found


# Soak


@dataclass
class Soaked:
    """The result of a long run."""

    minutes: float
    matches: int = 0
    messages: int = 0
    errors: list[str] = field(default_factory=list)
    memory: list[tuple[float, int]] = field(default_factory=list)  # seconds, bytes
    faults: float = 0.0

    @property
    def growth(self) -> float:
        """Returns the growth of memory in the second half, in MiB a minute."""
        half = self.memory[len(self.memory) // 2 :]
        if len(half) < 2:
            return 0.0
        slope, _ = statistics.linear_regression([s for s, _ in half], [b for _, b in half])
        return slope * 60 / 2**20

    def to_json(self) -> dict[str, Any]:
        """Returns the result as plain data."""
        return vars(self) | {"growth": self.growth}


def soak(minutes: float, tell: Callable[[str], None], tables: int = TABLES) -> Soaked:
    """Lets bots play at many tables, replacing each that ends, while many clients watch."""
    with _server(tell) as server:
        found: Soaked = run(_soak(server, minutes, tell, tables))
        found.faults = _faults(server)
    return found


def _faults(server: FoxdenServer) -> float:
    text = server.read("/metrics")
    lines = [line for line in text.splitlines() if line.startswith("foxden_faults_total ")]
    return float(lines[0].split()[1])


async def _soak(
    server: FoxdenServer, minutes: float, tell: Callable[[str], None], count: int
) -> Soaked:
    soaked, end = Soaked(minutes), time.monotonic() + minutes * 60
    begin = time.monotonic()
    watchers = max(WATCHERS, count)  # at least one each, to see its match end
    shares = [watchers // count + (n < watchers % count) for n in range(count)]
    tables = [asyncio.create_task(_watch(server, share, end, soaked)) for share in shares]
    while time.monotonic() < end:
        await asyncio.sleep(EVERY)
        soaked.memory.append((time.monotonic() - begin, server.resident()))
        seconds, size = soaked.memory[-1]
        tell(
            f"{seconds:4.0f} s  {size / 2**20:.1f} MiB  {soaked.matches} matches  "
            f"{soaked.messages} messages  {len(soaked.errors)} errors"
        )
    for task in tables:
        task.cancel()
    for ended in await asyncio.gather(*tables, return_exceptions=True):
        if isinstance(ended, Exception):
            soaked.errors.append(repr(ended))
    return soaked


async def _watch(server: FoxdenServer, watchers: int, end: float, soaked: Soaked) -> None:
    """Keeps one table in play, with its watchers."""
    while time.monotonic() < end:
        id = await asyncio.to_thread(server.open_table, *BOTS, pace="relaxed")
        over = asyncio.Event()
        wires: list[Wire] = []

        def hear(raw: bytes, over: asyncio.Event = over) -> None:
            soaked.messages += 1
            kind = json.loads(raw)
            if kind["type"] in ("refused", "bye"):
                soaked.errors.append(raw.decode())
            elif kind.get("table", {}).get("status") == "over":
                over.set()

        try:
            for _ in range(watchers):
                wires.append(await connect(server.port, f"/api/tables/{id}/live", hear))
            ends: list[asyncio.Future[Any]] = [wire.closed for wire in wires]
            ends.append(asyncio.ensure_future(over.wait()))
            await asyncio.wait(ends, return_when="FIRST_COMPLETED")
            if not over.is_set():
                soaked.errors.append(f"a socket of {id} was closed")
            soaked.matches += 1
        except (OSError, FoxdenError) as error:
            soaked.errors.append(repr(error))
            await asyncio.sleep(1)
        finally:
            for wire in wires:
                wire.close()
