"""The random stream inside a state: the same seed deals the same match on every machine.

A state holds one of two streams, and rules draw from either in the same way:

    keyed   ChaCha8 under a 256-bit key. Past draws reveal nothing about future ones. Matches are
            dealt from it.
    fast    a multiply-with-carry generator (period about 2**62). It is fair, and anyone who sees
            enough of it can predict it: it is for rollouts, random play and bots' own luck.

    rng     the fast stream's state, above 0; or -1 - n after n draws from the keyed one
    key     the key of the keyed stream
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal, get_args

from foxden.engine.errors import BadSeed
from foxden.engine.kernel import rule
from foxden.engine.native import whole

Stream = Literal["keyed", "fast"]

STREAM: list[tuple[Any, ...]] = [
    ("rng", "i8"),
    ("key", "i8", (4,)),
]  # the first fields of every record with a stream
SEED_BITS = 126  # two words of 63 bits
MULTIPLIER = 2091977793  # MULTIPLIER * 2**32 - 1 and * 2**31 - 1 are prime: a full period
WORD = 0xFFFFFFFF

DRAWS, ASIDES = 0, 1  # what a block of the keyed stream is for


@rule
def mix(h):
    """Mixes 32 bits, one to one."""
    h = (h ^ h >> 16) * 0x21F0AAAD & WORD
    h = (h ^ h >> 15) * 0x735A2D97 & WORD
    return h ^ h >> 15


@rule
def start_stream(s, low, high):
    """Starts the fast stream from both words of a seed; small seeds do not correlate."""
    x = 0x1E3779B9
    y = 0x3C6EF372
    for k in range(4):
        word = (low if k < 2 else high) >> 32 * (k & 1) & WORD
        x = mix(x + word & WORD)
        y = mix((y ^ word) * 0x2C1B3C6D + x & WORD)
    s.rng = ((x * (MULTIPLIER - 1) >> 32) << 32 | y) + 1


@rule
def start_keyed_stream(s, a, b, c, d):
    """Starts the keyed stream from the four words of a key."""
    s.rng = -1
    s.key[0] = a
    s.key[1] = b
    s.key[2] = c
    s.key[3] = d


@rule
def hide_stream(s):
    """Wipes the stream, so future draws cannot be computed from the state."""
    s.rng = 0
    for k in range(4):
        s.key[k] = 0


@rule
def quarter(a, b, c, d):
    """Does a quarter round of ChaCha."""
    a = a + b & WORD
    d = d ^ a
    d = (d << 16 | d >> 16) & WORD
    c = c + d & WORD
    b = b ^ c
    b = (b << 12 | b >> 20) & WORD
    a = a + b & WORD
    d = d ^ a
    d = (d << 8 | d >> 24) & WORD
    c = c + d & WORD
    b = b ^ c
    b = (b << 7 | b >> 25) & WORD
    return a, b, c, d


@rule
def keyed_bits(s, count, purpose, number):
    """Returns the first 32 bits of the ChaCha8 block with this counter and nonce.

    The rest of the block is unused: a deal needs a few dozen draws, and a buffer would enlarge
    every state of every search.
    """
    x0, x1, x2, x3 = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574
    k0, k1, k2, k3 = int(s.key[0]), int(s.key[1]), int(s.key[2]), int(s.key[3])
    x4, x5, x6, x7 = k0 & WORD, k0 >> 32 & WORD, k1 & WORD, k1 >> 32 & WORD
    x8, x9, x10, x11 = k2 & WORD, k2 >> 32 & WORD, k3 & WORD, k3 >> 32 & WORD
    x12, x13, x14, x15 = count & WORD, count >> 32 & WORD, purpose & WORD, number & WORD
    for _ in range(4):
        x0, x4, x8, x12 = quarter(x0, x4, x8, x12)
        x1, x5, x9, x13 = quarter(x1, x5, x9, x13)
        x2, x6, x10, x14 = quarter(x2, x6, x10, x14)
        x3, x7, x11, x15 = quarter(x3, x7, x11, x15)
        x0, x5, x10, x15 = quarter(x0, x5, x10, x15)
        x1, x6, x11, x12 = quarter(x1, x6, x11, x12)
        x2, x7, x8, x13 = quarter(x2, x7, x8, x13)
        x3, x4, x9, x14 = quarter(x3, x4, x9, x14)
    return x0 + 0x61707865 & WORD


@rule
def fast_bits(s):
    """Draws 32 random bits from the fast stream."""
    x = MULTIPLIER * (s.rng & WORD) + (s.rng >> 32)
    s.rng = x
    return (x ^ x >> 32) & WORD


@rule
def bits(s):
    """Draws 32 random bits."""
    if s.rng < 0:
        s.rng -= 1
        return keyed_bits(s, -2 - s.rng, DRAWS, 0)
    return fast_bits(s)


@rule
def bits_aside(s, number):
    """Returns 32 bits that depend on the stream's position and a number, without advancing it."""
    if s.rng < 0:
        return keyed_bits(s, -1 - s.rng, ASIDES, number)
    return mix(mix(s.rng & WORD) ^ number)


@rule
def keyed_below(s, n):
    """Draws below n from the keyed stream; separate from `below` to keep the fast path short."""
    m = bits(s) * n
    while m & WORD < (WORD + 1 - n) % n:
        m = bits(s) * n
    return m >> 32


@rule
def below(s, n):
    """Draws from 0 to n - 1, each equally likely (Lemire's method)."""
    if s.rng < 0:
        return keyed_below(s, n)
    m = fast_bits(s) * n
    if m & WORD < n:
        threshold = (WORD + 1 - n) % n
        while m & WORD < threshold:
            m = fast_bits(s) * n
    return m >> 32


@rule
def shuffle(s, cards, n):
    """Shuffles the first n cards in place, every order equally likely."""
    for i in range(n - 1, 0, -1):
        j = below(s, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


def check_seed(seed: int) -> int:
    """Returns the seed as a plain int; refuses what is not a whole number in range."""
    number = whole(seed)
    if number is None or not 0 <= number < 1 << SEED_BITS:
        raise BadSeed(f"A seed is a whole number from 0 to 2^{SEED_BITS} - 1, not {seed!r}.")
    return number


def check_stream(stream: str) -> Stream:
    """Returns the stream; refuses an unknown name."""
    for known in get_args(Stream):
        if stream == known:
            return known
    raise BadSeed(f"A stream is 'keyed' or 'fast', not {stream!r}.")


def split_seed(seed: int) -> tuple[int, int]:
    """Splits a seed into the two words that `start_stream` takes."""
    seed = check_seed(seed)
    return seed & (1 << 63) - 1, seed >> 63


def deal_key(seed: int) -> tuple[int, int, int, int]:
    """Derives the four words that `start_keyed_stream` takes from a seed."""
    digest = hashlib.sha256(f"foxden deal {check_seed(seed)}".encode()).digest()
    a, b, c, d = (int.from_bytes(digest[k : k + 8], "little", signed=True) for k in range(0, 32, 8))
    return a, b, c, d


def derive_seed(seed: int, index: int) -> int:
    """Derives the seed of the index-th match of a series."""
    digest = hashlib.sha256(f"foxden series {seed} {index}".encode()).digest()
    return int.from_bytes(digest[:16]) >> 128 - SEED_BITS


def seed_hash(seed: int) -> str:
    """Commits to a seed: shown when a match begins, checked when the seed is revealed."""
    return hashlib.sha256(f"foxden seed {seed}".encode()).hexdigest()
