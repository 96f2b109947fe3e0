"""Ends child processes with their parent, however it ends."""

from __future__ import annotations

import os
import signal
import threading
import time


def end_with_parent() -> None:
    """Ends this process as SIGTERM would, soon after its parent is gone."""
    threading.Thread(target=_stay_with, args=[os.getppid()], daemon=True).start()


def _stay_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
