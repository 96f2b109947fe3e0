"""What friends in the same network can use as an address."""

from pathlib import Path

import pytest

from foxden.server import network
from foxden.server.config import Config
from foxden.server.network import local_address, network_of
from tests.server.server import Person, Served, serving

HOME = ("127.0.0.1", "::/64")  # IPv6 is counted by networks


@pytest.mark.parametrize("at", HOME)
def test_a_server_for_its_own_machine_says_how_to_open_it(at: str) -> None:
    for host in ("127.0.0.1", "localhost", "::1"):
        told = network_of(Config(host=host), 8100, at)
        assert (told.open, told.address) == (False, None)
        assert told.command is not None
        assert told.command.endswith(" serve --host 0.0.0.0")


@pytest.mark.parametrize("at", HOME)
def test_a_server_for_the_house_tells_its_address(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "local_address", lambda: "192.168.1.20")
    for host in ("0.0.0.0", "::"):
        told = network_of(Config(host=host), 8123, at)
        assert (told.open, told.address, told.command) == (True, "http://192.168.1.20:8123", None)
    assert network_of(Config(host="10.1.2.3"), 80, at).address == "http://10.1.2.3:80"
    assert network_of(Config(host="fd00::7"), 80, at).address == "http://[fd00::7]:80"
    monkeypatch.setattr(network, "local_address", lambda: None)
    told = network_of(Config(host="0.0.0.0"), 8123, at)
    assert (told.open, told.address, told.command) == (True, None, None)


def test_strangers_learn_neither_address_nor_command() -> None:
    for host in ("127.0.0.1", "0.0.0.0"):
        told = network_of(Config(host=host), 8100, "203.0.113.7")
        assert (told.open, told.address, told.command) == (True, None, None)


def test_the_address_found_is_never_the_machine_s_own() -> None:
    found = local_address()
    assert found is None or not found.startswith(("127.", "0."))


def test_a_real_server_answers_with_its_own_port(served: Served, tmp_path: Path) -> None:
    assert Person(served, None).get("/network").json()["open"] is False
    with serving(tmp_path, "--host", "0.0.0.0") as open_one:
        port = open_one.address.rsplit(":", 1)[1]
        open_one.address = f"http://127.0.0.1:{port}"
        told = Person(open_one, None).get("/network").json()
    assert told["open"] is True
    assert told["address"] is None or told["address"].endswith(f":{port}")
