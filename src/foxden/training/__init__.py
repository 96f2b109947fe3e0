"""Trains players by self-play. On another machine's card it needs only torch, NumPy and kernels."""
