"""A store in one file, for one server process: SQLite in WAL mode, every commit synced to disk.

One thread writes. It takes everything in its queue into one commit, so all tables in play share the
cost of a sync. Readers have their own threads.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import IO, Any

import msgspec

from foxden.server.file_lock import lock_file
from foxden.server.store import BadStore, MoveRow, Notice, StoreDown, migrations
from foxden.server.store.noticeboard import Noticeboard
from foxden.server.store.sql import SqlStore
from foxden.server.store.statements import Rows, Step, Tell
from foxden.server.store.tables import MOVES, MOVES_READ, is_same
from foxden.server.store.writer import Pace, Waiting, settle, take, taken

OLDEST = (3, 38)  # the first SQLite with STRICT tables and ->>
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
FILES = ("", "-journal", "-shm", "-wal")  # a database and the files SQLite keeps beside it
PATIENCE = 10.0  # seconds to wait for another process writing to the same file
READERS = 2
LOG = 4000  # pages of the log, 16 MiB, before a commit waits for a checkpoint

# A whole batch is one statement: sqlite3 releases the GIL at every step, and would have to win it
# back from a busy event loop for every single move.
APPEND = f"""
INSERT INTO moves ({MOVES})
WITH asked ({MOVES}) AS MATERIALIZED (
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
    value ->> 6
  FROM json_each($1)
)
SELECT {MOVES} FROM asked WHERE
  EXISTS (SELECT 1 FROM tables WHERE id = asked.table_id AND status = 'running')
  AND (ply = 1 OR EXISTS (
    SELECT 1 FROM moves AS before
    WHERE before.table_id = asked.table_id AND before.ply = asked.ply - 1
  ))
