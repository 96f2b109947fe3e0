"""Sets of numbers from 0 to 62 as bit masks: lowest member and size in one instruction each."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


def lowest(members: int) -> int:
    """Returns the lowest member of a set that is not empty."""
    return (int(members) & -int(members)).bit_length() - 1


def count(members: int) -> int:
    """Counts a set."""
    return int(members).bit_count()


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(typing: Any, members: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def _ones(typing: Any, members: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), build


@overload(lowest, strict=False)  # type: ignore[untyped-decorator]
def _lowest(members: Any) -> Any:
    return lambda members: _trailing_zeros(members)


@overload(count, strict=False)  # type: ignore[untyped-decorator]
def _count(members: Any) -> Any:
    return lambda members: _ones(members)
