"""Foxden's games for research code: one file per API, never one per game."""

from __future__ import annotations


def module_name(name: str) -> str:
    """Returns a game's name with underscores, as these APIs expect."""
    return name.replace("-", "_")
