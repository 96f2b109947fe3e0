"""Packages of Foxden's extras."""

from __future__ import annotations

from foxden.engine.errors import FoxdenError


class MissingPackage(FoxdenError):
    """Is raised when a package of an extra is missing."""
