"""Functions and types for compiled rules beyond Numba's."""
