"""The server's address in the local network."""

from __future__ import annotations

import ipaddress
import shutil
import socket
import sys
from pathlib import Path

from foxden.server.config import Config
from foxden.server.models import Network

# Destinations that select a route: the default one, then those of private networks.
# Connecting a UDP socket sends nothing.
TOWARDS = ("192.0.2.1", "192.168.255.255", "10.255.255.255", "172.31.255.255")


def network_of(config: Config, port: int, asked_from: str) -> Network:
    """Describes how other devices reach the server."""
    if not _is_loopback(asked_from):
        return Network(open=True, address=None, command=None)  # reached from outside already
    if _is_loopback(config.host):
        return Network(open=False, address=None, command=f"{_program()} serve --host 0.0.0.0")
    host = local_address() if _is_any(config.host) else config.host
    if host is None:
        return Network(open=True, address=None, command=None)
    shown = f"[{host}]" if ":" in host else host
    return Network(open=True, address=f"http://{shown}:{port}", command=None)


def local_address() -> str | None:
    """Returns this machine's address in its network, or None."""
    for destination in TOWARDS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((destination, 9))
            except OSError:
                continue
            address: str = probe.getsockname()[0]
        if not _is_loopback(address) and not _is_any(address):
            return address
    return None


def _is_loopback(host: str) -> bool:
    try:
        # People counted by an IPv6 network are named by it.
        return ipaddress.ip_address(host.partition("/")[0]).is_loopback or host == "::/64"
    except ValueError:
        return host == "localhost"


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return host == ""


def _program() -> str:
    """Returns what to type for `foxden`."""
    if shutil.which("foxden"):
        return "foxden"
    program = Path(sys.argv[0])
    return str(program) if program.name == "foxden" else f"{sys.executable} -m foxden"
