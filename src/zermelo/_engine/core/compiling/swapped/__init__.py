"""Patches of Numba that are active while kernels compile, to make compiling faster."""
