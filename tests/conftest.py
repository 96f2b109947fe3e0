"""Every test runs with bounds checks on, in this process and in those it starts."""

import os

os.environ["FOXDEN_CHECKS"] = "1"
if os.environ.get("NUMBA_DISABLE_JIT") != "1":
    os.environ.setdefault("FOXDEN_COMPILE", "always")
