"""Foxden's games for research code: one file a protocol, never one a game."""

from __future__ import annotations


def module_name(name: str) -> str:
    """Returns a game's name in the form that protocols like, with underscores."""
    return name.replace("-", "_")
