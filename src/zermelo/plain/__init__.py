"""Small games solved in plain Python, without Numba: the definition of what a solution is."""
