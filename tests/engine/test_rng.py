"""The random stream: fair, and the same everywhere."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from foxden.engine import rng
from foxden.engine.kernel import COMPILE, Entry, new_states, to_known
from foxden.engine.rng import (
    SEED_BITS,
    below,
    bits,
    bits_aside,
    deal_key,
    derive_seed,
    hide_stream,
    keyed_bits,
    mix,
    shuffle,
    split_seed,
    start_keyed_stream,
    start_stream,
)

STREAM = np.dtype(rng.STREAM)


@Entry
def draw(states, low, high, n, out):  # type: ignore[no-untyped-def]
    """Draws below n from a stream of its own."""
    start_stream(states[0], low, high)
    for i in range(len(out)):
        out[i] = below(states[0], n)


@Entry
def shuffled(states, low, high, cards):  # type: ignore[no-untyped-def]
    """Shuffles from a stream of its own."""
    start_stream(states[0], low, high)
    shuffle(states[0], cards, len(cards))


@Entry
def first_bits(states, low, high):  # type: ignore[no-untyped-def]
    """Returns the first word of a stream."""
    start_stream(states[0], low, high)
    return bits(states[0])


def chi2(counts: Any, expected: float) -> float:
    return float(sum((count - expected) ** 2 / expected for count in counts))


def test_known_words_of_known_seeds() -> None:
    """A record must deal the same cards for ever: these figures never change."""
    states = new_states(STREAM, 1)
    words = [int(first_bits(states, seed, 0)) for seed in (0, 1, 2, 7)]
    assert words == [3246792114, 3071478041, 9373878, 2468092550]


def test_below_is_uniform() -> None:
    out = np.zeros(70000, np.int64)
    draw(new_states(STREAM, 1), 5, 0, 7, out)
    assert (out.min(), out.max()) == (0, 6)
    assert chi2(np.bincount(out), 10000) < 22.5  # 6 degrees of freedom, p = 0.001


def test_neighbouring_seeds_do_not_correlate() -> None:
    states = new_states(STREAM, 1)
    firsts = np.zeros(1, np.int64)
    counts: Counter[int] = Counter()
    for seed in range(12000):
        draw(states, *split_seed(seed), 12, firsts)
        counts[int(firsts[0])] += 1
    assert chi2(counts.values(), 1000) < 31.3  # 11 degrees of freedom, p = 0.001


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    states = new_states(STREAM, 1)
    orders: Counter[tuple[int, ...]] = Counter()
    for seed in range(24000):
        cards = np.arange(4)
        shuffled(states, seed, 3, cards)
        orders[tuple(cards.tolist())] += 1
    assert set(orders) == set(permutations(range(4)))
    assert chi2(orders.values(), 1000) < 49.7  # 23 degrees of freedom, p = 0.001


def test_both_words_of_a_seed_count() -> None:
    states = new_states(STREAM, 1)
    seeds = [0, 1, 1 << 31, 1 << 32, 1 << 62, 1 << 63, 1 << 100, (1 << 126) - 1]
    assert len({int(first_bits(states, *split_seed(seed))) for seed in seeds}) == len(seeds)


def test_seeds_of_a_series_differ_and_use_all_bits() -> None:
    seeds = {derive_seed(seed, index) for seed in range(20) for index in range(50)}
    assert len(seeds) == 1000
    assert 1 << SEED_BITS - 5 < max(seeds) < 1 << SEED_BITS


# The keyed stream

KNOWN_WORDS = [2124354619, 2596631911, 3724177259, 3891403743]


@Entry
def key_stream(states, key):  # type: ignore[no-untyped-def]
    """Starts a keyed stream."""
    start_keyed_stream(states[0], key[0], key[1], key[2], key[3])


@Entry
def block(states, count, purpose, number):  # type: ignore[no-untyped-def]
    """Returns the first word of a block."""
    return keyed_bits(states[0], count, purpose, number)


@Entry
def next_bits(states):  # type: ignore[no-untyped-def]
    """Draws a word."""
    return bits(states[0])


@Entry
def dares(states, n, out):  # type: ignore[no-untyped-def]
    """Draws below n aside for every turn, as dares are drawn."""
    for turn in range(len(out)):
        out[turn] = bits_aside(states[0], turn) * n >> 32


@Entry
def draw_on(states, n, out):  # type: ignore[no-untyped-def]
    """Draws below n."""
    for i in range(len(out)):
        out[i] = below(states[0], n)


@Entry
def wipe_stream(states):  # type: ignore[no-untyped-def]
    """Hides the stream."""
    hide_stream(states[0])


@Entry
def survivors(first, count, n, seen, told, right):  # type: ignore[no-untyped-def]
    """Counts the low words that explain the dares seen, and how well they tell the later ones."""
    found = 0
    for word in range(first, first + count):
        fits = True
        for turn in range(told):
            if mix(mix(word) ^ turn) * n >> 32 != seen[turn]:
                fits = False
                break
        if fits:
            found += 1
            for turn in range(told, len(seen)):
                if mix(mix(word) ^ turn) * n >> 32 == seen[turn]:
                    right[0] += 1
    return found


def words_of(key: bytes) -> Any:
    return np.frombuffer(key, "<i8").astype(np.int64)


def chacha8(key: bytes, count: int, purpose: int, number: int) -> Any:
    """The first word of a ChaCha8 block, written down a second time with arrays."""
    start = np.frombuffer(b"expand 32-byte k" + key, "<u4").tolist()
    start += [count & 0xFFFFFFFF, count >> 32, purpose, number]
    x = list(start)

    def turn(v: int, by: int) -> int:
        return (v << by | v >> 32 - by) & 0xFFFFFFFF

    for step in range(8):
        for k in range(4):
            shift = step % 2
            a, b, c, d = (4 * row + (k + row * shift) % 4 for row in range(4))
            for p, q, r, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[p] = x[p] + x[q] & 0xFFFFFFFF
                x[r] = turn(x[r] ^ x[p], by)
    return x[0] + start[0] & 0xFFFFFFFF


def test_the_keyed_stream_is_chacha8() -> None:
    """The zero key's word is that of the published test vectors (TC1, 256 bits, 8 rounds)."""
    states = new_states(STREAM, 1)
    key_stream(states, words_of(bytes(32)))
    assert int(next_bits(states)) == 0x2FEF003E == chacha8(bytes(32), 0, 0, 0)
    key = bytes(range(1, 250, 8))[:31] + b"\xff"  # the sign bits of all words are used too
    key_stream(states, words_of(key))
    assert [int(next_bits(states)) for _ in range(5)] == [chacha8(key, n, 0, 0) for n in range(5)]
    for count, purpose, number in ((1 << 40, 1, 9), (7, 0, 0), (3, 1, 1 << 31)):
        assert int(block(states, count, purpose, number)) == chacha8(key, count, purpose, number)


