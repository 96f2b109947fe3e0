"""Players trained by self-play. On a card elsewhere it needs torch, NumPy and kernels alone."""
