"""Compilation by Numba: compiled functions, their cache on disk, and instructions for them."""
