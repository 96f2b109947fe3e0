"""The random stream inside a state: the same seed gives the same game on every machine.

A multiply-with-carry generator (period about 2**62) in the state's field `rng`. It is fast and
fair, and not cryptographic: live tables draw their seeds from `secrets`.
"""

from __future__ import annotations

import hashlib

from foxden.engine.errors import BadSeed
from foxden.engine.kernel import rule

SEED_BITS = 126  # two words of 63 bits
MULTIPLIER = 2091977793  # MULTIPLIER * 2**32 - 1 and * 2**31 - 1 are prime: a full period
WORD = 0xFFFFFFFF


@rule
def mix(h):
    """Scatters 32 bits over 32 bits, one to one."""
    h = (h ^ h >> 16) * 0x21F0AAAD & WORD
    h = (h ^ h >> 15) * 0x735A2D97 & WORD
    return h ^ h >> 15


@rule
def start_stream(s, low, high):
    """Starts the state's stream from both words of a seed; small seeds do not correlate."""
    x = 0x1E3779B9
    y = 0x3C6EF372
    for k in range(4):
        word = (low if k < 2 else high) >> 32 * (k & 1) & WORD
        x = mix(x + word & WORD)
        y = mix((y ^ word) * 0x2C1B3C6D + x & WORD)
    s.rng = ((x * (MULTIPLIER - 1) >> 32) << 32 | y) + 1


@rule
def bits(s):
    """Draws 32 random bits."""
    x = MULTIPLIER * (s.rng & WORD) + (s.rng >> 32)
    s.rng = x
    return (x ^ x >> 32) & WORD


@rule
def below(s, n):
    """Draws from 0 to n - 1, each equally likely (Lemire's method)."""
    m = bits(s) * n
    if m & WORD < n:
        threshold = (WORD + 1 - n) % n
        while m & WORD < threshold:
            m = bits(s) * n
    return m >> 32


@rule
def shuffle(s, cards, n):
    """Shuffles the first n cards in place, every order equally likely."""
    for i in range(n - 1, 0, -1):
        j = below(s, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


def split_seed(seed: int) -> tuple[int, int]:
    """Splits a seed into the two words that `start_stream` takes."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << SEED_BITS:
        raise BadSeed(f"A seed is a whole number from 0 to 2^{SEED_BITS} - 1, not {seed!r}.")
    return seed & (1 << 63) - 1, seed >> 63


def derive_seed(seed: int, index: int) -> int:
    """Gives the seed of the index-th match of a series; 53 bits, so that JSON readers keep it."""
    digest = hashlib.sha256(f"foxden series {seed} {index}".encode()).digest()
    return int.from_bytes(digest[:8]) >> 11


def seed_hash(seed: int) -> str:
    """Commits to a seed: shown when a match begins, checked when the seed is told."""
    return hashlib.sha256(f"foxden seed {seed}".encode()).hexdigest()
