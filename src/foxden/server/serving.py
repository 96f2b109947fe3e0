"""Running the server: one process, or several under one parent that share a listening socket."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

import structlog
import uvicorn
from prometheus_client import multiprocess

from foxden.engine.errors import FoxdenError
from foxden.server.config import BadConfig, Config
from foxden.server.frames import SOCKETS
from foxden.server.gate import LONGEST_HEAD, Connection, Gate, raise_file_limit
from foxden.server.limits import LONGEST_MESSAGE
from foxden.server.logs import set_up_logs
from foxden.server.parent_watch import end_with_parent

if TYPE_CHECKING:
    from foxden.server.app import Application
    from foxden.server.store import Store

log = structlog.get_logger()
AWAY = 3.0  # seconds after which clients come back when the server restarts
LOOK = 0.2  # seconds between checks of the workers
TICKS = 10  # uvicorn ticks between checks for late connections
PROVEN = 60.0  # service seconds after which a worker that cannot start lacks only its database
YOUNG = 5.0  # seconds; a worker that dies younger is not replaced at once
STARTING = 300.0  # seconds a worker has to start before it must report
FAILED = 3  # the exit status of a worker that could not start
# A move makes about a hundred lists and dicts without cycles: there is hardly any garbage.
GARBAGE = (20_000, 20, 20)
HANDED = "FOXDEN_WORKER"  # holds the configuration of a worker


def run(config: Config, started: Callable[[str], None]) -> int:
    """Runs the server in this process, or in workers under it; returns the exit status."""
    config = config.model_copy(update={"secret": config.find_secret()})
    listening = listen(config)
    host, port = listening.getsockname()[:2]
    set_up_logs(config)
    started(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
    if config.workers == 1:
        return serve(config, listening)
    return Workers(config, listening).run()


def listen(config: Config) -> socket.socket:
    """Binds the socket that all processes share."""
    listening = socket.socket(socket.AF_INET6 if ":" in config.host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((config.host, config.port))
        listening.listen(1024)
    except OSError as error:
        raise BadConfig(
            f"Nothing can listen at {config.host}:{config.port}: {error.strerror}."
        ) from error
    return listening


class Server(uvicorn.Server):
    """Finishes moves in flight and says goodbye before it closes sockets."""

    def __init__(self, settings: uvicorn.Config, application: Application, gate: Gate) -> None:
        """Keeps the application, whose hub has the tables."""
        super().__init__(settings)
        self.application = application
        self.gate = gate
        self.pulse: int | None = None  # the pipe that shows the parent that the loop runs

    async def on_tick(self, counter: int) -> bool:
        """Writes a heartbeat ten times a second, and drops late connections."""
        if counter % TICKS == 0:
            self.gate.sweep(time.monotonic())
        if self.pulse is not None:
            with contextlib.suppress(OSError):  # nobody reads; then the pipe is full, or broken
                os.write(self.pulse, b".")
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Says goodbye, then shuts down."""
        for server in self.servers:
            server.close()
        await self.application.hub.farewell(AWAY)
        await asyncio.sleep(LOOK)  # time to send the goodbyes
        await super().shutdown(sockets)


def make_server(config: Config, store: Store | None = None) -> Server:
    """Makes a server for one process."""
    from foxden.server.app import make_application  # the workers' parent does not need the rules

    application = make_application(config, store)
    gate = Gate(config, raise_file_limit())
    settings = uvicorn.Config(
        application,
        http=partial(Connection, gate=gate),  # type: ignore[arg-type]
        h11_max_incomplete_event_size=LONGEST_HEAD,
        ws=SOCKETS,
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,  # half the memory of a socket
        log_config=None,
        access_log=False,
        proxy_headers=True,
        forwarded_allow_ips=config.proxies,
        server_header=False,
        timeout_graceful_shutdown=max(1, round(config.shutdown)),
        lifespan="on",
    )
    return Server(settings, application, gate)


