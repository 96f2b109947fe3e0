"""The matches behind docs/baselines.md, as they are kept."""

import json
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUN = """
    import sys, time
    from concurrent.futures import ThreadPoolExecutor
    from pathlib import Path
    from scripts import baselines

    def unit(pair, deal, rotation):
        time.sleep(0.01)
        told = {"ahead": 1.0, "wins": 1.0, "seconds": 0.0}
        if sys.argv[2] == "break" and deal == 5:
            raise RuntimeError("a bot broke")
        return told | {"pair": pair.name, "deal": deal, "rotation": rotation}

    baselines.SAVE_EVERY = 0.1
    baselines.ProcessPoolExecutor = ThreadPoolExecutor
    baselines.play_unit = unit
    pair = baselines.Pair("happy-fox", 2, ("greedy", "random"), 100_000)
    baselines.play([pair], baselines.Journal(Path(sys.argv[1])), 600, 1, None)
"""


def begun(file: Path, how: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", textwrap.dedent(RUN), str(file), how]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)


def kept(file: Path) -> int:
    return len(json.loads(file.read_text())["happy-fox 2 greedy random"]) if file.exists() else 0


def test_a_run_that_is_killed_has_kept_its_matches(tmp_path: Path) -> None:
    file = tmp_path / "baselines.json"
    counts = []
    for _ in range(3):  # each goes on where the one before was killed
        process = begun(file, "on")
        end, before = time.monotonic() + 60, kept(file)
        while kept(file) <= before + 5:
            assert time.monotonic() < end
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        counts.append(kept(file))
    assert counts[0] < counts[1] < counts[2]


def test_a_match_that_fails_loses_none_of_those_before(tmp_path: Path) -> None:
    file = tmp_path / "baselines.json"
    assert begun(file, "break").wait(60) != 0
    assert kept(file) == 10
