"""People: a name, a signed cookie, and links that make another device the same person."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time

from itsdangerous import BadSignature, Signer

from foxden.server.problems import bad_field, not_found
from foxden.server.store import PersonRow, Store

COOKIE = "foxden"
COOKIE_AGE = 400 * 24 * 3600  # seconds; browsers keep none longer
LINK_AGE = 15 * 60.0
REMEMBERED = 10_000  # people kept in memory, so that a request need not ask the store


def new_id() -> str:
    """Makes an id that cannot be guessed and can be read aloud: 50 bits in ten characters."""
    return base64.b32encode(secrets.token_bytes(7)).decode().lower()[:10]


def checked_name(name: str) -> str:
    """Refuses a name that a record could not hold."""
    name = " ".join(name.split())
    if not name or not name.isprintable():
        raise bad_field("name", "A name has 1 to 24 characters.")
    return name


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class People:
    """Knows who asks, by the cookie."""

    def __init__(self, store: Store, secret: str) -> None:
        """Signs with the server's secret."""
        self._store = store
        self._secret = secret.encode()
        self._signer = Signer(self._secret, salt="cookie", digest_method=hashlib.sha256)
        self._known: dict[str, PersonRow] = {}

    def keyed(self, purpose: str) -> str:
        """Derives something that only this server can make."""
        digest = hmac.digest(self._secret, purpose.encode(), "sha256")
        return base64.b32encode(digest).decode().lower().rstrip("=")

    def invite_key(self, table: str) -> str:
        """Gives the key that opens an unlisted table."""
        return self.keyed(f"invite:{table}")[:16]

    def is_invited(self, table: str, key: str | None) -> bool:
        """Tells whether a key is the table's."""
        given = (key or "").encode()
        return hmac.compare_digest(given, self.invite_key(table).encode())

    def _token(self, id: str) -> str:
        """Gives a person's secret; derived, so that a second device can be given it as well."""
        return self.keyed(f"person:{id}")

    async def arrive(self, name: str) -> PersonRow:
        """Adds somebody new."""
        id = new_id()
        row = PersonRow(id, checked_name(name), _hash(self._token(id)), time.time())
        await self._store.add_person(row)
        self._remember(row)
        return row

    async def rename(self, person: PersonRow, name: str) -> PersonRow:
        """Gives somebody another name, from the next table on."""
        name = checked_name(name)
        await self._store.rename_person(person.id, name)
        row = PersonRow(person.id, name, person.token_hash, person.created)
        self._remember(row)
        return row

    def cookie(self, person: PersonRow) -> str:
        """Writes the cookie's value."""
        return self._signer.sign(f"{person.id}.{self._token(person.id)}").decode()

    async def of_cookie(self, value: str | None) -> PersonRow | None:
        """Finds the person of a cookie; a forged or foreign one is nobody's."""
        if not value or len(value) > 500:
            return None
        try:
            id, _, token = self._signer.unsign(value).decode().partition(".")
        except (BadSignature, UnicodeDecodeError):
            return None
        row = self._known.get(id) or await self._store.person(id)
        if row is None or not hmac.compare_digest(_hash(token), row.token_hash):
            return None
        self._remember(row)
        return row

    def _remember(self, row: PersonRow) -> None:
        self._known[row.id] = row
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    async def link(self, person: PersonRow) -> tuple[str, float]:
        """Makes a token that is good once, for a short time."""
        token = secrets.token_urlsafe(24)
        expires = time.time() + LINK_AGE
        await self._store.add_link(_hash(token), person.id, expires)
        return token, expires

    async def claim(self, token: str) -> PersonRow:
        """Uses a link up, and gives its person."""
        id = await self._store.use_link(_hash(token), time.time())
        row = await self._store.person(id) if id else None
        if row is None:
            raise not_found("link; it works once, for a quarter of an hour")
        return row