def serve(config: Config, listening: socket.socket, pulse: int | None = None) -> int:
    """Serves in this process until it is told to stop."""
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, _leave)  # uvicorn raises the signal again when all is done
    from foxden.server.store import open_store

    store = open_store(config.url)
    store.claim()  # checks the database file while the application is imported
    server = make_server(config, store)
    server.pulse = pulse
    gc.set_threshold(*GARBAGE)
    server.run(sockets=[listening])
    return 0 if server.started else FAILED


def _leave(signum: int, frame: FrameType | None) -> None:
    """Exits before anything is open, or after everything is closed; rules may be loading."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(0)  # a callback would swallow an exception, and sys.exit would wait for threads


@dataclass
class Worker:
    """One process under the parent."""

    process: subprocess.Popen[bytes]
    born: float
    pulse: int  # the pipe of its heartbeats
    seen: float  # when it last wrote

    def check(self, patience: float) -> None:
        """Kills a worker without a heartbeat; its tables and sockets go to others."""
        now = time.monotonic()
        with contextlib.suppress(BlockingIOError):
            while os.read(self.pulse, 4096):
                self.seen = now
        silent = now - self.seen
        if silent > (patience if self.seen > self.born else STARTING):
            log.error("worker hangs", pid=self.process.pid, seconds=round(silent))
            self.process.kill()
            self.process.wait()


class Workers:
    """The parent: it serves nothing, and keeps the workers running."""

    def __init__(self, config: Config, listening: socket.socket) -> None:
        """Prepares what all workers share."""
        self._config = config.model_copy(update={"workers": 1})
        self._count = config.workers
        self._listening = listening
        self._workers: list[Worker] = []
        self._stopping = False
        self._began = time.monotonic()

    def run(self) -> int:
        """Keeps workers running until it is told to stop."""
        for signum in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signum, self._stop)
        with tempfile.TemporaryDirectory(prefix="foxden-metrics-") as counts:
            self._counts = counts
            for _ in range(self._count):
                self._start()
            while not self._stopping:
                time.sleep(LOOK)
                for worker in list(self._workers):
                    worker.check(self._config.watchdog)
                    if worker.process.poll() is not None and not self._replace(worker):
                        self._end()
                        return FAILED
            self._end()
        return 0

    def _stop(self, signum: int, frame: FrameType | None) -> None:
        self._stopping = True

    def _start(self) -> None:
        handed = {
            HANDED: self._config.model_dump_json(),
            "PROMETHEUS_MULTIPROC_DIR": self._counts,
        }
        fd = self._listening.fileno()
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(fd), str(writing)],
            pass_fds=[fd, writing],
            env={**os.environ, **handed},
        )
        os.close(writing)
        now = time.monotonic()
        self._workers.append(Worker(process, now, reading, now))

    def _replace(self, worker: Worker) -> bool:
        """Replaces a dead worker; returns whether that makes sense."""
        status = worker.process.returncode
        if status == FAILED and time.monotonic() - self._began < PROVEN:
            log.error("worker cannot start", pid=worker.process.pid)
            return False
        log.warning("worker died", pid=worker.process.pid, status=status)
        multiprocess.mark_process_dead(worker.process.pid, self._counts)  # type: ignore[no-untyped-call]
        self._workers.remove(worker)
        os.close(worker.pulse)
        if status == FAILED or time.monotonic() - worker.born < YOUNG:
            time.sleep(1)  # do not keep a broken machine busy
        self._start()
        return True

    def _end(self) -> None:
        """Lets all workers finish, and ends those that do not."""
        for worker in self._workers:
            if worker.process.poll() is None:
                worker.process.terminate()
        end = time.monotonic() + self._config.shutdown + YOUNG
        for worker in self._workers:
            try:
                worker.process.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()


def main() -> None:
    """Runs one worker on an inherited socket."""
    config = Config.model_validate_json(os.environ[HANDED])
    set_up_logs(config)
    end_with_parent()
    try:
        status = serve(config, socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]))
    except FoxdenError as error:
        log.error("worker cannot serve", why=str(error))
        status = FAILED
    sys.exit(status)


if __name__ == "__main__":
    main()
