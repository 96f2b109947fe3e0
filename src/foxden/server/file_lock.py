"""File locks, released when the process that holds them ends, however it ends."""

from __future__ import annotations

import sys
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def lock_file(file: IO[str], *, wait: bool) -> None:
        """Takes a file for this process alone; raises OSError if another has it."""
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def lock_file(file: IO[str], *, wait: bool) -> None:
        """Takes a file for this process alone; raises OSError if another has it."""
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
