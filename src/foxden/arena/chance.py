"""A run's randomness: a seed for the deals, and the luck of the bots.

A bot may know the arena's code, so nothing it gets may lead back to the deal. If the bots' dice
came from the seed, a bot could try seeds until its own dice came out, and then deal the cards
itself; a seed that people choose is soon found. So the dice have their own root, `luck`, and bots
get only hashes keyed with it. Both numbers have 126 bits, are drawn for each run unless given, and
are part of its result: together they repeat the run, and the seed alone repeats its deals.

A bot can also guess a seed that somebody chose: it deals from it and compares its own cards. Leave
the seed out if bots are not trusted.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from foxden.engine.rng import SEED_BITS, split_seed


class Chance(NamedTuple):
    """The two roots of a run."""

    seed: int  # of the deals
    luck: int  # of the bots


def draw() -> int:
    """Draws a root that nobody can guess."""
    return secrets.randbits(SEED_BITS)


def check_root(root: int | None) -> int:
    """Returns the seed or the luck given, or draws one."""
    if root is None:
        return draw()
    split_seed(root)  # refuses invalid seeds
    return int(root)


def deal_seed(seed: int, deal: int) -> int:
    """Derives the seed of one deal."""
    return _derived(seed, f"deal {deal}")


def dice_seed(luck: int, deal: int, rotation: int = 0) -> int:
    """Derives the seed of all the bots' dice in one match."""
    return _derived(luck, f"dice {deal} {rotation}")


def _derived(root: int, what: str) -> int:
    """Hashes with the root as key: without it, one result reveals nothing about another."""
    key = root.to_bytes(16)
    return int.from_bytes(hashlib.blake2b(what.encode(), key=key, digest_size=16).digest()) >> 2
