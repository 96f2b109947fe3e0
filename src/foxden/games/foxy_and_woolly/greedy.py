"""A sensible player of Foxy & Woolly."""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.engine.rng import below


@rule
def greedy(s, legal, n):
    """Chooses for the seat asked."""
    return legal[below(s, n)]
