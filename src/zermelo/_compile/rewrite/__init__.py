"""From the author's functions to functions that Numba compiles, one form a file."""
