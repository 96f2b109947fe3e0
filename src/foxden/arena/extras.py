"""Packages that an extra of Foxden brings."""

from __future__ import annotations

from foxden.engine.errors import FoxdenError


class MissingPackage(FoxdenError):
    """Is raised when a package is wanted that an extra of Foxden brings."""
