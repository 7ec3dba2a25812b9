"""Rewriting of the author's functions to functions that Numba compiles, one form for each file."""
