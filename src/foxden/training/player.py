"""Players as files: a network's arrays and metadata.

A run writes them in half precision; those that ship have a byte for each weight.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

FORMAT = 1
UNVEILED = "every seat's cards"  # instead of a digest of the observation tensor, in measurements
MOST = 127  # steps of a weight that is a byte


def write_player(file: Path, arrays: Mapping[str, Any], told: Mapping[str, Any]) -> None:
    """Writes a player atomically."""
    part = file.with_suffix(".part")
    with part.open("wb") as out:
        facts = json.dumps({**told, "format": FORMAT})
        np.savez_compressed(out, told=np.array(facts), **arrays)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)


def read_player(file: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Reads a player's metadata and arrays."""
    with np.load(file, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    told: dict[str, Any] = json.loads(str(arrays.pop("told")))
    steps = [name for name in arrays if name.startswith("s")]
    for name in steps:
        layer = f"w{name[1:]}"
        arrays[layer] = arrays[layer] * arrays.pop(name).astype(np.float32)
    return told, arrays


def in_bytes(arrays: Mapping[str, Any], most: int = MOST) -> dict[str, Any]:
    """Rounds every weight to a byte, at most `most` steps from 0; `s0`, `s1`, … are the step sizes.

    Fewer steps make a smaller file.

    Inputs of a network differ in scale, so the first layer has a step for each of them, the others
    have one for each output.
    """
    if not 1 <= most <= MOST:
        raise ValueError(f"A byte holds 1 to {MOST} steps either way, not {most}.")
    found = dict(arrays)
    for name in [name for name in arrays if name.startswith("w")]:
        weights = arrays[name].astype(np.float32)
        largest = np.abs(weights).max(axis=0 if name == "w0" else 1, keepdims=True)
        step = np.maximum(largest / most, 1e-7).astype(np.float16)
        rounded = np.rint(weights / step.astype(np.float32)).clip(-most, most)
        found[name], found[f"s{name[1:]}"] = rounded.astype(np.int8), step
    return found
