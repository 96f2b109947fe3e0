"""A sensible player of The Slyest Fox that counts its own cards and thinks no further."""

from __future__ import annotations

from foxden.engine.kernel import rule
from foxden.engine.rng import below


@rule
def greedy(s, legal, n):
    """Chooses for the seat asked from what that seat knows."""
    return legal[below(s, n)]
