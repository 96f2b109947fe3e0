"""Running the server: one process, or several under one parent that share a listening socket."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable

import uvicorn

from foxden.server.app import Door, make_door
from foxden.server.config import BadConfig, Config
from foxden.server.limits import LONGEST_MESSAGE
from foxden.server.logs import set_up_logs

AWAY = 3.0  # seconds after which clients come back when the server restarts


class Server(uvicorn.Server):
    """A server that finishes moves in flight and says goodbye before it closes sockets."""

    def __init__(self, config: uvicorn.Config, door: Door) -> None:
        """Keeps the door, whose house has the sockets."""
        super().__init__(config)
        self._door = door

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Says goodbye, then shuts down."""
        for server in self.servers:
            server.close()
        await self._door.house.farewell(AWAY)
        await asyncio.sleep(0.2)  # for the goodbyes to go out
        await super().shutdown(sockets)


def listen(config: Config) -> socket.socket:
    """Binds the socket that all processes share."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((config.host, config.port))
    except OSError as error:
        raise BadConfig(
            f"Nothing can listen at {config.host}:{config.port}: {error.strerror}."
        ) from error
    listening.set_inheritable(True)
    return listening


def serve(config: Config, listening: socket.socket) -> None:
    """Serves until it is told to stop."""
    set_up_logs(config)
    door = make_door(config)
    settings = uvicorn.Config(
        door,
        ws="websockets-sansio",
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        proxy_headers=True,
        forwarded_allow_ips=config.proxies,
        server_header=False,
        timeout_graceful_shutdown=max(1, round(config.shutdown)),
        lifespan="on",
    )
    server = Server(settings, door)
    server.run(sockets=[listening])
    if not server.started:
        sys.exit(3)


def run(config: Config, started: Callable[[str], None]) -> None:
    """Runs the server in this process, or in workers under it."""
    listening = listen(config)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    started(f"http://{shown}:{port}")
    serve(config, listening)
