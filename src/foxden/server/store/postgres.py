"""A store in PostgreSQL, for several server processes: the primary key decides who was first.

Moves share commits as in the embedded store: while one commit is under way, the moves for the next
one gather. A commit notifies every process of the tables it changed, with the moves themselves; a
process that lost its connection gets a notice that it may have missed some.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, cast

import asyncpg

from foxden.server.store import BadStore, MoveRow, Notice, StoreDown, migrations
from foxden.server.store.noticeboard import Noticeboard
from foxden.server.store.sql import SqlStore
from foxden.server.store.statements import Rows, Step, Tell
from foxden.server.store.tables import MOVES, MOVES_READ, is_same
from foxden.server.store.writer import Waiting, settle, take, taken

CONNECTIONS = 4  # except those for moves and notices, one each
TIMEOUT = 10.0  # seconds until an unanswered statement counts as lost
PATIENCE = 3.0  # seconds that moves wait for a lost database
CHANNEL = "foxden"
MIGRATING = 0x464F5844  # the advisory lock for schema changes

# Scalar subqueries stay index lookups whatever sizes the planner assumes. The order avoids
# deadlocks between processes. A notice holds at most 8,000 bytes, so moves are split into notices
# of FILLED bytes plus one more move.
FILLED = 7000
APPEND = f"""
WITH added AS (
  INSERT INTO moves ({MOVES})
  SELECT {MOVES}
  FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::text[],
    $6::float8[], $7::float8[])
    AS asked ({MOVES})
  WHERE (SELECT status FROM tables WHERE id = asked.table_id) = 'running'
    AND (ply = 1 OR (
      SELECT true FROM moves AS before
      WHERE before.table_id = asked.table_id AND before.ply = asked.ply - 1
    ))
  ORDER BY table_id
  ON CONFLICT DO NOTHING
  RETURNING {MOVES}
),
told AS (
  SELECT table_id,
    concat_ws(':', 'moves', ply, seat, action, played_by, at, uptime, table_id) AS line
  FROM added
),
chunks AS (
  SELECT table_id, line,
    sum(octet_length(line) + 1) OVER (ROWS UNBOUNDED PRECEDING) / {FILLED} AS chunk
  FROM told
)
SELECT array_agg(table_id), pg_notify('{CHANNEL}', string_agg(line, ' '))
FROM chunks
GROUP BY chunk
"""
FIND = f"""
SELECT {MOVES_READ} FROM moves
JOIN unnest($1::text[], $2::int[]) AS asked (a_table, a_ply) ON table_id = a_table AND ply = a_ply
"""

# The connection is lost, or refused for now: another one may work.
LOST = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the connection broke during a statement
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)
# The database answers but cannot write.
UNABLE = (
    asyncpg.InsufficientResourcesError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.PostgresSystemError,
    asyncpg.InternalServerError,
)


class PostgresStore(SqlStore):
    """Keeps everything in a PostgreSQL database."""

    is_shared = True

    def __init__(self, url: str) -> None:
        """Takes the address of an existing database."""
        self.url = url
        self._board = Noticeboard()
        self._queue: deque[Waiting] = deque()
        self._tasks: list[asyncio.Task[None]] = []
        self._open = False

    async def open(self) -> None:
        """Connects, and migrates the schema."""
        try:
            await self._migrate()
            self._pool = await asyncpg.create_pool(
                self.url,
                min_size=0,  # else the pool retries, and logs, while the database is down
                max_size=CONNECTIONS,
                command_timeout=TIMEOUT,
                timeout=TIMEOUT,
                init=_prepare,
                reset=_leave,
            )
            self._writing: asyncpg.Connection | None = await self._connect()
            listening = await self._listen()
        except (*LOST, *UNABLE) as error:
            raise StoreDown(f"The database cannot be opened: {error or type(error)}") from error
        except (asyncpg.PostgresError, ValueError) as error:
            raise BadStore(f"The database cannot be used: {error}") from error
        self._news = asyncio.Event()
        self._open = True
        self._tasks = [
            asyncio.create_task(self._append_forever(), name="store-writer"),
            asyncio.create_task(self._listen_forever(listening), name="store-listener"),
        ]

    async def close(self) -> None:
        """Finishes pending appends, then disconnects."""
        if not self._open:
            return
        self._open = False
        self._news.set()
        writer, listener = self._tasks
        await writer
        listener.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listener
        try:
            if self._writing is not None:
                await self._writing.close(timeout=TIMEOUT)
            await asyncio.wait_for(self._pool.close(), TIMEOUT)
        except (*LOST, *UNABLE):
            self._pool.terminate()

    # Reading and rare writing

    async def read(self, statement: str, *values: Any) -> Rows:
        """Returns the rows of one statement, including everything acknowledged before."""
        async with self._borrow() as connection:
            return [tuple(row) for row in await connection.fetch(statement, *values)]

    async def write(self, *steps: Step, tell: Tell | None = None) -> Rows:
        """Runs the steps in one transaction, sends a notice, and returns the first step's rows."""
        async with self._borrow() as connection, connection.transaction():
            (statement, values), *others = steps
            rows = [tuple(row) for row in await connection.fetch(statement, *values)]
            if rows:
                for statement, values in others:
                    await connection.execute(statement, *values)
                if tell is not None:
                    for told in tell(rows):
                        payload = f"{told.what}:{told.number}:{told.id}"
                        await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, payload)
        return rows

    @contextlib.asynccontextmanager
    async def _borrow(self) -> AsyncIterator[asyncpg.Connection]:
        if not self._open:
            raise StoreDown("The store is closed.")
        try:
            async with self._pool.acquire(timeout=TIMEOUT) as connection:
                yield cast(asyncpg.Connection, connection)
        except (*LOST, *UNABLE) as error:
            if isinstance(error, asyncpg.DataError):
                raise
            raise _down(error) from error

    # Moves

    def append(self, move: MoveRow) -> asyncio.Future[None]:
        """Returns a future: done when the move is durable, failed with PlyTaken or StoreDown."""
        if not self._open:
            raise StoreDown("The store is closed.")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(Waiting(move, done))
        self._news.set()
        return done

    async def _append_forever(self) -> None:
        while self._open or self._queue:
            if not self._queue:
                self._news.clear()
                await self._news.wait()
                continue
            batch = take(self._queue)
            errors = await self._append([entry.move for entry in batch])
            settle(zip(batch, errors, strict=True))

    async def _append(self, moves: list[MoveRow]) -> list[Exception | None]:
        """Inserts moves of different tables; returns an error for each refused one, else None."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + PATIENCE
        while True:
            try:
                return await self._insert(moves)
            except LOST as error:
                # A commit whose answer was lost may have succeeded; then the moves are found.
                if self._writing is not None:
                    self._writing.terminate()
                    self._writing = None
                if loop.time() > give_up or isinstance(error, asyncpg.DataError):
                    return [_down(error)] * len(moves)
                await asyncio.sleep(0.05)
            except UNABLE as error:
                return [_down(error)] * len(moves)
            except Exception as error:  # one bad batch must not end the task
                return [error] * len(moves)

    async def _insert(self, moves: list[MoveRow]) -> list[Exception | None]:
        if self._writing is None or self._writing.is_closed():
            self._writing = await self._connect()
        columns = (
            [move.table for move in moves],
            [move.ply for move in moves],
            [move.seat for move in moves],
            [move.action for move in moves],
            [move.by for move in moves],
            [move.at for move in moves],
            [move.uptime for move in moves],
        )
        chunks = await self._writing.fetch(APPEND, *columns)
        added = {table for chunk in chunks for table in chunk[0]}
        if len(added) == len(moves):
            return [None] * len(moves)
        late = [move for move in moves if move.table not in added]
        found = await self._writing.fetch(
            FIND, [move.table for move in late], [move.ply for move in late]
        )
        stored = {row[0]: MoveRow(*row) for row in found}
        for move in late:
            if move.table in stored and is_same(move, stored[move.table]):
                added.add(move.table)
        return [None if move.table in added else taken(move) for move in moves]

    # Between processes

    def notices(self) -> AsyncIterator[Notice]:
        """Yields changes; after a lost connection, a notice with an empty id."""
        return self._board.listen()

    async def _listen(self) -> asyncpg.Connection:
        connection = await self._connect()
        await connection.add_listener(CHANNEL, self._hear)
        return connection

    def _hear(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        self._board.post(_notice(part) for part in str(payload).split(" "))

    async def _listen_forever(self, connection: asyncpg.Connection) -> None:
        try:
            while True:
                gone = asyncio.Event()
                connection.add_termination_listener(lambda _, gone=gone: gone.set())
                with contextlib.suppress(*LOST, *UNABLE):
                    while not connection.is_closed():
                        # Probed regularly: a dead network reports nothing by itself.
                        await connection.fetchval("SELECT 1", timeout=TIMEOUT / 2)
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(gone.wait(), TIMEOUT / 2)
                connection.terminate()
                connection = await self._listen_again()
                self._board.post([Notice("", "moves")])
        finally:
            connection.terminate()

    async def _listen_again(self) -> asyncpg.Connection:
        while True:
            try:
                return await self._listen()
            except (*LOST, *UNABLE):
                await asyncio.sleep(0.2)

    async def beat(self, worker: str, uptime: float) -> None:
        """Records a worker's heartbeat, and removes workers long dead."""
        await self.write(
            (
                "INSERT INTO workers VALUES ($1, $2)"
                " ON CONFLICT (id) DO UPDATE SET beat = excluded.beat RETURNING id",
                (worker, uptime),
            ),
            ("DELETE FROM workers WHERE beat < $1", (uptime - 3600.0,)),
        )

    async def workers(self, since: float) -> list[str]:
        """Returns the workers with a heartbeat since then."""
        rows = await self.read("SELECT id FROM workers WHERE beat >= $1 ORDER BY id", since)
        return [row[0] for row in rows]

    # The connection and the schema

    async def _connect(self) -> asyncpg.Connection:
        connection = await asyncpg.connect(self.url, timeout=TIMEOUT, command_timeout=TIMEOUT)
        await _prepare(connection)
        return connection

    async def _migrate(self) -> None:
        connection = await self._connect()
        try:
            async with connection.transaction():
                await connection.execute(f"SELECT pg_advisory_xact_lock({MIGRATING})")
                await connection.execute(
                    "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY)"
                )
                done = await connection.fetchval("SELECT COALESCE(MAX(number), 0) FROM migrations")
                for step in migrations.missing(migrations.read("postgres"), done):
                    for statement in step.statements:
                        await connection.execute(statement)
                    await connection.execute("INSERT INTO migrations VALUES ($1)", step.number)
        finally:
            await connection.close()


async def _prepare(connection: asyncpg.Connection) -> None:
    # An acknowledged move is on disk, whatever the database's default.
    await connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false)"
        " WHERE current_setting('synchronous_commit') = 'off'"
    )


async def _leave(connection: asyncpg.Connection) -> None:
    """Skips the pool's reset of a returned connection: its state was not changed."""


def _notice(text: str) -> Notice:
    what, number, rest = text.split(":", 2)
    if what != "moves":
        return Notice(rest, cast(Any, what), int(number))
    seat, action, by, at, uptime, id = rest.split(":", 5)
    move = MoveRow(id, int(number), int(seat), int(action), by, float(at), float(uptime))
    return Notice(id, "moves", move.ply, (move,))


def _down(error: BaseException) -> StoreDown:
    return StoreDown(f"The database cannot be reached or written: {error or type(error).__name__}")
