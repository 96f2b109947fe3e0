"""The reverse proxies of `deploy`, with certificates of the tests' own: people play through TLS."""

import asyncio
import contextlib
import os
import random
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import websockets

from tests.server.server import PATIENCE, Person, Served

DEPLOY = Path(__file__).parents[2] / "deploy"
NGINX = """\
pid {folder}/pid;
error_log {folder}/log;
daemon off;
events {{}}
http {{
    access_log off;
    include {folder}/site.conf;
}}
"""

pytestmark = pytest.mark.slow


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def is_open(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def make_certificate(folder: Path) -> None:
    made = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext"
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    done = [*made.split(), "subjectAltName=DNS:localhost", *files]
    subprocess.run(done, check=True, capture_output=True)


def trust(folder: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(folder / "cert.pem"))


def nginx(folder: Path, port: int, upstream: str) -> list[str]:
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    for printed, here in (
        ("/etc/letsencrypt/live/play.example/fullchain.pem", f"{folder}/cert.pem"),
        ("/etc/letsencrypt/live/play.example/privkey.pem", f"{folder}/key.pem"),
        ("play.example", "localhost"),
        ("127.0.0.1:8100", upstream),
        ("443 ssl", f"{port} ssl"),
    ):
        assert printed in site
        site = site.replace(printed, here)
    (folder / "site.conf").write_text(site, encoding="utf-8")
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder), encoding="utf-8")
    return ["nginx", "-e", str(folder / "log"), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, upstream: str) -> list[str]:
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    head = "{$SITE:play.example} {\n"
    assert head in text
    mine = f"\ttls {folder}/cert.pem {folder}/key.pem\n"
    # No port for plain HTTP, which it would take besides.
    alone = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
    config = folder / "Caddyfile"
    config.write_text(alone + text.replace(head, head + mine), encoding="utf-8")
    return ["caddy", "run", "--config", str(config)]


PROXIES = {"nginx": nginx, "caddy": caddy}


@contextlib.contextmanager
def proxied(name: str, folder: Path, served: Served) -> Iterator[Served]:
    """Starts a proxy, and gives the server as it is seen through it."""
    if shutil.which(name) is None:
        pytest.skip(f"NO PROXY: {name} is not installed")
    make_certificate(folder)
    port = free_port()
    upstream = served.address.removeprefix("http://")
    command = PROXIES[name](folder, port, upstream)
    settings = {"SITE": f"https://localhost:{port}", "UPSTREAM": upstream, "HOME": str(folder)}
    with (folder / "out").open("w") as out:
        process = subprocess.Popen(
            command, env={**os.environ, **settings}, stdout=out, stderr=out, text=True
        )
    try:
        end = time.monotonic() + PATIENCE
        while not is_open(port):
            assert process.poll() is None, (folder / "out").read_text()
            assert time.monotonic() < end
            time.sleep(0.05)
        yield Served(process, f"https://localhost:{port}", folder / "out")
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.parametrize("name", PROXIES)
def test_people_play_through_the_proxy(name: str, tmp_path: Path, served: Served) -> None:
    with proxied(name, tmp_path, served) as proxy:
        mia = Person(proxy, "Mia", trust(tmp_path))
        assert {cookie.secure for cookie in mia.http.cookies.jar} == {True}
        table = mia.open_table("happy-fox", "me", "bot:1")

        async def play() -> None:
            async with mia.sit(table["id"], headers={"Origin": proxy.address}) as seat:
                await seat.play_on(random.Random(1))
            with pytest.raises(websockets.InvalidStatus) as refused:
                await mia.connect(table["id"], headers={"Origin": "https://elsewhere.example"})
            assert refused.value.response.status_code == 403

        asyncio.run(play())
        assert mia.get(f"/tables/{table['id']}").json()["status"] == "over"


@pytest.mark.parametrize("name", PROXIES)
def test_the_proxy_keeps_metrics_at_home(name: str, tmp_path: Path, served: Served) -> None:
    assert httpx.get(f"{served.address}/api/metrics").status_code == 200
    with proxied(name, tmp_path, served) as proxy:
        # A neighbour's address: nginx lets the machine itself in.
        neighbour = httpx.HTTPTransport(verify=trust(tmp_path), local_address="127.0.0.2")
        with httpx.Client(transport=neighbour) as stranger:
            assert stranger.get(f"{proxy.address}/api/health").status_code == 200
            assert stranger.get(f"{proxy.address}/api/metrics").status_code in (403, 404)
