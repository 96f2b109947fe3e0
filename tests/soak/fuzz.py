"""Sends a server messages and requests of all kinds, as many as one likes.

    python -m tests.soak.fuzz --count 1000000

It fails at the first answer of 500 or more, the first socket that is deaf, the first fault counted.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from pathlib import Path

from tests.server.test_fuzz import fuzz


def main() -> None:
    """Fuzzes, and says what the answers were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="messages and requests")
    count = parser.parse_args().count
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # as a server's own log does
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found = fuzz(Path(folder), count * 3 // 4, count // 4)
    for name, number in found.answers.most_common():
        print(f"{number:9,} {name}")
    print(
        f"{count:,} messages and requests in {time.monotonic() - began:.0f} s, {found.whole} whole "
        "matches beside them: no 5xx, no dead socket, no fault"
    )


if __name__ == "__main__":
    main()
