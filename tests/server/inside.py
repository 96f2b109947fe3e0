"""A whole server in this very process, for tests that look behind it or put truths under it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import websockets

import foxden
from foxden.server.config import Config
from foxden.server.gate import Gate
from foxden.server.hub import Hub
from foxden.server.serving import listen, make_server
from foxden.server.store import PersonRow, SeatRow, TableRow
from foxden.server.tables import Table

NOW = 1_800_000_000.0
ROW = TableRow(
    id="",
    game="",
    rules_version=0,
    seats=(),
    options={},
    parts={},
    clock={"kind": "none"},
    access="listed",
    watch="anyone",
    hints=True,
    pace="instant",
    host="",
    seed=1,
    status="running",
    created=NOW,
    started=NOW,
)


@dataclass
class Inside:
    """The server's hub, its address, and what its loop could not deliver to anybody."""

    hub: Hub
    gate: Gate
    address: str
    http: httpx.AsyncClient
    faults: list[str] = field(default_factory=list)

    async def arrive(self, *names: str) -> list[PersonRow]:
        """Takes people in."""
        return [await self.hub.people.arrive(name) for name in names]

    async def open_table(
        self, id: str, game: str, people: list[PersonRow], **changes: Any
    ) -> Table:
        """Opens a running table where these people sit."""
        row = replace(
            ROW,
            id=id,
            game=game,
            rules_version=foxden.game(game).rules_version,
            seats=tuple(SeatRow("person", one.id, one.name) for one in people),
            host=people[0].id,
        )
        return await self.hub.add(replace(row, **changes))

    def cookie(self, person: PersonRow | None) -> dict[str, str]:
        """Returns the header by which somebody is known."""
        if person is None:
            return {}
        return {"Cookie": f"foxden={self.hub.people.cookie(person.id)}"}

    def connect(self, id: str, person: PersonRow | None, seat: int | None = None) -> Any:
        """Opens a real socket at a table."""
        query = "" if seat is None else f"?seat={seat}"
        return websockets.connect(
            f"{self.address.replace('http', 'ws', 1)}/api/tables/{id}/live{query}",
            additional_headers=self.cookie(person),
            open_timeout=None,
            ping_interval=None,
            max_size=None,
        )

    async def ask(self, method: str, path: str, person: PersonRow | None) -> httpx.Response:
        """Asks by HTTP."""
        headers = self.cookie(person)
        return await self.http.request(method, f"{self.address}/api{path}", headers=headers)


@contextlib.asynccontextmanager
async def inside(data: Path, **settings: Any) -> AsyncIterator[Inside]:
    """Runs a server; the caller has prepared the games that are played in it."""
    config = Config(**{"data": data, "port": 0, "limits": False, **settings})
    listening = listen(config)
    server = make_server(config)
    hub = server.application.hub
    hub.compiling.done = dict.fromkeys(foxden.games(), 1.0)
    http = httpx.AsyncClient(timeout=None)
    found = Inside(hub, server.gate, f"http://127.0.0.1:{listening.getsockname()[1]}", http)
    asyncio.get_running_loop().set_exception_handler(
        lambda loop, context: found.faults.append(repr(context))
    )
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        assert not running.done(), "the server did not start"
        await asyncio.sleep(0.02)
    try:
        yield found
    finally:
        await http.aclose()
        server.should_exit = True
        await running
