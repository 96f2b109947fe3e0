"""Every test runs with bounds checks on, in this process and in those it starts."""

import os

os.environ["FOXDEN_CHECKS"] = "1"
if os.environ.get("NUMBA_DISABLE_JIT") != "1":
    os.environ.setdefault("FOXDEN_COMPILE", "always")


def pytest_xdist_auto_num_workers() -> int:
    """Returns two more than there are cores: tests often wait for servers and browsers."""
    return (os.cpu_count() or 1) + 2
