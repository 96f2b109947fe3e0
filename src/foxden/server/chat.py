"""The chat of a table."""

from __future__ import annotations

import time
from collections.abc import Sequence

from foxden.server import seating
from foxden.server.audience import Audience
from foxden.server.messages import Chat, ChatLine, encode
from foxden.server.people import People
from foxden.server.problems import forbidden, not_found
from foxden.server.store import ChatRow, PersonRow, Store, TableRow

LATEST = 50  # lines of chat in a Sync


class TableChat:
    """The latest chat lines of one table, and who may add to them."""

    def __init__(
        self, id: str, lines: Sequence[ChatRow], store: Store, people: People, audience: Audience
    ) -> None:
        """Takes the latest lines from the store."""
        self._id = id
        self._rows = list(lines)
        self._store = store
        self._people = people
        self._audience = audience

    @property
    def lines(self) -> list[ChatLine]:
        """Returns the latest lines."""
        return [self.line(row) for row in self._rows]

    def line(self, row: ChatRow) -> ChatLine:
        """Returns a line without the person's id."""
        voice = self._people.voice(self._id, row.person)
        return ChatLine(row.number, row.name, row.seat, row.text, row.at, voice, row.removed)

    async def say(self, row: TableRow, person: PersonRow, text: str) -> None:
        """Says something to everybody at the table."""
        if person.id in row.muted:
            raise forbidden("The host has muted you at this table.")
        mine = seating.seats_of(row, person)
        seat = mine[0] if mine else None
        name = person.name if seat is None else row.seats[seat].name or person.name
        said = await self._store.say(ChatRow(self._id, 0, person.id, name, seat, text, time.time()))
        if said.number == self._heard + 1:
            self._hear([said])
        else:
            await self.listen()

    async def listen(self) -> None:
        """Reads lines that other processes added."""
        self._hear(await self._store.chat(self._id, after=self._heard, limit=LATEST))

    async def hear_again(self) -> None:
        """Reloads the chat after lines were removed."""
        rows = list(await self._store.chat(self._id, limit=LATEST))
        if rows != self._rows:
            self._rows = rows
            self._audience.push("sync")

    async def speaker(self, row: TableRow, voice: str) -> str:
        """Returns the person whom a voice names at this table."""
        people = {seat.person for seat in row.seats if seat.kind == "person"}
        people |= {said.person for said in await self._store.chat(self._id)}
        people |= set(row.muted)
        for person in people:
            if person and self._people.voice(self._id, person) == voice:
                return person
        raise not_found("voice at this table")

    @property
    def _heard(self) -> int:
        return self._rows[-1].number if self._rows else 0

    def _hear(self, rows: Sequence[ChatRow]) -> None:
        for row in rows:
            if row.number > self._heard:
                self._rows.append(row)
                self._audience.tell(encode(Chat(self.line(row))))
        del self._rows[:-LATEST]