ON CONFLICT DO NOTHING
"""
FIND = f"SELECT {MOVES_READ} FROM moves WHERE table_id = $1 AND ply = $2"

Work = Callable[[sqlite3.Connection], Any]


class SqliteStore(SqlStore):
    """Keeps everything in one SQLite file."""

    is_shared = False

    def __init__(self, path: Path) -> None:
        """Takes the path; `open` creates the file if it is missing."""
        self.path = path
        self._board = Noticeboard()
        self._workers: dict[str, float] = {}
        self._lock: IO[str] | None = None
        self._prepared: Future[None] | None = None  # done when the file is ready
        self._damage = ""  # SQLite's message about damage to the file
        self._file = (0, 0)  # device and inode of the open file
        self._seen: tuple[sqlite3.Connection | None, int] = (None, 0)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._gathered: list[Waiting] = []  # moves of this turn of the event loop

    def claim(self) -> None:
        """Locks the file against other servers, and starts checking it in a thread.

        The lock ends with the process, or when the store is closed.
        """
        if self._lock is not None:
            return
        self._lock = lock(self.path)
        try:
            finish_restore(self.path)
        except OSError as error:
            raise BadStore(f"{self.path} cannot be restored: {error.strerror}.") from error
        thread = ThreadPoolExecutor(1, "store-opener")
        self._prepared = thread.submit(self._prepare)
        thread.shutdown(wait=False)

    async def open(self) -> None:
        """Creates or migrates the file, and starts the threads."""
        self._loop = asyncio.get_running_loop()
        if self._prepared is None:
            await asyncio.to_thread(self._prepare)
        else:
            prepared, self._prepared = self._prepared, None
            await asyncio.wrap_future(prepared)
        self._queue: queue.SimpleQueue[list[Waiting] | _Job | None] = queue.SimpleQueue()
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._readers = ThreadPoolExecutor(READERS, "store-reader")
        self._writer = threading.Thread(
            target=self._write_forever, name="store-writer", daemon=True
        )
        self._writer.start()

    async def close(self) -> None:
        """Finishes pending appends, then closes the file."""
        if self._loop is None:
            self._let_go()
            return
        self._loop = None
        self._hand_over()
        self._queue.put(None)
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._readers.shutdown)
        for connection in self._connections:
            connection.close()
        await asyncio.sleep(0)  # lets the loop run the writer's last callbacks
        self._let_go()

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    async def check(self) -> None:
        """Raises StoreDown if the store cannot be written, is damaged or is missing."""
        if self._damage:
            raise StoreDown(self._damage)
        try:
            found = self.path.stat()
        except OSError as error:
            raise StoreDown(f"The store's file cannot be found: {error.strerror}.") from error
        if (found.st_dev, found.st_ino) != self._file:
            raise StoreDown("The store's file was replaced; restart the server.")
        await super().check()

    # Reading

    async def read(self, statement: str, *values: Any) -> Rows:
        """Returns the rows of one statement, including everything acknowledged before."""
        loop = self._running()
        return await loop.run_in_executor(self._readers, self._read, statement, values)

    def _read(self, statement: str, values: tuple[Any, ...]) -> Rows:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        try:
            if connection is None:
                connection = self._local.connection = _connect(self.path)
                connection.execute("PRAGMA query_only = ON")
                self._connections.append(connection)
            return connection.execute(statement, _named(values)).fetchall()
        except sqlite3.DatabaseError as error:
            _drop(connection)
            self._local.connection = None
            raise self._failed(error) from error

    def _failed(self, error: sqlite3.DatabaseError) -> Exception:
        """Converts a statement's error, and remembers damage."""
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED:
            self._damage = f"The store is damaged: {error}. Restore a backup with foxden restore."
        return _down(error)

    # Writing

    async def write(self, *steps: Step, tell: Tell | None = None) -> Rows:
        """Runs the steps in one transaction, posts a notice, and returns the first step's rows."""

        def work(connection: sqlite3.Connection) -> Rows:
            connection.execute("BEGIN IMMEDIATE")
            (statement, values), *others = steps
            rows = connection.execute(statement, _named(values)).fetchall()
            if rows:
                for statement, values in others:
                    connection.execute(statement, _named(values))
            connection.execute("COMMIT")
            return rows

        job = _Job(work, self._running().create_future(), tell)
        self._hand_over()
        self._queue.put(job)
        return await job.done

    def append(self, move: MoveRow) -> asyncio.Future[None]:
        """Returns a future: done when the move is durable, failed with PlyTaken or StoreDown."""
        loop = self._running()
        future: asyncio.Future[None] = loop.create_future()
        # Wakes the writer once for all moves of a turn of the loop: a thread switch costs more than
        # writing a move.
        if not self._gathered:
            loop.call_soon(self._hand_over)
        self._gathered.append(Waiting(move, future))
        return future

    def _hand_over(self) -> None:
        """Queues the gathered moves for the writer, before any other job."""
        if self._gathered:
            self._queue.put(self._gathered)
            self._gathered = []

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            raise StoreDown("The store is closed.")
        return self._loop

    def _write_forever(self) -> None:
        loop = self._running()
        connection: sqlite3.Connection | None = None
        waiting: deque[Waiting] = deque()
        closing = False
        pace = Pace()
        while not (closing and not waiting and self._queue.empty()):
            jobs: list[_Job] = []
            items = [] if waiting else [self._queue.get()]
            if wait := pace.wait():
                time.sleep(wait)
            with contextlib.suppress(queue.Empty):
                while True:
                    items.append(self._queue.get_nowait())
            for item in items:
                if item is None:
                    closing = True
                elif isinstance(item, list):
                    waiting += item
                else:
                    jobs.append(item)

            batch = take(waiting)
            pace.begin(len(batch))
            works: list[Work] = [job.work for job in jobs]
            if batch:
                moves = [entry.move for entry in batch]
                works.insert(0, partial(_append, moves))
            results: list[Any] = []
            for work in works:
                try:
                    if connection is None:
                        connection = _connect(self.path)
                    results.append(work(connection))
                except sqlite3.DatabaseError as error:
                    results.append(self._failed(error))
                    _drop(connection)
                    connection = None
                except Exception as error:  # one bad job must not end the thread
                    results.append(error)
                    _drop(connection)
                    connection = None
            loop.call_soon_threadsafe(self._settle, batch, jobs, results)
        _drop(connection)

    def _settle(self, batch: list[Waiting], jobs: list[_Job], results: list[Any]) -> None:
        if batch:
            first = results.pop(0)
            errors = [first] * len(batch) if isinstance(first, Exception) else first
            settle(zip(batch, errors, strict=True))
            self._board.post(
                Notice(entry.move.table, "moves", entry.move.ply, (entry.move,))
                for entry, error in zip(batch, errors, strict=True)
                if error is None
            )
        for job, result in zip(jobs, results, strict=True):
            failed = isinstance(result, Exception)
            if not job.done.done():
                (job.done.set_exception if failed else job.done.set_result)(result)
            # Posted here: the write counts even if its caller was cancelled.
            if job.tell is not None and not failed and result:
                self._board.post(job.tell(result))

    # Between processes: there is only one

    def notices(self) -> AsyncIterator[Notice]:
        """Yields changes."""
        return self._board.listen()

    async def beat(self, worker: str, uptime: float) -> None:
        """Records a worker's heartbeat, in memory only, so the disk of an idle server can sleep."""
        self._workers[worker] = uptime
        job = _Job(self._look_outside, self._running().create_future(), None)
        self._hand_over()
        self._queue.put(job)
        if await job.done:
            self._board.post([Notice("", "table")])

    def _look_outside(self, connection: sqlite3.Connection) -> Rows:
        """Returns a row if another process, `foxden admin`, has written to the file."""
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        before, self._seen = self._seen, (connection, version)
        return [()] if before[0] is connection and before[1] != version else []

    async def workers(self, since: float) -> list[str]:
        """Returns the workers with a heartbeat since then."""
        return sorted(worker for worker, beat in self._workers.items() if beat >= since)

    # The file

    def backup(self, target: Path) -> None:
        """Copies the file, even while it is in use, checks the copy, and moves it into place."""
        if not self.path.exists():
            raise BadStore(f"There is no store at {self.path}.")
        unfinished = target.with_name(target.name + ".unfinished")
        try:
            unfinished.unlink(missing_ok=True)
            unfinished.touch(0o600)
            with (
                contextlib.closing(_connect(self.path)) as source,
                contextlib.closing(sqlite3.connect(unfinished)) as copy,
            ):
                source.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
                check_whole(copy, "integrity_check")
            with unfinished.open("rb") as file:
                os.fsync(file.fileno())
            unfinished.replace(target)
        except OSError as error:
            raise BadStore(f"{target} cannot be written: {error.strerror}.") from error
        except sqlite3.DatabaseError as error:
            raise BadStore(f"The store cannot be copied: {error}.") from error
        finally:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)

    def restore(self, source: Path) -> None:
        """Replaces the file by a backup, while no server runs; keeps the old files aside.

        The appearance of `.restoring` commits the restore: before it nothing has changed, after it
        whoever opens the store next finishes the rest.
        """
        if not source.is_file():
            raise BadStore(f"There is no backup {source}.")
        ours = lock(self.path)
        try:
            _copy_checked(source, _beside(self.path, ".unfinished"))
            for end in FILES:
                _beside(self.path, f".replaced{end}").unlink(missing_ok=True)
            _beside(self.path, ".unfinished").replace(_beside(self.path, ".restoring"))
            _sync_folder(self.path.parent)
            finish_restore(self.path)
        except OSError as error:
            raise BadStore(f"{self.path} cannot be replaced: {error.strerror}.") from error
        finally:
            with contextlib.suppress(OSError):
                _beside(self.path, ".unfinished").unlink(missing_ok=True)
            ours.close()

    def _prepare(self) -> None:
        if sqlite3.sqlite_version_info < OLDEST:
            raise BadStore(f"SQLite is {sqlite3.sqlite_version}; at least 3.38 is needed.")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if _beside(self.path, ".restoring").exists():
                raise BadStore(f"{self.path} is just being restored.")
            self.path.touch(0o600)  # seeds and hashes of cookies are private
            with contextlib.closing(_connect(self.path)) as connection:
                check_whole(connection, "quick_check")
                _migrate(connection)
            found = self.path.stat()
            self._file = (found.st_dev, found.st_ino)
        except OSError as error:
            raise BadStore(f"{self.path} cannot be made: {error.strerror}.") from error
        except sqlite3.DatabaseError as error:
            raise BadStore(
                f"{self.path} cannot be opened: {error}. foxden restore puts a backup in its place."
            ) from error


