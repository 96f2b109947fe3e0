"""Every test runs with bounds checks on, in this process and in those it starts."""

import os

os.environ["FOXDEN_CHECKS"] = "1"
