"""Bans of people and of address ranges."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Sequence

from foxden.server.problems import Refusal, bad_field
from foxden.server.store import BanRow, PersonRow

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Bans:
    """The bans in force, as this process last read them."""

    def __init__(self) -> None:
        """Begins with nobody banned."""
        self._people: dict[str, BanRow] = {}
        self._networks: list[tuple[Network, BanRow]] = []

    def read(self, rows: Sequence[BanRow]) -> None:
        """Loads the bans from the store."""
        self._people = {row.person: row for row in rows if row.person}
        self._networks = [(ipaddress.ip_network(row.network), row) for row in rows if row.network]

    def check_address(self, address: str) -> None:
        """Refuses an address that is banned."""
        if self._networks:
            try:
                parsed = ipaddress.ip_address(address)
            except ValueError:
                return  # a socket of the machine itself
            if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped:
                parsed = parsed.ipv4_mapped
            for network, row in self._networks:
                if parsed in network:
                    _refuse(row)

    def check_person(self, person: PersonRow | None) -> None:
        """Refuses a person who is banned."""
        if person is not None and (row := self._people.get(person.id)) is not None:
            _refuse(row)

    def keeps_out(self, person: PersonRow | None, address: str) -> str | None:
        """Returns why somebody is banned, or None."""
        try:
            self.check_address(address.partition("/")[0])
            self.check_person(person)
        except Refusal as refusal:
            return str(refusal)
        return None


def _refuse(row: BanRow) -> None:
    if row.until is None or row.until > time.time():
        why = f" {row.reason}" if row.reason else ""
        raise Refusal("banned", 403, f"The operator of this server has banned you.{why}")


def parse_network(text: str) -> str:
    """Checks an address or a range of addresses, such as 192.0.2.0/24."""
    try:
        network = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise bad_field("network", f"{text!r} is no address or range of addresses.") from None
    if network.prefixlen < (8 if network.version == 4 else 16):
        raise bad_field("network", f"{text!r} would shut out too many; ban a smaller range.")
    return str(network)