class _Job:
    __slots__ = ("done", "tell", "work")

    def __init__(
        self,
        work: Callable[[sqlite3.Connection], Rows],
        done: asyncio.Future[Rows],
        tell: Tell | None,
    ) -> None:
        self.work = work
        self.done = done
        self.tell = tell


def lock(path: Path) -> IO[str]:
    """Locks a file for one server; the lock ends with the process, however it ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = _beside(path, ".lock").open("a+")
    except OSError as error:
        raise BadStore(f"{path} cannot be locked: {error.strerror}.") from error
    try:
        lock_file(held, wait=False)
    except OSError:
        held.seek(0)
        pid = held.read().strip() or "unknown"
        held.close()
        raise BadStore(
            f"Another Foxden server, process {pid}, uses {path}: one file serves one server."
        ) from None
    held.truncate(0)
    held.write(str(os.getpid()))
    held.flush()
    return held


def check_whole(connection: sqlite3.Connection, how: str) -> None:
    """Raises if the file is damaged."""
    (found,) = connection.execute(f"PRAGMA {how}(1)").fetchone()
    if found != "ok":
        what = " ".join(found.split())
        raise BadStore(
            f"The database is damaged: {what}. foxden restore puts a backup in its place."
        )


def finish_restore(path: Path) -> None:
    """Completes a restore that was begun; repeating it is harmless."""
    restored = _beside(path, ".restoring")
    if not restored.exists():
        return
    # The old log first: replayed over the new file, it would destroy it.
    for end in reversed(FILES):
        if (old := _beside(path, end)).exists():
            old.replace(_beside(path, f".replaced{end}"))
    _sync_folder(path.parent)
    restored.replace(path)
    _sync_folder(path.parent)


def _copy_checked(source: Path, target: Path) -> None:
    """Copies a backup; refuses a damaged one, or one that is no Foxden store."""
    target.unlink(missing_ok=True)
    target.touch(0o600)
    try:
        with (
            contextlib.closing(
                sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)
            ) as old,
            contextlib.closing(sqlite3.connect(target, isolation_level=None)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")
            check_whole(new, "integrity_check")
            (done,) = new.execute("SELECT MAX(number) FROM migrations").fetchone()
            migrations.missing(migrations.read("sqlite"), done or 0)
            if not done:
                raise BadStore(f"{source} is no backup of Foxden.")
    except sqlite3.DatabaseError as error:
        raise BadStore(f"{source} is no backup of Foxden: {error}.") from error
    with target.open("rb") as file:
        os.fsync(file.fileno())


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    patient_until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            # Two processes creating the same file do not wait for each other here.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > patient_until:
                connection.close()
                raise
            time.sleep(0.01)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {LOG}")
    return connection


def _drop(connection: sqlite3.Connection | None) -> None:
    """Closes a connection in any state, which rolls back an open transaction."""
    if connection is not None:
        with contextlib.suppress(sqlite3.Error):
            connection.close()


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT")
    (done,) = connection.execute("SELECT COALESCE(MAX(number), 0) FROM migrations").fetchone()
    for step in migrations.missing(migrations.read("sqlite"), done):
        for statement in step.statements:
            connection.execute(statement)
        connection.execute("INSERT INTO migrations VALUES (?)", (step.number,))
    connection.execute("COMMIT")


def _append(moves: list[MoveRow], connection: sqlite3.Connection) -> list[Exception | None]:
    """Inserts moves of different tables; returns an error for each refused one, else None."""
    rows = msgspec.json.encode(moves).decode()  # a NamedTuple is an array
    inserted = connection.execute(APPEND, {"1": rows}).rowcount
    if inserted == len(moves):
        return [None] * len(moves)
    return [None if _is_stored(connection, move) else taken(move) for move in moves]


def _is_stored(connection: sqlite3.Connection, move: MoveRow) -> bool:
    row = connection.execute(FIND, _named((move.table, move.ply))).fetchone()
    return row is not None and is_same(move, MoveRow(*row))


def _named(values: Any) -> dict[str, Any]:
    return {str(n): value for n, value in enumerate(values, 1)}


def _down(error: sqlite3.DatabaseError) -> Exception:
    # Errors of the statement itself are bugs, and are raised.
    if isinstance(error, (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.DataError)):
        return error
    return StoreDown(f"The store cannot be written: {error}.")