def test_known_words_of_known_keys() -> None:
    """A record of version 2 must deal the same cards for ever: these figures never change."""
    states = new_states(STREAM, 1)
    words = []
    for seed in (0, 1, 7, (1 << SEED_BITS) - 1):
        key_stream(states, np.array(deal_key(seed)))
        words.append(int(next_bits(states)))
    assert words == KNOWN_WORDS


def test_every_bit_of_a_seed_changes_the_whole_key() -> None:
    keys = [deal_key(seed) for seed in (0, *(1 << bit for bit in range(SEED_BITS)))]
    words = [word for key in keys for word in key]
    assert len(set(words)) == len(words)


def test_the_keyed_stream_is_uniform() -> None:
    states = new_states(STREAM, 1)
    key_stream(states, np.array(deal_key(5)))
    out = np.zeros(20000, np.int64)
    draw_on(states, 7, out)
    assert chi2(np.bincount(out, minlength=7), 20000 / 7) < 22.5  # 6 degrees, p = 0.001


def test_asides_and_draws_of_the_keyed_stream_are_apart() -> None:
    states = new_states(STREAM, 1)
    key_stream(states, np.array(deal_key(5)))
    aside = [int(block(states, 0, rng.ASIDES, number)) for number in range(50)]
    assert len({*aside, *(int(next_bits(states)) for _ in range(50))}) == 100


def test_a_hidden_stream_keeps_nothing() -> None:
    states = new_states(STREAM, 1)
    key_stream(states, np.array(deal_key(5)))
    next_bits(states)
    wipe_stream(states)
    known = to_known(states, 0)
    assert [known.rng, *known.key] == [0, 0, 0, 0, 0]


@pytest.mark.parametrize("stream", ["fast", "keyed"])
def test_dares_tell_the_fast_stream_and_not_the_keyed_one(stream: str) -> None:
    """The attack that found a hand: try every low word of the fast stream against open dares."""
    turns, told, n = 24, 12, 8
    states = new_states(STREAM, 1)
    if stream == "fast":
        first_bits(states, 12345, 678)
    else:
        key_stream(states, np.array(deal_key(12345)))
    seen = np.zeros(turns, np.int64)
    dares(states, n, seen)
    # A part of the attacker's work is enough to see it: the part where the truth would lie.
    right = np.zeros(1, np.int64)
    part = 1 << 20 if COMPILE != "never" else 1 << 10
    first = (to_known(states, 0).rng & rng.WORD) // part * part
    found = int(survivors(first, part, n, seen, told, right))
    if stream == "fast":
        assert (found, int(right[0])) == (1, turns - told)  # one word is left, and tells the rest
    else:
        assert found * (turns - told) * 0.5 >= int(right[0])  # what is left tells nothing
