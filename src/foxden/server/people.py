"""People: a name, a signed cookie, and links that make another device the same person."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from dataclasses import replace

from itsdangerous import BadSignature, Signer

from foxden.server.problems import bad_field, not_found
from foxden.server.store import DeviceRow, PersonRow, Store

COOKIE = "foxden"
COOKIE_AGE = 400 * 24 * 3600  # seconds; browsers keep none longer
LINK_AGE = 15 * 60.0
SEEN = 24 * 3600.0  # seconds between notes of somebody's visits
MOVED = 600.0  # and of a new address: two devices may alternate
REMEMBERED = 10_000  # devices cached in memory, to save queries


def new_id() -> str:
    """Makes an id that cannot be guessed and can be read aloud: 50 bits in ten characters."""
    return base64.b32encode(secrets.token_bytes(7)).decode().lower()[:10]


def checked_name(name: str) -> str:
    """Refuses a name that does not fit in a record."""
    name = " ".join(name.split())
    if not name or not name.isprintable():
        raise bad_field("name", "A name has 1 to 24 characters.")
    return name


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class People:
    """Identifies people by the cookie of their device."""

    def __init__(self, store: Store, secret: str) -> None:
        """Signs with the server's secret."""
        self._store = store
        self._secret = secret.encode()
        self._signer = Signer(self._secret, salt="cookie", digest_method=hashlib.sha256)
        self._known: dict[str, tuple[DeviceRow, PersonRow]] = {}  # by device
        self._changes = 0  # people being read from the store right now

    def keyed(self, purpose: str) -> str:
        """Derives a value that only this server can compute."""
        digest = hmac.digest(self._secret, purpose.encode(), "sha256")
        return base64.b32encode(digest).decode().lower().rstrip("=")

    def invite_key(self, table: str) -> str:
        """Returns the key that opens an unlisted table."""
        return self.keyed(f"invite:{table}")[:16]

    def is_invited(self, table: str, key: str | None) -> bool:
        """Returns whether a key is the table's."""
        given = (key or "").encode()
        return hmac.compare_digest(given, self.invite_key(table).encode())

    def voice(self, table: str, person: str) -> str:
        """Returns a pseudonym of a person for one table."""
        return self.keyed(f"voice:{table}:{person}")[:12]

    def network(self, address: str) -> str:
        """Returns the stored hash of an address: enough to count it, not to recover it."""
        return self.keyed(f"network:{address}")[:16] if address else ""

    def _token(self, device: str) -> str:
        """Returns a device's secret; derived, so that no database holds it."""
        return self.keyed(f"person:{device}")

    async def arrive(self, name: str, address: str = "") -> PersonRow:
        """Adds somebody new; their first device has their own id."""
        id, now = new_id(), time.time()
        row = PersonRow(id, checked_name(name), now, now, network=self.network(address))
        device = DeviceRow(id, id, _hash(self._token(id)), now, now)
        await self._store.add_person(row, device)
        self._remember(device, row)
        return row

    async def rename(self, person: PersonRow, name: str) -> PersonRow:
        """Changes the person's name, from the next table on."""
        row = replace(person, name=checked_name(name))
        await self._store.rename_person(person.id, row.name)
        self.renew(row)
        return row

    def cookie(self, device: str) -> str:
        """Writes the value of a device's cookie."""
        return self._signer.sign(f"{device}.{self._token(device)}").decode()

    async def of_cookie(
        self, value: str | None, address: str = ""
    ) -> tuple[DeviceRow, PersonRow] | None:
        """Finds the device and the person of a cookie; None if forged or revoked."""
        id = self._device_of(value)
        changes = self._changes
        found = None if id is None else self._known.get(id) or await self._store.device(id)
        if found is None or id is None:
            return None
        device, person = found
        if not hmac.compare_digest(_hash(self._token(id)), device.token_hash):
            return None
        now, network = time.time(), self.network(address)
        moved = bool(network) and network != person.network
        if abs(now - person.seen) > (MOVED if moved else SEEN):
            person = replace(person, seen=now, network=network or person.network)
            device = replace(device, seen=now)
            await self._store.see(id, person.id, now, person.network)
        if changes == self._changes:  # else an outdated name, or a device just revoked
            self._remember(device, person)
        return device, person

    def _device_of(self, value: str | None) -> str | None:
        """Returns the device named by a valid cookie."""
        if not value or len(value) > 500:
            return None
        try:
            id, _, token = self._signer.unsign(value).decode().partition(".")
        except (BadSignature, UnicodeDecodeError):
            return None
        return id if hmac.compare_digest(token.encode(), self._token(id).encode()) else None

    def _remember(self, device: DeviceRow, person: PersonRow) -> None:
        self._known[device.id] = device, person
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    def renew(self, person: PersonRow) -> None:
        """Applies a change to a cached person."""
        self._changes += 1
        for id, (device, known) in self._known.items():
            if known.id == person.id:
                self._known[id] = device, person

    def forget(self, person: str | None = None) -> None:
        """Drops one or all people from the cache; the next request queries the store."""
        self._changes += 1
        for id, (_, known) in list(self._known.items()):
            if person is None or known.id == person:
                del self._known[id]

    async def link(self, person: PersonRow) -> tuple[str, float]:
        """Makes a short-lived token that works once."""
        token = secrets.token_urlsafe(24)
        expires = time.time() + LINK_AGE
        await self._store.add_link(_hash(token), person.id, expires)
        return token, expires

    async def claim(self, token: str) -> tuple[PersonRow, str]:
        """Uses a link up; returns its person and a new device of theirs."""
        id = await self._store.use_link(_hash(token), time.time())
        row = await self._store.person(id) if id else None
        if row is None:
            raise not_found("link; it works once, for a quarter of an hour")
        device = DeviceRow(new_id(), row.id, "", time.time(), time.time())
        await self._store.add_device(replace(device, token_hash=_hash(self._token(device.id))))
        return row, device.id
