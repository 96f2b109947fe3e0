#!/usr/bin/env python3
"""Measures steps a second on a graphics card: Foxden's games beside Pgx's, in one run.

    scripts/card_speed.py FOLDER [--matches 65536]    needs torch, `src` of Foxden, JAX and Pgx

FOLDER has the kernels that `foxden train GAME --export FOLDER --arch sm_90` writes. Every step
writes observations and masks, deals anew where a match ended, and is of a random legal action,
drawn on the card too. Foxden's forced moves are played within a step and not counted.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

PGX = ("leduc_holdem", "sparrow_mahjong", "connect_four", "backgammon", "go_9x9")
STEPS = 20  # in a graph, or in a compiled loop
REPEATS = 15
SETTLE = 200  # steps before the first measured one: matches are then at every stage


def median(times: list[float]) -> float:
    """Returns the middle one."""
    return sorted(times)[len(times) // 2]


def ours(folder: Path, matches: int) -> None:
    """Measures every exported game at its usual table: alone, and with the drawing of actions."""
    import torch
    from cuda_parity import step_speed

    from foxden.envs.card import CardEnv, Kernel

    for file in sorted(folder.glob("*.json")):
        kernel = Kernel.read(folder, file.stem)
        sheet = kernel.sheet
        usual = next(
            t for t in sheet["tables"] if t["seats"] == sheet["usual"] and not t["options"]
        )
        env = CardEnv(kernel, matches, [bytes.fromhex(usual["state"])], skip_forced=True)
        env.reset(1)

        def play(env: Any, steps: int) -> None:
            for _ in range(steps):
                noise = torch.rand(env.masks.shape, device="cuda", dtype=torch.float16)
                env.step(noise.mul_(env.masks).argmax(1))

        play(env, SETTLE)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            play(env, STEPS)
        spent = []
        for _ in range(REPEATS):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            spent.append(begin.elapsed_time(end) / 1e3)
        whole = matches * STEPS / median(spent)
        for observed in ({}, {"observe": False}):
            alone = step_speed(kernel, matches, observed) / 1e6
            what = "kernel alone" + (", no observations" if observed else "")
            print(f"foxden {file.stem}: {alone:.1f} million steps/s, {what}", flush=True)
        print(f"foxden {file.stem}: {whole / 1e6:.1f} with the drawing of actions", flush=True)


def pgx(matches: int) -> None:
    """Measures Pgx's games, the drawing of actions included."""
    import jax
    import pgx as library
    from pgx.experimental import auto_reset

    for name in PGX:
        env = library.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))

        def one(carry: Any, _: Any, step: Any = step) -> Any:
            states, key = carry
            key, choosing, stepping = jax.random.split(key, 3)
            odds = jax.random.uniform(choosing, states.legal_action_mask.shape, "float16")
            actions = jax.numpy.argmax(odds * states.legal_action_mask, axis=-1)
            return (step(states, actions, jax.random.split(stepping, matches)), key), None

        @jax.jit
        def play(states: Any, key: Any, one: Any = one) -> Any:
            return jax.lax.scan(one, (states, key), None, STEPS)[0]

        key = jax.random.PRNGKey(0)
        states = jax.jit(jax.vmap(env.init))(jax.random.split(key, matches))
        begin = time.perf_counter()
        for _ in range(SETTLE // STEPS):
            states, key = play(states, key)
        jax.block_until_ready(states)
        compiled, spent = time.perf_counter() - begin, []
        for _ in range(REPEATS):
            begin = time.perf_counter()
            states, key = play(states, key)
            jax.block_until_ready(states)
            spent.append(time.perf_counter() - begin)
        speed = matches * STEPS / median(spent) / 1e6
        print(
            f"pgx {library.__version__} {name}: {speed:.1f} million steps/s with the drawing "
            f"(compiled in {compiled:.0f} s, {jax.default_backend()})",
            flush=True,
        )


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--matches", type=int, default=65536)
    given = parser.parse_args()
    ours(given.folder, given.matches)
    pgx(given.matches)
    return 0


if __name__ == "__main__":
    sys.exit(main())
