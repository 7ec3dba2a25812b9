"""Kernels and the loops that drive them: numbers in, numbers out. Knows nothing of games."""
