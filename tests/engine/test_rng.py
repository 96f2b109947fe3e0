"""The random stream: fair, and the same everywhere."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np

from foxden.engine.kernel import records, rule
from foxden.engine.rng import below, bits, derive_seed, shuffle, split_seed, start_stream

STREAM = np.dtype([("rng", "i8")])


@rule
def draw(states, low, high, n, out):  # type: ignore[no-untyped-def]
    """Draws below n from a stream of its own."""
    start_stream(states[0], low, high)
    for i in range(len(out)):
        out[i] = below(states[0], n)


@rule
def shuffled(states, low, high, cards):  # type: ignore[no-untyped-def]
    """Shuffles from a stream of its own."""
    start_stream(states[0], low, high)
    shuffle(states[0], cards, len(cards))


@rule
def first_bits(states, low, high):  # type: ignore[no-untyped-def]
    """Gives the first word of a stream."""
    start_stream(states[0], low, high)
    return bits(states[0])


def chi2(counts: Any, expected: float) -> float:
    return float(sum((count - expected) ** 2 / expected for count in counts))


def test_known_words_of_known_seeds() -> None:
    """A record must deal the same cards for ever: these figures never change."""
    states = records(STREAM, 1)
    words = [int(first_bits(states, seed, 0)) for seed in (0, 1, 2, 7)]
    assert words == [3246792114, 3071478041, 9373878, 2468092550]


def test_below_is_uniform() -> None:
    out = np.zeros(70000, np.int64)
    draw(records(STREAM, 1), 5, 0, 7, out)
    assert (out.min(), out.max()) == (0, 6)
    assert chi2(np.bincount(out), 10000) < 22.5  # 6 degrees of freedom, p = 0.001


def test_neighbouring_seeds_do_not_correlate() -> None:
    states = records(STREAM, 1)
    firsts = np.zeros(1, np.int64)
    counts: Counter[int] = Counter()
    for seed in range(12000):
        draw(states, *split_seed(seed), 12, firsts)
        counts[int(firsts[0])] += 1
    assert chi2(counts.values(), 1000) < 31.3  # 11 degrees of freedom, p = 0.001


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    states = records(STREAM, 1)
    orders: Counter[tuple[int, ...]] = Counter()
    for seed in range(24000):
        cards = np.arange(4)
        shuffled(states, seed, 3, cards)
        orders[tuple(cards.tolist())] += 1
    assert set(orders) == set(permutations(range(4)))
    assert chi2(orders.values(), 1000) < 49.7  # 23 degrees of freedom, p = 0.001


def test_both_words_of_a_seed_count() -> None:
    states = records(STREAM, 1)
    seeds = [0, 1, 1 << 31, 1 << 32, 1 << 62, 1 << 63, 1 << 100, (1 << 126) - 1]
    assert len({int(first_bits(states, *split_seed(seed))) for seed in seeds}) == len(seeds)


def test_seeds_of_a_series_differ_and_fit_json() -> None:
    seeds = {derive_seed(seed, index) for seed in range(20) for index in range(50)}
    assert len(seeds) == 1000
    assert max(seeds) < 1 << 53
