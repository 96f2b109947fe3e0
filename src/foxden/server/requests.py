"""Who asks, and from where: the same for REST and sockets."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from foxden.server.config import Config
from foxden.server.people import COOKIE
from foxden.server.problems import forbidden
from foxden.server.store import PersonRow

if TYPE_CHECKING:
    from foxden.server.hub import Hub

LONGEST_COOKIES = 16 * 1024  # bytes searched for our own cookie
OWN_COOKIE = re.compile(rb"(?:^|;)[ \t]*" + COOKIE.encode() + rb"=([!-:<-~]{1,500})[ \t]*(?:;|$)")

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True)
class Asker:
    """Somebody at an address, known by a cookie or not."""

    person: PersonRow | None
    address: str
    device: str | None = None

    @property
    def key(self) -> str:
        """Returns the key by which the asker is counted."""
        return f"person {self.person.id}" if self.person else f"address {self.address}"


def header(scope: Scope, name: bytes) -> str:
    """Returns a header, or nothing."""
    found = next((value for key, value in scope["headers"] if key == name), b"")
    return str(found.decode("latin-1"))


def own_cookie(scope: Scope) -> str | None:
    """Returns our own cookie's value, in time and memory linear in the header's length.

    http.cookies parses all cookies, and takes quadratic time on several Pythons.
    """
    for name, value in scope["headers"]:
        if name == b"cookie" and (found := OWN_COOKIE.search(value[:LONGEST_COOKIES])):
            return str(found[1].decode("ascii"))
    return None


def address(scope: Scope) -> str:
    """Returns the address by which somebody is counted."""
    client = scope.get("client")
    return network(client[0] if client else "")


async def asker(scope: Scope, hub: Hub) -> Asker:
    """Finds out who asks."""
    client = scope.get("client")
    hub.bans.check_address(client[0] if client else "")
    place = address(scope)
    known = await hub.people.of_cookie(own_cookie(scope), place)
    if known is None:
        return Asker(None, place)
    device, person = known
    hub.limits.met(person.id, place)
    hub.bans.check_person(person)
    return Asker(person, place, device.id)


def network(address: str) -> str:
    """Returns what counts as one address: an IPv6 client has 2^64 of them."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def refuse_foreign(scope: Scope, config: Config) -> None:
    """Refuses cross-site requests."""
    origin = header(scope, b"origin")
    if not origin or origin in config.origins:
        return  # no browser sends requests of another site without saying so
    if origin == "null" or _host(origin) != header(scope, b"host").lower():
        raise forbidden(f"Requests from {origin[:100]} are not taken.")


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
